//! `promptls/likelyPrompt`: a text is offered as a prompt if `init` would propose a rule for it.

use promptls_tests::{Editor, Workspace, promptls};
use serde_json::{Value, json};

type Files = &'static [(&'static str, &'static str)];

/// The request is for the first file of each, with the expected dialect.
const TEXTS: [(&str, Files, Option<&str>); 8] = [
    ("only one dialect means it", &[("mail.md", "Dear {user:name},\n")], Some("adk")),
    (
        "inputs know the name",
        &[("mail.txt", "Dear {name},\n"), ("mail.inputs.json", r#"{"name": "Ada"}"#)],
        Some("adk"),
    ),
    ("any engine may be meant", &[("prompts/mail.md", "Dear {name},\n")], None),
    ("it is code in prose", &[("mail.md", "Write `{user:name}` there.\n")], None),
    (
        "it is another language",
        &[("prompts/mail.md", "{% if a %}{{ a | upper }}{% endif %}\n")],
        None,
    ),
    ("it is for people", &[("README.md", "Dear {user:name},\n")], None),
    ("it is no text", &[("mail.py", "f'Dear {user:name}'\n")], None),
    (
        "it is a prompt already",
        &[
            ("mail.md", "Dear {user:name},\n"),
            ("promptls.toml", "[[prompts]]\nfiles = ['mail.md']\ndialect = 'adk'\n"),
        ],
        None,
    ),
];

#[test]
fn a_text_is_likely_a_prompt_where_init_would_propose_a_rule() {
    for (why, files, dialect) in TEXTS {
        let workspace = Workspace::new(files);
        let (name, text) = files[0];
        let proposed = promptls(&["init", "--dry-run"]).cwd(workspace.root()).run().stdout;
        let rule = dialect.map(|dialect| format!("dialect = \"{dialect}\""));
        assert_eq!(
            proposed.lines().find(|line| line.starts_with("dialect")),
            rule.as_deref(),
            "{why}"
        );

        let mut editor = Editor::start(workspace);
        editor.ignore_problems();
        editor.open(name, text);
        let params = json!({ "textDocument": { "uri": editor.uri(name) } });
        let likely = editor.request("promptls/likelyPrompt", params);
        assert_eq!(likely.get("dialect").and_then(Value::as_str), dialect, "{why}: {likely}");
        editor.close();
    }
}

#[test]
fn unsaved_text_is_examined() {
    let mut editor = Editor::start(Workspace::new(&[("mail.md", "Dear all,\n")]));
    editor.open("mail.md", "Dear all,\n");
    let params = json!({ "textDocument": { "uri": editor.uri("mail.md") } });
    assert_eq!(editor.request("promptls/likelyPrompt", params.clone()), Value::Null);
    editor.replace("mail.md", "all", "{user:name}");
    let reasons = json!(["`{user:name}` occurs only in adk"]);
    assert_eq!(editor.request("promptls/likelyPrompt", params)["reasons"], reasons);
    editor.close();
}

#[test]
fn a_value_of_data_is_likely_a_prompt_with_the_syntax_of_one_dialect() {
    const LIKELY: &str =
        "title: Dear {name}\nagents:\n  one:\n    prompt: |\n      Dear {user:name}\n";
    const RULE: &str =
        "[[prompts]]\nfiles = ['*.yaml']\nstrings = ['agents.*.prompt']\ndialect = 'adk'\n";
    for (why, files, expected) in [
        (
            "one dialect has this syntax",
            &[("a.yaml", LIKELY)] as &[_],
            Some("agents.one.prompt 3:4"),
        ),
        ("JSON", &[("a.json", r#"{"a": ["Dear {user:name}"]}"#)], Some("a.0 0:7")),
        ("any engine may be meant", &[("a.yaml", "prompt: Dear {name}\n")], None),
        ("another language", &[("a.yaml", "a: '{% if a %}{{ a | upper }}{% endif %}'\n")], None),
        ("it is a prompt already", &[("a.yaml", LIKELY), ("promptls.toml", RULE)], None),
        ("inputs of a prompt", &[("a.inputs.yaml", LIKELY)], None),
        ("documentation", &[("docs/a.yaml", LIKELY), (".git/HEAD", "")], None),
    ] {
        let mut editor = Editor::start(Workspace::new(files));
        editor.ignore_problems();
        let (name, text) = files[0];
        editor.open(name, text);
        let params = json!({ "textDocument": { "uri": editor.uri(name) } });
        let likely = editor.request("promptls/likelyPrompt", params);
        let found = likely["value"]["path"].as_str().map(|path| {
            let at = &likely["value"]["position"];
            format!("{path} {}:{}", at["line"], at["character"])
        });
        assert_eq!(found.as_deref(), expected, "{why}: {likely}");
        editor.close();
    }
}
