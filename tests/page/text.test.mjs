// The text: its display, tooltips, navigation, and export.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { letter } from '../web/page/letter.mjs';
import { story } from '../web/page/story.mjs';
import { until } from '../web/until.mjs';

story('a change of a file is seen at once, and only what it touched is drawn', letter, async (it, files) => {
    await it.waitForText('Dear Ada,\nyour order 7 is paid.\n');
    files.write('letter.adk.prompt', 'Dear {user:name},\nyour order {order_id} has been {state}.\n');
    await it.waitForText('Dear Ada,\nyour order 7 has been paid.\n');
    await until('it is measured', async () => (await it.measures()).length > 0);
    const [{ blocks }] = await it.measures();
    assert.equal(blocks, 1);
});

story('hovering says where a piece comes from', letter, async (it) => {
    await it.text.getByText('paid').hover();
    await it.tooltip.waitFor();
    const words = await it.tooltip.innerText();
    assert.match(words, /^state\nfrom letter\.adk\.inputs\.json:5\nplaceholder at letter\.adk\.prompt:2$/);
    // The pointer can enter it, and it closes with Escape.
    await it.tooltip.hover();
    assert.ok(await it.tooltip.isVisible());
    await it.keyboard.press('Escape');
    await it.tooltip.waitFor({ state: 'hidden' });

    await it.pointAt('order');
    await it.tooltip.filter({ hasText: 'letter.adk.prompt:2' }).waitFor();
});

story('a click says where the placeholder is, where no editor is to go to', letter, async (it) => {
    await it.text.getByText('paid').click();
    await it.statusMessage.filter({ hasText: 'letter.adk.prompt:2' }).waitFor();
    await it.text.getByText('paid').click({ modifiers: ['Alt'] });
    await it.statusMessage.filter({ hasText: 'letter.adk.inputs.json:5' }).waitFor();
});

story('lines are read in the direction of their words, and values in theirs', {
    'shalom.adk.prompt': 'שלום {name}, ההזמנה היא {id}.\nYour order, {name}!\n',
    'shalom.adk.inputs.json': '{"name": "דנה", "id": "7 (paid)!"}\n',
}, async (it) => {
    const placeOf = (words) => it.text.evaluate((text, wanted) => {
        const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const at = walker.currentNode.data.indexOf(wanted);
            if (at !== -1) {
                const range = document.createRange();
                range.setStart(walker.currentNode, at);
                range.setEnd(walker.currentNode, at + 1);
                return range.getBoundingClientRect().left / text.getBoundingClientRect().width;
            }
        }
    }, words);
    assert.ok((await placeOf('שלום')) > 0.8, 'it starts at the right');
    assert.ok((await placeOf('Your')) < 0.2, 'and this at the left');
    assert.ok((await placeOf('7')) < (await placeOf('!')), 'a value is read in its own direction');
    assert.equal(await it.field('name').evaluate((node) => getComputedStyle(node).direction), 'rtl');
});

story('a name that is half typed moves nothing, until the typing rests', letter, async (it, files) => {
    // The test ends the rest explicitly.
    await it.page.evaluate(() => {
        const real = setTimeout;
        globalThis.rests = [];
        globalThis.setTimeout = (act, time, ...more) => (time === 500 ? globalThis.rests.push(act) : real(act, time, ...more));
    });
    const half = (name) => files.write('letter.adk.prompt', `Dear {${name}},\nyour order {order_id} is {state}.\n`);
    const rests = () => it.page.evaluate(() => globalThis.rests.length);
    half('user:na');
    await until('the page has it', async () => (await rests()) === 1);
    half('user:nam');
    await until('the page has it', async () => (await rests()) === 2);
    await it.waitForText('Dear Ada,\nyour order 7 is paid.\n');
    assert.ok(!(await it.error.isVisible()));
    await it.page.evaluate(() => globalThis.rests.at(-1)());
    await it.text.locator('.missing', { hasText: '{user:nam}' }).waitFor();
    await it.error.waitFor();
    half('user:name');
    await it.waitForText('Dear Ada,\nyour order 7 is paid.\n');
    await it.error.waitFor({ state: 'hidden' });
});

story('a missing value is marked, and what the engine says stands on top', {
    'a.adk.prompt': 'A {gone} B\n',
    'a.adk.inputs.json': '{}\n',
}, async (it) => {
    await it.error.filter({ hasText: 'Not sent: ' }).waitFor();
    const problem = it.pane('problems').getByRole('button', { name: /gone/ }).first();
    await problem.waitFor();
    await problem.click();
    await it.statusMessage.filter({ hasText: 'a.adk.prompt:1' }).waitFor();
    await it.text.locator('.missing.lit').waitFor();
});

story('what is sent though the engine fails is said', {
    'a.promptpack.prompt': 'A {{gone}} B\n',
    'a.promptpack.inputs.json': '{}\n',
    'promptls.toml': '[[prompts]]\nfiles = ["*.prompt"]\nengine = "promptkit-go"\n',
}, async (it) => {
    await it.error.filter({ hasText: 'Fails: unresolved template placeholders: [{{gone}}]. PromptKit' }).waitFor();
});

story('a value that is empty can be seen, and is gone through', {
    'a.adk.prompt': 'A {gone?} B {x} C\n',
    'a.adk.inputs.json': '{"x": ""}\n',
}, async (it) => {
    await it.waitForText('A  B  C\n');
    const { width } = await it.text.locator('.value').first().boundingBox();
    assert.ok(width > 0);
    await it.text.locator('.value').nth(1).click();
    await it.statusMessage.filter({ hasText: 'a.adk.prompt:1' }).waitFor();
    await it.text.click();
    await it.keyboard.press('n');
    await it.tooltip.filter({ hasText: 'gone' }).waitFor();
});

