//! `{stem}` in what a rule names: the name of a prompt, or of the file that it stands in, up to the
//! first dot. `{prompt}` is the name of a prompt within its file.

use std::borrow::Cow;
use std::path::Path;

use super::compiled_globs;

/// What stands for the name of a prompt.
pub const STEM: &str = "{stem}";

/// What stands for the name of a prompt in a file of several.
pub const PROMPT: &str = "{prompt}";

/// What `{stem}` stands for.
pub fn name_of(prompt: &Path) -> &str {
    let name = prompt.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.split('.').next().unwrap_or_default()
}

/// What is written, with a name in the place of `{stem}`.
pub fn with_name<'w>(written: &'w str, name: &str) -> Cow<'w, str> {
    match written.contains(STEM) {
        true => Cow::Owned(written.replace(STEM, name)),
        false => Cow::Borrowed(written),
    }
}

/// What `{stem}` stands for in the path of a file that is meant, where it can be told: at the start
/// of a file name, or as the name of a folder.
pub fn name_in<'p>(written: &str, folder: &Path, path: &'p Path) -> Option<&'p str> {
    let (folder, written) = without_dots(folder, written);
    let relative = path.strip_prefix(folder).ok()?;
    let parts: Vec<&str> = written.split('/').collect();
    if parts.last()?.starts_with(STEM) {
        return Some(name_of(path));
    }
    // Two stars are any number of folders.
    let is_certain = !parts.contains(&"**");
    let position = parts.iter().position(|part| *part == STEM).filter(|_| is_certain)?;
    relative.iter().nth(position)?.to_str()
}

/// Whether a glob means a file. It is relative to a folder.
pub fn is_match(folder: &Path, glob: &str, path: &Path) -> bool {
    let (folder, glob) = without_dots(folder, glob);
    let Ok(relative) = path.strip_prefix(folder) else { return false };
    compiled_globs::is_match(glob, relative)
}

/// What is left of a path or a glob behind the steps up that it starts with.
pub fn beyond_dots(mut path: &str) -> &str {
    while let Some(rest) = path.strip_prefix("./").or_else(|| path.strip_prefix("../")) {
        path = rest;
    }
    path
}

/// A path or a glob without the steps up that it starts with, and the folder it is relative to
/// then.
pub fn without_dots<'p>(mut folder: &'p Path, mut path: &'p str) -> (&'p Path, &'p str) {
    loop {
        if let Some(rest) = path.strip_prefix("./") {
            path = rest;
        } else if let (Some(rest), Some(parent)) = (path.strip_prefix("../"), folder.parent()) {
            (folder, path) = (parent, rest);
        } else {
            return (folder, path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_told_from_a_path() {
        for (written, path, name) in [
            ("../t/{stem}*.inputs.json", "/p/t/x.angry.inputs.json", Some("x")),
            ("{stem}.variables.json", "/p/q/x.variables.json", Some("x")),
            ("in/{stem}/*.json", "/p/q/in/x/angry.json", Some("x")),
            ("**/{stem}.json", "/p/q/a/b/x.json", Some("x")),
            ("**/{stem}/*.json", "/p/q/a/b/x/y.json", None),
            ("in/a-{stem}.json", "/p/q/in/a-x.json", None),
        ] {
            assert_eq!(name_in(written, Path::new("/p/q"), Path::new(path)), name, "{written}");
        }
    }
}
