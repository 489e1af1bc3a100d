// Allowed imports of modules. Type imports count too: they are needed to understand a file.
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
