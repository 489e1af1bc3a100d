// A new user of VS Code: the extension and the file of the README's commands, and the keys that it
// lists.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { browser } from '../web/browser.mjs';
import { patience, until } from '../web/until.mjs';
import { CodeServer } from '../web/vscode/code-server.mjs';
import { Window } from '../web/vscode/window.mjs';

const { PROMPTLS_OPENED } = process.env;
const readme = fs.readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const [, keys] = /Then press `([^`]+)`/.exec(readme);

test('VS Code: from the README to a live preview', { timeout: 4 * patience }, async () => {
    const [code, chromium] = await Promise.all([CodeServer.start(), browser()]);
    try {
        const folder = path.dirname(PROMPTLS_OPENED);
        fs.cpSync(folder, code.folder.path, { recursive: true });
        const window = await Window.open(chromium, code);
        await window.openFile(path.basename(PROMPTLS_OPENED));
        await window.status.waitFor();
        for (const key of keys.split(' ')) {
            await window.keyboard.press(key.replace('Ctrl', 'Control').replace(/^V$/, 'v'));
        }
        await window.preview.locator('#text', { hasText: 'You answer customers of Velo & Sons,' }).waitFor();

        await window.goTo(1);
        await window.type('{user:name} ');
        await until('the preview shows what was typed', async () =>
            (await window.previewText()).startsWith('Ada Byron You answer customers'));
    } finally {
        await chromium.close();
        await code.stop();
    }
});
