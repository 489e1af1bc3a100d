// The page in a browser, with the actions of a user.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { patience, until } from '../until.mjs';

const { PROMPTLS_OUT } = process.env;
const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const views = ['text', 'markdown', 'messages', 'cases', 'compare'];

/** The appearances of the page, as browser settings. */
export const themes = {
    light: { colorScheme: 'light', contrast: 'no-preference', forcedColors: 'none' },
    dark: { colorScheme: 'dark', contrast: 'no-preference', forcedColors: 'none' },
    contrast: { colorScheme: 'dark', contrast: 'more', forcedColors: 'none' },
    'contrast-light': { colorScheme: 'light', contrast: 'more', forcedColors: 'none' },
    forced: { colorScheme: 'dark', contrast: 'no-preference', forcedColors: 'active' },
};

export class Reader {
    /**
     * Opens a page, and waits until something is drawn. `panel`: as in VS Code, with an editor next
     * to it.
     */
    static async open(chromium, url, { panel = false, ...options } = {}) {
        const context = await chromium.newContext({ viewport: { width: 1100, height: 720 }, reducedMotion: 'reduce', ...options });
        await context.grantPermissions(['clipboard-read', 'clipboard-write']);
        const page = await context.newPage();
        page.setDefaultTimeout(patience);
        const reader = new Reader(page);
        page.on('pageerror', (error) => reader.errors.push(error.stack));
        page.on('console', (message) => message.type() === 'error' && reader.errors.push(message.text()));
        page.on('request', (request) => reader.requests.push(request.url()));
        if (panel) {
            await page.addInitScript(asPanel);
        }
        await page.goto(url);
        await page.locator('.tab-panels:not(.is-empty) .block').first().waitFor({ state: 'attached' });
        return reader;
    }

    constructor(page) {
        this.page = page;
        this.keyboard = page.keyboard;
        /** Errors in the page, such as rejected scripts and styles. */
        this.errors = [];
        this.requests = [];
        this.text = page.locator('#text');
        this.tooltip = page.getByRole('tooltip');
        this.error = page.locator('#error');
        this.cases = page.getByLabel('Case', { exact: true });
        this.statusMessage = page.locator('.status-message');
        this.unsaved = page.locator('#unsaved');
    }

    close() {
        return this.page.context().close();
    }

    show(view) {
        return this.page.locator(`#tab-${view}`).click();
    }

    /** The resolved text, from the nodes. */
    shownText() {
        return this.text.evaluate((node) => node.textContent);
    }

    async waitForText(expected) {
        let actual;
        await until(`the page shows ${JSON.stringify(expected)}`, async () => {
            actual = await this.shownText();
            return actual === expected;
        }).catch(() => assert.equal(actual, expected));
    }

