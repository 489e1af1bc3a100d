//! Derives the fewest rules that match given prompts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use promptls_syntax::Dialect;
use promptls_workspace::{Guess, ProjectEngine, Standing};

use super::candidates::Candidate;

/// A `[[prompts]]` rule to write.
#[derive(Debug, PartialEq)]
pub struct NewRule {
    pub files: Vec<String>,
    pub dialect: Dialect,
    /// The engines of the dialect that the project uses.
    pub engines: Vec<ProjectEngine>,
    /// The number of prompts that it matches.
    pub prompts: usize,
    /// The human-readable reasons for the dialect.
    pub reasons: Vec<String>,
    /// Other dialects that the same prompts may have.
    pub others: Vec<Dialect>,
}

/// The prompts of one rule: in one prompt folder or in any folder, with one extension and one
/// dialect.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Group {
    top: PathBuf,
    ending: String,
    dialect: Dialect,
}

/// The candidates that rules cover, and those without a known dialect.
#[derive(Debug)]
pub struct Proposed<'c> {
    /// The rules for the prompts among them.
    pub rules: Vec<NewRule>,
    /// Candidates that may be prompts, but whose dialect is unknown.
    pub unclear: Vec<(&'c Candidate, &'c Guess)>,
}

/// Proposes rules for the prompts among some candidates. `base` is the folder of the config.
/// `project` is the dialect suggested by the project. `engines_near` returns the
/// engines used near a folder.
pub fn propose<'c>(
    candidates: &'c [Candidate],
    base: &Path,
    project: Option<&ProjectDialect>,
    engines_near: impl Fn(&Path) -> Vec<ProjectEngine>,
) -> Proposed<'c> {
    let neighbours = Neighbours::new(candidates);
    let mut groups: BTreeMap<Group, Vec<(&Candidate, Decision)>> = BTreeMap::new();
    let mut unclear = Vec::new();
    for candidate in candidates {
        let Standing::Prompt(guess) = &candidate.standing else { continue };
        let Some(decision) = decide(guess, candidate, &neighbours, base, project) else {
            unclear.push((candidate, guess));
            continue;
        };
        let folder = candidate.path.parent().unwrap_or(base);
        let group = Group {
            top: candidate.prompt_folder.as_deref().unwrap_or(folder).to_owned(),
            ending: ending(&candidate.path).to_owned(),
            dialect: decision.dialect,
        };
        groups.entry(group).or_default().push((candidate, decision));
    }
    let rule = |(group, prompts): (Group, Vec<_>)| {
        let mut engines = engines_near(&group.top);
        engines.retain(|found| found.engine.dialect() == group.dialect);
        rule(&group, &prompts, engines, candidates, base)
    };
    Proposed { rules: groups.into_iter().map(rule).collect(), unclear }
}

/// The certain dialects in each folder, and below each prompt folder: files in one folder are
/// usually written for the same engine.
struct Neighbours<'c>(BTreeMap<&'c Path, BTreeSet<Dialect>>);

impl<'c> Neighbours<'c> {
    fn new(candidates: &'c [Candidate]) -> Self {
        let mut certain: BTreeMap<&Path, BTreeSet<Dialect>> = BTreeMap::new();
        for candidate in candidates {
            let dialect = match &candidate.standing {
                Standing::Prompt(guess) => match guess.detection.fits[..] {
                    [dialect] if guess.is_evident => Some(dialect),
                    _ => None,
                },
                _ => candidate.named,
            };
            for folder in Neighbours::folders(candidate) {
                certain.entry(folder).or_default().extend(dialect);
            }
        }
        Neighbours(certain)
    }

    fn folders(candidate: &Candidate) -> impl Iterator<Item = &Path> {
        candidate.path.parent().into_iter().chain(candidate.prompt_folder.as_deref())
    }

    fn near(&self, candidate: &Candidate) -> impl Iterator<Item = Dialect> {
        Neighbours::folders(candidate).flat_map(|folder| &self.0[folder]).copied()
    }
}

/// The dialect chosen for a prompt.
struct Decision {
    dialect: Dialect,
    reasons: Vec<String>,
    /// Other possible dialects; empty if there is evidence for the chosen one.
    others: Vec<Dialect>,
    /// Whether the dialect was chosen because of files in the same folder.
    by_neighbours: bool,
}

