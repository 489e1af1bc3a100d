//! Renames a value or a fragment in all files of a prompt.
//!
//! [`rename`] returns the edits for one prompt. The caller applies them, parses the prompt again,
//! and verifies with [`prove_rename`] that the engine still sends the same text. Files shared by
//! several prompts are renamed by a call for each of them.
//!
//! The syntax of names is not defined here: a new name is put into braces, and must be parsed as
//! that name. Reserved names are in the table row of the dialect.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use promptls_data::edit_toml;
use promptls_data::yaml_form::{double_quoted, is_plain, single_quoted};
use promptls_resolver::{
    Code, Engine, EngineError, FileId, Format, Location, Problem, ResolveContext, Run, RunKind,
    Span, Template, ValueKind, parse_value,
};
use promptls_syntax::{Dialect, Token, name_range};

use crate::edit::TextEdit;
use crate::snapshot::{Contract, Snapshot};
use crate::symbol::{
    PathStep, Symbol, is_of_hole, keys_of, program_places, reference_at, references_in_fragments,
    references_in_prompt, steps_in_braces, tokens, tokens_as_written, written,
};

/// A name that can be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamable {
    /// The occurrence at the cursor, without quotes and prefixes.
    pub location: Location,
    /// The present name, without a prefix such as `app:`.
    pub name: String,
}

/// The reason why a name cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RenameError {
    /// There is no symbol at the position.
    #[error("there is no name here")]
    NoName,
    /// `this`, or all of an item.
    #[error(
        "`this` is the item of a loop; rename the value that the loop iterates over, or a member of its items"
    )]
    Item,
    /// A position in a list, such as `[0]`.
    #[error("this is a position in a list, not a name")]
    Position,
    /// `this.key` and `this.value` in a loop over a map.
    #[error("`{0}` is the engine's name for this part of a map entry; it cannot be renamed")]
    EntryPart(String),
    /// A name that the engine supplies itself.
    #[error("`{0}` is supplied by the engine under this name; it cannot be renamed")]
    Injected(String),
    /// A name in `runtime` of the config.
    #[error(
        "`{0}` is supplied at run time under this name; rename it in promptls.toml and in the application first"
    )]
    Runtime(String),
    /// A call whose values are not known.
    #[error(
        "a call in {place} passes values that are not followed, perhaps `{name}`; rename it by hand"
    )]
    OpenCall {
        /// The old name, which the call may have.
        name: String,
        /// The file with the call, and the line.
        place: String,
    },
    /// The text is not a single name in the dialect.
    #[error("`{name}` is not a valid name in {dialect}: {rule}")]
    NotAName {
        /// The new name, which the dialect does not allow.
        name: String,
        /// The product that the dialect belongs to.
        dialect: &'static str,
        /// The rule for names of the dialect.
        rule: &'static str,
    },
    /// A name with another meaning.
    #[error("`{0}` means something else in this dialect; choose another name")]
    Reserved(String),
    /// The name is used already.
    #[error("`{name}` already exists in {file}; choose another name")]
    Taken {
        /// The new name, which the file already contains.
        name: String,
        /// The name of the file that contains it, for the user.
        file: String,
    },
    /// A file that does not parse.
    #[error("{file} cannot be read, so its names cannot be changed: {reason}")]
    Broken {
        /// The name of the file, for the user.
        file: String,
        /// The error in the file.
        reason: String,
    },
    /// A name whose source differs from its meaning.
    #[error(
        "`{name}` is written with an alias or an escape in {file}; write it out, then rename it"
    )]
    NotPlain {
        /// The old name, without aliases and escapes.
        name: String,
        /// The name of the file, for the user.
        file: String,
    },
    /// A key that occurs twice.
    #[error("`{name}` occurs twice in {file}; remove one of them first")]
    Twice {
        /// The old name, which the file contains twice.
        name: String,
        /// The name of the file, for the user.
        file: String,
    },
    /// The engine would not send the same text.
    #[error(
        "this would change the text that the engine sends for {prompt}{case}; look there for text that depends on the name"
    )]
    Changes {
        /// The name of the prompt, for the user.
        prompt: String,
        /// ` in case NAME`; empty if irrelevant.
        case: String,
    },
}

