//! Functions of a program that pass a parameter to a framework: `def make(prompt): return
//! LlmAgent(instruction=prompt)`.

use std::collections::HashMap;
use std::ops::Range;

use super::calls::callee::Passed;
use super::calls::{Argument, Call, Inlined, argument, texts};
use super::outline::{Outline, Receiver, ScopeKind, Value};
use super::recogniser::NamedBy;
use super::tokens::Tokens;
use crate::decode;
use crate::language::Language;
use promptls_data::{Decoded, PieceKind};

/// The argument of the framework that a function passes on, of those of a call of the function.
pub(super) fn passed_argument(passed: &Passed, written: &[Argument]) -> Option<Argument> {
    let argument = argument(written, &passed.parameter, passed.position)?;
    Some(Argument { keyword: Some(passed.keyword.to_owned()), value: argument.value.clone() })
}

/// A parameter of a function of the host.
#[derive(Clone)]
pub(super) struct Parameter<'s> {
    pub name: &'s str,
    /// Its position among arguments without a keyword; `None` if it needs one.
    pub position: Option<usize>,
    pub default: Option<Range<usize>>,
}

/// An argument of a framework call for which its function puts parameters into a text.
#[derive(Clone)]
pub(super) struct Template {
    pub row: usize,
    pub keyword: &'static str,
    pub value: Range<usize>,
    /// The calls between the function and the framework call, the first one first.
    pub calls: Vec<Inlined>,
    /// The parameters whose texts are a part of the text.
    pub parts: Vec<Passed>,
}

/// Finds the parameters that reach the arguments of calls.
pub(super) struct Factories<'h, 's> {
    tokens: &'h Tokens<'s>,
    outline: &'h Outline<'s>,
    /// The functions by their scopes.
    functions: HashMap<usize, usize>,
    /// The parameters of functions, without those that are assigned.
    parameters: HashMap<usize, Vec<Parameter<'s>>>,
}

impl<'h, 's> Factories<'h, 's> {
    pub fn new(tokens: &'h Tokens<'s>, outline: &'h Outline<'s>) -> Self {
        let functions = outline.functions.iter().enumerate().map(|(index, it)| (it.scope, index));
        let functions = functions.collect();
        Factories { tokens, outline, functions, parameters: HashMap::new() }
    }

    /// The function around a call, and the parameters that it passes to it; `None` if it passes
    /// none that is a prompt. Adds the defaults of these parameters to `defaults`, as arguments.
    pub fn passed(
        &mut self,
        call: &Call,
        defaults: &mut Vec<Argument>,
    ) -> Option<(usize, Vec<Passed>)> {
        let (function, scope) = self.function_around(call.tokens.start)?;
        let row = call.recogniser;
        if !call.inlined.is_empty() {
            return None;
        }
        let of_row = row.parameters.iter().map(|it| (it.keyword, it.position, true));
        let name = match row.name {
            Some(NamedBy::Argument(name)) => Some((name, None, false)),
            _ => None,
        };
        let mut all = Vec::new();
        let mut has_prompt = false;
        for (keyword, position, is_prompt) in of_row.chain(name) {
            let value = call.argument(keyword, position).map(|argument| argument.value.clone());
            if value.is_none() && self.passes_all(function, call) {
                has_prompt |= is_prompt;
                let parameter = keyword.to_owned();
                all.push(Passed { keyword, parameter, position: None, is_part: false });
            }
            let Some(value) = value.filter(|it| it.len() == 1) else { continue };
            let name = self.tokens.text(value.start);
            if self.is_hidden(scope, value.start) {
                continue;
            }
            let Some(parameter) = self.parameter(function, scope, name) else { continue };
            if let Some(value) = parameter.default.clone().filter(|_| is_prompt) {
                defaults.push(Argument { keyword: Some(keyword.to_owned()), value });
            }
            has_prompt |= is_prompt;
            let (parameter, position) = (parameter.name.to_owned(), parameter.position);
            all.push(Passed { keyword, parameter, position, is_part: false });
        }
        has_prompt.then_some((function, all))
    }

    /// `true` if a call passes on all arguments of its function: `**options`, `...options`.
    fn passes_all(&self, function: usize, call: &Call) -> bool {
        let Some(open) = call.open.clone().filter(|open| open.len() <= 2) else { return false };
        let (tokens, name) = (self.tokens, self.tokens.text(open.end - 1));
        let is_it = |part: &Range<usize>| {
            let is_all = tokens.text(part.start) == "**";
            let at = part.start + usize::from(is_all);
            tokens.text(at) == name && (is_all || is_script(tokens.language))
        };
        tokens.split(self.outline.functions[function].parameters.clone()).iter().any(is_it)
    }

