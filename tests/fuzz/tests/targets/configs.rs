//! Any `promptls.toml`.

use std::path::Path;

use bolero::produce;
use promptls_fuzz::{Corpus, EXECUTIONS};
use promptls_workspace::{Config, complete_config, hover_config, named_files};

#[rustfmt::skip]
const PIECES: &[&str] = &[
    "[[prompts]]", "[problems]", "[", "]", "files", "dialect", "inputs", "variables", "runtime",
    "literal", "max_tokens", "root", " = ", "\"", "'", "\"\"\"", "\"**/*.txt\"", "[\"a\", \"b\"]",
    "\"adk\"", "true", "1", "-1", "1e9", "{", "}", ",", ".", "#", "\n", "\\", "*", "!", "../",
    "unused-input = \"off\"\n", "é", "\u{FEFF}",
];

fn configs_are_read(text: &str, offset: usize) {
    let config = Config::parse(Path::new("/folder/promptls.toml"), text);
    for problem in &config.problems {
        assert!(text.get(problem.location.range.clone()).is_some(), "{problem:?}");
    }
    if let Some(rule) = config.rule_for(Path::new("/folder/a/b.txt")) {
        config.settings(Some(rule));
    }
    for (range, _) in named_files(text) {
        assert!(text.get(range).is_some());
    }
    let offset = text.floor_char_boundary(offset % (text.len() + 1));
    complete_config(text, offset);
    hover_config(text, offset);
}

#[test]
fn configs() {
    let corpus = || Corpus::of("configs", PIECES);
    corpus().each(|text| configs_are_read(text, text.len() / 2));
    bolero::check!()
        .with_iterations(EXECUTIONS)
        .with_generator((corpus().text(), produce::<usize>()))
        .for_each(|(text, offset)| configs_are_read(text, *offset));
}
