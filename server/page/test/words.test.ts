import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted, fileName, share } from '../src/widgets/words';

test('words for numbers and files', () => {
    assert.equal(counted({ errors: 1, warnings: 2 }), '1 error, 2 warnings');
    assert.deepEqual([share(0, 9), share(1, 1000), share(999, 1000), share(5, 5), share(0, 0)], ['0%', '<1%', '99%', '100%', '0%']);
    assert.equal(fileName('file:///a/b%20c.json'), 'b c.json');
    assert.equal(fileName('untitled:Untitled-1'), 'untitled:Untitled-1');
});
