import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FrontPrompt } from '../src/host/messages';
import { ShownPrompt } from '../src/navigation/shown-prompt';

const place = { line: 1, character: 2 };

test('pinned to a prompt of a pack, its key includes the prompt', () => {
    const shown: FrontPrompt[] = [];
    const prompt = new ShownPrompt({ uri: null }, (front) => shown.push(front));
    prompt.frontChanged({ uri: 'file:///a.pack.json', position: place });
    prompt.pin(true, 'greeting');
    prompt.frontChanged({ uri: 'file:///b.prompt' });
    assert.deepEqual(prompt.params, { textDocument: { uri: 'file:///a.pack.json' }, task: 'greeting', position: place });

    prompt.pin(false, 'greeting');
    assert.deepEqual(prompt.params, { textDocument: { uri: 'file:///b.prompt' } });
    assert.deepEqual(shown.map(({ uri }) => uri), ['file:///a.pack.json', 'file:///b.prompt']);
});

test('a pinned page stays pinned until it is unpinned', () => {
    const shown: FrontPrompt[] = [];
    const prompt = new ShownPrompt({ uri: 'file:///a.pack.json', task: 'greeting' }, (front) => shown.push(front));
    assert.ok(prompt.isPinned);
    prompt.start({ uri: 'file:///b.prompt' });
    assert.equal(prompt.params.task, 'greeting');
    prompt.pin(false, 'greeting');
    assert.deepEqual(shown.at(-1), { uri: 'file:///b.prompt' });
});
