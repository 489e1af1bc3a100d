//! Call-site contracts: calls next to a prompt that determine its values.
//!
//! Uncertain calls count as unknown values, so that no name is reported as missing.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use super::calls::Call;
use super::grammars::grammar;
use super::outline::{Outline, Value};
use super::recognisers::{Calls, value_supply};
use super::tokens::Tokens;
use crate::flow::code::{body, constants};
use crate::host_prompt::Contract;
use crate::language::Language;

/// The maximum number of methods in a chain that is examined.
const MAX_METHODS: usize = 200;

/// Map functions whose arguments alternate between keys and values.
const IN_TURN: &str = "of";

/// Map functions whose arguments are entries, and the function that creates one.
const OF_ENTRIES: (&str, &str) = ("ofEntries", "entry");

/// Map functions whose arguments are `key to value`.
const OF_PAIRS: [&str; 5] = ["mapOf", "mutableMapOf", "hashMapOf", "linkedMapOf", "emptyMap"];

/// The contracts of the prompts of a host.
pub(super) struct Contracts<'h, 's> {
    tokens: &'h Tokens<'s>,
    outline: &'h Outline<'s>,
    /// The cached result of [`constants`].
    constants: OnceCell<HashMap<&'s str, Option<Range<usize>>>>,
    /// The positions of each word, in order.
    words: OnceCell<HashMap<&'s str, Vec<usize>>>,
    runs: OnceCell<Runs>,
}

/// The expressions that are tasks of a run, with the contract of the run, by their ends.
type Runs = HashMap<usize, Vec<(Range<usize>, Contract)>>;

/// The keys that calls supply, as far as they are known.
struct Keys {
    keys: Vec<(String, Range<usize>)>,
    is_whole: bool,
}

/// A method in a chain: its name, and its brackets.
#[derive(Clone, Copy)]
struct Method<'s> {
    name: &'s str,
    open: usize,
    close: usize,
}

impl<'h, 's> Contracts<'h, 's> {
    pub fn new(tokens: &'h Tokens<'s>, outline: &'h Outline<'s>) -> Self {
        let (constants, words, runs) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Contracts { tokens, outline, constants, words, runs }
    }

    /// The contracts of the prompts of a call.
    ///
    /// Cost: the code after it; if prompts are tasks or have names, the whole host once.
    pub fn of(&self, call: &Call) -> Vec<Contract> {
        match value_supply(call.recogniser.dialect).map(|supply| supply.calls) {
            Some(Calls::OfPrompt) => self.of_prompt(call).into_iter().collect(),
            Some(Calls::OfEnsemble) => self.of_task(call),
            Some(Calls::None) | None => Vec::new(),
        }
    }

    /// The contract from `compile` in the same expression, or on the only use of the variable.
    fn of_prompt(&self, call: &Call) -> Option<Contract> {
        let prompt = match self.dot_behind(call) {
            Some(dot) => dot,
            None => self.only_use(call)? + 1,
        };
        let methods = self.methods_behind(prompt);
        let (first, last) = (methods.first()?, methods.last()?);
        if first.name != "compile" {
            return None;
        }
        let mut keys = Keys { keys: Vec::new(), is_whole: true };
        let mut is_building = false;
        let mut is_own = true;
        for method in &methods {
            match method.name {
                "compile" if self.is_builder(method) => is_building = true,
                "compile" => self.read_compile(method, &mut keys),
                "with" if is_building => self.read_in_turn(self.arguments(method), &mut keys),
                "build" if is_building => is_building = false,
                // The result is compiled again, or text is added that may contain other names.
                name if name.starts_with("compile") => keys.is_whole = false,
                "append" => is_own = false,
                _ => {}
            }
        }
        keys.is_whole &= !is_building && !self.is_compiled_again(first);
        let call = self.tokens.range(first.open - 1..last.close + 1);
        Some(Contract { call, keys: keys.keys, is_whole: keys.is_whole, is_own })
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
        let is_dot = |token: &usize| self.tokens.text(*token) == ".";
        let opener = self.head(call).checked_sub(1);
        let is_in_brackets = opener.is_some_and(|open| self.tokens.closer(open, "(") == Some(end));
        let before = opener.and_then(|open| open.checked_sub(1));
        let is_argument = before.is_some_and(|before| {
            self.tokens.is_word(before) && !self.tokens.starts_line(before + 1)
        });
        Some(end)
            .filter(is_dot)
            .or_else(|| Some(end + 1).filter(is_dot).filter(|_| is_in_brackets && !is_argument))
    }

