//! The files to which stdout and stderr are redirected.

use std::path::Path;

/// The regular files of stdout and stderr, by device and inode: a file may have several paths.
#[derive(Debug)]
#[cfg_attr(not(unix), derive(Default))]
pub struct OwnOutput {
    #[cfg(unix)]
    files: Vec<(u64, u64)>,
}

#[cfg(unix)]
impl Default for OwnOutput {
    fn default() -> OwnOutput {
        use rustix::fs::{FileType, fstat};

        let stats = [fstat(std::io::stdout()), fstat(std::io::stderr())].into_iter().flatten();
        let regular = stats.filter(|stat| FileType::from_raw_mode(stat.st_mode).is_file());
        #[expect(clippy::useless_conversion, reason = "their types differ between systems")]
        let files = regular.filter_map(|it| Some((it.st_dev.try_into().ok()?, it.st_ino.into())));
        OwnOutput { files: files.collect() }
    }
}

#[cfg(unix)]
impl OwnOutput {
    /// Whether a path leads to one of these files.
    pub fn is(&self, path: &Path) -> bool {
        use std::os::unix::fs::MetadataExt;

        let id = |it: std::fs::Metadata| (it.dev(), it.ino());
        !self.files.is_empty() && path.metadata().is_ok_and(|it| self.files.contains(&id(it)))
    }
}

#[cfg(not(unix))]
impl OwnOutput {
    /// Not supported on these systems. Output starts one more run, which prints nothing new.
    pub fn is(&self, _: &Path) -> bool {
        false
    }
}
