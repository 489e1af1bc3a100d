"""The reports of `check` for other programs: valid by the schemas of their readers, and with the
same problems in each."""

import json
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

import jsonschema
import pytest
import xmlschema

SCHEMAS = pathlib.Path(os.environ["PROMPTLS_SCHEMAS"])

# Names with all characters that one of the formats escapes.
ODD = "😀 a,b%c:d&<e>\"f'\t\\"
FILES = {
    f"{ODD}.adk.prompt": "😀 {custmer} {user}\n{{x y}} {z",
    f"{ODD}.adk.inputs.json": '{"customer": "]]>", "user": "", "<left&\\n%0A\\u0001>": 1}',
    "sub/fine.adk.prompt": "Nothing to fill in.\n",
    "sub/block.agentle.prompt": "{{#if a}}\n{{#each b}}",
    "promptls.toml": "[problems]\nno-inputs = 'hint'\n[[ignore]]\nnames = ['nobody']\n",
}


def check(folder, report_format):
    call = [os.environ["PROMPTLS_BIN"], "check", "--format", report_format]
    done = subprocess.run(call, cwd=folder, capture_output=True, timeout=60)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout.decode()


@pytest.fixture(params=["problems", "no problems"])
def folder(request, tmp_path):
    for name, text in FILES.items():
        if request.param == "problems" or name.startswith("sub/fine"):
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
    return tmp_path


@pytest.fixture
def problems(folder):
    """File, line and code of each problem in JSON, the reference for every other format."""
    return sorted(rows(json.loads(check(folder, "json"))["problems"]))


def rows(problems):
    return [(it["file"], it["range"]["start"]["line"] + 1, it["code"]) for it in problems]


def schema(name):
    return json.loads((SCHEMAS / name).read_text())


def test_jsonl(folder, problems):
    lines = [json.loads(line) for line in check(folder, "jsonl").splitlines()]
    assert sorted(rows(lines)) == problems


def test_sarif(folder, problems, tmp_path_factory):
    text = check(folder, "sarif")
    log = json.loads(text)
    jsonschema.validate(log, schema("sarif.json"))
    [run] = log["runs"]

    def rows(result):
        place = result["locations"][0]["physicalLocation"]
        uri = place["artifactLocation"]["uri"]
        line = place["region"]["startLine"]
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        return (unquoted(uri), line, result["ruleId"])

    assert sorted(map(rows, run["results"])) == problems

    # An independent reader counts the same.
    report = tmp_path_factory.mktemp("report") / "report.sarif"
    report.write_text(text)
    call = [sys.executable, "-m", "sarif", "summary", str(report)]
    summary = subprocess.run(call, capture_output=True, text=True, timeout=60)
    assert summary.returncode == 0, summary.stderr
    counts = dict(re.findall(r"^(error|warning|note): (\d+)", summary.stdout, re.MULTILINE))
    assert sum(map(int, counts.values())) == len(problems), summary.stdout


def unquoted(uri):
    from urllib.parse import unquote

    return unquote(uri)


def test_rdjson(folder, problems):
    report = json.loads(check(folder, "rdjson"))
    jsonschema.validate(report, schema("rdjson.json"))

    def rows(diagnostic):
        place = diagnostic["location"]
        return (place["path"], place["range"]["start"]["line"], diagnostic["code"]["value"])

    assert sorted(map(rows, report["diagnostics"])) == problems


# The requirements for a Code Quality report in GitLab's documentation.
GITLAB = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "location", "severity"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path"],
                # Relative to the repository, without a leading `./`.
                "properties": {"path": {"type": "string", "pattern": r"^[^/.]"}},
                "oneOf": [
                    {"required": ["lines"], "properties": {"lines": {"required": ["begin"]}}},
                    {
                        "required": ["positions"],
                        "properties": {
                            "positions": {
                                "required": ["begin"],
                                "properties": {"begin": {"required": ["line"]}},
                            }
                        },
                    },
                ],
            },
        },
    },
}


def test_gitlab(folder, problems):
    report = json.loads(check(folder, "gitlab"))
    jsonschema.validate(report, GITLAB)
    fingerprints = [issue["fingerprint"] for issue in report]
    assert len(set(fingerprints)) == len(fingerprints)

    def rows(issue):
        place = issue["location"]
        begin = place["lines"]["begin"] if "lines" in place else place["positions"]["begin"]["line"]
        return (place["path"], begin, issue["check_name"])

    assert sorted(map(rows, report)) == problems


def test_junit(folder, problems):
    text = check(folder, "junit")
    xmlschema.XMLSchema(SCHEMAS / "junit.xsd").validate(text)
    suites = xml.fromstring(text)
    cases = list(suites.iter("testcase"))
    # Without problems, one case contains that result.
    assert len(cases) == max(len(problems), 1)
    graver = [case for case in cases if case.find("failure") is not None]
    assert sum(int(suite.get("failures")) for suite in suites) == len(graver)
    assert sum(int(suite.get("tests")) for suite in suites) == len(cases)


def test_checkstyle(folder, problems):
    report = xml.fromstring(check(folder, "checkstyle"))
    places = [
        (int(error.get("line")), error.get("source").removeprefix("promptls."))
        for file in report
        for error in file
    ]
    assert sorted(places) == sorted((line, code) for _, line, code in problems)


# The syntax of a workflow command in GitHub's runner: https://github.com/actions/toolkit,
# `command.ts`.
COMMAND = re.compile(r"^::(error|warning|notice) ([^:\r\n]*)::([^\r\n]*)$")


def test_github(folder, problems):
    def unescaped(text, more=()):
        for escape, character in [("%0D", "\r"), ("%0A", "\n"), *more, ("%25", "%")]:
            text = text.replace(escape, character)
        return text

    rows = []
    for line in check(folder, "github").splitlines():
        _, properties, _ = COMMAND.match(line).groups()
        pairs = dict(pair.split("=", 1) for pair in properties.split(","))
        of = {name: unescaped(it, [("%3A", ":"), ("%2C", ",")]) for name, it in pairs.items()}
        rows.append((of["file"], int(of["line"]), of["title"].removeprefix("promptls ")))
    assert sorted(rows) == problems
