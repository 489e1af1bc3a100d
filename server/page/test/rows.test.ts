import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LinePiece, folded, linesInOne, rowsOf } from '../src/compare/rows';
import type { Comparison } from '../src/host/protocol';

/** A comparison from pieces: a string is common text, a pair is the text of each side. */
function comparison(...pieces: (string | [string, string])[]): Comparison {
    let [left, right] = ['', ''];
    const parts = pieces.map((piece) => {
        const [l, r] = typeof piece === 'string' ? [piece, piece] : piece;
        const part = {
            same: typeof piece === 'string',
            left: [left.length, left.length + l.length] as [number, number],
            right: [right.length, right.length + r.length] as [number, number],
        };
        left += l;
        right += r;
        return part;
    });
    const side = (text: string) => ({ case: null, revision: null, note: null, text, error: null });
    return { left: side(left), right: side(right), parts };
}

const marked = (pieces: LinePiece[] | undefined) =>
    pieces?.map((it) => (it.change === undefined ? it.text : `[${it.text}]`)).join('').replaceAll('\n', '⏎') ?? '—';
const rows = (...pieces: (string | [string, string])[]) =>
    rowsOf(comparison(...pieces)).map((it) => `${marked(it.left)} | ${marked(it.right)}`);

test('a word that differs is marked in its line', () => {
    assert.deepEqual(rows('Dear ', ['Ada', 'Bob'], ',\nhi\n'), ['Dear [Ada],⏎ | Dear [Bob],⏎', 'hi⏎ | hi⏎']);
});

test('a new line stands beside nothing', () => {
    assert.deepEqual(rows('a\n', ['', 'new\n'], 'b\n'), ['a⏎ | a⏎', '— | [new⏎]', 'b⏎ | b⏎']);
    // Also if the difference starts at the end of the previous line.
    assert.deepEqual(rows('a', ['', '\nnew'], '\nb\n'), ['a⏎ | a[⏎]', '— | [new]⏎', 'b⏎ | b⏎']);
});

test('lines that are others stand beside each other', () => {
    assert.deepEqual(rows('a\n', ['x\ny\n', 'z\n'], 'b'), ['a⏎ | a⏎', '[x⏎] | [z⏎]', '[y⏎] | —', 'b | b']);
});

test('one column has removed lines before added ones', () => {
    const lines = linesInOne(comparison('Dear ', ['Ada', 'Bob'], '\n'));
    assert.deepEqual(lines, [[{ text: 'Dear ' }, { text: 'Ada', change: 0, kind: 'del' }, { text: 'Bob', change: 0, kind: 'ins' }, { text: '\n' }]]);
});

test('texts that are empty have no rows', () => {
    assert.deepEqual(rows(), []);
    assert.deepEqual(linesInOne(comparison()), []);
});

test('what is far from any change is left out', () => {
    const shown = folded([...'aaaaaaaaaaXaaaa'], (it) => it === 'X');
    assert.deepEqual(shown, [{ hidden: [...'aaaaaaa'] }, 'a', 'a', 'a', 'X', 'a', 'a', 'a', 'a']);
});
