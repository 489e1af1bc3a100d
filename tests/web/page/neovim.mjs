// A Neovim with the plugin, next to the page: types keys, and reads its state.
import { spawn, execFileSync } from 'node:child_process';
import path from 'node:path';
import { until } from '../until.mjs';

const { PROMPTLS_BINARY, PROMPTLS_NVIM } = process.env;
const plugin = new URL('../../../editors/neovim', import.meta.url).pathname;

export class Neovim {
    /** Opens a file of the served folder, in the same session of the same user. */
    static async open(served, name) {
        const neovim = new Neovim();
        neovim.socket = path.join(served.home, 'nvim.sock');
        const env = { ...process.env, HOME: served.home, XDG_RUNTIME_DIR: served.home, XDG_STATE_HOME: served.home };
        const setup = `lua vim.opt.runtimepath:append('${plugin}'); vim.g.promptls = { cmd = { '${PROMPTLS_BINARY}', 'lsp' } }`;
        neovim.process = spawn(PROMPTLS_NVIM, ['--headless', '--clean', '--listen', neovim.socket, '--cmd', setup, name], {
            cwd: served.folder.path,
            env,
            stdio: 'ignore',
        });
        await until('Neovim has its server', () => neovim.value('luaeval("#vim.lsp.get_clients({ bufnr = 0 })")') === '1');
        return neovim;
    }

    /** The value of an expression of Vim. */
    value(expression) {
        return execFileSync(PROMPTLS_NVIM, ['--server', this.socket, '--remote-expr', expression], { encoding: 'utf8', stdio: 'pipe' }).trim();
    }

    type(keys) {
        execFileSync(PROMPTLS_NVIM, ['--server', this.socket, '--remote-send', keys], { stdio: 'pipe' });
    }

    /** The lines of an open file. */
    lines(name) {
        return JSON.parse(this.value(`json_encode(getbufline("${name}", 1, "$"))`));
    }

    /** The current file, and the line and column of the cursor, from 1. */
    place() {
        return JSON.parse(this.value('json_encode([expand("%:t"), line("."), col(".")])'));
    }

    /** Quits like a user. */
    quit() {
        try {
            this.type('<Esc>:qall!<CR>');
        } catch {
            // It may end before it has confirmed the keys.
        }
    }

    async stop() {
        this.process.kill();
        await until('Neovim ends', () => this.process.exitCode !== null || this.process.signalCode !== null);
    }
}
