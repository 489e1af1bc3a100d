//! Packs: `*.pack.json` files, whose prompts stand in JSON strings.
//!
//! Each `prompts.TASK.system_template` becomes an ordinary [`LoadedPrompt`] of the decoded text,
//! and an [`OffsetMap`] that says where each character is written in the file. So nothing that
//! looks at prompts knows of packs: [`LoadedPack::in_file`] is the one place where what was
//! found in a decoded text moves into the file.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::{Settings, Snapshot, diagnose, keys_needed, unused_inputs};
use promptls_resolver::{
    Code, Declarations, FileId, Format, Location, Parsed, Problem, Related, Severity, Value,
    parse_value,
};
use promptls_syntax::{Dialect, Tree, Use};
use ropey::Rope;

use super::config::{Config, Configs};
use super::files::Files;
use super::sidecars::{LoadedPrompt, Overrides, load};

/// The syntax that we read; a pack that names none has it, too.
const SYNTAX: &str = "{{variable}}";

/// What a pack lists in `template_engine.features` if it has fragments.
const FRAGMENTS: &str = "fragments";

/// The most places at which one prompt hears that fragments are not switched on.
const MAX_WARNINGS: usize = 100;

/// Whether a file is a pack.
pub fn is_pack(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.and_then(|name| name.strip_suffix(".pack.json")).is_some_and(|stem| !stem.is_empty())
}

/// A pack with all that belongs to it.
#[derive(Clone, Debug)]
pub struct LoadedPack {
    /// Its prompts, in the order in which they are written.
    pub prompts: Vec<PackPrompt>,
    /// The files concerned; a [`FileId`] of any of its prompts is a position in this list.
    pub files: Vec<PathBuf>,
    /// Their texts, as they were read; that of the pack at [`LoadedPack::file`].
    pub texts: Vec<Option<Arc<str>>>,
    /// The pack itself. [`FileId::PROMPT`] is the decoded text of a prompt.
    pub file: FileId,
    /// The config that counts.
    pub config: Option<Arc<Config>>,
    /// The syntax that its prompts are in, if it is one that we do not read.
    pub foreign_syntax: Option<String>,
    /// Whether it cannot be read as JSON.
    pub is_broken: bool,
    /// What is wrong with the pack as a whole, with places in the file.
    problems: Vec<Problem>,
    /// The text that its prompts stand in, and what has changed since, while it is broken.
    since: Option<(Arc<str>, Change)>,
}

/// A prompt of a pack.
#[derive(Clone, Debug)]
pub struct PackPrompt {
    /// The key it stands under.
    pub task: Box<str>,
    /// All that the file says about it, from that key on.
    pub entry: Range<usize>,
    /// The decoded text, and all that belongs to it.
    pub loaded: LoadedPrompt,
    /// Where that text is written.
    pub map: OffsetMap,
}

