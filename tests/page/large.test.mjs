// Long texts: how much is drawn for a change, and that the page stays responsive.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser } from '../web/browser.mjs';
import { Reader } from '../web/page/reader.mjs';
import { Served } from '../web/page/served.mjs';
import { patience, until } from '../web/until.mjs';

let chromium;
before(async () => (chromium = await browser()));
after(() => chromium?.close());

/** A prompt of about this many characters, with a value in every fourth line. */
function prompt(length) {
    const lines = [];
    for (let [size, number] = [0, 1]; size < length; number++) {
        const line = `Line ${number}: ${number % 4 ? 'some words that stay as they are, to fill it' : 'for {name} and the {topic} of the day'}.\n`;
        lines.push(line);
        size += line.length;
    }
    return lines;
}

const inputs = { 'long.adk.inputs.json': '{"name": "Ada Lovelace", "topic": "weather"}\n' };

async function opened(lines, tell) {
    const served = await Served.start({ 'long.adk.prompt': lines.join(''), ...inputs });
    let it;
    try {
        it = await Reader.open(chromium, served.url);
        await tell(it, served, lines);
        assert.deepEqual(it.errors, []);
    } finally {
        await it?.close();
        await served.stop();
    }
}

const blocks = (it) => it.page.evaluate(() => document.querySelectorAll('#text > .block').length);
const filled = (it) => it.page.evaluate(() => document.querySelectorAll('#text > .block:not(:empty)').length);

/** Changes a line on disk; returns the number of drawn blocks and the time. */
async function change(it, served, lines, index, text) {
    const before = (await it.measures()).length;
    const next = lines.with?.(index, text) ?? lines.map((line, at) => (at === index ? text : line));
    served.folder.write('long.adk.prompt', next.join(''));
    await until('it is drawn', async () => (await it.measures()).length > before);
    return (await it.measures()).at(-1);
}

test('100 KB: a change draws a block or two', { timeout: 2 * patience }, async (context) => {
    await opened(prompt(100_000), async (it, served, lines) => {
        const all = await blocks(it);
        assert.ok(all > 50, `${all} blocks`);
        const [durations, own] = [[], []];
        for (let round = 0; round < 8; round++) {
            // Visible, far below, and with one line more or less.
            const index = [3, 900, 40, 1200][round % 4];
            const { blocks: drawn, duration, sinceAnswer } = await change(it, served, lines, index, `Changed ${round}.\n${round % 2 ? 'And one more.\n' : ''}`);
            assert.ok(drawn <= 6, `${drawn} of ${all} blocks were drawn`);
            durations.push(duration);
            own.push(sinceAnswer);
        }
        const median = (all) => all.sort((a, b) => a - b)[all.length / 2].toFixed(0);
        context.diagnostic(`from the change to the screen: ${median(durations)} ms, the page's part ${median(own)} ms (medians of 8)`);
    });
});

test('100 KB: a value that stands in many places is drawn in these, and nowhere else', { timeout: 2 * patience }, async () => {
    // In every second group of a hundred lines.
    const lines = prompt(100_000).map((line, index) => (index % 200 < 100 ? line : line.replace('{topic}', 'news')));
    await opened(lines, async (it) => {
        const block = (filter) => it.text.locator('.block').filter(filter);
        await until('all blocks have nodes', async () => (await filled(it)) === (await blocks(it)));
        await until('the first drawing is counted', async () => (await it.drawnBlocks()) >= (await blocks(it)));
        const before = await it.drawnBlocks();
        await it.text.locator('.block').evaluateAll((blocks) => blocks.forEach((block) => (block.isOld = true)));
        const holding = await block({ hasText: 'weather' }).count();
        const all = await blocks(it);
        assert.ok(holding > 20 && holding < all * 0.75, `${holding} of ${all} blocks hold it`);

        // The same length as before, so that blocks keep their ends.
        await it.field('topic').fill('climate');
        await it.text.getByText('climate').first().waitFor();
        await until('the old one is gone', async () => (await block({ hasText: 'weather' }).count()) === 0);
        await until('all blocks have nodes', async () => (await filled(it)) === (await blocks(it)));
        assert.equal(await block({ hasText: 'climate' }).count(), holding);
        const isOld = (found) => found.evaluateAll((blocks) => blocks.filter((block) => block.isOld).length);
        assert.equal(await isOld(block({ hasText: 'climate' })), 0, 'those that hold it are new');
        assert.equal(await isOld(it.text.locator('.block')), all - holding, 'all others are the old ones');
        await until('the change is counted', async () => (await it.drawnBlocks()) - before >= holding);
        assert.equal((await it.drawnBlocks()) - before, holding, 'and each was drawn once');
    });
});