/// The name to rename at an offset of a file. Fails if it cannot be renamed; `None` if there is no
/// name.
///
/// Cost: that of finding the symbol at the offset.
pub fn prepare_rename(
    snapshot: &Snapshot,
    file: FileId,
    offset: usize,
) -> Result<Option<Renamable>, RenameError> {
    let Some(reference) = reference_at(snapshot, file, offset) else { return Ok(None) };
    let old = match old_name(snapshot, &reference.symbol) {
        Err(RenameError::NoName) => return Ok(None),
        old => old?,
    };
    check_files(snapshot)?;
    let written = snapshot.written_at(&reference.location).unwrap_or_default();
    // The last occurrence: after a prefix, and after `fragments.`.
    let Some(start) = written.rfind(&old.name) else { return Err(not_plain(snapshot, &old, file)) };
    let start = reference.location.range.start + start;
    let range = start..start + old.name.len();
    if !(range.start <= offset && offset <= range.end) {
        return Ok(None);
    }
    Ok(Some(Renamable { location: Location { file, range }, name: old.name }))
}

/// The edits that rename a symbol in all files of this prompt.
///
/// Cost: that of finding all references to it.
///
/// ```
/// use promptls_analysis::{Snapshot, rename, symbol_at};
/// use promptls_resolver::{Dialect, FileId};
///
/// let snapshot = Snapshot::new(Dialect::Adk, "{name}, dear {name}");
/// let symbol = symbol_at(&snapshot, FileId::PROMPT, 2).unwrap();
/// assert_eq!(rename(&snapshot, &symbol, "customer").unwrap().len(), 2);
/// let error = rename(&snapshot, &symbol, "first name").unwrap_err();
/// assert!(error.to_string().starts_with("`first name` is not a valid name in Google ADK"));
/// ```
pub fn rename(
    snapshot: &Snapshot,
    symbol: &Symbol,
    new_name: &str,
) -> Result<Vec<TextEdit>, RenameError> {
    let old = old_name(snapshot, symbol)?;
    // A new name with the prefix is equivalent.
    let new_name = new_name.strip_prefix(old.prefix).unwrap_or(new_name);
    let new = New {
        symbol: symbol_named(symbol, old.prefix, new_name),
        name: new_name,
        prefix: old.prefix,
    };
    check_name(snapshot.dialect(), &new)?;
    if new.name == old.name {
        return Ok(Vec::new());
    }
    check_files(snapshot)?;
    check_calls(snapshot, symbol)?;
    if !corrects(snapshot, symbol, &new.symbol)? {
        check_free(snapshot, &new)?;
    }

    let mut edits: Vec<TextEdit> = named_references(snapshot, symbol, &old)
        .map(|location| TextEdit { location, text: new.name.to_owned() })
        .collect();
    edits.extend(program_places(snapshot, symbol).map(|place| {
        // Code may have the prefix in another place, or in none.
        let Location { file, range } = &place.location;
        let location = Location { file: *file, range: range.end - old.name.len()..range.end };
        let variable = if place.is_variable { format!(": {}", old.name) } else { String::new() };
        TextEdit { location, text: format!("{}{variable}", new.name) }
    }));
    let all_are_written = |fragment| tokens_as_written(snapshot, fragment).is_some();
    let declarations = &snapshot.declarations;
    if snapshot.dialect().spec().declarations && !declarations.fragments.iter().all(all_are_written)
    {
        return Err(not_plain(snapshot, &old, declarations.file));
    }
    for (location, key, piece) in quoted_places(snapshot, symbol, &old)? {
        check_once(snapshot, &location, &old)?;
        let (before, after) = (&key[..piece.start], &key[piece.end..]);
        let renamed = format!("{before}{}{}{after}", old.prefix, new.name);
        let text = snapshot
            .written_at(&location)
            .and_then(|written| {
                requoted(
                    &written,
                    &key,
                    &renamed,
                    Format::of_sidecar(snapshot.file_name(location.file)),
                )
            })
            .ok_or_else(|| not_plain(snapshot, &old, location.file))?;
        edits.push(TextEdit { location, text });
    }
    Ok(edits)
}

