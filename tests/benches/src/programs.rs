//! The programs that are measured from outside.

use std::env;
use std::io;
use std::path::{Path, PathBuf};

/// The paths of the programs.
pub struct Programs {
    /// promptls: `$PROMPTLS_BIN`, or the binary next to this program.
    pub promptls: PathBuf,
    /// The language server that does nothing.
    pub empty_server: PathBuf,
}

impl Programs {
    /// They may not exist: see [`Programs::verify`].
    pub fn paths() -> Programs {
        let named = env::var_os("PROMPTLS_BIN").map(PathBuf::from);
        // A name without a folder would be searched in $PATH.
        let named = named.map(|path| path.canonicalize().unwrap_or(path));
        Programs {
            promptls: named.unwrap_or_else(|| beside("promptls")),
            empty_server: beside("empty-language-server"),
        }
    }

    /// The same with another promptls.
    pub fn with_promptls(&self, promptls: &Path) -> io::Result<Programs> {
        let programs = Programs {
            promptls: promptls.canonicalize()?,
            empty_server: self.empty_server.clone(),
        };
        programs.verify()?;
        Ok(programs)
    }

    /// Fails with instructions if they do not exist.
    pub fn verify(&self) -> io::Result<()> {
        let verify = |path: &Path, package: &str| match path.is_file() {
            true => Ok(()),
            false => Err(io::Error::other(format!(
                "{} is missing: run `cargo build -p {package}`, with the profile of this program",
                path.display()
            ))),
        };
        verify(&self.promptls, "promptls")?;
        verify(&self.empty_server, "promptls-benches")
    }
}

fn beside(name: &str) -> PathBuf {
    let this = env::current_exe().expect("a running program knows its own path");
    this.with_file_name(format!("{name}{}", env::consts::EXE_SUFFIX))
}
