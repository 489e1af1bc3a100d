//! Following a workspace like the language server: the first check of all prompts, a change in a
//! file that all of them read, and typing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use promptls_analysis::DEFAULT_MAX_PROBLEMS;
use promptls_tests::workloads::{InputsOf, PROMPTS_PER_FOLDER, write_prompts};
use promptls_workspace::{Change, Concerned, Configs, KnownPrompt, KnownPrompts, Project};

use crate::counting::Counting;
use crate::counts::Counts;

/// Twice as many prompts must cause twice the work.
const FOLDERS: [usize; 2] = [2, 4];

pub fn count(counts: &mut Counts) {
    for (inputs_of, what) in [(InputsOf::Each, "of their own"), (InputsOf::All, "in common")] {
        for folders in FOLDERS {
            let prompts = folders * PROMPTS_PER_FOLDER;
            let folder = tempfile::tempdir().expect("a temporary folder can be made");
            write_prompts(folder.path(), folders, inputs_of);
            let mut followed = Followed::default();
            let mut count = |work: &str, done: Done| {
                let work = format!("{work} {prompts} prompts with inputs {what}");
                counts.add(&work, "prompts looked at", done.looked_at as u64);
                counts.add(&work, "looks at the whole", done.whole as u64);
                counts.add(&work, "files read", done.files.files_read());
                counts.add(&work, "folders listed", done.files.folders_listed());
            };
            count("the first look at", followed.find(folder.path()));
            if inputs_of == InputsOf::All {
                let shared = folder.path().join("shared.json");
                fs::write(&shared, r#"{"name_01": "another value"}"#).expect("the disk takes it");
                count("other inputs of", followed.changed(shared));
            }
            let prompt = folder.path().join("team_001/letter_42.agentle.prompt");
            count("a keystroke in one of", followed.changed(prompt));
        }
    }
}

struct Done {
    looked_at: usize,
    /// The number of results computed from all prompts.
    whole: usize,
    /// The disk, which counts its accesses.
    files: Counting,
}

#[derive(Default)]
struct Followed {
    known: KnownPrompts,
    configs: Configs,
}

impl Followed {
    fn find(&mut self, folder: &Path) -> Done {
        let folders = vec![folder.to_owned()];
        self.step(|known, project| known.find(folders, &[], project))
    }

    /// Handles a change of a file.
    fn changed(&mut self, path: PathBuf) -> Done {
        let changes = BTreeMap::from([(path, Change::Text)]);
        self.step(|known, project| known.changed(&changes, &[], project))
    }

    fn step(
        &mut self,
        concerned: impl FnOnce(&mut KnownPrompts, Project<'_>) -> Concerned,
    ) -> Done {
        let files = Counting::default();
        let project = files.project(&self.configs);
        let concerned: Vec<PathBuf> =
            concerned(&mut self.known, project).prompts.into_iter().collect();
        let looks = project.read_all(&concerned, |looks: &mut Vec<_>, path, read| {
            let file = read.expect("it was found");
            let (_, ignores) = file.problems_and_ignores(DEFAULT_MAX_PROBLEMS);
            looks.push((path.to_owned(), KnownPrompt::of(&file, ignores)));
        });
        for (path, known) in looks.into_iter().flatten() {
            self.known.note(&path, known);
        }
        let whole = self.known.around(project).len();
        Done { looked_at: concerned.len(), whole, files }
    }
}
