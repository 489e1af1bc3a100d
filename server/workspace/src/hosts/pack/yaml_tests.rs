//! Packs in YAML: reading, source positions and edits.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use std::path::Path;
use std::sync::Arc;

use promptls_resolver::{FileId, Format, parse_value};

use super::tests::recognizes;
use crate::readers::writing::{CannotWrite, Replacement, replaced};
use crate::readers::{Contents, FoundPrompt, HostSource, PromptReader};

fn source(text: &Arc<str>) -> HostSource<'_> {
    HostSource { path: Path::new("/a.pack.yaml"), text, config: None, uses: Arc::default() }
}

fn read(file: &str) -> Contents {
    let text = Arc::from(file);
    let reader = PromptReader::by_name(Path::new("/a.pack.yaml")).expect("it is a pack");
    reader.read(&source(&text), FileId(1))
}

/// A pack whose prompt `a` is this scalar, between others.
fn pack(scalar: &str) -> String {
    format!(
        "# A pack.\nprompts:\n  before: {{system_template: 'x'}}\n  a:\n    system_template: {scalar}\n    version: 1 # comment\n  after:\n    system_template: y\n"
    )
}

fn prompt<'c>(contents: &'c Contents, name: &str) -> &'c FoundPrompt {
    contents.prompts.iter().find(|prompt| &*prompt.name == name).expect("it is one of the pack")
}