story('while an inputs file is broken, the last text stays and says so', letter, async (it, files) => {
    files.write('letter.adk.inputs.json', '{"user:name": "Ada", ');
    await it.page.locator('#stale', { hasText: 'letter.adk.inputs.json' }).waitFor();
    await it.waitForText('Dear Ada,\nyour order 7 is paid.\n');
    files.write('letter.adk.inputs.json', letter['letter.adk.inputs.json']);
    await it.page.locator('#stale').waitFor({ state: 'hidden' });
});

story('a text without roles is the one message that is sent', {
    'a.adk.prompt': 'Be brief, {name}.\n',
    'a.adk.inputs.json': '{"name": "Ada"}\n',
}, async (it) => {
    await it.show('messages');
    const message = it.page.locator('.message');
    await message.waitFor();
    assert.equal(await message.locator('.role').innerText(), 'system');
    assert.equal(await message.locator('.text-view').evaluate((node) => node.textContent), 'Be brief, Ada.\n');
    await it.page.getByText('The text has no roles').waitFor();
});

story('a chat is shown by its messages', {
    'a.adk.prompt': '## System\nBe {x}.\n\n## User\nHi\n',
    'a.adk.inputs.json': '{"x": "kind"}',
}, async (it) => {
    await it.show('messages');
    assert.deepEqual(await it.page.locator('.role').allTextContents(), ['system', 'user']);
    await it.page.locator('.message .value', { hasText: 'kind' }).hover();
    await it.tooltip.filter({ hasText: 'a.adk.inputs.json:1' }).waitFor();
    // The space between the messages has no tooltip.
    await it.page.locator('#messages-panel').hover({ position: { x: 4, y: 400 } });
    await it.tooltip.waitFor({ state: 'hidden' });
});

story('characters that cannot be seen are flagged in every view', {
    'a.adk.prompt': '## System\nBe {x}.\n## User\nHi\n',
    'a.adk.inputs.json': JSON.stringify({ x: 'k\u200bi\u202end\u{e0068}\u{e0069}\u00a0\u00ad' }),
    'a.adk.b.inputs.json': JSON.stringify({ x: 'k\u200bind' }),
}, async (it) => {
    const labels = (where) => it.page.locator(`${where} .chip`).evaluateAll((chips) => chips.map((it) => it.dataset.label));
    const all = ['ZWSP', 'RLO', 'TAG hi', 'NBSP', 'SHY'];
    assert.deepEqual(await labels('#text-panel'), all);
    for (const view of ['markdown', 'messages']) {
        await it.show(view);
        assert.deepEqual(await labels(`#${view}-panel`), all);
    }
    await it.show('cases');
    await until('they are flagged', async () => (await labels('#cases-panel')).length === all.length + 1);
    await it.show('compare');
    await until('they are flagged', async () => (await labels('.diff')).includes('RLO'));
    await it.pane('inputs').getByText('invisible characters: ZWSP, RLO').waitFor();
    await it.show('text');
    await it.page.locator('#text-panel .chip').first().hover();
    await it.tooltip.filter({ hasText: 'U+200B zero width space' }).waitFor();
    await it.picture('invisible-characters');
});

/** The selection, as the browser reports it: for lines without layout, it reports nothing. */
function waitForSelected(it, expected) {
    const selected = () => it.page.evaluate(() => getSelection().toString().trimEnd());
    return until(`${JSON.stringify(expected)} is selected`, async () => (await selected()) === expected);
}

story('what is selected stays selected while the text around it changes', letter, async (it, files) => {
    await it.page.evaluate(() => {
        const [value] = [...document.querySelectorAll('#text .value')].slice(-1);
        getSelection().selectAllChildren(value);
    });
    files.write('letter.adk.prompt', 'A new line.\nDear {user:name},\nyour order {order_id} is {state}.\n');
    await it.waitForText('A new line.\nDear Ada,\nyour order 7 is paid.\n');
    await waitForSelected(it, 'paid');
});

story('all of a text stays selected when each of its lines is drawn again', letter, async (it, files) => {
    await it.page.evaluate(() => getSelection().selectAllChildren(document.querySelector('#text')));
    files.write('letter.adk.prompt', 'Dear lady {user:name},\nmy order {order_id} is {state}.\n');
    const text = 'Dear lady Ada,\nmy order 7 is paid.\n';
    await it.waitForText(text);
    await waitForSelected(it, text.trimEnd());
});

story('a text is copied exactly, all of it and what is selected', {
    'a.adk.prompt': 'One {x}\r\n\ttwo {gone?}\n',
    'a.adk.inputs.json': JSON.stringify({ x: 'a\u200bb' }),
}, async (it) => {
    const text = 'One a\u200bb\r\n\ttwo \n';
    await it.waitForText(text);
    await it.text.click();
    await it.keyboard.press('c');
    await until('it is copied', async () => (await it.copied()) === text);
    for (const isOn of [false, true]) {
        if (isOn) {
            await it.keyboard.press('w');
            await it.text.locator('.ws').first().waitFor();
        }
        await it.page.evaluate(() => navigator.clipboard.writeText(''));
        await it.page.evaluate(() => getSelection().selectAllChildren(document.querySelector('#text')));
        await it.keyboard.press('Control+C');
        await until('it is copied', async () => (await it.copied()) === text);
    }
    await it.picture('whitespace');
});

story('a text is saved as a file', letter, async (it) => {
    const [download] = await Promise.all([it.page.waitForEvent('download'), it.page.getByRole('button', { name: 'Save the text' }).click()]);
    assert.equal(download.suggestedFilename(), 'letter.adk.default.resolved.txt');
    assert.equal(fs.readFileSync(await download.path(), 'utf8'), 'Dear Ada,\nyour order 7 is paid.\n');
});
