//! `promptls diff`: two cases of a prompt, and prompts at two revisions.

use std::fs;

use expect_test::{Expect, expect};
use promptls_tests::{Editor, Output, Repository, Workspace, git, promptls, wait_until};
use serde_json::{Value, json};

const LETTER: [(&str, &str); 3] = [
    ("a.adk.prompt", "Dear {name},\nwelcome to {town}.\n"),
    ("a.adk.inputs.json", r#"{"name": "Ada", "town": "York"}"#),
    ("a.adk.b.inputs.json", r#"{"name": "Bob", "town": "York"}"#),
];

fn run(workspace: &Workspace, arguments: &[&str]) -> Output {
    promptls(&[&["diff"], arguments].concat()).cwd(workspace.root()).run()
}

#[track_caller]
fn check(workspace: &Workspace, arguments: &[&str], expected: Expect) {
    let Output { code, stdout, stderr } = run(workspace, arguments);
    let code = code.expect("it ended by itself");
    let stderr = stderr.replace(&workspace.root().display().to_string(), "ROOT");
    expected.assert_eq(&format!("{stdout}--- {code}\n{stderr}"));
}

/// A repository in which all files are committed.
fn committed(files: &[(&str, &str)]) -> Workspace {
    let workspace = Workspace::new(files);
    Repository::new(&workspace).commit_all();
    workspace
}

#[test]
fn two_cases_are_compared_word_by_word() {
    let workspace = Workspace::new(&LETTER);
    check(
        &workspace,
        &["a.adk.prompt", "--case", "default", "--case", "b"],
        expect![[r#"
            a.adk.prompt, cases default and b: changed, +1 -1 words, 7 → 7 tokens
              Dear [-Ada-]{+Bob+},
            --- 1
            the texts of both cases differ
        "#]],
    );
    workspace.write("a.adk.b.inputs.json", r#"{"name": "Bob"}"#);
    check(
        &workspace,
        &["a.adk.prompt", "--case", "default", "--case", "b"],
        expect![[r#"
            a.adk.prompt, cases default and b: changed, +2 -2 words, 7 → 8 tokens
              now, in case b, the engine fails: Context variable not found: town
              Dear [-Ada-]{+Bob+},
              welcome to [-York-]{+{town}+}.
            --- 1
            the texts of both cases differ
        "#]],
    );
    check(
        &workspace,
        &["a.adk.prompt", "--case", "b", "--case", "b"],
        expect![[r#"
            --- 0
            both cases give the same text
        "#]],
    );
}

/// The output since a commit, after the text of a file has changed; `None` deletes the file.
#[track_caller]
fn check_reach(files: &[(&str, &str)], path: &str, text: Option<&str>, expected: Expect) {
    let workspace = committed(files);
    match text {
        Some(text) => workspace.write(path, text),
        None => workspace.remove(path),
    }
    let output = run(&workspace, &["--rev", "main.."]);
    assert_eq!(output.code, Some(i32::from(!output.stdout.is_empty())), "{output:?}");
    expected.assert_eq(&output.stdout);
}

const SHARING: [(&str, &str); 6] = [
    (
        "promptls.toml",
        "[[prompts]]\nfiles = ['p/*.txt']\ndialect = 'adk'\ninputs = ['state.json']\n",
    ),
    ("p/one.txt", "{app}: {note}"),
    ("p/two.txt", "{app}"),
    ("state.json", r#"{"app": "App", "note": {"$file": "note.md"}}"#),
    ("note.md", "hello"),
    (
        "x.pack.json",
        r#"{"prompts": {"a": {"system_template": "{{fragments.f}}", "variables": []}, "b": {"system_template": "B", "variables": []}}, "fragments": {"f": "F"}}"#,
    ),
];

#[test]
fn all_texts_affected_by_a_change_are_compared() {
    check_reach(
        &SHARING,
        "p/two.txt",
        Some("{app}!"),
        expect![[r#"
        p/two.txt, case state: changed, +0 -0 words, 1 → 2 tokens
          App{+!+}
    "#]],
    );
    check_reach(
        &SHARING,
        "state.json",
        Some(r#"{"app": "New", "note": "hello"}"#),
        expect![[r#"
        p/one.txt, case state: changed, +1 -1 words, 3 → 3 tokens
          [-App-]{+New+}: hello
        p/two.txt, case state: changed, +1 -1 words, 1 → 1 tokens
          [-App-]{+New+}
    "#]],
    );
    check_reach(
        &SHARING,
        "note.md",
        Some("hello you"),
        expect![[r#"
        p/one.txt, case state: changed, +1 -0 words, 3 → 4 tokens
          App: hello{+ you+}
    "#]],
    );
    let pack = SHARING[5].1.replace(r#""F""#, r#""G""#);
    check_reach(
        &SHARING,
        "x.pack.json",
        Some(&pack),
        expect![[r#"
            x.pack.json#a: changed, +1 -1 words, 1 → 1 tokens
              [-F-]{+G+}
        "#]],
    );
    let config = SHARING[0].1.replace("adk", "langfuse");
    check_reach(
        &SHARING,
        "promptls.toml",
        Some(&config),
        expect![[r#"
        p/one.txt, case state: changed, +2 -2 words, 3 → 6 tokens
          [-App: hello-]{+{app}: {note}+}
        p/two.txt, case state: changed, +1 -1 words, 1 → 3 tokens
          [-App-]{+{app}+}
    "#]],
    );
    // A change without an effect on texts is not reported.
    check_reach(&SHARING, "state.json", Some(r#"{"note": "hello", "app": "App"} "#), expect![""]);
    check_reach(&SHARING, "p/README.md", Some("new"), expect![""]);
}

#[test]
fn a_case_newer_than_its_prompt_uses_current_inputs() {
    let workspace = committed(&[("a.adk.prompt", "Dear {name},\n")]);
    workspace.write("a.adk.inputs.json", r#"{"name": "Ada"}"#);
    let since_commit = ["--rev", "HEAD"];
    check(
        &workspace,
        &since_commit,
        expect![[r#"
        --- 0
        none of 1 text sent to a model changed since the last commit
    "#]],
    );
    workspace.write("a.adk.prompt", "Hello {name}!\n");
    check(
        &workspace,
        &since_commit,
        expect![[r#"
        a.adk.prompt, case default: changed, +1 -1 words, 3 → 3 tokens
          case `default` has no inputs in the last commit; today's are used
          [-Dear-]{+Hello+} Ada[-,-]{+!+}
        --- 1
        1 of 1 text sent to a model changed since the last commit
    "#]],
    );
    let page = run(&workspace, &["--rev", "HEAD", "--format", "html"]).stdout;
    assert!(page.contains("has no inputs in the last commit"), "{page}");
    Repository(&workspace).commit_all();
    check(
        &workspace,
        &["--rev", "HEAD~1..HEAD"],
        expect![[r#"
        a.adk.prompt, case default: changed, +1 -1 words, 3 → 3 tokens
          case `default` has no inputs in `HEAD~1`; those of the last commit are used
          [-Dear-]{+Hello+} Ada[-,-]{+!+}
        --- 1
        1 of 1 text sent to a model changed since `HEAD~1` until the last commit
    "#]],
    );
}

#[test]
fn prompts_and_cases_may_be_added_removed_and_moved() {
    check_reach(&LETTER, "a.adk.c.inputs.json", Some(r#"{"name": "C", "town": "D"}"#), expect![""]);
    check_reach(
        &LETTER,
        "a.adk.b.inputs.json",
        None,
        expect![[r#"
            a.adk.prompt, case b: removed, +0 -5 words, 7 → 0 tokens
        "#]],
    );
    check_reach(
        &SHARING,
        "p/new.txt",
        Some("{app}, new"),
        expect![[r#"
        p/new.txt, case state: added, +2 -0 words, 0 → 3 tokens
    "#]],
    );
    check_reach(
        &LETTER,
        "a.adk.prompt",
        None,
        expect![[r#"
            a.adk.prompt, case default: removed, +0 -5 words, 7 → 0 tokens
            a.adk.prompt, case b: removed, +0 -5 words, 7 → 0 tokens
        "#]],
    );
    // New inputs neither add nor remove a text.
    let alone = [("a.adk.prompt", "Dear {name?}")];
    check_reach(&alone, "a.adk.inputs.json", Some(r#"{"name": "Ada"}"#), expect![""]);

    let workspace = committed(&LETTER);
    Repository(&workspace).git(&["mv", "a.adk.prompt", "z.adk.prompt"]);
    Repository(&workspace).git(&["mv", "a.adk.inputs.json", "z.adk.inputs.json"]);
    workspace.write("z.adk.b.inputs.json", r#"{"name": "Eve", "town": "York"}"#);
    check(
        &workspace,
        &["--rev", "HEAD"],
        expect![[r#"
            z.adk.prompt (was a.adk.prompt), case b: changed, +1 -1 words, 7 → 7 tokens
              Dear [-Bob-]{+Eve+},
            --- 1
            1 of 2 texts sent to a model changed since the last commit
        "#]],
    );
}

#[test]
fn prompts_of_a_rule_are_added_and_removed_with_it() {
    let rule = |files: &str| SHARING[0].1.replace("p/*.txt", files);
    check_reach(
        &SHARING,
        "promptls.toml",
        Some(&rule("p/o*.txt")),
        expect![[r#"
            p/two.txt, case state: removed, +0 -1 words, 1 → 0 tokens
        "#]],
    );
    check_reach(
        &[&SHARING[..], &[("q/three.txt", "{app}")]].concat(),
        "promptls.toml",
        Some(&rule("*.txt")),
        expect![[r#"
            q/three.txt, case state: added, +1 -0 words, 0 → 1 tokens
        "#]],
    );
}

#[test]
fn a_comparison_can_be_limited_to_a_case() {
    let workspace = committed(&LETTER);
    workspace.write("a.adk.prompt", "Hello {name},\nwelcome to {town}.\n");
    check(
        &workspace,
        &["a.adk.prompt", "--case", "b", "--rev", "HEAD", "--format", "concise"],
        expect![[r#"
            a.adk.prompt, case b: changed, +1 -1 words, 7 → 7 tokens
            --- 1
            1 of 1 text sent to a model changed since the last commit
        "#]],
    );
    check(
        &workspace,
        &["a.adk.prompt", "--case", "c", "--rev", "HEAD"],
        expect![[r#"
            --- 2
            promptls: there is no such prompt with a case `c`
        "#]],
    );
}

#[test]
fn revisions_have_the_syntax_of_git() {
    let workspace = committed(&LETTER);
    let repository = Repository(&workspace);
    repository.git(&["tag", "v1"]);
    workspace.write("a.adk.inputs.json", r#"{"name": "Eve", "town": "York"}"#);
    repository.commit_all();
    repository.git(&["tag", "v2"]);
    // Changes on main after a branch left it do not belong to the branch.
    repository.git(&["checkout", "--quiet", "-b", "branch", "v1"]);
    workspace.write("a.adk.b.inputs.json", r#"{"name": "Dan", "town": "York"}"#);
    let changed = |arguments: &[&str]| {
        let output = run(&workspace, &[arguments, &["--format", "concise"]].concat());
        let line = |line: &str| line.split(':').next().unwrap_or_default().to_owned();
        output.stdout.lines().map(line).collect::<Vec<_>>().join("; ")
    };
    let both = "a.adk.prompt, case b; a.adk.prompt, case default";
    for (range, expected) in [
        ("v1..v2", "a.adk.prompt, case default"),
        ("v1...v2", "a.adk.prompt, case default"),
        ("v1..", "a.adk.prompt, case b"),
        ("main..", both),
        ("main...", "a.adk.prompt, case b"),
        ("v2...v1", ""),
    ] {
        let expected = if expected == both {
            "a.adk.prompt, case default; a.adk.prompt, case b"
        } else {
            expected
        };
        assert_eq!(changed(&["--rev", range]), expected, "{range}");
    }
    // Folders may have been deleted.
    workspace.write("old/p.adk.prompt", "old");
    repository.commit_all();
    workspace.remove("old/p.adk.prompt");
    fs::remove_dir(workspace.path("old")).expect("it is empty");
    assert_eq!(changed(&["--rev", "v1..HEAD", "old"]), "old/p.adk.prompt");
    assert_eq!(changed(&["--rev", "HEAD", "old"]), "old/p.adk.prompt");
}

#[test]
fn the_editor_and_the_command_return_the_same_comparison() {
    let workspace = committed(&LETTER);
    workspace.write("a.adk.prompt", "Dear {name}, {nobody}\nwelcome.\n");
    let ours = |arguments: &[&str]| -> Value {
        let output = run(&workspace, &[&["a.adk.prompt", "--format", "json"], arguments].concat());
        serde_json::from_str::<Value>(&output.stdout).expect("it is JSON")["differences"][0].clone()
    };
    workspace.write("a.adk.new.inputs.json", r#"{"name": "Eve"}"#);
    let since = ours(&["--rev", "HEAD", "--case", "b"]);
    let newer = ours(&["--rev", "HEAD", "--case", "new"]);
    let cases = ours(&["--case", "default", "--case", "b"]);
    let mut editor = Editor::start(workspace);
    editor.open_file("a.adk.prompt");
    editor.ignore_problems();
    let uri = editor.uri("a.adk.prompt");
    for (ours, left, right) in [
        (since, json!({"case": "b", "revision": "HEAD"}), json!({"case": "b"})),
        (newer, json!({"case": "new", "revision": "HEAD"}), json!({"case": "new"})),
        (cases, json!({"case": "default"}), json!({"case": "b"})),
    ] {
        let params = json!({"textDocument": {"uri": uri}, "left": left, "right": right});
        let theirs = editor.request("promptls/compare", params);
        for key in ["left", "right", "parts"] {
            assert_eq!(ours[key], theirs[key], "{key}");
        }
    }
    editor.close();
}

#[test]
fn texts_of_other_modules_are_those_of_the_commit() {
    const AGENT: &str = "from pathlib import Path\nfrom google.adk.agents import Agent\n\
        from texts import BRAND, WHOLE\n\
        a = Agent(name='a', instruction=f'Work for {BRAND}.')\n\
        b = Agent(name='b', instruction=WHOLE)\n\
        c = Agent(name='c', instruction=Path('c.txt').read_text())\n";
    const SCRIPT: &str = "import {LlmAgent} from '@google/adk';\nimport {BRAND} from './texts';\n\
        new LlmAgent({name: 'd', instruction: `Work at ${BRAND}.`});\n";
    let workspace = committed(&[
        ("agent.py", AGENT),
        ("agent.ts", SCRIPT),
        ("texts.py", "BRAND = 'One'\nWHOLE = 'Be kind.'\n"),
        ("texts.ts", "export const BRAND = 'One';\n"),
        ("c.txt", "Be fast.\n"),
    ]);
    workspace.write("texts.py", "BRAND = 'Two'\nWHOLE = 'Be rude.'\n");
    workspace.write("texts.ts", "export const BRAND = 'Two';\n");
    workspace.write("c.txt", "Be slow.\n");
    check(
        &workspace,
        &["--rev", "HEAD"],
        expect![[r#"
        agent.py#a: changed, +1 -1 words, 4 → 4 tokens
          Work for [-One-]{+Two+}.
        agent.ts#d: changed, +1 -1 words, 4 → 4 tokens
          Work at [-One-]{+Two+}.
        c.txt: changed, +1 -1 words, 3 → 3 tokens
          Be [-fast-]{+slow+}.
        texts.py#WHOLE: changed, +1 -1 words, 3 → 3 tokens
          Be [-kind-]{+rude+}.
        --- 1
        4 of 4 texts sent to a model changed since the last commit
    "#]],
    );
    let output = run(&workspace, &["agent.py", "--rev", "HEAD", "--format", "json"]);
    let ours: Value = serde_json::from_str(&output.stdout).expect("it is JSON");
    let mut editor = Editor::start(workspace);
    editor.open_file("agent.py");
    editor.ignore_problems();
    let side = |revision: Option<&str>| json!({"revision": revision});
    let params = json!({
        "textDocument": {"uri": editor.uri("agent.py")},
        "task": "a",
        "left": side(Some("HEAD")),
        "right": side(None),
    });
    // The modules are read in the background.
    wait_until("the text of the other module", || {
        editor.request("promptls/compare", params.clone())["parts"]
            == ours["differences"][0]["parts"]
    });
    editor.close();
}

#[test]
fn a_comment_and_a_page_show_the_words() {
    let workspace = committed(&LETTER);
    workspace.write("a.adk.inputs.json", r#"{"name": "<b>Eve</b>", "town": "York"}"#);
    check(
        &workspace,
        &["--rev", "main..", "--format", "markdown"],
        expect![[r#"
            ### promptls: 1 of 2 texts sent to a model changed since &#96;main&#96;

            | prompt | case | change | words | tokens |
            |---|---|---|---|---|
            | a.adk.prompt | default | changed | +3 -1 | 7 → 12 |

            <details><summary>a.adk.prompt, case default</summary>

            <pre>
            Dear <del>Ada</del><ins>&lt;b&gt;Eve&lt;/b&gt;</ins>,
            </pre>

            </details>
            --- 1
        "#]],
    );
    let output = run(&workspace, &["--rev", "main..", "--format", "html", "-o", "page.html"]);
    assert_eq!((output.code, &*output.stdout), (Some(1), ""));
    let page = workspace.read("page.html");
    assert!(page.contains("<del>Ada</del><ins>&lt;b&gt;Eve&lt;/b&gt;</ins>"), "{page}");
}

#[test]
fn invalid_comparisons_are_reported() {
    let workspace = committed(&LETTER);
    for (arguments, why) in [
        (&[][..], "name a prompt and two of its cases (`--case a --case b`), or a revision"),
        (&["a.adk.prompt", "--case", "b"], "name a prompt and two of its cases"),
        (&["a.adk.prompt", "--case", "b", "--case", "c"], "has no case `c`, only default, b"),
        (&["--rev", "HEAD", "--case", "b", "--case", "c"], "each case is compared with itself"),
        (&["--rev", "nowhere"], "unknown git revision `nowhere`"),
        (&["--rev", "HEAD..nowhere"], "unknown git revision `nowhere`"),
        (&["--rev", "nowhere..."], "unknown git revision `nowhere`"),
        (&["--rev=--output=x"], "unknown git revision `--output=x`"),
        (&["--rev", "a..b..c"], "write it as `main`, `main..`, `main...` or `v1..v2`"),
        (&["--rev", "HEAD", "none"], "cannot read "),
        (&["--rev", "HEAD", "a.adk.inputs.json"], "has no prompt"),
    ] {
        let output = run(&workspace, arguments);
        assert_eq!((output.code, &*output.stdout), (Some(2), ""), "{arguments:?} {output:?}");
        assert!(output.stderr.contains(why), "{arguments:?} {output:?}");
    }
    workspace.write("new.adk.prompt", "new");
    workspace.write("a.adk.b.inputs.json", "{");
    check(
        &workspace,
        &["--rev", "HEAD", "new.adk.prompt"],
        expect![[r#"
            --- 2
            promptls: new.adk.prompt is not in the last commit; if it was renamed, compare its folder, which finds it by its text
        "#]],
    );
    // The others are still compared.
    check(
        &workspace,
        &["--rev", "HEAD"],
        expect![[r#"
            new.adk.prompt: added, +1 -0 words, 0 → 1 tokens
            --- 2
            1 of 2 texts sent to a model changed since the last commit
            promptls: a.adk.b.inputs.json cannot be used: `{` is never closed; add `}`
        "#]],
    );
}

#[test]
fn a_missing_history_is_reported() {
    let workspace = Workspace::new(&LETTER);
    check(
        &workspace,
        &["--rev", "HEAD"],
        expect![[r#"
        --- 2
        promptls: ROOT is not in a git repository
    "#]],
    );
    let without_git = promptls(&["diff", "--rev", "HEAD"]).cwd(workspace.root()).env("PATH", "");
    let output = without_git.run();
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("git cannot be started"), "{output:?}");
    let repository = Repository::new(&workspace);
    check(
        &workspace,
        &["--rev", "HEAD"],
        expect![[r#"
        --- 2
        promptls: this repository has no commit yet
    "#]],
    );
    repository.commit_all();
    workspace.write("a.adk.prompt", "Hello {name}");
    repository.commit_all();

    let clones = Workspace::new(&[]);
    let clone = |name: &str, option: &str| {
        let origin = format!("file://{}", workspace.root().display());
        git(clones.root(), &["clone", "--quiet", option, &origin, name]);
        let output = promptls(&["diff", "--rev", "HEAD~"]).cwd(clones.path(name)).run();
        (output.code, output.stderr)
    };
    let (code, why) = clone("shallow", "--depth=1");
    assert_eq!(code, Some(2));
    assert!(why.contains("git revision `HEAD~`; this is a shallow clone; fetch"), "{why}");
    repository.git(&["config", "uploadpack.allowFilter", "true"]);
    for filter in ["--filter=blob:none", "--filter=tree:0"] {
        let (code, why) = clone(&filter[9..13], filter);
        assert_eq!(code, Some(2), "{filter}: {why}");
        assert!(
            why.contains("this clone does not have all objects of `HEAD~`; fetch them"),
            "{filter}: {why}"
        );
    }
}

#[test]
fn a_nested_repository_has_its_own_history() {
    let workspace = committed(&LETTER);
    workspace.write("inner/i.adk.prompt", "inner");
    git(&workspace.path("inner"), &["init", "--quiet"]);
    check(
        &workspace,
        &["--rev", "HEAD"],
        expect![[r#"
            --- 0
            promptls: warning: inner is a repository of its own, and is left out; name it to compare its prompts
            none of 2 texts sent to a model changed since the last commit
        "#]],
    );
    let output = run(&workspace, &["--rev", "HEAD", ".", "inner"]);
    assert!(output.stderr.contains("inner is in another repository"), "{output:?}");
    let output = run(&workspace, &["--rev", "HEAD", "inner"]);
    assert!(output.stderr.contains("this repository has no commit yet"), "{output:?}");
}

#[test]
fn a_comment_names_files_from_the_root_of_the_repository() {
    let workspace = committed(&[("eu/a.adk.prompt", "Dear {name}\n")]);
    workspace.write("eu/a.adk.prompt", "Hello {name}\n");
    let diff = |arguments: &[&str]| {
        let arguments = [&["diff", "--rev", "main"], arguments].concat();
        promptls(&arguments).cwd(workspace.path("eu")).run().stdout
    };
    let markdown = ["--format", "markdown"];
    assert!(diff(&markdown).contains("| eu/a.adk.prompt |"), "{}", diff(&markdown));
    let relative = diff(&[&markdown[..], &["--relative-to", "."]].concat());
    assert!(relative.contains("| a.adk.prompt |"), "{relative}");
    assert!(diff(&[]).starts_with("a.adk.prompt: changed"), "{}", diff(&[]));
}
