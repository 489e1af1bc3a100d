// The tree of prompts in the Explorer.
import assert from 'node:assert/strict';
import { until } from '../../web/until.mjs';
import { letter, renamed } from '../../web/vscode/letter.mjs';
import { story } from '../../web/vscode/story.mjs';

const files = {
    ...renamed(letter, 'tree'),
    'src/main/hi.adk.prompt': 'Hi {gone}\n',
    'src/main/hi.adk.inputs.json': '{}\n',
    'p.pack.json': '{"prompts": {\n"one": {"system_template": "Hi"},\n"two": {"system_template": "Ho"}\n}}\n',
};

const rows = (it) => it.page.locator('.pane', { has: it.page.locator('.pane-header[aria-label^="Prompts"]') }).locator('.monaco-list-row');
const row = (it, name) => rows(it).filter({ has: it.page.locator('.label-name', { hasText: new RegExp(`^${name}$`) }) });

/** Expands the view, and enlarges it. */
async function show(it) {
    const files = it.page.locator('.pane-header[aria-label^="Explorer Section"]');
    if ((await files.getAttribute('aria-expanded')) === 'true') {
        await files.click();
    }
    await it.run('Explorer: Focus on Prompts View');
    await rows(it).first().waitFor();
}

/** Expands a row. A click at the moment when the tree is redrawn is lost, as for users. */
async function unfold(it, name) {
    await until(`${name} is unfolded`, async () => {
        if ((await row(it, name).getAttribute('aria-expanded')) !== 'true') {
            await row(it, name).locator('.monaco-tl-twistie').click({ timeout: 5000 });
        }
        return (await row(it, name).getAttribute('aria-expanded')) === 'true';
    });
}

/** The texts of a row: its name, its tokens, its number of problems. */
async function words(it) {
    const all = await rows(it).evaluateAll((nodes) =>
        nodes.map((node) => {
            const text = (selector) => node.querySelector(selector)?.textContent ?? '';
            const badge = getComputedStyle(node.querySelector('.monaco-icon-label') ?? node, '::after').content;
            return [text('.label-name'), text('.label-description'), /^"/.test(badge) ? badge.slice(1, -1) : ''].join('|');
        }),
    );
    return all;
}

async function waitForRows(it, expected) {
    let actual;
    await until('the tree has its rows', async () => {
        actual = await words(it);
        return JSON.stringify(actual) === JSON.stringify(expected);
    }).catch(() => assert.deepEqual(actual, expected));
}

story('the tree of prompts is there while there are prompts', { 'notes.md': '# Notes\n' }, async (it, code) => {
    const header = it.page.locator('.pane-header[aria-label^="Prompts"]');
    // The story before may have had prompts.
    await header.waitFor({ state: 'detached' });
    // The extension starts with the first prompt.
    code.folder.write('a.adk.prompt', 'Hi\n');
    await it.openFile('a.adk.prompt');
    await header.waitFor();
    await it.closeAll();
    code.folder.lay({ 'notes.md': '# Notes\n' });
    await header.waitFor({ state: 'detached' });
});

story('prompts and their cases are in the Explorer, with problems and tokens', files, async (it, code) => {
    await show(it);
    await waitForRows(it, ['src/main||1', 'p.pack.json||', 'tree.adk.prompt|10 tokens|']);
    await unfold(it, 'tree\\.adk\\.prompt');
    await unfold(it, 'src/main');
    await waitForRows(it, [
        'src/main||1', 'hi.adk.prompt|4 tokens|1', 'p.pack.json||', 'tree.adk.prompt|10 tokens|', 'default|10 tokens|', 'late|10 tokens|',
    ]);
    // Selecting a case opens its preview.
    await row(it, 'late').click();
    await it.waitForPreview('Dear Bob,\nyour order 8 is late.\n');
    await it.status.filter({ hasText: 'late' }).waitFor();
    // Unsaved text counts at once, and so do changes on disk.
    await it.goTo(1);
    await it.type('Now: ');
    await row(it, 'late').filter({ hasText: '12 tokens' }).waitFor();
    code.folder.write('promptls.toml', "[problems]\nundefined-placeholder = 'off'\n");
    await until('there are fewer problems', async () => (await words(it))[0] === 'src/main||');
    await it.picture('tree');
    await it.setTheme('Light Modern');
    await it.picture('tree-light');
    await it.setTheme('Dark Modern');
});

story('a prompt of a pack is opened where it begins, and copied as messages', files, async (it) => {
    await show(it);
    await unfold(it, 'p\\.pack\\.json');
    await row(it, 'two').click();
    await until('the cursor is there', async () => (await it.cursor())?.[0] === 3);
    // A menu closes when the tree is redrawn, as for users.
    await until('they are copied', async () => {
        await row(it, 'two').click({ button: 'right', timeout: 5000 });
        await it.page.locator('.context-view .action-item', { hasText: 'Copy as Messages (JSON)' }).click({ timeout: 5000 });
        await it.page.locator('.statusbar-item', { hasText: 'Messages copied' }).waitFor({ timeout: 5000 });
        return true;
    });
    await it.keyboard.press('Control+Alt+N');
    await it.page.locator('.tab.active', { hasText: 'Untitled-1' }).waitFor();
    await it.keyboard.press('Control+V');
    await until('they are what is pasted', async () => {
        const messages = JSON.parse((await it.lines()).join('\n'));
        return JSON.stringify(messages) === JSON.stringify([{ role: 'system', content: 'Ho' }]);
    });
    await it.keyboard.press('Control+A');
    await it.keyboard.press('Delete');
});
