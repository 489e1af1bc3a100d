//! Hovers for placeholders, blocks, escapes, and keys of sidecars.

pub mod hole;
mod printed;

use std::collections::BTreeMap;
use std::ops::Range;

use promptls_resolver::blocks::items;
use promptls_resolver::{
    FileId, Fragment, Inputs, Location, Lookup, Outcome, ResolveContext, Rule, Rules, Template,
    Value, Variable, root,
};
use promptls_syntax::{BlockKind, Missing, ScopeId, TokenKind, TokenRef, unescaped};

use crate::case_values::CaseValues;
use crate::diagnose::names_read;
use crate::dialects::advice;
use crate::dialects::format::{NestedField, nested_field_at};
use crate::markup::{Markup, MarkupPiece, code_span as code};
use crate::snapshot::Snapshot;
use crate::symbol::{
    PathStep, Reference, Symbol, reference_at, references_in_prompt, shown_path, whole_name,
};

/// The content of a hover, and its range in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The bytes that the hover refers to.
    pub range: Range<usize>,
    /// The content, one element per paragraph or list. For a key of a shared inputs file, some
    /// elements differ between prompts.
    pub sections: Vec<Markup>,
}

/// The maximum length of a shown value, in characters.
const SHOWN_OF_ONE: usize = 600;
const SHOWN_OF_MANY: usize = 80;

/// The maximum number of bytes of a value that are serialized to measure its length.
const MEASURED: usize = 256 * 1024;

/// The maximum number of shown cases.
const SHOWN_CASES: usize = 20;

/// The maximum number of uses of a key that are grouped by their source text.
const GROUPED_USES: usize = 1000;

/// The maximum number of different placeholders that are shown for a key.
const SHOWN_USES: usize = 8;

