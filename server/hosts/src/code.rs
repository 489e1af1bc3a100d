//! Prompts that are strings in source code.
//!
//! A host is analyzed in four steps, which are the same for all languages. Tokens with their
//! bracket partners (`tokens.rs`); an outline of the declarations (`outline.rs`); places that take
//! prompts (`recogniser.rs`, `rule.rs`, `marked.rs`); and the texts of the expressions there
//! (`expression.rs`, `operation.rs`).
//!
//! A language has a file in each of `scan/`, `decode/` and `outlines/`, with its arm in `scan.rs`,
//! `decode.rs` and `outlines.rs`. It also has a file of tables in each of `grammars/` and
//! `recognisers/`.

mod beside;
mod callees;
mod calls;
mod computed;
mod demands;
mod expression;
mod factories;
mod grammar;
mod grammars;
mod loading;
mod loads;
mod loops;
mod marked;
mod members;
mod methods;
mod naming;
mod objects;
mod operation;
mod outline;
mod outlines;
mod recogniser;
pub(crate) mod recognisers;
pub(crate) mod rule;
mod static_value;
mod supplying;
mod tokens;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use promptls_syntax::Dialect;

use crate::code_gates::may_use;
use crate::finds::Finds;
use crate::host_prompt::{
    Conflict, Contract, Demand, Elsewhere, HostPrompt, Imported, Included, Inclusion, ListedNames,
    OtherFile, Part, PlaceEngine, Supply, TextDemand, Why,
};
use crate::language::Language;
use crate::marks::Mark;
use crate::names;
use crate::text_reference::{TextReference, WrittenPart};
use crate::unread::{Computed, Unread};
use callees::Callees;
pub use calls::callee::Callee;
use calls::chats::{self, ChatReader, FoundChat};
use calls::{Argument, ArgumentText, ArgumentTexts, Call, CallKind, ListedMessage};
use computed::{computed, computed_parts};
use expression::{Expressions, Variant};
use loops::Loops;
pub(crate) use operation::Operation;
pub(crate) use outline::{ANY, EACH, Outline, ScopeKind, Value};
pub(crate) use outlines::outline;
use recogniser::{OtherSyntax, Parameter};
pub(crate) use recognisers::CREWAI;
pub use recognisers::{Certainty, ValueSupply, value_supply};
use rule::CodeEntry;
pub(crate) use static_value::{CallArgument, Reference};
use static_value::{StaticValue, Text};
use supplying::contracts::Contracts;
use supplying::elsewhere::CallText;
pub(crate) use tokens::Tokens;

/// The maximum size of a file that is searched for prompts, in bytes.
const MAX_BYTES: usize = 2 << 20;

/// The prompts of a code file; see [`crate::find_with`].
pub(crate) fn find(
    language: Language,
    source: &str,
    rules: &[(CodeEntry, Dialect)],
    demands: &[Demand],
) -> Finds {
    if demands.is_empty() && !may_use(language, source, rules) {
        return Finds::default();
    }
    if source.len() > MAX_BYTES {
        return Finds { unread: vec![Unread::too_large(MAX_BYTES)], ..Finds::default() };
    }
    let Some(tokens) = Tokens::new(language, source) else { return Finds::default() };
    let Some(outline) = outline(&tokens) else { return Finds::default() };
    let mut host = Host {
        tokens: &tokens,
        outline: &outline,
        expressions: Expressions::new(&tokens, &outline, demands),
        evidence: BTreeMap::new(),
        names_around: HashMap::new(),
        elsewhere: Vec::new(),
        call_texts: Vec::new(),
        chats: Vec::new(),
        supplied: Vec::new(),
        parts: Vec::new(),
        written_parts: Vec::new(),
        literals: HashSet::new(),
        unmet: Vec::new(),
        unread: Vec::new(),
        computed: Vec::new(),
        demands,
        missing: demands.iter().filter_map(Demand::missing).collect(),
    };
    let (callees, factories) = host.recognise();
    host.apply_rules(rules);
    host.meet();
    host.read_marks();
    Finds { callees, factories, ..host.finish() }
}

