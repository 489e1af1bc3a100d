//! `promptls check` changes files: `--fix`, `--fix-unsafe`, `--diff`, `--add-ignores`.

use expect_test::{Expect, expect};
use promptls_tests::{Output, Workspace, promptls};

/// Safe fixes are for spaces in braces and a typo; likely fixes are for another name, an unused key
/// and a block.
const FILES: [(&str, &str); 4] = [
    ("a.promptpack.prompt", "{{customer}} {{ customer }} {{custmer}} {{kustomer}}\r\n"),
    ("a.promptpack.inputs.json", "{\"customer\": \"Ada\"}\n"),
    ("b.agentle.prompt", "{{#if x}}a"),
    ("b.agentle.inputs.json", "{\"x\": 1, \"left\": 2}\n"),
];

fn shown(workspace: &Workspace, arguments: &[&str]) -> String {
    let output =
        promptls(&[&["check", "--format=concise"], arguments].concat()).cwd(workspace.root()).run();
    let Output { code, stdout, stderr } = output;
    format!("{stdout}--- {}\n{stderr}", code.expect("it ended by itself"))
}

fn diff(workspace: &Workspace, arguments: &[&str]) -> String {
    let output = promptls(&[&["check"], arguments].concat()).cwd(workspace.root()).run();
    let code = output.code.expect("it ended by itself");
    format!("{}--- {code}\n{}", output.stdout, output.stderr).replace("\r\n", "\n")
}

