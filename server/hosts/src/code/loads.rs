//! Text files that code reads: `Path("plan.txt").read_text()`, `fs.readFileSync("plan.txt")`.
//!
//! A notation is known by its words: one of them reads, all others only belong to paths. What is
//! unknown in front of the first known name is another folder; anywhere else, the file is unknown.

use std::ops::Range;

use promptls_data::PieceKind;

use super::expression::{ExpressionContext, Expressions, MAX_FOLLOWED};
use super::grammar::Members;
use super::loading::Loading;
use super::outline::Value;
use super::outline::objects::{is_index, without_quotes};
use super::static_value::{Reference, StaticValue};
use crate::decode;
use crate::host_prompt::{OtherFile, TextPath};
use crate::language::Language;

/// Texts that are options of readers, and no part of a path.
const OPTIONS: [&str; 9] = ["r", "rt", "rb", "utf-8", "utf8", "UTF-8", "UTF8", "utf_8", "ascii"];

/// The maximum number of tokens of such an expression.
const MAX_TOKENS: usize = 100;

/// The maximum number of tokens of the type of what a parser returns.
const MAX_TYPE: usize = 8;

/// The known part of a path.
#[derive(Default)]
struct KnownPath {
    /// Names with `/` between them.
    end: String,
    /// The number of folders up from the host itself, if the path starts there.
    up: Option<usize>,
    /// `true` if unknown names come before.
    is_unknown: bool,
    /// `true` if the next text continues the last name.
    continues: bool,
    /// The range of the last text in the host, without its quotes; `None` if another host has it.
    written: Option<Range<usize>>,
}

impl KnownPath {
    fn add(&mut self, text: &str, written: Option<Range<usize>>) {
        self.written = written;
        if !self.end.is_empty() && !self.continues {
            self.end.push('/');
        }
        // The name before may be that of a folder.
        let is_first = self.end.is_empty() && self.continues;
        self.end.push_str(if is_first { text.trim_start_matches('/') } else { text });
        self.continues = false;
    }
}

impl KnownPath {
    /// The path of a file; `None` if it may be a folder.
    fn text_path(self) -> Option<TextPath> {
        let is_file = self.end.rsplit('/').next().is_some_and(|name| name.contains('.'));
        let up = match self.up {
            Some(up) if !self.is_unknown => Some(up.checked_sub(1)?),
            _ => None,
        };
        is_file.then_some(TextPath { end: self.end, up })
    }
}

