/** What a problem means and how to mend it: a page that opens at a click on its code. */

import * as vscode from 'vscode';
import { RequestType } from 'vscode-languageclient';
import type { Server } from './server';

/** The scheme of the pages' addresses, which the server puts behind the codes. */
export const pageScheme = 'promptls';

// Of LSP 3.18, which the client library does not know yet.
const contentRequest = new RequestType<{ uri: string }, { text: string }, void>('workspace/textDocumentContent');

export class Pages implements vscode.TextDocumentContentProvider {
    constructor(private readonly server: Server) {}

    async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
        const content = await this.server.client?.sendRequest(contentRequest, { uri: uri.toString() });
        return content?.text ?? '';
    }
}
