//! Reads host files of other languages with [`promptls_hosts`].

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use promptls_analysis::{Contract, Hole, HostText};
use promptls_hosts::{self as hosts, Found, Language, Piece, PieceKind, Why};
use promptls_resolver::{Declarations, FileId, Format, Location, Value, parse_value};
use promptls_syntax::Dialect;

use super::conflict::Conflict;
use super::found::found_in;
use super::strings::Strings;
use super::unread::unread_problem;
use super::writing::InHost;
use crate::readers::text_map::TextMap;
use crate::readers::{Contents, Declared, FoundPrompt, Reader, Source};

/// Reads hosts in a language.
#[derive(Debug)]
pub struct Hosts(pub Language);

impl Reader for Hosts {
    fn claims(&self, _: &Path) -> bool {
        false
    }

    fn may_claim(&self, path: &Path) -> bool {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.and_then(Language::from_ending) == Some(self.0)
    }

    fn recognizes(&self, source: &Source<'_>) -> Option<bool> {
        let Some(strings) = Strings::of_file(source.path, source.config, &source.uses) else {
            return Some(false);
        };
        let found = found_in(self.0, source.text, &Arc::new(strings));
        // During typing, the host may become valid again soon.
        (!found.is_broken()).then_some(!found.prompts.is_empty() || !found.conflicts.is_empty())
    }

    fn is_named(&self, source: &Source<'_>) -> bool {
        let strings = Strings::of_file(source.path, source.config, &source.uses);
        strings.is_some_and(|strings| strings.are_named_in(self.0))
    }

    fn dialect(&self) -> Option<Dialect> {
        None
    }

    fn names_prompts_in_sidecars(&self) -> bool {
        true
    }

    fn read(&self, source: &Source<'_>, file: FileId) -> Contents {
        let strings = Strings::of_file(source.path, source.config, &source.uses);
        let Some(strings) = strings.map(Arc::new) else { return Contents::default() };
        let found = found_in(self.0, source.text, &strings);
        let prompts = found.prompts.iter().cloned();
        let prompts = prompts.map(|found| self.prompt(found, source, &strings, file)).collect();
        let conflicts = found.conflicts.iter().map(|it| Conflict::new(self.0, &strings, it));
        let conflicts: Vec<Conflict> = conflicts.collect();
        let unread = found.unread.iter().map(|it| unread_problem(it, file));
        let problems = unread.chain(conflicts.iter().map(|it| it.problem(file))).collect();
        Contents { prompts, problems, conflicts, is_broken: found.is_broken() }
    }

    fn language(&self) -> &'static str {
        self.0.id()
    }

    fn where_prompts_stand(&self) -> &'static str {
        "strings that a framework, a mark or a rule with `strings` says are prompts"
    }
}

impl Hosts {
    fn prompt(
        &self,
        found: Found,
        source: &Source<'_>,
        strings: &Arc<Strings>,
        file: FileId,
    ) -> FoundPrompt {
        let map = TextMap::of(&found.text, found.literals.clone());
        let why = match &found.why {
            Why::Recogniser(place) => (*place).into(),
            Why::Mark => "a mark".into(),
            Why::Rule(entry) => format!("`{entry}` in a rule of promptls.toml").into(),
        };
        FoundPrompt {
            name: found.name.as_str().into(),
            why,
            entry: found.entry.clone(),
            dialect: found.dialect,
            agent: found.agent.clone(),
            text: found.text.text().to_owned(),
            host: Some(HostText {
                holes: holes(&found, source.text),
                contracts: found.contracts.iter().map(|it| contract(it, file)).collect(),
                ..HostText::default()
            }),
            map,
            declared: declared(&found, source.text, file),
            problems: Vec::new(),
            writing: Arc::new(InHost { language: self.0, strings: strings.clone(), found }),
        }
    }
}

/// The parts of a prompt that the program computes.
fn holes(found: &Found, source: &str) -> Vec<Hole> {
    let holes = found.text.pieces().iter().filter(|piece| piece.kind == PieceKind::Hole);
    let hole = |piece: &Piece| Hole {
        range: piece.text.clone(),
        written: source[piece.source.clone()].to_owned(),
    };
    holes.map(hole).collect()
}

/// A call next to a prompt, with its places in the file.
fn contract(found: &hosts::Contract, file: FileId) -> Contract {
    let at = |range: &Range<usize>| Location { file, range: range.clone() };
    let keys = found.keys.iter().map(|(name, range)| (name.clone(), at(range))).collect();
    let hosts::Contract { call, is_whole, is_own, .. } = found;
    Contract { call: at(call), keys, is_whole: *is_whole, is_own: *is_own }
}

/// The variables that a PromptKit PromptConfig declares for its prompt, as packs do.
fn declared(found: &Found, text: &str, file: FileId) -> Option<Declared> {
    if found.why != Why::Recogniser("PromptKit PromptConfig") {
        return None;
    }
    let root = parse_value(text, Format::Yaml, file, "no prompt").value?;
    let member = |value: &Value, key: &str| Some(value.as_object()?.get(key)?.value.clone());
    let variables = member(&root, "spec").and_then(|spec| member(&spec, "variables"));
    let (declarations, _) = Declarations::from_parts(variables.as_ref(), None, file);
    Some(Declared {
        declarations,
        has_variables: variables.is_some(),
        variables_at: ["spec", "variables"].map(str::to_owned).to_vec(),
    })
}
