import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matched } from '../src/widgets/keyed-nodes';

test('what is the same is matched once, in order', () => {
    assert.deepEqual(matched(['a', 'b', 'c', 'b'], ['b', 'x', 'b', 'b']), [1, undefined, undefined, 3]);
    assert.deepEqual(matched(['a', 'b', 'c'], ['a', 'x', 'b', 'c']), [0, undefined, 1, 2]);
    assert.deepEqual(matched([], ['a']), [undefined]);
});
