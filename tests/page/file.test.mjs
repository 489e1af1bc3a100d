// The page in a file, as written by `promptls preview --html`: it shows its data, and needs no
// server.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { browser } from '../web/browser.mjs';
import { Folder, newHome, removeHome } from '../web/folder.mjs';
import { Reader } from '../web/page/reader.mjs';
import { until } from '../web/until.mjs';

const { PROMPTLS_BINARY } = process.env;

let chromium, home, it;

before(async () => {
    chromium = await browser();
    home = newHome();
    const folder = new Folder(home);
    folder.lay({
        'letter.adk.prompt': 'Dear {name},\n</script><script>globalThis.wasRun = 1</script> {x}\n',
        'letter.adk.inputs.json': JSON.stringify({ name: 'Ada', x: '</script><!-- <script>globalThis.wasRun = 2</script>' }),
        'letter.adk.late.inputs.json': JSON.stringify({ name: 'Bob', x: '' }),
    });
    execFileSync(PROMPTLS_BINARY, ['preview', '--html', 'page.html', 'letter.adk.prompt'], { cwd: home, stdio: 'pipe' });
    it = await Reader.open(chromium, folder.uri('page.html'));
});

after(async () => {
    await chromium?.close();
    removeHome(home);
});

const text = 'Dear Ada,\n</script><script>globalThis.wasRun = 1</script> </script><!-- <script>globalThis.wasRun = 2</script>\n';

test('it shows the text, and another case when it is selected', async () => {
    await it.waitForText(text);
    await it.cases.selectOption('late');
    await until('it is shown', async () => (await it.shownText()).startsWith('Dear Bob'));
    await it.cases.selectOption('default');
    await it.waitForText(text);
    assert.equal(await it.page.evaluate(() => globalThis.wasRun), undefined);
});

test('it compares, counts and lists', async () => {
    await it.show('compare');
    await it.page.locator('.diff del', { hasText: 'Ada' }).waitFor();
    assert.equal(await it.page.getByRole('option', { name: 'Another revision…' }).count(), 0);
    await it.show('cases');
    await it.page.getByRole('region', { name: 'Case late' }).getByText('Bob').waitFor();
    await it.pane('size').getByText('Tokens', { exact: true }).waitFor();
    await it.show('text');
});

test('nothing can be edited, and nothing is asked for', async () => {
    await it.field('name').waitFor();
    assert.equal(await it.field('name').getAttribute('readonly'), '');
    // Nor does it look editable.
    const look = await it.field('name').evaluate((node) => {
        const { borderTopColor, backgroundColor } = getComputedStyle(node);
        return [borderTopColor, backgroundColor];
    });
    assert.deepEqual(look, ['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)']);
    assert.equal(await it.page.getByRole('button', { name: 'New case…' }).isVisible(), false);
    assert.deepEqual(it.requests.filter((url) => !url.startsWith('file:') && !url.startsWith('data:')), []);
    assert.deepEqual(it.errors, []);
    await it.picture('file');
});
