//! `promptls convert`: files that are written, errors, and dry runs.

use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};
use promptls_tests::{Output, Workspace, promptls};

/// Converts; returns the output, and the contents of each new or changed file.
#[track_caller]
fn check(files: &[(&str, &str)], arguments: &[&str], expected: Expect) {
    let workspace = Workspace::new(files);
    let output = promptls(&[&["convert"], arguments].concat()).cwd(workspace.root()).run();
    let Output { code, stdout, stderr } = output;
    let code = code.expect("it ended by itself");
    let mut shown = format!("{stdout}--- {code}\n{stderr}");
    for path in paths_below(workspace.root(), "") {
        let text = workspace.read(&path);
        if !files.contains(&(&path, &text)) {
            shown.push_str(&format!("--- {path}\n{}\n", text.trim_end()));
        }
    }
    expected.assert_eq(&shown.replace('\r', ""));
}

/// All files of a folder, sorted.
fn paths_below(folder: &Path, before: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there").flatten() {
        let name = format!("{before}{}", entry.file_name().display());
        match entry.path().is_dir() {
            true => paths.extend(paths_below(&entry.path(), &format!("{name}/"))),
            false => paths.push(name),
        }
    }
    paths.sort();
    paths
}

const SUPPORT: &[(&str, &str)] = &[
    ("support.adk.prompt", "Dear {user:name},\nyou wrote: {text} {note?}\n"),
    (
        "support.adk.inputs.json",
        "{\n  // who wrote\n  \"user:name\": \"Ada\",\n  \"text\": \"Hi\"\n}\n",
    ),
    (
        "support.adk.angry.inputs.yaml",
        "user:name: Grace\ntext: {$file: text.md} # long\nnote: so\n",
    ),
    ("text.md", "NO"),
];

