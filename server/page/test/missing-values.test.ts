import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Run } from '../src/host/protocol';
import { markMissing } from '../src/markdown/missing-values';

const source = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
const run = (kind: Run['kind'], start: number, end: number): Run => ({ kind, output: [start, end], source });

test('what is missing gets a letter, and what follows moves', () => {
    const map = [run('literal', 0, 2), run('missing', 2, 2), run('literal', 2, 3), run('runtime', 3, 3), run('value', 3, 5)];
    const { text, map: moved, marker } = markMissing('a bcd', map);
    assert.equal(text, `a ${marker}b${marker}cd`);
    assert.deepEqual(moved.map((it) => it.output), [[0, 2], [2, 3], [3, 4], [4, 5], [5, 7]]);
});

test('a value that is empty gets none, nor does what is missing but stands there', () => {
    const map = [run('value', 0, 0), run('missing', 0, 3)];
    const { text, map: same } = markMissing('{x}', map);
    assert.equal(text, '{x}');
    assert.equal(same, map);
});

test('the letter is one that the text has not', () => {
    assert.equal(markMissing('a\ue000b', [run('missing', 1, 1)]).text, 'a\ue001\ue000b');
});
