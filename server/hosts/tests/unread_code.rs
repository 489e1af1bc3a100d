//! Expressions of code that rules, frameworks and marks name, and that cannot be read.

use promptls_hosts::{CodeEntry, Finds, Language, find_with};
use promptls_syntax::Dialect;

/// Each with a file that has the expression `{}` as the value of `P`, and the string `Hi {x}`.
const LANGUAGES: [(Language, &str, &str); 7] = [
    (Language::Python, "P = {}\n", "\"Hi {x}\""),
    (Language::TypeScript, "export const P = {};\n", "\"Hi {x}\""),
    (Language::Tsx, "export const P = {};\n", "\"Hi {x}\""),
    (Language::JavaScript, "export const P = {};\n", "\"Hi {x}\""),
    (Language::Java, "class A { static final String P = {}; }\n", "\"Hi {x}\""),
    (Language::Kotlin, "val P = {}\n", "\"Hi {x}\""),
    (Language::Go, "package a\n\nconst P = {}\n", "\"Hi {x}\""),
];

fn found(language: Language, source: &str) -> Finds {
    let entry = CodeEntry::parse("P").expect("it is the name of a constant");
    find_with(language, source, &[(entry, Dialect::Adk)], &[])
}

/// The reasons, with the source at their places.
#[track_caller]
fn unread(language: Language, source: &str) -> Vec<(&str, String)> {
    let finds = found(language, source);
    assert_eq!(finds.prompts.len(), 0, "{language:?}: {source:.80}");
    let unread = finds.unread.into_iter();
    unread.map(|unread| (&source[unread.range], unread.reason)).collect()
}

fn nested(levels: usize, inner: &str) -> String {
    format!("{}{inner}{}", "(".repeat(levels), ")".repeat(levels))
}

#[test]
fn an_expression_deeper_than_the_limit_is_unread() {
    for (language, file, string) in LANGUAGES {
        let shallow = file.replace("{}", &nested(60, string));
        let finds = found(language, &shallow);
        assert_eq!((finds.prompts.len(), finds.unread), (1, Vec::new()), "{language:?}");
        for levels in [65, 100, 20_000] {
            let source = file.replace("{}", &nested(levels, string));
            let unread = unread(language, &source);
            let [(_, reason)] = &unread[..] else { panic!("{language:?} {levels}: {unread:?}") };
            assert!(reason.contains("more than 64 levels deep"), "{language:?}: {reason}");
        }
        // Other deep code has no prompt.
        let other = file.replace('P', "Q").replace("{}", &nested(100, string));
        assert_eq!(unread(language, &other), [], "{language:?}");
    }
}

/// Every part of an expression counts: an operand, an argument of a method, a followed name.
#[test]
fn a_part_deeper_than_the_limit_is_unread() {
    let deep = nested(100, "\"Hi {x}\"");
    let replaced = format!("{}\"a\"{}", "\"b\".replace(".repeat(5_000), ", \"c\")".repeat(5_000));
    for source in [
        format!("P = 'a' + {deep}\n"),
        format!("P = {deep}.strip()\n"),
        format!("A = {deep}\nP = A\n"),
        format!("def f():\n    return {deep}\nP = f()\n"),
        format!("from textwrap import dedent\nP = {}'a'{}\n", "dedent(".repeat(70), ")".repeat(70)),
        format!("P = {replaced}\n"),
        format!("from google.adk.agents import Agent\nAgent(instruction={deep})\n"),
        format!("from google.adk.agents import Agent\nA = {deep}\na = Agent(instruction=A)\n"),
    ] {
        let unread = unread(Language::Python, &source);
        let [(_, reason)] = &unread[..] else { panic!("{source:.80}: {unread:?}") };
        assert!(reason.contains("more than 64 levels deep"), "{source:.80}: {reason}");
    }
}

#[test]
fn a_text_beyond_the_limit_of_the_file_is_unread() {
    let source = format!("A = '{}'\nP = A{}\n", "x".repeat(1 << 20), ".strip()".repeat(20));
    let unread = unread(Language::Python, &source);
    let [(_, reason)] = &unread[..] else { panic!("{unread:?}") };
    assert!(reason.contains("longer than 16 MiB together"), "{reason}");
}

#[test]
fn a_string_that_cannot_be_decoded_is_unread_in_each_position() {
    let cases: &[(Language, &[&str])] = &[
        (
            Language::Python,
            &["f\"Hi {x\"", "f\"\"\"Hi {x\"\"\"", "f'Hi }'", "f'Hi {}'", "'\\ud83d'"],
        ),
        (Language::Kotlin, &["\"Hi ${x\"", "\"\\ud83d\"", "\"\\q\""]),
        (Language::TypeScript, &["`Hi \\u`", "\"\\x\""]),
        (Language::JavaScript, &["`Hi \\u`", "\"\\x\""]),
        (Language::Java, &["\"\\q\""]),
        (Language::Go, &["\"\\q\""]),
    ];
    for (language, strings) in cases {
        let (_, file, _) =
            LANGUAGES.iter().find(|it| it.0 == *language).expect("it is in the table");
        for string in *strings {
            // The end of a line ends a string, and with it an interpolation.
            let is_cut_off = *string == "f\"Hi {x\"" || *string == "\"Hi ${x\"";
            let forms: &[&str] = if is_cut_off { &["{}\n"] } else { &["{}", "({})", "{} + \"a\""] };
            for form in forms {
                let source = file.replace("{}", &form.replace("{}", string));
                let unread = unread(*language, &source);
                let [(at, reason)] = &unread[..] else { panic!("{source}: {unread:?}") };
                assert!(at.starts_with(*string), "{source}: {at}");
                assert!(reason.starts_with("this string "), "{source}: {reason}");
            }
        }
    }
    for source in ["a = f\"Hi {x\"; P = 'Hi'\n", "P = f\"Hi {x\" + 'b'\nQ = 1\n"] {
        assert_eq!(unread(Language::Python, source).len(), 1, "{source}");
    }
    for source in
        ["val a = \"Hi ${x\"; val P = \"Hi\"\n", "val P = \"Hi ${x\" + \"b\"\nval q = 1\n"]
    {
        assert_eq!(unread(Language::Kotlin, source).len(), 1, "{source}");
    }
    let marked = |mark: &str| format!("# promptls: {mark}\nP = '\\ud83d'\n");
    for (mark, count) in [("adk", 1), ("off", 0)] {
        let unread = find_with(Language::Python, &marked(mark), &[], &[]).unread;
        assert_eq!(unread.len(), count, "{mark}");
    }
}
