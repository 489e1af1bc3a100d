//! The values that calls supply to templates.

use crate::{Language, find};

const PYTHON: &str = "from langchain_core.prompts import PromptTemplate as P, ChatPromptTemplate as C\n\
    from llama_index.core import PromptTemplate as L\n";
const SCRIPT: &str = "import { PromptTemplate as P } from '@langchain/core/prompts';\n";

/// The names that calls supply to the prompts of some code, with `?` if there may be more, and
/// `+` if others may read them.
fn supplied(language: Language, code: &str) -> Vec<String> {
    let head = if language == Language::Python { PYTHON } else { SCRIPT };
    let one = |prompt: &crate::HostPrompt| {
        let shown = prompt.contracts.iter().map(|contract| {
            let mut keys: Vec<&str> = contract.keys.iter().map(|key| &*key.name).collect();
            keys.extend((!contract.is_whole).then_some("?"));
            keys.extend((!contract.is_own).then_some("+"));
            keys.join(" ")
        });
        shown.collect::<Vec<_>>().join("; ")
    };
    find(language, &format!("{head}{code}\n")).iter().map(one).collect()
}

#[test]
fn values_of_templates_are_found() {
    use Language::{Python, TypeScript};
    for (language, code, expected) in [
        (Python, "P.from_template('{a}').format(a=1)", &["a"][..]),
        (Python, "P.from_template('{a}').format(**values)", &["?"]),
        (Python, "P.from_template('{a}').format(a=1, **values)", &["a ?"]),
        (Python, "P.from_template('{a}').invoke({'a': 1, 'b': f(2)}, config=c)", &["a b"]),
        (Python, "P.from_template('{a}').invoke(values)", &["?"]),
        (Python, "p = P(template='{a}{b}', partial_variables={'a': 1})", &["a ?"]),
        (Python, "p = P(template='{a}').partial(a=1)\nq = p.format(b=2)", &["a b"]),
        (Python, "p = P(template='{a}')\np.invoke({'a': 1})", &["a"]),
        (Python, "p = P(template='{a}')\np.invoke({'a': 1})\np.invoke({'b': 1})", &["a; b"]),
        (Python, "p = P(template='{a}')\np.pretty_print()", &[""]),
        (Python, "p = P(template='{a}')\np = p.partial(a=1)", &[""]),
        (Python, "p = P(template='{a}')\nchain = p | model\nchain.invoke({'a': 1})", &["a"]),
        (Python, "chain = P(template='{a}') | model | parser\nchain.invoke({'a': 1})", &["a"]),
        (Python, "p = P(template='{a}')\nx = (p | model).invoke({'a': 1})", &["a"]),
        (Python, "chain = (\n  P(template='{a}')\n  | model\n)\nchain.invoke({'a': 1})", &["a"]),
        (Python, "p = P(template='{a}')\nchain = values | p | model\nchain.invoke({})", &[""]),
        (Python, "p = P(template='{a}')\nchain = p | model\nrun(chain)", &[""]),
        (Python, "run(P(template='{a}')).invoke({'b': 1})", &[""]),
        (Python, "C([('system', '{a}'), ('human', '{b}')]).invoke({'a': 1})", &["a +", "a +"]),
        (Python, "C([('human', '{b}'), history]).format_messages(b=1)", &["b +"]),
        (Python, "L('{a}').format(a=1)", &["a ?"]),
        (Python, "L('{a}', template_var_mappings={'b': 'a'}).format(b=1)", &["b ? +"]),
        (
            Python,
            "B = 'T {a}'\np = P.from_template(B.replace('T', '{b}'))\n\
             q = P.from_template(B)\nq.format(a=1)",
            &["", "a"],
        ),
        (
            Python,
            "B = 'T {a}'\nq = P.from_template(B)\nq.format(a=1)\n\
             p = P.from_template(B.replace('T', '{b}'))\np.format(a=1)",
            &["a", "a"],
        ),
        (TypeScript, "const s = await P.fromTemplate('{a}').format({ a, 'b': 1 })", &["a b"]),
        (TypeScript, "P.fromTemplate('{a}').pipe(model).invoke({ a: 1 })", &["a"]),
        (TypeScript, "const p = new P({ template: '{a}', partialVariables: { a: 1 } })", &["a ?"]),
    ] {
        assert_eq!(supplied(language, code), expected, "{code}");
    }
}

