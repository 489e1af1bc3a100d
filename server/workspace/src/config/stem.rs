//! `{stem}` in paths of a rule: the name of a prompt, or of its file, up to the first dot.
//! `{prompt}` is the name of a prompt within its file.

use std::borrow::Cow;
use std::path::Path;

use super::compiled_globs;

/// The placeholder for the name of a prompt.
pub const STEM: &str = "{stem}";

/// The placeholder for the name of a prompt in a file of several.
pub const PROMPT: &str = "{prompt}";

/// The value of `{stem}`: the file name up to its first dot.
pub fn name_of(prompt: &Path) -> &str {
    let name = prompt.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.split('.').next().unwrap_or_default()
}

/// A path with `{stem}` replaced by a name.
pub fn with_name<'w>(written: &'w str, name: &str) -> Cow<'w, str> {
    match written.contains(STEM) {
        true => Cow::Owned(written.replace(STEM, name)),
        false => Cow::Borrowed(written),
    }
}

/// The value of `{stem}` in the path of a matched file; `None` if it cannot be determined. It is
/// determined at the start of a file name, or if it is the whole name of a folder.
pub fn name_in<'p>(written: &str, folder: &Path, path: &'p Path) -> Option<&'p str> {
    let (folder, written) = without_dots(folder, written);
    let relative = path.strip_prefix(folder).ok()?;
    let parts: Vec<&str> = written.split('/').collect();
    if parts.last()?.starts_with(STEM) {
        return Some(name_of(path));
    }
    // Two stars match any number of folders.
    let is_certain = !parts.contains(&"**");
    let position = parts.iter().position(|part| *part == STEM).filter(|_| is_certain)?;
    relative.iter().nth(position)?.to_str()
}

/// `true` if a glob relative to a folder matches a file.
pub fn is_match(folder: &Path, glob: &str, path: &Path) -> bool {
    let (folder, glob) = without_dots(folder, glob);
    let Ok(relative) = path.strip_prefix(folder) else { return false };
    compiled_globs::is_match(glob, relative)
}

/// The rest of a path or glob after its leading `..` components.
pub fn beyond_dots(mut path: &str) -> &str {
    while let Some(rest) = path.strip_prefix("./").or_else(|| path.strip_prefix("../")) {
        path = rest;
    }
    path
}

/// A path or glob without its leading `..` components, and the folder that it is then relative to.
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
    fn the_name_in_a_path_is_found_by_its_pattern() {
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
