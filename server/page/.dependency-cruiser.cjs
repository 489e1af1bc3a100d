// What modules may import. Types count, too: to read a file, one has to know them.
module.exports = {
    forbidden: [
        {
            name: 'no-circles',
            comment: 'Of files that import each other, none can be read first.',
            severity: 'error',
            from: {},
            to: { circular: true },
        },
    ],
    options: { tsPreCompilationDeps: true, tsConfig: { fileName: 'tsconfig.json' }, doNotFollow: { path: 'node_modules' } },
};
