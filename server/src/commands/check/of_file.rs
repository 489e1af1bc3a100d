//! Problems that depend on the command line: an engine version that is unknown, a store with
//! another text.

use std::path::Path;

use promptls_resolver::{Code, EngineRef, FileId, Location, Problem};
use promptls_workspace::{Files, PromptFile, Sources, unknown_version};

use super::{Check, Outcome};

impl Check<'_> {
    /// Adds a problem at the start of a file, with the severity that its config gives the code.
    pub(super) fn of_file(&self, path: &Path, code: Code, message: String, outcome: &mut Outcome) {
        let text = (&self.files as &dyn Files).read(path).ok();
        let first = text.as_deref().and_then(|text| text.chars().next());
        let range = 0..first.map_or(0, char::len_utf8);
        let problem = Problem::new(code, Location { file: FileId::PROMPT, range }, message);
        let config = path.parent().and_then(|folder| self.configs.nearest(&self.files, folder));
        let problem = match config {
            Some(config) => config.severities.apply(problem),
            None => Some(problem),
        };
        let sources = Sources::of_file(self.name(path), text, self.args.format.columns());
        self.findings(problem.as_slice(), &sources, |_| path, outcome);
    }

    /// Records the first file with a prompt that the engine of `--engine` sends, if its version is
    /// unknown.
    pub(super) fn note_engine(&self, path: &Path, file: &PromptFile, outcome: &mut Outcome) {
        let Some(engine) = self.unknown_engine() else { return };
        let sends = |it: &promptls_workspace::Prompt| {
            it.snapshot.engines().first().is_some_and(|first| first.of_field("") == engine)
        };
        if file.own_prompts().any(sends) {
            outcome.sent_by_unknown.insert(path.to_owned());
        }
    }

    /// Reports an unknown version in `--engine` once, at the first prompt that it sends: no line of
    /// a config contains it.
    pub(super) fn engine(&self, outcome: &mut Outcome) {
        let first = std::mem::take(&mut outcome.sent_by_unknown).pop_first();
        if let (Some(engine), Some(path)) = (self.unknown_engine(), first) {
            let message = unknown_version(engine);
            self.of_file(&path, Code::EngineVersionUnknown, message, outcome);
        }
    }

    fn unknown_engine(&self) -> Option<EngineRef> {
        self.args.looking.engine.filter(EngineRef::is_unknown_version)
    }
}
