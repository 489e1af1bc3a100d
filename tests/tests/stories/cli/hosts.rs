//! Prompts that are strings in code, and values in configuration.

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};
use serde_json::Value;

const AGENT: &str = r#"from google.adk.agents import LlmAgent

planner = LlmAgent(
    name="planner",
    instruction=f"Plan for {city}: {{task}},\n" "as {mood} as \u0041da.",
)
log.info("nothing {of} this")
"#;

const JAVA: &str = r#"import com.google.adk.agents.LlmAgent;
import com.paragon.prompts.Prompt;

class Agents {
    private static final String RULES = "Answer in {language}.";
    static final LlmAgent ROOT = LlmAgent.builder()
        .name("planner")
        .instruction("""
            Plan for {city}, %d%% \
            as {mood}.
            """.formatted(100))
        .globalInstruction(RULES)
        .build();
    static final Prompt HELLO = Prompt.of("Hello {{#if name}}{{name}}{{/if}}");
}
"#;

const KOTLIN: &str = r#"import com.google.adk.kt.agents.Instruction
import com.google.adk.kt.agents.LlmAgent

val planner = LlmAgent(
    name = "planner",
    instruction = Instruction(
        """
        Plan for {city}, ${'$'}5,
          as {mood}.
        """.trimIndent(),
    ),
)
"#;

const SCRIPT: &str = r#"import {LlmAgent} from '@google/adk';

const RULES = `Answer in {language},
  $5 \`each\`.`;
export const planner = new LlmAgent({
  name: 'planner',
  instruction: 'Plan for {city}, ' + 'as {mood}\u002e',
  globalInstruction: RULES,
});
"#;

const GO: &str = r#"package agents

import "google.golang.org/adk/agent/llmagent"

const rules = "Plan for {city},\n" + `as {mood}.`

func newPlanner() {
	planner, err := llmagent.New(llmagent.Config{Name: "planner", Instruction: rules})
}
"#;

fn run(workspace: &Workspace, arguments: &[&str], expected: Expect) {
    let output = promptls(arguments).cwd(workspace.root()).run();
    expected.assert_eq(&format!("{}{}", output.stdout, output.stderr));
}

