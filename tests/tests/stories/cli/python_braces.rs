//! Prompts of LangChain, LlamaIndex and CrewAI, in Python's braces.

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};

const CHAT: &str = r#"from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder, PromptTemplate

SUMMARY = PromptTemplate(template="Summarise {text}.", template_format="f-string")
OTHER = PromptTemplate.from_template("Hi {{ name }}", template_format="jinja2")
prompt = ChatPromptTemplate.from_messages([
    ("system", "You are {role}. Answer as {format}."),
    MessagesPlaceholder("history"),
    ("human", "{qeustion}"),
]).partial(format="JSON")
"#;

const AGENTS: &str = "researcher:
  role: >
    {topic} researcher
  goal: Find {topic}
  backstory: Nothing to fill in.
";

const TASKS: &str = "research:
  description: >
    Study {topic} in {yaer}.
  expected_output: 'A list: {\"a\": 1}'
  agent: researcher
";

const CREW: &str = r#"from crewai import Agent, Crew, Task

class Research:
    def writer(self) -> Agent:
        return Agent(config=self.agents_config["researcher"])

    def review(self) -> Task:
        return Task(description="Review {topic}.", expected_output="A text.")

def run():
    Crew(agents=[], tasks=[]).kickoff(inputs={"topic": "AI", "year": 2025})
"#;

const CREW_FILES: [(&str, &str); 4] = [
    ("requirements.txt", "crewai==0.114.0\n"),
    ("src/config/agents.yaml", AGENTS),
    ("src/config/tasks.yaml", TASKS),
    ("src/crew.py", CREW),
];

/// Files of other programs with the same keys.
const FOREIGN: [(&str, &str); 3] = [
    (
        "play.yml",
        "- hosts: all\n  roles:\n    - role: web\n      goal: '{a}'\n      backstory: '{b}'\n",
    ),
    (
        ".github/workflows/ci.yml",
        "name: ci\non: push\njobs:\n  a:\n    description: '{a}'\n    expected_output: '{b}'\n",
    ),
    ("agents.yaml", "a:\n  role: '{a}'\n  goal: g\n  backstory: b\nb:\n  role: '{a}'\n"),
];

#[track_caller]
fn run(files: &[(&str, &str)], arguments: &[&str], expected: Expect) {
    let workspace = Workspace::new(files);
    let output = promptls(arguments).cwd(workspace.root()).run();
    expected.assert_eq(&format!("{}{}", output.stdout, output.stderr));
}

