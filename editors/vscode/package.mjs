// Makes a .vsix with the server inside: `npm run package [-- OUT.vsix]`.
//
// PROMPTLS_BINARY names a server that is built already. Without it one is built that needs
// nothing of the machine it runs on.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const rustTarget = 'x86_64-unknown-linux-gnu';
const vscodeTarget = 'linux-x64';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const out = resolve(process.argv[2] ?? `promptls-${vscodeTarget}-${version}.vsix`);
const run = (command, args, options) => execFileSync(command, args, { stdio: 'inherit', ...options });

rmSync('bin', { recursive: true, force: true });
rmSync('dist', { recursive: true, force: true });
mkdirSync('bin');
copyFileSync(process.env.PROMPTLS_BINARY ?? builtServer(), 'bin/promptls');
chmodSync('bin/promptls', 0o755);
run('npm', ['run', '--silent', 'build']);
writeFileSync('dist/README.md', withoutPictures(readFileSync('README.md', 'utf8')));
run('vsce', [
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    '--target',
    vscodeTarget,
    '--readme-path',
    'dist/README.md',
    '--out',
    out,
]);

/** VS Code shows pictures of an extension's page from the web only, and ours are in no web. The walkthrough has them. */
function withoutPictures(page) {
    return page.replaceAll(/^!\[[^\]]*\]\([^)]+\)\n\n/gm, '');
}

/** Builds a static server and says where it is. */
function builtServer() {
    const workspace = resolve('../..');
    const args = ['build', '--locked', '--profile', 'dist', '--package', 'promptls', '--target', rustTarget];
    const RUSTFLAGS = '-C target-feature=+crt-static';
    run('cargo', args, { cwd: workspace, env: { ...process.env, RUSTFLAGS } });
    const folder = process.env.CARGO_TARGET_DIR ?? join(workspace, 'target');
    return join(folder, rustTarget, 'dist', 'promptls');
}
