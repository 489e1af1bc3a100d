/** Starts a prompt: its name says the engine, so nothing else is needed. */

import * as vscode from 'vscode';
import { isThere } from '../files';
import { pickDialect } from './pick-dialect';

/** Asks for the dialect and a name, and opens the new file. */
export async function newPrompt(context: vscode.ExtensionContext): Promise<void> {
    const front = vscode.window.activeTextEditor?.document.uri;
    const folder =
        front?.scheme === 'file' ? vscode.Uri.joinPath(front, '..') : vscode.workspace.workspaceFolders?.[0]?.uri;
    if (folder === undefined) {
        void vscode.window.showInformationMessage('Open a folder to create a prompt in it.');
        return;
    }
    const dialect = await pickDialect(context, 'New Prompt');
    if (dialect === undefined) {
        return;
    }
    const ending = `.${dialect.id}.prompt`;
    const name = await vscode.window.showInputBox({
        title: 'New Prompt',
        prompt: `Name of the prompt; ${ending} is put behind it`,
        placeHolder: 'support',
        validateInput: async (text) => {
            if (!/^[^\s/\\.][^/\\]*$/.test(text)) {
                return 'Use a name of a file without any folder';
            }
            return (await isThere(vscode.Uri.joinPath(folder, text + ending))) ? 'There is such a prompt' : undefined;
        },
    });
    if (name === undefined) {
        return;
    }
    const file = vscode.Uri.joinPath(folder, name + ending);
    await vscode.workspace.fs.writeFile(file, new Uint8Array());
    await vscode.window.showTextDocument(file);
}
