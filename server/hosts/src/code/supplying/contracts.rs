//! Call-site contracts: calls next to a prompt that determine its values.
//!
//! Uncertain calls count as unknown values, so that no name is reported as missing.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use super::ensembles::Runs;
use super::maps::{Keys, Maps};
use crate::code::calls::Call;
use crate::code::grammars::grammar;
use crate::code::outline::Outline;
use crate::code::recognisers::{Calls, value_supply};
use crate::code::tokens::Tokens;
use crate::host_prompt::Contract;
use crate::language::Language;

/// The sign of Python between the parts of a chain.
pub(crate) const PIPE: &str = "|";

/// The maximum number of methods in a chain that is examined.
const MAX_METHODS: usize = 200;

/// The contracts of the prompts of a host.
pub(crate) struct Contracts<'h, 's> {
    pub(crate) tokens: &'h Tokens<'s>,
    pub(crate) outline: &'h Outline<'s>,
    pub(crate) maps: Maps<'h, 's>,
    pub(crate) runs: OnceCell<Runs<'s>>,
    /// The functions by their scopes.
    pub(super) functions: OnceCell<HashMap<usize, usize>>,
}

/// A name, or a call of a function, whose value contains prompts; and the contract for these.
#[derive(Clone)]
pub(crate) struct Object<'s> {
    /// The names, with dots between them: `Prompts.SUMMARY`.
    pub chain: Vec<&'s str>,
    /// A token where they have this meaning.
    pub token: usize,
    pub is_called: bool,
    pub contract: Contract,
}

/// A method in a chain: its name, and its brackets.
#[derive(Clone, Copy)]
pub(crate) struct Method<'s> {
    pub name: &'s str,
    pub open: usize,
    pub close: usize,
}

impl<'h, 's> Contracts<'h, 's> {
    pub fn new(tokens: &'h Tokens<'s>, outline: &'h Outline<'s>) -> Self {
        let maps = Maps::new(tokens, outline);
        let (runs, functions) = (OnceCell::new(), OnceCell::new());
        Contracts { tokens, outline, maps, runs, functions }
    }

    /// The contracts of the prompts of a call.
    ///
    /// Cost: the code after it; if prompts are tasks or have names, the whole host once.
    pub fn of(&self, call: &Call) -> Vec<Contract> {
        let row = call.recogniser;
        match value_supply(row.dialect, row.engine).map(|supply| supply.calls) {
            Some(Calls::OfPrompt) => self.of_prompt(call),
            Some(Calls::OfEnsemble) => self.of_task(call),
            Some(Calls::OfTemplate) => self.of_template(call),
            Some(Calls::None) | None => Vec::new(),
        }
    }

    /// The contracts from `compile` in the same expression, or on the uses of its value.
    fn of_prompt(&self, call: &Call) -> Vec<Contract> {
        if let Some(dot) = self.dot_behind(call) {
            return self.compiled(dot).into_iter().collect();
        }
        let uses = self.uses_of_value(self.head(call)..call.tokens.end, false);
        let signs = uses.into_iter().flatten().filter_map(|it| self.tokens.member_sign(it.end));
        signs.filter_map(|sign| self.compiled(sign)).collect()
    }

