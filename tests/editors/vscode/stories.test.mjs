// What users do with prompts in VS Code, a story each, on files laid anew.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { browser } from '../../web/browser.mjs';
import { examples } from '../../web/folder.mjs';
import { until } from '../../web/until.mjs';
import { CodeServer } from '../../web/vscode/code-server.mjs';
import { Window } from '../../web/vscode/window.mjs';

let code, chromium, window;

const { PROMPTLS_BINARY } = process.env;

const { version: release } = JSON.parse(
    fs.readFileSync(new URL('../../../editors/vscode/package.json', import.meta.url), 'utf8'),
);
/** As long as the real one, so that messages keep their length. */
const otherName = release.replaceAll(/\d/g, '9');

before(async () => {
    [code, chromium] = await Promise.all([CodeServer.start(), browser()]);
});

after(async () => {
    await chromium?.close();
    await code?.stop();
});

/** A story. All are told in one window; only after one that went wrong is a new one opened. */
function story(name, files, tell) {
    test(name, { timeout: 90_000 }, async (context) => {
        code.folder.lay(files);
        window ??= await Window.open(chromium, code);
        try {
            await tell(window, context);
            await window.tidyUp();
        } catch (error) {
            const picture = await window.picture(`failed-${name.replaceAll(/\W+/g, '-')}`);
            await window.close();
            window = undefined;
            throw new Error(`${error.message}\nsee ${picture}`, { cause: error });
        }
    });
}

const letter = {
    'letter.adk.prompt': 'Dear {user:name},\nyour order {order_id} is {state}.\n',
    'letter.adk.inputs.json': '{"user:name": "Ada", "order_id": 7, "state": "paid"}\n',
    'letter.adk.late.inputs.json': '{"user:name": "Bob", "order_id": 8, "state": "late"}\n',
};

/** The same files under another name: the case that is selected for a prompt is remembered. */
const renamed = (files, name) =>
    Object.fromEntries(Object.entries(files).map(([file, text]) => [file.replace('letter', name), text]));

story('a misspelt placeholder is underlined until it is corrected', letter, async (it) => {
    await it.openFile('letter.adk.prompt');
    await it.goTo(3);
    await it.type('Bye {staet}');
    await it.waitForSquiggles(1);

    await it.goTo(3, 7);
    for (let i = 0; i < 4; i++) {
        await it.keyboard.press('Delete');
    }
    await it.type('tate');
    await it.waitForSquiggles(0);
});

story('the code of a problem leads to a page that explains it', letter, async (it) => {
    await it.openFile('letter.adk.prompt');
    await it.goTo(3);
    await it.type('Bye {staet}');
    await it.waitForSquiggles(1);
    await it.problems();
    await it.page.locator('.markers-panel a', { hasText: 'undefined-placeholder' }).click();
    await it.page.locator('.tab.active', { hasText: 'undefined-placeholder.md' }).waitFor();
    await until('the page is there', async () => (await it.lines()).join('').includes('has no value'));
});

story('a quick fix puts in the name that was meant', letter, async (it) => {
    await it.openFile('letter.adk.prompt');
    await it.goTo(3);
    await it.type('Bye {staet}');
    await it.waitForSquiggles(1);
    await it.goTo(3, 7);
    await it.keyboard.press('Control+.');
    const menu = it.page.locator('.action-widget .monaco-list-row');
    await menu.filter({ hasText: 'state' }).first().waitFor();
    await it.picture('quick-fix');
    await menu.filter({ hasText: 'state' }).first().click();
    await until('the name is mended', async () =>
        (await it.lines()).some((line) => line.startsWith('Bye {state}')),
    );
    await it.waitForSquiggles(0);
});

story('renaming a placeholder renames its key in all inputs', renamed(letter, 'rename'), async (it) => {
    await it.openFile('rename.adk.prompt');
    await it.status.waitFor();
    await it.goTo(2, 15);
    await it.keyboard.press('F2');
    const input = it.page.locator('.rename-box input');
    await input.waitFor();
    await input.fill('number');
    await it.keyboard.press('Enter');
    await until('the prompt has it', async () => (await it.lines()).join().includes('{number}'));
    await it.run('File: Save All Files');
    for (const file of ['rename.adk.inputs.json', 'rename.adk.late.inputs.json']) {
        await until(`${file} has it`, () => 'number' in JSON.parse(code.folder.read(file)));
    }
    assert.equal(await it.squiggles.count(), 0);
});

