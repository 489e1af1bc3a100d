// Cases: one is selected, all are seen, two compared, and one more made.
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
