//! Detection of prompts among text files that no name or rule marks, and of their dialect.
//!
//! A false guess would report every brace in an unrelated file, so the detection is conservative.
//! Evidence is a placeholder that has no other meaning, or inputs beside the file that contain one
//! of its names. Documentation, code and templates of other languages are ignored.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use promptls_analysis::{Detection, OtherLanguage, detect, prose};
use promptls_resolver::{FileId, Format, Inputs};
use promptls_syntax::{Dialect, TokenKind, tokenize};

use super::config::Config;
use super::files::Files;
use super::front_matter::has_front_matter;
use super::kind::kind_of;
use super::project::Project;
use crate::reach::repository_or_folder;
use crate::sidecars::naming::is_inputs_file;
use crate::sidecars::owners::sidecars_beside;

/// Extensions of text files that may be prompts.
const TEXTS: [&str; 4] = ["md", "prompt", "tmpl", "txt"];

/// Names of folders that hold prompts, in lower case.
const PROMPT_FOLDERS: [&str; 16] = [
    "agent",
    "agents",
    "assistants",
    "instruction",
    "instructions",
    "personas",
    "prompt",
    "prompt-templates",
    "prompt_templates",
    "prompts",
    "promptlib",
    "system-prompts",
    "system_prompts",
    "tasks",
    "template",
    "templates",
];

/// Names of files for people or tools, in lower case: whole names, or the part before the first
/// dot.
const NEVER: [&str; 33] = [
    "agents.md",
    "authors",
    "changelog",
    "changes",
    "claude.md",
    "cmakelists",
    "code_of_conduct",
    "codeowners",
    "constraints",
    "contributing",
    "contributors",
    "copilot-instructions",
    "copying",
    "gemini.md",
    "governance",
    "history",
    "humans.txt",
    "index.md",
    "install",
    "licence",
    "license",
    "llms",
    "maintainers",
    "news",
    "notice",
    "readme",
    "requirements",
    "requirements-dev",
    "robots.txt",
    "security",
    "skill.md",
    "third-party",
    "todo",
];

/// Folders of documentation, in lower case: texts there are about placeholders.
const DOCUMENTATION: [&str; 6] = ["doc", "docs", "documentation", "examples", "site", "website"];

/// The maximum size of a prompt, in bytes.
const LONGEST: usize = 1 << 20;

/// The role of a text file.
#[derive(Debug)]
pub enum Standing {
    /// A prompt that needs a rule, if there is evidence of its dialect.
    Prompt(Guess),
    /// It needs no rule; a rule may include it without harm.
    Harmless,
    /// A rule must not include it.
    Other,
    /// Like [`Standing::Other`]: a document for people that describes placeholders.
    Documentation,
    /// Like [`Standing::Other`], with the language that it is written in, to inform its author.
    OtherLanguage(OtherLanguage),
}

/// The dialect of a prompt, with reasons.
#[derive(Clone, Debug)]
pub struct Guess {
    /// The dialect, and all others that match.
    pub detection: Detection,
    /// The reasons as phrases, strongest first; may be empty.
    pub reasons: Vec<String>,
    /// `true` if there is evidence: a placeholder that has no other meaning, or one whose name is
    /// in the inputs beside it.
    pub is_evident: bool,
    /// `true` if it is already a prompt, has sidecars, or is in a folder for prompts.
    pub is_likely: bool,
}

impl Guess {
    /// The reason why the dialect is only a guess, as a phrase.
    pub fn why_unclear(&self) -> String {
        let id = self.detection.dialect.spec().id;
        let reason = self.reasons.first().cloned();
        reason.unwrap_or_else(|| format!("it may be {id}, but nothing confirms it"))
    }
}

/// `true` if a file has the extension of a text that may be a prompt.
pub fn has_text_ending(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| TEXTS.contains(&ending))
}

/// The dialect of a file that no name and no rule makes a prompt, if there is evidence. `init`
/// proposes rules only for such files.
///
/// Cost: a listing of its folder, its text and its inputs, lexed once for each dialect.
pub fn likely_prompt(path: &Path, project: Project<'_>, config: Option<&Config>) -> Option<Guess> {
    if !has_text_ending(path) || kind_of(path, config, project).is_some() {
        return None;
    }
    match standing(path, repository_or_folder(project.files, path), project, config) {
        Standing::Prompt(guess) if guess.is_evident => Some(guess),
        _ => None,
    }
}

