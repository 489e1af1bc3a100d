/**
 * Splits a text into blocks of whole lines with their runs, which are drawn, kept and replaced as a
 * unit.
 *
 * The end of a block depends on nearby lines, not on the number of lines before. So an edit changes
 * only the blocks that it touches, and later blocks just move.
 */

import type { Run } from '../host/protocol';

/** A block of a text. Its offsets count from its start. */
export interface Block {
    /** The start in the text. */
    start: number;
    text: string;
    runs: BlockRun[];
    /** The number of lines; a line that continues in the next block counts in both. */
    lines: number;
    /** Whether its last line continues in the next block. */
    isCut: boolean;
    /** The appearance of its runs. Blocks with equal text and looks are drawn the same. */
    looks: string;
}

/** The part of a run in a block. */
export interface BlockRun {
    start: number;
    end: number;
    /** The index of the run in the map. */
    run: number;
}

/** The minimum number of lines in a block; the average is about twice this. */
const fewestLines = 8;
const mostLines = 64;
/** Above this size, a block ends even within a line: browsers are slow with very long lines. */
const mostUnits = 16 * 1024;

/**
 * Splits a text.
 *
 * `look` returns the appearance of a run besides its length. `breakAt` is an offset at which a
 * block starts, if a line does.
 *
 * Cost: linear in the text and the runs, about 10 ms for a million characters.
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
        // An empty run at the end of the text belongs to the last block.
        const { runs, looks, next: behind } = runsIn(map, [start, end], end === to, look, next);
        next = behind;
        blocks.push({ start, text: text.slice(start, end), runs, lines, isCut, looks });
        start = end;
    }
    if (blocks.length === 0) {
        // Even an empty text may contain a name without a value.
        const { runs, looks } = runsIn(map, [from, from], true, look, next);
        blocks.push({ start: from, text: '', runs, lines: 1, isCut: false, looks });
    }
    return blocks;
}

/**
 * The runs in a part of the text, except literal ones, with offsets from its start. `next` is the
 * first run that may be in it; the result contains the same for the next part. `isLast`: an empty
 * run at its end belongs to it.
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

/** The first of some ordered pieces that ends after an offset, or is empty at it. */
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
            // The lines before the long one are a block; the long line is cut in the next one.
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
    // Not within a surrogate pair.
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) {
        at--;
    }
    return { end: at, lines: 1, isCut: at < end };
}

/** Whether a block may end with this line: one in sixteen distinct lines. */
function isSeam(text: string, start: number, end: number): boolean {
    // Blank lines are all equal, so either all or none of them may end a block.
    let hash = end - start;
    for (let at = start; at < Math.min(start + 24, end); at++) {
        hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    }
    hash ^= hash >>> 15;
    return (Math.imul(hash, 0x2c1b3c6d) >>> 28) === 0;
}

/** The index of the ordered piece that contains an offset of the text. */
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