/// The references to a symbol by its own name in the prompt and in fragments, without prefixes.
/// `this` may refer to the same value, but is not its name.
fn named_references<'a>(
    snapshot: &'a Snapshot,
    symbol: &Symbol,
    name: &'a Old,
) -> impl Iterator<Item = Location> + 'a {
    let places = references_in_prompt(snapshot, symbol);
    let places = places.into_iter().chain(references_in_fragments(snapshot, symbol));
    places.filter_map(|Location { file, range }| {
        let range = range.start + name.prefix.len()..range.end;
        let location = Location { file, range };
        (snapshot.written_at(&location)? == name.name).then_some(location)
    })
}

/// The present name, split after its prefix.
struct Old {
    name: String,
    /// The prefix, which does not change: `app:`.
    prefix: &'static str,
}

/// The new name, with the prefix of the old one.
struct New<'n> {
    name: &'n str,
    prefix: &'static str,
    symbol: Symbol,
}

fn old_name(snapshot: &Snapshot, symbol: &Symbol) -> Result<Old, RenameError> {
    let dialect = snapshot.dialect();
    let path = match symbol {
        Symbol::Fragment(name) => return Ok(Old { name: name.clone(), prefix: "" }),
        Symbol::Value(_) if is_of_hole(snapshot, symbol) => return Err(RenameError::NoName),
        Symbol::Value(path) => path,
    };
    let (root, name) = match (path.first(), path.last()) {
        (_, Some(PathStep::Item)) => return Err(RenameError::Item),
        (_, Some(PathStep::Index(_))) => return Err(RenameError::Position),
        (Some(PathStep::Key(root)), Some(PathStep::Key(name))) => (root, name),
        _ => return Err(RenameError::NoName),
    };
    if dialect.is_engine_key(root) || dialect.injects(root) {
        return Err(RenameError::Injected(name.clone()));
    }
    // In dialects without paths, no prompt can refer to a member of a value.
    if path.len() > 1 && !dialect.spec().paths.has_members() {
        return Err(RenameError::NoName);
    }
    let whole = written(path);
    let runtime = &snapshot.settings.runtime;
    let is_in_code = snapshot.program_places(&whole).next().is_some();
    let supplied = runtime.get(&whole).or_else(|| runtime.get(root));
    if let Some(supplied) = supplied.filter(|_| !is_in_code) {
        return Err(RenameError::Runtime(supplied.clone()));
    }
    if keys_of(snapshot, path).is_none() {
        return Err(RenameError::EntryPart(name.clone()));
    }
    let prefixes = if path.len() == 1 { dialect.spec().prefixes } else { &[] };
    let prefix = prefixes.iter().find(|prefix| name.starts_with(**prefix)).unwrap_or(&"");
    Ok(Old { name: name[prefix.len()..].to_owned(), prefix })
}

fn symbol_named(symbol: &Symbol, prefix: &str, name: &str) -> Symbol {
    match symbol {
        Symbol::Fragment(_) => Symbol::Fragment(name.to_owned()),
        Symbol::Value(path) => {
            let mut path = path.clone();
            path.pop();
            path.push(PathStep::Key(format!("{prefix}{name}")));
            Symbol::Value(path)
        }
    }
}

