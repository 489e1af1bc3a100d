/**
 * A letter in place of each value that is not there.
 *
 * What is missing, or comes at run time, is nothing in the text. Read as Markdown, a paragraph or a
 * cell of it alone would be gone, and emphasis around it would be asterisks. With a letter there,
 * it is read as it will be once there is a value, and what was missing has a place.
 */

import { isNamed } from '../text/draw-text';
import type { Run } from '../host/protocol';

export interface WithStandIns {
    text: string;
    /** The map of that text; its runs have the indexes that they had. */
    map: readonly Run[];
    /** The letter. */
    standIn: string;
}

/** The letters of Unicode that mean nothing. */
const [firstPrivate, lastPrivate] = [0xe000, 0xf8ff];

export function withStandIns(text: string, map: readonly Run[]): WithStandIns {
    const standIn = letterNotIn(text);
    if (!map.some(isAbsent)) {
        return { text, map, standIn };
    }
    const pieces: string[] = [];
    let [at, added] = [0, 0];
    const moved = map.map((run) => {
        const [start, end] = run.output;
        const from = start + added;
        if (isAbsent(run)) {
            pieces.push(text.slice(at, start), standIn);
            at = start;
            added++;
        }
        return { ...run, output: [from, end + added] as [number, number] };
    });
    return { text: pieces.join('') + text.slice(at), map: moved, standIn };
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