#[test]
fn strings_that_a_framework_resolves_are_listed() {
    let workspace = Workspace::new(&[
        ("agents/planner.py", AGENT),
        ("agents/other.py", "instruction = 'Plan for {city}'\n"),
        (
            "config.yaml",
            "name: root\nmodel: m\ninstruction: |\n  Plan for {city}.\ndescription: of {no} use\n",
        ),
        ("requirements.txt", "google-adk==2.9.1\n"),
    ]);
    run(
        &workspace,
        &["prompts"],
        expect![[r#"
            agents/planner.py#planner  adk-python@2.9  google.adk.agents.LlmAgent(instruction)
            config.yaml#root           adk-python@2.9  google.adk AgentConfig
        "#]],
    );
    run(
        &workspace,
        &["prompts", "config.yaml", "--format", "json"],
        expect![[r#"
        [{"file":"config.yaml","name":"root","dialect":"adk","engine":"adk-python@2.9","language":"yaml","why":"google.adk AgentConfig","range":[37,54],"text":"Plan for {city}.\n","map":[[0,17,37,54]],"holes":[]}]
    "#]],
    );
}

#[test]
fn problems_are_located_in_the_string() {
    let workspace = Workspace::new(&[
        ("planner.py", AGENT),
        ("planner.planner.inputs.json", r#"{"task": "a trip", "moood": "gay"}"#),
        ("planner.planer.inputs.json", "{}"),
    ]);
    run(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
        planner.planer.inputs.json:1:1: info [orphan-sidecar] no prompt `planer` in planner.py; did you mean `planner`?
        planner.py:5:54: error [undefined-placeholder] `mood` has no value; did you mean `moood`?
        1 prompt checked: 1 error, 1 info
    "#]],
    );
    run(
        &workspace,
        &["check", "--fix-unsafe", "--format", "concise"],
        expect![[r#"
        planner.planer.inputs.json:1:1: info [orphan-sidecar] no prompt `planer` in planner.py; did you mean `planner`?
        1 file fixed
        1 prompt checked: 1 info
    "#]],
    );
    assert_eq!(workspace.read("planner.py"), AGENT.replace("{mood}", "{moood}"));
}

#[test]
fn a_prompt_is_named_by_its_file_and_its_name() {
    let workspace = Workspace::new(&[
        ("planner.py", &AGENT.replace("{city}", "{{city}}").replace("{{city}}", "{{city?}}")),
        ("planner.planner.inputs.json", r#"{"task": "a trip", "mood": "gay"}"#),
        ("planner.planner.sad.inputs.json", r#"{"task": "a trip", "mood": "sad"}"#),
    ]);
    run(
        &workspace,
        &["resolve", "planner.py#planner"],
        expect![[r#"
        Plan for : a trip,
        as gay as Ada."#]],
    );
    run(
        &workspace,
        &["resolve", "planner.py", "--case", "sad"],
        expect![[r#"
        Plan for : a trip,
        as sad as Ada."#]],
    );
    run(
        &workspace,
        &["resolve", "planner.py#planer"],
        expect![[r#"
        promptls: planner.py has no prompt `planer`, only planner; did you mean `planner`?
    "#]],
    );
}

#[test]
fn a_constant_that_another_file_uses_is_a_prompt_of_its_own_file() {
    let workspace = Workspace::new(&[
        (".git/HEAD", ""),
        (
            "src/app/agent.py",
            "from google.adk.agents import LlmAgent\nfrom app import texts\n\
             from .more import ask\nfrom .more import SAME as PLAN\n\
             a = LlmAgent(name='a', instruction=texts.PLAN.strip())\n\
             b = LlmAgent(name='b', instruction=ask('you'))\n\
             c = LlmAgent(name='c', instruction=PLAN)\n",
        ),
        ("src/app/texts/__init__.py", "from .plan import PLAN\n"),
        ("src/app/texts/plan.py", "PLAN = ' Plan {city} '\nOTHER = 'Not {this}'\n"),
        ("src/app/more.py", "def ask(who):\n    return 'Ask ' + who + ' of {it}'\n"),
        ("src/app/texts/plan.PLAN.inputs.json", r#"{"town": "Rome"}"#),
    ]);
    run(
        &workspace,
        &["prompts"],
        expect![[r#"
            src/app/more.py#ask         adk-python  google.adk.agents.LlmAgent(instruction)
            src/app/texts/plan.py#PLAN  adk-python  google.adk.agents.LlmAgent(instruction)
            1 prompt not read:
              src/app/agent.py:7:36: the text of `instruction` comes from `PLAN`, so it is not checked
        "#]],
    );
    run(
        &workspace,
        &["check", "src/app/texts/plan.py", "--format", "concise"],
        expect![[r#"
        src/app/texts/plan.PLAN.inputs.json:1:2: warning [unused-input] `town` is never read by prompt `PLAN`
        src/app/texts/plan.py:1:16: error [undefined-placeholder] `city` has no value
        1 prompt checked: 1 error, 1 warning
    "#]],
    );
    run(
        &workspace,
        &["resolve", "src/app/texts/plan.py#PLAN"],
        expect![[r#"
        Context variable not found: `city` in agent 'a'.
    "#]],
    );
}

#[test]
fn computed_parts_are_reported_and_may_have_a_value_in_inputs() {
    let workspace = Workspace::new(&[
        ("planner.py", AGENT),
        ("planner.planner.inputs.json", r#"{"task": "a trip", "mood": "gay"}"#),
        ("planner.planner.oslo.inputs.json", r#"{"task": "{x}", "mood": "gay", "=city": "Oslo"}"#),
    ]);
    run(
        &workspace,
        &["resolve", "planner.py"],
        expect![[r#"
        Plan for {city}: a trip,
        as gay as Ada.the program computes `{city}`; an inputs file can set it with the key "=city"
    "#]],
    );
    run(
        &workspace,
        &["resolve", "planner.py", "--case", "oslo"],
        expect![[r#"
        Plan for Oslo: {x},
        as gay as Ada."#]],
    );
    run(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
        1 prompt checked: no problems
    "#]],
    );
}

#[test]
fn a_rule_or_a_mark_makes_a_string_a_prompt() {
    let workspace = Workspace::new(&[
        (
            "promptls.toml",
            "[[prompts]]\nfiles = ['third/**']\nstrings = []\n\n[[prompts]]\nfiles = ['*.py', '*.yaml']\nstrings = ['*_PROMPT', 'ask(question)', 'agents.*.prompt']\ndialect = 'agentle'\n",
        ),
        (
            "a.py",
            "SYSTEM_PROMPT = 'Hi {{name}}'\nask(question='What is {{it}}?')\n# promptls: adk\nother = 'For {city}'\n",
        ),
        ("b.yaml", "agents:\n  one:\n    prompt: Hi {{name}}\n  two: {prompt: 'Bye {{name}}'}\n"),
        ("third/planner.py", AGENT),
    ]);
    run(
        &workspace,
        &["prompts"],
        expect![[r#"
        a.py#SYSTEM_PROMPT        agentle-python  `*_PROMPT` in a rule of promptls.toml
        a.py#prompt               agentle-python  `ask(question)` in a rule of promptls.toml
        a.py#other                adk-python      a mark
        b.yaml#agents.one.prompt  agentle         `agents.*.prompt` in a rule of promptls.toml
        b.yaml#agents.two.prompt  agentle         `agents.*.prompt` in a rule of promptls.toml
    "#]],
    );
}

#[test]
fn init_reports_prompts_that_need_no_rule() {
    let workspace = Workspace::new(&[("planner.py", AGENT)]);
    run(
        &workspace,
        &["init", "--dry-run"],
        expect![[r#"
            Google ADK: 1 prompt in strings of 1 file of python; no rule is needed
              planner.py#planner
            nothing is missing: 1 prompt
        "#]],
    );
}

#[test]
fn code_is_not_formatted() {
    let workspace = Workspace::new(&[("planner.py", &AGENT.replace("{mood}", "{ mood }"))]);
    run(
        &workspace,
        &["fmt", "--check"],
        expect![[r#"
        0 files would change of 1
    "#]],
    );
}

#[test]
fn java_and_kotlin_are_read_like_python() {
    let inputs = r#"{"city": "Rome", "moood": "gay"}"#;
    let workspace = Workspace::new(&[
        ("Agents.java", JAVA),
        ("Agents.planner.inputs.json", inputs),
        ("kotlin/Agents.kt", KOTLIN),
        ("kotlin/Agents.planner.inputs.json", inputs),
    ]);
    run(
        &workspace,
        &["prompts"],
        expect![[r#"
        Agents.java#RULES         adk-java    com.google.adk.agents.LlmAgent.Builder.globalInstruction
        Agents.java#planner       adk-java    com.google.adk.agents.LlmAgent.Builder.instruction
        Agents.java#HELLO         agentle4j   com.paragon.prompts.Prompt.of(template)
        kotlin/Agents.kt#planner  adk-kotlin  com.google.adk.kt.agents.Instruction(text)
    "#]],
    );
    run(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
        Agents.java:5:53: warning [undefined-placeholder] nothing in this app sets `language`
        Agents.java:10:17: error [undefined-placeholder] `mood` has no value; did you mean `moood`?
        kotlin/Agents.kt:9:15: error [undefined-placeholder] `mood` has no value; did you mean `moood`?
        4 prompts checked: 2 errors, 1 warning
    "#]],
    );
    run(
        &workspace,
        &["check", "--fix-unsafe", "--format", "concise"],
        expect![[r#"
        Agents.java:5:53: warning [undefined-placeholder] nothing in this app sets `language`
        2 files fixed
        4 prompts checked: 1 warning
    "#]],
    );
    assert_eq!(workspace.read("Agents.java"), JAVA.replace("{mood}", "{moood}"));
    assert_eq!(workspace.read("kotlin/Agents.kt"), KOTLIN.replace("{mood}", "{moood}"));
    run(
        &workspace,
        &["resolve", "kotlin/Agents.kt"],
        expect![[r#"
        Plan for Rome, $5,
          as gay."#]],
    );
}

/// One constant used by two frameworks has two meanings.
#[test]
fn a_text_used_by_two_dialects_needs_an_explicit_dialect() {
    let agents = "from google.adk.agents import LlmAgent\nfrom agentle.prompts import Prompt\n\
                  PLAN = 'Plan {{city}}'\na = LlmAgent(name='a', instruction=PLAN)\n\
                  b = Prompt.from_text(PLAN)\n";
    let workspace = Workspace::new(&[("agents.py", agents)]);
    run(
        &workspace,
        &["prompts"],
        expect![[r#"
        promptls: no prompts found; a prompt ends in .prompt, or a rule in promptls.toml names it
    "#]],
    );
    run(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
        agents.py:3:8: info [dialect-guessed] Google ADK and Agentle receive this text and read it differently, so it is not checked; choose one with a comment `promptls: adk` before it
        no prompts checked: 1 info
    "#]],
    );
    workspace.write("agents.py", agents.replace("PLAN =", "# promptls: agentle\nPLAN ="));
    run(
        &workspace,
        &["prompts"],
        expect![[r#"
        agents.py#PLAN  agentle-python  a mark
    "#]],
    );
    run(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
        1 prompt checked: no problems
    "#]],
    );
}

/// Files below `src/main` are part of what a project ships.
#[test]
fn inputs_of_shipped_code_are_beside_its_tests() {
    let java = |name: &str| {
        format!(
            "import com.google.adk.agents.LlmAgent;\nclass A {{\n  static final LlmAgent A = \
             LlmAgent.builder().name(\"{name}\").instruction(\"Go to {{city}}\").build();\n}}\n"
        )
    };
    let workspace = Workspace::new(&[
        (".git/HEAD", ""),
        ("app/src/main/java/com/x/A.java", &java("planner")),
        ("app/src/test/prompts/A.planner.inputs.json", r#"{"city": "Rome", "town": "Bonn"}"#),
        ("app/src/test/prompts/A.planer.inputs.json", r#"{"city": "Rome"}"#),
        ("app/src/test/prompts/B.planner.inputs.json", r#"{"city": "Rome"}"#),
        ("lib/src/main/java/com/x/A.java", &java("guide")),
        ("lib/src/main/java/com/y/A.java", &java("other")),
        ("lib/src/main/java/com/x/A.guide.inputs.json", r#"{"city": "Rome"}"#),
        ("lib/src/test/prompts/A.guide.angry.inputs.json", r#"{"town": "Bonn"}"#),
    ]);
    run(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
            app/src/test/prompts/A.planer.inputs.json:1:1: info [orphan-sidecar] no prompt `planer` in A.java; did you mean `planner`?
            app/src/test/prompts/A.planner.inputs.json:1:18: warning [unused-input] `town` is never read by prompt `planner`
            lib/src/main/java/com/x/A.java:3:75: warning [ambiguous-sidecar] A.java and ../y/A.java have the same stem, so they share their inputs files; rename one
            lib/src/main/java/com/x/A.java:3:82: error [undefined-placeholder] `city` has no value
            lib/src/main/java/com/y/A.java:3:75: warning [ambiguous-sidecar] A.java and ../x/A.java have the same stem, so they share their inputs files; rename one
            lib/src/main/java/com/y/A.java:3:82: warning [undefined-placeholder] nothing in this app sets `city`
            lib/src/test/prompts/A.guide.angry.inputs.json:1:2: warning [unused-input] `town` is never read by prompt `guide`
            3 prompts checked: 1 error, 5 warnings, 1 info
        "#]],
    );
    run(
        &workspace,
        &["check", "app/src/test/prompts/A.planner.inputs.json", "--format", "concise"],
        expect![[r#"
            app/src/test/prompts/A.planer.inputs.json:1:1: info [orphan-sidecar] no prompt `planer` in A.java; did you mean `planner`?
            app/src/test/prompts/A.planner.inputs.json:1:18: warning [unused-input] `town` is never read by prompt `planner`
            1 prompt checked: 1 warning, 1 info
        "#]],
    );
    run(&workspace, &["resolve", "app/src/main/java/com/x/A.java"], expect!["Go to Rome"]);
}

#[test]
fn typescript_and_go_are_read_like_python() {
    let inputs = r#"{"city": "Rome", "moood": "gay"}"#;
    let workspace = Workspace::new(&[
        ("agents.ts", SCRIPT),
        ("agents.planner.inputs.json", inputs),
        ("agents.RULES.inputs.json", r#"{"language": "Latin"}"#),
        ("go/agents.go", GO),
        ("go/agents.rules.inputs.json", inputs),
    ]);
    run(
        &workspace,
        &["prompts"],
        expect![[r#"
        agents.ts#RULES     adk-js  @google/adk LlmAgent({globalInstruction})
        agents.ts#planner   adk-js  @google/adk LlmAgent({instruction})
        go/agents.go#rules  adk-go  google.golang.org/adk/agent/llmagent.Config{Instruction}
    "#]],
    );
    run(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
        agents.ts:7:43: error [undefined-placeholder] `mood` has no value; did you mean `moood`?
        go/agents.go:5:43: error [undefined-placeholder] `mood` has no value; did you mean `moood`?
        3 prompts checked: 2 errors
    "#]],
    );
    run(
        &workspace,
        &["check", "--fix-unsafe", "--format", "concise"],
        expect![[r#"
        2 files fixed
        3 prompts checked: no problems
    "#]],
    );
    assert_eq!(workspace.read("agents.ts"), SCRIPT.replace("{mood}", "{moood}"));
    assert_eq!(workspace.read("go/agents.go"), GO.replace("{mood}", "{moood}"));
    run(
        &workspace,
        &["resolve", "agents.ts#RULES"],
        expect![[r#"
        Answer in Latin,
          $5 `each`."#]],
    );
}

/// Modules of scripts import each other by their compiled names; Go files in one folder share their
/// names.
#[test]
fn a_constant_of_another_script_or_go_file_is_a_prompt_of_its_file() {
    let workspace = Workspace::new(&[
        (".git/HEAD", ""),
        (
            "web/agent.ts",
            "import {LlmAgent} from '@google/adk';\nimport {PLAN as P} from './prompts.js';\n\
             import * as texts from './texts';\nnew LlmAgent({name: 'a', instruction: P});\n\
             new LlmAgent({name: 'b', instruction: texts.OTHER});\n",
        ),
        ("web/prompts.ts", "export const PLAN = `Plan {task}`;\nexport const NONE = '{this}';\n"),
        ("web/texts/index.ts", "export const OTHER = 'Do {it}';\n"),
        (
            "v/agent.go",
            "package v\nimport \"google.golang.org/adk/agent/llmagent\"\n\
             var a = llmagent.Config{Instruction: plan}\n",
        ),
        ("v/prompts.go", "package v\nconst plan = `Plan {task}`\nconst none = `{this}`\n"),
    ]);
    run(
        &workspace,
        &["prompts"],
        expect![[r#"
        v/prompts.go#plan         adk-go  google.golang.org/adk/agent/llmagent.Config{Instruction}
        web/prompts.ts#PLAN       adk-js  @google/adk LlmAgent({instruction})
        web/texts/index.ts#OTHER  adk-js  @google/adk LlmAgent({instruction})
    "#]],
    );
}

/// An ambiguous rule for strings is reported.
#[test]
fn an_invalid_entry_for_strings_is_a_problem() {
    let workspace = Workspace::new(&[(
        "promptls.toml",
        "[[prompts]]\nfiles = ['*.py']\nstrings = ['ask(', '*_PROMPT']\n",
    )]);
    run(
        &workspace,
        &["check", "promptls.toml", "--format", "concise"],
        expect![[r#"
            promptls.toml:3:1: error [invalid-config] a rule with `strings` needs `dialect` or `engine`
            promptls.toml:3:12: error [invalid-config] the brackets must contain the name of an argument, or its position: `0`
            1 config checked, 1 file not fully read: 2 errors
        "#]],
    );
}

/// The languages' own parsers agree about the same files, through the program.
#[test]
fn the_program_lists_every_supported_vector() {
    const READ: [(&str, &str); 10] = [
        ("python", "py"),
        ("java", "java"),
        ("kotlin", "kt"),
        ("typescript", "ts"),
        ("javascript", "js"),
        ("go", "go"),
        ("yaml", "yaml"),
        ("json", "json"),
        ("toml", "toml"),
        ("markdown", "md"),
    ];
    let vectors = include_str!("../../../vectors/hosts/reading.jsonl");
    let mut files: Vec<(String, String)> = Vec::new();
    let mut expected: Vec<Value> = Vec::new();
    for (number, line) in vectors.lines().enumerate() {
        let case: Value = serde_json::from_str(line).expect("it is JSON");
        let Some((_, ending)) = READ.iter().find(|(id, _)| case["language"] == *id) else {
            continue;
        };
        let file = format!("{number:03}/host.{ending}");
        files.push((file.clone(), case["source"].as_str().expect("a text").to_owned()));
        for prompt in case["prompts"].as_array().expect("a list") {
            let mut prompt = prompt.clone();
            prompt["file"] = file.clone().into();
            if prompt.get("holes").is_none() {
                prompt["holes"] = Value::Array(Vec::new());
            }
            expected.push(prompt);
        }
    }
    let named: Vec<(&str, &str)> =
        files.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
    let workspace = Workspace::new(&named);
    let output = promptls(&["prompts", "--format", "json"]).cwd(workspace.root()).run();
    let listed: Vec<Value> = serde_json::from_str(&output.stdout).expect("it is JSON");
    let keys = ["file", "name", "dialect", "text", "map", "holes"];
    let shown = |prompt: &Value| keys.map(|key| prompt[key].to_string()).join(" ");
    let is_read = |row: &&Value| row.get("unread").is_none();
    let listed: Vec<String> = listed.iter().filter(is_read).map(shown).collect();
    let expected: Vec<String> = expected.iter().map(shown).collect();
    let lacking: Vec<&String> = expected.iter().filter(|it| !listed.contains(it)).collect();
    let more: Vec<&String> = listed.iter().filter(|it| !expected.contains(it)).collect();
    assert!(lacking.is_empty() && more.is_empty(), "lacking {lacking:#?}\nmore {more:#?}");
    assert!(expected.len() > 100);
}

#[test]
fn a_rule_locates_the_cases_of_each_prompt() {
    let config = "[[prompts]]\nfiles = [\"*.py\"]\nstrings = [\"*_PROMPT\"]\ndialect = \"adk\"\n\
        inputs = [\"cases/{stem}.{prompt}*.json\"]\n";
    let workspace = Workspace::new(&[
        ("promptls.toml", config),
        ("planner.py", "A_PROMPT = 'Plan {task}.'\nB_PROMPT = 'Go to {place}.'\n"),
        ("cases/planner.A_PROMPT.json", "{\"task\": \"a trip\"}"),
        ("cases/planner.B_PROMPT.sea.json", "{\"place\": \"Rimini\"}"),
        ("cases/planner.C_PROMPT.json", "{}"),
    ]);
    let run = |arguments: &[&str]| promptls(arguments).cwd(workspace.root()).run().stdout;
    expect![[r#"
        cases/planner.C_PROMPT.json:1:1: info [orphan-sidecar] no prompt `C_PROMPT` in planner.py; did you mean `A_PROMPT`?
    "#]]
    .assert_eq(&run(&["check", "--format", "concise"]));
    assert_eq!(run(&["resolve", "planner.py#B_PROMPT", "--case", "sea"]), "Go to Rimini.");
    assert_eq!(run(&["resolve", "planner.py#A_PROMPT"]), "Plan a trip.");
}

/// Only in YAML and TOML may a mark stand behind its string.
#[test]
fn marks_without_effect_are_reported() {
    let workspace = Workspace::new(&[
        ("a.py", "A = \"{a}\"  # promptls: adk\nB = f(\n    \"{b}\", \"c\")  # promptls: format\n"),
        ("b.ts", "const C = `\n{c}`; // promptls: adk\n"),
        ("c.py", "# promptls: jinja\nD = \"{d}\"\n"),
        ("d.yaml", "e: \"{e}\" # promptls: jinja\nf: \"{f}\" # promptls: adk\n"),
    ]);
    let run = |arguments: &[&str]| promptls(arguments).cwd(workspace.root()).run();
    expect![[r#"
        d.yaml#f  adk  a mark
    "#]]
    .assert_eq(&run(&["prompts"]).stdout);
    let checked = run(&["check", "--format", "concise"]);
    assert_eq!(checked.code, Some(2));
    expect![[r#"
        a.py:1:12: error [unreadable-file] no string follows this mark, so it has no effect; it belongs on the line above
        a.py:3:18: error [unreadable-file] no string follows this mark, so it has no effect; it belongs on the line above
        b.ts:2:7: error [unreadable-file] no string follows this mark, so it has no effect; it belongs on the line above
        c.py:1:1: error [unreadable-file] there is no dialect `jinja`, so this mark has no effect; the dialects are agentensemble, adk, entaingine, promptpack, agentle, langfuse, format
        d.yaml:1:10: error [unreadable-file] there is no dialect `jinja`, so this mark has no effect; the dialects are agentensemble, adk, entaingine, promptpack, agentle, langfuse, format
    "#]]
    .assert_eq(&checked.stdout);
}

/// Nothing supplies values of a string that only a rule or a mark makes a prompt.
#[test]
fn strings_of_a_rule_without_values_are_reported() {
    let rules =
        "[[prompts]]\nfiles = ['c.yaml', 'd.toml']\nstrings = ['p']\ndialect = 'promptpack'\n";
    let workspace = Workspace::new(&[
        ("promptls.toml", rules),
        ("c.yaml", "p: 'Hi {{x}}'\nq: '{{y}}'\n"),
        ("d.toml", "p = 'Hi {{x}}'\n"),
        ("c.p.inputs.json", "{\"x\": \"you\"}"),
        ("d.p.inputs.json", "{\"x\": \"you\"}"),
        ("m.py", "# promptls: langfuse\nM = 'Hi {{x}}'\n"),
    ]);
    let check = || promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run().stdout;
    expect![[r#"
        m.py:2:6: info [no-inputs] no inputs file: names are not checked
    "#]]
    .assert_eq(&check());
    workspace.remove("c.p.inputs.json");
    workspace.remove("d.p.inputs.json");
    expect![[r#"
        c.yaml:1:5: info [no-inputs] no inputs file: names are not checked
        d.toml:1:6: info [no-inputs] no inputs file: names are not checked
        m.py:2:6: info [no-inputs] no inputs file: names are not checked
    "#]]
    .assert_eq(&check());
}
