/**
 * Closing braces that are typed after a placeholder which a completion has just closed.
 *
 * Many users type them out of habit. VS Code overtypes a pair that it has closed itself; for a pair
 * from a completion, this module does.
 */

import * as vscode from 'vscode';

/** A placeholder that a completion has closed. */
interface Completed {
    editor: vscode.TextEditor;
    /** Its end. */
    end: vscode.Position;
    /** The number of braces that may still be typed there. */
    expected: number;
    /** The number that were typed, and are still in the text. */
    typed: number;
}

export class ClosingBraces implements vscode.Disposable {
    private completed: Completed | undefined;
    private readonly subscription: vscode.Disposable;

    constructor() {
        this.subscription = vscode.workspace.onDidChangeTextDocument((change) => this.changed(change));
    }

    /** Called when a completion has closed the placeholder before the cursor. */
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
            // These are the braces that were removed.
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

    /** Removes the typed braces again, while more may be typed after them. */
    private async takeIn(completed: Completed): Promise<void> {
        const { editor, end } = completed;
        const once = { undoStopBefore: false, undoStopAfter: false };
        // An edit fails if the user has typed meanwhile.
        for (let tries = 0; tries < 10; tries++) {
            const typed = new vscode.Range(end, end.translate(0, completed.typed));
            if (this.completed !== completed || typed.isEmpty || !/^\}+$/.test(editor.document.getText(typed))) {
                return;
            }
            await editor.edit((edit) => edit.delete(typed), once);
        }
    }
}
