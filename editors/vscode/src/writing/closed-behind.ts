/**
 * What the server closes behind the cursor, while one types: `}}`, and the end of a block.
 *
 * VS Code leaves the cursor behind what formatting puts there. A snippet says where it stays, and
 * is undone by itself.
 */

import * as vscode from 'vscode';
import type { Server } from '../server/server';

export function closeBehindCursor(server: Server): void {
    server.middleware.provideOnTypeFormattingEdits = async (document, position, typed, options, token, next) => {
        const [edit] = (await next(document, position, typed, options, token)) ?? [];
        const editor = vscode.window.activeTextEditor;
        // Whoever types on meanwhile has no use for it any more.
        const isStill = editor?.document === document && editor.selection.active.isEqual(position);
        if (edit !== undefined && isStill && !token.isCancellationRequested) {
            await editor.insertSnippet(new vscode.SnippetString('$0').appendText(edit.newText), edit.range);
        }
        return [];
    };
}
