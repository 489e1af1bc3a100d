"""Prompts: rendering, errors and pickling."""

import copy
import dataclasses
import datetime
import decimal
import enum
import json
import pickle
import re
import subprocess
import sys
import threading
import types
import typing
import warnings

import numpy
import pandas
import promptls
import promptls._internal.html
import pydantic
import pytest
from conftest import ROOT, without_address

PYTHON = "adk-python@2.13"


class Tone(str, enum.Enum):
    WARM = "warm"


class Level(enum.IntEnum):
    HIGH = 3


class Person:
    def __str__(self):
        return "a person"


TAKEN = "use str, int, float, bool, None, lists, mappings and objects with fields"


def rendered(value, engine=None, text="{x}", **options):
    return promptls.Prompt(text, engine=engine, **options).render(x=value)


@pytest.mark.parametrize(
    "value",
    [
        "text", 7, 10**30, -0.0, 1e16, 1e-7, 5.0, float("inf"), float("nan"), [float("-inf")], True, ["a", 1, None, "it's"], {"k": ["v", 2.50]},
        ("a",), ["a", ("b",)], {1: 2}, {"k": {3}}, Tone.WARM, Level.HIGH, Person(), decimal.Decimal("1.50"),
        datetime.date(2026, 1, 2), numpy.float64(1.5), numpy.int64(3), numpy.array([1, 2]), b"bytes", [Person], range(3),
    ],
    ids=without_address,
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
    ids=without_address,
)
def test_other_engines_get_what_it_stands_for(value, expected):
    assert rendered(value, "adk-js@2.0.0") == expected


def test_members_are_found_in_what_stands_for_a_mapping():
    prompt = promptls.Prompt("{{a.b}} {{c}}", engine="agentle-python")
    assert prompt.render(a={"b": (1, "x")}, c=Person()) == "[1, 'x'] a person"


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (Person(), TypeError, f"argument `x` has a value of type Person; {TAKEN}"),
        ([{1}], TypeError, f"argument `x` has a value of type set; {TAKEN}"),
        ({1: 2}, TypeError, "argument `x` has a key of type int; keys must be str"),
        ("\ud800", ValueError, "`x` contains an unpaired surrogate"),
        (["\ud800"], ValueError, "`x` contains an unpaired surrogate"),
    ],
    ids=without_address,
)
def test_what_no_prompt_takes_is_an_error_that_names_it(value, error, message):
    with pytest.raises(error) as raised:
        rendered(value)
    assert str(raised.value) == message


def lists(depth):
    """Nested lists."""
    value = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("engine", [None, "agentle-python"])
def test_what_holds_itself_or_is_too_deep_is_an_error_that_names_it(engine):
    endless = []
    endless.append(endless)
    text = "{{x}}" if engine == "agentle-python" else "{x}"
    for value in [endless, {"a": endless}, lists(150)]:
        with pytest.raises(ValueError, match="`x` is nested too deeply, or contains itself"):
            rendered(value, engine, text)


def test_an_engine_in_python_prints_what_str_prints():
    endless = []
    endless.append(endless)
    for value in [endless, {"a": endless}, lists(150), ["\ud800"], {"\ud800": 1}, [b"\xff"]]:
        assert rendered(value, PYTHON) == str(value)
    # Python itself prints no more levels than its stack allows.
    with pytest.raises(ValueError, match="`x` is nested too deeply, or contains itself"):
        rendered(lists(100_000), PYTHON)