test('100 KB as Markdown: a change draws a piece', { timeout: 2 * patience }, async (context) => {
    // Each line is a paragraph.
    await opened(prompt(100_000).map((line) => `${line}\n`), async (it, served, lines) => {
        await it.show('markdown');
        await it.page.locator('.markdown .value').first().waitFor();
        for (const index of [3, 900]) {
            const { blocks: drawn, sinceAnswer } = await change(it, served, lines, index, `Changed for *{name}*.\n\n`);
            assert.ok(drawn <= 2, `${drawn} pieces were drawn`);
            context.diagnostic(`the page's part: ${sinceAnswer.toFixed(0)} ms`);
        }
    });
});

test('1 MB: what is in sight is drawn first, and the rest can be scrolled to and found', { timeout: 2 * patience }, async (context) => {
    await opened(prompt(1_000_000), async (it, served, lines) => {
        const all = await blocks(it);
        await it.page.locator('#text-panel').evaluate((node) => node.scrollTo(0, node.scrollHeight));
        await until('the end is in sight', () => it.page.evaluate((wanted) => {
            const { bottom } = document.querySelector('#text-panel').getBoundingClientRect();
            const last = [...document.querySelectorAll('#text > .block')].at(-1);
            return last.textContent.includes(wanted) && last.getBoundingClientRect().top < bottom;
        }, `Line ${lines.length}:`));
        // At the end, all of it has nodes, so that the browser's search finds words anywhere.
        await until('all is drawn', async () => (await filled(it)) === (await blocks(it)));

        const middle = Math.floor(lines.length / 2);
        const seen = () => it.page.evaluate(() => {
            const { top } = document.querySelector('#text-panel').getBoundingClientRect();
            return document.caretRangeFromPoint(60, top + 30).startContainer.textContent.slice(0, 40);
        });
        await it.page.locator('#text-panel').evaluate((node) => node.scrollTo(0, node.scrollHeight / 2));
        await it.atRest(it.text);
        const before = await seen();
        // Two more lines above do not move the visible text.
        const { blocks: drawn, duration, sinceAnswer } = await change(it, served, lines, 10, 'New.\nNew.\nNew.\n');
        assert.equal(await seen(), before);
        assert.ok(drawn <= 6, `${drawn} of ${all} blocks were drawn, of ${middle} lines`);
        context.diagnostic(`from the change to the screen: ${duration.toFixed(0)} ms, the page's part ${sinceAnswer.toFixed(0)} ms`);
    });
});

test('4 MB: it opens, and is scrolled', { timeout: 2 * patience }, async (context) => {
    await opened(prompt(4_000_000), async (it) => {
        const [all, some] = [await blocks(it), await filled(it)];
        assert.ok(some < all / 10, `${some} of ${all} blocks have nodes`);
        const frame = await it.page.evaluate(async () => {
            const view = document.querySelector('#text-panel');
            let longest = 0;
            for (let step = 1; step <= 20; step++) {
                const start = performance.now();
                view.scrollTo(0, (view.scrollHeight / 20) * step);
                await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
                longest = Math.max(longest, performance.now() - start);
            }
            return longest;
        });
        context.diagnostic(`the longest of 20 jumps took ${frame.toFixed(0)} ms`);
        assert.match(await it.page.evaluate(() => [...document.querySelectorAll('#text > .block:not(:empty)')].at(-1).textContent), /Line \d+/);
    });
});

test('a line of half a million characters is drawn, too', { timeout: 2 * patience }, async () => {
    const served = await Served.start({ 'wide.adk.prompt': `${'word '.repeat(100_000)}{x}\n`, 'wide.adk.inputs.json': '{"x": "end"}\n' });
    let it;
    try {
        it = await Reader.open(chromium, served.url);
        assert.ok((await blocks(it)) > 20);
        await until('its end is in sight', async () => {
            await it.page.locator('#text-panel').evaluate((node) => node.scrollTo(0, node.scrollHeight));
            return it.text.locator('.value', { hasText: 'end' }).isVisible();
        });
    } finally {
        await it?.close();
        await served.stop();
    }
});
