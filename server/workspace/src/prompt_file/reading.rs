//! Reads a file of prompts: its text, its sidecars, and the program around it.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use promptls_analysis::{HostText, PromptText, SharedWith, Snapshot};
use promptls_hosts::{Chat, Demand, Language as Reader, value_supply};
use promptls_resolver::{FileId, Language};
use promptls_syntax::Tree;

use super::{Prompt, PromptFile, chat_calls, choices};
use crate::config::Config;
use crate::files::paths::folder_of;
use crate::hosts::engine;
use crate::hosts::own_output::is_own_data;
use crate::hosts::program_facts::ProgramFacts;
use crate::hosts::program_names::Program;
use crate::hosts::state_names::{AppFile, AppNames};
use crate::hosts::unread::unread_strings;
use crate::kind::kind_of_text;
use crate::project::Project;
use crate::readers::drift::Drift;
use crate::readers::text_map::TextMap;
use crate::readers::{Contents, Declared, FoundPrompt, HostSource, PromptReader, reader_of_text};
use crate::sidecars::loading::{Overrides, Sidecars};
use crate::sidecars::of_prompts::OwnSidecars;

/// The key of the list of variables in a file of variables.
const VARIABLES: &str = "variables";

impl PromptFile {
    /// Reads a file of prompts whose text is available. Never fails: what cannot be read is
    /// reported as a problem.
    ///
    /// `path` is absolute. What cannot be used now, but could in `last`, is taken from there. Cost:
    /// the text, unless `last` has the same one; the sidecars, each read once.
    pub fn read(
        project: Project<'_>,
        path: &Path,
        text: PromptText,
        overrides: &Overrides,
        last: Option<&PromptFile>,
    ) -> PromptFile {
        let config = project.configs.nearest(project.files, folder_of(path));
        let last_reader = last.and_then(|last| last.reader);
        let shared = || Ok(text.shared());
        let reader = reader_of_text(path, config.as_deref(), project.program, shared, last_reader);
        let mut sidecars = Sidecars::load(project, path, reader, overrides);
        if let Some(last) = last {
            sidecars.keep_last_good(&last.sidecars);
        }
        let Some(reader) = reader else { return PromptFile::whole(project, sidecars, text, last) };
        let uses = project.program.uses(path);
        HostReading { reader, project, overrides, uses }.file(sidecars, &text.shared(), last)
    }

    /// `true` if a file holds prompts; `text` is its text, and `last` its previous state.
    pub fn is_one(
        path: &Path,
        text: &PromptText,
        config: Option<&Config>,
        program: &dyn ProgramFacts,
        last: Option<&PromptFile>,
    ) -> bool {
        let last = last.and_then(|last| last.reader);
        kind_of_text(path, config, program, || Ok(text.shared()), last).is_some()
    }

    /// A file that is a prompt, or one whose rule names strings in it that are not read.
    fn whole(
        project: Project<'_>,
        sidecars: Sidecars,
        text: PromptText,
        last: Option<&PromptFile>,
    ) -> PromptFile {
        let path = &sidecars.files[0];
        let rule = sidecars.config.as_deref().and_then(|config| config.rule_for(path));
        if rule.is_some_and(|rule| rule.names_unread_strings(path)) {
            return PromptFile::without_prompts(sidecars, text);
        }
        let tree = last.and_then(|last| last.tree_of(&text));
        let len = text.len_bytes();
        let mut snapshot = sidecars.snapshot(text, tree);
        let around = add_application(project, &sidecars, &mut snapshot);
        let prompt = Prompt {
            name: None,
            variable: None,
            chat: None,
            why: None,
            entry: 0..len,
            snapshot,
            map: TextMap::identity(),
            writing: None,
            included_by: Vec::new(),
            variables_at: vec![VARIABLES.to_owned()],
        };
        PromptFile {
            prompts: vec![prompt],
            chats: Vec::new(),
            files: sidecars.files.clone(),
            texts: sidecars.texts.clone(),
            around,
            file: FileId::PROMPT,
            is_broken: false,
            sidecars,
            reader: None,
            problems: Vec::new(),
            conflicts: Vec::new(),
            drift: None,
        }
    }

    /// A file with strings that are not read. What promptls has written is no error.
    fn without_prompts(sidecars: Sidecars, text: PromptText) -> PromptFile {
        let text = text.shared();
        let problem = (!is_own_data(&sidecars.files[0], &text)).then(unread_strings);
        let mut texts = sidecars.texts.clone();
        texts[0] = Some(text);
        PromptFile {
            prompts: Vec::new(),
            chats: Vec::new(),
            files: sidecars.files.clone(),
            texts,
            around: Vec::new(),
            file: FileId::PROMPT,
            is_broken: true,
            sidecars,
            reader: None,
            problems: problem.into_iter().collect(),
            conflicts: Vec::new(),
            drift: None,
        }
    }

