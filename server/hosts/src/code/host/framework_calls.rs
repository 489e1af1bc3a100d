//! Texts that are arguments of framework calls.

use std::collections::HashSet;
use std::ops::Range;

use super::evidence::EvidenceSource;
use super::supplied::CallText;
use super::{Host, first_literal};
use crate::code::callees::Callees;
use crate::code::calls::callee::Callee;
use crate::code::calls::chats::{ChatReader, FoundChat};
use crate::code::calls::{
    self, Argument, ArgumentText, ArgumentTexts, Call, CallKind, ListedMessage, Rest,
};
use crate::code::computed::computed;
use crate::code::expression::Variant;
use crate::code::loops::Loops;
use crate::code::recogniser::{NamedBy, OtherSyntax, Parameter, Recogniser, TextSource};
use crate::code::static_value::StaticValue;
use crate::code::supplying::contracts::Contracts;
use crate::host_prompt::{
    Contract, Demand, Elsewhere, Imported, ListedNames, OtherFile, PlaceEngine, Why,
};
use crate::unread::{Computed, Unread};

/// Facts about a framework call that its texts share.
struct CallContext {
    contracts: Vec<Contract>,
    /// The source ranges of the agents that run only after it.
    later: Vec<Range<usize>>,
    listed: Option<ListedNames>,
    /// The name of a list of messages that gets others where it is not written.
    grown: Option<Range<usize>>,
}

