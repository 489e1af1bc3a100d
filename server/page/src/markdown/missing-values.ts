/**
 * Marks missing values by a letter in the place of each, before a text is read as Markdown.
 *
 * What is missing, or comes at run time, is nothing in the text. Read as Markdown, a paragraph or a
 * cell of it alone would be gone, and emphasis around it would be asterisks. With a letter there,
 * it is read as it will be once there is a value, and what was missing has a place.
 */

import type { Run } from '../host/protocol';
import { isNamed } from '../text/draw-text';

/** A text in which what is missing is marked. */
export interface MarkedText {
    text: string;
    /** The map of that text; its runs have the indexes that they had. */
    map: readonly Run[];
    /** The letter, which the text has nowhere else. */
    marker: string;
}

/** The letters of Unicode that mean nothing. */
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
