import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { EditQueue, type InputEdit } from '../src/panes/edit-queue';
import { later, soon } from './promises';

const edit = (key: string, value: unknown): InputEdit => ({ keys: [key], value, name: null });

/** A queue, and what it sent. The answers are given by hand. */
function queue() {
    const sent: unknown[] = [];
    const answers = later<null>();
    const edits = new EditQueue((it) => (sent.push(it.value), answers.promise()), () => undefined, () => sent.push('done'));
    return { sent, edits, answer: () => (answers.keep(null), soon()) };
}

test('of the edits of a value that wait, the newest is sent', async () => {
    const { sent, edits, answer } = queue();
    ['a', 'ab', 'abc'].forEach((value) => edits.add(edit('x', value)));
    edits.add(edit('y', 1));
    assert.ok(edits.isBusy(['x']) && edits.isBusy(['y']) && !edits.isBusy(['z']));
    for (let round = 0; round < 3; round++) {
        edits.formChanged(() => true);
        await answer();
    }
    assert.deepEqual(sent, ['a', 'abc', 1, 'done']);
});

test('the next edit waits until the form says what was sent', async () => {
    const { sent, edits, answer } = queue();
    edits.add(edit('x', 'a'));
    edits.add(edit('x', 'ab'));
    await answer();
    edits.formChanged(({ value }) => value === 'old');
    await soon();
    assert.deepEqual(sent, ['a']);
    edits.formChanged(({ value }) => value === 'a');
    await soon();
    assert.deepEqual(sent, ['a', 'ab']);
});

test('what never is in the form holds up the others for a while only', async () => {
    const { sent, edits, answer } = queue();
    mock.timers.enable({ apis: ['setTimeout'] });
    edits.add(edit('x', 'a'));
    edits.add(edit('x', 'ab'));
    const answered = answer();
    mock.timers.tick(1);
    await answered;
    assert.deepEqual(sent, ['a']);
    mock.timers.tick(10_000);
    mock.timers.reset();
    await soon();
    assert.deepEqual(sent, ['a', 'ab']);
});
