//! Functions of an application that make agents of a parameter: which of their calls are prompts.

use expect_test::expect;
use promptls_tests::{Workspace, promptls};

const PYTHON: (&str, &str) = ("pyproject.toml", "[project]\ndependencies = ['google-adk']\n");
const SCRIPT: (&str, &str) = ("package.json", r#"{"dependencies": {"@google/adk": "1.4.0"}}"#);
const IMPORT: &str = "from google.adk.agents import LlmAgent\n";
const IMPORT_SCRIPT: &str = "import { LlmAgent } from '@google/adk';\n";

/// Compares the names of the prompts in all files, and the lines that are listed as not read.
#[track_caller]
fn check(files: &[(&str, &str)], names: &str, not_read: usize) {
    let workspace = Workspace::new(files);
    let listed = promptls(&["check", "--list"]).cwd(workspace.root()).run();
    let name = |line: &str| Some(line.split_once('#')?.1.split(' ').next()?.to_owned());
    let found: Vec<String> = listed.stdout.lines().filter_map(name).collect();
    let unread = listed.stderr.lines().filter(|line| line.ends_with("so it is not checked"));
    assert_eq!((&*found.join(" "), unread.count()), (names, not_read), "{}", listed.stderr);
}

/// The same for a module of Python with functions, and one with calls of them.
#[track_caller]
fn check_python(functions: &str, calls: &str, names: &str, not_read: usize) {
    let module = format!("{IMPORT}{functions}");
    check(&[PYTHON, ("core.py", &module), ("use.py", calls)], names, not_read);
}

/// The same for a module of TypeScript.
#[track_caller]
fn check_script(functions: &str, calls: &str, names: &str, not_read: usize) {
    let module = format!("{IMPORT_SCRIPT}{functions}");
    check(&[SCRIPT, ("core.ts", &module), ("use.ts", calls)], names, not_read);
}

#[test]
fn a_reassigned_parameter_is_not_passed_on() {
    for body in [
        "for text in load(text): LlmAgent(name=name, instruction=text)",
        "with open(text) as text: LlmAgent(name=name, instruction=text)",
        "return [LlmAgent(name=name, instruction=text) for text in load(text)]",
        "if (text := load(text)): LlmAgent(name=name, instruction=text)",
        "return lambda text: LlmAgent(name=name, instruction=text)",
        "text, x = load(text)\n    LlmAgent(name=name, instruction=text)",
        "text += load()\n    LlmAgent(name=name, instruction=text)",
    ] {
        let function = format!("def make(name, text):\n    {body}\n");
        check_python(&function, "from core import make\nmake('a', 'Hi {x?}')\n", "", 1);
    }
    let agent = "new LlmAgent({ name, instruction: text })";
    for body in [
        "for (const text of l) { AGENT; }",
        "return l.map(text => AGENT);",
        "return l.map(({ text }) => AGENT);",
        "try {} catch (text) { AGENT; }",
        "if (x) { const { text } = load(); AGENT; }",
        "text += load(); AGENT;",
        "[text] = load(text); AGENT;",
    ] {
        let body = body.replace("AGENT", agent);
        let function = format!("export function make(name: string, text: string) {{ {body} }}\n");
        check_script(&function, "import { make } from './core';\nmake('a', 'Hi {x?}');\n", "", 1);
    }
    let build = "LlmAgent.builder().name(name).instruction(text).build()";
    for body in ["l.map { text -> BUILD }", "l.map { (text, b) -> BUILD }", "text.let { BUILD }"] {
        let function = format!(
            "package a\nimport com.google.adk.agents.LlmAgent\n\
             fun make(name: String, text: String) = {}\n",
            body.replace("BUILD", build)
        );
        let call = ("b/Use.kt", "package b\nimport a.*\nval u = make(\"a\", \"Hi {x?}\")\n");
        let is_same = !body.contains("->");
        let found = if is_same { "a" } else { "" };
        check(&[("a/Core.kt", &*function), call], found, usize::from(!is_same));
    }
}

#[test]
fn a_position_is_that_among_the_arguments_of_a_call() {
    let calls = "make({}, 'yes', 'Hi {x?}', 'not {x?}');\n";
    for parameters in [
        "m: Map<string, Set<number>>, name: string, text: string, note: string",
        "this: Window, m: object, name: string, text: string, note: string",
    ] {
        let function = format!(
            "export function make({parameters}) {{ return new LlmAgent({{ name, instruction: text }}); }}\n"
        );
        let calls = format!("import {{ make }} from './core';\n{calls}");
        check_script(&function, &calls, "yes", 0);
    }
    let java = "package a;\nimport com.google.adk.agents.LlmAgent;\nclass Agents {\n\
        static LlmAgent make(Map<String, Object> m, String name, String text, String note) {\n\
        return LlmAgent.builder().name(name).instruction(text).build(); }\n}\n";
    let call = "class Use { Object a = Agents.make(null, \"yes\", \"Hi {x?}\", \"not {x?}\"); }\n";
    let (same, other) = (format!("package a;\n{call}"), format!("package b;\nimport a.*;\n{call}"));
    let files = [("a/Agents.java", java), ("a/Use.java", &*same), ("b/Use.java", &*other)];
    check(&files, "yes yes", 0);
}

#[test]
fn methods_are_called_by_an_object_or_a_class() {
    let functions = "class A:\n    \
        def none(): return LlmAgent(instruction=text)\n    \
        def of_object(self, name, text): return LlmAgent(name=name, instruction=text)\n    \
        @classmethod\n    \
        def of_class(cls, name, text): return LlmAgent(name=name, instruction=text)\n    \
        @staticmethod\n    \
        def of_none(name, text): return LlmAgent(name=name, instruction=text)\n    \
        def all(self):\n        \
        self.of_object('a', 'Hi {x?}')\n        \
        self.of_class('b', 'Hi {x?}')\n        \
        A.of_object(self, 'no {x?}', 'Hi {x?}')\n";
    let calls = "from core import A\nA.of_class('c', 'Hi {x?}')\nA.of_none('d', text='Hi {x?}')\n\
        A.of_object(A(), 'no {x?}', 'Hi {x?}')\n";
    check_python(functions, calls, "a b c d", 1);
}

#[test]
fn a_module_may_export_a_function_under_another_name() {
    let function = "def make(name, text): return LlmAgent(name=name, instruction=text)\n";
    let core = format!("{IMPORT}{function}");
    let files = [
        PYTHON,
        ("core.py", &*core),
        ("other.py", "from core import make as build\n"),
        ("use.py", "from other import build\nbuild('a', 'Hi {x?}')\n"),
    ];
    check(&files, "a", 0);
    let core = format!(
        "{IMPORT_SCRIPT}export const make = (name, text) => new LlmAgent({{ name, instruction: text }});\n"
    );
    let files = [
        SCRIPT,
        ("core.ts", &*core),
        ("other.ts", "export { make as build } from './core';\n"),
        ("use.ts", "import { build } from './other';\nbuild('a', 'Hi {x?}');\n"),
    ];
    check(&files, "a", 0);
}

/// A function with one call that is followed does not hide what its other uses pass to it.
#[test]
fn other_uses_of_a_function_than_calls_are_listed() {
    let core = format!(
        "{IMPORT}def make(name, text): return LlmAgent(name=name, instruction=text)\n\
         make('a', 'Hi {{x?}}')\nbuild = make\n"
    );
    let more = "from core import make\nmake(*SPEC)\nmake(name='b', text='Hi {x?}', **more)\n\
        list(map(make, NAMES, TEXTS))\n";
    let other = "from core import make\nfrom util import make as build\nmake('c', 'Hi {x?}')\n\
        list(map(build, NAMES))\n";
    let files =
        [PYTHON, ("core.py", &core), ("more.py", more), ("other.py", other), ("util.py", "")];
    let workspace = Workspace::new(&files);
    let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
    expect![[r#"
        core.py:4:9: hint [computed-prompt] this use of a function that gets prompts is not followed, so their texts are not checked
        more.py:2:6: hint [computed-prompt] this use of a function that gets prompts is not followed, so their texts are not checked
        more.py:4:10: hint [computed-prompt] this use of a function that gets prompts is not followed, so their texts are not checked
    "#]].assert_eq(&output.stdout);
}