/// Reads a pack whose text is at hand. Never fails: what cannot be read is a problem.
///
/// `path` is absolute. Cost: the pack and its sidecars, each read once.
pub fn load_pack(
    files: &dyn Files,
    configs: &Configs,
    path: &Path,
    text: Arc<str>,
    overrides: &Overrides,
) -> LoadedPack {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let mut pack = LoadedPack {
        prompts: Vec::new(),
        files: vec![path.to_owned(), path.to_owned()],
        texts: vec![None, Some(text.clone())],
        file: FileId(1),
        config: configs.nearest(files, folder),
        foreign_syntax: None,
        is_broken: false,
        problems: Vec::new(),
        since: None,
    };
    let Parsed { value, problems } = parse_value(&text, Format::Json, pack.file, "no prompts");
    pack.problems = problems;
    let Some(root) = value else {
        pack.is_broken = true;
        return pack;
    };
    let engine = member(&root, "template_engine");
    if let Some(syntax) = engine.and_then(|engine| member(engine, "syntax"))
        && let Some(name) = syntax.as_text().filter(|name| *name != SYNTAX)
    {
        let message = format!("prompts in the syntax `{name}` are not checked yet");
        let location = Location { file: pack.file, range: syntax.span.range() };
        let mut problem = Problem::new(Code::UnsupportedSyntax, location, message);
        problem.severity = Severity::Information;
        pack.problems.push(problem);
        pack.foreign_syntax = Some(name.to_owned());
        return pack;
    }
    let overrides = Overrides { dialect: Some(Dialect::PromptPack), ..overrides.clone() };
    let mut shared: Option<LoadedPrompt> = None;
    let tasks = member(&root, "prompts").and_then(Value::as_object);
    for entry in tasks.map(|tasks| tasks.entries()).unwrap_or_default() {
        let Some(template) = member(&entry.value, "system_template") else { continue };
        let Some((decoded, map)) = OffsetMap::decode(&text, template.span.range()) else {
            let kind = template.kind_name();
            let message = format!("`system_template` must be a string, this is {kind}");
            let location = Location { file: pack.file, range: template.span.range() };
            pack.problems.push(Problem::new(Code::InvalidInputs, location, message));
            continue;
        };
        // All prompts have the same sidecars, which are read once.
        let shared =
            shared.get_or_insert_with(|| load(files, configs, path, Rope::new(), None, &overrides));
        let decoded = Rope::from_str(&decoded);
        let mut loaded = shared.clone();
        loaded.follow(&decoded, &Arc::new(Tree::parse(Dialect::PromptPack, &decoded)));
        let file = FileId(u32::try_from(loaded.files.len()).unwrap_or(u32::MAX));
        loaded.files.push(path.to_owned());
        loaded.texts.push(Some(text.clone()));

        let variables = member(&entry.value, "variables");
        let snapshot = &mut loaded.snapshot;
        // A file that the command line names counts instead of what the pack declares.
        if overrides.variables.is_none() {
            let fragments = member(&root, "fragments");
            let (declarations, problems) = Declarations::from_parts(variables, fragments, file);
            snapshot.declarations = Arc::new(declarations);
            snapshot.file_problems.extend(problems);
            snapshot.has_variables_file = variables.is_some();
            snapshot.shared_variables = false;
        }
        let names = Arc::make_mut(&mut snapshot.file_names);
        names.insert(FileId::PROMPT, format!("prompt `{}`", entry.key).into());
        if variables.is_some() {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            names.insert(file, name.into());
        }
        Arc::make_mut(&mut snapshot.file_texts).insert(file, text.clone());
        if let Some(features) = engine.and_then(|engine| member(engine, "features")) {
            let warnings = fragments_without_feature(snapshot, features, file);
            snapshot.file_problems.extend(warnings);
        }
        let task = entry.key.clone();
        let entry = entry.key_span.range().start..entry.value.span.range().end;
        pack.prompts.push(PackPrompt { task, entry, loaded, map });
    }
    if let Some(PackPrompt { loaded, .. }) = pack.prompts.first() {
        pack.files.clone_from(&loaded.files);
        pack.texts.clone_from(&loaded.texts);
        pack.move_to(FileId(pack.files.len() as u32 - 1));
    }
    pack
}

fn member<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    let member = &value.as_object()?.get(key)?.value;
    (!member.is_null()).then_some(member)
}

/// A warning at each fragment that a prompt includes, where the pack does not switch them on.
fn fragments_without_feature(snapshot: &Snapshot, features: &Value, file: FileId) -> Vec<Problem> {
    let Some(listed) = features.as_list() else { return Vec::new() };
    if listed.iter().any(|feature| feature.as_text() == Some(FRAGMENTS)) {
        return Vec::new();
    }
    let tree = &snapshot.tree;
    let uses = tree.uses().filter(|(used, _)| {
        let name = tree.name(used.name);
        let fragment = name.strip_prefix("fragments.").unwrap_or(name);
        used.kind.reads() && snapshot.declarations.fragment(fragment).is_some()
    });
    let included = uses.map(|(used, _)| used).collect::<HashSet<Use>>();
    let places = tree.occurrences(&included, MAX_WARNINGS);
    places
        .into_iter()
        .map(|token| {
            let range = snapshot.name_range(&token);
            let location = Location { file: FileId::PROMPT, range };
            let message = "fragments are not switched on: `template_engine.features` does not list `fragments`";
            let mut problem = Problem::new(Code::UnsupportedSyntax, location, message);
            problem.related.push(Related {
                location: Location { file, range: features.span.range() },
                message: "the features of this pack".to_owned(),
            });
            problem
        })
        .collect()
}