/// The hover at an offset of a prompt, an inputs file or a variables file; `None` for text without
/// a meaning. A part that the program computes has one as well.
///
/// Cost: the cases, and for names that refer to the item of a loop its items; for keys, their uses.
///
/// ```
/// use promptls_analysis::{Snapshot, hover};
/// use promptls_resolver::{Dialect, FileId};
///
/// let snapshot = Snapshot::new(Dialect::Adk, "Dear {name},");
/// let hover = hover(&snapshot, FileId::PROMPT, 7).unwrap();
/// assert_eq!(hover.range, 5..11);
/// assert!(hover.sections[0].markdown(|_| None).contains("name"));
/// ```
pub fn hover(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<Hover> {
    if file != FileId::PROMPT {
        return key(snapshot, file, offset);
    }
    if let Some(hole) = snapshot.hole_at(offset) {
        let sections = hole::sections(snapshot, hole);
        return Some(Hover { range: hole.range.clone(), sections });
    }
    let found = snapshot.token_at(offset)?;
    if let Some(NestedField { name, range, scope }) = nested_field_at(snapshot, &found, offset) {
        let hovered =
            HoveredName { kind: TokenKind::Placeholder, in_force: true, scope, name: &name };
        return Some(Hover { range, sections: hovered.sections(snapshot) });
    }
    let sections = match found.token.kind {
        TokenKind::Escape => {
            let sent = format!(" — sent as `{}`", unescaped(&snapshot.slice(found.token.range())));
            vec![Markup(vec![MarkupPiece::Strong("escape".to_owned())]).and(sent)]
        }
        TokenKind::Malformed => {
            let rest = snapshot.slice(found.token.start..snapshot.text.len_bytes());
            let message = snapshot.engine().refused_brace(&rest).unwrap_or_default();
            vec![Markup(vec![MarkupPiece::Strong("error".to_owned())]).and(format!(" — {message}"))]
        }
        TokenKind::BlockClose(_) => vec![closer(snapshot, &found)],
        _ => {
            let mut sections = HoveredName::of(&found).sections(snapshot);
            sections.extend(printed::section(snapshot, &found, &sections));
            sections
        }
    };
    Some(Hover { range: found.token.range(), sections })
}

/// The hover of a name, as if it were in a placeholder at `offset`.
///
/// Cost: that of [`hover`].
pub fn describe(snapshot: &Snapshot, offset: usize, name: &str) -> Vec<Markup> {
    let scope = snapshot.tree.scope_at(offset.min(snapshot.text.len_bytes()));
    HoveredName { kind: TokenKind::Placeholder, in_force: true, scope, name }.sections(snapshot)
}

fn closer(snapshot: &Snapshot, found: &TokenRef<'_>) -> Markup {
    match snapshot.partner(found) {
        Some(opener) => {
            let opened = snapshot.slice(opener.token.range());
            Markup::text("closes ").and_code(cut(&opened, SHOWN_OF_MANY))
        }
        None => Markup::text("closes no block, so it is sent unchanged"),
    }
}

/// A key of an inputs file, or a name in a variables file.
fn key(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<Hover> {
    let Reference { symbol, location } = reference_at(snapshot, file, offset)?;
    let mut sections = Vec::new();
    match &symbol {
        Symbol::Fragment(name) => {
            let fragment = snapshot.declarations.fragment(name)?;
            sections.push(headline(name, &["fragment".to_owned()]));
            sections.push(Markup::default().and_code(cut(&fragment.text, SHOWN_OF_ONE)));
        }
        Symbol::Value(path) => {
            let name = shown_path(path);
            let declared = match path.first() {
                Some(PathStep::Key(first)) => snapshot.declarations.variable(first),
                _ => None,
            };
            sections.push(headline(&name, &facts(declared, &name)));
            // The declaration of a whole value does not describe its members.
            sections.extend(
                declared.filter(|_| path.len() == 1).map(declaration).into_iter().flatten(),
            );
            let is_messages = snapshot.messages_named(&name).any(|it| *it == location);
            if file == snapshot.declarations.file || is_messages {
                let hovered = HoveredName {
                    kind: TokenKind::Placeholder,
                    in_force: true,
                    scope: ScopeId::ROOT,
                    name: &name,
                };
                sections.push(hovered.values(snapshot).0);
            }
        }
    }
    sections.push(uses(snapshot, &symbol));
    sections.retain(|section| !section.is_empty());
    Some(Hover { range: location.range, sections })
}

/// The placeholders that read it, and the number of uses.
fn uses(snapshot: &Snapshot, symbol: &Symbol) -> Markup {
    let references = references_in_prompt(snapshot, symbol);
    let place = |location: Location| {
        MarkupPiece::Place(snapshot.file_name(FileId::PROMPT).to_owned(), location)
    };
    let Some(first) = references.first() else {
        let name = whole_name(symbol).unwrap_or_default();
        if let Some(location) = snapshot.messages_named(name).next() {
            let file = snapshot.file_name(location.file).to_owned();
            let place = MarkupPiece::Place(file, location.clone());
            return Markup(vec![MarkupPiece::Text("messages of its chat in ".to_owned()), place]);
        }
        let prompt = place(Location { file: FileId::PROMPT, range: 0..0 });
        let by_fragment = match symbol {
            Symbol::Value(path) => matches!(path.first(), Some(PathStep::Key(name))
                if names_read(snapshot).contains(name)),
            Symbol::Fragment(_) => false,
        };
        let (read, how) = match by_fragment {
            true => ("read by ", ", through a fragment or another of its members"),
            false => ("not read by ", ""),
        };
        return Markup(vec![MarkupPiece::Text(read.to_owned()), prompt]).and(how);
    };
    let mut written: BTreeMap<String, usize> = BTreeMap::new();
    for reference in references.iter().take(GROUPED_USES) {
        let hole = || snapshot.hole_at(reference.range.start).map(|hole| hole.written.clone());
        let token =
            || Some(snapshot.slice(snapshot.token_at(reference.range.start)?.token.range()));
        if let Some(source) = hole().or_else(token) {
            *written.entry(source).or_default() += 1;
        }
    }
    let times = match references.len() {
        1 => "read once by ".to_owned(),
        times => format!("read {times} times by "),
    };
    let mut shown = Markup(vec![MarkupPiece::Text(times), place(first.clone())]).and(": ");
    for (index, (text, times)) in written.iter().take(SHOWN_USES).enumerate() {
        if index > 0 {
            shown = shown.and(", ");
        }
        shown = shown.and_code(cut(text, SHOWN_OF_MANY));
        if *times > 1 {
            shown = shown.and(format!(" ×{times}"));
        }
    }
    match written.len().checked_sub(SHOWN_USES) {
        Some(more) if more > 0 => shown.and(format!(" and {more} more")),
        _ => shown,
    }
}

/// The number of cases in which a name has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LackingIn {
    None,
    Some,
    All,
}

/// A name at a position of a prompt.
struct HoveredName<'a> {
    kind: TokenKind,
    in_force: bool,
    scope: ScopeId,
    name: &'a str,
}