/// The role of a text file. `top` is the folder that is searched; the names of its ancestors are
/// ignored.
///
/// Cost: as [`likely_prompt`].
pub fn standing(
    path: &Path,
    top: &Path,
    project: Project<'_>,
    config: Option<&Config>,
) -> Standing {
    let files = project.files;
    let is_prompt = kind_of(path, config, project).is_some();
    let name = lower(path.file_name().unwrap_or_default());
    let is_never = is_for_people_by_name(&name);
    if name.ends_with(".prompt.md") || name.ends_with(".instructions.md") {
        return Standing::Other;
    }
    let Ok(text) = files.read(path) else { return Standing::Other };
    if !is_prompt && is_never {
        return documentation(&name, &text);
    }
    if text.len() > LONGEST || is_prompt && has_front_matter(&text.clone().into()) {
        return Standing::Other;
    }
    let sidecars = sidecars_beside(path, project, config, &[]);
    let inputs: Vec<Inputs> = sidecars.iter().filter_map(|path| read_inputs(path, files)).collect();
    let entries = inputs.iter().flat_map(|inputs| inputs.root.entries());
    let keys: BTreeSet<&str> = entries.map(|entry| &*entry.key).collect();
    let in_prompt_folder = prompt_folder(top, path).is_some();
    let is_claimed = is_prompt || !sidecars.is_empty();
    let is_likely = is_claimed || in_prompt_folder;

    let prose = match name.ends_with(".md") && !is_claimed {
        true => prose(&text, in_prompt_folder),
        false => text.to_string(),
    };
    let detection = detect(&prose, &keys, sidecars.len() > inputs.len());
    if !has_placeholder(detection.dialect, &prose) {
        return if is_likely { Standing::Harmless } else { documentation(&name, &text) };
    }
    if let Some(language) = detection.language {
        return if is_likely { Standing::OtherLanguage(language) } else { Standing::Other };
    }
    if !is_likely && is_documentation(top, path) {
        return documentation(&name, &text);
    }
    let reasons = detection.reasons(&prose, &keys);
    let is_evident = detection.is_certain || detection.has_known_name;
    Standing::Prompt(Guess { detection, reasons, is_evident, is_likely })
}

/// The role of a text for people: one in Markdown with placeholders describes them.
fn documentation(name: &str, text: &str) -> Standing {
    let is_read = name.ends_with(".md") && text.len() <= LONGEST;
    let describes = is_read && {
        let dialect = detect(text, &BTreeSet::new(), false).dialect;
        has_placeholder(dialect, text)
    };
    if describes { Standing::Documentation } else { Standing::Other }
}

fn read_inputs(path: &Path, files: &dyn Files) -> Option<Inputs> {
    let path = path.to_str().filter(|path| is_inputs_file(path))?;
    let text = files.read(Path::new(path)).ok()?;
    Inputs::parse(&text, Format::from_path(path)?, FileId::PROMPT).value
}

/// `true` if a text has a placeholder or an escape of a dialect.
pub(crate) fn has_placeholder(dialect: Dialect, text: &str) -> bool {
    let mut found = false;
    tokenize(dialect, text, |token| found |= token.kind.reads() || token.kind == TokenKind::Escape);
    found
}

fn lower(name: &OsStr) -> String {
    name.to_string_lossy().to_lowercase()
}

/// The folders from `top` down to a file, both excluded.
fn folders_between<'p>(top: &'p Path, path: &'p Path) -> Vec<&'p Path> {
    let mut folders: Vec<&Path> =
        path.ancestors().skip(1).take_while(|folder| *folder != top).collect();
    folders.reverse();
    folders
}

fn is_named(folder: &Path, names: &[&str]) -> bool {
    folder.file_name().is_some_and(|name| names.contains(&&*lower(name)))
}

/// The outermost folder of a file, at or below `top`, that has a typical name for prompts.
pub fn prompt_folder(top: &Path, path: &Path) -> Option<PathBuf> {
    let below = folders_between(top, path);
    // A search of `prompts` itself is about that folder.
    let mut all = std::iter::once(top).chain(below);
    all.find(|folder| is_named(folder, &PROMPT_FOLDERS)).map(Path::to_owned)
}

/// `true` if a file in lower case is for people or other tools, by its whole name or the part before
/// the first dot.
fn is_for_people_by_name(name: &str) -> bool {
    let first = name.split('.').next().unwrap_or_default();
    NEVER.contains(&name) || NEVER.contains(&first)
}

/// `true` if a file is for people or other tools, by its name or its folders below `top`.
pub(crate) fn is_for_people(top: &Path, path: &Path) -> bool {
    is_for_people_by_name(&lower(path.file_name().unwrap_or_default()))
        || is_documentation(top, path)
}

fn is_documentation(top: &Path, path: &Path) -> bool {
    folders_between(top, path).iter().any(|folder| is_named(folder, &DOCUMENTATION))
}
