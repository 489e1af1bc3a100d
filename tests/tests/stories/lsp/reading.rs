//! Reading from disk in the language server, and its restrictions.

use promptls_tests::{Client, Editor, Workspace};
use serde_json::json;

#[cfg(unix)]
#[test]
fn a_named_pipe_instead_of_a_file_is_a_problem_and_does_not_block() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    let workspace = Workspace::new(&[
        ("a.adk.prompt", "{x}"),
        ("a.adk.inputs.json", r#"{"x": {"$file": "x.txt"}}"#),
        ("sub/b.adk.inputs.json", "{}"),
    ]);
    let pipes =
        ["x.txt", "a.adk.other.inputs.json", "promptls.toml", "sub/.gitignore", "sub/b.adk.prompt"];
    for path in pipes {
        let mode = Mode::RUSR | Mode::WUSR;
        mknodat(CWD, workspace.path(path), FileType::Fifo, mode, 0).expect("a pipe can be made");
    }
    let mut editor = Editor::start(workspace);
    editor.open_file("a.adk.prompt");
    let message = |name: &str| {
        format!("{name} cannot be read: it is a pipe, and only regular files are read")
    };
    editor.wait_for_problems("a.adk.inputs.json", &[&message("`x.txt`")]);
    // Editors open a file that has a problem, and would then wait for these.
    let messages = ["`a.adk.other.inputs.json`", "`promptls.toml`"].map(message);
    editor.wait_for_problems("a.adk.prompt", &messages.each_ref().map(String::as_str));
    editor.wait_for_problems("a.adk.other.inputs.json", &[]);
    editor.wait_for_problems("promptls.toml", &[]);
    // Its prompt would be a pipe.
    editor.open_file("sub/b.adk.inputs.json");
    editor.wait_for_problems("sub/b.adk.inputs.json", &[]);
    editor.close();
}

/// Docker creates a folder for a bind mount whose file does not exist.
#[test]
fn a_folder_instead_of_a_file_is_a_problem() {
    let workspace = Workspace::new(&[("a.adk.prompt", "{x?}"), ("a.adk.inputs.json", "{}")]);
    let names = ["a.adk.other.inputs.json", "a.adk.variables.json", "promptls.toml"];
    for name in names {
        std::fs::create_dir(workspace.path(name)).expect("a folder can be made");
    }
    let mut editor = Editor::start(workspace);
    editor.open_file("a.adk.prompt");
    let problems = names.map(|name| format!("`{name}` cannot be read: it is a folder"));
    editor.wait_for_problems("a.adk.prompt", &problems.each_ref().map(String::as_str));
    editor.wait_for_problems("promptls.toml", &[]);
    editor.close();
}

/// A project with references to files outside of it.
fn project() -> Workspace {
    let config = "[[prompts]]\nfiles = ['*.prompt']\ninputs = ['../secret.json']\n";
    Workspace::new(&[
        ("project/a.adk.prompt", "{x}"),
        ("project/promptls.toml", config),
        ("secret.json", "root:x:0:0"),
    ])
}

#[test]
fn a_path_out_of_the_project_is_reported_in_the_config() {
    let mut editor = Editor::start(project());
    editor.open_file("project/a.adk.prompt");
    editor.wait_for_codes("project/a.adk.prompt", &["no-inputs"]);
    let message = "`../secret.json` is not read: it leads outside of the folder of the outermost \
                promptls.toml; allow a folder with `--allow-read` or PROMPTLS_ALLOW_READ";
    editor.wait_for_problems("project/promptls.toml", &[message]);
    editor.open_file("project/promptls.toml");
    editor.replace("project/promptls.toml", "../secret.json", "in.json");
    editor.wait_for_problems("project/promptls.toml", &[]);
    editor.wait_for_codes("project/in.json", &["unreadable-file"]);
    editor.close();
}

#[test]
fn an_open_file_outside_of_the_project_is_not_read() {
    let mut editor = Editor::start(project());
    editor.open("secret.json", r#"{"x": "secret"}"#);
    editor.open_file("project/a.adk.prompt");
    editor.wait_for_codes("project/promptls.toml", &["invalid-config"]);
    editor.wait_for_codes("project/a.adk.prompt", &["no-inputs"]);
    editor.close();
}

#[test]
fn in_untrusted_workspaces_files_refer_only_to_files_below_them() {
    let config = "[[prompts]]\nfiles = ['*.prompt']\ninputs = ['in/all.json', '../above.json']\n";
    let files = [
        ("p/a.adk.prompt", "{x} {y} {z}"),
        ("p/promptls.toml", config),
        ("p/in/all.json", r#"{"x": {"$file": "x.txt"}, "y": {"$file": "../y.txt"}, "z": 1}"#),
        ("p/in/x.txt", "x"),
        ("p/y.txt", "y"),
        ("above.json", r#"{"x": 1, "y": 2, "z": 3}"#),
        (".git/HEAD", ""),
    ];
    for (trusted, config, inputs) in [
        (json!(true), &[][..], &[][..]),
        (json!(null), &[], &[]),
        (
            json!(false),
            &["`../above.json` is not read: it leads outside of the folder of the file that \
               refers to it; trust the workspace to allow more files"],
            &[
                "`../y.txt` is not read: it leads outside of the folder of the file that refers to it; \
               trust the workspace to allow more files",
            ],
        ),
    ] {
        let initialization_options = json!({ "trusted": trusted });
        let client = Client { initialization_options, ..Client::default() };
        let mut editor = Editor::start_as(client, Workspace::new(&files));
        editor.open_file("p/a.adk.prompt");
        editor.wait_for_problems("p/in/all.json", inputs);
        editor.wait_for_problems("p/promptls.toml", config);
        editor.close();
    }
}
