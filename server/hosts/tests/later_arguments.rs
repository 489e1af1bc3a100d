//! Arguments of frameworks that are set after their call, or that are not written in it.

use promptls_hosts::{Finds, HostPrompt, Language, find_with};

const PYTHON: &str = "from google.adk.agents import LlmAgent\n";
const SCRIPT: &str = "import {LlmAgent} from '@google/adk';\n";
const GO: &str = "package p\nimport \"google.golang.org/adk/agent/llmagent\"\nfunc f() {\n";
const JAVA: &str = "import com.google.adk.agents.LlmAgent;\nclass A { void f() {\n";

fn find(language: Language, source: &str) -> Finds {
    let (before, after) = match language {
        Language::Python => (PYTHON, ""),
        Language::Go => (GO, "}\n"),
        Language::Java => (JAVA, "}}\n"),
        _ => (SCRIPT, ""),
    };
    find_with(language, &format!("{before}{source}\n{after}"), &[], &[])
}

/// The names and texts of prompts, with a bar between them, and what is not read.
fn shown(finds: &Finds) -> String {
    let prompt = |it: &HostPrompt| format!("{}: {}", it.name, it.text.text());
    let prompts = finds.prompts.iter().map(prompt);
    let unread = finds.computed.iter().map(|it| format!("? {}", it.unread.reason));
    let short =
        |text: String| text.replace("the text of ", "").replace(", so it is not checked", "");
    prompts.chain(unread.map(short)).collect::<Vec<_>>().join(" | ")
}

#[test]
fn prompts_assigned_after_construction_are_found() {
    use Language::{Go, Java, Python, TypeScript};

    for (language, source, expected) in [
        (Python, "a = LlmAgent(name='n')\na.instruction = 'x'", "n: x"),
        (
            Python,
            "a: LlmAgent = LlmAgent(name='n', instruction='x')\na.instruction = 'y'",
            "n: x | n-2: y",
        ),
        (
            Python,
            "class C:\n  def __init__(self):\n    self.a = LlmAgent(name='n')\n  def g(self):\n    self.a.instruction = 'x'",
            "n: x",
        ),
        (
            Python,
            "a = LlmAgent(name='n')\nb = a.clone(update={'instruction': 'x', 'name': 'm'})",
            "m: x",
        ),
        (
            Python,
            "a = LlmAgent(name='n')\na.instruction = load()",
            "? `instruction` comes from `load()`",
        ),
        (Python, "a = LlmAgent(name='n')\na.description = 'x'", ""),
        (Python, "a = wrap(LlmAgent(name='n'))\na.instruction = 'x'", ""),
        (Python, "a = LlmAgent(name='n')\ndef f(a):\n  a.instruction = 'x'", ""),
        (
            Python,
            "def f():\n  a = LlmAgent(name='n')\ndef g():\n  a = other()\n  a.instruction = 'x'",
            "",
        ),
        (Python, "b.a = LlmAgent(name='n')\na.instruction = 'x'", ""),
        (TypeScript, "const a = new LlmAgent({name: 'n'});\na.instruction = 'x';", "n: x"),
        (Go, "c := llmagent.Config{Name: \"n\"}\nc.Instruction = \"x\"\nllmagent.New(c)", "n: x"),
        (Go, "c := &llmagent.Config{Name: \"n\"}\nc.Instruction = \"x\"", "n: x"),
        (Java, "var b = LlmAgent.builder().name(\"n\");\nb.instruction(\"x\");", "n: x"),
        (
            Java,
            "LlmAgent.Builder b = LlmAgent.builder();\nb.name(\"n\").instruction(\"x\").build();",
            "n: x",
        ),
        (
            Java,
            "LlmAgent a = LlmAgent.builder().name(\"n\").instruction(\"x\").build();\na.run();",
            "n: x",
        ),
    ] {
        assert_eq!(shown(&find(language, source)), expected, "{source}");
    }
}

#[test]
fn partially_applied_functions_are_followed() {
    for (source, expected) in [
        (
            "from functools import partial\nA = partial(LlmAgent, model='m')\nA(name='n', instruction='x')",
            "n: x",
        ),
        ("import functools\nA = functools.partial(LlmAgent, name='n', instruction='x')", "n: x"),
        (
            "from functools import partial\npartial(LlmAgent, model='m')(name='n', instruction='x')",
            "n: x",
        ),
        ("from functools import partial\nA = partial(Other, model='m')\nA(instruction='x')", ""),
    ] {
        assert_eq!(shown(&find(Language::Python, source)), expected, "{source}");
    }
}

#[test]
fn dynamic_arguments_are_listed_as_unread() {
    use Language::{Python, TypeScript};

    for (language, source, expected) in [
        (Python, "K = {'name': 'n', 'instruction': 'x'}\nLlmAgent(**K)", "n: x"),
        (Python, "LlmAgent(**dict(name='n', instruction='x'))", "n: x"),
        (
            Python,
            "K = {'name': 'n', 'instruction': 'x', **k}\nLlmAgent(**K)",
            "? `instruction` comes from `**K`",
        ),
        (Python, "K = dict(instruction='x')\nLlmAgent(**K)", "? `instruction` comes from `**K`"),
        (
            Python,
            "def f(**k):\n  return LlmAgent(name='n', **k)",
            "? `instruction` comes from `**k`",
        ),
        (Python, "LlmAgent(**C['check'])", "? `instruction` comes from `**C[…]`"),
        (Python, "K = {'model': 'm'}\nLlmAgent(name='n', **K)", ""),
        (Python, "LlmAgent(name='n', instruction='x', **k)", "n: x"),
        (Python, "class C(LlmAgent):\n  def __init__(self, **k):\n    super().__init__(**k)", ""),
        (TypeScript, "new LlmAgent(options);", "? `instruction` comes from `options`"),
        (
            TypeScript,
            "new LlmAgent({name: 'n', ...options});",
            "? `instruction` comes from `...options`",
        ),
        (TypeScript, "new LlmAgent({...options, instruction: 'x'});", "prompt: x"),
        (TypeScript, "const o = {model: 'm'};\nnew LlmAgent({...o, name: 'n'});", ""),
        (TypeScript, "const o = {name: 'n', instruction: 'x'};\nnew LlmAgent(o);", "n: x"),
        (TypeScript, "const o = {name: 'n', instruction: 'x'};\nnew LlmAgent({...o});", "n: x"),
        (
            TypeScript,
            "const o = {instruction: 'x'};\nnew LlmAgent({name: 'n', ...o});",
            "? `instruction` comes from `...o`",
        ),
    ] {
        assert_eq!(shown(&find(language, source)), expected, "{source}");
    }
}
