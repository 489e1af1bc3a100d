// VS Code as a server: code-server with the extension, in separate folders.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Folder, newHome, removeHome } from '../folder.mjs';
import { patience, until } from '../until.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { PROMPTLS_CODE_SERVER, PROMPTLS_EXTENSIONS, PROMPTLS_OUT, PROMPTLS_BINARY, PROMPTLS_RECORD } = process.env;

export class CodeServer {
    static async start() {
        const code = new CodeServer();
        code.home = newHome();
        const { env, options } = withoutSettings(code.home, PROMPTLS_EXTENSIONS);
        code.folder = new Folder(path.join(code.home, 'work'));
        code.settings = path.join(code.home, 'data/User/settings.json');
        fs.mkdirSync(path.dirname(code.settings), { recursive: true });
        code.set({});

        const port = await freePort();
        const log = fs.openSync(path.join(PROMPTLS_OUT, `code-server-${port}.log`), 'w');
        const address = ['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`];
        const quiet = ['--disable-telemetry', '--disable-update-check'];
        code.process = spawn(PROMPTLS_CODE_SERVER, [...options, ...address, ...quiet], {
            env,
            stdio: ['ignore', log, log],
        });
        code.url = `http://127.0.0.1:${port}/`;
        await until('code-server answers', async () => (await fetch(`${code.url}healthz`)).ok);
        return code;
    }

    /** Resets the user's settings to the default ones, except some. */
    set(some) {
        const usual = JSON.parse(fs.readFileSync(path.join(here, 'settings.json'), 'utf8'));
        fs.writeFileSync(this.settings, JSON.stringify({ ...usual, ...recorder(this.home), ...some }));
    }

    /** The ids of the language servers among its descendants. */
    servers() {
        const below = descendants(this.process.pid);
        return below.filter((pid) => program(pid) === 'promptls');
    }

    async stop() {
        const below = descendants(this.process.pid);
        this.process.kill();
        await until('code-server ends', () => this.process.exitCode !== null || this.process.signalCode !== null);
        for (const pid of below.filter((pid) => program(pid) !== undefined)) {
            try {
                process.kill(pid, 'SIGKILL');
            } catch {
                // It has already ended.
            }
        }
        removeHome(this.home);
    }
}

/**
 * The environment and the options of a code-server with its data in `home`, which the settings and
 * the editors of this machine do not affect.
 */
export function withoutSettings(home, extensions) {
    const config = path.join(home, 'config.yaml');
    fs.writeFileSync(config, '');
    const env = { ...process.env, HOME: home, XDG_RUNTIME_DIR: home };
    for (const name of Object.keys(env).filter((it) => it.startsWith('VSCODE_'))) {
        delete env[name];
    }
    const data = path.join(home, 'data');
    return { env, options: ['--config', config, '--user-data-dir', data, '--extensions-dir', extensions] };
}

/** Settings that start the server through the recorder, if messages are to be recorded. */
function recorder(home) {
    if (!PROMPTLS_RECORD) {
        return {};
    }
    const record = path.join(here, '../../protocol/record');
    const log = path.join(path.resolve(PROMPTLS_RECORD), 'vscode');
    const wrapper = path.join(home, 'promptls-recorded');
    // Other commands use the terminal.
    const script = `#!/bin/sh
[ "$1" = lsp ] && exec '${record}' '${log}' '${PROMPTLS_BINARY}' "$@"
exec '${PROMPTLS_BINARY}' "$@"
`;
    fs.writeFileSync(wrapper, script, { mode: 0o755 });
    return { 'promptls.server.path': wrapper };
}

function descendants(pid) {
    const parents = new Map();
    for (const entry of fs.readdirSync('/proc').filter((it) => /^\d+$/.test(it))) {
        try {
            const stat = fs.readFileSync(`/proc/${entry}/stat`, 'utf8');
            // The name in parentheses may contain any characters; the parent is the second field
            // after it.
            parents.set(Number(entry), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
        } catch {
            // It has ended.
        }
    }
    const isBelow = (it) => it === pid || (parents.has(it) && isBelow(parents.get(it)));
    return [...parents.keys()].filter((it) => it !== pid && isBelow(it));
}

/** The file name of a process's program; `undefined` if it has ended. */
function program(pid) {
    try {
        return path.basename(fs.readlinkSync(`/proc/${pid}/exe`));
    } catch {
        return undefined;
    }
}

function freePort() {
    return new Promise((resolve, reject) => {
        const server = net.createServer();
        server.once('error', reject);
        server.listen(0, '127.0.0.1', () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });
}
