//! Arguments of frameworks that are set after their call, or that are not written in it.

use crate::shown::found_in_modules;
use promptls_hosts::{Finds, HostPrompt, Language, find_with};

const PYTHON: &str = "from google.adk.agents import LlmAgent\n";
const SCRIPT: &str = "import {LlmAgent} from '@google/adk';\n";
const GO: &str = "package p\nimport \"google.golang.org/adk/agent/llmagent\"\nfunc f() {\n";
const JAVA: &str = "import com.google.adk.agents.LlmAgent;\nclass A { void f() {\n";
const KOTLIN: &str = "import com.google.adk.agents.LlmAgent\n";

fn find(language: Language, source: &str) -> Finds {
    let (before, after) = match language {
        Language::Python => (PYTHON, ""),
        Language::Go => (GO, "}\n"),
        Language::Java => (JAVA, "}}\n"),
        Language::Kotlin => (KOTLIN, ""),
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
            "n: x | ? `instruction` comes from `**K`",
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
        (TypeScript, "const o = {instruction: 'x'};\nnew LlmAgent({name: 'n', ...o});", "n: x"),
        (
            TypeScript,
            "new LlmAgent({name: 'n', instruction: 'x', ...options});",
            "n: x | ? `instruction` comes from `...options`",
        ),
    ] {
        assert_eq!(shown(&find(language, source)), expected, "{source}");
    }
}

#[test]
fn methods_of_classes_set_arguments_of_their_own_object() {
    use Language::{Python, TypeScript};

    for (language, source, expected) in [
        (
            Python,
            "class C(LlmAgent):\n  def __init__(self):\n    super().__init__(name='n')\n    self.instruction = 'x'",
            "n: x",
        ),
        (
            Python,
            "class C(LlmAgent):\n  def __init__(self, **k):\n    self.instruction = 'x'\n    super().__init__(**k)",
            "C: x",
        ),
        (
            Python,
            "class C(LlmAgent):\n  def f(self):\n    self.instruction: str = load()",
            "? `instruction` comes from `load()`",
        ),
        (
            Python,
            "class C(LlmAgent):\n  def __init__(self, text):\n    super().__init__(name='n')\n    self.instruction = text\nC('x')",
            "prompt: x",
        ),
        (Python, "class C(Other):\n  def f(self):\n    self.instruction = 'x'", ""),
        (Python, "class C(LlmAgent):\n  def f(self):\n    self.agent.instruction = 'x'", ""),
        (
            TypeScript,
            "class C extends LlmAgent {\n  constructor() {\n    super({name: 'n'});\n    this.instruction = 'x';\n  }\n}",
            "n: x",
        ),
    ] {
        assert_eq!(shown(&find(language, source)), expected, "{source}");
    }
}

#[test]
fn what_extends_a_prompt_has_more_before_it() {
    use Language::{Go, Python, TypeScript};

    for (language, source, expected) in [
        (
            Python,
            "a = LlmAgent(name='n', instruction='x')\na.instruction += 'y'",
            "n: x | n-2: \u{fffc}y",
        ),
        (Python, "class C(LlmAgent):\n  def f(self):\n    self.instruction += 'y'", "C: \u{fffc}y"),
        (TypeScript, "const a = new LlmAgent({name: 'n'});\na.instruction += 'y';", "n: \u{fffc}y"),
        (Go, "c := llmagent.Config{Name: \"n\"}\nc.Instruction += \"y\"", "n: \u{fffc}y"),
    ] {
        assert_eq!(shown(&find(language, source)), expected, "{source}");
    }
}

