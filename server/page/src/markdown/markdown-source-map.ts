/**
 * The source map of rendered Markdown: the positions of its words in the source text.
 *
 * A block token contains its lines; each line of its content is a suffix of one of these. Within
 * the content, tokens follow each other without gaps, so each is searched only at the end of the
 * previous one. A token that is not found there has no position: no information is better than
 * wrong information. Rejected alternative: searching for a value in the rendered text, which finds
 * the wrong one of two equal values.
 */

import type { MarkdownIt, Token } from 'markdown-it';

/** Rendered words, with their position in the source. */
export interface SourceWords {
    text: string;
    /** `undefined` if unknown. */
    from: number | undefined;
    /**
     * The end in the source. If the length equals that of the text, the text is the same; otherwise
     * its source form differs, as with `&amp;`.
     */
    to: number;
}

/** The lines of a source, with any line ends. */
export class SourceLines {
    private readonly starts = [0];
    private readonly ends: number[] = [];

    constructor(private readonly source: string) {
        for (const { 0: end, index } of source.matchAll(/\r\n?|\n/g)) {
            this.ends.push(index);
            this.starts.push(index + end.length);
        }
        this.ends.push(source.length);
    }

    start(line: number): number {
        return this.starts[line] ?? this.source.length;
    }

    text(line: number): string {
        return this.source.slice(this.start(line), this.ends[line] ?? this.source.length);
    }
}

/** Makes a parser record the end of each piece of a line, which its tokens do not have. */
export function noteEnds(markdown: MarkdownIt): void {
    // The first rule is called wherever a piece may start; it never matches.
    markdown.inline.ruler.before('text', 'note_end', (state, silent) => {
        const last = state.tokens.at(-1);
        if (!silent && state.pending === '' && last !== undefined) {
            last.meta ??= { end: state.pos };
        }
        return false;
    });
    // This rule would merge a text with the escapes in it, whose positions would then be unknown.
    markdown.core.ruler.disable('text_join');
}

/** The rendered words of a token, with their positions; `undefined` if these are unknown. */
export function sourceWordsOf(token: Token | undefined): SourceWords[] | undefined {
    return token?.meta?.['words'] as SourceWords[] | undefined;
}

/** Records the positions of the words in each token. Cost: linear in the tokens and their lines. */
export function mapTokens(tokens: readonly Token[], lines: SourceLines): void {
    let cells: Stretches[] = [];
    for (const [index, token] of tokens.entries()) {
        switch (token.type) {
            case 'tr_open':
                cells = cellsOf(contentsOfRow(tokens, index), lines, token.map?.[0] ?? 0);
                break;
            case 'inline':
                mapInline(token, token.map ? stretchesOf(token, tokens[index - 1], lines) : cells.shift());
                break;
            case 'fence':
                note(token, mapCode(token.content, lines, (token.map?.[0] ?? 0) + 1));
                break;
            case 'code_block':
                note(token, mapCode(token.content, lines, token.map?.[0] ?? 0));
                break;
        }
    }
}

function note(token: Token, words: SourceWords[]): void {
    token.meta = { ...token.meta, words };
}

/** Lines of code; each is a suffix of a source line. */
function mapCode(content: string, lines: SourceLines, first: number): SourceWords[] {
    const words: SourceWords[] = [];
    for (const [index, text] of content.split(/(?<=\n)/).entries()) {
        const line = text.replace(/\n$/, '');
        const source = lines.text(first + index);
        const from = source.endsWith(line) ? lines.start(first + index) + source.length - line.length : undefined;
        words.push({ text, from, to: (from ?? 0) + text.length });
    }
    return joined(words);
}

/** Parts of a content that occur verbatim in the source, in order. */
type Stretches = { at: number; length: number; from: number }[];

