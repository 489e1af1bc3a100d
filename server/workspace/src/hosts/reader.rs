//! Reads host files of other languages with [`promptls_hosts`].

use std::ops::Range;
use std::sync::Arc;

use promptls_analysis::{
    CallElsewhere, Contract, CrewName, Hole, HostText, ListedNames, Role, SuppliedKey,
};
use promptls_data::read_part;
use promptls_hosts::{
    self as hosts, Chat, ChatContent, ChatMessage, DeclaredAt, DecodedPiece, HostPrompt, Language,
    PieceKind, Supply, Why, data_range,
};
use promptls_resolver::{
    Code, Declarations, FileId, Format, Location, Parsed, Problem, Value, refused, value_of,
};

use super::conflict::Conflict;
use super::crews;
use super::pack::{PackFile, member};
use super::program_names::literal_json;
use super::prompt_cache::found_in;
use super::rule_strings::Strings;
use super::unread::{computed_prompt, unread_problem};
use super::writing::InHost;
use crate::readers::text_map::TextMap;
use crate::readers::{Contents, Declared, FoundPrompt, HostSource, PromptReader};

impl PromptReader {
    /// The contents of a file, whose places have the id `file`. Never fails: what cannot be read is
    /// reported as a problem.
    pub fn read(self, source: &HostSource<'_>, file: FileId) -> Contents {
        let strings = Strings::of_file(source.path, source.config, &source.uses);
        let Some(strings) = strings.map(Arc::new) else { return Contents::default() };
        let found = found_in(self.language(), source.text, &strings);
        let has_declarations = found.prompts.iter().any(|it| it.declared.is_some());
        let values = match self.pack().is_some() || has_declarations {
            true => values(self.language(), source.text, file),
            false => Parsed { value: None, problems: Vec::new() },
        };
        let root = values.value.as_ref();
        let mut pack = None;
        if let Some(kind) = self.pack() {
            match root {
                Some(root) => pack = Some(PackFile::new(kind, root, self.language(), file)),
                None => return unreadable(values.problems),
            }
        }
        let prompt = |found: &HostPrompt| {
            let mut prompt = self.prompt(found.clone(), source, &strings, file);
            if let Some((at, root)) = found.declared.as_ref().zip(root) {
                let (declared, problems) = declared(at, root, file);
                if let Some(pack) = &pack {
                    prompt.problems = problems;
                    prompt.problems.extend(pack.problems_of(&prompt.text, &declared.declarations));
                }
                prompt.declared = Some(declared);
            }
            prompt
        };
        let mut prompts: Vec<FoundPrompt> = found.prompts.iter().map(prompt).collect();
        for chat in &found.chats {
            let is_of = |index: &usize| found.prompts[*index].chat.as_ref() == Some(&chat.name);
            let first = chat.prompts().find(is_of).and_then(|first| prompts[first].host.as_mut());
            if let Some(host) = first {
                host.messages = supplied_messages(chat, file);
            }
        }
        let conflicts =
            found.conflicts.iter().map(|it| Conflict::new(self.language(), &strings, it));
        let conflicts: Vec<Conflict> = conflicts.collect();
        let unread = found.unread.iter().map(|it| unread_problem(it, file));
        let computed = found.computed.iter().map(|it| computed_prompt(&it.unread, file));
        let configs = found.unknown_configs.iter().map(|it| crews::unknown_config(it, file));
        let mut problems: Vec<Problem> = unread.chain(computed).chain(configs).collect();
        problems.extend(conflicts.iter().map(|it| it.problem(file)));
        if let Some(pack) = pack {
            problems.extend(values.problems.iter().cloned());
            problems.extend(pack.problems());
        }
        Contents {
            prompts,
            chats: found.chats.clone(),
            problems,
            conflicts,
            is_broken: found.is_broken(),
        }
    }

    fn prompt(
        self,
        found: HostPrompt,
        source: &HostSource<'_>,
        strings: &Arc<Strings>,
        file: FileId,
    ) -> FoundPrompt {
        let map = match found.read_only {
            Some(_) => TextMap::named_at(found.literals[0].clone(), found.text.text().len()),
            // Without quotes, the end of a string belongs to its text.
            None if self.language().is_yaml() => TextMap::of(&found.text, Vec::new()),
            None => TextMap::of(&found.text, found.literals.clone()).with_included(&found.included),
        };
        let why = match &found.why {
            Why::Recogniser { place, .. } => (*place).into(),
            Why::Mark => "a mark".into(),
            Why::Rule(entry) => format!("`{entry}` in a rule of promptls.toml").into(),
        };
        FoundPrompt {
            name: found.name.as_str().into(),
            variable: found.variable.as_deref().map(Arc::from),
            chat: found.chat.as_deref().map(Arc::from),
            why,
            entry: found.entry.clone(),
            dialect: found.dialect,
            engine: found.engine,
            agent: found.agent.clone(),
            included_by: found.included_by.clone(),
            text: found.text.text().to_owned(),
            host: self.pack().is_none().then(|| HostText {
                holes: holes(&found, source.text),
                contracts: found.contracts.iter().map(|it| contract(it, file)).collect(),
                calls_elsewhere: found.supplies.iter().filter_map(call_elsewhere).collect(),
                choice: found.choice.as_ref().map(|choice| choice.start),
                listed: found.listed.as_ref().map(|it| listed(it, file)),
                later: found.later.clone(),
                crew: found.crew_references.iter().map(|it| crew_name(it, file)).collect(),
                role: found.role.as_deref().map(Role::of_message),
                is_of_framework: found.is_of_framework,
                ..HostText::default()
            }),
            map,
            declared: None,
            problems: Vec::new(),
            writing: Arc::new(InHost {
                language: self.language(),
                strings: strings.clone(),
                found,
            }),
        }
    }
}

