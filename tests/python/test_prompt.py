"""Prompts: what they render, what they say of mistakes, how they travel."""

import copy
import datetime
import decimal
import enum
import json
import pickle
import subprocess
import sys
import threading
import types

import numpy
import promptls
import pytest

PYTHON = "adk-python@2.13"


class Tone(str, enum.Enum):
    WARM = "warm"


class Level(enum.IntEnum):
    HIGH = 3


class Person:
    def __str__(self):
        return "a person"


def rendered(value, engine=None, text="{x}", **options):
    return promptls.Prompt(text, engine=engine, **options).render(x=value)


@pytest.mark.parametrize(
    "value",
    [
        "text", 7, 10**30, -0.0, 1e16, 1e-7, 5.0, float("inf"), float("nan"), [float("-inf")], True, ["a", 1, None, "it's"], {"k": ["v", 2.50]},
        ("a",), ["a", ("b",)], {1: 2}, {"k": {3}}, Tone.WARM, Level.HIGH, Person(), decimal.Decimal("1.50"),
        datetime.date(2026, 1, 2), numpy.float64(1.5), numpy.int64(3), numpy.array([1, 2]), b"bytes", [Person], range(3),
    ],
    ids=repr,
)  # fmt: skip
def test_engines_in_python_print_what_str_gives(value):
    assert rendered(value, PYTHON) == str(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (("a", 1), '["a",1]'),
        (Tone.WARM, "warm"),
        (Level.HIGH, "3"),
        (decimal.Decimal("1.50"), "1.5"),
        (datetime.datetime(2026, 1, 2, 3, 4), "2026-01-02T03:04:00"),
        (datetime.date(2026, 1, 2), "2026-01-02"),
        (numpy.float64(1.5), "1.5"),
        (numpy.bool_(True), "true"),
        (numpy.array([[1], [2]]), "[[1],[2]]"),
        (types.MappingProxyType({"a": (1,)}), '{"a":[1]}'),
    ],
    ids=repr,
)
def test_other_engines_get_what_it_stands_for(value, expected):
    assert rendered(value, "adk-js@2.0.0") == expected


def test_members_are_found_in_what_stands_for_a_mapping():
    prompt = promptls.Prompt("{{a.b}} {{c}}", engine="agentle-python")
    assert prompt.render(a={"b": (1, "x")}, c=Person()) == "[1, 'x'] a person"


@pytest.mark.parametrize(
    ("value", "error", "said"),
    [
        (Person(), TypeError, "`x` has a value of the type `Person`, which no prompt takes"),
        ([{1}], TypeError, "`x` has a value of the type `set`, which no prompt takes"),
        ({1: 2}, TypeError, "`x` has a key of the type `int`; keys are of the type `str`"),
        ("\ud800", ValueError, "`x` has half a surrogate pair, which is no text"),
        (["\ud800"], ValueError, "`x` has half a surrogate pair, which is no text"),
    ],
    ids=repr,
)
def test_what_no_prompt_takes_is_an_error_that_names_it(value, error, said):
    with pytest.raises(error) as raised:
        rendered(value)
    assert str(raised.value) == said


@pytest.mark.parametrize("engine", [None, PYTHON, "agentle-python"])
def test_what_holds_itself_is_an_error(engine):
    endless = []
    endless.append(endless)
    text = "{{x}}" if engine == "agentle-python" else "{x}"
    for value in [endless, {"a": endless}]:
        with pytest.raises(ValueError, match="`x` is nested too deeply"):
            rendered(value, engine, text)


def test_an_exception_of_a_value_reaches_the_caller():
    class Broken:
        def __str__(self):
            raise ZeroDivisionError("no")

    with pytest.raises(ZeroDivisionError):
        rendered(Broken(), PYTHON)


