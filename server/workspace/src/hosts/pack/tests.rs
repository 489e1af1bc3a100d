//! Packs in JSON: their names, and their content.

use std::path::Path;

use crate::readers::PromptReader;

/// `true` if a file is a pack by its text; `None` if it is meant to be one, but does not parse.
pub(super) fn recognizes(path: &str, text: &str) -> Option<bool> {
    let strings =
        crate::hosts::rule_strings::Strings::of_file(Path::new(path), None, &Default::default());
    let strings = std::sync::Arc::new(strings.expect("no rule excludes it"));
    let language = crate::readers::language_of(Path::new(path)).expect("it is data");
    let found = crate::hosts::prompt_cache::found_in(language, &text.into(), &strings);
    match found.is_broken() {
        true => None,
        false => Some(found.pack.is_some()),
    }
}

#[test]
fn a_pack_is_recognised_by_its_extension() {
    let is_pack = |path| PromptReader::by_name(Path::new(path)).is_some();
    assert!(is_pack("/a/support.pack.json"));
    assert!(!is_pack("/a/.pack.json"));
    assert!(!is_pack("/a/support.pack.inputs.json"));
}

#[test]
fn a_pack_with_another_name_is_recognised_by_its_content() {
    let prompts = r#""prompts": {"a": {"system_template": "x"}}"#;
    for (text, is_pack) in [
        (format!(r#"{{"template_engine": {{}}, {prompts}}}"#), Some(true)),
        (format!(r#"{{"$schema": "https://x/PromptPack/v1.json", {prompts}}}"#), Some(true)),
        (format!(r#"{{"$schema": "https://x/package.json", {prompts}}}"#), Some(false)),
        (format!("{{{prompts}}}"), Some(false)),
        (r#"{"template_engine": 1, "prompts": ["system_template"]}"#.to_owned(), Some(false)),
        (r#"{"template_engine": 1, "prompts": {}}"#.to_owned(), Some(false)),
        (format!(r#"{{"template_engine": {{}}, {prompts}"#), None),
        ("{".to_owned(), Some(false)),
    ] {
        assert_eq!(recognizes("/a.json", &text), is_pack, "{text}");
    }
}