impl LoadedPack {
    /// All problems of its prompts and of its own sidecars, with places in the files, sorted; at
    /// most `max` of each prompt.
    pub fn problems(&self, max: usize) -> Vec<Problem> {
        let mut problems = self.problems.clone();
        problems.extend(self.unused_inputs());
        problems.retain_mut(|problem| self.tell(problem));
        let mut said_no_inputs = false;
        for prompt in &self.prompts {
            let found = prompt.problems(max).into_iter();
            problems.extend(found.filter_map(|problem| self.in_file(prompt, problem)).filter(
                // That a pack has no inputs is worth saying once.
                |problem| {
                    let is_no_inputs = problem.code == Code::NoInputs;
                    let is_repeated = is_no_inputs && said_no_inputs;
                    said_no_inputs |= is_no_inputs;
                    !is_repeated
                },
            ));
        }
        let order = |problem: &Problem| {
            let Location { file, range } = &problem.location;
            (*file, range.start, range.end, problem.code)
        };
        problems.sort_by(|a, b| order(a).cmp(&order(b)).then_with(|| a.message.cmp(&b.message)));
        problems.dedup();
        problems
    }

    /// The problems of one of its prompts, with places in the prompt's text, and what nobody
    /// reads of the inputs; at most `max` of the first.
    pub fn problems_of(&self, index: usize, max: usize) -> Vec<Problem> {
        let mut problems = self.unused_inputs();
        problems.retain_mut(|problem| self.tell(problem));
        problems.extend(self.prompts.get(index).into_iter().flat_map(|it| it.problems(max)));
        problems
    }

    /// Sets how grave a problem is; `false` if nobody wants to hear of it.
    fn tell(&self, problem: &mut Problem) -> bool {
        let told = self.config.as_deref().and_then(|config| config.severities.get(&problem.code));
        match told {
            None => true,
            Some(None) => false,
            Some(Some(severity)) => {
                problem.severity = *severity;
                true
            }
        }
    }

    /// The keys of its own inputs files that none of its prompts reads.
    fn unused_inputs(&self) -> Vec<Problem> {
        let Some(first) = self.prompts.first() else { return Vec::new() };
        let read: BTreeSet<String> =
            self.prompts.iter().flat_map(|prompt| keys_needed(&prompt.loaded.snapshot)).collect();
        let name = self.files[0].file_name().unwrap_or_default().to_string_lossy();
        let reader = match &self.prompts[..] {
            [only] => format!("prompt `{}`", only.task),
            _ => format!("any prompt of {name}"),
        };
        let own = first.loaded.snapshot.cases.iter().filter(|case| !case.shared);
        own.flat_map(|case| unused_inputs(&case.inputs, &read, &reader)).collect()
    }

    /// A problem of a prompt with places in the file; `None` if its place is gone, which happens
    /// only while the file is broken.
    pub fn in_file(&self, prompt: &PackPrompt, mut problem: Problem) -> Option<Problem> {
        problem.location = self.location_in_file(prompt, problem.location)?;
        problem.related = problem
            .related
            .into_iter()
            .filter_map(|related| {
                let location = self.location_in_file(prompt, related.location)?;
                Some(Related { location, ..related })
            })
            .collect();
        Some(problem)
    }

    fn location_in_file(&self, prompt: &PackPrompt, location: Location) -> Option<Location> {
        let range = match location.file {
            FileId::PROMPT => prompt.map.in_file(&location.range),
            file if file == self.file => location.range,
            _ => return Some(location),
        };
        Some(Location { file: self.file, range: self.now(range)? })
    }