#[test]
fn more_uses_than_are_followed_are_unknown_calls() {
    let uses =
        |many: usize| format!("p = P.from_template('{{a}}')\n{}", "p.format(a=1)\n".repeat(many));
    assert_eq!(supplied(Language::Python, &uses(1_001)), ["?"]);
    let all = vec!["a"; 1_000].join("; ");
    assert_eq!(supplied(Language::Python, &uses(1_000)), [all]);
    let found = find(Language::Python, &format!("{PYTHON}{}", uses(1_001)));
    assert!(found[0].contracts[0].is_open, "a rename is refused");
}

#[test]
fn each_call_of_a_template_supplies_values() {
    use Language::{Python, TypeScript};
    for (language, code, expected) in [
        (Python, "p.format(a=1)\np.invoke(input={'a': 1})", "a; a"),
        (Python, "p.batch([{'a': 1}, {'a': 2, 'b': 3}])", "a; a b"),
        (Python, "p.batch([{'a': x} for x, y in xs], config=c)", "a"),
        (Python, "p.batch(inputs)\np.format(a=1)", "?; a"),
        (Python, "p.format(a=1)\nrun(p)", "a +"),
        (Python, "p.format(a=1)\np.partial_variables['b'] = 1", "a ? +"),
        (Python, "p.format(a=1)\nq = p.partial(b=1)\nq.format(a=1)", "a; b a"),
        (Python, "def f(p):\n  p.format(b=1)\np.format(a=1)", "a"),
        (Python, "f = lambda p: p.format(b=1)\np.format(a=1)", "a"),
        (Python, "[p.format(b=1) for p in all]\np.format(a=1)", "a"),
        (Python, "def make():\n  return p | m\nmake().invoke({'a': 1})", "a"),
        (
            Python,
            "async def make():\n  return p | m\nasync def f():\n  c = await make()\n  \
             c.invoke({'a': 1})\n  c.invoke({'b': 1})",
            "a; b",
        ),
        (Python, "def make(x):\n  if x:\n    return q\n  return p\nmake().format(b=1)", ""),
        (Python, "def p():\n  return p()", ""),
        (TypeScript, "const make = () => p.pipe(m);\nmake().invoke({ a: 1 })", "a"),
        (TypeScript, "function make() { return p; }\nmake().batch([{ a: 1 }, { b }])", "a; b"),
    ] {
        let template = match language {
            Python => "p = P.from_template('{a}')",
            _ => "const p = P.fromTemplate('{a}');",
        };
        let code = format!("{template}\n{code}");
        assert_eq!(supplied(language, &code), [expected], "{code}");
    }
}

#[test]
fn members_of_classes_and_objects_are_used_as_templates() {
    use Language::{Python, TypeScript};
    for (language, code, expected) in [
        (
            Python,
            "class A:\n  T = P.from_template('{a}')\n  def f(self):\n    self.T.format(a=1)\n\
             A.T.format(b=1)\nA().T.format(c=1)\nx = A()\nx.T.format(d=1)\n\
             class B(A):\n  def g(self):\n    self.T.format(e=1)",
            "a; b; c; d; e",
        ),
        (
            Python,
            "class A:\n  def __init__(self):\n    self.t = P.from_template('{a}')\n    \
             self.chain = self.t | m\n  def f(self):\n    self.chain.invoke({'a': 1})\n    \
             self.t.format(b=1)\nA().chain.invoke({'c': 1})",
            "a; b; c",
        ),
        (
            Python,
            "class A:\n  def __init__(self):\n    self.t = P.from_template('{a}')\n    \
             self.t = other\n  def f(self):\n    self.t.format(b=1)",
            "",
        ),
        (
            Python,
            "class A:\n  def make(self):\n    return P.from_template('{a}')\n  def f(self):\n    \
             self.make().format(a=1)\n  @property\n  def chain(self):\n    return \
             self.make() | m\n  def g(self):\n    self.chain.invoke({'b': 1})",
            "a; b",
        ),
        (
            Python,
            "class A:\n  T = P.from_template('{a}')\nclass B:\n  def f(self):\n    \
             self.T.format(b=1)",
            "",
        ),
        (
            TypeScript,
            "class A {\n  t = P.fromTemplate('{a}');\n  f() { this.t.format({ a: 1 }); }\n  \
             g() { this.t.format({ b: 1 }); }\n}\nnew A().t.format({ c: 1 });",
            "a; b; c",
        ),
        (TypeScript, "class A { static T = P.fromTemplate('{a}'); }\nA.T.format({ a: 1 });", "a"),
    ] {
        assert_eq!(supplied(language, code), [expected], "{code}");
    }
}

