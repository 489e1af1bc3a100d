// The Problems view of VS Code has the problems of the whole workspace, equal to those of `promptls
// check`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { until } from '../../web/until.mjs';
import { story } from '../../web/vscode/story.mjs';

const files = {
    'promptls.toml': "[[prompts]]\nfiles = ['rule/*.txt']\ndialect = 'adk'\ninputs = ['shared.json']\n",
    'shared.json': '{"name": "Ada", "old": 1}\n',
    'rule/one.txt': 'Dear {name},\n',
    'rule/two.txt': '{old} {new}\n',
    'a.adk.prompt': '{x} {text}\n',
    'a.adk.inputs.json': '{"x": 1, "text": {"$file": "texts/hello.md"}}\n',
    'texts/hello.md': 'Hello\n',
    'v.promptpack.prompt': '{{name}} {{fragments.sign}}\n',
    'v.promptpack.variables.json': '{"variables": [{"name": "name"}], "fragments": {"sign": "{{name}}"}}\n',
    'p.pack.json': '{"prompts": {"a": {"system_template": "é {{name}}"}}}\n',
    'deep/er/d.langfuse.prompt': '{{z}} {{y}}\n',
    'deep/er/d.langfuse.inputs.yaml': 'z: 1\nu: 2\n',
    'lost/gone.adk.inputs.json': '{}\n',
};

/** The changes in the workspace, in order. */
const changes = {
    'a key of shared inputs gets another name': async (it, folder) => folder.write('shared.json', '{"named": "Ada", "old": 1}\n'),
    'a fragment reads another name': async (it, folder) =>
        folder.write('v.promptpack.variables.json', '{"variables": [{"name": "name"}], "fragments": {"sign": "{{nmae}} {{more}}"}}\n'),
    'a prompt is opened': async (it) => it.openFile('a.adk.prompt'),
    'it is edited and saved': async (it) => {
        await it.goTo(1);
        await it.type('{y} ');
        await it.saveAll();
    },
    'it is closed': async (it) => it.closeAll(),
    'a text that a value stands for is gone': async (it, folder) => fs.rmSync(path.join(folder.path, 'texts/hello.md')),
    'another prompt of the rule comes': async (it, folder) => folder.write('rule/three.txt', '{three}\n'),
    'the config says other things': async (it, folder) =>
        folder.write('promptls.toml', "[problems]\nundefined-placeholder = 'hint'\n[[prompts]]\nfiles = ['rule/*.txt']\ndialect = 'adk'\ninputs = ['shared.json']\n"),
    'a file is removed': async (it, folder) => fs.rmSync(path.join(folder.path, 'rule/two.txt')),
    'shared inputs are open and saved': async (it) => {
        await it.openFile('shared.json');
        await it.goTo(1, 2);
        await it.type('"name": "Bob", ');
        await it.saveAll();
    },
    'a folder gets another name': async (it, folder) => fs.renameSync(path.join(folder.path, 'deep'), path.join(folder.path, 'depth')),
    'a folder is removed': async (it, folder) => fs.rmSync(path.join(folder.path, 'depth'), { recursive: true }),
    'a folder comes from elsewhere': async (it, folder) => {
        const elsewhere = path.join(folder.path, '../elsewhere');
        fs.mkdirSync(path.join(elsewhere, 'in'), { recursive: true });
        fs.writeFileSync(path.join(elsewhere, 'in/n.adk.prompt'), '{n}\n');
        fs.writeFileSync(path.join(elsewhere, 'in/n.adk.inputs.json'), '{"m": 1}\n');
        fs.renameSync(elsewhere, path.join(folder.path, 'new'));
    },
    'the config is removed': async (it, folder) => fs.rmSync(path.join(folder.path, 'promptls.toml')),
};

story('the problems of the workspace are those of check after any change', files, async (it, { folder }) => {
    await same(folder, 'at first');
    for (const [name, change] of Object.entries(changes)) {
        await change(it, folder);
        await same(folder, name);
    }
});

/** Waits until VS Code lists the same problems as `check`. */
async function same(folder, name) {
    let [listed, checked] = [];
    await until(`the lists are the same after: ${name}`, () => {
        [listed, checked] = [inEditor(folder), inCheck(folder)];
        return JSON.stringify(listed) === JSON.stringify(checked);
    }).catch((error) => {
        assert.deepEqual(listed, checked, error.message);
        throw error;
    });
}

function inEditor(folder) {
    const all = JSON.parse(fs.readFileSync(path.join(folder.path, '../problems.json'), 'utf8'));
    const ours = all.filter(({ source }) => source === 'promptls');
    return ours.map((it) => line(path.relative(folder.path, it.path), it.range, it)).sort();
}

function inCheck(folder) {
    const { stdout } = spawnSync(process.env.PROMPTLS_BINARY, ['check', '--format', 'json', '--allow-empty'], { cwd: folder.path, encoding: 'utf8' });
    const range = ({ start, end }) => [start.line, start.character, end.line, end.character];
    return JSON.parse(stdout).problems.map((it) => line(it.file, range(it.range), it)).sort();
}

function line(file, range, { severity, code, message }) {
    return `${file}:${range.join(':')} ${severity}[${code}] ${message}`;
}
