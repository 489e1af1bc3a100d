//! JSON files to values with their ranges.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::inputs::tests::{assert_spans_fit, outline, outline_problems};

#[track_caller]
fn check(text: &str, expected: Expect) {
    let parsed = parse_value(text, Format::Json, FileId(1), "");
    let value = parsed.value.map_or("nothing\n".to_owned(), |value| outline(&value));
    expected.assert_eq(&(value + &outline_problems(&parsed.problems)));
}

#[test]
fn every_kind_of_value_has_its_range() {
    check(
        r#"{"a": null, "b": [true, 1.50, "x\ny"], "ü": {}}"#,
        expect![[r#"
            0..48 object
              1..4 a: 6..10 null
              12..15 b: 17..37 list
                18..22 true
                24..28 number 1.50
                30..36 string "x\ny"
              39..43 ü: 45..47 object
        "#]],
    );
}

#[test]
fn comments_and_trailing_commas_are_allowed() {
    check(
        "// a\n{\"a\": 1, /* b */ \"b\": [2,],}",
        expect![[r#"
            5..33 object
              6..9 a: 11..12 number 1
              22..25 b: 27..31 list
                28..29 number 2
        "#]],
    );
}

#[test]
fn numbers_keep_their_text() {
    check(
        "[-0, 1e2, 1.0E+05, 123456789012345678901234567890]",
        expect![[r#"
            0..50 list
              1..3 number -0
              5..8 number 1e2
              10..17 number 1.0E+05
              19..49 number 123456789012345678901234567890
        "#]],
    );
}

#[test]
fn a_file_may_start_with_a_byte_order_mark() {
    check(
        "\u{feff}{\"a\": 1}",
        expect![[r#"
            3..11 object
              4..7 a: 9..10 number 1
        "#]],
    );
    check(
        "\u{feff}[1 2]",
        expect![[r#"
        nothing
        1:5..5 error invalid-inputs: expected a comma before the next entry
    "#]],
    );
}

#[test]
fn the_last_of_several_equal_keys_is_used() {
    check(
        r#"{"a": 1, "b": 2, "a": 3, "\u0061": 4}"#,
        expect![[r#"
            0..37 object
              25..33 a: 35..36 number 4
              9..12 b: 14..15 number 2
            1:17..20 warning duplicate-key: duplicate key `a`; the last one is used
              1:1..4 first occurrence
            1:25..33 warning duplicate-key: duplicate key `a`; the last one is used
              1:1..4 first occurrence
        "#]],
    );
}

#[test]
fn keys_of_different_objects_are_not_equal() {
    check(
        r#"{"a": {"a": [{"a": 1}]}}"#,
        expect![[r#"
            0..24 object
              1..4 a: 6..23 object
                7..10 a: 12..22 list
                  13..21 object
                    14..17 a: 19..20 number 1
        "#]],
    );
}

#[test]
fn syntax_errors_are_reported_at_their_location() {
    let mut actual = String::new();
    for text in [
        r#"{"a" 1}"#,
        r#"{"a": }"#,
        r#"{"a": 1 "b": 2}"#,
        r#"{"a": 1,, "b": 2}"#,
        r#"{a: 1}"#,
        r#"{'a': 1}"#,
        r#"{"a": yes}"#,
        r#"{"a": Infinity}"#,
        r#"{"a": 0x1F}"#,
        r#"{"a": +1}"#,
        r#"{"a": .5}"#,
        r#"{"a": 5.}"#,
        r#"{"a": 01}"#,
        r#"[,]"#,
        "]",
        r#"{"a": -}"#,
        r#"{"a": 1"#,
        r#"{"a": [1"#,
        r#"{"a": [1}"#,
        r#"{"a": 1]"#,
        r#"{"a": "x}"#,
        r#"{"a": "\x41"}"#,
        r#"{"a": "\ud800"}"#,
        r#"{"a": "\ud800\n"}"#,
        r#"{"a": "\udc00"}"#,
        r#"{"a": "\u00g0"}"#,
        r#"{"a": "\é"}"#,
        "{} {}",
        "{/* a",
        "{\0}",
        "{\"a\": 1}\u{200b}",
        "é",
    ] {
        let parsed = parse_value(text, Format::Json, FileId(1), "");
        assert_eq!(parsed.value, None, "{text}");
        actual.push_str(&format!("{text:?}\n{}", outline_problems(&parsed.problems)));
    }
    expect![[r#"
        "{\"a\" 1}"
        1:5..6 error invalid-inputs: expected a colon after the key
        "{\"a\": }"
        1:6..7 error invalid-inputs: unexpected `}`; a value or `]` is missing before it
        "{\"a\": 1 \"b\": 2}"
        1:7..7 error invalid-inputs: expected a comma before the next entry
        "{\"a\": 1,, \"b\": 2}"
        1:8..9 error invalid-inputs: expected a key in double quotes or `}`
        "{a: 1}"
        1:1..2 error invalid-inputs: expected a key in double quotes
        "{'a': 1}"
        1:1..2 error invalid-inputs: strings need double quotes, not single quotes
        "{\"a\": yes}"
        1:6..9 error invalid-inputs: this is not JSON; strings need double quotes
        "{\"a\": Infinity}"
        1:6..14 error invalid-inputs: this is not JSON; strings need double quotes
        "{\"a\": 0x1F}"
        1:6..7 error invalid-inputs: JSON has no hexadecimal numbers; write it in decimal
        "{\"a\": +1}"
        1:6..7 error invalid-inputs: a number cannot start with `+`; leave it out
        "{\"a\": .5}"
        1:6..7 error invalid-inputs: a decimal point needs a digit on both sides
        "{\"a\": 5.}"
        1:6..8 error invalid-inputs: a decimal point needs a digit on both sides
        "{\"a\": 01}"
        1:7..7 error invalid-inputs: a number cannot start with 0; leave the 0 out, or put it in double quotes
        "[,]"
        1:1..2 error invalid-inputs: expected a value before the comma
        "]"
        1:0..1 error invalid-inputs: unexpected `]`; a value or `[` is missing before it
        "{\"a\": -}"
        1:7..8 error invalid-inputs: expected a digit after the minus sign
        "{\"a\": 1"
        1:0..1 error invalid-inputs: `{` is never closed; add `}`
        "{\"a\": [1"
        1:6..7 error invalid-inputs: `[` is never closed; add `]`
        "{\"a\": [1}"
        1:8..9 error invalid-inputs: unexpected `}`; a value or `]` is missing before it
        "{\"a\": 1]"
        1:7..8 error invalid-inputs: expected a key in double quotes or `}`
        "{\"a\": \"x}"
        1:6..9 error invalid-inputs: this string is never closed; add `"`
        "{\"a\": \"\\x41\"}"
        1:7..9 error invalid-inputs: JSON has no such escape; write `\\` for a backslash
        "{\"a\": \"\\ud800\"}"
        1:7..14 error invalid-inputs: this escape is half of a surrogate pair; write both halves or the character itself
        "{\"a\": \"\\ud800\\n\"}"
        1:7..15 error invalid-inputs: this escape is half of a surrogate pair; write both halves or the character itself
        "{\"a\": \"\\udc00\"}"
        1:7..13 error invalid-inputs: this escape is half of a surrogate pair; write both halves or the character itself
        "{\"a\": \"\\u00g0\"}"
        1:7..12 error invalid-inputs: expected four hex digits after `\u`
        "{\"a\": \"\\é\"}"
        1:7..10 error invalid-inputs: JSON has no such escape; write `\\` for a backslash
        "{} {}"
        1:3..4 error invalid-inputs: expected the end of the file; it can contain only one value
        "{/* a"
        1:1..5 error invalid-inputs: `/*` is never closed; add `*/`
        "{\0}"
        1:1..2 error invalid-inputs: this is not JSON; strings need double quotes
        "{\"a\": 1}\u{200b}"
        1:8..11 error invalid-inputs: this is not JSON; strings need double quotes
        "é"
        1:0..2 error invalid-inputs: this is not JSON; strings need double quotes
    "#]].assert_eq(&actual);
}

#[test]
fn control_characters_inside_strings_are_kept() {
    check(
        "[\"a\nb\0c\u{2028}\"]",
        expect![[r#"
        0..12 list
          1..11 string "a\nb\0c\u{2028}"
    "#]],
    );
}

#[test]
fn surrogate_pairs_are_one_character() {
    check(
        r#"["\ud83d\ude00"]"#,
        expect![[r#"
        0..16 list
          1..15 string "😀"
    "#]],
    );
}

#[test]
fn deep_nesting_is_one_problem_and_needs_little_stack() {
    let in_a_small_stack = || {
        for depth in [10_000, 1_000_000] {
            for (open, close) in [("[", "]"), (r#"{"a":"#, "}"), (r#"[{"a":"#, "}]")] {
                for text in [open.repeat(depth), open.repeat(depth) + "1" + &close.repeat(depth)] {
                    let parsed = parse_value(&text, Format::Json, FileId(1), "");
                    assert_eq!(parsed.value, None);
                    let [problem] = &parsed.problems[..] else { panic!("one problem") };
                    assert_eq!(problem.message, "this is nested too deeply");
                }
            }
        }
        // The maximum depth that the parser accepts.
        let deepest = "[".repeat(512) + "1" + &"]".repeat(512);
        assert_eq!(parse_value(&deepest, Format::Json, FileId(1), "").problems, []);
    };
    // Worker threads of the server have a stack of 2 MiB.
    std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(in_a_small_stack)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn two_hundred_levels_are_accepted() {
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
        let text = open.repeat(200) + "1" + &close.repeat(200);
        assert_eq!(parse_value(&text, Format::Json, FileId(1), "").problems, []);
    }
}

/// JSON with this text after the comma between the entries of an object.
pub(crate) fn json(after_comma: &'static str) -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        "-?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,3})?([eE][-+]?[0-9]{1,3})?",
        "\"([a-zé😀 ]|\\\\[nt\"\\\\/]|\\\\u00e9){0,6}\"",
    ];
    leaf.prop_recursive(4, 30, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5)
                .prop_map(|items| format!("[ {} ]", items.join(" , "))),
            prop::collection::vec(("\"[a-cé]{1,2}\"", inner), 0..5).prop_map(move |entries| {
                let entries: Vec<_> =
                    entries.iter().map(|(key, value)| format!("{key}:\n{value}")).collect();
                format!("{{{}}}", entries.join(&format!(",{after_comma}")))
            }),
        ]
    })
}

fn without_spans(value: &Value) -> String {
    outline(value)
        .lines()
        .flat_map(|line| line.split(' ').filter(|word| !word.contains("..")))
        .collect::<Vec<_>>()
        .join(" ")
}

fn assert_spans_parse_again(text: &str, value: &Value) {
    let again = parse_value(&text[value.span.range()], Format::Json, FileId(1), "").value.unwrap();
    assert_eq!(without_spans(&again), without_spans(value));
    for item in value.as_list().unwrap_or_default() {
        assert_spans_parse_again(text, item);
    }
    for entry in value.as_object().map(Object::entries).unwrap_or_default() {
        let key =
            parse_value(&text[entry.key_span.range()], Format::Json, FileId(1), "").value.unwrap();
        assert_eq!(key.as_text(), Some(&*entry.key));
        assert_spans_parse_again(text, &entry.value);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    /// The text at the range of a value is that value.
    #[test]
    fn the_text_at_a_span_is_its_value(text in json(" // é\n")) {
        let value = parse_value(&text, Format::Json, FileId(1), "").value.unwrap();
        assert_spans_parse_again(&text, &value);
    }

    /// Any text yields a value, a problem or nothing, with valid ranges.
    #[test]
    fn any_text_can_be_parsed(text in any::<String>()) {
        assert_spans_fit(&text, &parse_value(&text, Format::Json, FileId(1), ""));
    }

    /// The same for texts that are nearly JSON.
    #[test]
    fn broken_json_can_be_parsed(text in r#"(\u{feff})?([{}\[\],:"é\\/*\n ]|\\u[dD][89cC]00|[-+.0-9eExX]|"a"|true|null|//){0,40}"#) {
        assert_spans_fit(&text, &parse_value(&text, Format::Json, FileId(1), ""));
    }
}