    /// The function around a call, and the arguments of the framework for which it puts some of its
    /// parameters into a text.
    pub fn templates(&mut self, row: usize, call: &Call) -> Option<(usize, Vec<Template>)> {
        let (function, scope) = self.function_around(call.tokens.start)?;
        let mut templates = Vec::new();
        for parameter in call.recogniser.parameters {
            let argument = call.argument(parameter.keyword, parameter.position);
            let Some(value) = argument.map(|argument| argument.value.clone()) else { continue };
            let used = match call.inlined.first() {
                Some(inlined) => inlined.brackets.clone(),
                None if value.len() > 1 || self.tokens.is_literal(value.start) => value.clone(),
                None => continue,
            };
            let names = self.parameters_in(used, function, scope);
            if names.is_empty() {
                continue;
            }
            let (keyword, calls) = (parameter.keyword, call.inlined.clone());
            let messages = texts(self.tokens, self.outline, value.clone(), parameter).texts;
            let is_message = |name: &str| {
                let mut texts = messages.iter().map(|text| text.tokens.clone());
                texts.any(|it| it.len() == 1 && self.tokens.text(it.start) == name)
            };
            let parts =
                names.into_iter().filter(|_| calls.is_empty()).filter_map(|(it, is_part)| {
                    let (parameter, position) = (it.name.to_owned(), it.position);
                    let is_known = is_part || is_message(it.name);
                    is_known.then_some(Passed { keyword, parameter, position, is_part })
                });
            let parts = parts.collect();
            templates.push(Template { row, keyword, value, calls, parts });
        }
        (!templates.is_empty()).then_some((function, templates))
    }

    /// The parameters of a function in an expression, each with `true` if its text is an operand of a
    /// sum or of an interpolation.
    fn parameters_in(
        &mut self,
        value: Range<usize>,
        function: usize,
        scope: usize,
    ) -> Vec<(Parameter<'s>, bool)> {
        let tokens = self.tokens;
        let mut found = Vec::new();
        if self.outline.functions[function].parameters.is_empty() {
            return found;
        }
        for token in value.clone() {
            if tokens.is_literal(token) {
                let range = tokens.range(token..token + 1);
                let decoded = decode::decode(tokens.language, tokens.source, range);
                for hole in decoded.iter().flat_map(Decoded::pieces) {
                    let written = &tokens.source[hole.source.clone()];
                    let name = written.trim_matches(['$', '{', '}', ' ']);
                    let parameter = (hole.kind == PieceKind::Hole)
                        .then(|| self.parameter(function, scope, name).cloned());
                    found.extend(parameter.flatten().map(|it| (it, value.len() == 1)));
                }
            } else if tokens.is_word(token)
                && tokens.text(token - 1) != "."
                && !self.is_hidden(scope, token)
                && let Some(it) = self.parameter(function, scope, tokens.text(token))
            {
                let starts = token == value.start || tokens.text(token - 1) == "+";
                let ends = token + 1 == value.end || tokens.text(token + 1) == "+";
                found.push((it.clone(), starts && ends));
            }
        }
        found
    }

    /// The function around a token that calls can name, and its scope.
    fn function_around(&self, token: usize) -> Option<(usize, usize)> {
        let is_function = |scope: &usize| self.outline.scopes[*scope].kind == ScopeKind::Function;
        let scope = self.outline.outwards(self.outline.scope_at(token)).find(is_function)?;
        let function = *self.functions.get(&scope)?;
        let declared = &self.outline.scopes[scope];
        let key = (declared.parent?, declared.name);
        let is_named = match key.0 {
            0 => self.outline.names.get(&key).or(self.outline.methods.get(&key)),
            _ => self.outline.methods.get(&key),
        };
        let is_decorated = self.outline.functions[function].is_decorated;
        (is_named == Some(&Value::Function(function)) && !is_decorated).then_some((function, scope))
    }

    /// `true` if a name at a token may not be the parameter of a function, because the function or a
    /// scope within it declares it again.
    fn is_hidden(&self, function: usize, token: usize) -> bool {
        let name = self.tokens.text(token);
        let inner = self.outline.outwards(self.outline.scope_at(token));
        let mut inner = inner.take_while(|scope| *scope != function);
        // In scripts, types between the brackets of parameters count as names, too.
        let is_python = self.tokens.language == Language::Python;
        is_python && self.outline.rebound.contains(&(function, name))
            || inner.any(|scope| self.outline.names.contains_key(&(scope, name)))
    }

    fn parameter(&mut self, function: usize, scope: usize, name: &str) -> Option<&Parameter<'s>> {
        let (tokens, outline) = (self.tokens, self.outline);
        let parameters = self
            .parameters
            .entry(function)
            .or_insert_with(|| parameters(tokens, outline, function, scope));
        parameters.iter().find(|parameter| parameter.name == name)
    }
}

