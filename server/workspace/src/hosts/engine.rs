//! The engine that sends strings in code or data, if no rule names one. In code it follows from the
//! language, and its version from the packages of the project; in data it is that of the project.

use promptls_analysis::UnknownEngine;
use promptls_resolver::{ENGINES, EngineRef, Language, RESERVED, ReservedEngine};
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

/// The language whose engines send the prompts of a file; `None` for data. `id` is the language of
/// the file.
///
/// Cost: the lines of Kotlin.
pub fn language_of_engines(id: &str, text: &str) -> Option<Language> {
    let (_, language) = LANGUAGES.iter().find(|(known, _)| *known == id)?;
    let uses_java = *language == Language::Kotlin && imports_java(text);
    Some(if uses_java { Language::Java } else { *language })
}

/// The engine of a prompt in a file, by [`language_of_engines`], in the version of the project, else
/// the newest. `named` is the one that the framework names. `None` if no engine is written in that
/// language, or several are; for data, unless the project uses exactly one.
pub fn engine_of(
    language: Option<Language>,
    (dialect, named): (Dialect, Option<&str>),
    project: impl FnOnce() -> Vec<ProjectEngine>,
) -> Option<EngineRef> {
    let mut fitting = ENGINES.iter().filter(|it| {
        let is_fitting = || language == Some(it.language) && it.dialect() == dialect;
        named.map_or_else(is_fitting, |named| it.id == named)
    });
    let Some(profile) = fitting.next().filter(|_| fitting.next().is_none()) else {
        let is_data = language.is_none() && named.is_none();
        let used = is_data.then(project).into_iter().flatten();
        let mut used = used.filter(|found| found.engine.dialect() == dialect);
        return used.next().filter(|_| used.next().is_none()).map(|found| found.engine);
    };
    let project = project();
    let find = |is_it: &dyn Fn(&EngineRef) -> bool| project.iter().find(|it| is_it(&it.engine));
    let installed = find(&|engine| engine.profile == *profile).or_else(|| {
        // A file of Kotlin without imports is used by others, which import the library of the project.
        let is_java = |it: &EngineRef| it.profile.language == Language::Java;
        (language == Some(Language::Kotlin))
            .then(|| find(&|it| is_java(it) && it.dialect() == dialect))?
    });
    installed.map(|found| found.engine).or_else(|| EngineRef::parse(profile.id).ok())
}

/// The engine of a dialect for prompts in code of a language, if its behaviour is not available.
pub fn unknown_engine_of(language: Language, dialect: Dialect) -> Option<UnknownEngine> {
    let is_it = |it: &&&ReservedEngine| {
        it.dialect == dialect && it.language == language && !it.packages.is_empty()
    };
    let reserved = RESERVED.iter().find(is_it)?;
    Some(UnknownEngine { title: reserved.title, reason: None })
}

/// `true` for Kotlin that uses ADK for Java, and not the one for Kotlin.
fn imports_java(text: &str) -> bool {
    let imports = text.lines().filter_map(|line| line.trim_start().strip_prefix("import "));
    let mut packages = imports.filter_map(|name| name.trim().strip_prefix("com.google.adk."));
    packages.next().is_some_and(|first| !first.starts_with("kt."))
        && packages.all(|other| !other.starts_with("kt."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_decides_where_it_has_one_engine() {
        let engine = |language, dialect| {
            let language = language_of_engines(language, "");
            engine_of(language, (dialect, None), Vec::new).map(|engine| engine.profile.id)
        };
        assert_eq!(engine("python", Dialect::Adk), Some("adk-python"));
        assert_eq!(engine("typescriptreact", Dialect::Adk), Some("adk-js"));
        assert_eq!(engine("java", Dialect::Agentle), Some("agentle4j"));
        assert_eq!(engine("python", Dialect::PromptPack), None);
        assert_eq!(engine("yaml", Dialect::Adk), None);
        assert_eq!(engine("python", Dialect::Format), None);
        let named = engine_of(None, (Dialect::Format, Some("crewai")), Vec::new);
        assert_eq!(named.map(|engine| engine.profile.id), Some("crewai"));
    }

    #[test]
    fn kotlin_that_imports_the_java_library_has_its_engine() {
        for (text, expected) in [
            ("import com.google.adk.agents.LlmAgent\n", "adk-java"),
            ("import com.google.adk.kt.agents.Instruction\n", "adk-kotlin"),
            ("import com.google.adk.A\nimport com.google.adk.kt.B\n", "adk-kotlin"),
            ("", "adk-kotlin"),
        ] {
            let language = language_of_engines("kotlin", text);
            let engine = engine_of(language, (Dialect::Adk, None), Vec::new);
            assert_eq!(engine.map(|engine| engine.profile.id), Some(expected), "{text}");
        }
    }
}