/// Checks that the new name is a name in the dialect, without another meaning.
fn check_name(dialect: Dialect, new: &New<'_>) -> Result<(), RenameError> {
    let (before, own) = match &new.symbol {
        Symbol::Fragment(name) => (None, name),
        Symbol::Value(path) => match &path[..] {
            [PathStep::Key(name)] => (None, name),
            [.., PathStep::Key(name)] => (Some("x"), name),
            _ => return Err(RenameError::NoName),
        },
    };
    let steps: Vec<PathStep> =
        before.into_iter().chain([&**own]).map(|key| PathStep::Key(key.to_owned())).collect();
    if new.name.is_empty() || steps_in_braces(dialect, &written(&steps)) != Some(steps) {
        let spec = dialect.spec();
        let (name, dialect, rule) = (new.name.to_owned(), spec.title, spec.name_rule);
        return Err(RenameError::NotAName { name, dialect, rule });
    }
    let is_root = before.is_none();
    let spec = dialect.spec();
    let means_fragments = spec.fragment_prefix == Some(&format!("{own}."));
    let is_given = spec.item == Some(own) || means_fragments || dialect.injects(own);
    // A prefix determines the scope of the value, which does not change.
    let has_prefix = spec.prefixes.iter().any(|prefix| own.starts_with(prefix));
    let is_reserved =
        is_root && is_given || new.prefix.is_empty() && has_prefix || dialect.is_engine_key(own);
    if is_reserved { Err(RenameError::Reserved(new.name.to_owned())) } else { Ok(()) }
}

/// Checks that each call with the value of a name has the name in source form.
fn check_calls(snapshot: &Snapshot, symbol: &Symbol) -> Result<(), RenameError> {
    let Symbol::Value(path) = symbol else { return Ok(()) };
    let [PathStep::Key(name)] = &path[..] else { return Ok(()) };
    let mut calls = snapshot.host.iter().flat_map(|host| &host.contracts);
    let may_have_it =
        |call: &&Contract| call.is_open && call.keys.iter().all(|key| key.name != *name);
    let Some(call) = calls.find(may_have_it) else { return Ok(()) };
    let Location { file, range } = &call.call;
    let text = snapshot.file_texts.get(file);
    let before = text.and_then(|text| text.get(..range.start));
    let line = before.map(|it| format!(":{}", it.matches('\n').count() + 1)).unwrap_or_default();
    let place = format!("{}{line}", snapshot.file_name(*file));
    Err(RenameError::OpenCall { name: name.clone(), place })
}

/// Checks that all files can be parsed: otherwise, their references are unknown.
fn check_files(snapshot: &Snapshot) -> Result<(), RenameError> {
    for problem in &snapshot.file_problems {
        let file = problem.location.file;
        if !problem.code.is_unusable_file() || file == FileId::PROMPT {
            continue;
        }
        let is_readable = snapshot.file_texts.get(&file).is_some_and(|text| {
            let format = Format::of_sidecar(snapshot.file_name(file));
            let value = parse_value(text, format, file, "no inputs").value;
            // A file that contains no object is not an inputs file.
            value.is_some_and(|value| matches!(value.kind, ValueKind::Object(_)))
        });
        if !is_readable {
            let file = snapshot.file_name(file).to_owned();
            return Err(RenameError::Broken { file, reason: problem.message.clone() });
        }
    }
    Ok(())
}

/// Returns whether a name without a value is renamed to one that has a value, where inputs or the
/// code around could supply one. That is a correction.
fn corrects(snapshot: &Snapshot, symbol: &Symbol, new: &Symbol) -> Result<bool, RenameError> {
    let program = snapshot.program();
    let is_set = |symbol: &Symbol| match symbol {
        Symbol::Value(path) => {
            let name = written(path);
            program.and_then(|it| it.file_that_supplies(&name)).is_some()
                || snapshot.program_places(&name).any(|place| place.supplies)
        }
        Symbol::Fragment(_) => false,
    };
    let is_given = |symbol, name: &Old| Ok(!quoted_places(snapshot, symbol, name)?.is_empty());
    let old = old_name(snapshot, symbol)?;
    let may_be_given = snapshot.has_inputs() || program.is_some_and(|program| program.has_state);
    if !may_be_given || is_set(symbol) || is_given(symbol, &old)? {
        return Ok(false);
    }
    Ok(is_set(new) || is_given(new, &old_name(snapshot, new)?)?)
}

