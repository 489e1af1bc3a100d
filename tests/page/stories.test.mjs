// What people do with the page, a story each, on the real program.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { otherPage, story } from '../web/page/story.mjs';
import { until } from '../web/until.mjs';

const letter = {
    'letter.adk.prompt': 'Dear {user:name},\nyour order {order_id} is {state}.\n',
    'letter.adk.inputs.json': '{\n  // who it is for\n  "user:name": "Ada",\n  "order_id": 7,\n  "state": "paid"\n}\n',
    'letter.adk.late.inputs.json': '{"user:name": "Bob", "order_id": 8, "state": "late"}\n',
};

story('a change of a file is seen at once, and only what it touched is drawn', letter, async (it, files) => {
    await it.waitForText('Dear Ada,\nyour order 7 is paid.\n');
    files.write('letter.adk.prompt', 'Dear {user:name},\nyour order {order_id} has been {state}.\n');
    await it.waitForText('Dear Ada,\nyour order 7 has been paid.\n');
    const [{ blocks }] = await it.measures();
    assert.equal(blocks, 1);
});

story('hovering says where a piece comes from', letter, async (it) => {
    await it.text.locator('[data-prefix]').waitFor();
    await it.text.getByText('paid').hover();
    await it.tooltip.waitFor();
    const words = await it.tooltip.innerText();
    assert.match(words, /^state\nfrom letter\.adk\.inputs\.json:5\nplaceholder at letter\.adk\.prompt:2$/);
    // It can be pointed at itself, and goes with Escape.
    await it.tooltip.hover();
    assert.ok(await it.tooltip.isVisible());
    await it.keyboard.press('Escape');
    await it.tooltip.waitFor({ state: 'hidden' });

    await it.pointAt('order');
    await it.tooltip.filter({ hasText: 'letter.adk.prompt:2' }).waitFor();
});

story('a click says where the placeholder is, where no editor is to go to', letter, async (it) => {
    await it.text.getByText('paid').click();
    await it.said.filter({ hasText: 'letter.adk.prompt:2' }).waitFor();
    await it.text.getByText('paid').click({ modifiers: ['Alt'] });
    await it.said.filter({ hasText: 'letter.adk.inputs.json:5' }).waitFor();
});

story('a missing value is marked, and what the engine says stands on top', {
    'a.adk.prompt': 'A {gone} B\n',
    'a.adk.inputs.json': '{}\n',
}, async (it) => {
    await it.error.filter({ hasText: 'Not sent: ' }).waitFor();
    const problem = it.pane('problems').getByRole('button', { name: /gone/ }).first();
    await problem.waitFor();
    await problem.click();
    await it.said.filter({ hasText: 'a.adk.prompt:1' }).waitFor();
    await it.text.locator('.missing.lit').waitFor();
});