story('hovering shows the value in every case', letter, async (it) => {
    await it.openFile('letter.adk.prompt');
    await it.status.waitFor();
    await it.goTo(2, 15);
    const hover = await it.hover();
    assert.match(hover, /order_id/);
    assert.match(hover, /7/);
    assert.match(hover, /8/);
});

story('completion inserts a name of the inputs', letter, async (it) => {
    await it.openFile('letter.adk.prompt');
    await it.status.waitFor();
    await it.goTo(3);
    await it.type('{ord');
    await it.completions.filter({ hasText: 'order_id' }).first().waitFor();
    await it.keyboard.press('Tab');
    await until('the name is there', async () =>
        (await it.lines()).some((line) => line.startsWith('{order_id}')),
    );
    await it.waitForSquiggles(0);
});

story('the preview follows the text, the inputs and the case', letter, async (it) => {
    await it.openFile('letter.adk.prompt');
    await it.status.waitFor();
    await it.openPreview();
    await it.waitForPreview('Dear Ada,\nyour order 7 is paid.\n');

    await it.goTo(3);
    await it.type('Yours, {user:name}');
    await it.waitForPreview('Dear Ada,\nyour order 7 is paid.\nYours, Ada');

    await it.selectCase('late');
    await it.waitForPreview('Dear Bob,\nyour order 8 is late.\nYours, Bob');
    await until('the status bar says so', async () => (await it.status.innerText()).includes('late'));

    await it.preview.locator('select.case').selectOption('default');
    await it.waitForPreview('Dear Ada,\nyour order 7 is paid.\nYours, Ada');

    await it.openFile('letter.adk.inputs.json');
    await it.goTo(1, 16);
    await it.type('Grace and ');
    await it.waitForPreview('Dear Grace and Ada,\nyour order 7 is paid.\nYours, Grace and Ada');

    // While they do not parse, the last text stays and says so.
    await it.type('"');
    await it.preview.locator('#stale', { hasText: 'letter.adk.inputs.json' }).waitFor();
    assert.match(await it.previewText(), /^Dear Grace and Ada,/);
    await it.keyboard.press('Backspace');
    await it.preview.locator('#stale').waitFor({ state: 'hidden' });
});

story('a missing value is marked, and the engine’s error is said', letter, async (it) => {
    await it.openFile('letter.adk.prompt');
    await it.status.waitFor();
    await it.openPreview();
    await it.goTo(3);
    await it.type('{gone}');
    await it.preview.locator('#text .missing', { hasText: 'gone' }).waitFor();
    await it.preview.locator('#error', { hasText: 'gone' }).waitFor();
    await until('the status bar counts it', async () => /1/.test(await it.status.innerText()));
});

story('a value in the preview leads to its placeholder, and to where it is written', letter, async (it) => {
    await it.openFile('letter.adk.prompt');
    await it.status.waitFor();
    await it.openPreview();
    await it.preview.getByText('paid').click();
    await until('the cursor is there', async () => {
        const [line, column] = await it.cursor();
        return line === 2 && column >= 25;
    });
    await it.preview.locator('.lit', { hasText: 'paid' }).waitFor();

    await it.preview.getByText('paid').click({ modifiers: ['Alt'] });
    await it.page.locator('.tab.active', { hasText: 'letter.adk.inputs.json' }).waitFor();
});

story('the cursor lights all that its placeholder becomes', {
    'list.agentle.prompt': '{{title}}\n{{#each people}}- {{this.name}}\n{{/each}}\n',
    'list.agentle.inputs.json': '{"title": "Who comes", "people": [{"name": "Ada"}, {"name": "Bob"}]}\n',
}, async (it) => {
    const lit = async () => (await it.preview.locator('#text .lit').allInnerTexts()).join();
    await it.openFile('list.agentle.prompt');
    await it.status.waitFor();
    await it.openPreview();
    await it.leaveSide();
    await it.goTo(1, 4);
    await until('the title is lit', async () => (await lit()) === 'Who comes');
    await it.goTo(2, 25);
    await until('both names are lit', async () => (await lit()) === 'Ada,Bob');
});