#[test]
fn objects_of_arguments_are_filled_in_steps() {
    use Language::{Python, TypeScript};

    for (language, source, expected) in [
        (Python, "k = {'name': 'n'}\nk['instruction'] = 'x'\nLlmAgent(**k)", "n: x"),
        (
            Python,
            "k = dict(name='n')\nk.setdefault('instruction', 'x')\nLlmAgent(**k)",
            "prompt: x",
        ),
        (Python, "k = {}\nk.update({'instruction': 'x'}, name='n')\nLlmAgent(**k)", "prompt: x"),
        (Python, "k = {}\nk[key] = 'x'\nLlmAgent(**k)", "? `instruction` comes from `**k`"),
        (Python, "k = {}\nk.update(load())\nLlmAgent(**k)", "? `instruction` comes from `**k`"),
        (Python, "k = {'name': 'n'}\nLlmAgent(**(k | {'instruction': 'x'}))", "n: x"),
        (Python, "k = {}\ndef f(k):\n  k['instruction'] = 'x'\nLlmAgent(**k)", ""),
        (TypeScript, "const o = {name: 'n'};\no.instruction = 'x';\nnew LlmAgent(o);", "n: x"),
        (TypeScript, "new LlmAgent(Object.assign({}, {name: 'n'}, {instruction: 'x'}));", "n: x"),
        (
            TypeScript,
            "new LlmAgent(Object.assign({}, load()));",
            "? `instruction` comes from `Object.assign(…)`",
        ),
        (
            TypeScript,
            "function o(text) {\n  return {name: 'n', instruction: text};\n}\nnew LlmAgent(o('x'));",
            "n: x",
        ),
        (TypeScript, "new LlmAgent(load());", "? `instruction` comes from `load()`"),
        (Python, "def o(t):\n  return {'instruction': t}\nLlmAgent(name='n', **o('x'))", "n: x"),
    ] {
        assert_eq!(shown(&find(language, source)), expected, "{source}");
    }
}

#[test]
fn classes_of_agents_have_methods_that_create_them() {
    for (source, expected) in [
        ("LlmAgent.model_construct(name='n', instruction='x')", "n: x"),
        ("LlmAgent.model_validate({'name': 'n', 'instruction': 'x'})", "n: x"),
        (
            "class C(LlmAgent):\n  pass\nK = {'name': 'n', 'instruction': 'x'}\nC.model_validate(K)",
            "n: x",
        ),
        ("LlmAgent.model_validate(load())", "? `instruction` comes from `load()`"),
        ("a = LlmAgent(name='n')\na.model_copy(update=dict(instruction='x'))", "n: x"),
        ("LlmAgent(name='n').clone({'instruction': 'x'})", "n: x"),
        (
            "a = LlmAgent(name='n')\na.model_copy(update=load())",
            "? `instruction` comes from `load()`",
        ),
        ("a = LlmAgent(name='n')\na.model_copy(deep=True)", ""),
        ("a = LlmAgent(name='n')\nsetattr(a, 'instruction', 'x')", "n: x"),
        (
            "from pydantic import Field\nclass C(LlmAgent):\n  instruction: str = Field(default_factory=lambda: 'x')",
            "C: x",
        ),
        (
            "from pydantic import Field\nclass C(LlmAgent):\n  instruction: str = Field(default_factory=load)",
            "? `instruction` comes from `load`",
        ),
    ] {
        assert_eq!(shown(&find(Language::Python, source)), expected, "{source}");
    }
}

