// Converting a prompt to another dialect, next to the open one.
import { until } from '../../web/until.mjs';
import { story } from '../../web/vscode/story.mjs';

story('a prompt is converted with its inputs, and what cannot be is said', {
    'convert.adk.prompt': 'Dear {user:name}, of {list}.\n',
    'convert.adk.inputs.json': '{"user:name": "Ada", "list": ["x"]}\n',
}, async (it, code) => {
    await it.openFile('convert.adk.prompt');
    await it.run('promptls: Convert to Another Dialect');
    await it.quickRows.filter({ hasText: 'PromptPack' }).click();
    await it.notifications.filter({ hasText: 'a different text would be sent' }).waitFor();
    await it.run('promptls: Convert to Another Dialect');
    await it.quickRows.filter({ hasText: 'Agentle' }).click();
    const text = 'Dear {{user:name}}, of {{list}}.\n';
    await until('the prompt is there', () => code.folder.read('convert.agentle.prompt') === text);
    const inputs = '{"user:name": "Ada", "list": ["x"]}\n';
    await until('its inputs are there', () => code.folder.read('convert.agentle.inputs.json') === inputs);
    await it.waitForPreview('Dear Ada, of [x].\n');
});
