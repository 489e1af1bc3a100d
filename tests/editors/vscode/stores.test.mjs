// A prompt that was pulled from a store: its display and commands in VS Code.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { until } from '../../web/until.mjs';
import { story } from '../../web/vscode/story.mjs';

const lens = (it) => it.page.locator('.codelens-decoration a', { hasText: 'Differs from dev' });

story('a prompt is compared with its store, pushed and pulled', {
    'promptls.toml': '[stores.dev]\nkind = "filesystem"\nfolder = "dev"\n',
    'dev/mail': 'Dear {{name}}!\n',
    'mail.agentle.inputs.json': '{"name": "Ada"}\n',
}, async (it, code) => {
    execFileSync(process.env.PROMPTLS_BINARY, ['store', 'pull', 'dev:mail'], { cwd: code.folder.path, stdio: 'ignore' });
    await it.openFile('mail.agentle.prompt');
    await it.status.waitFor();
    assert.equal(await lens(it).count(), 0);
    await it.type('My ');
    await lens(it).click();
    const compared = it.preview.locator('#compare-panel');
    await compared.locator('.diff-line ins', { hasText: /^My $/ }).waitFor();
    await it.preview.getByLabel('Left text').locator('option:checked', { hasText: 'default, in the store dev' }).waitFor({ state: 'attached' });
    await it.picture('store');

    await it.run('promptls: Push to Store…');
    await it.page.locator('.quick-input-title', { hasText: 'Push to dev' }).waitFor();
    await it.keyboard.press('Enter');
    await it.notifications.filter({ hasText: 'pushed mail.agentle.prompt: dev:mail' }).waitFor();
    await until('the store has it', () => code.folder.read('dev/mail') === 'My Dear {{name}}!\n');
    await lens(it).waitFor({ state: 'hidden' });
    await compared.locator('.empty', { hasText: 'Both texts are the same.' }).waitFor();

    code.folder.write('dev/mail', 'Hi {{name}}.\n');
    await it.run('promptls: Pull from Store');
    await it.page.locator('.view-line', { hasText: 'Hi {{name}}.' }).first().waitFor();

    // The previous text in the store is never overwritten.
    code.folder.write('dev/mail', 'Ho {{name}}.\n');
    await it.type('My ');
    await it.run('promptls: Push to Store…');
    await it.page.locator('.quick-input-title', { hasText: 'Push to dev' }).waitFor();
    await it.keyboard.press('Enter');
    await it.notifications.filter({ hasText: 'has changed since it was pulled' }).waitFor();
    assert.equal(code.folder.read('dev/mail'), 'Ho {{name}}.\n');
});
