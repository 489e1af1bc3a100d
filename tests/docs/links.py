"""Checks the built book: each link and anchor has a target, and the search index has every page.

links.py BOOK. Links to the repository must name a file that exists; other addresses are not
fetched.
"""

import json
import posixpath
import re
import sys
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[2]
REPOSITORY = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["repository"]
# The print page contains all chapters again, with the same links.
SKIPPED = {"print.html", "toc.html"}


class Page(HTMLParser):
    """The ids and the links of a page."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.redirect = set(), [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id" or (tag == "a" and name == "name"):
                self.ids.add(value)
            elif name in ("href", "src") and tag in ("a", "img", "link", "script", "source"):
                self.links.append(value or "")


def main() -> int:
    book = Path(sys.argv[1])
    pages = {path.relative_to(book).as_posix(): Page(path.read_text(encoding="utf-8")) for path in book.rglob("*.html")}
    files = {path.relative_to(book).as_posix() for path in book.rglob("*") if path.is_file()}
    problems = []
    for name, page in sorted(pages.items()):
        if name not in SKIPPED:
            problems += [f"{name}: {link}: {wrong}" for link in page.links if (wrong := check(name, link, pages, files))]
    problems += search(book, pages)
    for problem in problems:
        print(problem, file=sys.stderr)
    links = sum(len(page.links) for page in pages.values())
    print(f"{links} links of {len(pages)} pages checked, {len(problems)} are wrong")
    return bool(problems)


def check(name, link, pages, files):
    """The problem with a link of a page."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        found = re.match(re.escape(REPOSITORY) + r"/(?:blob|tree)/main/([^#]*)", link)
        return "there is no such file in the repository" if found and not (ROOT / found[1]).exists() else None
    path = unquote(parts.path)
    # The error page is served at any address, and has its own base.
    base = "" if name == "404.html" else posixpath.dirname(name)
    target = posixpath.normpath(posixpath.join(base, path)) if path else name
    if target in (".", ""):
        target = "index.html"
    if target not in files:
        return "there is no such page"
    if parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
        return "there is no such anchor"
    return None


def search(book, pages):
    """Pages that are missing in the search index."""
    (index,) = book.glob("searchindex*.js")
    found = re.search(r"JSON\.parse\('(.*)'\)", index.read_text(encoding="utf-8"), re.DOTALL)
    data = json.loads(re.sub(r"\\(['\\])", r"\1", found[1]))
    known = {url.split("#")[0] for url in data["doc_urls"]}
    others = SKIPPED | {"404.html", "index.html"}
    return [f"{name}: not in the index of the search" for name in sorted(pages) if name not in known | others]


if __name__ == "__main__":
    sys.exit(main())