    /// The first token of the expression that is a call, including `await`.
    fn head(&self, call: &Call) -> usize {
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

    /// The only use of the variable that a call's prompt is assigned to.
    fn only_use(&self, call: &Call) -> Option<usize> {
        let target = self.outline.statement_at(call.tokens.start)?.target?;
        let name = self.tokens.text(target);
        let (scope, value) = self.outline.value(self.outline.scope_at(target), name)?;
        if *value != Value::Expression(self.head(call)..call.tokens.end) {
            return None;
        }
        let within = &self.outline.scopes[scope].tokens;
        let places = self.words().get(name).map_or(&[][..], Vec::as_slice);
        let first = places.partition_point(|place| *place < within.start);
        let places = places[first..].iter().copied().take_while(|place| *place < within.end);
        // `f(prompt=…)` and, with options, `{prompt: …}` name something else.
        let has_options = grammar(self.tokens.language).has_options;
        let is_key = |place: usize| {
            let opens = place > 0 && matches!(self.tokens.text(place - 1), "(" | "," | "{");
            let is_sign = match self.tokens.text(place + 1) {
                "=" => self.tokens.text(place + 2) != "=",
                sign => sign == ":" && has_options,
            };
            opens && is_sign
        };
        let mut uses = places.filter(|place| *place != target && !is_key(*place)).take(2);
        let (only, None) = (uses.next()?, uses.next()) else { return None };
        let is_member = only > 0 && self.tokens.text(only - 1) == ".";
        let is_of_this = only > 1 && self.tokens.text(only - 2) == "this";
        (!is_member || is_of_this).then_some(only)
    }

    /// `true` if the result of a call is assigned to a variable, and compiled again through it.
    fn is_compiled_again(&self, method: &Method<'_>) -> bool {
        let statement = self.outline.statement_at(method.open);
        let Some(target) = statement.and_then(|it| it.target) else { return false };
        let places = self.words().get(self.tokens.text(target)).into_iter().flatten();
        let mut places = places.filter(|place| self.tokens.text(**place + 1) == ".");
        places.any(|place| self.tokens.text(place + 2).starts_with("compile"))
    }

    fn words(&self) -> &HashMap<&'s str, Vec<usize>> {
        self.words.get_or_init(|| {
            let mut words: HashMap<&str, Vec<usize>> = HashMap::new();
            for token in (0..self.tokens.all.len()).filter(|token| self.tokens.is_word(*token)) {
                words.entry(self.tokens.text(token)).or_default().push(token);
            }
            words
        })
    }

    /// The contracts of ensemble runs in which the prompts of a call are a task.
    fn of_task(&self, call: &Call) -> Vec<Contract> {
        let runs = self.runs.get_or_init(|| self.all_runs()).get(&call.tokens.end);
        let is_task = |task: &&(Range<usize>, Contract)| task.0.contains(&call.tokens.start);
        runs.into_iter().flatten().filter(is_task).map(|(_, run)| run.clone()).collect()
    }

    fn all_runs(&self) -> Runs {
        let mut runs = Runs::new();
        for run in self.words().get("run").into_iter().flatten() {
            let Some(methods) = self.methods_of_ensemble(run + 1) else { continue };
            let Some((tasks, contract)) = self.run(&methods) else { continue };
            for task in tasks {
                runs.entry(task.end).or_default().push((task, contract.clone()));
            }
        }
        runs
    }

