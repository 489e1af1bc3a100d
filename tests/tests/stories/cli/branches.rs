//! Prompts between which a program chooses: each is checked.

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};

const AGENT: &str = r#"from google.adk.agents import LlmAgent
from texts import CHOSEN, pick

PLAN = "Plan {p1}" if short else ("Plan {p2}" if long else None)

def make(kind):
    if kind:
        return "Make {m1}"
    return f"Make {{m2}} {kind}"

root_agent = LlmAgent(name="root", instruction="Hi {r1}" if short else "Bye {r2}")
planner = LlmAgent(name="plan", instruction=PLAN)
maker = LlmAgent(name="make", instruction=make(1))
other = LlmAgent(name="or", instruction=custom or "Or {o}")
chosen = LlmAgent(name="chosen", instruction=CHOSEN)
picked = LlmAgent(name="picked", instruction=pick())
read = LlmAgent(name="read", instruction=open("a.txt").read() if short else load())
"#;

const TEXTS: &str = r#"CHOSEN = "C {c1}" if short else "C {c2}"
def pick():
    if short:
        return "P {p3}"
    elif long:
        return fetch()
    else:
        return "P {p4}"
"#;

fn application() -> Workspace {
    Workspace::new(&[
        ("agent.py", AGENT),
        ("texts.py", TEXTS),
        ("a.txt", "{a}"),
        ("requirements.txt", ""),
    ])
}

#[track_caller]
fn run(workspace: &Workspace, arguments: &[&str], expected: Expect) {
    let output = promptls(arguments).cwd(workspace.root()).run();
    expected.assert_eq(&format!("{}{}", output.stdout, output.stderr));
}

