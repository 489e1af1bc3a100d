// Writing a prompt in VS Code: completions, decorations and problems, a story each.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { until } from '../../web/until.mjs';
import { letter, renamed } from '../../web/vscode/letter.mjs';
import { story } from '../../web/vscode/story.mjs';

const lens = (it, text) => it.page.locator('.codelens-decoration a', { hasText: text });

/** The hints after placeholders. */
const hints = async (it) =>
    (await it.lines()).join('\n').match(/= [^,. ]+|missing|\d+ items?/g) ?? [];

const agentle = {
    'user.agentle.prompt': 'Hi {{user.name}}\n',
    'user.agentle.inputs.json': '{"user": {"name": "Ada", "age": 36}, "tone": "dry"}\n',
};

story('typing goes on behind a placeholder that was completed, with or without its braces', agentle, async (it) => {
    await it.openFile('user.agentle.prompt');
    await it.status.waitFor();
    for (const [line, habit] of [[2, ''], [3, '}}']]) {
        await it.goTo(line);
        await it.type('{{to');
        await it.completions.filter({ hasText: 'tone' }).first().waitFor();
        await it.keyboard.press('Tab');
        await until('it is completed', async () => (await it.lines()).join().includes('{{tone}}'));
        await it.type(`${habit} it is`);
        await until('the rest stands behind it', async () =>
            /^\{\{tone\}\}(= dry)? it is$/.test((await it.lines())[line - 1]),
        );
        await it.keyboard.press('Enter');
    }
});

story.long('an object is completed so that a dot goes on', agentle, async (it) => {
    await it.openFile('user.agentle.prompt');
    await it.status.waitFor();
    await it.goTo(2);
    await it.type('{{us');
    await it.completions.filter({ hasText: 'user' }).first().waitFor();
    await it.keyboard.press('Tab');
    await until('it is completed', async () => (await it.lines())[1].startsWith('{{user}}'));
    await it.type('.');
    await it.completions.filter({ hasText: 'age' }).first().waitFor();
    await it.type('ag');
    await until('there is one', async () => (await it.completions.count()) === 1);
    await it.keyboard.press('Tab');
    await until('it is completed', async () => (await it.lines())[1].startsWith('{{user.age}}'));
    await it.type('!');
    await until('the rest stands behind it', async () => /^\{\{user\.age\}\}(= 36)?!/.test((await it.lines())[1]));
});

story.long('every row of the completions has its value, and names of the prompt are among them', {
    'rows.adk.prompt': 'Dear {later},\n',
    'rows.adk.inputs.json': '{"name": "Ada", "order": 7}\n',
}, async (it) => {
    await it.openFile('rows.adk.prompt');
    await it.status.waitFor();
    await it.goTo(2);
    await it.type('{');
    await it.completions.filter({ hasText: 'name' }).first().waitFor();
    const rows = (await it.completions.allInnerTexts()).map((row) => row.split('\n'));
    assert.deepEqual(rows.slice(0, 3), [['name', 'Ada'], ['order', '7'], ['later', 'used in this prompt']]);
});

story.long('Enter behind what is complete in promptls.toml starts a new line', { 'promptls.toml': '' }, async (it) => {
    await it.openFile('promptls.toml');
    await it.type('[[pro');
    await until('there is something to choose', async () => {
        // The server may still be starting.
        await it.keyboard.press('Control+Space');
        return (await it.completions.filter({ hasText: '[[prompts]]' }).count()) > 0;
    });
    await it.type('mpts]]');
    await it.completions.first().waitFor({ state: 'hidden' });
    await it.keyboard.press('Enter');
    await until('there is a new line', async () => (await it.cursor())?.[0] === 2);
});

story.long('an error of a JSON file is shown once', renamed(letter, 'once'), async (it) => {
    await it.openFile('once.adk.prompt');
    await it.status.waitFor();
    await it.openFile('once.adk.inputs.json');
    await it.goTo(1, 2);
    await it.type('"user:name": 1, ');
    const isSaid = (what) => async () => (await it.problems()).includes(what);
    await until('the key is said to be there twice', isSaid('Duplicate object key'));
    await until('it is not said by promptls as well', async () => !/promptls\s+duplicate-key/.test(await it.problems()));
    await it.keyboard.press('Control+1');
    await it.type('x ');
    await until('it is said to be no JSON', isSaid('Property keys must be doublequoted'));
    await until('it is not said by promptls as well', async () => !/promptls\s+invalid-inputs/.test(await it.problems()));
});

