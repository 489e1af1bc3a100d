//! All programs and requests give the same result.
//!
//! Some are for all cases of the prompts in a file: the published and pulled problems, `check`,
//! `preview --all-cases`. Others are for one prompt in one case: `resolve`, `preview`,
//! `promptls/preview`, `promptls/inputs`, code lenses. With one case, both give the same result.

use std::collections::{BTreeMap, BTreeSet};

use super::edits::Numbers;
use super::folders::{Folder, folders};
use super::ways::{PromptCase, Reported, Ways, is_config, is_prompt, is_unused_in_shared, list};

/// A test for each group of folders. The tests share the processors, and a failure names its group.
macro_rules! test_groups {
    ($check:ident: $($name:ident = $group:literal),* $(,)?) => {
        mod $check {
            pub const GROUPS: &[&str] = &[$($group),*];
            $(
                #[test]
                fn $name() {
                    super::$check($group);
                }
            )*
        }
    };
}

test_groups! { all_commands_and_editors_agree:
    adk = "adk", agentensemble = "agentensemble", agentle = "agentle", entaingine = "entaingine",
    langfuse = "langfuse", format = "format", promptpack = "promptpack", guessed = "guessed",
    adk_python = "adk-python@2.13", promptkit_go = "promptkit-go",
    promptpack_python = "promptpack-python", pack = "pack", yaml_pack = "yaml-pack",
    foreign = "foreign",
}

test_groups! { all_commands_and_editors_agree_after_random_edits:
    adk = "adk", agentensemble = "agentensemble", agentle = "agentle", entaingine = "entaingine",
    langfuse = "langfuse", format = "format", promptpack = "promptpack", guessed = "guessed",
    adk_python = "adk-python@2.13", promptkit_go = "promptkit-go",
    promptpack_python = "promptpack-python", pack = "pack", yaml_pack = "yaml-pack",
}

#[test]
fn each_folder_belongs_to_a_group() {
    let groups_of = |folders: Vec<Folder>| -> BTreeSet<String> {
        folders.iter().map(|folder| folder.dialect().to_owned()).collect()
    };
    let names = |groups: &[&str]| groups.iter().map(|&group| group.to_owned()).collect();
    assert_eq!(groups_of(folders()), names(all_commands_and_editors_agree::GROUPS));
    let edited = folders().into_iter().filter(is_edited).collect();
    assert_eq!(groups_of(edited), names(all_commands_and_editors_agree_after_random_edits::GROUPS));
}

/// The folders of a group, which is a dialect or what else they are.
fn folders_of(group: &str) -> Vec<Folder> {
    folders().into_iter().filter(|folder| folder.dialect() == group).collect()
}

fn all_commands_and_editors_agree(group: &str) {
    let folders = folders_of(group);
    let mut ways = Ways::start(&folders);
    let checked = ways.checked();
    for folder in &folders {
        let answer = compare(&mut ways, folder, &checked);
        if ["adk", "guessed", "pack", "yaml-pack"].contains(&group) {
            compare_terminal(&ways, &answer);
        }
    }
    ways.close();
}

fn all_commands_and_editors_agree_after_random_edits(group: &str) {
    let folders: Vec<Folder> = folders_of(group).into_iter().filter(is_edited).collect();
    let mut ways = Ways::start(&folders);
    // Each group has edits of its own, though the prompts of many have the same text.
    let number = all_commands_and_editors_agree_after_random_edits::GROUPS
        .iter()
        .position(|it| *it == group);
    let mut numbers = Numbers::new(seed() + number.expect("the group is listed") as u64);
    for _ in 0..ROUNDS {
        for folder in &folders {
            edit(&mut ways, folder, &mut numbers);
        }
        let checked = ways.checked();
        for folder in &folders {
            let answer = compare(&mut ways, folder, &checked);
            if numbers.below(10) == 0 {
                compare_terminal(&ways, &answer);
            }
        }
    }
    ways.close();
}

fn is_edited(folder: &Folder) -> bool {
    EDITED.iter().any(|end| folder.name.ends_with(end))
}

/// Folders with a wide variety of contents.
const EDITED: [&str; 6] = [
    "/variables-and-cases",
    "adk/shared-inputs",
    "pack/one-with-inputs",
    "pack/one-declared",
    "pack/some-with-cases",
    "pack/lines-with-cases",
];

