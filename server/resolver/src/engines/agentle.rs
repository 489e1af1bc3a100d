//! The common part of Agentle's engines: three passes over the whole text.
//!
//! The first pass handles all conditions, the second all loops, and the last the remaining
//! placeholders. Each pass reads the output of the previous one. So a condition in a loop cannot
//! refer to the item, and a placeholder in the text of an item is filled in, too. In a prompt
//! without blocks there is only the last pass, and names without a value stay.

pub(super) mod agentle4j;
pub(super) mod agentle_python;
mod orderly;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashSet;
use std::marker::PhantomData;
use std::ops::Range;
use std::ptr;
use std::rc::Rc;
use std::sync::Arc;

use memchr::{memchr, memmem};
use orderly::{is_orderly, quickly};
use promptls_syntax::{BlockKind, Dialect};

use crate::behaviour::{Behaviour, Facts, Method, Null, Verdict};
use crate::blocks::{MAX_DEPTH, MAX_ITEMS, too_deep, too_many_items};
use crate::findings::code::Code;
use crate::findings::engine_error::{EngineError, ErrorKind};
use crate::findings::problem::{FileId, Location};
use crate::findings::run_findings::{
    Limit, MissingUse, RunFindings, UnpredictableUse, too_long, too_much,
};
use crate::outcome::{Form, Lookup, Outcome};
use crate::output::{Bounded, Mapped, likely_len};
use crate::path;
use crate::resolution::Resolution;
use crate::resolve_context::ResolveContext;
use crate::source_map::{Run, RunKind, SourceMap, Via, ViaStep};
use crate::string_form::{StringForm, is_whole};
use crate::template::{Execution, Item, Template, This};
use crate::value::{Entry, Value, ValueKind, key_hash};
use crate::values::ValueRef;
use crate::working::{Working, cover, empty};

/// The differences between the engines.
pub(super) trait Rules: Sync {
    /// The string form of values.
    const FORM: StringForm;
    /// `true` if a name may start with `}`.
    const CLOSES_FIRST: bool;
    /// `true` if a block may contain others of its kind. Otherwise its first closer ends it, and
    /// all passes are repeated until no block is left.
    const NESTS: bool;

    /// A path without surrounding whitespace.
    fn trim(path: &str) -> &str;

    /// The first closed block of a kind.
    fn block(text: &str, from: usize, kind: BlockKind) -> Option<Block>;

    /// The target of a path.
    fn follow<'a>(scope: Scope<'_, 'a>, path: &str) -> PathTarget<'a>;

    /// The target of a path from a loop item.
    fn follow_from<'a>(item: PathTarget<'a>, cleared: &Cleared<'a>, path: &str) -> PathTarget<'a>;

    /// The items of a loop, and the reason if they are unpredictable.
    fn items<'a>(
        scope: Scope<'_, 'a>,
        of: &PathTarget<'a>,
    ) -> (Vec<PathTarget<'a>>, Option<&'static str>);

    /// The item for an entry in a loop over a map.
    fn of_entry(entry: &Entry) -> PathTarget<'_>;

    /// The result for a placeholder without a value in a prompt without blocks.
    fn kept(placeholder: &str) -> Cow<'_, str>;

    /// The verdict after all placeholders are known: see [`Behaviour::verdict`].
    fn verdict(_template: &Template<'_>, _found: &RunFindings) -> Verdict {
        Verdict::default()
    }
}

/// A block, from its tag to its closer.
pub(super) struct Block {
    pub start: usize,
    pub path: Range<usize>,
    pub inside: Range<usize>,
    pub end: usize,
}

