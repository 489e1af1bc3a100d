import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offsetMap } from '../src/text/offset-map';

test('places move with the text before them', () => {
    const to = offsetMap('one two three', 'one 2 and two three');
    assert.equal(to(2), 2);
    assert.equal(to(13), 19);
    const long = 'x'.repeat(10_000);
    assert.equal(offsetMap(`${long}a${long}`, `${long}bb${long}`)(15_000), 15_001);
});
