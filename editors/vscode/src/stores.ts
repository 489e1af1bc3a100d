/** Pulls and pushes a prompt that was pulled from a store; the server does it, and reports the result. */

import * as vscode from 'vscode';
import { LSPErrorCodes, type ResponseError } from 'vscode-languageclient';
import type { CurrentPrompt } from './current-prompt';
import { pullPrompt, pushPrompt } from './server/protocol';
import type { Server } from './server/server';

/** Writes the text in the store into the file of the current prompt. */
export async function pullFromStore(current: CurrentPrompt, server: Server): Promise<void> {
    await act(current, server, pullPrompt);
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

async function act({ prompt }: CurrentPrompt, server: Server, command: string, more: object = {}): Promise<void> {
    if (prompt === undefined) {
        return;
    }
    // A store reads and writes files.
    await vscode.workspace.save(vscode.Uri.parse(prompt.uri));
    try {
        const params = { command, arguments: [{ uri: prompt.uri, ...more }] };
        await server.client?.sendRequest('workspace/executeCommand', params);
    } catch (error) {
        if ((error as ResponseError).code !== LSPErrorCodes.RequestCancelled) {
            void vscode.window.showErrorMessage((error as Error).message);
        }
    }
}
