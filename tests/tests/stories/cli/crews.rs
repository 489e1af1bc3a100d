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
        6 prompts checked: 4 errors, 1 warning
    "#]],
    );
}

#[test]
fn names_are_not_reported_if_the_crew_may_have_them() {
    let inherits = CREW.replace("Research:", "Research(Base):");
    let elsewhere = CREW.replace("class Research:", "class Research:\n    tasks_config = f()");
    let only = "config/tasks.yaml:6:24: warning [undefined-placeholder] nothing in this app sets \
        `research`\n6 prompts checked: 1 warning\n";
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
