//! `check` of a part of an application: texts that its code passes to frameworks are checked, also if
//! they are in files of another part.

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};

const APP: [(&str, &str); 8] = [
    ("pyproject.toml", "[project]\nname = 'a'\ndependencies = ['google-adk==1.19.0']\n"),
    (
        "agent/whole.py",
        "from google.adk.agents import LlmAgent\nfrom texts.whole import TEXT\n\
         a = LlmAgent(name='a', instruction=TEXT, output_key='topic')\n",
    ),
    (
        "agent/part.py",
        "from google.adk.agents import LlmAgent\nfrom texts.part import PART\n\
         b = LlmAgent(name='b', instruction=f'On {{topic}}. {PART}')\n",
    ),
    (
        "agent/file.py",
        "from pathlib import Path\nfrom google.adk.agents import LlmAgent\n\
         c = LlmAgent(name='c', instruction=Path('texts/file.txt').read_text())\n",
    ),
    ("texts/whole.py", "TEXT = 'Write on {topi}.'\n"),
    ("texts/part.py", "PART = 'Part {topc}.'\n"),
    ("texts/file.txt", "File {topik}.\n"),
    (
        "other/agent.py",
        "from google.adk.agents import Agent\nd = Agent(name='d', instruction='{tpic}')\n",
    ),
];

#[track_caller]
fn check(folder: &str, paths: &[&str], expected: &Expect) {
    let workspace = Workspace::new(&APP);
    let arguments = [&["check", "--format", "concise"], paths].concat();
    let output = promptls(&arguments).cwd(workspace.root().join(folder)).run();
    let stdout = output.stdout.replace(&workspace.root().display().to_string(), "ROOT");
    expected.assert_eq(&format!("{stdout}{}", output.stderr));
}

#[test]
fn texts_of_other_folders_are_checked_with_the_code_that_uses_them() {
    let all = expect![[r#"
        texts/file.txt:1:7: warning [undefined-placeholder] nothing in this app sets `topik`; did you mean `topic`?
        texts/part.py:1:15: warning [undefined-placeholder] nothing in this app sets `topc`; did you mean `topic`?
        texts/whole.py:1:19: warning [undefined-placeholder] nothing in this app sets `topi`; did you mean `topic`?
        4 prompts checked: 3 warnings
    "#]];
    check("", &["agent"], &all);
    check("", &["agent/file.py", "agent/part.py", "agent/whole.py"], &all);
}

#[test]
fn a_named_file_whose_texts_are_all_elsewhere_is_checked() {
    check(
        "",
        &["agent/whole.py"],
        &expect![[r#"
        texts/whole.py:1:19: warning [undefined-placeholder] nothing in this app sets `topi`; did you mean `topic`?
        1 prompt checked: 1 warning
    "#]],
    );
    check(
        "",
        &["agent/file.py"],
        &expect![[r#"
        texts/file.txt:1:7: warning [undefined-placeholder] nothing in this app sets `topik`; did you mean `topic`?
        1 prompt checked: 1 warning
    "#]],
    );
    check(
        "agent",
        &["whole.py"],
        &expect![[r#"
            ROOT/texts/whole.py:1:19: warning [undefined-placeholder] nothing in this app sets `topi`; did you mean `topic`?
            1 prompt checked: 1 warning
        "#]],
    );
}

#[test]
fn excluded_texts_of_other_folders_are_not_checked() {
    check(
        "",
        &["agent", "--exclude", "texts/*.txt"],
        &expect![[r#"
        texts/part.py:1:15: warning [undefined-placeholder] nothing in this app sets `topc`; did you mean `topic`?
        texts/whole.py:1:19: warning [undefined-placeholder] nothing in this app sets `topi`; did you mean `topic`?
        3 prompts checked: 2 warnings
    "#]],
    );
}

/// Only files that are named, or below a folder that is, are written.
#[test]
fn fixes_stay_in_the_files_that_are_named() {
    let workspace = Workspace::new(&APP);
    for paths in [&["agent"][..], &["agent/whole.py", "agent/part.py", "agent/file.py"]] {
        let arguments = [&["check", "--fix-unsafe", "--exit-zero"], paths].concat();
        promptls(&arguments).cwd(workspace.root()).run();
    }
    for (path, text) in APP {
        assert_eq!(workspace.read(path), text, "{path}");
    }
    promptls(&["check", "--fix-unsafe", "--exit-zero", "texts"]).cwd(workspace.root()).run();
    assert_eq!(workspace.read("texts/whole.py"), "TEXT = 'Write on {topic}.'\n");
}