/// `` **`customer`** — string, required ``
fn headline(name: &str, facts: &[String]) -> Markup {
    let headline = Markup(vec![MarkupPiece::Name(name.to_owned())]);
    if facts.is_empty() { headline } else { headline.and(format!(" — {}", facts.join(", "))) }
}

/// Short facts about a name from its declaration.
fn facts(declared: Option<&Variable>, name: &str) -> Vec<String> {
    let Some(variable) = declared else { return Vec::new() };
    let mut declaration = Vec::new();
    declaration.extend(variable.declared_type.map(|kind| kind.id().to_owned()));
    declaration.extend(variable.required.then(|| "required".to_owned()));
    // The declaration is that of the first name; its members have none.
    match (*variable.name == *name, declaration.is_empty()) {
        (true, _) => declaration,
        (false, true) => vec![format!("part of {}", code(&variable.name))],
        (false, false) => {
            vec![format!("part of {} ({})", code(&variable.name), declaration.join(", "))]
        }
    }
}

/// The description and the rules, one paragraph each.
pub(crate) fn declaration(variable: &Variable) -> Vec<Markup> {
    let description = variable.description.as_deref().map(Markup::text);
    description.into_iter().chain(rules(variable).map(Markup::text)).collect()
}

fn rules(variable: &Variable) -> Option<String> {
    let rules = &variable.rules;
    let mut facts = Vec::new();
    if let Some(default) = &variable.default {
        facts.push(format!("default {}", code(&cut(&written(default), SHOWN_OF_MANY))));
    }
    if let Some(example) = &variable.example {
        facts.push(format!("for example {}", code(&cut(&written(example), SHOWN_OF_MANY))));
    }
    facts.extend(demands(rules));
    if let Some(allowed) = &rules.allowed {
        let values: Vec<String> =
            allowed.value.iter().take(10).map(|value| code(&written(value))).collect();
        facts.push(format!("one of {}", values.join(", ")));
    }
    (!facts.is_empty()).then(|| facts.join(" · "))
}

/// The constraints of values, each in a few words, without the allowed values.
pub(crate) fn demands(rules: &Rules) -> Vec<String> {
    let within = |low: Option<String>, high: Option<String>| match (low, high) {
        (Some(low), Some(high)) => Some(format!("{low}–{high}")),
        (Some(low), None) => Some(format!("at least {low}")),
        (None, Some(high)) => Some(format!("at most {high}")),
        (None, None) => None,
    };
    let length = |rule: &Option<Rule<u64>>| rule.as_ref().map(|rule| rule.value.to_string());
    let bound = |rule: &Option<Rule<Box<str>>>| rule.as_ref().map(|rule| rule.value.to_string());
    let pattern = rules.pattern.as_ref();
    let pattern = pattern.map(|pattern| format!("matches {}", code(pattern.value.as_str())));
    let last = rules.max_length.as_ref().or(rules.min_length.as_ref()).map(|rule| rule.value);
    let noun = if last == Some(1) { "character" } else { "characters" };
    let length = within(length(&rules.min_length), length(&rules.max_length));
    let length = length.map(|length| format!("{length} {noun}"));
    pattern
        .into_iter()
        .chain(length)
        .chain(within(bound(&rules.minimum), bound(&rules.maximum)))
        .collect()
}

fn written(value: &Value) -> String {
    value.as_text().map_or_else(|| value.to_json(), str::to_owned)
}

impl<'a> HoveredName<'a> {
    fn of(found: &TokenRef<'a>) -> Self {
        HoveredName {
            kind: found.token.kind,
            in_force: found.in_force,
            scope: found.scope,
            name: found.name,
        }
    }

