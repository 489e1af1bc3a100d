/**
 * Ghost values: the value of the selected case in the place of each placeholder, where the cursor
 * is not. The document stays as it is.
 */

import * as vscode from 'vscode';
import { valuesRequest } from './server/protocol';
import type { ShownValue } from './server/protocol';
import type { Server } from './server/server';

export const ghostsSetting = 'promptls.ghostValues.enabled';

export class GhostValues implements vscode.Disposable {
    /** Hides a placeholder. There is no other way to draw nothing. */
    private readonly hidden = vscode.window.createTextEditorDecorationType({
        textDecoration: 'none; display: none;',
    });
    private readonly shown = vscode.window.createTextEditorDecorationType({
        before: {
            color: new vscode.ThemeColor('editorInlayHint.foreground'),
            backgroundColor: new vscode.ThemeColor('editorInlayHint.background'),
        },
    });
    private readonly missing = vscode.window.createTextEditorDecorationType({
        color: new vscode.ThemeColor('editorError.foreground'),
    });
    private readonly runtime = vscode.window.createTextEditorDecorationType({
        color: new vscode.ThemeColor('descriptionForeground'),
        fontStyle: 'italic',
    });
    /** What stands in the visible lines of an editor. */
    private readonly values = new Map<vscode.TextEditor, ShownValue[]>();
    /** The editors that are asked about. Requests for one are coalesced: of those that come meanwhile, one is sent afterwards. */
    private readonly asking = new Map<vscode.TextEditor, boolean>();
    private readonly subscriptions: vscode.Disposable[];

    constructor(private readonly server: Server) {
        const of = (document: vscode.TextDocument) =>
            vscode.window.visibleTextEditors.filter((editor) => editor.document === document);
        this.subscriptions = [
            this.hidden,
            this.shown,
            this.missing,
            this.runtime,
            vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.draw(textEditor)),
            vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => void this.ask(textEditor)),
            vscode.window.onDidChangeVisibleTextEditors((editors) => {
                for (const editor of this.values.keys()) {
                    if (!editors.includes(editor)) {
                        this.values.delete(editor);
                    }
                }
                editors.forEach((editor) => void this.ask(editor));
            }),
            vscode.workspace.onDidChangeTextDocument(({ document }) =>
                // Until the answer comes, they would stand in the wrong places.
                of(document).forEach((editor) => this.clear(editor)),
            ),
            vscode.workspace.onDidChangeConfiguration((change) => {
                if (change.affectsConfiguration(ghostsSetting)) {
                    this.askAll();
                }
            }),
            server.onReady(() => this.askAll()),
            server.onPreviewChanged((uri) =>
                vscode.window.visibleTextEditors
                    .filter((editor) => editor.document.uri.toString() === uri)
                    .forEach((editor) => void this.ask(editor)),
            ),
        ];
    }

    /** Shows them, or the placeholders again. */
    async toggle(): Promise<void> {
        const settings = vscode.workspace.getConfiguration();
        await settings.update(ghostsSetting, !isOn(), vscode.ConfigurationTarget.Global);
    }

    dispose(): void {
        vscode.Disposable.from(...this.subscriptions).dispose();
    }

    private askAll(): void {
        vscode.window.visibleTextEditors.forEach((editor) => void this.ask(editor));
    }

    private async ask(editor: vscode.TextEditor): Promise<void> {
        if (this.asking.has(editor)) {
            this.asking.set(editor, true);
            return;
        }
        do {
            this.asking.set(editor, false);
            await this.askOnce(editor);
        } while (this.asking.get(editor));
        this.asking.delete(editor);
    }

    private async askOnce(editor: vscode.TextEditor): Promise<void> {
        const { client } = this.server;
        const first = editor.visibleRanges[0];
        const last = editor.visibleRanges.at(-1);
        if (!isOn() || client === undefined || first === undefined || last === undefined) {
            this.clear(editor);
            return;
        }
        const { document } = editor;
        const { version } = document;
        const { start } = first;
        const { end } = last;
        try {
            const values = await client.sendRequest(valuesRequest, {
                textDocument: { uri: document.uri.toString() },
                range: { start: { line: start.line, character: 0 }, end: { line: end.line, character: end.character } },
            });
            if (document.version === version) {
                this.values.set(editor, values ?? []);
                this.draw(editor);
            }
        } catch {
            // The document is none of the server's, or another answer is under way.
            this.clear(editor);
        }
    }

    private clear(editor: vscode.TextEditor): void {
        if (this.values.delete(editor)) {
            this.draw(editor);
        }
    }

    private draw(editor: vscode.TextEditor): void {
        const lines = editor.selections.map(({ start, end }) => [start.line, end.line] as const);
        const values = (this.values.get(editor) ?? []).filter(
            // Where the cursor is, there is something to be edited.
            ({ range }) => !lines.some(([first, last]) => range.start.line <= last && range.end.line >= first),
        );
        const rangeOf = ({ range: { start, end } }: ShownValue) =>
            new vscode.Range(start.line, start.character, end.line, end.character);
        const of = (kind: ShownValue['kind']) => values.filter((value) => value.kind === kind);
        // Without a value, the name is what there is to know.
        editor.setDecorations(this.missing, of('missing').map(rangeOf));
        editor.setDecorations(this.runtime, of('runtime').map(rangeOf));
        editor.setDecorations(this.hidden, of('value').map(rangeOf));
        editor.setDecorations(
            this.shown,
            of('value').map((value) => ({
                range: rangeOf(value),
                renderOptions: { before: { contentText: value.text === '' ? '∅' : value.text } },
            })),
        );
    }
}

function isOn(): boolean {
    return vscode.workspace.getConfiguration().get(ghostsSetting, false);
}
