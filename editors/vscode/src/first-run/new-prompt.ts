/** Creates a prompt whose file name contains the dialect, so no rule is needed. */

import * as vscode from 'vscode';
import { isThere } from '../files';
import { createPrompt } from '../server/protocol';
import type { Server } from '../server/server';
import { pickDialect } from './pick-dialect';
import { pickTemplate, templatesIn } from './pick-template';

/**
 * Lets the user choose the dialect, a template and a name, and opens the new file. `undefined` if the user
 * cancels, or if the file is empty and a preview would show nothing.
 */
export async function newPrompt(context: vscode.ExtensionContext, server: Server): Promise<vscode.Uri | undefined> {
    const front = vscode.window.activeTextEditor?.document.uri;
    const folder =
        front?.scheme === 'file' ? vscode.Uri.joinPath(front, '..') : vscode.workspace.workspaceFolders?.[0]?.uri;
    if (folder === undefined) {
        void vscode.window.showInformationMessage('Open a folder to create a prompt in it.');
        return undefined;
    }
    const templates = await templatesIn(server, folder);
    const dialect = await pickDialect(context, 'New Prompt', templates?.dialect);
    if (dialect === undefined) {
        return undefined;
    }
    const beginning = await pickTemplate(templates);
    if (beginning === undefined) {
        return undefined;
    }
    const ending = `.${dialect.id}.prompt`;
    const name = await vscode.window.showInputBox({
        title: 'New Prompt',
        prompt: `Name of the prompt; ${ending} is appended`,
        placeHolder: 'support',
        validateInput: async (text) => {
            if (!/^[^\s/\\.][^/\\]*$/.test(text)) {
                return 'Use a file name without a folder';
            }
            return (await isThere(vscode.Uri.joinPath(folder, text + ending))) ? 'This prompt already exists' : undefined;
        },
    });
    if (name === undefined) {
        return undefined;
    }
    const file = vscode.Uri.joinPath(folder, name + ending);
    if (beginning.template === undefined) {
        await vscode.workspace.fs.writeFile(file, new Uint8Array());
        await vscode.window.showTextDocument(file);
        return undefined;
    }
    try {
        await server.client?.sendRequest('workspace/executeCommand', {
            command: createPrompt,
            arguments: [{ uri: file.toString(), dialect: dialect.id, ...beginning }],
        });
    } catch (error) {
        void vscode.window.showErrorMessage(`The prompt was not created: ${(error as Error).message}`);
        return undefined;
    }
    return file;
}
