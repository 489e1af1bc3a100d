use promptls_data::difference;
use proptest::prelude::*;

use super::*;
use crate::readers::writing::replaced;

const TWO: Indentation = Indentation::Blanks(2);

fn laid_out(layout: Layout, text: &str, indentation: Indentation) -> String {
    replaced(text, &layout.changes(text, indentation))
}

#[test]
fn json_is_indented_with_the_same_values() {
    for (text, expected) in [
        ("{\"a\":1.50,\n\"b\":{\"c\":[1,2]}}", "{\n  \"a\": 1.50,\n  \"b\": {\"c\": [1, 2]}\n}\n"),
        // Objects in one line stay in one line while they are short.
        ("{ \"a\" : 1e3 , \"b\" : [ ] , }", "{\"a\": 1e3, \"b\": [],}\n"),
        ("{\n}", "{}\n"),
        // Keys stay unchanged, including duplicates, and so do escapes.
        ("{\n\"a\":\"\\u00e9  x\",\"a\" :-0}", "{\n  \"a\": \"\\u00e9  x\",\n  \"a\": -0\n}\n"),
        // Comments stay with the entry that they describe.
        (
            "// top\n{ // open\n\"a\":1, // one\n/* b */ \"b\":2 /* two */\n// end\n}",
            "// top\n{ // open\n  \"a\": 1, // one\n  /* b */ \"b\": 2 /* two */\n  // end\n}\n",
        ),
        (
            "{\n\"a\": 1,   // aligned\n\"bcd\": 1  // aligned\n}\n",
            "{\n  \"a\": 1,   // aligned\n  \"bcd\": 1  // aligned\n}\n",
        ),
        ("{\n\"a\": 1 // one\n, \"b\": 2}", "{\n  \"a\": 1 // one\n  ,\n  \"b\": 2\n}\n"),
        ("{\n/* a\n   b */\n\"a\":1}", "{\n  /* a\n   b */\n  \"a\": 1\n}\n"),
        // Several empty lines between entries become one.
        ("{\n\n\"a\":1,\n\n\n\"b\":2\n\n}\n\n", "{\n  \"a\": 1,\n\n  \"b\": 2\n}\n"),
        ("\u{feff}[\r\n1]", "\u{feff}[\r\n  1\r\n]\r\n"),
        // Broken and empty texts do not change.
        ("{\"a\":  1", "{\"a\":  1"),
        ("{\"a\":  }", "{\"a\":  }"),
        ("  ", "  "),
    ] {
        assert_eq!(laid_out(Layout::Json, text, TWO), expected, "{text}");
        assert_eq!(laid_out(Layout::Json, expected, TWO), expected);
    }
}

#[test]
fn json_on_a_single_long_line_is_split() {
    let item = "x".repeat(60);
    let text = format!("{{\"a\": [\"{item}\", \"{item}\"], \"b\": {{\"c\": 1}}}}");
    let in_lines = format!(
        "{{\n\t\"a\": [\n\t\t\"{item}\",\n\t\t\"{item}\"\n\t],\n\t\"b\": {{\"c\": 1}}\n}}\n"
    );
    assert_eq!(laid_out(Layout::Json, &text, Indentation::Tabs), in_lines);
    // Existing long lines are kept.
    let table = format!("[\n\t{{\"a\": \"{item}\", \"b\": \"{item}\"}}\n]\n");
    assert_eq!(laid_out(Layout::Json, &table, Indentation::Tabs), table);
}

#[test]
fn formatting_edits_only_changed_ranges() {
    let text = "{\n  \"a\": 1,\n  \"b\":2,\n  \"c\": 3\n}\n";
    assert_eq!(Layout::Json.changes(text, TWO), [(18..18, " ".to_owned())]);
}

#[test]
fn toml_keeps_its_lines_and_its_comments() {
    for (text, expected) in [
        (
            "# Ours.\n\n[[ prompts ]]   # a rule\n  files=['*.txt' ,\"b\"]   # which\ndialect   = 'adk'\n",
            "# Ours.\n\n[[prompts]]   # a rule\nfiles = ['*.txt', \"b\"]   # which\ndialect = 'adk'\n",
        ),
        (
            "runtime = [\n'a',# one\n    'b',\n\n# two\n 'c' ]",
            "runtime = [\n  'a', # one\n  'b',\n\n  # two\n  'c']\n",
        ),
        ("a = {b=1,c . d = [ ]}\ne = { }", "a = { b = 1, c.d = [] }\ne = {}\n"),
        ("a = 1979-05-27 07:32:00\nb = 1_000.5\n", "a = 1979-05-27 07:32:00\nb = 1_000.5\n"),
        ("a = '''\n  x = 1\n'''\nb=1", "a = '''\n  x = 1\n'''\nb = 1\n"),
        ("\n\n[a]\nb = 1\n\n\n[c]\n\n", "[a]\nb = 1\n\n\n[c]\n"),
        ("a=1\r\nb=[\r\n2]", "a = 1\r\nb = [\r\n  2]\r\n"),
        ("a = = 1", "a = = 1"),
        ("", ""),
    ] {
        assert_eq!(laid_out(Layout::Toml, text, TWO), expected, "{text}");
        assert_eq!(laid_out(Layout::Toml, expected, TWO), expected);
    }
}