    fn sections(&self, snapshot: &Snapshot) -> Vec<Markup> {
        if let Some(fragment) = self.fragment(snapshot) {
            let file = snapshot.declarations.file;
            let place = MarkupPiece::Place(
                snapshot.file_name(file).to_owned(),
                Location { file, range: fragment.name_span.range() },
            );
            let mut text = Markup::default().and_code(cut(&fragment.text, SHOWN_OF_ONE)).and(" — ");
            text.0.push(place);
            return vec![headline(self.name, &["fragment".to_owned()]), text];
        }
        let declared = snapshot.declarations.variable(root(snapshot.dialect(), self.name));
        let mut known = match self.kind {
            TokenKind::BlockOpen(BlockKind::If) => vec!["condition".to_owned()],
            TokenKind::BlockOpen(BlockKind::Each) => vec!["loop".to_owned()],
            TokenKind::Optional => vec!["optional".to_owned()],
            _ => Vec::new(),
        };
        known.extend(facts(declared, self.name));
        let mut sections = vec![headline(self.name, &known)];
        sections.extend(declared.map(declaration).into_iter().flatten());
        let outputs = advice(snapshot.dialect()).outputs();
        sections.extend(outputs.and_then(|outputs| outputs.about(self.name)).map(Markup::text));
        let program = self.program(snapshot);
        // Without inputs, the places that set the name are its only description.
        let is_set_in_program = !program.is_empty() && snapshot.cases.is_empty();
        sections.push(program);
        let (values, missing_in) = self.values(snapshot);
        let shows_missing = missing_in != LackingIn::None && self.kind == TokenKind::Placeholder;
        // If no case has a value, the problem there and the text about a missing value suffice.
        if !is_set_in_program && (!shows_missing || missing_in != LackingIn::All) {
            sections.push(values);
        }
        if shows_missing {
            sections.push(self.if_missing(snapshot));
        }
        sections.retain(|section| !section.is_empty());
        sections
    }

    /// The places where the surrounding program sets it.
    fn program(&self, snapshot: &Snapshot) -> Markup {
        let name = root(snapshot.dialect(), self.name);
        let places: Vec<_> = snapshot.program_places(name).filter(|place| place.supplies).collect();
        let mut shown = Markup::default();
        for (index, place) in places.iter().take(SHOWN_USES).enumerate() {
            let file = snapshot.file_name(place.location.file).to_owned();
            shown = shown.and(if index == 0 { "set at run time: " } else { ", " });
            shown = shown.and_code(place.what).and(" in ");
            shown.0.push(MarkupPiece::Place(file, place.location.clone()));
        }
        match places.len().checked_sub(SHOWN_USES) {
            Some(more) if more > 0 => shown.and(format!(" and {more} more")),
            _ => shown,
        }
    }