story('values are shown as the text that they are', {
    'a.adk.prompt': 'A {x} B\n',
    'a.adk.inputs.json': JSON.stringify({ x: '<img src=x onerror="document.title=1"><b>bold</b>' }),
}, async (it) => {
    await it.openFile('a.adk.prompt');
    await it.status.waitFor();
    await it.openPreview();
    await it.waitForPreview('A <img src=x onerror="document.title=1"><b>bold</b> B\n');
    assert.equal(await it.preview.locator('#text img, #text b').count(), 0);
});

story('the pointer says where a value comes from', letter, async (it) => {
    await it.openFile('letter.adk.prompt');
    await it.status.waitFor();
    await it.openPreview();
    await it.preview.locator('.value', { hasText: 'paid' }).hover();
    const tip = it.preview.getByRole('tooltip');
    await tip.filter({ hasText: 'state' }).filter({ hasText: 'letter.adk.inputs.json' }).waitFor();
});

story('a value is edited in the preview, and can be undone in its file', renamed({
    ...letter,
    'letter.adk.inputs.json': '{\n    // who it is for\n    "user:name": "Ada",\n    "order_id": 7, "state": "paid"\n}\n',
}, 'edit'), async (it) => {
    await it.openFile('edit.adk.inputs.json');
    await it.openFile('edit.adk.prompt');
    await it.status.waitFor();
    await it.openPreview();
    await it.preview.getByRole('button', { name: 'Inputs, size and problems' }).click();
    const field = it.preview.getByRole('textbox', { name: 'user:name' });
    await field.fill('Grace\nHopper');
    await it.waitForPreview('Dear Grace\nHopper,\nyour order 7 is paid.\n');
    await field.fill('Grace');
    await it.waitForPreview('Dear Grace,\nyour order 7 is paid.\n');
    // Nothing is saved until the user does it.
    assert.match(code.folder.read('edit.adk.inputs.json'), /"Ada"/);
    await it.page.locator('.tab.dirty', { hasText: 'edit.adk.inputs.json' }).waitFor();

    await it.leaveSide();
    await it.openFile('edit.adk.inputs.json');
    await until('the comment is still there', async () => {
        const lines = (await it.lines()).map((line) => line.trim());
        return lines.includes('// who it is for') && lines.includes('"user:name": "Grace",');
    });
    await until('it can be undone', async () => {
        await it.keyboard.press('Control+Z');
        return (await it.lines()).join('').includes('"Ada"');
    });
    await it.waitForPreview('Dear Ada,\nyour order 7 is paid.\n');
});

story('two cases are compared word by word', renamed(letter, 'compare'), async (it) => {
    await it.openFile('compare.adk.prompt');
    await it.status.waitFor();
    await it.run('promptls: Diff Cases');
    const view = it.preview.locator('#compare-panel');
    await view.locator('ins', { hasText: 'late' }).first().waitFor();
    await it.picture('compare');
});

story('a pinned preview stays, and the next one follows', {
    'one.adk.prompt': 'one {x}\n',
    'two.adk.prompt': 'two {x}\n',
    'one.adk.inputs.json': '{"x": 1}\n',
    'two.adk.inputs.json': '{"x": 2}\n',
}, async (it) => {
    await it.openFile('one.adk.prompt');
    await it.status.waitFor();
    await it.openPreview();
    await it.waitForPreview('one 1\n');
    await it.run('promptls: Pin or Unpin Preview');
    await it.page.locator('.tab', { hasText: '[Preview] one.adk.prompt' }).waitFor();
    await it.openFile('two.adk.prompt');
    await until('two is the prompt', async () => (await it.cursor())?.[0] === 1);
    assert.equal(await it.previewText(), 'one 1\n');
    await it.run('promptls: Pin or Unpin Preview');
    await it.waitForPreview('two 2\n');
});

story('a pinned preview is there after a reload, with its prompt', {
    'kept.adk.prompt': 'kept {x}\n',
    'other.adk.prompt': 'other {x}\n',
    'kept.adk.inputs.json': '{"x": 1}\n',
}, async (it) => {
    await it.openFile('kept.adk.prompt');
    await it.status.waitFor();
    await it.openPreview();
    await it.waitForPreview('kept 1\n');
    await it.run('promptls: Pin or Unpin Preview');
    await it.page.locator('.tab', { hasText: '[Preview] kept.adk.prompt' }).waitFor();
    await it.openFile('other.adk.prompt');
    await it.reload();
    await it.waitForPreview('kept 1\n');
    await it.page.locator('.tab', { hasText: '[Preview] kept.adk.prompt' }).waitFor();
});

