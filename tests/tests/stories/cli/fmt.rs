//! `promptls fmt`: formatted, shown and ignored files.

use expect_test::expect;
use promptls_tests::{Output, Workspace, promptls};

const FILES: [(&str, &str); 7] = [
    ("p/a.adk.prompt", "Dear { name },\r\n{ not one }\n"),
    ("p/a.adk.inputs.json", "{\"name\":\"Ada\"}"),
    ("p/a.adk.variables.json", "{\n\t\"variables\":[]\n}\n"),
    ("promptls.toml", "[problems]\nunused-input='off' # for now\n"),
    ("p/broken.adk.inputs.json", "{\"name\":"),
    ("p/package.json", "{\"a\":1}"),
    ("p/x.pack.json", "{\"prompts\":{\"a\":{\"system_template\":\"{{ x }}\"}}}"),
];

fn fmt(workspace: &Workspace, arguments: &[&str]) -> String {
    let output = promptls(&[&["fmt"], arguments].concat()).cwd(workspace.root()).run();
    let Output { code, stdout, stderr } = output;
    let code = code.expect("it ended by itself");
    format!("{stdout}--- {code}\n{stderr}").replace('\r', "")
}

fn texts(workspace: &Workspace) -> Vec<String> {
    FILES.iter().map(|(path, _)| workspace.read(path)).collect()
}

#[test]
fn only_prompts_sidecars_and_configs_are_formatted() {
    let workspace = Workspace::new(&FILES);
    let before = texts(&workspace);
    expect![[r#"
        p/a.adk.inputs.json
        p/a.adk.prompt
        p/a.adk.variables.json
        promptls.toml
        --- 2
        promptls: p/broken.adk.inputs.json:1:9: expected a value after the colon
        4 files would change of 6
    "#]]
    .assert_eq(&fmt(&workspace, &["--check"]));
    expect![[r#"
        --- a/p/a.adk.inputs.json
        +++ b/p/a.adk.inputs.json
        @@ -1 +1 @@
        -{"name":"Ada"}
        \ No newline at end of file
        +{"name": "Ada"}
        --- a/p/a.adk.prompt
        +++ b/p/a.adk.prompt
        @@ -1,2 +1,2 @@
        -Dear { name },
        +Dear {name},
         { not one }
        --- a/p/a.adk.variables.json
        +++ b/p/a.adk.variables.json
        @@ -1,3 +1,3 @@
         {
        -	"variables":[]
        +	"variables": []
         }
        --- a/promptls.toml
        +++ b/promptls.toml
        @@ -1,2 +1,2 @@
         [problems]
        -unused-input='off' # for now
        +unused-input = 'off' # for now
        --- 1
        4 files would change of 4
    "#]]
    .assert_eq(&fmt(&workspace, &["--diff", "promptls.toml", "p/a.*"]));
    assert_eq!(texts(&workspace), before);

    expect![[r#"
        --- 2
        promptls: p/broken.adk.inputs.json:1:9: expected a value after the colon
        4 files formatted of 6
    "#]]
    .assert_eq(&fmt(&workspace, &[]));
    assert_eq!(workspace.read("p/a.adk.prompt"), "Dear {name},\r\n{ not one }\n");
    assert_eq!(workspace.read("p/a.adk.inputs.json"), "{\"name\": \"Ada\"}\n");
    assert_eq!(workspace.read("p/a.adk.variables.json"), "{\n\t\"variables\": []\n}\n");
    assert_eq!(workspace.read("promptls.toml"), "[problems]\nunused-input = 'off' # for now\n");
    assert_eq!(texts(&workspace)[4..], before[4..]);
    expect![[r#"
        --- 2
        promptls: p/broken.adk.inputs.json:1:9: expected a value after the colon
        0 files would change of 6
    "#]]
    .assert_eq(&fmt(&workspace, &["--check"]));
}

#[test]
fn only_named_files_are_formatted() {
    let workspace = Workspace::new(&FILES);
    expect![[r#"
        --- 2
        promptls: gone.json cannot be read: there is no such file
        promptls: p/package.json is skipped; only prompts, inputs, variables and promptls.toml are formatted
        1 file formatted of 1
    "#]]
    .assert_eq(&fmt(&workspace, &["p/a.adk.inputs.json", "p/package.json", "gone.json"]));
    assert_eq!(workspace.read("p/a.adk.inputs.json"), "{\"name\": \"Ada\"}\n");
    assert_eq!(workspace.read("p/package.json"), FILES[5].1);
    assert_eq!(workspace.read("p/a.adk.prompt"), FILES[0].1);
}

/// `check --fix` fixes problems; the layout of a file is none.
#[test]
fn fixing_does_not_format() {
    let workspace = Workspace::new(&FILES[..4]);
    promptls(&["check", "--fix-unsafe"]).cwd(workspace.root()).run();
    for (path, text) in &FILES[..4] {
        assert_eq!(workspace.read(path), *text, "{path}");
    }
}

#[test]
#[cfg(unix)]
fn files_that_cannot_be_replaced_are_skipped_and_others_formatted() {
    use std::fs::{Permissions, hard_link, set_permissions};
    use std::os::unix::fs::PermissionsExt;

    let workspace = Workspace::new(&[
        ("a.adk.inputs.json", "{\"x\":1}"),
        ("b.adk.inputs.json", "{\"x\":1}"),
        ("c.adk.inputs.json", "{\"x\":1}"),
    ]);
    let mode = Permissions::from_mode(0o444);
    set_permissions(workspace.path("a.adk.inputs.json"), mode).expect("it is ours");
    let second = workspace.path("second");
    hard_link(workspace.path("b.adk.inputs.json"), &second).expect("a link can be made");
    let named = ["a.adk.inputs.json", "b.adk.inputs.json", "c.adk.inputs.json"];
    expect![[r#"
        --- 2
        promptls: cannot write a.adk.inputs.json: it is read-only; --force replaces it
        promptls: cannot write b.adk.inputs.json: it has 2 hard links; --force replaces this one, and the others stay unchanged
        1 file formatted of 3
    "#]]
    .assert_eq(&fmt(&workspace, &named));
    expect![[r#"
        --- 0
        2 files formatted of 3
    "#]]
    .assert_eq(&fmt(&workspace, &[&named[..], &["--force"]].concat()));
}
