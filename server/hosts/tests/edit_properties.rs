//! Edits in every kind of data and code literal: an edit that is not rejected is right.

use promptls_hosts::{
    CannotEdit, CodeEntry, HostPrompt, KeyPath, Language, edit, find_in_data, find_with,
};
use promptls_syntax::Dialect;
use proptest::prelude::*;

/// Hosts with the prompt `a`, and the parts around it that must not change.
const HOSTS: [(Language, &str); 42] = [
    (Language::Yaml, "a: one {x} two\nb: y\n"),
    (Language::Yaml, "a: one {x}\n  two\n\n  three # c\nb: y\n"),
    (Language::Yaml, "a: 'it''s {x}'\nb: y\n"),
    (Language::Yaml, "a: \"one\\t{x} \\u00e9\n\n  two\\\n  three\" # c\nb: y\n"),
    (Language::Yaml, "a: |\n  one {x}\n\n    two\n  three\nb: y\n"),
    (Language::Yaml, "a: |-\r\n  one {x}\r\n  two\r\nb: y\r\n"),
    (Language::Yaml, "a: >\n  one {x}\n  two\n\n  three\nb: y\n"),
    (Language::Yaml, "{a: one, b: [y, \"z\"]}\n"),
    (Language::Markdown, "---\na: |\n  one {x}\nb: y\n---\nbody\n"),
    (Language::Json, "{\"a\": \"one\\n{x} \\ud83d\\ude00\", \"b\": \"y\"}\n"),
    (Language::Json, "{\"a\": \"\", \"b\": \"y\"}\n"),
    (Language::Toml, "a = \"one\\n{x}\"\nb = 'y'\n"),
    (Language::Toml, "a = 'one {x}'\nb = 'y'\n"),
    (Language::Toml, "a = \"\"\"\none {x} \\\n   two\nthree\"\"\"\nb = 'y'\n"),
    (Language::Toml, "a = \"\"\"\r\none {x}\r\ntwo\"\"\"\r\nb = 'y'\r\n"),
    (Language::Toml, "a = '''\none {x}\ntwo'''\nb = 'y'\n"),
    (Language::Java, r#"class A { final String a = "one\n{x} \u00e9\s", b = "y"; }"#),
    (Language::Java, r#"class A { final String a = "", b = "y"; }"#),
    (Language::Java, r#"class A { final String a = "one" + "{x} " + c, b = "y"; }"#),
    (
        Language::Java,
        r#"class A { final String a = " %s 5%% {x} ".formatted(c).strip(), b = "y"; }"#,
    ),
    (Language::Java, r#"class A { final String a = String.format("{x} %n", c), b = "y"; }"#),
    (
        Language::Java,
        "class A { final String a = \"\"\"\n    one {x}  \n      two \\\n    \"\"\", b = \"y\"; }",
    ),
    (
        Language::Java,
        "class A { final String a = \"\"\"\r\n\tone\r\n\r\n\t{x}\"\"\", b = \"y\"; }\r\n",
    ),
    (
        Language::Java,
        r#"class A { final String a = "one {x}".replace("n", "m").replace("x", c), b = "y"; }"#,
    ),
    (Language::Kotlin, "val a = \"one\\n{x} $c \\u00e9\\$\"\nval b = \"y\"\n"),
    (Language::Kotlin, "val a = \"one\" +\n  \"{x} ${c}\"\nval b = \"y\"\n"),
    (Language::Kotlin, "val a = \"\"\"one {x} ${'$'}5 $c\n two\"\"\"\nval b = \"y\"\n"),
    (Language::Kotlin, "val a = $$\"\"\"one {x} $5 $$c\n two\"\"\"\"\nval b = \"y\"\n"),
    (
        Language::Kotlin,
        "val a = \"\"\"\n    one {x}\n\n      two\n  \"\"\".trimIndent()\nval b = \"y\"\n",
    ),
    (
        Language::Kotlin,
        "val a = \"\"\"\r\n  |one {x}\r\n  | two\r\n\"\"\".trimMargin()\r\nval b = \"y\"\r\n",
    ),
    (Language::TypeScript, "const a = 'one\\n{x} \\u{e9}\\'';\nconst b = 'y';\n"),
    (Language::TypeScript, "const a = '' as const;\nconst b = 'y';\n"),
    (Language::JavaScript, "const a = \"one \" +\n  `{x} ` + c;\nconst b = 'y';\n"),
    (Language::Tsx, "const a = `one {x} ${c} \\`\n  two\\\n three`;\nconst b = 'y';\n"),
    (Language::Tsx, "const a = `\r\n one {x}\r\n`.trim();\r\nconst b = 'y';\r\n"),
    (Language::TypeScript, "const a = String.raw`one\\n {x} ${c}`;\nconst b = 'y';\n"),
    (
        Language::TypeScript,
        "const a = 'one {x}'.replaceAll('n', 'm').replace('x', c);\nconst b = 'y';\n",
    ),
    (Language::Go, "const a = \"one\\n{x} \\u00e9\\xe2\\x82\\xac\"\nconst b = `y`\n"),
    (Language::Go, "const a = \"\"\nconst b = `y`\n"),
    (Language::Go, "var a = \"one \" + c +\n\t`{x} `\nvar b = `y`\n"),
    (Language::Go, "const a = `one {x}\r\n two`\r\nconst b = `y`\r\n"),
    (Language::Go, "import \"strings\"\nvar a = strings.TrimSpace(`\n one {x}\n`)\nvar b = `y`\n"),
];

/// The prompts of a host.
fn prompts(language: Language, source: &str) -> Vec<HostPrompt> {
    if language.is_code() {
        let rules = [(CodeEntry::parse("*").expect("an entry"), Dialect::Adk)];
        return find_with(language, source, &rules, &[]).prompts;
    }
    let rules = ["a", "b", "b.*"].map(|path| (KeyPath::parse(path).expect("a path"), Dialect::Adk));
    find_in_data(language, source, &rules)
}

fn new_text() -> impl Strategy<Value = String> {
    const PIECES: [&str; 26] = [
        "a", "{y}", " ", "\n", "\n\n", "\t", "\"", "'", "\\", "\"\"\"", "'''", ": ", " #", "- ",
        "\r", "é", "😀", "\u{1}", "---", "%", "$", "${", "$z", "|", "%n", "`",
    ];
    let pieces = prop::collection::vec(prop::sample::select(&PIECES[..]), 0..6);
    pieces.prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(2000)
    })]

    #[test]
    fn an_edit_yields_the_requested_text_or_is_refused(
        host in prop::sample::select(&HOSTS[..]),
        ends in any::<[prop::sample::Index; 2]>(),
        new in new_text(),
    ) {
        let (language, source) = host;
        let rescan = |source: &str| prompts(language, source);
        let before = rescan(source);
        prop_assert_eq!(&before[0].name, "a");
        let text = before[0].text.text();
        let borders: Vec<usize> = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
        let [one, other] = ends.map(|end| *end.get(&borders));
        let range = one.min(other)..one.max(other);

        let result = edit(language, source, &before[0], range.clone(), &new, rescan);
        match result {
            Ok(edits) => {
                let mut edited = source.to_owned();
                for (range, new) in edits.iter().rev() {
                    edited.replace_range(range.clone(), new);
                }
                let after = rescan(&edited);
                let mut wanted = text.to_owned();
                wanted.replace_range(range, &new);
                prop_assert_eq!(after[0].text.text(), wanted);
                prop_assert_eq!(after.len(), before.len());
                for (before, after) in before.iter().zip(&after).skip(1) {
                    prop_assert_eq!(before.text.text(), after.text.text());
                }
            }
            Err(reason) => {
                // A JSON string can contain every text.
                let is_partial = reason == CannotEdit::PartOfPiece;
                prop_assert!(language != Language::Json || is_partial, "{reason}");
            }
        }
    }
}