story('the prompt and its preview scroll together', {
    'long.adk.prompt': Array.from({ length: 300 }, (_, line) => `Line ${line + 1} of {x}.\n`).join(''),
    'long.adk.inputs.json': '{"x": "many"}\n',
}, async (it) => {
    await it.openFile('long.adk.prompt');
    await it.status.waitFor();
    await it.openPreview();
    await it.preview.locator('#text', { hasText: 'Line 1 of many.' }).waitFor();
    const inSight = (text) => it.preview.locator('#text-panel').evaluate((view, wanted) => {
        const { top, bottom } = view.getBoundingClientRect();
        const walker = document.createTreeWalker(view, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            if (node.data.includes(wanted)) {
                const rect = node.parentElement.getBoundingClientRect();
                return rect.bottom > top && rect.top < bottom;
            }
        }
        return false;
    }, text);
    await it.goTo(200);
    await until('the preview is there', () => inSight('Line 200 of'));
    await until('the editor is there', async () => {
        // What follows the editor's own scrolling at once is not taken for the reader's.
        await it.preview.locator('#text-panel').evaluate((view) => view.scrollTo(0, view.scrollTop > 0 ? 0 : 1));
        return (await it.lines())[0].startsWith('Line 1 of');
    });
});

story('the resolved text is a document that follows the prompt', renamed(letter, 'document'), async (it) => {
    await it.openFile('document.adk.prompt');
    await it.status.waitFor();
    await it.run('promptls: Show Resolved Text as Document');
    await it.page.locator('.tab.active', { hasText: 'document.adk.default.txt' }).waitFor();
    const shown = it.page.locator('.editor-instance', { hasText: 'your order 7 is paid.' });
    await shown.waitFor();
    await it.leaveSide();
    await it.goTo(3);
    await it.type('Yours, {user:name}');
    await it.page.locator('.editor-instance .view-line', { hasText: 'Yours, Ada' }).waitFor();
});

story('the resolved text can be copied', letter, async (it) => {
    await it.openFile('letter.adk.prompt');
    await it.status.waitFor();
    await it.run('promptls: Copy Resolved Text');
    await it.page.locator('.statusbar', { hasText: 'Resolved text of case default copied' }).waitFor();
    await it.keyboard.press('Control+Alt+N');
    await it.page.locator('.tab.active', { hasText: 'Untitled-1' }).waitFor();
    await it.keyboard.press('Control+V');
    await until('it is what is sent', async () => (await it.lines()).join('\n') === 'Dear Ada,\nyour order 7 is paid.\n');
    await it.keyboard.press('Control+A');
    await it.keyboard.press('Delete');
});

story('ghosts stand in the place of placeholders where the cursor is not', letter, async (it) => {
    await it.openFile('letter.adk.prompt');
    await it.status.waitFor();
    await it.goTo(3);
    await it.run('promptls: Toggle Ghost Values');
    const drawn = () => it.page.locator('.editor-instance .view-lines').first().evaluate((node) =>
        [...node.querySelectorAll('.view-line')]
            .sort((a, b) => parseInt(a.style.top) - parseInt(b.style.top))
            .map((line) => [...line.querySelectorAll('span span')]
                .map((span) => {
                    const before = getComputedStyle(span, '::before').content.replace(/^"|"$/g, '');
                    const isHidden = getComputedStyle(span).display === 'none';
                    return (before === 'none' ? '' : before) + (isHidden ? '' : span.textContent);
                })
                .join('').replaceAll('\u00a0', ' ')));
    await until('the values are there', async () => (await drawn())[1] === 'your order 7 is paid.');
    await it.picture('ghosts');
    await it.goTo(2);
    await until('the placeholders are there', async () => (await drawn())[1] === 'your order {order_id} is {state}.');
    await it.run('promptls: Toggle Ghost Values');
});

