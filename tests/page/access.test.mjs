// Accessibility of the page: with a screen reader, with the keyboard only, enlarged, in any
// colours.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser } from '../web/browser.mjs';
import { examples } from '../web/folder.mjs';
import { Reader, themes, views } from '../web/page/reader.mjs';
import { Served } from '../web/page/served.mjs';
import { patience, until } from '../web/until.mjs';

let chromium, served;

const sizes = { wide: { width: 1100, height: 720 }, narrow: { width: 320, height: 640 } };

before(async () => {
    chromium = await browser();
    served = await Served.start({
        ...examples('adk', 'support.adk.prompt'),
        // A case with many problems, so that all elements are visible.
        'support.adk.broken.inputs.json': JSON.stringify({
            'app:company': 'Velo\u200b & S\u202eons', 'user:name': 'Ada <b>Byron</b>', ticket_id: 'T-1', unused: [1, 2, 3],
        }),
    });
});

after(async () => {
    await chromium?.close();
    await served?.stop();
});

async function drawn(it, view) {
    await it.show(view);
    if (view === 'cases') {
        await until('all cases are drawn', async () => (await it.page.locator('.column .text-view:empty').count()) === 0);
    }
    if (view === 'compare') {
        await it.page.locator('.summary:not(:empty)').waitFor();
    }
    await it.pane('size').getByText('Tokens', { exact: true }).waitFor({ state: 'attached' });
}

for (const [size, viewport] of Object.entries(sizes)) {
    test(`nothing keeps people out: ${size}`, { timeout: 2 * patience }, async () => {
        const it = await Reader.open(chromium, served.url, { viewport });
        for (const chosen of ['broken', 'default']) {
            await it.cases.selectOption(chosen);
            await until('it is shown', async () => (await it.error.isVisible()) === (chosen === 'broken'));
            for (const view of chosen === 'broken' ? ['text'] : views) {
                await drawn(it, view);
                for (const [theme, media] of Object.entries(themes)) {
                    await it.setTheme(media);
                    // With other colours, the elements are the same.
                    const rules = theme === 'light' ? undefined : ['color-contrast'];
                    assert.deepEqual(await it.barriers(rules), [], `${view}, ${chosen}, ${size}, ${theme}`);
                    await it.picture(`${chosen === 'broken' ? 'broken' : view}-${theme}-${size}`);
                }
                await it.setTheme(themes.light);
            }
        }
        assert.deepEqual(it.errors, []);
        await it.close();
    });
}

test('nothing keeps people out: help, a new case, and a tooltip', async () => {
    const it = await Reader.open(chromium, served.url);
    await it.cases.selectOption('default');
    await it.page.getByRole('button', { name: 'Keys' }).click();
    assert.deepEqual(await it.barriers(), []);
    await it.picture('help');
    await it.keyboard.press('Escape');
    await it.page.getByRole('button', { name: 'New case…' }).click();
    assert.deepEqual(await it.barriers(), []);
    await it.picture('new-case');
    await it.keyboard.press('Escape');
    await it.text.locator('.value').first().hover();
    await it.tooltip.waitFor();
    assert.deepEqual(await it.barriers(), []);
    await it.picture('tooltip');
    await it.close();
});

