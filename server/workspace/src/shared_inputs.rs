//! A cache of inputs files that all prompts of a rule share: each is parsed once.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dashmap::DashMap;
use promptls_resolver::{FileId, Format, Inputs, Parsed};

/// Parsed files, by path and by the file id beside a prompt: usually the same id for all prompts.
#[derive(Debug, Default)]
pub(crate) struct SharedInputs {
    parsed: DashMap<(PathBuf, FileId), SharedFile>,
}

#[derive(Debug)]
struct SharedFile {
    text: Arc<str>,
    parsed: Parsed<Arc<Inputs>>,
}

impl SharedInputs {
    /// The values in the text of a file; parsed only if the text changed.
    ///
    /// The values are in source form: callers read `$file` texts, because they know which are
    /// allowed.
    pub fn parse(&self, path: &Path, text: &Arc<str>, file: FileId) -> Parsed<Arc<Inputs>> {
        let key = (path.to_owned(), file);
        if let Some(known) = self.parsed.get(&key)
            && known.text == *text
        {
            return known.parsed.clone();
        }
        let parsed = Inputs::parse(text, Format::of_sidecar(path), file).map(Arc::new);
        self.parsed.insert(key, SharedFile { text: text.clone(), parsed: parsed.clone() });
        parsed
    }

    /// Clears the cache: files may belong to other prompts.
    pub fn forget(&self) {
        self.parsed.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_parsed_once() {
        let shared = SharedInputs::default();
        let parse = |text: &str, file| {
            shared.parse(Path::new("/p/all.json"), &text.into(), FileId(file)).value
        };
        let [first, again] = [1, 1].map(|file| parse(r#"{"a": 1}"#, file).expect("it is JSON"));
        assert!(Arc::ptr_eq(&first, &again));
        let elsewhere = parse(r#"{"a": 1}"#, 2).expect("it is JSON");
        assert_eq!((first.file, elsewhere.file), (FileId(1), FileId(2)));
        assert_eq!(parse("{", 1), None);
        let other = parse(r#"{"b": 1}"#, 1).expect("it is JSON");
        assert!(other.root.get("b").is_some());
    }
}