#[test]
fn a_converted_prompt_has_its_own_files() {
    check(
        SUPPORT,
        &["support.adk.prompt", "--to", "agentensemble"],
        expect![[r#"
        --- 0
        written: support.agentensemble.prompt, support.agentensemble.inputs.json, support.agentensemble.angry.inputs.yaml
        note: `user:name` is renamed to `user_name`
        the same is sent in all of its 2 cases
        --- support.agentensemble.angry.inputs.yaml
        user_name: Grace
        text: {$file: text.md} # long
        note: so
        --- support.agentensemble.inputs.json
        {
          // who wrote
          "user_name": "Ada",
          "text": "Hi",
          "note": ""
        }
        --- support.agentensemble.prompt
        Dear {user_name},
        you wrote: {text} {note}
    "#]],
    );
}

#[test]
fn file_values_are_rebased_to_another_folder() {
    let mut files = SUPPORT.to_vec();
    files.push(("new/x.txt", ""));
    check(
        &files,
        &["support.adk.prompt", "--to", "agentle", "-o", "new/help.agentle.prompt"],
        expect![[r#"
            --- 0
            written: new/help.agentle.prompt, new/help.agentle.inputs.json, new/help.agentle.angry.inputs.yaml
            the same is sent in all of its 2 cases
            --- new/help.agentle.angry.inputs.yaml
            user:name: Grace
            text: {"$file": "../text.md"} # long
            note: so
            --- new/help.agentle.inputs.json
            {
              // who wrote
              "user:name": "Ada",
              "text": "Hi",
              "note": ""
            }
            --- new/help.agentle.prompt
            Dear {{user:name}},
            you wrote: {{text}} {{note}}
        "#]],
    );
}

#[test]
fn a_diff_of_the_conversion_can_be_shown() {
    check(
        &SUPPORT[..2],
        &["support.adk.prompt", "--to", "langfuse", "--diff"],
        expect![[r#"
        --- a/support.adk.prompt
        +++ b/support.langfuse.prompt
        @@ -1,2 +1,2 @@
        -Dear {user:name},
        -you wrote: {text} {note?}
        +Dear {{user:name}},
        +you wrote: {{text}} {{note}}
        --- a/support.adk.inputs.json
        +++ b/support.langfuse.inputs.json
        @@ -1,5 +1,6 @@
         {
           // who wrote
           "user:name": "Ada",
        -  "text": "Hi"
        +  "text": "Hi",
        +  "note": ""
         }
        --- 0
        the same is sent in its case
    "#]],
    );
}

/// The file of a prompt in code stays, so the diff has nothing else of it.
#[test]
fn a_diff_of_a_prompt_in_code_is_one_of_its_text() {
    let code = "from google.adk.agents import LlmAgent\n\nTEXT = \"Go to {city}.\\n\"\n\
                a = LlmAgent(name=\"guide\", instruction=TEXT)\n";
    check(
        &[("agent.py", code)],
        &["agent.py#TEXT", "--to", "agentle", "--diff"],
        expect![[r#"
            --- a/agent.py
            +++ b/TEXT.agentle.prompt
            @@ -1 +1 @@
            -Go to {city}.
            +Go to {{city}}.
            --- 0
            the same is sent with names as values
        "#]],
    );
}

#[test]
fn nothing_is_written_if_the_resolved_text_would_change() {
    let files = [
        ("list.adk.prompt", "These: {items}\n"),
        ("list.adk.inputs.json", r#"{"items": ["a", "b"]}"#),
    ];
    check(
        &files,
        &["list.adk.prompt", "--to", "promptpack"],
        expect![[r#"
        --- 1
        promptls: list.adk.prompt: in case `default`, a different text would be sent
          These: [[-a, b-]{+"a","b"+}]
        promptls: nothing is written; --force writes it anyway
    "#]],
    );
    check(
        &files,
        &["list.adk.prompt", "--to", "promptpack", "--force"],
        expect![[r#"
        --- 0
        promptls: list.adk.prompt: in case `default`, a different text would be sent
          These: [[-a, b-]{+"a","b"+}]
        written: list.promptpack.prompt, list.promptpack.inputs.json
        --- list.promptpack.inputs.json
        {"items": ["a", "b"]}
        --- list.promptpack.prompt
        These: {{items}}
    "#]],
    );
    check(
        &files,
        &["list.adk.prompt", "--to", "agentensemble"],
        expect![[r#"
        --- 1
        promptls: list.adk.prompt: in case `default`, a different text would be sent
          before: a text
          then: the engine fails: Inputs must be strings, these are lists or objects: [items]
        promptls: nothing is written; --force writes it anyway
    "#]],
    );
}

#[test]
fn syntax_without_an_equivalent_is_reported_with_its_location() {
    check(
        &[("vip.agentle.prompt", "Hi\n{{#if vip}}dear{{/if}} {x}\n")],
        &["vip.agentle.prompt", "--to", "adk"],
        expect![[r#"
            --- 1
            promptls: vip.agentle.prompt:2:1: Google ADK cannot express a condition
            promptls: nothing is written
        "#]],
    );
}

#[test]
fn the_target_engine_determines_names_and_the_comparison() {
    let files = [
        ("a.langfuse.prompt", "{{größe}} {{name}}"),
        ("a.langfuse.inputs.json", r#"{"größe": "1", "name": "Ada"}"#),
    ];
    check(
        &files,
        &["a.langfuse.prompt", "--to", "adk/adk-js", "--diff"],
        expect![[r#"
        --- a/a.langfuse.prompt
        +++ b/a.adk.prompt
        @@ -1 +1 @@
        -{{größe}} {{name}}
        \ No newline at end of file
        +{gr_e} {name}
        \ No newline at end of file
        --- a/a.langfuse.inputs.json
        +++ b/a.adk.inputs.json
        @@ -1 +1 @@
        -{"größe": "1", "name": "Ada"}
        \ No newline at end of file
        +{"gr_e": "1", "name": "Ada"}
        \ No newline at end of file
        --- 0
        note: `größe` is renamed to `gr_e`
        the same is sent in its case
        note: it was compared for adk-js; to use that engine everywhere, add `engine = "adk-js"` to its rule in promptls.toml
    "#]],
    );
    check(
        &files,
        &["a.langfuse.prompt", "--to", "adk"],
        expect![[r#"
        --- 0
        written: a.adk.prompt, a.adk.inputs.json
        the same is sent in its case
        --- a.adk.inputs.json
        {"größe": "1", "name": "Ada"}
        --- a.adk.prompt
        {größe} {name}
    "#]],
    );
}

#[test]
fn standard_input_becomes_standard_output() {
    let run = |text: &str| {
        let arguments = ["convert", "-", "--dialect", "langfuse", "--to", "adk"];
        let Output { code, stdout, stderr } = promptls(&arguments).stdin(text).run();
        format!("{code:?} {stdout}{stderr}")
    };
    expect![[r#"
        Some(0) Hi {the_name}!
    "#]]
    .assert_eq(&run("Hi {{the name}}!\n"));
    expect![[r#"
        Some(1) promptls: <stdin>:1:4: Google ADK would interpret `{name}`, and cannot send it unchanged
        promptls: nothing is written
    "#]].assert_eq(&run("Hi {name}!\n"));
}

#[test]
fn existing_files_are_not_overwritten() {
    let mut files = SUPPORT[..2].to_vec();
    files.push(("support.langfuse.inputs.json", "{}"));
    let to = ["support.adk.prompt", "--to", "langfuse"];
    check(
        &files,
        &to,
        expect![[r#"
        --- 2
        promptls: support.langfuse.inputs.json already exists; overwrite it with --force, or choose another name with -o
    "#]],
    );
    check(
        &files,
        &[&to[..], &["--force"]].concat(),
        expect![[r#"
        --- 0
        written: support.langfuse.prompt, support.langfuse.inputs.json
        the same is sent in its case
        --- support.langfuse.inputs.json
        {
          // who wrote
          "user:name": "Ada",
          "text": "Hi",
          "note": ""
        }
        --- support.langfuse.prompt
        Dear {{user:name}},
        you wrote: {{text}} {{note}}
    "#]],
    );
}

#[test]
fn a_prompt_may_be_converted_in_place() {
    let rule = "[[prompts]]\nfiles = ['*.txt']\n";
    let files = [
        ("promptls.toml", rule),
        ("a.txt", "Hi {user:name}"),
        ("a.inputs.json", r#"{"user:name": "Ada"}"#),
    ];
    let to = ["a.txt", "--dialect", "adk", "--to", "agentensemble", "-o", "a.txt"];
    check(
        &files,
        &to,
        expect![[r#"
        --- 2
        promptls: a.txt, a.inputs.json already exists; overwrite it with --force, or choose another name with -o
    "#]],
    );
    check(
        &files,
        &[&to[..], &["--force"]].concat(),
        expect![[r#"
        --- 0
        written: a.txt, a.inputs.json
        note: `user:name` is renamed to `user_name`
        the same is sent in its case
        --- a.inputs.json
        {"user_name": "Ada"}
        --- a.txt
        Hi {user_name}
    "#]],
    );
}

#[test]
fn prompts_of_packs_become_files() {
    let pack = r#"{"prompts": {"greet": {"system_template": "{{fragments.hi}} {{user.name}} of {{team}}",
        "variables": [{"name": "team", "default": "us"}]}}, "fragments": {"hi": "Hello"}}"#;
    let files = [("x.pack.json", pack), ("x.pack.inputs.json", r#"{"user": {"name": "Ada"}}"#)];
    check(
        &files,
        &["x.pack.json", "--to", "adk"],
        expect![[r#"
        --- 0
        written: greet.adk.prompt, greet.adk.inputs.json
        note: `user.name` is renamed to `user_name`
        the same is sent in its case
        --- greet.adk.inputs.json
        {"user_name": "Ada", "team": "us"}
        --- greet.adk.prompt
        Hello {user_name} of {team}
    "#]],
    );
    check(
        &files,
        &["x.pack.json", "--to", "promptpack"],
        expect![[r#"
        --- 0
        written: greet.promptpack.prompt, greet.promptpack.inputs.json
        the same is sent in its case
        --- greet.promptpack.inputs.json
        {"user": {"name": "Ada"}, "team": "us"}
        --- greet.promptpack.prompt
        Hello {{user.name}} of {{team}}
    "#]],
    );
}

#[test]
fn shared_inputs_of_rules_are_not_written_twice() {
    let rule = "[[prompts]]\nfiles = ['p/*.prompt']\ninputs = ['state.json']\n";
    let files = [
        ("promptls.toml", rule),
        ("state.json", r#"{"name": "Ada"}"#),
        ("p/a.adk.prompt", "Hi {name}"),
        ("p/b.adk.prompt", "Hi {name?} {app:x?}"),
    ];
    check(
        &files,
        &["p/a.adk.prompt", "--to", "agentle"],
        expect![[r#"
        --- 0
        written: p/a.agentle.prompt
        the same is sent in its case
        --- p/a.agentle.prompt
        Hi {{name}}
    "#]],
    );
    check(
        &files,
        &["p/b.adk.prompt", "--to", "agentle"],
        expect![[r#"
        --- 2
        promptls: b.agentle.prompt would use other inputs or variables than these, from a rule of promptls.toml or from existing files; choose another path with -o
    "#]],
    );
}

#[test]
fn invalid_arguments_are_reported() {
    let files = &SUPPORT[..2];
    check(
        files,
        &["support.adk.prompt", "--to", "agentl"],
        expect![[r#"
        --- 2
        error: invalid value 'agentl' for '--to <DIALECT[/ENGINE]>': unknown dialect `agentl`; known: agentensemble, adk, entaingine, promptpack, agentle, langfuse, format; did you mean `agentle`?

        For more information, try '--help'.
    "#]],
    );
    check(
        files,
        &["support.adk.prompt", "--to", "adk/promptkit-go"],
        expect![[r#"
        --- 2
        error: invalid value 'adk/promptkit-go' for '--to <DIALECT[/ENGINE]>': `promptkit-go` is an engine of promptpack, not of adk

        For more information, try '--help'.
    "#]],
    );
    check(
        files,
        &["support.adk.prompt", "--to", "agentle", "-o", "x.adk.prompt"],
        expect![[r#"
        --- 2
        promptls: x.adk.prompt would be read as adk; choose another name
    "#]],
    );
    check(
        files,
        &["support.adk.prompt", "--to", "adk"],
        expect![[r#"
        --- 0
        the same is sent in its case
        nothing is written: it already has that dialect
    "#]],
    );
    check(
        &[("a.adk.prompt", "{x}"), ("a.adk.inputs.json", "{")],
        &["a.adk.prompt", "--to", "agentle"],
        expect![[r#"
            --- 2
            promptls: a.adk.inputs.json cannot be read; fix it first
        "#]],
    );
}

#[test]
fn a_computed_text_is_not_converted() {
    let agent = "from google.adk.agents import LlmAgent\n\
        def f(shop): return LlmAgent(name='a', instruction=f'Hi {shop},\\n{{x}}')\n";
    check(
        &[("agent.py", agent)],
        &["agent.py", "--to", "agentle"],
        expect![[r#"
        --- 1
        promptls: agent.py:2:57: only the program has the text of `{shop}`
        promptls: nothing is written
    "#]],
    );
}

#[test]
fn a_constant_of_another_file_is_converted_with_its_prompt() {
    let agent = "from google.adk.agents import LlmAgent\nfrom texts import SHOP\n\
        a = LlmAgent(name='a', instruction=f'Hi {SHOP}, {{x?}}')\n";
    check(
        &[("agent.py", agent), ("texts.py", "SHOP = 'the {corner}'\n"), ("pyproject.toml", "")],
        &["agent.py", "--to", "agentle"],
        expect![[r#"
            --- 0
            written: a.agentle.prompt, a.agentle.inputs.json
            the same is sent with names as values
            --- a.agentle.inputs.json
            {
              "x": ""
            }
            --- a.agentle.prompt
            Hi the {{corner}}, {{x}}
        "#]],
    );
}