    /// Where a range of a prompt's text is in the file; `None` as for [`LoadedPack::in_file`].
    pub fn range_in_file(&self, prompt: &PackPrompt, range: &Range<usize>) -> Option<Range<usize>> {
        self.now(prompt.map.in_file(range))
    }

    fn now(&self, range: Range<usize>) -> Option<Range<usize>> {
        match &self.since {
            None => Some(range),
            Some((_, change)) => Some(change.now(range.start)?..change.now(range.end)?),
        }
    }

    /// The prompt whose text is written at an offset of the file, and the offset in that text.
    pub fn prompt_at(&self, offset: usize) -> Option<(&PackPrompt, usize)> {
        let offset = match &self.since {
            None => offset,
            Some((_, change)) => change.before(offset)?,
        };
        self.prompts.iter().find_map(|prompt| Some((prompt, prompt.map.in_text(offset)?)))
    }

    /// Which prompt an offset of the file is about, or else is next to; `None` if there are none.
    pub fn nearest(&self, offset: usize) -> Option<usize> {
        let offset = match &self.since {
            None => offset,
            Some((_, change)) => change.before(offset).unwrap_or(offset),
        };
        let distance = |prompt: &PackPrompt| {
            let Range { start, end } = prompt.entry;
            start.saturating_sub(offset).max(offset.saturating_sub(end))
        };
        (0..self.prompts.len()).min_by_key(|&index| distance(&self.prompts[index]))
    }

    /// Takes over from an earlier load what cannot be read now.
    pub fn keep_last_good(&mut self, old: &LoadedPack) {
        for prompt in &mut self.prompts {
            if let Some(old) = old.prompts.iter().find(|old| old.task == prompt.task) {
                prompt.loaded.keep_last_good(&old.loaded);
            }
        }
        let text_of = |pack: &LoadedPack| pack.texts[pack.file.0 as usize].clone();
        let last_good = match &old.since {
            Some((text, _)) => Some(text.clone()),
            None => text_of(old),
        };
        if self.is_broken
            && !old.prompts.is_empty()
            && let (Some(before), Some(now)) = (last_good, text_of(self))
        {
            let change = Change::between(before.as_bytes(), now.as_bytes());
            self.prompts.clone_from(&old.prompts);
            self.files.clone_from(&old.files);
            self.texts.clone_from(&old.texts);
            self.move_to(old.file);
            self.texts[old.file.0 as usize] = Some(now);
            self.since = Some((before, change));
        }
    }

    /// Gives the pack another id.
    fn move_to(&mut self, file: FileId) {
        for problem in &mut self.problems {
            problem.location.file = file;
            for related in &mut problem.related {
                related.location.file = file;
            }
        }
        self.file = file;
    }
}

impl PackPrompt {
    /// The problems of the prompt, with places in its text.
    pub fn problems(&self, max: usize) -> Vec<Problem> {
        let mut snapshot = self.loaded.snapshot.clone();
        // What the other prompts of the pack read is used, too.
        for case in &mut snapshot.cases {
            case.shared = true;
        }
        if !snapshot.cases.is_empty() || !self.loaded.broken.is_empty() {
            return diagnose(&snapshot, max);
        }
        // Without inputs, the values come at run time, as for any pack that is only shipped.
        let declarations = Arc::make_mut(&mut snapshot.declarations);
        let declared = declarations.variables.iter_mut().filter(|it| it.default.is_none());
        let names = declared.map(|variable| {
            variable.required = false;
            variable.name.to_string()
        });
        let names: Vec<String> = names.collect();
        let mut settings = Settings::clone(&snapshot.settings);
        settings.runtime.extend(names);
        snapshot.settings = Arc::new(settings);
        let mut problems = diagnose(&snapshot, max);
        // What a fragment needs has no value either, and nobody could say whether it should.
        if !snapshot.has_variables_file {
            problems.retain(|problem| problem.code != Code::UndefinedPlaceholder);
        }
        problems
    }
}

