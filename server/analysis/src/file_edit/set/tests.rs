//! Replaced values: the changed and unchanged parts of files.

use expect_test::{Expect, expect};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use super::super::*;

/// Sets values, each as `path = JSON`, or `path` to remove it; compares the changed lines.
#[track_caller]
fn check_set(format: Format, text: &str, sets: &[(&str, &str)], expected: Expect) {
    let mut shown = String::new();
    for (path, value) in sets {
        let path = path.split('/').map(str::to_owned).collect();
        let edit = match *value {
            "" => FileEdit::Unset { path },
            value => FileEdit::Set { path, value: value.to_owned() },
        };
        match edit_file(text, format, &[edit]) {
            None => shown.push_str("no edit\n"),
            Some(after) => shown.push_str(&changed_lines(text, &after)),
        }
    }
    expected.assert_eq(&shown);
}

/// The lines that differ, with their numbers.
fn changed_lines(before: &str, after: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (before.lines().collect(), after.lines().collect());
    let first = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old[first..].iter().rev().zip(new[first..].iter().rev());
    let last = rest.take_while(|(a, b)| a == b).count();
    let gone = old.len() - last - first;
    let mut shown = format!("{}-{gone}\n", first + 1);
    for line in &new[first..new.len() - last] {
        shown.push_str(&format!("|{line}\n"));
    }
    shown
}

const JSON: &str = r#"// inputs
{
    "name": "Ada", // who
    "age": 1.50,
    "tags": ["a", "b"], // one line
    "user": {
        // of the user
        "plan": "pro", // paid
        "notes": null,
    },
    "items": [
        {"t": 1}, // first
        {"t": 2}, // second
    ],
}
"#;

