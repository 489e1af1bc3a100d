// Prompts in strings of code and in configuration, in VS Code.
import assert from 'node:assert/strict';
import { until } from '../../web/until.mjs';
import { story } from '../../web/vscode/story.mjs';

const planner = `from google.adk.agents import LlmAgent

city = input()
planner = LlmAgent(
    name="planner",
    instruction=f"Plan for {city}: {{task}}, {{mod}}.",
)
`;

story('code without prompts starts no server', {
    'main.py': 'def plan(city):\n    return f"You are in {city}."\n',
    'setup.py': 'from setuptools import setup\nsetup(name="x")\n',
}, async (it, code) => {
    await it.openFile('main.py');
    await it.run('Developer: Show Running Extensions');
    const ours = it.page.locator('.runtime-extensions-editor .extension', { hasText: 'promptls' });
    await ours.filter({ hasText: 'Activation' }).waitFor();
    assert.deepEqual(code.servers(), []);
    await it.keyboard.press('Escape');
    await ours.waitFor({ state: 'hidden' });
    await it.openFile('main.py');
    await it.type('PLAN = "Go to {place}."\n');
    await it.goTo(1);
    assert.deepEqual(code.servers(), []);
    // Before the file is saved.
    await it.type('# promptls: adk\n');
    await until('a server is started', () => code.servers().length === 1);
    // Its values are unknown, so only visible mistakes are reported.
    await it.status.waitFor();
}, {});

story.long('agents in YAML need no code in front, and other YAML starts no server', {
    'other.yaml': 'name: x\nrole: {a}\n',
    'agents.yaml': 'chef:\n  role: Cook\n  goal: Cook {dish}\n  backstory: None\n',
}, async (it, code) => {
    await it.openFile('other.yaml');
    await it.run('Developer: Show Running Extensions');
    const ours = it.page.locator('.runtime-extensions-editor .extension', { hasText: 'promptls' });
    await ours.filter({ hasText: 'Activation' }).waitFor();
    assert.deepEqual(code.servers(), []);
    await it.keyboard.press('Escape');
    await ours.waitFor({ state: 'hidden' });
    await it.openFile('agents.yaml');
    await it.status.waitFor();
}, {});

story('code that is open at the start counts beside files that are prompts by their names', {
    'letter.prompt': 'Dear {{ name }}\n',
    'planner.py': planner,
    'planner.planner.inputs.json': '{"task": "a trip", "mood": "gay"}\n',
}, async (it) => {
    await it.openFile('planner.py');
    await it.waitForSquiggles(1);
    await it.reload();
    await it.waitForSquiggles(1);
}, {});