/// Where each character of a decoded JSON string is written. All offsets are in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OffsetMap {
    /// In order, without gaps. The last one is empty and ends both the text and the string.
    pieces: Vec<Piece>,
}

/// Text that is written as it is, or one character that is written as an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    /// Where it starts in the decoded text.
    text: usize,
    /// Where it starts in the file.
    file: usize,
    is_escape: bool,
}

impl OffsetMap {
    /// Decodes the JSON string at a range of a file, quotes included; `None` if there is none.
    pub fn decode(file: &str, range: Range<usize>) -> Option<(String, OffsetMap)> {
        let string = file.get(range.clone())?.strip_prefix('"')?.strip_suffix('"')?;
        let start = range.start + 1;
        let mut text = String::with_capacity(string.len());
        let mut pieces = Vec::new();
        let mut at = 0;
        while at < string.len() {
            let (text_start, file_start) = (text.len(), start + at);
            let rest = &string[at..];
            let is_escape = rest.starts_with('\\');
            at += if is_escape {
                let (character, len) = unescape(rest)?;
                text.push(character);
                len
            } else {
                let plain = rest.find('\\').unwrap_or(rest.len());
                text.push_str(&rest[..plain]);
                plain
            };
            pieces.push(Piece { text: text_start, file: file_start, is_escape });
        }
        pieces.push(Piece { text: text.len(), file: start + at, is_escape: false });
        Some((text, OffsetMap { pieces }))
    }

    /// Where a range of the text is written. Cost: O(log n) in the number of escapes.
    pub fn in_file(&self, range: &Range<usize>) -> Range<usize> {
        let offset = |offset: usize| {
            let after = self.pieces.partition_point(|piece| piece.text <= offset);
            let piece = self.pieces[after.saturating_sub(1)];
            if piece.is_escape { piece.file } else { piece.file + (offset - piece.text) }
        };
        let limit = self.end().text;
        offset(range.start.min(limit))..offset(range.end.min(limit))
    }

    /// The offset in the text of one in the file; inside an escape, that of its character. `None`
    /// outside of the string. Cost: as for [`OffsetMap::in_file`].
    pub fn in_text(&self, offset: usize) -> Option<usize> {
        let after = self.pieces.partition_point(|piece| piece.file <= offset);
        let piece = self.pieces[after.checked_sub(1)?];
        if offset > self.end().file {
            return None;
        }
        Some(if piece.is_escape { piece.text } else { piece.text + (offset - piece.file) })
    }

    fn end(&self) -> Piece {
        self.pieces[self.pieces.len() - 1]
    }
}

/// The character of the escape that a text starts with, and how long it is in bytes.
fn unescape(text: &str) -> Option<(char, usize)> {
    let character = match text.as_bytes().get(1)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let first = unit(text)?;
            let second = text.get(6..).and_then(unit);
            let units = std::iter::once(first).chain(second);
            let character = char::decode_utf16(units).next()?.ok()?;
            return Some((character, 6 * character.len_utf16()));
        }
        _ => return None,
    };
    Some((character, 2))
}

/// The UTF-16 unit of `\uXXXX`.
fn unit(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

/// What is different between two texts: one stretch of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change {
    start: usize,
    end_before: usize,
    end_now: usize,
}

impl Change {
    fn between(before: &[u8], now: &[u8]) -> Change {
        let start = before.iter().zip(now).take_while(|(a, b)| a == b).count();
        let (rest_before, rest_now) = (&before[start..], &now[start..]);
        let both = rest_before.iter().rev().zip(rest_now.iter().rev());
        let same = both.take_while(|(a, b)| a == b).count();
        Change { start, end_before: before.len() - same, end_now: now.len() - same }
    }

    /// Where an offset from before is now; `None` if what was there is gone.
    fn now(&self, offset: usize) -> Option<usize> {
        let backwards = Change { end_before: self.end_now, end_now: self.end_before, ..*self };
        backwards.before(offset)
    }

