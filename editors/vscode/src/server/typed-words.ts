/**
 * Groups edits of single letters, so that undo reverts words.
 *
 * Typing into a field of the preview changes a file with each key press. Undo stops can be set only
 * in a visible editor; in any other document, VS Code makes each edit one step.
 */

import * as vscode from 'vscode';

export class TypedWords {
    /** The end of the last letter, and the resulting text. */
    private last: { document: vscode.TextDocument; version: number; end: number } | undefined;

    /** Replaces a text. A letter that continues at the end of the last one is undone together with it. */
    async replace(editor: vscode.TextEditor, range: vscode.Range, text: string): Promise<boolean> {
        const { document } = editor;
        const { start, removed, inserted } = difference(document.getText(range), text);
        const at = document.offsetAt(range.start) + start;
        const { last } = this;
        const isBehindIt = last?.document === document && last.version === document.version && last.end === at;
        const goesOn = isBehindIt && removed === '' && /^\S+$/u.test(inserted);
        const stops = { undoStopBefore: !goesOn, undoStopAfter: false };
        const isApplied = await editor.edit((edit) => edit.replace(range, text), stops);
        this.last = isApplied ? { document, version: document.version, end: at + inserted.length } : undefined;
        return isApplied;
    }
}

/** The changed part of a text, without the common start and end. */
function difference(old: string, text: string): { start: number; removed: string; inserted: string } {
    const least = Math.min(old.length, text.length);
    let start = 0;
    while (start < least && old[start] === text[start]) {
        start++;
    }
    let end = 0;
    while (end < least - start && old.at(-1 - end) === text.at(-1 - end)) {
        end++;
    }
    return { start, removed: old.slice(start, old.length - end), inserted: text.slice(start, text.length - end) };
}
