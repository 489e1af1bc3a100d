/**
 * Closing braces that are typed behind a placeholder which a completion has just closed.
 *
 * Fingers that have always typed them go on to. For a pair that VS Code has closed itself, it takes
 * them in; for one that came with a completion, we do.
 */

import * as vscode from 'vscode';

/** A placeholder that a completion has closed. */
interface Completed {
    editor: vscode.TextEditor;
    /** Where it ends. */
    end: vscode.Position;
    /** How many braces may still be typed there. */
    expected: number;
    /** How many were, and are still in the text. */
    typed: number;
}

export class ClosingBraces implements vscode.Disposable {
    private completed: Completed | undefined;
    private readonly subscription: vscode.Disposable;

    constructor() {
        this.subscription = vscode.workspace.onDidChangeTextDocument((change) => this.changed(change));
    }

    /** A completion has closed the placeholder in front of the cursor. */
    left(): void {
        const editor = vscode.window.activeTextEditor;
        this.completed = undefined;
        if (editor === undefined || editor.selections.length > 1) {
            return;
        }
        const end = editor.selection.active;
        const before = editor.document.lineAt(end.line).text.slice(0, end.character);
        const expected = /\}{0,2}$/.exec(before)?.[0].length ?? 0;
        this.completed = { editor, end, expected, typed: 0 };
    }

    dispose(): void {
        this.subscription.dispose();
    }

    private changed({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
        const { completed } = this;
        if (completed?.editor.document !== document || contentChanges.length === 0) {
            return;
        }
        const [change, ...others] = contentChanges;
        if (change?.text === '' && change.range.start.isEqual(completed.end) && change.rangeLength <= completed.typed) {
            // These are the ones that were taken in.
            completed.typed -= change.rangeLength;
            return;
        }
        const next = completed.end.translate(0, completed.typed);
        const isNext = change?.range.isEmpty && change.range.start.isEqual(next) && others.length === 0;
        if (isNext && /^\}+$/.test(change.text) && change.text.length <= completed.expected) {
            completed.typed += change.text.length;
            completed.expected -= change.text.length;
            void this.takeIn(completed);
        } else {
            completed.expected = 0;
        }
    }

    /** Takes the braces out of the text again, while more may be typed behind them. */
    private async takeIn(completed: Completed): Promise<void> {
        const { editor, end } = completed;
        const once = { undoStopBefore: false, undoStopAfter: false };
        // An edit fails where something was typed meanwhile.
        for (let tries = 0; tries < 10; tries++) {
            const typed = new vscode.Range(end, end.translate(0, completed.typed));
            if (this.completed !== completed || typed.isEmpty || !/^\}+$/.test(editor.document.getText(typed))) {
                return;
            }
            await editor.edit((edit) => edit.delete(typed), once);
        }
    }
}
