// Installs the extensions for the stories into a folder: extensions.mjs FOLDER
//
// All servers share the folder: an installation takes as long as several stories.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { newHome, removeHome } from '../folder.mjs';
import { withoutSettings } from './code-server.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { PROMPTLS_CODE_SERVER, PROMPTLS_VSIX } = process.env;

/** Packs an extension that reports VS Code's state. */
function packTeller(home) {
    const vsix = path.join(home, 'teller.vsix');
    const vsce = fileURLToPath(new URL('../../../node_modules/.bin/vsce', import.meta.url));
    const without = ['--no-dependencies', '--allow-missing-repository', '--skip-license'];
    execFileSync(vsce, ['package', ...without, '--out', vsix], { cwd: path.join(here, 'teller'), stdio: 'pipe' });
    return vsix;
}

const home = newHome();
try {
    const { env, options } = withoutSettings(home, path.resolve(process.argv[2]));
    const install = [PROMPTLS_VSIX, packTeller(home)].flatMap((vsix) => ['--install-extension', vsix]);
    execFileSync(PROMPTLS_CODE_SERVER, [...options, ...install], { env, stdio: 'pipe' });
} finally {
    removeHome(home);
}
