// The page next to an editor, as in VS Code: its requests to the editor, and how it follows.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser } from '../web/browser.mjs';
import { Reader } from '../web/page/reader.mjs';
import { Served } from '../web/page/served.mjs';
import { until } from '../web/until.mjs';

let chromium, served, it;

const lines = Array.from({ length: 200 }, (_, index) => `Line ${index + 1} of {name}.\n`);

before(async () => {
    chromium = await browser();
    served = await Served.start({
        'p.adk.prompt': `${lines.join('')}{last}\n`,
        'p.adk.inputs.json': '{"name": "Ada", "last": "the\\nend"}\n',
        'q.adk.prompt': 'Another prompt.\n',
    });
    it = await Reader.open(chromium, served.url, { panel: true });
});

after(async () => {
    await chromium?.close();
    await served?.stop();
});

const place = (line, from, to) => ({ start: { line, character: from }, end: { line, character: to } });

test('a click goes to the placeholder, with Alt to the value', async () => {
    const value = it.text.locator('.value').nth(1);
    await value.click();
    await value.click({ modifiers: ['Alt'] });
    await until('both are asked for', async () => (await it.asked('page/reveal')).length === 2);
    assert.deepEqual(await it.asked('page/reveal'), [
        { uri: served.folder.uri('p.adk.prompt'), range: place(1, 10, 16) },
        { uri: served.folder.uri('p.adk.inputs.json'), range: place(0, 9, 14) },
    ]);
    await it.text.locator('.value.lit').nth(0).waitFor();
});

test('a double click on other text goes to that very place', async () => {
    const { x, y } = await it.text.locator('.block').first().boundingBox();
    const before = (await it.asked('page/reveal')).length;
    await it.page.mouse.dblclick(x + 24, y + 10);
    await until('it is asked for', async () => (await it.asked('page/reveal')).length > before);
    const [{ range }] = (await it.asked('page/reveal')).slice(-1);
    assert.equal(range.start.line, 0);
    assert.ok(range.start.character <= 1);
});

test('the cursor of the editor lights all that its placeholder became', async () => {
    await it.say('page/cursor', { uri: served.folder.uri('p.adk.prompt'), position: { line: 200, character: 2 }, reveal: true });
    const lit = it.text.locator('.lit');
    await lit.waitFor();
    assert.equal(await lit.textContent(), 'the\nend');
    assert.ok(await lit.evaluate((node) => node.getBoundingClientRect().top < innerHeight));
});

const scrollTop = () => it.page.locator('#text-panel').evaluate((panel) => panel.scrollTop);

/** Waits until the page has been scrolled, and stores its position. */
function restsElsewhere(before) {
    return until('it rests', async () => {
        const now = await scrollTop();
        return now !== before && (await it.kept()).scroll === now;
    });
}

test('page and editor scroll together', async () => {
    await it.say('page/scroll', { uri: served.folder.uri('p.adk.prompt'), line: 100 });
    const top = () => it.page.evaluate(() => {
        const { top } = document.querySelector('#text-panel').getBoundingClientRect();
        const caret = document.caretRangeFromPoint(60, top + 5);
        return caret.startContainer.textContent.slice(0, 20);
    });
    await until('the line is at the top', async () => /Line 101 of /.test(await top()));
    // The editor is notified during scrolling, and the position is stored when it stops.
    await restsElsewhere(0);
    assert.deepEqual(await it.asked('page/scrolled'), []);

    const first = await scrollTop();
    await it.page.locator('#text-panel').hover();
    await it.page.mouse.wheel(0, 2000);
    await restsElsewhere(first);
    assert.ok((await it.asked('page/scrolled')).some(({ line }) => line > 150), 'the editor is told');

    await it.page.getByRole('button', { name: 'Scroll together' }).click();
    const count = (await it.asked('page/scrolled')).length;
    const second = await scrollTop();
    await it.page.locator('#text-panel').hover();
    await it.page.mouse.wheel(0, -1000);
    await restsElsewhere(second);
    assert.equal((await it.asked('page/scrolled')).length, count);
});

test('pinned, it stays with its prompt until it is told otherwise', async () => {
    const pin = it.page.getByRole('button', { name: 'Pin to this prompt' });
    await pin.click();
    await it.say('page/front', { uri: null, message: 'Nothing is open.' });
    // Messages are handled in order: after this one, the previous one has been handled, too.
    await it.say('page/lost', { message: 'Said later.' });
    await it.page.getByText('Said later.').waitFor();
    assert.ok(await it.text.isVisible());
    await it.say('page/lost', { message: null });
    const shows = await it.asked('page/shows');
    assert.deepEqual(shows.at(-1), { uri: served.folder.uri('p.adk.prompt'), task: null, pinned: true });

    await it.say('page/pin', { pinned: false });
    await it.page.getByText('Nothing is open.').waitFor();
    await it.say('page/front', { uri: served.folder.uri('p.adk.prompt') });
    await it.text.getByText('Line 1 of').waitFor();
});

test('a comparison is shown when the editor asks for it', async () => {
    await it.say('page/compare', null);
    await it.page.locator('#compare-panel').waitFor();
    assert.equal(await it.page.getByRole('tab', { selected: true }).innerText(), 'Compare');
});

test('a text is saved by the editor, which asks where', async () => {
    await it.page.getByRole('button', { name: 'Save the text' }).click();
    await until('it is asked', async () => (await it.asked('page/saveAs')).length === 1);
    const [{ name, text }] = await it.asked('page/saveAs');
    assert.equal(name, 'p.adk.default.resolved.txt');
    assert.match(text, /^Line 1 of Ada\./);
    assert.deepEqual(it.errors, []);
});
