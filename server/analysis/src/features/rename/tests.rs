//! The files after a rename, and rejected renames.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::snapshot::test::{Files, with_cursor};

/// The texts of a prompt's files after a rename, or the error.
///
/// The cursor is in the prompt, in a case, or in the variables.
fn renamed(
    dialect: Dialect,
    prompt: &str,
    cases: &[&str],
    variables: &str,
    new_name: &str,
) -> Result<String, RenameError> {
    let marked: Vec<&str> = [prompt, variables].into_iter().chain(cases.to_vec()).collect();
    let at = marked.iter().position(|text| text.contains("$0")).expect("a cursor");
    let (_, cursor) = with_cursor(marked[at]);
    let texts: Vec<String> = marked.iter().map(|text| text.replace("$0", "")).collect();
    let ids = |at: usize| match at {
        0 => FileId::PROMPT,
        1 => Files::VARIABLES,
        case => FileId(case as u32 - 1),
    };
    let files_of = |texts: &[String]| {
        let cases: Vec<&str> = texts[2..].iter().map(String::as_str).collect();
        Files::new(dialect, &texts[0], &cases, &texts[1])
    };
    let before = files_of(&texts).snapshot;
    prepare_rename(&before, ids(at), cursor)?.ok_or(RenameError::NoName)?;
    let reference = reference_at(&before, ids(at), cursor).expect("it can be renamed");
    let edits = rename(&before, &reference.symbol, new_name)?;
    let mut after = texts;
    for (index, text) in after.iter_mut().enumerate() {
        let mut own: Vec<&TextEdit> =
            edits.iter().filter(|edit| edit.location.file == ids(index)).collect();
        own.sort_by_key(|edit| std::cmp::Reverse(edit.location.range.start));
        for edit in own {
            text.replace_range(edit.location.range.clone(), &edit.text);
        }
    }
    let proven = files_of(&after).snapshot;
    prove_rename(&before, &proven, &[reference.symbol], new_name)?;
    Ok(after.join("\n"))
}

#[track_caller]
fn check(
    dialect: Dialect,
    prompt: &str,
    cases: &[&str],
    variables: &str,
    new_name: &str,
    expected: Expect,
) {
    let shown = match renamed(dialect, prompt, cases, variables, new_name) {
        Ok(texts) => texts + "\n",
        Err(error) => format!("refused: {error}\n"),
    };
    expected.assert_eq(&shown);
}

/// Checks the error for a rejected name.
#[track_caller]
fn refuse(dialect: Dialect, prompt: &str, case: &str, new_name: &str, expected: Expect) {
    let error = renamed(dialect, prompt, &[case], "{}", new_name).expect_err("it is refused");
    expected.assert_eq(&error.to_string());
}

