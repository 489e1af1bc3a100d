"""The preprocessor of the book: adds to its chapters what exists in other sources.

mdBook calls it with the chapters on stdin. In a chapter, a comment alone on its line is replaced:

    <!-- document: server/protocol/README.md -->  a Markdown file of the repository
    <!-- help: check -->                          what `promptls check --help` prints
    <!-- keys: variables definitions.variable --> a table of the keys of a schema
    <!-- rules -->, <!-- commands -->             a table, and a page for each below the chapter
    <!-- engines: adk -->                         the engines of a dialect; <!-- engine-list --> a table of all
    <!-- config -->, <!-- schemas -->             tables of keys and of schemas
    <!-- picture: NAME, DESCRIPTION -->           tests/pictures/NAME-light.png and NAME-dark.png

Links that leave docs/src lead to the page that includes the file, else to the repository. The
program is $PROMPTLS_BIN.
"""

import json
import os
import posixpath
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHAPTERS = "docs/src"
REPOSITORY = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["repository"]
DIRECTIVE = re.compile(r"^<!-- ([\w-]+)(?:: (.*?))? -->$", re.MULTILINE)
FENCE = re.compile(r"^(`{3,}|~{3,})([^\n]*)\n(.*?)^\1[ ]*$\n?", re.MULTILINE | re.DOTALL)
FRESH_FOLDER = "<!-- fresh folder -->"  # for tests/docs/examples.py
PICTURE = re.compile(r"!\[([^]]*)\]\(([^)\s]*?)([\w-]+)-(?:dark|light)\.png\)")
LINK = re.compile(r"(\]\(|<img[^>]* src=\")([^)\s\"]+)")


def main() -> None:
    if sys.argv[1:2] == ["supports"]:
        return
    _, book = json.load(sys.stdin)
    items = book["items"]
    chapters = list(walk(items))
    files = {path.relative_to(ROOT / CHAPTERS).as_posix() for path in (ROOT / CHAPTERS).rglob("*.md")}
    if missing := files - {"SUMMARY.md"} - {chapter["path"] for chapter in chapters}:
        sys.exit(f"not in SUMMARY.md: {', '.join(sorted(missing))}")
    book_pages = {}
    for chapter in chapters:
        for kind, argument in DIRECTIVE.findall(chapter["content"]):
            if kind == "document":
                book_pages[argument] = chapter["path"]
    for chapter in chapters:
        expand(chapter, book_pages)
    json.dump(book, sys.stdout)


def walk(items):
    for item in items:
        if isinstance(item, dict) and "Chapter" in item and item["Chapter"]["path"]:
            yield item["Chapter"]
            yield from walk(item["Chapter"]["sub_items"])


def expand(chapter, pages) -> None:
    """Replaces the directives of a chapter, and adds the chapters that they make below it."""
    below = {}

    def replaced(match):
        kind, argument = match.groups()
        if kind not in DIRECTIVES:
            sys.exit(f"{chapter['path']}: unknown comment `{match[0]}`")
        return DIRECTIVES[kind](argument, chapter, pages, below)

    for comment in re.findall(r"^<!-- .* -->$", chapter["content"], re.MULTILINE):
        if not DIRECTIVE.fullmatch(comment) and comment != FRESH_FOLDER:
            sys.exit(f"{chapter['path']}: unknown comment `{comment}`")
    text = relink(chapter["content"], posixpath.join(CHAPTERS, chapter["path"]), chapter["path"], pages)
    chapter["content"] = with_file_names(outside_fences(lambda part: DIRECTIVE.sub(replaced, part), text))
    for place, (path, (name, content)) in enumerate(below.items(), 1):
        chapter["sub_items"].append(
            {
                "Chapter": {
                    "name": name,
                    "content": with_file_names(content),
                    # The sidebar indents by it.
                    "number": [*chapter["number"], place],
                    "sub_items": [],
                    "path": path,
                    "source_path": None,
                    "parent_names": [*chapter["parent_names"], chapter["name"]],
                }
            }
        )


def document(path, chapter, pages, _below) -> str:
    text = (ROOT / path).read_text(encoding="utf-8")
    if has_title(chapter["content"]):
        text = re.sub(r"\A(<!--.*?-->\s*)?# .*\n+", "", text)
    return relink(text, path, chapter["path"], pages)


def has_title(content: str) -> bool:
    return re.search(r"^# ", content, re.MULTILINE) is not None


def command_help(argument, *_) -> str:
    return block("text", run(*(argument or "").split(), "--help"))


