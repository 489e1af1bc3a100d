//! Completions in a prompt: names, paths into the inputs, prefixes, blocks.
//!
//! They are not filtered by the typed text: editors do that, each in its own way. Completions in
//! inputs files are in `inputs.rs`, those in declarations in `declarations.rs`.

mod crew;
mod declarations;
mod fragments;
mod inputs;
mod inputs_cursor;
mod json;
mod proposal;
mod writer;
mod yaml;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use promptls_resolver::blocks::is_of_item;
use promptls_resolver::{Outcome, Value, ValueKind, root};
use promptls_syntax::{BlockKind, Dialect, PathStyle, ScopeId, TagStatus, TokenKind, Tree, Use};

use crate::case_values::CaseValues;
use crate::dialects::advice;
use crate::excerpt::{self, MAX_LISTED};
use crate::features::hover::declaration;
use crate::prompt_text::PromptText;
use crate::snapshot::Snapshot;
use crate::snapshot::key::is_placeholder;

pub use crew::complete_crew;
pub use declarations::complete_declarations;
pub use fragments::complete_fragment;
pub use inputs::complete_inputs;
use proposal::snippet_text;
pub use proposal::{Completion, CompletionKind};

/// The maximum distance to an opening brace before the cursor, in characters.
const LOOK_BACK: usize = 200;

/// The maximum number of names that are proposed because the prompt uses them elsewhere.
const MAX_USED: usize = 200;

/// The completions at `offset`; empty outside braces.
///
/// Cost: the names and cases, or the members of one value in each case.
///
/// ```
/// use promptls_analysis::{Snapshot, complete};
/// use promptls_resolver::{Dialect, FileId, Format, Inputs};
///
/// let inputs = Inputs::parse(r#"{"name": "Ada"}"#, Format::Json, FileId(1)).value.unwrap();
/// let snapshot = Snapshot::new(Dialect::Adk, "Dear {na").with_case("default", inputs);
/// let found = complete(&snapshot, "Dear {na".len());
/// assert_eq!((&*found[0].label, &*found[0].inserted), ("name", "name}"));
/// ```
pub fn complete(snapshot: &Snapshot, offset: usize) -> Vec<Completion> {
    let Some(place) = PlaceholderCursor::find(snapshot, offset) else { return Vec::new() };
    let dialect = snapshot.dialect();
    let has_blocks = !dialect.spec().blocks.is_empty();
    let closed = with_blocks_closed(snapshot, offset - place.before.len() - place.opened);
    let (scoped, scope) = match &closed {
        Some((closed, scope)) => (closed, *scope),
        None => (snapshot, snapshot.tree.scope_at(offset)),
    };
    let mut found =
        PromptCompleter { snapshot, scoped, scope, place: &place, completions: Vec::new() };
    match place.before.chars().next() {
        Some('/') if has_blocks => found.closers(),
        Some('#') if has_blocks => match place.before.split_once(' ') {
            Some(_) => found.paths(),
            None => found.openers(),
        },
        _ => {
            found.paths();
            let is_bare = place.word == (offset - place.before.len()..offset);
            if has_blocks && is_bare {
                found.openers();
                found.closers();
            }
        }
    }
    found.completions
}

/// The position of the cursor in an incomplete placeholder.
struct PlaceholderCursor {
    offset: usize,
    /// The text between the braces and the cursor.
    before: String,
    /// The range of the word at the cursor.
    word: Range<usize>,
    /// The number of opening braces.
    opened: usize,
    /// The number of closing braces after the word.
    closed: usize,
    /// The number of closing braces directly after the word.
    closers: usize,
    /// The bracket of an index is closed.
    followed_by_bracket: bool,
}

