import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IncrementalPreview } from '../src/host/incremental-preview';
import type { PreviewAnswer, Run } from '../src/host/protocol';

const common = {
    uri: 'file:///a.prompt',
    version: 1,
    dialect: 'adk',
    case: null,
    cases: [],
    error: null,
    problems: [],
    messages: [], names: [],
    stats: { bytes: 0, characters: 0, words: 0, lines: 0 },
    stale: null,
};

const run = (output: [number, number], line: number): Run => ({
    output,
    kind: 'literal',
    source: { start: { line, character: 0 }, end: { line, character: output[1] - output[0] } },
});

test('what changed is put into the preview before', async () => {
    const answers: PreviewAnswer[] = [
        { ...common, resultId: '1', text: 'a\nb\nc', map: [run([0, 2], 0), run([2, 4], 1), run([4, 5], 2)] },
        {
            ...common,
            resultId: '2',
            edits: {
                text: { range: [2, 2], new: 'x\n' },
                map: { range: [1, 1], runs: [run([2, 4], 1)], moved: { output: 2, from: { line: 1, character: 0 }, line: 1, character: 0 } },
            },
        },
    ];
    const asked: string[] = [];
    const previews = new IncrementalPreview(async ({ previousResultId }) => {
        asked.push(previousResultId);
        return answers.shift() ?? null;
    });
    const params = { textDocument: { uri: common.uri } };
    await previews.request(params);
    const second = await previews.request(params);
    assert.equal(second?.text, 'a\nx\nb\nc');
    assert.deepEqual(second?.map, [run([0, 2], 0), run([2, 4], 1), run([4, 6], 2), run([6, 7], 3)]);
    assert.deepEqual(asked, ['', '1']);
});

test('a pushed response is applied if it matches the current parameters', async () => {
    const whole = { ...common, resultId: '1', text: 'ab', map: [run([0, 2], 0)] };
    const edits = { text: { range: [1, 1] as [number, number], new: 'x' }, map: { range: [0, 1] as [number, number], runs: [run([0, 3], 0)], moved: { output: 0, from: { line: 0, character: 0 }, line: 0, character: 0 } } };
    const previews = new IncrementalPreview(async () => whole);
    const params = { textDocument: { uri: common.uri } };
    await previews.request(params);
    const answerTo = (previousResultId: string, resultId: string) => ({ params: { ...params, previousResultId }, answer: { ...common, resultId, edits } });
    assert.equal(previews.pushed(params, answerTo('0', '2')), undefined);
    assert.equal(previews.pushed({ ...params, task: 'other' }, answerTo('1', '2')), undefined);
    assert.equal(previews.pushed(params, answerTo('1', '2'))?.text, 'axb');
    assert.equal(previews.pushed(params, answerTo('2', '3'))?.text, 'axxb');
});

test('in the line that was typed in, columns are moved, and in those below it lines', async () => {
    const at = (output: [number, number], line: number, start: number, end: number): Run => ({
        output,
        kind: 'literal',
        source: { start: { line, character: start }, end: { line, character: end } },
    });
    const answers: PreviewAnswer[] = [
        { ...common, resultId: '1', text: 'abc\nd', map: [at([0, 1], 0, 0, 1), at([1, 2], 0, 1, 2), at([2, 3], 0, 2, 3), at([4, 5], 1, 0, 1)] },
        {
            ...common,
            resultId: '2',
            edits: {
                text: { range: [1, 2], new: 'xyz' },
                map: { range: [1, 2], runs: [at([1, 4], 0, 1, 4)], moved: { output: 2, from: { line: 0, character: 2 }, line: 0, character: 2 } },
            },
        },
    ];
    const previews = new IncrementalPreview(async () => answers.shift() ?? null);
    const params = { textDocument: { uri: common.uri } };
    await previews.request(params);
    const second = await previews.request(params);
    assert.equal(second?.text, 'axyzc\nd');
    assert.deepEqual(second?.map, [at([0, 1], 0, 0, 1), at([1, 4], 0, 1, 4), at([4, 5], 0, 4, 5), at([6, 7], 1, 0, 1)]);
});

test('after a failure, the whole preview is requested', async () => {
    const asked: string[] = [];
    const previews = new IncrementalPreview(async ({ previousResultId }) => {
        asked.push(previousResultId);
        if (asked.length === 2) {
            throw new Error('gone');
        }
        return { ...common, resultId: String(asked.length), text: '', map: [] };
    });
    const params = { textDocument: { uri: common.uri } };
    await previews.request(params);
    await assert.rejects(previews.request(params));
    await previews.request(params);
    assert.deepEqual(asked, ['', '1', '']);
});
