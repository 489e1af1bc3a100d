//! Documents that are no files of this machine: an older version of a file, or one in a folder that
//! only the editor can read. Their paths are addresses: see [`Files`](super::Files).

use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;

use super::paths::normal;

/// Where on this machine a document would be that is no file: `git:/work/a.prompt` is some older
/// `/work/a.prompt`. It is read by the rules of that place, and is not what is there.
///
/// `None` for a path, and for an address on another machine.
pub fn place_of(address: &Path) -> Option<PathBuf> {
    if address.is_absolute() {
        return None;
    }
    let (_scheme, rest) = address.to_str()?.split_once(':')?;
    // Between two slashes and a third one stands the machine: nothing for this one.
    let path = rest.strip_prefix("//").unwrap_or(rest);
    let path = percent_decode_str(path).decode_utf8().ok()?;
    let path = Path::new(&*path);
    path.is_absolute().then(|| normal(path))
}

/// The path of a file from a folder; `None` if it is not in it. A document that is no file counts as
/// what would be in its [place](place_of).
pub(crate) fn relative(folder: &Path, file: &Path) -> Option<PathBuf> {
    let place = folder.is_absolute().then(|| place_of(file)).flatten();
    let file = place.as_deref().unwrap_or(file);
    file.strip_prefix(folder).ok().map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_without_a_machine_has_a_place_here() {
        let place = |address: &str| place_of(Path::new(address));
        let work = Some(PathBuf::from("/work/a b.prompt"));
        assert_eq!(place("git:/work/a%20b.prompt"), work);
        assert_eq!(place("git:///work/x/../a%20b.prompt"), work);
        for other in ["/work/a.prompt", "http://host/a.prompt", "untitled:Untitled-1", "git:", ""] {
            assert_eq!(place(other), None, "{other}");
        }
    }
}
