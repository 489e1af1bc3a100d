// A story about a prompt and a page that shows it, as a test.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser } from '../browser.mjs';
import { patience } from '../until.mjs';
import { Reader } from './reader.mjs';
import { Served } from './served.mjs';

let chromium;
before(async () => (chromium = await browser()));
after(() => chromium?.close());

/**
 * Serves the first of some files, opens a page and runs the story with both, and with the server.
 * `commit`: the files are in a repository; `task`: the prompt of a pack; other options are for the
 * page.
 */
export function story(name, files, tell, { commit, task, ...options } = {}) {
    test(name, { timeout: 2 * patience }, async () => {
        const served = await Served.start(files, { commit, task });
        let reader;
        try {
            reader = await Reader.open(chromium, served.url, options);
            await tell(reader, served.folder, served);
            assert.deepEqual(reader.errors, []);
        } catch (error) {
            const picture = await reader?.picture(`failed-${name.replaceAll(/\W+/g, '-')}`);
            throw new Error(`${error.message}\nsee ${picture}`, { cause: error });
        } finally {
            await reader?.close();
            await served.stop();
        }
    });
}

/** Another page with the same address. */
export function otherPage(url) {
    return Reader.open(chromium, url);
}