#[test]
fn items_of_maps_are_used_by_their_keys() {
    use Language::{Python, TypeScript};
    for (language, code, expected) in [
        (Python, "M = {'a': T, 'b': o}\nM['a'].format(x=1)\nM['b'].format(y=1)", "x"),
        (Python, "M = {'o': o, 'a': T}\nM.get('a').invoke({'x': 1})\nM.get('b').format()", "x"),
        (Python, "M = {'en': {'a': T}}\nM['en']['a'].format(x=1)\nM['de']['a'].format(y=1)", "x"),
        (Python, "M = {'a': T | model}\nM['a'].invoke({'x': 1})", "x"),
        (Python, "M = {'a': T}\nM['a'].format(x=1)\nM[kind].format(y=1)", "x +"),
        (Python, "M = {'a': T}\nM['a'].format(x=1)\nrun(M)", "x +"),
        (Python, "M = {'a': T}\nM['a'].format(x=1)\nfor m in M.values():\n  m.format(y=1)", "x +"),
        (Python, "M = {'a': T}\nM['a'] = o\nM['a'].format(y=1)", ""),
        (Python, "M = {a: T}\nM['a'].format(y=1)", ""),
        (
            Python,
            "class A:\n  def __init__(self):\n    self.m = {'a': T}\n  def f(self):\n    \
             self.m['a'].format(x=1)",
            "x",
        ),
        (
            TypeScript,
            "const M = { a: T, b: o };\nM.a.format({ x: 1 });\nM.b.format({ y: 1 })",
            "x +",
        ),
        (TypeScript, "const M = { a: T };\nM['a'].invoke({ x: 1 });\nM.a.format({ y: 1 })", "x; y"),
    ] {
        let template = match language {
            Python => "P.from_template('{a}')",
            _ => "P.fromTemplate('{a}')",
        };
        let code = code.replacen('T', template, 1);
        assert_eq!(supplied(language, &code), [expected], "{code}");
    }
}

#[test]
fn types_change_no_values() {
    for code in [
        "await p.invoke<string>({ a: 1 })",
        "await p.invoke<Record<string, Map<string, T>>>({ a: 1 })",
        "await p!.invoke({ a: 1 })",
        "await p?.invoke({ a: 1 })",
        "await (p as any).invoke({ a: 1 })",
        "const q = p as P<T[]>;\nawait q.invoke({ a: 1 })",
        "const q = p!;\nawait q.invoke({ a: 1 })",
        "await (await p.partial({})).invoke({ a: 1 })",
        "const q = await p.partial({});\nawait q.invoke({ a: 1 })",
        "await p.pipe<T>(model)!.invoke({ a: 1 })",
    ] {
        for value in
            ["P.fromTemplate('{a}')", "P.fromTemplate<T>('{a}')", "new P<T>({ template: '{a}' })"]
        {
            let code = format!("const p = {value};\n{code}");
            assert_eq!(supplied(Language::TypeScript, &code), ["a"], "{code}");
        }
    }
    // A comparison is no call.
    let code = "const p = P.fromTemplate('{a}');\nx = p.invoke < b && c > (d)";
    assert_eq!(supplied(Language::TypeScript, code), [""]);
}