#[test]
fn each_alternative_of_a_conditional_text_is_checked() {
    run(
        &application(),
        &["check", "--format", "concise"],
        expect![[r#"
        a.txt:1:2: warning [undefined-placeholder] nothing in this app sets `a`
        agent.py:4:15: warning [undefined-placeholder] nothing in this app sets `p1`
        agent.py:4:42: warning [undefined-placeholder] nothing in this app sets `p2`
        agent.py:8:23: warning [undefined-placeholder] nothing in this app sets `m1`
        agent.py:9:21: warning [undefined-placeholder] nothing in this app sets `m2`
        agent.py:11:53: warning [undefined-placeholder] nothing in this app sets `r1`
        agent.py:11:78: warning [undefined-placeholder] nothing in this app sets `r2`
        agent.py:14:41: hint [computed-prompt] the text of `instruction` comes from `custom`, so it is not checked
        agent.py:14:56: warning [undefined-placeholder] nothing in this app sets `o`
        agent.py:17:77: hint [computed-prompt] the text of `instruction` comes from `load()`, so it is not checked
        texts.py:1:14: warning [undefined-placeholder] nothing in this app sets `c1`
        texts.py:1:37: warning [undefined-placeholder] nothing in this app sets `c2`
        texts.py:4:20: warning [undefined-placeholder] nothing in this app sets `p3`
        texts.py:6:16: hint [computed-prompt] the text of `pick` comes from `fetch()`, so it is not checked
        texts.py:8:20: warning [undefined-placeholder] nothing in this app sets `p4`
        12 prompts checked, 3 not read: 12 warnings, 3 hints
    "#]],
    );
}

#[test]
fn the_texts_of_other_languages_are_checked() {
    let script = "import { LlmAgent } from '@google/adk';
export const a = new LlmAgent({ name: 'a', instruction: x ? 'A {t1}' : y ? `B {t2}` : 'C {t3}' });
export const b = new LlmAgent({ name: 'b', instruction: options?.prompt ?? 'D {t4}' });
";
    let kotlin = r#"package com.k
import com.google.adk.kt.agents.Instruction
import com.google.adk.kt.agents.LlmAgent
val a = LlmAgent(name = "a", instruction = Instruction(if (x) "A {k1}" else { "B {k2}" }))
val b = LlmAgent(name = "b", instruction = Instruction(custom ?: "C {k3}"))
"#;
    let java = r#"package com.j;
import com.google.adk.agents.LlmAgent;
class J { LlmAgent a = LlmAgent.builder().name("a").instruction(x ? "A {j1}" : "B {j2}").build(); }
"#;
    let workspace = Workspace::new(&[("a.ts", script), ("K.kt", kotlin), ("J.java", java)]);
    run(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
        J.java:3:73: warning [undefined-placeholder] nothing in this app sets `j1`
        J.java:3:84: warning [undefined-placeholder] nothing in this app sets `j2`
        K.kt:4:67: warning [undefined-placeholder] nothing in this app sets `k1`
        K.kt:4:83: warning [undefined-placeholder] nothing in this app sets `k2`
        K.kt:5:56: hint [computed-prompt] the text of `text` comes from `custom`, so it is not checked
        K.kt:5:70: warning [undefined-placeholder] nothing in this app sets `k3`
        a.ts:2:65: warning [undefined-placeholder] nothing in this app sets `t1`
        a.ts:2:80: warning [undefined-placeholder] nothing in this app sets `t2`
        a.ts:2:91: warning [undefined-placeholder] nothing in this app sets `t3`
        a.ts:3:57: hint [computed-prompt] the text of `instruction` comes from `options?.prompt`, so it is not checked
        a.ts:3:80: warning [undefined-placeholder] nothing in this app sets `t4`
        9 prompts checked, 2 not read: 9 warnings, 2 hints
    "#]],
    );
}

#[test]
fn strings_of_a_rule_are_checked_or_listed_as_not_read() {
    let config =
        "[[prompts]]\nfiles = ['*.py']\nstrings = ['*_PROMPT', 'make(0)']\ndialect = 'adk'\n";
    let code = "from texts import NAME\n\
                A_PROMPT = load('x')\n\
                B_PROMPT = 'Hi {a}'\n\
                C_PROMPT = 'x {y}' if z else 'z {w}'\n\
                D_PROMPT = None\n\
                make(foo())\n\
                make(B_PROMPT if x else 'Hey {q}')\n\
                make(NAME)\n";
    let texts = "NAME = 'Hi {name}'\n";
    let workspace =
        Workspace::new(&[("promptls.toml", config), ("a.py", code), ("texts.py", texts)]);
    run(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
        a.py:2:12: hint [computed-prompt] the text of `A_PROMPT` comes from `load(…)`, so it is not checked
        a.py:3:17: warning [undefined-placeholder] nothing in this app sets `a`
        a.py:4:16: warning [undefined-placeholder] nothing in this app sets `y`
        a.py:4:34: warning [undefined-placeholder] nothing in this app sets `w`
        a.py:6:6: hint [computed-prompt] the text of `prompt` comes from `foo()`, so it is not checked
        a.py:7:31: warning [undefined-placeholder] nothing in this app sets `q`
        texts.py:1:13: warning [undefined-placeholder] nothing in this app sets `name`
        5 prompts checked, 2 not read: 5 warnings, 2 hints
    "#]],
    );
}

#[test]
fn a_prompt_can_be_selected_by_its_variable() {
    let workspace = application();
    run(
        &workspace,
        &["resolve", "agent.py#root_agent", "--partial"],
        expect![[r#"
        Hi {r1}Context variable not found: `r1` in agent 'root'.
    "#]],
    );
    run(
        &workspace,
        &["resolve", "agent.py#other", "--partial"],
        expect![[r#"
        Or {o}Context variable not found: `o` in agent 'or'.
    "#]],
    );
    run(
        &workspace,
        &["resolve", "agent.py#nothing"],
        expect![[r#"
        promptls: agent.py has no prompt `nothing`, only plan, plan-2, make, make-2, root, root-2, or
    "#]],
    );
}

#[test]
fn a_preview_of_several_prompts_shows_the_first_and_names_the_others() {
    let workspace = application();
    run(
        &workspace,
        &["preview", "texts.py"],
        expect![[r#"
        the engine would send nothing: Context variable not found: `c1` in agent 'chosen'.

        C {c1}
        ────────────────────────────────────────────────────────────────────────────────
        hint[computed-prompt]: the text of `pick` comes from `fetch()`, so it is not checked
         --> texts.py:6:16
          |
        6 |         return fetch()
          |                ^^^^^^^
        warning[undefined-placeholder]: nothing in this app sets `c1`
         --> texts.py:1:14
          |
        1 | CHOSEN = "C {c1}" if short else "C {c2}"
          |              ^^
        ────────────────────────────────────────────────────────────────────────────────
        2 words, 6 characters, 5 tokens
        promptls: note: this is texts.py#CHOSEN; the others are CHOSEN-2, pick, pick-2
        promptls: note: texts.py has no inputs file; values are read from texts.CHOSEN.inputs.json
    "#]],
    );
    run(
        &workspace,
        &["preview", "."],
        expect![[r#"
        the engine would send nothing: Context variable not found: `a` in agent 'read'.

        {a}
        ────────────────────────────────────────────────────────────────────────────────
        warning[undefined-placeholder]: nothing in this app sets `a`
         --> a.txt:1:2
          |
        1 | {a}
          |  ^
        ────────────────────────────────────────────────────────────────────────────────
        1 word, 3 characters, 3 tokens
        promptls: note: this is a.txt; the others are agent.py#plan, agent.py#plan-2, agent.py#make, agent.py#make-2, agent.py#root, agent.py#root-2, agent.py#or, texts.py#CHOSEN, texts.py#CHOSEN-2, texts.py#pick, texts.py#pick-2
        promptls: note: a.txt has no inputs file; values are read from a.inputs.json
    "#]],
    );
    let nothing = Workspace::new(&[("a.txt", "")]);
    run(
        &nothing,
        &["preview", "."],
        expect![[r#"
        promptls: no prompts found; a prompt ends in .prompt, or a rule in promptls.toml names it
    "#]],
    );
}

#[test]
fn a_preview_notes_an_unknown_version_of_an_engine_as_resolve_does() {
    let workspace = Workspace::new(&[("a.adk.prompt", "Hi")]);
    let note = |command: &str| {
        let arguments = [command, "a.adk.prompt", "--engine", "adk-python@99"];
        let stderr = promptls(&arguments).cwd(workspace.root()).run().stderr;
        stderr.lines().find(|line| line.contains("adk-python@99")).map(str::to_owned)
    };
    assert!(note("resolve").is_some());
    assert_eq!(note("preview"), note("resolve"));
}
