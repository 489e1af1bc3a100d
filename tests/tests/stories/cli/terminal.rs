//! Control sequences and invisible characters are made visible in all output.

#[cfg(unix)]
use promptls_tests::Terminal;
use promptls_tests::{Workspace, promptls};
use serde_json::{Value, json};

/// Clears the screen, sets the title, reverses the text, and hides a word in tags.
const HOSTILE: &str =
    "\u{1b}[2J\u{1b}]0;t\u{7}\u{9b}31m\u{202e}\u{2066}\u{e0068}\u{e0069}\u{7f}\u{200f}";

fn is_harmless(text: &str) -> bool {
    !text.chars().any(|character| {
        character.is_control() && !matches!(character, '\n' | '\t')
            || "\u{202e}\u{2066}\u{200f}\u{e0068}\u{e0069}".contains(character)
    })
}

/// A prompt, a name, a key, a value, a case and files that are all hostile.
fn workspace() -> Workspace {
    let inputs = json!({"a": HOSTILE, format!("k{HOSTILE}"): "", "n": {HOSTILE: 1}}).to_string();
    let variables = json!({"variables": [{"name": "a", "type": "string", "pattern": HOSTILE}]});
    Workspace::new(&[
        (
            "p.agentle.prompt",
            &format!("{HOSTILE} {{{{a}}}} {{{{x{HOSTILE}}}}} {{{{n.{HOSTILE}x}}}} {{{{#if a}}}}"),
        ),
        ("p.agentle.inputs.json", &inputs),
        (&format!("p.agentle.c{HOSTILE}.inputs.json"), "{\"a\": 1,}x"),
        ("p.agentle.variables.json", &variables.to_string()),
        (&format!("q{HOSTILE}.adk.prompt"), &format!("{{y{HOSTILE}}} {{y}}")),
        (&format!("q{HOSTILE}.adk.inputs.json"), &format!("{{\"{HOSTILE}\" 1}}")),
        ("promptls.toml", &format!("[problems]\n\"unused-{HOSTILE}\" = \"off\"\n")),
        ("init/support.md", &format!("---\n---\nDear {{{HOSTILE}}} {{user:name}} {{b}},")),
    ])
}

#[test]
fn no_command_prints_control_characters() {
    let workspace = workspace();
    let (case, named) = (format!("c{HOSTILE}"), format!("q{HOSTILE}.adk.prompt"));
    let json = ["--format", "json"];
    let commands: Vec<Vec<&str>> = vec![
        vec!["check"],
        vec!["check", "--format", "concise"],
        [&["check"][..], &json].concat(),
        vec!["check", &named],
        vec!["check", HOSTILE],
        vec!["preview", "p.agentle.prompt"],
        vec!["preview", "--all-cases", "p.agentle.prompt"],
        vec!["preview", "--case", &case, "p.agentle.prompt"],
        vec!["preview", "--case", HOSTILE, "p.agentle.prompt"],
        vec!["preview", &named],
        vec!["preview", HOSTILE],
        vec!["preview", "--html", "page.html", &named],
        [&["resolve"][..], &json, &["p.agentle.prompt"]].concat(),
        vec!["resolve", "--case", &case, "p.agentle.prompt"],
        vec!["resolve", "--prompt", HOSTILE, "p.agentle.prompt"],
        vec!["resolve", &named],
        vec!["init", "--dry-run"],
        vec!["explain", HOSTILE],
        vec![HOSTILE],
        vec!["check", "--format", HOSTILE],
    ];
    for command in commands {
        for colours in ["NO_COLOR", "CLICOLOR_FORCE"] {
            let run = promptls(&command).cwd(workspace.root()).env(colours, "1").run();
            let code = run.code.expect("it ends by itself");
            // promptls's own colours are numbers between `ESC [` and `m`.
            let plain = [&run.stdout, &run.stderr].map(|text| without_colours(text));
            assert!(plain.iter().all(|text| is_harmless(text)), "{command:?} {code} {plain:?}");
        }
    }
}

