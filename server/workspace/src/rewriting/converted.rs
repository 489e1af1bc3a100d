//! Conversion of a prompt to another dialect, as a set of files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use promptls_analysis::{Conversion, NotConverted, convert};
use promptls_resolver::{Engine, EngineRef, FileId};
use promptls_syntax::Dialect;

use super::rebase_file_values::rebase_file_values;
use crate::config::engines::{parse_dialect, parse_engine};
use crate::files::with_texts::WithTexts;
use crate::kind::kind_of;
use crate::project::Project;
use crate::prompt_file::PromptFile;
use crate::sidecars::loading::Overrides;
use crate::sidecars::naming::stem;
use crate::sidecars::owners::{new_case, new_variables};

/// The target of a conversion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The dialect that the new files are written in.
    pub dialect: Dialect,
    /// An engine of the dialect; `None` to follow its document.
    pub engine: Option<EngineRef>,
}

impl Target {
    /// Creates a target from a dialect, and the name of one of its engines; the error is a message
    /// for users.
    pub fn new(dialect: Dialect, engine: Option<&str>) -> Result<Target, String> {
        let engine = engine.map(parse_engine).transpose()?;
        match engine.filter(|engine| engine.dialect() != dialect) {
            Some(other) => {
                let (of, id) = (other.dialect().spec().id, dialect.spec().id);
                Err(format!("`{other}` is an engine of {of}, not of {id}"))
            }
            None => Ok(Target { dialect, engine }),
        }
    }

    /// The engine that resolves the result.
    pub fn engine(self) -> Engine {
        self.engine.map_or(Engine::from(self.dialect), |engine| engine.engine())
    }
}

/// Parses `adk` or `adk/adk-python@2.13`; the error is a message for users.
impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Target, String> {
        let (id, engine) = match text.split_once('/') {
            Some((id, engine)) => (id, Some(engine)),
            None => (text, None),
        };
        Target::new(parse_dialect(id)?, engine)
    }
}

/// A prompt in another dialect.
#[derive(Clone, Debug)]
pub struct ConvertedFiles {
    /// The result of the conversion.
    pub conversion: Conversion,
    /// The files of the converted prompt, the prompt first.
    pub files: Vec<ConvertedFile>,
}

/// A file of a converted prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvertedFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The whole text of the file, in the target dialect.
    pub text: String,
    /// The corresponding file of the original prompt; `None` if there is none.
    pub like: Option<PathBuf>,
}

/// The reason why a conversion fails.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CannotConvert {
    /// The other dialect cannot express the prompt.
    #[error(transparent)]
    Prompt(#[from] NotConverted),
    /// A file of the prompt cannot be read, so not all cases are known.
    #[error("{} cannot be read; fix it first", .0.display())]
    Broken(PathBuf),
    /// The name of a case is invalid as a file name.
    #[error("no inputs file can be named after the case `{0}`")]
    CaseName(String),
    /// The new name implies another dialect, or is not the name of a prompt.
    #[error("{name} would {is}; choose another name")]
    Name {
        /// The name of the file.
        name: String,
        /// What the file would be.
        is: String,
    },
    /// Values of another file would take precedence, or the new values would not be found.
    #[error(
        "{0} would use other inputs or variables than these, from a rule of promptls.toml or from existing files; choose another path with -o"
    )]
    OtherFiles(String),
}

/// The path of a prompt in another dialect: `support.agentle.prompt` for `support.adk.prompt`. A
/// prompt of a pack keeps its name there.
pub fn converted_path(prompt: &Path, name: Option<&str>, dialect: Dialect) -> PathBuf {
    let file = prompt.file_name().unwrap_or_default().to_string_lossy();
    let own = stem(&file);
    let base = match own.rsplit_once('.') {
        Some((base, infix)) if Dialect::from_id(infix).is_some() => base,
        _ => own,
    };
    let is_plain = |name: &&str| name.chars().all(|c| c.is_alphanumeric() || "-_".contains(c));
    let base = name.filter(is_plain).unwrap_or(base);
    prompt.with_file_name(format!("{base}.{}.prompt", dialect.spec().id))
}

