//! Checking a folder of prompts, without finding them: the cost of each prompt.

use std::fs;
use std::path::PathBuf;

use promptls_analysis::DEFAULT_MAX_PROBLEMS;
use promptls_tests::workloads::{InputsOf, PROMPTS_PER_FOLDER, write_prompts};
use promptls_workspace::{
    Configs, Disk, Files, Overrides, Project, PromptFile, kind_of, prompts_in,
};

use crate::allocated::allocated;
use crate::counting::Counting;
use crate::counts::Counts;

const FOLDERS: usize = 2;

pub fn count(counts: &mut Counts) {
    let prompts = FOLDERS * PROMPTS_PER_FOLDER;
    for (inputs_of, what) in [(InputsOf::Each, "of their own"), (InputsOf::All, "in common")] {
        let work = format!("checking {prompts} prompts with inputs {what}");
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        write_prompts(folder.path(), FOLDERS, inputs_of);
        // Other threads find the prompts; their allocations do not count here.
        let found = prompts_in(folder.path(), Project::without_program(&Disk, &Configs::default()));
        assert_eq!(found.len(), prompts);
        let files = Counting::default();
        let allocated = allocated(|| {
            assert_eq!(check(&found, &files), FOLDERS, "each folder has a prompt with a problem");
        });
        counts.add_allocated(&work, allocated);
        counts.add(&work, "files read", files.files_read());
        counts.add(&work, "folders listed", files.folders_listed());
    }
    count_named(counts);
    count_foreign(counts);
}

/// Inputs with the name of their prompt are found by it, not by searching all of them.
fn count_named(counts: &mut Counts) {
    for prompts in [100, 200] {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("it is in a folder")).expect("it is made");
            fs::write(path, text).expect("it is written");
        };
        let rule = "files = [\"p/*.prompt\"]\ndialect = \"adk\"";
        let globs = "[\"flat/{stem}*.json\", \"deep/**/{stem}.json\"]";
        write("promptls.toml", &format!("[[prompts]]\n{rule}\ninputs = {globs}\n"));
        for number in 0..prompts {
            write(&format!("p/a{number:03}.prompt"), "Dear {name}, {greeting}");
            write(&format!("flat/a{number:03}.x.json"), "{\"name\": \"Ada\"}");
            write(&format!("deep/{}/a{number:03}.json", number % 10), "{\"greeting\": \"Hi\"}");
        }
        let found = prompts_in(folder.path(), Project::without_program(&Disk, &Configs::default()));
        assert_eq!(found.len(), prompts);
        let files = Counting::default();
        let allocated = allocated(|| {
            assert_eq!(check(&found, &files), 2 * prompts, "a name lacks in each case");
        });
        let work = format!("checking {prompts} prompts with inputs that have their names");
        counts.add_allocated(&work, allocated);
        counts.add(&work, "files read", files.files_read());
        counts.add(&work, "folders listed", files.folders_listed());
    }
}

/// Foreign JSON only costs reading it: parsing it would take hundreds of allocations per file.
fn count_foreign(counts: &mut Counts) {
    const FILES: usize = 50;
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let package: String =
        (0..100).map(|index| format!("\"package-{index}\": [\"^{index}.0.0\"], ")).collect();
    let paths: Vec<PathBuf> =
        (0..FILES).map(|index| folder.path().join(format!("{index}.json"))).collect();
    for path in &paths {
        fs::write(path, format!("{{{package} \"prompts\": {{}}}}")).expect("it is written");
    }
    let configs = Configs::default();
    let project = Project::without_program(&Disk, &configs);
    let allocated = allocated(|| {
        let is_prompt = |path: &&PathBuf| kind_of(path, None, project).is_some();
        assert_eq!(paths.iter().filter(is_prompt).count(), 0);
    });
    counts.add_allocated(&format!("passing over {FILES} foreign JSON files"), allocated);
}

/// Checks like `promptls check`, in one thread; returns the number of problems.
fn check(prompts: &[PathBuf], files: &Counting) -> usize {
    let (configs, overrides) = (Configs::default(), Overrides::default());
    let problems = prompts.iter().map(|path| {
        let text = (files as &dyn Files).read(path).expect("it was found").into();
        let file = PromptFile::read(files.project(&configs), path, text, &overrides, None);
        file.problems(DEFAULT_MAX_PROBLEMS).len()
    });
    problems.sum()
}