#[test]
fn chains_pass_values_to_templates() {
    use Language::{Python, TypeScript};
    for (language, chain, expected) in [
        (Python, "RunnableSequence(p, model).invoke({'a': 1})", "a"),
        (Python, "c = RunnableSequence(p, model)\nc.invoke({'a': 1})", "a"),
        (Python, "c = {'a': x, 'b': RunnablePassthrough()} | p | model\nc.invoke('c')", "a b"),
        (Python, "c = (\n  x\n  | {'a': f}\n  | p\n)\nc.invoke('c')", "a"),
        (Python, "c = {'a': x, **y} | p | model", "a ?"),
        (Python, "c = RunnableParallel(a=x) | p | model", "a"),
        (Python, "c = RunnableParallel({'a': x}) | p.partial(b=1)", "b a"),
        (Python, "c = RunnablePassthrough.assign(a=x) | p | model\nc.invoke({'b': 1})", "a b"),
        (Python, "c = RunnablePassthrough.assign(a=x) | p\nrun(c)", "a ?"),
        (
            Python,
            "c = {'b': x} | RunnablePassthrough.assign(a=x) | p | model\nc.invoke('c')",
            "a b",
        ),
        (Python, "c = y | RunnablePassthrough.assign(a=x) | p\nc.invoke({'b': 1})", "a ?"),
        (Python, "c = RunnableSequence({'a': x}, p, model)", "a"),
        (Python, "c = f({'a': x}, p)", ""),
        (Python, "c = RunnablePassthrough() | p\nc.invoke({'b': 1})", ""),
        (Python, "c = retriever | p\nc.invoke({'b': 1})", ""),
        (Python, "c = RunnableSequence(x, p)\nc.invoke({'b': 1})", ""),
        (Python, "c = create_stuff_documents_chain(llm, p)\nc.invoke({'a': 1})", "a"),
        (Python, "c = create_stuff_documents_chain(llm=llm, prompt=p)\nc.invoke({'a': 1})", "a"),
        (Python, "c = create_stuff_documents_chain(p, q)\nc.invoke({'a': 1})", ""),
        (TypeScript, "const c = p.pipe(x).pipe(y);\nawait c.invoke({ a: 1 })", "a"),
        (TypeScript, "RunnableSequence.from([p, x]).invoke({ a: 1 })", "a"),
        (
            TypeScript,
            "const c = RunnableSequence.from<T, string>([p, x]);\nc.invoke({ a: 1 })",
            "a",
        ),
        (TypeScript, "RunnableSequence.from([{ a: x, b: new R() }, p, y]).invoke('c')", "a b"),
        (TypeScript, "const c = RunnableMap.from({ a: x }).pipe(p)", "a"),
        (TypeScript, "const c = RunnablePassthrough.assign({ a: x }).pipe(p).pipe(y)", "a ?"),
        (
            TypeScript,
            "const c = RunnablePassthrough.assign({ a: x }).pipe(p).pipe(y);\nc.invoke({ b: 1 })",
            "a b",
        ),
        (TypeScript, "RunnableSequence.from([x, p]).invoke({ b: 1 })", ""),
        (TypeScript, "x.pipe(p).invoke({ b: 1 })", ""),
    ] {
        assert_eq!(of_chain(language, chain), [expected], "{chain}");
    }
}

#[test]
fn branches_and_wrappers_pass_values_to_templates() {
    use Language::{Python, TypeScript};
    for (language, chain, expected) in [
        (Python, "RunnableParallel(s=p | model, t=y).invoke({'a': 1})", "a"),
        (Python, "c = RunnableParallel({'s': p, 't': y}) | z\nc.invoke({'a': 1})", "a"),
        (
            Python,
            "s = p | model\nc = RunnableParallel(t=y, s=s)\nc.invoke({'a': 1})\nc.batch([{'b': 1}])",
            "a; b",
        ),
        (Python, "c = RunnablePassthrough.assign(s=p | m)\nc.invoke({'a': 1})", "a"),
        (Python, "c = f(s=p | m)\nc.invoke({'b': 1})", ""),
        (Python, "c = LLMChain(llm=llm, prompt=p)\nc.run('b')", "?"),
        (Python, "c = LLMChain(llm=llm, prompt=p)\nc.run(b=1)\nc.predict(a=1, tags=t)", "b; a ?"),
        (Python, "LLMChain(llm=llm, prompt=p).run({'b': 1})", "b"),
        (Python, "c = LLMChain(llm=llm, prompt=p, memory=m)\nc.run(b=1)", ""),
        (Python, "c = LLMChain(prompt=q, other=p)\nc.run(b=1)", ""),
        (TypeScript, "RunnableMap.from({ s: p.pipe(x), t: y }).invoke({ a: 1 })", "a"),
        (TypeScript, "new LLMChain({ llm, prompt: p }).call({ b: 1 })", "b"),
        (TypeScript, "new LLMChain({ llm, prompt: p }).call({ a: 1, signal })", "a ?"),
        (TypeScript, "const c = new LLMChain({ llm, prompt: p, memory });\nc.call({ b: 1 })", ""),
        (
            TypeScript,
            "const prompt = p;\nconst c = await createStuffDocumentsChain({ llm, prompt });\n\
             c.invoke({ b: 1 })",
            "b",
        ),
    ] {
        assert_eq!(of_chain(language, chain), [expected], "{chain}");
    }
}

/// The names that a chain supplies to its template `p`.
fn of_chain(language: Language, chain: &str) -> Vec<String> {
    let template = match language {
        Language::Python => "p = P.from_template('{a}')",
        _ => "const p = P.fromTemplate('{a}');",
    };
    supplied(language, &format!("{template}\n{chain}"))
}