    /// The methods from `Ensemble.builder` to the one with this bracket, in source order.
    fn methods_of_ensemble(&self, open: usize) -> Option<Vec<Method<'s>>> {
        let mut methods = Vec::new();
        let mut open = open;
        while methods.len() < MAX_METHODS {
            let name = open.checked_sub(1)?;
            let close = self.tokens.closer(open, "(")?;
            methods.push(Method { name: self.tokens.text(name), open, close });
            let dot = name.checked_sub(1).filter(|dot| self.tokens.text(*dot) == ".")?;
            open = self.tokens.previous(dot)?;
            if self.tokens.text(open) == "Ensemble" {
                return (self.tokens.text(name) == "builder").then_some(methods);
            }
        }
        None
    }

    /// The task expressions of an ensemble, and the contract of its run.
    fn run(&self, methods: &[Method<'s>]) -> Option<(Vec<Range<usize>>, Contract)> {
        let (first, last) = (methods.first()?, methods.last()?);
        let mut keys = Keys { keys: Vec::new(), is_whole: true };
        let mut tasks = Vec::new();
        for method in methods {
            let mut arguments = self.arguments(method);
            match (method.name, arguments.as_mut_slice()) {
                ("task", [task]) => match self.task(task.clone()) {
                    Some(task) => tasks.push(task),
                    None => keys.is_whole = false,
                },
                ("input", _) => self.read_in_turn(arguments, &mut keys),
                ("inputs" | "run", [map]) => self.read_map(map.clone(), &mut keys),
                ("run", []) => {}
                (name, _) => {
                    let name = name.to_ascii_lowercase();
                    let may_bring = ["task", "input", "run", "phase"];
                    keys.is_whole &= !may_bring.iter().any(|word| name.contains(word));
                }
            }
        }
        let call = self.tokens.range(last.open - 1..first.close + 1);
        let contract = Contract { call, keys: keys.keys, is_whole: keys.is_whole, is_own: false };
        (!contract.keys.is_empty()).then_some((tasks, contract))
    }

    /// The expression that creates a task, possibly through a variable.
    fn task(&self, argument: Range<usize>) -> Option<Range<usize>> {
        if argument.len() > 1 {
            return (self.tokens.text(argument.start) == "Task").then_some(argument);
        }
        let scope = self.outline.scope_at(argument.start);
        match self.outline.value(scope, self.tokens.text(argument.start))? {
            (_, Value::Expression(value)) => Some(value.clone()),
            _ => None,
        }
    }

    /// The chained methods after a dot.
    fn methods_behind(&self, dot: usize) -> Vec<Method<'s>> {
        let mut methods = Vec::new();
        let mut at = dot;
        while self.tokens.text(at) == "." && methods.len() < MAX_METHODS {
            let open = at + 2;
            let Some(close) = self.tokens.closer(open, "(") else { break };
            methods.push(Method { name: self.tokens.text(at + 1), open, close });
            at = close + 1;
        }
        methods
    }

    fn arguments(&self, method: &Method<'_>) -> Vec<Range<usize>> {
        self.tokens.split(method.open + 1..method.close)
    }

    /// `compile(topic=topic)`, `compile(Map.of("topic", topic))`, `compile("topic", topic)`
    fn read_compile(&self, method: &Method<'_>, keys: &mut Keys) {
        let arguments = self.arguments(method);
        if self.tokens.language == Language::Python {
            for argument in arguments {
                let is_keyword = self.tokens.is_word(argument.start)
                    && self.tokens.text(argument.start + 1) == "=";
                let range = self.tokens.range(argument.start..argument.start + 1);
                match is_keyword {
                    true => keys.add(self.tokens, range),
                    false => keys.is_whole = false,
                }
            }
            return;
        }
        if grammar(self.tokens.language).has_options {
            return self.read_object(&arguments, keys);
        }
        // Type arguments of a map contain commas, too.
        let all = method.open + 1..method.close;
        match arguments.len() == 1 || self.call_at_end(all.clone()).is_some() {
            true => self.read_map(all, keys),
            false => self.read_in_turn(arguments, keys),
        }
    }

    /// `compile({topic, "tone": tone})`; a second argument has no values for texts.
    fn read_object(&self, arguments: &[Range<usize>], keys: &mut Keys) {
        let Some(object) = arguments.first() else { return };
        let close = self.tokens.closer(object.start, "{").filter(|it| it + 1 == object.end);
        let Some(close) = close else {
            keys.is_whole = false;
            return;
        };
        for part in self.tokens.split(object.start + 1..close) {
            let key = part.start..part.start + 1;
            let is_key = part.len() == 1 || self.tokens.text(key.end) == ":";
            match (is_key, self.tokens.is_word(key.start)) {
                (true, true) => keys.add(self.tokens, self.tokens.range(key)),
                (true, false) if self.tokens.is_literal(key.start) => self.read_key(key, keys),
                _ => keys.is_whole = false,
            }
        }
    }

    fn read_in_turn(&self, arguments: Vec<Range<usize>>, keys: &mut Keys) {
        keys.is_whole &= arguments.len().is_multiple_of(2);
        arguments.into_iter().step_by(2).for_each(|key| self.read_key(key, keys));
    }

    /// An expression that creates a map in place.
    fn read_map(&self, map: Range<usize>, keys: &mut Keys) {
        let Some((callee, arguments)) = self.call_at_end(map) else {
            keys.is_whole = false;
            return;
        };
        if callee == IN_TURN {
            return self.read_in_turn(arguments, keys);
        }
        for argument in arguments {
            if OF_PAIRS.contains(&callee) && self.tokens.text(argument.start + 1) == "to" {
                self.read_key(argument.start..argument.start + 1, keys);
                continue;
            }
            match self.call_at_end(argument) {
                Some((entry, pair)) if (callee, entry) == OF_ENTRIES => {
                    self.read_in_turn(pair, keys);
                }
                _ => keys.is_whole = false,
            }
        }
        keys.is_whole &= OF_PAIRS.contains(&callee) || callee == OF_ENTRIES.0;
    }

    /// The name and the arguments of a call expression; only names and types may precede its
    /// brackets.
    fn call_at_end(&self, expression: Range<usize>) -> Option<(&'s str, Vec<Range<usize>>)> {
        let close = expression.end.checked_sub(1)?;
        let open = self.tokens.partner(close).filter(|open| expression.contains(open))?;
        let mut depth = 0_i32;
        let mut is_name = |token: usize| match self.tokens.text(token) {
            "." => true,
            "<" | ">" => {
                depth += if self.tokens.text(token) == "<" { 1 } else { -1 };
                depth >= 0
            }
            "," | "?" => depth > 0,
            _ => self.tokens.is_word(token),
        };
        let is_call = self.tokens.closer(open, "(") == Some(close)
            && open > expression.start
            && (expression.start..open).all(&mut is_name);
        let arguments = self.tokens.split(open + 1..close);
        is_call.then(|| (self.tokens.text(open - 1), arguments))
    }

    /// A literal, or a constant with a literal value.
    fn read_key(&self, key: Range<usize>, keys: &mut Keys) {
        let last = key.end - 1;
        let range = match self.tokens.is_literal(last) {
            true if key.len() == 1 => body(self.tokens, last),
            true => None,
            false => {
                let constants = self.constants.get_or_init(|| constants(self.tokens));
                constants.get(self.tokens.text(last)).cloned().flatten()
            }
        };
        match range {
            Some(range) => keys.add(self.tokens, range),
            None => keys.is_whole = false,
        }
    }
}

