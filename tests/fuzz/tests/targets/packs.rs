//! Any pack.

use std::path::Path;

use promptls_analysis::DEFAULT_MAX_PROBLEMS;
use promptls_fuzz::{Corpus, EXECUTIONS};
use promptls_workspace::{Configs, NoFiles, Overrides, Project, PromptFile, replaced};

use crate::texts::{JSON_PIECES, YAML_PIECES};

fn read(path: &str, text: &str) -> PromptFile {
    let (configs, overrides) = (Configs::default(), Overrides::default());
    let project = Project::without_program(&NoFiles, &configs);
    PromptFile::read(project, Path::new(path), text.into(), &overrides, None)
}

fn a_pack_is_read(text: &str) {
    let pack = read("/a.pack.json", text);
    for problem in pack.problems(DEFAULT_MAX_PROBLEMS) {
        assert!(text.get(problem.location.range.clone()).is_some(), "{problem:?}");
    }
    for prompt in &pack.prompts {
        let len = prompt.snapshot.text.len_bytes();
        let range = pack.range_in_file(prompt, &(0..len)).expect("nothing was edited");
        // The range contains the escaped text of the prompt.
        let written = format!("\"{}\"", &text[range]);
        if let Ok(again) = serde_json::from_str::<String>(&written) {
            assert_eq!(again, prompt.snapshot.text.to_string());
        }
    }
}

/// A text is found in its place, and an edit changes only this text.
fn a_yaml_pack_is_read_and_edited(text: &str) {
    let pack = read("/a.pack.yaml", text);
    for problem in pack.problems(DEFAULT_MAX_PROBLEMS) {
        assert!(text.get(problem.location.range.clone()).is_some(), "{problem:?}");
    }
    for (index, prompt) in pack.prompts.iter().enumerate() {
        let template = prompt.snapshot.text.to_string();
        let range = pack.range_in_file(prompt, &(0..template.len())).expect("nothing was edited");
        assert!(text.get(range).is_some());
        let edit = (template.len() / 2..template.len() / 2, "{{x}}'\" ".to_owned());
        if !template.is_char_boundary(edit.0.start) {
            continue;
        }
        let edits = [edit];
        let Ok(written) = pack.replacements_in_file(prompt, &edits) else { continue };
        let after = replaced(text, &written.expect("nothing was edited"));
        let pack = read("/a.pack.yaml", &after);
        let found: Vec<String> =
            pack.prompts.iter().map(|prompt| prompt.snapshot.text.to_string()).collect();
        assert_eq!(found.get(index), Some(&replaced(&template, &edits)), "{after:?}");
    }
}

#[test]
fn yaml_packs() {
    let corpus = || Corpus::of("yaml_packs", YAML_PIECES);
    corpus().each(a_yaml_pack_is_read_and_edited);
    bolero::check!()
        .with_iterations(EXECUTIONS)
        .with_generator(corpus().text())
        .for_each(|text| a_yaml_pack_is_read_and_edited(text));
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
