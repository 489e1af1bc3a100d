import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flagged } from '../src/text/invisible-characters';

const labels = (text: string) => flagged(text).map((it) => it.label);

test('plain text, line ends, accents and other scripts are not flagged', () => {
    assert.deepEqual(labels('a\tb\r\nc – “d” é Ω 漢字 עברית 👍🏽\n'), []);
});

test('what cannot be seen has a name', () => {
    assert.deepEqual(labels('a\u200bb\ufeffc\u2060\u00ad'), ['ZWSP', 'BOM', 'WJ', 'SHY']);
    assert.deepEqual(labels('\u202a\u2066\u200f\u061c'), ['LRE', 'LRI', 'RLM', 'ALM']);
    assert.deepEqual(labels('\u00a0\u2009\u3000\u2028'), ['NBSP', 'THSP', 'IDSP', 'LS']);
    assert.deepEqual(labels('\u0000\u001b\u0085\u007f'), ['NUL', 'ESC', 'NEL', 'DEL']);
    assert.deepEqual(labels('\u3164\u115f\u2800'), ['HF', 'HCF', 'BRSP']);
});

test('half of a character is none', () => {
    assert.deepEqual(labels('a\ud83db'), ['U+D83D']);
});

test('a carriage return is flagged where no line feed follows', () => {
    assert.deepEqual(flagged('a\rb\r\n'), [{ start: 1, end: 2, label: 'CR', name: 'U+000D carriage return without a line feed' }]);
});

test('tag characters are read out', () => {
    const hidden = [...'ignore this'].map((it) => String.fromCodePoint(0xe0000 + it.charCodeAt(0))).join('');
    const [piece] = flagged(`a${hidden}b`);
    assert.deepEqual(piece, { start: 1, end: 23, label: 'TAG ignore this', name: '11 tag characters: ignore this' });
});

test('many of one kind are one', () => {
    assert.deepEqual(labels('\u200b\u200b\u200b'), ['ZWSP×3']);
    assert.deepEqual(labels('a\ufe01\u{e0101}b'), ['VS2×2']);
});

test('an emoji is one picture, whatever joins it', () => {
    assert.deepEqual(labels('👨‍👩‍👧 ❤️ 🏳️‍🌈 #️⃣'), []);
    // A single joiner is no emoji, nor are letters in tags, nor a second selector.
    assert.deepEqual(labels('a\u200db'), ['ZWJ']);
    assert.deepEqual(labels('🏴\u{e0067}\u{e0062}\u{e007f}'), ['TAG gb']);
    assert.deepEqual(labels('x\ufe0f'), ['VS16']);
});
