//! Virtual documents: an older version of a file, or a file in a folder that only the editor can
//! read. Their paths are addresses: see [`Files`](super::Files).

use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;

use super::paths::normal;

/// The path on this machine that a virtual document corresponds to: `git:/work/a.prompt` is an
/// older version of `/work/a.prompt`. The document is read by the rules of that place, but differs
/// from the file there.
///
/// `None` for a path, and for an address on another machine.
pub fn place_of(address: &Path) -> Option<PathBuf> {
    if address.is_absolute() {
        return None;
    }
    let (_scheme, rest) = address.to_str()?.split_once(':')?;
    // The host name is between `//` and the next slash; it is empty for this machine.
    let path = rest.strip_prefix("//").unwrap_or(rest);
    let path = percent_decode_str(path).decode_utf8().ok()?;
    let path = Path::new(&*path);
    path.is_absolute().then(|| normal(path))
}

/// The path of a file relative to a folder; `None` if it is not in it. A virtual document counts by
/// its [place](place_of).
pub(crate) fn relative(folder: &Path, file: &Path) -> Option<PathBuf> {
    let place = folder.is_absolute().then(|| place_of(file)).flatten();
    let file = place.as_deref().unwrap_or(file);
    file.strip_prefix(folder).ok().map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_without_a_host_has_a_local_path() {
        let place = |address: &str| place_of(Path::new(address));
        let work = Some(PathBuf::from("/work/a b.prompt"));
        assert_eq!(place("git:/work/a%20b.prompt"), work);
        assert_eq!(place("git:///work/x/../a%20b.prompt"), work);
        for other in ["/work/a.prompt", "http://host/a.prompt", "untitled:Untitled-1", "git:", ""] {
            assert_eq!(place(other), None, "{other}");
        }
    }
}
