//! `promptls stats`.

use expect_test::{Expect, expect};
use promptls_tests::{Editor, Output, Workspace, promptls};
use serde_json::{Value, json};

const FILES: [(&str, &str); 5] = [
    ("a.adk.prompt", "You are kind, and answer briefly.\nDear {name}, read {doc}"),
    ("a.adk.inputs.json", r#"{"name": "Ada", "doc": "a long text of many words"}"#),
    ("a.adk.b.inputs.json", r#"{"name": "Bob"}"#),
    ("x.pack.json", r#"{"prompts": {"t": {"system_template": "Hi, \"you\"", "variables": []}}}"#),
    ("prices.toml", "\"gpt-4o\" = 2.5\n\"free\" = 0\n"),
];

fn run(workspace: &Workspace, arguments: &[&str]) -> Output {
    promptls(&[&["stats"], arguments].concat()).cwd(workspace.root()).run()
}

#[track_caller]
fn check(arguments: &[&str], expected: Expect) {
    let Output { code, stdout, stderr } = run(&Workspace::new(&FILES), arguments);
    let code = code.expect("it ended by itself");
    expected.assert_eq(&format!("{stdout}--- {code}\n{stderr}"));
}

#[test]
fn each_text_has_a_line() {
    check(
        &["--prices", "prices.toml"],
        expect![[r#"
            prompt         case       tokens  own  same      free    gpt-4o  placeholders
            a.adk.prompt   default        18   11     9  0.000000  0.000045  doc 6, name 1
            a.adk.prompt   b (fails)      15   11     9  0.000000  0.000037  doc 3, name 1
            x.pack.json#t  -               5    5     5  0.000000  0.000013
            total                         38   27    23  0.000000  0.000095
            --- 0
            tokens are those of o200k_base (GPT-4o and later; close to what other models count)
        "#]],
    );
}

#[test]
fn each_part_has_a_row() {
    check(
        &["--format", "csv", "--prices", "prices.toml"],
        expect![[r#"
        file,prompt,case,encoding,part,placeholder,count,characters,tokens,cost free,cost gpt-4o
        a.adk.prompt,,default,o200k_base,total,,,74,18,0,0.000045
        a.adk.prompt,,default,o200k_base,literal,,,46,11,0,0.0000275
        a.adk.prompt,,default,o200k_base,prefix,,,,9,0,0.0000225
        a.adk.prompt,,default,o200k_base,placeholder,doc,1,25,6,0,0.000015
        a.adk.prompt,,default,o200k_base,placeholder,name,1,3,1,0,0.0000025
        a.adk.prompt,,b,o200k_base,total,,,54,15,0,0.0000375
        a.adk.prompt,,b,o200k_base,literal,,,46,11,0,0.0000275
        a.adk.prompt,,b,o200k_base,prefix,,,,9,0,0.0000225
        a.adk.prompt,,b,o200k_base,placeholder,doc,1,5,3,0,0.0000075
        a.adk.prompt,,b,o200k_base,placeholder,name,1,3,1,0,0.0000025
        x.pack.json,t,,o200k_base,total,,,9,5,0,0.0000125
        x.pack.json,t,,o200k_base,literal,,,9,5,0,0.0000125
        x.pack.json,t,,o200k_base,prefix,,,,5,0,0.0000125
        --- 0
    "#]],
    );
}

#[test]
fn the_editor_counts_the_same_tokens() {
    let workspace = Workspace::new(&FILES);
    let output = run(&workspace, &["a.adk.prompt", "--format", "json"]);
    let ours: Value = serde_json::from_str(&output.stdout).expect("it is JSON");
    let mut editor = Editor::start(workspace);
    editor.open_file("a.adk.prompt");
    editor.ignore_problems();
    for ours in ours["texts"].as_array().expect("a list") {
        let uri = editor.uri("a.adk.prompt");
        let params = json!({"textDocument": {"uri": uri}, "case": ours["case"]});
        let theirs = editor.request("promptls/size", params);
        let of = |size: &Value| {
            let same = ["case", "encoding", "tokens", "placeholders"].map(|key| size[key].clone());
            json!(same)
        };
        assert_eq!(of(ours), of(&theirs));
        assert_eq!(ours["literal_tokens"], theirs["literal"]["tokens"]);
        assert_eq!(ours["prefix_tokens"], theirs["prefix"]["tokens"]);
    }
    editor.close();
}

#[test]
fn unreadable_files_and_invalid_prices_are_reported() {
    let workspace = Workspace::new(&FILES);
    workspace.write("a.adk.b.inputs.json", "{");
    workspace.write("words.toml", "\"gpt-4o\" = \"much\"\n");
    workspace.write("less.json", r#"{"gpt-4o": -1}"#);
    for (arguments, why) in [
        (&["a.adk.prompt"][..], "a.adk.b.inputs.json:1:1: `{` is never closed"),
        (&["none.prompt"], "none.prompt cannot be read"),
        (&["--prices", "none.toml"], "cannot read none.toml"),
        (
            &["--prices", "words.toml"],
            "words.toml cannot be used as a table of prices: invalid type",
        ),
        (
            &["--prices", "less.json"],
            "less.json cannot be used as a table of prices: invalid price -1",
        ),
    ] {
        let output = run(&workspace, arguments);
        assert_eq!(output.code, Some(2), "{arguments:?} {output:?}");
        assert!(output.stderr.contains(why), "{arguments:?} {output:?}");
    }
    let output = promptls(&["stats"]).cwd(Workspace::new(&[]).root()).run();
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("no prompts found"), "{output:?}");
}

#[test]
fn cells_are_no_formulas_of_spreadsheets() {
    let workspace = Workspace::new(&[
        ("=1+1.langfuse.prompt", "{{@SUM(1)}} {{-1}}"),
        ("=1+1.langfuse.inputs.json", r#"{"@SUM(1)": "x", "-1": "y"}"#),
        ("=1+1.langfuse.+b.inputs.json", r#"{"@SUM(1)": "x", "-1": "y"}"#),
        // A command in the log of a CI system.
        ("::error ::x.langfuse.prompt", ""),
    ]);
    let Output { stdout, .. } = run(&workspace, &["--format", "csv"]);
    let cells = |row: &str| row.split(',').map(str::to_owned).collect::<Vec<_>>();
    for cell in stdout.lines().flat_map(cells) {
        assert!(!cell.starts_with(['=', '@', '+', ':']), "{cell}");
    }
    for text in ["'=1+1.langfuse.prompt,", ",'+b,", ",'@SUM(1),", ",-1,1,"] {
        assert!(stdout.contains(text), "{text}: {stdout}");
    }
}