/// The seed of the edits: `$PROMPTLS_SEED`, or a fixed default.
pub fn seed() -> u64 {
    let given = std::env::var("PROMPTLS_SEED");
    given.map_or(1, |seed| seed.parse().expect("PROMPTLS_SEED is a number"))
}

/// The number of rounds in which all of them are edited.
const ROUNDS: usize = 20;

/// Edits some places of a file. Half of the time, all other files are valid again: an invalid file
/// stays invalid under most edits.
fn edit(ways: &mut Ways, folder: &Folder, numbers: &mut Numbers) {
    let chosen = numbers.below(folder.files.len());
    let is_restored = numbers.below(2) == 0;
    for (index, (path, first_text)) in folder.files.iter().enumerate() {
        if is_restored && ways.text(path) != first_text {
            ways.edit(path, 0..ways.text(path).len(), first_text);
        }
        if index == chosen {
            let (range, typed) = numbers.edit(ways.text(path));
            ways.edit(path, range, &typed);
        }
    }
}

/// The common result for a folder.
struct Answer {
    prompts: Vec<PromptCase>,
    of_cases: Vec<(PromptCase, Vec<Reported>)>,
    of_files: Vec<Reported>,
    /// Only an editor has the contents from before a file became invalid, and continues to use
    /// them.
    is_stale: bool,
    /// A config with errors: commands for one prompt fail.
    is_refused: bool,
}

/// Compares all results for the prompts of a folder, given the results of `check` for all.
#[track_caller]
fn compare(ways: &mut Ways, folder: &Folder, checked: &BTreeMap<String, Vec<Reported>>) -> Answer {
    let files = folder.files.iter().filter(|(path, _)| is_prompt(path));
    let files: Vec<&str> = files.map(|(path, _)| &**path).collect();
    let broken = broken_config(folder, checked);
    let is_stale = broken.is_some_and(|path| ways.text(path) != first_text(folder, path))
        || files.iter().any(|path| ways.is_stale(path));
    let prompts: Vec<PromptCase> = files.iter().flat_map(|path| ways.prompts(path)).collect();
    let cases: Vec<PromptCase> = prompts.iter().flat_map(|prompt| ways.cases(prompt)).collect();
    let mut of_cases = Vec::new();
    for case in cases {
        let problems = of_one_case(ways, &case);
        if broken.is_some() {
            ways.require_refusal(&case);
        } else if !is_stale {
            assert_eq!(problems, ways.resolved(&case), "{case:?}");
        }
        of_cases.push((case, problems));
    }
    let problems_of_cases = of_cases.iter().flat_map(|(_, problems)| problems);
    let not_there = NotThere::among(problems_of_cases.clone(), folder);
    let of_files = of_all_cases(ways, folder, &not_there, checked, is_stale);
    if !prompts.is_empty() && folder.cases() <= 1 {
        assert_eq!(as_of_file(problems_of_cases), as_of_file(&of_files), "{}", folder.name);
    }
    Answer { prompts, of_cases, of_files, is_stale, is_refused: broken.is_some() }
}

/// Files that a config names and that do not exist, with their problems.
struct NotThere(BTreeMap<String, BTreeSet<Reported>>);

impl NotThere {
    fn among<'t>(problems: impl Iterator<Item = &'t Reported>, folder: &Folder) -> NotThere {
        let is_there =
            |problems: &&Reported| folder.files.iter().any(|(path, _)| *path == problems.file);
        let mut files: BTreeMap<String, BTreeSet<Reported>> = BTreeMap::new();
        for problems in problems.filter(|problems| !is_there(problems)) {
            files.entry(problems.file.clone()).or_default().insert(problems.clone());
        }
        NotThere(files)
    }
}

/// The problems in the files of a folder, from `check`, published and pulled, which must be equal.
#[track_caller]
fn of_all_cases(
    ways: &mut Ways,
    folder: &Folder,
    NotThere(not_there): &NotThere,
    checked: &BTreeMap<String, Vec<Reported>>,
    is_stale: bool,
) -> Vec<Reported> {
    let mut of_files = Vec::new();
    for path in folder.files.iter().map(|(path, _)| path).chain(not_there.keys()) {
        let mut problems = match (is_stale, not_there.get(path)) {
            (true, Some(problems)) => problems.iter().cloned().collect(),
            (true, None) => ways.pulled(path),
            (false, _) => checked.get(path).cloned().unwrap_or_default(),
        };
        problems.retain(|problems| !is_unused_in_shared(problems));
        ways.wait_for_published(path, &problems);
        ways.wait_for_pulled(path, &problems);
        of_files.extend(problems);
    }
    // Problems of a config are reported separately, not for a prompt.
    of_files.retain(|problems| !is_config(&problems.file));
    of_files
}