    fn fragment<'s>(&self, snapshot: &'s Snapshot) -> Option<&'s Fragment> {
        let declarations = &snapshot.declarations;
        let fragment = snapshot.fragment_name(self.name)?;
        declarations.fragment(fragment)
    }

    /// The value of the name in each case, and the number of cases without one.
    fn values(&self, snapshot: &Snapshot) -> (Markup, LackingIn) {
        let cases = snapshot.given();
        let count = cases.len();
        let max = if count == 1 { SHOWN_OF_ONE } else { SHOWN_OF_MANY };
        let mut values = CaseValues::new(snapshot.engine(), &snapshot.tree, cases);
        let mut shown = Markup::default();
        let (mut any_missing, mut any_found) = (false, count > SHOWN_CASES);
        for case in 0..count.min(SHOWN_CASES) {
            let mut all: Vec<Lookup<'_>> = Vec::new();
            values.each(case, self.scope, self.name, |lookup| {
                all.push(lookup);
                all.len() < 1000
            });
            let (meaning, is_missing) = self.meaning(&all, max);
            any_missing |= is_missing;
            // A null has a location in the file.
            any_found |= all.iter().any(|lookup| !lookup.is_missing() || lookup.location.is_some());
            if let (true, Some(case)) = (count > 1, snapshot.cases.get(case)) {
                let bullet = if shown.is_empty() { "- " } else { "\n- " };
                shown = shown.and(bullet);
                shown.0.push(MarkupPiece::Strong(case.name.to_string()));
                shown = shown.and(": ");
            }
            shown = shown.and(meaning);
            if let Some(location) = all.iter().find_map(|lookup| lookup.location.as_ref()) {
                let name = snapshot.file_name(location.file).to_owned();
                shown = shown.and(" — ");
                shown.0.push(MarkupPiece::Place(name, location.clone()));
            }
        }
        if count > SHOWN_CASES {
            shown = shown.and(format!("\n- … and {} more cases", count - SHOWN_CASES));
        }
        let missing_in = match (any_missing, any_found) {
            (false, _) => LackingIn::None,
            (true, true) => LackingIn::Some,
            (true, false) => LackingIn::All,
        };
        (shown, missing_in)
    }

    /// The value in one case as text, and whether it is missing.
    fn meaning(&self, all: &[Lookup<'_>], max: usize) -> (String, bool) {
        let Some(first) = all.first() else { return ("not reached".to_owned(), false) };
        match self.kind {
            TokenKind::BlockOpen(BlockKind::If) if self.in_force => {
                let taken = all.iter().filter(|lookup| lookup.outcome.is_truthy()).count();
                let shown = match (taken, all.len()) {
                    (0, 1) => "not entered".to_owned(),
                    (1, 1) => "entered".to_owned(),
                    (taken, all) => format!("entered for {taken} of {all} items"),
                };
                (format!("{shown} ({})", value_text(first, max)), false)
            }
            TokenKind::BlockOpen(BlockKind::Each) if self.in_force => {
                let count: usize = all.iter().map(|lookup| items(&lookup.outcome).len()).sum();
                let noun = if count == 1 { "item" } else { "items" };
                (format!("{count} {noun}"), false)
            }
            _ => {
                let missing = all.iter().filter(|lookup| lookup.is_missing()).count();
                let is_optional = self.kind == TokenKind::Optional;
                let shown: Vec<String> =
                    all.iter().take(5).map(|lookup| value_text(lookup, max)).collect();
                let more = match all.len() {
                    items if items > 5 => format!(", … ({items} items)"),
                    _ => String::new(),
                };
                (format!("{}{more}", shown.join(", ")), missing > 0 && !is_optional)
            }
        }
    }

    /// The effect of a missing value.
    fn if_missing(&self, snapshot: &Snapshot) -> Markup {
        let spec = snapshot.dialect().spec();
        let as_written = "Without a value, the placeholder is sent unchanged.";
        match snapshot.engine().missing() {
            Missing::Raises => {
                let engine = snapshot.engines().first().map_or(spec.title, |it| it.profile.title);
                let mut shown = Markup::text(format!("Without a value, {engine} raises "));
                shown = match self.engine_message(snapshot) {
                    Some(message) => shown.and_code(message),
                    None => shown.and("an error"),
                };
                match spec.optional_mark {
                    Some(mark) => shown.and(format!("; `{mark}` makes it optional.")),
                    None => shown.and(" and sends nothing."),
                }
            }
            Missing::StaysLiteral => Markup::text(as_written),
            Missing::StaysLiteralOrEmpty => {
                let mut uses = snapshot.tree.uses();
                let has_blocks = uses.any(|(used, _)| matches!(used.kind, TokenKind::BlockOpen(_)));
                Markup::text(match has_blocks {
                    true => {
                        "Without a value, nothing is sent in its place, because the prompt has a block."
                    }
                    false => as_written,
                })
            }
        }
    }

    /// The first sentence of the engine's error for a prompt with only this placeholder; `None` if
    /// there is no error.
    fn engine_message(&self, snapshot: &Snapshot) -> Option<String> {
        let spec = snapshot.dialect().spec();
        let alone = format!("{}{}{}", spec.open, self.name, spec.close);
        let nothing = Inputs::empty();
        let declarations = Default::default();
        let agent = snapshot.settings.agent.as_deref();
        let given = ResolveContext { agent, ..ResolveContext::new(&nothing, &declarations) };
        let error = Template::compile(snapshot.engine(), &alone).render(&given).err()?;
        let first = error.message.split(". ").next().unwrap_or_default();
        let first = first.strip_suffix('.').unwrap_or(first);
        Some(cut(first, SHOWN_OF_MANY))
    }
}

fn value_text(lookup: &Lookup<'_>, max: usize) -> String {
    match &lookup.outcome {
        Outcome::Missing if lookup.location.is_some() => "null".to_owned(),
        Outcome::Missing => "no value".to_owned(),
        Outcome::WrongType => "a list or an object, which the engine does not accept".to_owned(),
        Outcome::Empty => "empty".to_owned(),
        Outcome::Runtime => "supplied at run time".to_owned(),
        Outcome::Fragment(fragment) => format!("fragment {}", code(&cut(&fragment.text, max))),
        Outcome::Text(text) => in_code(text, max),
        _ => in_code(&lookup.text(MEASURED).unwrap_or_default(), max),
    }
}

fn in_code(text: &str, max: usize) -> String {
    if text.is_empty() { "empty".to_owned() } else { code(&cut(text, max)) }
}

/// At most `max` characters, with the size of the omitted rest.
fn cut(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some((at, _)) => {
            let more = if text.len() >= MEASURED { "more than " } else { "" };
            format!("{}… ({more}{} characters)", &text[..at], text.chars().count())
        }
    }
}

#[cfg(test)]
mod tests;