impl<'s> Expressions<'_, 's> {
    /// The text file that an expression at the start of some tokens reads, and the position after
    /// it.
    pub(super) fn loaded(
        &mut self,
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> Option<(StaticValue, usize)> {
        let loading = self.grammar.loading.filter(|_| self.may_load)?;
        let end = tokens.end.min(tokens.start + MAX_TOKENS);
        let (path, next) = match self.opened_before(tokens.start, loading) {
            Some(opened) => opened,
            None => {
                let next = self.end_of_reader(tokens.start..end, loading)?;
                (tokens.start..next, next)
            }
        };
        let mut known = KnownPath::default();
        self.add_path(path, loading, place, &mut known)?;
        let path = self.file_at(known)?;
        let reference = StaticValue::Elsewhere(Reference::text_file(path, place.followed));
        let reads = match &loading.operation {
            Some(operation) => self.apply(reference, operation.clone())?,
            None => reference,
        };
        let range = self.tokens.range(tokens.start..next);
        Some(match place.is_operand {
            true => (StaticValue::Here(self.part(Some(reads), range)), next),
            false => (reads, next),
        })
    }

    /// The text of the file at the path that an expression is, or its value at some keys.
    pub(super) fn in_file(&mut self, path: Range<usize>, keys: &[&str]) -> Option<StaticValue> {
        let loading = self.grammar.loading?;
        let scope = self.outline.scope_at(path.start);
        let place = ExpressionContext::new(scope, 0, path.start);
        let mut known = KnownPath::default();
        self.add_path(path, loading, place, &mut known)?;
        let path = self.file_at(known)?;
        if !keys.is_empty() {
            let file = OtherFile::Text(path);
            return Some(StaticValue::Elsewhere(Reference::in_data(file, keys, 0)));
        }
        let reference = StaticValue::Elsewhere(Reference::text_file(path, 0));
        match &loading.operation {
            Some(operation) => self.apply(reference, operation.clone()),
            None => Some(reference),
        }
    }

    /// The value of some keys of a data file, if the tokens load one: `yaml.safe_load(f)`,
    /// `JSON.parse(readFileSync("a.json", "utf8"))`, or a call of a function that does.
    pub(super) fn loaded_data(
        &mut self,
        value: Range<usize>,
        keys: &[&str],
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let loading = self.grammar.loading.filter(|it| !it.parsers.is_empty())?;
        // Attributes of what Python loads are no keys.
        let is_python = self.tokens.language == Language::Python;
        if place.followed > MAX_FOLLOWED || is_python && !keys.iter().all(|key| is_index(key)) {
            return None;
        }
        let (callee, open) = match self.grammar.members {
            Members::OfModules => self.chain(value.clone()),
            // The method of an object that is created here, perhaps with a type.
            Members::OfClasses => {
                let open = self.tokens.partner(value.end.checked_sub(1)?)?;
                let name = (value.start..open).rev().take(MAX_TYPE).find(|at| {
                    self.tokens.is_word(*at) && matches!(self.tokens.text(at + 1), "(" | "<")
                })?;
                (vec![self.tokens.text(name)], open)
            }
        };
        let close = self.tokens.closer(open, "(")?;
        if self.behind_cast(close + 1..value.end) != value.end {
            return None;
        }
        let scope = self.outline.scope_at(value.start);
        let place = ExpressionContext { scope, ..place };
        let arguments = open + 1..close;
        let source = self.tokens.split(arguments.clone()).into_iter().next();
        let is_parser = callee.last().is_some_and(|last| loading.parsers.contains(last));
        if is_parser
            && let Some(source) = source.clone()
            && let Some(file) = self.data_file(source, loading, place)
        {
            let is_name = |key: &&str| !is_index(key);
            if self.grammar.members == Members::OfClasses && keys.iter().any(is_name) {
                return None;
            }
            let keys: Vec<&str> = keys.iter().map(|key| without_quotes(key)).collect();
            return Some(StaticValue::Elsewhere(Reference::in_data(file, &keys, place.followed)));
        }
        // A function of the application may have the name of a parser, and is called with names.
        let is_own = callee.len() == 1
            && matches!(self.outline.called(scope, callee[0]), Some((_, Value::Function(_))));
        let has_name = source.is_none_or(|source| self.tokens.is_literal(source.start));
        let may_be_own = !is_parser || is_own || has_name;
        may_be_own.then(|| self.data_of_call(&callee, arguments, keys, place))?
    }

    /// The value of some keys of the data that a call of a function returns: one of this host, or an
    /// imported one.
    fn data_of_call(
        &mut self,
        callee: &[&'s str],
        arguments: Range<usize>,
        keys: &[&str],
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let (head, inner) = callee.split_first()?;
        match self.outline.called(place.scope, head)? {
            (_, Value::Function(function)) if inner.is_empty() => {
                let function = *function;
                self.prepare_call(arguments, place);
                let known = self.data_of_function(function, keys, place);
                // Of a function with several results, no argument was used.
                self.forget_call();
                known
            }
            (_, Value::Import(import)) if place.followed < MAX_FOLLOWED => {
                let import = *import;
                self.prepare_call(arguments, place);
                let followed = place.followed + 1;
                let reference = self.of_import(import, inner, true, followed);
                self.forget_call();
                reference.map(|reference| StaticValue::Elsewhere(reference.with_keys(keys)))
            }
            _ => None,
        }
    }

    /// The value of some keys of the data that a function of this host returns for the texts of the
    /// next call.
    pub(super) fn data_of_function(
        &mut self,
        function: usize,
        keys: &[&str],
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let [returned] = self.outline.functions[function].returns.as_slice() else { return None };
        let returned = returned.clone();
        let around = self.enter(function);
        let place = ExpressionContext { followed: place.followed + 1, ..place };
        let known = self.loaded_data(returned, keys, place);
        self.leave(around);
        known
    }

    /// The file that the argument of a parser names: its text, or an open file.
    pub(super) fn data_file(
        &mut self,
        source: Range<usize>,
        loading: &Loading,
        place: ExpressionContext,
    ) -> Option<OtherFile> {
        let first = self.tokens.text(source.start);
        let opened = match self.tokens.closer(source.start + 1, "(") {
            Some(close) if first == "open" && close + 1 == source.end => {
                Some(source.start + 2..close)
            }
            _ if source.len() == 1 => self.opened_as(first, source.start),
            _ => None,
        };
        let opened = match self.grammar.members {
            Members::OfModules => opened,
            Members::OfClasses => Some(source.clone()),
        };
        if let Some(path) = opened {
            let mut known = KnownPath::default();
            self.add_path(path, loading, place, &mut known)?;
            return self.file_at(known).map(OtherFile::Text);
        }
        match self.expression(source, ExpressionContext { is_operand: false, ..place })? {
            StaticValue::Elsewhere(reference) if reference.name.is_empty() => Some(reference.other),
            _ => None,
        }
    }

    /// The file at a path that is read; `None` if it may be a folder.
    fn file_at(&mut self, path: KnownPath) -> Option<TextPath> {
        let written = path.written.clone();
        let path = path.text_path()?;
        if let Some(written) = written {
            self.note_path(written, &OtherFile::Text(path.clone()));
        }
        Some(path)
    }

    /// The position after an expression that reads.
    fn end_of_reader(&self, tokens: Range<usize>, loading: &Loading) -> Option<usize> {
        let mut at = tokens.start;
        while matches!(self.tokens.text(at), "await" | "new") {
            at += 1;
        }
        let mut reader_end = None;
        let mut name = self.tokens.text(at);
        at = if matches!(name, "(" | "{") { self.tokens.partner(at)? + 1 } else { at + 1 };
        while at < tokens.end {
            match self.tokens.text(at) {
                "." | "?." if self.tokens.is_word(at + 1) => {
                    name = self.tokens.text(at + 1);
                    at += 2;
                    if reader_end.is_some() && !loading.tails.contains(&name) {
                        break;
                    }
                }
                "!!" | "!" => at += 1,
                "::" if self.tokens.is_word(at + 1) => at += 2,
                "(" | "{" => {
                    let close = self.tokens.partner(at).filter(|close| *close < tokens.end)?;
                    let is_around = loading.wrappers.contains(&name)
                        && (at..close).any(|it| loading.readers.contains(&self.tokens.text(it)));
                    at = close + 1;
                    if is_around || loading.readers.contains(&name) || reader_end.is_some() {
                        reader_end = Some(at);
                    }
                }
                "[" => at = self.tokens.next(at),
                _ => break,
            }
        }
        reader_end
    }

    /// For `f.read()` after `with open(path) as f`: the tokens of the path, and the position after
    /// the reader.
    fn opened_before(&self, start: usize, loading: &Loading) -> Option<(Range<usize>, usize)> {
        if self.tokens.language != Language::Python || !self.tokens.is_word(start) {
            return None;
        }
        let reads = self.tokens.text(start + 1) == "."
            && loading.readers.contains(&self.tokens.text(start + 2));
        let close = self.tokens.closer(start + 3, "(").filter(|_| reads)?;
        Some((self.opened_as(self.tokens.text(start), start)?, close + 1))
    }

    /// The tokens of the path in `with open(path) as f` before a position, for the name `f`.
    fn opened_as(&self, name: &str, start: usize) -> Option<Range<usize>> {
        let first = start.saturating_sub(MAX_TOKENS);
        let as_name =
            |at: &usize| self.tokens.text(*at) == "as" && self.tokens.text(at + 1) == name;
        let named = (first..start).rev().find(as_name)?;
        let with = (first..named).rev().find(|at| self.tokens.text(*at) == "with")?;
        Some(with + 1..named)
    }

    /// Adds the names in an expression to a path; `None` if the path is unknown.
    fn add_path(
        &mut self,
        tokens: Range<usize>,
        loading: &Loading,
        place: ExpressionContext,
        path: &mut KnownPath,
    ) -> Option<()> {
        if place.followed > MAX_FOLLOWED || tokens.len() > MAX_TOKENS {
            return None;
        }
        let mut at = tokens.start;
        while at < tokens.end {
            if self.tokens.is_literal(at) {
                self.add_literal(at, loading, place, path)?;
            } else if self.tokens.is_word(at) {
                at = self.add_word(at, loading, place, path)?;
            } else {
                match self.tokens.text(at) {
                    "+" => path.continues = true,
                    // What follows counts only without a file.
                    "?:" => break,
                    "/" | "," | "(" | ")" | "." | "?." | "!!" | "!" | "{" | "}" | ":" | "::"
                    | "[" | "]" | "->" => {}
                    _ => return None,
                }
            }
            at += 1;
        }
        Some(())
    }

    /// Adds a literal, with the texts of parameters in it.
    fn add_literal(
        &mut self,
        at: usize,
        loading: &Loading,
        place: ExpressionContext,
        path: &mut KnownPath,
    ) -> Option<()> {
        let decoded = decode::decode(
            self.tokens.language,
            self.tokens.source,
            self.tokens.range(at..at + 1),
        )?;
        let mut text = String::new();
        let mut place_of_text = Some(decoded.source(0..decoded.text().len()));
        for piece in decoded.pieces() {
            match piece.kind {
                PieceKind::Hole => {
                    let written = &self.tokens.source[piece.source.clone()];
                    let name = written.trim_start_matches('$');
                    let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}'));
                    let name = name.unwrap_or(written.trim_start_matches('$')).trim();
                    let (of_call, known) = self.parameter_at(name, place)?;
                    text += &known;
                    place_of_text = of_call;
                }
                _ => text += &decoded.text()[piece.text.clone()],
            }
        }
        let callee = at.checked_sub(2).map(|callee| self.tokens.text(callee));
        let is_package = callee.is_some_and(|it| loading.of_packages.contains(&it))
            && (self.tokens.text(at + 1) == "," || self.tokens.text(at + 2) == ".");
        if is_package {
            text = text.replace('.', "/");
        }
        if path.end.is_empty() || !OPTIONS.contains(&&*text) {
            path.add(&text, place_of_text);
        }
        Some(())
    }

    /// Adds a name. Returns its last token.
    fn add_word(
        &mut self,
        at: usize,
        loading: &Loading,
        place: ExpressionContext,
        path: &mut KnownPath,
    ) -> Option<usize> {
        let name = self.tokens.text(at);
        let is_member = at > 0 && matches!(self.tokens.text(at - 1), "." | "?.");
        if !is_member && self.tokens.text(at + 1) == "=" {
            // An option, with its value.
            return Some(at + 2);
        }
        if loading.host.contains(&name) {
            path.up = Some(path.up.unwrap_or(0));
        } else if loading.up.contains(&name) {
            path.up = Some(path.up.unwrap_or(0) + 1);
        } else if name == "parents" && self.tokens.text(at + 1) == "[" {
            let index: usize = self.tokens.text(at + 2).parse().ok()?;
            path.up = Some(path.up.unwrap_or(0) + index + 1);
            return Some(at + 3);
        } else if !is_member && let Some((written, text)) = self.parameter_at(name, place) {
            path.add(&text, written);
        } else if let Some((scope, Value::Expression(tokens))) =
            self.outline.value(place.scope, name).filter(|_| !is_member)
        {
            let tokens = tokens.clone();
            let inner = ExpressionContext { scope, followed: place.followed + 1, ..place };
            self.add_path(tokens, loading, inner, path)?;
        } else if !loading.is_neutral(name) {
            // Another folder.
            if !path.end.is_empty() {
                return None;
            }
            path.is_unknown = true;
        }
        Some(at)
    }
}
