#!/usr/bin/env python3
"""Compares promptls's literals in Java, Kotlin and Go with those of tree-sitter's grammars.

    tree_literals.py PATH_OF_THE_EXAMPLE_literals EVERY FOLDER...

All files of these languages below the folders, or each EVERY-th, are read. Files with a syntax
error in a grammar, or that are not UTF-8, are skipped. The text is compared if the literal contains
no escapes. Exits with 1 if anything differs, or if a language has no files.
"""
import json
import pathlib
import subprocess
import sys

import tree_sitter_go
import tree_sitter_java
import tree_sitter_kotlin
from tree_sitter import Language, Parser

GRAMMARS = {".java": tree_sitter_java, ".kt": tree_sitter_kotlin, ".go": tree_sitter_go}

LITERALS = {
    "string_literal",
    "multiline_string_literal",
    "interpreted_string_literal",
    "raw_string_literal",
}


def is_value(node):
    """Whether promptls treats it as a literal: in Go, tags of fields and paths of renamed imports
    are none."""
    around = node.parent
    is_tag = around.type == "field_declaration" and around.child_by_field_name("tag") == node
    name = around.child_by_field_name("name") if around.type == "import_spec" else None
    return not is_tag and (name is None or name.type == "dot")


def literals(tree):
    """The literals of a file, without nested ones; `None` if it has an error."""
    if tree.root_node.has_error:
        return None
    found, nodes = [], [tree.root_node]
    while nodes:
        node = nodes.pop()
        if node.type in LITERALS:
            if is_value(node):
                found.append((node.start_byte, node.end_byte))
        else:
            nodes.extend(node.children)
    return found


def plain(written):
    """The text of a literal without escapes; `None` if it must be decoded."""
    is_block = written.startswith('"""')
    if is_block or any(sign in written for sign in "\\$\r"):
        return None
    return [written[1:-1], 0]


def main(example, every, *folders):
    wrong, counts = [], {}
    for ending, grammar in GRAMMARS.items():
        parser = Parser(Language(grammar.language()))
        files = sorted(file for folder in folders for file in pathlib.Path(folder).rglob(f"*{ending}"))
        sources, expected = {}, {}
        for file in filter(pathlib.Path.is_file, files[:: int(every)]):
            source = file.read_bytes()
            try:
                source.decode("utf-8")
            except UnicodeDecodeError:
                continue
            theirs = literals(parser.parse(source))
            if theirs is not None:
                sources[str(file)], expected[str(file)] = source, theirs
        output = subprocess.run([example], input="\n".join(expected), text=True, stdout=subprocess.PIPE, check=True).stdout
        found, current = {}, None
        for line in map(json.loads, filter(None, output.split("\n"))):
            if isinstance(line, str):
                current = found.setdefault(line, {})
            else:
                current[line[0], line[1]] = line[2]
        count = 0
        for file, theirs in expected.items():
            ours = found.get(file, {})
            wrong += [f"{file}: {place} is a literal to one of both" for place in sorted(set(theirs) ^ ours.keys())]
            for start, end in theirs:
                count += 1
                should = plain(sources[file][start:end].decode())
                if should and (start, end) in ours and ours[start, end] != should:
                    wrong.append(f"{file}: {start}..{end}: {ours[start, end]!r} should be {should!r}")
        counts[ending] = count
        print(f"{ending}: {count} literals in {len(expected)} of {len(files)} files")
    print("\n".join(wrong[:50]))
    print(f"{sum(counts.values())} literals, {len(wrong)} differ")
    return 1 if wrong or not all(counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
