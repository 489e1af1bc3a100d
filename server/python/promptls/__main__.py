"""The program `promptls`, as the script installed by pip and as `python -m promptls`."""

import signal
import sys

from promptls._promptls import _run


def main() -> None:
    """Runs the program with the arguments of this process, and ends the process."""
    # The program has its own handlers for Ctrl-C; that of Python only sets a flag.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    name = "promptls" if sys.argv[0].endswith("__main__.py") else sys.argv[0]
    _run([name, *sys.argv[1:]], [sys.executable, "-m", "promptls"])


if __name__ == "__main__":
    main()