/// The editor's results for a prompt in one of its cases, which must be equal in all places.
#[track_caller]
fn of_one_case(ways: &mut Ways, case: &PromptCase) -> Vec<Reported> {
    let preview = ways.request("promptls/preview", case);
    let problems = ways.all_reported(&preview["problems"], &case.path);
    let titles = titles(&problems);
    let count = |severity: &str| titles.iter().filter(|title| title.starts_with(severity)).count();
    let (errors, warnings) = (count("error["), count("warning["));

    let mut shown = list(&preview["cases"]).iter().filter(|case| case["name"] == preview["case"]);
    let counted = shown.next().map(|case| (case["errors"].clone(), case["warnings"].clone()));
    let expected = case.case.as_ref().map(|_| (errors.into(), warnings.into()));
    assert_eq!(counted, expected, "{case:?}: {titles:#?}");
    assert_eq!(ways.count_above(case), errors + warnings, "{case:?}: {titles:#?}");

    let form = ways.request("promptls/inputs", case);
    for problem in list(&form["fields"]).iter().flat_map(|field| list(&field["problems"])) {
        let text = |field: &str| problem[field].as_str().unwrap_or_default();
        let (start, end) = (format!("{}[", text("severity")), format!("]: {}", text("message")));
        let is_it = |title: &String| title.starts_with(&start) && title.ends_with(&end);
        assert!(titles.iter().any(is_it), "{case:?}: {problem} is none of {titles:#?}");
    }
    problems
}

/// Compares the output of a terminal. Not for each folder, because it counts tokens, which takes a
/// tenth of a second.
#[track_caller]
fn compare_terminal(ways: &Ways, answer: &Answer) {
    let problems =
        answer.of_cases.iter().flat_map(|(_, problems)| problems).chain(&answer.of_files);
    // It shows pictures instead of characters that would move the cursor.
    let has_controls = titles(problems).iter().any(|title| title.contains(char::is_control));
    if answer.prompts.is_empty() || answer.is_stale || answer.is_refused || has_controls {
        return;
    }
    for (case, problems) in &answer.of_cases {
        assert_eq!(ways.previewed(case, &[]), titles(problems), "{case:?}");
    }
    let is_of_file = |title: &String| !title.contains("[no-inputs]");
    let prompts = answer.prompts.iter();
    let all = prompts.flat_map(|prompt| ways.previewed(prompt, &["--all-cases"]));
    let all: BTreeSet<String> = all.filter(is_of_file).collect();
    let expected = titles(&answer.of_files).into_iter().filter(is_of_file).collect();
    assert_eq!(all, expected, "{:?}", answer.prompts);
}

/// The config of a folder, if it has errors. Commands for one prompt then fail; an editor keeps the
/// rules from before the edit that broke it.
fn broken_config<'f>(
    folder: &'f Folder,
    checked: &BTreeMap<String, Vec<Reported>>,
) -> Option<&'f str> {
    let has_error = |path: &str| {
        checked.get(path).is_some_and(|it| it.iter().any(|it| it.title.starts_with("error")))
    };
    folder.files.iter().map(|(path, _)| &**path).find(|path| is_config(path) && has_error(path))
}

fn first_text<'f>(folder: &'f Folder, path: &str) -> &'f str {
    folder.files.iter().find(|(it, _)| it == path).map_or("", |(_, text)| text)
}

/// The problems of prompts as problems of their file, where each is reported once. Missing inputs
/// are reported at the first prompt, with its message.
fn as_of_file<'t>(problems: impl IntoIterator<Item = &'t Reported>) -> BTreeSet<Reported> {
    let once = |problems: &Reported| match problems.title.split_once("[no-inputs]") {
        Some((severity, _)) => {
            Reported { title: severity.to_owned(), places: Vec::new(), ..problems.clone() }
        }
        None => problems.clone(),
    };
    problems.into_iter().map(once).collect()
}

fn titles<'t>(problems: impl IntoIterator<Item = &'t Reported>) -> Vec<String> {
    let mut titles: Vec<String> =
        problems.into_iter().map(|problems| problems.title.clone()).collect();
    titles.sort();
    titles
}
