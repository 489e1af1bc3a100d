//! Python strings, including unclosed ones.

use crate::shown::{found_in, found_in_modules};
use promptls_hosts::{CodeEntry, Finds, Language, find_with};
use promptls_syntax::Dialect;

fn found(source: &str) -> Finds {
    let entry = CodeEntry::parse("P").expect("it is the name of a constant");
    find_with(Language::Python, source, &[(entry, Dialect::Adk)], &[])
}

/// Python 3.12 accepts these: a field continues in the next line, and may contain comments.
#[test]
fn a_field_of_an_f_string_may_span_lines() {
    for field in [
        "{\n    a\n}",
        "{\r\n    a\r\n}",
        "{a \\\n}",
        "{ # it's a comment, \"quoted\" }\na}",
        "{[\n1, 2]\n}",
        "{f\"x {\n1}\"}",
        "{f\"c\" \\\n  f\"d\"}",
        "{\n{'a': 1}['a']:>{\n4}}",
        "{' '.join(\n  map(lambda it: it, a))}",
        "{1:\\\"d\\\"}",
    ] {
        let source = format!("x = f\"from {field} to\"\nP = 'Hi {{b}}'\n");
        let finds = found(&source);
        assert_eq!(finds.unread, [], "{source}");
        assert_eq!(finds.prompts.len(), 1, "{source}");
        let finds = found(&format!("P = f\"from {field} to {{{{b}}}}\"\n"));
        let texts: Vec<&str> = finds.prompts.iter().map(|it| it.text.text()).collect();
        let [text] = texts[..] else { panic!("{source}: {texts:?} {:?}", finds.unread) };
        assert!(text.starts_with("from ") && text.ends_with(" to {b}"), "{text}");
    }
}

/// Incomplete code does not swallow the following code.
#[test]
fn an_unclosed_field_ends_with_its_line() {
    for open in ["f\"Hi {", "f\"Hi {a", "f\"Hi {a[", "f'Hi {a:", "f\"Hi {a}"] {
        let source = format!("a = {open}\nd = {{'a': f'{{1}}'}}\ndef f():\n    pass\n");
        let finds = found(&source);
        let ranges: Vec<_> = finds.unread.iter().map(|it| it.range.clone()).collect();
        assert!(
            matches!(&ranges[..], [only] if *only == (4..4 + open.len())),
            "{source}: {ranges:?}"
        );
    }
}

#[test]
fn a_constant_may_be_formatted() {
    for (constant, use_of_it, expected) in [
        ("'Hi {who}, {{b}}'", "TEXT.format(who='you')", Some("Hi you, {b}")),
        ("'Hi {who}, {{b}}'", "TEXT.format(who=name())", Some("Hi \u{FFFC}, {b}")),
        ("'Hi {{b}}'", "TEXT.strip().format()", Some("Hi {b}")),
        // These may be formatted twice, or not be formatted at all.
        ("f'Hi {{b}}'", "TEXT.format()", None),
        ("'Hi {b'", "TEXT.format(b=1)", None),
    ] {
        let finds = found(&format!("TEXT = {constant}\nP = {use_of_it}\n"));
        let texts: Vec<&str> = finds.prompts.iter().map(|it| it.text.text()).collect();
        assert_eq!(texts, Vec::from_iter(expected), "{constant} {use_of_it}");
    }
}

#[test]
fn a_text_used_with_and_without_formatting_counts_as_unformatted() {
    let import = "from google.adk.agents import Agent\nT = 'Hi {who}'\n";
    let written = "Agent(instruction=T)\n";
    let formatted =
        ["Agent(instruction=T.format(who=1))\n", "Agent(instruction=T.format(who='x'))\n"];
    let uses = formatted.map(|formatted| [[formatted, written], [written, formatted]]);
    for uses in uses.into_iter().flatten() {
        let finds = found(&format!("{import}{}", uses.concat()));
        let texts: Vec<&str> = finds.prompts.iter().map(|it| it.text.text()).collect();
        assert_eq!(texts, ["Hi {who}"], "{uses:?}");
    }
}

/// These are no texts, so no prompt is missing.
#[test]
fn bytes_and_templates_are_no_prompts() {
    for literal in ["b'\\xff\\d'", "rb'\\d'", "t'\\d{x}'"] {
        let finds = found(&format!("P = {literal}\n"));
        assert_eq!((finds.prompts.len(), finds.unread), (0, Vec::new()), "{literal}");
    }
    assert_eq!(found("P = '\\ud83d'\n").unread.len(), 1);
}

