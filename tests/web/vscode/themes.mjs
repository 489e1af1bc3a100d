// The built-in themes of VS Code.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const { PROMPTLS_CODE_SERVER, PROMPTLS_TESTS_SHORT } = process.env;
const extensions = path.join(path.dirname(PROMPTLS_CODE_SERVER), 'app/node_modules/code-server/lib/vscode/extensions');

/** All themes by their names in settings, with the class of the window while a theme is active. */
const all = fs.readdirSync(extensions).flatMap((name) => {
    const file = path.join(extensions, name, 'package.json');
    const { publisher, contributes } = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
    return (contributes?.themes ?? []).map((theme) => ({
        id: theme.id ?? theme.label,
        base: theme.uiTheme,
        mark: `${publisher}.${name}-${theme.path.replace('./', '')}`.replaceAll(/[^\w-]/g, '-'),
    }));
});

assert.ok(all.length > 15, 'there are themes');

/**
 * The themes to try: all, or in the short form of the tests the first one of each base: light, dark,
 * and both with high contrast.
 */
export const themes = PROMPTLS_TESTS_SHORT
    ? all.filter(({ base }, index) => all.findIndex((it) => it.base === base) === index)
    : all;

assert.deepEqual(new Set(themes.map(({ base }) => base)), new Set(['vs', 'vs-dark', 'hc-black', 'hc-light']));

/** Selects a theme, and waits until it is applied. */
export async function setTheme(window, code, { id, mark }) {
    code.folder.write('.vscode/settings.json', JSON.stringify({ 'workbench.colorTheme': id }));
    await window.page.locator(`.monaco-workbench.${mark}`).waitFor();
}
