/**
 * A text in blocks of whole lines, each with its runs: what is drawn, kept and replaced as one.
 *
 * Where a block ends depends on the lines around, not on how many lines come before. So an edit
 * changes the blocks that it touches, and those behind it stay as they are, further down.
 */

import type { Run } from '../host/protocol';

/** A block of a text. Offsets inside of it count from its start. */
export interface Block {
    /** Where it starts in the text. */
    start: number;
    text: string;
    runs: BlockRun[];
    /** How many lines it has; one that goes on in the next block counts in both. */
    lines: number;
    /** Whether its last line goes on in the next block. */
    isCut: boolean;
    /** What its runs look like. Blocks with the same text and the same looks are drawn the same. */
    looks: string;
}

/** The part of a run that lies in a block. */
export interface BlockRun {
    start: number;
    end: number;
    /** The index of the run in the map. */
    run: number;
}

/** At least so many lines to a block, and about twice as many on average. */
const fewestLines = 8;
const mostLines = 64;
/** Above this, a block ends even inside of a line: browsers are slow with very long ones. */
const mostUnits = 16 * 1024;

/**
 * Splits a text.
 *
 * `look` says what a run looks like besides its length; `breakAt` is a place at which a block
 * shall start, if a line does.
 *
 * Cost: the text and the runs, about 10 ms for a million characters.
 */
export function blocksOf(
    text: string,
    map: readonly Run[],
    look: (run: Run) => string,
    [from, to]: readonly [number, number] = [0, text.length],
    breakAt = -1,
): Block[] {
    const blocks: Block[] = [];
    let next = firstBehind(map, from, (run) => run.output);
    let start = from;
    while (start < to) {
        const { end, lines, isCut } = blockEnd(text, start, to, breakAt);
        // An empty run at the end of the text has no other block to be in.
        const { runs, looks, next: behind } = runsIn(map, [start, end], end === to, look, next);
        next = behind;
        blocks.push({ start, text: text.slice(start, end), runs, lines, isCut, looks });
        start = end;
    }
    if (blocks.length === 0) {
        // Even an empty text may have a name without a value in it.
        const { runs, looks } = runsIn(map, [from, from], true, look, next);
        blocks.push({ start: from, text: '', runs, lines: 1, isCut: false, looks });
    }
    return blocks;
}

/**
 * The runs in a stretch of the text, but for literal ones, with offsets from its start. `next` is
 * the first run that may be in it, and then the first that may be in the next stretch. `isLast`:
 * an empty run at its end belongs to it.
 */
export function runsIn(
    map: readonly Run[],
    [start, end]: readonly [number, number],
    isLast: boolean,
    look: (run: Run) => string,
    next: number,
): Pick<Block, 'runs' | 'looks'> & { next: number } {
    const runs: BlockRun[] = [];
    const looks: string[] = [];
    for (let index = next; index < map.length; index++) {
        const run = map[index];
        if (run === undefined || (run.output[0] >= end && !(isLast && run.output[0] === end))) {
            break;
        }
        const [runStart, runEnd] = run.output;
        if (runEnd <= end) {
            next = index + 1;
        }
        if (run.kind === 'literal') {
            continue;
        }
        const piece = { start: Math.max(runStart - start, 0), end: Math.min(runEnd, end) - start, run: index };
        runs.push(piece);
        looks.push(`${piece.start} ${piece.end} ${look(run)}`);
    }
    return { runs, looks: looks.join('\n'), next };
}

/** The first of some pieces in order that ends behind an offset, or stands there and is empty. */
export function firstBehind<T>(pieces: readonly T[], offset: number, rangeOf: (piece: T) => readonly [number, number]): number {
    let [low, high] = [0, pieces.length];
    while (low < high) {
        const middle = (low + high) >> 1;
        const [start, end] = rangeOf(pieces[middle] as T);
        if (end > offset || (start === end && start >= offset)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

function blockEnd(text: string, start: number, to: number, breakAt: number): Pick<Block, 'lines' | 'isCut'> & { end: number } {
    let at = start;
    for (let lines = 1; ; lines++) {
        const newline = text.indexOf('\n', at);
        const end = newline === -1 || newline >= to ? to : newline + 1;
        if (end - start > mostUnits) {
            // The lines before the long one are a block, and then it is cut.
            return at > start ? { end: at, lines: lines - 1, isCut: false } : cut(text, start, end);
        }
        const isEnd = end === to || end === breakAt || lines >= mostLines;
        if (isEnd || (lines >= fewestLines && isSeam(text, at, end))) {
            return { end, lines, isCut: false };
        }
        at = end;
    }
}

function cut(text: string, start: number, end: number): Pick<Block, 'lines' | 'isCut'> & { end: number } {
    const latest = start + mostUnits;
    const space = text.lastIndexOf(' ', latest - 1) + 1;
    let at = space > start + mostUnits / 2 ? space : latest;
    // Not between the halves of a character.
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) {
        at--;
    }
    return { end: at, lines: 1, isCut: at < end };
}

/** Whether a block may end with this line: one in sixteen of those that differ. */
function isSeam(text: string, start: number, end: number): boolean {
    // Blank lines are all the same, so none of them is told from the others.
    let hash = end - start;
    for (let at = start; at < Math.min(start + 24, end); at++) {
        hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    }
    hash ^= hash >>> 15;
    return (Math.imul(hash, 0x2c1b3c6d) >>> 28) === 0;
}

/** Which of some pieces in order holds an offset of the text. */
export function pieceAt<T>(pieces: readonly T[], offset: number, startOf: (piece: T) => number): number {
    let [low, high] = [0, pieces.length - 1];
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (startOf(pieces[middle] as T) <= offset) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}