#[test]
fn blocks_of_kotlin_set_arguments() {
    for (source, expected) in [
        ("val a = LlmAgent.builder().apply { name(\"n\"); instruction(\"x\") }.build()", "n: x"),
        ("val a = LlmAgent.builder().name(\"n\").also { it.instruction(\"x\") }", "n: x"),
        ("val a = LlmAgent.builder().also { b -> b.instruction(\"x\") }", "a: x"),
        ("val a = LlmAgent.builder().run {\n  instruction(\"x\")\n  build()\n}", "a: x"),
        (
            "val a = with(LlmAgent.builder()) {\n  instruction(\"x\").name(\"n\")\n  build()\n}",
            "n: x",
        ),
        (
            "fun f(b: LlmAgent.Builder) {\n  b.apply { if (c) { instruction(\"x\") } else { instruction(\"y\") } }\n}",
            "f: x | f-2: y",
        ),
        (
            "val a = LlmAgent.builder().apply {\n  subAgents(LlmAgent.builder().apply { instruction(\"x\") }.build())\n  name(\"n\")\n}",
            "a: x",
        ),
        ("fun LlmAgent.Builder.polite() = instruction(\"x\")", "polite: x"),
        (
            "fun make(block: LlmAgent.Builder.() -> Unit) = LlmAgent.builder().apply(block)\nval a = make { instruction(\"x\") }",
            "a: x",
        ),
        (
            "val a = LlmAgent.builder().apply { instruction(load()) }",
            "? `instruction` comes from `load()`",
        ),
        ("val a = LlmAgent.builder().apply { other.instruction(\"x\") }", ""),
        ("val a = Other.builder().apply { instruction(\"x\") }", ""),
    ] {
        assert_eq!(shown(&find(Language::Kotlin, source)), expected, "{source}");
    }
}

#[test]
fn functions_may_return_objects() {
    use Language::{Go, Java, Kotlin, Python};

    for (language, source, expected) in [
        (Python, "def f():\n  return LlmAgent(name='n')\na = f()\na.instruction = 'x'", "a: x"),
        (Python, "def f() -> LlmAgent:\n  return g()\na = f()\na.instruction = 'x'", "a: x"),
        (Python, "def f() -> Other:\n  return g()\na = f()\na.instruction = 'x'", ""),
        (
            Java,
            "}\nLlmAgent.Builder b() { return c(); }\nvoid g() {\nb().name(\"n\").instruction(\"x\");",
            "n: x",
        ),
        (
            Java,
            "}\nstatic LlmAgent.Builder b() { return c(); }\nvoid g() {\nvar b = A.b();\nb.instruction(\"x\");",
            "g: x",
        ),
        (
            Kotlin,
            "fun b() = LlmAgent.builder().model(\"m\")\nval a = b().name(\"n\").instruction(\"x\").build()",
            "n: x",
        ),
        (Kotlin, "fun b() = LlmAgent.builder().build()\nval a = b().instruction(\"x\")", ""),
        (
            Go,
            "}\nfunc base() *llmagent.Config { return nil }\nfunc g() {\nc := base()\nc.Instruction = \"x\"",
            "c: x",
        ),
    ] {
        assert_eq!(shown(&find(language, source)), expected, "{source}");
    }
}

#[test]
fn variables_have_objects_by_their_types() {
    use Language::{Go, Java, Kotlin, Python};

    for (language, source, expected) in [
        (Go, "var c llmagent.Config\nc.Instruction = \"x\"", "c: x"),
        (Go, "c := new(llmagent.Config)\nc.Instruction = \"x\"", "c: x"),
        (Go, "}\nfunc with(c *llmagent.Config) {\nc.Instruction = \"x\"", "c: x"),
        (
            Go,
            "}\ntype a struct {\n\tcfg llmagent.Config\n}\nfunc (a *a) f() {\na.cfg.Instruction = \"x\"",
            "cfg: x",
        ),
        (
            Go,
            "}\ntype a struct {\n\tllmagent.Config\n}\nfunc (a *a) f() {\na.Config.Instruction = \"x\"",
            "Config: x",
        ),
        (Go, "}\nfunc g() (c llmagent.Config, err error) {\nc.Instruction = \"x\"\nreturn", "c: x"),
        (Go, "var c other.Config\nc.Instruction = \"x\"", ""),
        (Java, "LlmAgent.Builder b;\nb = make();\nb.instruction(\"x\");", "f: x"),
        (
            Java,
            "}\nLlmAgent.Builder b;\nvoid g(final LlmAgent.Builder c) {\nthis.b.instruction(\"x\");\nc.instruction(\"y\");",
            "g: x | g-2: y",
        ),
        (
            Kotlin,
            "class A(private val b: LlmAgent.Builder) {\n  fun f() { b.instruction(\"x\") }\n}",
            "f: x",
        ),
        (Python, "def f(a: Optional[LlmAgent] = None):\n  a.instruction = 'x'", "a: x"),
        (
            Go,
            "}\ntype option func(*llmagent.Config)\nfunc with(text string) option {\n\treturn func(c *llmagent.Config) { c.Instruction = text }\n}\nfunc g() {\nx := with(\"x\")",
            "x: x",
        ),
        (
            Go,
            "}\ntype Config = llmagent.Config\nfunc g() {\nc := Config{Name: \"n\", Instruction: \"x\"}",
            "n: x",
        ),
        (Go, "}\ntype Config llmagent.Config\nfunc g(c Config) {\nc.Instruction = \"x\"", "c: x"),
    ] {
        assert_eq!(shown(&find(language, source)), expected, "{source}");
    }
}

