// Bundles the extension and the page of its preview, and brings the grammars here.
import { cp } from 'node:fs/promises';
import { build, context } from 'esbuild';

const isWatching = process.argv.includes('--watch');
const common = { bundle: true, minify: !isWatching, sourcemap: isWatching && 'inline', logLevel: 'warning' };
const bundles = [
    {
        ...common,
        entryPoints: ['src/extension.ts'],
        outfile: 'dist/extension.js',
        platform: 'node',
        target: 'node20',
        format: 'cjs',
        external: ['vscode'],
    },
    {
        ...common,
        entryPoints: ['src/preview/page.ts', 'src/preview/page.css'],
        outdir: 'dist',
        platform: 'browser',
        target: 'chrome114',
    },
];

await cp('../../syntax/grammars/textmate', 'grammars', { recursive: true });
for (const bundle of bundles) {
    await (isWatching ? (await context(bundle)).watch() : build(bundle));
}