    /// Where an offset of now was before; `None` if what is there is new.
    fn before(&self, offset: usize) -> Option<usize> {
        match offset {
            _ if offset <= self.start => Some(offset),
            _ if offset >= self.end_now => Some(offset - self.end_now + self.end_before),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_pack_is_known_by_its_ending() {
        assert!(is_pack(Path::new("/a/support.pack.json")));
        assert!(!is_pack(Path::new("/a/.pack.json")));
        assert!(!is_pack(Path::new("/a/support.pack.inputs.json")));
    }

    #[test]
    fn escapes_are_one_character_each() {
        let file = r#"  "a\n\u00e9\ud83d\ude00{{b}}\"""#;
        let (text, map) = OffsetMap::decode(file, 2..file.len()).unwrap();
        assert_eq!(text, "a\né😀{{b}}\"");
        let written = |range| &file[map.in_file(&range)];
        assert_eq!(written(0..1), "a");
        assert_eq!(written(1..2), r"\n");
        assert_eq!(written(2..4), r"\u00e9");
        assert_eq!(written(4..8), r"\ud83d\ude00");
        assert_eq!(written(10..11), "b");
        assert_eq!(written(0..text.len()), &file[3..file.len() - 1]);
        // Between the quotes and on them; in the middle of an escape.
        assert_eq!(map.in_text(2), None);
        assert_eq!(map.in_text(3), Some(0));
        assert_eq!(map.in_text(5), Some(1));
        assert_eq!(map.in_text(file.len() - 1), Some(text.len()));
        assert_eq!(map.in_text(file.len()), None);
    }

    #[test]
    fn what_is_no_string_has_no_map() {
        assert_eq!(OffsetMap::decode("[1]", 0..3), None);
        assert_eq!(OffsetMap::decode(r#""\ud800""#, 0..8), None);
    }

    #[test]
    fn places_round_a_change_are_found_again() {
        let change = Change::between(b"abc def", b"abc xyz def");
        assert_eq!(change.now(4), Some(4));
        assert_eq!(change.now(7), Some(11));
        assert_eq!(change.before(6), None);
        let removed = Change::between(b"abc xyz def", b"abc def");
        assert_eq!(removed.now(6), None);
        assert_eq!(removed.before(7), Some(11));
    }

    /// A character, written in one of the ways that JSON has for it.
    fn written() -> impl Strategy<Value = (char, String)> {
        let character = prop_oneof![
            prop::sample::select(vec!['"', '\\', '/', '\n', '\t', '{', '}', 'a', 'é', '😀']),
            any::<char>(),
        ];
        (character, any::<bool>()).prop_map(|(character, is_escaped)| {
            let short = serde_json::to_string(&character).unwrap();
            let mut units = [0; 2];
            let units = character.encode_utf16(&mut units).iter();
            let written = match is_escaped {
                true => units.map(|unit| format!("\\u{unit:04X}")).collect(),
                false => short[1..short.len() - 1].to_owned(),
            };
            (character, written)
        })
    }

    proptest! {
        /// Every character is found where it is written, and back.
        #[test]
        fn each_character_maps_to_what_decodes_to_it(
            before in "[ \\[]{0,3}",
            characters in prop::collection::vec(written(), 0..40),
        ) {
            let body: String = characters.iter().map(|(_, written)| &**written).collect();
            let file = format!("{before}\"{body}\"]");
            let string = before.len()..file.len() - 1;
            let (text, map) = OffsetMap::decode(&file, string.clone()).unwrap();
            prop_assert_eq!(&text, &serde_json::from_str::<String>(&file[string]).unwrap());
            for ((at, character), (_, written)) in text.char_indices().zip(&characters) {
                let range = map.in_file(&(at..at + character.len_utf8()));
                prop_assert_eq!(&file[range.clone()], written);
                prop_assert_eq!(map.in_text(range.start), Some(at));
            }
        }
    }
}
