/** Makes a file a prompt, with a rule in promptls.toml. */

import * as path from 'node:path';
import * as vscode from 'vscode';
import { addPrompt } from '../server/protocol';
import type { EditedInputs } from '../server/protocol';
import type { Server } from '../server/server';
import { pickDialect } from './pick-dialect';

/**
 * Lets the user choose the dialect, writes the rule, and leaves the file in front: it is now a prompt. `likely`
 * is the dialect of the first choice.
 */
export async function treatAsPrompt(
    context: vscode.ExtensionContext,
    server: Server,
    file = vscode.window.activeTextEditor?.document.uri,
    likely?: string,
): Promise<void> {
    if (file === undefined || server.client === undefined) {
        void vscode.window.showInformationMessage('Open a file to treat it as a prompt.');
        return;
    }
    const dialect = await pickDialect(context, `Treat ${path.posix.basename(file.path)} as a Prompt`, likely);
    if (dialect === undefined) {
        return;
    }
    try {
        const { uri } = await server.client.sendRequest<EditedInputs>('workspace/executeCommand', {
            command: addPrompt,
            arguments: [{ uri: file.toString(), dialect: dialect.id }],
        });
        const rules = vscode.Uri.parse(uri);
        await (await vscode.workspace.openTextDocument(rules)).save();
        if (vscode.window.activeTextEditor?.document.uri.toString() !== file.toString()) {
            await vscode.window.showTextDocument(file);
        }
    } catch (error) {
        void vscode.window.showErrorMessage(`The rule was not written: ${(error as Error).message}`);
    }
}