story('in a prompt of 100 KB, a key redraws a block or two', {
    'long.adk.prompt': 'Dear {name}, all work and no play makes a dull boy, says {topic}.\n'.repeat(1500),
    'long.adk.inputs.json': '{"name": "Ada", "topic": "the shining"}\n',
}, async (it, context) => {
    await it.openFile('long.adk.prompt');
    await it.status.waitFor();
    await it.openPreview();
    await it.preview.locator('#text', { hasText: 'Dear Ada,' }).waitFor();
    const words = 'A few words to measure. ';
    for (const [index, letter] of [...words].entries()) {
        await it.keyboard.press(letter === ' ' ? 'Space' : letter);
        await until('it is drawn', () => it.preview.locator('#text .block').first().evaluate((block, start) => block.textContent.startsWith(start), words.slice(0, index + 1)));
    }
    const measures = await it.preview.locator('body').evaluate(() =>
        performance.getEntriesByName('promptls:change-to-paint').map(({ duration, detail }) => ({ duration, ...detail })),
    );
    assert.ok(measures.length >= words.length / 2, `${measures.length} of ${words.length} keys were measured`);
    assert.ok(measures.every(({ blocks }) => blocks <= 6), JSON.stringify(measures));
    const durations = measures.map(({ duration }) => duration).sort((a, b) => a - b);
    context.diagnostic(`from the change to the screen: ${durations[durations.length >> 1].toFixed(0)} ms (median of ${durations.length})`);
});

story('a prompt of ten megabytes can be typed in fast', {
    'large.adk.prompt': `Dear {name},\n\n${`${'All work and no play makes a dull boy.\n'.repeat(1000)}{name} knows.\n`.repeat(256)}`,
    'large.adk.inputs.json': '{"name": "Ada"}\n',
}, async (it) => {
    await it.openFile('large.adk.prompt');
    await it.status.waitFor();
    await it.openPreview();
    await it.preview.locator('#text', { hasText: 'Dear Ada,' }).waitFor();
    await it.goTo(2);
    const words = 'The quick brown fox jumps over the lazy dog, and {name} looks on.';
    await it.keyboard.type(words);
    await it.preview.locator('#text', { hasText: words.replace('{name}', 'Ada') }).waitFor();
    await until('the editor has it', async () => (await it.cursor())?.[1] === words.length + 1);
});

story('a server that ends comes back, with the text and the case as they were', renamed(letter, 'parcel'), async (it) => {
    await it.openFile('parcel.adk.prompt');
    await it.status.waitFor();
    await it.selectCase('late');
    await it.openPreview();
    await it.goTo(3);
    await it.type('unsaved');
    await it.waitForPreview('Dear Bob,\nyour order 8 is late.\nunsaved');

    const [first] = code.servers();
    process.kill(first, 'SIGKILL');
    await until('there is another server', () => code.servers().some((pid) => pid !== first));

    await it.type(' {user:name}');
    await it.waitForPreview('Dear Bob,\nyour order 8 is late.\nunsaved Bob');
    assert.equal(await it.notifications.count(), 0);
});

story('a prompt without inputs gets them from the status bar', {
    'new.adk.prompt': 'Hello {name}\n',
}, async (it) => {
    await it.openFile('new.adk.prompt');
    await it.status.waitFor();
    assert.match(await it.status.innerText(), /No inputs/);
    await it.status.click();
    await it.page.locator('.tab.active', { hasText: 'new.adk.inputs.json' }).waitFor();
    await until('the name is there', async () => (await it.lines()).join('').includes('"name"'));
});

story('files that belong to VS Code are left alone', {
    'mine.prompt.md': 'Do {this} and {that ?}\n',
    'notes.md': 'Do {this} and {that ?}\n',
    'a.adk.prompt': 'Do {it}\n',
    'a.adk.inputs.json': '{}\n',
}, async (it) => {
    // Once the prompt has its squiggle, the server is there and would have had its say.
    await it.openFile('a.adk.prompt');
    await it.waitForSquiggles(1);
    for (const name of ['mine.prompt.md', 'notes.md']) {
        await it.openFile(name);
        await it.status.waitFor({ state: 'hidden' });
        await it.goTo(1, 6);
        await it.type('x');
        assert.equal(await it.anySquiggles.count(), 0);
    }
    // Its answers come in order: what it said of the others would be there before this.
    await it.openFile('a.adk.prompt');
    await it.goTo(1, 4);
    await it.type('{more} ');
    await it.waitForSquiggles(2);
    assert.doesNotMatch(await it.problems(), /mine\.prompt\.md|notes\.md/);
});

