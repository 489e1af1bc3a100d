/**
 * The colours of placeholders in code. VS Code shows the semantic tokens of one server only, and
 * those of the language stay; so ours are drawn over them.
 */

import * as vscode from 'vscode';
import { InSight, vscodeRange } from '../in-sight';
import { tokensRequest } from '../server/protocol';
import type { PromptToken } from '../server/protocol';
import type { Server } from '../server/server';
import { isCode } from './hosts';

/** Themes say nothing of semantic tokens to extensions; these colours they have for the same. */
const colours: Record<string, string> = {
    operator: 'symbolIcon.operatorForeground',
    keyword: 'symbolIcon.keywordForeground',
    namespace: 'symbolIcon.namespaceForeground',
    variable: 'symbolIcon.variableForeground',
    property: 'symbolIcon.variableForeground',
    parameter: 'symbolIcon.variableForeground',
    number: 'symbolIcon.variableForeground',
    macro: 'symbolIcon.functionForeground',
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