/** The lines of a paragraph or a heading. */
function stretchesOf({ content, map }: Token, before: Token | undefined, lines: SourceLines): Stretches {
    const isHeading = before?.type === 'heading_open' && before.markup.startsWith('#');
    const stretches: Stretches = [];
    let at = 0;
    for (const [index, line] of content.split('\n').entries()) {
        const number = (map?.[0] ?? 0) + index;
        let source = lines.text(number);
        if (isHeading) {
            source = source.trimEnd().replace(/[ \t]#+$/, '');
        }
        // The first and the last line are trimmed.
        const end = source.endsWith(line) ? source.length : source.trimEnd().length;
        if (line !== '' && source.slice(0, end).endsWith(line)) {
            stretches.push({ at, length: line.length + 1, from: lines.start(number) + end - line.length });
        }
        at += line.length + 1;
    }
    return stretches;
}

/** The contents of the cells of a row. */
function contentsOfRow(tokens: readonly Token[], row: number): string[] {
    const contents: string[] = [];
    for (let index = row; tokens[index] && tokens[index]?.type !== 'tr_close'; index++) {
        const token = tokens[index] as Token;
        if (token.type === 'inline') {
            contents.push(token.content);
        }
    }
    return contents;
}

/** The cells of a row of a table, if their columns are unambiguous. */
function cellsOf(contents: string[], lines: SourceLines, line: number): Stretches[] {
    const columns = columnsOf(lines.text(line));
    /** Whether the cells match the columns, without the first `skipped` ones. */
    const fits = (skipped: number) =>
        contents.every((content, index) => {
            const text = columns[index + skipped]?.text.trim() ?? '';
            // The first one may follow the marks of a list or a quotation.
            return text === content || (index + skipped === 0 && text.endsWith(content));
        });
    const isOpen = columns[0]?.text.trim() === '';
    const skipped = [0, 1].filter((it) => (it === 1 || !isOpen) && fits(it));
    if (skipped.length !== 1) {
        return [];
    }
    const [first = 0] = skipped;
    return contents.map((content, index) => {
        const { text, stretches } = columns[index + first] ?? { text: '', stretches: [] };
        // The text before the content, mainly whitespace, is not part of it.
        const indent = text.trimEnd().length - content.length;
        return stretches.map(({ at, length, from }) => ({ at: at - indent, length, from: from + lines.start(line) }));
    });
}

/**
 * The columns of a row, split as in markdown-it: at each `|` without a backslash; the backslash
 * before other `|` is removed.
 */
function columnsOf(row: string): { text: string; stretches: Stretches }[] {
    const columns = [{ text: '', stretches: [] as Stretches }];
    let from = 0;
    const add = (to: number) => {
        const column = columns.at(-1) as (typeof columns)[number];
        column.stretches.push({ at: column.text.length, length: to - from, from });
        column.text += row.slice(from, to);
    };
    for (let bar = row.indexOf('|'); bar !== -1; bar = row.indexOf('|', bar + 1)) {
        const isEscaped = row[bar - 1] === '\\';
        add(isEscaped ? bar - 1 : bar);
        if (!isEscaped) {
            columns.push({ text: '', stretches: [] });
        }
        from = isEscaped ? bar : bar + 1;
    }
    add(row.length);
    return columns;
}

/** Records the positions of the tokens of a content, in order. */
function mapInline({ content, children }: Token, stretches: Stretches = []): void {
    const source = new ContentMap(stretches);
    /** The start of the next token; `undefined` once that is uncertain. */
    let at: number | undefined = 0;
    for (const child of children ?? []) {
        const found: Found | undefined = at === undefined ? undefined : find(child, content, at);
        if (found?.words !== undefined) {
            const { text, start, end } = found.words;
            note(child, text.length === end - start ? source.pieces(text, start) : [source.whole(text, start, end)]);
        }
        at = (child.meta?.['end'] as number | undefined) ?? found?.next;
    }
}

interface Found {
    /** The rendered words, and their position in the content. */
    words?: { text: string; start: number; end: number };
    /** The start of the next token, if that is certain. */
    next: number | undefined;
}

const lineBreak = /(?: *|\\)\n[ \t]*/y;

/** Searches for a token at a position of the content. */
function find({ type, content: text, markup, info }: Token, content: string, at: number): Found | undefined {
    const has = (words: string, start = at) => content.startsWith(words, start);
    switch (type) {
        case 'text':
            return has(text) ? { words: { text, start: at, end: at + text.length }, next: at + text.length } : undefined;
        case 'text_special':
            return has(markup) ? { words: { text, start: at, end: at + markup.length }, next: at + markup.length } : undefined;
        case 'softbreak':
        case 'hardbreak': {
            lineBreak.lastIndex = at;
            const newline = lineBreak.test(content) ? content.indexOf('\n', at) : undefined;
            return newline === undefined ? undefined : { words: { text: '\n', start: newline, end: newline + 1 }, next: lineBreak.lastIndex };
        }
        case 'code_inline':
            return has(markup) ? findCode(text, markup, content, at) : undefined;
        case 'link_open':
            return has(info === 'auto' ? '<' : '[') ? { next: at + 1 } : undefined;
        case 'link_close':
            return { next: info === 'auto' && has('>') ? at + 1 : undefined };
        case 'image':
            return has('![') && has(text, at + 2) ? { words: { text, start: at + 2, end: at + 2 + text.length }, next: undefined } : undefined;
        default:
            // Emphasis and similar markup.
            return markup !== '' && has(markup) ? { next: at + markup.length } : undefined;
    }
}

function findCode(text: string, markup: string, content: string, at: number): Found | undefined {
    const start = at + markup.length;
    const ticks = /`+/g;
    ticks.lastIndex = start;
    for (let end = ticks.exec(content); end; end = ticks.exec(content)) {
        if (end[0] === markup) {
            // Line ends become spaces, and one space at each end is removed.
            const inner = content.slice(start, end.index).replaceAll('\n', ' ');
            const left = inner === text ? 0 : inner.slice(1, -1) === text ? 1 : undefined;
            const next = ticks.lastIndex;
            return left === undefined ? { next } : { words: { text, start: start + left, end: start + left + text.length }, next };
        }
    }
    return undefined;
}

/** Maps positions of the content to the source, for ascending positions. */
class ContentMap {
    private next = 0;

    constructor(private readonly stretches: Stretches) {}

    /** A text of the content, in parts that occur verbatim in the source. */
    pieces(text: string, start: number): SourceWords[] {
        const words: SourceWords[] = [];
        for (let at = start; at < start + text.length; ) {
            const stretch = this.stretchAt(at);
            const isIn = stretch !== undefined && stretch.at <= at;
            const until = Math.min(start + text.length, isIn ? stretch.at + stretch.length : (stretch?.at ?? Infinity));
            const from = isIn ? stretch.from + at - stretch.at : undefined;
            words.push({ text: text.slice(at - start, until - start), from, to: (from ?? 0) + until - at });
            at = until;
        }
        return joined(words);
    }

    /** A text whose source form differs from its rendered form. */
    whole(text: string, start: number, end: number): SourceWords {
        const [first, ...more] = this.pieces(' '.repeat(end - start), start);
        return { text, from: more.length === 0 ? first?.from : undefined, to: first?.to ?? 0 };
    }

    /** The part at a position of the content, or the next one. */
    private stretchAt(at: number): Stretches[number] | undefined {
        for (let stretch = this.stretches[this.next]; stretch && stretch.at + stretch.length <= at; stretch = this.stretches[this.next]) {
            this.next++;
        }
        return this.stretches[this.next];
    }
}

/** Joins neighbours that are also adjacent in the source. */
function joined(words: readonly SourceWords[]): SourceWords[] {
    const result: SourceWords[] = [];
    for (const piece of words) {
        const last = result.at(-1);
        if (last?.from !== undefined && last.to === piece.from) {
            last.text += piece.text;
            last.to = piece.to;
        } else {
            result.push({ ...piece });
        }
    }
    return result;
}
