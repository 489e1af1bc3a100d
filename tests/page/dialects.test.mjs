// Features of single dialects: prompts in packs, text made from several pieces, loops.
import assert from 'node:assert/strict';
import { story } from '../web/page/story.mjs';
import { until } from '../web/until.mjs';

const pack = {
    'support.pack.json': String.raw`{
  "fragments": {"rules": "## Rules\n\n- Be **brief**, {{name}}.\n"},
  "prompts": {
    "greeting": {
      "system_template": "# System\n\nCaf\u00e9 \"{{name}}\"\n\n{{fragments.rules}}\n\n# User\n\nI am {{user.age}}.\nWrite now."
    },
    "closing": {"system_template": "Bye {{name}}"}
  }
}
`,
    'support.pack.inputs.json': '{\n  "name": "Ada",\n  "user": {"age": 36}\n}\n',
    'support.pack.late.inputs.json': '{\n  "name": "Grace",\n  "user": {"age": 52}\n}\n',
};
const greeting = { task: 'greeting' };
const text = '# System\n\nCafé "Ada"\n\n## Rules\n\n- Be **brief**, Ada.\n\n\n# User\n\nI am 36.\nWrite now.';

/** The tooltip once it contains some words; then it is closed. */
async function said(it, words) {
    await it.tooltip.filter({ hasText: words }).waitFor();
    const lines = (await it.tooltip.innerText()).split('\n');
    await it.keyboard.press('Escape');
    return lines;
}

const places = ['from support.pack.inputs.json:2', 'placeholder at support.pack.json:5'];

for (const [view, ofRules] of Object.entries({ text: '#text-panel .value >> nth=2', markdown: 'li .value >> nth=-2', messages: '.message .value >> nth=2' })) {
    story(`a prompt of a pack: ${view}`, pack, async (it) => {
        await it.waitForText(text);
        await it.show(view);
        const shown = it.page.locator(`#${view}-panel`);
        await shown.locator('.value', { hasText: 'Ada' }).first().hover();
        assert.deepEqual(await said(it, 'from'), ['name', ...places]);
        await it.page.locator(ofRules).hover();
        assert.deepEqual(await said(it, 'in fragment'), ['name', 'in fragment rules', ...places]);
        await shown.locator('.value', { hasText: '36' }).click();
        await it.statusMessage.filter({ hasText: 'support.pack.json:5' }).waitFor();
        await shown.locator('.value', { hasText: '36' }).click({ modifiers: ['Alt'] });
        await it.statusMessage.filter({ hasText: 'support.pack.inputs.json:3' }).waitFor();
    }, greeting);
}

story('a prompt of a pack: a double click goes to its place in the JSON string', pack, async (it, files) => {
    await it.waitForText(text);
    const line = files.read('support.pack.json').split('\n')[4];
    for (const [view, where] of Object.entries({ text: it.text, markdown: it.page.locator('.markdown') })) {
        await it.show(view);
        for (const word of ['Caf', 'Write']) {
            const before = (await it.asked('page/reveal')).length;
            await it.pointAt(word, where);
            await it.page.mouse.down({ clickCount: 1 });
            await it.page.mouse.up({ clickCount: 1 });
            await it.page.mouse.down({ clickCount: 2 });
            await it.page.mouse.up({ clickCount: 2 });
            await until('it is asked for', async () => (await it.asked('page/reveal')).length > before);
            const { range: { start } } = (await it.asked('page/reveal')).at(-1);
            assert.equal(start.line, 4);
            const [from, to] = [line.indexOf(word), line.indexOf(word) + word.length];
            assert.ok(from <= start.character && start.character <= to, `${view}: ${word} is at ${from}, not at ${start.character}`);
        }
    }
}, { ...greeting, panel: true });

story('a prompt of a pack: its name is said', pack, async (it) => {
    await it.page.locator('.task').getByText('greeting').hover();
    await it.tooltip.filter({ hasText: 'The prompt greeting of support.pack.json' }).waitFor();
}, greeting);

story('a prompt of a pack: cases, comparison, and an edit that is saved', pack, async (it, files) => {
    await it.show('cases');
    const late = it.page.getByRole('region', { name: 'Case late' });
    await until('it is drawn', async () => (await late.locator('.text-view').textContent()).includes('Café "Grace"'));
    await it.show('compare');
    await it.page.locator('.summary', { hasText: '3 changes' }).waitFor();
    assert.deepEqual(await it.page.locator('.diff ins').allTextContents(), ['Grace', 'Grace', '52']);
    await it.show('text');
    await it.field('name').fill('Eve');
    await it.waitForText(text.replaceAll('Ada', 'Eve'));
    await it.unsaved.getByRole('button', { name: 'Save' }).click();
    await until('it is on disk', () => files.read('support.pack.inputs.json').includes('"Eve"'));
    files.write('support.pack.json', pack['support.pack.json'].replace('Write now.', 'Write soon.'));
    await it.waitForText(text.replaceAll('Ada', 'Eve').replace('now', 'soon'));
}, greeting);

