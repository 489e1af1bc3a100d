//! A `promptls.toml` below another one extends it.

use expect_test::expect;
use promptls_tests::{Editor, Workspace};

const RULE: &str = "[[prompts]]\nfiles = ['*.txt']\ndialect = 'adk'\ninputs = ['../state.json']\n";

fn nested() -> Workspace {
    Workspace::new(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("agents/promptls.toml", RULE),
        ("state.json", r#"{"name": "Ada"}"#),
        ("agents/mail/promptls.toml", "[problems]\nundefined-placeholder = 'hint'\n"),
        ("agents/mail/a.txt", "{name} {nobody}"),
    ])
}

const PROMPT: &str = "agents/mail/a.txt";

#[test]
fn problems_follow_edits_of_every_applicable_config() {
    let mut editor = Editor::start(nested());
    editor.open_file(PROMPT);
    expect![[r#"
        1:9-1:15 hint undefined-placeholder `nobody` has no value
            state.json 1:1-1:1 the inputs of case state
    "#]]
    .assert_eq(&editor.problems_text(PROMPT));
    editor.open_file("agents/promptls.toml");
    editor.set_text("agents/promptls.toml", &RULE.replace("adk", "agentle"));
    editor.wait_for_codes(PROMPT, &["malformed-placeholder"]);
    editor.open_file("agents/mail/promptls.toml");
    editor.set_text("agents/promptls.toml", RULE);
    editor.wait_for_codes(PROMPT, &["undefined-placeholder"]);
    editor.set_text("agents/mail/promptls.toml", "[problems]\nundefined-placeholder = 'off'\n");
    editor.wait_for_codes(PROMPT, &[]);
    // Parent configs no longer apply, so this is no prompt.
    editor.set_text("agents/mail/promptls.toml", "root = true\n");
    editor.set_text("agents/promptls.toml", &RULE.replace("adk", "agentle"));
    editor.wait_for_problems(PROMPT, &[]);
    assert!(editor.hover(PROMPT, "{na$0me}").is_none());
    editor.close();
}
