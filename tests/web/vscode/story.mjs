// A story that is told in a window of VS Code, as a test.
import { after, before, test } from 'node:test';
import { browser } from '../browser.mjs';
import { patience, until } from '../until.mjs';
import { CodeServer } from './code-server.mjs';
import { Window } from './window.mjs';

let code, chromium, window;

before(async () => {
    [code, chromium] = await Promise.all([CodeServer.start(), browser()]);
});

after(async () => {
    await chromium?.close();
    await code?.stop();
});

/**
 * A story on files that are laid anew. All of a file are told in one window, but for one that has
 * settings of its own; only after one that went wrong is a new window opened.
 */
export function story(name, files, tell, settings) {
    test(name, { timeout: 4 * patience }, async (context) => {
        if (settings !== undefined) {
            await closeWindow();
            await until('the language server of the window is gone', () => code.servers().length === 0);
            code.set(settings);
        }
        code.folder.lay(files);
        window ??= await Window.open(chromium, code);
        try {
            await tell(window, code, context);
            await window.tidyUp();
        } catch (error) {
            const picture = await window.picture(`failed-${name.replaceAll(/\W+/g, '-')}`);
            await closeWindow();
            throw new Error(`${error.message}\nsee ${picture}`, { cause: error });
        } finally {
            if (settings !== undefined) {
                await closeWindow();
                code.set({});
            }
        }
    });
}

async function closeWindow() {
    await window?.close();
    window = undefined;
}
