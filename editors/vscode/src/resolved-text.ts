/** The resolved text outside the preview: on the clipboard, as chat messages, and as a document. */

import * as vscode from 'vscode';
import type { CurrentPrompt } from './current-prompt';
import { messagesRequest, previewRequest } from './server/protocol';
import type { Preview, PromptParams } from './server/protocol';
import type { Server } from './server/server';

/** Copies the text that the engine sends in the selected case. */
export async function copyResolvedText(params: PromptParams | undefined, server: Server): Promise<void> {
    const preview = params && (await server.client?.sendRequest(previewRequest, params));
    await (preview ? copy('Resolved text', preview.text, preview) : tellThereIsNone());
}

/** Copies it as a list of messages with roles, for programs that send one. */
export async function copyMessages(params: PromptParams | undefined, server: Server): Promise<void> {
    const chat = params && (await server.client?.sendRequest(messagesRequest, params));
    await (chat ? copy('Messages', JSON.stringify(chat.messages, null, 2), chat) : tellThereIsNone());
}

/** Opens the resolved text as a document that follows the prompt, for searching and comparing. */
export async function showResolvedText({ prompt }: CurrentPrompt): Promise<void> {
    if (!prompt?.resolvedUri) {
        tellThereIsNone();
        return;
    }
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(prompt.resolvedUri));
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: false });
}

/** Copies a result, and reports that. */
async function copy(what: string, text: string, { case: name, error }: Pick<Preview, 'case' | 'error'>): Promise<void> {
    await vscode.env.clipboard.writeText(text);
    const copied = `${what}${name === null ? '' : ` of case ${name}`} copied`;
    if (error === null) {
        vscode.window.setStatusBarMessage(`$(copy) ${copied}`, 5000);
    } else {
        void vscode.window.showWarningMessage(`${copied}, but the engine would not send this: ${error.message}`);
    }
}

function tellThereIsNone(): void {
    void vscode.window.showInformationMessage('Open a prompt to see its resolved text.');
}
