// The page in a browser, together with a VS Code that has the prompt open.
import assert from 'node:assert/strict';
import { browser } from '../../web/browser.mjs';
import { Reader } from '../../web/page/reader.mjs';
import { Served } from '../../web/page/served.mjs';
import { until } from '../../web/until.mjs';
import { letter, renamed } from '../../web/vscode/letter.mjs';
import { story } from '../../web/vscode/story.mjs';

story('what is typed on the page arrives, though VS Code does not show the inputs', renamed(letter, 'beside'), async (it, code) => {
    await it.openFile('beside.adk.prompt');
    await it.status.waitFor();
    const served = await Served.beside(code, 'beside.adk.prompt');
    const chromium = await browser();
    try {
        const reader = await Reader.open(chromium, served.url);
        await until('VS Code answers it', () => reader.page.locator('[aria-label="Scroll together with the editor"]').isVisible());
        const field = reader.field('state');
        await field.click();
        await field.press('End');
        await reader.keyboard.type(' XYZ and more', { delay: 60 });
        await reader.waitForText('Dear Ada,\nyour order 7 is paid XYZ and more.\n');
        assert.equal(await field.inputValue(), 'paid XYZ and more');
        assert.equal(await reader.page.locator('.field-invalid:visible').count(), 0);
        assert.deepEqual(await it.notifications.allInnerTexts(), []);
        assert.deepEqual(reader.errors, []);
    } finally {
        await chromium.close();
        await served.stop();
    }
});