/// `None` if the only evidence for a dialect is the shape of its placeholders.
fn decide(
    guess: &Guess,
    candidate: &Candidate,
    neighbours: &Neighbours<'_>,
    base: &Path,
    project: Option<&ProjectDialect>,
) -> Option<Decision> {
    let Guess { detection, reasons, is_evident, is_likely } = guess;
    let decided =
        |dialect, reasons| Decision { dialect, reasons, others: Vec::new(), by_neighbours: false };
    let near: BTreeSet<Dialect> =
        neighbours.near(candidate).filter(|dialect| detection.fits.contains(dialect)).collect();
    let near = near.first().filter(|_| near.len() == 1);
    let of_project = project.filter(|project| detection.fits.contains(&project.dialect));
    let like_neighbours =
        near.map(|&dialect| Decision { by_neighbours: true, ..decided(dialect, Vec::new()) });
    if !is_evident {
        let locked = of_project.filter(|project| project.is_locked);
        let like_project = locked.map(|it| decided(it.dialect, vec![it.reason.clone()]));
        return like_neighbours.or(like_project).filter(|_| *is_likely);
    }
    if let [dialect] = detection.fits[..] {
        return Some(decided(dialect, reasons.clone()));
    }
    let folders = candidate.path.ancestors().skip(1).take_while(|folder| folder.starts_with(base));
    let named = folders
        .filter_map(|folder| Dialect::from_id(folder.file_name()?.to_str()?))
        .find(|dialect| detection.fits.contains(dialect));
    if let Some(dialect) = named {
        let why = format!("they are in a folder named {}", dialect.spec().id);
        return Some(decided(dialect, vec![why]));
    }
    if like_neighbours.is_some() {
        return like_neighbours;
    }
    if let Some(project) = of_project {
        return Some(decided(project.dialect, vec![project.reason.clone()]));
    }
    let others = detection.fits.iter().filter(|&&fits| fits != detection.dialect);
    Some(Decision {
        dialect: detection.dialect,
        reasons: reasons.clone(),
        others: others.copied().collect(),
        by_neighbours: false,
    })
}

fn rule(
    group: &Group,
    prompts: &[(&Candidate, Decision)],
    engines: Vec<ProjectEngine>,
    all: &[Candidate],
    base: &Path,
) -> NewRule {
    let mut reasons: Vec<String> = Vec::new();
    let mut others = BTreeSet::new();
    for (_, decision) in prompts {
        for reason in &decision.reasons {
            if !reasons.contains(reason) {
                reasons.push(reason.clone());
            }
        }
        others.extend(&decision.others);
    }
    if reasons.is_empty() {
        let id = group.dialect.spec().id;
        let by_neighbours = prompts.iter().any(|(_, decision)| decision.by_neighbours);
        reasons.push(match by_neighbours {
            true => format!("others next to them can only be {id}"),
            false => format!("most placeholders and keys indicate {id}"),
        });
    }
    const MOST_REASONS: usize = 3;
    reasons.truncate(MOST_REASONS);
    let of_engines: Vec<String> = engines.iter().map(ProjectEngine::reason).collect();
    reasons.retain(|reason| !of_engines.contains(reason));
    reasons.extend(of_engines);
    NewRule {
        files: globs(group, prompts, all, base),
        dialect: group.dialect,
        engines,
        prompts: prompts.len(),
        reasons,
        others: others.into_iter().collect(),
    }
}