/// The names that a code file declares for all of its package, sorted.
///
/// Cost: that of parsing it.
pub fn declared_names(language: Language, source: &str) -> Vec<String> {
    let tokens = Tokens::new(language, source).filter(|_| source.len() <= MAX_BYTES);
    let Some(tokens) = tokens else { return Vec::new() };
    let Some(outline) = outline(&tokens) else { return Vec::new() };
    let names = outline.names.iter().filter(|(_, value)| !matches!(value, Value::Import(_)));
    let names = names.map(|(name, _)| name).chain(outline.methods.keys());
    let all = names.chain(outline.classes.keys());
    let names: BTreeSet<&str> =
        all.filter(|(scope, _)| *scope == 0).map(|(_, name)| *name).collect();
    names.into_iter().map(str::to_owned).collect()
}

/// Collected facts about a text.
struct TextEvidence {
    text: Text,
    /// Its name, except for names that only its framework provides.
    name: String,
    entry: Range<usize>,
    mark: Option<Mark>,
    rule: Option<(Dialect, String)>,
    recognised: Vec<(Dialect, Why)>,
    agent: Option<String>,
    /// The role of the message that the first call uses it as.
    role: Option<String>,
    /// The variable that the object of the framework is assigned to.
    variable: Option<String>,
    /// Contracts, with the dialects of their calls.
    contracts: Vec<(Dialect, Contract)>,
    /// The same of other hosts.
    supplies: Vec<(Dialect, Supply)>,
    /// The prompts of other hosts that it is a part of, with their dialects.
    included_by: Vec<(Dialect, Inclusion)>,
    /// The uses of texts that it includes, as indexes of all uses of other hosts.
    parts: Vec<Range<usize>>,
    later: Vec<Range<usize>>,
    listed: Option<ListedNames>,
}

impl TextEvidence {
    /// The engine of a dialect, if the framework that takes the text names it.
    fn engine_of(&self, dialect: Dialect) -> Option<PlaceEngine> {
        let (_, why) = self.recognised.iter().find(|(of, _)| *of == dialect)?;
        why.engine()
    }

    /// The dialect of the text, and what decides it; `None` if a mark excludes the text. Fails with
    /// the dialects of frameworks that disagree.
    fn decision(&self) -> Result<Option<(Dialect, Why)>, Vec<Dialect>> {
        match (self.mark, &self.rule, &*self.recognised) {
            (Some(Mark::Off), ..) => Ok(None),
            (Some(Mark::Dialect(dialect)), ..) => Ok(Some((dialect, Why::Mark))),
            (None, Some((dialect, entry)), _) => Ok(Some((*dialect, Why::Rule(entry.clone())))),
            (None, None, [(dialect, why)]) => Ok(Some((*dialect, why.clone()))),
            (None, None, recognised) => {
                Err(recognised.iter().map(|(dialect, _)| *dialect).collect())
            }
        }
    }
}

/// The source of evidence that an expression is a prompt.
#[derive(Clone)]
enum EvidenceSource {
    /// A call of a framework, with the name of the agent.
    Recogniser(Dialect, Why, Option<String>),
    Rule(Dialect, String),
    Mark(Mark),
}

/// Facts about a framework call that its texts share.
struct CallContext {
    contracts: Vec<Contract>,
    /// The source ranges of the agents that run only after it.
    later: Vec<Range<usize>>,
    listed: Option<ListedNames>,
    /// The name of a list of messages that gets others where it is not written.
    grown: Option<Range<usize>>,
}

/// A scope, and a name in it.
type Constant<'s> = (usize, &'s str);

struct Host<'h, 's> {
    tokens: &'h Tokens<'s>,
    outline: &'h Outline<'s>,
    expressions: Expressions<'h, 's>,
    /// The facts by the start of the first literal.
    evidence: BTreeMap<usize, TextEvidence>,
    /// The names that calls give to prompts nested in them, by their brackets.
    names_around: HashMap<usize, Option<String>>,
    elsewhere: Vec<Elsewhere>,
    /// The texts of framework calls.
    call_texts: Vec<CallText>,
    chats: Vec<FoundChat>,
    /// The calls that supply values to prompts of other hosts.
    supplied: Vec<Contract>,
    parts: Vec<Part>,
    written_parts: Vec<WrittenPart>,
    /// The starts of the literals of all texts.
    literals: HashSet<usize>,
    unmet: Vec<TextDemand>,
    unread: Vec<Unread>,
    computed: Vec<Computed>,
    /// The uses by other hosts, and their answers to this one.
    demands: &'h [Demand],
    /// Those of them about names that do not exist.
    missing: HashSet<(&'h OtherFile, &'h str)>,
}

