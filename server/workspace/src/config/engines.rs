//! The engines that a rule names for its prompts.

use std::ops::Range;

use promptls_analysis::did_you_mean;
use promptls_resolver::{
    Code, ENGINES, EngineRef, FileId, Location, Problem, Profile, RESERVED, Unusable,
};
use promptls_syntax::Dialect;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::reading::ConfigReader;
use super::rule::Rule;

/// Parses the name of an engine. The error for an unknown one lists the known engines.
///
/// ```
/// use promptls_workspace::parse_engine;
///
/// let error = parse_engine("adk-pyhton@2.13").unwrap_err();
/// assert!(error.ends_with("did you mean `adk-python`?"));
/// ```
pub fn parse_engine(text: &str) -> Result<EngineRef, String> {
    EngineRef::parse(text).map_err(|unusable| match &unusable {
        Unusable::Unknown(id) => {
            let known: Vec<&str> = ENGINES.iter().map(|profile| profile.id).collect();
            let hint = did_you_mean(id, known.iter().copied());
            format!("unknown engine `{id}`; known: {}{hint}", known.join(", "))
        }
        Unusable::Reserved(..) | Unusable::Version(_) => unusable.to_string(),
    })
}

/// The dialect with an id; the error for an unknown id lists the known ones.
///
/// ```
/// use promptls_workspace::parse_dialect;
///
/// let error = parse_dialect("agentel").unwrap_err();
/// assert!(error.ends_with("did you mean `agentle`?"));
/// ```
pub fn parse_dialect(id: &str) -> Result<Dialect, String> {
    Dialect::from_id(id).ok_or_else(|| {
        let known = Dialect::ALL.map(|dialect| dialect.spec().id);
        let hint = did_you_mean(id, known);
        format!("unknown dialect `{id}`; known: {}{hint}", known.join(", "))
    })
}

/// The message for a version that is newer or older than all known ones.
pub fn unknown_version(engine: EngineRef) -> String {
    let profile = engine.profile;
    let (newest, oldest) = (profile.newest, profile.oldest());
    match engine.version() > newest {
        true => format!("`{engine}` is newer than {newest}, the newest known version"),
        false => match RESERVED.iter().find(|it| it.older_than == Some(profile.id)) {
            Some(it) => {
                let (id, reason) = (it.id, it.reason);
                format!("`{engine}` is older than {oldest}: such versions are `{id}`, and {reason}")
            }
            None => format!("`{engine}` is older than {oldest}, the oldest known version"),
        },
    }
}

impl ConfigReader {
    /// Reads the engines of a rule, once its dialect is known. For an unusable engine, the rule
    /// follows the document of its dialect, which the engine name may determine.
    pub(super) fn engines(&mut self, rule: &mut Rule, table: &DeTable<'_>) {
        let one = table.get("engine");
        let several = table.get("engines");
        if let (Some(_), Some(several)) = (one, several) {
            self.problem(several.span(), "a rule has `engine` or `engines`, not both");
            return;
        }
        let written: Vec<&Spanned<DeValue<'_>>> = match several.map(|several| several.get_ref()) {
            Some(DeValue::Array(engines)) => engines.iter().collect(),
            Some(_) => {
                let span = several.map_or(0..0, |several| several.span());
                self.problem(span, "`engines` must be a list of strings");
                return;
            }
            None => one.into_iter().collect(),
        };
        let engines: Option<Vec<(EngineRef, Range<usize>)>> =
            written.iter().map(|value| Some((self.engine(value)?, value.span()))).collect();
        let Some(engines) = engines else {
            // The engine name determines the dialect, regardless of the version after it.
            let known = written.into_iter().find_map(profile_called);
            rule.dialect = rule.dialect.or(known.map(Profile::dialect));
            return;
        };
        let Some((first, _)) = engines.first() else { return };
        let dialect = rule.dialect.unwrap_or(first.dialect());
        if let Some((other, span)) = engines.iter().find(|(other, _)| other.dialect() != dialect) {
            let (id, of) = (other.dialect().spec().id, dialect.spec().id);
            let message = match rule.dialect {
                Some(_) => format!("`{other}` is an engine of {id}, but the dialect is {of}"),
                None => format!("`{other}` is an engine of {id}, `{first}` of {of}"),
            };
            self.problem(span.clone(), message);
            return;
        }
        for (engine, span) in &engines {
            if engine.is_unknown_version() {
                let location = Location { file: FileId::PROMPT, range: span.clone() };
                let message = unknown_version(*engine);
                let problem = Problem::new(Code::EngineVersionUnknown, location, message);
                self.config.problems.push(problem);
            }
        }
        rule.dialect = Some(dialect);
        rule.engines = engines.into_iter().map(|(engine, _)| engine).collect();
    }

    fn engine(&mut self, value: &Spanned<DeValue<'_>>) -> Option<EngineRef> {
        let DeValue::String(text) = value.get_ref() else {
            self.problem(value.span(), "an engine is named by a string, as \"adk-python@2.13\"");
            return None;
        };
        let engine = parse_engine(text);
        engine.map_err(|message| self.problem(value.span(), message)).ok()
    }
}

/// The named engine; its version may be invalid.
fn profile_called(value: &Spanned<DeValue<'_>>) -> Option<&'static Profile> {
    let DeValue::String(text) = value.get_ref() else { return None };
    let id = text.split('@').next()?;
    ENGINES.iter().copied().find(|profile| profile.id == id)
}
