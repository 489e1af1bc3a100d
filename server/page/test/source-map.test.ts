import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Run } from '../src/host/protocol';
import { lineOfOffset, offsetIn, offsetOfLine, positionOf, runsAt } from '../src/text/source-map';

// The prompt: 'Hi {x},\nyou {y}\nbye\n', x = 'Ada', y = 'one\ntwo'.
const text = 'Hi Ada,\nyou one\ntwo\nbye\n';
const at = (line: number, character: number) => ({ line, character });
const run = (kind: Run['kind'], output: [number, number], start: [number, number], end: [number, number]): Run => ({
    kind,
    output,
    source: { start: at(...start), end: at(...end) },
});
const map = [
    run('literal', [0, 3], [0, 0], [0, 3]),
    run('value', [3, 6], [0, 3], [0, 6]),
    run('literal', [6, 12], [0, 6], [1, 4]),
    run('value', [12, 19], [1, 4], [1, 7]),
    run('literal', [19, 24], [1, 7], [3, 0]),
];

test('a place in the prompt is one in the text, and back', () => {
    for (const [offset, position] of [[0, at(0, 0)], [6, at(0, 6)], [8, at(1, 0)], [10, at(1, 2)]] as const) {
        const literal = map[offset < 3 ? 0 : 2] as Run;
        assert.deepEqual(positionOf(text, literal, offset), position);
        assert.equal(offsetIn(text, literal, position), offset);
    }
    assert.equal(offsetIn(text, map[4] as Run, at(2, 1)), 21);
});

test('at a seam, it is the placeholder that is meant', () => {
    assert.deepEqual(runsAt(map, at(0, 3)), [1]);
    assert.deepEqual(runsAt(map, at(0, 6)), [1]);
    assert.deepEqual(runsAt(map, at(0, 1)), [0]);
    assert.deepEqual(runsAt(map, at(9, 0)), []);
});

test('lines of the prompt are found in the text, and back', () => {
    assert.deepEqual([0, 1, 2].map((line) => offsetOfLine(text, map, line)), [0, 8, 20]);
    assert.equal(lineOfOffset(text, map, 9), 1);
    assert.equal(lineOfOffset(text, map, 20), 2);
    // Within a long value, the line is fractional.
    const within = lineOfOffset(text, map, 16);
    assert.ok(within > 1 && within < 2);
    assert.equal(offsetOfLine(text, map, 99), text.length);
});

test('a place in a JSON string counts its escapes, where these are certain', () => {
    const check = (said: string, text: string, offset: number, rest: string | undefined) => {
        const literal = run('literal', [0, text.length], [3, 10], [3, 10 + said.length]);
        const { line, character } = positionOf(text, literal, offset);
        assert.deepEqual([line, rest === undefined ? character : said.slice(character - 10)], [3, rest ?? 10]);
    };
    check('one\\n\\"two\\"', 'one\n"two"', 5, 'two\\"');
    check('Café\\nnow', 'Café\nnow', 5, 'now');
    check('Caf\\u00e9\\nnow', 'Café\nnow', 5, 'now');
    // One of the two is unescaped, but it is unknown which.
    check('é\\u00e9\\nnow', 'éé\nnow', 3, undefined);
    check('plain', 'plain', 2, 'ain');
});
