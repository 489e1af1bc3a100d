// In every built-in theme of VS Code, the texts and controls of the page are readable.
import assert from 'node:assert/strict';
import { contrasts } from '../../web/page/contrast.mjs';
import { story } from '../../web/vscode/story.mjs';
import { setTheme, themes } from '../../web/vscode/themes.mjs';

const views = ['markdown', 'messages', 'cases', 'compare', 'text'];

// Many problems, so that there are colours for errors, warnings and budgets.
story('every control of the page is readable in every theme', {
    'seen.adk.prompt': 'You are support of {app:company}.\n{gone}\n{notes?}\n{question}\n',
    'seen.adk.inputs.json': '{"app:company": "Velo & Sons", "question": "Where?", "limit": 5, "list": ["a"]}\n',
    'seen.adk.late.inputs.json': '{"app:company": "Velo & Sons", "gone": "x", "question": "WHY?"}\n',
    'promptls.toml': "[[prompts]]\nfiles = ['*.adk.prompt']\nmax_tokens = 5\n",
}, async (it, code) => {
    await it.openFile('seen.adk.prompt');
    await it.status.waitFor();
    await it.openPreview();
    for (const view of views) {
        await it.preview.locator(`#tab-${view}`).click();
        await it.preview.locator(`#${view}-panel`).waitFor();
    }
    await it.preview.locator('.diff del').first().waitFor({ state: 'attached' });
    await it.preview.locator('.column .run.value').first().waitFor({ state: 'attached' });
    await it.preview.locator('.budget.over').waitFor({ state: 'attached' });
    const faint = [];
    for (const theme of themes) {
        await setTheme(it, code, theme);
        await it.preview.locator(`body[data-vscode-theme-id="${theme.id}"]`).waitFor();
        const measured = await contrasts(it.preview.locator('body'));
        assert.ok(measured.some(({ text }) => text === 'Last commit'), 'controls are measured');
        faint.push(...measured.filter((it) => it.isFaint).map(({ name, text, state, ratio }) => `${name} “${text}”, ${state}, in ${theme.id}: ${ratio.toFixed(2)}`));
    }
    assert.deepEqual(faint, []);
});
