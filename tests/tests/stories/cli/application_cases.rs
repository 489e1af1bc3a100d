//! Small applications, each with the output of `check`.

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};

const ADK: (&str, &str) = ("requirements.txt", "google-adk==2.13.0\n");

/// The output for an application that uses ADK.
#[track_caller]
fn check(files: &[(&str, &str)], expected: Expect) {
    check_only(&[files, &[ADK]].concat(), expected);
}

/// The output for an application that has only these files.
#[track_caller]
fn check_only(files: &[(&str, &str)], expected: Expect) {
    let workspace = Workspace::new(files);
    let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
    expected.assert_eq(&output.stdout);
}

#[test]
fn nested_access_to_values_that_code_sets_is_reported() {
    let agent = r#"from google.adk.agents import Agent
def before(callback_context):
    callback_context.state["profile"] = {"name": "Ada"}
a = Agent(name="a", instruction="{profile.name} {profile?.name?} {profile['name']} {profile[name]}")
b = Agent(name="b", instruction="{other['name']} {other.name} {x: [1]} {profile['a b']} {{profile.x}}")
"#;
    check(
        &[("agent.py", agent)],
        expect![[r#"
            agent.py:4:34: warning [malformed-placeholder] `{profile.name}` is sent unchanged: ADK has no nested access
            agent.py:4:49: warning [malformed-placeholder] `{profile?.name?}` is sent unchanged: ADK has no nested access
            agent.py:4:66: warning [malformed-placeholder] `{profile['name']}` is sent unchanged: ADK has no nested access
            agent.py:4:84: warning [malformed-placeholder] `{profile[name]}` is sent unchanged: ADK has no nested access
            agent.py:5:89: warning [malformed-placeholder] `{{profile.x}}` is sent unchanged: ADK has no nested access
        "#]],
    );
}

#[test]
fn a_key_of_the_state_in_quotes_is_a_hint() {
    let agent = r#"from google.adk.agents import Agent
a = Agent(name="a", instruction="Find a city.", output_key="capital_city")
b = Agent(name="b", instruction="Tell about the city in state['capital_city'], state['other'].")
"#;
    check(
        &[("agent.py", agent)],
        expect![[r#"
            agent.py:3:57: hint [malformed-placeholder] `state['capital_city']` is sent unchanged: to insert its value, write `{capital_city}`
        "#]],
    );
}

#[test]
fn an_agent_in_yaml_has_the_engine_of_the_project() {
    let agent = "name: helper\nmodel: m\ninstruction: Deploy to ${PROJECT_ID}.\n";
    check(&[("root_agent.yaml", agent)], expect![""]);
    let workspace = Workspace::new(&[("root_agent.yaml", agent), ADK]);
    let output = promptls(&["config", "--show", "root_agent.yaml"]).cwd(workspace.root()).run();
    assert!(output.stdout.contains("adk-python@2.13"), "{}{}", output.stdout, output.stderr);
}

#[test]
fn a_rule_for_code_adds_settings() {
    let agent = "from google.adk.agents import Agent\n\
        a = Agent(name='a', instruction='Look at {order_id} in a {tone} tone.')\n";
    check(
        &[
            ("agent.py", agent),
            ("promptls.toml", "[[prompts]]\nfiles = ['*.py']\nruntime = ['order_id']\n"),
        ],
        expect![[r#"
            agent.py:2:59: warning [undefined-placeholder] nothing in this app sets `tone`
        "#]],
    );
}

#[test]
fn a_rule_for_code_without_strings_is_reported() {
    let rule = "[[prompts]]\nfiles = ['*.py']\ndialect = 'adk'\n";
    for (code, expected) in [
        ("P = 'Hi {x}'\n", true),
        ("from google.adk.agents import Agent\nAgent(instruction='Hi')\n", false),
        ("# promptls: adk\nP = 'Hi'\n", false),
    ] {
        let workspace = Workspace::new(&[("a.py", code), ("promptls.toml", rule)]);
        let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
        let is_reported =
            output.stdout.contains("promptls.toml:2:9: error [invalid-config] no prompt");
        assert_eq!(
            (is_reported, output.code == Some(0)),
            (expected, !expected),
            "{code}: {output:?}"
        );
    }
}

#[test]
fn names_of_a_constant_that_is_formatted_are_checked() {
    let agent = r#"from google.adk.agents import Agent
TEXT = "You are {who}. Greet {{usr_name}}."
a = Agent(name="a", model="m", instruction=TEXT.format(who="kind"), output_key="user_name")
"#;
    check(
        &[("agent.py", agent)],
        expect![[r#"
            agent.py:2:32: warning [undefined-placeholder] nothing in this app sets `usr_name`; did you mean `user_name`?
        "#]],
    );
}

#[test]
fn named_inputs_are_for_each_prompt_of_a_file() {
    let agents = "from google.adk.agents import Agent\n\
        a = Agent(name='a', instruction='Hi {x}')\n\
        b = Agent(name='b', instruction='Bye {x}')\n";
    let files =
        [("agent.py", agents), ("pyproject.toml", ""), ("values/v.json", "{\"x\": \"Ada\"}")];
    let workspace = Workspace::new(&files);
    for (prompt, text) in [("agent.py#a", "Hi Ada"), ("agent.py#b", "Bye Ada")] {
        let command = ["resolve", prompt, "--inputs", "values/v.json"];
        let output = promptls(&command).cwd(workspace.root()).run();
        assert_eq!(output.stdout, text, "{}", output.stderr);
    }
}

#[test]
fn texts_of_langfuse_are_compared_with_the_call_that_compiles_them() {
    let seed = r#"from langfuse import get_client
lf = get_client()
lf.create_prompt(name="critic", type="text", prompt="A {{level}} critic of {{movie}}.")
p = lf.get_prompt("critic", fallback="A {{level}} critic of {{moive}}.")
print(p.compile(level="kind", movie="Dune"))
"#;
    check_only(
        &[("seed.py", seed), ("requirements.txt", "langfuse==5.0.4\n")],
        expect![[r#"
            seed.py:4:63: warning [undefined-placeholder] the call that passes values to this prompt has no `moive`; did you mean `movie`?
        "#]],
    );
    let workspace = Workspace::new(&[("seed.py", seed)]);
    let output = promptls(&["prompts"]).cwd(workspace.root()).run();
    let names = output.stdout.lines().filter_map(|line| line.split_whitespace().next());
    assert_eq!(names.collect::<Vec<_>>(), ["seed.py#critic", "seed.py#critic-2"]);
}

#[test]
fn references_to_prompts_of_langfuse_are_reported() {
    let text =
        "@@@langfusePrompt:name=base|label=production@@@\n@@@langfusePrompt:nam=base@@@\n{{x}}\n";
    check_only(
        &[("a.langfuse.prompt", text), ("a.langfuse.inputs.json", "{\"x\": \"1\"}")],
        expect![[r#"
            a.langfuse.prompt:1:1: info [prompt-reference] Langfuse inserts its prompt `base` (label production) here when it sends this prompt; the preview shows the reference
            a.langfuse.prompt:2:1: warning [malformed-placeholder] `@@@langfusePrompt:nam=base@@@` is sent unchanged: a reference to a prompt is `@@@langfusePrompt:name=NAME|label=LABEL@@@` or `@@@langfusePrompt:name=NAME|version=NUMBER@@@`
        "#]],
    );
}

/// The engine for JavaScript is not known: it fills in some tags differently.
#[test]
fn texts_that_langfuse_for_javascript_fills_in_differently_are_reported() {
    let sections = "Hi {{user.name}} {{#vip}}gold{{/vip}} {{! note }}{{none}}\n";
    let inputs = r#"{"user": {"name": "Ada"}, "vip": true}"#;
    let javascript = r#"{"dependencies": {"@langfuse/client": "5.11.1"}}"#;
    let files = |text, package, manifest| {
        Workspace::new(&[
            ("a.langfuse.prompt", text),
            ("a.langfuse.inputs.json", inputs),
            (package, manifest),
        ])
    };
    let workspace = files(sections, "package.json", javascript);
    let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
    expect![[r#"
        a.langfuse.prompt:1:4: info [engine-differs] Langfuse for JavaScript (package.json has @langfuse/client 5.11.1) fills in this prompt with Mustache, which promptls does not know exactly; names are not checked, and `{{user.name}}` is shown as Langfuse for Python sends it
    "#]]
    .assert_eq(&output.stdout);
    let reason = "Langfuse for JavaScript (package.json has @langfuse/client 5.11.1)";
    for command in [["resolve", "a.langfuse.prompt"], ["preview", "a.langfuse.prompt"]] {
        let output = promptls(&command).cwd(workspace.root()).run();
        let shown = if command[0] == "resolve" { &output.stderr } else { &output.stdout };
        assert!(shown.contains(reason), "{command:?}: {shown}");
    }
    for (text, package, manifest) in [
        (sections, "requirements.txt", "langfuse==5.0.4\n"),
        ("Hi {{user}} {{ vip }}\n", "package.json", javascript),
    ] {
        let workspace = files(text, package, manifest);
        for command in ["check", "resolve"] {
            let output = promptls(&[command, "a.langfuse.prompt"]).cwd(workspace.root()).run();
            assert!(!output.stdout.contains("JavaScript"), "{manifest}: {}", output.stdout);
            assert!(!output.stderr.contains("JavaScript"), "{manifest}: {}", output.stderr);
        }
    }
}

#[test]
fn a_key_that_only_a_later_agent_of_a_loop_sets_is_a_hint() {
    let agents = r#"from google.adk.agents import Agent, LoopAgent
w = Agent(name="w", model="m", instruction="Write. Mind {feedback}.", output_key="draft")
c = Agent(name="c", model="m", instruction="Judge {draft}.", output_key="feedback")
root_agent = LoopAgent(name="l", sub_agents=[w, c])
"#;
    check(
        &[("agent.py", agents)],
        expect![[r#"
            agent.py:2:58: hint [undefined-placeholder] `feedback` has no value in the first turn of the loop: only a later agent sets it; write `{feedback?}`
        "#]],
    );
    // Other code may set it before the loop.
    for (path, code) in [
        ("other.py", "state['feedback'] = ''\n"),
        ("other.py", "KEY = 'feedback'\n"),
        ("other.py", "start(feedback='')\n"),
        ("state.json", r#"{"feedback": ""}"#),
        ("agent.inputs.json", r#"{"feedback": "x", "draft": "y"}"#),
    ] {
        check(&[("agent.py", agents), (path, code)], expect![""]);
    }
    for (before, after) in [
        ("{feedback}", "{feedback?}"),
        ("[w, c]", "[c, w]"),
        (
            "LoopAgent(name=\"l\", sub",
            "s = Agent(output_key=\"feedback\")\nLoopAgent(name=\"l\", sub",
        ),
        ("LoopAgent(name", "SequentialAgent(name"),
    ] {
        let agents = agents.replace(before, after).replace("{draft}", "it");
        check(&[("agent.py", &agents)], expect![""]);
    }
}

#[test]
fn a_loop_of_agents_in_files_is_followed() {
    let writer = "agent_class: LlmAgent\nname: writer\nmodel: m\n\
        instruction: Write. Mind {feedback}.\noutput_key: draft\n";
    let critic = "agent_class: LlmAgent\nname: critic\nmodel: m\n\
        instruction: Judge {draft}.\noutput_key: feedback\n";
    let root = "agent_class: LoopAgent\nname: root\nsub_agents:\n\
        - config_path: agents/writer.yaml\n- config_path: agents/critic.yaml\n";
    let with_root = |root: &str, more: (&str, &str), expected: Expect| {
        let files = [
            ("root_agent.yaml", root),
            ("agents/writer.yaml", writer),
            ("agents/critic.yaml", critic),
            more,
        ];
        check(&files, expected);
    };
    let none = ("notes.txt", "");
    with_root(
        root,
        none,
        expect![[r#"
            agents/writer.yaml:4:27: hint [undefined-placeholder] `feedback` has no value in the first turn of the loop: only a later agent sets it; write `{feedback?}`
        "#]],
    );
    with_root(&root.replace("Loop", "Sequential"), none, expect![""]);
    with_root(root, ("start.py", "state['feedback'] = ''\n"), expect![""]);
    with_root(root, ("start.yaml", "feedback: none\n"), expect![""]);
}

#[test]
fn the_names_of_a_skill_that_injects_state_are_checked() {
    let agent = r#"from google.adk.agents import Agent
def f(tool_context):
    tool_context.state["temperature_unit"] = "C"
a = Agent(name="a", model="m", tools=[f], instruction="Use skills.")
"#;
    let skill = "---\nname: weather\ndescription: Weather.\nmetadata:\n  adk_inject_state: true\n---\nIn {temprature_unit}, please.\n";
    check(
        &[("agent.py", agent), ("skills/weather/SKILL.md", skill)],
        expect![[r#"
            skills/weather/SKILL.md:7:5: warning [undefined-placeholder] nothing in this app sets `temprature_unit`; did you mean `temperature_unit`?
        "#]],
    );
    let without = skill.replace("true", "false");
    check(&[("agent.py", agent), ("skills/weather/SKILL.md", &without)], expect![""]);
}

/// The prompts of an application, each with its problems.
#[track_caller]
fn prompts(files: &[(&str, &str)], expected: Expect) {
    let workspace = Workspace::new(files);
    let output = promptls(&["prompts"]).cwd(workspace.root()).run();
    let problems = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
    expected.assert_eq(&format!("{}{}", output.stdout, problems.stdout));
}

#[test]
fn agents_under_aliases_are_found() {
    let base = "from google.adk.agents import LlmAgent\n\nclass Mine(LlmAgent):\n    pass\n";
    let agent = r#"from google.adk.agents import llm_agent
from base import LlmAgent, Mine

Agent = llm_agent.LlmAgent

class Writer(llm_agent.LlmAgent):
    instruction: str = "One {topic}"

a = Agent(name="a", model="m", instruction="Two {topic}")
b = LlmAgent(name="b", model="m", instruction="Three {topic}")
c = Mine(name="c", model="m", instruction="Four {topics}", output_key="topic")
"#;
    // It does not name the framework.
    let other =
        "from base import Mine\nd = Mine(name='d', model='m', instruction='Five {topic}')\n";
    prompts(
        &[ADK, ("agent.py", agent), ("base.py", base), ("other.py", other)],
        expect![[r#"
        agent.py#Writer  adk-python@2.13  google.adk.agents.LlmAgent(instruction)
        agent.py#a       adk-python@2.13  google.adk.agents.LlmAgent(instruction)
        agent.py#b       adk-python@2.13  google.adk.agents.LlmAgent(instruction)
        agent.py#c       adk-python@2.13  google.adk.agents.LlmAgent(instruction)
        other.py#d       adk-python@2.13  google.adk.agents.LlmAgent(instruction)
        agent.py:11:50: warning [undefined-placeholder] nothing in this app sets `topics`; did you mean `topic`?
    "#]],
    );
}

#[test]
fn texts_in_objects_lists_and_tags_of_scripts_are_found() {
    let agents = r"import { LlmAgent } from '@google/adk';
import dedent from 'dedent';
import texts, { More } from '@/prompts';
const P = { root: 'Three {topic}' };
const config = { name: 'b', instruction: 'Two {topic}' };
export const a = new LlmAgent({ name: 'a', instruction: dedent`
  One {topic}
` });
export const b = new LlmAgent(config);
export const c = new LlmAgent({ name: 'c', instruction: P.root });
export const d = new LlmAgent({ name: 'd', instruction: ['Four {topic}', 'x'].join('\n') });
export const e = new LlmAgent({ name: 'e', instruction: texts.five });
export const f = new LlmAgent({ name: 'f', instruction: More.Six, outputKey: 'topic' });
";
    let texts = "export default { five: 'Five {topic}' };\nexport * from '../more.js';\n";
    let more = "export enum More { Six = 'Six {topics}' }\n";
    let config = r#"{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}"#;
    let manifest = r#"{"dependencies": {"@google/adk": "2.0.0", "dedent": "1.0.0"}}"#;
    prompts(
        &[
            ("a.ts", agents),
            ("package.json", manifest),
            ("src/more.ts", more),
            ("src/prompts/index.ts", texts),
            ("tsconfig.json", config),
        ],
        expect![[r#"
            a.ts#root                  adk-js@2.0  @google/adk LlmAgent({instruction})
            a.ts#b                     adk-js@2.0  @google/adk LlmAgent({instruction})
            a.ts#a                     adk-js@2.0  @google/adk LlmAgent({instruction})
            a.ts#d                     adk-js@2.0  @google/adk LlmAgent({instruction})
            src/more.ts#Six            adk-js@2.0  @google/adk LlmAgent({instruction})
            src/prompts/index.ts#five  adk-js@2.0  @google/adk LlmAgent({instruction})
            src/more.ts:1:32: warning [undefined-placeholder] nothing in this app sets `topics`; did you mean `topic`?
        "#]],
    );
}

#[test]
fn a_constant_of_another_package_is_found() {
    let main = r#"package main

import (
	"example.com/x/prompts"
	"google.golang.org/adk/agent/llmagent"
)

func main() {
	llmagent.New(llmagent.Config{Name: "a", Instruction: prompts.Root, OutputKey: "topic"})
	llmagent.New(llmagent.Config{Name: "b", Instruction: prompts.All["more"]})
}
"#;
    let texts = "package prompts\n\nconst Root = `Hi {topic}`\n\n\
        var All = map[string]string{\"more\": `Hi {topics}`}\n";
    let module = "module example.com/x\n\nrequire google.golang.org/adk v1.0.0\n";
    prompts(
        &[("go.mod", module), ("main.go", main), ("prompts/p.go", texts)],
        expect![[r#"
            prompts/p.go#Root  adk-go@1.0  google.golang.org/adk/agent/llmagent.Config{Instruction}
            prompts/p.go#more  adk-go@1.0  google.golang.org/adk/agent/llmagent.Config{Instruction}
            prompts/p.go:5:42: warning [undefined-placeholder] nothing in this app sets `topics`; did you mean `topic`?
        "#]],
    );
}

#[test]
fn constants_of_classes_and_enums_are_found() {
    let agents = r#"package com.x;
import com.google.adk.agents.LlmAgent;
class Agents {
    LlmAgent a = LlmAgent.builder().name("a").instruction(Prompts.PLAN.text()).build();
    LlmAgent b = LlmAgent.builder().name("b").instruction(TextsKt.WRITE).build();
    LlmAgent c = make("c", String.join("\n", "Read {topic}.", "Be brief."));
    static LlmAgent make(String name, String text) {
        return LlmAgent.builder().name(name).instruction(text).outputKey("topic").build();
    }
}
"#;
    let constants = "package com.x;\nenum Prompts {\n    PLAN(\"Plan {topic}.\");\n    private final String text;\n    \
        Prompts(String text) { this.text = text; }\n    String text() { return text; }\n}\n";
    let kotlin = "package com.x\n\nconst val WRITE = \"Write about {topics}.\"\n";
    prompts(
        &[
            ("pom.xml", "<project/>"),
            ("src/main/java/com/x/Agents.java", agents),
            ("src/main/java/com/x/Prompts.java", constants),
            ("src/main/java/com/x/Texts.kt", kotlin),
        ],
        expect![[r#"
            src/main/java/com/x/Agents.java#c      adk-java    com.google.adk.agents.LlmAgent.Builder.instruction
            src/main/java/com/x/Prompts.java#PLAN  adk-java    com.google.adk.agents.LlmAgent.Builder.instruction
            src/main/java/com/x/Texts.kt#WRITE     adk-kotlin  com.google.adk.agents.LlmAgent.Builder.instruction
            src/main/java/com/x/Texts.kt:3:33: warning [undefined-placeholder] nothing in this app sets `topics`; did you mean `topic`?
        "#]],
    );
}

#[test]
fn computed_texts_are_counted_and_listed() {
    let agents = "from google.adk.agents import Agent\n\
        a = Agent(name='a', instruction='Hi')\n\
        b = Agent(name='b', instruction=load('b', more=1))\n\
        c = Agent(name='c', instruction=None)\n\
        def make(text):\n    return Agent(name='d', instruction=text)\n";
    let workspace = Workspace::new(&[("agent.py", agents), ADK]);
    let run = |arguments: &[&str]| promptls(arguments).cwd(workspace.root()).run();
    let b = "agent.py:3:33: hint [computed-prompt] the text of `instruction` comes from `load(…)`, so it is not checked\n";
    let d = "agent.py:6:40: hint [computed-prompt] the text of `instruction` comes from `text`, so it is not checked\n";
    let output = run(&["check", "--format", "concise"]);
    assert_eq!((output.code, output.stdout), (Some(0), format!("{b}{d}")));
    assert_eq!(output.stderr, "1 prompt checked, 2 not read: 2 hints\n");
    let output = run(&["check", "--format", "concise", "--strict-found"]);
    assert_eq!(output.code, Some(1));
    assert_eq!(output.stdout, format!("{b}{d}").replace("hint", "error"));
    let report: serde_json::Value =
        serde_json::from_str(&run(&["check", "--format", "json"]).stdout).expect("it is JSON");
    assert_eq!(report["summary"]["computed"], 2);
    for command in [&["check", "--list"][..], &["prompts"]] {
        let output = run(command);
        assert_eq!(output.code, Some(0));
        let listed = "2 prompts not read:\n  agent.py:3:33: the text of `instruction` comes from `load(…)`, so it is not checked\n";
        assert!(output.stderr.contains(listed), "{command:?}: {}", output.stderr);
    }
    // A file without any other prompt is not its own prompt.
    let workspace = Workspace::new(&[(
        "agent.py",
        "from google.adk.agents import Agent\nAgent(instruction=load())\n",
    )]);
    for command in ["resolve", "preview"] {
        let output = promptls(&[command, "agent.py"]).cwd(workspace.root()).run();
        assert_eq!((output.code, output.stdout.as_str()), (Some(2), ""), "{command}");
        assert!(output.stderr.contains("comes from `load()`"), "{}", output.stderr);
    }
}

/// Each prompt needs a value of its own, even if the editor has created inputs for all of them.
#[test]
fn inputs_of_other_prompts_do_not_define_a_name() {
    let agents = "from google.adk.agents import Agent\n\
        a = Agent(name='a', instruction='Judge {verdct}.', output_key='x')\n\
        b = Agent(name='b', instruction='Print {verdct}.')\n";
    for (of_a, of_b, expected) in [
        (None, None, &["2", "3"][..]),
        (Some("<verdct>"), None, &["2", "3"]),
        (Some("<verdct>"), Some("<verdct>"), &["2", "3"]),
        (Some("good"), None, &["3"]),
        (Some("good"), Some("bad"), &[]),
    ] {
        let workspace = Workspace::new(&[("agent.py", agents), ADK]);
        for (prompt, value) in [("a", of_a), ("b", of_b)] {
            let Some(value) = value else { continue };
            let inputs = format!("{{\"verdct\": \"{value}\"}}");
            workspace.write(&format!("agent.{prompt}.inputs.json"), inputs);
        }
        let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
        let reported = output.stdout.lines().filter(|it| it.contains("nothing in this app sets"));
        let lines: Vec<&str> = reported.filter_map(|line| line.split(':').nth(1)).collect();
        assert_eq!(lines, expected, "{of_a:?} {of_b:?}: {}", output.stdout);
    }
}

/// A value that was written for a misspelt name does not make it right.
#[test]
fn generated_sample_values_do_not_define_a_name() {
    let agents = "from google.adk.agents import Agent\n\
        a = Agent(name='a', instruction='Judge {verdct}.')\n\
        b = Agent(name='b', instruction='Hi', output_key='verdict')\n";
    let reported = "nothing in this app sets `verdct`; did you mean `verdict`?";
    for (value, is_reported) in [("<verdct>", true), ("‹verdct›", true), ("good", false)] {
        let inputs = format!("{{\"verdct\": \"{value}\"}}");
        let files = [("agent.py", agents), ("agent.a.inputs.json", inputs.as_str()), ADK];
        let workspace = Workspace::new(&files);
        let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
        assert_eq!(output.stdout.contains(reported), is_reported, "{value}: {}", output.stdout);
        let output = promptls(&["check"]).cwd(workspace.root()).run();
        let reason = "case default has only the sample, which is no value";
        assert_eq!(output.stdout.contains(reason), is_reported, "{value}: {}", output.stdout);
    }
}
