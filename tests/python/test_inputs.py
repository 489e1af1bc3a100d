"""Inputs of prompts as types of Python, as `promptls vars` writes them."""

import dataclasses
import json
import typing

import promptls
import pydantic
import pytest
from test_types import checked  # noqa: F401

NAMES = """\
{{plan}} {{age}} {{user.name}} {{class}} {{copy}} {{model_name}} {{model_dump}} {{Field}} {{_x}} {{x}}
{{older}} {{str}} {{list}} {{Any}} {{__a}} {{other}} {{self}}
"""
DECLARED = {
    "variables": [
        {"name": "plan", "type": "string", "required": True, "description": 'One of "two"\r\n', "validation": {"enum": ["basic", "pro"]}},
        {"name": "level", "type": "number", "required": False, "default": 2, "validation": {"enum": [1, 2]}},
        {"name": "age", "type": "number", "default": 30},
        {"name": "older", "type": "boolean", "required": False, "default": True, "description": "or not"},
        {"name": "user", "type": "object", "required": True},
        {"name": "tone", "type": "string", "required": False},
        {"name": "str", "type": "string", "required": False, "default": "it's"},
        {"name": "int", "type": "number", "required": False},
        {"name": "list", "type": "array", "required": False, "default": [1, "x", {"a": None}]},
        {"name": "json", "type": "object", "required": False, "default": {"a": 1}},
    ]
}
GIVEN = {
    "plan": "pro",
    "user": {"name": "Ada"},
    **dict.fromkeys(["class", "copy", "model_name", "model_dump", "Field", "_x", "x", "Any", "__a", "other", "self"], "y"),
}
# Optional values, set to what engines print in different words, and a text as a file has it.
CASES = {
    "few": {},
    "all": {"age": 3, "level": 1, "older": False, "tone": "dry", "str": "s", "int": 1.0, "list": ["a", None, 1.5], "json": {"b": [True]}},
    "written": {"age": promptls.WrittenFloat("1.50"), "int": promptls.WrittenInt("007"), "other": promptls.WrittenFloat("2.0")},
    "empty": {"tone": "", "other": None, "list": [], "json": {}, "unread": 1},
}


@pytest.fixture
def printed(program, write):
    """The module that `vars` prints in a format, for a prompt with all kinds of names."""
    write("letter.promptpack.prompt", NAMES)
    write("letter.promptpack.variables.json", json.dumps(DECLARED))

    def printed(style):
        status, module, said = program.run("vars", "--format", style, "letter.promptpack.prompt")
        assert status == 0, said
        return module

    return printed


def run(module):
    names = {"__name__": "inputs"}
    exec(module, names)
    return names


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("engine", [None, "promptkit-go", "promptpack-python", "promptpack-langchainjs"])
def test_a_prompt_takes_a_model_as_it_takes_a_dictionary(printed, engine, case):
    values = {**GIVEN, **CASES[case]}
    inputs = run(printed("pydantic"))["LetterInputs"](**values)
    assert inputs.model_dump() == values
    prompt = promptls.Prompt.load("letter.promptpack.prompt", engine=engine)
    assert told(prompt.resolve(inputs)) == told(prompt.resolve(values))


def told(resolution):
    """A resolution whose error can be compared."""
    return dataclasses.replace(resolution, error=str(resolution.error))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("values", [{}, {"a": None}, {"a": 1.5, "user:name": ["Ada"]}], ids=str)
@pytest.mark.parametrize("engine", ["adk-python", "adk-go", "adk-java"])
def test_an_optional_value_that_is_not_set_is_missing(program, write, engine, values):
    write("a.adk.prompt", "{a?} {user:name?} {b}")
    _, module, _ = program.run("vars", "--format", "pydantic", "a.adk.prompt")
    prompt = promptls.Prompt.load("a.adk.prompt", engine=engine)
    values = {"b": True, **values}
    assert prompt.render(run(module)["AInputs"](**values)) == prompt.render(values)


def test_a_model_takes_names_of_fields_and_has_defaults(printed):
    model = run(printed("pydantic"))["LetterInputs"]
    required = {name: field.validation_alias or name for name, field in model.model_fields.items() if field.is_required()}
    inputs = model(**{name: GIVEN[key] for name, key in required.items()})
    assert inputs.model_dump() == GIVEN
    assert (inputs.age, inputs.older, inputs.str_, inputs.list_) == (30, True, "it's", [1, "x", {"a": None}])
    assert model.model_fields["plan"].description == 'One of "two"\r\n'
    with pytest.raises(pydantic.ValidationError):
        model(**{**GIVEN, "plan": "gold"})
    with pytest.raises(pydantic.ValidationError):
        model(**{key: value for key, value in GIVEN.items() if key != "user"})


def test_a_dictionary_has_the_keys_and_types_that_are_declared(printed):
    inputs = run(printed("python"))["LetterInputs"]
    assert inputs.__required_keys__ == set(GIVEN)
    assert typing.get_type_hints(inputs)["plan"] == typing.Literal["basic", "pro"]


def test_a_schema_is_that_of_the_program(printed):
    assert json.loads(printed("json-schema")) == promptls.Prompt.load("letter.promptpack.prompt").inputs_schema()


USES = {
    "pydantic": """

import promptls

inputs = LetterInputs(
    plan="pro", user=LetterInputsUser(name=1), class_=1, copy_=1, input_model_name=1, input_model_dump=1,
    Field_=1, x_=1, x=1, Any_=1, a=1, other=1, self_=1, tone="dry",
)
promptls.Prompt("").render(inputs)
promptls.Prompt("").render(LetterInputs.model_validate({}))
age: float = inputs.age
tone: str | None = inputs.tone
""",
    "python": """

import promptls

inputs: LetterInputs = {
    "plan": "pro", "user": {"name": 1}, "class": 1, "copy": 1, "model_name": 1, "model_dump": 1,
    "Field": 1, "_x": 1, "x": 1, "Any": 1, "__a": 1, "other": 1, "self": 1, "tone": "dry",
}
promptls.Prompt("").render(inputs)
""",
}


@pytest.mark.parametrize("style", USES)
def test_strict_checkers_find_nothing_in_what_is_written(printed, checked, style):  # noqa: F811
    module = printed(style)
    assert checked(module + USES[style]) == []
    wrong = USES[style].replace('"pro"', '"gold"')
    assert len(checked(module + wrong)) == 1
