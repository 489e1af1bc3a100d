/** Pulls and pushes a prompt that was pulled from a store; the server does it, and reports the result. */

import * as vscode from 'vscode';
import { LSPErrorCodes, type ResponseError } from 'vscode-languageclient';
import type { CurrentPrompt } from './current-prompt';
import { pullPrompt, pushPrompt } from './server/protocol';
import type { Server } from './server/server';

/** Writes the text in the store into the file of the current prompt. */
export async function pullFromStore(current: CurrentPrompt, server: Server): Promise<void> {
    const uri = current.prompt?.uri;
    if (uri !== undefined && (await act(current, server, pullPrompt))) {
        await readAgain(vscode.Uri.parse(uri));
    }
}

/**
 * Shows the text of a file in its editor. VS Code notices a change of a file by itself, but late if
 * the machine is busy, and never where files cannot be watched.
 */
async function readAgain(file: vscode.Uri): Promise<void> {
    const editor = vscode.window.visibleTextEditors.find((it) => it.document.uri.toString() === file.toString());
    if (editor !== undefined && !editor.document.isDirty) {
        // The command reads the file of the editor with the focus.
        await vscode.window.showTextDocument(editor.document, editor.viewColumn);
        await vscode.commands.executeCommand('workbench.action.files.revert');
    }
}

/** Creates a new version in the store, with a reason that the user enters. */
export async function pushToStore(current: CurrentPrompt, server: Server): Promise<void> {
    const store = current.prompt?.store;
    const prompt = store && `The reason for the change, stored with the new version in ${store}`;
    const message = store && (await vscode.window.showInputBox({ title: `Push to ${store}`, prompt, placeHolder: 'Optional, one line' }));
    if (message !== undefined) {
        await act(current, server, pushPrompt, message === '' ? {} : { message });
    }
}

/** Whether the server did it. */
async function act({ prompt }: CurrentPrompt, server: Server, command: string, more: object = {}): Promise<boolean> {
    if (prompt === undefined) {
        return false;
    }
    // A store reads and writes files.
    await vscode.workspace.save(vscode.Uri.parse(prompt.uri));
    try {
        const params = { command, arguments: [{ uri: prompt.uri, ...more }] };
        await server.client?.sendRequest('workspace/executeCommand', params);
        return true;
    } catch (error) {
        if ((error as ResponseError).code !== LSPErrorCodes.RequestCancelled) {
            void vscode.window.showErrorMessage((error as Error).message);
        }
        return false;
    }
}