/// The contents of a pack that cannot be read.
fn unreadable(mut problems: Vec<Problem>) -> Contents {
    problems.iter_mut().for_each(|it| it.code = Code::UnreadableFile);
    Contents { problems, is_broken: true, ..Contents::default() }
}

/// The values of a data file.
pub(super) fn values(language: Language, text: &str, file: FileId) -> Parsed<Value> {
    let format = match language {
        Language::Json => Format::Json,
        Language::Toml => Format::Toml,
        _ => Format::Yaml,
    };
    match read_part(format, text, data_range(language, text).unwrap_or_default()) {
        Ok(tree) => value_of(&tree, file, "no prompts"),
        Err(refusal) => refused(refusal, text, file),
    }
}

/// The parts of a prompt that the program computes or takes from other files.
fn holes(found: &HostPrompt, source: &str) -> Vec<Hole> {
    let holes = found.text.pieces().iter().filter(|piece| piece.kind == PieceKind::Hole);
    let known = |range: &Range<usize>| found.known_holes.iter().find(|it| it.hole == *range);
    let hole = |piece: &DecodedPiece| Hole {
        range: piece.text.clone(),
        written: source[piece.source.clone()].to_owned(),
        text: known(&piece.text).map(|known| known.text.as_str().into()),
    };
    holes.map(hole).collect()
}

/// The names of the messages that the program supplies to a chat, with their places in the file.
fn supplied_messages(chat: &Chat, file: FileId) -> Vec<(String, Location)> {
    let name = |message: &ChatMessage| match &message.content {
        ChatContent::Supplied { name, range: Some(range), .. } => {
            Some((name.clone(), Location { file, range: range.clone() }))
        }
        _ => None,
    };
    chat.messages.iter().filter_map(name).collect()
}

/// A call of another file that supplies values; `None` in the finds of that file.
pub(super) fn call_elsewhere(supply: &Supply) -> Option<CallElsewhere> {
    let Supply { file, contract, keys, is_whole } = supply.clone();
    Some(CallElsewhere { file: file?, index: contract, keys, is_whole })
}

/// A call next to a prompt, with its places in the file.
pub(super) fn contract(found: &hosts::Contract, file: FileId) -> Contract {
    let at = |range: &Range<usize>| Location { file, range: range.clone() };
    let key = |key: &hosts::SuppliedKey| SuppliedKey {
        name: key.name.clone(),
        location: at(&key.range),
        literal: key.literal.as_ref().map(literal_json),
        is_preset: key.is_preset,
    };
    let keys = found.keys.iter().map(key).collect();
    let hosts::Contract { ref call, is_whole, is_open, is_own, .. } = *found;
    Contract { call: at(call), keys, is_whole, is_open, is_own }
}

/// A name of an agent or a task in the file, until its crew is known.
fn crew_name(found: &hosts::CrewReference, file: FileId) -> CrewName {
    CrewName {
        part: crews::in_words(found.part),
        name: found.name.clone(),
        is_spread: found.is_spread,
        location: Location { file, range: found.range.clone() },
        known: None,
    }
}

/// The list of the names of a prompt, with its places in the file.
fn listed(found: &hosts::ListedNames, file: FileId) -> ListedNames {
    let at = |range: &Range<usize>| Location { file, range: range.clone() };
    ListedNames {
        keyword: found.keyword,
        list: at(&found.list),
        names: found.names.iter().map(|(name, range)| (name.clone(), at(range))).collect(),
        supplied: found.supplied.clone(),
    }
}

/// The declarations of a prompt in the same file, and their problems.
fn declared(at: &DeclaredAt, root: &Value, file: FileId) -> (Declared, Vec<Problem>) {
    let variables = at.variables.iter().try_fold(root, |value, key| member(value, key));
    let fragments = at.fragments.and_then(|key| member(root, key));
    let (declarations, problems) = Declarations::from_parts(variables, fragments, file);
    let has_variables = variables.is_some();
    (Declared { declarations, has_variables, variables_at: at.variables.clone() }, problems)
}