#[test]
fn indentation_is_detected_from_the_text() {
    assert_eq!(Indentation::of("{\n    \"a\": {\n"), Indentation::Blanks(4));
    assert_eq!(Indentation::of("{\n\t\"a\""), Indentation::Tabs);
    assert_eq!(Indentation::of("{}\n   \n"), Indentation::Blanks(2));
}

#[test]
fn formatted_files_are_recognised_by_their_names() {
    let layout = |name: &str| Layout::of(Path::new(name));
    assert_eq!(layout("a/b.inputs.json"), Some(Layout::Json));
    assert_eq!(layout("a/b.x.variables.json"), Some(Layout::Json));
    assert_eq!(layout("a/promptls.toml"), Some(Layout::Toml));
    for other in ["package.json", "a.pack.json", "b.inputs.yaml", "Cargo.toml", "b.prompt"] {
        assert_eq!(layout(other), None, "{other}");
    }
}

/// The content of a text, without whitespace between tokens.
fn without_gaps(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace()).collect()
}

fn json_piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        " ", "\n", "\r\n", "\n\n", "\t", "// c\n", "/* d */", "/*\n*/", "", "",
    ])
}

/// JSON with arbitrary whitespace between its tokens.
fn json(gaps: &[&'static str], shape: &[u8]) -> String {
    let mut gaps = gaps.iter().copied().cycle();
    let mut text = gaps.next().unwrap_or_default().to_owned();
    let mut add = |piece: &str| {
        text.push_str(piece);
        text.push_str(gaps.next().unwrap_or_default());
    };
    let mut open: Vec<&str> = vec!["]"];
    add("[");
    for &step in shape {
        let is_object = open.last() == Some(&"}");
        if step == 0 && open.len() > 1 {
            add(open.pop().unwrap_or_default());
            add(",");
            continue;
        }
        if is_object {
            add("\"k  k\"");
            add(":");
        }
        match step {
            1 => {
                add("[");
                open.push("]");
                continue;
            }
            2 => {
                add("{");
                open.push("}");
                continue;
            }
            3 => add("\"a long text, // with blanks  in it, to make lines that do not fit\""),
            4 => add("1.50"),
            _ => add("null"),
        }
        add(",");
    }
    while let Some(close) = open.pop() {
        add(close);
        if !open.is_empty() {
            add(",");
        }
    }
    text
}

fn toml_piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "a",
        "=",
        "1",
        "'x  y'",
        "[",
        "]",
        "{",
        "}",
        ",",
        ".",
        "\n",
        "\r\n",
        " ",
        "\t",
        "# c\n",
        "a = 1\n",
        "[t]\n",
        "[[p]]\n",
        "b = [\n1,\n",
        "]\n",
        "c . d = 1.5\n",
        "e = 2020-01-01 10:00:00\n",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn formatting_json_keeps_values_and_is_idempotent(
        gaps in prop::collection::vec(json_piece(), 1..12),
        shape in prop::collection::vec(0u8..6, 0..24),
    ) {
        let text = json(&gaps, &shape);
        let value = |text: &str| parse_value(text, Format::Json, FileId::PROMPT, "").value.map(|it| it.to_json());
        prop_assert!(value(&text).is_some(), "{}", text);
        let after = laid_out(Layout::Json, &text, TWO);
        prop_assert_eq!(value(&after), value(&text));
        prop_assert_eq!(without_gaps(&after), without_gaps(&text));
        let again = laid_out(Layout::Json, &after, TWO);
        prop_assert_eq!(difference(&after, &again), (after.len()..after.len(), String::new()), "{}", text);
    }

    #[test]
    fn formatting_toml_keeps_values_and_is_idempotent(pieces in prop::collection::vec(toml_piece(), 0..16)) {
        let text = pieces.concat();
        let value = |text: &str| text.parse::<::toml::Table>().ok();
        let after = laid_out(Layout::Toml, &text, TWO);
        prop_assert_eq!(value(&after), value(&text), "{}", text);
        prop_assert_eq!(without_gaps(&after), without_gaps(&text));
        prop_assert_eq!(laid_out(Layout::Toml, &after, TWO), after, "{}", text);
    }
}