#[test]
fn unambiguous_problems_are_fixed_and_others_reported() {
    let workspace = Workspace::new(&FILES);
    expect![[r#"
        a.promptpack.prompt:1:42: error [undefined-placeholder] `kustomer` has no value; did you mean `customer`?
        b.agentle.inputs.json:1:10: warning [unused-input] `left` is never read by b.agentle.prompt
        b.agentle.prompt:1:1: error [unclosed-block] `{{#if}}` is never closed, so it is sent unchanged; add `{{/if}}`
        --- 1
        1 file fixed
        2 prompts checked: 2 errors, 1 warning
        3 problems more with --fix-unsafe
    "#]].assert_eq(&shown(&workspace, &["--fix"]));
    // Only selected problems count.
    let output = shown(&workspace, &["--fix", "--select", "unused"]);
    assert!(output.ends_with("1 problem more with --fix-unsafe\n"), "{output}");
    assert!(!shown(&workspace, &["--fix", "--quiet"]).contains("--fix-unsafe"));
    let fixed = "{{customer}} {{customer}} {{customer}} {{kustomer}}\r\n";
    assert_eq!(workspace.read("a.promptpack.prompt"), fixed);
    // Other problems are not fixed, either.
    expect![[r#"
        --- 0
        1 file fixed
        2 prompts checked: no problems
    "#]]
    .assert_eq(&shown(&workspace, &["--fix-unsafe", "--select", "unused"]));
    expect![[r#"
        --- 0
        2 files fixed
        2 prompts checked: no problems
    "#]]
    .assert_eq(&shown(&workspace, &["--fix-unsafe"]));
    let fixed = fixed.replace("kustomer", "customer");
    assert_eq!(workspace.read("a.promptpack.prompt"), fixed);
    assert_eq!(workspace.read("b.agentle.prompt"), "{{#if x}}a{{/if}}");
    assert_eq!(workspace.read("b.agentle.inputs.json"), "{\"x\": 1}\n");
}

#[test]
fn a_diff_changes_nothing() {
    let workspace = Workspace::new(&FILES);
    expect![[r#"
        --- a/a.promptpack.prompt
        +++ b/a.promptpack.prompt
        @@ -1 +1 @@
        -{{customer}} {{ customer }} {{custmer}} {{kustomer}}
        +{{customer}} {{customer}} {{customer}} {{kustomer}}
        --- 1
        1 file would change
        3 problems more with --fix-unsafe
    "#]]
    .assert_eq(&diff(&workspace, &["--diff"]));
    expect![[r#"
        --- a/a.promptpack.prompt
        +++ b/a.promptpack.prompt
        @@ -1 +1 @@
        -{{customer}} {{ customer }} {{custmer}} {{kustomer}}
        +{{customer}} {{customer}} {{customer}} {{customer}}
        --- a/b.agentle.inputs.json
        +++ b/b.agentle.inputs.json
        @@ -1 +1 @@
        -{"x": 1, "left": 2}
        +{"x": 1}
        --- a/b.agentle.prompt
        +++ b/b.agentle.prompt
        @@ -1 +1 @@
        -{{#if x}}a
        \ No newline at end of file
        +{{#if x}}a{{/if}}
        \ No newline at end of file
        --- 1
        3 files would change
    "#]]
    .assert_eq(&diff(&workspace, &["--diff", "--fix-unsafe"]));
    for (path, text) in FILES {
        assert_eq!(workspace.read(path), text);
    }
    let nothing = diff(&workspace, &["--diff", "--select", "unused"]);
    assert_eq!(nothing, "--- 0\n0 files would change\n1 problem more with --fix-unsafe\n");
}

#[test]
fn all_prompts_of_a_pack_are_fixed_in_place() {
    let prompt = r#"{"system_template": "\u007b{customer}} {{ customer }}\n{{customer}}", "variables": [{"name": "customer"}]}"#;
    let pack = format!("{{\"prompts\": {{\n \"a\": {prompt},\n \"b\": {prompt}\n}}}}\n");
    let workspace = Workspace::new(&[("x.pack.json", &pack)]);
    shown(&workspace, &["--fix"]);
    assert_eq!(workspace.read("x.pack.json"), pack.replace("{{ customer }}", "{{customer}}"));
}

#[test]
fn stdin_is_fixed_to_stdout() {
    let workspace = Workspace::new(&FILES);
    let call = ["check", "-", "--stdin-filename", "a.promptpack.prompt", "--fix"];
    let output = promptls(&call).cwd(workspace.root()).stdin("{{ customer }}").run();
    assert_eq!((output.code, &*output.stdout), (Some(0), "{{customer}}"), "{output:?}");
    assert_eq!(workspace.read("a.promptpack.prompt"), FILES[0].1);
}

#[test]
#[cfg(unix)]
fn files_that_cannot_be_written_are_reported_and_unchanged() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;

    let workspace = Workspace::new(&FILES);
    set_permissions(workspace.root(), Permissions::from_mode(0o555)).expect("it is ours");
    let output = shown(&workspace, &["--fix"]);
    set_permissions(workspace.root(), Permissions::from_mode(0o755)).expect("it is ours");
    // Root may write everywhere.
    if !output.contains("1 file fixed") {
        assert!(output.contains("--- 2\npromptls: cannot write a.promptpack.prompt"), "{output}");
        assert_eq!(workspace.read("a.promptpack.prompt"), FILES[0].1);
    }
}

#[track_caller]
fn check_ignores(config: &str, arguments: &[&str], expected: Expect, written: Expect) {
    let workspace = Workspace::new(&FILES);
    workspace.write("sub/b.adk.prompt", "{custmer} {city}");
    workspace.write("sub/b.adk.inputs.json", r#"{"customer": "Ada"}"#);
    if !config.is_empty() {
        workspace.write("promptls.toml", config);
    }
    expected.assert_eq(&shown(&workspace, arguments));
    let after = workspace.read("promptls.toml");
    let newlines = after.matches("\r\n").count();
    // The same line ends as before.
    assert!([0, after.lines().count()].contains(&newlines), "{after:?}");
    written.assert_eq(&after.replace("\r\n", "\n"));
    let after = shown(&workspace, &[]);
    assert!(!after.contains("undefined-placeholder"), "{after}");
}

#[test]
fn current_problems_can_be_added_as_ignores() {
    check_ignores(
        "",
        &["--add-ignores=until spring"],
        expect![[r#"
            --- 0
            7 problems kept back by 5 ignores in promptls.toml
            3 prompts checked: no problems
        "#]],
        expect![[r#"
            [[ignore]]
            files = ["/a.promptpack.prompt"]
            codes = ["malformed-placeholder"]
            names = ["customer"]
            reason = "until spring"

            [[ignore]]
            files = ["/b.agentle.prompt"]
            codes = ["unclosed-block"]
            reason = "until spring"

            [[ignore]]
            files = ["sub/b.adk.prompt"]
            codes = ["undefined-placeholder"]
            names = [
                "city",
                "custmer",
            ]
            reason = "until spring"

            [[ignore]]
            files = ["/a.promptpack.prompt"]
            codes = ["undefined-placeholder"]
            names = [
                "custmer",
                "kustomer",
            ]
            reason = "until spring"

            [[ignore]]
            files = ["/b.agentle.inputs.json"]
            codes = ["unused-input"]
            names = ["left"]
            reason = "until spring"
        "#]],
    );
    check_ignores(
        "# ours\r\nroot = true",
        &["--add-ignores", "--select", "undefined"],
        expect![[r#"
            --- 0
            4 problems kept back by 2 ignores in promptls.toml
            3 prompts checked: no problems
        "#]],
        expect![[r##"
            # ours
            root = true

            [[ignore]]
            files = ["sub/b.adk.prompt"]
            codes = ["undefined-placeholder"]
            names = [
                "city",
                "custmer",
            ]

            [[ignore]]
            files = ["/a.promptpack.prompt"]
            codes = ["undefined-placeholder"]
            names = [
                "custmer",
                "kustomer",
            ]
        "##]],
    );
}

#[test]
fn a_config_that_cannot_be_edited_is_unchanged() {
    for config in ["ignore = [{ files = ['x'] }]\n", "[[prompts]\n"] {
        let workspace = Workspace::new(&FILES);
        workspace.write("promptls.toml", config);
        let output = shown(&workspace, &["--add-ignores"]);
        assert!(output.contains("no `[[ignore]]` can be added to promptls.toml"), "{output}");
        assert_eq!(workspace.read("promptls.toml"), config);
    }
}

#[test]
fn one_run_fixes_all_fixable_problems() {
    let blocks: String = (0..30).map(|number| format!("{{{{#if x}}}}{number}\n")).collect();
    let workspace = Workspace::new(&[
        ("a.agentle.prompt", &*blocks),
        ("a.agentle.inputs.json", "{\"x\": 1}\n"),
        ("b.adk.prompt", &"{custmer}\n".repeat(1_200)),
        ("b.adk.inputs.json", "{\"customer\": 1}\n"),
    ]);
    expect![[r#"
        --- 0
        2 files fixed
        2 prompts checked: no problems
    "#]]
    .assert_eq(&shown(&workspace, &["--fix-unsafe", "--ignore", "engine-differs"]));
    let closed = format!("{}{}\n", blocks.trim_end(), "{{/if}}".repeat(30));
    assert_eq!(workspace.read("a.agentle.prompt"), closed);
    assert_eq!(workspace.read("b.adk.prompt"), "{customer}\n".repeat(1_200));
}

#[test]
fn a_fix_that_the_text_cannot_express_is_not_announced() {
    let code = "from langchain_core.prompts import PromptTemplate as P\n\
        N = 'na'\n\
        t = P.from_template(f'Hi {{{N}m}}')\n";
    let workspace = Workspace::new(&[("p.py", code), ("p.inputs.json", r#"{"name": "x"}"#)]);
    expect![[r#"
        --- 0
        0 files would change
    "#]]
    .assert_eq(&diff(&workspace, &["--fix", "--diff"]));
}

#[test]
fn doubled_braces_keep_the_literals_of_a_text() {
    let code = "from langchain_core.prompts import PromptTemplate as P\n\
        t = P.from_template('As JSON: '\n    '{\"a\": {topic}, \"b\": '\n    '{\"c\": 2}} '\n    'now')\n";
    let workspace = Workspace::new(&[("p.py", code)]);
    expect![[r#"
        --- a/p.py
        +++ b/p.py
        @@ -1,5 +1,5 @@
         from langchain_core.prompts import PromptTemplate as P
         t = P.from_template('As JSON: '
        -    '{"a": {topic}, "b": '
        -    '{"c": 2}} '
        +    '{{"a": {topic}, "b": '
        +    '{{"c": 2}}}} '
             'now')
        --- 1
        1 file would change
    "#]]
    .assert_eq(&diff(&workspace, &["--fix", "--diff"]));
}
