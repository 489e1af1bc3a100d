// Cases: selecting one, showing all, comparing two, and creating one.
import assert from 'node:assert/strict';
import { letter } from '../web/page/letter.mjs';
import { story } from '../web/page/story.mjs';
import { until } from '../web/until.mjs';

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

story('what differs from the selected case is marked in the others', letter, async (it, files) => {
    const marked = () => it.page.evaluate(() => [...(CSS.highlights.get('differs') ?? [])].map(String).join());
    await it.show('cases');
    await until('they are marked', async () => (await marked()) === 'Bob,8,late');
    await it.page.getByRole('region', { name: 'Case late' }).getByText('3 differences').waitFor();
    files.write('letter.adk.late.inputs.json', '{"user:name": "Ada", "order_id": 8, "state": "paid"}\n');
    await until('others are marked', async () => (await marked()) === '8');
    await it.page.getByRole('button', { name: 'Select case late' }).click();
    await until('the other one is marked', async () => (await marked()) === '7');
});

story('at half the width of a screen, two cases are in sight, and that there is a third', {
    ...letter,
    'letter.adk.early.inputs.json': '{"user:name": "Eve", "order_id": 9, "state": "early"}\n',
}, async (it) => {
    await it.show('cases');
    const sights = await it.page.locator('.column').evaluateAll((columns) => columns.map((column) => {
        const { left, right, width } = column.getBoundingClientRect();
        return (Math.min(right, innerWidth) - left) / width;
    }));
    assert.ok(sights[0] === 1 && sights[1] === 1 && sights[2] > 0.05 && sights[2] < 1, sights.join());
}, { viewport: { width: 600, height: 700 } });

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
    await it.page.getByLabel('Left text').selectOption({ label: 'default, at the last commit' });
    await it.page.getByLabel('Right text').selectOption({ label: 'default' });
    await it.page.locator('.summary', { hasText: '1 change' }).waitFor();
    assert.deepEqual(await it.page.locator('.diff del, .diff ins').allTextContents(), ['Dear', 'Hello']);
}, { commit: true });

story('inputs that are newer than the commit are those of today, with a note', { 'new.adk.prompt': 'Dear {name}.\n' }, async (it, files) => {
    files.write('new.adk.inputs.json', '{"name": "Ada"}\n');
    files.write('new.adk.prompt', 'Hello {name}.\n');
    await it.waitForText('Hello Ada.\n');
    await it.show('compare');
    await it.page.locator('.summary', { hasText: '1 change' }).waitFor();
    assert.deepEqual(await it.page.locator('.diff del, .diff ins').allTextContents(), ['Dear', 'Hello']);
    const notes = it.page.locator('.diff-name .column-note');
    assert.deepEqual(await notes.allTextContents(), ['Case `default` has no inputs in the last commit; today\'s are used']);
}, { commit: true });

story('a pair that was not chosen follows the selected case', letter, async (it) => {
    const pair = (left, right) => until(`${left} and ${right}`, async () => {
        const names = ['Left text', 'Right text'].map((side) => it.page.getByLabel(side).locator('option:checked').innerText());
        return (await Promise.all(names)).join() === [left, right].join();
    });
    await it.show('compare');
    await pair('default', 'late');
    await it.cases.selectOption('late');
    await pair('late', 'default');
    await it.page.getByRole('button', { name: 'Last commit' }).click();
    await pair('late, at the last commit', 'late');
    await it.cases.selectOption('default');
    await pair('default, at the last commit', 'default');
    // A selected side stays.
    await it.page.getByLabel('Right text').selectOption({ label: 'late' });
    await it.cases.selectOption('late');
    await until('the other case is shown', async () => (await it.field('order_id').inputValue()) === '8');
    await pair('default, at the last commit', 'late');
}, { commit: true });

story('what is compared can be read beside an editor, too', letter, async (it) => {
    await it.show('compare');
    await it.page.getByLabel('Left text').selectOption({ label: 'default, at the last commit' });
    const tooNarrow = await it.page.locator('.compare-bar select').evaluateAll((all) => all.filter((it) => {
        const asWideAsItsWords = it.cloneNode(true);
        asWideAsItsWords.value = it.value;
        asWideAsItsWords.style = 'flex: none; width: auto';
        it.after(asWideAsItsWords);
        const wanted = asWideAsItsWords.offsetWidth;
        asWideAsItsWords.remove();
        return it.offsetWidth < wanted;
    }).length);
    assert.equal(tooNarrow, 0);
}, { commit: true, viewport: { width: 460, height: 720 } });

story('the last commit is one click away, and any other is a name away', letter, async (it, files, served) => {
    const prompt = (word) => `${word} {user:name},\nyour order {order_id} is {state}.\n`;
    files.write('letter.adk.prompt', prompt('Hello'));
    served.git('commit', '--quiet', '--all', '--message', 'Second');
    files.write('letter.adk.prompt', prompt('Hi'));
    await it.waitForText('Hi Ada,\nyour order 7 is paid.\n');
    await it.show('compare');
    const changed = (...words) => until(`${words} differ`, async () => (await it.page.locator('.diff del, .diff ins').allTextContents()).join() === words.join());
    await it.page.getByRole('button', { name: 'Last commit' }).click();
    await changed('Hello', 'Hi');

    await it.page.getByLabel('Left text').selectOption('Another revision…');
    await it.keyboard.type('HEAD~1');
    await it.keyboard.press('Enter');
    await changed('Dear', 'Hi');
    assert.equal(await it.page.getByLabel('Left text').locator('option:checked').innerText(), 'default, at HEAD~1');
    // Two commits with each other.
    await it.page.getByLabel('Right text').selectOption('default, at the last commit');
    await changed('Dear', 'Hello');

    await it.page.getByLabel('Left text').selectOption('Another revision…');
    await it.keyboard.type('--help');
    await it.keyboard.press('Enter');
    await it.page.locator('#compare-panel .empty', { hasText: 'unknown git revision `--help`' }).waitFor();
}, { commit: true });

story('the case is not asked for where it makes no difference', letter, async (it) => {
    await it.show('compare');
    // The panes are for the selected case.
    assert.ok(await it.cases.isVisible());
    await it.page.getByRole('button', { name: 'Inputs, size and problems' }).click();
    assert.ok(!(await it.cases.isVisible()));
    await it.show('text');
    assert.ok(await it.cases.isVisible());
});

story('without a repository, the comparison says what is missing', letter, async (it) => {
    await it.show('compare');
    await it.page.getByLabel('Left text').selectOption({ label: 'default, at the last commit' });
    await it.page.locator('#compare-panel .empty', { hasText: /git/ }).waitFor();
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
