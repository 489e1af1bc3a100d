// A folder of prompts, and `promptls preview --serve` in it.
import { spawn, execFileSync } from 'node:child_process';
import path from 'node:path';
import { Folder, newHome, removeHome } from '../folder.mjs';
import { until } from '../until.mjs';

const { PROMPTLS_BINARY } = process.env;

export class Served {
    /** Writes files, texts by path, and serves the first of them, or a task of it. */
    static async start(files, { commit = false, task } = {}) {
        const served = new Served();
        served.home = newHome();
        served.folder = new Folder(path.join(served.home, 'work'));
        served.folder.lay(files);
        if (commit) {
            served.git('init', '--quiet');
            served.git('add', '--all');
            served.git('commit', '--quiet', '--message', 'First');
        }
        const [prompt] = Object.keys(files);
        await served.serve(task ? ['--prompt', task, prompt] : [prompt]);
        return served;
    }

    /** Serves a prompt of a user with a home and a folder, and optionally an editor. */
    static async beside({ home, folder }, prompt) {
        const served = new Served();
        Object.assign(served, { home, folder, isGuest: true });
        await served.serve([prompt]);
        return served;
    }

    git(...args) {
        execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd: this.folder.path, stdio: 'pipe' });
    }

    async serve(args) {
        // No other server of this machine must be found.
        const env = { ...process.env, XDG_RUNTIME_DIR: this.home, NO_COLOR: '1' };
        const options = { cwd: this.folder.path, env, stdio: ['ignore', 'pipe', 'pipe'] };
        this.process = spawn(PROMPTLS_BINARY, ['preview', '--serve', '--no-open', ...args], options);
        let [stdout, stderr] = ['', ''];
        this.process.stdout.on('data', (data) => (stdout += data));
        this.process.stderr.on('data', (data) => (stderr += data));
        this.url = await until('it says its address', () => /http:\S+/.exec(stdout)?.[0]).catch((error) => {
            throw new Error(`${error.message}; it said: ${stderr}`);
        });
    }

    /** Ends it abruptly, as when the machine goes to sleep or the process is killed. */
    async kill() {
        this.process.kill('SIGKILL');
        await until('it is gone', () => this.process.signalCode !== null);
    }

    async stop() {
        this.process.kill('SIGINT');
        await until('it ends', () => this.process.exitCode !== null || this.process.signalCode !== null);
        if (!this.isGuest) {
            removeHome(this.home);
        }
    }
}