/// A text split into the pieces of its source map.
#[track_caller]
fn check(scalar: &str, expected: Expect) {
    let file = pack(scalar);
    let contents = read(&file);
    assert_eq!(contents.problems, []);
    let FoundPrompt { text, map, .. } = prompt(&contents, "a");
    let mut found = format!("{text:?}\n");
    let mut chars = text.char_indices().peekable();
    while let Some((start, _)) = chars.next() {
        let written = |end: usize| &file[map.in_file(&(start..end))];
        let is_plain = |end: usize| written(end) == &text[start..end];
        let mut end = chars.peek().map_or(text.len(), |next| next.0);
        if is_plain(end) {
            while let Some(&(at, next)) = chars.peek()
                && is_plain(at + next.len_utf8())
            {
                end = at + next.len_utf8();
                chars.next();
            }
        }
        found += &format!("  {:?} is {:?}\n", &text[start..end], written(end));
    }
    expected.assert_eq(&found);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn each_character_of_a_scalar_has_its_source_range() {
    check(
        "Hi {{a}}\n      and # {{b}}",
        expect![[r#"
            "Hi {{a}} and"
              "Hi {{a}}" is "Hi {{a}}"
              " " is "\n"
              "and" is "and"
        "#]],
    );
    check(
        "Hi {{a}}\n\n\n      you",
        expect![[r#"
            "Hi {{a}}\n\nyou"
              "Hi {{a}}" is "Hi {{a}}"
              "\n\n" is "\n\n"
              "you" is "you"
        "#]],
    );
    check(
        r"'it''s {{a}}'",
        expect![[r#"
        "it's {{a}}"
          "it" is "it"
          "'" is "''"
          "s {{a}}" is "s {{a}}"
    "#]],
    );
    check(
        "\"a\\n\\u00e9\\U0001f600\\x41 \\\n       b\\ \n\n      c\"",
        expect![[r#"
            "a\né😀A b \nc"
              "a" is "a"
              "\n" is "\\n"
              "é" is "\\u00e9"
              "😀" is "\\U0001f600"
              "A" is "\\x41"
              " " is " "
              "b" is "b"
              " " is "\\ "
              "\n" is "\n"
              "c" is "c"
        "#]],
    );
    check(
        "|\n      Hi {{a}},\n\n        you\n",
        expect![[r#"
            "Hi {{a}},\n\n  you\n"
              "Hi {{a}},\n\n" is "Hi {{a}},\n\n"
              "  you\n" is "  you\n"
        "#]],
    );
    check(
        "|-2 # comment\n       Hi\n",
        expect![[r#"
        " Hi"
          " Hi" is " Hi"
    "#]],
    );
    check(
        "!!str &x |+\n\n      Hi\n\n",
        expect![[r#"
            "\nHi\n\n\n"
              "\n" is "\n"
              "Hi\n\n\n" is "Hi\n\n\n"
        "#]],
    );
    check(
        ">\n      one\n      two\n\n      three\n        four\n\n      five\n",
        expect![[r#"
            "one two\nthree\n  four\n\nfive\n"
              "one" is "one"
              " " is "\n"
              "two" is "two"
              "\n" is "\n"
              "three\n" is "three\n"
              "  four\n\n" is "  four\n\n"
              "five\n" is "five\n"
        "#]],
    );
    check(
        "|",
        expect![[r#"
        ""
    "#]],
    );
    check(
        "|\r\n      a\r\n      b\r\n",
        expect![[r#"
            "a\nb\n"
              "a" is "a"
              "\n" is "\r\n"
              "b" is "b"
              "\n" is "\r\n"
        "#]],
    );
    check(
        "|2\n\n       \n",
        expect![[r#"
            "\n \n"
              "\n" is "\n"
              " \n" is " \n"
        "#]],
    );
    check(
        ">2\n       \n    \n        ",
        expect![[r#"
            " \n\n  \n"
              " \n" is " \n"
              "\n" is "\n"
              "  \n" is "  \n"
        "#]],
    );
}

/// The file after edits of the text of `a`; each `old` must occur exactly once.
fn edited(file: &str, edits: &[(&str, &str)]) -> Result<String, CannotWrite> {
    let contents = read(file);
    let FoundPrompt { text, writing, .. } = prompt(&contents, "a");
    let edit = |(old, new): &(&str, &str)| {
        let start = text.find(old).expect("it is in the text");
        (start..start + old.len(), (*new).to_owned())
    };
    let edits: Vec<Replacement> = edits.iter().map(edit).collect();
    let written = writing.replace(file, &edits)?;
    let after = replaced(file, &written);
    let contents = read(&after);
    assert_eq!(prompt(&contents, "a").text, replaced(text, &edits), "{after}");
    Ok(after)
}

/// Checks the result of an edit of a scalar.
#[track_caller]
fn check_edit(scalar: &str, old: &str, new: &str, expected: Expect) {
    let after = edited(&pack(scalar), &[(old, new)]);
    let (before, behind) = ("    system_template: ", "\n    version: 1");
    let found = after.map(|after| {
        let start = after.find(before).expect("the key stays") + before.len();
        after[start..after.find(behind).expect("what follows stays")].to_owned()
    });
    expected.assert_eq(&format!("{}\n", found.unwrap_or_else(|reason| reason.to_string())));
}

#[test]
fn an_edit_keeps_the_style_of_its_scalar() {
    check_edit(
        "|\n      one\n      two\n      three",
        "e\nt",
        "et",
        expect![[r#"
        |
              onetwo
              three
    "#]],
    );
    check_edit(
        "one\n      two",
        "e t",
        "e or t",
        expect![[r#"
        one or two
    "#]],
    );
    check_edit(
        "Hi {{nmae}} # you",
        "nmae",
        "name",
        expect![[r#"
        Hi {{name}} # you
    "#]],
    );
    check_edit(
        "'Hi {{a}}'",
        "a",
        "it's",
        expect![[r#"
        'Hi {{it''s}}'
    "#]],
    );
    check_edit(
        "\"Hi {{a}}\"",
        "{{a}}",
        "\"a\"\n\\",
        expect![[r#"
        "Hi \"a\"\n\\"
    "#]],
    );
    check_edit(
        "|\n      Hi {{a}}\n      you",
        "a",
        "b}}\n\n{{c",
        expect![[r#"
            |
                  Hi {{b}}

                  {{c}}
                  you
        "#]],
    );
    check_edit(
        "|\n      a\n\n      b",
        "a\n",
        "a\nx",
        expect![[r#"
        |
              a
              x
              b
    "#]],
    );
    check_edit(
        ">-\n      Hi {{a}}\n      you",
        "a",
        "b}}\n{{c",
        expect![[r#"
        >-
              Hi {{b}}

              {{c}}
              you
    "#]],
    );
    check_edit(
        "|\n      Hi {{a}}\n      you",
        "\n",
        " ",
        expect![[r#"
        |
              Hi {{a}} you
    "#]],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn a_text_that_its_scalar_cannot_contain_changes_the_style() {
    check_edit(
        "Hi {{a}} # you",
        "a",
        "a: b",
        expect![[r#"
        "Hi {{a: b}}" # you
    "#]],
    );
    check_edit(
        "Hi {{a}} # you",
        "Hi ",
        "",
        expect![[r#"
        "{{a}}" # you
    "#]],
    );
    check_edit(
        "Hi {{a}} # you",
        "Hi ",
        "Hi\n",
        expect![[r#"
            |- # you
                  Hi
                  {{a}}
        "#]],
    );
    check_edit(
        "'Hi {{a}}'",
        "Hi ",
        "Hi\n",
        expect![[r#"
            |-
                  Hi
                  {{a}}
        "#]],
    );
    check_edit(
        "|-\n      Hi {{a}}",
        "{{a}}",
        "\n",
        expect![[r#"
        |
              Hi 
    "#]],
    );
    check_edit(
        "|\n      Hi {{a}}",
        "Hi",
        " Hi",
        expect![[r#"
        |2
               Hi {{a}}
    "#]],
    );
    check_edit(
        "| # why",
        "",
        "Hi",
        expect![[r#"
        |- # why
              Hi
    "#]],
    );
    check_edit(
        "|",
        "",
        "Hi",
        expect![[r#"
            |-
                  Hi
        "#]],
    );
    check_edit(
        "\"Hi\n      you\"",
        "Hi",
        "Hi ",
        expect![[r#"
        "Hi  you"
    "#]],
    );
    check_edit(
        "12 x",
        " x",
        "",
        expect![[r#"
        "12"
    "#]],
    );
    check_edit(
        "|\n      Hi {{a}}",
        "Hi",
        "\u{1}",
        expect![[r#"
        |
               {{a}}
    "#]],
    );
}

#[test]
fn an_alias_is_read_and_edited_only_where_its_anchor_is() {
    let file = "x: &x Hi {{a}}\nprompts:\n  b: &b\n    system_template: Ho {{a}}\n  a: {system_template: *x}\n  c: *b\n";
    let contents = read(file);
    let written = |name| {
        let FoundPrompt { text, map, .. } = prompt(&contents, name);
        (text.clone(), &file[map.in_file(&(1..text.len() - 1))], map.is_written_here())
    };
    assert_eq!(written("a"), ("Hi {{a}}".to_owned(), "*x", false));
    assert_eq!(written("b"), ("Ho {{a}}".to_owned(), "o {{a}", true));
    assert_eq!(written("c"), ("Ho {{a}}".to_owned(), "*b", false));
    let refusal = edited(file, &[("Hi", "Ho")]).unwrap_err();
    assert_eq!(refusal.to_string(), "this prompt is an alias; change it where its anchor is");
}

#[test]
fn a_merge_key_is_reported_and_not_followed() {
    let file =
        "x: &x {system_template: y}\nprompts:\n  a:\n    <<: *x\n  b: {system_template: z}\n";
    let contents = read(file);
    let names: Vec<&str> = contents.prompts.iter().map(|prompt| &*prompt.name).collect();
    assert_eq!(names, ["b"]);
    let [problem] = &contents.problems[..] else { panic!("{:?}", contents.problems) };
    assert_eq!(problem.message, "YAML 1.2 has no merge keys: what `<<` names is not read");
    assert_eq!(&file[problem.location.range.clone()], "<<");
}

#[test]
fn a_file_of_several_documents_is_no_pack() {
    let file = format!("{}---\nb: 1\n", pack("x"));
    let recognizes = |text: &str| recognizes("/a.yaml", text);
    assert_eq!(recognizes(&file), Some(false));
    // With the words of a pack, the error is reported whatever the name of the file.
    assert_eq!(recognizes(&format!("template_engine: {{}}\n{file}")), Some(true));
    let contents = read(&file);
    assert!(contents.is_broken);
    assert_eq!(
        contents.problems[0].message,
        "a second document starts here; the file may contain only one"
    );
}

#[test]
fn a_yaml_pack_with_another_name_is_recognised_by_its_content() {
    let recognizes = |text: &str| recognizes("/a.yaml", text);
    let prompts = "prompts: {a: {system_template: x}}\n";
    assert_eq!(recognizes(&format!("template_engine: {{version: v1}}\n{prompts}")), Some(true));
    assert_eq!(
        recognizes(&format!("$schema: https://promptpack.org/v1.json\n{prompts}")),
        Some(true)
    );
    assert_eq!(recognizes(prompts), Some(false));
    assert_eq!(recognizes("template_engine: 1\nspec: {system_template: x}\n"), Some(false));
    assert_eq!(recognizes("template_engine: {{ x }}\nprompts:\n"), Some(false));
    assert_eq!(recognizes(&format!("template_engine: [\n{prompts}")), None);
}

/// An arbitrary scalar, of any of the five kinds or invalid.
fn scalar() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "a",
        "é",
        "😀",
        "{{x}}",
        " ",
        "  ",
        "\t",
        "\n",
        "\n      ",
        "\n       ",
        "\n\n",
        "\r\n      ",
        "''",
        "\\n",
        "\\\"",
        "\\u00e9",
        "\\\n      ",
        "#",
        " #",
        ":",
        "'",
        "\"",
        "-",
        "*",
        "|",
        "~",
        "1",
    ]);
    let body = prop::collection::vec(word, 0..12).prop_map(|words| words.concat());
    let round = prop::sample::select(vec![
        ("", ""),
        ("b", ""),
        ("'", "'"),
        ("\"", "\""),
        ("|\n      ", ""),
        ("|-\n      ", ""),
        ("|+\n      ", ""),
        (">\n      ", ""),
        (">-\n      ", ""),
        ("|2 # c\n      ", ""),
        (">+ # c\n      ", ""),
        ("&x !!str ", ""),
        ("&x |\n", ""),
    ]);
    (round, body).prop_map(|((before, after), body)| format!("{before}{body}{after}"))
}

/// A file around a scalar: before others, at its end, in braces.
fn file() -> impl Strategy<Value = String> {
    let round = prop::sample::select(vec![
        ("prompts:\n  a:\n    system_template: ", "\n  b: {system_template: y} # c\n"),
        ("\u{feff}# c\r\nprompts:\r\n  a:\r\n    system_template: ", "\r\n    x: 1\r\n"),
        ("prompts:\n  a:\n    system_template: ", ""),
        ("prompts:\n  a:\n    system_template: ", "\n"),
        ("{\"prompts\": {\"a\": {\"system_template\":", ", x: 1}}} # c\n"),
        ("prompts:\n  a:\n    x: 1\n    system_template: ", " # c\n# d\n\n    y: 2\n"),
    ]);
    // The parser handles a last line of spaces differently from others.
    (round, scalar()).prop_map(|((before, after), scalar)| {
        format!("{before}{scalar}{after}").trim_end_matches([' ', '\t']).to_owned()
    })
}

fn value(file: &str) -> serde_json::Value {
    let value = parse_value(file, Format::Yaml, FileId::PROMPT, "").value.expect("it parses");
    serde_json::from_str(&value.to_json()).expect("it is JSON")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn every_text_has_its_source_range(file in file()) {
        let contents = read(&file);
        for prompt in &contents.prompts {
            let FoundPrompt { text, map, entry, .. } = prompt;
            prop_assert!(map.is_written_here(), "{file:?} has {text:?}");
            let mut last = 0;
            for (at, character) in text.char_indices() {
                let range = map.in_file(&(at..at + character.len_utf8()));
                prop_assert!(range.start >= last && range.end >= range.start, "{file:?} {range:?}");
                prop_assert!(range.start >= entry.start, "{file:?} {range:?}");
                prop_assert!(file.get(range.clone()).is_some());
                if character.is_alphabetic() && !file[range.clone()].starts_with('\\') {
                    prop_assert_eq!(&file[range.clone()], character.to_string());
                }
                if !range.is_empty() {
                    prop_assert_eq!(map.in_text(range.start), Some(at));
                }
                last = range.end;
            }
        }
    }

    #[test]
    fn an_edit_changes_only_the_text(
        file in file(),
        start in any::<prop::sample::Index>(),
        len in 0..4_usize,
        new in prop::collection::vec(
            prop::sample::select(vec!["a", "{{b}}", " ", "\n", "'", "\"", "\\", ": ", " #", "\t", "😀", "\u{1}"]), 0..4),
    ) {
        let contents = read(&file);
        let a = contents.prompts.iter().find(|prompt| &*prompt.name == "a");
        let Some(FoundPrompt { text, writing, .. }) = a else { return Ok(()) };
        let mut offsets: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        offsets.push(text.len());
        let start = start.index(offsets.len());
        let range = offsets[start]..offsets[(start + len).min(offsets.len() - 1)];
        let edits = [(range, new.concat())];
        let Ok(written) = writing.replace(&file, &edits) else {
            return Ok(());
        };
        let after = replaced(&file, &written);
        let mut expected = value(&file);
        expected["prompts"]["a"]["system_template"] = replaced(text, &edits).into();
        prop_assert_eq!(value(&after), expected, "{:?} became {:?}", file, after);
        let comments = |file: &str, text: &str| {
            let count = |text: &str| text.matches("# c").count() + text.matches("# d").count();
            count(file) - count(text).min(count(file))
        };
        let (before, text) = (comments(&file, text), replaced(text, &edits));
        prop_assert!(comments(&after, &text) >= before, "{file:?} became {after:?}");
    }
}
