/**
 * Inserts the server's closing text after the cursor while the user types: `}}`, and the end of a
 * block.
 *
 * VS Code moves the cursor after text inserted by formatting. A snippet defines the position of the
 * cursor, and is a separate undo step.
 */

import * as vscode from 'vscode';
import type { Server } from '../server/server';

export function closeBehindCursor(server: Server): void {
    server.middleware.provideOnTypeFormattingEdits = async (document, position, typed, options, token, next) => {
        const [edit] = (await next(document, position, typed, options, token)) ?? [];
        const editor = vscode.window.activeTextEditor;
        // If the user has typed on meanwhile, it is no longer needed.
        const isStill = editor?.document === document && editor.selection.active.isEqual(position);
        if (edit !== undefined && isStill && !token.isCancellationRequested) {
            await editor.insertSnippet(new vscode.SnippetString('$0').appendText(edit.newText), edit.range);
        }
        return [];
    };
}
