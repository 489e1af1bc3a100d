// A story that runs in a window of VS Code, as a test.
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
 * The maximum number of tries of a story. VS Code sometimes loses a key press or a click at the
 * moment when the target is redrawn; failures are reported with the result.
 */
const TRIES = 2;

/**
 * A story with new files. All stories of a file share a window, except one with its own settings; a
 * new window is opened only after a failure.
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

/**
 * A story of the long form of the tests alone. Stories with the server or the page prove the same but
 * for VS Code's own part, which is proven by another story here.
 */
story.long = (name, files, tell, settings) => {
    if (process.env.PROMPTLS_TESTS_SHORT) {
        test(name, { skip: 'only in the long form' });
    } else {
        story(name, files, tell, settings);
    }
};

/** Whether a story succeeded. Throws its error if no try is left. */
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
