"""Draws the picture of Neovim from its real screen, in a tmux terminal.

    pip install rich
    cargo build --profile dist -p promptls
    python3 tests/pictures/draw_neovim.py target/dist/promptls nvim
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from draw import HERE, PROMPT, save
from rich.text import Text

COLUMNS, ROWS = 124, 16
PLUGIN = HERE.parent.parent / "editors" / "neovim"
PATIENCE = 20  # seconds

INIT = f"""
vim.opt.runtimepath:append('{PLUGIN}')
vim.o.termguicolors = true
vim.o.laststatus = 3
vim.o.ruler = false
vim.o.linebreak = true
vim.opt.shortmess:append('IWF')
vim.opt.fillchars:append({{ eob = ' ' }})
vim.diagnostic.config({{ virtual_text = true, signs = false }})
vim.lsp.enable('promptls')
"""



class Screen:
    """A Neovim in a separate tmux."""

    def __init__(self, program: Path, neovim: str, folder: Path) -> None:
        self.neovim = neovim
        self.socket = folder / "nvim.sock"
        self.tmux = ["tmux", "-S", folder / "tmux.sock", "-f", os.devnull]
        init = folder / "init.lua"
        init.write_text(INIT)
        home = {f"XDG_{kind}_HOME": str(folder / kind) for kind in ["CONFIG", "DATA", "STATE", "CACHE"]}
        path = f"{program.parent}:{os.environ['PATH']}"
        environment = {**os.environ, **home, "PATH": path}
        arguments = ["--clean", "-n", "-u", init, "--headless", "--listen", self.socket, PROMPT]
        self.editor = subprocess.Popen([neovim, *arguments], cwd=HERE, env=environment)
        self.until("1")
        size = ["-x", str(COLUMNS), "-y", str(ROWS)]
        view = f"{neovim} --server {self.socket} --remote-ui"
        subprocess.run([*self.tmux, "new-session", "-d", *size, view], check=True, env=environment)

    def ask(self, expression: str) -> str:
        command = [self.neovim, "--clean", "--server", self.socket, "--remote-expr", expression]
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()

    def until(self, expression: str) -> None:
        end = time.monotonic() + PATIENCE
        while self.ask(expression) not in ("1", "v:true", "true"):
            if time.monotonic() > end:
                sys.exit(f"waited in vain for {expression}")
            time.sleep(0.1)

    def type(self, keys: str) -> None:
        command = [self.neovim, "--clean", "--server", self.socket, "--remote-send", keys]
        subprocess.run(command, check=True)

    def text(self) -> str:
        """The screen with colours, once it no longer changes."""
        before = None
        while True:
            command = [*self.tmux, "capture-pane", "-e", "-p", "-N"]
            now = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            if now == before:
                # Rich does not support kinds and colours of underlines.
                return re.sub(r"\x1b\[4:\d+m", "\x1b[4m", now)
            before = now
            time.sleep(0.3)

    def close(self) -> None:
        subprocess.run([*self.tmux, "kill-server"], check=False)
        self.editor.terminate()
        self.editor.wait()


def draw(program: Path, neovim: str, picture: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        screen = Screen(program, neovim, Path(folder))
        try:
            screen.until(f"&columns == {COLUMNS}")
            screen.until("luaeval(\"#vim.lsp.get_clients({ bufnr = 0 }) > 0\")")
            screen.type(":Promptls preview<CR>")
            screen.until("winnr('$') == 2")
            screen.type("/user:name<CR>:nohlsearch<CR>:echo<CR>")
            screen.until("luaeval(\"#vim.diagnostic.get(0) > 0\")")
            text = screen.text()
        finally:
            screen.close()
    save(Text.from_ansi(text.rstrip("\n")), f"nvim {PROMPT}", picture, COLUMNS)


if __name__ == "__main__":
    draw(Path(sys.argv[1]).resolve(), sys.argv[2], HERE / "neovim.svg")