#[test]
fn values_of_slices_and_maps_need_no_type_in_go() {
    for (source, expected) in [
        (
            "x := []llmagent.Config{{Name: \"n\", Instruction: \"x\"}, {Name: \"m\", Instruction: \"y\"}}",
            "n: x | m: y",
        ),
        ("x := [2]*llmagent.Config{0: {Name: \"n\", Instruction: \"x\"}}", "n: x"),
        ("x := map[string][]llmagent.Config{\"a\": {{Name: \"n\", Instruction: \"x\"}}}", "n: x"),
        ("x := []llmagent.Config{llmagent.Config{Name: \"n\", Instruction: \"x\"}}", "n: x"),
        ("x := []other.Config{{Name: \"n\", Instruction: \"x\"}}", ""),
    ] {
        assert_eq!(shown(&find(Language::Go, source)), expected, "{source}");
    }
}

#[test]
fn objects_of_other_modules_get_arguments() {
    let base = "from google.adk.agents import LlmAgent\nagent = LlmAgent(name='a')\n\
                def make():\n  return LlmAgent(name='b')\nother = 1\n";
    for (source, expected) in [
        ("from base import agent\nagent.instruction = 'x'", &["agent agent: x"][..]),
        ("import base\nbase.agent.instruction = 'x'", &["agent agent: x"]),
        ("from base import make\na = make()\na.instruction = 'x'", &["agent a: x"]),
        (
            "from base import agent\nagent.model_copy(update={\"instruction\": 'x'})",
            &["agent prompt: x"],
        ),
        ("from base import other\nother.instruction = 'x'", &[]),
        ("from base import agent\nagent.description = 'x'", &[]),
    ] {
        let modules = [("base", base), ("agent", source)];
        assert_eq!(found_in_modules(Language::Python, &modules), expected, "{source}");
    }
}

#[test]
fn objects_in_lists_get_arguments() {
    use Language::{Go, Python, TypeScript};

    for (language, source, expected) in [
        (
            Python,
            "for a in [LlmAgent(name='n'), LlmAgent(name='m')]:\n  a.instruction = 'x'",
            "a: x",
        ),
        (Python, "l = [LlmAgent(name='n')]\nfor a in l:\n  a.instruction = 'x'", "a: x"),
        (Python, "d = {'k': LlmAgent(name='n')}\nd['k'].instruction = 'x'", "d: x"),
        (Python, "d = {'k': Other(name='n')}\nd['k'].instruction = 'x'", ""),
        (
            TypeScript,
            "for (const a of [new LlmAgent({name: 'n'})]) {\n  a.instruction = 'x';\n}",
            "a: x",
        ),
        (Go, "l := []llmagent.Config{{Name: \"n\"}}\nl[0].Instruction = \"x\"", "l: x"),
    ] {
        assert_eq!(shown(&find(language, source)), expected, "{source}");
    }
}