#[test]
fn a_value_in_json_is_replaced_in_place() {
    check_set(
        Format::Json,
        JSON,
        &[
            ("name", r#""Zoë \"Z\"\nx""#),
            ("age", "1.5"),
            ("age", "2"),
            ("tags", r#"["a", "b", "c"]"#),
            ("tags", r#"["b"]"#),
            ("tags", "[]"),
            ("user/plan", "true"),
            ("user/notes", r#"{"a": [1]}"#),
            ("user/more/x", "1"),
            ("items/1/t", "3"),
            ("items/0/u", "3"),
            ("items/2", r#"{"t": 3}"#),
            ("new", r#"{"a": ["x"]}"#),
            ("name/x", "1"),
            ("items/9", "1"),
        ],
        expect![[r#"
            3-1
            |    "name": "Zoë \"Z\"\nx", // who
            16-0
            4-1
            |    "age": 2,
            5-1
            |    "tags": ["a", "b", "c"], // one line
            5-1
            |    "tags": ["b"], // one line
            5-1
            |    "tags": [], // one line
            8-1
            |        "plan": true, // paid
            9-1
            |        "notes": {
            |            "a": [
            |                1
            |            ]
            |        },
            10-0
            |        "more": {
            |            "x": 1,
            |        },
            13-1
            |        {"t": 3}, // second
            12-1
            |        {"t": 1, "u": 3}, // first
            14-0
            |        {
            |            "t": 3,
            |        },
            15-0
            |    "new": {
            |        "a": ["x"],
            |    },
            no edit
            no edit
        "#]],
    );
}

#[test]
fn lists_and_objects_in_json_change_member_by_member() {
    check_set(
        Format::Json,
        JSON,
        &[
            ("user", r#"{"plan": "free", "notes": null, "x": 1}"#),
            ("user", r#"{"notes": null, "plan": "pro"}"#),
            ("user", r#"{"notes": "a"}"#),
            ("user", r#""Ada""#),
            ("items", r#"[{"t": 1}, {"t": 2}, {"t": 3}]"#),
            ("items", r#"[{"t": 2}]"#),
            ("items", r#"[{"t": 0}, {"t": 1}, {"t": 2}]"#),
            ("items", r#"[{"t": 1, "u": 2}, {"t": 2}]"#),
            ("name", r#"{"first": "Ada"}"#),
        ],
        expect![[r#"
            8-2
            |        "plan": "free", // paid
            |        "notes": null,
            |        "x": 1,
            7-3
            |        "notes": null,
            |        "plan": "pro"
            8-2
            |        "notes": "a",
            6-5
            |    "user": "Ada",
            14-0
            |        {
            |            "t": 3,
            |        },
            12-1
            12-2
            |        {"t": 0}, // first
            |        {"t": 1}, // second
            |        {
            |            "t": 2,
            |        },
            12-1
            |        {"t": 1, "u": 2}, // first
            3-1
            |    "name": {
            |        "first": "Ada"
            |    }, // who
        "#]],
    );
}

#[test]
fn values_are_removed_with_their_keys() {
    let all = [("name", ""), ("user/plan", ""), ("items/0", ""), ("nothing", ""), ("user/x/y", "")];
    check_set(
        Format::Json,
        JSON,
        &all,
        expect![[r#"
        3-1
        8-1
        12-1
        16-0
        16-0
    "#]],
    );
    check_set(
        Format::Yaml,
        YAML,
        &all,
        expect![[r#"
        2-1
        16-1
        22-1
        13-1
        25-0
    "#]],
    );
}

const YAML: &str = "# inputs
name: Ada # who
quoted: 'it''s' # single
double: \"x\"
age: 1.50
text: |
  one
  two
folded: >- # why
    long
    line
tags: [a, b] # one line
nothing: # yet
user:
  # of the user
  plan: pro # paid
  list:
  - 1
  # two
  - 2
items:
  - t: 1 # first
  - t: 2
last: x";

#[test]
fn a_value_in_yaml_keeps_its_style() {
    check_set(
        Format::Yaml,
        YAML,
        &[
            ("name", r#""Zoë""#),
            ("name", r#""yes""#),
            ("name", r#""a: b""#),
            ("name", r#""7""#),
            ("name", r#""""#),
            ("name", r#""one\ntwo""#),
            ("name", "7"),
        ],
        expect![[r#"
            2-1
            |name: Zoë # who
            2-1
            |name: "yes" # who
            2-1
            |name: "a: b" # who
            2-1
            |name: "7" # who
            2-1
            |name: "" # who
            2-1
            |name: |- # who
            |  one
            |  two
            2-1
            |name: 7 # who
        "#]],
    );
}

#[test]
fn a_quoted_or_long_value_in_yaml_keeps_its_style() {
    check_set(
        Format::Yaml,
        YAML,
        &[
            ("quoted", r#""she's""#),
            ("double", r#""a \"b\"""#),
            ("age", "1.5"),
            ("age", "2"),
            ("age", r#""old""#),
            ("text", r#""one\n\nthree\n""#),
            ("text", r#""one""#),
            ("text", r#""  one\ntwo""#),
            ("text", r#""one\n\n""#),
            ("text", "1"),
            ("folded", r#""a\nb""#),
            ("tags", r#"["a", "b", "c\nd"]"#),
            ("nothing", r#""x""#),
            ("nothing", r#""x\ny""#),
            ("last", r#""x\ny""#),
            ("last", r#""x\ny\n""#),
        ],
        expect![[r#"
            3-1
            |quoted: 'she''s' # single
            4-1
            |double: "a \"b\""
            25-0
            5-1
            |age: 2
            5-1
            |age: old
            8-1
            |
            |  three
            6-3
            |text: |-
            |  one
            6-2
            |text: |2-
            |    one
            6-3
            |text: "one\n\n"
            6-3
            |text: 1
            9-3
            |folded: |- # why
            |    a
            |    b
            12-1
            |tags: [a, b, "c\nd"] # one line
            13-1
            |nothing: "x" # yet
            13-1
            |nothing: |- # yet
            |  x
            |  y
            24-1
            |last: |-
            |  x
            |  y
            24-1
            |last: |
            |  x
            |  y
        "#]],
    );
}

#[test]
fn lists_and_objects_in_yaml_change_member_by_member() {
    check_set(
        Format::Yaml,
        YAML,
        &[
            ("user/plan", r#""free""#),
            ("user/list/1", "3"),
            ("user/list", "[1, 2, 3]"),
            ("user/list", "[2]"),
            ("user/list", "[0, 1, 2]"),
            ("user/list", "[]"),
            ("user/list", r#""none""#),
            ("user", r#"{"plan": "pro", "list": [1, 2], "x": {"y": "a\nb"}}"#),
            ("items/1/t", "3"),
            ("items/1", "3"),
            ("items/1", r#"{"u": 1, "t": "a\nb"}"#),
            ("items", r#"[{"t": 1}, {"t": 2}, {"t": "x"}]"#),
            ("name", r#"{"first": "Ada"}"#),
            ("nothing", r#"{"a": 1}"#),
            ("new/text", r#""a\nb""#),
        ],
        expect![[r#"
            16-1
            |  plan: free # paid
            20-1
            |  - 3
            21-0
            |  - 3
            18-1
            18-2
            |  - 0
            |  # two
            |  - 1
            17-4
            |  list: []
            17-4
            |  list: "none"
            21-0
            |  x:
            |    "y": |-
            |      a
            |      b
            23-1
            |  - t: 3
            23-1
            |  - 3
            23-1
            |  - u: 1
            |    t: |-
            |      a
            |      b
            24-0
            |  - t: "x"
            2-1
            |name:
            |  first: "Ada" # who
            13-1
            |nothing:
            |  a: 1 # yet
            25-0
            |new:
            |  text: |-
            |    a
            |    b
        "#]],
    );
}

#[test]
fn anchors_in_use_are_not_changed() {
    let text = "a: &x one\nb: *x\nc: &y 1\n";
    let sets = [("a", r#""two""#), ("b", r#""two""#), ("c", "2")];
    check_set(
        Format::Yaml,
        text,
        &sets,
        expect![[r#"
            no edit
            2-1
            |b: two
            3-1
            |c: &y 2
        "#]],
    );
    check_set(
        Format::Yaml,
        "a: [\n",
        &sets,
        expect![[r#"
        no edit
        no edit
        no edit
    "#]],
    );
    let file = r#"{"a": {"$file": "x.md"}}"#;
    check_set(
        Format::Json,
        file,
        &[("a/b", "1"), ("a", "1")],
        expect![[r#"
            no edit
            1-1
            |{"a": 1}
        "#]],
    );
}

#[test]
fn line_endings_are_kept() {
    let text = "a: x\r\nb: 1\r\n";
    let set = |path: &str, value: &str| {
        let path = vec![path.to_owned()];
        let edit = FileEdit::Set { path, value: value.to_owned() };
        edit_file(text, Format::Yaml, &[edit])
    };
    let literal = set("a", r#""x\ny""#);
    assert_eq!(literal.as_deref(), Some("a: |-\r\n  x\r\n  y\r\nb: 1\r\n"));
    let block = set("b", r#"{"c": 1}"#);
    assert_eq!(block.as_deref(), Some("a: x\r\nb:\r\n  c: 1\r\n"));
}

/// A value with texts that are difficult to write.
fn value() -> impl Strategy<Value = Json> {
    let text = select(vec![
        "",
        "a",
        " a",
        "a ",
        "yes",
        "7",
        "a: b",
        "a #b",
        "- a",
        "# a",
        "'",
        "\"",
        "\\",
        "é😀",
        "a\nb",
        "a\n",
        "\n",
        "\n\na",
        " a\n b",
        "a\n\n",
        "a\n\nb\n",
        "\ta",
        "a\r\nb",
        "{",
        "[",
        "|",
        "&a",
        "*a",
        "!a",
        "%a",
        "---",
        "a\n---\nb",
        "\u{0}",
        "@",
    ]);
    let scalar = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i32>().prop_map(Json::from),
        text.prop_map(Json::from),
    ];
    scalar.prop_recursive(3, 12, 4, |inner| {
        let keys = select(vec!["a", "b", "c", "é", "on", "d e", ""]);
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Json::from),
            vec((keys, inner), 0..4).prop_map(|members| {
                members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
            }),
        ]
    })
}

proptest! {
    /// Any value can be replaced by any other one, in each format.
    #[test]
    fn any_value_can_be_replaced_by_any_other(old in value(), new in value(), before in value()) {
        let all = |value: &Json| json!({"before": before, "x": {"y": value}, "after": [value]});
        let (start, wanted) = (all(&old), all(&new));
        let yaml = edit_file("", Format::Yaml, &[
            set_of(&["before"], &before), set_of(&["x", "y"], &old), set_of(&["after"], &start["after"]),
        ]);
        let pretty = format!("{start:#}\n");
        for (format, text) in [(Format::Json, pretty), (Format::Yaml, yaml.unwrap())] {
            let sets = [set_of(&["x", "y"], &new), set_of(&["after", "0"], &new)];
            let after = edit_file(&text, format, &sets);
            let read = after.as_deref().and_then(|after| as_json(&read(after, format)?));
            prop_assert_eq!(read.as_ref(), Some(&wanted), "{}\n{:?}", text, after);
        }
    }
}

fn set_of(path: &[&str], value: &Json) -> FileEdit {
    let path = path.iter().map(|key| (*key).to_owned()).collect();
    FileEdit::Set { path, value: value.to_string() }
}