def test_bytes_and_spans_of_time_stand_for_texts():
    assert rendered("é".encode()) == "é"
    assert rendered(datetime.timedelta(days=-1, seconds=1, microseconds=500_000)) == "-PT86398.5S"
    with pytest.raises(ValueError, match="`x` has bytes that are no text: byte 0 is not UTF-8"):
        rendered(b"\xff")


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
    with pytest.raises(TypeError, match="values must be a mapping, or an object with fields such as a dataclass, not list"):
        prompt.render([("a", "1")])
    with pytest.raises(TypeError, match="names must be str, not int: 4"):
        prompt.resolve({4: 5})
    # Values that the prompt does not use are not read.
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
    caught = raised.value
    assert type(caught) is error and (caught.kind, caught.names) == (kind, names)
    assert str(caught) == caught.message
    again = pickle.loads(pickle.dumps(caught))
    assert (type(again), str(again), again.names) == (error, str(caught), names)
    resolved = prompt.resolve(values)
    assert (type(resolved.error), str(resolved.error)) == (error, str(caught))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"engine": "adk-pyhton"}, "did you mean `adk-python`?"),
        ({"engine": "adk-python@two"}, "two"),
        ({"dialect": "agentl"}, "did you mean `agentle`?"),
        ({"dialect": "agentle", "engine": "adk-go"}, "`adk-go` is an engine of adk, but the dialect is agentle"),
        ({"variables": {"variables": 3}}, "in `variables`: `variables` must be a list, this is a number"),
        ({"variables": {"fragments": {"a": None}}}, "in `variables`: the fragment `a` must be a str, this is None"),
        ({"variables": {"variable": []}}, "unknown key `variable` in `variables`; known: variables, fragments; did you mean `variables`?"),
        ({"variables": {"variables": [{"name": "a", "typ": "string"}]}}, "unknown key `typ` in `variables[0]`; known: name, type, required, default, description, example, validation; did you mean `type`?"),
        ({"variables": {"variables": [{"name": "a"}, {"name": "b", "x-owner": "me"}]}}, "unknown key `x-owner` in `variables[1]`"),
        ({"variables": {"variables": [{"name": "a", "validation": {"min": 1}}]}}, "unknown key `min` in `variables[0].validation`"),
    ],
    ids=without_address,
)
def test_what_is_misspelt_is_a_value_error(options, said):
    with pytest.raises(ValueError) as raised:
        promptls.Prompt("x", **options)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: promptls.Prompt("x", runtime="ab"), "`runtime` must be a list of str, not str"),
        (lambda: promptls.Prompt("x", max_output="1"), "`max_output` must be an int, not str"),
        (lambda: promptls.Prompt("x").check({3: {}}), "keys of `cases` must be str, not int"),
        (lambda: promptls.Prompt("x")._columns([], {"a": 3}), "`column_map` must be a dict of str to str, not int"),
        (lambda: promptls.Prompt("x")._columns([], {3: "a"}), "keys of `column_map` must be str, not int"),
    ],
    ids=without_address,
)
def test_an_argument_of_another_type_is_named(call, message):
    with pytest.raises(TypeError) as raised:
        call()
    assert str(raised.value) == message


def test_a_limit_below_zero_is_a_value_error():
    with pytest.raises(ValueError) as raised:
        promptls.Prompt("x", max_output=-1)
    assert str(raised.value) == "`max_output` is out of range: -1"


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


CHAT = """from langchain_core.prompts import ChatPromptTemplate
chat = ChatPromptTemplate.from_messages([("system", "Be {tone}."), ("user", "Say {word}.")])
"""


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
    # Numbers keep their source form, if the engine does.
    documented = promptls.Prompt.load("letter.txt", dialect="adk", engine="adk-js@2.0.0")
    assert documented.engine == "adk-js@2.0.0"
    assert promptls.Prompt.load("app.py", "a").render(x=1) == "A 1"
    assert promptls.Prompt.load("app.py#b").name == "app.py#b"


def test_a_chat_has_no_single_text(program, write):
    write("app.py", CHAT)
    for path in ["app.py", "app.py#chat"]:
        with pytest.raises(promptls.LoadError) as raised:
            promptls.Prompt.load(path)
        assert str(raised.value) == "this is a chat of several messages; name one of them: chat.system, chat.user"
        assert program.run("vars", path)[2] == f"promptls: {raised.value}\n"
    assert promptls.Prompt.load("app.py#chat.user").render(word="hi") == "Say hi."
    assert promptls.load_cases("app.py#chat") == {}


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("nothing.prompt", FileNotFoundError),
        ("app.py", promptls.LoadError),
        ("app.py#c", promptls.LoadError),
        ("letter.adk.prompt#a", promptls.LoadError),
        ("foreign.prompt", promptls.LoadError),
        ("data.json", promptls.LoadError),
        # The source code is not the prompt.
        ("plain.py", promptls.LoadError),
        ("agent.yaml", promptls.LoadError),
        ("ruled/letter.txt", promptls.LoadError),
        ("bytes.prompt", promptls.LoadError),
    ],
)
def test_what_cannot_be_opened_is_said_in_the_words_of_the_program(program, write, path, error):
    write("app.py", 'from google.adk.agents import Agent\na = Agent(name="a", instruction="A {x}")\nb = Agent(name="b", instruction="B {x}")\n')
    write("letter.adk.prompt", "Dear {name}")
    write("foreign.prompt", "{% if a %}{{ b | upper }}{% endif %}")
    write("data.json", "{}")
    write("plain.py", "print('{x}')\n")
    write("agent.yaml", "name: a\nmodel: m\ninstruction: 'Hi {x}\n")
    write("ruled/promptls.toml", "[[prompts]\n")
    write("ruled/letter.txt", "Dear {name}")
    write("bytes.prompt", "").write_bytes(b"\xff")
    with pytest.raises(error) as raised:
        promptls.Prompt.load(path)
    _, _, stderr = program.run("resolve", path)
    assert stderr == f"promptls: {raised.value}\n"


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
    expected = [
        {**{key: it[key] for key in ("code", "severity", "message", "file")}, **dict(list(it["range"]["start"].items())[:2])}
        for it in program.check("letter.adk.prompt")
    ]
    checked = as_program(prompt.check())
    key = lambda it: json.dumps(it, sort_keys=True)
    assert len(expected) > 3 and sorted(checked, key=key) == sorted(expected, key=key)
    assert {problem.case for problem in prompt.check() if "inputs" in problem.file} >= {"default"}
    names = {problem.names for problem in prompt.check(case="default") if problem.code == "undefined-placeholder"}
    assert ("nmae",) in names
    with pytest.raises(KeyError, match="did you mean `default`"):
        prompt.check(case="defualt")
    # Given cases replace those of files.
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
    make, (written, hash_of_it, *_) = promptls.Prompt("{a}", "adk").__reduce__()
    other = written.replace(promptls.__version__, "0.0.9")
    with pytest.raises(promptls.LoadError) as raised:
        make(other, "0" * 64)
    assert f"serialized by promptls 0.0.9, but this is promptls {promptls.__version__}" in str(raised.value)
    for broken in ["", "{}", written[:-10], written.replace('"adk"', '"akd"')]:
        with pytest.raises(promptls.LoadError, match="this is not a serialized prompt of promptls"):
            make(broken, "0" * 64)
    # Damage in transit is also detected.
    with pytest.raises(promptls.LoadError, match="changed in transit"):
        make(written.replace("{a}", "{b}"), hash_of_it)


