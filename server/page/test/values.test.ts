import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Edits } from '../src/panes/edit-queue';
import { Latest } from '../src/host/coalesced-request';
import { moved } from '../src/text/offset-map';
import { laidOut, readJson, readNumber } from '../src/panes/field-control';
import { counted, fileName, share } from '../src/widgets/words';

/** Promises that are kept by hand. */
function later<T>() {
    const waiting: ((value: T) => void)[] = [];
    return { promise: () => new Promise<T>((done) => waiting.push(done)), keep: (value: T) => waiting.shift()?.(value), count: () => waiting.length };
}
const soon = () => new Promise((done) => setTimeout(done));

test('of the questions that wait, the newest is asked', async () => {
    const asked: number[] = [];
    const taken: string[] = [];
    const answers = later<string>();
    const latest = new Latest<number, string>((question) => (asked.push(question), answers.promise()), (answer) => taken.push(answer), () => undefined);
    [1, 2, 3].forEach((it) => latest.ask(it));
    answers.keep('one');
    await soon();
    answers.keep('three');
    await soon();
    assert.deepEqual([asked, taken], [[1, 3], ['one', 'three']]);
});

test('an answer that nobody wants any more is dropped', async () => {
    const taken: string[] = [];
    const answers = later<string>();
    const latest = new Latest<number, string>(() => answers.promise(), (answer) => taken.push(answer), () => undefined);
    latest.ask(1);
    latest.forget();
    latest.ask(2);
    answers.keep('one');
    await soon();
    answers.keep('two');
    await soon();
    assert.deepEqual(taken, ['two']);
});

test('of the edits of a value that wait, the newest is sent', async () => {
    const sent: unknown[] = [];
    const answers = later<null>();
    const edits = new Edits((edit) => (sent.push(edit.value), answers.promise()), () => undefined, () => sent.push('done'));
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

test('places move with the text before them', () => {
    const to = moved('one two three', 'one 2 and two three');
    assert.equal(to(2), 2);
    assert.equal(to(13), 19);
    const long = 'x'.repeat(10_000);
    assert.equal(moved(`${long}a${long}`, `${long}bb${long}`)(15_000), 15_001);
});

test('JSON is read, or it is said what is wrong', () => {
    assert.deepEqual(readJson('[1, "a"]', 'list'), { value: [1, 'a'] });
    assert.match((readJson('{"a": }', 'object') as { problem: string }).problem, /Unexpected token/);
    assert.match((readJson('{}', 'list') as { problem: string }).problem, /a list is wanted/);
    assert.match((readJson('[]', 'object') as { problem: string }).problem, /an object is wanted/);
    assert.match((readJson(' ', 'any') as { problem: string }).problem, /Type a JSON value/);
    assert.equal(laidOut({ a: 1 }), '{"a":1}');
    assert.equal(laidOut(['x'.repeat(60)]).split('\n').length, 3);
});

test('numbers are read as JSON has them, and none loses digits', () => {
    assert.deepEqual(readNumber(' -1.5e3 ', false), { value: -1500 });
    for (const text of ['', '1,5', '0x1', '01', 'Infinity']) {
        assert.ok('problem' in readNumber(text, false), text);
    }
    assert.ok('problem' in readNumber('1.5', true));
    assert.ok('problem' in readNumber('12345678901234567890', true));
});

test('words for numbers and files', () => {
    assert.equal(counted({ errors: 1, warnings: 2 }), '1 error, 2 warnings');
    assert.deepEqual([share(0, 9), share(1, 1000), share(999, 1000), share(5, 5), share(0, 0)], ['0%', '<1%', '99%', '100%', '0%']);
    assert.equal(fileName('file:///a/b%20c.json'), 'b c.json');
    assert.equal(fileName('untitled:Untitled-1'), 'untitled:Untitled-1');
});
