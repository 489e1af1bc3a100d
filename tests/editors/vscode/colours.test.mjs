// In every theme that VS Code brings, placeholders can be told from prose.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { until } from '../../web/until.mjs';
import { story } from '../../web/vscode/story.mjs';

const { PROMPTLS_CODE_SERVER } = process.env;
const extensions = path.join(
    path.dirname(PROMPTLS_CODE_SERVER),
    'app/node_modules/code-server/lib/vscode/extensions',
);

/** The themes by their names in settings, and what the window is marked with while one is on. */
const themes = fs.readdirSync(extensions).flatMap((name) => {
    const file = path.join(extensions, name, 'package.json');
    const { publisher, contributes } = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
    return (contributes?.themes ?? []).map((theme) => ({
        id: theme.id ?? theme.label,
        mark: `${publisher}.${name}-${theme.path.replace('./', '')}`.replaceAll(/[^\w-]/g, '-'),
    }));
});

/** How far apart two colours are, as people see them: CIE 1976. Two is just to be seen side by side. */
const told = 20;

function distance(one, other) {
    const [a, b] = [lab(one), lab(other)];
    return Math.hypot(...a.map((value, index) => value - b[index]));
}

/** `rgb(1, 2, 3)` as lightness and two axes of colour. */
function lab(colour) {
    const [r, g, b] = colour.match(/[\d.]+/g).slice(0, 3).map((value) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    const curve = (part) => (part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116);
    const x = curve((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
    const y = curve(0.2126 * r + 0.7152 * g + 0.0722 * b);
    const z = curve((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

assert.ok(themes.length > 15, 'there are themes');

story('placeholders stand out from prose in every theme', {
    'seen.agentle.prompt': 'prose {{user}} {{#if user}}if{{/if}}\n',
    'seen.agentle.inputs.json': '{"user": "Ada"}\n',
}, async (it, code) => {
    const colours = () => it.page.evaluate(() => {
        const pieces = document.querySelectorAll('.editor-instance .view-line:first-child > span > span');
        return Object.fromEntries([...pieces].map((it) => [it.textContent.trim(), getComputedStyle(it).color]));
    });
    const names = ['user', '#if'];
    // While the window is drawn anew, some of it is not there.
    const whole = async () => {
        const seen = await colours();
        return ['prose', ...names].every((name) => name in seen) && seen;
    };
    const faint = [];
    await it.openFile('seen.agentle.prompt');
    for (const { id, mark } of themes) {
        code.folder.write('.vscode/settings.json', JSON.stringify({ 'workbench.colorTheme': id }));
        await it.page.locator(`.monaco-workbench.${mark}`).waitFor();
        const seen = await until('all of it is coloured', whole);
        const pale = names.filter((name) => distance(seen[name], seen.prose) < told);
        faint.push(...pale.map((name) => `${name} in ${id}: ${seen[name]} beside ${seen.prose}`));
    }
    assert.deepEqual(faint, []);
});
