/** Sample prompts, each with its cases. */

import * as vscode from 'vscode';
import { isThere } from '../files';

/** Opens a sample prompt, from the user's own copies. */
export async function openSample(context: vscode.ExtensionContext): Promise<vscode.Uri> {
    const samples = vscode.Uri.joinPath(context.globalStorageUri, 'samples');
    const { fs } = vscode.workspace;
    if (!(await isThere(samples))) {
        await fs.createDirectory(context.globalStorageUri);
        await fs.copy(vscode.Uri.joinPath(context.extensionUri, 'dist/samples'), samples);
    }
    const prompt = vscode.Uri.joinPath(samples, 'adk/support.adk.prompt');
    await vscode.window.showTextDocument(prompt, { preview: false });
    return prompt;
}