story('a deleted inputs file is no case, though its tab is still there', renamed(letter, 'deleted'), async (it, code) => {
    await it.openFile('deleted.adk.late.inputs.json');
    await it.openFile('deleted.adk.prompt');
    // An inputs file in front has selected its case.
    await lens(it, 'Case late (2 of 2)').waitFor();
    fs.unlinkSync(path.join(code.folder.path, 'deleted.adk.late.inputs.json'));
    await lens(it, /^Case default$/).waitFor();
});

story('F12 goes to the value in the selected case', renamed(letter, 'goto'), async (it) => {
    await it.openFile('goto.adk.prompt');
    await it.status.waitFor();
    await it.selectCase('late');
    await lens(it, 'Case late (2 of 2)').waitFor();
    await it.goTo(2, 15);
    await it.keyboard.press('F12');
    await it.page.locator('.tab.active', { hasText: 'goto.adk.late.inputs.json' }).waitFor();
});

story('the case named above a prompt is what one clicks to change it', renamed(letter, 'click'), async (it) => {
    await it.openFile('click.adk.prompt');
    await lens(it, 'Case default (1 of 2)').click();
    await it.quickRows.filter({ hasText: 'late' }).first().click();
    await lens(it, 'Case late (2 of 2)').waitFor();
});

/** Waits for the text on disk of a file that was just created, without saving it. */
async function waitForFile(it, code, name, text) {
    const file = path.join(code.folder.path, name);
    await until(`${name} is on disk`, () => fs.existsSync(file) && fs.readFileSync(file, 'utf8').includes(text));
    await until('nothing is left to be saved', async () => (await it.page.locator('.tab.dirty').count()) === 0);
}

story('the line above a prompt creates its inputs file and opens it', { 'lens.adk.prompt': 'Dear {name},\n' }, async (it, code) => {
    await it.openFile('lens.adk.prompt');
    await lens(it, 'Create the inputs file').click();
    await it.page.locator('.tab.active', { hasText: 'lens.adk.inputs.json' }).waitFor();
    await until('the case is shown', async () => (await it.status.innerText()).includes('default'));
    await waitForFile(it, code, 'lens.adk.inputs.json', '"name"');
});

story('a file that a quick fix creates is saved', renamed(letter, 'fix'), async (it, code) => {
    await it.openFile('fix.adk.prompt');
    await it.status.waitFor();
    await it.goTo(2, 15);
    await it.quickFix('Create the variables file');
    await waitForFile(it, code, 'fix.adk.variables.json', '"order_id"');
});

story('a new case asks for its name, wherever it is asked for', renamed(letter, 'name'), async (it, code) => {
    await it.openFile('name.adk.prompt');
    await it.status.waitFor();
    await it.goTo(2, 15);
    await it.quickFix('New case with the values');
    await it.quickInput.waitFor();
    await it.quickInput.fill('early');
    await it.keyboard.press('Enter');
    await it.page.locator('.tab.active', { hasText: 'name.adk.early.inputs.json' }).waitFor();
    await waitForFile(it, code, 'name.adk.early.inputs.json', '"paid"');
});

story('values are beside their placeholders unless the preview shows them', renamed(letter, 'hints'), async (it, code) => {
    const set = (some) => code.folder.write('.vscode/settings.json', JSON.stringify(some));
    await it.openFile('hints.adk.prompt');
    await it.status.waitFor();
    await until('they are there', async () => (await hints(it)).length === 3);
    await it.openPreview();
    await until('they are gone', async () => (await hints(it)).length === 0);
    set({ 'promptls.inlayHints.besidePreview': true });
    await until('they are there, too', async () => (await hints(it)).length === 3);
    set({ 'promptls.inlayHints.besidePreview': true, 'promptls.inlayHints.onlyCurrentLine': true });
    await it.leaveSide();
    await it.goTo(1);
    await until('they are in this line', async () => (await hints(it)).join() === '= Ada');
    await it.goTo(2);
    await until('they are in the other', async () => (await hints(it)).join() === '= 7,= paid');
});

story.long('a line of 234 KB can be typed in', {
    'line.adk.prompt': `${'A word or two {name} more. '.repeat(9001)}\n`,
    'line.adk.inputs.json': '{"name": "Ada"}\n',
}, async (it) => {
    await it.openFile('line.adk.prompt');
    await it.status.waitFor();
    await it.type('Quickly ');
    await until('it is there', async () => (await it.lines())[0].startsWith('Quickly A word'));
    assert.deepEqual(await hints(it), []);
});