#[test]
fn a_class_of_a_framework_may_have_aliases() {
    for (source, expected) in [
        ("A = LlmAgent\nA(instruction='x')", &["prompt: x"][..]),
        ("A = B = LlmAgent\nA(instruction='x')", &[]),
        (
            "A = llm_agent.LlmAgent\nB = A\nclass C(B):\n  pass\nC(name='c', instruction='x')",
            &["c: x"],
        ),
        ("class C(LlmAgent):\n  pass\nD = C\nD(instruction='x')", &["prompt: x"]),
        ("A = LlmAgent\ndef f(A):\n  A(instruction='x')", &[]),
        ("A = LlmAgent\nA = Other\nA(instruction='x')", &[]),
        ("A = LlmAgent if x else Other\nA(instruction='x')", &[]),
        ("A = LlmAgent()\nA(instruction='x')", &[]),
    ] {
        let source = format!("from google.adk.agents import LlmAgent, llm_agent\n{source}\n");
        assert_eq!(found_in(Language::Python, &source), expected, "{source}");
    }
}

#[test]
fn a_field_of_an_agent_class_is_a_prompt() {
    for (class, expected) in [
        ("class A(LlmAgent):\n  instruction: str = 'x'", &["A: x"][..]),
        ("class A(LlmAgent):\n  name: str = 'a'\n  instruction: str = T.strip()", &["T: t"]),
        (
            "class A(LlmAgent):\n  name: str = 'a'\n  instruction: str = 'x'\n  global_instruction: str = 'y'",
            &["a: x", "a.global_instruction: y"],
        ),
        ("class A(LlmAgent):\n  instruction: str = Field(default='x', repr=False)", &["A: x"]),
        ("class A(LlmAgent):\n  instruction: str = Field('x')", &["A: x"]),
        ("class A(LlmAgent):\n  instruction: str = Other(default='x')", &[]),
        ("class A(LlmAgent):\n  instruction: str", &[]),
        ("class A(LlmAgent):\n  description: str = 'x'\n  static_instruction: str = 'x'", &[]),
        ("class A(LlmAgent):\n  class B:\n    instruction: str = 'x'", &[]),
        ("class A(Other):\n  instruction: str = 'x'", &[]),
        ("class A:\n  instruction: str = 'x'", &[]),
        ("class A(LlmAgent):\n  def f(self):\n    instruction: str = 'x'", &[]),
    ] {
        let source = format!(
            "from google.adk.agents import LlmAgent\nfrom pydantic import Field\nT = ' t'\n{class}\n"
        );
        assert_eq!(found_in(Language::Python, &source), expected, "{source}");
    }
}

#[test]
fn classes_of_other_modules_are_followed_to_their_base_class() {
    let modules = |base: &str, agent: &str| {
        let modules = [("base", base), ("agent", agent), ("prompts", "P = 'p'\n")];
        found_in_modules(Language::Python, &modules)
    };
    let mine = "from google.adk.agents import LlmAgent\nclass Mine(LlmAgent):\n  pass\n";
    for (base, agent, expected) in [
        (mine, "from base import Mine\nMine(instruction='x')", &["agent prompt: x"][..]),
        (mine, "from .base import Mine as M\nM(name='m', instruction='x')", &["agent m: x"]),
        (mine, "import base\nbase.Mine(instruction='x')", &["agent prompt: x"]),
        (mine, "from base import LlmAgent\nLlmAgent(instruction='x')", &["agent prompt: x"]),
        (mine, "from base import Mine\nclass A(Mine):\n  instruction: str = 'x'", &["agent A: x"]),
        (
            mine,
            "from base import Mine\nclass A(Mine):\n  pass\nA(instruction='x')",
            &["agent prompt: x"],
        ),
        (
            mine,
            "from base import Mine\nfrom prompts import P\nMine(instruction=P)",
            &["prompts P: p"],
        ),
        (
            "from google.adk import Agent as A\n",
            "from base import A\nA(instruction='x')",
            &["agent prompt: x"],
        ),
        ("class Mine:\n  pass\n", "from base import Mine\nMine(instruction='x')", &[]),
        (mine, "from other import Mine\nMine(instruction='x')", &[]),
        (mine, "from base import Mine\nclass Mine:\n  pass\nMine(instruction='x')", &[]),
        (mine, "from base import Mine\ndef f(Mine):\n  Mine(instruction='x')", &[]),
        (mine, "from base import Other\nOther(instruction='x')", &[]),
        (mine, "class Mine(instruction='x'):\n  pass", &[]),
    ] {
        assert_eq!(modules(base, agent), expected, "{base}\n{agent}");
    }
    let passed_on = [
        ("base", mine),
        ("lib", "from .base import Mine\n"),
        ("agents", "from lib import Mine\nclass B(Mine):\n  pass\n"),
        ("main", "from agents import B\nB(name='b', instruction='x')\n"),
    ];
    assert_eq!(found_in_modules(Language::Python, &passed_on), ["main b: x"]);
    let circle = [
        ("a", "from b import C\nclass D(C):\n  pass\nD(instruction='x')\n"),
        ("b", "from a import D\nclass C(D):\n  pass\nC(instruction='x')\n"),
    ];
    assert_eq!(found_in_modules(Language::Python, &circle), [""; 0]);
}

