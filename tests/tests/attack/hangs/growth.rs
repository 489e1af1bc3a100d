//! Four times the input takes about four times as long, in cases that were once quadratic.

use std::fmt::Write as _;
use std::time::Duration;

use promptls_tests::{Editor, Workspace};
use serde_json::json;

use super::cost::{processor_time, reads, reads_of};

/// The maximum time factor for four times the input. Quadratic growth would give sixteen.
const MOST: u32 = 9;

/// The minimum time for comparisons; shorter times count as this.
const LEAST: Duration = Duration::from_millis(100);

/// The maximum number of measurements. Other work on the machine adds to a time, and quadratic growth
/// is in each of them.
const TRIES: usize = 3;

/// Checks folders with `small` and four times `small` items; `code` is the expected exit code.
#[track_caller]
fn check(small: usize, code: i32, workspace: impl Fn(usize) -> Workspace) {
    run(&["check"], small, code, workspace);
}

/// The same with other arguments.
#[track_caller]
fn run(arguments: &[&str], small: usize, code: i32, workspace: impl Fn(usize) -> Workspace) {
    let time = |count| processor_time(workspace(count).root(), arguments, code).max(LEAST);
    let mut times = Vec::new();
    let is_near = (0..TRIES).any(|_| {
        let (one, four) = (time(small), time(4 * small));
        times.push((one, four));
        four < one * MOST
    });
    assert!(is_near, "{small} and {}: {times:?}", 4 * small);
}

/// This many names of nine letters, none of which is similar to another.
fn names(start: char, count: usize) -> impl Iterator<Item = String> {
    let letter = |digit: usize| char::from(b'a' + (digit % 26) as u8);
    (0..count).map(move |number| {
        let digits = [number, number / 26, number / 676].map(letter);
        let [one, two, three] = digits;
        format!("{start}{one}{one}{two}{two}{three}{three}{one}{three}")
    })
}

/// An application that sets this many names in its state, and has an agent for each of as many
/// others.
fn agents(count: usize, in_one_file: bool) -> Workspace {
    let workspace = Workspace::new(&[("pyproject.toml", "")]);
    let mut tools = "def f(context):\n".to_owned();
    for name in names('s', count) {
        let _ = writeln!(tools, "  context.state['{name}'] = 1");
    }
    workspace.write("tools.py", &tools);
    let import = "from google.adk.agents import Agent\n";
    let mut all = import.to_owned();
    for (number, name) in names('u', count).enumerate() {
        let agent = format!("a{number} = Agent(name='a', instruction='Do {{{name}}}')\n");
        match in_one_file {
            true => all.push_str(&agent),
            false => workspace.write(&format!("a{number}.py"), &format!("{import}{agent}")),
        }
    }
    if in_one_file {
        workspace.write("agents.py", &all);
    }
    workspace
}

#[test]
fn many_undefined_names_are_checked_against_many_state_keys() {
    check(300, 0, |count| agents(count, true));
    check(150, 0, |count| agents(count, false));
}

#[test]
fn many_variables_as_keys_are_resolved() {
    check(1_000, 0, |count| {
        let mut code = "from google.adk.agents import Agent\ndef f(context):\n".to_owned();
        for name in names('s', count) {
            let _ = writeln!(code, "  context.state[{name}] = 1");
        }
        for name in names('s', count) {
            let _ = writeln!(code, "{name} = {{'k{name}': 1}}");
        }
        code.push_str("a = Agent(name='a', instruction='Do {this}')\n");
        Workspace::new(&[("pyproject.toml", ""), ("agent.py", &code)])
    });
}

#[test]
fn many_ignores_of_files_are_applied() {
    check(300, 1, |count| {
        let workspace = Workspace::new(&[]);
        let mut config = String::new();
        for number in 0..count {
            workspace.write(&format!("p{number}.adk.prompt"), "{x}{y}");
            workspace.write(&format!("p{number}.adk.inputs.json"), "{}");
            let ignore = format!("[[ignore]]\nfiles = ['p{number}.adk.prompt']\nnames = ['x']\n");
            config.push_str(&ignore);
        }
        workspace.write("promptls.toml", &config);
        workspace
    });
}

#[test]
fn many_sidecars_with_the_same_prefix_are_matched() {
    check(1_000, 0, |count| {
        // The prompt has another stem, so each of them is looked for among all names.
        let workspace = Workspace::new(&[("a.adk.prompt", "Hello")]);
        for number in 0..count {
            workspace.write(&format!("a.c{number}.inputs.json"), "{}");
        }
        workspace
    });
}

