// The built-in themes of VS Code.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const { PROMPTLS_CODE_SERVER } = process.env;
const extensions = path.join(path.dirname(PROMPTLS_CODE_SERVER), 'app/node_modules/code-server/lib/vscode/extensions');

/** The themes by their names in settings, with the class of the window while a theme is active. */
export const themes = fs.readdirSync(extensions).flatMap((name) => {
    const file = path.join(extensions, name, 'package.json');
    const { publisher, contributes } = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
    return (contributes?.themes ?? []).map((theme) => ({
        id: theme.id ?? theme.label,
        mark: `${publisher}.${name}-${theme.path.replace('./', '')}`.replaceAll(/[^\w-]/g, '-'),
    }));
});

assert.ok(themes.length > 15, 'there are themes');

/** Selects a theme, and waits until it is applied. */
export async function setTheme(window, code, { id, mark }) {
    code.folder.write('.vscode/settings.json', JSON.stringify({ 'workbench.colorTheme': id }));
    await window.page.locator(`.monaco-workbench.${mark}`).waitFor();
}