    /// The tokens of a text that is identical to that of its only prompt.
    fn tree_of(&self, text: &PromptText) -> Option<Arc<Tree>> {
        let [Prompt { snapshot, .. }] = &self.prompts[..] else { return None };
        snapshot.text.is_instance(text).then(|| snapshot.tree.clone())
    }
}

/// Adds to a prompt that is a file the names that its application sets: code around it whose project
/// uses an engine of its dialect. Returns the files with these names; their ids follow those of the
/// sidecars.
///
/// Cost: the manifests around the file, once per folder; for such an application, its code, once.
fn add_application(
    project: Project<'_>,
    sidecars: &Sidecars,
    snapshot: &mut Snapshot,
) -> Vec<Arc<AppFile>> {
    let (path, dialect) = (&sidecars.files[0], snapshot.dialect());
    let kinds = value_supply(dialect, None).map_or(&[][..], |supply| supply.kinds);
    let is_application = || {
        let engines = project.configs.project_engines(project.files, path);
        engines.iter().any(|found| found.engine.dialect() == dialect)
    };
    if sidecars.certain != Some(dialect) || kinds.is_empty() || !is_application() {
        return Vec::new();
    }
    let sets_names =
        |names: Arc<AppNames>| names.computes_keys || !names.supplied(kinds).files().is_empty();
    if !project.program.names(path).is_some_and(sets_names) {
        return Vec::new();
    }
    snapshot.host = Some(Arc::new(HostText { is_whole_file: true, ..HostText::default() }));
    let last = FileId(u32::try_from(sidecars.files.len() - 1).unwrap_or(u32::MAX));
    let mut program = Program::new(project, path, "", last);
    program.complete(snapshot);
    program.others
}

/// The way in which a file that holds prompts in strings is read.
struct HostReading<'h> {
    reader: PromptReader,
    project: Project<'h>,
    overrides: &'h Overrides,
    /// The strings of the file that other files use.
    uses: Arc<[Demand]>,
}

/// What all prompts of a file have in common.
struct CommonParts<'h> {
    sidecars: &'h Sidecars,
    /// The sidecars of single prompts, if the file may have such.
    own: Option<OwnSidecars<'h>>,
    /// The other readers of its inputs files.
    shared: SharedWith,
    /// The id of places in the file, and its name and text.
    file: FileId,
    name: String,
    text: &'h Arc<str>,
    /// The language whose engines read its prompts: [`engine::language_of_engines`].
    language: Option<Language>,
}

