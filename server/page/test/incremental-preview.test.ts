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
                map: { range: [1, 1], runs: [run([2, 4], 1)], moved: { output: 2, line: 1 } },
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

test('after a failure, all of it is asked for', async () => {
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
