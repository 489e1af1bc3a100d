//! Which text files are prompts, though nothing names them so, and of which dialect.
//!
//! A false guess makes a problem of every brace in a file that is none of our
//! business, so this is careful: a file has to lie where prompts lie, have inputs
//! beside it, or hold placeholders that nothing else can mean. Documentation, code
//! and templates of other languages are left alone.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use promptls_analysis::{Detection, detect};
use promptls_resolver::{FileId, Format, Inputs};
use promptls_syntax::{Dialect, TokenKind, tokenize};

use promptls_workspace::{
    Config, Configs, Disk, DiskOnce, Files, has_front_matter, is_inputs_file, kind_of, reader_of,
    sidecars_beside,
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

/// What gives away another language, and which one that is.
const OTHER_LANGUAGES: [(&str, &str); 18] = [
    ("{%", "Jinja"),
    ("{{-", "Jinja or Go"),
    ("-}}", "Jinja or Go"),
    ("{{.", "Go"),
    ("{{ .", "Go"),
    ("{{end}}", "Go"),
    ("{{ end }}", "Go"),
    ("{{range ", "Go"),
    ("{{ range ", "Go"),
    ("{{else", "Handlebars"),
    ("{{>", "Handlebars"),
    ("{{ >", "Handlebars"),
    ("{{#with ", "Handlebars"),
    ("{{#unless ", "Handlebars"),
    ("{{^", "Mustache"),
    ("{{!", "Mustache"),
    ("${{", "GitHub Actions"),
    ("<%", "ERB or EJS"),
];

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
    /// A prompt that needs a rule.
    Prompt(Guess),
    /// Nothing in it needs a rule; one that includes it does no harm.
    Harmless,
    /// A rule must not include it.
    Other,
    /// The same, and its author may wonder why: it is written in this language.
    OtherLanguage(&'static str),
}

/// The dialect of a prompt, and why.
#[derive(Clone, Debug)]
pub struct Guess {
    /// The dialect, and all that fit.
    pub detection: Detection,
    /// Why, in words.
    pub reasons: Vec<String>,
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
    let mut builder = WalkBuilder::new(folder);
    builder.sort_by_file_path(Ord::cmp);
    for entry in builder.build() {
        let path = match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => entry.into_path(),
            Ok(_) => continue,
            Err(error) => {
                looked.failures.push(error.to_string());
                continue;
            }
        };
        let config = configs.nearest(disk, path.parent().unwrap_or(folder));
        let kind = kind_of(&path, config.as_deref());
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
            true => without_code(&text, !self.in_prompt_folder),
            false => text.to_string(),
        };
        let detection = detect(&prose, &keys, sidecars.len() > inputs.len());
        if !has_placeholder(detection.dialect, &prose) {
            return if is_likely { Standing::Harmless } else { Standing::Other };
        }
        if let Some(language) = other_language(&prose) {
            let said = Standing::OtherLanguage(language);
            return if is_likely { said } else { Standing::Other };
        }
        if !is_likely && (self.is_documentation() || !detection.is_certain(&prose)) {
            return Standing::Other;
        }
        let reasons = detection.reasons(&prose, &keys);
        Standing::Prompt(Guess { detection, reasons })
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

fn other_language(text: &str) -> Option<&'static str> {
    let mark = OTHER_LANGUAGES.iter().find(|(mark, _)| text.contains(mark));
    let is_ours = |rest: &str| rest.starts_with("if ") || rest.starts_with("each ");
    let has_section = || text.split("{{#").skip(1).any(|rest| !is_ours(rest));
    mark.map(|(_, language)| *language).or_else(|| has_section().then_some("Mustache"))
}

/// Markdown without its blocks of code, and `spans` of code in a line.
fn without_code(text: &str, spans: bool) -> String {
    let mut prose = String::with_capacity(text.len());
    let mut fence: Option<&str> = None;
    for line in text.split_inclusive('\n') {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (Some(_), _) => {}
            (None, None) if spans => {
                // Every other piece stands between backticks.
                prose.extend(line.split('`').step_by(2));
            }
            (None, None) => prose.push_str(line),
        }
    }
    prose
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_in_markdown_is_no_prose() {
        let text = "a {x}\n```js\n{y}\n```\n`{z}` b\n~~~\n{w}\n";
        assert_eq!(without_code(text, false), "a {x}\n`{z}` b\n");
        assert_eq!(without_code(text, true), "a {x}\n b\n");
    }

    #[test]
    fn other_languages_are_told_by_their_tags() {
        assert_eq!(other_language("{% if x %}{{ y }}"), Some("Jinja"));
        assert_eq!(other_language("{{#items}}{{name}}{{/items}}"), Some("Mustache"));
        assert_eq!(other_language("{{ .Name }}"), Some("Go"));
        assert_eq!(other_language("{{#if a}}{{b}}{{/if}}{{#each c}}{{this}}{{/each}}"), None);
        assert_eq!(other_language("{x?} {{ y }}"), None);
    }
}
