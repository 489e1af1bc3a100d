//! Writing files whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::errors::CommandError;
use crate::output::terminal;

/// Writes a new file. Fails if there is one of that name.
pub fn create(path: &Path, text: &str) -> io::Result<()> {
    let file = filled(&new_file(), path, text)?;
    file.persist_noclobber(path).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => {
            io::Error::new(io::ErrorKind::AlreadyExists, "it is there by now, and stays as it is")
        }
        _ => error.error,
    })?;
    Ok(())
}

/// Writes a new file that belongs to another one, with the folders that are missing: a rule may say
/// any.
pub fn create_deep(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    create(path, text)
}

/// Writes a new file and those that belong to it, all of them or none; the error comes with the one
/// that could not be written.
pub fn create_all<'f>(files: &[(&'f Path, &str)]) -> Result<(), (&'f Path, io::Error)> {
    for (index, (path, text)) in files.iter().enumerate() {
        let created = if index == 0 { create(path, text) } else { create_deep(path, text) };
        if let Err(error) = created {
            for (written, _) in &files[..index] {
                // What cannot be taken away stays: there is nothing better to do.
                let _ = fs::remove_file(written);
            }
            return Err((path, error));
        }
    }
    Ok(())
}

/// Writes files, whatever is there, all of them or none.
pub fn put_all<'f>(files: &[(&'f Path, &str)]) -> Result<(), (&'f Path, io::Error)> {
    let mut before: Vec<(&Path, Option<Vec<u8>>)> = Vec::new();
    for &(path, text) in files {
        before.push((path, fs::read(path).ok()));
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        if let Err(error) = folder.and_then(|()| put(path, text)) {
            for (path, before) in before.into_iter().rev().skip(1) {
                // What cannot be put back stays: there is nothing better to do.
                let _ = match before {
                    Some(before) => fs::write(path, before),
                    None => fs::remove_file(path),
                };
            }
            return Err((path, error));
        }
    }
    Ok(())
}

/// Writes a file, whatever is there.
pub fn put(path: &Path, text: &str) -> io::Result<()> {
    // A link stays one: what it leads to is replaced.
    let Ok(there) = path.canonicalize() else {
        filled(&new_file(), path, text)?.persist(path).map_err(|error| error.error)?;
        return Ok(());
    };
    // A device or a pipe stays one, too.
    match fs::metadata(&there)?.is_file() {
        true => overwrite(&there, text),
        false => fs::OpenOptions::new().write(true).open(&there)?.write_all(text.as_bytes()),
    }
}

/// The same with the folders that are missing.
#[cfg(feature = "stores")]
pub fn put_deep(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    put(path, text)
}

/// What a command prints: into the file that the user names, else to stdout.
pub fn output(file: Option<&Path>, text: &str) -> Result<(), CommandError> {
    match file {
        None => terminal::print(text),
        Some(file) => put(file, text).map_err(|source| CommandError::NotWritten {
            path: file.display().to_string(),
            source,
        }),
    }
}

/// The same with an object, on a line.
pub fn json_output(
    file: Option<&Path>,
    object: &impl serde::Serialize,
) -> Result<(), CommandError> {
    match file {
        None => terminal::print_json(object),
        Some(_) => {
            let mut text = Vec::new();
            terminal::write_json(&mut text, object)?;
            output(file, &String::from_utf8_lossy(&text))
        }
    }
}

/// A file that gets another name once it is whole.
pub fn new_file() -> tempfile::Builder<'static, 'static> {
    #[allow(unused_mut, reason = "there are no permissions to set on some systems")]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As for any new file, instead of one for its owner alone.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder
}

/// Why a file is not replaced.
const CHANGED: &str = "it has changed since it was read; start again";

/// Gives a file another text. Fails if its text is not `old` any more.
pub fn replace(path: &Path, old: &str, text: &str) -> io::Result<()> {
    // A link stays one: what it leads to is replaced.
    let path = path.canonicalize()?;
    if fs::read(&path)? != old.as_bytes() {
        return Err(io::Error::other(CHANGED));
    }
    overwrite(&path, text)
}

/// Gives a file that is there another text, and leaves its permissions.
fn overwrite(path: &Path, text: &str) -> io::Result<()> {
    let file = filled(&tempfile::Builder::new(), path, text)?;
    file.as_file().set_permissions(fs::metadata(path)?.permissions())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// A file with this text, in the folder where it is needed.
fn filled(
    builder: &tempfile::Builder<'_, '_>,
    path: &Path,
    text: &str,
) -> io::Result<NamedTempFile> {
    let mut file = beside(builder, path)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// A file in the folder of another one, which it will become.
pub fn beside(builder: &tempfile::Builder<'_, '_>, path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let file = builder.tempfile_in(folder.unwrap_or(Path::new(".")));
    file.map_err(|error| match error.kind() {
        // The system would name a file that nobody knows.
        io::ErrorKind::NotFound => io::Error::new(error.kind(), "its folder is not there"),
        _ => error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_overwritten_only_on_purpose() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        create(&path, "1").unwrap();
        assert_eq!(create(&path, "2").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "1");
        assert!(replace(&path, "other", "3").is_err());
        replace(&path, "1", "4").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "4");
        put(&path, "5").unwrap();
        put(&folder.path().join("b.json"), "6").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "5");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
    #[test]
    fn where_one_cannot_be_written_all_are_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let [there, new, folder_there] = ["a", "b", "c"].map(|name| folder.path().join(name));
        fs::write(&there, "1").unwrap();
        fs::create_dir(&folder_there).unwrap();
        let all: [(&Path, &str); 3] = [(&there, "2"), (&new, "2"), (&folder_there, "2")];
        assert_eq!(put_all(&all).unwrap_err().0, folder_there);
        assert_eq!(fs::read_to_string(&there).unwrap(), "1");
        assert!(!new.exists());
        put_all(&all[..2]).unwrap();
        assert_eq!(fs::read_to_string(&new).unwrap(), "2");
    }
}
