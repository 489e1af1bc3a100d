//! Prompts in data, in cases that real parsers do not decide.

use promptls_hosts::{
    HostPrompt, KeyPath, Language, PieceKind, Why, find_all_in_data, find_in_data,
};
use promptls_syntax::Dialect;
use proptest::prelude::*;

fn key_path(written: &str) -> KeyPath {
    KeyPath::parse(written).expect("a key path")
}

/// The names, dialects and texts that are found.
fn found(language: Language, source: &str, rules: &[(&str, Dialect)]) -> Vec<String> {
    let rules: Vec<_> = rules.iter().map(|(path, dialect)| (key_path(path), *dialect)).collect();
    let found = find_in_data(language, source, &rules);
    found
        .iter()
        .map(|it| format!("{} {} {}", it.name, it.dialect.spec().id, it.text.text()))
        .collect()
}

#[track_caller]
fn check(language: Language, source: &str, expected: &[&str]) {
    assert_eq!(found(language, source, &[]), expected, "{source}");
}

#[test]
fn a_mark_applies_to_the_value_that_starts_on_the_next_line() {
    for (language, source, expected) in [
        (Language::Yaml, "# promptls: adk\n\na: x", &[][..]),
        (Language::Yaml, "# promptls: adk\na:\n  b: x", &[]),
        (Language::Yaml, "- # promptls: adk\n  a: x", &[]),
        (Language::Yaml, "# promptls: adk\n- a: x\n  b: y", &["0.a adk x"]),
        (Language::Yaml, "a: '# promptls: adk'\nb: x", &[]),
        (Language::Yaml, "a: |\n  # promptls: adk\nb: x", &[]),
        (Language::Yaml, "a: [x, y] # promptls: adk", &[]),
        (Language::Yaml, "a: [x, # promptls: adk\n  y]", &["a.0 adk x"]),
        (Language::Yaml, "a: > # promptls: adk\n  x\nb: y", &["a adk x\n"]),
        (Language::Toml, "# promptls: adk\na.b = 'x'\n", &["a.b adk x"]),
        (Language::Toml, "a = 'x' # promptls: adk\n", &["a adk x"]),
        (Language::Toml, "# promptls: adk\n[a]\nb = 'x'\n", &[]),
        (Language::Toml, "[[a]]\n# promptls: adk\nb = 'x'\n[[a]]\nb = 'y'\n", &["a.0.b adk x"]),
        (Language::Json, "{\"a\": \"x\" // promptls: adk\n}", &[]),
        (Language::Json, "{\"a\": /* language=prompt-adk */ \"x\"}", &["a adk x"]),
        (Language::Json, "{\"//promptls: adk\":\n\"x\"}", &[]),
    ] {
        check(language, source, expected);
    }
}

#[test]
fn marks_override_rules_and_rules_override_recognisers() {
    let agent = "agent_class: LlmAgent\nname: n\n";
    let marked = format!("{agent}# promptls: agentle\ninstruction: x");
    let off = format!("{agent}# promptls: off\ninstruction: x");
    let plain = format!("{agent}instruction: x");
    let rules = [("instruction", Dialect::Langfuse), ("*", Dialect::PromptPack)];
    assert_eq!(found(Language::Yaml, &marked, &rules)[2], "n agentle x");
    assert_eq!(found(Language::Yaml, &plain, &rules)[2], "n langfuse x");
    assert_eq!(found(Language::Yaml, &plain, &[]), ["n adk x"]);
    assert_eq!(found(Language::Yaml, &off, &rules[..1]), [""; 0]);
    let why: Vec<_> =
        find_in_data(Language::Yaml, &plain, &[(key_path("instruction"), Dialect::Adk)]);
    assert_eq!(why[0].why, Why::Rule("instruction".to_owned()));
}

#[test]
fn rules_name_values_by_their_keys() {
    let rules = [("agents.*.prompt", Dialect::Agentle)];
    let source = "agents:\n  a: {prompt: x}\n  b:\n    prompt: y\n    other: z\n  c: {prompt: 1}\n";
    let expected = ["agents.a.prompt agentle x", "agents.b.prompt agentle y"];
    assert_eq!(found(Language::Yaml, source, &rules), expected);
    let source = "[[agents]]\nprompt = 'x'\n[[agents]]\nprompt = \"\"\n";
    let expected = ["agents.0.prompt agentle x", "agents.1.prompt agentle "];
    assert_eq!(found(Language::Toml, source, &rules), expected);
}

