import assert from 'node:assert/strict';
import { test } from 'node:test';
import { piecesOf } from '../src/markdown/markdown-html';

const unescaped = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/**
 * Checks which words have positions: each at the first remaining `⟦…⟧` in the marked source. If the
 * source form differs from the rendered text, it is after `=`, as in `⟦&amp;⟧=&`.
 */
function check(marked: string): void {
    const expected: string[] = [];
    let source = '';
    for (const { 1: plain, 2: inside, 3: rendered } of marked.matchAll(/([^⟦]*)(?:⟦([^⟧]*)⟧(?:=(.))?|$)/gsu)) {
        source += plain ?? '';
        if (inside !== undefined) {
            expected.push(JSON.stringify([source.length, inside, rendered ?? inside]));
            source += inside;
        }
    }
    const actual = piecesOf(source).flatMap(({ start, html }) =>
        [...html.matchAll(/<span data-from="(\d+)"(?: data-to="(\d+)")?>([^<]*)<\/span>/g)].map(([, from, to, text]) => {
            const [words, at] = [unescaped(text ?? ''), start + Number(from)];
            return JSON.stringify([at, source.slice(at, to === undefined ? at + words.length : start + Number(to)), words]);
        }),
    );
    assert.deepEqual(actual, expected);
}

test('paragraphs and headings', () => {
    check('# ⟦Title⟧\n\n⟦Some words⟧\n\n## ⟦Two words⟧ ##\n\n⟦Under⟧\n=====\n\n⟦The end⟧');
    check('# ⟦#hash⟧ #\n\n  ⟦indented⟧   \n');
});

test('line breaks, soft and hard', () => {
    check('⟦one⟧⟦\n⟧⟦two⟧ ⟦\n⟧⟦three⟧  \n⟦four⟧\\\n⟦five⟧\r\n\r\n⟦six⟧');
    check('⟦one⟧⟦\n⟧   ⟦two⟧\n');
});

test('words that come again are each in their place', () => {
    check('⟦no ⟧**⟦no⟧**⟦ no⟧\n\n⟦no⟧\n\n- ⟦no⟧\n- ⟦no⟧\n');
    check('⟦a *b ⟧*⟦b⟧*⟦ *⟧');
});

test('emphasis of every kind', () => {
    check('⟦a ⟧*⟦b⟧*⟦ ⟧__⟦c⟧__⟦ ⟧***⟦d⟧***⟦ ⟧~~⟦e⟧~~⟦ f_g_h ** i⟧');
});

test('escapes and entities', () => {
    check('⟦a ⟧⟦\\*⟧=*⟦b⟧⟦\\*⟧=*⟦ ⟧⟦&amp;⟧=&⟦ ⟧⟦&lt;⟧=<⟦ ⟧⟦\\q⟧⟦ c⟧');
});

test('code', () => {
    check('⟦a ⟧`⟦b⟧`⟦ ⟧`` ⟦c`d⟧ ``⟦ ⟧` ⟦e⟧ `⟦ `f⟧');
});

test('links are passed over, their words are not', () => {
    check('⟦see ⟧[⟦this⟧](https://example.org/a_(b) "t]")⟦ and ⟧[⟦that⟧][r]⟦ or ⟧[⟦r⟧]⟦ that⟧\n\n[r]: /there\n\n⟦after⟧');
    check('[**⟦bold⟧**](x)⟦ bold ⟧<⟦https://example.org/⟧>⟦ end⟧');
    check('⟦not [a](b c) one⟧');
});

test('images are placed by their words', () => {
    check('⟦a ⟧![⟦picture⟧](a.png "picture")⟦ picture⟧');
});

test('blocks of code, also in lists and quotations', () => {
    check('```js\n⟦one\ntwo\n⟧```\n\n- ⟦x⟧\n  ```\n  ⟦three\n⟧  ⟦  four\n⟧  ```\n\n> ~~~\n> ⟦five\n⟧> ⟦six\n⟧> ~~~\n\n    ⟦seven\n⟧');
});

test('lists and quotations, nested and lazy', () => {
    check('1. ⟦a⟧\n   - ⟦b⟧⟦\n⟧     ⟦c⟧\n\n> ⟦d⟧⟦\n⟧⟦e⟧\n> > ⟦f⟧\n');
});

test('tables', () => {
    check('| ⟦a⟧ | ⟦b⟧ |\n|---|:-:|\n| ⟦a⟧ | ⟦x⟧\\⟦|y⟧ |\n| ⟦a⟧ |\n');
    check('⟦a⟧ | ⟦b⟧\n--|--\n⟦a⟧ | **⟦a⟧**\n');
    check('> | ⟦a⟧ | ⟦b⟧ |\n> |---|---|\n> | | ⟦b⟧ |\n');
});

test('what cannot be placed for certain is not', () => {
    // Of three columns, a table of two takes the first two; or the first was no column, but the
    // mark of a list.
    check('> ⟦a⟧ | ⟦b⟧\n> --|--\n> 1 | 1 | 1\n');
});

test('a piece counts from its own start', () => {
    const [first] = piecesOf('word *word*\n\n');
    const [, second] = piecesOf('before\n\nword *word*\n\n');
    assert.equal(second?.html, first?.html);
    assert.deepEqual([second?.start, second?.end], [8, 21]);
});

test('markup in the text is text', () => {
    for (const { html } of piecesOf('<b data-from="1">x</b>\n\n[a](javascript:x) ![<i>](y "z\\"<")\n\n`<u>`\n\n```\n</pre><script>\n```\n')) {
        assert.doesNotMatch(html, /<(b|i|u|script|a|img)\b/);
    }
});