story('VS Code does not take our files for prompts of its chat', {
    'a.prompt': 'See [this](./nowhere.md) and #file:nothing.txt {{{name}}}\n',
    'a.inputs.json': '{"name": "Ada"}\n',
    'its.prompt.md': 'See [this](./nowhere.md)\n',
}, async (it) => {
    // It has its say about its own file, so it would have had it about ours.
    await it.openFile('a.prompt');
    await it.status.waitFor();
    await it.openFile('its.prompt.md');
    await until('VS Code checks its own', async () => /nowhere/.test(await it.problems()));
    const [ours] = (await it.problems()).split('its.prompt.md');
    assert.doesNotMatch(ours, /nowhere|nothing/);
});

story('a rule in promptls.toml makes a prompt of a text file at once', {
    'note.txt': 'Dear {name}, {gone}\n',
    'note.inputs.json': '{"name": "Ada"}\n',
}, async (it) => {
    await it.openFile('note.txt');
    assert.equal(await it.status.isVisible(), false);
    code.folder.write('promptls.toml', '[[prompts]]\nfiles = ["*.txt"]\ndialect = "adk"\n');
    await it.waitForSquiggles(1);
    await it.status.waitFor();
    await it.openPreview();
    await it.waitForPreview('Dear Ada, {gone}\n');
});

story('a prompt inside a pack is shown, the one at the cursor', {
    'shop.pack.json': JSON.stringify({
        prompts: {
            greet: { system_template: 'Hello {{name}}' },
            part: { system_template: 'Bye {{name}}' },
        },
    }, null, 2),
    'shop.pack.inputs.json': '{"name": "Ada"}\n',
}, async (it) => {
    await it.openFile('shop.pack.json');
    await it.status.waitFor();
    await it.goTo(4, 30);
    await it.openPreview();
    await it.waitForPreview('Hello Ada');
    await it.goTo(7, 30);
    await it.waitForPreview('Bye Ada');
});

story('a server that cannot be found is a message with a way out', {
    ...letter,
    '.vscode/settings.json': '{"promptls.server.path": "/nowhere/promptls"}',
}, async (it) => {
    const message = it.notifications.filter({ hasText: '/nowhere/promptls' });
    await message.waitFor();
    assert.match(await message.innerText(), /Open Settings[^]*Show Log/);
    await it.openFile('letter.adk.prompt');

    code.folder.write('.vscode/settings.json', '{}');
    await it.status.waitFor();
    await it.openPreview();
    await it.waitForPreview('Dear Ada,\nyour order 7 is paid.\n');
});

story('a server that ends again and again is given up, until the user wants it back', letter, async (it) => {
    await it.openFile('letter.adk.prompt');
    await it.status.waitFor();
    await it.openPreview();
    const message = it.notifications.filter({ hasText: 'is not started again' });
    await until('it is given up', async () => {
        for (const pid of code.servers()) {
            process.kill(pid, 'SIGKILL');
        }
        return (await message.count()) > 0;
    }, 40_000);
    await until('the preview says so', async () =>
        /not running/.test(await it.preview.locator('#lost').innerText()));

    await message.hover();
    await message.getByRole('button', { name: 'Restart Server' }).click();
    await it.goTo(3);
    await it.type('alive, {user:name}');
    await it.waitForPreview('Dear Ada,\nyour order 7 is paid.\nalive, Ada');
});

/** The server, but for the release that it says it is of. */
const otherRelease = `#!${process.execPath}
const { spawn } = require('node:child_process');
const server = spawn(${JSON.stringify(PROMPTLS_BINARY)}, process.argv.slice(2), { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(server.stdin);
server.stdout.on('data', (piece) => {
    const text = piece.toString('latin1').replace('"version":"${release}"', '"version":"${otherName}"');
    process.stdout.write(Buffer.from(text, 'latin1'));
});
`;

story('a server of another release is used, and said to be one', {
    ...letter,
    'other/promptls': otherRelease,
}, async (it) => {
    fs.chmodSync(path.join(code.folder.path, 'other/promptls'), 0o755);
    code.folder.write('.vscode/settings.json', '{"promptls.server.path": "other/promptls"}');
    const message = it.notifications.filter({ hasText: otherName });
    await message.waitFor();
    assert.match(await message.innerText(), /Open Settings[^]*Show Log/);
    await it.picture('other-release');
    // The preview can be opened before the server has said anything.
    await it.openFile('letter.adk.prompt');
    await it.openPreview();
    await it.waitForPreview('Dear Ada,\nyour order 7 is paid.\n');
});