def commands(_argument, chapter, _pages, below) -> str:
    """A table of the commands; each has a page."""
    rows = []
    for name, summary in listed_commands():
        path = posixpath.join(posixpath.dirname(chapter["path"]), "commands", f"{name}.md")
        content = f"# promptls {name}\n\n" + block("text", run(name, "--help"))
        for sub, _ in listed_commands(name):
            content += f"\n## promptls {name} {sub}\n\n" + block("text", run(name, sub, "--help"))
        below[path] = (name, content)
        rows.append((f"[`{name}`](commands/{name}.md)", summary))
    return table(("command", "purpose"), rows)


def listed_commands(*command):
    """The names and summaries under `Commands:` of a help text."""
    found = re.search(r"^Commands:\n(.*?)\n\n", run(*command, "--help"), re.MULTILINE | re.DOTALL)
    text = re.sub(r"\n {4,}", " ", found[1]) if found else ""
    pairs = re.findall(r"^  (\S+) +(.*)$", text, re.MULTILINE)
    return [(name, summary) for name, summary in pairs if name != "help"]


def rules(_argument, chapter, _pages, below) -> str:
    """A table of the codes of problems; each has its page of `promptls explain`."""
    rows = []
    for code, severity, summary in re.findall(r"^(\S+) \((\w+)\)\n +(.*)$", run("explain"), re.MULTILINE):
        path = posixpath.join(posixpath.dirname(chapter["path"]), "rules", f"{code}.md")
        title, rest = run("explain", code).split("\n", 1)
        below[path] = (code, f"{title}\n\nDefault severity: {severity}.\n{rest}")
        rows.append((f"[`{code}`](rules/{code}.md)", severity, summary))
    return table(("code", "severity", "meaning"), rows)


def engines(argument, *_) -> str:
    """What differs from the document, for each engine of a dialect."""
    texts = []
    for engine in json.loads(run("engines", "--format", "json"))["engines"]:
        if argument is None or engine["dialect"] == argument:
            title, rest = run("explain", f"engine:{engine['id']}").split("\n", 1)
            texts.append(re.sub(r"^#", "###", title, count=1) + re.sub(r"^## ", "#### ", rest, flags=re.MULTILINE))
    return "\n".join(texts)


def engine_list(_argument, chapter, *_) -> str:
    rows = []
    for engine in json.loads(run("engines", "--format", "json"))["engines"]:
        page = posixpath.relpath(f"reference/dialects/{engine['dialect']}.md", posixpath.dirname(chapter["path"]))
        anchor = re.sub(r"[^a-z0-9_-]", "", engine["id"])
        versions = f"{engine['versions'][0]['from']} to {engine['newest']}"
        rows.append((f"[`{engine['id']}`]({page}#{anchor})", engine["title"], f"`{engine['dialect']}`", versions))
    return table(("engine", "name", "dialect", "known versions"), rows)


def keys(argument, *_) -> str:
    """The keys of one object of a schema."""
    name, path = argument.split()
    schema = json.loads(run("schema", name))
    node = schema
    for step in path.split("."):
        node = node[step]
    required = node.get("required", [])
    rows = []
    for key, value in node["properties"].items():
        value = deref(schema, value)
        meaning = value.get("description", "") + (" Required." if key in required else "")
        rows.append((f"`{key}`", type_of(schema, value), meaning))
    return table(("key", "type", "meaning"), rows)


def config(*_) -> str:
    """The keys of promptls.toml, from its schema."""
    schema = json.loads(run("schema", "config"))
    return "\n".join(config_tables(schema, schema, ""))


def config_tables(schema, node, path):
    rows, further = [], []
    for key, value in node["properties"].items():
        value = deref(schema, value)
        inner = value.get("items", value)
        if not isinstance(inner, dict):
            inner = {}
        nested = value.get("additionalProperties") if isinstance(value.get("additionalProperties"), dict) else None
        title = f"{path}.{key}".lstrip(".")
        if inner.get("properties") and inner is not value:
            further.append((f"[[{title}]]", value, inner, title))
        elif nested and deref(schema, nested).get("properties"):
            further.append((f"[{title}.NAME]", value, deref(schema, nested), f"{title}.NAME"))
        elif value.get("properties"):
            further.append((f"[{title}]", value, value, title))
        else:
            rows.append((f"`{key}`", type_of(schema, value), value.get("description", "")))
    if rows:
        yield table(("key", "type", "meaning"), rows)
    for title, value, inner, inner_path in further:
        yield f"\n## `{title}`\n\n{value.get('description', '')}\n"
        codes = list(inner["properties"])
        if inner_path.split(".")[-1] == "problems":
            yield "Keys are the codes of [rules](rules.md): " + ", ".join(f"`{code}`" for code in codes) + ".\n"
        else:
            yield from config_tables(schema, inner, inner_path)


