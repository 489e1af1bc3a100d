/** The resolved text outside the preview: on the clipboard, and as a document. */

import * as vscode from 'vscode';
import type { CurrentPrompt } from './current-prompt';
import { previewRequest } from './server/protocol';
import type { Preview } from './server/protocol';
import type { Server } from './server/server';

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

/** Opens what the engine would send as a document that follows the prompt, to search in and to compare. */
export async function showResolvedText({ prompt }: CurrentPrompt): Promise<void> {
    if (!prompt?.resolvedUri) {
        void vscode.window.showInformationMessage('Open a prompt to see its resolved text.');
        return;
    }
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(prompt.resolvedUri));
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: false });
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
