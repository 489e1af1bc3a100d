//! The engine that sends strings in code, if no rule names one: it follows from the language of the
//! file, and its version from the packages of the project.

use promptls_resolver::{ENGINES, EngineRef, Language};
use promptls_syntax::Dialect;

use crate::config::project_engines::ProjectEngine;

/// The languages of code for engines, by the language id of editors.
const LANGUAGES: [(&str, Language); 8] = [
    ("python", Language::Python),
    ("java", Language::Java),
    ("kotlin", Language::Kotlin),
    ("go", Language::Go),
    ("typescript", Language::JavaScript),
    ("typescriptreact", Language::JavaScript),
    ("javascript", Language::JavaScript),
    ("javascriptreact", Language::JavaScript),
];

/// The engine of a dialect for code in a language, in the version of the project, else the newest.
/// `None` if no engine is written in that language, or several are.
pub fn engine_of(
    language: &str,
    dialect: Dialect,
    project: impl FnOnce() -> Vec<ProjectEngine>,
) -> Option<EngineRef> {
    let (_, language) = LANGUAGES.iter().find(|(id, _)| *id == language)?;
    let mut fitting =
        ENGINES.iter().filter(|it| it.language == *language && it.dialect() == dialect);
    let profile = fitting.next().filter(|_| fitting.next().is_none())?;
    let installed = project().into_iter().find(|found| found.engine.profile == *profile);
    installed.map(|found| found.engine).or_else(|| EngineRef::parse(profile.id).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_decides_where_it_has_one_engine() {
        let engine = |language, dialect| {
            engine_of(language, dialect, Vec::new).map(|engine| engine.profile.id)
        };
        assert_eq!(engine("python", Dialect::Adk), Some("adk-python"));
        assert_eq!(engine("typescriptreact", Dialect::Adk), Some("adk-js"));
        assert_eq!(engine("java", Dialect::Agentle), Some("agentle4j"));
        assert_eq!(engine("python", Dialect::PromptPack), None);
        assert_eq!(engine("yaml", Dialect::Adk), None);
    }
}
