/** Maps positions in the prompt to offsets in its text, and back. */

import type { Position, Range, Run } from '../host/protocol';

export function isBefore(a: Position, b: Position): boolean {
    return a.line < b.line || (a.line === b.line && a.character < b.character);
}

/** Whether a position is in a range, including both ends. */
export function holds({ start, end }: Range, at: Position): boolean {
    return !isBefore(at, start) && !isBefore(end, at);
}

/**
 * The runs for a position in the prompt. At a boundary there may be two: then the non-literal ones
 * are returned, because a placeholder can be selected at both ends.
 */
export function runsAt(map: readonly Run[], at: Position): number[] {
    const here = map.flatMap((run, index) => (holds(run.source, at) ? [index] : []));
    const placeholders = here.filter((index) => map[index]?.kind !== 'literal');
    return placeholders.length > 0 ? placeholders : here;
}

/** The offset in the resolved text for a position in literal text. */
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

/** The position in the prompt for an offset in literal text. */
export function positionOf(text: string, { output: [start, end], source, kind }: Run, offset: number): Position {
    if (kind !== 'literal') {
        return source.start;
    }
    if (source.start.line === source.end.line && source.end.character - source.start.character !== end - start) {
        // A prompt of a pack is in a JSON string, on one line.
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

/** The length of a prefix in a JSON string, if that is certain; else 0, for its start. */
function lengthAsJson(text: string, end: number, { start, end: { character } }: Range): number {
    const length = (part: string) => JSON.stringify(part).length - 2;
    const lengthInAscii = (part: string) => length(part) + 5 * (part.match(/[^\0-\x7f]/g)?.length ?? 0);
    const fits = [length, lengthInAscii].find((it) => it(text) === character - start.character);
    return fits?.(text.slice(0, end)) ?? 0;
}

/** The start of the line after `offset`, with any line ends. */
function nextLine(text: string, offset: number): number | undefined {
    for (let at = offset; at < text.length; at++) {
        const code = text.charCodeAt(at);
        if (code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) {
            return at + 1;
        }
    }
    return undefined;
}

/** The run that contains an offset; of several at one offset, the first that is not empty. */
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
 * The line of the prompt at an offset of the text. The fraction is the position within the line, as
 * precise as the runs allow.
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
    // While a long value is scrolled, its one line stays at the top.
    return from.line + part * Math.max(0.99, to.line - from.line);
}

/**
 * The offset of a line of the prompt in the text. For lines with only tags, which produce no text,
 * the offset of the following text.
 */
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
            // A piece that ends where the line starts contains nothing of the line.
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
