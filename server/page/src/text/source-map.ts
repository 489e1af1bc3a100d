/** Places in the prompt, and where they are in its text. */

import type { Position, Range, Run } from '../host/protocol';

export function isBefore(a: Position, b: Position): boolean {
    return a.line < b.line || (a.line === b.line && a.character < b.character);
}

/** Whether a place lies in a range, or at one of its ends. */
export function holds({ start, end }: Range, at: Position): boolean {
    return !isBefore(at, start) && !isBefore(end, at);
}

/**
 * The runs that a place in the prompt became. At a seam these may be two: then it is those that
 * are no literal text, as a person points at a placeholder from either side.
 */
export function runsAt(map: readonly Run[], at: Position): number[] {
    const here = map.flatMap((run, index) => (holds(run.source, at) ? [index] : []));
    const placeholders = here.filter((index) => map[index]?.kind !== 'literal');
    return placeholders.length > 0 ? placeholders : here;
}

/** Where a place in literal text is in the resolved text. */
export function offsetIn(text: string, { output: [start, end], source, kind }: Run, at: Position): number {
    if (kind !== 'literal' || isBefore(at, source.start)) {
        return start;
    }
    let lineStart = start;
    for (let line = source.start.line; line < at.line; line++) {
        const newline = nextLine(text, lineStart);
        if (newline === undefined || newline > end) {
            return end;
        }
        lineStart = newline;
    }
    return Math.min(lineStart + at.character - (at.line === source.start.line ? source.start.character : 0), end);
}

/** Where an offset in literal text is in the prompt. */
export function positionOf(text: string, { output: [start, end], source, kind }: Run, offset: number): Position {
    if (kind !== 'literal') {
        return source.start;
    }
    if (source.start.line === source.end.line && source.end.character - source.start.character !== end - start) {
        // A prompt of a pack stands in a JSON string, on one line.
        return { line: source.start.line, character: source.start.character + lengthAsJson(text.slice(start, end), offset - start, source) };
    }
    let [line, lineStart] = [source.start.line, start];
    for (let next = nextLine(text, start); next !== undefined && next <= offset; next = nextLine(text, next)) {
        line++;
        lineStart = next;
    }
    const before = line === source.start.line ? source.start.character : 0;
    return { line, character: offset - lineStart + before };
}

/** How long the start of a text is in a JSON string, where it is certain; else 0, for its start. */
function lengthAsJson(text: string, end: number, { start, end: { character } }: Range): number {
    const length = (part: string) => JSON.stringify(part).length - 2;
    const lengthInAscii = (part: string) => length(part) + 5 * (part.match(/[^\0-\x7f]/g)?.length ?? 0);
    const fits = [length, lengthInAscii].find((it) => it(text) === character - start.character);
    return fits?.(text.slice(0, end)) ?? 0;
}

/** Where the line behind `offset` starts, however lines end. */
function nextLine(text: string, offset: number): number | undefined {
    for (let at = offset; at < text.length; at++) {
        const code = text.charCodeAt(at);
        if (code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) {
            return at + 1;
        }
    }
    return undefined;
}

/** The run that holds an offset; of several at one offset, the first that is not empty. */
export function runAtOffset(map: readonly Run[], offset: number): number | undefined {
    let [low, high] = [0, map.length];
    while (low < high) {
        const middle = (low + high) >> 1;
        if ((map[middle]?.output[1] ?? 0) > offset) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low < map.length ? low : map.length > 0 ? map.length - 1 : undefined;
}

/**
 * The line of the prompt at an offset of the text; a fraction says how far into the line, as far
 * as the pieces tell.
 */
export function lineOfOffset(text: string, map: readonly Run[], offset: number): number {
    const index = runAtOffset(map, offset);
    const run = index === undefined ? undefined : map[index];
    if (run === undefined) {
        return 0;
    }
    if (run.kind === 'literal') {
        return positionOf(text, run, offset).line;
    }
    const [start, end] = run.output;
    const { start: from, end: to } = run.source;
    const part = end > start ? Math.min(1, (offset - start) / (end - start)) : 0;
    // A long value is scrolled through while its one line stays at the top.
    return from.line + part * Math.max(0.99, to.line - from.line);
}

/** Where a line of the prompt is in the text. Lines of tags only become nothing: then what follows them. */
export function offsetOfLine(text: string, map: readonly Run[], line: number): number {
    const whole = Math.floor(line);
    let best: number | undefined;
    for (const run of map) {
        const { start, end } = run.source;
        if (end.line < whole) {
            continue;
        }
        if (run.kind === 'literal' && start.line <= whole) {
            const at = offsetIn(text, run, { line: whole, character: 0 });
            // The end of a piece that ends where the line starts says nothing of the line.
            if (at < run.output[1]) {
                return at;
            }
            continue;
        }
        if (start.line <= whole) {
            const part = line - whole;
            return Math.round(run.output[0] + part * (run.output[1] - run.output[0]));
        }
        best = best === undefined ? run.output[0] : Math.min(best, run.output[0]);
        break;
    }
    return best ?? text.length;
}
