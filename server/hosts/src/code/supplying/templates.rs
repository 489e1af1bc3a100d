//! Methods of templates, and of chains that start with one, that supply its values:
//! `template.partial(a=1).format(b=2)`, `(template | model).invoke({"a": 1})`.

use std::ops::Range;

use super::contracts::{Contracts, Method, Object};
use super::maps::Keys;
use crate::code::calls::Call;
use crate::code::grammars::grammar;
use crate::code::outline::Value;
use crate::code::outline::objects::without_quotes;
use crate::code::recogniser::{TemplateMethod, TemplateMethods};
use crate::code::recognisers::recognisers;
use crate::host_prompt::{Contract, ListedNames};

/// The sign of Python between the parts of a chain.
pub(super) const PIPE: &str = "|";

/// The maximum number of names and brackets between a template and the method that fills it.
const MAX_STEPS: usize = 8;

/// The methods that add to a list.
const GROWING: [&str; 6] = ["append", "extend", "insert", "push", "unshift", "splice"];

/// What an expression that is a template leads to.
enum Next {
    /// The method that supplies the rest of the values.
    Filled(Range<usize>),
    /// A larger expression with the same value, or the only use of the variable that it is
    /// assigned to.
    Expression(Range<usize>),
}

impl<'s> Contracts<'_, 's> {
    /// The contract of a template: the values that it is created with, and those of the methods in
    /// the same expression, or on the only use of its variable.
    pub(crate) fn of_template(&self, call: &Call) -> Option<Contract> {
        let methods = call.recogniser.methods?;
        let mut keys = Keys::none();
        if let Some(some) = call.argument(methods.argument, None) {
            self.maps.read_map(some.value.clone(), &mut keys);
        }
        let filled = self.filled(self.head(call)..call.tokens.end, methods, &mut keys);
        if filled.is_none() && keys.keys.is_empty() {
            return None;
        }
        let is_whole = keys.is_whole && methods.is_strict && filled.is_some();
        // Other prompts of the call read the same values.
        let is_alone = call.recogniser.parameters.len() == 1;
        let is_own =
            is_alone && methods.renaming.iter().all(|it| call.argument(it, None).is_none());
        let call = self.tokens.range(filled.unwrap_or(call.tokens.clone()));
        Some(Contract { call, keys: keys.keys, is_whole, is_own })
    }

    /// The name of the list of messages of a call, if messages are added to the list.
    pub(crate) fn grown_list(&self, call: &Call) -> Option<Range<usize>> {
        let parameters = call.recogniser.parameters.iter();
        let mut lists = parameters.filter(|parameter| parameter.messages.is_some());
        lists.find_map(|parameter| {
            let list = &call.argument(parameter.keyword, parameter.position)?.value;
            if list.len() != 1 || !self.tokens.is_word(list.start) {
                return None;
            }
            let name = self.tokens.text(list.start);
            let (scope, _) = self.outline.value(self.outline.scope_at(list.start), name)?;
            let grows = |at: usize| match self.tokens.text(at + 1) {
                "." => GROWING.contains(&self.tokens.text(at + 2)),
                sign => sign == "+=",
            };
            self.maps.uses(scope, name).any(grows).then(|| list.clone())
        })
    }

    /// The list of the names of a template; `None` if there is none, or if it is computed.
    pub(crate) fn listed(&self, call: &Call) -> Option<ListedNames> {
        let methods = call.recogniser.methods.filter(|methods| !methods.listed.is_empty())?;
        let list = call.argument(methods.listed, None)?.value.clone();
        let close = self.tokens.closer(list.start, "[").filter(|close| close + 1 == list.end)?;
        let mut names = Keys::none();
        for item in self.tokens.split(list.start + 1..close) {
            let is_literal = item.len() == 1 && self.tokens.is_literal(item.start);
            let text = self.tokens.text(item.start);
            let name = without_quotes(text);
            // An escape is no part of a name.
            if !is_literal || name.len() + 2 != text.len() || name.contains('\\') {
                return None;
            }
            let start = self.tokens.range(item).start + 1;
            names.add(self.tokens, start..start + name.len());
        }
        let mut supplied = Keys::none();
        if let Some(some) = call.argument(methods.argument, None) {
            self.maps.read_map(some.value.clone(), &mut supplied);
        }
        let known = supplied.keys.into_iter().map(|(name, _)| name).collect();
        Some(ListedNames {
            keyword: methods.listed,
            list: self.tokens.range(list),
            names: names.keys,
            supplied: supplied.is_whole.then_some(known),
        })
    }

    /// The templates of other hosts that this one fills, and the calls that do so.
    ///
    /// Cost: the imported names, and the code after the only use of each.
    pub(crate) fn imported_templates(&self) -> Vec<Object<'s>> {
        let mut tables = recognisers(self.tokens.language).filter_map(|row| row.methods);
        // Whether the template is filled completely, its own host decides.
        let Some(methods) = tables.find(|methods| methods.is_strict) else { return Vec::new() };
        let names = self.outline.names.iter();
        let imported = names.filter(|(_, value)| matches!(value, Value::Import(_)));
        let template = |scope: usize, name: &'s str| {
            // The first one is in the import.
            let import = self.maps.uses(scope, name).next()?;
            let only = self.only_use_of(import, scope)?;
            // Two maps are merged with the same sign.
            let may_be_map =
                self.tokens.text(only - 1) == PIPE && self.tokens.text(only + 1) != PIPE;
            if may_be_map {
                return None;
            }
            let mut keys = Keys::none();
            let method = self.filled(only..only + 1, methods, &mut keys)?;
            let (call, is_whole) = (self.tokens.range(method), keys.is_whole);
            let contract = Contract { call, keys: keys.keys, is_whole, is_own: true };
            Some(Object { chain: vec![name], token: only, is_called: false, contract })
        };
        let mut found: Vec<Object<'s>> =
            imported.filter_map(|((scope, name), _)| template(*scope, name)).collect();
        // The order of a map differs from run to run.
        found.sort_by_key(|object| object.token);
        found
    }

    /// The method that supplies the rest of the values of an expression that is a template.
    fn filled(
        &self,
        mut expression: Range<usize>,
        methods: &TemplateMethods,
        keys: &mut Keys,
    ) -> Option<Range<usize>> {
        for _ in 0..MAX_STEPS {
            match self.step(expression, methods, keys)? {
                Next::Expression(next) => expression = next,
                Next::Filled(method) => return Some(method),
            }
        }
        None
    }

    /// Reads the methods after an expression that is a template.
    fn step(
        &self,
        expression: Range<usize>,
        methods: &TemplateMethods,
        keys: &mut Keys,
    ) -> Option<Next> {
        let Range { mut start, mut end } = expression;
        for method in self.methods_behind(end) {
            let is_it = |it: &&TemplateMethod| it.name == method.name;
            if let Some(fills) = methods.fills.iter().find(is_it) {
                self.read_values(&method, fills, keys);
                return Some(Next::Filled(method.open - 1..method.close + 1));
            }
            match methods.partial.iter().find(is_it) {
                Some(partial) => self.read_values(&method, partial, keys),
                None if methods.chains.contains(&method.name) => {}
                None => return None,
            }
            end = method.close + 1;
        }
        if let Some(map) = self.map_before(start..end, methods, keys) {
            return Some(Next::Filled(map));
        }
        if let Some(sequence) = self.sequence_around(start..end, methods) {
            return Some(Next::Expression(sequence));
        }
        while start > 0 && self.tokens.text(start - 1) == "await" {
            start -= 1;
        }
        end = self.end_with_type(end);
        let is_first = self.tokens.text(end) == PIPE && !methods.chains.is_empty();
        if let Some(open) = start.checked_sub(1)
            && let Some(close) = self.tokens.closer(open, "(")
            && (close == end || is_first)
        {
            let is_argument = open > 0
                && !self.tokens.starts_line(open)
                && (self.tokens.is_word(open - 1) || self.tokens.partner(open - 1).is_some())
                && !matches!(self.tokens.text(open - 1), "await" | "return" | "(" | "[" | "{");
            return (!is_argument).then_some(Next::Expression(open..close + 1));
        }
        let target = self.outline.statement_at(start)?.target?;
        let (scope, value) =
            self.outline.value(self.outline.scope_at(target), self.tokens.text(target))?;
        let Value::Expression(value) = value else { return None };
        let is_value = value.start == start && (value.end == end || is_first && end < value.end);
        let only = is_value.then(|| self.only_use_of(target, scope))??;
        Some(Next::Expression(only..only + 1))
    }

    /// The end of an expression with what only states its type: `x!`, `x as T`.
    fn end_with_type(&self, end: usize) -> usize {
        let end = end + usize::from(matches!(self.tokens.text(end), "!" | "!!"));
        if !grammar(self.tokens.language).casts.contains(&self.tokens.text(end)) {
            return end;
        }
        // The type ends with the statement, or before the bracket or comma after the expression.
        let of_statement = self.outline.statement_at(end).map_or(end, |it| it.tokens.end);
        let mut at = end;
        while at < of_statement && !matches!(self.tokens.text(at), ")" | "]" | "}" | "," | ";") {
            at = self.tokens.partner(at).filter(|close| *close > at).unwrap_or(at) + 1;
        }
        at
    }

    fn read_values(&self, method: &Method<'_>, takes: &TemplateMethod, keys: &mut Keys) {
        let arguments = self.arguments(method);
        match arguments.first() {
            _ if takes.by_keyword => self.read_keywords(arguments, keys),
            Some(map) => self.maps.read_map(map.clone(), keys),
            None => keys.is_whole = false,
        }
    }
}

