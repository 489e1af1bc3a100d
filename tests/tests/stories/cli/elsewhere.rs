//! Sidecars in other folders than their prompt: a rule gives their place, by the name of the
//! prompt.

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};

/// Shipped prompts, with their sidecars among the tests.
const JAVA: [(&str, &str); 8] = [
    (
        "src/main/resources/promptls.toml",
        "[[prompts]]\nfiles = ['prompts/*.txt']\ndialect = 'promptpack'\n\
         inputs = ['../../test/prompts/{stem}*.inputs.json']\n\
         variables = '../../test/prompts/{stem}.variables.json'\n",
    ),
    ("promptls.toml", ""),
    ("src/main/resources/prompts/support.txt", "Dear {{name}}: {{limit}}"),
    ("src/main/resources/prompts/other.txt", "nothing"),
    ("src/test/prompts/support.inputs.json", r#"{"name": "Ada", "limit": 3}"#),
    ("src/test/prompts/support.angry.inputs.json", r#"{"name": "Bob", "limit": 4}"#),
    (
        "src/test/prompts/support.variables.json",
        r#"{"variables": [{"name": "name", "type": "string"}, {"name": "limit", "type": "number"}]}"#,
    ),
    ("src/test/prompts/others.txt", "no prompt"),
];

#[track_caller]
fn check(workspace: &Workspace, arguments: &[&str], expected: Expect) {
    let output = promptls(arguments).cwd(workspace.root()).run();
    let code = output.code.expect("it ended by itself");
    expected.assert_eq(&format!("{}--- {code}\n{}", output.stdout, output.stderr));
}

#[test]
fn cases_and_variables_are_matched_by_the_name_of_the_prompt() {
    let workspace = Workspace::new(&JAVA);
    let prompt = "src/main/resources/prompts/support.txt";
    check(&workspace, &["resolve", prompt, "--case", "angry"], expect!["Dear Bob: 4--- 0\n"]);
    check(
        &workspace,
        &["vars", prompt],
        expect![[r#"
            limit  required  number  src/main/resources/prompts/support.txt:1:18
            name   required  string  src/main/resources/prompts/support.txt:1:8
            --- 0
        "#]],
    );
    check(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
        --- 0
        2 prompts checked: no problems
    "#]],
    );
    workspace
        .write("src/test/prompts/support.angry.inputs.json", r#"{"name": "Bob", "limit": "x"}"#);
    check(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
        src/main/resources/prompts/support.txt:1:18: error [type-mismatch] `limit` must be a number, this is a string in 1 of 2 cases: angry
        src/test/prompts/support.angry.inputs.json:1:26: error [type-mismatch] `limit` must be a number, this is a string
        --- 1
        2 prompts checked: 2 errors
    "#]],
    );
}

#[test]
fn sidecars_without_a_matching_prompt_are_orphans() {
    let workspace = Workspace::new(&JAVA);
    // The config is in a parent folder of both.
    workspace.remove(JAVA[0].0);
    let config =
        JAVA[0].1.replace("../../", "src/").replace("prompts/*", "src/main/resources/prompts/*");
    workspace.write("promptls.toml", &config);
    workspace.write("src/test/prompts/suport.inputs.json", "{}");
    workspace.write("src/test/prompts/gone.variables.json", r#"{"variables": []}"#);
    check(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
        src/test/prompts/gone.variables.json:1:1: warning [orphan-sidecar] this file is not used by any prompt: the rule that names it has no prompt `gone`; rename it with its prompt, or delete it
        src/test/prompts/suport.inputs.json:1:1: warning [orphan-sidecar] this file is not used by any prompt: the rule that names it has no prompt `suport`; rename it with its prompt, or delete it
        --- 0
        2 prompts checked: 2 warnings
    "#]],
    );
    check(
        &workspace,
        &["check", "--format", "concise", "src/test/prompts/suport.inputs.json"],
        expect![[r#"
            src/test/prompts/suport.inputs.json:1:1: warning [orphan-sidecar] this file is not used by any prompt: the rule that names it has no prompt `suport`; rename it with its prompt, or delete it
            --- 0
            no prompts checked: 1 warning
        "#]],
    );
    // If prompts may be in any folder, this is unknown without searching all of them.
    workspace.write("promptls.toml", config.replace("src/main/resources/prompts/*", "*"));
    check(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
        --- 0
        3 prompts checked: no problems
    "#]],
    );
}

#[test]
fn the_first_files_of_a_new_prompt_are_created_in_the_other_folder() {
    let workspace = Workspace::new(&JAVA[..2]);
    std::fs::create_dir_all(workspace.path("src/main/resources/prompts")).expect("it can be made");
    let new = [
        "new",
        "--role",
        "You are a poet.",
        "--task",
        "Write about {{topic}}.",
        "--dialect",
        "promptpack",
        "-o",
        "src/main/resources/prompts/poet.txt",
    ];
    check(
        &workspace,
        &new,
        expect![[r#"
        --- 0
        written: src/main/resources/prompts/poet.txt, src/test/prompts/poet.inputs.json
    "#]],
    );
    check(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
        --- 0
        1 prompt checked: no problems
    "#]],
    );
    // Nothing is written outside of the project.
    let workspace = Workspace::new(&JAVA[..1]);
    std::fs::create_dir_all(workspace.path("src/main/resources/prompts")).expect("it can be made");
    check(
        &workspace,
        &new,
        expect![[r#"
            --- 2
            promptls: src/main/resources/promptls.toml:4:12: `../../test/prompts/{stem}*.inputs.json` is not read: it leads outside of the folder of the outermost promptls.toml; allow a folder with `--allow-read` or PROMPTLS_ALLOW_READ
            promptls: src/main/resources/promptls.toml:5:14: `../../test/prompts/{stem}.variables.json` is not read: it leads outside of the folder of the outermost promptls.toml; allow a folder with `--allow-read` or PROMPTLS_ALLOW_READ
        "#]],
    );
    check(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
            src/main/resources/promptls.toml:4:12: error [invalid-config] `../../test/prompts/{stem}*.inputs.json` is not read: it leads outside of the folder of the outermost promptls.toml; allow a folder with `--allow-read` or PROMPTLS_ALLOW_READ
            src/main/resources/promptls.toml:5:14: error [invalid-config] `../../test/prompts/{stem}.variables.json` is not read: it leads outside of the folder of the outermost promptls.toml; allow a folder with `--allow-read` or PROMPTLS_ALLOW_READ
            --- 2
            no prompts checked, 1 file not fully read: 2 errors
            promptls: no prompts found under .; no rule of promptls.toml matches a file there, and none ends in .prompt; --allow-empty accepts that
        "#]],
    );
}
