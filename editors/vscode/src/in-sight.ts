/** Server results for the visible lines, kept current while the user scrolls and types. */

import * as vscode from 'vscode';
import type { Range, RequestType } from 'vscode-languageclient';
import type { Server } from './server/server';

/** The parameters of a request about a document. */
export interface InSightParams {
    textDocument: { uri: string };
    range: Range;
}

export interface InSightOptions<T> {
    request: RequestType<InSightParams, T[] | null, void>;
    /** Whether the results are needed at all. */
    isWanted(document: vscode.TextDocument): boolean;
    /** Draws the current results of an editor. */
    draw(editor: vscode.TextEditor): void;
    /** Whether results stay in place during edits, until the next response. */
    outlivesEdits: boolean;
}

export class InSight<T> implements vscode.Disposable {
    /** The results for the visible lines of an editor. */
    private readonly answers = new Map<vscode.TextEditor, T[]>();
    /**
     * The editors with a pending request. Requests are coalesced: of those made meanwhile, one is
     * sent afterwards.
     */
    private readonly pending = new Map<vscode.TextEditor, boolean>();
    private readonly subscriptions: vscode.Disposable[];

    constructor(
        private readonly server: Server,
        private readonly options: InSightOptions<T>,
    ) {
        const those = (uri: string) =>
            vscode.window.visibleTextEditors.filter((editor) => editor.document.uri.toString() === uri);
        this.subscriptions = [
            vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => void this.request(textEditor)),
            vscode.window.onDidChangeVisibleTextEditors((editors) => {
                for (const editor of this.answers.keys()) {
                    if (!editors.includes(editor)) {
                        this.answers.delete(editor);
                    }
                }
                editors.forEach((editor) => void this.request(editor));
            }),
            vscode.workspace.onDidChangeTextDocument(({ document }) => {
                if (!options.outlivesEdits) {
                    those(document.uri.toString()).forEach((editor) => this.clear(editor));
                }
            }),
            server.onReady(() => this.askAll()),
            server.onPreviewChanged((uri) => those(uri).forEach((editor) => void this.request(editor))),
        ];
    }

    /** The current results of an editor. */
    of(editor: vscode.TextEditor): T[] {
        return this.answers.get(editor) ?? [];
    }

    /** Requests the results for all visible editors. */
    askAll(): void {
        vscode.window.visibleTextEditors.forEach((editor) => void this.request(editor));
    }

    dispose(): void {
        vscode.Disposable.from(...this.subscriptions).dispose();
    }

    private async request(editor: vscode.TextEditor): Promise<void> {
        if (this.pending.has(editor)) {
            this.pending.set(editor, true);
            return;
        }
        do {
            this.pending.set(editor, false);
            await this.askOnce(editor);
        } while (this.pending.get(editor));
        this.pending.delete(editor);
    }

    private async askOnce(editor: vscode.TextEditor): Promise<void> {
        const { client } = this.server;
        const { document } = editor;
        const first = editor.visibleRanges[0];
        const last = editor.visibleRanges.at(-1);
        if (client === undefined || first === undefined || last === undefined || !this.options.isWanted(document)) {
            this.clear(editor);
            return;
        }
        const { version } = document;
        const { start } = first;
        const { end } = last;
        try {
            const answer = await client.sendRequest(this.options.request, {
                textDocument: { uri: document.uri.toString() },
                range: { start: { line: start.line, character: 0 }, end: { line: end.line, character: end.character } },
            });
            if (document.version === version) {
                this.answers.set(editor, answer ?? []);
                this.options.draw(editor);
            }
        } catch {
            // The server does not handle the document, or another request is pending.
            this.clear(editor);
        }
    }

    private clear(editor: vscode.TextEditor): void {
        if (this.answers.delete(editor)) {
            this.options.draw(editor);
        }
    }
}

/** A range in VS Code's form. */
export function vscodeRange({ start, end }: Range): vscode.Range {
    return new vscode.Range(start.line, start.character, end.line, end.character);
}