test('keys alone reach everything', async () => {
    const it = await Reader.open(chromium, served.url);
    await it.cases.selectOption('default');
    await it.error.waitFor({ state: 'hidden' });
    await it.pane('size').getByText('Tokens', { exact: true }).waitFor({ state: 'attached' });
    const focus = () => it.page.evaluate(() => {
        const on = document.activeElement;
        return on.getAttribute('aria-label') ?? on.textContent;
    });
    const focused = (name) => until(`the focus is on ${name}`, async () => (await focus()).match(name));
    const seen = [];
    await it.page.evaluate(() => document.activeElement.blur());
    await it.page.evaluate(() => getSelection().removeAllRanges());
    await it.keyboard.press('Tab');
    for (let step = 0; step < 14; step++) {
        seen.push(await focus());
        const outline = await it.page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
        assert.notEqual(outline, 'none', `the focus is seen on ${seen.at(-1)}`);
        await it.keyboard.press('Tab');
    }
    for (const name of ['Case', 'New case…', 'Text', 'Show white space (W)', 'Resolved text']) {
        assert.ok(seen.includes(name), `${name} is among ${seen.join(' | ')}`);
    }
    assert.ok(seen.some((it) => /Inputs/.test(it)));

    // Selects views with arrow keys.
    await it.page.locator('#tab-text').focus();
    await it.keyboard.press('ArrowRight');
    await focused(/^Markdown$/);
    await it.page.locator('#markdown-panel').waitFor();
    await it.keyboard.press('End');
    await it.page.locator('#compare-panel').waitFor();
    await it.keyboard.press('Home');
    await drawn(it, 'text');

    // Moves through the values, and to their sources.
    await it.page.locator('#text-panel').focus();
    await it.keyboard.press('n');
    await focused(/^Velo & Sons$/);
    await it.tooltip.filter({ hasText: 'app:company' }).waitFor();
    await it.keyboard.press('n');
    await focused(/^Ada Byron$/);
    await it.keyboard.press('Alt+Enter');
    await it.statusMessage.filter({ hasText: 'support.adk.inputs.json:4' }).waitFor();
    await it.keyboard.press('Enter');
    await it.statusMessage.filter({ hasText: 'support.adk.prompt:2' }).waitFor();
    await it.keyboard.press('Shift+N');
    await focused(/^Velo & Sons$/);
    await it.keyboard.press('Escape');

    // Selects views, panes and help by letters.
    await it.keyboard.press('3');
    await it.page.locator('#messages-panel').waitFor();
    await it.keyboard.press('p');
    await focused(/Problems/);
    await it.keyboard.press('Escape');
    await it.keyboard.press('?');
    await it.page.getByRole('dialog').waitFor();
    await it.keyboard.press('Escape');
    await it.page.getByRole('dialog').waitFor({ state: 'hidden' });
    await it.keyboard.press('i');
    await focused(/Inputs/);
    await it.keyboard.press('Enter');
    await it.field('app:company').waitFor({ state: 'hidden' });
    await it.keyboard.press('Enter');
    // Letters are input in a field.
    await it.field('app:company').focus();
    await it.keyboard.type('cwn?');
    await until('it is typed', async () => /cwn\?/.test(await it.field('app:company').inputValue()));
    assert.deepEqual(it.errors, []);
    await it.close();
});

test('at 200% and 400%, and at 320 pixels, nothing is cut off at the side', { timeout: 2 * patience }, async () => {
    const screens = { '200%': { width: 550, height: 360 }, '400%': { width: 320, height: 256 }, narrow: { width: 320, height: 640 } };
    for (const [name, viewport] of Object.entries(screens)) {
        const it = await Reader.open(chromium, served.url, { viewport, deviceScaleFactor: 2 });
        for (const view of views) {
            await drawn(it, view);
            const { page, cut } = await it.page.evaluate(() => ({
                page: document.documentElement.scrollWidth - innerWidth,
                cut: [...document.querySelectorAll('.toolbar button, .toolbar select, .footer button, .side button, .side textarea, .compare-bar :is(button, select)')]
                    .filter((it) => it.checkVisibility() && !it.closest('[hidden]'))
                    .filter((it) => it.getBoundingClientRect().right > innerWidth + 1 || it.getBoundingClientRect().left < -1)
                    .map((it) => it.outerHTML.slice(0, 100)),
            }));
            assert.ok(page <= 0, `${view} at ${name} is ${page} px too wide`);
            assert.deepEqual(cut, [], `${view} at ${name}`);
            const height = await it.page.locator(`#${view}-panel`).evaluate((node) => node.clientHeight);
            assert.ok(height >= 60, `${view} at ${name} is ${height} px high`);
            await it.picture(`${view}-at-${name.replace('%', '')}`);
        }
        await it.close();
    }
});

test('what the reader likes is kept', async () => {
    const it = await Reader.open(chromium, served.url);
    await it.show('messages');
    await it.page.getByRole('button', { name: 'Inputs, size and problems' }).click();
    await it.page.reload();
    await it.page.locator('#messages-panel').waitFor();
    assert.equal(await it.page.locator('.side').isVisible(), false);
    await it.close();
});
