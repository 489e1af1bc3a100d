// Untrusted values are text in every view, and the page sends no requests to other servers.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser } from '../web/browser.mjs';
import { Reader, views } from '../web/page/reader.mjs';
import { Served } from '../web/page/served.mjs';
import { until } from '../web/until.mjs';

const attacks = [
    '<script>globalThis.wasRun = 1</script>',
    '<img src=x onerror="globalThis.wasRun = 2">',
    '<svg onload="globalThis.wasRun = 3"><a href="javascript:globalThis.wasRun=4">x</a></svg>',
    '<iframe srcdoc="<script>parent.wasRun = 5</script>"></iframe>',
    '<style>body { display: none }</style>',
    '<math><mtext><table><mglyph><style><img src=x onerror="globalThis.wasRun = 6">',
    '[a](javascript:globalThis.wasRun=7) ![b](https://example.org/b.png "t") [c](https://example.org/ "on\\"x")',
    '<a href="https://example.org/" onclick="globalThis.wasRun = 8">d</a>',
    '| a | b |\n|:-:|--:|\n| <b>1</b> | 2 |',
    '"><img src=x onerror="globalThis.wasRun = 9">',
    '</textarea><script>globalThis.wasRun = 10</script>',
];
const value = attacks.join('\n\n');
const name = '<img src=x onerror=alert(1)>';

let chromium, served, it;

before(async () => {
    chromium = await browser();
    served = await Served.start({
        '<b>p.adk.prompt': `## System\n{x}\n\n## User\n{${'x'}} {missing_<i>} {gone}\n`,
        '<b>p.adk.inputs.json': JSON.stringify({ x: value, [name]: value, list: [value] }),
        '<b>p.adk.other.inputs.json': JSON.stringify({ x: value.replaceAll('wasRun', 'otherRun') }),
    });
    it = await Reader.open(chromium, served.url);
});

after(async () => {
    await chromium?.close();
    await served?.stop();
});

/** Fails if the page contains any unexpected element. */
async function assertHarmless() {
    const found = await it.page.evaluate(() => {
        const app = document.querySelector('#app');
        const elements = app.querySelectorAll('script, img, iframe, style, link, object, embed, math, base, form[action], a[href], [srcdoc], [src], svg a');
        const handlers = [...app.querySelectorAll('*')].filter((it) => it.getAttributeNames().some((attribute) => attribute.startsWith('on')));
        return { markup: [...elements, ...handlers].map((it) => it.outerHTML), wasRun: globalThis.wasRun };
    });
    assert.deepEqual(found, { markup: [], wasRun: undefined });
}

for (const view of views) {
    test(`values with markup are text: ${view}`, async () => {
        await it.show(view);
        await until('it is drawn', () => it.page.locator(`#${view}-panel`).getByText('globalThis.wasRun = 1', { exact: false }).first().isVisible());
        await assertHarmless();
        const text = await it.page.locator(`#${view}-panel`).evaluate((node) => node.textContent);
        assert.ok(text.includes('<script>globalThis.wasRun = 1</script>'), 'it stands there as it is');
        await it.picture(`markup-${view}`);
    });
}

test('values with markup are text: inputs, problems, tooltips, and names of files', async () => {
    await it.show('text');
    assert.equal(await it.field('x').inputValue(), value);
    await it.pane('problems').getByText('gone').first().waitFor();
    await it.text.locator('.value').first().hover();
    await it.tooltip.filter({ hasText: '<b>p.adk.inputs.json' }).waitFor();
    await assertHarmless();
});

test('an edit with markup is text while it is typed', async () => {
    await it.field('x').fill('<img src=x onerror="globalThis.wasRun = 11">');
    await until('it is drawn', async () => (await it.shownText()).includes('wasRun = 11'));
    await it.show('markdown');
    await it.page.locator('#markdown-panel').getByText('wasRun = 11').first().waitFor();
    await assertHarmless();
});

test('nothing was refused, and nothing was asked for but the page itself', async () => {
    assert.deepEqual(it.errors, []);
    const paths = it.requests.map((it) => new URL(it).pathname.split('/').pop());
    assert.deepEqual([...new Set(paths)].sort(), ['', 'page.css', 'page.js']);
});
