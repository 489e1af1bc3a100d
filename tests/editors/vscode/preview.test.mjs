// The preview in VS Code, a story each: what it follows, navigation, speed, and appearance.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { examples } from '../../web/folder.mjs';
import { until } from '../../web/until.mjs';
import { medianTimes, watchKeys } from '../../web/vscode/key-timings.mjs';
import { letter, renamed } from '../../web/vscode/letter.mjs';
import { story } from '../../web/vscode/story.mjs';

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

    // While they do not parse, the last text stays, with a notice.
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
}, 'edit'), async (it, code) => {
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
    // Nothing is saved until the user saves it.
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

story.long('what is typed in the preview is undone by words in an editor that is seen', renamed(letter, 'words'), async (it) => {
    await it.openFile('words.adk.prompt');
    await it.status.waitFor();
    await it.openPreview();
    await it.leaveSide();
    await it.openFile('words.adk.inputs.json');
    await it.preview.getByRole('button', { name: 'Inputs, size and problems' }).click();
    const field = it.preview.getByRole('textbox', { name: 'state' });
    await field.press('End');
    for (const [word, state] of [[' and', 'paid and'], [' sent', 'paid and sent']]) {
        await field.pressSequentially(word, { delay: 15 });
        await it.waitForPreview(`Dear Ada,\nyour order 7 is ${state}.\n`);
    }
    await it.leaveSide();
    for (const state of ['paid and', 'paid']) {
        await it.keyboard.press('Control+Z');
        await it.waitForPreview(`Dear Ada,\nyour order 7 is ${state}.\n`);
    }
});

story.long('a value that is edited in the preview opens no tab, if its file has none', renamed(letter, 'closed'), async (it, code) => {
    await it.openFile('closed.adk.prompt');
    await it.status.waitFor();
    await it.openPreview();
    await it.preview.getByRole('button', { name: 'Inputs, size and problems' }).click();
    const field = it.preview.getByRole('textbox', { name: 'state' });
    await field.press('End');
    await field.pressSequentially(', and sent', { delay: 15 });
    await it.waitForPreview('Dear Ada,\nyour order 7 is paid, and sent.\n');
    await until('it is written', () => JSON.parse(code.folder.read('closed.adk.inputs.json')).state === 'paid, and sent');
    assert.equal(await field.inputValue(), 'paid, and sent');
    assert.equal(await it.page.locator('.tab', { hasText: 'inputs.json' }).count(), 0);
    assert.deepEqual(await it.notifications.allInnerTexts(), []);
});

story('two cases are compared word by word', renamed(letter, 'compare'), async (it) => {
    await it.openFile('compare.adk.prompt');
    await it.status.waitFor();
    await it.run('promptls: Diff Cases');
    const view = it.preview.locator('#compare-panel');
    await view.locator('ins', { hasText: 'late' }).first().waitFor();
    await it.picture('compare');
});

story('the last commit is a key away', renamed(letter, 'since'), async (it, code) => {
    const git = (...args) => execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: code.folder.path });
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'First');
    await it.openFile('since.adk.prompt');
    await it.status.waitFor();
    await it.type('My ');
    await it.keyboard.press('Control+K');
    await it.keyboard.press('Shift+L');
    const view = it.preview.locator('#compare-panel');
    await view.locator('.diff-line ins', { hasText: /^My $/ }).waitFor();
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

story.long('a pinned preview is there after a reload, with its prompt', {
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
        // Scrolling that immediately follows the editor's is not treated as the user's.
        await it.preview.locator('#text-panel').evaluate((view) => view.scrollTo(0, view.scrollTop > 0 ? 0 : 1));
        return (await it.lines())[0].startsWith('Line 1 of');
    });
});

story.long('in a prompt of 100 KB, a key redraws a block or two', {
    'dull.adk.prompt': 'Dear {name}, all work and no play makes a dull boy, says {topic}.\n'.repeat(1500),
    'dull.adk.inputs.json': '{"name": "Ada", "topic": "the shining"}\n',
}, async (it, _, context) => {
    await it.openFile('dull.adk.prompt');
    await it.status.waitFor();
    await it.openPreview();
    await it.preview.locator('#text', { hasText: 'Dear Ada,' }).waitFor();
    await watchKeys(it);
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
    const { letter, preview } = await medianTimes(it);
    context.diagnostic(`medians of ${words.length} keys: the letter after ${letter} ms, the preview after ${preview} ms`);
});

story.long('a prompt of ten megabytes can be typed in fast', {
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

const looks = {
    dark: 'Dark Modern',
    light: 'Light Modern',
    contrast: 'Dark High Contrast',
};

// Only a person can judge the appearance: the pictures are kept for inspection.
for (const [look, theme] of Object.entries(looks)) {
    const tell = look === 'dark' ? story : story.long;
    tell(`a prompt and its preview in ${look} colours`, examples('adk'), async (it) => {
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
    // Without closing the side bar, there is not enough space for the steps.
    await it.keyboard.press('Control+B');
    const steps = await it.openWalkthrough();
    const page = it.page.frameLocator('iframe.webview.ready').frameLocator('iframe');
    await page.locator('td', { hasText: '{FILE_CONTENT}' }).waitFor();
    await it.picture('walkthrough');
    await steps.filter({ hasText: 'See the text that is sent' }).click();
    await it.page.getByAltText('A prompt, and beside it the text that is sent').waitFor();
    await it.closeAll();
    await it.keyboard.press('Control+B');
});