#[test]
fn a_member_of_a_constant_is_a_text() {
    for (source, value, expected) in [
        ("P = {'a': 'x', 'b': 'y'}", "P['a']", &["a: x"][..]),
        ("P: dict[str, str] = {'a': 'x'}", "P[\"a\"].strip()", &["a: x"]),
        ("P = {'a': {'b': 'x'}}", "P['a']['b']", &["b: x"]),
        ("P = MappingProxyType({'a': 'x'})", "P['a']", &["a: x"]),
        ("P = dict(a='x')", "P['a']", &["a: x"]),
        ("P = SimpleNamespace(a='x')", "P.a", &["a: x"]),
        ("class P:\n  a = 'x'", "P.a", &["a: x"]),
        ("class P:\n  class Q:\n    a = 'x'", "P.Q.a", &["a: x"]),
        ("class P(str, Enum):\n  a = 'x'", "P.a", &["a: x"]),
        ("class P(str, Enum):\n  a = 'x'", "P.a.value", &["a: x"]),
        ("class P(StrEnum):\n  a = 'x'", "P.a", &["a: x"]),
        ("class P(Enum):\n  a = 'x'", "P.a.value", &["a: x"]),
        ("@dataclass\nclass P:\n  a: str = 'x'", "P().a", &["a: x"]),
        ("@dataclass\nclass P:\n  b: int\n  a: str = 'x'", "P(1, 'y').a", &["a: y"]),
        ("@dataclass\nclass P:\n  b: int\n  a: str = 'x'", "P(*q).a", &[]),
        ("class P:\n  def __init__(self):\n    self.a = 'x'", "P().a", &["a: x"]),
        ("class P:\n  def __init__(self, b):\n    self.a = b\nQ = P('x')", "Q.a", &["a: x"]),
        ("class P:\n  def __init__(self, b):\n    if b:\n      self.a = 'x'", "P(1).a", &[]),
        ("class P:\n  def __init__(self):\n    self.a = 'x'\nQ = P()\nQ.a = 'y'", "Q.a", &[]),
        ("class P:\n  def __init__(self):\n    self.a = 'x'\n    self.a += 'y'", "P().a", &[]),
        ("class P:\n  @property\n  def a(self):\n    return 'x'", "P().a", &["a: x"]),
        ("class P:\n  @staticmethod\n  def a():\n    return 'x'", "P.a()", &["a: x"]),
        ("class P:\n  def a(self):\n    return 'x'", "P().a()", &["a: x"]),
        ("class P:\n  def a(self):\n    return 'x'", "P.a(q)", &[]),
        ("class Q:\n  def a(self):\n    return 'x'\nclass P(Q):\n  pass", "P().a()", &["a: x"]),
        ("@dataclass\nclass C:\n  a: str = 'x'\nP = C()", "P.a", &["a: x"]),
        ("@dataclass\nclass C:\n  a: str\n  b: str = 'y'\nP = C(a='x')", "P.a", &["a: x"]),
        ("class C(BaseModel):\n  a: str = Field(default='x')\nP = C()", "P.a", &["a: x"]),
        ("class P(Enum):\n  a = 'x'", "P.a", &[]),
        ("class P(Enum):\n  a = 'x'", "P.a.name", &[]),
        ("class C:\n  a = 'x'\n  def __init__(self):\n    self.a = 'y'\nP = C()", "P.a", &["a: y"]),
        ("P = {'a': 'x', 'b': 'y'}", "P.get('b')", &["b: y"]),
        ("P = {'a': {'b': 'x'}}", "P.get('a', {}).get('b', 'z').strip()", &["b: x"]),
        ("P = ['x', 'y']", "P[1]", &["n: y"]),
        ("P = ('x', {'a': 'y'})", "P[1]['a']", &["a: y"]),
        ("P = {1: 'x'}", "P[1]", &["1: x"]),
        ("P = ['x', 'y']", "P[2]", &[]),
        ("P = [*q, 'y']", "P[1]", &[]),
        ("P = ['x']\nP.append('y')", "P[0]", &[]),
        ("P = ('x')", "P[0]", &[]),
        ("P = {'a': 'x'}", "P.get(a)", &[]),
        ("P = {'a': 'x'}\nP.pop('a')", "P.get('a')", &[]),
        ("P = {'a': 'x', **q}", "P['a']", &[]),
        ("P = {'a': 'x'}\nP['a'] = 'y'", "P['a']", &[]),
        ("P = {'a': 'x'}\nP.update(q)", "P['a']", &[]),
        ("P = {'a': 'x'}", "P.a", &[]),
        ("P = {'a': 'x'}", "P[a]", &["n: x"]),
        ("P = {'a': 'x', 'b': 'y'}", "P[a]", &["n: x", "n-2: y"]),
        ("P = {'a': 'x', **q}", "P[a]", &[]),
        ("P = {'a': 'x', 'b': 'y'}\nK = 'b'", "P[K]", &["b: y"]),
        ("P = {K.a: 'x', K.b: 'y'}\nclass K(Enum):\n  a = 1\n  b = 2", "P[K.b]", &["b: y"]),
        ("P = ['x', 'y']", "P[a]", &["n: x", "n-2: y"]),
        ("for a in ['x', 'y']:\n  pass", "a", &["n: x", "n-2: y"]),
        ("for a, b in {'k': 'x', 'l': 'y'}.items():\n  pass", "b", &["n: x", "n-2: y"]),
        ("for a, b in {'k': 'x', 'l': 'y'}.items():\n  pass", "a", &[]),
        ("for a in {'k': 'x', 'l': 'y'}:\n  pass", "a", &[]),
        ("for i, (a, b) in enumerate([('k', 'x'), ('l', 'y')]):\n  pass", "b", &["n: x", "n-2: y"]),
        ("for a in ['x']:\n  pass\nfor a in ['y']:\n  pass", "a", &[]),
        ("class P:\n  a = 'x'\nP.a = 'y'", "P.a", &[]),
        ("class P:\n  a = 'x'\n  a = 'y'", "P.a", &[]),
        ("class P:\n  def a(self):\n    return 'x'", "P.a", &[]),
    ] {
        let source = format!(
            "from google.adk.agents import LlmAgent\nfrom pydantic import Field\n{source}\n\
            LlmAgent(name='n', instruction={value})\n"
        );
        assert_eq!(found_in(Language::Python, &source), expected, "{source}");
    }
}

