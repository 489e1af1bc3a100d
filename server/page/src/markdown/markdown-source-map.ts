/**
 * The source map of rendered Markdown: where its words stand in the text that it was made from.
 *
 * A token of a block says on which lines it is; each line of its content is then the end of one of
 * these. Within the content, tokens follow each other without gaps, so each is looked for just
 * where the one before it ended, and nowhere else. What does not stand there has no place: to say
 * nothing of a word is better than to say something wrong. Considered and left: to search for a value
 * in what was rendered, which finds the wrong one of two.
 */

import type { MarkdownIt, Token } from 'markdown-it';

/** Words as they are rendered, and where they stand in the source. */
export interface SourceWords {
    text: string;
    /** `undefined`: nobody knows. */
    from: number | undefined;
    /** Where it ends there. If it is as long as the text, it is the same text; else it is written in another way, as `&amp;`. */
    to: number;
}

/** The lines of a source, however they end. */
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

/** Has a parser note where each piece of a line ends, which its tokens do not say. */
export function noteEnds(markdown: MarkdownIt): void {
    // The first rule is asked wherever a piece may start; it takes none.
    markdown.inline.ruler.before('text', 'note_end', (state, silent) => {
        const last = state.tokens.at(-1);
        if (!silent && state.pending === '' && last !== undefined) {
            last.meta ??= { end: state.pos };
        }
        return false;
    });
    // It would make one token of a text and the escapes in it, whose places then nobody knows.
    markdown.core.ruler.disable('text_join');
}

/** What of a token is rendered, with its places; `undefined` if these are not known. */
export function sourceWordsOf(token: Token | undefined): SourceWords[] | undefined {
    return token?.meta?.['words'] as SourceWords[] | undefined;
}

/** Maps tokens: notes in each where its words stand. Cost: the tokens and the lines that they are on. */
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

/** Lines of code; each is the end of a line of the source. */
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

/** Stretches of a content that stand in the source as they are, in order. */
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

/** What the cells of a row hold. */
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

/** The cells of a row of a table, as far as it is certain which is which. */
function cellsOf(contents: string[], lines: SourceLines, line: number): Stretches[] {
    const columns = columnsOf(lines.text(line));
    /** Whether the cells are the columns, without so many at the start. */
    const fits = (skipped: number) =>
        contents.every((content, index) => {
            const text = columns[index + skipped]?.text.trim() ?? '';
            // Before the first one, there may be the marks of a list or a quotation.
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
        // What is before the content, blanks above all, is not in it.
        const indent = text.trimEnd().length - content.length;
        return stretches.map(({ at, length, from }) => ({ at: at - indent, length, from: from + lines.start(line) }));
    });
}

/** The columns of a row, as markdown-it splits it: at each `|` without a backslash, which is gone from the others. */
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

/** Maps the tokens of a content, one after the other. */
function mapInline({ content, children }: Token, stretches: Stretches = []): void {
    const source = new ContentMap(stretches);
    /** Where the next token starts; `undefined` once that is not certain. */
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
    /** What is rendered of it, and where that is in the content. */
    words?: { text: string; start: number; end: number };
    /** Where the next one starts, if that is certain. */
    next: number | undefined;
}

const lineBreak = /(?: *|\\)\n[ \t]*/y;

/** Looks for a token at a place of the content. */
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
            // Emphasis and the like.
            return markup !== '' && has(markup) ? { next: at + markup.length } : undefined;
    }
}

function findCode(text: string, markup: string, content: string, at: number): Found | undefined {
    const start = at + markup.length;
    const ticks = /`+/g;
    ticks.lastIndex = start;
    for (let end = ticks.exec(content); end; end = ticks.exec(content)) {
        if (end[0] === markup) {
            // Line ends are spaces in it, and one space at each end is left out.
            const inner = content.slice(start, end.index).replaceAll('\n', ' ');
            const left = inner === text ? 0 : inner.slice(1, -1) === text ? 1 : undefined;
            const next = ticks.lastIndex;
            return left === undefined ? { next } : { words: { text, start: start + left, end: start + left + text.length }, next };
        }
    }
    return undefined;
}

/** From places of a content to those of the source, asked for in order. */
class ContentMap {
    private next = 0;

    constructor(private readonly stretches: Stretches) {}

    /** A text of the content, in pieces that stand in the source as they are. */
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

    /** What is written in another way than it is rendered. */
    whole(text: string, start: number, end: number): SourceWords {
        const [first, ...more] = this.pieces(' '.repeat(end - start), start);
        return { text, from: more.length === 0 ? first?.from : undefined, to: first?.to ?? 0 };
    }

    /** The stretch at a place of the content, or the next one. */
    private stretchAt(at: number): Stretches[number] | undefined {
        for (let stretch = this.stretches[this.next]; stretch && stretch.at + stretch.length <= at; stretch = this.stretches[this.next]) {
            this.next++;
        }
        return this.stretches[this.next];
    }
}

/** Makes one of neighbours that follow each other in the source, too. */
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
