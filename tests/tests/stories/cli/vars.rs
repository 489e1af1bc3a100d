//! `promptls vars`.

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};
use serde_json::{Value, json};

#[track_caller]
fn check(files: &[(&str, &str)], arguments: &[&str], expected: Expect) {
    let workspace = Workspace::new(files);
    let output = promptls(&[&["vars"], arguments].concat()).cwd(workspace.root()).run();
    let code = output.code.expect("it ended by itself");
    expected.assert_eq(&format!("{}--- {code}\n{}", output.stdout, output.stderr));
}

const LETTER: (&str, &str) =
    ("letter.promptpack.prompt", "Dear {{user.name}},\n{{tone}}: {{user.city}}");
const VARIABLES: (&str, &str) = (
    "letter.promptpack.variables.json",
    r#"{"variables": [
        {"name": "user", "type": "object", "required": true, "description": "who reads it"},
        {"name": "tone", "type": "string", "required": false, "default": "dry"},
        {"name": "old", "type": "number", "required": false}
    ]}"#,
);

#[test]
fn each_name_has_a_line_with_its_locations() {
    check(
        &[LETTER, VARIABLES],
        &["letter.promptpack.prompt"],
        expect![[r#"
        old   optional  number  never used
        tone  optional  string  letter.promptpack.prompt:2:3
        user  required  object  letter.promptpack.prompt:1:8, letter.promptpack.prompt:2:13
        --- 0
    "#]],
    );
    check(
        &[("a.adk.prompt", "{b?} {a}")],
        &["a.adk.prompt"],
        expect![[r#"
        a  required  -  a.adk.prompt:1:7
        b  optional  -  a.adk.prompt:1:2
        --- 0
    "#]],
    );
    check(
        &[("a.adk.prompt", "nothing")],
        &["a.adk.prompt"],
        expect![[r#"
        --- 0
    "#]],
    );
}

#[test]
fn locations_in_a_pack_are_those_of_the_file() {
    check(
        &[("p.pack.json", r#"{"prompts": {"a": {"system_template": "\n{{x}}"}}}"#)],
        &["p.pack.json"],
        expect![[r#"
            x  required  -  p.pack.json:1:44
            --- 0
        "#]],
    );
}

#[test]
fn a_prompt_that_cannot_be_read_is_reported() {
    check(
        &[],
        &["gone.adk.prompt"],
        expect![[r#"
        --- 2
        promptls: cannot read gone.adk.prompt: there is no such file
    "#]],
    );
    check(
        &[LETTER],
        &["letter.promptpack.prompt", "--case", "x"],
        expect![[r#"
        --- 2
        promptls: letter.promptpack.prompt has no case `x`, because it has no inputs file; create one beside it, or add --inputs
    "#]],
    );
}

#[test]
fn names_are_printed_as_json() {
    let workspace = Workspace::new(&[LETTER, VARIABLES]);
    let arguments = ["vars", "letter.promptpack.prompt", "--format", "json"];
    let output = promptls(&arguments).cwd(workspace.root()).run();
    let object: Value = serde_json::from_str(&output.stdout).expect("this is JSON");
    let place = |line: u32, start: u32, end: u32, byte: u32| {
        json!({
            "file": "letter.promptpack.prompt",
            "range": {
                "start": {"line": line, "character": start, "byte": byte},
                "end": {"line": line, "character": end, "byte": byte + end - start},
            },
        })
    };
    let expected = json!({
        "dialect": "promptpack",
        "variables": [
            {"name": "old", "required": false, "type": "number", "uses": []},
            {"name": "tone", "required": false, "type": "string", "uses": [place(1, 2, 6, 22)]},
            {
                "name": "user",
                "required": true,
                "type": "object",
                "description": "who reads it",
                "uses": [place(0, 7, 16, 7), place(1, 12, 21, 32)],
            },
        ],
    });
    assert_eq!(object, expected);
}

#[test]
fn inputs_are_types_of_python_and_a_schema() {
    check(
        &[LETTER, VARIABLES],
        &["--format", "python", "letter.promptpack.prompt"],
        expect![[r#"
            """Inputs of letter.promptpack.prompt, written by `promptls vars --format python`."""

            from typing import Any, NotRequired, TypedDict


            class LetterInputsUser(TypedDict):
                name: Any
                city: Any


            class LetterInputs(TypedDict):
                # who reads it
                user: LetterInputsUser
                tone: NotRequired[str]
                old: NotRequired[float]
            --- 0
        "#]],
    );
    // Keys that are no valid names in Python, and a name that is a keyword.
    check(
        &[("a-1.adk.prompt", "{user:name} {artifact.a.txt?} {class}")],
        &["--format", "python", "a-1.adk.prompt"],
        expect![[r#"
            """Inputs of a-1.adk.prompt, written by `promptls vars --format python`."""

            from typing import Any, NotRequired, TypedDict


            A1Inputs = TypedDict("A1Inputs", {
                "user:name": Any,
                "artifact.a.txt": NotRequired[Any],
                "class": Any,
            })
            --- 0
        "#]],
    );
    // A name that would hide a type from other keys, and a description with a line end.
    check(
        &[
            ("a.promptpack.prompt", "{{str}} {{b}}"),
            (
                "a.promptpack.variables.json",
                r#"{"variables": [
                    {"name": "str", "type": "string"},
                    {"name": "b", "type": "string"}
                ]}"#,
            ),
        ],
        &["--format", "python", "a.promptpack.prompt"],
        expect![[r#"
            """Inputs of a.promptpack.prompt, written by `promptls vars --format python`."""

            from typing import TypedDict


            AInputs = TypedDict("AInputs", {
                "str": str,
                "b": str,
            })
            --- 0
        "#]],
    );
    check(
        &[
            ("a.promptpack.prompt", "{{b}}"),
            (
                "a.promptpack.variables.json",
                r#"{"variables": [{"name": "b", "description": "x\rimport os"}]}"#,
            ),
        ],
        &["--format", "python", "a.promptpack.prompt"],
        expect![[r#"
            """Inputs of a.promptpack.prompt, written by `promptls vars --format python`."""

            from typing import Any, TypedDict


            class AInputs(TypedDict):
                # x
                # import os
                b: Any
            --- 0
        "#]],
    );
    check(
        &[("a.adk.prompt", "none")],
        &["--format", "json-schema", "a.adk.prompt"],
        expect![[r#"
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "$comment": "Inputs of a.adk.prompt, written by `promptls vars --format json-schema`.",
              "type": "object",
              "properties": {}
            }
            --- 0
        "#]],
    );
}

#[test]
fn inputs_are_models_of_pydantic() {
    check(
        &[LETTER, VARIABLES],
        &["--format", "pydantic", "letter.promptpack.prompt"],
        expect![[r#"
            """Inputs of letter.promptpack.prompt, written by `promptls vars --format pydantic`."""

            from typing import Annotated, Any

            from pydantic import BaseModel, ConfigDict, Field, ValidatorFunctionWrapHandler, WrapValidator


            class _Inputs(BaseModel):
                """The set values for `Prompt.render`, by their names in the prompt."""

                model_config = ConfigDict(extra="allow", populate_by_name=True)

                def model_dump(self, **options: Any) -> dict[str, Any]:
                    options = {"by_alias": True, "exclude_unset": True, **options}
                    return super().model_dump(**options)


            def _unchanged(value: Any, validate: ValidatorFunctionWrapHandler) -> Any:
                return value if isinstance(value, (int, float)) else validate(value)


            # pydantic creates a new number, which does not keep the digits of its source.
            _Number = Annotated[int | float, WrapValidator(_unchanged)]


            class LetterInputsUser(_Inputs):
                name: Any
                city: Any


            class LetterInputs(_Inputs):
                user: LetterInputsUser = Field(description="who reads it")
                tone: str = "dry"
                old: _Number | None = None
            --- 0
        "#]],
    );
    // Keys that are no valid fields, and those that a model defines itself.
    check(
        &[("a-1.adk.prompt", "{user:name} {user_name} {class} {copy} {model_name} {_x?} {json?}")],
        &["--format", "pydantic", "a-1.adk.prompt"],
        expect![[r#"
            """Inputs of a-1.adk.prompt, written by `promptls vars --format pydantic`."""

            from typing import Any

            from pydantic import BaseModel, ConfigDict, Field


            class _Inputs(BaseModel):
                """The set values for `Prompt.render`, by their names in the prompt."""

                model_config = ConfigDict(extra="allow", populate_by_name=True)

                def model_dump(self, **options: Any) -> dict[str, Any]:
                    options = {"by_alias": True, "exclude_unset": True, **options}
                    return super().model_dump(**options)


            class A1Inputs(_Inputs):
                user_name_: Any = Field(validation_alias="user:name", serialization_alias="user:name")
                user_name: Any
                class_: Any = Field(validation_alias="class", serialization_alias="class")
                copy_: Any = Field(validation_alias="copy", serialization_alias="copy")
                input_model_name: Any = Field(validation_alias="model_name", serialization_alias="model_name")
                x: Any = Field(default=None, validation_alias="_x", serialization_alias="_x")
                json_: Any = Field(default=None, validation_alias="json", serialization_alias="json")
            --- 0
        "#]],
    );
    check(
        &[("a.adk.prompt", "none")],
        &["--format", "pydantic", "a.adk.prompt"],
        expect![[r#"
            """Inputs of a.adk.prompt, written by `promptls vars --format pydantic`."""

            from typing import Any

            from pydantic import BaseModel, ConfigDict


            class _Inputs(BaseModel):
                """The set values for `Prompt.render`, by their names in the prompt."""

                model_config = ConfigDict(extra="allow", populate_by_name=True)

                def model_dump(self, **options: Any) -> dict[str, Any]:
                    options = {"by_alias": True, "exclude_unset": True, **options}
                    return super().model_dump(**options)


            class AInputs(_Inputs):
                pass
            --- 0
        "#]],
    );
}
