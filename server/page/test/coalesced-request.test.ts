import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoalescedRequest } from '../src/host/coalesced-request';
import { later, soon } from './promises';

test('of the requests that wait, the newest is sent', async () => {
    const asked: number[] = [];
    const taken: string[] = [];
    const answers = later<string>();
    const request = new CoalescedRequest<number, string>((params) => (asked.push(params), answers.promise()), (answer) => taken.push(answer), () => undefined);
    [1, 2, 3].forEach((it) => request.send(it));
    answers.keep('one');
    await soon();
    answers.keep('three');
    await soon();
    assert.deepEqual([asked, taken], [[1, 3], ['one', 'three']]);
});

test('the answer to a request that was cancelled is dropped', async () => {
    const taken: string[] = [];
    const answers = later<string>();
    const request = new CoalescedRequest<number, string>(() => answers.promise(), (answer) => taken.push(answer), () => undefined);
    request.send(1);
    request.cancel();
    request.send(2);
    answers.keep('one');
    await soon();
    answers.keep('two');
    await soon();
    assert.deepEqual(taken, ['two']);
});
