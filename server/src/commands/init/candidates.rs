//! Which text files are prompts, though nothing names them so, and of which dialect.
//!
//! A false guess makes a problem of every brace in a file that is none of our
//! business, so this is careful: a rule takes placeholders that nothing else can mean,
//! or inputs beside the file that have one of its names. Where prompts lie, what stands
//! beside such a file is written for the same engine. Documentation, code and templates of
//! other languages are left alone.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use promptls_analysis::{Detection, OtherLanguage, detect, prose};
use promptls_resolver::{FileId, Format, Inputs};
use promptls_syntax::{Dialect, TokenKind, tokenize};

use promptls_workspace::{
    Config, Configs, Disk, DiskOnce, Files, LeftOut, has_front_matter, is_inputs_file, kind_of,
    reader_of, sidecars_beside, walker,
};

/// Endings of text files that may be prompts.
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

/// Names of files that are for people or tools, in lower case: whole ones, or all before the
/// first dot.
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

/// Folders of documentation, in lower case: what is written there is about placeholders.
const DOCUMENTATION: [&str; 6] = ["doc", "docs", "documentation", "examples", "site", "website"];

/// Longer files are not prompts.
const LONGEST: u64 = 1 << 20;

/// A text file, and what is to become of it.
#[derive(Debug)]
pub struct Candidate {
    /// Where it is.
    pub path: PathBuf,
    /// What it is.
    pub standing: Standing,
    /// The dialect that its name says.
    pub named: Option<Dialect>,
    /// The outermost folder above it that is named as one of prompts.
    pub prompt_folder: Option<PathBuf>,
}

/// What a text file is to us.
#[derive(Debug)]
pub enum Standing {
    /// A prompt that needs a rule, if there is evidence of its dialect.
    Prompt(Guess),
    /// Nothing in it needs a rule; one that includes it does no harm.
    Harmless,
    /// A rule must not include it.
    Other,
    /// The same, and its author may wonder why: it is written in this language.
    OtherLanguage(OtherLanguage),
}

/// The dialect of a prompt, and why.
#[derive(Clone, Debug)]
pub struct Guess {
    /// The dialect, and all that fit.
    pub detection: Detection,
    /// Why, in words.
    pub reasons: Vec<String>,
    /// Whether it is more than a guess: a placeholder that nothing else can mean, or one whose
    /// name is in the inputs beside it.
    pub is_evident: bool,
    /// Whether it is or lies where prompts are.
    pub is_likely: bool,
}

impl Guess {
    /// Why it is no more than a guess, in words.
    pub fn why_unclear(&self) -> String {
        let id = self.detection.dialect.spec().id;
        let reason = self.reasons.first().cloned();
        reason.unwrap_or_else(|| format!("it may be {id}, but nothing says so"))
    }
}

/// What was found in a folder.
#[derive(Debug, Default)]
pub struct Looked {
    /// All files that may be prompts, sorted.
    pub candidates: Vec<Candidate>,
    /// All files that are prompts already, sorted.
    pub prompts: Vec<PathBuf>,
    /// What could not be read, for people.
    pub failures: Vec<String>,
}

/// Looks through a folder as `check` does. Files below another `promptls.toml` than that of the
/// folder itself are left to it.
pub fn look(folder: &Path, disk: &DiskOnce, configs: &Configs) -> Looked {
    let own = configs.nearest(disk, folder).map(|config| config.path.clone());
    let mut looked = Looked::default();
    let left_out = LeftOut::default();
    let mut walker = walker(&[folder], &left_out);
    let entries = walker.as_mut().map(|walker| walker.sort_by_file_path(Ord::cmp).build());
    for entry in entries.into_iter().flatten() {
        let path = match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => entry.into_path(),
            Ok(_) => continue,
            Err(error) => {
                looked.failures.push(error.to_string());
                continue;
            }
        };
        let config = configs.nearest(disk, path.parent().unwrap_or(folder));
        let kind = kind_of(&path, config.as_deref(), disk);
        if kind.is_some() {
            looked.prompts.push(path.clone());
        }
        let is_ours = config.as_ref().map(|config| &config.path) == own.as_ref();
        let has_rule = kind.is_some_and(|kind| kind.rule.is_some());
        if is_ours && !has_rule && reader_of(&path).is_none() && has_text_ending(&path) {
            let prompt_folder = prompt_folder(folder, &path);
            let looking = Looking {
                top: folder,
                path: &path,
                is_prompt: kind.is_some(),
                in_prompt_folder: prompt_folder.is_some(),
                disk,
                config: config.as_deref(),
            };
            let named = kind.and_then(|kind| kind.dialect);
            // A rule's dialect would count before that of the name.
            let standing = if named.is_some() { Standing::Other } else { looking.standing() };
            looked.candidates.push(Candidate { path, standing, named, prompt_folder });
        }
    }
    looked.failures.extend(left_out.reasons());
    looked
}