#[test]
fn a_name_is_renamed_at_all_its_uses() {
    let dialect = Dialect::PromptPack;
    let cases = [r#"{"a": {"a": 1} /* a */}"#, r#"{ "a" : {"a": 2},}"#];
    let variables = r#"{"variables": [{"name": "a"}], "fragments": {"f": "\"{{a.a}}\" a"}}"#;
    check(
        dialect,
        "a {{$0a.a}} {{f}}",
        &cases,
        variables,
        "user",
        expect![[r#"
            a {{user.a}} {{f}}
            {"variables": [{"name": "user"}], "fragments": {"f": "\"{{user.a}}\" a"}}
            {"user": {"a": 1} /* a */}
            { "user" : {"a": 2},}
        "#]],
    );
    let renamed = |prompt, cases: &[&str], variables| {
        renamed(dialect, prompt, cases, variables, "user").expect("it can be renamed")
    };
    let all = renamed("a {{$0a.a}} {{f}}", &cases, variables);
    let from_key = [r#"{"$0a": {"a": 1} /* a */}"#, cases[1]];
    assert_eq!(renamed("a {{a.a}} {{f}}", &from_key, variables), all);
    let from_declaration = variables.replacen("\"a\"", "\"a$0\"", 1);
    assert_eq!(renamed("a {{a.a}} {{f}}", &cases, &from_declaration), all);
    let from_fragment = variables.replacen("{{a.", "{{a$0.", 1);
    assert_eq!(renamed("a {{a.a}} {{f}}", &cases, &from_fragment), all);
}

#[test]
fn the_range_of_a_rename_is_the_bare_name() {
    let case = r#"{"app:topic": 1, "a": {"b": 2}}"#;
    let selected = |dialect, prompt: &str, file, offset| {
        let snapshot = Files::new(dialect, prompt, &[case], "{}").snapshot;
        let found = prepare_rename(&snapshot, file, offset).expect("nothing forbids it");
        found.map(|found| (found.location.range, found.name))
    };
    let (adk, pack) = (Dialect::Adk, Dialect::PromptPack);
    let topic = |start: usize| Some((start..start + 5, "topic".to_owned()));
    assert_eq!(selected(adk, "{{app:topic?}}", FileId::PROMPT, 7), topic(6));
    assert_eq!(selected(adk, "{{app:topic?}}", FileId::PROMPT, 3), None);
    assert_eq!(selected(adk, "", Files::FIRST_CASE, 8), topic(6));
    let b = |start: usize| Some((start..start + 1, "b".to_owned()));
    assert_eq!(selected(pack, "{{a.b}}", FileId::PROMPT, 5), b(4));
    assert_eq!(selected(pack, "", Files::FIRST_CASE, 24), b(24));
}

#[test]
fn a_member_of_a_map_is_renamed_despite_a_loop_over_the_map() {
    check(
        Dialect::Agentle,
        "{{m.a}}{{#each m}}{{this.value}}{{/each}}",
        &[r#"{"m": {"a$0": 1}}"#],
        "{}",
        "b",
        expect![[r#"
            {{m.b}}{{#each m}}{{this.value}}{{/each}}
            {}
            {"m": {"b": 1}}
        "#]],
    );
}

#[test]
fn prefixes_and_optional_marks_are_kept() {
    check(
        Dialect::Adk,
        "{{ app:to$0pic? }} {app:topic} {topic}",
        &[r#"{"app:topic": 1, "topic": 2}"#],
        "{}",
        "theme",
        expect![[r#"
            {{ app:theme? }} {app:theme} {topic}
            {}
            {"app:theme": 1, "topic": 2}
        "#]],
    );
    check(
        Dialect::Adk,
        "{app:topic}",
        &[r#"{"app:$0topic": 1}"#],
        "{}",
        "app:theme",
        expect![[r#"
            {app:theme}
            {}
            {"app:theme": 1}
        "#]],
    );
}

#[test]
fn members_of_items_are_renamed_in_every_item() {
    check(
        Dialect::Agentle,
        "{{#each xs}}{{this.title}}{{#if this.title}}!{{/if}}{{/each}}{{title}}",
        &[r#"{"xs": [{"ti$0tle": 1}, {"title": 2}], "title": 3}"#],
        "{}",
        "name",
        expect![[r#"
            {{#each xs}}{{this.name}}{{#if this.name}}!{{/if}}{{/each}}{{title}}
            {}
            {"xs": [{"name": 1}, {"name": 2}], "title": 3}
        "#]],
    );
    check(
        Dialect::Agentle,
        "{{#each xs$0}}{{this.title}}{{/each}}",
        &[r#"{"xs": [{"title": 1}]}"#],
        "{}",
        "ys",
        expect![[r#"
            {{#each ys}}{{this.title}}{{/each}}
            {}
            {"ys": [{"title": 1}]}
        "#]],
    );
}

#[test]
fn dotted_keys_are_renamed_with_their_paths() {
    let cases = [r#"{"a.b": 1, "a": {"b": 2}}"#];
    check(
        Dialect::PromptPack,
        "{{a.b$0}} {{a}}",
        &[r#"{"a.b": 1, "a": 2}"#],
        "{}",
        "c",
        expect![[r#"
            {{a.c}} {{a}}
            {}
            {"a.c": 1, "a": 2}
        "#]],
    );
    check(
        Dialect::PromptPack,
        "{{a$0.b}}",
        &cases,
        "{}",
        "c",
        expect![[r#"
            {{c.b}}
            {}
            {"c.b": 1, "c": {"b": 2}}
        "#]],
    );
}

#[test]
fn fragments_are_renamed_under_both_names() {
    check(
        Dialect::PromptPack,
        "{{f$0}} {{fragments.f}}",
        &["{}"],
        r#"{"fragments": {"f": "x", "g": "{{f}}{{fragments.f}}"}}"#,
        "tone",
        expect![[r#"
            {{tone}} {{fragments.tone}}
            {"fragments": {"tone": "x", "g": "{{tone}}{{fragments.tone}}"}}
            {}
        "#]],
    );
}

#[test]
fn members_are_renamed_in_defaults() {
    check(
        Dialect::PromptPack,
        "{{user.na$0me}}",
        &[r#"{}"#],
        r#"{"variables": [{"name": "user", "default": {"name": "Ada"}}]}"#,
        "first",
        expect![[r#"
            {{user.first}}
            {"variables": [{"name": "user", "default": {"first": "Ada"}}]}
            {}
        "#]],
    );
}

#[test]
fn names_without_values_are_renamed() {
    for (dialect, prompt, renamed_prompt) in [
        (Dialect::AgentEnsemble, "{x$0} {{x}}", "{y} {{x}}"),
        (Dialect::Adk, "{x$0} {{x?}}", "{y} {{y?}}"),
        (Dialect::Agentle, "{{ x$0 }}{{x.z}}", "{{ y }}{{y.z}}"),
        (Dialect::PromptPack, "{{x$0}}{{x.z}}", "{{y}}{{y.z}}"),
        (Dialect::Langfuse, "{{ x$0 }}{{x.z}}", "{{ y }}{{x.z}}"),
    ] {
        let texts = renamed(dialect, prompt, &["{}"], "{}", "y").expect("it can be renamed");
        assert_eq!(texts, format!("{renamed_prompt}\n{{}}\n{{}}"));
    }
    let texts = renamed(Dialect::Entaingine, "{X$0}", &["{}"], "{}", "Y").expect("the same");
    assert_eq!(texts, "{Y}\n{}\n{}");
}

#[test]
fn names_that_the_dialect_does_not_allow_are_refused() {
    refuse(
        Dialect::AgentEnsemble,
        "{x$0}",
        "{}",
        "é",
        expect![
            "`é` is not a valid name in AgentEnsemble: a name consists of letters from a to z, digits and `_`"
        ],
    );
    refuse(
        Dialect::Adk,
        "{x$0}",
        "{}",
        "x?",
        expect![
            "`x?` is not a valid name in Google ADK: a name starts with a letter, `_` or `$`, followed by any of these or digits"
        ],
    );
    refuse(
        Dialect::Entaingine,
        "{X$0}",
        "{}",
        "x",
        expect![
            "`x` is not a valid name in entAIngine: a name starts with a capital letter, followed by capitals, digits and single `_`"
        ],
    );
    refuse(
        Dialect::PromptPack,
        "{{x$0}}",
        "{}",
        "2x",
        expect![
            "`2x` is not a valid name in PromptPack: a name starts with a letter from a to z or `_`, followed by any of these or digits"
        ],
    );
    refuse(
        Dialect::Agentle,
        "{{x$0}}",
        "{}",
        "x.y",
        expect![
            "`x.y` is not a valid name in Agentle: a name has no `}`, no dot, no whitespace at its ends, and no `#` or `/` at its start"
        ],
    );
    refuse(
        Dialect::Agentle,
        "{{x$0}}",
        "{}",
        "this",
        expect!["`this` means something else in this dialect; choose another name"],
    );
    refuse(
        Dialect::AgentEnsemble,
        "{x$0}",
        "{}",
        "__AGENTENSEMBLE_ESCAPED_y__",
        expect![
            "`__AGENTENSEMBLE_ESCAPED_y__` means something else in this dialect; choose another name"
        ],
    );
    refuse(
        Dialect::Adk,
        "{x$0}",
        "{}",
        "app:x",
        expect!["`app:x` means something else in this dialect; choose another name"],
    );
    let adk = |new| renamed(Dialect::Adk, "{x$0}", &["{}"], "{}", new);
    adk("éß$").expect("this is a Java identifier");
    let agentle = |new| renamed(Dialect::Agentle, "{{x.y$0}}", &["{}"], "{}", new);
    agentle("#two words").expect("a member may be called so");
}

#[test]
fn names_that_are_taken_are_refused() {
    refuse(
        Dialect::Adk,
        "{x$0}",
        r#"{"x": 1, "y": 2}"#,
        "y",
        expect!["`y` already exists in case0.json; choose another name"],
    );
    refuse(
        Dialect::Adk,
        "{x$0} {y}",
        "{}",
        "y",
        expect!["`y` already exists in test.prompt; choose another name"],
    );
    refuse(
        Dialect::Agentle,
        "{{#each xs}}{{this.a$0}}{{/each}}",
        r#"{"xs": [{"a": 1}, {"b": 2}]}"#,
        "b",
        expect!["`b` already exists in case0.json; choose another name"],
    );
    check(
        Dialect::PromptPack,
        "{{x$0}}",
        &["{}"],
        r#"{"fragments": {"f": "y"}}"#,
        "f",
        expect![[r#"
            refused: `f` already exists in variables.json; choose another name
        "#]],
    );
    check(
        Dialect::PromptPack,
        "{{f$0}}",
        &[r#"{"x": 1}"#],
        r#"{"fragments": {"f": "y"}}"#,
        "x",
        expect![[r#"
            refused: `x` already exists in case0.json; choose another name
        "#]],
    );
}

#[test]
fn a_name_without_a_value_may_be_renamed_to_a_defined_one() {
    check(
        Dialect::Adk,
        "{nmae$0} {name} {nmae}",
        &[r#"{"name": 1}"#],
        "{}",
        "name",
        expect![[r#"
        {name} {name} {name}
        {}
        {"name": 1}
    "#]],
    );
    check(
        Dialect::Agentle,
        "{{user.nmae$0}} {{#if user.nmae}}x{{/if}} {{name}}",
        &[r#"{"user": {"name": 1}}"#, r#"{"user": {}}"#],
        "{}",
        "name",
        expect![[r#"
            {{user.name}} {{#if user.name}}x{{/if}} {{name}}
            {}
            {"user": {"name": 1}}
            {"user": {}}
        "#]],
    );
    check(
        Dialect::PromptPack,
        "{{fragments.hed$0}} {{head}}",
        &["{}"],
        r#"{"fragments": {"head": "x"}}"#,
        "head",
        expect![[r#"
            {{fragments.head}} {{head}}
            {"fragments": {"head": "x"}}
            {}
        "#]],
    );
    // Without any inputs, the correct name is unknown.
    let alone = Snapshot::new(Dialect::Adk, "{a} {b}");
    let symbol = Symbol::Value(vec![PathStep::Key("a".to_owned())]);
    assert!(matches!(rename(&alone, &symbol, "b"), Err(RenameError::Taken { .. })));
}

#[test]
fn names_supplied_by_the_engine_are_not_renamed() {
    refuse(
        Dialect::Entaingine,
        "{task_0.output_1$0}",
        "{}",
        "x",
        expect!["`output_1` is supplied by the engine under this name; it cannot be renamed"],
    );
    refuse(
        Dialect::PromptPack,
        "{{input$0}}",
        "{}",
        "x",
        expect!["`input` is supplied by the engine under this name; it cannot be renamed"],
    );
    refuse(
        Dialect::Agentle,
        "{{#each m}}{{this.key$0}}{{/each}}",
        r#"{"m": {"a": 1}}"#,
        "x",
        expect!["`key` is the engine's name for this part of a map entry; it cannot be renamed"],
    );
    refuse(
        Dialect::Agentle,
        "{{#each xs}}{{this$0}}{{/each}}",
        r#"{"xs": [1]}"#,
        "x",
        expect![
            "`this` is the item of a loop; rename the value that the loop iterates over, or a member of its items"
        ],
    );
    refuse(
        Dialect::AgentEnsemble,
        "{{{x$0}}}",
        "{}",
        "y",
        expect![
            "`__AGENTENSEMBLE_ESCAPED_x__` is supplied by the engine under this name; it cannot be renamed"
        ],
    );
    refuse(Dialect::Agentle, "{{#i$0f x}}{{/if}}", "{}", "y", expect!["there is no name here"]);
    refuse(Dialect::Agentle, "{{#if x}}{{/i$0f}}", "{}", "y", expect!["there is no name here"]);
    refuse(Dialect::Adk, "x$0", "{}", "y", expect!["there is no name here"]);
    refuse(Dialect::Adk, "{x}", r#"{"x": {"a$0": 1}}"#, "y", expect!["there is no name here"]);
}

#[test]
fn renames_that_change_the_resolved_text_are_refused() {
    // The keys of an object are part of its text.
    refuse(
        Dialect::PromptPack,
        "{{a}} {{a.b$0}}",
        r#"{"a": {"b": 1}}"#,
        "c",
        expect![
            "this would change the text that the engine sends for test.prompt in case case0; look there for text that depends on the name"
        ],
    );
    // The engine replaces names in values, too.
    refuse(
        Dialect::AgentEnsemble,
        "{a} {b$0}",
        r#"{"a": "{b}", "b": "1"}"#,
        "c",
        expect![
            "this would change the text that the engine sends for test.prompt in case case0; look there for text that depends on the name"
        ],
    );
    refuse(
        Dialect::Agentle,
        "{{#each m}}{{this.key}}{{/each}}",
        r#"{"m": {"k$0": 1}}"#,
        "l",
        expect![
            "this would change the text that the engine sends for test.prompt in case case0; look there for text that depends on the name"
        ],
    );
}

#[test]
fn names_in_aliases_or_escapes_are_not_renamed() {
    check(
        Dialect::PromptPack,
        "{{x$0}}",
        &["{}"],
        r#"{"fragments": {"f": "\u007b{x}}"}}"#,
        "y",
        expect![[r#"
            refused: `x` is written with an alias or an escape in variables.json; write it out, then rename it
        "#]],
    );
    refuse(
        Dialect::Adk,
        "{x$0}",
        r#"{"x": 1, "x": 2}"#,
        "y",
        expect!["`x` occurs twice in case0.json; remove one of them first"],
    );
}

#[test]
fn quotes_are_kept_if_possible() {
    let yaml = |written: &str, new: &str| requoted(written, "old", new, Format::Yaml);
    assert_eq!(yaml("old", "new").as_deref(), Some("new"));
    assert_eq!(yaml("'old'", "it's").as_deref(), Some("'it''s'"));
    assert_eq!(yaml("\"old\"", "a\"b").as_deref(), Some(r#""a\"b""#));
    for needs_quotes in ["a: b", "true", "12", "No", "#x", "a, b", "- a", "~", "a #b", "é\u{85}"] {
        let written = yaml("old", needs_quotes).expect("it can be quoted");
        assert!(written.starts_with('"'), "{written}");
    }
    assert_eq!(yaml("*old", "new"), None);
    let json = requoted(r#""\u006fld""#, "old", "new", Format::Json);
    assert_eq!(json.as_deref(), Some("\"new\""));
}

proptest! {
    /// An accepted rename changes only names, and the reverse rename restores the files.
    #[test]
    fn a_rename_can_be_undone(
        dialect in prop::sample::select(Dialect::ALL.to_vec()),
        pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..8),
        new_name in "[a-zA-Z_]{1,3}",
    ) {
        let (open, close) = (dialect.spec().open, dialect.spec().close);
        let rest = pieces.concat();
        let marked = format!("{open}A$0{close}{rest}");
        let back = format!("{open}{new_name}$0{close}");
        let case = r#"{"A": {"a": 1}, "b": [{"A": 2}, {"A": "{{A}} {A}"}]}"#;
        if let Ok(texts) = renamed(dialect, &marked, &[case], "{}", &new_name) {
            let mut lines = texts.splitn(3, '\n');
            let prompt = lines.next().unwrap().replacen(&format!("{open}{new_name}{close}"), &back, 1);
            let case_after = lines.nth(1).unwrap();
            let undone = renamed(dialect, &prompt, &[case_after], "{}", "A");
            prop_assert_eq!(undone, Ok(format!("{}\n{{}}\n{case}", marked.replace("$0", ""))));
        }
    }
}

const PIECES: [&str; 14] = [
    "{A}",
    "{{A}}",
    "{{A.a}}",
    "{{ A }}",
    "{A?}",
    "{{#if A}}",
    "{{/if}}",
    "{{#each b}}",
    "{{this.A}}",
    "{{/each}}",
    "{b}",
    "{{b}}",
    "{",
    "_",
];

#[test]
fn names_in_format_specifications_are_renamed() {
    let prompt = "{p:>{wid$0th}} {width} {p:{width}.{n:{width}}}";
    let case = r#"{"p": 1, "width": 4, "n": 2}"#;
    check(
        Dialect::Format,
        prompt,
        &[case],
        "{}",
        "size",
        expect![[r#"
        {p:>{size}} {size} {p:{size}.{n:{size}}}
        {}
        {"p": 1, "size": 4, "n": 2}
    "#]],
    );
}