#[cfg(test)]
mod tests {
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
                let mut keys: Vec<&str> = contract.keys.iter().map(|(key, _)| &**key).collect();
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
            (Python, "p = P(template='{a}')\np.invoke({'a': 1})\np.invoke({'b': 1})", &[""]),
            (Python, "p = P(template='{a}')\np.pretty_print()", &[""]),
            (Python, "p = P(template='{a}')\np = p.partial(a=1)", &[""]),
            (Python, "p = P(template='{a}')\nchain = p | model\nchain.invoke({'a': 1})", &["a"]),
            (Python, "chain = P(template='{a}') | model | parser\nchain.invoke({'a': 1})", &["a"]),
            (Python, "p = P(template='{a}')\nx = (p | model).invoke({'a': 1})", &["a"]),
            (
                Python,
                "chain = (\n  P(template='{a}')\n  | model\n)\nchain.invoke({'a': 1})",
                &["a"],
            ),
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
            (
                TypeScript,
                "const p = new P({ template: '{a}', partialVariables: { a: 1 } })",
                &["a ?"],
            ),
        ] {
            assert_eq!(supplied(language, code), expected, "{code}");
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
            for value in [
                "P.fromTemplate('{a}')",
                "P.fromTemplate<T>('{a}')",
                "new P<T>({ template: '{a}' })",
            ] {
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
        let chains = [
            (Python, "RunnableSequence(p, model).invoke({'a': 1})", "a"),
            (Python, "c = RunnableSequence(p, model)\nc.invoke({'a': 1})", "a"),
            (Python, "c = {'a': x, 'b': RunnablePassthrough()} | p | model\nc.invoke('c')", "a b"),
            (Python, "c = (\n  x\n  | {'a': f}\n  | p\n)\nc.invoke('c')", "a"),
            (Python, "c = {'a': x, **y} | p | model", "a ?"),
            (Python, "c = RunnableParallel(a=x) | p | model", "a"),
            (Python, "c = RunnableParallel({'a': x}) | p.partial(b=1)", "b a"),
            (Python, "c = RunnablePassthrough.assign(a=x) | p | model\nc.invoke({'b': 1})", "a ?"),
            (Python, "c = RunnableSequence({'a': x}, p, model)", "a"),
            (Python, "c = f({'a': x}, p)", ""),
            (Python, "c = RunnablePassthrough() | p\nc.invoke({'b': 1})", ""),
            (Python, "c = retriever | p\nc.invoke({'b': 1})", ""),
            (Python, "c = RunnableSequence(x, p)\nc.invoke({'b': 1})", ""),
            (Python, "c = LLMChain(llm=llm, prompt=p)\nc.run('b')", ""),
            (Python, "c = LLMChain(llm=llm, prompt=p)\nc.run(b=1)", ""),
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
            (TypeScript, "RunnableSequence.from([x, p]).invoke({ b: 1 })", ""),
            (TypeScript, "x.pipe(p).invoke({ b: 1 })", ""),
            (TypeScript, "new LLMChain({ llm, prompt: p }).call({ b: 1 })", ""),
        ];
        for (language, chain, expected) in chains {
            let template = match language {
                Python => "p = P.from_template('{a}')",
                _ => "const p = P.fromTemplate('{a}');",
            };
            let code = format!("{template}\n{chain}");
            assert_eq!(supplied(language, &code), [expected], "{code}");
        }
    }
}
