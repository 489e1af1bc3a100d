/** Two texts side by side in rows: lines with common text are in the same row. */

import type { Comparison } from '../host/protocol';

/** A part of one side in a row. */
export interface LinePiece {
    text: string;
    /** The index of its change, from 0; `undefined` for common text. */
    change?: number;
}

export interface Row {
    /** `undefined`: the other side has a line here that is missing on this side. */
    left: LinePiece[] | undefined;
    right: LinePiece[] | undefined;
    /** Line numbers from 1. */
    leftLine: number;
    rightLine: number;
}

/** The rows of a comparison. */
export function rowsOf({ left, right, parts }: Comparison): Row[] {
    const [leftLines, rightLines] = [new Lines(), new Lines()];
    const pairs: Pair[] = [];
    let changes = 0;
    for (const part of parts) {
        const change = part.same ? undefined : changes++;
        const before = [leftLines.last, rightLines.last] as const;
        leftLines.add(left.text.slice(...part.left), change);
        rightLines.add(right.text.slice(...part.right), change);
        if (part.same) {
            pair(pairs, left.text.slice(...part.left), before);
        }
    }
    return paired(leftLines.all(), rightLines.all(), pairs);
}

/** Collects the lines of one side. */
class Lines {
    private readonly lines: LinePiece[][] = [[]];

    /** The index of the unfinished line. */
    get last(): number {
        return this.lines.length - 1;
    }

    add(text: string, change: number | undefined): void {
        for (const [index, line] of linesOf(text).entries()) {
            if (index > 0) {
                this.lines.push([]);
            }
            if (line !== '') {
                this.lines.at(-1)?.push(change === undefined ? { text: line } : { text: line, change });
            }
        }
    }

    /** The lines, without an empty line after the last line end. */
    all(): LinePiece[][] {
        return this.lines.at(-1)?.length ? this.lines : this.lines.slice(0, -1);
    }
}

/**
 * A line of the left side and one of the right side that correspond, with the length of their
 * common text.
 */
interface Pair {
    left: number;
    right: number;
    shared: number;
}

/** Pairs the lines that contain a common text; keeps the pairs with the most common text. */
function pair(pairs: Pair[], text: string, [left, right]: readonly [number, number]): void {
    for (const [index, line] of linesOf(text).entries()) {
        const next = { left: left + index, right: right + index, shared: line.length };
        const last = pairs.at(-1);
        if (next.shared === 0) {
            continue;
        }
        if (last?.left === next.left && last.right === next.right) {
            last.shared += next.shared;
        } else if (last === undefined || (last.left < next.left && last.right < next.right)) {
            pairs.push(next);
        } else if (last.shared < next.shared) {
            pairs[pairs.length - 1] = next;
        }
    }
}

/** Puts each pair into one row, and the lines between two pairs side by side in order. */
function paired(left: LinePiece[][], right: LinePiece[][], pairs: Pair[]): Row[] {
    const rows: Row[] = [];
    let [l, r] = [0, 0];
    const push = (hasLeft: boolean, hasRight: boolean) => {
        const row = { left: hasLeft ? left[l] : undefined, right: hasRight ? right[r] : undefined };
        rows.push({ ...row, leftLine: l + 1, rightLine: r + 1 });
        l += Number(hasLeft);
        r += Number(hasRight);
    };
    for (const next of [...pairs, { left: left.length, right: right.length }]) {
        while (l < next.left || r < next.right) {
            push(l < next.left, r < next.right);
        }
        if (l < left.length && r < right.length) {
            push(true, true);
        }
    }
    return rows;
}

/** The lines of a text, with their ends. The last one has no line end, and may be empty. */
function linesOf(text: string): string[] {
    return text.split(/(?<=\n)/).concat(text.endsWith('\n') ? [''] : []);
}

/** A line of both texts in one column: deletions come before insertions. */
export type Line = (LinePiece & { kind?: 'del' | 'ins' })[];

/** The lines of a comparison in one column. */
export function linesInOne({ left, right, parts }: Comparison): Line[] {
    const lines: Line[] = [[]];
    let changes = 0;
    const add = (text: string, more: Omit<Line[number], 'text'>) => {
        for (const [index, line] of linesOf(text).entries()) {
            if (index > 0) {
                lines.push([]);
            }
            if (line !== '') {
                lines.at(-1)?.push({ text: line, ...more });
            }
        }
    };
    for (const part of parts) {
        if (part.same) {
            add(left.text.slice(...part.left), {});
        } else {
            const change = changes++;
            add(left.text.slice(...part.left), { change, kind: 'del' });
            add(right.text.slice(...part.right), { change, kind: 'ins' });
        }
    }
    return lines.at(-1)?.length ? lines : lines.slice(0, -1);
}

/** The number of context lines around a change. */
const around = 3;
/** Fewer lines are not hidden. */
const fewestHidden = 6;

/** Replaces rows far from any change by an entry for the hidden rows. */
export function folded<T>(rows: readonly T[], isChanged: (row: T) => boolean): (T | Hidden<T>)[] {
    const shown: (T | Hidden<T>)[] = [];
    let same: T[] = [];
    const flush = (isEnd: boolean) => {
        const before = shown.length > 0 ? around : 0;
        const end = same.length - (isEnd ? 0 : around);
        if (end - before < fewestHidden) {
            shown.push(...same);
        } else {
            shown.push(...same.slice(0, before), { hidden: same.slice(before, end) }, ...same.slice(end));
        }
        same = [];
    };
    for (const row of rows) {
        if (isChanged(row)) {
            flush(false);
            shown.push(row);
        } else {
            same.push(row);
        }
    }
    flush(true);
    return shown;
}

export interface Hidden<T> {
    hidden: T[];
}

/** Whether a row differs between the sides. */
export function isChanged({ left, right }: Row): boolean {
    return left === undefined || right === undefined || isChangedLine(left) || isChangedLine(right);
}

export function isChangedLine(pieces: readonly LinePiece[]): boolean {
    return pieces.some((it) => it.change !== undefined);
}
