//! YAML files to values with their ranges.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::json_tests::json;
use super::*;
use crate::inputs::tests::{assert_spans_fit, outline, outline_problems};

#[track_caller]
fn check(text: &str, expected: Expect) {
    let parsed = parse_value(text, Format::Yaml, FileId(1), "");
    assert_spans_fit(text, &parsed);
    let value = parsed.value.map_or("nothing\n".to_owned(), |value| outline(&value));
    expected.assert_eq(&(value + &outline_problems(&parsed.problems)));
}

/// Formats the text at the range of every key and scalar.
#[track_caller]
fn check_places(text: &str, expected: Expect) {
    fn write(text: &str, value: &Value, places: &mut String) {
        places.push_str(&format!("{:?}\n", &text[value.span.range()]));
        for item in value.as_list().unwrap_or_default() {
            write(text, item, places);
        }
        for entry in value.as_object().map(Object::entries).unwrap_or_default() {
            places.push_str(&format!("{:?}: ", &text[entry.key_span.range()]));
            write(text, &entry.value, places);
        }
    }
    let mut places = String::new();
    let value = parse_value(text, Format::Yaml, FileId(1), "").value.unwrap();
    write(text, &value, &mut places);
    expected.assert_eq(&places);
}

#[test]
fn every_kind_of_value_has_its_range() {
    check(
        "a: ~\nb:\n  - true\n  - 1.50\n  - \"x\\ny\"\nü: {}\n",
        expect![[r#"
                0..43 object
                  0..1 a: 3..4 null
                  5..6 b: 10..36 list
                    12..16 true
                    21..25 number 1.50
                    30..36 string "x\ny"
                  37..39 ü: 41..43 object
            "#]],
    );
}

#[test]
fn a_last_line_without_a_line_break_adds_none() {
    for (text, expected) in [
        ("|\n  x", "x"),
        ("|+\n  x", "x"),
        ("|\n  x\n", "x\n"),
        (">\n  x\n  y", "x y"),
        ("|\n  x\n# x", "x\n"),
        ("{a: |\n}", "|"),
    ] {
        let value = parse_value(&format!("k: {text}"), Format::Yaml, FileId(1), "").value.unwrap();
        let value = &value.as_object().unwrap().entries()[0].value;
        let value = value.as_object().map_or(value, |inner| &inner.entries()[0].value);
        assert_eq!(value.as_text(), Some(expected), "{text:?}");
    }
}

#[test]
fn plain_scalars_follow_the_core_schema() {
    check(
        "[null, Null, NULL, ~, nULL, true, True, FALSE, yes, no, on]",
        expect![[r#"
                0..59 list
                  1..5 null
                  7..11 null
                  13..17 null
                  19..20 null
                  22..26 string "nULL"
                  28..32 true
                  34..38 true
                  40..45 false
                  47..50 string "yes"
                  52..54 string "no"
                  56..58 string "on"
            "#]],
    );
}

#[test]
fn numbers_that_are_valid_json_keep_their_text() {
    check(
        "[0, -0, 1.50, 1e2, 1.0E+05, 123456789012345678901234567890]",
        expect![[r#"
            0..59 list
              1..2 number 0
              4..6 number -0
              8..12 number 1.50
              14..17 number 1e2
              19..26 number 1.0E+05
              28..58 number 123456789012345678901234567890
        "#]],
    );
}

#[test]
fn quoted_and_block_scalars_are_strings() {
    check(
        "a: '1'\nb: \"true\"\nc: |\n  1\nd: >-\n  null\n",
        expect![[r#"
            0..38 object
              0..1 a: 3..6 string "1"
              7..8 b: 10..16 string "true"
              17..18 c: 24..25 string "1\n"
              26..27 d: 34..38 string "null"
        "#]],
    );
}

#[test]
fn tags_determine_the_type_of_a_scalar() {
    check(
        "[!!str 1, ! 2, !!int \"3\", !!float 4, !!bool 'true', !!null '', !<tag:yaml.org,2002:str> 5, !mine 6, !!str ]",
        expect![[r#"
                0..107 list
                  7..8 string "1"
                  12..13 string "2"
                  21..24 number 3
                  34..35 number 4
                  44..50 true
                  59..61 null
                  88..89 string "5"
                  97..98 number 6
                  105..105 string ""
            "#]],
    );
    check(
        "a: !!int 1.5",
        expect![[r#"
            nothing
            1:9..12 error invalid-inputs: this value does not match its tag `!!int`
        "#]],
    );
    check(
        "a: !!float .nan",
        expect![[r#"
            0..15 object
              0..1 a: 11..15 string ".nan"
        "#]],
    );
}

#[test]
fn keys_are_kept_in_source_form() {
    check(
        "1: a\ntrue: b\n~: c\n0x1F: d\n'e f': e\n[1, 2]: f\n? - g\n: h\n: i\n<<: j\n",
        expect![[r#"
                0..64 object
                  0..1 1: 3..4 string "a"
                  5..9 true: 11..12 string "b"
                  13..14 ~: 16..17 string "c"
                  18..22 0x1F: 24..25 string "d"
                  26..31 e f: 33..34 string "e"
                  35..41 [1, 2]: 43..44 string "f"
                  47..50 - g: 53..54 string "h"
                  55..55 : 57..58 string "i"
                  59..61 <<: 63..64 string "j"
            "#]],
    );
}

#[test]
fn ranges_exclude_whitespace_comments_anchors_and_tags() {
    check_places(
        "a: b  # c\n'd' : 'it''s' # 'e'\n\"f\": \"\\\"\" # \"\ng: &g h \ni: !!str  &x\n  j\nk: [ 1 ] # ]\nl: &l { m: 1 } # }\n",
        expect![[r#"
                "a: b  # c\n'd' : 'it''s' # 'e'\n\"f\": \"\\\"\" # \"\ng: &g h \ni: !!str  &x\n  j\nk: [ 1 ] # ]\nl: &l { m: 1 }"
                "a": "b"
                "'d'": "'it''s'"
                "\"f\"": "\"\\\"\""
                "g": "h"
                "i": "j"
                "k": "[ 1 ]"
                "1"
                "l": "{ m: 1 }"
                "m": "1"
            "#]],
    );
}

#[test]
fn ranges_of_block_collections_end_with_their_last_part() {
    check_places(
        "a:\n  b: 1\n  c:\n    - 2\n    -   3  # d\n\n# e\nf:\n- 4\n- - 5\n  - 6\n- g: 7\n  h: 8\n",
        expect![[r#"
                "a:\n  b: 1\n  c:\n    - 2\n    -   3  # d\n\n# e\nf:\n- 4\n- - 5\n  - 6\n- g: 7\n  h: 8"
                "a": "b: 1\n  c:\n    - 2\n    -   3"
                "b": "1"
                "c": "- 2\n    -   3"
                "2"
                "3"
                "f": "- 4\n- - 5\n  - 6\n- g: 7\n  h: 8"
                "4"
                "- 5\n  - 6"
                "5"
                "6"
                "g: 7\n  h: 8"
                "g": "7"
                "h": "8"
            "#]],
    );
    check_places(
        "a: &x # -\n- 1\nb: &y\n  c: 1\n? - d\n: - e\n",
        expect![[r#"
            "a: &x # -\n- 1\nb: &y\n  c: 1\n? - d\n: - e"
            "a": "- 1"
            "1"
            "b": "c: 1"
            "c": "1"
            "- d": "- e"
            "e"
        "#]],
    );
    check_places(
        "- ? - a\n- ?\n  - b\n- c:\n  - # d\n    e\n",
        expect![[r#"
            "- ? - a\n- ?\n  - b\n- c:\n  - # d\n    e"
            "? - a"
            "- a": ""
            "?\n  - b"
            "- b": ""
            "c:\n  - # d\n    e"
            "c": "- # d\n    e"
            "e"
        "#]],
    );
}

#[test]
fn ranges_of_block_scalars_are_their_lines() {
    check_places(
        "a: |\n  x\n   y\n\nb: >-\n\n  z\n  z\nc: |+\n\nd: |2\n   q\n",
        expect![[r#"
                "a: |\n  x\n   y\n\nb: >-\n\n  z\n  z\nc: |+\n\nd: |2\n   q"
                "a": "x\n   y"
                "b": "z\n  z"
                "c": ""
                "d": " q"
            "#]],
    );
}

#[test]
fn an_empty_value_is_located_after_its_key() {
    check(
        "a:\nb: # x\n? c\n? d\ne: {f, g: , h: }\ni:\n-\n- j\n",
        expect![[r#"
            0..43 object
              0..1 a: 2..2 null
              3..4 b: 5..5 null
              12..13 c: 13..13 null
              16..17 d: 17..17 null
              18..19 e: 21..34 object
                22..23 f: 23..23 null
                25..26 g: 27..27 null
                30..31 h: 32..32 null
              35..36 i: 38..43 list
                39..39 null
                42..43 string "j"
        "#]],
    );
}

#[test]
fn ranges_count_bytes() {
    check_places(
        &format!("ü: \"é😀\" # {}\nß: [ä, {{ö: 😀}}]\n", "ü".repeat(200)),
        expect![[r#"
                "ü: \"é😀\" # üüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüü\nß: [ä, {ö: 😀}]"
                "ü": "\"é😀\""
                "ß": "[ä, {ö: 😀}]"
                "ä"
                "{ö: 😀}"
                "ö": "😀"
            "#]],
    );
    check_places(
        "ü: é\r\nß: |\r\n  ä\r\n  ö\r\nz: 1\r\n",
        expect![[r#"
            "ü: é\r\nß: |\r\n  ä\r\n  ö\r\nz: 1"
            "ü": "é"
            "ß": "ä\r\n  ö"
            "z": "1"
        "#]],
    );
}

#[test]
fn a_file_may_start_with_a_byte_order_mark() {
    check(
        "\u{feff}ü: 1\nb:\n",
        expect![[r#"
            3..11 object
              3..5 ü: 7..8 number 1
              9..10 b: 11..11 null
        "#]],
    );
    check(
        "\u{feff}ü: 1\n b: ]",
        expect![[r#"
            nothing
            1:11..12 error invalid-inputs: a key is not allowed here; indent it, or put the text in quotes
        "#]],
    );
}

#[test]
fn the_last_of_several_equal_keys_is_used() {
    check(
        "a: 1\nb: 2\na: 3\n'a': 4\n",
        expect![[r#"
            0..21 object
              15..18 a: 20..21 number 4
              5..6 b: 8..9 number 2
            1:10..11 warning duplicate-key: duplicate key `a`; the last one is used
              1:0..1 first occurrence
            1:15..18 warning duplicate-key: duplicate key `a`; the last one is used
              1:0..1 first occurrence
        "#]],
    );
}

#[test]
fn an_alias_repeats_the_value_of_its_anchor() {
    check(
        "a: &x [1, {b: c}]\nd: *x\n&k e: f\n*k : g\n",
        expect![[r#"
            0..38 object
              0..1 a: 6..17 list
                7..8 number 1
                10..16 object
                  11..12 b: 14..15 string "c"
              18..19 d: 21..23 list
                7..8 number 1
                10..16 object
                  11..12 b: 14..15 string "c"
              32..34 e: 37..38 string "g"
            1:32..34 warning duplicate-key: duplicate key `e`; the last one is used
              1:27..28 first occurrence
        "#]],
    );
    check(
        "a: &x [1]\n*x : &y true\n*y : 3\n",
        expect![[r#"
            0..29 object
              0..1 a: 6..9 list
                7..8 number 1
              10..12 [1]: 18..22 true
              23..25 true: 28..29 number 3
        "#]],
    );
}

#[test]
fn an_alias_needs_a_finished_anchor() {
    check(
        "a: *x\n",
        expect![[r#"
            nothing
            1:3..4 error invalid-inputs: there is no anchor for this alias before it
        "#]],
    );
    check(
        "a: &x [*x]\n",
        expect![[r#"
            nothing
            1:7..9 error invalid-inputs: this alias is inside the value that it refers to
        "#]],
    );
}

#[test]
fn the_memory_for_aliases_is_limited() {
    let mut text = "a0: &a0 [lol]\n".to_owned();
    for level in 1..30 {
        let before = format!("*a{}", level - 1);
        text.push_str(&format!("a{level}: &a{level} [{}]\n", [&*before; 9].join(", ")));
    }
    check(
        &text,
        expect![[r#"
            nothing
            1:293..294 error invalid-inputs: the aliases of this file repeat more than 16 MiB
        "#]],
    );
}

#[test]
fn the_nesting_of_aliases_is_limited() {
    let mut text = "a0: &a0 1\n".to_owned();
    for level in 1..7 {
        let (open, close) = ("[".repeat(100), "]".repeat(100));
        text.push_str(&format!("a{level}: &a{level} {open}*a{}{close}\n", level - 1));
    }
    let parsed = parse_value(&text, Format::Yaml, FileId(1), "");
    let [problem] = &parsed.problems[..] else { panic!("one problem") };
    assert_eq!(problem.message, NESTED_TOO_DEEPLY);
}

#[test]
fn a_file_without_content_is_an_empty_object() {
    for text in ["", " \n", "# a", "---", "---\n# a\n...\n", "%YAML 1.2\n---\n"] {
        check(
            text,
            expect![[r#"
                0..0 object
            "#]],
        );
    }
}

#[test]
fn a_second_document_is_a_problem() {
    check(
        "---\na: 1\n---\nb: 2\n",
        expect![[r#"
            nothing
            1:9..10 error invalid-inputs: a second document starts here; the file may contain only one
        "#]],
    );
}

/// Compares the outlines, or the problems, of some texts.
#[track_caller]
fn check_mistakes(texts: &[&str], expected: Expect) {
    let mut actual = String::new();
    for text in texts {
        let parsed = parse_value(text, Format::Yaml, FileId(1), "");
        assert_spans_fit(text, &parsed);
        let outcome = match &parsed.value {
            Some(value) => outline(value),
            None => outline_problems(&parsed.problems),
        };
        actual.push_str(&format!("{text:?}\n{outcome}"));
    }
    expected.assert_eq(&actual);
}

#[test]
fn structural_errors_are_reported_at_their_location() {
    check_mistakes(
        &[
            "a: b: c",
            "a: 1\n b: 2",
            "a: 1\nb",
            "a\nb: 1",
            "a: [1",
            "a: [1 2]\nb: }",
            "a: {b: 1",
            "a: ]",
            "a: 'x\nb: 1\n",
            "a: \"\\q\"",
            "a: \"\\ud800\"",
        ],
        expect![[r#"
            "a: b: c"
            1:4..5 error invalid-inputs: a key is not allowed here; indent it, or put the text in quotes
            "a: 1\n b: 2"
            1:7..8 error invalid-inputs: a key is not allowed here; indent it, or put the text in quotes
            "a: 1\nb"
            1:6..6 error invalid-inputs: expected a colon after the key
            "a\nb: 1"
            1:3..4 error invalid-inputs: a key is not allowed here; indent it, or put the text in quotes
            "a: [1"
            1:5..5 error invalid-inputs: expected a comma or `]`
            "a: [1 2]\nb: }"
            1:12..13 error invalid-inputs: unexpected closing bracket
            "a: {b: 1"
            1:8..8 error invalid-inputs: expected a comma or `}`
            "a: ]"
            1:3..4 error invalid-inputs: unexpected closing bracket
            "a: 'x\nb: 1\n"
            1:3..4 error invalid-inputs: this quoted text is never closed; add the quote, or indent its next line
            "a: \"\\q\""
            1:3..4 error invalid-inputs: YAML has no such escape; write `\\` for a backslash
            "a: \"\\ud800\""
            1:3..4 error invalid-inputs: found invalid Unicode character escape code
        "#]],
    );
}

#[test]
fn errors_of_scalars_and_tags_are_reported_at_their_location() {
    check_mistakes(
        &[
            "a:\n\t- b",
            "a: - b",
            "a: @b",
            "a: %b",
            "a: `b`",
            "a: &x",
            "- a\nb: 1",
            "'a':1",
            "a: !x!y 1",
            "a: b\0c: d",
            "%é\n---\na: 1",
            "a: \u{feff}b",
            "a: *",
            "a: |x\n  b",
        ],
        expect![[r#"
            "a:\n\t- b"
            1:4..5 error invalid-inputs: a tab cannot indent YAML; use spaces
            "a: - b"
            1:3..4 error invalid-inputs: a list is not allowed here; write `- ` on a new line
            "a: @b"
            1:3..4 error invalid-inputs: a text cannot start with this character; put it in quotes
            "a: %b"
            1:3..4 error invalid-inputs: a text cannot start with this character; put it in quotes
            "a: `b`"
            1:3..4 error invalid-inputs: a text cannot start with this character; put it in quotes
            "a: &x"
            0..5 object
              0..1 a: 5..5 null
            "- a\nb: 1"
            1:4..5 error invalid-inputs: expected `- ` at this indentation
            "'a':1"
            1:3..4 error invalid-inputs: expected the end of the file
            "a: !x!y 1"
            1:3..4 error invalid-inputs: the handle of this tag is not declared
            "a: b\0c: d"
            1:4..5 error invalid-inputs: YAML cannot contain the character U+0000
            "%é\n---\na: 1"
            1:0..3 error invalid-inputs: YAML has no such directive
            "a: \u{feff}b"
            1:3..6 error invalid-inputs: a byte order mark must not appear inside a document
            "a: *"
            1:3..4 error invalid-inputs: expected alphabetic or numeric character
            "a: |x\n  b"
            1:3..4 error invalid-inputs: expected comment or line break
        "#]],
    );
}

#[test]
fn deep_nesting_is_one_problem_and_needs_little_stack() {
    let in_a_small_stack = || {
        for text in [
            "[".repeat(100_000),
            "{a: ".repeat(100_000),
            "- ".repeat(100_000),
            "? ".repeat(100_000),
            "- ? ".repeat(100_000),
            (0..2_000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect(),
        ] {
            let parsed = parse_value(&text, Format::Yaml, FileId(1), "");
            assert_eq!(parsed.value, None);
            let [problem] = &parsed.problems[..] else { panic!("one problem") };
            assert_eq!(problem.message, NESTED_TOO_DEEPLY);
        }
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
    for text in ["[".repeat(200) + &"]".repeat(200), "- ".repeat(200) + "a"] {
        assert_eq!(parse_value(&text, Format::Yaml, FileId(1), "").problems, []);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    /// Any text yields a value, a problem or nothing, with valid ranges.
    #[test]
    fn any_text_can_be_parsed(text in any::<String>()) {
        assert_spans_fit(&text, &parse_value(&text, Format::Yaml, FileId(1), ""));
    }

    /// The same for texts that are nearly YAML.
    #[test]
    fn broken_yaml_can_be_parsed(
        text in "(\u{feff})?([-?:,{}\\[\\]&*!|>'\"%@`#~<ab1.é😀\r\n\t ]|: |- |\n |\n  |---|\\.\\.\\.|&a |\\*a|!!str |\\\\x|: \\|\n|%a|\u{feff}|\u{85}|\u{2028}){0,40}"
    ) {
        assert_spans_fit(&text, &parse_value(&text, Format::Yaml, FileId(1), ""));
    }

    /// JSON is YAML: it yields the same values with the same ranges.
    #[test]
    fn json_is_valid_yaml(text in json("\n")) {
        let places = |parsed: Parsed<Value>| {
            outline(&parsed.value.unwrap()) + &outline_problems(&parsed.problems)
        };
        let expected = places(parse_value(&text, Format::Json, FileId(1), ""));
        prop_assert_eq!(places(parse_value(&text, Format::Yaml, FileId(1), "")), expected);
    }
}
