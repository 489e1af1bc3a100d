// A folder of prompts, and `promptls preview --serve` in it.
import { spawn, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { until } from '../../editors/vscode/src/until.mjs';

const { PROMPTLS_BINARY } = process.env;

export class Served {
    /** Lays files, texts by path, and serves the first of them, or a task of it. */
    static async start(files, { commit = false, task } = {}) {
        const served = new Served();
        served.home = fs.mkdtempSync(path.join(os.tmpdir(), 'promptls-page-'));
        served.folder = path.join(served.home, 'work');
        for (const [name, text] of Object.entries(files)) {
            served.write(name, text);
        }
        if (commit) {
            const git = (...args) => execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd: served.folder, stdio: 'pipe' });
            git('init', '--quiet');
            git('add', '--all');
            git('commit', '--quiet', '--message', 'First');
        }
        const [prompt] = Object.keys(files);
        // No other server of this machine is to be found.
        const env = { ...process.env, XDG_RUNTIME_DIR: served.home, NO_COLOR: '1' };
        served.process = spawn(PROMPTLS_BINARY, ['preview', '--serve', '--no-open', ...(task ? ['--prompt', task] : []), prompt], { cwd: served.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
        let [said, complained] = ['', ''];
        served.process.stdout.on('data', (data) => (said += data));
        served.process.stderr.on('data', (data) => (complained += data));
        served.url = await until(`it says its address; ${complained}`, () => /http:\S+/.exec(said)?.[0]);
        return served;
    }

    write(name, text) {
        const file = path.join(this.folder, name);
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.writeFileSync(file, text);
    }

    read(name) {
        return fs.readFileSync(path.join(this.folder, name), 'utf8');
    }

    uri(name) {
        return `file://${path.join(this.folder, name)}`;
    }

    /** As when the machine goes to sleep, or somebody ends it. */
    async kill() {
        this.process.kill('SIGKILL');
        await until('it is gone', () => this.process.signalCode !== null);
    }

    async stop() {
        this.process.kill('SIGINT');
        await until('it ends', () => this.process.exitCode !== null || this.process.signalCode !== null);
        fs.rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
    }
}

/** The example prompts of a folder of tests/prompts, as files to lay; that one first. */
export function examples(folder, first) {
    const from = new URL(`../../prompts/${folder}/`, import.meta.url).pathname;
    const names = fs.readdirSync(from).filter((name) => name.includes('.'));
    names.sort((a, b) => Number(b === first) - Number(a === first));
    return Object.fromEntries(names.map((name) => [name, fs.readFileSync(path.join(from, name), 'utf8')]));
}