def test_keywords_count_above_a_mapping_of_any_kind():
    prompt = promptls.Prompt("{a} {b}", "adk")
    for mapping in [{"a": "1", "b": "2"}, types.MappingProxyType({"a": "1", "b": "2"})]:
        assert prompt.render(mapping, b="3") == "1 3"
    with pytest.raises(TypeError, match="values are a mapping of names; this is `list`"):
        prompt.render([("a", "1")])
    # Nobody asks for what the prompt does not read.
    assert prompt.render({"a": "1", "b": "2", "c": Person(), 4: 5}) == "1 2"


@pytest.mark.parametrize(
    ("text", "options", "error", "kind", "names"),
    [
        ("{a} {b}", {"dialect": "agentensemble"}, promptls.MissingVariables, "missing", ("a", "b")),
        (
            "{{a}}",
            {"dialect": "promptpack", "variables": {"variables": [{"name": "a", "type": "number"}]}},
            promptls.ValidationError,
            "type",
            ("a",),
        ),
        ("{{b}}", {"engine": "promptkit-go"}, promptls.EngineError, "unresolved", ("{{b}}",)),
    ],
)
def test_errors_are_those_of_the_engine(text, options, error, kind, names):
    values = {"a": "no number"} if error is promptls.ValidationError else {}
    prompt = promptls.Prompt(text, **options)
    with pytest.raises(promptls.EngineError) as raised:
        prompt.render(values)
    told = raised.value
    assert type(told) is error and (told.kind, told.names) == (kind, names)
    assert str(told) == told.message
    again = pickle.loads(pickle.dumps(told))
    assert (type(again), str(again), again.names) == (error, str(told), names)
    resolved = prompt.resolve(values)
    assert (type(resolved.error), str(resolved.error)) == (error, str(told))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"engine": "adk-pyhton"}, "did you mean `adk-python`?"),
        ({"engine": "adk-python@two"}, "two"),
        ({"dialect": "agentl"}, "did you mean `agentle`?"),
        ({"dialect": "agentle", "engine": "adk-go"}, "`adk-go` is an engine of adk, and the dialect is agentle"),
        ({"variables": {"variables": 3}}, "`variables` must be an array, this is a number"),
    ],
    ids=str,
)
def test_what_is_misspelt_is_a_value_error(options, said):
    with pytest.raises(ValueError) as raised:
        promptls.Prompt("x", **options)
    assert said in str(raised.value)


def test_a_version_that_nobody_knows_is_a_warning():
    with pytest.warns(UserWarning, match="is newer than"):
        promptls.Prompt("x", engine="adk-python@99")


def test_places_are_those_of_python_strings():
    prompt = promptls.Prompt("😀 {é} {b}", "adk")
    resolution = prompt.resolve({"é": "日本", "b": "ü"})
    pieces = [
        (resolution.text[run.start : run.end], prompt.text[run.source_start : run.source_end], run.name)
        for run in resolution.map
    ]
    assert pieces == [("😀 ", "😀 ", None), ("日本", "{é}", "é"), (" ", " ", None), ("ü", "{b}", "b")]
    (problem,) = promptls.Prompt("😀\n😀 {é}", "adk").resolve().problems
    assert (problem.line, problem.column, problem.start, problem.end) == (2, 3, 4, 7)


def test_variables_are_what_is_read_and_what_is_declared():
    names = promptls.Prompt("Dear {name}, {place?}", "adk").variables
    assert names == [promptls.Variable("name", True), promptls.Variable("place", False)]
    declared = {
        "variables": [
            {"name": "a", "type": "string", "required": True, "description": "A"},
            {"name": "b", "default": [1.50, {"c": None}]},
        ],
        "fragments": {"f": "text"},
    }
    prompt = promptls.Prompt("{{a}} {{b}} {{fragments.f}}", "promptpack", variables=declared)
    assert prompt.variables == [
        promptls.Variable("a", True, "string", "A"),
        promptls.Variable("b", False, default=[1.5, {"c": None}], has_default=True),
    ]
    assert prompt.render(a="x") == 'x [1.5,{"c":null}] text'