impl HostReading<'_> {
    /// The file with this text.
    fn file(self, sidecars: Sidecars, text: &Arc<str>, last: Option<&PromptFile>) -> PromptFile {
        let path = &sidecars.files[0];
        let file = FileId(u32::try_from(sidecars.files.len()).unwrap_or(u32::MAX));
        let (contents, drift) = self.contents(&sidecars, text, file, last);
        let Contents { prompts: found, chats, mut problems, conflicts, is_broken } = contents;
        let written_in = drift.as_ref().map_or(text, |(good, _)| good);

        let names = found.iter().map(|it| it.inputs_name().clone());
        // The messages of a chat have one name.
        let names: Vec<Arc<str>> = names.collect::<BTreeSet<_>>().into_iter().collect();
        let own =
            self.reader.names_prompts_in_sidecars().then(|| OwnSidecars::new(&sidecars, &names));
        problems.extend(own.iter().flat_map(|own| own.without_prompt(path)));
        let shared = match found.len() {
            0 | 1 => SharedWith::NoOther,
            _ => SharedWith::ItsFile,
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Texts and data have that of the code that reads them.
        let of_users = || {
            self.uses.iter().find_map(|demand| match demand {
                Demand::Text(text) => engine::language_of_engines(text.language.id(), ""),
                _ => None,
            })
        };
        let language = engine::language_of_engines(self.reader.language().id(), written_in);
        let language = language.or_else(of_users);
        let common = CommonParts {
            sidecars: &sidecars,
            own,
            shared,
            file,
            name,
            text: written_in,
            language,
        };
        let mut program = Program::new(self.project, path, written_in, file);
        let mut prompts: Vec<Prompt> =
            found.into_iter().map(|found| self.prompt(found, &common, &mut program)).collect();
        choices::settle(&mut prompts);
        number_chats(&mut prompts, &chats);
        let calls: Vec<_> = chats.iter().map(|chat| (chat, program.calls_of_chat(chat))).collect();
        problems.extend(chat_calls::problems(&calls, &prompts, file));
        let around = program.others;

        let mut files = sidecars.files.clone();
        files.push(files[0].clone());
        let mut texts = sidecars.texts.clone();
        texts.push(Some(text.clone()));
        let reader = Some(self.reader);
        PromptFile {
            prompts,
            chats,
            files,
            texts,
            around,
            file,
            is_broken,
            sidecars,
            reader,
            problems,
            conflicts,
            drift,
        }
    }

    /// The contents of the file. While it is broken, its prompts are from its last valid text, which
    /// is returned with the changes since then.
    fn contents(
        &self,
        sidecars: &Sidecars,
        text: &Arc<str>,
        file: FileId,
        last: Option<&PromptFile>,
    ) -> (Contents, Option<(Arc<str>, Drift)>) {
        let (path, config) = (&sidecars.files[0], sidecars.config.as_deref());
        let read = |text: &Arc<str>| {
            self.reader.read(&HostSource { path, text, config, uses: self.uses.clone() }, file)
        };
        let mut contents = read(text);
        let last = last.filter(|_| contents.is_broken).and_then(PromptFile::last_good_text);
        let Some(good) = last else { return (contents, None) };
        Contents { prompts: contents.prompts, chats: contents.chats, .. } = read(&good);
        let drift = Drift::between(good.as_bytes(), text.as_bytes());
        (contents, Some((good, drift)))
    }

    fn prompt(
        &self,
        found: FoundPrompt,
        common: &CommonParts<'_>,
        program: &mut Program<'_>,
    ) -> Prompt {
        let Project { files, configs, .. } = self.project;
        let engines = || configs.project_engines(files, &common.sidecars.files[0]);
        let (named, field) = (found.engine.map(|it| it.id), found.engine.map(|it| it.field));
        let engine = engine::engine_of(common.language, (found.dialect, named), engines);
        let text = PromptText::from(&*found.text);
        let mut snapshot = common.sidecars.snapshot_as(found.dialect, (engine, field), text);
        if snapshot.settings.engines.is_empty() {
            let dialect = snapshot.dialect();
            let unknown = match common.language {
                Some(language) => engine::unknown_engine_of(language, dialect),
                None => configs.unknown_engine(files, &common.sidecars.files[0], dialect),
            };
            if unknown != snapshot.settings.unknown_engine {
                Arc::make_mut(&mut snapshot.settings).unknown_engine = unknown;
            }
        }
        for case in snapshot.cases.iter_mut().filter(|case| !case.is_shared()) {
            case.shared = common.shared;
        }
        if let Some(own) = &common.own {
            own.give(found.inputs_name(), &mut snapshot);
            // The other messages read them, too.
            let of_chat =
                snapshot.cases.iter_mut().filter(|it| found.chat.is_some() && !it.is_shared());
            of_chat.for_each(|case| case.shared = SharedWith::ItsFile);
        }
        common.sidecars.give_cases_of_users(&found.included_by, &mut snapshot);
        snapshot.host = found.host.map(Arc::new);
        if snapshot.settings.agent.is_none() && found.agent.is_some() {
            Arc::make_mut(&mut snapshot.settings).agent = found.agent;
        }
        // Packs and the like are shipped without inputs.
        snapshot.ships_without_inputs = common.sidecars.broken.is_empty();
        // A whole text has the name of its file.
        if self.reader.language() != Reader::Text {
            let names = Arc::make_mut(&mut snapshot.file_names);
            names.insert(FileId::PROMPT, format!("prompt `{}`", found.name).into());
        }
        Arc::make_mut(&mut snapshot.file_texts).insert(common.file, common.text.clone());
        snapshot.file_problems.extend(found.problems);
        // A variables file from the command line replaces the declarations in this file.
        let declared = found.declared.filter(|_| self.overrides.variables.is_none());
        let variables_at = match declared {
            Some(declared) => common.declare(declared, &mut snapshot),
            None => vec![VARIABLES.to_owned()],
        };
        program.complete(&mut snapshot);
        let chat = found.chat.map(|name| (0, name));
        let FoundPrompt { name, variable, why, entry, map, writing, included_by, .. } = found;
        // A whole text is called by its file.
        let name = (self.reader.language() != Reader::Text).then_some(name);
        let (why, writing) = (Some(why), Some(writing));
        Prompt {
            name,
            variable,
            chat,
            why,
            entry,
            snapshot,
            map,
            writing,
            included_by,
            variables_at,
        }
    }
}

/// Gives the messages of chats the indices of these.
fn number_chats(prompts: &mut [Prompt], chats: &[Chat]) {
    let indices: HashMap<&str, usize> =
        chats.iter().enumerate().map(|(index, chat)| (&*chat.name, index)).collect();
    for (index, name) in prompts.iter_mut().filter_map(|prompt| prompt.chat.as_mut()) {
        *index = indices.get(&**name).copied().unwrap_or(usize::MAX);
    }
}

impl CommonParts<'_> {
    /// Gives a prompt the declarations of the file. Returns the keys of the list of its variables.
    fn declare(&self, declared: Declared, snapshot: &mut Snapshot) -> Vec<String> {
        if declared.has_variables {
            let name = self.name.as_str().into();
            Arc::make_mut(&mut snapshot.file_names).insert(self.file, name);
        }
        snapshot.declarations = Arc::new(declared.declarations);
        snapshot.must_declare = true;
        snapshot.has_variables_file = declared.has_variables && self.sidecars.has_names();
        snapshot.shared_variables = false;
        declared.variables_at
    }
}