impl<'s> Host<'_, 's> {
    /// Finds the prompts that are passed to frameworks. Returns the meaning of the names that other
    /// hosts request, and the demands of hosts that use its functions and templates.
    pub(super) fn recognise(&mut self) -> (Vec<(Imported, Vec<Callee>)>, Vec<Demand>) {
        let demands = self.demands;
        let contracts = Contracts::new(self.tokens, self.outline);
        let mut callees = Callees::new(self.tokens, self.outline, demands);
        let calls = calls::calls(self.tokens, self.outline, &mut callees);
        let responses = callees.responses(self.outline, demands);
        // The statements with templates that are joined, each noted once.
        let mut joined = HashSet::new();
        let loops = (!calls.is_empty()).then(|| Loops::new(self.tokens, self.outline));
        let mut templates = Vec::new();
        for call in calls {
            let row = call.recogniser;
            templates.extend(row.methods.is_some().then_some(call.tokens.start));
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
            let sign = contracts.joined(&call).filter(|_| matches!(call.kind, CallKind::Direct));
            if let Some(sign) = sign
                && joined.insert(self.entry(sign).start)
            {
                self.note_joined(&call, sign);
            }
        }
        let may_fill = demands.iter().any(|it| matches!(it, Demand::Template(_)));
        if may_fill || callees.have_calls_with_values() {
            self.supply_objects(&contracts);
        }
        self.note_values(&callees);
        self.note_unknown_objects(&callees);
        self.note_other_uses(&callees);
        let factories = callees.factory_names(self.outline).into_iter().map(Demand::Factory);
        templates.sort_unstable();
        let templates = contracts.template_names(&templates, demands).into_iter();
        let sought = factories.chain(templates.map(Demand::Template)).collect();
        let requested = callees.requested.into_iter().map(|imported| Elsewhere {
            other: OtherFile::Module(imported.module.clone()),
            demand: Demand::Callee(imported),
            entry: 0..0,
            otherwise: None,
        });
        self.elsewhere.extend(requested);
        (responses, sought)
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
        if let Some(reason) = self.why_unsupported(call, parameter) {
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
            let mut variants = match parameter.source {
                TextSource::File(keys) => {
                    self.expressions.variants_in_files(&call.inlined, tokens, keys)
                }
                _ if call.inlined.is_empty() => self.expressions.variants(tokens, 0),
                _ => self.expressions.variants_in_calls(&call.inlined, tokens),
            };
            let Range { start, end } = call.tokens;
            let (before, after) = match &call.rest {
                Rest::None => (None, None),
                Rest::Around => (Some(start..start + 1), Some(end - 1..end)),
                Rest::Before(tokens) => (Some(tokens.clone()), None),
            };
            let [before, after] = [before, after].map(|it| it.map(|it| self.tokens.range(it)));
            for variant in &mut variants {
                let known = variant.known.take();
                variant.known = known.map(|it| it.within(before.as_ref(), after.as_ref()));
            }
            // The calls of a template have its text.
            variants.retain(|variant| match &variant.known {
                Some(StaticValue::Here(_)) => true,
                known => !text.may_be_object && (!is_template || known.is_some()),
            });
            if text.role.is_some() {
                self.keep_messages(&mut variants);
            }
            let choice = (variants.len() > 1).then(|| self.tokens.range(text.tokens.clone()));
            let is_own = text.is_own && choice.is_none() && around.grown.is_none();
            let text = ArgumentText { is_own, choice, ..text };
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

    /// Keeps the messages of a chat whose texts other hosts have. They are prompts of this host, too,
    /// because the chat resolves all of its messages with the same values.
    fn keep_messages(&mut self, variants: &mut [Variant]) {
        for variant in variants {
            let is_elsewhere = matches!(variant.known, Some(StaticValue::Elsewhere(_)));
            if let Some(known) = variant.known.take_if(|_| is_elsewhere) {
                let range = self.tokens.range(variant.tokens.clone());
                let text = self.expressions.part(Some(known), range.clone()).or_at(range);
                variant.known = Some(StaticValue::Here(text));
            }
        }
    }

    /// The reason why the prompts of an argument are not read; `None` if they are.
    fn why_unsupported(&mut self, call: &Call, parameter: &Parameter) -> Option<String> {
        if let TextSource::Service(service) = parameter.source {
            return Some(format!("the text of this prompt is in {service}, so it is not checked"));
        }
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
        let (contracts, supplies) = (contracts.to_vec(), Vec::new());
        self.chats.push(FoundChat { name, entry, messages, contracts, supplies });
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
        let known = self.with_own_values(known, variant.tokens);
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
            evidence.choice = evidence.choice.take().or(text.choice.clone());
            evidence.listed = around.listed.clone().filter(|_| is_new && text.role.is_none());
        }
    }

    /// Notes that the text of a call may be in an argument that is not followed.
    fn note_open_argument(&mut self, call: &Call) {
        let [parameter, ..] = call.recogniser.parameters else { return };
        let Some(open) = call.open.clone() else { return };
        if call.may_change || call.argument(parameter.keyword, parameter.position).is_none() {
            let dialect = call.recogniser.dialect;
            self.computed.extend(computed(self.tokens, parameter.keyword, open, dialect));
        }
    }

    /// Notes the texts of calls whose callee is a value that may be the class of an agent.
    fn note_values(&mut self, callees: &Callees<'_, '_>) {
        let tokens = self.tokens;
        for open in &callees.values {
            let Some(close) = calls::closer(tokens, *open) else { continue };
            let arguments = calls::arguments(tokens, *open, close);
            let is_agent = |row: &&Recogniser| {
                let Some(NamedBy::Argument(name)) = row.name else { return false };
                calls::argument(&arguments, name, None).is_some()
            };
            let Some(row) = callees.base_rows().find(is_agent) else { continue };
            let values = row.parameters.iter().filter_map(|parameter| {
                Some(calls::argument(&arguments, parameter.keyword, None)?.value.clone())
            });
            let is_text = |value: &Range<usize>| {
                let is_literal = value.clone().all(|token| tokens.is_literal(token));
                !is_literal || tokens.may_hold(value.clone(), row.dialect.spec().open)
            };
            let reason = "the class of this agent is a value that is not followed, so the text is \
                          not checked";
            self.computed.extend(values.filter(is_text).map(|value| Computed {
                unread: Unread::new(tokens.range(value), reason),
                dialect: row.dialect,
            }));
        }
    }

    /// Notes the texts with placeholders, and the constants, that the host sets as attributes of
    /// objects which may be agents. Other attributes may have the same names.
    fn note_unknown_objects(&mut self, callees: &Callees<'_, '_>) {
        let tokens = self.tokens;
        for object in &callees.unknown_objects {
            let (attribute, sign) = (tokens.text(object + 2), object + 3);
            let has_it = |row: &&Recogniser| row.keywords().contains(&attribute);
            let Some(row) = callees.base_rows().find(has_it) else { continue };
            let Some(statement) = self.outline.statement_at(*object) else { continue };
            let value = sign + 1..statement.tokens.end;
            let first = tokens.text(value.start);
            let is_constant = || value.len() == 1 && first.starts_with(char::is_uppercase);
            if !matches!(tokens.text(sign), "=" | "+=")
                || !tokens.may_hold(value.clone(), row.dialect.spec().open) && !is_constant()
            {
                continue;
            }
            let reason =
                "the object with this attribute is not followed, so the text is not checked";
            let unread = Unread::new(tokens.range(value), reason);
            self.computed.push(Computed { unread, dialect: row.dialect });
        }
    }

    /// Notes the uses of functions with texts that are no calls with known arguments.
    fn note_other_uses(&mut self, callees: &Callees<'_, 's>) {
        for (tokens, dialect) in callees.unfollowed(self.outline) {
            let reason = "this use of a function that gets prompts is not followed, so their texts \
                          are not checked";
            let unread = Unread::new(self.tokens.range(tokens), reason);
            self.computed.push(Computed { unread, dialect });
        }
    }

    /// Notes that the template of a call is only a part of a prompt.
    fn note_joined(&mut self, call: &Call, sign: usize) {
        let reason = "`+` joins templates, and the prompt that they become is not checked";
        let unread = Unread::new(self.tokens.range(sign..sign + 1), reason);
        self.computed.push(Computed { unread, dialect: call.recogniser.dialect });
    }

    /// Notes the arguments of a call whose texts become a part of its prompts, if they may have
    /// placeholders.
    fn note_inserted(&mut self, call: &Call) {
        let dialect = call.recogniser.dialect;
        for (keyword, position) in call.recogniser.inserted {
            let Some(argument) = call.argument(keyword, *position) else { continue };
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
}
