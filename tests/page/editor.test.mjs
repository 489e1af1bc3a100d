// The page in a browser, together with a real editor that has the prompt open.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser } from '../web/browser.mjs';
import { Neovim } from '../web/page/neovim.mjs';
import { Reader } from '../web/page/reader.mjs';
import { Served } from '../web/page/served.mjs';
import { patience, until } from '../web/until.mjs';

const files = {
    'letter.adk.prompt': 'Dear {user:name},\nyour order {order_id} is {state}.\nBye\n',
    'letter.adk.inputs.json': '{\n  // who it is for\n  "user:name": "Ada",\n  "order_id": 7,\n  "state": "paid"\n}\n',
};

let chromium, served, neovim, it;
before(async () => {
    chromium = await browser();
    served = await Served.start(files);
    it = await Reader.open(chromium, served.url);
    neovim = await Neovim.open(served, 'letter.adk.prompt');
});
after(async () => {
    await it?.close();
    await neovim?.stop();
    await served?.stop();
    await chromium?.close();
});

const limits = { timeout: 2 * patience };

test('what is typed in Neovim is on the page before it is saved', limits, async () => {
    await it.waitForText('Dear Ada,\nyour order 7 is paid.\nBye\n');
    neovim.type('cwHello<Esc>');
    await it.waitForText('Hello Ada,\nyour order 7 is paid.\nBye\n');
    assert.equal(served.folder.read('letter.adk.prompt'), files['letter.adk.prompt']);
    neovim.type('u');
    await it.waitForText('Dear Ada,\nyour order 7 is paid.\nBye\n');
});

test('the cursor in Neovim lights what its placeholder became', limits, async () => {
    neovim.type('gg0fu');
    await until('it is lit', async () => (await it.text.locator('.lit').allInnerTexts()).join() === 'Ada');
    neovim.type('2G0f{l');
    await until('another is lit', async () => (await it.text.locator('.lit').allInnerTexts()).join() === '7');
});

test('a click on the page puts the cursor of Neovim on the placeholder, or on the value', limits, async () => {
    await it.text.getByText('paid').click();
    await until('it is there', () => neovim.place().join() === 'letter.adk.prompt,2,26');
    await it.text.getByText('paid').click({ modifiers: ['Alt'] });
    await until('it is there', () => neovim.place().join() === 'letter.adk.inputs.json,5,12');
});

test('a value that is edited on the page is edited in Neovim, with its comments, and undone there', limits, async () => {
    await it.field('state').fill('');
    await it.field('state').pressSequentially('sent, and is on its way');
    await it.waitForText('Dear Ada,\nyour order 7 is sent, and is on its way.\nBye\n');
    const edited = files['letter.adk.inputs.json'].replace('paid', 'sent, and is on its way').trimEnd().split('\n');
    await until('Neovim has it', () => neovim.lines('letter.adk.inputs.json').join('\n') === edited.join('\n'));
    assert.equal(served.folder.read('letter.adk.inputs.json'), files['letter.adk.inputs.json']);

    neovim.type('<Esc>:buffer letter.adk.inputs.json<CR>99u');
    await it.waitForText('Dear Ada,\nyour order 7 is paid.\nBye\n');
});

test('when Neovim is closed, the page shows what is saved', limits, async () => {
    neovim.type('<Esc>:buffer letter.adk.prompt<CR>gg0cwHello<Esc>');
    await it.waitForText('Hello Ada,\nyour order 7 is paid.\nBye\n');
    neovim.quit();
    await it.waitForText('Dear Ada,\nyour order 7 is paid.\nBye\n');
    assert.deepEqual(it.errors, []);
});
