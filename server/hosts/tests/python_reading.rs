//! Python strings, including unclosed ones.

use promptls_hosts::{CodeEntry, Finds, Language, find_with};
use promptls_syntax::Dialect;

fn found(source: &str) -> Finds {
    let entry = CodeEntry::parse("P").expect("it is the name of a constant");
    find_with(Language::Python, source, &[(entry, Dialect::Adk)], &[])
}

/// Python 3.12 accepts these: a field continues in the next line, and may contain comments.
#[test]
fn a_field_of_an_f_string_may_span_lines() {
    for field in [
        "{\n    a\n}",
        "{\r\n    a\r\n}",
        "{a \\\n}",
        "{ # it's a comment, \"quoted\" }\na}",
        "{[\n1, 2]\n}",
        "{f\"x {\n1}\"}",
        "{f\"c\" \\\n  f\"d\"}",
        "{\n{'a': 1}['a']:>{\n4}}",
        "{' '.join(\n  map(lambda it: it, a))}",
        "{1:\\\"d\\\"}",
    ] {
        let source = format!("x = f\"from {field} to\"\nP = 'Hi {{b}}'\n");
        let finds = found(&source);
        assert_eq!(finds.unread, [], "{source}");
        assert_eq!(finds.prompts.len(), 1, "{source}");
        let finds = found(&format!("P = f\"from {field} to {{{{b}}}}\"\n"));
        let texts: Vec<&str> = finds.prompts.iter().map(|it| it.text.text()).collect();
        let [text] = texts[..] else { panic!("{source}: {texts:?} {:?}", finds.unread) };
        assert!(text.starts_with("from ") && text.ends_with(" to {b}"), "{text}");
    }
}

/// Incomplete code does not swallow the following code.
#[test]
fn a_field_without_an_end_ends_with_its_line() {
    for open in ["f\"Hi {", "f\"Hi {a", "f\"Hi {a[", "f'Hi {a:", "f\"Hi {a}"] {
        let source = format!("a = {open}\nd = {{'a': f'{{1}}'}}\ndef f():\n    pass\n");
        let finds = found(&source);
        let ranges: Vec<_> = finds.unread.iter().map(|it| it.range.clone()).collect();
        assert!(
            matches!(&ranges[..], [only] if *only == (4..4 + open.len())),
            "{source}: {ranges:?}"
        );
    }
}

#[test]
fn a_constant_may_be_formatted() {
    for (constant, use_of_it, expected) in [
        ("'Hi {who}, {{b}}'", "TEXT.format(who='you')", Some("Hi \u{FFFC}, {b}")),
        ("'Hi {{b}}'", "TEXT.strip().format()", Some("Hi {b}")),
        // These may be formatted twice, or not be formatted at all.
        ("f'Hi {{b}}'", "TEXT.format()", None),
        ("'Hi {b'", "TEXT.format(b=1)", None),
    ] {
        let finds = found(&format!("TEXT = {constant}\nP = {use_of_it}\n"));
        let texts: Vec<&str> = finds.prompts.iter().map(|it| it.text.text()).collect();
        assert_eq!(texts, Vec::from_iter(expected), "{constant} {use_of_it}");
    }
}

#[test]
fn a_text_that_is_formatted_once_and_sent_as_written_once_is_that_as_written() {
    let import = "from google.adk.agents import Agent\nT = 'Hi {who}'\n";
    let uses = ["Agent(instruction=T.format(who=1))\n", "Agent(instruction=T)\n"];
    for uses in [uses, [uses[1], uses[0]]] {
        let finds = found(&format!("{import}{}", uses.concat()));
        let texts: Vec<&str> = finds.prompts.iter().map(|it| it.text.text()).collect();
        assert_eq!(texts, ["Hi {who}"], "{uses:?}");
    }
}

/// These are no texts, so no prompt is missing.
#[test]
fn bytes_and_templates_are_no_prompts() {
    for literal in ["b'\\xff\\d'", "rb'\\d'", "t'\\d{x}'"] {
        let finds = found(&format!("P = {literal}\n"));
        assert_eq!((finds.prompts.len(), finds.unread), (0, Vec::new()), "{literal}");
    }
    assert_eq!(found("P = '\\ud83d'\n").unread.len(), 1);
}
