#!/usr/bin/env node
// Starts the program in the package for this platform, which is an optional dependency of this
// package.
'use strict';
const { spawn } = require('node:child_process');

const platform = `${process.platform}-${process.arch}`;
const name = process.platform === 'win32' ? 'promptls.exe' : 'promptls';
let program;
try {
    program = require.resolve(`@promptls/${platform}/${name}`);
} catch {
    console.error(
        `promptls: the package @promptls/${platform} is not installed. ` +
            'Either npm runs with `--omit=optional`, or there is none for this platform.',
    );
    process.exit(2);
}

const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' });
// Ctrl-C reaches both processes; the program handles it.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
}
child.on('error', (error) => {
    console.error(`promptls: cannot start ${program}: ${error.message}`);
    process.exit(2);
});
child.on('exit', (code, signal) => {
    if (signal) {
        process.removeAllListeners(signal);
        process.kill(process.pid, signal);
    } else {
        process.exit(code);
    }
});