story('the preview is there again after a reload, in its case', renamed(letter, 'again'), async (it) => {
    await it.openFile('again.adk.prompt');
    await it.status.waitFor();
    await it.openPreview();
    await it.selectCase('late');
    await it.waitForPreview('Dear Bob,\nyour order 8 is late.\n');

    await it.reload();
    await it.waitForPreview('Dear Bob,\nyour order 8 is late.\n');
    await it.preview.locator('.value', { hasText: 'late' }).click();
    await until('the cursor is there', async () => (await it.cursor())?.[0] === 2);
});

const looks = {
    dark: 'Dark Modern',
    light: 'Light Modern',
    contrast: 'Dark High Contrast',
};

// Nobody but a person can say whether it is beautiful: the pictures are kept to be looked at.
for (const [look, theme] of Object.entries(looks)) {
    story(`a prompt and its preview in ${look} colours`, examples('adk'), async (it) => {
        await it.openFile('support.adk.prompt');
        await it.status.waitFor();
        await it.keyboard.press('Control+B');
        await it.openPreview();
        await it.selectCase('angry');
        await it.goTo(5, 12);
        await until('the case is shown', async () => (await it.status.innerText()).includes('angry'));
        await it.preview.locator('.lit').first().waitFor();
        await it.setTheme(theme);
        await it.picture(look);
        if (look === 'contrast') {
            await it.keyboard.press('Control+B');
            return;
        }
        await it.hover();
        await it.picture(`${look}-hover`);
        await it.keyboard.press('Escape');
        await it.goTo(2, 49);
        await it.type(' {tiket_id}');
        await it.preview.locator('#error', { hasText: 'tiket_id' }).waitFor();
        await it.waitForSquiggles(1);
        await it.page.locator('.codelens-decoration', { hasText: '1 problem' }).waitFor();
        await it.page.mouse.move(0, 0);
        await it.picture(`${look}-missing`);
        await it.type(' {app:');
        await it.completions.first().waitFor();
        await it.picture(`${look}-completion`);
        await it.keyboard.press('Escape');
        await it.keyboard.press('Control+B');
    });
}

story('the walkthrough leads a newcomer from the first prompt to the preview', letter, async (it) => {
    // Beside the folder there is no room for what the steps show.
    await it.keyboard.press('Control+B');
    await it.run('Welcome: Open Walkthrough');
    await until('it is among the walkthroughs', async () => {
        await it.quickInput.fill('promptls');
        return (await it.focusedRow.filter({ hasText: 'Get Started with promptls' }).count()) > 0;
    });
    await it.keyboard.press('Enter');
    const steps = it.page.locator('.getting-started-step');
    await until('it has its steps', async () => (await steps.count()) === 5);
    const page = it.page.frameLocator('iframe.webview.ready').frameLocator('iframe');
    await page.locator('td', { hasText: '{FILE_CONTENT}' }).waitFor();
    await it.picture('walkthrough');
    await steps.filter({ hasText: 'See what the model gets' }).click();
    await it.page.getByAltText('A prompt, and beside it the text that is sent').waitFor();
    await it.closeAll();
    await it.keyboard.press('Control+B');
});

test('a workspace that is not trusted does not choose the server', { timeout: 90_000 }, async () => {
    await window?.close();
    window = undefined;
    await until('the other window’s server is gone', () => code.servers().length === 0);
    code.set({ 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' });
    code.folder.lay({
        ...letter,
        'planted': '#!/bin/sh\ntouch "$(dirname "$0")/started"\n',
        '.vscode/settings.json': '{"promptls.server.path": "./planted"}',
    });
    fs.chmodSync(path.join(code.folder.path, 'planted'), 0o755);
    const hasStarted = () => fs.existsSync(path.join(code.folder.path, 'started'));

    const it = await Window.open(chromium, code);
    try {
        await it.openFile('letter.adk.prompt');
        await it.status.waitFor();
        assert.equal(hasStarted(), false);

        await it.page.getByRole('button', { name: /Restricted Mode/ }).click();
        await it.page.getByRole('button', { name: 'Trust', exact: true }).click();
        await until('the one that it names is started', hasStarted);
        // It is none, which is said once.
        await it.notifications.filter({ hasText: 'does not start as a language server' }).waitFor();
        assert.equal(await it.notifications.count(), 1);
    } finally {
        await it.picture('trusted');
        await it.close();
    }
});
