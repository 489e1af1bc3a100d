//! Checking a folder of prompts, but for finding them: what each of them costs.

use std::path::PathBuf;

use promptls_analysis::DEFAULT_MAX_PROBLEMS;
use promptls_tests::workloads::{InputsOf, PROMPTS_PER_FOLDER, write_prompts};
use promptls_workspace::{Configs, Disk, Files, Overrides, PromptFile, kind_of, prompts_in};

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
        // The prompts are found by threads of their own, whose allocations count for them.
        let found = prompts_in(folder.path(), &Disk, &Configs::default());
        assert_eq!(found.len(), prompts);
        let files = Counting::default();
        let allocated = allocated(|| {
            assert_eq!(check(&found, &files), FOLDERS, "each folder has a prompt with a problem");
        });
        counts.add_allocated(&work, allocated);
        counts.add(&work, "files read", files.files_read());
        counts.add(&work, "folders listed", files.folders_listed());
    }
    count_foreign(counts);
}

/// Foreign JSON costs reading it and no more: parsing it would be hundreds of allocations a file.
fn count_foreign(counts: &mut Counts) {
    const FILES: usize = 50;
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let package: String =
        (0..100).map(|index| format!("\"package-{index}\": [\"^{index}.0.0\"], ")).collect();
    let paths: Vec<PathBuf> =
        (0..FILES).map(|index| folder.path().join(format!("{index}.json"))).collect();
    for path in &paths {
        std::fs::write(path, format!("{{{package} \"prompts\": {{}}}}")).expect("it is written");
    }
    let allocated = allocated(|| {
        let is_prompt = |path: &&PathBuf| kind_of(path, None, &Disk).is_some();
        assert_eq!(paths.iter().filter(is_prompt).count(), 0);
    });
    counts.add_allocated(&format!("passing over {FILES} foreign JSON files"), allocated);
}

/// As `promptls check` does it, in one thread; returns how many problems there are.
fn check(prompts: &[PathBuf], files: &Counting) -> usize {
    let (configs, overrides) = (Configs::default(), Overrides::default());
    let problems = prompts.iter().map(|path| {
        let text = files.read(path).expect("it was found").into();
        let file = PromptFile::read(files, &configs, path, text, &overrides, None);
        file.problems(DEFAULT_MAX_PROBLEMS).len()
    });
    problems.sum()
}
