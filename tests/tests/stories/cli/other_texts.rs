//! Prompts in code with parts from other files: the texts of these are resolved with them.

use std::collections::BTreeSet;

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};
use serde_json::Value;

const AGENT: &str = r#"import textwrap
from google.adk.agents import LlmAgent
from . import texts
from .texts import BASE, RULES, TAIL, about

sum = LlmAgent(name="sum", instruction=BASE + "\nPlan {plan}. " + texts.TAIL, output_key="plan")
field = LlmAgent(name="field", instruction=f"{BASE}\nPlan for {{plan}}. {TAIL} {now()}")
only = LlmAgent(name="only", instruction=BASE + TAIL)
joined = LlmAgent(name="joined", instruction="\n".join([BASE, texts.RULES["short"], "Go."]))
formatted = LlmAgent(name="formatted", instruction=(BASE + " For {}.").format("all"))
dedented = LlmAgent(name="dedented", instruction=textwrap.dedent(f"""
    {TAIL}
    Ask."""))
called = LlmAgent(name="called", instruction=f"{about('x')} {TAIL.strip()}")
file = LlmAgent(name="file", instruction=open("rules.txt").read() + "Bye.")
again = LlmAgent(name="again", instruction=f"{texts.AGAIN} And {TAIL}")
open_ = LlmAgent(name="open", instruction=f"{texts.OPEN} And {TAIL}")
"#;

const TEXTS: &str = r#"from .more import END
BASE = """You are polite."""
TAIL = f" Bye. {END} "
RULES = {"short": "Be short."}
AGAIN = f"{BASE} {TAIL}"
OPEN = f"{BASE} {now()}"
def about(name):
    return "Nothing about it."
"#;

fn application() -> Workspace {
    Workspace::new(&[
        ("app/__init__.py", ""),
        ("app/agent.py", AGENT),
        ("app/texts.py", TEXTS),
        ("app/more.py", "END = 'The end.'\n"),
        ("app/rules.txt", "Rule 1.\r\nRule 2.\n"),
        ("pyproject.toml", "[project]\nname = 'app'\ndependencies = ['google-adk==2.13.0']\n"),
    ])
}

/// The resolved texts of prompts, or the messages of errors.
#[track_caller]
fn resolved(workspace: &Workspace, file: &str, names: &[&str], expected: Expect) {
    let texts = names.iter().map(|name| {
        let prompt = format!("{file}#{name}");
        let output = promptls(&["resolve", &prompt]).cwd(workspace.root()).run();
        format!("{name}: {:?} {}\n", output.stdout, output.stderr.trim_end())
    });
    expected.assert_eq(&texts.collect::<String>());
}

#[track_caller]
fn checked(workspace: &Workspace, expected: Expect) {
    let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
    expected.assert_eq(&format!("{}{}", output.stdout, output.stderr));
}