/// An agent in each of this many nested folders, without a common repository or config.
fn nested(count: usize) -> Workspace {
    let workspace = Workspace::new(&[]);
    let agent = "from google.adk.agents import Agent\na = Agent(name='a', instruction='Do {x}')\n";
    for depth in 1..=count {
        workspace.write(&format!("{}a.py", "d/".repeat(depth)), agent);
    }
    workspace
}

#[test]
fn code_in_nested_folders_is_read_a_few_times() {
    let reads = |count| reads(nested(count).root(), &["check"], 0);
    let (one, four) = (reads(30), reads(120));
    assert!(four <= 5 * one, "{one}, {four}");
}

#[test]
fn nested_workspace_folders_are_read_a_few_times() {
    let reads = |count: usize| {
        let mut editor = Editor::start(nested(count));
        editor.ignore_problems();
        let depths = 1..=count;
        let folders = depths.map(|depth| {
            let path = vec!["d"; depth].join("/");
            json!({ "uri": editor.workspace().uri(&path), "name": path })
        });
        let event = json!({ "added": folders.collect::<Vec<_>>(), "removed": [] });
        editor.notify("workspace/didChangeWorkspaceFolders", json!({ "event": event }));
        editor.open_file(&format!("{}a.py", "d/".repeat(count)));
        editor.request("workspace/diagnostic", json!({ "previousResultIds": [] }));
        editor.request("workspace/symbol", json!({ "query": "a" }));
        let reads = reads_of(editor.server_id());
        editor.close();
        reads
    };
    let (one, four) = (reads(30), reads(120));
    assert!(four <= 5 * one, "{one}, {four}");
}

/// Fixes a prompt with `small` and four times `small` problems; `inputs` and `prompt` are names of
/// files with their texts.
#[track_caller]
fn fix(small: usize, code: i32, inputs: (&str, &str), prompt: (&str, impl Fn(usize) -> String)) {
    let workspace = |count| Workspace::new(&[inputs, (prompt.0, &*prompt.1(count))]);
    run(&["check", "--fix-unsafe"], small, code, workspace);
}

#[test]
fn misspelt_names_are_fixed_together() {
    let inputs = ("a.adk.inputs.json", "{\"customer\": 1}");
    fix(500, 0, inputs, ("a.adk.prompt", |count| "{custmer}\n".repeat(count)));
    run(&["check", "--fix-unsafe"], 150, 0, |count| {
        let inputs: String = names('s', count).map(|name| format!("{name}: 1\n")).collect();
        let misspelt = names('s', count).map(|name| format!("{{{}{}}}\n", &name[..4], &name[5..]));
        let prompt: String = misspelt.collect();
        Workspace::new(&[("a.adk.inputs.yaml", &*inputs), ("a.adk.prompt", &*prompt)])
    });
}

#[test]
fn block_tags_without_a_partner_are_fixed_together() {
    let inputs = ("a.agentle.inputs.json", "{\"x\": 1}");
    fix(1_000, 0, inputs, ("a.agentle.prompt", |count| "{{/if}}\n".repeat(count)));
    // This many nested blocks are a separate error.
    fix(250, 1, inputs, ("a.agentle.prompt", |count| "{{#if x}}a\n".repeat(count)));
}

#[test]
fn unused_keys_are_removed_together() {
    let workspace = |file, text: String| Workspace::new(&[(file, &*text), ("a.adk.prompt", "{x}")]);
    run(&["check", "--fix-unsafe"], 500, 0, |count| {
        let keys: String = names('u', count).map(|name| format!("  \"{name}\": 1,\n")).collect();
        workspace("a.adk.inputs.json", format!("{{\n{keys}  \"x\": 1\n}}\n"))
    });
    run(&["check", "--fix-unsafe"], 500, 0, |count| {
        let keys: String = names('u', count).map(|name| format!("{name}: 1\n")).collect();
        workspace("a.adk.inputs.yaml", format!("{keys}x: 1\n"))
    });
}

#[test]
fn prompts_of_one_file_are_fixed_together() {
    let import = "from google.adk.agents import Agent\n";
    run(&["check", "--fix-unsafe"], 100, 0, |count| {
        let agent = |number| format!("a{number} = Agent(name='a', instruction='Do {{custmer}}')\n");
        let agents: String = (0..count).map(agent).collect();
        Workspace::new(&[
            ("pyproject.toml", ""),
            ("a.inputs.json", "{\"customer\": 1}\n"),
            ("a.py", &*format!("{import}{agents}")),
        ])
    });
}

