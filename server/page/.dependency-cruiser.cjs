// What modules may import. Types count, too: to read a file, one has to know them.

/** The folders of the page. Each may import those before it. */
const folders = ['host', 'widgets', 'text', 'compare', 'markdown', 'tabs', 'panes', 'frame', 'navigation'];

const oneWay = folders.slice(0, -1).map((folder, index) => ({
    name: `${folder}-imports-none-of-those-behind-it`,
    comment: 'Folders import each other one way only, so that each can be understood by those before it.',
    severity: 'error',
    from: { path: `^src/${folder}/` },
    to: { path: `^src/(${folders.slice(index + 1).join('|')})/` },
}));

module.exports = {
    forbidden: [
        {
            name: 'no-circles',
            comment: 'Of files that import each other, none can be read first.',
            severity: 'error',
            from: {},
            to: { circular: true },
        },
        ...oneWay,
    ],
    options: { tsPreCompilationDeps: true, tsConfig: { fileName: 'tsconfig.json' }, doNotFollow: { path: 'node_modules' } },
};