impl<'s> Host<'_, 's> {
    /// Finds the prompts that are passed to frameworks. Returns the meaning of the names that other
    /// hosts request, and the names of functions that pass parameters to frameworks.
    fn recognise(&mut self) -> (Vec<(Imported, Vec<Callee>)>, Vec<String>) {
        let demands = self.demands;
        let contracts = Contracts::new(self.tokens, self.outline);
        let mut callees = Callees::new(self.tokens, self.outline, demands);
        let calls = calls::calls(self.tokens, self.outline, &mut callees);
        let responses = callees.responses(self.outline, demands);
        let loops = (!calls.is_empty()).then(|| Loops::new(self.tokens, self.outline));
        for call in calls {
            let row = call.recogniser;
            let later = loops.iter().flat_map(|loops| loops.later(call.tokens.start));
            let around = CallContext {
                contracts: match call.kind {
                    CallKind::Direct => contracts.of(&call),
                    _ => Vec::new(),
                },
                later: later.map(|agent| self.tokens.range(agent)).collect(),
                listed: contracts.listed(&call),
                grown: contracts.grown_list(&call),
            };
            for parameter in row.parameters {
                self.add_parameter(&call, parameter, &callees, &around);
            }
            if !callees.passes_all(self.outline, &call) {
                self.note_open_argument(&call);
            }
            self.note_inserted(&call);
        }
        if callees.have_calls_with_values() {
            self.supply_objects(&contracts);
        }
        let factories = callees.factory_names(self.outline);
        let requested = callees.requested.into_iter().map(|imported| Elsewhere {
            other: OtherFile::Module(imported.module.clone()),
            demand: Demand::Callee(imported),
            entry: 0..0,
            otherwise: None,
        });
        self.elsewhere.extend(requested);
        (responses, factories)
    }

    /// Adds the texts of an argument of a framework call.
    fn add_parameter(
        &mut self,
        call: &Call,
        parameter: &'static Parameter,
        callees: &Callees<'_, 's>,
        around: &CallContext,
    ) {
        let value = call.argument(parameter.keyword, parameter.position);
        let Some(Argument { value, .. }) = value.cloned() else { return };
        if let Some(reason) = self.why_unsupported(call) {
            let unread = Unread::new(self.tokens.range(value), reason);
            self.computed.push(Computed { unread, dialect: call.recogniser.dialect });
            return;
        }
        let is_template = call.inlined.is_empty() && callees.is_template(value.start);
        let ArgumentTexts { texts, messages } =
            calls::texts(self.tokens, self.outline, value, parameter);
        let mut firsts = Vec::with_capacity(texts.len());
        for text in texts {
            firsts.push(None);
            let tokens = text.tokens.clone();
            let is_passed = tokens.len() == 1
                && (callees.passes_on(self.outline, tokens.start)
                    || call.inlined.is_empty()
                        && callees.passes_on_message(self.outline, tokens.start));
            if is_passed {
                continue;
            }
            // Each of the texts between which it chooses.
            let mut variants = match call.inlined.is_empty() {
                true => self.expressions.variants(tokens, 0),
                false => self.expressions.variants_in_calls(&call.inlined, tokens),
            };
            if call.is_part {
                let Range { start, end } = call.tokens;
                let around = [start..start + 1, end - 1..end];
                let around = around.map(|token| self.tokens.range(token));
                for variant in &mut variants {
                    variant.known = variant.known.take().map(|it| it.within(&around));
                }
            }
            // The calls of a template have its text.
            variants.retain(|variant| match &variant.known {
                Some(StaticValue::Here(_)) => true,
                known => !text.may_be_object && (!is_template || known.is_some()),
            });
            let is_own = text.is_own && variants.len() == 1;
            let text = ArgumentText { is_own, ..text };
            let mut shown = HashSet::new();
            for variant in variants {
                let variant = self.without_shown(variant, &mut shown);
                // Of several, a chat has the first.
                if let Some(first @ None) = firsts.last_mut() {
                    *first = variant.known.as_ref().and_then(first_literal);
                }
                self.add_argument(call, &text, variant, around);
            }
        }
        if let Some(grown) = around.grown.clone().filter(|_| messages.is_some()) {
            let dialect = call.recogniser.dialect;
            let range = self.tokens.range(grown);
            let reason = "this list of messages gets others, which are not checked".to_owned();
            self.computed.push(Computed { unread: Unread::new(range, reason), dialect });
        }
        if let Some(messages) = messages {
            self.add_chat(call, parameter, (messages, &firsts), &around.contracts);
        }
    }

    /// The reason why the prompts of a call are not read; `None` if they are.
    fn why_unsupported(&mut self, call: &Call) -> Option<String> {
        if let Some(framework) = call.recogniser.unsupported {
            return Some(format!("this text is a prompt of {framework}, which is not supported"));
        }
        let OtherSyntax { keyword, title, .. } = self.other_syntax(call)?;
        Some(format!("with `{keyword}`, this text is {title}, which is not checked"))
    }

    /// The syntax that an argument of a call sets for its prompts; `None` for that of their dialect.
    fn other_syntax(&mut self, call: &Call) -> Option<&'static OtherSyntax> {
        let other = call.recogniser.other_syntax.as_ref()?;
        let value = call.argument(other.keyword, None)?.value.clone();
        let is_written = value.len() == 1 && self.tokens.text(value.start) == other.unless;
        let is_same =
            is_written || self.expressions.text(value, 0).is_some_and(|text| text == other.unless);
        (!is_same).then_some(other)
    }

    /// Adds the list of messages of a call. `firsts` has the start of the first literal of each of
    /// its texts.
    fn add_chat(
        &mut self,
        call: &Call,
        parameter: &'static Parameter,
        (listed, firsts): (Vec<ListedMessage<'s>>, &[Option<usize>]),
        contracts: &[Contract],
    ) {
        let Some(notation) = parameter.messages else { return };
        let nameless = ArgumentText::of(parameter, call.tokens.clone());
        let name = self.name_of(call, &nameless, None);
        let entry = self.tokens.range(call.tokens.clone());
        let mut reader = ChatReader {
            tokens: self.tokens,
            outline: self.outline,
            expressions: &mut self.expressions,
            dialect: call.recogniser.dialect,
        };
        let messages = reader.read(notation, listed, firsts);
        self.chats.push(FoundChat { name, entry, messages, contracts: contracts.to_vec() });
    }

    /// Adds a text of a framework call.
    fn add_argument(
        &mut self,
        call: &Call,
        text: &ArgumentText<'s>,
        variant: Variant,
        around: &CallContext,
    ) {
        let (dialect, parameter) = (call.recogniser.dialect, text.parameter);
        self.note_unknown(&variant, dialect, |host, value| {
            computed(host.tokens, parameter.keyword, value, dialect)
        });
        let Some(known) = variant.known else { return };
        let agent = self.agent_of(call);
        let name = self.name_of(call, text, agent.as_deref());
        let field = parameter.keyword;
        let engine = call.recogniser.engine.map(|id| PlaceEngine { id, field });
        let why = Why::Recogniser { place: parameter.place, engine };
        let source = EvidenceSource::Recogniser(dialect, why, agent);
        let entry = self.tokens.range(call.tokens.clone());
        let first = first_literal(&known);
        // Without calls, it makes no difference.
        let with_calls = !around.contracts.is_empty();
        let text_of_call = match &known {
            StaticValue::Here(text) if with_calls => Some(text.decoded.text().to_owned()),
            _ => None,
        };
        let is_new = first.is_none_or(|first| !self.evidence.contains_key(&first));
        let used_before = self.elsewhere.len();
        self.add_evidence(known, source, name, entry);
        let elsewhere = used_before..self.elsewhere.len();
        if !elsewhere.is_empty() {
            let supplies = self.note_supplied(&around.contracts);
            self.supply_elsewhere(elsewhere.clone(), &supplies);
        }
        let start = call.tokens.start;
        let is_strict = call.recogniser.methods.is_none_or(|methods| methods.is_strict);
        let call = call.tokens.clone();
        self.call_texts.push(CallText { call, dialect, first, elsewhere, is_strict });
        if let Some(evidence) = first.and_then(|first| self.evidence.get_mut(&first)) {
            // The same literal may have become another text, such as by `replace`.
            let is_same = text_of_call.is_none_or(|text| text == evidence.text.decoded.text());
            if !is_same {
                evidence.contracts.iter_mut().for_each(|(_, call)| call.is_whole = false);
            }
            let contracts = around.contracts.iter().filter(|_| is_same);
            evidence.contracts.extend(contracts.map(|contract| {
                let is_own = contract.is_own && text.is_own;
                (dialect, Contract { is_own, ..contract.clone() })
            }));
            if is_new {
                evidence.role = text.role.map(str::to_owned);
                evidence.variable = self
                    .outline
                    .statement_at(start)
                    .and_then(|it| Some(self.tokens.text(it.target?).to_owned()));
            }
            // Another agent may read the same text after these.
            evidence.later = if is_new { around.later.clone() } else { Vec::new() };
            evidence.listed = around.listed.clone().filter(|_| is_new && text.role.is_none());
        }
    }

    /// Notes that the text of a call may be in an argument that is not followed.
    fn note_open_argument(&mut self, call: &Call) {
        let [parameter, ..] = call.recogniser.parameters else { return };
        let Some(open) = call.open.clone() else { return };
        if call.argument(parameter.keyword, parameter.position).is_none() {
            let dialect = call.recogniser.dialect;
            self.computed.extend(computed(self.tokens, parameter.keyword, open, dialect));
        }
    }

    /// Notes the arguments of a call whose texts become a part of its prompts, if they may have
    /// placeholders.
    fn note_inserted(&mut self, call: &Call) {
        let dialect = call.recogniser.dialect;
        for keyword in call.recogniser.inserted {
            let Some(argument) = call.argument(keyword, None) else { continue };
            let value = argument.value.clone();
            let scope = self.outline.scope_at(value.start);
            let named = self.outline.object(scope, self.tokens.text(value.start));
            let list = named.filter(|_| value.len() == 1).unwrap_or(value.clone());
            let is_list =
                self.tokens.closer(list.start, "[").is_some_and(|close| close + 1 == list.end);
            if !is_list || self.tokens.may_hold(list, dialect.spec().open) {
                self.computed.extend(computed(self.tokens, keyword, value, dialect));
            }
        }
    }

    /// A variant of an expression in which literals of earlier variants are only included.
    fn without_shown(&self, mut variant: Variant, shown: &mut HashSet<usize>) -> Variant {
        if let Some(StaticValue::Here(text)) = &mut variant.known {
            let had_literals = !text.literals.is_empty();
            let is_new = |literal: &Range<usize>| !shown.contains(&literal.start);
            let (own, known) = std::mem::take(&mut text.literals).into_iter().partition(is_new);
            text.literals = own;
            text.included.extend::<Vec<_>>(known);
            if had_literals && text.literals.is_empty() {
                text.literals.push(self.tokens.range(variant.tokens.clone()));
            }
            shown.extend(text.literals.iter().map(|literal| literal.start));
        }
        variant
    }

    /// The reference of a value to a name of another file, or to a text file, that does not exist.
    fn missing<'k>(&self, known: Option<&'k StaticValue>) -> Option<&'k Reference> {
        let Some(StaticValue::Elsewhere(reference)) = known else { return None };
        let is_missing = self.missing.contains(&(&reference.other, &*reference.name));
        is_missing.then_some(reference)
    }

    fn apply_rules(&mut self, rules: &[(CodeEntry, Dialect)]) {
        if rules.is_empty() {
            return;
        }
        // Places first, in order of rules: if two rules match one text, the first counts.
        let mut places: Vec<(usize, usize, Option<Constant<'s>>)> = Vec::new();
        let mut constants: HashMap<&str, Vec<(usize, Constant<'s>)>> = HashMap::new();
        for ((scope, name), value) in &self.outline.names {
            let value = self.outline.first_value(value).filter(|_| self.outline.is_shared(*scope));
            if let Some(tokens) = value {
                constants.entry(name).or_default().push((tokens.start, (*scope, *name)));
            }
        }
        for (rule, (entry, _)) in rules.iter().enumerate() {
            let mut add = |found: &[(usize, Constant<'s>)]| {
                places
                    .extend(found.iter().map(|(start, constant)| (rule, *start, Some(*constant))));
            };
            match entry.only_constant() {
                Some(name) => add(constants.get(name).map(Vec::as_slice).unwrap_or_default()),
                None => {
                    let meant = constants.iter().filter(|(name, _)| entry.is_constant(name));
                    meant.for_each(|(_, found)| add(found));
                }
            }
        }
        let mut by_callee: HashMap<&str, Vec<usize>> = HashMap::new();
        for (rule, (entry, _)) in rules.iter().enumerate() {
            if let Some(last) = entry.last_name() {
                by_callee.entry(last).or_default().push(rule);
            }
        }
        for open in 1..self.tokens.all.len() {
            if calls::closer(self.tokens, open).is_none() {
                continue;
            }
            let meant = by_callee.get(self.tokens.text(open - 1)).into_iter().flatten();
            places.extend(meant.map(|rule| (*rule, open, None)));
        }
        places.sort_unstable();
        for (rule, token, constant) in places {
            let (entry, dialect) = &rules[rule];
            let source = EvidenceSource::Rule(*dialect, entry.as_str().to_owned());
            if let Some((scope, name)) = constant {
                let value = self.outline.names.get(&(scope, name));
                let value = value.and_then(|value| self.outline.first_value(value)).cloned();
                let named = |it: &mut Expressions<'_, 's>| it.named(scope, name, false, 0);
                let variants = self.expressions.variants_of(value.unwrap_or_default(), named);
                self.add_ruled(variants, &source, name, token);
                continue;
            }
            let Some(place) = entry.argument(self.tokens, token) else { continue };
            let Some(close) = calls::closer(self.tokens, token) else { continue };
            let arguments = calls::arguments(self.tokens, token, close);
            let Some(argument) = calls::at_place(&arguments, place) else { continue };
            let name = self.name_at(token);
            let variants = self.expressions.variants(argument.value.clone(), 0);
            self.add_ruled(variants, &source, &name, token);
        }
    }

    /// Adds the values of an expression that a rule names, at a token.
    fn add_ruled(
        &mut self,
        variants: Vec<Variant>,
        source: &EvidenceSource,
        name: &str,
        token: usize,
    ) {
        let EvidenceSource::Rule(dialect, _) = source else { return };
        let mut shown = HashSet::new();
        for variant in variants {
            let variant = self.without_shown(variant, &mut shown);
            self.note_unknown(&variant, *dialect, |host, value| {
                computed(host.tokens, name, value, *dialect)
            });
            if let Some(known) = variant.known {
                self.add_evidence(known, source.clone(), name.to_owned(), self.entry(token));
            }
        }
    }

    /// Notes why the text of a value is unknown, if it is.
    fn note_unknown(
        &mut self,
        variant: &Variant,
        dialect: Dialect,
        computed: impl FnOnce(&Self, Range<usize>) -> Option<Computed>,
    ) {
        let known = variant.known.as_ref();
        let is_unknown = known.is_none_or(StaticValue::is_computed);
        if !is_unknown {
            self.note_unfollowed(variant, dialect);
        }
        let missing = self.missing(known);
        match variant.unread.as_ref().filter(|_| is_unknown) {
            Some(unread) => self.unread.push(unread.clone()),
            None if is_unknown || missing.is_some() => {
                let computed = computed(self, variant.tokens.clone());
                // A data file exists, and only the key may be missing.
                let file = missing.filter(|it| it.name.is_empty()).map(|it| &it.other);
                let computed = computed.map(|computed| match file {
                    Some(OtherFile::Text(path)) => computed.reading(self.tokens, &path.end),
                    _ => computed,
                });
                self.computed.extend(computed);
            }
            None => {}
        }
    }

    /// Notes the lists in a text that are not followed, if a placeholder is in them.
    fn note_unfollowed(&mut self, variant: &Variant, dialect: Dialect) {
        let (tokens, open) = (self.tokens, dialect.spec().open);
        let lists = variant.unfollowed.iter().filter(|list| tokens.may_hold((*list).clone(), open));
        let lists = lists.filter_map(|list| computed(tokens, "", list.clone(), dialect));
        self.computed.extend(lists);
    }

    fn read_marks(&mut self) {
        for (mark, literal) in marked::marked(self.tokens) {
            let start = self.tokens.all[literal].range().start;
            if let Some(evidence) = self.evidence.get_mut(&start) {
                evidence.mark = Some(mark);
                continue;
            }
            let mut unread = None;
            for expression in marked::around(self.tokens, self.outline, literal) {
                let Some(known) = self.expressions.known(expression, 0) else {
                    unread = self.expressions.why_unknown();
                    continue;
                };
                let StaticValue::Here(text) = &known else { continue };
                if text.literals.first().is_some_and(|first| first.start == start) {
                    let name = self.name_at(literal);
                    self.add_evidence(known, EvidenceSource::Mark(mark), name, self.entry(literal));
                    unread = None;
                    break;
                }
            }
            self.unread.extend(unread.filter(|_| mark != Mark::Off));
        }
    }

    fn add_evidence(
        &mut self,
        known: StaticValue,
        source: EvidenceSource,
        name: String,
        entry: Range<usize>,
    ) {
        let (text, references) = match known {
            StaticValue::Here(mut text) => {
                self.note_literals(&text);
                let parts = std::mem::take(&mut text.parts);
                (Some(text), parts)
            }
            StaticValue::Elsewhere(reference) => (None, vec![reference]),
        };
        let source_of_use = match &source {
            EvidenceSource::Recogniser(dialect, why, agent) => {
                Some((*dialect, why.clone(), agent.clone()))
            }
            EvidenceSource::Rule(dialect, entry) => {
                Some((*dialect, Why::Rule(entry.clone()), None))
            }
            EvidenceSource::Mark(_) => None,
        };
        let used_before = self.elsewhere.len();
        if let Some((dialect, why, agent)) = &source_of_use {
            self.elsewhere.extend(references.into_iter().map(|reference| {
                let (why, agent) = (why.clone(), agent.clone());
                let read_by = (language_of_engine(self.tokens.language, &why), *dialect);
                Elsewhere::new(reference, read_by, why, agent, entry.clone())
            }));
        }
        let parts = used_before..self.elsewhere.len();
        let Some(text) = text.filter(|text| !text.is_computed()) else { return };
        let Some(start) = text.literals.first().map(|first| first.start) else { return };
        let is_changed = |text: &Text| text.is_filled || text.decoded.holes().next().is_some();
        let evidence = match self.evidence.entry(start) {
            Entry::Vacant(place) => place.insert(TextEvidence {
                name: text.name.clone().unwrap_or(name),
                text,
                entry,
                mark: None,
                rule: None,
                recognised: Vec::new(),
                agent: None,
                role: None,
                variable: None,
                contracts: Vec::new(),
                supplies: Vec::new(),
                included_by: Vec::new(),
                parts: Vec::new(),
                later: Vec::new(),
                listed: None,
            }),
            Entry::Occupied(known) => {
                let known = known.into_mut();
                // A text that is formatted for one agent and unchanged to another is checked
                // as written: in the other form, its fields are values or holes.
                if is_changed(&known.text) && !is_changed(&text) {
                    known.text = text;
                }
                known
            }
        };
        evidence.parts.push(parts);
        match source {
            EvidenceSource::Recogniser(dialect, why, agent) => {
                evidence.agent = evidence.agent.take().or(agent);
                // A repeated dialect adds no information.
                if evidence.recognised.iter().all(|(known, _)| *known != dialect) {
                    evidence.recognised.push((dialect, why));
                }
            }
            EvidenceSource::Rule(dialect, entry) => {
                evidence.rule.get_or_insert((dialect, entry));
            }
            EvidenceSource::Mark(mark) => evidence.mark = Some(mark),
        }
    }

    /// Notes the literals of a text, for the places that stand for it.
    fn note_literals(&mut self, text: &Text) {
        let literals = text.literals.iter().chain(&text.included);
        self.literals.extend(literals.map(|literal| literal.start));
    }

    /// The places that stand for texts which are written elsewhere.
    fn text_references(&self) -> Vec<TextReference> {
        let used = self.elsewhere.iter().flat_map(Elsewhere::texts);
        self.expressions.text_references.of_texts(&self.literals, used)
    }

    /// The source range of the statement that contains a token.
    fn entry(&self, token: usize) -> Range<usize> {
        let statement = self.outline.statement_at(token);
        self.tokens.range(statement.map_or(token..token + 1, |it| it.tokens.clone()))
    }

    fn finish(self) -> Finds {
        let mut finds = Finds {
            text_references: self.text_references(),
            written_parts: self.written_parts,
            elsewhere: self.elsewhere,
            supplied: self.supplied,
            parts: self.parts,
            unmet: self.unmet,
            cut_off: self.tokens.unclosed,
            unread: self.unread,
            computed: self.computed,
            ..Finds::default()
        };
        // In unclosed code, escapes are unreliable.
        match self.tokens.unread() {
            Some(open) => finds.unread = vec![open],
            None => {
                finds.unread.sort_unstable_by_key(|unread| unread.range.start);
                finds.unread.dedup();
            }
        }
        let mut parts: Vec<Vec<Range<usize>>> = Vec::new();
        let mut starts: Vec<usize> = Vec::new();
        for (start, evidence) in self.evidence {
            let (dialect, why) = match evidence.decision() {
                Ok(Some(decision)) => decision,
                Ok(None) => continue,
                Err(dialects) => {
                    let literal = evidence.text.literals.first().cloned();
                    finds.conflicts.extend(literal.map(|literal| Conflict { literal, dialects }));
                    continue;
                }
            };
            let engine = evidence.engine_of(dialect);
            let (text, known_holes) = evidence.text.with_holes_elsewhere();
            if known_holes.is_empty() {
                finds.computed.extend(computed_parts(&evidence.text.literals, &text, dialect));
            }
            let contracts = evidence.contracts.into_iter().filter(|(of, _)| *of == dialect);
            let supplies = evidence.supplies.into_iter().filter(|(of, _)| *of == dialect);
            let included_by = evidence.included_by.into_iter().filter(|(of, _)| *of == dialect);
            parts.push(evidence.parts);
            starts.push(start);
            finds.prompts.push(HostPrompt {
                variable: evidence.variable.filter(|variable| *variable != evidence.name),
                name: names::clean(&evidence.name),
                dialect,
                why,
                engine,
                agent: evidence.agent,
                role: evidence.role,
                text,
                known_holes,
                literals: evidence.text.literals,
                included: included(evidence.text.included),
                entry: evidence.entry,
                contracts: contracts.map(|(_, contract)| contract).collect(),
                supplies: supplies.map(|(_, supply)| supply).collect(),
                included_by: included_by.map(|(_, inclusion)| inclusion).collect(),
                later: evidence.later,
                declared: None,
                read_only: None,
                is_of_framework: !evidence.recognised.is_empty(),
                listed: evidence.listed,
                crew_references: Vec::new(),
                chat: None,
            });
        }
        show_once(&mut finds.prompts);
        names::make_unique(&mut finds.prompts);
        let calls = self.call_texts.into_iter().filter_map(|it| Some((it.call, it.first?)));
        let mut calls: Vec<_> = calls.collect();
        calls.sort_by_key(|(call, _): &(Range<usize>, usize)| call.start);
        chats::finish(self.chats, &starts, &calls, &mut finds);
        finds.computed.sort_by_key(|computed| computed.unread.range.start);
        finds.computed.dedup();
        for (prompt, parts) in finds.prompts.iter().zip(parts) {
            let inclusion = Inclusion {
                file: None,
                prompt: prompt.name.clone(),
                inputs_name: prompt.inputs_name().to_owned(),
            };
            for part in parts.into_iter().flatten() {
                finds.elsewhere[part].include_in(&inclusion);
            }
        }
        finds
    }
}

/// Included literals, in source order and each once.
fn included(mut literals: Vec<Range<usize>>) -> Vec<Included> {
    literals.sort_unstable_by_key(|literal| literal.start);
    literals.dedup();
    literals.into_iter().map(|literal| Included { literal, is_shown: true }).collect()
}

/// Shows a literal that several prompts include only as a part of the first one. A prompt of its own
/// is only that.
fn show_once(prompts: &mut [HostPrompt]) {
    if prompts.iter().all(|prompt| prompt.included.is_empty()) {
        return;
    }
    let own = prompts.iter().flat_map(|prompt| &prompt.literals);
    let mut shown: HashSet<usize> = own.map(|literal| literal.start).collect();
    for included in prompts.iter_mut().flat_map(|prompt| &mut prompt.included) {
        included.is_shown = shown.insert(included.literal.start);
    }
}

/// The language of the engine that reads the prompts of a recogniser: Kotlin may use ADK for Java.
fn language_of_engine(language: Language, why: &Why) -> Language {
    match why {
        Why::Recogniser { place, .. }
            if place.starts_with("com.google.adk.") && !place.starts_with("com.google.adk.kt.") =>
        {
            Language::Java
        }
        _ => language,
    }
}

/// The start of the first literal of a text of this host.
fn first_literal(known: &StaticValue) -> Option<usize> {
    match known {
        StaticValue::Here(text) => text.literals.first().map(|literal| literal.start),
        StaticValue::Elsewhere(_) => None,
    }
}
