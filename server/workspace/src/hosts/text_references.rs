//! Places in code that stand for texts of other literals and files, for navigation.

use std::ops::Range;
use std::path::{Path, PathBuf};

use promptls_hosts::{Language, TextName, TextPath, TextReference, TextTarget, WrittenPart};

use super::is_code::{host_language, is_code, language_of};
use super::modules::joined;
use super::rule_strings::Strings;
use super::text_files::RESOURCES;
use crate::files::paths::folder_of;
use crate::project::Project;

/// The maximum number of files through which a text is followed: modules may import each other in a
/// cycle.
const MAX_FILES: usize = 8;

/// The place of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenText {
    /// The file that contains it.
    pub path: PathBuf,
    /// The range of its literals, with their quotes; empty for a whole file.
    pub range: Range<usize>,
}

/// The places in a code file that stand for texts which are written elsewhere, in source order;
/// empty for other files.
///
/// Cost: a search for a few words in most files, else that of evaluating the prompts of the file.
pub fn text_references(project: Project<'_>, path: &Path, text: &str) -> Vec<TextReference> {
    let Some(language) = language_of(path) else { return Vec::new() };
    let Some(strings) = strings_of(project, path) else { return Vec::new() };
    match strings.may_use(language, text) {
        true => strings.find(language, text).text_references,
        false => Vec::new(),
    }
}

/// The references of the innermost place at an offset; several if its text is one of several.
pub fn text_references_at(references: &[TextReference], offset: usize) -> Vec<&TextReference> {
    let is_around = |it: &&TextReference| it.place.start <= offset && offset <= it.place.end;
    let around = || references.iter().filter(is_around);
    let innermost = around().min_by_key(|it| it.place.len()).map(|it| it.place.clone());
    around().filter(|it| Some(&it.place) == innermost.as_ref()).collect()
}

/// The places where the text of a reference in a file is written, without duplicates; empty if they
/// are not known.
///
/// Cost: reading and evaluating each file through which the text is followed.
pub fn written_at(project: Project<'_>, path: &Path, target: &TextTarget) -> Vec<WrittenText> {
    let mut found = Vec::new();
    follow(project, path, target, MAX_FILES, &mut found);
    found
}

fn follow(
    project: Project<'_>,
    path: &Path,
    target: &TextTarget,
    files: usize,
    found: &mut Vec<WrittenText>,
) {
    let mut add = |path: PathBuf, range: Range<usize>| {
        let written = WrittenText { path, range };
        if !found.contains(&written) {
            found.push(written);
        }
    };
    match target {
        TextTarget::Here(range) => add(path.to_owned(), range.clone()),
        TextTarget::File(file) => {
            if let Some(file) = loaded_file(project, path, file) {
                add(file, 0..0);
            }
        }
        TextTarget::Elsewhere(name) if files > 0 => {
            for (host, demand) in project.program.used_by(path).iter() {
                if !demand.text().is_some_and(|demand| name.is_used_by(demand)) {
                    continue;
                }
                let written = written_parts(project, host, name);
                if written.is_empty() && host != path {
                    // A module may re-export all names of another one.
                    follow(project, host, target, files - 1, found);
                }
                for part in written {
                    follow(project, host, &part.target, files - 1, found);
                }
            }
        }
        TextTarget::Elsewhere(_) => {}
    }
}

/// The places in a host of the text that a name of another host refers to.
fn written_parts(project: Project<'_>, host: &Path, name: &TextName) -> Vec<WrittenPart> {
    let text = project.files.read(host).ok();
    let Some((text, strings)) = text.zip(strings_of(project, host)) else { return Vec::new() };
    let language = host_language(host).unwrap_or(Language::Text);
    let mut written = strings.find_all(language, &text).written_parts;
    written.retain(|part| name.is_used_by(&part.demand));
    written
}

fn strings_of(project: Project<'_>, path: &Path) -> Option<Strings> {
    let config = project.configs.nearest(project.files, folder_of(path));
    Strings::of_file(path, config.as_deref(), &project.program.uses(path))
}

/// The file at a path that code reads: one that the code uses, perhaps through a function of another
/// file. `None` if several may be meant.
fn loaded_file(project: Project<'_>, code: &Path, file: &TextPath) -> Option<PathBuf> {
    let used = project.program.used_by(code);
    let own: Vec<&PathBuf> = used.iter().map(|(host, _)| host).collect();
    if let Some(up) = file.up {
        let read = joined(code.ancestors().nth(up.checked_add(1)?)?, &file.end);
        return own.contains(&&read).then_some(read);
    }
    let end = file.end.trim_start_matches(['.', '/']);
    one_ending_with(code, end, own.iter().copied()).or_else(|| {
        let helpers = own.iter().filter(|host| is_code(host));
        let by_helpers: Vec<_> = helpers.map(|host| project.program.used_by(host)).collect();
        let read = by_helpers.iter().flat_map(|used| used.iter().map(|(host, _)| host));
        one_ending_with(code, end, read)
    })
}

/// The only file whose path has an end; of several, the one below a folder around the code.
fn one_ending_with<'p>(
    code: &Path,
    end: &str,
    files: impl Iterator<Item = &'p PathBuf>,
) -> Option<PathBuf> {
    let mut found: Vec<&PathBuf> = files.filter(|it| !is_code(it) && it.ends_with(end)).collect();
    found.sort_unstable();
    found.dedup();
    let is_near = |file: &&&PathBuf| {
        code.ancestors().skip(1).any(|folder| {
            let resources = RESOURCES.iter().map(|it| folder.join(it));
            [folder.to_owned()].into_iter().chain(resources).any(|it| it.join(end) == ***file)
        })
    };
    match &found[..] {
        [only] => Some((*only).clone()),
        several => several.iter().find(is_near).map(|file| (*file).clone()),
    }
}