#[test]
fn messages_of_chats_are_prompts_with_the_engine_of_the_project() {
    let files = [("chain.py", CHAT), ("requirements.txt", "langchain-core==0.3.80\n")];
    run(
        &files,
        &["check", "--list"],
        expect![[r#"
        chain.py#SUMMARY        langchain-python@0.3.80  its content  no cases
        chain.py#prompt.system  langchain-python@0.3.80  its content  no cases
        chain.py#prompt.human   langchain-python@0.3.80  its content  no cases
        3 prompts
        1 prompt not read:
          chain.py:4:38: with `template_format`, this text is of another syntax, which is not checked
    "#]],
    );
}

/// The code has the role of each message, and its text is not split at what looks like another.
#[test]
fn messages_of_chats_have_their_roles() {
    let code = "from langchain_core.prompts import ChatPromptTemplate\n\
        chat = ChatPromptTemplate.from_messages([\n\
        ('system', 'Be {tone}.\\n\\nUser:\\nmeans a person.'), ('ai', 'Yes?'), 'Hi {name}'])\n";
    let roles = [
        ("chat.system", r#"[{"role":"system","content":"Be x.\n\nUser:\nmeans a person."}]"#),
        ("chat.ai", r#"[{"role":"assistant","content":"Yes?"}]"#),
        ("chat.human", r#"[{"role":"user","content":"Hi x"}]"#),
    ];
    let workspace = Workspace::new(&[("chat.py", code)]);
    for (name, expected) in roles {
        let prompt = format!("chat.py#{name}");
        let set = ["--set", "tone=x", "--set", "name=x"];
        let arguments = [["resolve", &prompt, "--format", "messages"].as_slice(), &set].concat();
        let output = promptls(&arguments).cwd(workspace.root()).run();
        assert_eq!(output.stdout.trim_end(), expected, "{}", output.stderr);
    }
}

#[test]
fn names_of_chats_are_compared_with_inputs() {
    let inputs = r#"{"role": "a poet", "question": "Why?", "format": "JSON", "text": "x"}"#;
    let files = [("chain.py", CHAT), ("chain.inputs.json", inputs)];
    run(
        &files,
        &["check", "--format", "concise"],
        expect![[r#"
            chain.py:4:38: hint [computed-prompt] with `template_format`, this text is of another syntax, which is not checked
            chain.py:8:17: error [undefined-placeholder] `qeustion` has no value; did you mean `question`?
            3 prompts checked, 1 not read: 1 error, 1 hint
        "#]],
    );
}

#[test]
fn each_framework_in_one_file_has_its_engine() {
    let files = [(
        "all.py",
        "from crewai import Task\n\
         from langchain.prompts import PromptTemplate\n\
         from llama_index.core import PromptTemplate as Llama\n\
         a = Task(description='{x}', expected_output='y')\n\
         b = PromptTemplate.from_template('{x}')\n\
         c = Llama('{x}')\n\
         # promptls: format\n\
         d = '{x}'\n",
    )];
    run(
        &files,
        &["prompts"],
        expect![[r#"
        all.py#a                  crewai             crewai.Task(description)
        all.py#a.expected_output  crewai             crewai.Task(expected_output)
        all.py#b                  langchain-python   langchain_core.prompts.PromptTemplate.from_template(template)
        all.py#c                  llamaindex-python  llama_index.core.PromptTemplate(template)
        all.py#d                  format             a mark
    "#]],
    );
}

#[test]
fn constants_of_other_files_have_the_engine_of_their_use() {
    let files = [
        ("texts.py", "SYSTEM = 'Be {tone}.'\n"),
        (
            "chain.py",
            "from langchain_core.prompts import ChatPromptTemplate\n\
             from texts import SYSTEM\n\
             p = ChatPromptTemplate([('system', SYSTEM), ('human', '{q}')])\n",
        ),
    ];
    run(
        &files,
        &["prompts"],
        expect![[r#"
            chain.py#p.system  langchain-python  langchain_core.prompts.ChatPromptTemplate(messages)
            chain.py#p.human   langchain-python  langchain_core.prompts.ChatPromptTemplate(messages)
            texts.py#SYSTEM    langchain-python  langchain_core.prompts.ChatPromptTemplate(messages)
        "#]],
    );
}

#[test]
fn agents_and_tasks_of_crews_are_prompts() {
    run(
        &CREW_FILES,
        &["check", "--list"],
        expect![[r#"
        src/config/agents.yaml#researcher.role          crewai@0.114  its content  no cases
        src/config/agents.yaml#researcher.goal          crewai@0.114  its content  no cases
        src/config/agents.yaml#researcher.backstory     crewai@0.114  its content  no cases
        src/config/tasks.yaml#research                  crewai@0.114  its content  no cases
        src/config/tasks.yaml#research.expected_output  crewai@0.114  its content  no cases
        src/crew.py#review                              crewai@0.114  its content  no cases
        src/crew.py#review.expected_output              crewai@0.114  its content  no cases
        7 prompts
    "#]],
    );
    let inputs = ("src/config/tasks.inputs.json", r#"{"topic": "AI", "year": 2025}"#);
    let files = [CREW_FILES.as_slice(), &[inputs]].concat();
    run(
        &files,
        &["check", "--format", "concise"],
        expect![[r#"
        src/config/tasks.yaml:3:23: error [undefined-placeholder] `yaer` has no value; did you mean `year`?
        7 prompts checked: 1 error
    "#]],
    );
}

#[test]
fn kickoffs_and_calls_supply_values() {
    let chain = "from langchain_core.prompts import PromptTemplate\n\
         chain = PromptTemplate.from_template('Hi {nmae}, {x}') | model\n\
         chain.invoke({'name': 1, 'x': 2})\n\
         PromptTemplate(template='{a} {b}', partial_variables={'a': 1})\n";
    run(
        &[("chain.py", chain)],
        &["check", "--format", "concise"],
        expect![[r#"
        chain.py:2:43: warning [undefined-placeholder] the call that passes values to this prompt has no `nmae`; did you mean `name`?
        2 prompts checked: 1 warning
    "#]],
    );
}

#[test]
fn names_that_no_kickoff_sets_are_reported_if_all_inputs_are_literal() {
    let main = "from crew import run_with\n\
         def run():\n    \
             inputs = {'topic': 'AI', 'year': 2025}\n    \
             run_with().kickoff(inputs=inputs)\n\
         def train():\n    \
             inputs = {'topic': 'x'}\n    \
             run_with().train(n_iterations=1, inputs=inputs)\n";
    for (kickoff, is_reported) in [
        ("", true),
        ("def other(values):\n    run_with().kickoff(inputs=values)\n", false),
        ("def other():\n    run_with().kickoff(inputs=json.load(f))\n", false),
        ("@before_kickoff\ndef prepare(inputs):\n    return fill(inputs)\n", false),
    ] {
        let main = format!("{main}{kickoff}");
        let others = CREW_FILES.iter().filter(|(file, _)| *file != "src/crew.py");
        let files: Vec<_> = others.copied().chain([("src/main.py", &*main)]).collect();
        let workspace = Workspace::new(&files);
        let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
        let expected = match is_reported {
            true => {
                "warning [undefined-placeholder] nothing in this app sets `yaer`; did you mean `year`?"
            }
            // Whether it has a value is unknown, but the other name is useless.
            false => {
                "hint [undefined-placeholder] `yaer` is similar to `year` in main.py, which no prompt reads"
            }
        };
        let expected = format!("src/config/tasks.yaml:3:23: {expected}");
        let found: Vec<&str> = output.stdout.lines().filter(|it| it.starts_with("src/")).collect();
        assert_eq!(found, [expected], "{kickoff}");
    }
}

#[test]
fn yaml_of_other_programs_is_not_of_a_crew() {
    run(
        &FOREIGN,
        &["check", "--list", "--allow-empty"],
        expect![[r#"
        promptls: warning: no prompts found under .; a prompt ends in .prompt, or a rule in promptls.toml names it
    "#]],
    );
}

/// JSON in single braces, a field with a path, and braces that Python refuses.
const EXTRACT: [(&str, &str); 2] = [
    (
        "extract.format.prompt",
        "{person} of {place[city]}, {age:>{width}d}:\n\
        {\"name\": \"{person}\", \"tags\": {}, \"age\": <1-99>}\n\
        {0} {person!z} {age:.2d} {persn}\n} {person\n",
    ),
    (
        "extract.format.inputs.json",
        r#"{"person": "Ada", "place": {"city": "London"}, "age": 36, "width": 4}"#,
    ),
];

#[test]
fn braces_that_python_refuses_have_its_messages() {
    run(
        &EXTRACT,
        &["check", "--format", "concise"],
        expect![[r#"
            extract.format.prompt:1:14: hint [engine-differs] `place[city]` is a path, which only str.format follows; LangChain refuses it, and LlamaIndex and CrewAI send it as written
            extract.format.prompt:1:29: hint [engine-differs] `age` has a conversion or a format specification, which LangChain for JavaScript, LlamaIndex and CrewAI do not read
            extract.format.prompt:2:1: error [json-braces] this JSON is read as a placeholder: double its braces
            extract.format.prompt:3:1: error [malformed-placeholder] the engine raises an error: Replacement index 0 out of range for positional args tuple
            extract.format.prompt:3:5: error [malformed-placeholder] the engine raises an error: Unknown conversion specifier z
            extract.format.prompt:3:16: error [malformed-placeholder] the engine raises an error: Precision not allowed in integer format specifier
            extract.format.prompt:3:27: error [undefined-placeholder] `persn` has no value; did you mean `person`?
            extract.format.prompt:4:1: error [malformed-placeholder] the engine raises an error: Single '}' encountered in format string
            extract.format.prompt:4:3: error [malformed-placeholder] the engine raises an error: expected '}' before end of string
            1 prompt checked: 7 errors, 2 hints
        "#]],
    );
    run(
        &EXTRACT,
        &["resolve", "extract.format.prompt"],
        expect![[r#"
        "name"
    "#]],
    );
}

#[test]
fn the_braces_of_json_are_doubled_except_those_of_placeholders() {
    let workspace = Workspace::new(&EXTRACT);
    promptls(&["check", "--fix"]).cwd(workspace.root()).run();
    let fixed = workspace.read("extract.format.prompt");
    expect![[r#"{{"name": "{person}", "tags": {{}}, "age": <1-99>}}"#]]
        .assert_eq(fixed.lines().nth(1).unwrap_or_default());
    let prompt = "{person}: {{\"name\": \"{person}\"}}";
    workspace.write("extract.format.prompt", prompt);
    let output = promptls(&["resolve", "extract.format.prompt"]).cwd(workspace.root()).run();
    assert_eq!(output.stdout, "Ada: {\"name\": \"Ada\"}");
}

#[test]
fn generated_inputs_fit_format_specifications() {
    let workspace = Workspace::new(&[("bill.format.prompt", "{name:>9} {price:,.2f} {n:03d}")]);
    promptls(&["init", "--yes"]).cwd(workspace.root()).run();
    let output = promptls(&["resolve", "bill.format.prompt"]).cwd(workspace.root()).run();
    assert_eq!((output.stdout.as_str(), output.code), ("   <name> 1.00 001", Some(0)));
}

#[test]
fn engines_that_leave_braces_as_written_warn() {
    for (engine, expected) in [
        (
            "crewai",
            expect![[r#"
        a.format.prompt:1:1: warning [malformed-placeholder] `{{x}}` is sent as the value in braces: this engine has no escape, and replaces the inner pair
        a.format.prompt:1:32: error [undefined-placeholder] `y` has no value
        1 prompt checked: 1 error, 1 warning
    "#]],
        ),
        (
            "llamaindex-python",
            expect![[r#"
        a.format.prompt:1:1: warning [malformed-placeholder] `{{x}}` is sent as the value in braces: this engine has no escape, and replaces the inner pair
        a.format.prompt:1:32: warning [undefined-placeholder] `y` has no value
        1 prompt checked: 2 warnings
    "#]],
        ),
    ] {
        let config = format!("[[prompts]]\nfiles = ['*.prompt']\nengine = '{engine}'\n");
        let files = [
            ("promptls.toml", config.as_str()),
            ("a.format.prompt", "{{x}}é {{x}é é{x}} {\"a\": {x}} {y}"),
            ("a.format.inputs.json", r#"{"x": "1"}"#),
        ];
        run(&files, &["check", "--format", "concise"], expected);
    }
}

/// A chat with messages of each kind, its inputs, and a call.
const REPLY: &str = r#"from langchain_core.messages import SystemMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder

reply = ChatPromptTemplate.from_messages([
    ("system", "You are {role}."),
    MessagesPlaceholder("history"),
    MessagesPlaceholder("extra", optional=True),
    SystemMessage(content="Be {literal}."),
    ("human", "{question}"),
])
"#;

const REPLY_INPUTS: &str = r#"{
  "role": "a cook", "question": "Why?", "unused": 1,
  "history": [["human", "Hi {role}"], {"role": "ai", "content": "Hello!"}]
}"#;

fn reply_files(inputs: &str) -> [(&str, &str); 3] {
    [
        ("chain.py", REPLY),
        ("chain.reply.inputs.json", inputs),
        ("requirements.txt", "langchain-core==0.2.43\n"),
    ]
}

#[test]
fn a_chat_is_resolved_with_one_set_of_inputs() {
    run(
        &reply_files(REPLY_INPUTS),
        &["resolve", "chain.py"],
        expect![[r#"
            system:
            You are a cook.

            human:
            Hi {role}

            ai:
            Hello!

            system:
            Be {literal}.

            human:
            Why?"#]],
    );
    run(
        &reply_files(REPLY_INPUTS),
        &["resolve", "chain.py#reply", "--format", "messages"],
        expect![[r#"
            [{"role":"system","content":"You are a cook."},{"role":"user","content":"Hi {role}"},{"role":"assistant","content":"Hello!"},{"role":"system","content":"Be {literal}."},{"role":"user","content":"Why?"}]
        "#]],
    );
    run(&reply_files(REPLY_INPUTS), &["resolve", "chain.py#reply.human"], expect!["Why?"]);
    run(
        &reply_files(REPLY_INPUTS),
        &["preview", "chain.py"],
        expect![[r#"
        system:
        You are a cook.

        human:
        Hi {role}

        ai:
        Hello!

        extra:
        MessagesPlaceholder("extra", optional=True)

        system:
        Be {literal}.

        human:
        Why?
        ────────────────────────────────────────────────────────────────────────────────
        warning[unused-input]: `unused` is never read by any message of `reply`
         --> chain.reply.inputs.json:2:41
          |
        2 |   "role": "a cook", "question": "Why?", "unused": 1,
          |                                         ^^^^^^^^
        ────────────────────────────────────────────────────────────────────────────────
        18 words, 141 characters, 38 tokens
    "#]],
    );
    run(
        &reply_files(REPLY_INPUTS),
        &["check", "--format", "concise"],
        expect![[r#"
        chain.reply.inputs.json:2:41: warning [unused-input] `unused` is never read by any message of `reply`
        2 prompts checked: 1 warning
    "#]],
    );
}

#[test]
fn the_error_of_a_chat_is_about_all_of_its_messages() {
    run(
        &reply_files(r#"{"role": "x"}"#),
        &["resolve", "chain.py"],
        expect![[r#"
        Input to ChatPromptTemplate is missing variables {'history', 'question'}.  Expected: ['history', 'question', 'role'] Received: ['role']
        Note: if you intended {history} to be part of the string and not a variable, please escape it with double curly braces like: '{{history}}'.
    "#]],
    );
    let script = "import { ChatPromptTemplate, MessagesPlaceholder } from '@langchain/core/prompts'\n\
        export const reply = ChatPromptTemplate.fromMessages([\n\
        ['system', '{role}'], new MessagesPlaceholder('history'), ['human', '{question}']])\n";
    let files = [
        ("chain.ts", script),
        ("chain.reply.inputs.json", r#"{"role": "x"}"#),
        ("package.json", r#"{"dependencies": {"@langchain/core": "1.4.0"}}"#),
    ];
    run(
        &files,
        &["resolve", "chain.ts"],
        expect![[r#"
            Missing value for input variable `history`

            Troubleshooting URL: https://docs.langchain.com/oss/javascript/langchain/errors/INVALID_PROMPT_INPUT/

        "#]],
    );
}

#[test]
fn a_call_has_all_messages_and_values_of_a_chat() {
    let call = format!("{REPLY}reply.invoke({{'role': 'a', 'question': 'b', 'spare': 1}})\n");
    run(
        &[("chain.py", &call)],
        &["check", "--format", "concise"],
        expect![[r#"
        chain.py:6:5: warning [undefined-placeholder] the call that passes values to this chat has no `history`
        chain.py:11:46: hint [unused-input] `spare` is never read by a message of `reply`
        2 prompts checked: 1 warning, 1 hint
    "#]],
    );
}

#[test]
fn commands_about_one_text_name_the_messages_of_a_chat() {
    for arguments in [
        &["vars", "chain.py"][..],
        &["convert", "chain.py#reply", "--to", "agentle"],
        &["resolve", "chain.py#repyl"],
    ] {
        let workspace = Workspace::new(&reply_files(REPLY_INPUTS));
        let output = promptls(arguments).cwd(workspace.root()).run();
        assert_eq!(output.code, Some(2), "{arguments:?}");
        assert!(output.stderr.contains("reply.system, reply.human"), "{}", output.stderr);
    }
}

#[test]
fn cases_of_a_chat_are_compared_as_a_whole() {
    let files = [
        ("chain.py", REPLY),
        ("chain.reply.a.inputs.json", r#"{"role": "a cook", "question": "Why?", "history": []}"#),
        (
            "chain.reply.b.inputs.json",
            r#"{"role": "a poet", "question": "Why?", "history": ["Hi"]}"#,
        ),
    ];
    run(
        &files,
        &["diff", "chain.py#reply", "--case", "a", "--case", "b"],
        expect![[r#"
        chain.py#reply, cases a and b: changed, +3 -1 words, 28 → 32 tokens
          You are a [-cook.↵-]
          {+poet.↵+}
          {+↵+}
          {+user:↵+}
          {+Hi↵+}
        the texts of both cases differ
    "#]],
    );
}

#[test]
fn listed_names_are_those_of_the_prompt() {
    let head = "from langchain_core.prompts import PromptTemplate as P\n";
    for (code, expected) in [
        (
            "P(template='{a} {b}', input_variables=['a', 'b'])",
            expect![[r#"
            1 prompt checked: no problems
        "#]],
        ),
        (
            "P(template='{a} {b} {b}', input_variables=['a', 'c'])",
            expect![[r#"
            p.py:2:22: warning [undeclared-variable] `b` is not in `input_variables`
            p.py:2:26: warning [undeclared-variable] `b` is not in `input_variables`
            p.py:2:54: warning [unused-variable] `c` is in `input_variables`, but not in this prompt
            1 prompt checked: 3 warnings
        "#]],
        ),
        (
            "P(template='{a} {b}', input_variables=['a'], partial_variables={'b': 1})",
            expect![[r#"
                1 prompt checked: no problems
            "#]],
        ),
        (
            "P(template='{a} {b}', input_variables=['a'], partial_variables=d)",
            expect![[r#"
            1 prompt checked: no problems
        "#]],
        ),
        (
            "P(template='{a} {b}', input_variables=NAMES)",
            expect![[r#"
            1 prompt checked: no problems
        "#]],
        ),
        (
            "P(template='{a}' + f(), input_variables=['a', 'b'])",
            expect![[r#"
            1 prompt checked: no problems
        "#]],
        ),
        (
            "P(template='{a}: {\"k\": 1}', input_variables=['a', 'b'])",
            expect![[r#"
                p.py:2:22: error [json-braces] this JSON is read as a placeholder: double its braces
                1 prompt checked: 1 error
            "#]],
        ),
    ] {
        let code = format!("{head}p = {code}\n");
        run(&[("p.py", &code)], &["check", "--format", "concise"], expected);
    }
}

#[test]
fn calls_of_other_files_supply_the_values_of_templates() {
    let prompts = "from langchain_core.prompts import ChatPromptTemplate as C, PromptTemplate as P\n\
        reply = C([('system', 'Be {role}.'), ('human', '{question}')])\n\
        half = P.from_template('{a} {b}').partial(a=1)\n\
        sum = P.from_template('{text}')\n";
    for (call, expected) in [
        (
            "(reply | model).invoke({'role': 1, 'qestion': 2})",
            expect![[r#"
                prompts.py:2:50: warning [undefined-placeholder] the call that passes values to this prompt has no `question`; did you mean `qestion`?
                4 prompts checked: 1 warning
            "#]],
        ),
        (
            "chain = reply | model | StrOutputParser()\nchain.invoke({'role': 1})",
            expect![[r#"
            prompts.py:2:50: warning [undefined-placeholder] the call that passes values to this prompt has no `question`
            4 prompts checked: 1 warning
        "#]],
        ),
        (
            "reply.invoke(values)",
            expect![[r#"
            4 prompts checked: no problems
        "#]],
        ),
        (
            "reply.invoke({'role': 1})\nreply.invoke({'role': 1})",
            expect![[r#"
                prompts.py:2:50: warning [undefined-placeholder] a call that passes values to this prompt has no `question`
                4 prompts checked: 1 warning
            "#]],
        ),
        (
            "run(reply)",
            expect![[r#"
            4 prompts checked: no problems
        "#]],
        ),
        (
            "half.format(b=1)",
            expect![[r#"
            4 prompts checked: no problems
        "#]],
        ),
        (
            "sum.format(txt=1)",
            expect![[r#"
            prompts.py:4:25: warning [undefined-placeholder] the call that passes values to this prompt has no `text`; did you mean `txt`?
            4 prompts checked: 1 warning
        "#]],
        ),
    ] {
        let is_used = |name: &&str| call.contains(name);
        let name = ["reply", "half", "sum"].into_iter().find(is_used).unwrap_or_default();
        let main = format!(
            "from langchain_core.output_parsers import StrOutputParser\n\
            from prompts import {name}\n{call}\n"
        );
        let files = [("prompts.py", prompts), ("main.py", &*main), ("requirements.txt", "")];
        run(&files, &["check", "--format", "concise"], expected);
    }
}

#[test]
fn doubled_braces_and_tags_of_other_languages_are_reported() {
    for (prompt, inputs, expected) in [
        (
            "{{name}}: {{\"a\": {a}}}",
            r#"{"name": 1, "a": 2}"#,
            expect![[r#"
            a.format.inputs.json:1:2: warning [unused-input] `name` is never read by a.format.prompt
            a.format.prompt:1:1: hint [engine-differs] `{{` is sent as one brace by str.format and LangChain; LlamaIndex and CrewAI send both
            a.format.prompt:1:1: warning [malformed-placeholder] `{{name}}` is sent as `{name}`; `{name}` is the value
            1 prompt checked: 2 warnings, 1 hint
        "#]],
        ),
        (
            "{{name}} {name}",
            r#"{"name": 1}"#,
            expect![[r#"
            a.format.prompt:1:1: hint [engine-differs] `{{` is sent as one brace by str.format and LangChain; LlamaIndex and CrewAI send both
            1 prompt checked: 1 hint
        "#]],
        ),
        (
            "{{ name }} {{b}}",
            r#"{"name": 1}"#,
            expect![[r#"
            a.format.inputs.json:1:2: warning [unused-input] `name` is never read by a.format.prompt
            a.format.prompt:1:1: hint [engine-differs] `{{` is sent as one brace by str.format and LangChain; LlamaIndex and CrewAI send both
            a.format.prompt:1:1: warning [malformed-placeholder] `{{ name }}` is sent as `{ name }`; `{name}` is the value
            1 prompt checked: 2 warnings, 1 hint
        "#]],
        ),
        (
            "{% if a %}x{% endif %} {{ x | upper }} {{#if b}} {{/if}}",
            r#"{}"#,
            expect![[r#"
                a.format.prompt:1:1: error [unsupported-syntax] `{% … %}` is Jinja; Python braces read it as a name without a value (2 such tags)
                a.format.prompt:1:24: hint [engine-differs] `{{` is sent as one brace by str.format and LangChain; LlamaIndex and CrewAI send both
                a.format.prompt:1:24: warning [unsupported-syntax] `{{ x | upper }}` is a filter of Jinja; Python braces send it as `{ x | upper }`
                a.format.prompt:1:40: warning [unsupported-syntax] `{{#if b}}` is a block of Handlebars; Python braces send it as `{#if b}` (2 such tags)
                1 prompt checked: 1 error, 2 warnings, 1 hint
            "#]],
        ),
    ] {
        let files = [("a.format.prompt", prompt), ("a.format.inputs.json", inputs)];
        run(&files, &["check", "--format", "concise"], expected);
    }
}

#[test]
fn values_with_names_are_replaced_again_by_crewai() {
    for (prompt, inputs, expected) in [
        (
            "{a} {b}",
            r#"{"a": "{b}", "b": "x"}"#,
            expect![[r#"
            a.format.prompt:1:2: warning [value-reresolved] the value of `a` contains `{b}`, which is resolved again
            1 prompt checked: 1 warning
        "#]],
        ),
        (
            "{b} {a}",
            r#"{"a": "{b}", "b": "x"}"#,
            expect![[r#"
            1 prompt checked: no problems
        "#]],
        ),
        (
            "{b} {a} {b}",
            r#"{"a": "{b}", "b": "x"}"#,
            expect![[r#"
            a.format.prompt:1:6: warning [value-reresolved] the value of `a` contains `{b}`, which is resolved again
            1 prompt checked: 1 warning
        "#]],
        ),
        (
            "{a} {a}",
            r#"{"a": "{a}"}"#,
            expect![[r#"
            a.format.prompt:1:2: warning [value-reresolved] the value of `a` contains `{a}`, which is resolved again
            a.format.prompt:1:6: warning [value-reresolved] the value of `a` contains `{a}`, which is resolved again
            1 prompt checked: 2 warnings
        "#]],
        ),
        (
            "{a}",
            r#"{"a": "{a} {c}", "c": 1}"#,
            expect![[r#"
            a.format.inputs.json:1:18: warning [unused-input] `c` is never read by a.format.prompt
            1 prompt checked: 1 warning
        "#]],
        ),
    ] {
        let config = "[[prompts]]\nfiles = ['*.prompt']\nengine = 'crewai'\n";
        let files = [
            ("promptls.toml", config),
            ("a.format.prompt", prompt),
            ("a.format.inputs.json", inputs),
        ];
        run(&files, &["check", "--format", "concise"], expected);
    }
}

#[test]
fn a_chat_of_one_message_is_also_a_prompt() {
    let code = "from langchain_core.prompts import ChatPromptTemplate as C\n\
        p = C([('system', 'Be {tone}.')])\n";
    let files = [("p.py", code), ("p.p.inputs.json", r#"{"tone": "kind"}"#)];
    run(&files, &["resolve", "p.py"], expect!["Be kind."]);
    run(
        &files,
        &["resolve", "p.py", "--format", "messages"],
        expect![[r#"
        [{"role":"system","content":"Be kind."}]
    "#]],
    );
    run(
        &files,
        &["resolve", "p.py", "--all-cases"],
        expect![[r#"
        {"case":"default","text":"Be kind."}
    "#]],
    );
    run(
        &files,
        &["vars", "p.py"],
        expect![[r#"
        tone  required  -  p.py:2:24
    "#]],
    );
}

/// Text that looks like an object may also be a wrong specification, so its fix is not certain.
#[test]
fn objects_with_keys_without_quotes_are_reported_once() {
    let head = "from langchain_core.prompts import PromptTemplate as P\n";
    let code = [
        "P.from_template(\"(n:Person {name: 'x', of: {q}}) {q}\")",
        "P.from_template('body { font-size: 1px; color: red; }')",
        "P.from_template('{key: value} {key : value} {other:value}')",
        "P.from_template('{price:.2f} {x: >10} {x!r:>10} {day:%d.%m.}')",
    ];
    let code = format!("{head}{}\n", code.join("\n"));
    let script = "import { PromptTemplate as P } from '@langchain/core/prompts';\n\
        P.fromTemplate(\"(n:Person {name: 'x'}) {q}\").invoke({ q: 1 });\n\
        P.fromTemplate('{key: value} {a:b}').invoke({ 'key: value': 1, 'a:b': 2 });\n";
    let files = [("a.py", &*code), ("b.ts", script)];
    let expected = expect![[r#"
        a.py:2:28: error [json-braces] the engine raises an error: Invalid format specifier in f-string template. Nested replacement fields are not allowed; if this is no placeholder, double its braces
        a.py:3:23: error [json-braces] the engine raises an error: Invalid format specifier ' 1px; color: red; ' for object of type 'int'; if this is no placeholder, double its braces
        a.py:4:18: error [json-braces] the engine raises an error: Invalid format specifier ' value' for object of type 'int'; if this is no placeholder, double its braces
        a.py:4:31: error [json-braces] the engine raises an error: Invalid format specifier ' value' for object of type 'int'; if this is no placeholder, double its braces
        a.py:4:45: error [malformed-placeholder] the engine raises an error: Invalid format specifier 'value' for object of type 'int'
        b.ts:2:27: error [json-braces] this code is read as a placeholder: double its braces
        6 prompts checked: 6 errors
    "#]];
    run(&files, &["check", "--format", "concise"], expected);
    let workspace = Workspace::new(&files);
    promptls(&["check", "--fix"]).cwd(workspace.root()).run();
    assert_eq!(workspace.read("a.py"), code);
}

#[test]
fn a_brace_in_a_constant_of_several_prompts_is_one_error() {
    for prompts in [
        "P.from_template(TEXT + '{x}')\nP.from_template(TEXT)",
        "P.from_template(TEXT + '{x}')\nP.from_template('{x}' + TEXT)",
        "P.from_template(f'{TEXT}{{x}}')\nP.from_template(f'{{x}}{TEXT}')",
    ] {
        let head = "from langchain_core.prompts import PromptTemplate as P\nTEXT = 'a { b'\n";
        let files = [("a.py", &*format!("{head}{prompts}\n"))];
        let workspace = Workspace::new(&files);
        let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
        let lines: Vec<&str> = output.stdout.lines().collect();
        let [only] = lines[..] else { panic!("{lines:?}") };
        assert!(only.starts_with("a.py:2:11: error [malformed-placeholder]"), "{only}");
    }
}

/// These frameworks raise errors for other roles.
#[test]
fn unknown_roles_of_messages_are_reported() {
    let code = "from langchain_core.prompts import ChatPromptTemplate\n\
        from llama_index.core import ChatPromptTemplate as Llama\n\
        from llama_index.core.llms import ChatMessage\n\
        a = ChatPromptTemplate([('systm', 'A'), ('bot', 'B'), ('placeholder', '{c}'), ('ai', 'D')])\n\
        b = ChatPromptTemplate.from_messages([{'role': 'usr', 'content': 'E'}, (role, 'F')])\n\
        c = Llama([ChatMessage(role='asistant', content='G'), ChatMessage(role='tool', content='H')])\n";
    let workspace = Workspace::new(&[("code.py", code)]);
    let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
    expect![[r#"
        code.py:4:26: error [unreadable-file] the framework raises an error for the role `systm`; did you mean `system`?
        code.py:4:42: error [unreadable-file] the framework raises an error for the role `bot`; use one of `system`, `human`, `user`, `ai`, `assistant`
        code.py:5:48: error [unreadable-file] the framework raises an error for the role `usr`; did you mean `user`?
        code.py:5:72: hint [computed-prompt] this text comes from `(role, 'F')`, so it is not checked
        code.py:6:29: error [unreadable-file] the framework raises an error for the role `asistant`; did you mean `assistant`?
        2 prompts checked, 1 not read, 1 file not fully read: 4 errors, 1 hint
    "#]].assert_eq(&format!("{}{}", output.stdout, output.stderr));
}

/// LlamaIndex sends names without a value as they are.
#[test]
fn a_misspelt_keyword_of_a_call_is_reported_at_the_name() {
    let code = "from llama_index.core import ChatPromptTemplate, PromptTemplate\n\
        from llama_index.core.llms import ChatMessage\n\
        a = PromptTemplate('On {topic}').format(topci=1)\n\
        b = PromptTemplate('On {topic}').format(other=1)\n\
        c = PromptTemplate('On {topic}').partial_format(topci=1)\n\
        d = PromptTemplate('{topic} {topics}').format(topics=1)\n\
        e = ChatPromptTemplate([ChatMessage(role='system', content='As {tone}'), \
        ChatMessage(role='user', content='On {topic}')])\n\
        e.format_messages(tonne=1, topic=2)\n";
    let workspace = Workspace::new(&[("code.py", code)]);
    let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
    expect![[r#"
        code.py:3:25: warning [undefined-placeholder] the call that passes values to this prompt has no `topic`; did you mean `topci`?
        code.py:4:41: hint [unused-input] `other` is never read by this prompt
        code.py:5:25: warning [undefined-placeholder] the call that passes values to this prompt has no `topic`; did you mean `topci`?
        code.py:7:65: warning [undefined-placeholder] the call that passes values to this prompt has no `tone`; did you mean `tonne`?
        6 prompts checked: 3 warnings, 1 hint
    "#]].assert_eq(&format!("{}{}", output.stdout, output.stderr));
}