def test_a_loaded_prompt_is_what_the_program_opens(program, write):
    write("promptls.toml", '[[prompts]]\nfiles = ["*.txt"]\nengine = "adk-python@2.13"\nagent = "clerk"\n')
    write("letter.txt", "Dear {name}, {price} {more?}")
    write("letter.inputs.json", '{"name": "Ada", "price": 1.50}')
    write("letter.other.inputs.json", '{"name": "Grace", "price": -0}')
    write("app.py", 'from google.adk.agents import Agent\na = Agent(name="a", instruction="A {x}")\nb = Agent(name="b", instruction="B {x}")\n')
    prompt = promptls.Prompt.load("letter.txt")
    assert (prompt.name, prompt.engine, prompt.dialect) == ("letter.txt", "adk-python@2.13", "adk")
    assert prompt.cases == promptls.load_cases("letter.txt") == {
        "default": {"name": "Ada", "price": 1.5},
        "other": {"name": "Grace", "price": 0},
    }
    for case, values in prompt.cases.items():
        assert program.run("resolve", "letter.txt", "--case", case) == (0, prompt.render(values), "")
    with pytest.raises(promptls.MissingVariables, match="Context variable not found: `name` in agent 'clerk'"):
        prompt.render()
    # Numbers come out as they are written, where the engine keeps that.
    documented = promptls.Prompt.load("letter.txt", dialect="adk", engine="adk-js@2.0.0")
    assert documented.engine == "adk-js@2.0.0"
    assert promptls.Prompt.load("app.py", "a").render(x=1) == "A 1"
    assert promptls.Prompt.load("app.py#b").name == "app.py#b"


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("nothing.prompt", FileNotFoundError),
        ("app.py", promptls.LoadError),
        ("app.py#c", promptls.LoadError),
        ("letter.adk.prompt#a", promptls.LoadError),
        ("foreign.prompt", promptls.LoadError),
        ("data.json", promptls.LoadError),
        ("bytes.prompt", promptls.LoadError),
    ],
)
def test_what_cannot_be_opened_is_said_in_the_words_of_the_program(program, write, path, error):
    write("app.py", 'from google.adk.agents import Agent\na = Agent(name="a", instruction="A {x}")\nb = Agent(name="b", instruction="B {x}")\n')
    write("letter.adk.prompt", "Dear {name}")
    write("foreign.prompt", "{% if a %}{{ b | upper }}{% endif %}")
    write("data.json", "{}")
    write("bytes.prompt", "").write_bytes(b"\xff")
    with pytest.raises(error) as raised:
        promptls.Prompt.load(path)
    _, _, said = program.run("resolve", path)
    assert said == f"promptls: {raised.value}\n"


def as_program(problems):
    return [
        {
            "code": problem.code,
            "severity": problem.severity,
            "message": problem.message,
            "file": problem.file,
            "line": problem.line - 1,
            "character": problem.column - 1,
        }
        for problem in problems
    ]


def test_check_says_what_the_program_says(program, write):
    write("promptls.toml", '[[prompts]]\nfiles = ["*.py"]\n')
    write("letter.adk.prompt", "é {name} {nmae}\n{date}\n")
    write("letter.adk.inputs.json", '{"name": "Ada",\n "unused": 1}')
    write("letter.adk.broken.inputs.json", '{"name": ')
    write("letter.adk.variables.json", '{"variables": [{"name": "date", "type": "nmber"}]}')
    prompt = promptls.Prompt.load("letter.adk.prompt")
    told = [
        {**{key: it[key] for key in ("code", "severity", "message", "file")}, **dict(list(it["range"]["start"].items())[:2])}
        for it in program.check("letter.adk.prompt")
    ]
    said = as_program(prompt.check())
    key = lambda it: json.dumps(it, sort_keys=True)
    assert len(told) > 3 and sorted(said, key=key) == sorted(told, key=key)
    assert {problem.case for problem in prompt.check() if "inputs" in problem.file} >= {"default"}
    names = {problem.names for problem in prompt.check(case="default") if problem.code == "undefined-placeholder"}
    assert ("nmae",) in names
    with pytest.raises(KeyError, match="did you mean `default`"):
        prompt.check(case="defualt")
    # Cases from elsewhere count in their place.
    assert "invalid-inputs" not in {it.code for it in prompt.check({"a": {"name": 1, "nmae": 2, "date": 3}})}