#[test]
fn an_attribute_of_the_same_class_is_a_text() {
    for (class, value, expected) in [
        ("  P = 'x'", "self.P", &["P: x"][..]),
        ("  P = 'x'", "cls.P", &["P: x"]),
        ("  P = 'x'", "type(self).P", &[]),
        ("  P = 'x'\n  def g(self):\n    self.P = 'y'", "self.P", &[]),
        ("  P: str", "self.P", &[]),
        ("  def __init__(self):\n    self.P = 'x'", "self.P", &["P: x"]),
        ("  def __init__(self, x):\n    self.P = x", "self.P", &[]),
        (
            "  def __init__(self):\n    self.P = 'x'\n  def g(self):\n    self.P = 'y'",
            "self.P",
            &[],
        ),
        ("  def g(self):\n    return 'x'", "self.g()", &["g: x"]),
        ("  P = 'x'", "other.P", &[]),
    ] {
        let source = format!(
            "from google.adk.agents import LlmAgent\nclass A:\n{class}\n  def f(self):\n    \
            return LlmAgent(name='n', instruction={value})\n"
        );
        assert_eq!(found_in(Language::Python, &source), expected, "{source}");
    }
}

#[test]
fn lists_are_joined() {
    for (value, expected) in [
        ("'\\n'.join(['a {b}', 'c'])", &["n: a {b}\nc"][..]),
        ("''.join(('a', 'b')).strip()", &["n: ab"]),
        ("S.join(['a', f'b {c}'])", &["n: a-b \u{FFFC}"]),
        ("', '.join(a for a in b)", &[]),
        ("', '.join(['a', *b])", &[]),
        ("f'{s}'.join(['a', 'b'])", &[]),
        ("''.join(['a'] + b)", &[]),
        ("''.join([])", &[]),
    ] {
        let source = format!(
            "from google.adk.agents import LlmAgent\nS = '-'\nLlmAgent(name='n', instruction={value})\n"
        );
        assert_eq!(found_in(Language::Python, &source), expected, "{source}");
    }
}

