//! The crews of an application, by the files with the configurations of their tasks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::{CrewNames, did_you_mean};
use promptls_hosts::{Crew, CrewMember, CrewPart, UnknownConfig};
use promptls_resolver::{Code, EngineRef, FileId, Location, Problem, Version};

use super::state_names::AppFile;
use crate::files::paths::{absolute, folder_of};

/// The first release of CrewAI that looks up the names in configurations of tasks.
const LOOKS_UP_NAMES: Version = Version([0, 51, 0]);

/// The crews of each file.
#[derive(Debug, Default)]
pub struct Crews(BTreeMap<PathBuf, Vec<(Arc<AppFile>, Crew)>>);

impl Crews {
    /// Adds the crews of a file of code.
    pub fn add(&mut self, file: &Arc<AppFile>, crews: &[Crew]) {
        for crew in crews {
            let tasks = absolute(folder_of(&file.path), Path::new(&crew.tasks_file));
            self.0.entry(tasks).or_default().push((file.clone(), crew.clone()));
        }
    }

    /// The only crew with the tasks of a file, and its own file; `None` if it may have others, and if
    /// some of its methods are unknown.
    pub fn of_tasks(&self, path: &Path) -> Option<&(Arc<AppFile>, Crew)> {
        let [only] = self.0.get(path)?.as_slice() else { return None };
        only.1.is_whole.then_some(only)
    }
}

/// `true` if an engine looks up the names in configurations of tasks.
pub fn looks_up_names(engine: &EngineRef) -> bool {
    engine.version().0 >= LOOKS_UP_NAMES.0
}

/// The kind of a part of a crew, for the user.
pub const fn in_words(part: CrewPart) -> &'static str {
    match part {
        CrewPart::Agent => "agent",
        CrewPart::Task => "task",
    }
}

/// The error for a name of a configuration that does not exist. CrewAI raises it while it creates the
/// crew.
pub fn unknown_config(unknown: &UnknownConfig, file: FileId) -> Problem {
    let UnknownConfig { part, name, range, file: config, known } = unknown;
    let part = in_words(*part);
    let message = match known {
        Some(known) => {
            let hint = did_you_mean(name, known.iter().map(String::as_str));
            let error = format!("KeyError: '{}'", name.escape_debug());
            format!("{config} has no {part} `{name}`, so the crew raises {error}{hint}")
        }
        // The error depends on the version.
        None => {
            format!("there is no {config} with the {part} `{name}`, so the crew is not created")
        }
    };
    let location = Location { file, range: range.clone() };
    Problem::new(Code::UnknownCrewMember, location, message).about(name)
}

/// The parts of one kind of a crew, whose places have the id `file`.
pub fn names(crew: &Crew, part: &str, file: FileId) -> CrewNames {
    let members = || crew.members.iter();
    let own = members().filter(|it| it.kind.is_some_and(|kind| in_words(kind) == part));
    let at = |member: &CrewMember| Location { file, range: member.range.clone() };
    CrewNames {
        class: crew.class.clone(),
        methods: own.map(|it| (it.name.clone(), at(it))).collect(),
        uncertain: members().filter(|it| it.kind.is_none()).map(|it| it.name.clone()).collect(),
    }
}
