//! Added and removed entries: the changed and unchanged parts of files.

use expect_test::{Expect, expect};

use super::*;

fn insert_of(path: &[&str], value: &str) -> FileEdit {
    let path = path.iter().map(|key| (*key).to_owned()).collect();
    FileEdit::Insert { path, value: value.to_owned() }
}

#[track_caller]
fn check(format: Format, text: &str, edit: FileEdit, expected: Expect) {
    let after = edit_file(text, format, &[edit]);
    expected.assert_eq(&after.unwrap_or_else(|| "no edit\n".to_owned()));
}

/// Removes the entry or item that starts at `$0`.
#[track_caller]
fn check_remove(format: Format, marked: &str, expected: Expect) {
    let at = marked.find("$0").expect("the text marks what goes");
    check(format, &marked.replacen("$0", "", 1), FileEdit::Remove { at }, expected);
}

#[test]
fn a_key_is_added_in_the_style_of_the_json() {
    let b = || insert_of(&["b"], r#""""#);
    check(
        Format::Json,
        "{}",
        b(),
        expect![[r#"
        {
          "b": ""
        }"#]],
    );
    check(
        Format::Json,
        "",
        b(),
        expect![[r#"
        {
          "b": ""
        }
    "#]],
    );
    check(Format::Json, r#"{"a": 1}"#, b(), expect![[r#"{"a": 1, "b": ""}"#]]);
    check(Format::Json, r#"{ "a": 1, }"#, b(), expect![[r#"{ "a": 1, "b": "", }"#]]);
    check(
        Format::Json,
        "// all\n{\n\t\"a\": 1 // one\n\t// more\n}\n",
        b(),
        expect![[r#"
            // all
            {
            	"a": 1, // one
            	"b": ""
            	// more
            }
        "#]],
    );
    check(
        Format::Json,
        "{\n    \"a\": 1,\n}\n",
        b(),
        expect![[r#"
        {
            "a": 1,
            "b": "",
        }
    "#]],
    );
    let after = edit_file("{\r\n  \"a\": 1\r\n}\r\n", Format::Json, &[b()]);
    assert_eq!(after.as_deref(), Some("{\r\n  \"a\": 1,\r\n  \"b\": \"\"\r\n}\r\n"));
}

#[test]
fn keys_are_added_to_existing_and_new_objects() {
    let name = || insert_of(&["user", "name"], r#"{"first": ["x"]}"#);
    check(
        Format::Json,
        "{\n  \"user\": {\n    \"age\": 1\n  }\n}\n",
        name(),
        expect![[r#"
        {
          "user": {
            "age": 1,
            "name": {
              "first": ["x"]
            }
          }
        }
    "#]],
    );
    check(
        Format::Json,
        "{\n  \"user\": null\n}\n",
        name(),
        expect![[r#"
        {
          "user": {"name": {"first": ["x"]}}
        }
    "#]],
    );
    check(
        Format::Json,
        "{\n  \"a\": 1\n}\n",
        name(),
        expect![[r#"
        {
          "a": 1,
          "user": {
            "name": {
              "first": ["x"]
            }
          }
        }
    "#]],
    );
    check(
        Format::Json,
        "{\n  \"user\": \"Ada\"\n}\n",
        name(),
        expect![[r#"
        no edit
    "#]],
    );
    check(
        Format::Json,
        "{\n  \"user\": {\"$file\": \"a\"}\n}\n",
        name(),
        expect![[r#"
        no edit
    "#]],
    );
}

#[test]
fn keys_are_added_to_existing_and_new_objects_in_yaml() {
    let name = || insert_of(&["user", "name"], r#"{"first": ["x"]}"#);
    check(
        Format::Yaml,
        "user:\n    age: 1\nb: 2\n",
        name(),
        expect![[r#"
        user:
            age: 1
            name:
              first:
                - "x"
        b: 2
    "#]],
    );
    check(
        Format::Yaml,
        "user:\nb: 2\n",
        name(),
        expect![[r#"
        user: {"name": {"first": ["x"]}}
        b: 2
    "#]],
    );
    check(
        Format::Yaml,
        "b: 2\n",
        name(),
        expect![[r#"
        b: 2
        user:
          name:
            first:
              - "x"
    "#]],
    );
}

#[test]
fn a_key_is_added_in_the_style_of_the_yaml() {
    let b = || insert_of(&["b"], r#""""#);
    check(
        Format::Yaml,
        "",
        b(),
        expect![[r#"
        b: ""
    "#]],
    );
    check(
        Format::Yaml,
        "# none yet",
        b(),
        expect![[r##"
        # none yet
        b: ""
    "##]],
    );
    check(
        Format::Yaml,
        "a: 1 # one\n# more\n",
        b(),
        expect![[r#"
        a: 1 # one
        b: ""
        # more
    "#]],
    );
    check(
        Format::Yaml,
        "a: 1",
        b(),
        expect![[r#"
        a: 1
        b: ""
    "#]],
    );
    check(
        Format::Yaml,
        "---\n  a: |\n    text\n\n  c: 1\n...\n",
        b(),
        expect![[r#"
        ---
          a: |
            text

          c: 1
          b: ""
        ...
    "#]],
    );
    check(
        Format::Yaml,
        "a: |\n  text\n",
        b(),
        expect![[r#"
        a: |
          text
        b: ""
    "#]],
    );
}

#[test]
fn a_key_is_added_to_a_flow_mapping_of_yaml() {
    let b = || insert_of(&["b"], r#""""#);
    check(
        Format::Yaml,
        "{a: 1}\n",
        b(),
        expect![[r#"
        {a: 1, b: ""}
    "#]],
    );
    check(
        Format::Yaml,
        "{}\n",
        b(),
        expect![[r#"
        {b: ""}
    "#]],
    );
    check(
        Format::Yaml,
        "{a: 1,\n c: 2}\n",
        b(),
        expect![[r#"
        {a: 1,
         c: 2, b: ""}
    "#]],
    );
}

#[test]
fn a_key_is_added_with_the_line_ending_and_the_quotes_that_it_needs() {
    let b = || insert_of(&["b"], r#""""#);
    let after = edit_file("a: 1\r\n", Format::Yaml, &[b()]);
    assert_eq!(after.as_deref(), Some("a: 1\r\nb: \"\"\r\n"));
    check(
        Format::Yaml,
        "a: [1\n",
        b(),
        expect![[r#"
        no edit
    "#]],
    );
    check(
        Format::Yaml,
        "a: 1\n",
        insert_of(&["user:na me"], "{}"),
        expect![[r#"
        a: 1
        "user:na me": {}
    "#]],
    );
}

#[test]
fn an_entry_is_removed_with_its_line() {
    check_remove(Format::Json, r#"{$0"a": 1}"#, expect!["{}"]);
    check_remove(Format::Json, r#"{$0"a": 1, "b": 2}"#, expect![[r#"{"b": 2}"#]]);
    check_remove(Format::Json, r#"{"a": 1, $0"b": 2}"#, expect![[r#"{"a": 1}"#]]);
    check_remove(
        Format::Json,
        "{\n  // of a\n  \"a\": 1, // one\n  $0\"b\": {\n    \"c\": 2\n  }, // two\n  \"d\": 3\n}\n",
        expect![[r#"
            {
              // of a
              "a": 1, // one
              "d": 3
            }
        "#]],
    );
    check_remove(
        Format::Json,
        "{\n  \"a\": 1,\n  $0\"b\": 2\n}\n",
        expect![[r#"
        {
          "a": 1
        }
    "#]],
    );
    check_remove(
        Format::Json,
        "{\"a\": 1,\n$0\"a\": 2}",
        expect![[r#"
        no edit
    "#]],
    );
    check_remove(Format::Json, "{$0\"a\": 1,\n\"a\": 2}", expect![[r#"{"a": 2}"#]]);
    check_remove(
        Format::Yaml,
        "a: 1\n$0b:\n  c: 2 # two\n# of d\nd: 3\n",
        expect![[r#"
        a: 1
        # of d
        d: 3
    "#]],
    );
    check_remove(
        Format::Yaml,
        "a: 1\n$0b: |\n  text\n\nd: 3\n",
        expect![[r#"
        a: 1

        d: 3
    "#]],
    );
    check_remove(
        Format::Yaml,
        "a: 1\n$0b: 2",
        expect![[r#"
        a: 1
    "#]],
    );
    check_remove(Format::Yaml, "{a: 1, $0b: 2}", expect!["{a: 1}"]);
    check_remove(Format::Yaml, "{$0a: 1, b: 2}", expect!["{b: 2}"]);
    check_remove(
        Format::Yaml,
        "$0a: &x 1\nb: *x\n",
        expect![[r#"
        no edit
    "#]],
    );
}

#[test]
fn variables_are_added_to_lists() {
    let declare = || FileEdit::Append {
        path: vec!["variables".to_owned()],
        value: r#"{"name": "b", "type": "string"}"#.to_owned(),
    };
    check(
        Format::Json,
        r#"{"variables": [{"name": "a"}]}"#,
        declare(),
        expect![[r#"{"variables": [{"name": "a"}, {"name": "b", "type": "string"}]}"#]],
    );
    check(
        Format::Json,
        "{\n  \"variables\": [\n    {\"name\": \"a\"}\n  ]\n}\n",
        declare(),
        expect![[r#"
            {
              "variables": [
                {"name": "a"},
                {
                  "name": "b",
                  "type": "string"
                }
              ]
            }
        "#]],
    );
    check(
        Format::Json,
        "{}\n",
        declare(),
        expect![[r#"
        {
          "variables": [
            {
              "name": "b",
              "type": "string"
            }
          ]
        }
    "#]],
    );
    check(
        Format::Yaml,
        "variables:\n  - name: a\nx: 1\n",
        declare(),
        expect![[r#"
        variables:
          - name: a
          - name: "b"
            type: "string"
        x: 1
    "#]],
    );
    check(
        Format::Yaml,
        "variables: []\n",
        declare(),
        expect![[r#"
        variables: [{"name": "b", "type": "string"}]
    "#]],
    );
    check(
        Format::Yaml,
        "fragments: {}\n",
        declare(),
        expect![[r#"
        fragments: {}
        variables:
          - name: "b"
            type: "string"
    "#]],
    );
}

#[test]
fn variables_are_removed_from_lists() {
    check_remove(
        Format::Json,
        "{\n  \"variables\": [\n    {\"name\": \"a\"},\n    $0{\"name\": \"b\"}\n  ]\n}\n",
        expect![[r#"
            {
              "variables": [
                {"name": "a"}
              ]
            }
        "#]],
    );
    check_remove(
        Format::Yaml,
        "variables:\n  - name: a\n  - $0name: b\n    type: c\nx: 1\n",
        expect![[r#"
            variables:
              - name: a
            x: 1
        "#]],
    );
    check_remove(
        Format::Yaml,
        "variables:\n- $0name: a\nx: 1\n",
        expect![[r#"
        variables: []
        x: 1
    "#]],
    );
}

#[track_caller]
fn nest(format: Format, marked: &str, path: &[&str], expected: Expect) {
    let at = marked.find("$0").expect("the text marks the key");
    let path = path.iter().map(|key| (*key).to_owned()).collect();
    check(format, &marked.replacen("$0", "", 1), FileEdit::Nest { at, path }, expected);
}

#[test]
fn a_dotted_key_becomes_nested_objects() {
    let name = &["user", "name"];
    nest(
        Format::Json,
        "{\n  // who\n  $0\"user.name\": \"Ada\", // for now\n  \"b\": [\n    1 // one\n  ],\n}\n",
        name,
        expect![[r#"
            {
              // who
              "user": {"name": "Ada"}, // for now
              "b": [
                1 // one
              ],
            }
        "#]],
    );
    nest(
        Format::Json,
        "{\n  \"user\": {\n    \"mail\": 1 // m\n  },\n  $0\"user.name\": {\"x\": 1.50}\n}\n",
        name,
        expect![[r#"
            {
              "user": {
                "mail": 1, // m
                "name": {
                  "x": 1.50
                }
              }
            }
        "#]],
    );
    nest(
        Format::Json,
        r#"{"a": 1, $0"b.c.d": [1], "e": 2}"#,
        &["b", "c", "d"],
        expect![[r#"{"a": 1, "b": {"c": {"d": [1]}}, "e": 2}"#]],
    );
}

#[test]
fn a_dotted_key_of_yaml_becomes_nested_objects() {
    let name = &["user", "name"];
    nest(
        Format::Yaml,
        "a: 1 # one\n# who\n$0user.name: |\n  Ada\n\n  Lovelace\nb: 2\n",
        name,
        expect![[r#"
            a: 1 # one
            # who
            user:
              name: |
                Ada

                Lovelace
            b: 2
        "#]],
    );
    nest(
        Format::Yaml,
        "$0user.name: Ada # for now\nuser:\n  mail: x # m\n",
        name,
        expect![[r#"
        user:
          mail: x # m
          name: "Ada"
    "#]],
    );
    nest(
        Format::Yaml,
        "$0b.c.d:\n- 1 # one\n- 2\n",
        &["b", "c", "d"],
        expect![[r#"
        b:
          c:
            d:
            - 1 # one
            - 2
    "#]],
    );
    nest(
        Format::Yaml,
        "{$0user.name: Ada, b: 1}\n",
        name,
        expect![[r#"
        {user: {name: Ada}, b: 1}
    "#]],
    );
}

#[test]
fn a_dotted_key_is_kept_if_another_value_exists() {
    let name = &["user", "name"];
    nest(
        Format::Json,
        r#"{$0"user.name": 1, "user": {"name": 2}}"#,
        name,
        expect![[r#"
        no edit
    "#]],
    );
    nest(
        Format::Json,
        r#"{$0"user.name": 1, "user": 2}"#,
        name,
        expect![[r#"
        no edit
    "#]],
    );
}

/// Inputs in TOML, with all constructs that affect edits.
const TOML: &str = "# Ada's\nname = 'Ada' # for now\n\"user.city\" = \"x\"\n\n[user]\nage = 1.50\n\n[[tasks]]\nid = 1\n";

#[test]
fn toml_is_edited_in_place() {
    let path = |path: &[&str]| path.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
    let set = |keys: &[&str], value: &str| FileEdit::Set { path: path(keys), value: value.into() };
    for (edit, old, new) in [
        (set(&["name"], "\"Grace\""), "'Ada' #", "\"Grace\" #"),
        (set(&["user", "age"], "2.50"), "1.50", "2.50"),
        (set(&["tasks", "0", "id"], "[1, {\"a\": true}]"), "id = 1", "id = [1, { a = true }]"),
        (insert_of(&["user", "on"], "true"), "1.50\n", "1.50\non = true\n"),
        (insert_of(&["new", "a"], "1"), "\"x\"\n", "\"x\"\nnew = { a = 1 }\n"),
        (FileEdit::Unset { path: path(&["user", "age"]) }, "age = 1.50\n", ""),
        (FileEdit::Remove { at: TOML.find("age").expect("a key") }, "age = 1.50\n", ""),
        (
            FileEdit::Append { path: path(&["list"]), value: "1".to_owned() },
            "\"x\"\n",
            "\"x\"\nlist = [1]\n",
        ),
    ] {
        let after = edit_file(TOML, Format::Toml, std::slice::from_ref(&edit));
        assert_eq!(after.as_deref(), Some(&*TOML.replacen(old, new, 1)), "{edit:?}");
    }
    for edit in [
        set(&["name"], "null"),
        set(&["name", "a"], "1"),
        set(&["tasks"], "1"),
        insert_of(&["name"], "1"),
        // It is a table already.
        FileEdit::Nest { at: TOML.find("\"user").expect("a key"), path: path(&["user", "city"]) },
    ] {
        assert_eq!(edit_file(TOML, Format::Toml, std::slice::from_ref(&edit)), None, "{edit:?}");
    }
}

#[test]
fn keys_of_toml_are_renamed_and_become_dotted_ones() {
    let key = |word: &str| {
        let start = TOML.find(word).expect("a key");
        start..start + word.len()
    };
    let rename = FileEdit::Rename { key: key("age"), name: "how old".to_owned() };
    let renamed = edit_file(TOML, Format::Toml, &[rename]);
    assert_eq!(renamed, Some(TOML.replace("age", "\"how old\"")));
    let text = "\"a.b\" = 1 # one\n";
    let path = ["a", "b"].map(str::to_owned).to_vec();
    let nested = edit_file(text, Format::Toml, &[FileEdit::Nest { at: 0, path }]);
    assert_eq!(nested.as_deref(), Some("a.b = 1 # one\n"));
}