/// Checks that the new name is not used yet.
fn check_free(snapshot: &Snapshot, new: &New<'_>) -> Result<(), RenameError> {
    let taken = |file: FileId| {
        let file = snapshot.file_name(file).to_owned();
        Err(RenameError::Taken { name: new.name.to_owned(), file })
    };
    // A fragment and a value of the same name hide each other.
    let other = match &new.symbol {
        Symbol::Fragment(name) => Some(Symbol::Value(vec![PathStep::Key(name.clone())])),
        Symbol::Value(path) => match &path[..] {
            [PathStep::Key(name)] if snapshot.dialect().spec().declarations => {
                Some(Symbol::Fragment(name.clone()))
            }
            _ => None,
        },
    };
    for symbol in [Some(&new.symbol), other.as_ref()].into_iter().flatten() {
        let named = Old { name: new.name.to_owned(), prefix: new.prefix };
        let quoted = quoted_places(snapshot, symbol, &named)?.into_iter().map(|(place, ..)| place);
        if let Some(place) = quoted.chain(named_references(snapshot, symbol, &named)).next() {
            return taken(place.file);
        }
        let Symbol::Value(path) = symbol else { continue };
        if let Some(file) = snapshot.program().and_then(|it| it.file_that_supplies(&written(path)))
        {
            return Err(RenameError::Taken { name: new.name.to_owned(), file: file.to_owned() });
        }
        if snapshot.settings.runtime.contains(&written(path)) {
            return Err(RenameError::Runtime(new.name.to_owned()));
        }
    }
    Ok(())
}

/// The strings in sidecars that refer to a symbol: the location, the content, and the range of the
/// name with its prefix.
fn quoted_places(
    snapshot: &Snapshot,
    symbol: &Symbol,
    old: &Old,
) -> Result<Vec<(Location, String, Range<usize>)>, RenameError> {
    let declarations = &snapshot.declarations;
    let mut places = Vec::new();
    let mut declared = |span: Span, name: &str| {
        let location = Location { file: declarations.file, range: span.range() };
        places.push((location, name.to_owned(), 0..name.len()));
    };
    match symbol {
        Symbol::Fragment(name) => {
            for fragment in declarations.fragments.iter().filter(|it| *it.name == **name) {
                declared(fragment.name_span, name);
            }
        }
        Symbol::Value(path) => {
            if let [PathStep::Key(name)] = &path[..] {
                for variable in declarations.variables.iter().filter(|it| *it.name == **name) {
                    declared(variable.name_span, name);
                }
            }
            let keys = keys_of(snapshot, path);
            for key in keys.ok_or_else(|| RenameError::EntryPart(old.name.clone()))? {
                places.push((key.location, key.key.to_owned(), key.piece));
            }
        }
    }
    Ok(places)
}

/// Fails for a key that occurs twice, because only the last one is known.
fn check_once(snapshot: &Snapshot, place: &Location, old: &Old) -> Result<(), RenameError> {
    let is_repeated =
        |problem: &Problem| problem.code == Code::DuplicateKey && problem.location == *place;
    match snapshot.file_problems.iter().any(is_repeated) {
        false => Ok(()),
        true => {
            let file = snapshot.file_name(place.file).to_owned();
            Err(RenameError::Twice { name: old.name.clone(), file })
        }
    }
}

fn not_plain(snapshot: &Snapshot, old: &Old, file: FileId) -> RenameError {
    let file = snapshot.file_name(file).to_owned();
    RenameError::NotPlain { name: old.name.clone(), file }
}

