/**
 * Markdown as a page shows it, without anything that acts.
 *
 * Values may hold whatever somebody else wrote. markdown-it is told to treat HTML as text, DOMPurify
 * then lets nothing through but plain elements: no address is followed, no picture is loaded.
 */

import DOMPurify from 'dompurify';
import MarkdownIt, { type Token } from 'markdown-it';
import { appendText } from './drawing';

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });

// Addresses are said, not followed.
markdown.renderer.rules['link_open'] = (tokens, index) => {
    const href = String(tokens[index]?.attrGet('href') ?? '');
    return `<span class="link" data-tip="${escaped(href)}">`;
};
markdown.renderer.rules['link_close'] = () => '</span>';
markdown.renderer.rules['image'] = (tokens, index) => {
    const token = tokens[index];
    const source = String(token?.attrGet('src') ?? '');
    const words = token?.content || source;
    return `<span class="image" data-tip="${escaped(`Image, not loaded: ${source}`)}">${escaped(words)}</span>`;
};
// A style in markup would be refused by the page's policy.
for (const cell of ['td_open', 'th_open']) {
    markdown.renderer.rules[cell] = (tokens, index, options, _, self) => {
        const token = tokens[index] as Token;
        const align = /text-align:(\w+)/.exec(String(token.attrGet('style') ?? ''))?.[1];
        token.attrs = align === undefined ? null : [['class', `align-${align}`]];
        return self.renderToken(tokens, index, options);
    };
}

const allowed = {
    ALLOWED_TAGS: [
        ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code'],
        ...['em', 'strong', 's', 'span', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
    ],
    ALLOWED_ATTR: ['class', 'data-tip', 'start'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
} as const;

/** The outermost pieces of a text, as HTML that is not clean yet. */
export function pieces(text: string): string[] {
    const environment = {};
    const tokens = markdown.parse(text, environment);
    const groups: Token[][] = [];
    for (const token of tokens) {
        const isFirst = token.level === 0 && token.nesting !== -1;
        if (isFirst) {
            groups.push([]);
        }
        groups.at(-1)?.push(token);
    }
    return groups.map((it) => markdown.renderer.render(it, markdown.options, environment));
}

/** Nodes for a piece: clean, and with whatever cannot be seen flagged. */
export function nodesOf(html: string): DocumentFragment {
    const fragment = DOMPurify.sanitize(html, { ...allowed, ALLOWED_TAGS: [...allowed.ALLOWED_TAGS], ALLOWED_ATTR: [...allowed.ALLOWED_ATTR] });
    const walker = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        texts.push(node as Text);
    }
    for (const text of texts) {
        const drawn = document.createDocumentFragment();
        appendText(drawn, text.data, { showsWhitespace: false });
        if (drawn.childNodes.length > 1 || drawn.firstElementChild) {
            text.replaceWith(drawn);
        }
    }
    return fragment;
}

function escaped(text: string): string {
    return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