impl PlaceholderCursor {
    fn find(snapshot: &Snapshot, offset: usize) -> Option<PlaceholderCursor> {
        let text = snapshot.text.rope();
        let cursor = text.byte_to_char(offset);
        let from = cursor.saturating_sub(LOOK_BACK);
        let around = text.slice(from..cursor).to_string();
        let open = around.rfind('{')?;
        let before = &around[open + 1..];
        // No name contains a quote or a comma: this is JSON, or prose.
        if before.contains(['}', '\n', '\r', '"', ',']) || before.contains(": ") {
            return None;
        }
        let opened = around[..=open].chars().rev().take_while(|&brace| brace == '{').count();
        let behind: String =
            text.slice(cursor..(cursor + LOOK_BACK).min(text.len_chars())).to_string();
        // In dialects with paths, only one step is replaced.
        let spec = snapshot.dialect().spec();
        let is_path = |character: char| {
            character.is_alphanumeric()
                || "_$-.:".contains(character)
                || spec.paths.has_indexes() && "[]".contains(character)
        };
        let is_word = |character: char| {
            is_path(character) && !(spec.paths.has_members() && ".:[]".contains(character))
        };
        let end_of = |is_in: &dyn Fn(char) -> bool| {
            behind.find(|character| !is_in(character)).unwrap_or(behind.len())
        };
        let after = behind[end_of(&is_path)..].trim_start_matches([' ', '?']);
        let closed = after.chars().take_while(|&brace| brace == '}').count();
        // Only a word before closing braces belongs to this placeholder; otherwise it is following
        // text.
        let rest = if closed > 0 { end_of(&is_word) } else { 0 };
        let breaks: &[char] = match spec.paths {
            PathStyle::Indexed => &['.', '[', ' '],
            PathStyle::Subscripts => &['.', '['],
            PathStyle::Dotted => &['.', ' ', '#', '/'],
            // Such a name may contain spaces.
            PathStyle::Whole if spec.free_names => &[],
            PathStyle::Whole | PathStyle::Outputs => &[' '],
        };
        let blanks = before.len() - before.trim_start().len();
        let word = before.rfind(breaks).map_or(blanks, |at| at + 1);
        Some(PlaceholderCursor {
            offset,
            before: before.to_owned(),
            word: offset - (before.len() - word)..offset + rest,
            opened,
            closed,
            closers: behind[rest..].chars().take_while(|&brace| brace == '}').count(),
            followed_by_bracket: behind[end_of(&is_word)..].starts_with(']'),
        })
    }
}

/// The blocks that are open at an offset, outermost first. The flag is set if the block is closed
/// later.
fn open_blocks(snapshot: &Snapshot, offset: usize) -> Vec<(BlockKind, bool)> {
    let tokens = snapshot.tree.tokens_in(0..offset);
    let before = tokens.filter(|found| found.token.end() <= offset);
    before.fold(Vec::new(), |mut open: Vec<(BlockKind, bool)>, found| {
        let is_paired = found.status == TagStatus::Paired;
        match found.token.kind {
            TokenKind::BlockOpen(kind) => open.push((kind, is_paired)),
            TokenKind::BlockClose(kind) if is_paired => {
                if let Some(at) = open.iter().rposition(|(other, _)| *other == kind) {
                    open.truncate(at);
                }
            }
            _ => {}
        }
        open
    })
}

/// The prompt up to an offset with all open blocks closed there, and the scope at the offset.
/// `None` if each of them is closed. An unclosed block is text to the engine, but is usually
/// incomplete while typing.
///
/// Cost: the tags before it; if a block is open, also the text before it.
fn with_blocks_closed(snapshot: &Snapshot, offset: usize) -> Option<(Snapshot, ScopeId)> {
    if snapshot.dialect().spec().blocks.is_empty() {
        return None;
    }
    let open = open_blocks(snapshot, offset);
    if open.iter().all(|(_, is_closed)| *is_closed) {
        return None;
    }
    let mut text = snapshot.slice(0..offset);
    let closers = open.iter().rev().map(|(kind, _)| format!("{{{{/{}}}}}", kind.keyword()));
    text.extend(closers);
    let tree = Arc::new(Tree::parse(snapshot.dialect(), &PromptText::from(&*text)));
    let scope = tree.scope_at(offset);
    Some((Snapshot { tree, ..snapshot.clone() }, scope))
}

struct PromptCompleter<'s, 'p> {
    snapshot: &'s Snapshot,
    /// The snapshot in which all open blocks are closed.
    scoped: &'p Snapshot,
    /// The scope of the cursor in that snapshot.
    scope: ScopeId,
    place: &'p PlaceholderCursor,
    completions: Vec<Completion>,
}