def test_a_prompt_travels_with_all_that_it_is_made_from():
    declared = {"variables": [{"name": "a", "default": "A"}], "fragments": {"f": "F {{a}}"}}
    prompt = promptls.Prompt("{{a}} {{fragments.f}} {{b}}", "promptpack", variables=declared, runtime=["b"])
    again = pickle.loads(pickle.dumps(prompt))
    assert again == prompt and hash(again) == hash(prompt) and again.hash == prompt.hash
    assert again.render(b="B") == prompt.render(b="B")
    assert copy.copy(prompt) is prompt and copy.deepcopy(prompt) is prompt
    assert prompt != promptls.Prompt("{{a}} {{fragments.f}} {{b}}", "promptpack")
    assert len({prompt, again}) == 1 and prompt != "text"


def test_a_worker_compiles_a_prompt_once():
    prompt = promptls.Prompt("x" * 1_000_000 + "{a}", "adk")
    sent = pickle.dumps(prompt)
    code = """
import pickle, sys, time
sent = sys.stdin.buffer.read()
times = []
for _ in range(5):
    start = time.perf_counter()
    prompt = pickle.loads(sent)
    times.append(time.perf_counter() - start)
assert prompt.render(a="A").endswith("xA")
print(times[0] / min(times[1:]))
"""
    ended = subprocess.run([sys.executable, "-c", code], input=sent, capture_output=True, check=True)
    assert float(ended.stdout) > 3


def test_another_version_is_an_error_that_names_both():
    make, (written, hash_of_it, _) = promptls.Prompt("{a}", "adk").__reduce__()
    other = written.replace(promptls.__version__, "0.0.9")
    with pytest.raises(promptls.LoadError) as raised:
        make(other, "0" * 64)
    assert f"made by promptls 0.0.9, and this is promptls {promptls.__version__}" in str(raised.value)
    for broken in ["", "{}", written[:-10], written.replace('"adk"', '"akd"')]:
        with pytest.raises(promptls.LoadError, match="this is no prompt of promptls"):
            make(broken, "0" * 64)
    # What was changed on its way is told, too.
    with pytest.raises(promptls.LoadError, match="changed on its way"):
        make(written.replace("{a}", "{b}"), hash_of_it)


def test_it_says_what_it_is(program, write):
    assert repr(promptls.Prompt("It's {a}\n", "adk")) == '''promptls.Prompt("It's {a}\\n", dialect='adk')'''
    assert repr(promptls.Prompt("a" * 50, engine="adk-go")) == f"promptls.Prompt('{'a' * 40}...', engine='adk-go')"
    write("letter.adk.prompt", "Dear {name}")
    assert repr(promptls.Prompt.load("letter.adk.prompt")) == "<promptls.Prompt letter.adk.prompt>"


def while_another_thread_counts(work):
    """How far another thread counts while `work` runs, one call that holds the lock or does not."""
    count, stop, started = 0, threading.Event(), threading.Event()

    def run():
        nonlocal count
        while not stop.is_set():
            count += 1
            started.set()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        started.wait()
        before = count
        work()
        return count - before
    finally:
        stop.set()
        thread.join()


def test_other_threads_run_while_a_long_text_is_made():
    prompt = promptls.Prompt("{a} and " * 500_000, engine=PYTHON)
    for work in [lambda: prompt.render(a="x" * 10), lambda: prompt.resolve(a="x"), lambda: prompt.check({"c": {"a": "x"}})]:
        assert while_another_thread_counts(work) > 100