/// Writes a string with the quotes of another one, if they can represent it. `None` if the source
/// is not the old string in a supported form.
fn requoted(written: &str, old: &str, new: &str, format: Format) -> Option<String> {
    if format == Format::Toml {
        return requoted_toml(written, old, new);
    }
    let quoted = || double_quoted(new);
    if written == old && format == Format::Yaml {
        return Some(if is_plain(new) { new.to_owned() } else { quoted() });
    }
    let read = parse_value(written, format, FileId::PROMPT, "").value?;
    if !matches!(&read.kind, ValueKind::String(text) if **text == *old) {
        return None;
    }
    match written.as_bytes().first()? {
        b'"' => Some(quoted()),
        b'\'' => Some(single_quoted(new).unwrap_or_else(quoted)),
        _ => None,
    }
}

/// The same in TOML, for a key or a value on one line.
fn requoted_toml(written: &str, old: &str, new: &str) -> Option<String> {
    if written == old {
        return Some(edit_toml::key(new));
    }
    let read = parse_value(&format!("it = {written}"), Format::Toml, FileId::PROMPT, "").value?;
    if read.as_object()?.get("it")?.value.as_text() != Some(old) || written.contains('\n') {
        return None;
    }
    let is_literal = written.starts_with('\'') && !new.contains('\'');
    Some(if is_literal && !new.contains(char::is_control) {
        format!("'{new}'")
    } else {
        double_quoted(new)
    })
}

/// Fails if a rename would change the text that the engine sends. `before` and `after` are the same
/// prompt without and with the edits. If a misspelt name is corrected, only its placeholders may
/// change.
///
/// If the engine fails, it must fail in the same way, for the same names. Cost: resolving every
/// case twice.
pub fn prove_rename(
    before: &Snapshot,
    after: &Snapshot,
    symbols: &[Symbol],
    new_name: &str,
) -> Result<(), RenameError> {
    let changes = |case: Option<&str>| RenameError::Changes {
        prompt: before.file_name(FileId::PROMPT).to_owned(),
        case: case.map(|name| format!(" in case {name}")).unwrap_or_default(),
    };
    let renames = Renames::between(before, after, symbols, new_name).ok_or(changes(None))?;
    let is_correction = |symbol: &Symbol| {
        let old = old_name(before, symbol)?;
        let new_name = new_name.strip_prefix(old.prefix).unwrap_or(new_name);
        corrects(before, symbol, &symbol_named(symbol, old.prefix, new_name))
    };
    if !symbols.is_empty() && symbols.iter().all(|it| is_correction(it).unwrap_or(false)) {
        return Ok(());
    }
    let names = |snapshot: &Snapshot| -> Vec<_> {
        snapshot.cases.iter().map(|case| case.name.clone()).collect()
    };
    if names(before) != names(after) {
        return Err(changes(None));
    }
    let texts = (before.text.to_string(), after.text.to_string());
    let templates =
        (Template::compile(before.engine(), &texts.0), Template::compile(after.engine(), &texts.1));
    // Other files, which set names at run time, are read without their edits.
    let renamed = |name: &String| renames.names.get(name).unwrap_or(name).clone();
    let mut runtime: BTreeSet<String> = after.settings.runtime.as_ref().clone();
    runtime.extend(before.settings.runtime.iter().map(renamed));
    for (index, givens) in before.given().iter().zip(after.given()).enumerate() {
        let was = templates.0.resolve(givens.0);
        let is = templates.1.resolve(&ResolveContext { runtime: &runtime, ..givens.1 });
        let is_same_text = was.text == is.text || {
            let mut renamed = String::with_capacity(is.text.len());
            renames.write(before.engine(), &was.text, &was.map.runs, &mut renamed);
            renamed == is.text
        };
        if !is_same_text || !renames.are_same(was.error.as_ref(), is.error.as_ref()) {
            return Err(changes(before.cases.get(index).map(|case| &*case.name)));
        }
    }
    Ok(())
}

/// The renamed placeholders and names, by their old text.
#[derive(Default)]
struct Renames {
    /// Placeholders, including braces. `None` for one that has become two different ones.
    placeholders: HashMap<String, Option<String>>,
    names: HashMap<String, String>,
}

