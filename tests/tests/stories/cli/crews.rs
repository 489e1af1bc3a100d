//! Agents and tasks that configurations of CrewAI name.

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};

const CREW: &str = "from crewai import Agent, Crew, Task
from crewai.project import CrewBase, agent, crew, task

@CrewBase
class Research:
    @agent
    def researcher(self): return Agent(config=self.agents_config['researcher'])
    @task
    def research(self): return Task(config=self.tasks_config['research'])
    @task
    def report(self): return Task(config=self.tasks_config['report'])
    @crew
    def crew(self): return Crew(agents=self.agents, tasks=self.tasks)

Research().crew().kickoff(inputs={'topic': 'tea'})
";

const TASKS: &str = "research:
  description: Study {topic}.
  expected_output: A list.
  agent: reseacher
report:
  description: Report {research} about {topic}.
  expected_output: A text.
  agent: >
    researcher
  context: [research, writing]
review:
  description: Review {topic}.
  expected_output: A text.
  agent: researcher
  context: report
";

fn output(crew: &str, version: &str, arguments: &[&str]) -> String {
    let requirements = format!("crewai=={version}\n");
    let files = [
        (
            "config/agents.yaml",
            "researcher:\n  role: Reader\n  goal: Read.\n  backstory: You read.\n",
        ),
        ("config/tasks.yaml", TASKS),
        ("crew.py", crew),
        ("requirements.txt", requirements.as_str()),
    ];
    let workspace = Workspace::new(&files);
    let output = promptls(arguments).cwd(workspace.root()).run();
    format!("{}{}", output.stdout, output.stderr)
}

#[track_caller]
fn check(crew: &str, version: &str, arguments: &[&str], expected: Expect) {
    expected.assert_eq(&output(crew, version, arguments));
}

const CHECK: [&str; 3] = ["check", "--format", "concise"];

