//! Strings of the tables as Python types: `server/python/promptls/literals.py`.
//!
//! `UPDATE_EXPECT=1 cargo test -p promptls-tests literals` writes that file.

use expect_test::expect_file;
use promptls_analysis::Role;
use promptls_resolver::{Code, ENGINES, ErrorKind, RunKind, Severity, VariableType};
use promptls_syntax::Dialect;

const START: &str = r#""""The words that arguments and results may be, as types.

Written by a test from the tables of the library: `tests/tests/stories/library/literals.rs`.
"""

from typing import Literal, TypeAlias

"#;

/// A longer list has a line for each item.
const MAX_WORDS_OF_A_LINE: usize = 6;

#[test]
fn literal_types_in_python_match_the_library() {
    let types = [
        ("Dialect", "The values of `dialect`.", Dialect::ALL.map(|it| it.spec().id).to_vec()),
        (
            "Engine",
            "Engines without a version. `engine` also takes one with a version, as \
             `adk-python@2.13`, so its type is `Engine | str`.",
            ENGINES.iter().map(|profile| profile.id).collect(),
        ),
        (
            "ErrorKind",
            "The reason why an engine raises an error: `EngineError.kind`.",
            ErrorKind::ALL.map(ErrorKind::id).to_vec(),
        ),
        (
            "ProblemCode",
            "The kind of a problem: `Problem.code`.",
            Code::ALL.iter().map(|code| code.id()).collect(),
        ),
        ("Role", "The sender of a message: `Message[\"role\"]`.", Role::ALL.map(Role::id).to_vec()),
        (
            "RunKind",
            "The kind of a piece of a text: `Run.kind`.",
            RunKind::ALL.map(RunKind::id).to_vec(),
        ),
        (
            "Severity",
            "The severity of a problem: `Problem.severity`.",
            Severity::ALL.map(Severity::id).to_vec(),
        ),
        (
            "VariableType",
            "The declared type of a variable: `Variable.type`.",
            VariableType::ALL.map(VariableType::id).to_vec(),
        ),
    ];
    let names: Vec<String> = types.iter().map(|(name, ..)| format!("\"{name}\"")).collect();
    let mut module = format!("{START}__all__ = [{}]\n", names.join(", "));
    for (name, about, words) in types {
        let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        let words = match words.len() > MAX_WORDS_OF_A_LINE {
            true => format!("\n    {},\n", words.join(",\n    ")),
            false => words.join(", "),
        };
        module.push_str(&format!("\n{name}: TypeAlias = Literal[{words}]\n\"\"\"{about}\"\"\"\n"));
    }
    expect_file!["../../../../server/python/promptls/literals.py"].assert_eq(&module);
}
