"""Draws the pictures of the README from the real output of the program.

    pip install rich
    cargo build --profile dist -p promptls
    python3 tests/pictures/draw.py target/dist/promptls
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

HERE = Path(__file__).parent
PROMPT = "agent.py"


def draw(program: Path, arguments: list[str], picture: Path) -> None:
    """Runs the program as in a terminal, and saves its output as an SVG picture."""
    environment = {**os.environ, "CLICOLOR_FORCE": "1"}
    run = subprocess.run(
        [program, *arguments], cwd=HERE, env=environment, capture_output=True, text=True
    )
    command = "promptls " + " ".join(arguments)
    save(Text.from_ansi(run.stdout), command, picture, 86)


def save(text: Text, title: str, picture: Path, width: int) -> None:
    """Saves text as the picture of a terminal with a width of `width` columns."""
    with open(os.devnull, "w") as nowhere:
        console = Console(record=True, width=width, file=nowhere)
        console.print(text)
        svg = console.export_svg(title=title, theme=MONOKAI)
    # The picture must not load external fonts.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = svg.replace("Fira Code", "ui-monospace")
    picture.write_text("\n".join(line.rstrip() for line in svg.splitlines()) + "\n")


if __name__ == "__main__":
    draw(Path(sys.argv[1]).resolve(), ["preview", PROMPT], HERE / "preview.svg")