/// CrewAI logs a warning and goes on without configurations.
#[test]
fn a_file_of_configurations_that_does_not_exist_is_reported() {
    let crew = "from crewai import Agent, Task\nfrom crewai.project import CrewBase, agent, task\n\n\n\
        @CrewBase\nclass Team:\n    agents_config = 'config/agnts.yaml'\n\n    @agent\n    \
        def writer(self):\n        return Agent(config=self.agents_config['writer'])\n\n    @task\n    \
        def text(self):\n        return Task(config=self.tasks_config['text'])\n";
    let tasks = "text:\n  description: Write.\n  expected_output: Text\n  agent: writer\n";
    let agents = "writer:\n  role: Writer\n  goal: Write.\n  backstory: You write.\n";
    let files = [
        ("crew.py", crew),
        ("config/tasks.yaml", tasks),
        ("requirements.txt", "crewai==1.15.30\n"),
    ];
    let workspace = Workspace::new(&files);
    let check = || {
        let output = promptls(&CHECK).cwd(workspace.root()).run();
        format!("{}{}", output.stdout, output.stderr)
    };
    expect![[r#"
        crew.py:11:48: error [unknown-crew-member] there is no config/agnts.yaml with the agent `writer`, so the crew is not created
        2 prompts checked: 1 error
    "#]]
    .assert_eq(&check());
    workspace.write("config/agnts.yaml", agents);
    expect![[r#"
        5 prompts checked: no problems
    "#]]
    .assert_eq(&check());
}

/// CrewAI raises these errors while it creates the crew. The output of a task is no value.
#[test]
fn names_that_the_crew_does_not_have_are_reported() {
    check(
        CREW,
        "1.15.30",
        &CHECK,
        expect![[r#"
            config/tasks.yaml:4:10: error [unknown-crew-member] `Research` has no agent `reseacher`, so it raises KeyError: 'reseacher'; did you mean `researcher`?
            config/tasks.yaml:6:24: warning [undefined-placeholder] nothing in this app sets `research`
            config/tasks.yaml:9:5: error [unknown-crew-member] `Research` raises KeyError: 'researcher\n': a block ends with a line end; write the name in one line
            config/tasks.yaml:10:23: error [unknown-crew-member] `Research` has no task `writing`, so it raises KeyError: 'writing'
            config/tasks.yaml:15:12: error [unknown-crew-member] `Research` raises KeyError: 'r': each character of this text is a name; write a list
            9 prompts checked: 4 errors, 1 warning
        "#]],
    );
}

#[test]
fn names_are_not_reported_if_the_crew_may_have_them() {
    let inherits = CREW.replace("Research:", "Research(Base):");
    let elsewhere = CREW.replace("class Research:", "class Research:\n    tasks_config = f()");
    let only = "config/tasks.yaml:6:24: warning [undefined-placeholder] nothing in this app sets \
        `research`\n9 prompts checked: 1 warning\n";
    for (crew, version) in [(CREW, "0.41.1"), (&inherits, "1.15.30"), (&elsewhere, "1.15.30")] {
        assert_eq!(output(crew, version, &CHECK), only, "{crew}");
    }
}

#[test]
fn a_misspelt_name_is_fixed() {
    check(
        CREW,
        "1.15.30",
        &["check", "--fix-unsafe", "--diff"],
        expect![[r#"
        --- a/config/tasks.yaml
        +++ b/config/tasks.yaml
        @@ -1,7 +1,7 @@
         research:
           description: Study {topic}.
           expected_output: A list.
        -  agent: reseacher
        +  agent: researcher
         report:
           description: Report {research} about {topic}.
           expected_output: A text.
        @@ -12,4 +12,4 @@
           description: Review {topic}.
           expected_output: A text.
           agent: researcher
        -  context: report
        +  context: [report]
        1 file would change
    "#]],
    );
}

/// A text of each kind that reads a name without a value, and the values.
const TEXTS: [(&str, &str); 6] = [
    (
        "tasks.yaml",
        "t:\n  description: '{a}'\n  expected_output: '{x} {{a}}'\n  output_file: '{x}.md'\n",
    ),
    ("agents.yaml", "r:\n  role: '{a}'\n  goal: '{x}'\n  backstory: b\n"),
    ("code.py", "from crewai import Task\nc = Task(description='{a}', expected_output='{x}')\n"),
    ("tasks.inputs.json", r#"{"a": 1}"#),
    ("agents.inputs.json", r#"{"a": 1}"#),
    ("code.inputs.json", r#"{"a": 1}"#),
];

/// Each field has its own errors, and in some releases its own replacement.
#[test]
fn each_field_is_resolved_as_in_its_release() {
    let mut found = String::new();
    for version in ["0.86.0", "0.108.0", "1.15.30"] {
        let requirements = format!("crewai=={version}\n");
        let files = [TEXTS.as_slice(), &[("requirements.txt", &requirements)]].concat();
        let workspace = Workspace::new(&files);
        for prompt in [
            "tasks.yaml#t.expected_output",
            "tasks.yaml#t.output_file",
            "agents.yaml#r.goal",
            "code.py#c.expected_output",
        ] {
            let output = promptls(&["resolve", prompt]).cwd(workspace.root()).run();
            let text = format!("{}{}", output.stdout, output.stderr);
            found.push_str(&format!("{version} {prompt}: {}\n", text.trim_end()));
        }
        found.push_str(&promptls(&CHECK).cwd(workspace.root()).run().stdout);
    }
    expect![[r#"
        0.86.0 tasks.yaml#t.expected_output: x
        0.86.0 tasks.yaml#t.output_file: {x}.md
        0.86.0 agents.yaml#r.goal: x
        0.86.0 code.py#c.expected_output: x
        agents.yaml:3:11: error [undefined-placeholder] `x` has no value
        code.py:2:47: error [undefined-placeholder] `x` has no value
        tasks.yaml:3:22: error [undefined-placeholder] `x` has no value
        tasks.yaml:3:25: warning [malformed-placeholder] `{{a}}` is sent as `{a}`; `{a}` is the value
        tasks.yaml:4:18: warning [undefined-placeholder] `x` has no value
        0.108.0 tasks.yaml#t.expected_output: {x} {1}
        0.108.0 tasks.yaml#t.output_file: {x}.md
        0.108.0 agents.yaml#r.goal: x
        0.108.0 code.py#c.expected_output: {x}
        agents.yaml:3:11: error [undefined-placeholder] `x` has no value
        code.py:2:47: warning [undefined-placeholder] `x` has no value
        tasks.yaml:3:22: warning [undefined-placeholder] `x` has no value
        tasks.yaml:3:25: warning [malformed-placeholder] `{{a}}` is sent as the value in braces: this engine has no escape, and replaces the inner pair
        tasks.yaml:4:18: warning [undefined-placeholder] `x` has no value
        1.15.30 tasks.yaml#t.expected_output: Error interpolating expected_output: "Template variable 'x' not found in inputs dictionary"
        1.15.30 tasks.yaml#t.output_file: Error interpolating output_file path: "Template variable 'x' not found in inputs dictionary"
        1.15.30 agents.yaml#r.goal: Template variable 'x' not found in inputs dictionary
        1.15.30 code.py#c.expected_output: Error interpolating expected_output: "Template variable 'x' not found in inputs dictionary"
        agents.yaml:3:11: error [undefined-placeholder] `x` has no value
        code.py:2:47: error [undefined-placeholder] `x` has no value
        tasks.yaml:3:22: error [undefined-placeholder] `x` has no value
        tasks.yaml:3:25: warning [malformed-placeholder] `{{a}}` is sent as the value in braces: this engine has no escape, and replaces the inner pair
        tasks.yaml:4:18: error [undefined-placeholder] `x` has no value
    "#]].assert_eq(&found);
}

/// A class names these files, so that their other entries are prompts. CrewAI raises an error for
/// each odd value.
#[test]
fn values_that_are_no_agent_or_task_are_listed_and_others_are_checked() {
    let files = [
        ("crew.py", CREW),
        ("requirements.txt", "crewai==1.15.30\n"),
        (
            "config/tasks.yaml",
            "research:\n  description: '{topc}'\n  expected_output: [a]\nlist: [a]\nnone:\nn: 5\n",
        ),
        ("config/agents.yaml", "r:\n  role: '{tpic}'\n  goal: 1\n  backstory: b\nx: text\n"),
        // No class names this file.
        ("other/tasks.yaml", "a:\n  description: '{b}'\n  expected_output: c\nlist: [a]\n"),
    ];
    let workspace = Workspace::new(&files);
    let output = promptls(&CHECK).cwd(workspace.root()).run();
    expect![[r#"
        config/agents.yaml:2:11: warning [undefined-placeholder] nothing in this app sets `tpic`; did you mean `topic`?
        config/agents.yaml:3:3: error [unreadable-file] `goal` is a number and no text, so it is not read
        config/agents.yaml:5:1: error [unreadable-file] `x` is a text and no agent, so it is not read
        config/tasks.yaml:2:18: warning [undefined-placeholder] nothing in this app sets `topc`; did you mean `topic`?
        config/tasks.yaml:3:3: error [unreadable-file] `expected_output` is a list and no text, so it is not read
        config/tasks.yaml:4:1: error [unreadable-file] `list` is a list and no task, so it is not read
        config/tasks.yaml:5:1: error [unreadable-file] `none` is null and no task, so it is not read
        config/tasks.yaml:6:1: error [unreadable-file] `n` is a number and no task, so it is not read
        crew.py:7:66: error [unknown-crew-member] config/agents.yaml has no agent `researcher`, so the crew raises KeyError: 'researcher'
        crew.py:11:60: error [unknown-crew-member] config/tasks.yaml has no task `report`, so the crew raises KeyError: 'report'
        3 prompts checked, 2 files not fully read: 8 errors, 2 warnings
    "#]].assert_eq(&format!("{}{}", output.stdout, output.stderr));
}

/// Keys of packages, and of agents and tasks, are no names of values.
#[test]
fn a_name_of_a_manifest_or_of_a_configuration_has_no_value() {
    let files = [
        ("crew.py", CREW),
        (
            "pyproject.toml",
            "[project]\nname = 'a'\nversion = '1'\ndependencies = ['crewai==1.15.30']\n",
        ),
        ("package.json", r#"{"license": "MIT"}"#),
        ("pnpm-lock.yaml", "settings: {}\n"),
        ("data.yaml", "known: 1\n"),
        (
            "config/tasks.yaml",
            "research:\n  description: '{name} {version} {license} {settings} {agent} {known}'\n  \
             expected_output: '{topic}'\n  agent: researcher\n",
        ),
    ];
    let workspace = Workspace::new(&files);
    let output = promptls(&CHECK).cwd(workspace.root()).run();
    expect![[r#"
        config/tasks.yaml:2:18: warning [undefined-placeholder] nothing in this app sets `name`
        config/tasks.yaml:2:25: warning [undefined-placeholder] nothing in this app sets `version`
        config/tasks.yaml:2:35: warning [undefined-placeholder] nothing in this app sets `license`
        config/tasks.yaml:2:45: warning [undefined-placeholder] nothing in this app sets `settings`
        config/tasks.yaml:2:56: warning [undefined-placeholder] nothing in this app sets `agent`
        crew.py:7:66: error [unknown-crew-member] there is no config/agents.yaml with the agent `researcher`, so the crew is not created
        crew.py:11:60: error [unknown-crew-member] config/tasks.yaml has no task `report`, so the crew raises KeyError: 'report'
        2 prompts checked: 2 errors, 5 warnings
    "#]]
    .assert_eq(&format!("{}{}", output.stdout, output.stderr));
}

/// Also if another run passes the right name, or if it is in an inputs file.
#[test]
fn a_misspelt_input_that_no_prompt_reads_is_reported_at_the_name() {
    const HEAD: &str = "from crewai import Crew, Task\n\
        t = Task(description='Study {topic}', expected_output='x')\n\
        crew = Crew(tasks=[t])\n";
    let mut found = String::new();
    for (code, inputs) in [
        ("crew.kickoff(inputs={'topci': 'a'})\n", "{\"topic\": \"a\"}"),
        ("crew.kickoff(inputs={'topci': 'a'})\ncrew.kickoff(inputs={'topic': 'a'})\n", ""),
        ("print('topic')\ncrew.kickoff(inputs={'topci': 'a'})\n", ""),
        ("crew.kickoff(inputs={'topics': 'a', 'topic': 'b'})\n", ""),
        (
            "u = Task(description='{topci}')\ncrew.kickoff(inputs={'topci': 'a', 'topic': 'b'})\n",
            "",
        ),
    ] {
        let code = format!("{HEAD}{code}");
        let mut files = vec![("crew.py", code.as_str()), ("setup.py", "")];
        files.extend((!inputs.is_empty()).then_some(("crew.inputs.json", inputs)));
        let workspace = Workspace::new(&files);
        let output = promptls(&CHECK).cwd(workspace.root()).run();
        found.push_str(&format!("{}{}", output.stdout, output.stderr));
    }
    expect![[r#"
        crew.py:2:30: warning [undefined-placeholder] `topic` is similar to `topci` in crew.py, which no prompt reads
        2 prompts checked: 1 warning
        crew.py:2:30: warning [undefined-placeholder] `topic` is similar to `topci` in crew.py, which no prompt reads
        2 prompts checked: 1 warning
        crew.py:2:30: warning [undefined-placeholder] `topic` is similar to `topci` in crew.py, which no prompt reads
        2 prompts checked: 1 warning
        2 prompts checked: no problems
        3 prompts checked: no problems
    "#]].assert_eq(&found);
}

#[test]
fn names_of_configurations_that_do_not_exist_are_reported_in_code() {
    let crew = CREW
        .replace("config['report']", "config['reprot']")
        .replace("config['researcher']", "config['resarcher']");
    let agents = "researcher:\n  role: a\n  goal: b\n  backstory: c\n";
    let tasks = TASKS.replace("reseacher", "researcher");
    const OTHER: &str =
        "\n@CrewBase\nclass Other:\n    agents_config = 'a.yaml'\n    tasks_config = 't.yaml'\n";
    for (other, has_other) in [("", false), (OTHER, true)] {
        let crew = format!("{crew}{other}");
        let files = [
            ("config/tasks.yaml", tasks.as_str()),
            ("config/agents.yaml", agents),
            ("crew.py", &crew),
            ("requirements.txt", "crewai==1.15.30\n"),
        ];
        let workspace = Workspace::new(&files);
        let output = promptls(&CHECK).cwd(workspace.root()).run();
        let found = output.stdout.lines().filter(|it| it.starts_with("crew.py"));
        let found = found.collect::<Vec<_>>().join("\n");
        match has_other {
            // Each class may have its own names.
            true => assert_eq!(found, ""),
            false => expect![[r#"
                crew.py:7:66: error [unknown-crew-member] config/agents.yaml has no agent `resarcher`, so the crew raises KeyError: 'resarcher'; did you mean `researcher`?
                crew.py:11:60: error [unknown-crew-member] config/tasks.yaml has no task `reprot`, so the crew raises KeyError: 'reprot'; did you mean `report`?"#]].assert_eq(&found),
        }
    }
}