def test_it_says_what_it_is(program, write):
    assert repr(promptls.Prompt("It's {a}\n", "adk")) == '''promptls.Prompt("It's {a}\\n", dialect='adk')'''
    assert repr(promptls.Prompt("a" * 50, engine="adk-go")) == f"promptls.Prompt('{'a' * 40}...', engine='adk-go')"
    write("letter.adk.prompt", "Dear {name}")
    assert repr(promptls.Prompt.load("letter.adk.prompt")) == "<promptls.Prompt letter.adk.prompt>"


def while_another_thread_counts(work):
    """How far another thread counts while `work` runs, one call that holds the GIL or releases
    it."""
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


@dataclasses.dataclass
class Letter:
    name: str
    year: int = 1815
    kind: typing.ClassVar[str] = "letter"


class Model(pydantic.BaseModel):
    name: str
    year: int = 1815


class Row(typing.NamedTuple):
    name: str
    year: int = 1815


SERIES = pandas.Series({"name": "Ada", "year": 1815})


class Keyed:
    """A mapping like a row of SQLite."""

    def keys(self):
        return ["name", "year"]

    def __getitem__(self, key):
        return {"name": "Ada", "year": 1815}[key]


WITH_FIELDS = [Letter("Ada"), Model(name="Ada"), Row("Ada"), SERIES, Keyed()]


@pytest.mark.parametrize("values", WITH_FIELDS, ids=lambda it: type(it).__name__)
@pytest.mark.parametrize("engine", [PYTHON, "adk-js@2.0.0"])
def test_objects_with_fields_are_mappings(values, engine):
    prompt = promptls.Prompt("{name} {year}", engine=engine)
    assert prompt.render(values) == "Ada 1815"
    assert prompt.render(values, year=2) == "Ada 2"
    assert prompt.resolve(values).text == "Ada 1815"
    assert prompt.check({"case": values}) == []
    assert prompt.partial(values).render() == "Ada 1815"


@pytest.mark.parametrize("value", WITH_FIELDS[:3], ids=lambda it: type(it).__name__)
def test_as_a_value_an_object_with_fields_is_what_its_engine_makes_of_it(value):
    assert rendered(value, PYTHON) == str(value)
    assert rendered(value, "adk-js@2.0.0") == '{"name":"Ada","year":1815}'
    assert rendered([value], "adk-js@2.0.0") == '[{"name":"Ada","year":1815}]'


def test_classes_are_no_mappings():
    for kind in [Letter, Model, Row]:
        with pytest.raises(TypeError, match="not (type|ModelMetaclass)"):
            promptls.Prompt("{name}", "adk").render(kind)


def test_a_frame_is_filled_in_row_by_row():
    frame = pandas.DataFrame({"name": ["Ada", "Grace"], "year": [1815, 1906]})
    prompt = promptls.Prompt("{name} {year}", engine=PYTHON)
    assert frame.apply(prompt.render, axis=1).tolist() == ["Ada 1815", "Grace 1906"]