story('a prompt of a pack: it stays the same one, wherever it moves to', pack, async (it, files) => {
    await it.waitForText('Bye Ada');
    const moved = pack['support.pack.json'].replace('"greeting"', `"first": {"system_template": "1"},${'\n'.repeat(9)}    "greeting"`);
    files.write('support.pack.json', moved.replace('Bye', 'Good bye'));
    await it.waitForText('Good bye Ada');
}, { task: 'closing' });

const task = {
    'task.agentensemble.prompt': '# Task\n\n{who}{topic}{{end}}\n\n- **{who}** of {city}\n- {{a}}_\n',
    'task.agentensemble.inputs.json': '{\n  "who": "Ada",\n  "topic": "rain in {city}",\n  "city": "Rome"\n}\n',
    'task.agentensemble.other.inputs.json': '{\n  "who": "Bob",\n  "topic": "sun",\n  "city": "Oslo"\n}\n',
};

for (const view of ['text', 'markdown']) {
    story(`values and escapes next to each other, and in each other: ${view}`, task, async (it) => {
        await it.show(view);
        const runs = it.page.locator(`#${view}-panel .run`);
        assert.deepEqual(await runs.allTextContents(), ['Ada', 'rain in ', 'Rome', '{end}', 'Ada', 'Rome', '{a_}']);
        await runs.nth(1).hover();
        assert.deepEqual(await said(it, 'topic'), ['topic', 'from task.agentensemble.inputs.json:3', 'placeholder at task.agentensemble.prompt:3']);
        await runs.nth(2).hover();
        assert.deepEqual(await said(it, 'city'), [
            'city',
            'from task.agentensemble.inputs.json:4',
            '· topic from task.agentensemble.inputs.json:3',
            '· city from task.agentensemble.inputs.json:4',
            'placeholder at task.agentensemble.prompt:3',
        ]);
        await runs.nth(3).hover();
        assert.deepEqual(await said(it, 'Literal'), ['Literal braces, by an escape', 'at task.agentensemble.prompt:3']);
        await runs.nth(6).hover();
        assert.deepEqual(await said(it, 'several'), ['Made from several pieces', '· braces of an escape', '· text of the prompt', 'placeholder at task.agentensemble.prompt:6']);
    });
}

story('values and escapes next to each other: comparison', task, async (it) => {
    await it.show('compare');
    await it.page.locator('.summary', { hasText: 'changes' }).waitFor();
    const rows = it.page.getByRole('row').filter({ has: it.page.locator('ins') });
    assert.deepEqual(await rows.locator('.diff-cell.ins').allTextContents(), ['Bobsun{end}\n', '- **Bob** of Oslo\n']);
});

const mail = {
    'mail.agentle.prompt': '{{#each days}}## {{this.day}}\n\n{{#each this.items}}- {{this}} for {{user.name}}\n{{/each}}\n{{/each}}',
    'mail.agentle.inputs.json': '{\n  "user": {"name": "Ada"},\n  "days": [\n    {"day": "Monday", "items": ["read"]},\n    {"day": "Tuesday", "items": ["rest", "sleep"]}\n  ]\n}\n',
};

for (const view of ['text', 'markdown']) {
    story(`a loop in a loop says which item: ${view}`, mail, async (it) => {
        await it.show(view);
        const run = (words) => it.page.locator(`#${view}-panel .value`, { hasText: words });
        await run('Tuesday').hover();
        assert.deepEqual(await said(it, 'this.day'), ['this.day', 'in days, item 2', 'from mail.agentle.inputs.json:5', 'placeholder at mail.agentle.prompt:1']);
        await run('sleep').hover();
        assert.deepEqual(await said(it, 'item 2'), ['this', 'in days, item 2', 'in this.items, item 2', 'from mail.agentle.inputs.json:5', 'placeholder at mail.agentle.prompt:3']);
        // All output of a placeholder is highlighted.
        await run('sleep').click();
        await until('it is lit', async () => (await it.page.locator(`#${view}-panel .lit`).allTextContents()).join() === 'read,rest,sleep');
    });
}

story('who clicks on one item of a long loop stays there, though the first is lit, too', {
    'long.agentle.prompt': '{{#each xs}}- {{this}}\n{{/each}}\n{{last}}\n',
    'long.agentle.inputs.json': JSON.stringify({ xs: Array.from({ length: 300 }, (_, index) => `item ${index}`), last: 'end' }),
}, async (it) => {
    for (const view of ['text', 'markdown']) {
        await it.show(view);
        const scroller = it.page.locator(`#${view}-panel`);
        const item = scroller.locator('.value', { hasText: 'item 250' });
        await item.scrollIntoViewIfNeeded();
        await it.atRest(item);
        const before = (await item.boundingBox()).y;
        await item.click();
        await until('all are lit', async () => (await scroller.locator('.lit').count()) === 300);
        await it.atRest(item);
        assert.equal((await item.boundingBox()).y, before, view);
    }
});