story('the status bar counts tokens, and says how many there may be', {
    ...renamed(letter, 'tokens'),
    'promptls.toml': '[[prompts]]\nfiles = ["*.prompt"]\ndialect = "adk"\nmax_tokens = 12\n',
}, async (it) => {
    const size = it.page.locator('.statusbar-item[id$="promptls.size"]');
    await it.openFile('tokens.adk.prompt');
    await until('it counts', async () => /^\s*\d+ \/ 12$/.test(await size.innerText()));
    await it.goTo(3);
    await it.type('one two three four five six seven eight nine ten');
    await size.and(it.page.locator('.warning-kind')).waitFor();
});

story.long('the templates of a pack wrap', {
    'wrap.pack.json': JSON.stringify({ prompts: { a: { system_template: 'All work and no play. '.repeat(40) } } }, null, 2),
}, async (it) => {
    await it.openFile('wrap.pack.json');
    await until('the template has many lines', async () =>
        (await it.lines()).filter((line) => line.includes('All work')).length > 3,
    );
});

story('Markdown keeps its own preview', {
    'note.md': 'Dear {name},\n',
    'note.inputs.json': '{"name": "Ada"}\n',
    'promptls.toml': '[[prompts]]\nfiles = ["note.md"]\ndialect = "adk"\n',
}, async (it) => {
    await it.openFile('note.md');
    await it.status.waitFor();
    await it.page.locator('.editor-actions [aria-label^="Open Preview to the Side"]').waitFor();
    assert.equal(await it.page.locator('.editor-actions .codicon-open-preview').count(), 1);
    await it.keyboard.press('Control+K');
    await it.keyboard.press('v');
    await it.page.locator('.tab', { hasText: 'Preview note.md' }).waitFor();
    await it.page.frameLocator('iframe.webview.ready').frameLocator('iframe').locator('p', { hasText: 'Dear {name},' }).waitFor();
});

story('a block is closed behind the cursor, and undo takes the closer away first', {
    'plain.agentle.prompt': 'Hi\n\n',
}, async (it) => {
    const line = async () => (await it.lines())[1];
    await it.openFile('plain.agentle.prompt');
    await it.status.waitFor();
    await it.goTo(2);
    // VS Code closes the braces itself, and overtypes those that are typed.
    await it.type('{{#if x}}');
    await until('the block is closed', async () => (await line()) === '{{#if x}}{{/if}}');
    await it.type('yes');
    await until('typing goes on inside of it', async () => (await line()) === '{{#if x}}yes{{/if}}');
    await it.keyboard.press('Control+z');
    await until('what was typed is undone', async () => (await line()) === '{{#if x}}{{/if}}');
    await it.keyboard.press('Control+z');
    await until('the closer is undone', async () => (await line()) === '{{#if x}}');
});

/**
 * Formats the document until its text matches: VS Code's own formatter for JSON may still be
 * starting.
 */
const format = (it, expected) =>
    until(`it is formatted as ${expected}`, async () => {
        const isFormatted = async () => expected.test((await it.lines()).join('\n'));
        if (!(await isFormatted())) {
            // Closes the message that there is no formatter.
            await it.keyboard.press('Escape');
            await it.run('Format Document');
        }
        return isFormatted();
    });

const unformatted = {
    'form.adk.prompt': 'Dear { name },\n',
    'form.adk.inputs.json': '{"name":"Ada"}\n',
};

story('a prompt is formatted by the server, and its inputs by VS Code', unformatted, async (it) => {
    await it.openFile('form.adk.prompt');
    await it.status.waitFor();
    await format(it, /^Dear \{name\}/);
    await it.openFile('form.adk.inputs.json');
    // With two formatters, VS Code would let the user choose one.
    await format(it, /^\{\n\s+"name": "Ada"\n\}/);
});

story.long('inputs are formatted by the server where the user wants it', unformatted, async (it) => {
    await it.openFile('form.adk.prompt');
    await it.status.waitFor();
    await it.openFile('form.adk.inputs.json');
    // Text on one line stays there, unlike with VS Code's own formatter.
    await format(it, /^\{"name": "Ada"\}/);
}, { 'promptls.formatting.sidecars': true, '[jsonc]': { 'editor.defaultFormatter': 'promptls.promptls' } });
