#!/usr/bin/env python3
"""Compares promptls's string literals in Python's standard library with Python's own.

    python_literals.py PATH_OF_THE_EXAMPLE_literals [EVERY]

Each file, or each EVERY-th, is split by `tokenize` and each literal read by `ast.literal_eval`.
Only the positions of f-strings are compared, and of literals with a character name, which are holes
in promptls. Files that Python rejects, or that are not UTF-8, are skipped. Exits with 1 if anything
differs.
"""
import ast
import io
import json
import pathlib
import re
import subprocess
import sys
import sysconfig
import tokenize
import warnings

warnings.simplefilter("ignore")


def literals(source):
    """The literals of a source: start and end in bytes, and their source form."""
    lines = list(io.StringIO(source, newline=""))
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    offset = lambda place: starts[place[0] - 1] + len(lines[place[0] - 1][: place[1]].encode())
    open_fstrings = []
    for token in tokenize.generate_tokens(iter(lines + [""]).__next__):
        name = tokenize.tok_name[token.type]
        # From 3.12 on, an f-string is several tokens.
        if name in ("FSTRING_START", "TSTRING_START"):
            open_fstrings.append(token.start)
        elif name in ("FSTRING_END", "TSTRING_END"):
            start = open_fstrings.pop()
            if not open_fstrings:
                yield offset(start), offset(token.end), None
        elif name == "STRING" and not open_fstrings:
            yield offset(token.start), offset(token.end), token.string


def text(written):
    """The expected text and number of holes; `...` if only the position is compared."""
    if written is None:
        return ...
    prefix = re.match("[a-z]*", written.lower()).group()
    if "f" in prefix or ("r" not in prefix and "\\N" in written):
        return ...
    value = ast.literal_eval(written)
    if isinstance(value, bytes) or any("\ud800" <= char <= "\udfff" for char in value):
        return None
    return [value, 0]


def main(example, every="1"):
    folder = pathlib.Path(sysconfig.get_path("stdlib"))
    files = sorted(file for file in folder.rglob("*.py") if "site-packages" not in file.parts)
    expected = {}
    for file in files[:: int(every)]:
        try:
            source = file.read_bytes().decode("utf-8")
            compile(source, str(file), "exec", dont_inherit=True)
            if not source.startswith("\ufeff"):
                expected[str(file)] = list(literals(source))
        except (UnicodeDecodeError, SyntaxError, ValueError, tokenize.TokenError):
            continue
    output = subprocess.run([example], input="\n".join(expected), text=True, stdout=subprocess.PIPE, check=True).stdout
    found, current = {}, None
    for line in map(json.loads, filter(None, output.split("\n"))):
        if isinstance(line, str):
            current = found.setdefault(line, [])
        else:
            current.append(line)
    count, wrong = 0, []
    for file, theirs in expected.items():
        ours = {(start, end): value for start, end, value in found.get(file, [])}
        places = {(start, end) for start, end, _ in theirs}
        wrong += [f"{file}: {place} is a literal to one of both" for place in sorted(places ^ ours.keys())]
        for start, end, written in theirs:
            count += 1
            should = text(written)
            if (start, end) in ours and should is not ... and ours[start, end] != should:
                wrong.append(f"{file}: {start}..{end}: {ours[start, end]!r} should be {should!r}")
    print("\n".join(wrong[:50]))
    print(f"{count} literals in {len(expected)} files, {len(wrong)} differ")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
