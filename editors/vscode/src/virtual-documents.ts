/** Virtual documents, which no file holds: what a problem means, and resolved texts. */

import * as vscode from 'vscode';
import { RequestType } from 'vscode-languageclient';
import type { Server } from './server/server';

/** The scheme of their URIs, which the server tells. */
export const virtualScheme = 'promptls';

// Of LSP 3.18, which the client library does not know yet.
const contentRequest = new RequestType<{ uri: string }, { text: string }, void>('workspace/textDocumentContent');

export class VirtualDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
    private readonly changed = new vscode.EventEmitter<vscode.Uri>();
    readonly onDidChange = this.changed.event;
    private readonly subscription: vscode.Disposable;

    constructor(private readonly server: Server) {
        this.subscription = vscode.Disposable.from(
            server.onReady(() => this.readAgain()),
            server.onPreviewChanged(() => this.readAgain()),
        );
    }

    async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
        const { client } = this.server;
        if (client === undefined) {
            return 'The promptls server is not running.\n';
        }
        try {
            return (await client.sendRequest(contentRequest, { uri: uri.toString() })).text;
        } catch (error) {
            // Its case is gone, say; what is there instead must not look like a text that is sent.
            return `There is no resolved text: ${(error as Error).message}\n`;
        }
    }

    dispose(): void {
        this.subscription.dispose();
        this.changed.dispose();
    }

    /** Those that are open may be others now; VS Code drops what is the same. */
    private readAgain(): void {
        for (const { uri } of vscode.workspace.textDocuments) {
            if (uri.scheme === virtualScheme && uri.path.startsWith('resolved/')) {
                this.changed.fire(uri);
            }
        }
    }
}
