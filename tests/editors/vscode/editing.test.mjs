// Working with prompts in VS Code besides the preview, and with a failing server, a story each.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { until } from '../../web/until.mjs';
import { letter, renamed } from '../../web/vscode/letter.mjs';
import { story } from '../../web/vscode/story.mjs';

const { PROMPTLS_BINARY } = process.env;

const { version: release } = JSON.parse(
    fs.readFileSync(new URL('../../../editors/vscode/package.json', import.meta.url), 'utf8'),
);
/** As long as the real one, so that messages keep their length. */
const otherName = release.replaceAll(/\d/g, '9');

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
    await it.quickFix('state');
    await until('the name is fixed', async () =>
        (await it.lines()).some((line) => line.startsWith('Bye {state}')),
    );
    await it.waitForSquiggles(0);
});

story('renaming a placeholder renames its key in all inputs', renamed(letter, 'rename'), async (it, code) => {
    await it.openFile('rename.adk.prompt');
    await it.status.waitFor();
    await it.goTo(2, 15);
    await it.rename('number');
    await until('the prompt has it', async () => (await it.lines()).join().includes('{number}'));
    await it.run('File: Save All Files');
    for (const file of ['rename.adk.inputs.json', 'rename.adk.late.inputs.json']) {
        await until(`${file} has it`, () => 'number' in JSON.parse(code.folder.read(file)));
    }
    // The prompt may have been checked between the two.
    await it.waitForSquiggles(0);
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

story('files that belong to VS Code are left alone', {
    'mine.prompt.md': 'Do {this} and {that ?}\n',
    'notes.md': 'Do {this} and {that ?}\n',
    'a.adk.prompt': 'Do {it}\n',
    'a.adk.inputs.json': '{}\n',
}, async (it) => {
    // Once the prompt has its squiggle, the server is running and would have reported the other
    // problems.
    await it.openFile('a.adk.prompt');
    await it.waitForSquiggles(1);
    for (const name of ['mine.prompt.md', 'notes.md']) {
        await it.openFile(name);
        await it.status.waitFor({ state: 'hidden' });
        await it.goTo(1, 6);
        await it.type('x');
        assert.equal(await it.anySquiggles.count(), 0);
    }
    // Responses come in order: results for the others would have arrived before this one.
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
    // It reports about its own file, so it would have reported about these, too.
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
}, async (it, code) => {
    await it.openFile('note.txt');
    assert.equal(await it.status.isVisible(), false);
    code.folder.write('promptls.toml', '[[prompts]]\nfiles = ["*.txt"]\ndialect = "adk"\n');
    await it.waitForSquiggles(1);
    await it.status.waitFor();
    await it.openPreview();
    await it.waitForPreview('Dear Ada, {gone}\n');
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

story('a server that ends comes back, with the text and the case as they were', renamed(letter, 'parcel'), async (it, code) => {
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

story('a server that cannot be found is a message with a way out', {
    ...letter,
    '.vscode/settings.json': '{"promptls.server.path": "/nowhere/promptls"}',
}, async (it, code) => {
    const message = it.notifications.filter({ hasText: '/nowhere/promptls' });
    await message.waitFor();
    assert.match(await message.innerText(), /Open Settings[^]*Show Log/);
    await it.openFile('letter.adk.prompt');

    code.folder.write('.vscode/settings.json', '{}');
    await it.status.waitFor();
    await it.openPreview();
    await it.waitForPreview('Dear Ada,\nyour order 7 is paid.\n');
});

story.long('a server that ends again and again is given up, until the user wants it back', letter, async (it, code) => {
    await it.openFile('letter.adk.prompt');
    await it.status.waitFor();
    await it.openPreview();
    const message = it.notifications.filter({ hasText: 'is not restarted' });
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

/** The server with another release number. */
const otherRelease = `#!${process.execPath}
const { spawn } = require('node:child_process');
const server = spawn(${JSON.stringify(PROMPTLS_BINARY)}, process.argv.slice(2), { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(server.stdin);
server.stdout.on('data', (piece) => {
    const text = piece.toString('latin1').replace('"version":"${release}"', '"version":"${otherName}"');
    process.stdout.write(Buffer.from(text, 'latin1'));
});
`;

story.long('a server of another release is used, and said to be one', {
    ...letter,
    'other/promptls': otherRelease,
}, async (it, code) => {
    code.folder.write('.vscode/settings.json', '{"promptls.server.path": "other/promptls"}');
    const message = it.notifications.filter({ hasText: otherName });
    await message.waitFor();
    assert.match(await message.innerText(), /Open Settings[^]*Show Log/);
    await it.picture('other-release');
    // The preview can be opened before the server has responded.
    await it.openFile('letter.adk.prompt');
    await it.openPreview();
    await it.waitForPreview('Dear Ada,\nyour order 7 is paid.\n');
});

story('a workspace that is not trusted does not choose the server', {
    ...letter,
    'planted': '#!/bin/sh\ntouch "$(dirname "$0")/started"\n',
    '.vscode/settings.json': '{"promptls.server.path": "./planted"}',
}, async (it, code) => {
    const hasStarted = () => fs.existsSync(path.join(code.folder.path, 'started'));
    await it.openFile('letter.adk.prompt');
    await it.status.waitFor();
    assert.equal(hasStarted(), false);

    await it.page.getByRole('button', { name: /Restricted Mode/ }).click();
    await it.page.getByRole('button', { name: 'Trust', exact: true }).click();
    await until('the one that it names is started', hasStarted);
    // It is no server, which is reported once.
    await it.notifications.filter({ hasText: 'does not start as a language server' }).waitFor();
    assert.equal(await it.notifications.count(), 1);
    await it.picture('trusted');
}, { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' });
