// The themes that VS Code brings.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const { PROMPTLS_CODE_SERVER } = process.env;
const extensions = path.join(path.dirname(PROMPTLS_CODE_SERVER), 'app/node_modules/code-server/lib/vscode/extensions');

/** The themes by their names in settings, and what the window is marked with while one is on. */
export const themes = fs.readdirSync(extensions).flatMap((name) => {
    const file = path.join(extensions, name, 'package.json');
    const { publisher, contributes } = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
    return (contributes?.themes ?? []).map((theme) => ({
        id: theme.id ?? theme.label,
        mark: `${publisher}.${name}-${theme.path.replace('./', '')}`.replaceAll(/[^\w-]/g, '-'),
    }));
});

assert.ok(themes.length > 15, 'there are themes');

/** Puts a theme on, and waits until the window has it. */
export async function setTheme(window, code, { id, mark }) {
    code.folder.write('.vscode/settings.json', JSON.stringify({ 'workbench.colorTheme': id }));
    await window.page.locator(`.monaco-workbench.${mark}`).waitFor();
}