story('a prompt in Python has all that others have', {
    'planner.py': planner,
    'planner.planner.inputs.json': '{"task": "a trip", "mood": "gay"}\n',
}, async (it, code) => {
    await it.openFile('planner.py');
    await it.waitForSquiggles(1);
    await it.goTo(6, 38);
    assert.match(await it.hover(), /a trip/);
    await it.keyboard.press('Escape');

    await it.openPreview();
    await it.waitForPreview('Plan for {city}: a trip, {mod}.');
    await it.leaveSide();

    await it.goTo(6, 48);
    await it.quickFix('mood');
    await it.waitForSquiggles(0);
    await it.waitForPreview('Plan for {city}: a trip, gay.');

    await it.goTo(6, 38);
    await it.rename('plan');
    await until('the inputs have it', async () => {
        await it.saveAll();
        return JSON.parse(code.folder.read('planner.planner.inputs.json')).plan === 'a trip';
    });
    assert.match(code.folder.read('planner.py'), /\{\{plan\}\}, \{\{mood\}\}/);

    // Braces of an f-string are doubled, before the cursor and after it.
    await it.goTo(6, 54);
    await it.type(' {{mo');
    await it.completions.filter({ hasText: 'mood' }).first().waitFor();
    await it.keyboard.press('Enter');
    await it.waitForPreview('Plan for {city}: a trip, gay gay.');
    await it.saveAll();
    assert.match(code.folder.read('planner.py'), /\{\{mood\}\} \{\{mood\}\}\."/);

    await it.picture('hosts-python');
    const colour = (word) =>
        it.page.locator('.view-line span span', { hasText: new RegExp(`^${word}$`) }).first().evaluate((node) => getComputedStyle(node).color);
    assert.notEqual(await colour('plan'), await colour('from'));
});

story('a prompt that another file uses is one in its own', {
    'app/agent.py': 'from google.adk.agents import LlmAgent\nfrom .texts import PLAN\nroot = LlmAgent(name="a", instruction=PLAN)\n',
    'app/texts.py': 'PLAN = "Plan {task}, {mod}."\n',
    'app/texts.PLAN.inputs.json': '{"task": "a trip", "mood": "gay"}\n',
    'pyproject.toml': '[project]\nname = "x"\ndependencies = ["google-adk"]\n',
}, async (it) => {
    await it.openFile('app/texts.py');
    await it.waitForSquiggles(1);
});

story.long('a prompt in Java is fixed in its text block', {
    'Planner.java': `import net.agentensemble.Task;

class Planner {
    Task task = Task.builder()
        .description("""
            Plan {topic},
              {mod}.
            """)
        .expectedOutput("A plan")
        .build();
}
`,
    'Planner.task.inputs.json': '{"topic": "a trip", "mood": "gay"}\n',
}, async (it, code) => {
    await it.openFile('Planner.java');
    await it.waitForSquiggles(1);
    await it.openPreview();
    await it.leaveSide();
    await it.goTo(7, 17);
    assert.match(await it.hover(), /mod/);
    await it.keyboard.press('Escape');
    await it.quickFix('mood');
    await it.waitForSquiggles(0);
    await it.waitForPreview('Plan a trip,\n  gay.\n');
    await it.goTo(6, 21);
    await it.rename('subject');
    await until('the inputs have it', async () => {
        await it.saveAll();
        return 'subject' in JSON.parse(code.folder.read('Planner.task.inputs.json'));
    });
    assert.match(code.folder.read('Planner.java'), /\n {12}Plan \{subject\},\n {14}\{mood\}\.\n/);
});

story.long('a prompt in the configuration of an agent is one', {
    'root_agent.yaml': 'name: root\nmodel: m\ninstruction: |\n  Plan {task},\n  {mod}.\n',
    'root_agent.root.inputs.json': '{"task": "a trip", "mood": "gay"}\n',
}, async (it, code) => {
    await it.openFile('root_agent.yaml');
    await it.waitForSquiggles(1);
    await it.openPreview();
    await it.leaveSide();
    await it.goTo(5, 5);
    await it.quickFix('mood');
    await it.waitForSquiggles(0);
    await it.waitForPreview('Plan a trip,\ngay.\n');
    await it.saveAll();
    assert.match(code.folder.read('root_agent.yaml'), /\n {2}\{mood\}\.\n/);
});

story('beside the server of TypeScript, each answers for its own', {
    'agent.ts': `// @ts-ignore
import { LlmAgent } from '@google/adk';

const city = 'Rome';
export const planner = new LlmAgent({
    name: 'planner',
    instruction: \`Plan for \${city}: {task}, {mod}.\`,
});
`,
    'agent.planner.inputs.json': '{"task": "a trip", "mood": "gay"}\n',
}, async (it) => {
    await it.openFile('agent.ts');
    await it.waitForSquiggles(1);
    const hoverAt = async (line, column) => {
        await it.goTo(line, column);
        const text = await it.hover();
        await it.keyboard.press('Escape');
        return text;
    };
    await until('TypeScript is there', async () => /const city: /.test(await hoverAt(4, 8)));
    assert.doesNotMatch(await hoverAt(4, 8), /trip|Rome.*Rome/s);
    const task = await hoverAt(7, 38);
    assert.match(task, /a trip/);
    assert.doesNotMatch(task, /const|property/);

    // Either server may be slower than the user types; a repeated request gets all items.
    const labels = async (word) => {
        const rows = it.completions.filter({ hasText: word });
        await until(`there is ${word}`, async () => {
            await it.keyboard.press('Escape');
            await it.keyboard.press('Control+Space');
            return rows.first().waitFor({ timeout: 2_000 }).then(() => true, () => false);
        });
        return rows.count();
    };
    await it.goTo(7, 50);
    await it.type(' {ta');
    assert.equal(await labels('task'), 1);
    await it.keyboard.press('Enter');
    await it.goTo(4, 21);
    await it.type(' cit');
    assert.equal(await labels('city'), 1);
});
