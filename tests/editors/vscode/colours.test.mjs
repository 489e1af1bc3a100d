// In every built-in theme of VS Code, placeholders differ from prose, and in code from their
// string.
import { until } from '../../web/until.mjs';
import { story } from '../../web/vscode/story.mjs';
import { setTheme, themes } from '../../web/vscode/themes.mjs';

/** The minimum perceived distance of two colours: CIE 1976. Two is just noticeable side by side. */
const told = 20;

function distance(one, other) {
    const [a, b] = [lab(one), lab(other)];
    return Math.hypot(...a.map((value, index) => value - b[index]));
}

/** Converts `rgb(1, 2, 3)` into lightness and two colour axes. */
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

/**
 * Waits in each theme until names stand out from the text around them: VS Code updates colours some
 * time after a change of theme.
 */
async function standOut(it, code, { prose, names }) {
    const colours = () => it.page.evaluate(() => {
        const pieces = document.querySelectorAll('.editor-instance .view-line > span > span');
        return Object.fromEntries([...pieces].map((it) => [it.textContent.replaceAll(/^["`\s]+|\s+$/g, ''), getComputedStyle(it).color]));
    });
    for (const theme of themes) {
        await setTheme(it, code, theme);
        await until(`${names} stand out in ${theme.id}`, async () => {
            const seen = await colours();
            return [prose, ...names].every((name) => name in seen) && names.every((name) => distance(seen[name], seen[prose]) >= told);
        });
    }
}

story('placeholders stand out from prose in every theme', {
    'seen.agentle.prompt': 'prose {{user}} {{#if user}}if{{/if}}\n',
    'seen.agentle.inputs.json': '{"user": "Ada"}\n',
}, async (it, code) => {
    await it.openFile('seen.agentle.prompt');
    await standOut(it, code, { prose: 'prose', names: ['user', '#if'] });
});

const inCode = {
    'seen.py': 'from agentle.prompts.models import Prompt\n\n# promptls: agentle\nPLAN = "prose {{user}} {{#if user}}if{{/if}}"\n',
    'seen.ts': "// promptls: agentle\nexport const plan = `prose {{user}} {{#if user}}if{{/if}}`;\n",
    'seen.go': 'package main\n\n// promptls: agentle\nvar plan = "prose {{user}} {{#if user}}if{{/if}}"\n',
};

for (const [name, text] of Object.entries(inCode)) {
    // Each language has a grammar of its own, but all have the scopes of placeholders in common.
    const tell = name === 'seen.ts' ? story : story.long;
    tell(`placeholders stand out from their string in every theme: ${name}`, { [name]: text }, async (it, code) => {
        await it.openFile(name);
        await it.status.waitFor();
        await standOut(it, code, { prose: 'prose', names: ['user', '#if', '{{', '}}'] });
    });
}
