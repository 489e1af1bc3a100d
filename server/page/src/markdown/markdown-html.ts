/**
 * Markdown as HTML, in pieces, with the source positions of words.
 *
 * Values are untrusted, so markdown-it treats HTML as text. Its output is not sanitized yet;
 * `markdown-view.ts` allows only plain elements.
 */

import MarkdownIt, { type Env, type Token } from 'markdown-it';
import { SourceLines, type SourceWords, noteEnds, mapTokens, sourceWordsOf } from './markdown-source-map';

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
noteEnds(markdown);

/** A top-level piece of a text: a paragraph, a list, … */
export interface MarkdownPiece {
    /** The start of its lines, and of those of the next piece. */
    start: number;
    end: number;
    /**
     * Words with a known position are in `<span data-from="…">`, counted from the start of the
     * piece. Words whose source form differs also have `data-to`.
     */
    html: string;
}

const { rules } = markdown.renderer;
/** The words of a token. Its environment contains the start of its piece. */
const words = (tokens: Token[], index: number, environment: Env | undefined) => {
    const { content } = tokens[index] as Token;
    const all = sourceWordsOf(tokens[index]) ?? [{ text: content, from: undefined, to: 0 }];
    return all.map((it) => span(it, Number(environment?.['start']))).join('');
};
rules['text'] = rules['text_special'] = (tokens, index, _, environment) => words(tokens, index, environment);
rules['softbreak'] = (tokens, index, _, environment) => (sourceWordsOf(tokens[index]) ? words(tokens, index, environment) : '\n');
rules['code_inline'] = (tokens, index, _, environment) => `<code>${words(tokens, index, environment)}</code>`;
rules['fence'] = rules['code_block'] = (tokens, index, _, environment) => `<pre><code>${words(tokens, index, environment)}</code></pre>\n`;
// Addresses are displayed, but are no links.
rules['link_open'] = (tokens, index) => {
    const href = String(tokens[index]?.attrGet('href') ?? '');
    return `<span class="link" data-tip="${escaped(href)}">`;
};
rules['link_close'] = () => '</span>';
rules['image'] = (tokens, index, _, environment) => {
    const token = tokens[index] as Token;
    const source = String(token.attrGet('src') ?? '');
    const shown = token.content === '' ? escaped(source) : words(tokens, index, environment);
    return `<span class="image" data-tip="${escaped(`Image, not loaded: ${source}`)}">${shown}</span>`;
};
// The page's policy would reject inline styles.
for (const cell of ['td_open', 'th_open']) {
    rules[cell] = (tokens, index, options, _, self) => {
        const token = tokens[index] as Token;
        const align = /text-align:(\w+)/.exec(String(token.attrGet('style') ?? ''))?.[1];
        token.attrs = align === undefined ? null : [['class', `align-${align}`]];
        return self.renderToken(tokens, index, options);
    };
}

/** The top-level pieces of a text. Cost: linear, about 0.1 s for a million characters. */
export function piecesOf(text: string): MarkdownPiece[] {
    const environment = {};
    const tokens = markdown.parse(text, environment);
    const lines = new SourceLines(text);
    mapTokens(tokens, lines);

    const groups: Token[][] = [];
    for (const token of tokens) {
        if (token.level === 0 && token.nesting !== -1) {
            groups.push([]);
        }
        groups.at(-1)?.push(token);
    }
    // Blank lines belong to the piece before them.
    const starts = groups.map((group, index) => (index === 0 ? 0 : lines.start(group[0]?.map?.[0] ?? 0)));
    return groups.map((group, index) => {
        const start = starts[index] as number;
        const html = markdown.renderer.render(group, markdown.options, { ...environment, start });
        return { start, end: starts[index + 1] ?? text.length, html };
    });
}

function span({ text, from, to }: SourceWords, start: number): string {
    if (from === undefined) {
        return escaped(text);
    }
    const until = to - from === text.length ? '' : ` data-to="${to - start}"`;
    return `<span data-from="${from - start}"${until}>${escaped(text)}</span>`;
}

function escaped(text: string): string {
    return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