fn has_text_ending(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| TEXTS.contains(&ending))
}

fn lower(name: &std::ffi::OsStr) -> String {
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

fn prompt_folder(top: &Path, path: &Path) -> Option<PathBuf> {
    let below = folders_between(top, path);
    // Who looks through `prompts` itself means it.
    let mut all = std::iter::once(top).chain(below);
    all.find(|folder| is_named(folder, &PROMPT_FOLDERS)).map(Path::to_owned)
}

/// A file that is looked at.
struct Looking<'l> {
    top: &'l Path,
    path: &'l Path,
    /// Whether it is one already, by its ending.
    is_prompt: bool,
    in_prompt_folder: bool,
    disk: &'l DiskOnce,
    config: Option<&'l Config>,
}

impl Looking<'_> {
    fn standing(&self) -> Standing {
        let name = lower(self.path.file_name().unwrap_or_default());
        let first = name.split('.').next().unwrap_or_default();
        let is_never = NEVER.contains(&&*name) || NEVER.contains(&first);
        if name.ends_with(".prompt.md")
            || name.ends_with(".instructions.md")
            || (!self.is_prompt && is_never)
            || Disk.stamp(self.path).is_ok_and(|stamp| stamp.len > LONGEST)
        {
            return Standing::Other;
        }
        let Ok(text) = self.disk.read(self.path) else { return Standing::Other };
        if self.is_prompt && has_front_matter(&text.clone().into()) {
            return Standing::Other;
        }
        let sidecars = sidecars_beside(self.path, self.disk, self.config);
        let inputs: Vec<Inputs> = sidecars.iter().filter_map(|path| self.inputs(path)).collect();
        let entries = inputs.iter().flat_map(|inputs| inputs.root.entries());
        let keys: BTreeSet<&str> = entries.map(|entry| &*entry.key).collect();
        let is_claimed = self.is_prompt || !sidecars.is_empty();
        let is_likely = is_claimed || self.in_prompt_folder;

        let prose = match name.ends_with(".md") && !is_claimed {
            true => prose(&text, self.in_prompt_folder),
            false => text.to_string(),
        };
        let detection = detect(&prose, &keys, sidecars.len() > inputs.len());
        if !has_placeholder(detection.dialect, &prose) {
            return if is_likely { Standing::Harmless } else { Standing::Other };
        }
        if let Some(language) = detection.language {
            return if is_likely { Standing::OtherLanguage(language) } else { Standing::Other };
        }
        if !is_likely && self.is_documentation() {
            return Standing::Other;
        }
        let reasons = detection.reasons(&prose, &keys);
        let is_evident = detection.is_certain || detection.has_known_name;
        Standing::Prompt(Guess { detection, reasons, is_evident, is_likely })
    }

    fn inputs(&self, path: &Path) -> Option<Inputs> {
        let path = path.to_str().filter(|path| is_inputs_file(path))?;
        let text = self.disk.read(Path::new(path)).ok()?;
        Inputs::parse(&text, Format::from_path(path)?, FileId::PROMPT).value
    }

    fn is_documentation(&self) -> bool {
        let folders = folders_between(self.top, self.path);
        folders.iter().any(|folder| is_named(folder, &DOCUMENTATION))
    }
}

fn has_placeholder(dialect: Dialect, text: &str) -> bool {
    let mut found = false;
    tokenize(dialect, text, |token| found |= token.kind.reads() || token.kind == TokenKind::Escape);
    found
}
