//! Properties of arbitrary Java and Kotlin files.

use crate::whole_map::{check, check_cut_anywhere};
use promptls_hosts::{Language, find};
use proptest::prelude::*;

/// Languages whose scopes are braces.
const LANGUAGES: [Language; 2] = [Language::Java, Language::Kotlin];

/// The pieces of generated files.
const TOKENS: [&str; 86] = [
    "import com.google.adk.agents.*;\n",
    "import com.google.adk.kt.agents.Instruction\n",
    "import net.agentensemble.Task\n",
    "import static a.B.*;\n",
    "package p\n",
    "LlmAgent.builder()",
    ".instruction(",
    ".name(\"n\")",
    "Task.of(",
    "Instruction(",
    "new ",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ";",
    ",",
    ":",
    "->",
    "?",
    "?.",
    "!!",
    "\"",
    "'",
    "`",
    "\"\"\"",
    "\"\"\"\n",
    "$",
    "$$\"\"\"",
    "${",
    "\\",
    "\\u0041",
    "\\u005c",
    "\\uD83D",
    "\n",
    "\r\n",
    "\t",
    "    ",
    "// promptls: adk\n",
    "/* promptls: off */",
    "/*",
    "*/",
    "x",
    "y",
    "String x",
    " = ",
    " += ",
    " + ",
    "\"a\"",
    "'a'",
    "1",
    ".trim()",
    ".strip()",
    ".formatted(1)",
    "String.format(",
    "%s",
    "%",
    ".replace(\"x\", y)",
    ".trimIndent()",
    ".trimMargin()",
    "|",
    "class A ",
    "record A(",
    "interface A ",
    "enum ",
    "object ",
    "companion ",
    "fun f() ",
    "fun A.f",
    "val x ",
    "var ",
    "static final ",
    "return ",
    "switch (x) ",
    "case x ",
    "for (",
    "catch (E x) ",
    "when (",
    "throws A ",
    "é",
    "😀",
    "{x}",
];

fn source() -> impl Strategy<Value = String> {
    let parts = prop::collection::vec(prop::sample::select(&TOKENS[..]), 0..60);
    parts.prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(1000)
    })]

    #[test]
    fn source_maps_are_complete_and_ordered(source in source()) {
        for language in LANGUAGES {
            check(language, &source)?;
        }
    }

    #[test]
    fn any_text_is_scanned(source in "\\PC*") {
        for language in LANGUAGES {
            check(language, &source)?;
        }
    }

    #[test]
    fn any_bytes_are_scanned(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let source = String::from_utf8_lossy(&bytes);
        for language in LANGUAGES {
            check(language, &source)?;
        }
    }
}

#[test]
fn a_truncated_file_is_scanned() {
    check_cut_anywhere(&LANGUAGES);
}

/// These would take hours in quadratic time.
#[test]
fn pathological_code_is_scanned_in_linear_time() {
    let many = 1_000;
    let imports = "import net.agentensemble.Task;\nimport com.google.adk.kt.agents.Instruction;\n";
    let open_only = [
        "(",
        "{",
        "[",
        "class A {",
        "class A(",
        "fun f() {",
        "fun f() = ",
        "x -> {",
        "(x) -> {",
        "f(() -> {",
        "new A() {",
        "for (x in y) {",
        "for (;;) ",
        "switch (x) {",
        "return ",
        "val x = ",
        "String x = ",
        "x = ",
        "x, ",
        "fun <",
        "fun a.",
        "fun a<",
        "class ",
        "record A(",
        "throws ",
        "String f() throws ",
        "\"${",
        "\"\"\"${",
        "`",
        "'",
        "\"",
        "/*",
        "object : ",
        "companion object {",
        "Task.builder()",
        "Task.of(",
        "Task.of(\"x\" + ",
        "Instruction(",
        "when (",
        "x ? ",
        "a.",
        "?.",
        "!!",
        "<",
        ">",
        "=",
        "@",
        "// promptls: adk\n",
        "{ a, ",
        "{ it -> ",
        "import a.b.*;",
        "import a.",
        "static final String A = \"a\" + ",
    ];
    for part in open_only {
        let source = format!("{imports}{}", part.repeat(many));
        for language in LANGUAGES {
            find(language, &source[..source.len().min(2 << 20)]);
        }
    }
}

#[test]
fn constants_and_prompts_are_examined_once() {
    let many = 5_000;
    let mut java = "import net.agentensemble.Task;\nclass V {\n".to_owned();
    let mut kotlin = "import com.google.adk.kt.agents.Instruction\nval all = listOf(\n".to_owned();
    for number in 0..many {
        java += &format!("static final String P{number} = \"x\"; Task t = Task.of(P{number});\n");
        kotlin += &format!("Instruction(\"{number}\"),\n");
    }
    assert_eq!(find(Language::Java, &(java + "}\n")).len(), many);
    assert_eq!(find(Language::Kotlin, &(kotlin + ")\n")).len(), many);
}

#[test]
fn line_endings_and_a_byte_order_mark_do_not_shift_ranges() {
    let java =
        "import net.agentensemble.Task;\nclass V { Task t = Task.of(\"\"\"\n  a\n  b\"\"\"); }\n";
    let kotlin =
        "import com.google.adk.kt.agents.Instruction\nval i = Instruction(\"\"\"a\nb\"\"\")\n";
    for (language, source) in [(Language::Java, java), (Language::Kotlin, kotlin)] {
        let crlf = source.replace('\n', "\r\n");
        for source in [source.to_owned(), crlf.clone(), format!("\u{FEFF}{crlf}")] {
            let found = find(language, &source);
            let [prompt] = found.as_slice() else { panic!("one prompt in {source}") };
            assert_eq!(prompt.text.text(), "a\nb");
            let last = prompt.text.pieces().last().expect("a piece");
            assert_eq!(last.source.end, source.find("b\"\"\"").expect("it ends so") + 1);
        }
    }
}