/// The globs that match the prompts of a group, and no file that must not be a prompt.
fn globs(
    group: &Group,
    prompts: &[(&Candidate, Decision)],
    all: &[Candidate],
    base: &Path,
) -> Vec<String> {
    /// This many files in a folder without a prompt name are not there by accident.
    const MANY: usize = 3;
    let paths: BTreeSet<&Path> = prompts.iter().map(|(prompt, _)| &*prompt.path).collect();
    let relative = |path: &Path| escaped(path.strip_prefix(base).unwrap_or(path));
    let in_prompt_folder = prompts.iter().any(|(prompt, _)| prompt.prompt_folder.is_some());
    let folders: BTreeSet<&Path> =
        prompts.iter().filter_map(|(prompt, _)| prompt.path.parent()).collect();
    let top = folders
        .iter()
        .next()
        .into_iter()
        .flat_map(|folder| folder.ancestors())
        .find(|top| folders.iter().all(|folder| folder.starts_with(top)))
        .unwrap_or(&group.top);
    let is_deep = folders.iter().any(|folder| *folder != top);
    let is_worth_it = in_prompt_folder || prompts.len() >= MANY || group.ending == "prompt";

    let strangers: Vec<&Candidate> = all
        .iter()
        .filter(|other| {
            let in_reach = match is_deep {
                true => other.path.starts_with(top),
                false => other.path.parent() == Some(top),
            };
            let is_harmless =
                matches!(other.standing, Standing::Harmless) || other.named == Some(group.dialect);
            in_reach
                && ending(&other.path) == group.ending
                && !is_harmless
                && !paths.contains(&*other.path)
        })
        .collect();
    if !is_worth_it || strangers.len() > prompts.len() {
        return prompts.iter().map(|(prompt, _)| format!("/{}", relative(&prompt.path))).collect();
    }
    let top = relative(top);
    let top = if top.is_empty() { top } else { format!("{top}/") };
    let deep = if is_deep { "**/" } else { "" };
    // Without a slash, a glob would match in all folders.
    let anchor = if top.is_empty() && !is_deep { "/" } else { "" };
    let mut globs = vec![format!("{anchor}{top}{deep}*.{}", group.ending)];
    for stranger in strangers {
        let name = stranger.path.file_name().unwrap_or_default().to_string_lossy();
        let glob = match name.ends_with(".prompt.md") {
            true => "!*.prompt.md".to_owned(),
            false => format!("!/{}", relative(&stranger.path)),
        };
        if !globs.contains(&glob) {
            globs.push(glob);
        }
    }
    globs
}

fn ending(path: &Path) -> &str {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default()
}

/// A path as a glob that matches only this path.
fn escaped(path: &Path) -> String {
    let mut glob = String::new();
    let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    for character in parts.join("/").chars() {
        if "*?[]{}\\!#".contains(character) {
            glob.push('\\');
        }
        glob.push(character);
    }
    match glob.strip_suffix(' ') {
        Some(start) => format!("{start}\\ "),
        None => glob,
    }
}

/// Rules in the format of `promptls.toml`, with reasons in comments above them.
pub fn to_toml(rules: &[NewRule]) -> String {
    let mut text = String::new();
    for rule in rules {
        let NewRule { files, dialect, engines, prompts, reasons, others } = rule;
        let id = dialect.spec().id;
        if !text.is_empty() {
            text.push('\n');
        }
        let plural = if *prompts == 1 { "" } else { "s" };
        text.push_str(&format!("# {prompts} prompt{plural} of {}\n", dialect.spec().title));
        for reason in reasons {
            // Comments in TOML must not contain control characters.
            let reason: String = reason.chars().filter(|c| !c.is_control()).collect();
            text.push_str(&format!("# - {reason}\n"));
        }
        if !others.is_empty() {
            let others: Vec<&str> = others.iter().map(|other| other.spec().id).collect();
            text.push_str(&format!(
                "# This is a guess: if these are prompts of {}, change it.\n",
                others.join(" or ")
            ));
        }
        let files: Vec<String> =
            files.iter().map(|glob| toml::Value::from(glob.as_str()).to_string()).collect();
        text.push_str("[[prompts]]\n");
        text.push_str(&format!("files = [{}]\n", files.join(", ")));
        let engines: Vec<String> =
            engines.iter().map(|found| format!("\"{}\"", found.engine)).collect();
        text.push_str(&match &engines[..] {
            [] => format!("dialect = \"{id}\"\n"),
            [engine] => format!("engine = {engine}\n"),
            engines => format!("engines = [{}]\n", engines.join(", ")),
        });
    }
    text
}

/// The dialect of the engines that a project depends on.
pub struct ProjectDialect {
    dialect: Dialect,
    /// The evidence, as a phrase.
    reason: String,
    /// The version of the engine is known, such as from a lock file.
    is_locked: bool,
}

/// The dialect of the engines that the project depends on; `None` for several.
pub fn project_dialect(engines: &[ProjectEngine]) -> Option<ProjectDialect> {
    // Some packages have other uses, such as those of dialects that are never guessed.
    let speaks = |found: &&ProjectEngine| found.engine.dialect().spec().clues.is_some();
    let dialects: BTreeSet<Dialect> =
        engines.iter().filter(speaks).map(|found| found.engine.dialect()).collect();
    let dialect = dialects.first().filter(|_| dialects.len() == 1)?;
    let found = engines.iter().find(|found| found.engine.dialect() == *dialect)?;
    let is_locked = found.version.is_some();
    Some(ProjectDialect { dialect: *dialect, reason: found.reason(), is_locked })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_of_globs_are_escaped() {
        assert_eq!(escaped(Path::new("a[1]/b*.txt")), "a\\[1\\]/b\\*.txt");
    }
}