/// As many source files as strings that rules name; `config` writes the rules for the names.
fn named_strings(count: usize, config: impl Fn(&[String]) -> String) -> Workspace {
    let workspace = Workspace::new(&[]);
    let names: Vec<String> = (0..count).map(|number| format!("N{number}")).collect();
    workspace.write("promptls.toml", &config(&names));
    for name in &names {
        workspace.write(&format!("{name}.py"), &format!("{name} = 'Hi {{x}}'\n"));
    }
    workspace
}

#[test]
fn many_named_strings_are_searched_in_many_files() {
    check(100, 0, |count| {
        named_strings(count, |names| {
            format!("[[prompts]]\nfiles = ['*.py']\ndialect = 'adk'\nstrings = {names:?}\n")
        })
    });
    let rule = |name: &String| {
        format!("[[prompts]]\nfiles = ['*.py']\ndialect = 'adk'\nstrings = ['{name}']\n")
    };
    check(100, 0, |count| named_strings(count, |names| names.iter().map(rule).collect()));
}

#[test]
fn a_long_config_is_listed() {
    run(&["config"], 500, 0, |count| {
        let rules = (0..count).map(|number| format!("[[prompts]]\nfiles = ['f{number}.txt']\n"));
        Workspace::new(&[("promptls.toml", &rules.collect::<String>())])
    });
}

#[test]
fn text_files_that_one_file_compiles_are_checked_together() {
    check(200, 0, |count| {
        let call = |number| {
            format!(
                "def f{number}(): return Prompt.from_text(Path('t{number}.txt').read_text())\
                 .compile(a=1)\n"
            )
        };
        let calls: String = (0..count).map(call).collect();
        let code = format!("from pathlib import Path\nfrom agentle.prompts import Prompt\n{calls}");
        let workspace = Workspace::new(&[("pyproject.toml", ""), ("code.py", &code)]);
        (0..count).for_each(|number| workspace.write(&format!("t{number}.txt"), "Hi {{a}}\n"));
        workspace
    });
}

#[test]
fn objects_that_another_file_compiles_are_checked_together() {
    check(250, 0, |count| {
        let prompt =
            |number| format!("static final Prompt A{number} = Prompt.of(\"{{{{a}}}}\");\n");
        let call = |number| format!("P.A{number}.compile(\"a\", 1);\n");
        let (prompts, calls): (String, String) =
            ((0..count).map(prompt).collect(), (0..count).map(call).collect());
        let import = "import com.paragon.prompts.Prompt;\n";
        let prompts = format!("{import}class P {{\n{prompts}}}\n");
        let calls = format!("{import}class C {{ void f() {{\n{calls}}} }}\n");
        Workspace::new(&[("pom.xml", "<project/>"), ("P.java", &*prompts), ("C.java", &*calls)])
    });
}

#[test]
fn constants_of_another_file_of_a_package_are_checked_together() {
    check(100, 0, |count| {
        let workspace = Workspace::new(&[("go.mod", "module x\n")]);
        let constant = |number| format!("const T{number} = \"Hi {{a?}}\"\n");
        let constants: String = (0..count).map(constant).collect();
        workspace.write("all.go", &format!("package x\n{constants}"));
        workspace.write("x/All.kt", &format!("package x\nobject All {{\n{constants}}}\n"));
        for number in 0..count {
            let go = format!("llmagent.New(llmagent.Config{{Instruction: T{number}}})");
            let import = "import \"google.golang.org/adk/agent/llmagent\"";
            workspace.write(
                &format!("a{number}.go"),
                &format!("package x\n{import}\nvar a{number}, _ = {go}\n"),
            );
            let kotlin = format!("LlmAgent.builder().instruction(All.T{number}).build()");
            let import = "import com.google.adk.agents.LlmAgent";
            workspace.write(
                &format!("x/A{number}.kt"),
                &format!("package x\n{import}\nval a{number} = {kotlin}\n"),
            );
        }
        workspace
    });
}

#[test]
fn factories_that_other_files_call_are_checked_together() {
    check(100, 0, |count| {
        let workspace = Workspace::new(&[("pyproject.toml", "")]);
        let make = |number| {
            format!("def make{number}(name, text): return LlmAgent(name=name, instruction=text)\n")
        };
        let all: String = (0..count).map(make).collect();
        let import = "from google.adk.agents import LlmAgent\n";
        workspace.write("factories.py", &format!("{import}{all}"));
        for number in 0..count {
            workspace.write(
                &format!("a{number}.py"),
                &format!(
                    "from factories import make{number}\na = make{number}('a', 'Hi {{a?}}')\n"
                ),
            );
        }
        workspace
    });
}
