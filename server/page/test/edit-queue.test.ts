import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EditQueue } from '../src/panes/edit-queue';
import { later, soon } from './promises';

test('of the edits of a value that wait, the newest is sent', async () => {
    const sent: unknown[] = [];
    const answers = later<null>();
    const edits = new EditQueue((edit) => (sent.push(edit.value), answers.promise()), () => undefined, () => sent.push('done'));
    for (const value of ['a', 'ab', 'abc']) {
        edits.add({ keys: ['x'], value, name: null });
    }
    edits.add({ keys: ['y'], value: 1, name: null });
    assert.ok(edits.isBusy(['x']) && edits.isBusy(['y']) && !edits.isBusy(['z']));
    for (let round = 0; round < 3; round++) {
        answers.keep(null);
        await soon();
    }
    assert.deepEqual(sent, ['a', 'abc', 1, 'done']);
});
