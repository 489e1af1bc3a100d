// The text as Markdown: its words have sources, too.
import assert from 'node:assert/strict';
import { story } from '../web/page/story.mjs';
import { until } from '../web/until.mjs';

const report = {
    'report.adk.prompt': [
        '# Report for {name}',
        '',
        'Dear **{name}**, *see* [{topic}](https://example.org/{topic}) \\*now\\*.',
        '',
        '## Notes',
        '',
        '{notes}',
        '',
        '| who | what |',
        '|---|---|',
        '| {name} | {gone} |',
        '',
        '{gone}',
        '',
        '```',
        'say {topic}',
        '```',
        '',
    ].join('\n'),
    'report.adk.inputs.json': JSON.stringify({ name: 'Ada', topic: 'rain', notes: 'First, `code` & more.\n\n- one\n- two' }, null, 2),
};

const markdown = (it) => it.page.locator('.markdown');

story('Markdown: values are tinted where they stand', report, async (it) => {
    await it.show('markdown');
    const words = (name) => markdown(it).locator(name).locator('.run').allTextContents();
    assert.deepEqual(await words('h1'), ['Ada']);
    assert.deepEqual(await words('strong'), ['Ada']);
    assert.deepEqual(await words('.link'), ['rain']);
    assert.deepEqual(await words('li'), ['one', 'two']);
    assert.deepEqual(await words('p > code'), ['code']);
    assert.deepEqual(await words('pre'), ['rain']);
    assert.match(await markdown(it).locator('h1 .run').getAttribute('class'), /\bvalue tint-0\b/);
    assert.equal(await markdown(it).locator('pre').textContent(), 'say rain\n');
    await it.picture('markdown-tints');
});

story('Markdown: what is missing is red', report, async (it) => {
    await it.show('markdown');
    const missing = markdown(it).locator('.missing');
    assert.deepEqual(await missing.allTextContents(), ['{gone}', '{gone}']);
    await missing.nth(1).hover();
    await it.tooltip.filter({ hasText: 'gone has no value in this case' }).filter({ hasText: 'placeholder at report.adk.prompt:13' }).waitFor();
});

story('Markdown: what is missing and leaves nothing has a place, alone in a paragraph or in emphasis, too', {
    'a.agentle.prompt': '{{#if on}}Yes.{{/if}}\n\n{{gone}}\n\nDear **{{gone}}**, [x](y/{{gone}})\n',
    'a.agentle.inputs.json': '{"on": true}\n',
}, async (it) => {
    await it.waitForText('Yes.\n\n\n\nDear ****, [x](y/)\n');
    await it.show('markdown');
    const missing = markdown(it).locator('.missing');
    assert.deepEqual(await missing.evaluateAll((all) => all.map((it) => [it.parentElement.localName, it.dataset.name, it.textContent])), [
        ['p', 'gone', ''],
        ['strong', 'gone', ''],
    ]);
    assert.equal(await markdown(it).locator('.link').getAttribute('data-tip'), 'y/…');
    await missing.nth(1).hover();
    await it.tooltip.filter({ hasText: 'gone has no value in this case' }).filter({ hasText: 'placeholder at a.agentle.prompt:5' }).waitFor();
});

story('Markdown: hovering says where a piece comes from, and a click goes there', report, async (it) => {
    await it.show('markdown');
    await markdown(it).locator('li .run').nth(1).hover();
    await it.tooltip.filter({ hasText: 'notes' }).waitFor();
    assert.match(await it.tooltip.innerText(), /^notes\nfrom report\.adk\.inputs\.json:4\nplaceholder at report\.adk\.prompt:7$/);
    await it.keyboard.press('Escape');
    // In a link, the address is also shown.
    await markdown(it).locator('.link .run').hover();
    await it.tooltip.filter({ hasText: 'https://example.org/rain' }).filter({ hasText: 'from report.adk.inputs.json:3' }).waitFor();
    await it.pointAt('Notes', markdown(it));
    await it.tooltip.filter({ hasText: 'report.adk.prompt:5' }).waitFor();

    await markdown(it).locator('td .value').click();
    await it.statusMessage.filter({ hasText: 'report.adk.prompt:11' }).waitFor();
    await markdown(it).locator('td .value').click({ modifiers: ['Alt'] });
    await it.statusMessage.filter({ hasText: 'report.adk.inputs.json:2' }).waitFor();
});

story('Markdown: keys go through the values', report, async (it) => {
    await it.show('markdown');
    await it.page.locator('#markdown-panel').focus();
    const focus = () => it.page.evaluate(() => document.activeElement.textContent);
    const seen = [];
    for (let step = 0; step < 4; step++) {
        await it.keyboard.press('n');
        seen.push(await focus());
    }
    assert.deepEqual(seen, ['Ada', 'Ada', 'rain', 'First, ']);
    await it.keyboard.press('Enter');
    await it.statusMessage.filter({ hasText: 'report.adk.prompt:7' }).waitFor();
    // All of its output is highlighted.
    assert.deepEqual(await markdown(it).locator('.lit').allTextContents(), ['First, ', 'code', ' & more.', 'one', 'two']);
});

story('Markdown: the cursor of the editor lights what its placeholder became, and brings it into view', {
    ...report,
    'report.adk.prompt': report['report.adk.prompt'].replace('```', `${'More words.\n\n'.repeat(60)}\`\`\``),
}, async (it, files) => {
    await it.show('markdown');
    await it.say('page/cursor', { uri: files.uri('report.adk.prompt'), position: { line: 135, character: 6 }, reveal: true });
    const lit = markdown(it).locator('pre .lit');
    await lit.waitFor();
    assert.deepEqual(await markdown(it).locator('.lit').allTextContents(), ['rain']);
    await until('it is in view', () => lit.evaluate((node) => node.getBoundingClientRect().top < innerHeight));
}, { panel: true });

story('Markdown: a piece that stays knows where it comes from when others before it change', report, async (it, files) => {
    await it.show('markdown');
    await markdown(it).locator('pre .run').waitFor();
    await markdown(it).locator('.markdown-piece').evaluateAll((pieces) => pieces.forEach((piece) => (piece.isOld = true)));
    files.write('report.adk.prompt', `One {topic} more.\n\n${report['report.adk.prompt']}`);
    await until('it is drawn', async () => (await markdown(it).locator('p').first().textContent()) === 'One rain more.');
    assert.equal(await markdown(it).locator('.markdown-piece').evaluateAll((pieces) => pieces.filter((piece) => !piece.isOld).length), 1);
    await markdown(it).locator('li .run').first().hover();
    await it.tooltip.filter({ hasText: 'placeholder at report.adk.prompt:9' }).waitFor();
    await markdown(it).locator('pre .run').click();
    await it.statusMessage.filter({ hasText: 'report.adk.prompt:18' }).waitFor();
});