def deref(schema, value):
    while "$ref" in value or "allOf" in value:
        reference = value.get("$ref") or value["allOf"][0]["$ref"]
        target = schema
        for step in reference.removeprefix("#/").split("/"):
            target = target[step]
        value = {**target, **{key: item for key, item in value.items() if key not in ("$ref", "allOf")}}
    return value


def type_of(schema, value) -> str:
    if "enum" in value:
        return ", ".join(f"`{json.dumps(item)}`" for item in value["enum"])
    if "anyOf" in value:
        return " or ".join(type_of(schema, item) for item in value["anyOf"])
    if "items" in value and "properties" not in deref(schema, value["items"]):
        return f"list of {type_of(schema, deref(schema, value['items']))}"
    return str(value.get("type", "any"))


def schemas(*_) -> str:
    rows = re.findall(r"^(\S+) +(.*)$", run("schema"), re.MULTILINE)
    return table(("schema", "describes"), [(f"`{name}`", summary) for name, summary in rows])


def picture(argument, chapter, *_) -> str:
    name, description = argument.split(", ", 1)
    return pictures(name, description, posixpath.dirname(chapter["path"]))


def pictures(name, description, here) -> str:
    """A picture in both themes; the styles show that of the page's theme."""
    there = posixpath.relpath("pictures", here or ".")
    return "".join(
        f'<img class="on-{theme}" src="{there}/{name}-{theme}.png" alt="{description}">\n' for theme in ("light", "dark")
    )


DIRECTIVES = {
    "document": document,
    "help": command_help,
    "commands": commands,
    "rules": rules,
    "engines": engines,
    "engine-list": engine_list,
    "keys": keys,
    "config": config,
    "schemas": schemas,
    "picture": picture,
}


def run(*arguments) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PROMPTLS_")}
    command = [os.environ["PROMPTLS_BIN"], *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


def relink(text, source, page, pages) -> str:
    """Links of a file of the repository, as they are on a page of the book."""
    here = posixpath.dirname(page) or "."

    def link(match):
        before, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        path, _, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        anchor = anchor and f"#{anchor}"
        if path.startswith(CHAPTERS + "/"):
            return f"{before}{posixpath.relpath(path.removeprefix(CHAPTERS + '/'), here)}{anchor}"
        if not (ROOT / path).exists():
            sys.exit(f"{source}: the link `{target}` leads to no file")
        if path.startswith("tests/pictures/") and not path.endswith(".md"):
            return f"{before}{posixpath.relpath(path.removeprefix('tests/'), here)}"
        if path in pages:
            return f"{before}{posixpath.relpath(pages[path], here)}{anchor}"
        kind = "tree" if (ROOT / path).is_dir() else "blob"
        return f"{before}{REPOSITORY}/{kind}/main/{path}{anchor}"

    def both_themes(match):
        alt, folder, name = match.groups()
        return pictures(name, alt, here) if folder.endswith("pictures/") else match[0]

    def changed(words):
        return PICTURE.sub(both_themes, LINK.sub(link, words))

    return outside_fences(lambda part: outside_code(changed, part), text)


def outside_fences(change, text) -> str:
    parts, end = [], 0
    for fence in FENCE.finditer(text):
        parts += [change(text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, change(text[end:])])


def outside_code(change, text) -> str:
    """Applies a change to all but code in backticks; the text of a link may be such code."""
    pieces = re.split(r"(`[^`\n]*`)", text)
    marked = [f"\0{index}\0" if piece.startswith("`") else piece for index, piece in enumerate(pieces)]
    changed = change("".join(marked))
    return re.sub(r"\0(\d+)\0", lambda match: pieces[int(match[1])], changed)


def with_file_names(text) -> str:
    """A fence that names its file, as in ```toml promptls.toml, gets that name above it."""

    def fence(match):
        ticks, info, body = match.groups()
        language, _, name = info.strip().partition(" ")
        if language == "console" or not name:
            return f"{ticks}{language}\n{body}{ticks}\n"
        return f'<div class="file-name">{name}</div>\n\n{ticks}{language}\n{body}{ticks}\n'

    # Comments hold what examples need and readers do not.
    return FENCE.sub(fence, re.sub(r"^<!--\n.*?^-->\n", "", text, flags=re.MULTILINE | re.DOTALL))


def block(language, text) -> str:
    return f"```{language}\n{text.rstrip()}\n```\n"


def table(head, rows) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


if __name__ == "__main__":
    main()