    /// The calls that supply values to objects with a name, or with a function that returns them.
    ///
    /// Cost: the words of the host once.
    pub fn objects(&self) -> Vec<Object<'s>> {
        let mut objects = Vec::new();
        for compile in self.maps.words().get("compile").into_iter().flatten() {
            let Some(dot) = compile.checked_sub(1).filter(|dot| self.tokens.text(*dot) == ".")
            else {
                continue;
            };
            let chain = self.tokens.callee(dot);
            if let (false, Some(contract)) = (chain.is_empty(), self.compiled(dot)) {
                objects.push(Object { chain, token: dot - 1, is_called: false, contract });
            }
        }
        objects.extend(self.runs().objects.iter().cloned());
        objects.extend(self.imported_templates());
        objects
    }

    /// The contract from `compile` after a dot.
    fn compiled(&self, dot: usize) -> Option<Contract> {
        let methods = self.methods_behind(dot);
        let (first, last) = (methods.first()?, methods.last()?);
        if first.name != "compile" {
            return None;
        }
        let mut keys = Keys::none();
        let mut is_building = false;
        let mut is_own = true;
        for method in &methods {
            match method.name {
                "compile" if self.is_builder(method) => is_building = true,
                "compile" => self.read_compile(method, &mut keys),
                "with" if is_building => self.maps.read_in_turn(self.arguments(method), &mut keys),
                "build" if is_building => is_building = false,
                // The result is compiled again, or text is added that may contain other names.
                name if name.starts_with("compile") => keys.is_whole = false,
                "append" => is_own = false,
                _ => {}
            }
        }
        keys.is_whole &= !is_building && !self.is_compiled_again(first);
        let call = self.tokens.range(first.open - 1..last.close + 1);
        let Keys { keys, is_whole } = keys;
        Some(Contract { call, keys, is_whole, is_open: false, is_own })
    }

    /// `true` if a call returns a builder that takes the values one by one:
    /// `compile().with("topic", topic)`.
    fn is_builder(&self, compile: &Method<'_>) -> bool {
        matches!(self.tokens.language, Language::Java | Language::Kotlin)
            && compile.close == compile.open + 1
    }

    /// The dot directly after a call: `f(…).compile(…)`, `(await f(…)).compile(…)`.
    fn dot_behind(&self, call: &Call) -> Option<usize> {
        let end = call.tokens.end;
        let opener = self.head(call).checked_sub(1);
        let is_in_brackets = opener.is_some_and(|open| self.tokens.closer(open, "(") == Some(end));
        let before = opener.and_then(|open| open.checked_sub(1));
        let is_argument = before.is_some_and(|before| {
            self.tokens.is_word(before) && !self.tokens.starts_line(before + 1)
        });
        let outside = Some(end + 1).filter(|_| is_in_brackets && !is_argument);
        self.tokens.member_sign(end).or_else(|| self.tokens.member_sign(outside?))
    }

    /// The first token of the expression that is a call, including `await`.
    pub(crate) fn head(&self, call: &Call) -> usize {
        let mut at = call.tokens.start;
        let before = |at: usize| at.checked_sub(1);
        while let Some(dot) = before(at).filter(|dot| self.tokens.text(*dot) == ".") {
            let Some(holder) = self.tokens.previous(dot) else { break };
            at = holder;
            // The brackets of a call follow its name.
            if self.tokens.partner(at).is_some() {
                at = before(at).filter(|name| self.tokens.is_word(*name)).unwrap_or(at);
            }
        }
        let is_sign = |token: &usize| matches!(self.tokens.text(*token), "await" | "new");
        while let Some(sign) = before(at).filter(is_sign) {
            at = sign;
        }
        at
    }

    /// `true` if the result of a call is assigned to a variable, and compiled again through it.
    fn is_compiled_again(&self, method: &Method<'_>) -> bool {
        let statement = self.outline.statement_at(method.open);
        let Some(target) = statement.and_then(|it| it.target) else { return false };
        let name = self.tokens.text(target);
        let declared = self.outline.value(self.outline.scope_at(target), name);
        let scope = declared.map_or(0, |(scope, _)| scope);
        let mut places = self.maps.uses(scope, name);
        places.any(|place| {
            self.tokens.text(place + 1) == "." && self.tokens.text(place + 2).starts_with("compile")
        })
    }

    /// The chained methods of a value that ends before a token: `.a().b<T>()`, `!.a()`, `?.a()`.
    pub(crate) fn methods_behind(&self, end: usize) -> Vec<Method<'s>> {
        let mut methods = Vec::new();
        let mut at = end;
        while let Some(sign) = self.tokens.member_sign(at).filter(|_| methods.len() < MAX_METHODS) {
            let Some(open) = self.tokens.call_after(sign + 1) else { break };
            let Some(close) = self.tokens.partner(open) else { break };
            methods.push(Method { name: self.tokens.text(sign + 1), open, close });
            at = close + 1;
        }
        methods
    }

    pub(crate) fn arguments(&self, method: &Method<'_>) -> Vec<Range<usize>> {
        self.tokens.split(method.open + 1..method.close)
    }

    /// Reads keys that are keywords: `topic=topic, **others`.
    pub(crate) fn read_keywords(&self, arguments: Vec<Range<usize>>, keys: &mut Keys) {
        for argument in arguments {
            let is_keyword =
                self.tokens.is_word(argument.start) && self.tokens.text(argument.start + 1) == "=";
            let range = self.tokens.range(argument.start..argument.start + 1);
            match is_keyword {
                true => keys.add(self.tokens, range),
                false if self.tokens.text(argument.start) == "**" => {
                    self.maps.read_map(argument.start + 1..argument.end, keys);
                }
                false => keys.is_whole = false,
            }
        }
    }

    /// `compile(topic=topic)`, `compile(Map.of("topic", topic))`, `compile("topic", topic)`
    fn read_compile(&self, method: &Method<'_>, keys: &mut Keys) {
        let arguments = self.arguments(method);
        if self.tokens.language == Language::Python {
            return self.read_keywords(arguments, keys);
        }
        if grammar(self.tokens.language).has_options {
            if let Some(object) = arguments.first() {
                self.maps.read_map(object.clone(), keys);
            }
            return;
        }
        // Type arguments of a map contain commas, too.
        let all = method.open + 1..method.close;
        match arguments.len() == 1 || self.maps.call_at_end(all.clone()).is_some() {
            true => self.maps.read_map(all, keys),
            false => self.maps.read_in_turn(arguments, keys),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find;

    /// The contracts of the prompts of a statement: their keys, with `?` if there may be more, and
    /// `+` if others may read them.
    fn contracts(language: Language, statement: &str) -> Vec<String> {
        let imports = match language {
            Language::Python => "from agentle.prompts import Prompt\n",
            Language::Kotlin => "import com.paragon.prompts.Prompt\n",
            _ => "import com.paragon.prompts.Prompt; import net.agentensemble.*;\n",
        };
        let source = match language {
            Language::Java => {
                format!(
                    "{imports}class A {{ static final String K = \"k\"; void f() {{ {statement}; }} }}"
                )
            }
            Language::Kotlin => format!("{imports}fun f() {{ {statement} }}"),
            _ => format!("{imports}{statement}\n"),
        };
        let one = |contract: &Contract| {
            let keys = contract.keys.iter().map(|key| {
                assert_eq!(source[key.range.clone()], *key.name);
                key.name.as_str()
            });
            let mut keys: Vec<&str> = keys.collect();
            keys.extend((!contract.is_whole).then_some("?"));
            keys.extend((!contract.is_own).then_some("+"));
            format!(
                "{}: {}",
                source[contract.call.clone()].split('(').next().unwrap_or(""),
                keys.join(" ")
            )
        };
        let found = find(language, &source);
        found.iter().flat_map(|found| found.contracts.iter().map(one)).collect()
    }

    #[test]
    fn keys_of_direct_calls_of_compile_are_found() {
        use Language::{Java, Kotlin, Python};
        for (language, statement, expected) in [
            (Java, "Prompt.of(\"x\").compile(Map.of(\"a\", 1, K, 2))", &["compile: a k"][..]),
            (
                Java,
                "Prompt.fromText(\"x\").compile(\"a\", f(1, 2), \"b\", 2).text()",
                &["compile: a b"],
            ),
            (Java, "Prompt.of(\"x\").compile(Map.<String, Object>of(\"a\", 1))", &["compile: a"]),
            (
                Java,
                "Prompt.of(\"x\").compile(Map.ofEntries(Map.entry(\"a\", 1), entry(\"b\", 2)))",
                &["compile: a b"],
            ),
            (
                Java,
                "Prompt.of(\"x\").compile().with(\"a\", 1).with(\"b\", 2).build()",
                &["compile: a b"],
            ),
            (Java, "var p = Prompt.of(\"x\"); send(p.compile(\"a\", 1))", &["compile: a"]),
            (
                Kotlin,
                "val p = Prompt.of(\"x\").compile(mapOf(\"a\" to 1, \"b\" to f(2)))",
                &["compile: a b"],
            ),
            (Kotlin, "val p = Prompt.of(\"x\").compile(emptyMap())", &["compile: "]),
            (Python, "Prompt.from_text('x').compile(a=1, b=f(c=2))", &["compile: a b"]),
            (Python, "p = Prompt(content='x')\nq = p.compile(a=1)", &["compile: a"]),
            (Python, "p = Prompt(content='x').compile()", &["compile: "]),
            (
                Python,
                "T = 'x'\nPrompt(content=T).compile(a=1)\nPrompt(content=T).compile(b=1)",
                &["compile: a", "compile: b"],
            ),
        ] {
            assert_eq!(contracts(language, statement), expected, "{statement}");
        }
    }

    #[test]
    fn keys_of_compiled_langfuse_texts_are_found() {
        const PYTHON: &str = "from langfuse import Langfuse, get_client\nlf = get_client()\n";
        const NEWER: &str =
            "import { LangfuseClient as C } from '@langfuse/client';\nconst lf = new C();\n";
        const OLDER: &str = "import { Langfuse } from 'langfuse';\nclass A { constructor(private readonly lf: Langfuse) {} }\n";
        use Language::{Python, TypeScript};
        for (language, head, code, expected) in [
            (Python, PYTHON, "lf.create_prompt(name='a', prompt='x').compile(b=1)", &["a b"][..]),
            (Python, PYTHON, "p = lf.get_prompt('a', fallback='x')\np.compile(b=1)", &["a b +"]),
            (Python, PYTHON, "p = get_client().get_prompt('a', fallback='x')", &["a"]),
            (
                Python,
                PYTHON,
                "p = lf.get_prompt('a', fallback=[{'role': 'user', 'content': 'x'}, {'content': 'y'}])\np.compile(b=1)",
                &["a b +", "a-2 b +"],
            ),
            (
                Python,
                "import langfuse\n",
                "langfuse.get_client().create_prompt(prompt='x')",
                &["prompt"],
            ),
            (
                Python,
                "from langfuse import Langfuse as L\n",
                "class A:\n  def __init__(self, c: Optional[L] = None):\n    self.c = c\n  def f(self):\n    self.c.create_prompt(name='a', prompt='x')",
                &["a"],
            ),
            // Other objects have methods of these names.
            (Python, PYTHON, "mine.create_prompt(name='a', prompt='x')", &[]),
            (Python, "import langfuse\n", "get_client().create_prompt(name='a', prompt='x')", &[]),
            (Python, PYTHON, "lf.get_prompt('a', 'x')\nlf.create_prompt(name='a', text='x')", &[]),
            (TypeScript, NEWER, "lf.prompt.create({name: 'a', prompt: 'x'})", &["a"]),
            (
                TypeScript,
                NEWER,
                "const t = (await lf.prompt.get('a', {fallback: 'x'})).compile({b, 'c': 1}, {})",
                &["a b c +"],
            ),
            (
                TypeScript,
                NEWER,
                "const p = await lf.prompt.get('a', {fallback: 'x'}); p.compile({...b})",
                &["a ? +"],
            ),
            (
                TypeScript,
                NEWER,
                "lf.get('a', {fallback: 'x'}); prompt.get('a', {fallback: 'x'})",
                &[],
            ),
            (TypeScript, OLDER, "this.lf.getPrompt('a', undefined, {fallback: 'x'})", &["a"]),
            (TypeScript, OLDER, "lf.createPrompt({name: 'a', prompt: [{content: 'x'}]})", &["a"]),
        ] {
            let found = find(language, &format!("{head}{code}\n"));
            let one = |it: &crate::HostPrompt| {
                assert_eq!(it.dialect, promptls_syntax::Dialect::Langfuse);
                let mut words = vec![it.name.as_str()];
                for contract in &it.contracts {
                    words.extend(contract.keys.iter().map(|key| key.name.as_str()));
                    words.extend((!contract.is_whole).then_some("?"));
                    words.extend((!contract.is_own).then_some("+"));
                }
                words.join(" ")
            };
            assert_eq!(found.iter().map(one).collect::<Vec<_>>(), expected, "{code}");
        }
    }

    #[test]
    fn keys_of_a_map_variable_are_found() {
        use Language::{Java, Kotlin, Python};
        for (language, statement, expected) in [
            (Java, "Prompt.of(\"x\").compile(new HashMap<>(Map.of(\"a\", 1)))", "a"),
            (
                Java,
                "Map<String, Object> m = new HashMap<>(); m.put(\"a\", 1); if (y) { m.put(K, 2); } \
                 Prompt.of(\"x\").compile(m)",
                "a k",
            ),
            (Java, "var m = Map.of(\"a\", 1); Prompt.of(\"x\").compile(m)", "a"),
            (Java, "var m = Map.of(\"a\", 1); other.m(m); Prompt.of(\"x\").compile(m)", "a ?"),
            (Java, "var m = Map.of(\"a\", 1); m.putAll(n); Prompt.of(\"x\").compile(m)", "a ?"),
            (Java, "var m = Map.of(\"a\", 1); m = n; Prompt.of(\"x\").compile(m)", "?"),
            (Java, "var m = make(); Prompt.of(\"x\").compile(m)", "?"),
            (
                Kotlin,
                "val m = mutableMapOf<String, Any>(\"b\" to 1); m[\"a\"] = 1; print(m[\"c\"]); \
                 Prompt.of(\"x\").compile(m)",
                "b a",
            ),
            (Kotlin, "val m = HashMap<String, Any>(); Prompt.of(\"x\").compile(m)", ""),
            (
                Python,
                "def f():\n  m = {'a': 1}\n  m['b'] = 2\n  Prompt(content='x').compile(**m, c=3)",
                "a b c",
            ),
            (Python, "def f():\n  m = dict(a=1)\n  Prompt(content='x').compile(**m)", "a"),
            (Python, "def f(**m):\n  Prompt(content='x').compile(**m)", "?"),
            // Other files may change it.
            (Python, "m = {'a': 1}\nPrompt(content='x').compile(**m)", "?"),
        ] {
            let expected = format!("compile: {expected}");
            assert_eq!(contracts(language, statement), [expected], "{statement}");
        }
    }

    #[test]
    fn variables_of_other_functions_are_ignored() {
        let code = "def f():\n  p = Prompt(content='x').compile(a=1)\n\
            def g(p):\n  p.compile(b=1)";
        assert_eq!(contracts(Language::Python, code), ["compile: a"]);
    }

    #[test]
    fn unknown_keys_are_marked_as_unknown() {
        use Language::{Java, Kotlin, Python};
        for (language, statement, expected) in [
            (Java, "Prompt.of(\"x\").compile(values)", &["compile: ?"][..]),
            (Java, "Prompt.of(\"x\").compile(Map.of(\"a\", 1, key, 2))", &["compile: a ?"]),
            (
                Java,
                "Prompt.of(\"x\").compile(y ? Map.of(\"a\", 1) : Map.of(\"b\", 2))",
                &["compile: ?"],
            ),
            (Java, "Prompt.of(\"x\").compile().with(\"a\", 1)", &["compile: a ?"]),
            (Java, "Prompt.of(\"x\").compile(\"a\", 1).compileIf(values)", &["compile: a ?"]),
            (
                Java,
                "Prompt.of(\"x\").compile(\"a\", 1).append(y).compile(\"b\", 1)",
                &["compile: a b +"],
            ),
            (
                Java,
                "var half = Prompt.of(\"x\").compile(\"a\", 1); half.compile(\"b\", 1)",
                &["compile: a ?"],
            ),
            (Java, "Prompt.of(\"x\").append(y).compile(\"a\", 1)", &[]),
            (
                Java,
                "var p = Prompt.of(\"x\"); p.compile(\"a\", 1); p.compile(\"b\", 1)",
                &["compile: a", "compile: b"],
            ),
            (Java, "var p = Prompt.of(\"x\"); other.p.compile(\"a\", 1)", &[]),
            (
                Java,
                "Prompt p = first ? Prompt.of(\"x\") : Prompt.of(\"y\"); p.compile(\"a\", 1)",
                &[],
            ),
            (Kotlin, "val p = Prompt.of(\"x\").compile(mapOf(pair))", &["compile: ?"]),
            (Python, "Prompt.from_text('x').compile(a=1, **more)", &["compile: a ?"]),
            (Python, "p = Prompt.from_text('x')\np = p.compile(a=1)", &[]),
            (Python, "p = Prompt.from_text('x')\nrender(p)", &[]),
        ] {
            assert_eq!(contracts(language, statement), expected, "{statement}");
        }
    }

    #[test]
    fn inputs_of_ensemble_runs_are_found() {
        let of = |chain: &str| {
            let statement = format!("Task t = Task.of(\"x\", \"y\"); Ensemble.builder(){chain}");
            let mut found = contracts(Language::Java, &statement);
            found.dedup();
            found
        };
        for (chain, expected) in [
            (".task(t).build().run(Map.of(\"a\", 1))", &["builder: a +"][..]),
            (".llm(m).task(t).input(\"b\", 1).build().run(Map.of(\"a\", 1))", &["builder: a b +"]),
            (".task(t).task(make()).build().run(Map.of(\"a\", 1))", &["builder: a +"]),
            (".task(t).tasks(more).build().run(Map.of(\"a\", 1))", &["builder: a ? +"]),
            (".task(t).inputs(more).build().run(Map.of(\"a\", 1))", &["builder: a ? +"]),
            (
                ".task(t).input(\"a\", 1).build().run(Map.of(\"b\", 1), options)",
                &["builder: a ? +"],
            ),
            (".task(t).build().run()", &[]),
            (".task(other).build().run(Map.of(\"a\", 1))", &[]),
            (".task(t).build(); e.run(Map.of(\"a\", 1))", &[]),
            (
                ".loop(Loop.builder().task(t).build()).build().run(Map.of(\"a\", 1))",
                &["builder: a +"],
            ),
        ] {
            assert_eq!(of(chain), expected, "{chain}");
        }
        let named = "Task t = Task.of(\"x\", \"y\"); Ensemble e = Ensemble.builder().task(t).build(); \
            var inputs = Map.of(\"a\", 1); e.run(inputs)";
        assert_eq!(contracts(Language::Java, named), ["builder: a +", "builder: a +"]);
        let method = "Ensemble.builder().task(make()).build().run(Map.of(\"a\", 1)); } \
            Task make() { return Task.of(\"x\", \"y\")";
        assert_eq!(contracts(Language::Java, method), ["builder: a +", "builder: a +"]);
        // Loops that contain each other come to an end.
        let loops = format!("Loop l = Loop.builder(){}.build()", ".task(l)".repeat(150));
        let endless = format!("{loops}; Ensemble.builder().loop(l).build().run(Map.of(\"a\", 1))");
        assert_eq!(contracts(Language::Java, &endless), [""; 0]);
        let inline = "Ensemble.builder().task(Task.builder().description(\"x\").expectedOutput(\"y\").build()).build().run(Map.of(\"a\", 1))";
        assert_eq!(contracts(Language::Java, inline), ["builder: a +", "builder: a +"]);
    }

    #[test]
    fn the_work_for_prompts_of_the_same_name_is_linear() {
        let one = "def f():\n  p = Prompt.from_text('{{a}}')\n  p.compile(a=1)\n";
        let source = format!("from agentle.prompts import Prompt\n{}", one.repeat(10_000));
        let found = find(Language::Python, &source);
        assert_eq!(found.iter().map(|found| found.contracts.len()).sum::<usize>(), 10_000);
    }
}
