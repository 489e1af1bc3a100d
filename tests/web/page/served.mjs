// A folder of prompts, and `promptls preview --serve` in it.
import { spawn, execFileSync } from 'node:child_process';
import path from 'node:path';
import { Folder, newHome, removeHome } from '../folder.mjs';
import { until } from '../until.mjs';

const { PROMPTLS_BINARY } = process.env;

export class Served {
    /** Lays files, texts by path, and serves the first of them, or a task of it. */
    static async start(files, { commit = false, task } = {}) {
        const served = new Served();
        served.home = newHome();
        served.folder = new Folder(path.join(served.home, 'work'));
        served.folder.lay(files);
        const cwd = served.folder.path;
        if (commit) {
            const git = (...args) => execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd, stdio: 'pipe' });
            git('init', '--quiet');
            git('add', '--all');
            git('commit', '--quiet', '--message', 'First');
        }
        const [prompt] = Object.keys(files);
        // No other server of this machine is to be found.
        const env = { ...process.env, XDG_RUNTIME_DIR: served.home, NO_COLOR: '1' };
        const which = task ? ['--prompt', task] : [];
        served.process = spawn(PROMPTLS_BINARY, ['preview', '--serve', '--no-open', ...which, prompt], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
        let [said, complained] = ['', ''];
        served.process.stdout.on('data', (data) => (said += data));
        served.process.stderr.on('data', (data) => (complained += data));
        served.url = await until('it says its address', () => /http:\S+/.exec(said)?.[0]).catch((error) => {
            throw new Error(`${error.message}; it said: ${complained}`);
        });
        return served;
    }

    /** As when the machine goes to sleep, or somebody ends it. */
    async kill() {
        this.process.kill('SIGKILL');
        await until('it is gone', () => this.process.signalCode !== null);
    }

    async stop() {
        this.process.kill('SIGINT');
        await until('it ends', () => this.process.exitCode !== null || this.process.signalCode !== null);
        removeHome(this.home);
    }
}
