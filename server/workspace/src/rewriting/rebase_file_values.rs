//! Rewrites the text of an inputs file for another folder: relative paths are adjusted.

use std::path::{Component, Path};

use promptls_analysis::{FileEdit, edit_file};
use promptls_resolver::{FileId, Format, Inputs, Value, ValueKind};
use serde_json::json;

use crate::files::paths::absolute;

/// The text of an inputs file for another file; `None` if a path in it cannot be changed without
/// side effects.
pub fn rebase_file_values(text: &str, from: &Path, to: &Path) -> Option<String> {
    let (Some(old), Some(new)) = (from.parent(), to.parent()) else { return None };
    if old == new {
        return Some(text.to_owned());
    }
    let format = Format::of_sidecar(from);
    // An invalid file names no other files.
    let Some(inputs) = Inputs::parse(text, format, FileId::PROMPT).value else {
        return Some(text.to_owned());
    };
    let mut edits = Vec::new();
    for entry in inputs.root.entries() {
        let mut keys = vec![entry.key.to_string()];
        each_file(&entry.value, &mut keys, &mut |keys, path| {
            if let Some(path) = pathdiff::diff_paths(absolute(old, Path::new(path)), new) {
                let value = json!({ "$file": with_slashes(&path) }).to_string();
                edits.push(FileEdit::Set { path: keys.to_vec(), value });
            }
        });
    }
    edit_file(text, format, &edits)
}

/// Calls `found` for every `{"$file": path}` in a value, with its keys.
fn each_file(value: &Value, keys: &mut Vec<String>, found: &mut impl FnMut(&[String], &str)) {
    let members: Vec<(String, &Value)> = match &value.kind {
        ValueKind::File(file) => return found(keys, &file.path),
        ValueKind::List(items) => {
            items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect()
        }
        ValueKind::Object(object) => {
            object.entries().iter().map(|entry| (entry.key.to_string(), &entry.value)).collect()
        }
        _ => return,
    };
    for (key, member) in members {
        keys.push(key);
        each_file(member, keys, found);
        keys.pop();
    }
}

/// The path in the form of inputs files, on any system.
fn with_slashes(path: &Path) -> String {
    let parts = path.components().filter(|part| *part != Component::CurDir);
    let parts: Vec<_> = parts.map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    #[track_caller]
    fn check(from: &str, text: &str, expected: Expect) {
        let copied =
            rebase_file_values(text, Path::new(from), Path::new("/w/prompts/a.b.inputs.json"));
        expected.assert_eq(&copied.expect("it can be written"));
    }

    #[test]
    fn rebased_paths_refer_to_the_same_files() {
        check(
            "/w/shared/all.inputs.json",
            r#"{
  // the policy
  "a": {"$file": "policy.md"},
  "b": [{"c": {"$file": "../prompts/x/y.md"}}, "policy.md"],
}"#,
            expect![[r#"
                {
                  // the policy
                  "a": {"$file": "../shared/policy.md"},
                  "b": [{"c": {"$file": "x/y.md"}}, "policy.md"],
                }"#]],
        );
        check(
            "/w/shared/all.inputs.yaml",
            "a:\n  $file: policy.md # short\n",
            expect![[r#"
                a:
                  "$file": "../shared/policy.md" # short
            "#]],
        );
        check(
            "/w/prompts/a.inputs.json",
            r#"{"a": {"$file": "./policy.md"}}"#,
            expect![[r#"{"a": {"$file": "./policy.md"}}"#]],
        );
        check("/w/shared/all.inputs.json", r#"{"a": "#, expect![[r#"{"a": "#]]);
    }
}