story('a value that is empty can be seen, and is gone through', {
    'a.adk.prompt': 'A {gone?} B {x} C\n',
    'a.adk.inputs.json': '{"x": ""}\n',
}, async (it) => {
    await it.waitForText('A  B  C\n');
    // The block is drawn anew once it is known how much of it a cache can reuse.
    await it.text.locator('[data-prefix]').waitFor();
    const { width } = await it.text.locator('.value').first().boundingBox();
    assert.ok(width > 0);
    await it.text.locator('.value').nth(1).click();
    await it.said.filter({ hasText: 'a.adk.prompt:1' }).waitFor();
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

story('cases: one is selected, all are beside each other', letter, async (it) => {
    await it.cases.selectOption('late');
    await it.waitForText('Dear Bob,\nyour order 8 is late.\n');
    await it.show('cases');
    const column = (name) => it.page.getByRole('region', { name: `Case ${name}` });
    await until('both are there', async () => (await column('default').locator('.text-view').textContent()) === 'Dear Ada,\nyour order 7 is paid.\n');
    assert.equal(await column('late').locator('.text-view').textContent(), 'Dear Bob,\nyour order 8 is late.\n');
    await column('default').getByRole('button', { name: 'Select case default' }).click();
    await until('it is selected', async () => (await it.cases.inputValue()) === 'default');
});

story('two cases differ in words, which keys go through', letter, async (it) => {
    await it.show('compare');
    const summary = it.page.locator('.summary');
    await summary.filter({ hasText: '3 changes' }).waitFor();
    const rows = it.page.getByRole('row');
    assert.deepEqual(await rows.nth(1).getByRole('cell').allTextContents(), ['Dear Ada,\n', 'Dear Bob,\n']);
    assert.deepEqual(await rows.nth(2).locator('del').allTextContents(), ['7', 'paid']);
    assert.deepEqual(await rows.nth(2).locator('ins').allTextContents(), ['8', 'late']);

    await it.page.locator('.compare-body').focus();
    await it.keyboard.press('n');
    await summary.filter({ hasText: '1 of 3 changes' }).waitFor();
    await it.keyboard.press('n');
    await it.keyboard.press('n');
    await summary.filter({ hasText: '3 of 3 changes' }).waitFor();
    assert.equal(await it.page.evaluate(() => document.activeElement.textContent), 'paid');
    await it.keyboard.press('Shift+N');
    await summary.filter({ hasText: '2 of 3 changes' }).waitFor();

    await it.page.getByRole('button', { name: 'Both texts in one column' }).click();
    const lines = it.page.locator('.diff-line');
    assert.deepEqual(await lines.allTextContents(), ['Dear AdaBob,\n', 'your order 78 is paidlate.\n']);
    await it.page.getByLabel('Right text').selectOption({ label: 'default' });
    await it.page.getByText('Both texts are the same.').waitFor();
});

story('a text is compared with the last commit', letter, async (it, files) => {
    files.write('letter.adk.prompt', 'Hello {user:name},\nyour order {order_id} is {state}.\n');
    await it.waitForText('Hello Ada,\nyour order 7 is paid.\n');
    await it.show('compare');
    await it.page.getByLabel('Left text').selectOption({ label: 'default, last commit' });
    await it.page.getByLabel('Right text').selectOption({ label: 'default' });
    await it.page.locator('.summary', { hasText: '1 change' }).waitFor();
    assert.deepEqual(await it.page.locator('.diff del, .diff ins').allTextContents(), ['Dear', 'Hello']);
}, { commit: true });

story('without a repository, the comparison says what is missing', letter, async (it) => {
    await it.show('compare');
    await it.page.getByLabel('Left text').selectOption({ label: 'default, last commit' });
    await it.page.locator('#compare-panel .empty', { hasText: /git/ }).waitFor();
});

story('a value is edited, taken back, edited again and saved', letter, async (it, files) => {
    const field = it.field('user:name');
    await field.click();
    await field.press('End');
    await it.keyboard.type(' Lovelace', { delay: 5 });
    await it.waitForText('Dear Ada Lovelace,\nyour order 7 is paid.\n');
    // Neither the caret nor the focus was lost, whatever was drawn meanwhile.
    assert.ok(await field.evaluate((node) => node === document.activeElement && node.selectionStart === node.value.length));
    await it.unsaved.filter({ hasText: 'letter.adk.inputs.json' }).waitFor();
    assert.equal(files.read('letter.adk.inputs.json'), letter['letter.adk.inputs.json']);

    const undo = it.unsaved.getByRole('button', { name: 'Undo' });
    while (await it.unsaved.isVisible()) {
        const before = await it.shownText();
        await undo.click();
        await until('it is taken back', async () => (await it.shownText()) !== before);
    }
    await it.waitForText('Dear Ada,\nyour order 7 is paid.\n');
    await until('the field says so', async () => (await field.inputValue()) === 'Ada');

    await field.fill('Grace');
    await it.waitForText('Dear Grace,\nyour order 7 is paid.\n');
    await it.unsaved.getByRole('button', { name: 'Save' }).click();
    await it.unsaved.waitFor({ state: 'hidden' });
    assert.equal(files.read('letter.adk.inputs.json'), letter['letter.adk.inputs.json'].replace('Ada', 'Grace'));
});

story('a value is added and removed', letter, async (it, files) => {
    files.write('letter.adk.prompt', '{user:name} {more}\n');
    const pane = it.pane('inputs');
    await pane.getByText('1 missing').waitFor();
    await pane.getByRole('button', { name: 'Add more' }).click();
    await it.keyboard.type('x');
    await it.waitForText('Ada x\n');
    await pane.getByRole('button', { name: 'Remove more' }).click();
    await pane.getByText('1 missing').waitFor();
    // What the prompt does not read stands at the end.
    await pane.getByText('Not used by the prompt').click();
    await it.field('state').waitFor();
});

story('fields follow their types, and keep what cannot be read to themselves', {
    'typed.promptpack.prompt': '{{tone}} {{count}} {{strict}} {{tags}} {{extra}}\n',
    'typed.promptpack.inputs.json': '{"tone": "dry", "count": 3, "strict": true, "tags": ["a"], "extra": {"k": 1}}\n',
    'typed.promptpack.variables.json': JSON.stringify({
        variables: [
            { name: 'tone', type: 'string', required: true, description: 'How it sounds', validation: { enum: ['dry', 'warm'] } },
            { name: 'count', type: 'number' },
            { name: 'strict', type: 'boolean' },
            { name: 'tags', type: 'array' },
            { name: 'extra', type: 'object' },
        ],
    }),
}, async (it) => {
    const tags = it.field('tags');
    await tags.fill('["a", "b"');
    await it.pane('inputs').getByText('Not sent, not valid JSON').waitFor();
    assert.equal(await tags.getAttribute('aria-invalid'), '');
    await tags.fill('["a", "b"]');
    await it.pane('inputs').getByText('Not sent, not valid JSON').waitFor({ state: 'hidden' });
    await until('it is sent', async () => (await it.shownText()).includes('b'));

    await it.field('strict').selectOption('false');
    await until('it is sent', async () => (await it.shownText()).includes('false'));
    await it.field('count').fill('4x');
    await it.pane('inputs').getByText('not a number').waitFor();
    await it.field('count').press('Escape');
    assert.equal(await it.field('count').inputValue(), '3');
    await it.field('tone').selectOption('warm');
    await until('it is sent', async () => (await it.shownText()).startsWith('warm'));
    await it.pane('inputs').getByText('How it sounds').waitFor();
    await it.picture('inputs');
});

story('a new case starts with the values of the one that is shown', letter, async (it, files) => {
    await it.page.getByRole('button', { name: 'New case…' }).click();
    await it.keyboard.type('no good');
    await it.keyboard.press('Enter');
    await it.page.locator('#new-case-invalid:not(:empty)').waitFor();
    await it.page.locator('#new-case').fill('early');
    await it.keyboard.press('Enter');
    await until('it is selected', async () => (await it.cases.inputValue()) === 'early');
    await it.waitForText('Dear Ada,\nyour order 7 is paid.\n');
    await it.unsaved.getByRole('button', { name: 'Save' }).click();
    await until('it is on disk', () => files.read('letter.adk.early.inputs.json').includes('Ada'));
});

story('what is large is listed, and how much a cache can reuse is drawn', letter, async (it) => {
    const pane = it.pane('size');
    await pane.getByText('Tokens', { exact: true }).waitFor();
    await pane.getByRole('button', { name: /state/ }).click();
    await it.text.locator('.lit', { hasText: 'paid' }).waitFor();
    const [label] = await it.text.locator('[data-prefix]').evaluateAll((blocks) => blocks.map((it) => it.dataset.prefix));
    assert.match(label, /static prefix ends at user:name/);
    assert.equal(await it.shownText(), 'Dear Ada,\nyour order 7 is paid.\n');
    const encodings = pane.getByLabel('Kind of tokens');
    const [, other] = await encodings.locator('option').allTextContents();
    await encodings.selectOption(other);
    await until('it is counted anew', async () => (await encodings.inputValue()) === other);
});

story('a budget is shown, and red beyond it', {
    ...letter,
    'promptls.toml': '[[prompts]]\nfiles = ["*.adk.prompt"]\nmax_tokens = 5\n',
}, async (it, files) => {
    const budget = it.pane('size').locator('.budget');
    await budget.filter({ hasText: /over the 5 allowed/ }).waitFor();
    assert.ok(await budget.evaluate((node) => node.classList.contains('over')));
    const stats = it.page.locator('.stats');
    await stats.filter({ hasText: /^\d+ of 5 tokens · 32 characters$/ }).waitFor();
    assert.ok(await stats.evaluate((node) => node.classList.contains('is-over')));
    await it.picture('budget');
    files.write('promptls.toml', '[[prompts]]\nfiles = ["*.adk.prompt"]\nmax_tokens = 1000\n');
    await budget.filter({ hasText: /% of the 1,000 tokens allowed/ }).waitFor();
});

story('a prompt without inputs gets some', { 'new.adk.prompt': 'Dear {name}.\n' }, async (it, files) => {
    await it.pane('inputs').getByRole('button', { name: 'Create inputs' }).click();
    await it.field('name').fill('Ada');
    await it.waitForText('Dear Ada.\n');
    await it.unsaved.getByRole('button', { name: 'Save' }).click();
    await until('it is on disk', () => JSON.parse(files.read('new.adk.inputs.json')).name === 'Ada');
});

story('a text is saved as a file', letter, async (it) => {
    const [download] = await Promise.all([it.page.waitForEvent('download'), it.page.getByRole('button', { name: 'Save the text' }).click()]);
    assert.equal(download.suggestedFilename(), 'letter.adk.default.resolved.txt');
    assert.equal(fs.readFileSync(await download.path(), 'utf8'), 'Dear Ada,\nyour order 7 is paid.\n');
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
    await it.pane('inputs').getByText('characters that cannot be seen: ZWSP, RLO').waitFor();
    await it.show('text');
    await it.page.locator('#text-panel .chip').first().hover();
    await it.tooltip.filter({ hasText: 'U+200B zero width space' }).waitFor();
    await it.picture('invisible-characters');
});

story('a chat is shown by its messages', {
    'a.adk.prompt': '## System\nBe {x}.\n\n## User\nHi\n',
    'a.adk.inputs.json': '{"x": "kind"}',
}, async (it) => {
    await it.show('messages');
    assert.deepEqual(await it.page.locator('.role').allTextContents(), ['system', 'user']);
    await it.page.locator('.message .value', { hasText: 'kind' }).hover();
    await it.tooltip.filter({ hasText: 'a.adk.inputs.json:1' }).waitFor();
    // What is between the messages has nothing to say.
    await it.page.locator('#messages-panel').hover({ position: { x: 4, y: 400 } });
    await it.tooltip.waitFor({ state: 'hidden' });
});

story('what is selected stays selected while the text around it changes', letter, async (it, files) => {
    await it.page.evaluate(() => {
        const [value] = [...document.querySelectorAll('#text .value')].slice(-1);
        getSelection().selectAllChildren(value);
    });
    files.write('letter.adk.prompt', 'A new line.\nDear {user:name},\nyour order {order_id} is {state}.\n');
    await it.waitForText('A new line.\nDear Ada,\nyour order 7 is paid.\n');
    assert.equal(await it.page.evaluate(() => getSelection().toString()), 'paid');
});

story('two pages at once show the same', letter, async (it, _, served) => {
    const other = await otherPage(served.url);
    await it.field('state').fill('lost');
    await other.waitForText('Dear Ada,\nyour order 7 is lost.\n');
    await until('its field says so, too', async () => (await other.field('state').inputValue()) === 'lost');
    await other.cases.selectOption('late');
    await it.waitForText('Dear Bob,\nyour order 8 is late.\n');
    await other.close();
});

story('a connection that is lost is said, and the last text stays', letter, async (it, _, served) => {
    await served.kill();
    await it.page.locator('#lost', { hasText: 'The connection to promptls is lost.' }).waitFor();
    assert.equal(await it.shownText(), 'Dear Ada,\nyour order 7 is paid.\n');
    // The browser itself notes that nobody listens.
    it.errors.length = 0;
});
