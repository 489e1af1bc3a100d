// Bundles the page: build.mjs FOLDER [--watch], build.mjs --check, build.mjs --test.
//
// The bundle is committed, so that building promptls needs no Node. `--check` verifies that it
// matches the sources.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';
import { notices } from './notices.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
process.chdir(here);
const isWatching = process.argv.includes('--watch');

const options = {
    entryPoints: { page: 'src/page.ts', style: 'src/styles/page.css' },
    entryNames: '[name]',
    bundle: true,
    minify: !isWatching,
    sourcemap: isWatching && 'inline',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    platform: 'browser',
    format: 'iife',
    // The Chrome version of VS Code 1.91.
    target: 'chrome122',
};

/** Builds into a folder. */
async function bundle(folder) {
    const script = { ...options, entryPoints: ['src/page.ts'], outdir: folder, metafile: true, write: false };
    const { metafile } = await build(script);
    await build({ ...script, write: true, metafile: false, footer: { js: notices('This page', metafile) } });
    await build({ ...options, entryPoints: ['src/styles/page.css'], outdir: folder });
}

/** The result of `action` for a new folder, which is deleted afterwards. */
async function inTemporaryFolder(action) {
    const folder = mkdtempSync(path.join(tmpdir(), 'promptls-page-'));
    try {
        return await action(folder);
    } finally {
        rmSync(folder, { recursive: true });
    }
}

async function check() {
    const differs = await inTemporaryFolder(async (folder) => {
        await bundle(folder);
        const same = (file) => readFileSync(path.join(folder, file)).equals(readFileSync(path.join('dist', file)));
        return readdirSync(folder).filter((file) => !same(file));
    });
    if (differs.length > 0) {
        console.error(`dist/${differs.join(', dist/')}: not what the sources make; run: npm run build`);
        process.exitCode = 1;
    }
}

async function test() {
    await inTemporaryFolder(async (folder) => {
        const entryPoints = readdirSync('test').filter((it) => it.endsWith('.test.ts')).map((it) => `test/${it}`);
        await build({ entryPoints, bundle: true, platform: 'node', format: 'esm', outdir: folder, outExtension: { '.js': '.mjs' } });
        const files = readdirSync(folder).map((it) => path.join(folder, it));
        try {
            execFileSync(process.execPath, ['--test', '--test-reporter=spec', ...files], { stdio: 'inherit' });
        } catch {
            process.exitCode = 1;
        }
    });
}

if (process.argv.includes('--check')) {
    await check();
} else if (process.argv.includes('--test')) {
    await test();
} else if (isWatching) {
    for (const entry of ['src/page.ts', 'src/styles/page.css']) {
        await (await context({ ...options, entryPoints: [entry], outdir: process.argv[2] })).watch();
    }
} else {
    await bundle(process.argv[2] ?? 'dist');
}