#[test]
fn an_alias_selects_the_string_of_its_anchor() {
    let source = "a: &a x\nb: *a\nc: *a\n";
    let rules = [("b", Dialect::Adk), ("c", Dialect::Agentle)];
    assert_eq!(found(Language::Yaml, source, &rules), ["a adk x"]);
}

#[test]
fn each_document_is_read_separately() {
    let source = "name: a\nmodel: m\ninstruction: x\n---\nkind: x\nname: b\nmodel: m\n\
                  instruction: y\n---\nname: a\ntools: []\ninstruction: z\n";
    check(Language::Yaml, source, &["a adk x", "a-2 adk z"]);
}

#[test]
fn the_last_of_several_equal_keys_is_used() {
    let source = "{\"prompts\": {\"a\": {\"system_template\": \"x\", \"system_template\": \"y\"}},\
                  \"template_engine\": {}}";
    check(Language::Json, source, &["a promptpack y"]);
}

#[test]
fn data_that_is_too_deep_or_too_large_is_not_read() {
    let rules = [(key_path("a"), Dialect::Adk)];
    for language in [Language::Yaml, Language::Json, Language::Toml, Language::Markdown] {
        for (open, close) in
            [("[", "]"), ("{\"a\":", "}"), ("- ", ""), ("a = [", "]"), ("[a.a", "]")]
        {
            let deep = format!("{}{}", open.repeat(50_000), close.repeat(50_000));
            assert_eq!(find_in_data(language, &deep, &rules), [], "{open}");
        }
        let long = format!("---\na: x\n---\n{}", " ".repeat(2 << 20));
        assert_eq!(find_in_data(language, &long, &rules), []);
    }
    let dotted = format!("{}a = 'x'", "a.".repeat(50_000));
    assert_eq!(find_in_data(Language::Toml, &dotted, &rules), []);
}

#[test]
fn aliases_of_aliases_are_not_copied() {
    let mut source = "a0: &a0 [x, x]\n".to_owned();
    for level in 1..60 {
        let before = level - 1;
        source += &format!("a{level}: &a{level} [*a{before}, *a{before}, *a{before}]\n");
    }
    source += "a: y\n";
    assert_eq!(found(Language::Yaml, &source, &[("a", Dialect::Adk)]), ["a adk y"]);
}

/// `true` if the source map is valid: without gaps in the text, in source order, and equal where it
/// claims to be.
fn has_sound_map(source: &str, found: &HostPrompt) -> bool {
    let (text, pieces) = (found.text.text(), found.text.pieces());
    let contiguous = pieces.windows(2).all(|two| {
        two[0].text.end == two[1].text.start && two[0].source.end <= two[1].source.start
    });
    let covers = pieces.first().is_some_and(|first| first.text.start == 0)
        && pieces.last().is_some_and(|last| last.text.end == text.len());
    let is_equal = pieces
        .iter()
        .filter(|piece| piece.kind == PieceKind::Equal)
        .all(|piece| text.get(piece.text.clone()) == source.get(piece.source.clone()));
    let literal = &found.literals[0];
    let is_inside = pieces
        .iter()
        .all(|piece| literal.start <= piece.source.start && piece.source.end <= literal.end);
    contiguous && covers && is_equal && is_inside
}

/// The pieces of broken and valid files.
fn written() -> impl Strategy<Value = String> {
    const PIECES: [&str; 48] = [
        "a",
        "b",
        ": ",
        ":",
        "- ",
        "\n",
        "\r\n",
        "\n  ",
        "\n    ",
        "|",
        ">",
        "|-",
        ">+",
        "|2",
        "\"",
        "'",
        "\"\"\"",
        "'''",
        "\\",
        "\\n",
        "\\u00e9",
        "\\ud83d\\ude00",
        "{",
        "}",
        "[",
        "]",
        ",",
        "=",
        " = ",
        "&x ",
        "*x",
        "!!str ",
        "# promptls: adk\n",
        "// promptls: adk\n",
        "/* promptls: adk */",
        "---\n",
        "...",
        "é",
        "😀",
        "\u{feff}",
        "\u{fffc}",
        "\t",
        " ",
        "instruction: ",
        "name: x\n",
        "\n\n",
        "? ",
        "%",
    ];
    let pieces = prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40);
    prop_oneof![pieces.prop_map(|pieces| pieces.concat()), ".{0,60}"]
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(1500)
    })]

    #[test]
    fn no_data_panics_and_every_source_map_is_valid(source in written()) {
        let paths = ["*", "*.*", "*.*.*"].map(|path| (key_path(path), Dialect::Adk));
        for (language, before) in [
            (Language::Yaml, ""),
            (Language::Yaml, "a: "),
            (Language::Yaml, "a: |\n  "),
            (Language::Yaml, "a:\n- >\n  "),
            (Language::Yaml, "a: \""),
            (Language::Json, ""),
            (Language::Toml, ""),
            (Language::Toml, "a = \"\"\""),
            (Language::Markdown, "---\na: "),
        ] {
            let source = format!("{before}{source}");
            for found in find_in_data(language, &source, &paths) {
                prop_assert!(has_sound_map(&source, &found), "{source:?} {found:?}");
            }
        }
    }
}