#[test]
fn names_of_other_modules_are_followed_to_their_declaration() {
    for (other, import, value, expected) in [
        ("P = {'a': 'x'}", "from p import P", "P['a']", &["p a: x"][..]),
        ("P = {'a': 'x'}", "import p", "p.P['a']", &["p a: x"]),
        ("P = {'a': 'x'}", "from . import p", "p.P['a']", &["p a: x"]),
        ("class P:\n  a = 'x'", "from p import P", "P.a", &["p a: x"]),
        ("class P(Enum):\n  a = 'x'", "from .p import P as Q", "Q.a.value", &["p a: x"]),
        ("class C:\n  a: str = 'x'\nP = C()", "from p import P", "P.a", &["p a: x"]),
        ("P = 'x'", "from p import *", "P", &["p P: x"]),
        ("from q import *", "from p import Q", "Q", &["q Q: q"]),
        ("from q import *", "from p import *", "Q", &["q Q: q"]),
        ("import q", "import p", "p.q.Q", &["q Q: q"]),
        ("P = 'x'", "import pkg.p", "pkg.p.P", &["pkg.p P: x"]),
        ("P = 'x'", "import pkg.p as p", "p.P", &["pkg.p P: x"]),
        ("P = {'a': 'x'}\nP['a'] += 'y'", "from p import P", "P['a']", &[]),
        ("P = {'a': 'x'}", "from p import P", "P.a", &[]),
        ("P = {'a': 'x'}", "from p import P", "P['a']['b']", &[]),
        ("from p import P", "from p import P", "P['a']", &[]),
    ] {
        let agent = format!(
            "from google.adk.agents import LlmAgent\n{import}\nLlmAgent(name='n', instruction={value})\n"
        );
        let modules =
            [("agent", agent.as_str()), ("p", other), ("q", "Q = 'q'\n"), ("pkg.p", other)];
        let found = found_in_modules(Language::Python, &modules);
        assert_eq!(found, expected, "{other}\n{agent}");
    }
}

#[test]
fn arguments_of_a_function_that_creates_an_agent_are_prompts() {
    let make = "def make(name, prompt):\n  return LlmAgent(name=name, instruction=prompt)\n";
    for (make, call, expected) in [
        (make, "make('n', 'x')", &["n: x"][..]),
        (make, "make(prompt='x', name='n')", &["n: x"]),
        (make, "a = make(N, P.strip())", &["P: p"]),
        (make, "a = make(f(), 'x')", &["a: x"]),
        (
            "def make(*, prompt):\n  return LlmAgent(instruction=prompt)\n",
            "make(prompt='x')",
            &["prompt: x"],
        ),
        ("def make(*, prompt):\n  return LlmAgent(instruction=prompt)\n", "make('x')", &[]),
        ("def make(prompt: str = 'd'):\n  return LlmAgent(instruction=prompt)\n", "", &["make: d"]),
        (
            "def make(prompt):\n  prompt = prompt + 'y'\n  return LlmAgent(instruction=prompt)\n",
            "make('x')",
            &[],
        ),
        (
            "def make(prompt):\n  prompt += 'y'\n  return LlmAgent(instruction=prompt)\n",
            "make('x')",
            &[],
        ),
        (
            "def make(prompt):\n  return LlmAgent(instruction=f'a {prompt}')\n",
            "make('x')",
            &["make: a \u{FFFC}", "prompt: a x"],
        ),
        ("def make(prompt):\n  return LlmAgent(description=prompt)\n", "make('x')", &[]),
        ("def make(prompt):\n  return Other(instruction=prompt)\n", "make('x')", &[]),
        ("@wrap\ndef make(prompt):\n  return LlmAgent(instruction=prompt)\n", "make('x')", &[]),
        ("def make(*prompt):\n  return LlmAgent(instruction=prompt)\n", "make('x')", &[]),
        (make, "def f(make):\n  make('n', 'x')", &[]),
        (make, "other.make('n', 'x')", &[]),
    ] {
        let source = format!("from google.adk.agents import LlmAgent\nP = 'p '\n{make}{call}\n");
        assert_eq!(found_in(Language::Python, &source), expected, "{source}");
    }
    let base = format!(
        "from google.adk.agents import LlmAgent\n{}",
        make.replace("prompt", "instruction")
    );
    for (agent, expected) in [
        ("from base import make\nmake(name='n', instruction='x')\n", &["agent n: x"][..]),
        ("import base\nbase.make('n', instruction='x')\n", &["agent n: x"]),
        (
            "from base import make as m\nm('n', instruction='x')\nm('o', 'y')\n",
            &["agent n: x", "agent o: y"],
        ),
        ("from base import other\nother('n', instruction='x')\n", &[]),
    ] {
        let modules = [("base", base.as_str()), ("agent", agent)];
        assert_eq!(found_in_modules(Language::Python, &modules), expected, "{agent}");
    }
}
