//! The texts that several targets mutate.

use promptls_fuzz::Corpus;
use promptls_tests::vectors::{Vector, vectors};

/// Pieces with which braces, names and blocks occur in every combination.
#[rustfmt::skip]
pub const PROMPT_PIECES: &[&str] = &[
    "{", "}", "{{", "}}", "{{{", "}}}", "a", "b_1", " ", "\n", "\r\n", "?", ".", "[0]", "é", "🎉",
    "{a}", "{{a}}", "{ a }", "{{ b }}", "{{b and ", "{a, ", "{ { b } }", "{a?}",
    "{{#if a}}", "{{/if}}", "{{#each b}}", "{{/each}}", "{{#if ", "{{#each ", "#if ", "/if", "{{/",
    "this", "this.", "app:", "artifact.",
    "A_B", "{A_B}", "{task_0.output_1}", "{task_0.output_all", ".chunkSimilarityMetadata.",
    "$", "\\", "${a}", "\\{a}", "·", "名", "\u{a0}", "constructor",
    "fragments.", "{% if x %}", "{{#with x}}", "---\n", "```", "__AGENTENSEMBLE_ESCAPED_", "__",
    "word word", "a long stretch of text without any brace in it, as most text is",
];

/// Pieces with a meaning in JSON.
#[rustfmt::skip]
pub const JSON_PIECES: &[&str] = &[
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d", "\"a\":", "\"b\"", "null", "true",
    "-", "0", "1.50", "1e9", "//", "/*", "*/", "\n", " ", "\u{FEFF}", "é", "🎉", "{\"$file\":\"x\"}",
];

/// Pieces with a meaning in YAML.
#[rustfmt::skip]
pub const YAML_PIECES: &[&str] = &[
    "a:", "b: ", "- ", "? ", ": ", "\n", "\n  ", "\r\n", "  ", "\t", "#", " # x", "'", "\"", "\\",
    "|", "|-\n  ", ">+\n  ", "|2\n", "&a ", "*a", "!!str ", "!x ", "<<: ", "{", "}", "[", "]", ", ",
    "---\n", "...\n", "%YAML 1.2\n", "~", "null", "0x1F", "0o17", ".inf", "1.50", "yes", "\u{FEFF}",
    "\u{85}", "é", "🎉",
];

/// Prompts: those of the corpus, and those of all vectors.
pub fn prompts() -> Corpus {
    let vectors = vectors().into_iter().filter_map(|vector| vector.template);
    Corpus::of("prompts", PROMPT_PIECES).and(vectors)
}

/// Inputs and variables files in JSON.
pub fn json() -> Corpus {
    let files = |vector: Vector| [vector.inputs, vector.variables];
    Corpus::of("json", JSON_PIECES).and(vectors().into_iter().flat_map(files).flatten())
}

/// Inputs and variables files in YAML, composed only of pieces.
pub fn yaml() -> Corpus {
    Corpus::of("yaml", YAML_PIECES)
}