def test_strict_calls_have_no_value_that_is_not_used():
    prompt = promptls.Prompt("{name} {place?}", "adk")
    assert prompt.render({"name": "Ada"}, place="London", strict=True) == "Ada London"
    assert prompt.render(name="Ada", plase="London") == "Ada "
    for call in [prompt.render, prompt.messages]:
        with pytest.raises(promptls.UnusedValues) as raised:
            call({"name": "Ada", "id": 3}, plase="London", strict=True)
        assert raised.value.names == ("id", "plase")
        assert str(raised.value) == "the prompt does not use `id`, `plase`"
    with pytest.raises(TypeError, match="the prompt does not use `plase`; did you mean `place`?"):
        prompt.render(name="Ada", plase="London", strict=True)
    assert promptls.Prompt("{strict}", "adk").render({"strict": "yes"}) == "yes"
    # A preset value that is not used is the same mistake.
    preset = prompt.partial(nope=1)
    assert preset.render(name="Ada") == "Ada "
    for call in [preset.render, preset.messages]:
        with pytest.raises(promptls.UnusedValues) as raised:
            call(name="Ada", nope=2, id=3, strict=True)
        assert raised.value.names == ("nope", "id")
    assert prompt.partial(name="Ada").render(name="Bob", strict=True) == "Bob "


def test_errors_are_of_the_kinds_that_python_has():
    with pytest.raises(KeyError) as raised:
        promptls.Prompt("{a}", engine=PYTHON).render()
    assert str(raised.value) == "Context variable not found: `a` in agent '?'."
    with pytest.raises(KeyError) as raised:
        promptls.Prompt("{a}", engine=PYTHON).render_arrow(pandas.DataFrame({"b": [1]}))
    assert str(raised.value).startswith("there is no column `a`")
    assert issubclass(promptls.ValidationError, ValueError)


def test_the_limit_of_a_text_is_an_argument():
    prompt = promptls.Prompt("{a}", "adk", max_output=10)
    assert prompt.render(a="x" * 10) == "x" * 10
    with pytest.raises(promptls.EngineError) as raised:
        prompt.render(a="x" * 11)
    assert str(raised.value) == "the resolved text is longer than 10 bytes; raise the limit with max_output="
    assert "raise the limit with max_output=" in prompt.resolve(a="x" * 11).problems[0].message
    with pytest.raises(promptls.EngineError):
        pickle.loads(pickle.dumps(prompt)).render(a="x" * 11)


def test_a_partial_prompt_has_values_that_calls_count_above():
    whole = promptls.Prompt("{greeting} {name}, {place?}", engine=PYTHON)
    prompt = whole.partial({"greeting": "Dear"}, place=Person())
    assert prompt.render(name="Ada") == "Dear Ada, a person"
    assert prompt.render({"greeting": "Hi", "name": "Ada"}) == "Hi Ada, a person"
    assert prompt.partial(greeting="Oh").render(name="Ada") == "Oh Ada, a person"
    assert prompt.resolve(name="Ada").text == "Dear Ada, a person"
    assert [it.name for it in prompt.variables] == ["name"]
    assert list(prompt.inputs_schema()["properties"]) == ["name"]
    assert prompt.check({"case": {"name": "Ada"}}) == []
    with pytest.raises(promptls.MissingVariables):
        prompt.render()
    # It can be pickled, and differs from others.
    again = pickle.loads(pickle.dumps(whole.partial(greeting="Dear")))
    assert again.render(name="Ada") == "Dear Ada, " and again == whole.partial(greeting="Dear")
    assert len({whole, prompt, again, whole.partial(greeting="x")}) == 4
    # Tables need no column for it.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        texts, _ = again.render_arrow(pandas.DataFrame({"name": ["Ada"]}))
    assert list(texts) == ["Dear Ada, "]
    long = promptls.Prompt("{greeting} {name}" + "x" * 70_000, "adk").partial(greeting="Dear")
    assert long.render(name="Ada").startswith("Dear Ada")


def test_messages_are_those_of_the_program(program, write):
    text = "Be brief.\n\nUser:\nWhat is {thing}?\n\nAssistant:\nA drink.\n"
    write("chat.adk.prompt", text)
    write("chat.adk.inputs.json", '{"thing": "tea"}')
    prompt = promptls.Prompt.load("chat.adk.prompt")
    _, printed, _ = program.run("resolve", "--format", "messages", "chat.adk.prompt")
    assert prompt.messages(thing="tea") == json.loads(printed)


def test_a_resolution_shows_itself_in_the_colours_of_the_page():
    resolution = promptls.Prompt("<b> {a} {b}", "adk").resolve(a="<script>&")
    html = resolution._repr_html_()
    assert "<script>" not in html and "&lt;b&gt; " in html
    assert re.search(r'<span style="background: [^"]*" title="a">&lt;script&gt;&amp;</span>', html)
    assert re.search(r'<span style="color: [^"]*"[^>]*>{b}</span>', html)
    assert "Context variable not found" in html or "`b`" in html
    theme = (ROOT / "server/page/src/styles/theme.css").read_text()
    for name, colour in [("blue", promptls._internal.html.VALUE), ("error", promptls._internal.html.ERROR), ("muted", promptls._internal.html.MUTED)]:
        assert f"--own-{name}: {colour};" in theme