#[test]
fn json_output_escapes_control_characters() {
    let workspace = workspace();
    // Its rules are broken, so that no command resolves with them.
    std::fs::remove_file(workspace.path("promptls.toml")).expect("it is there");
    let command = ["resolve", "--format", "json", "p.agentle.prompt"];
    let output = promptls(&command).cwd(workspace.root()).run();
    let value: Value = serde_json::from_str(&output.stdout).expect("it is JSON");
    assert!(value["text"].as_str().is_some_and(|text| text.starts_with(HOSTILE)));
}

#[test]
fn the_resolved_text_is_unchanged_in_a_pipe() {
    let workspace = Workspace::new(&[
        ("p.adk.prompt", "{a}"),
        ("p.adk.inputs.json", &json!({"a": HOSTILE}).to_string()),
    ]);
    let output = promptls(&["resolve", "p.adk.prompt"]).cwd(workspace.root()).run();
    assert_eq!(output.stdout, HOSTILE);
}

#[test]
#[cfg(unix)]
fn the_resolved_text_is_escaped_in_a_terminal() {
    let workspace = Workspace::new(&[
        ("p.adk.prompt", "{a}"),
        ("p.adk.inputs.json", &json!({"a": "before\u{1b}[2J\u{1b}[Hafter"}).to_string()),
        ("stored/a.txt", "before\u{1b}[2J\u{1b}[Hafter"),
        ("promptls.toml", "[stores.dev]\nkind = 'filesystem'\nfolder = 'stored'\n"),
    ]);
    for command in [&["resolve", "p.adk.prompt"][..], &["store", "show", "dev:a.txt"]] {
        let mut terminal = Terminal::run(&workspace, command, 5, 60);
        terminal.wait_for_text("before␛[2J␛[Hafter");
        assert_eq!(terminal.wait_for_end(), Some(0), "{command:?}");
        let piped = promptls(command).cwd(workspace.root()).run();
        assert_eq!(piped.stdout, "before\u{1b}[2J\u{1b}[Hafter", "{command:?}");
    }
}

/// A patch contains the text of a prompt, and `git apply` reads it from a pipe.
#[test]
#[cfg(unix)]
fn a_patch_is_escaped_in_a_terminal_and_unchanged_in_a_pipe() {
    // JSON may contain these characters unescaped.
    const RAW: &str = "\u{9b}2J\u{202e}";
    for command in [
        "fmt --diff",
        "check --fix --diff",
        "check --fix-unsafe --diff",
        "convert p.agentle.prompt --to promptpack --diff",
        "vars p.agentle.prompt --format json-schema",
        "vars p.agentle.prompt --format python",
        "stats --format csv",
        "graph",
    ] {
        let workspace = Workspace::new(&[
            ("p.agentle.prompt", &format!("\u{1b}[2J{RAW} {{{{ name }}}} {{{{ nmae }}}}")),
            ("p.agentle.inputs.json", &json!({"name": RAW}).to_string()),
            (
                "p.agentle.variables.json",
                &json!({"variables": [{"name": "name", "description": RAW}]}).to_string(),
            ),
        ]);
        let arguments: Vec<&str> = command.split(' ').collect();
        let piped = promptls(&arguments).cwd(workspace.root()).run();
        let mut terminal = Terminal::run(&workspace, &arguments, 40, 100);
        if command.contains("--diff") {
            assert!(piped.stdout.contains(RAW), "{command}: {}", piped.stdout);
            terminal.wait_for_text("⟨U+009B⟩2J");
        }
        terminal.wait_for_end();
        let screen = terminal.screen();
        assert!(is_harmless(&screen), "{command}: {screen:?}");
    }
}

fn without_colours(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        let end = after.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(after.len());
        // Otherwise, the control character stays.
        match after[end..].starts_with('m') {
            true => rest = &after[end + 1..],
            false => {
                plain.push('\u{1b}');
                rest = after;
            }
        }
    }
    plain + rest
}
