// The panes: values are edited in the form of the inputs, and the size is shown.
import assert from 'node:assert/strict';
import { letter } from '../web/page/letter.mjs';
import { story } from '../web/page/story.mjs';
import { until } from '../web/until.mjs';

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
    // Unused values are at the end.
    await pane.getByText('Not used by the prompt').click();
    await it.field('state').waitFor();
});

story('a field says that what was typed did not arrive, and keeps it', letter, async (it, files) => {
    const [name, text] = ['letter.adk.inputs.json', letter['letter.adk.inputs.json']];
    const field = it.field('user:name');
    await field.waitFor();
    files.write(name, `${text} x`);
    await it.page.locator('#stale').waitFor();
    await field.fill('Grace');
    const said = it.pane('inputs').locator('.field', { has: field }).locator('.field-invalid');
    await said.filter({ hasText: /^Not sent: letter\.adk\.inputs\.json:\d+:\d+: .*fix it first$/ }).waitFor();
    await it.field('state').focus();
    files.write(name, text);
    await it.page.locator('#stale').waitFor({ state: 'hidden' });
    assert.equal(await field.inputValue(), 'Grace');
    await field.fill('Grace H.');
    await it.waitForText('Dear Grace H.,\nyour order 7 is paid.\n');
    await said.waitFor({ state: 'hidden' });
});

story('what is missing stands first, and stays there while it is typed', {
    'many.adk.prompt': '{a} {b} {c} {d}\n',
    'many.adk.inputs.json': '{"a": "1", "c": "3"}\n',
}, async (it) => {
    const names = () => it.pane('inputs').locator('.field-name').allInnerTexts();
    await it.pane('inputs').getByText('2 missing').waitFor();
    assert.deepEqual(await names(), ['b', 'd', 'a', 'c']);
    await it.field('d').pressSequentially('four');
    await until('it is sent', async () => (await it.shownText()).endsWith(' four\n'));
    await it.pane('inputs').getByText('1 missing').waitFor();
    assert.deepEqual(await names(), ['b', 'd', 'a', 'c']);
    assert.ok(await it.field('d').evaluate((node) => node === document.activeElement));
    await it.field('d').blur();
    await until('it is at its place', async () => (await names()).join() === 'b,a,c,d');
});

story('the text of a field that is about to be replaced is replaced', {
    'typed.adk.prompt': '{a} {b}\n',
    'typed.adk.inputs.json': '{"b": "old"}\n',
}, async (it, files) => {
    for (const [name, typed] of [['a', 'one'], ['b', 'two']]) {
        const field = it.field(name);
        await field.selectText();
        files.write('typed.adk.inputs.json', `{"a": "${typed} came", "b": "${typed} came"}\n`);
        await until('it has come', async () => (await field.inputValue()) === `${typed} came`);
        await it.keyboard.type(typed);
        await until('it is sent', async () => (await it.shownText()).split(/\s/).includes(typed));
        assert.equal(await field.inputValue(), typed);
        await it.unsaved.getByRole('button', { name: 'Save' }).click();
        await it.unsaved.waitFor({ state: 'hidden' });
    }
});

story('Tab leads from one missing value to the next', {
    'many.adk.prompt': '{a} {b} {c}\n',
    'many.adk.inputs.json': '{}\n',
}, async (it) => {
    await it.field('a').focus();
    for (const value of ['one', 'two', 'three']) {
        await it.keyboard.type(value);
        await it.keyboard.press('Tab');
    }
    await it.waitForText('one two three\n');
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

story('a prompt without inputs gets some', { 'new.adk.prompt': 'Dear {name}.\n' }, async (it, files) => {
    await it.pane('inputs').getByRole('button', { name: 'Create inputs' }).click();
    await it.field('name').fill('Ada');
    await it.waitForText('Dear Ada.\n');
    await it.unsaved.getByRole('button', { name: 'Save' }).click();
    await until('it is on disk', () => JSON.parse(files.read('new.adk.inputs.json')).name === 'Ada');
});

story('what is large is listed', letter, async (it) => {
    const pane = it.pane('size');
    await pane.getByText('Tokens', { exact: true }).waitFor();
    await pane.getByRole('button', { name: /state/ }).click();
    await it.text.locator('.lit', { hasText: 'paid' }).waitFor();
    // A prefix of a few tokens is not marked.
    assert.equal(await it.text.locator('[data-prefix]').count(), 0);
    assert.ok(await pane.locator('.prefix-note').isHidden());
    assert.equal(await it.shownText(), 'Dear Ada,\nyour order 7 is paid.\n');
    const encodings = pane.getByLabel('Kind of tokens');
    const [, other] = await encodings.locator('option').allTextContents();
    await encodings.selectOption(other);
    await until('it is counted anew', async () => (await encodings.inputValue()) === other);
});

story('a start that a cache can reuse is pointed out from 256 tokens', {
    'a.adk.prompt': `${'word '.repeat(254)}{name}\n`,
    'a.adk.inputs.json': '{"name": "Ada"}\n',
}, async (it, files) => {
    const pane = it.pane('size');
    const tokens = (number) => pane.locator('.pane-note', { hasText: `${number} tokens` }).waitFor();
    await tokens(256);
    assert.equal(await it.text.locator('[data-prefix]').count(), 0);
    files.write('a.adk.prompt', `${'word '.repeat(300)}{name}\n`);
    const marked = it.text.locator('[data-prefix]');
    await marked.waitFor();
    assert.match(await marked.getAttribute('data-prefix'), /^cacheable start ends at name, 300 tokens$/);
    await pane.getByRole('button', { name: /^Cacheable start: the first \d+% \(300 tokens\) is the same/ }).waitFor();
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
