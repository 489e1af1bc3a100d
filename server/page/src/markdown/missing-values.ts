/**
 * Marks missing values with a letter in their place, before a text is parsed as Markdown.
 *
 * Missing values and runtime values are empty in the text. In Markdown, a paragraph or a cell of
 * only such a value would disappear, and emphasis around it would become asterisks. With a letter
 * there, the text is parsed as it will be with a value, and the missing value has a position.
 */

import type { Run } from '../host/protocol';
import { isNamed } from '../text/draw-text';

/** A text with marked missing values. */
export interface MarkedText {
    text: string;
    /** The map of that text; its runs keep their indexes. */
    map: readonly Run[];
    /** The letter, which occurs nowhere else in the text. */
    marker: string;
}

/** The private-use characters of Unicode. */
const [firstPrivate, lastPrivate] = [0xe000, 0xf8ff];

export function markMissing(text: string, map: readonly Run[]): MarkedText {
    const marker = letterNotIn(text);
    if (!map.some(isAbsent)) {
        return { text, map, marker };
    }
    const pieces: string[] = [];
    let [at, added] = [0, 0];
    const moved = map.map((run) => {
        const [start, end] = run.output;
        const from = start + added;
        if (isAbsent(run)) {
            pieces.push(text.slice(at, start), marker);
            at = start;
            added++;
        }
        return { ...run, output: [from, end + added] as [number, number] };
    });
    return { text: pieces.join('') + text.slice(at), map: moved, marker };
}

function isAbsent({ kind, output: [start, end] }: Run): boolean {
    return start === end && isNamed(kind);
}

function letterNotIn(text: string): string {
    for (let code = firstPrivate; code < lastPrivate; code++) {
        const letter = String.fromCharCode(code);
        if (!text.includes(letter)) {
            return letter;
        }
    }
    return String.fromCharCode(lastPrivate);
}
