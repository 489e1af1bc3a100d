import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EditQueue, type InputEdit } from '../src/panes/edit-queue';
import { later, soon } from './promises';

const edit = (key: string, value: unknown): InputEdit => ({ keys: [key], value, name: null });

/** A queue, with its sent edits and errors. The test resolves the responses. */
function queue() {
    const log: unknown[] = [];
    const answers = later<null>();
    const edits = new EditQueue({
        send: ({ value }) => (log.push(value), answers.promise()),
        refused: ({ value }, reason) => log.push(`${value}: ${reason}`),
        done: () => log.push('done'),
    });
    const answer = () => (answers.keep(null), soon());
    const refuse = (reason: string) => (answers.break(reason), soon());
    return { log, edits, answer, refuse };
}

test('one edit is sent at a time, and of those of a value that wait the newest', async () => {
    const { log, edits, answer } = queue();
    ['a', 'ab', 'abc'].forEach((value) => edits.add(edit('x', value)));
    edits.add(edit('y', 1));
    assert.ok(edits.isBusy(edit('x', '')) && edits.isBusy(edit('y', '')) && !edits.isBusy(edit('z', '')));
    assert.deepEqual(log, ['a']);
    await answer();
    assert.deepEqual(log, ['a', 'abc']);
    await answer();
    await answer();
    assert.deepEqual(log, ['a', 'abc', 1, 'done']);
});

test('of two cases, the edits of a value are two', async () => {
    const { log, edits, answer } = queue();
    edits.add({ ...edit('x', 'a'), name: 'one' });
    edits.add({ ...edit('x', 'b'), name: 'one' });
    edits.add({ ...edit('x', 'c'), name: 'two' });
    assert.ok(!edits.isBusy(edit('x', '')));
    for (let round = 0; round < 3; round++) {
        await answer();
    }
    assert.deepEqual(log, ['a', 'b', 'c', 'done']);
});

test('a refused edit is reported, unless a newer one is pending', async () => {
    const { log, edits, answer, refuse } = queue();
    edits.add(edit('x', 'a'));
    edits.add(edit('x', 'ab'));
    await refuse('too early');
    assert.deepEqual(log, ['a', 'ab']);
    await refuse('never');
    assert.deepEqual(log, ['a', 'ab', 'ab: never', 'done']);
    edits.add(edit('x', 'abc'));
    await answer();
    assert.deepEqual(log.slice(4), ['abc', 'done']);
});
