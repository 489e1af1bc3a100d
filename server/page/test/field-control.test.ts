import assert from 'node:assert/strict';
import { test } from 'node:test';
import { laidOut, readJson, readNumber } from '../src/panes/field-control';

test('JSON is parsed, or the error is reported', () => {
    assert.deepEqual(readJson('[1, "a"]', 'list'), { value: [1, 'a'] });
    assert.match((readJson('{"a": }', 'object') as { invalid: string }).invalid, /Unexpected token/);
    assert.match((readJson('{}', 'list') as { invalid: string }).invalid, /expected a list/);
    assert.match((readJson('[]', 'object') as { invalid: string }).invalid, /expected an object/);
    assert.match((readJson(' ', 'any') as { invalid: string }).invalid, /Type a JSON value/);
    assert.equal(laidOut({ a: 1 }), '{"a":1}');
    assert.equal(laidOut(['x'.repeat(60)]).split('\n').length, 3);
});

test('numbers are read as JSON has them, and none loses digits', () => {
    assert.deepEqual(readNumber(' -1.5e3 ', false), { value: -1500 });
    for (const text of ['', '1,5', '0x1', '01', 'Infinity']) {
        assert.ok('invalid' in readNumber(text, false), text);
    }
    assert.ok('invalid' in readNumber('1.5', true));
    assert.ok('invalid' in readNumber('12345678901234567890', true));
});
