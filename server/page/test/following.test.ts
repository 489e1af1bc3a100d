import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Following } from '../src/navigation/shown-prompt';
import type { Front } from '../src/host/messages';

const place = { line: 1, character: 2 };

test('pinned to a prompt of a pack, its key says which one', () => {
    const shown: Front[] = [];
    const following = new Following({ uri: null }, (front) => shown.push(front));
    following.came({ uri: 'file:///a.pack.json', position: place });
    following.pin(true, 'greeting');
    following.came({ uri: 'file:///b.prompt' });
    assert.deepEqual(following.params, { textDocument: { uri: 'file:///a.pack.json' }, task: 'greeting', position: place });

    following.pin(false, 'greeting');
    assert.deepEqual(following.params, { textDocument: { uri: 'file:///b.prompt' } });
    assert.deepEqual(shown.map(({ uri }) => uri), ['file:///a.pack.json', 'file:///b.prompt']);
});

test('a page that was pinned is so again, until it is told otherwise', () => {
    const shown: Front[] = [];
    const following = new Following({ uri: 'file:///a.pack.json', task: 'greeting' }, (front) => shown.push(front));
    assert.ok(following.isPinned);
    following.start({ uri: 'file:///b.prompt' });
    assert.equal(following.params.task, 'greeting');
    following.pin(false, 'greeting');
    assert.deepEqual(shown.at(-1), { uri: 'file:///b.prompt' });
});
