/**
 * Ghost values: the value of the selected case instead of each placeholder, except on the cursor's
 * lines. The document is not changed.
 */

import * as vscode from 'vscode';
import { InSight, vscodeRange } from './in-sight';
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
    private readonly values: InSight<ShownValue>;
    private readonly subscriptions: vscode.Disposable[];

    constructor(server: Server) {
        this.values = new InSight(server, {
            request: valuesRequest,
            isWanted: isOn,
            draw: (editor) => this.draw(editor),
            // Otherwise they would be in the wrong places.
            outlivesEdits: false,
        });
        this.subscriptions = [
            this.hidden,
            this.shown,
            this.missing,
            this.runtime,
            this.values,
            vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.draw(textEditor)),
            vscode.workspace.onDidChangeConfiguration((change) => {
                if (change.affectsConfiguration(ghostsSetting)) {
                    this.values.askAll();
                }
            }),
        ];
    }

    /** Toggles between values and placeholders. */
    async toggle(): Promise<void> {
        const settings = vscode.workspace.getConfiguration();
        await settings.update(ghostsSetting, !isOn(), vscode.ConfigurationTarget.Global);
    }

    dispose(): void {
        vscode.Disposable.from(...this.subscriptions).dispose();
    }

    private draw(editor: vscode.TextEditor): void {
        const lines = editor.selections.map(({ start, end }) => [start.line, end.line] as const);
        const values = this.values.of(editor).filter(
            // The cursor's lines show the source text for editing.
            ({ range }) => !lines.some(([first, last]) => range.start.line <= last && range.end.line >= first),
        );
        const rangeOf = ({ range }: ShownValue) => vscodeRange(range);
        const of = (kind: ShownValue['kind']) => values.filter((value) => value.kind === kind);
        // Without a value, the name is shown.
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
