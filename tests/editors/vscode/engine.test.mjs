// The engine of a prompt in the status bar, and setting one.
import { until } from '../../web/until.mjs';
import { story } from '../../web/vscode/story.mjs';

story('the status bar says which engine is shown, and a click names one', {
    'engine.adk.prompt': 'Of {list}.\n',
    'engine.adk.inputs.json': '{"list": ["x", true]}\n',
    'uv.lock': '[[package]]\nname = "google-adk"\nversion = "2.13.0"\n',
}, async (it, code) => {
    const engine = it.page.locator('.statusbar-item[id$="promptls.engine"]');
    await it.openFile('engine.adk.prompt');
    await engine.filter({ hasText: /Google ADK as documented\s*$/ }).waitFor();
    await engine.click();
    // The project's engine comes first, with the reason.
    await it.quickRows.first().filter({ hasText: 'uv.lock has google-adk 2.13.0' }).click();
    await engine.filter({ hasText: 'ADK for Python 2.13, as in uv.lock' }).waitFor();
    const rule = '[[prompts]]\nfiles = ["/engine.adk.prompt"]\nengine = "adk-python@2.13"\n';
    await until('the rule is saved', () => code.folder.read('promptls.toml') === rule);

    await engine.click();
    await it.quickRows.filter({ hasText: 'ADK for Go' }).click();
    await engine.filter({ hasText: /ADK for Go .*, but uv.lock has google-adk 2.13.0/ }).waitFor();
    await engine.click();
    await it.quickRows.filter({ hasText: 'None in the Rule' }).click();
    await engine.filter({ hasText: 'ADK for Python 2.13, as in uv.lock' }).waitFor();
});
