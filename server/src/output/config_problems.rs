//! What is wrong with a config, for commands that are about something else.

use promptls_analysis::position::Encoding;
use promptls_resolver::Problem;
use promptls_workspace::{Config, Configs, Disk, Sources};

use super::terminal::complain;
use crate::paths::Paths;

/// Says on stderr what is wrong with a config, and with those that it takes over.
pub fn mention_config(config: &Config) {
    for config in config.and_outer().filter(|config| !config.problems.is_empty()) {
        let name = Paths::new().map(|paths| paths.shown(&config.path)).unwrap_or_default();
        let read = Configs::default().parse(&Disk, &config.path).ok();
        let sources = Sources::of_file(name, read.map(|(text, _)| text), Encoding::Utf32);
        for problem in &config.problems {
            complain(&format!("promptls: {}", in_line(problem, &sources)));
        }
    }
}

/// A problem in a line, with its place.
pub fn in_line(problem: &Problem, sources: &Sources) -> String {
    let place = sources.positions(&problem.location).start;
    let name = sources.name(problem.location.file);
    format!("{name}:{}:{}: {}", place.line + 1, place.column + 1, problem.message)
}
