// The first steps of a new user in VS Code, a story each.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { until } from '../../web/until.mjs';
import { story } from '../../web/vscode/story.mjs';

story('a file becomes a prompt by its menu', {
    'notes.md': 'Dear {name}, {gone}\n',
    'notes.inputs.json': '{"name": "Ada"}\n',
}, async (it, code) => {
    await it.openFile('notes.md');
    // The menu has it once the extension is active.
    await it.page.locator('.statusbar-item[id$="promptls.hint"]').waitFor();
    await it.page.locator('.editor-instance .view-line').first().click({ button: 'right' });
    await it.page.locator('.monaco-menu .action-label', { hasText: 'Treat This File as a Prompt' }).click();
    await it.quickRows.filter({ hasText: 'Google ADK' }).click();
    await it.waitForSquiggles(1);
    await it.status.waitFor();
    const rule = '[[prompts]]\nfiles = ["/notes.md"]\ndialect = "adk"\n';
    await until('the rule is saved', () => code.folder.read('promptls.toml') === rule);
    await it.page.locator('.tab.active', { hasText: 'notes.md' }).waitFor();
    assert.equal(await it.page.locator('.tab.dirty').count(), 0);
});

story('a text that looks like a prompt is said to be one, quietly, until one does not want to hear it', {
    'mail.md': 'Dear {user:name}, see {artifact.order} of {app:shop}.\n',
    'code.md': 'Write `{user:name}` in braces.\n',
    'note.md': 'Call {someone}.\n',
}, async (it, code) => {
    const hint = it.page.locator('.statusbar-item[id$="promptls.hint"]');
    await it.openFile('mail.md');
    await hint.waitFor();
    assert.deepEqual(await it.notifications.allInnerTexts(), []);
    for (const name of ['code.md', 'note.md']) {
        await it.openFile(name);
        await hint.waitFor({ state: 'hidden' });
    }
    await it.openFile('mail.md');
    await hint.click();
    await it.quickRows.filter({ hasText: 'Treat This File' }).click();
    await it.focusedRow.filter({ hasText: 'Google ADK' }).click();
    await it.status.waitFor();
    await hint.waitFor({ state: 'hidden' });
    // The server has the rule before it is saved.
    await until('the rule is saved', () => code.folder.read('promptls.toml').includes('mail.md'));

    code.folder.write('other.md', 'Dear {user:name},\n');
    await it.openFile('other.md');
    await hint.click();
    await it.quickRows.filter({ hasText: 'Not in This Workspace' }).click();
    await hint.waitFor({ state: 'hidden' });
});

story('a new prompt needs an engine and a name', { 'readme.txt': 'Nothing.\n' }, async (it, code) => {
    await it.run('promptls: New Prompt');
    await it.quickRows.filter({ hasText: 'PromptPack' }).click();
    await it.quickRows.filter({ hasText: 'Empty Prompt' }).click();
    await it.page.locator('.quick-input-widget', { hasText: 'Name of the prompt' }).waitFor();
    await it.quickInput.fill('support');
    await it.keyboard.press('Enter');
    await it.page.locator('.tab.active', { hasText: 'support.promptpack.prompt' }).waitFor();
    await it.type('Dear {{name}}');
    await it.status.waitFor();
    assert.ok(fs.existsSync(path.join(code.folder.path, 'support.promptpack.prompt')));
});

story.long('a new prompt begins with a template, and gets more sections', { 'readme.txt': 'Nothing.\n' }, async (it, code) => {
    await it.run('promptls: New Prompt');
    await it.quickRows.filter({ hasText: 'Google ADK' }).click();
    await it.quickRows.filter({ hasText: 'Empty Prompt' }).waitFor();
    await it.quickInput.fill('translation');
    await it.quickRows.filter({ hasText: /^translation/ }).first().click();
    const prompt = (text) => it.page.locator('.quick-input-widget', { hasText: text }).waitFor();
    await prompt('leave it empty');
    await it.quickInput.fill('Finnish');
    await it.keyboard.press('Enter');
    await until('the next question', async () => (await it.quickInput.inputValue()) === '');
    await it.keyboard.press('Enter');
    await prompt('Name of the prompt');
    await it.quickInput.fill('words');
    await it.keyboard.press('Enter');
    await it.page.locator('.tab.active', { hasText: 'words.adk.prompt' }).waitFor();
    await it.preview.locator('#text', { hasText: 'Finnish' }).waitFor();
    assert.equal(await it.page.locator('.tab.dirty').count(), 0);
    const text = code.folder.read('words.adk.prompt');
    assert.ok(text.includes('Finnish') && text.includes('{to}'), text);
    assert.ok(fs.existsSync(path.join(code.folder.path, 'words.adk.inputs.json')));
    assert.ok(fs.existsSync(path.join(code.folder.path, 'words.adk.variables.json')));

    await it.run('promptls: Insert Section');
    await it.page.locator('.action-widget .action-item, .action-widget .monaco-list-row', { hasText: 'Insert section: examples' }).click();
    await it.preview.locator('#text', { hasText: 'Example 1' }).waitFor();
});

story('who has no prompt is shown one, not an empty preview', { 'readme.txt': 'Nothing.\n' }, async (it) => {
    await it.keyboard.press('Control+B');
    const steps = await it.openWalkthrough();
    await steps.filter({ hasText: 'See the text that is sent' }).click();
    await it.page.getByRole('button', { name: 'Open Preview', exact: true }).click();
    await it.page.locator('.tab', { hasText: 'support.adk.prompt' }).first().waitFor();
    await it.preview.locator('#text .value').first().waitFor();
    await it.keyboard.press('Control+B');
    // In a separate window, which contained no prompt before.
}, {});

story('prompts are looked for in the folder that one picks, and one of them is opened', {
    'first/a.txt': 'Nothing.\n',
    'second/prompts/mail.txt': 'You answer {user:name} about {app:topic?} in {app:tone}.\n',
    'both.code-workspace': '{"folders": [{"path": "first"}, {"path": "second"}]}\n',
}, async (it, code) => {
    const { origin } = new URL(it.page.url());
    const open = async (query) => {
        await it.page.goto(`${origin}/?${query}`);
        await it.page.locator('.monaco-workbench .part.statusbar').waitFor();
    };
    const folder = code.folder.path;
    await open(`workspace=${encodeURIComponent(path.join(folder, 'both.code-workspace'))}`);
    await until('the extension is there', async () => {
        await it.keyboard.press('Escape');
        await it.keyboard.press('F1');
        await it.quickInput.fill('>promptls: Find Prompts');
        await it.focusedRow.filter({ hasText: 'promptls: Find Prompts' }).waitFor({ timeout: 5000 });
        return true;
    });
    await it.keyboard.press('Enter');
    await it.quickRows.filter({ hasText: 'second' }).click();
    const terminal = it.page.locator('.terminal-wrapper.active .xterm-rows');
    await until('it asks', async () => /\[y\/N\]/.test(await terminal.innerText().catch(() => '')));
    await it.keyboard.type('y');
    await it.keyboard.press('Enter');
    await it.page.locator('.tab', { hasText: 'mail.txt' }).first().waitFor();
    await it.preview.locator('#text', { hasText: 'You answer' }).waitFor();
    assert.ok(fs.existsSync(path.join(folder, 'second/promptls.toml')));
    await it.closeAll();
    await open(`folder=${encodeURIComponent(folder)}`);
    // With GPU rendering, the terminal's text cannot be read by the test.
}, { 'terminal.integrated.gpuAcceleration': 'off' });