#[test]
fn texts_of_other_files_are_resolved_with_the_prompt() {
    let workspace = application();
    workspace.write("app/agent.sum.inputs.json", r#"{"plan": "a plan"}"#);
    let names = [
        "sum",
        "field",
        "only",
        "joined",
        "formatted",
        "dedented",
        "called",
        "file",
        "again",
        "open",
    ];
    resolved(
        &workspace,
        "app/agent.py",
        &names,
        expect![[r#"
            sum: "You are polite.\nPlan a plan.  Bye. The end. " 
            field: "You are polite.\nPlan for {plan}.  Bye. The end.  {now()}" the program computes `{now()}`; an inputs file can set it with the key "=now()"
            only: "You are polite. Bye. The end. " 
            joined: "You are polite.\nBe short.\nGo." 
            formatted: "You are polite. For all." 
            dedented: "\n Bye. The end. \nAsk." 
            called: "Nothing about it. Bye. The end." 
            file: "Rule 1.\nRule 2.\nBye." 
            again: "You are polite.  Bye. The end.  And  Bye. The end. " 
            open: "{texts.OPEN} And  Bye. The end. " the program computes `{texts.OPEN}`; an inputs file can set it with the key "=texts.OPEN"
        "#]],
    );
    checked(
        &workspace,
        expect![[r#"
        10 prompts checked: no problems
    "#]],
    );
}

#[test]
fn a_value_that_only_a_part_needs_is_missing_at_its_name() {
    let agent = "from google.adk.agents import LlmAgent\nfrom texts import BASE\n\
        a = LlmAgent(name='a', instruction=f'{BASE} For {{city}}.')\n";
    let workspace = Workspace::new(&[
        ("agent.py", agent),
        ("texts.py", "BASE = 'Use {user_name}.'\n"),
        ("agent.a.inputs.json", r#"{"city": "Oslo", "usr_name": "Ada", "old": 1}"#),
        ("agent.a.full.inputs.json", r#"{"city": "Oslo", "user_name": "Ada"}"#),
        ("agent.a.other.inputs.json", r#"{"city": "Oslo", "user_name": "Ada", "=BASE": "B"}"#),
        ("requirements.txt", "google-adk==2.13.0\n"),
    ]);
    resolved(
        &workspace,
        "agent.py",
        &["a"],
        expect![[r#"
        a: "" Context variable not found: `user_name` in agent 'a'.
    "#]],
    );
    checked(
        &workspace,
        expect![[r#"
            agent.a.inputs.json:1:18: warning [unused-input] `usr_name` is never read by prompt `a`; did you mean `user_name`?
            agent.a.inputs.json:1:37: warning [unused-input] `old` is never read by prompt `a`
            texts.py:1:14: error [undefined-placeholder] `user_name` has no value in 1 of 3 cases: default; did you mean `usr_name`?
            2 prompts checked: 1 error, 2 warnings
        "#]],
    );
    // No quick fix changes the name of the part.
    let fixed = promptls(&["check", "--fix-unsafe"]).cwd(workspace.root()).run();
    assert_eq!(workspace.read("agent.py"), agent, "{}", fixed.stderr);
}

/// The problems in an output of JSON: their places, codes and messages.
fn problems(output: &str) -> BTreeSet<String> {
    let report: Value = serde_json::from_str(output).expect("JSON");
    let shown = |problem: &Value| {
        let (file, start) = (&problem["file"], &problem["range"]["start"]);
        format!("{file} {start} {} {}", problem["code"], problem["message"])
    };
    report["problems"].as_array().into_iter().flatten().map(shown).collect()
}

#[test]
fn the_problems_of_parts_in_other_files_are_those_of_the_prompt() {
    let agent = "from google.adk.agents import LlmAgent\nfrom texts import BASE\n\
        RULES = open('rules.txt').read()\n\
        a = LlmAgent(name='a', instruction=f'{BASE} {RULES} For {{city}}.')\n";
    for inputs in [None, Some(r#"{"city": "Oslo", "old": 1}"#)] {
        let workspace = Workspace::new(&[
            ("agent.py", agent),
            ("texts.py", "# Two lines.\nBASE = 'Use {user_name}.'\n"),
            ("rules.txt", "Follow {rule}.\n"),
            ("requirements.txt", "google-adk==2.13.0\n"),
        ]);
        inputs.iter().for_each(|inputs| workspace.write("agent.a.inputs.json", inputs));
        let run = |arguments: &[&str]| promptls(arguments).cwd(workspace.root()).run().stdout;
        let checked = problems(&run(&["check", "--format", "json"]));
        assert_eq!(checked.len(), 3, "{checked:?}");
        assert_eq!(problems(&run(&["resolve", "agent.py", "--format", "json"])), checked);
        let shown = run(&["preview", "agent.py"]);
        for place in ["--> texts.py:2:14", "--> rules.txt:1:9"] {
            assert_eq!(shown.matches(place).count(), 1, "{shown}");
        }
    }
}

#[test]
fn only_unambiguous_texts_are_inserted() {
    let agent = "from google.adk.agents import LlmAgent
from texts import CHOSEN, EMPTY, NAME, made
a = LlmAgent(name='a', instruction=f'{CHOSEN} x')
b = LlmAgent(name='b', instruction=f'{EMPTY}')
c = LlmAgent(name='c', instruction=f'To {{{NAME}}}.')
d = LlmAgent(name='d', instruction=f'{{town}}{NAME}')
e = LlmAgent(name='e', instruction='e ' + made())
";
    let texts = "CHOSEN = 'A' if short else load()
EMPTY = ''
NAME = 'city'
def made():
    if short:
        return 'C'
    return 'D'
";
    let go = "package app
import \"google.golang.org/adk/agent/llmagent\"
var g, _ = llmagent.New(llmagent.Config{Name: \"g\", Instruction: base + \" x\"})
";
    let workspace = Workspace::new(&[
        ("agent.py", agent),
        ("texts.py", texts),
        ("requirements.txt", "google-adk==2.13.0\n"),
        ("go/a.go", go),
        // Files for two systems.
        ("go/a_linux.go", "package app\nconst base = \"L\"\n"),
        ("go/a_darwin.go", "package app\nconst base = \"M\"\n"),
        ("go/go.mod", "module x\n"),
    ]);
    resolved(
        &workspace,
        "agent.py",
        &["a", "b", "c", "d", "e"],
        expect![[r#"
        a: "{CHOSEN} x" the program computes `{CHOSEN}`; an inputs file can set it with the key "=CHOSEN"
        b: "" 
        c: "" Context variable not found: `city` in agent 'c'.
        d: "" Context variable not found: `town` in agent 'd'.
        e: "e made()" the program computes `made()`; an inputs file can set it with the key "=made()"
    "#]],
    );
    resolved(
        &workspace,
        "go/a.go",
        &["g"],
        expect![[r#"
        g: "base x" the program computes `base`; an inputs file can set it with the key "=base"
    "#]],
    );
    checked(
        &workspace,
        expect![[r#"
        agent.py:6:40: warning [undefined-placeholder] nothing in this app sets `town`
        6 prompts checked: 1 warning
    "#]],
    );
}

const LANGUAGES: &[(&str, &str)] = &[
    (
        "web/agent.ts",
        "import { LlmAgent } from '@google/adk';
import END, { BASE } from './texts';
import * as texts from './texts';
export const a = new LlmAgent({ name: 'a', instruction: `${BASE} Go. ${END}` });
export const b = new LlmAgent({ name: 'b', instruction: BASE + ' ' + texts.MORE.short });
",
    ),
    (
        "web/texts.ts",
        "export const BASE = 'Be polite.';
export const MORE = { short: 'Be short.' };
export default 'The end.';
",
    ),
    ("web/package.json", "{}"),
    (
        "java/com/x/Agents.java",
        "package com.x;
import com.google.adk.agents.LlmAgent;
class Agents {
  Object a = LlmAgent.builder().name(\"a\").instruction(Texts.BASE + \" Go. \" + Texts.END).build();
}
",
    ),
    (
        "java/com/x/Texts.java",
        "package com.x;
class Texts {
  static final String BASE = \"Be polite.\";
  static final String END = BASE + \" The end.\";
}
",
    ),
    ("java/pom.xml", "<project></project>"),
    (
        "kt/com/x/Agents.kt",
        "package com.x
import com.google.adk.agents.LlmAgent
import com.x.BASE
val a = LlmAgent.builder().name(\"a\").instruction(\"$BASE Go. ${Texts.END}\").build()
",
    ),
    (
        "kt/com/x/Texts.kt",
        "package com.x
const val BASE = \"Be polite.\"
object Texts { const val END = \"The end.\" }
",
    ),
    ("kt/build.gradle.kts", ""),
    (
        "go/agent.go",
        "package app
import \"google.golang.org/adk/agent/llmagent\"
var a, _ = llmagent.New(llmagent.Config{Name: \"a\", Instruction: base + \" Go. \" + end})
",
    ),
    ("go/texts.go", "package app\nconst base = \"Be polite.\"\nconst end = \"The end.\"\n"),
    ("go/go.mod", "module x\n"),
];

#[test]
fn texts_of_other_files_are_followed_in_each_language() {
    let workspace = Workspace::new(LANGUAGES);
    resolved(
        &workspace,
        "web/agent.ts",
        &["a", "b"],
        expect![[r#"
            a: "Be polite. Go. The end." 
            b: "Be polite. Be short." 
        "#]],
    );
    resolved(
        &workspace,
        "java/com/x/Agents.java",
        &["a"],
        expect![[r#"
        a: "Be polite. Go. Be polite. The end." 
    "#]],
    );
    resolved(
        &workspace,
        "kt/com/x/Agents.kt",
        &["a"],
        expect![[r#"
            a: "Be polite. Go. The end." 
        "#]],
    );
    resolved(
        &workspace,
        "go/agent.go",
        &["a"],
        expect![[r#"
        a: "Be polite. Go. The end." 
    "#]],
    );
    checked(
        &workspace,
        expect![[r#"
            5 prompts checked: no problems
        "#]],
    );
}

#[test]
fn lists_of_other_files_are_joined_in_each_language() {
    let workspace = Workspace::new(&[
        (
            "py/agent.py",
            "from google.adk.agents import LlmAgent
from texts import RULES
a = LlmAgent(name='a', instruction=\"\\n\".join(RULES).strip())
b = LlmAgent(name='b', instruction=f\"Do.{' '.join(RULES)}\")
",
        ),
        ("py/texts.py", "RULES = ['Be polite.', 'Call {city}.']\n"),
        ("py/requirements.txt", "google-adk==2.13.0\n"),
        ("py/agent.b.inputs.json", r#"{"city": "Oslo"}"#),
        (
            "web/agent.ts",
            "import { LlmAgent } from '@google/adk';
import { RULES } from './texts';
export const a = new LlmAgent({ name: 'a', instruction: 'Do. ' + RULES.join(' ') });
",
        ),
        ("web/texts.ts", "export const RULES = ['Be polite.', 'Be short.'];\n"),
        ("web/package.json", "{}"),
        (
            "go/agent.go",
            "package app
import \"strings\"
import \"google.golang.org/adk/agent/llmagent\"
var a, _ = llmagent.New(llmagent.Config{Name: \"a\", Instruction: \"Do. \" + strings.Join(rules, \" \")})
",
        ),
        ("go/texts.go", "package app\nvar rules = []string{\"Be polite.\", \"Be short.\"}\n"),
        ("go/go.mod", "module x\n"),
    ]);
    resolved(
        &workspace,
        "py/agent.py",
        &["b"],
        expect![[r#"
        b: "Do.Be polite. Call Oslo." 
    "#]],
    );
    resolved(
        &workspace,
        "py/texts.py",
        &["RULES"],
        expect![[r#"
        RULES: "Be polite.\nCall Oslo." 
    "#]],
    );
    resolved(
        &workspace,
        "web/agent.ts",
        &["a"],
        expect![[r#"
        a: "Do. Be polite. Be short." 
    "#]],
    );
    resolved(
        &workspace,
        "go/agent.go",
        &["a"],
        expect![[r#"
        a: "Do. Be polite. Be short." 
    "#]],
    );
    checked(
        &workspace,
        expect![[r#"
        4 prompts checked: no problems
    "#]],
    );
}

#[test]
fn lists_whose_items_are_put_into_a_text_are_resolved() {
    let agent = r#"import { LlmAgent } from '@google/adk';
const RULES = ['Be {tone}.', 'Be short.'];
export const a = new LlmAgent({
  name: 'a', instruction: `Do.\n${RULES.map((rule) => `- ${rule}`).join('\n')}`,
});
export const b = new LlmAgent({
  name: 'b', instruction: `Do. ${RULES.filter(isUsed).join(' ')}`,
});
"#;
    let workspace = Workspace::new(&[
        ("agent.ts", agent),
        ("agent.a.inputs.json", r#"{"tone": "polite"}"#),
        ("package.json", "{}"),
    ]);
    resolved(
        &workspace,
        "agent.ts",
        &["a"],
        expect![[r#"
        a: "Do.\n- Be polite.\n- Be short." 
    "#]],
    );
    checked(
        &workspace,
        expect![[r#"
        agent.ts:2:15: hint [computed-prompt] this text comes from `['Be {tone}.', 'Be short.']`, so it is not checked
        2 prompts checked, 1 not read: 1 hint
    "#]],
    );
}

#[test]
fn constants_are_passed_to_functions_of_other_files() {
    let agent = "from google.adk.agents import LlmAgent
from shop.helpers import with_rules
from .texts import ROLE, TASK
a = LlmAgent(name='a', instruction='Go. ' + with_rules(ROLE, end=TASK))
";
    let helpers = "def with_rules(text, end):\n    return f'Be short. {text.strip()} {end}'\n";
    let workspace = Workspace::new(&[
        ("shop/__init__.py", ""),
        ("shop/helpers.py", helpers),
        ("app/__init__.py", ""),
        ("app/agent.py", agent),
        ("app/texts.py", "ROLE = ' For {guest}.'\nTASK = 'The end.'\n"),
        ("app/agent.a.inputs.json", r#"{"gest": "Ada"}"#),
        ("pyproject.toml", "[project]\nname = 'app'\ndependencies = ['google-adk==2.13.0']\n"),
    ]);
    checked(
        &workspace,
        expect![[r#"
        app/texts.py:1:15: error [undefined-placeholder] `guest` has no value; did you mean `gest`?
        3 prompts checked: 1 error
    "#]],
    );
    workspace.write("app/agent.a.inputs.json", r#"{"guest": "Ada"}"#);
    resolved(
        &workspace,
        "app/agent.py",
        &["a"],
        expect![[r#"
        a: "Go. Be short. For Ada. The end." 
    "#]],
    );
    checked(
        &workspace,
        expect![[r#"
        3 prompts checked: no problems
    "#]],
    );
}
