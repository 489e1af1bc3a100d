/**
 * The colours of placeholders in code. VS Code shows the semantic tokens of one server only, that
 * of the language; so the colours of placeholders are decorations.
 */

import * as vscode from 'vscode';
import { InSight, vscodeRange } from '../in-sight';
import { tokensRequest } from '../server/protocol';
import type { PromptToken } from '../server/protocol';
import type { Server } from '../server/server';
import { isCode } from './hosts';

/**
 * The colours of names. Extensions cannot read a theme's token colours, only the colours of its
 * interface. In every built-in theme, both stand out from strings. Those of variables do not in
 * Dark 2026, where strings are also blue.
 */
const name = 'editorBracketHighlight.foreground1';
const word = 'symbolIcon.functionForeground';

/** The colour of each kind of token. */
const colours: Record<string, string> = {
    operator: 'symbolIcon.operatorForeground',
    namespace: 'symbolIcon.namespaceForeground',
    keyword: word,
    macro: word,
    variable: name,
    property: name,
    parameter: name,
    number: name,
};

export class HostColours implements vscode.Disposable {
    private readonly drawn = new Map(
        [...new Set(Object.values(colours))].map((colour) => [
            colour,
            vscode.window.createTextEditorDecorationType({
                color: new vscode.ThemeColor(colour),
                rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
            }),
        ]),
    );
    private readonly tokens: InSight<PromptToken>;

    constructor(server: Server) {
        this.tokens = new InSight(server, {
            request: tokensRequest,
            isWanted: isCode,
            draw: (editor) => this.draw(editor),
            outlivesEdits: true,
        });
    }

    dispose(): void {
        vscode.Disposable.from(this.tokens, ...this.drawn.values()).dispose();
    }

    private draw(editor: vscode.TextEditor): void {
        const tokens = this.tokens.of(editor);
        for (const [colour, type] of this.drawn) {
            const those = tokens.filter(({ kind }) => colours[kind] === colour);
            editor.setDecorations(type, those.map(({ range }) => vscodeRange(range)));
        }
    }
}