/// The target of a path.
#[derive(Clone)]
pub(super) enum PathTarget<'a> {
    /// The path leads to no value.
    Missing,
    /// A value of the inputs, or one derived from it.
    Value(Cow<'a, Value>),
    /// A Java `Map.Entry`, such as the item of a loop over a map.
    Entry(&'a Entry),
    /// The entry of the loop item in the map of all inputs.
    ItemEntry(Rc<PathTarget<'a>>),
    /// The map of all inputs, as its entries.
    Context(Vec<PathTarget<'a>>),
    /// A Java `Long`, which the inputs contain only for large numbers.
    Long(i64),
    /// A Java class, by its name.
    Class(&'static str),
    /// A value whose string form is unpredictable: the reason.
    NoText(&'static str),
    /// A value whose existence is unpredictable: the reason.
    Unknown(&'static str),
}

/// The lists that a prompt has cleared so far.
pub(super) type Cleared<'a> = RefCell<Vec<&'a Value>>;

/// The context for looking up a path.
#[derive(Clone, Copy)]
pub(super) struct Scope<'s, 'a> {
    pub given: &'s ResolveContext<'a>,
    /// The item of the innermost loop.
    pub item: Option<&'s PathTarget<'a>>,
    /// The number of enclosing loops.
    pub loops: usize,
    pub cleared: &'s Cleared<'a>,
}

impl<'a> PathTarget<'a> {
    pub fn text(text: &str) -> PathTarget<'a> {
        PathTarget::Value(Cow::Owned(ValueKind::String(text.into()).into()))
    }

    pub fn number(text: impl ToString) -> PathTarget<'a> {
        PathTarget::Value(Cow::Owned(ValueKind::Number(text.to_string().into()).into()))
    }

    pub fn truth(truth: bool) -> PathTarget<'a> {
        PathTarget::Value(Cow::Owned(ValueKind::Bool(truth).into()))
    }

    /// The value of an input; `None` if it is missing.
    pub fn input(given: &ResolveContext<'a>, name: &str) -> Option<PathTarget<'a>> {
        given.values.get(name).map(|found| PathTarget::Value(found.to_value()))
    }

    fn is_missing(&self) -> bool {
        match self {
            PathTarget::Missing | PathTarget::NoText(_) | PathTarget::Unknown(_) => true,
            PathTarget::Value(value) => value.is_null(),
            _ => false,
        }
    }

    /// The reason why its text is unpredictable; `None` if it is predictable.
    fn unpredictable(&self) -> Option<&'static str> {
        match self {
            PathTarget::NoText(why) | PathTarget::Unknown(why) => Some(why),
            PathTarget::Context(entries) => order_of(entries),
            _ => None,
        }
    }

    fn is_true(&self, cleared: &Cleared<'_>) -> bool {
        match self {
            PathTarget::Missing | PathTarget::Unknown(_) => false,
            PathTarget::Context(entries) => !entries.is_empty(),
            PathTarget::Long(number) => *number != 0,
            PathTarget::Entry(_)
            | PathTarget::ItemEntry(_)
            | PathTarget::Class(_)
            | PathTarget::NoText(_) => true,
            PathTarget::Value(value) => match &value.kind {
                ValueKind::Null => false,
                ValueKind::Bool(value) => *value,
                ValueKind::Number(text) => text.parse::<f64>() != Ok(0.0),
                ValueKind::String(_) | ValueKind::File(_) => {
                    value.as_text().is_some_and(|text| !text.is_empty())
                }
                ValueKind::List(items) => !items.is_empty() && !is_cleared(value, cleared),
                ValueKind::Object(object) => !object.is_empty(),
            },
        }
    }

    fn print(&self, form: StringForm, cleared: &Cleared<'_>, out: &mut Bounded) {
        match self {
            PathTarget::Missing | PathTarget::NoText(_) | PathTarget::Unknown(_) => {}
            PathTarget::Value(value) => form.write(&settled(value, cleared), out),
            PathTarget::Entry(entry) => {
                out.push(&entry.key);
                out.push("=");
                form.write(&settled(&entry.value, cleared), out);
            }
            PathTarget::ItemEntry(item) => {
                out.push("this=");
                item.print(form, cleared, out);
            }
            PathTarget::Context(entries) => {
                out.push("{");
                for (index, entry) in entries.iter().enumerate() {
                    out.push(if index > 0 { ", " } else { "" });
                    entry.print(form, cleared, out);
                }
                out.push("}");
            }
            PathTarget::Long(number) => out.push(&number.to_string()),
            PathTarget::Class(name) => {
                out.push("class ");
                out.push(name);
            }
        }
    }

    fn location(&self, file: Option<FileId>) -> Option<Location> {
        match self {
            PathTarget::Value(Cow::Borrowed(value)) => value.location(file),
            PathTarget::Entry(entry) => {
                let range = entry.key_span.range().start..entry.value.span.range().end;
                file.map(|file| Location { file, range })
            }
            _ => None,
        }
    }

    #[inline]
    fn into_lookup(self, form: StringForm, file: Option<FileId>) -> Lookup<'a> {
        let (location, why) = (self.location(file), self.unpredictable());
        let outcome = match self {
            _ if self.is_missing() => Outcome::Missing,
            PathTarget::Value(Cow::Borrowed(value)) if !is_tiny(value) => {
                Outcome::Value(value, Form(form))
            }
            PathTarget::Entry(entry) => Outcome::Entry(entry, Form(form)),
            other => {
                let (nothing, mut out) = (Cleared::default(), Bounded::cutting(usize::MAX));
                other.print(form, &nothing, &mut out);
                Outcome::Scalar { text: out.text, is_truthy: other.is_true(&nothing) }
            }
        };
        let found = Lookup::new(outcome, location);
        match why {
            Some(why) => found.unpredictable(why),
            None => found,
        }
    }
}

/// `true` for a nonzero number that the engine reads as zero, because no float is as small.
fn is_tiny(value: &Value) -> bool {
    match &value.kind {
        // Without an exponent, such a number takes very many digits.
        ValueKind::Number(text) if text.len() > 300 || text.contains(['e', 'E']) => {
            text.parse() == Ok(0.0)
        }
        _ => false,
    }
}

/// The reason why the order of these entries of the map of all inputs is unpredictable.
pub(super) fn order_of(entries: &[PathTarget<'_>]) -> Option<&'static str> {
    (entries.len() > 1).then_some("the order of all inputs depends on the map that contains them")
}

/// `true` if the prompt has cleared a list.
pub(super) fn is_cleared(list: &Value, cleared: &Cleared<'_>) -> bool {
    cleared.borrow().iter().any(|cleared| ptr::eq(*cleared, list))
}

/// A value without the former content of lists that the prompt has cleared.
fn settled<'v>(value: &'v Value, cleared: &Cleared<'_>) -> Cow<'v, Value> {
    if cleared.borrow().is_empty() {
        return Cow::Borrowed(value);
    }
    let kind = match &value.kind {
        ValueKind::List(_) if is_cleared(value, cleared) => ValueKind::List(Vec::new()),
        ValueKind::List(items) => {
            let settled = items.iter().map(|item| settled(item, cleared).into_owned());
            ValueKind::List(settled.collect())
        }
        ValueKind::Object(object) => {
            let settled = object.entries().iter().map(|entry| {
                let value = settled(&entry.value, cleared).into_owned();
                (entry.key.clone(), value)
            });
            ValueKind::Object(settled.collect())
        }
        _ => return Cow::Borrowed(value),
    };
    Cow::Owned(kind.into())
}

/// A number in integer notation; `None` for others.
pub(super) fn whole(number: &str) -> Option<&str> {
    is_whole(number).then_some(number)
}

/// An engine with these rules.
pub(super) struct Engine<R> {
    facts: Facts,
    rules: PhantomData<R>,
}

impl<R: Rules> Engine<R> {
    pub const fn new() -> Engine<R> {
        let facts = Facts {
            form: R::FORM,
            null: Null::Missing,
            method: Method::WholeText { fills_in_keys: true },
            ..Facts::plain(Dialect::Agentle)
        };
        Engine { facts, rules: PhantomData }
    }
}

impl<R: Rules> Behaviour for Engine<R> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn meaning<'a>(&self, name: &str, root_hash: u64, given: &ResolveContext<'a>) -> Lookup<'a> {
        // Usually it is a key with a text, which all engines read alike.
        if path::is_key(name)
            && let Some(ValueRef::Value(value)) = given.values.get_hashed(name, root_hash)
            && value.as_text().is_some()
        {
            return self.value(value, given.values.file());
        }
        let cleared = Cleared::default();
        let scope = Scope { given, item: None, loops: 0, cleared: &cleared };
        R::follow(scope, R::trim(name)).into_lookup(R::FORM, given.values.file())
    }

    fn of_item<'a>(&self, item: Item<'a>, this: This<'_>, file: Option<FileId>) -> Lookup<'a> {
        // Loops mostly write a member that exists, which all engines read alike.
        if let (Item::Value(value), This::Member(member)) = (item, this)
            && let Some(entry) = value.as_object().and_then(|object| object.get(member))
        {
            return PathTarget::Value(Cow::Borrowed(&entry.value)).into_lookup(R::FORM, file);
        }
        let item = match item {
            Item::Value(value) => PathTarget::Value(Cow::Borrowed(value)),
            Item::Entry(entry) => R::of_entry(entry),
        };
        let found = match this {
            This::No => PathTarget::Missing,
            This::Item("") => item,
            This::Item(path) | This::Member(path) => {
                R::follow_from(item, &Cleared::default(), path)
            }
        };
        found.into_lookup(R::FORM, file)
    }

    fn is_orderly(&self, template: &Template<'_>) -> bool {
        is_orderly::<R>(template)
    }

    fn resolve(&self, execution: Execution<'_>) -> Resolution {
        let Execution { template, given } = execution;
        let mut out = Mapped::new(given.max_output, likely_len(template.text));
        if let Some(found) = quickly::<R>(execution, &mut out) {
            let Verdict { problems, error } = execution.judge(&found);
            return Resolution { text: out.out.text, map: out.map, problems, error };
        }
        let (made, found, refused) = run::<R>(execution, true);
        let Verdict { problems, error } = execution.judge(&found);
        let map = SourceMap { runs: made.runs };
        Resolution { text: made.text, map, problems, error: error.or(refused) }
    }

    fn render(&self, execution: Execution<'_>, mut out: Bounded) -> Result<String, EngineError> {
        let (text, found, refused) = match quickly::<R>(execution, &mut out) {
            Some(found) => (out.text, found, None),
            None => {
                let (made, found, refused) = run::<R>(execution, false);
                (made.text, found, refused)
            }
        };
        let error = if found.is_clean() { None } else { execution.judge(&found).error };
        match error.or(refused) {
            Some(error) => Err(error),
            None => Ok(text),
        }
    }

    fn verdict(&self, execution: Execution<'_>, found: &RunFindings) -> Verdict {
        R::verdict(execution.template, found)
    }
}

/// The maximum number of repetitions, for the engine that may never terminate.
const MAX_ROUNDS: usize = 1000;

/// The maximum nesting of loops. They are handled recursively, by the engine, too.
const MAX_LOOPS: usize = 500;

/// Runs all passes; returns the text, the findings, and the engine's error if it stops.
fn run<R: Rules>(
    execution: Execution<'_>,
    keeps_origins: bool,
) -> (Working, RunFindings, Option<EngineError>) {
    let Execution { template, given } = execution;
    let prompt = template.text;
    let mut passes = Passes::<R> {
        given,
        keeps_origins,
        has_blocks: template.has_block_marker(),
        found: RunFindings::default(),
        refused: None,
        seen_missing: HashSet::new(),
        seen_unpredictable: HashSet::new(),
        steps: given.max_steps().saturating_add(template.ops.len()),
        room: prompt.len().saturating_add(given.max_output),
        is_full: false,
        rules: PhantomData,
    };
    let cleared = Cleared::default();
    let scope = Scope { given, item: None, loops: 0, cleared: &cleared };
    let mut text = Working { text: prompt.to_owned(), runs: Vec::new() };
    if keeps_origins && !prompt.is_empty() {
        text.runs.push(Run::literal(0..prompt.len(), 0..prompt.len()));
    }
    if passes.has_blocks {
        text = passes.blocks(text, BlockKind::If, scope);
        text = passes.blocks(text, BlockKind::Each, scope);
    }
    if !passes.is_over() {
        let mut out = emptied(&text);
        let input = PassInput { text: &text, scope, via: None };
        passes.variables(input, 0..text.text.len(), &mut out);
        text = out;
    }
    cut(&mut text, given.max_output, &mut passes.is_full);
    if passes.is_full && passes.found.limit.is_none() {
        passes.limit(0..0, too_long(given.max_output), None);
    }
    (text, passes.found, passes.refused)
}

fn emptied(like: &Working) -> Working {
    let capacity = like.text.len() + like.text.len() / 4;
    Working { text: String::with_capacity(capacity), runs: Vec::with_capacity(like.runs.len()) }
}

/// Cuts a text at the maximum length.
fn cut(made: &mut Working, max_output: usize, is_full: &mut bool) {
    while made.text.len() > max_output {
        *is_full = true;
        let start = made.runs.pop().map_or(0, |last| last.output.start);
        made.text.truncate(start);
    }
}

/// The input of a pass.
#[derive(Clone, Copy)]
struct PassInput<'s, 'a> {
    text: &'s Working,
    scope: Scope<'s, 'a>,
    /// The loops that the pass is in, if origins are kept.
    via: Option<&'s Arc<Via>>,
}

/// The state of a run.
struct Passes<'s, 'a, R> {
    given: &'s ResolveContext<'a>,
    keeps_origins: bool,
    has_blocks: bool,
    found: RunFindings,
    refused: Option<EngineError>,
    /// The reported missing names: position, and hash of the name.
    seen_missing: HashSet<(usize, u64)>,
    /// The reported unpredictable names: position, and hash of the name.
    seen_unpredictable: HashSet<(usize, u64)>,
    /// The number of remaining steps: see [`ResolveContext::max_steps`].
    steps: usize,
    /// The maximum length of intermediate texts.
    room: usize,
    is_full: bool,
    rules: PhantomData<R>,
}

impl<'a, R: Rules> Passes<'_, 'a, R> {
    /// The pass for one kind of block, over the whole text.
    fn blocks(&mut self, mut text: Working, kind: BlockKind, scope: Scope<'_, 'a>) -> Working {
        for _ in 0..if R::NESTS { 1 } else { MAX_ROUNDS } {
            if self.is_over() || R::block(&text.text, 0, kind).is_none() {
                return text;
            }
            let (all, mut out) = (0..text.text.len(), emptied(&text));
            let input = PassInput { text: &text, scope, via: None };
            match kind {
                BlockKind::If => self.conditions(input, all, 0, &mut out),
                BlockKind::Each => self.loops(input, all, &mut out),
            }
            text = out;
        }
        if !R::NESTS
            && !self.is_over()
            && let Some(block) = R::block(&text.text, 0, kind)
        {
            let message = format!("blocks produce new blocks more than {MAX_ROUNDS} times");
            self.limit(self.source(&text, block.start..block.inside.start), message, None);
        }
        text
    }

    fn conditions(
        &mut self,
        input: PassInput<'_, 'a>,
        range: Range<usize>,
        depth: usize,
        out: &mut Working,
    ) {
        let PassInput { text, scope, .. } = input;
        let mut at = range.start;
        while let Some(block) = R::block(&text.text[..range.end], at, BlockKind::If) {
            self.append(input, at..block.start, out);
            let tag = block.start..block.inside.start;
            if !self.take_step(text, &tag) {
                return;
            }
            let path = R::trim(&text.text[block.path]);
            let found = R::follow(scope, path);
            if let PathTarget::Unknown(why) = found {
                self.unpredictable(path, self.source(text, tag.clone()), why);
            }
            if found.is_true(scope.cleared) {
                if !R::NESTS {
                    self.append(input, block.inside, out);
                } else if depth == MAX_DEPTH {
                    let message = format!("more than {MAX_DEPTH} nested blocks");
                    self.limit(self.source(text, tag), message, Some(too_deep()));
                } else {
                    self.conditions(input, block.inside, depth + 1, out);
                }
            }
            if self.is_over() {
                return;
            }
            at = block.end;
        }
        self.append(input, at..range.end, out);
    }

    fn loops(&mut self, input: PassInput<'_, 'a>, range: Range<usize>, out: &mut Working) {
        let text = input.text;
        let mut at = range.start;
        while let Some(block) = R::block(&text.text[..range.end], at, BlockKind::Each) {
            self.append(input, at..block.start, out);
            if !self.take_step(text, &(block.start..block.inside.start)) {
                return;
            }
            at = block.end;
            self.each(input, block, out);
            if self.is_over() {
                return;
            }
        }
        self.append(input, at..range.end, out);
    }

    fn each(&mut self, input: PassInput<'_, 'a>, block: Block, out: &mut Working) {
        let PassInput { text, scope, via } = input;
        let tag = block.start..block.inside.start;
        let path = R::trim(&text.text[block.path]);
        let of = R::follow(scope, path);
        let (items, why) = R::items(scope, &of);
        if let Some(why) = why {
            self.unpredictable(path, self.source(text, tag.clone()), why);
        }
        let inner = R::block(&text.text[..block.inside.end], block.inside.start, BlockKind::Each);
        let has_loops = R::NESTS && inner.is_some();
        if scope.loops == MAX_LOOPS && !items.is_empty() {
            let message = format!("more than {MAX_LOOPS} nested loops");
            self.limit(self.source(text, tag), message, None);
            return;
        }
        let name: Arc<str> = path.into();
        for (index, item) in items.iter().enumerate() {
            if R::NESTS && index == MAX_ITEMS {
                let message = format!("`{path}` has more than {MAX_ITEMS} items");
                self.limit(self.source(text, tag), message, Some(too_many_items()));
                return;
            }
            if !self.take_step(text, &tag) {
                return;
            }
            let scope = Scope { item: Some(item), loops: scope.loops + 1, ..scope };
            let step = || ViaStep::Each { path: name.clone(), item: index };
            let via =
                self.keeps_origins.then(|| Arc::new(Via { outer: via.cloned(), step: step() }));
            let inner = PassInput { text, scope, via: via.as_ref() };
            if has_loops {
                let mut body = Working { text: String::new(), runs: Vec::new() };
                self.loops(inner, block.inside.clone(), &mut body);
                let all = 0..body.text.len();
                self.variables(PassInput { text: &body, via: None, ..inner }, all, out);
            } else {
                self.variables(inner, block.inside.clone(), out);
            }
            if let PathTarget::Value(list) = &of
                && is_cleared(list, scope.cleared)
            {
                let message = format!("`{path}` becomes empty while a loop iterates over it");
                self.refused = Some(EngineError::new(ErrorKind::Engine, Vec::new(), message));
            }
            if self.is_over() {
                return;
            }
        }
    }

    /// Appends a range of the text with its placeholders replaced.
    fn variables(&mut self, input: PassInput<'_, 'a>, range: Range<usize>, out: &mut Working) {
        let text = input.text;
        if self.is_over() {
            return;
        }
        let mut at = range.start;
        while let Some(hit) = placeholder::<R>(&text.text[..range.end], at) {
            self.append(input, at..hit.start, out);
            if self.is_full || !self.take_step(text, &hit) {
                return;
            }
            at = hit.end;
            self.slot(input, hit, out);
        }
        self.append(input, at..range.end, out);
    }

    fn slot(&mut self, input: PassInput<'_, 'a>, hit: Range<usize>, out: &mut Working) {
        let PassInput { text, scope, .. } = input;
        let written = &text.text[hit.clone()];
        let path = R::trim(&written[2..written.len() - 2]);
        let found = R::follow(scope, path);
        if let Some(why) = found.unpredictable() {
            self.unpredictable(path, self.source(text, hit.clone()), why);
        }
        if !found.is_missing() {
            let origin = found.location(self.given.values.file());
            self.value(input, hit, (path, origin), out, |out| {
                found.print(R::FORM, scope.cleared, out);
            });
            return;
        }
        if self.given.is_supplied(Dialect::Agentle, path) {
            self.append(input, hit, out);
            return;
        }
        if matches!(found, PathTarget::Missing | PathTarget::Value(_))
            && (self.keeps_origins || !self.has_blocks)
        {
            let source = self.source(text, hit.clone());
            if self.seen_missing.insert((source.start, key_hash(path))) {
                self.found.missing.push(MissingUse { name: path.to_owned(), source });
            }
        }
        match if self.has_blocks { Cow::Borrowed("") } else { R::kept(written) } {
            kept if kept == written => self.append(input, hit, out),
            kept => self.value(input, hit, (path, None), out, |out| out.push(&kept)),
        }
    }

    /// Appends a piece verbatim, or ends the output if the piece exceeds its maximum length.
    fn append(&mut self, input: PassInput<'_, 'a>, piece: Range<usize>, out: &mut Working) {
        let PassInput { text, via, .. } = input;
        if piece.is_empty() {
            return;
        }
        if self.is_full || out.text.len() + piece.len() > self.room {
            self.is_full = true;
            return;
        }
        let known = out.runs.len();
        let mut first = text.runs.partition_point(|run| run.output.end < piece.start);
        text.copy(piece, &mut first, out);
        if let Some(via) = via {
            for run in &mut out.runs[known..] {
                run.via = Some(via.clone());
            }
        }
    }

    /// Writes a value in place of a piece.
    fn value(
        &mut self,
        input: PassInput<'_, 'a>,
        hit: Range<usize>,
        (path, origin): (&str, Option<Location>),
        out: &mut Working,
        write: impl FnOnce(&mut Bounded),
    ) {
        let PassInput { text, via, .. } = input;
        let mut value = Bounded::new(self.room.saturating_sub(out.text.len()), 0);
        write(&mut value);
        if value.is_full() || self.is_full {
            self.is_full = true;
            return;
        }
        let start = out.text.len();
        out.text.push_str(&value.text);
        if !self.keeps_origins {
            return;
        }
        let from = runs_of(text, hit);
        let own = Run {
            output: start..out.text.len(),
            kind: RunKind::Value,
            source: cover(&from),
            path: Some(path.into()),
            origin,
            via: via.or(from.iter().find_map(|run| run.via.as_ref())).cloned(),
            parts: Vec::new(),
        };
        out.runs.push(match &from[..] {
            [only] if only.kind == RunKind::Literal => own,
            // The placeholder consists of pieces of other origins.
            _ => {
                let parts = from.iter().map(empty).chain([own.clone()]).collect();
                Run { kind: RunKind::Mixed, parts, ..own }
            }
        });
    }

    /// The source of a piece of the text in the prompt, if origins are kept.
    fn source(&self, text: &Working, piece: Range<usize>) -> Range<usize> {
        match self.keeps_origins {
            true => cover(&runs_of(text, piece)),
            false => piece,
        }
    }

    fn unpredictable(&mut self, path: &str, source: Range<usize>, why: &'static str) {
        if self.keeps_origins && self.seen_unpredictable.insert((source.start, key_hash(path))) {
            let name = path.to_owned();
            self.found.unpredictable.push(UnpredictableUse { name, source, why });
        }
    }

    /// `true` if nothing more is done.
    fn is_over(&self) -> bool {
        self.is_full || self.found.limit.is_some() || self.refused.is_some()
    }

    /// Takes a step; `false` if none is left.
    fn take_step(&mut self, text: &Working, at: &Range<usize>) -> bool {
        if self.steps == 0 {
            let message = too_much(self.given.max_steps());
            self.limit(self.source(text, at.clone()), message, None);
            return false;
        }
        self.steps -= 1;
        true
    }

    fn limit(&mut self, source: Range<usize>, message: String, in_engine: Option<String>) {
        let (names, code) = (Vec::new(), Code::LimitExceeded);
        self.found.limit = Some(Limit { source, names, code, message, in_engine });
    }
}

/// The runs of a piece, clipped to it.
fn runs_of(text: &Working, piece: Range<usize>) -> Vec<Run> {
    let mut only = Working { text: String::new(), runs: Vec::new() };
    let mut first = text.runs.partition_point(|run| run.output.end < piece.start);
    text.copy(piece, &mut first, &mut only);
    // Empty runs beside it do not belong to it.
    only.runs.retain(|run| !run.output.is_empty());
    only.runs
}

/// The next placeholder: two braces, a name of which at most the first character is `}`, if that is
/// allowed, and `}}`.
fn placeholder<R: Rules>(text: &str, mut from: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    loop {
        let start = from + memmem::find(&bytes[from..], b"{{")?;
        from = start + 1;
        match bytes.get(start + 2)? {
            b'#' | b'/' => continue,
            b'}' if !R::CLOSES_FIRST => continue,
            _ => {}
        }
        let end = start + 3 + memchr(b'}', bytes.get(start + 3..)?)?;
        if bytes.get(end + 1) == Some(&b'}') {
            return Some(start..end + 2);
        }
        // Any other candidate before that brace ends at it, too, unless it comes first.
        from = from.max(end.saturating_sub(2));
    }
}