impl<'s> PromptCompleter<'s, '_> {
    fn dialect(&self) -> Dialect {
        self.snapshot.dialect()
    }

    /// The number of braces that close the placeholder. If one is sufficient, two opening braces
    /// still require two.
    fn closing_braces(&self) -> usize {
        match self.dialect().spec().open.len() {
            1 => self.place.opened.max(1),
            braces => braces,
        }
    }

    /// The missing braces, before and after.
    fn missing_braces(&self) -> (&'static str, String) {
        let spec = self.dialect().spec();
        let unopened = spec.open.len().saturating_sub(self.place.opened);
        let needed = self.closing_braces();
        let at_start = self.place.word.start == self.place.offset - self.place.before.len();
        let open = if at_start { &spec.open[..unopened] } else { "" };
        (open, "}".repeat(needed.saturating_sub(self.place.closed)))
    }

    /// Adds a completion that finishes the placeholder, with the missing braces.
    fn add(&mut self, kind: CompletionKind, label: &str, detail: String) -> &mut Completion {
        let (open, close) = self.missing_braces();
        let inserted = format!("{open}{label}{close}");
        let completion = Completion::new(kind, label, self.place.word.clone(), inserted);
        let closers = self.place.closers.min(self.closing_braces());
        self.completions.push(Completion { detail, completes: true, closers, ..completion });
        let last = self.completions.len() - 1;
        &mut self.completions[last]
    }

    /// Adds a name or a member. If its value has members, the cursor stays before the braces, for a
    /// dot.
    fn add_value(
        &mut self,
        kind: CompletionKind,
        label: &str,
        detail: String,
        has_members: bool,
    ) -> &mut Completion {
        let has_members = has_members && self.dialect().spec().paths.has_members();
        let (open, close) = self.missing_braces();
        let completion = self.add(kind, label, detail);
        if has_members {
            completion.completes = false;
            let escaped = snippet_text(label);
            completion.snippet = (!close.is_empty()).then(|| format!("{open}{escaped}$0{close}"));
        }
        completion
    }

    fn paths(&mut self) {
        let dialect = self.dialect();
        let start = match self.place.before.strip_prefix('#') {
            Some(header) => header.split_once(' ').map_or("", |(_, path)| path),
            None => &self.place.before,
        };
        let written = start.trim_start().to_owned();
        let steps: &[char] = match dialect.spec().paths {
            PathStyle::Indexed | PathStyle::Subscripts => &['.', '['],
            PathStyle::Dotted => &['.'],
            PathStyle::Whole | PathStyle::Outputs => &[],
        };
        let parent = written.rfind(steps).map(|at| written[..at].to_owned());
        match parent {
            Some(parent) if dialect.spec().fragment_prefix == Some(&format!("{parent}.")) => {
                self.fragments();
            }
            Some(parent) => self.members(&parent, written[parent.len()..].starts_with('[')),
            None => self.names(),
        }
    }

    fn names(&mut self) {
        let dialect = self.dialect();
        if let Some(outputs) = advice(dialect).outputs() {
            for (label, detail) in outputs.names(self.snapshot) {
                self.add(CompletionKind::Name, &label, detail).name = Some(label.clone());
            }
        }
        for name in self.snapshot.known_names() {
            if !dialect.is_engine_key(name) && is_placeholder(self.snapshot.engine(), name) {
                let detail = self.detail_of(name);
                let documentation =
                    self.snapshot.declarations.variable(name).map(declaration).unwrap_or_default();
                let given = self.snapshot.given();
                let mut values =
                    given.iter().filter_map(|given| given.values.get(name)?.as_value());
                let has_members = values.any(is_object);
                let completion = self.add_value(CompletionKind::Name, name, detail, has_members);
                completion.documentation = documentation;
                completion.name = Some(name.to_owned());
            }
        }
        for name in self.used_elsewhere() {
            let detail = "used in this prompt".to_owned();
            self.add(CompletionKind::Name, &name, detail).name = Some(name.clone());
        }
        if dialect.spec().fragment_prefix.is_some() {
            self.fragments();
        }
        for prefix in dialect.spec().prefixes {
            if self.place.before.trim_start().starts_with(prefix) {
                continue;
            }
            let (open, _) = self.missing_braces();
            let completion = Completion::new(
                CompletionKind::Prefix,
                prefix,
                self.place.word.clone(),
                format!("{open}{prefix}"),
            );
            let detail = "a name follows".to_owned();
            self.completions.push(Completion { detail, ..completion });
        }
        if let Some(item) = dialect.spec().item
            && self.scoped.tree.loop_around(self.scope).is_some()
        {
            let this = self.add(CompletionKind::Name, item, "the item of the loop".to_owned());
            this.name = Some(item.to_owned());
        }
    }

    /// Unknown first names that the prompt uses at other positions, sorted.
    fn used_elsewhere(&self) -> Vec<String> {
        let Snapshot { tree, .. } = self.snapshot;
        let dialect = self.dialect();
        let typed = self.snapshot.token_at(self.place.offset).map(|found| found.used());
        let is_elsewhere = |(used, count): &(Use, u32)| *count > 1 || typed != Some(*used);
        // In a loop, a name may refer to its item.
        let around = tree.scope_at(self.place.offset);
        let is_in_sight = |used: &Use| [ScopeId::ROOT, around].contains(&used.scope);
        let mut names: Vec<&str> = tree
            .uses()
            .filter(|it| it.0.kind.reads() && it.0.flaw.is_none())
            .filter(|it| is_in_sight(&it.0) && is_elsewhere(it))
            .map(|(used, _)| tree.name(used.name))
            .filter(|name| !is_of_item(dialect, name))
            .filter(|name| self.snapshot.fragment_name(name).is_none())
            .map(|name| root(dialect, name))
            .filter(|name| !self.snapshot.is_known(name) && !dialect.is_engine_key(name))
            .filter(|name| is_placeholder(self.snapshot.engine(), name))
            .collect();
        names.sort_unstable();
        names.dedup();
        names.truncate(MAX_USED);
        names.into_iter().map(str::to_owned).collect()
    }

    fn fragments(&mut self) {
        for fragment in &self.snapshot.declarations.fragments {
            let detail = excerpt::of_text(&fragment.text);
            let name = Some(fragment.name.to_string());
            self.add(CompletionKind::Fragment, &fragment.name, detail).name = name;
        }
    }

    /// The type and value of a first name.
    fn detail_of(&self, name: &str) -> String {
        let variable = self.snapshot.declarations.variable(name);
        let value = self
            .snapshot
            .given()
            .iter()
            .find_map(|given| Some(excerpt::of_value(given.values.get(name)?.as_value()?)));
        let kind = variable.and_then(|variable| variable.declared_type).map(|kind| kind.id());
        match (kind, value) {
            (Some(kind), Some(value)) => format!("{kind} = {value}"),
            (Some(kind), None) => kind.to_owned(),
            (None, Some(value)) => value,
            (None, None) => {
                let program = self.snapshot.program();
                let file = program.and_then(|program| program.file_that_supplies(name));
                file.map(|file| format!("set in {file}")).unwrap_or_default()
            }
        }
    }

    /// Adds the members of the values that a path leads to, in all cases.
    fn members(&mut self, parent: &str, by_index: bool) {
        let given = self.snapshot.given();
        let cases = given.len();
        let mut values = CaseValues::new(self.snapshot.engine(), &self.scoped.tree, given);
        let mut members: BTreeMap<String, (String, bool)> = BTreeMap::new();
        let mut items = 0;
        let shown = |value: &Value| (excerpt::of_value(value), is_object(value));
        for case in 0..cases {
            let mut seen = 0;
            values.each(case, self.scope, parent, |lookup| {
                match &lookup.outcome {
                    Outcome::Value(value, _) => match &value.kind {
                        ValueKind::Object(object) => {
                            for entry in object.entries().iter().take(MAX_LISTED) {
                                members
                                    .entry(entry.key.to_string())
                                    .or_insert_with(|| shown(&entry.value));
                            }
                        }
                        ValueKind::List(list) => items = items.max(list.len()),
                        _ => {}
                    },
                    Outcome::Entry(entry, _) => {
                        members.insert("key".to_owned(), (entry.key.to_string(), false));
                        members.insert("value".to_owned(), shown(&entry.value));
                    }
                    _ => {}
                }
                seen += 1;
                seen < MAX_LISTED
            });
        }
        if by_index {
            for index in 0..items.min(20) {
                let name = format!("{parent}[{index}]");
                let label = format!("{index}]");
                let inserted = match self.place.followed_by_bracket {
                    true => format!("{index}"),
                    false => label.clone(),
                };
                let completion = self.add(CompletionKind::Member, &inserted, String::new());
                completion.label = label;
                completion.name = Some(name);
            }
            return;
        }
        for (member, (detail, has_members)) in members {
            let name = format!("{parent}.{member}");
            let kind = CompletionKind::Member;
            self.add_value(kind, &member, detail, has_members).name = Some(name);
        }
    }

    fn openers(&mut self) {
        for block in self.dialect().spec().blocks {
            let keyword = block.keyword();
            let mark = if self.place.before.starts_with('#') { "" } else { "#" };
            // The existing braces close the closer.
            let (open, close) = self.missing_braces();
            let inserted = format!("{open}{mark}{keyword} name}}}}{{{{/{keyword}{close}");
            let header = format!("{open}{mark}{keyword} ${{1:name}}");
            let completion = Completion::new(
                CompletionKind::Block,
                &format!("#{keyword}"),
                self.place.word.clone(),
                inserted,
            );
            let detail = match block {
                BlockKind::If => "sent if the value exists and is not empty",
                BlockKind::Each => "sent once for each item",
            };
            self.completions.push(Completion {
                snippet: Some(format!("{header}}}}}$0{{{{/{keyword}{close}")),
                // The replaced text starts after the mark.
                filter: (mark.is_empty()).then(|| keyword.to_owned()),
                detail: detail.to_owned(),
                ..completion
            });
        }
    }

    /// Adds the closer of the innermost open block.
    fn closers(&mut self) {
        let open = open_blocks(self.snapshot, self.place.offset);
        if let Some((kind, _)) = open.last() {
            let keyword = kind.keyword();
            let mark = if self.place.before.starts_with('/') { "" } else { "/" };
            self.add(
                CompletionKind::Block,
                &format!("{mark}{keyword}"),
                format!("closes `{{{{#{keyword}}}}}`"),
            );
        }
    }
}

fn is_object(value: &Value) -> bool {
    matches!(value.kind, ValueKind::Object(_))
}

#[cfg(test)]
mod tests;
