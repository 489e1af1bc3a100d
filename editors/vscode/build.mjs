// Bundles the extension, and copies the page of its preview, its pictures and the grammars here.
import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';
import { notices } from 'promptls-page/notices';

const isWatching = process.argv.includes('--watch');
const extension = {
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    bundle: true,
    minify: !isWatching,
    sourcemap: isWatching && 'inline',
    logLevel: 'warning',
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['vscode'],
};

await cp('../../syntax/grammars/textmate', 'grammars', { recursive: true });
await cp('../../tests/prompts', 'dist/samples', { recursive: true });
for (const look of ['light', 'dark']) {
    await cp(`../../tests/pictures/vscode-${look}.png`, `dist/preview-${look}.png`);
}
for (const file of ['page.js', 'page.css']) {
    await cp(fileURLToPath(import.meta.resolve(`promptls-page/${file}`)), `dist/${file}`);
}
if (isWatching) {
    await (await context(extension)).watch();
} else {
    const { metafile } = await build({ ...extension, metafile: true, write: false });
    await build({ ...extension, footer: { js: notices('This extension', metafile) } });
}
