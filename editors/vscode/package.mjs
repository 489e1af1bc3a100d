// Makes a .vsix with a server inside: `npm run package [-- OUT.vsix [PLATFORM [FILE...]]]`.
//
// PROMPTLS_BINARY is the path of the server. PLATFORM is its platform in VS Code's terms; the
// default is this machine's. FILEs are copied next to the server. server/packages/make builds the
// servers and the packages of a release.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const server = process.env.PROMPTLS_BINARY;
if (!server) {
    console.error('PROMPTLS_BINARY is not set; set it to the promptls to put into the extension');
    process.exit(2);
}
const platform = process.argv[3] ?? `${process.platform}-${process.arch}`;
const program = join('bin', platform.startsWith('win32') ? 'promptls.exe' : 'promptls');
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const out = resolve(process.argv[2] ?? `promptls-${platform}-${version}.vsix`);
const run = (command, args) => execFileSync(command, args, { stdio: 'inherit' });

rmSync('bin', { recursive: true, force: true });
rmSync('dist', { recursive: true, force: true });
mkdirSync('bin');
copyFileSync(server, program);
chmodSync(program, 0o755);
process.argv.slice(4).forEach((file) => copyFileSync(file, join('bin', basename(file))));
run('npm', ['run', '--silent', 'build']);
writeFileSync('dist/README.md', withoutPictures(readFileSync('README.md', 'utf8')));
run('vsce', [
    'package',
    '--no-dependencies',
    '--target',
    platform,
    '--readme-path',
    'dist/README.md',
    '--out',
    out,
]);

/**
 * On an extension's page, VS Code shows only pictures from the web, and these are not published.
 * The walkthrough contains them.
 */
function withoutPictures(page) {
    return page.replaceAll(/^!\[[^\]]*\]\([^)]+\)\n\n/gm, '');
}
