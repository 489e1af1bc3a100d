/** Virtual documents without a file: explanations of problems, and resolved texts. */

import * as vscode from 'vscode';
import { RequestType } from 'vscode-languageclient';
import type { Server } from './server/server';

/** The scheme of their URIs, which come from the server. */
export const virtualScheme = 'promptls';

// From LSP 3.18, which the client library does not support yet.
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
            // Its case may have been deleted; the replacement must not look like a text that is
            // sent.
            return `There is no resolved text: ${(error as Error).message}\n`;
        }
    }

    dispose(): void {
        this.subscription.dispose();
        this.changed.dispose();
    }

    /** Updates open documents; VS Code ignores unchanged ones. */
    private readAgain(): void {
        for (const { uri } of vscode.workspace.textDocuments) {
            if (uri.scheme === virtualScheme && uri.path.startsWith('resolved/')) {
                this.changed.fire(uri);
            }
        }
    }
}