#[test]
fn a_skill_that_injects_state_is_a_prompt() {
    let skill = |flag: &str| {
        format!(
            "---\nname: my weather\ndescription: d\nmetadata:\n  {flag}\n---\n\n  In {{unit}}.\r\nBye\n\n"
        )
    };
    for (flag, expected) in [
        ("adk_inject_state: true", &["my-weather adk In {unit}.\nBye"][..]),
        ("adk_inject_state: True", &["my-weather adk In {unit}.\nBye"]),
        ("adk_inject_state: false", &[]),
        ("adk_inject_state: 'true'", &[]),
        ("other: adk_inject_state", &[]),
    ] {
        check(Language::Markdown, &skill(flag), expected);
    }
    check(Language::Markdown, "---\nmetadata: {adk_inject_state: true}\n---\n{x}\n", &[]);
    check(Language::Yaml, "name: a\ndescription: d\nmetadata: {adk_inject_state: true}\n", &[]);
    let source = skill("adk_inject_state: true");
    let prompts = find_in_data(Language::Markdown, &source, &[]);
    let find = |text: &str| find_in_data(Language::Markdown, text, &[]);
    let unit = prompts[0].text.text().find("unit").expect("it has the name");
    let edits = promptls_hosts::edit(
        Language::Markdown,
        &source,
        &prompts[0],
        unit..unit + 4,
        "scale",
        find,
    );
    let at = source.find("unit").expect("it has the name");
    assert_eq!(edits, Ok(vec![(at..at + 4, "scale".to_owned())]));
}

#[test]
fn the_template_of_a_persona_is_a_prompt() {
    let persona = |kind: &str, key: &str| {
        format!(
            "apiVersion: promptkit.altairalabs.ai/v1alpha1\nkind: {kind}\nspec:\n  id: impatient\n  {key}: |\n    You are {{{{mood}}}}.\n"
        )
    };
    let expected = &["impatient promptpack You are {{mood}}.\n"];
    check(Language::Yaml, &persona("Persona", "system_template"), expected);
    // The older key is sent as it is.
    check(Language::Yaml, &persona("Persona", "system_prompt"), &[]);
    check(Language::Yaml, &persona("Scenario", "system_template"), &[]);
}

/// ADK refuses unknown keys, so other keys show that a file is of another program.
#[test]
fn a_sub_agent_has_the_keys_of_each_agent_and_no_others() {
    for (source, expected) in [
        ("name: n\ndescription: d\ninstruction: x", &["n adk x"][..]),
        ("name: n\ndescription: d\ninstruction: x\ninclude_contents: none", &["n adk x"]),
        ("name: n\ndescription: d\ninstruction: x\ninput: i", &[]),
        ("name: n\ninstruction: x", &[]),
        ("description: d\ninstruction: x", &[]),
    ] {
        assert_eq!(found(Language::Yaml, source, &[]), expected, "{source}");
    }
}

#[test]
fn the_class_of_an_agent_may_be_one_of_the_program() {
    for (source, expected) in [
        ("agent_class: p.A\nname: n\nmodel: m\ninstruction: x", &["n adk x"][..]),
        ("agent_class: p.A\nname: n\ninstruction: x", &["? x"]),
        ("agent_class: p.A\nname: n\nglobal_instruction: x", &["? x"]),
        ("agent_class: p.A\nname: n\nrole: r\ninstruction: x", &[]),
        ("agent_class: A\nname: n\ninstruction: x", &[]),
        ("agent_class: google.adk.agents.LoopAgent\nname: n\ninstruction: x", &[]),
    ] {
        let finds = find_all_in_data(Language::Yaml, source, None, &[], &[]);
        let unread = finds.computed.iter().map(|it| it.unread.range.clone());
        let unread = unread.map(|range| format!("? {}", &source[range]));
        let found = found(Language::Yaml, source, &[]).into_iter();
        assert_eq!(found.chain(unread).collect::<Vec<_>>(), expected, "{source}");
    }
}
