//! Any pack.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::DEFAULT_MAX_PROBLEMS;
use promptls_fuzz::{Corpus, EXECUTIONS};
use promptls_workspace::{Configs, Files, Overrides, PromptFile, ReadError};

use crate::texts::JSON_PIECES;

/// No files at all.
struct Nothing;

impl Files for Nothing {
    fn read(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        Err(ReadError::missing(path))
    }

    fn list(&self, _folder: &Path) -> Arc<[String]> {
        Arc::new([])
    }

    fn is_there(&self, _path: &Path) -> bool {
        false
    }

    fn is_link(&self, _: &Path) -> bool {
        false
    }

    fn without_links(&self, _path: &Path) -> Option<PathBuf> {
        None
    }
}

fn a_pack_is_read(text: &str) {
    let path = Path::new("/a.pack.json");
    let (configs, overrides) = (Configs::default(), Overrides::default());
    let pack = PromptFile::read(&Nothing, &configs, path, text.into(), &overrides, None);
    for problem in pack.problems(DEFAULT_MAX_PROBLEMS) {
        assert!(text.get(problem.location.range.clone()).is_some(), "{problem:?}");
    }
    for prompt in &pack.prompts {
        let len = prompt.snapshot.text.len_bytes();
        let range = pack.range_in_file(prompt, &(0..len)).expect("nothing was edited");
        // What stands there is the text of the prompt, escaped.
        let written = format!("\"{}\"", &text[range]);
        if let Ok(again) = serde_json::from_str::<String>(&written) {
            assert_eq!(again, prompt.snapshot.text.to_string());
        }
    }
}

#[test]
fn packs() {
    let corpus = || Corpus::of("packs", JSON_PIECES);
    corpus().each(a_pack_is_read);
    bolero::check!()
        .with_iterations(EXECUTIONS)
        .with_generator(corpus().text())
        .for_each(|text| a_pack_is_read(text));
}