impl Renames {
    /// `None` if the two prompts differ in more than names.
    fn between(
        before: &Snapshot,
        after: &Snapshot,
        symbols: &[Symbol],
        new_name: &str,
    ) -> Option<Renames> {
        let mut renames = Renames::default();
        let engine = before.engine();
        if after.engine() != engine {
            return None;
        }
        for symbol in symbols {
            let Ok(old) = old_name(before, symbol) else { continue };
            let new_name = new_name.strip_prefix(old.prefix).unwrap_or(new_name);
            let whole = |symbol: &Symbol| match symbol {
                Symbol::Fragment(name) => name.clone(),
                Symbol::Value(path) => written(path),
            };
            let new = symbol_named(symbol, old.prefix, new_name);
            renames.names.insert(whole(symbol), whole(&new));
        }
        let in_tree = |snapshot: &Snapshot| -> Vec<(Token, String)> {
            let tokens = snapshot.tree.tokens().map(|found| found.token);
            let tokens = tokens.filter(|token| !token.kind.is_text());
            tokens.map(|token| (token, snapshot.slice(token.range()))).collect()
        };
        renames.add(engine, in_tree(before), in_tree(after))?;
        let (old, new) = (&before.declarations.fragments, &after.declarations.fragments);
        if old.len() != new.len() {
            return None;
        }
        for (old, new) in old.iter().zip(new) {
            renames.add(engine, tokens(engine, &old.text), tokens(engine, &new.text))?;
        }
        Some(renames)
    }

    fn add(
        &mut self,
        engine: Engine,
        before: Vec<(Token, String)>,
        after: Vec<(Token, String)>,
    ) -> Option<()> {
        let is_alike = |((old, _), (new, _)): (&(Token, String), &(Token, String))| {
            old.kind == new.kind && old.flaw == new.flaw
        };
        if before.len() != after.len() || !before.iter().zip(&after).all(is_alike) {
            return None;
        }
        for ((token, old), (_, new)) in before.into_iter().zip(after) {
            let name = |text: &str| text[name_range(engine, token.kind, text)].to_owned();
            if old != new {
                self.names.insert(name(&old), name(&new));
            }
            let known = self.placeholders.entry(old).or_insert_with(|| Some(new.clone()));
            if known.as_ref().is_some_and(|known| *known != new) {
                *known = None;
            }
        }
        Some(())
    }

    /// Writes runs of a resolved text. Unresolved placeholders get their new names.
    fn write(&self, engine: Engine, text: &str, runs: &[Run], renamed: &mut String) {
        for run in runs {
            match run.kind {
                RunKind::Literal => self.write_literal(engine, &text[run.output.clone()], renamed),
                // Text that a fragment leaves unresolved counts as its value.
                RunKind::Value if run.via.is_some() => {
                    self.write_literal(engine, &text[run.output.clone()], renamed);
                }
                RunKind::Value | RunKind::Escape => renamed.push_str(&text[run.output.clone()]),
                RunKind::Mixed => self.write(engine, text, &run.parts, renamed),
            }
        }
    }

    fn write_literal(&self, engine: Engine, text: &str, renamed: &mut String) {
        let mut copied = 0;
        for (token, old) in tokens(engine, text) {
            if let Some(Some(new)) = self.placeholders.get(&old) {
                renamed.push_str(&text[copied..token.start]);
                renamed.push_str(new);
                copied = token.end();
            }
        }
        renamed.push_str(&text[copied..]);
    }

    fn are_same(&self, before: Option<&EngineError>, after: Option<&EngineError>) -> bool {
        match (before, after) {
            (None, None) => true,
            (Some(before), Some(after)) => {
                let renamed = before.names.iter().map(|name| self.names.get(name).unwrap_or(name));
                before.kind == after.kind && renamed.eq(&after.names)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests;
