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
 * How often a story is told at most. VS Code loses a key or a click now and then, in the moment in
 * which it draws what is hit; what went wrong is told with the result.
 */
const TRIES = 2;

/**
 * A story on files that are laid anew. All of a file are told in one window, but for one that has
 * settings of its own; only after one that went wrong is a new window opened.
 */
export function story(name, files, tell, settings) {
    test(name, { timeout: 4 * TRIES * patience }, async (context) => {
        if (settings !== undefined) {
            await closeWindow();
            await until('the language server of the window is gone', () => code.servers().length === 0);
            code.set(settings);
        }
        try {
            for (let left = TRIES - 1; !(await tellOnce(name, files, tell, context, left)); left--);
        } finally {
            if (settings !== undefined) {
                await closeWindow();
                code.set({});
            }
        }
    });
}

/** Whether a story went well. What went wrong is thrown if no try is left. */
async function tellOnce(name, files, tell, context, left) {
    code.folder.lay(files);
    window ??= await Window.open(chromium, code);
    try {
        await tell(window, code, context);
        await window.tidyUp();
        return true;
    } catch (error) {
        const picture = await window.picture(`failed-${name.replaceAll(/\W+/g, '-')}`);
        await closeWindow();
        const message = `${error.message}\nsee ${picture}`;
        if (left === 0) {
            throw new Error(message, { cause: error });
        }
        context.diagnostic(`${name}: told again, for ${message}`);
        return false;
    }
}

async function closeWindow() {
    await window?.close();
    window = undefined;
}