/// The parameters of a function, without those that it assigns.
pub(super) fn parameters<'s>(
    tokens: &Tokens<'s>,
    outline: &Outline<'s>,
    function: usize,
    scope: usize,
) -> Vec<Parameter<'s>> {
    let function = &outline.functions[function];
    let mut found = Vec::new();
    let mut only_keywords = false;
    let mut parts = parts_with_types(tokens, function.parameters.clone());
    let is_this = parts.first().is_some_and(|first| tokens.text(first.start) == "this");
    if (function.receiver != Receiver::None || is_this) && !parts.is_empty() {
        parts.remove(0);
    }
    for (position, part) in parts.into_iter().enumerate() {
        match tokens.text(part.start) {
            // What follows has no position.
            "*" if part.len() == 1 => only_keywords = true,
            "*" | "**" | "..." => break,
            "{" => {
                let Some(close) = tokens.partner(part.start) else { continue };
                for name in tokens.split(part.start + 1..close) {
                    if let Some(it) =
                        parameter(tokens, name, None).filter(|it| it.default.is_none())
                    {
                        found.push(it);
                    }
                }
            }
            _ => {
                let position = (!only_keywords).then_some(position);
                found.extend(parameter(tokens, part, position));
            }
        }
    }
    let body = &outline.scopes[scope].tokens;
    let first = outline.statements.partition_point(|it| it.tokens.start < body.start);
    let inside = outline.statements[first..].iter().take_while(|it| it.tokens.start < body.end);
    let targets = inside.filter_map(|it| it.target.filter(|at| tokens.text(at - 1) != "."));
    let targets: Vec<&str> = targets.map(|target| tokens.text(target)).collect();
    let body = body.start.max(function.parameters.end)..body.end;
    found.retain(|parameter| {
        let mut places = body.clone().filter(|token| tokens.text(*token) == parameter.name);
        !targets.contains(&parameter.name) && !places.any(|token| may_bind(tokens, token))
    });
    found
}

/// The parameters between brackets. Type arguments also have commas: `Map<String, Object> map`.
fn parts_with_types(tokens: &Tokens<'_>, parameters: Range<usize>) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut depth = 0_usize;
    for part in tokens.split(parameters) {
        match parts.last_mut().filter(|_| depth > 0) {
            Some(last) => last.end = part.end,
            None => parts.push(part.clone()),
        }
        for token in part {
            match tokens.text(token) {
                "<" => depth += 1,
                close if close.bytes().all(|byte| byte == b'>') => {
                    depth = depth.saturating_sub(close.len());
                }
                _ => {}
            }
        }
    }
    parts
}

/// The maximum number of tokens between a name and the sign that binds it.
const MAX_BINDING: usize = 8;

/// Words before a name that is only read.
const READS: [&str; 9] = ["in", "of", "if", "else", "return", "and", "or", "not", "is"];

/// `true` if a name may get another value at a token, other than by a statement: `x += y`, `&x`,
/// `[x] = y`, `for x in y`, `lambda x: y`, `{ x -> y }`.
fn may_bind(tokens: &Tokens<'_>, token: usize) -> bool {
    let is_listed = |at: &usize| {
        let text = tokens.text(*at);
        tokens.is_word(*at) && !READS.contains(&text) || matches!(text, "," | "(" | ")")
    };
    let before = (token.saturating_sub(MAX_BINDING)..token).rev().take_while(is_listed);
    let is_target = before.into_iter().any(|at| matches!(tokens.text(at), "for" | "lambda"));
    let mut behind = token + 1..token + 1 + MAX_BINDING;
    let end = behind.find(|at| !is_listed(at) && tokens.text(*at) != ":");
    let is_pattern = end.is_some_and(|at| match tokens.text(at) {
        "->" => true,
        "]" | "}" => is_script(tokens.language) && tokens.text(at + 1) == "=",
        _ => false,
    });
    let next = tokens.text(token + 1);
    let is_comparison = matches!(next, "==" | "!=" | "<=" | ">=" | "===" | "!==");
    let is_changed = next.len() > 1 && next.ends_with('=') && !is_comparison;
    is_target || is_pattern || is_changed || token > 0 && tokens.text(token - 1) == "&"
}

fn is_script(language: Language) -> bool {
    matches!(language, Language::TypeScript | Language::Tsx | Language::JavaScript)
}

/// The parameter that is declared by some tokens.
fn parameter<'s>(
    tokens: &Tokens<'s>,
    part: Range<usize>,
    position: Option<usize>,
) -> Option<Parameter<'s>> {
    let sign = part.clone().find(|token| tokens.text(*token) == "=");
    let declared = part.start..sign.unwrap_or(part.end);
    let colon = declared.clone().find(|token| tokens.text(*token) == ":");
    let name = match tokens.language {
        Language::Java => declared.end.checked_sub(1)?,
        Language::Kotlin => colon?.checked_sub(1)?,
        _ => declared.start,
    };
    let is_name = tokens.is_word(name) && part.contains(&name);
    let default = sign.map(|sign| sign + 1..part.end);
    is_name.then(|| Parameter { name: tokens.text(name), position, default })
}