    /** Moves the pointer onto some words of the text, or of another element. */
    async pointAt(words, where = this.text) {
        const [x, y] = await where.evaluate((text, wanted) => {
            const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) {
                const at = walker.currentNode.data.indexOf(wanted);
                if (at !== -1) {
                    const range = document.createRange();
                    range.setStart(walker.currentNode, at);
                    range.setEnd(walker.currentNode, at + wanted.length);
                    const { left, top, width, height } = range.getBoundingClientRect();
                    return [left + width / 2, top + height / 2];
                }
            }
        }, words);
        await this.page.mouse.move(x, y);
    }

    /** The field for a value of the inputs. */
    field(name) {
        return this.page.getByLabel(name, { exact: true }).and(this.page.locator('input, textarea, select'));
    }

    pane(name) {
        return this.page.locator(`[data-pane="${name}"]`);
    }

    /** The contents of the clipboard. */
    copied() {
        return this.page.evaluate(() => navigator.clipboard.readText());
    }

    /** Sends a message from the editor next to a panel. */
    say(method, params) {
        return this.page.evaluate((message) => window.postMessage(message, '*'), { method, params });
    }

    /** The panel's requests and notifications to the editor. */
    asked(method) {
        return this.page.evaluate((name) => globalThis.asked.filter((it) => it.method === name).map((it) => it.params), method);
    }

    /**
     * The state that the page stores, in a panel. Its scroll position is stored last, once it has
     * stopped.
     */
    kept() {
        return this.page.evaluate(() => globalThis.kept);
    }

    /** Waits until an element has not moved for a few frames. */
    atRest(locator) {
        return locator.evaluate(async (node) => {
            let [last, same] = [undefined, 0];
            for (let frames = 0; same < 5; frames++) {
                if (frames > 600) {
                    throw new Error('it does not come to rest');
                }
                const { top } = node.getBoundingClientRect();
                same = top === last ? same + 1 : 0;
                last = top;
                await new Promise(requestAnimationFrame);
            }
        });
    }

    /** Changes the appearance, one of `themes`, and waits until it is applied. */
    async setTheme(media) {
        await this.page.emulateMedia(media);
        await until('the page looks so', () => this.page.evaluate(() => {
            const has = (kind) => document.body.classList.contains(`vscode-${kind}`);
            const isLight = has('light') || has('high-contrast-light');
            return isLight !== matchMedia('(prefers-color-scheme: dark)').matches && has('high-contrast') === matchMedia('(prefers-contrast: more)').matches;
        }));
    }

    /** The cost of a change: milliseconds to the screen, and drawn blocks. */
    measures() {
        return this.page.evaluate(() => {
            const own = performance.getEntriesByName('promptls:answer-to-paint');
            const all = performance.getEntriesByName('promptls:change-to-paint');
            return all.map(({ duration, detail }, index) => ({ duration, sinceAnswer: own[index].duration, ...detail }));
        });
    }

    /** The number of blocks in all drawings so far. The page counts a drawing after its frame. */
    drawnBlocks() {
        return this.page.evaluate(() => performance.getEntriesByName('promptls:paint')
            .reduce((sum, { detail }) => sum + detail.blocks, 0));
    }

    /** The accessibility problems that axe-core finds, by some of its rules or all of them. */
    async barriers(rules) {
        if (await this.page.evaluate(() => globalThis.axe === undefined)) {
            await this.page.evaluate(axe);
        }
        return this.page.evaluate(async (only) => {
            const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'], ...(only && { runOnly: only }) });
            return violations
                .filter((it) => it.impact === 'serious' || it.impact === 'critical')
                .flatMap((it) => it.nodes.map((node) => `${it.id}: ${node.html.slice(0, 200)} ${node.any.map((any) => any.message).join('; ')}`));
        }, rules);
    }

    async picture(name) {
        fs.mkdirSync(PROMPTLS_OUT, { recursive: true });
        const file = path.join(PROMPTLS_OUT, `${name}.png`);
        await this.page.screenshot({ path: file });
        return file;
    }
}

/** Makes the page run as in VS Code: an editor that records requests, with the real server. */
function asPanel() {
    globalThis.asked = [];
    globalThis.acquireVsCodeApi = () => {
        const socket = new WebSocket(new URL('./socket', location.href.replace('http', 'ws')));
        const waiting = [];
        const send = (message) => (socket.readyState === 1 ? socket.send(JSON.stringify(message)) : waiting.push(message));
        const give = (message) => window.postMessage(message, '*');
        let start;
        socket.addEventListener('open', () => waiting.splice(0).forEach(send));
        socket.addEventListener('message', ({ data }) => {
            const message = JSON.parse(data);
            if (message.id !== undefined && message.id === start) {
                message.result.can = { reveal: true, follow: true, edit: true, save: false, saveAs: true };
            }
            give(message);
        });
        return {
            getState: () => globalThis.kept,
            setState: (state) => (globalThis.kept = structuredClone(state)),
            postMessage(message) {
                const { id, method } = message;
                if (method === 'page/start') {
                    start = id;
                } else if (method?.startsWith('page/')) {
                    globalThis.asked.push(message);
                    if (id !== undefined) {
                        setTimeout(() => give({ id, result: null }));
                    }
                    return;
                }
                send(message);
            },
        };
    };
}
