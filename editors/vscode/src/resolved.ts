/** The resolved text outside the preview: on the clipboard. */

import * as vscode from 'vscode';
import type { CurrentPrompt } from './current';
import { previewRequest } from './protocol';
import type { Preview } from './protocol';
import type { Server } from './server';

/** Copies what the engine would send, in the selected case. */
export async function copyResolvedText(current: CurrentPrompt, server: Server): Promise<void> {
    const preview = await resolved(current, server);
    if (preview === undefined) {
        return;
    }
    await vscode.env.clipboard.writeText(preview.text);
    const of = preview.case === null ? '' : ` of case ${preview.case}`;
    if (preview.error === null) {
        vscode.window.setStatusBarMessage(`$(copy) Resolved text${of} copied`, 5000);
    } else {
        void vscode.window.showWarningMessage(
            `The text${of} was copied, but the engine would not send it: ${preview.error.message}`,
        );
    }
}

/** The current prompt with its inputs filled in. Where there is none, the user is told. */
async function resolved({ prompt, position }: CurrentPrompt, server: Server): Promise<Preview | undefined> {
    if (prompt === undefined || server.client === undefined) {
        void vscode.window.showInformationMessage('Open a prompt to see its resolved text.');
        return undefined;
    }
    const params = { textDocument: { uri: prompt.uri }, ...(position && { position }) };
    return (await server.client.sendRequest(previewRequest, params)) ?? undefined;
}
