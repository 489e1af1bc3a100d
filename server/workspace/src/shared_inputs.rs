//! Inputs files that all prompts of a rule share: each is parsed once, however many prompts read
//! it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dashmap::DashMap;
use promptls_resolver::{FileId, Format, Inputs, Parsed};

/// What was parsed, by file and by the id that it has beside a prompt: mostly the same one for
/// all of them.
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
    /// The values in a text of a file; parsed only if the file had another text before.
    ///
    /// They are as they are written: `$file` texts are brought by whoever knows what they may be.
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

    /// Forgets all of it: whose inputs they are may have changed.
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