impl Keys {
    fn add(&mut self, tokens: &Tokens<'_>, range: Range<usize>) {
        self.keys.push((tokens.source[range.clone()].to_owned(), range));
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
            let keys = contract.keys.iter().map(|(name, range)| {
                assert_eq!(source[range.clone()], *name);
                name.as_str()
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
    fn what_is_compiled_in_place_is_read() {
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
    fn texts_of_langfuse_are_compiled() {
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
                    words.extend(contract.keys.iter().map(|(name, _)| name.as_str()));
                    words.extend((!contract.is_whole).then_some("?"));
                    words.extend((!contract.is_own).then_some("+"));
                }
                words.join(" ")
            };
            assert_eq!(found.iter().map(one).collect::<Vec<_>>(), expected, "{code}");
        }
    }

    #[test]
    fn what_nobody_sees_is_no_key() {
        use Language::{Java, Kotlin, Python};
        for (language, statement, expected) in [
            (Java, "Prompt.of(\"x\").compile(values)", &["compile: ?"][..]),
            (Java, "Prompt.of(\"x\").compile(Map.of(\"a\", 1, key, 2))", &["compile: a ?"]),
            (
                Java,
                "Prompt.of(\"x\").compile(y ? Map.of(\"a\", 1) : Map.of(\"b\", 2))",
                &["compile: ?"],
            ),
            (Java, "Prompt.of(\"x\").compile(new HashMap<>(Map.of(\"a\", 1)))", &["compile: ?"]),
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
            (Java, "var p = Prompt.of(\"x\"); p.compile(\"a\", 1); p.compile(\"b\", 1)", &[]),
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
    fn the_run_of_an_ensemble_is_read_if_it_is_all_in_one_expression() {
        let of = |chain: &str| {
            let statement = format!("Task t = Task.of(\"x\", \"y\"); Ensemble.builder(){chain}");
            let mut found = contracts(Language::Java, &statement);
            found.dedup();
            found
        };
        for (chain, expected) in [
            (".task(t).build().run(Map.of(\"a\", 1))", &["builder: a +"][..]),
            (".llm(m).task(t).input(\"b\", 1).build().run(Map.of(\"a\", 1))", &["builder: a b +"]),
            (".task(t).task(make()).build().run(Map.of(\"a\", 1))", &["builder: a ? +"]),
            (".task(t).tasks(more).build().run(Map.of(\"a\", 1))", &["builder: a ? +"]),
            (".task(t).inputs(more).build().run(Map.of(\"a\", 1))", &["builder: a ? +"]),
            (
                ".task(t).input(\"a\", 1).build().run(Map.of(\"b\", 1), options)",
                &["builder: a ? +"],
            ),
            (".task(t).build().run()", &[]),
            (".task(other).build().run(Map.of(\"a\", 1))", &[]),
            (".task(t).build(); e.run(Map.of(\"a\", 1))", &[]),
        ] {
            assert_eq!(of(chain), expected, "{chain}");
        }
        let inline = "Ensemble.builder().task(Task.builder().description(\"x\").expectedOutput(\"y\").build()).build().run(Map.of(\"a\", 1))";
        assert_eq!(contracts(Language::Java, inline), ["builder: a +", "builder: a +"]);
    }

    #[test]
    fn ten_thousand_prompts_of_one_name_are_no_more_work_each() {
        let one = "def f():\n  p = Prompt.from_text('{{a}}')\n  p.compile(a=1)\n";
        let source = format!("from agentle.prompts import Prompt\n{}", one.repeat(10_000));
        let found = find(Language::Python, &source);
        assert_eq!(found.iter().map(|found| found.contracts.len()).sum::<usize>(), 10_000);
    }
}
