import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Run } from '../src/host/protocol';
import { blocksOf } from '../src/text/blocks';
import { matched } from '../src/widgets/keyed-nodes';

const source = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
const run = (start: number, end: number, kind: Run['kind'] = 'value'): Run => ({ output: [start, end], kind, source, path: 'x' });
const look = ({ kind }: Run) => kind;

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index} of many\n`);
const keys = (text: string, map: Run[] = []) => blocksOf(text, map, look).map((it) => `${it.looks}\0${it.text}`);

test('blocks are the text, in order and without gaps', () => {
    const text = lines(500).join('') + 'no end';
    const blocks = blocksOf(text, [], look);
    assert.equal(blocks.map((it) => it.text).join(''), text);
    assert.ok(blocks.length > 10 && blocks.length < 80, `${blocks.length} blocks`);
    blocks.reduce((end, it) => (assert.equal(it.start, end), end + it.text.length), 0);
    assert.ok(blocks.slice(0, -1).every((it) => it.text.endsWith('\n')));
});

test('an edit changes the blocks around it, and no others', () => {
    const all = lines(2000);
    const before = keys(all.join(''));
    for (const at of [0, 3, 700, 1999]) {
        const after = keys([...all.slice(0, at), 'a new line\n', 'and another\n', ...all.slice(at)].join(''));
        const drawn = matched(before, after).filter((it) => it === undefined).length;
        assert.ok(drawn <= 5, `${drawn} of ${after.length} are new`);
    }
});

test('a run is cut where blocks end', () => {
    const text = lines(300).join('');
    const blocks = blocksOf(text, [run(5, text.length - 5)], look);
    const pieces = blocks.flatMap((block) => block.runs.map(({ start, end }) => text.slice(block.start + start, block.start + end)));
    assert.equal(pieces.join(''), text.slice(5, -5));
});

test('an empty run is in one block: the one of its line', () => {
    const text = lines(100).join('');
    const [first] = blocksOf(text, [], look);
    const seam = first?.text.length ?? 0;
    const found = (at: number) => blocksOf(text, [run(at, at, 'missing')], look).flatMap((it, index) => it.runs.map((piece) => [index, it.start + piece.start]));
    assert.deepEqual(found(seam), [[1, seam]]);
    assert.deepEqual(found(0), [[0, 0]]);
    const last = blocksOf(text, [], look).length - 1;
    assert.deepEqual(found(text.length), [[last, text.length]]);
    assert.deepEqual(blocksOf('', [run(0, 0, 'missing')], look).map((it) => it.runs.length), [1]);
});

test('a range of the text has its own runs', () => {
    const map = [run(0, 3), run(3, 10, 'literal'), run(10, 14)];
    const [block] = blocksOf('one two thr four', map, look, [2, 12]);
    assert.equal(block?.text, 'e two thr ');
    assert.deepEqual(block?.runs, [
        { start: 0, end: 1, run: 0 },
        { start: 8, end: 10, run: 2 },
    ]);
});

test('a line of a megabyte is cut, but not inside of a character', () => {
    const text = '😀'.repeat(100_000);
    const blocks = blocksOf(text, [], look);
    assert.ok(blocks.length > 10);
    assert.ok(blocks.every((it) => it.text.length % 2 === 0));
    assert.equal(blocks.filter((it) => it.isCut).length, blocks.length - 1);
});

test('a block starts at its given start', () => {
    const text = lines(40).join('');
    const at = text.indexOf('line 13');
    assert.ok(blocksOf(text, [], look, [0, text.length], at).some((it) => it.start === at));
});