/// The files of a prompt converted to another dialect, for the path `to`. Nothing is written.
///
/// Cost: as for [`convert`], and the new files are parsed once.
pub fn convert_files(
    project: Project<'_>,
    file: &PromptFile,
    index: usize,
    target: Target,
    to: &Path,
) -> Result<ConvertedFiles, CannotConvert> {
    let snapshot = &file.prompts[index].snapshot;
    let declared = snapshot.declarations.file;
    let unread = file.unread_sidecars().iter().map(|(file, _)| *file);
    let broken = file.broken_cases().iter().map(|(_, file)| *file);
    let mut read = unread.chain(broken).chain([declared]);
    if let Some(broken) = read.find(|&id| file.why_broken(id).is_some()) {
        return Err(CannotConvert::Broken(file.files[broken.0 as usize].clone()));
    }
    let conversion = convert(snapshot, target.engine())?;
    let config = project.configs.nearest(project.files, to.parent().unwrap_or(to));
    let config = config.as_deref();
    let name = to.file_name().unwrap_or_default().to_string_lossy().into_owned();
    // Only a name that implies a kind can imply a wrong one.
    if let Some(kind) = kind_of(to, config, project) {
        let other = kind.dialect.filter(|dialect| *dialect != target.dialect);
        let is = match (kind.reader, other) {
            (Some(_), _) => Some("not be one prompt".to_owned()),
            (None, Some(other)) => Some(format!("be read as {}", other.spec().id)),
            (None, None) => None,
        };
        if let Some(is) = is {
            return Err(CannotConvert::Name { name, is });
        }
    }

    let path_of = |id: FileId| file.files.get(id.0 as usize).filter(|_| id != FileId::PROMPT);
    let text = conversion.text.clone();
    let prompt = ConvertedFile { path: to.to_owned(), text, like: Some(file.files[0].clone()) };
    let mut all = vec![prompt];
    let found_anyway = read_new(project, target, &all);
    let mut cases = Vec::new();
    for case in &conversion.cases {
        let like = path_of(case.file).cloned();
        let is_found = |like: &PathBuf| {
            let (from, text) = case_of(&found_anyway, &case.name)?;
            (from == like && *text == *case.text).then(|| like.clone())
        };
        if let Some(found) = like.as_ref().and_then(is_found) {
            cases.push((&case.name, found));
            continue;
        }
        let path = new_case(to, config, &case.name);
        let path = path.ok_or_else(|| CannotConvert::CaseName(case.name.to_string()))?;
        let new = sidecar(path, &case.text, like)?;
        cases.push((&case.name, new.path.clone()));
        all.push(new);
    }
    if let Some(text) = &conversion.variables {
        let like = path_of(declared).cloned();
        let is_found = variables_of(&found_anyway)
            .is_some_and(|(path, found)| Some(path) == like.as_ref() && found == **text);
        if !is_found {
            all.push(sidecar(new_variables(to, config), text, like)?);
        }
    }

    let new = read_new(project, target, &all);
    let is_there = |(name, path): &(&Arc<str>, PathBuf)| {
        case_of(&new, name).is_some_and(|(from, _)| from == path)
    };
    let has_all = cases.iter().all(is_there);
    let variables = variables_of(&new).map(|(_, text)| text);
    let has_no_more = new.prompts.first().is_some_and(|prompt| {
        prompt.snapshot.cases.len() == conversion.cases.len()
            && new.broken_cases().is_empty()
            && variables.as_deref() == conversion.variables.as_deref()
    });
    match has_all && has_no_more {
        true => Ok(ConvertedFiles { conversion, files: all }),
        false => Err(CannotConvert::OtherFiles(name)),
    }
}

/// An inputs or variables file in the format of the original one.
fn sidecar(
    path: PathBuf,
    text: &str,
    like: Option<PathBuf>,
) -> Result<ConvertedFile, CannotConvert> {
    let Some(like) = like else {
        return Ok(ConvertedFile { path, text: text.to_owned(), like: None });
    };
    let path = path.with_extension(like.extension().unwrap_or_default());
    let rebased = rebase_file_values(text, &like, &path);
    let name = || like.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = rebased.ok_or_else(|| NotConverted::OnlyByHand(name()))?;
    Ok(ConvertedFile { path, text, like: Some(like) })
}

/// The new prompt as it would be read.
fn read_new(project: Project<'_>, target: Target, new: &[ConvertedFile]) -> PromptFile {
    let text = |file: &ConvertedFile| (file.path.clone(), Arc::from(&*file.text));
    let texts: BTreeMap<PathBuf, Arc<str>> = new.iter().map(text).collect();
    let Project { files, configs, program } = project;
    let files = WithTexts { files, program, texts };
    let dialect = target.engine.is_none().then_some(target.dialect);
    let overrides = Overrides { dialect, engine: target.engine, ..Overrides::default() };
    let text = new[0].text.as_str().into();
    PromptFile::read(files.project(configs), &new[0].path, text, &overrides, None)
}

/// The file of a case, and its text; `None` if there is none, or if there are several.
fn case_of<'f>(file: &'f PromptFile, name: &str) -> Option<(&'f PathBuf, Arc<str>)> {
    let cases = &file.prompts.first()?.snapshot.cases;
    let mut named = cases.iter().filter(|case| *case.name == *name);
    let id = named.next().filter(|_| named.next().is_none())?.inputs.file;
    Some((file.files.get(id.0 as usize)?, file.text(id)?))
}

/// The variables file of a prompt, and its text.
fn variables_of(file: &PromptFile) -> Option<(&PathBuf, String)> {
    let id = file.prompts.first()?.snapshot.declarations.file;
    let path = file.files.get(id.0 as usize).filter(|_| id != FileId::PROMPT)?;
    Some((path, file.text(id)?.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dialect_in_a_file_name_is_replaced() {
        for (path, name, expected) in [
            ("/p/a.prompt", None, "/p/a.agentle.prompt"),
            ("/p/a.adk.prompt", None, "/p/a.agentle.prompt"),
            ("/p/a.b.txt", None, "/p/a.b.agentle.prompt"),
            ("/p/x.pack.json", Some("greet"), "/p/greet.agentle.prompt"),
            ("/p/x.pack.json", Some("../a"), "/p/x.pack.agentle.prompt"),
        ] {
            let path = converted_path(Path::new(path), name, Dialect::Agentle);
            assert_eq!(path, Path::new(expected));
        }
    }
}
