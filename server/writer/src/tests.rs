use std::fs;

use tempfile::TempDir;

use super::*;

fn folder() -> (TempDir, PathBuf, Writer) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    let writer = Writer::within(&path);
    (folder, path, writer)
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn existing_files_are_overwritten_only_explicitly() {
    let (_folder, top, writer) = folder();
    let path = top.join("a.json");
    writer.create(&path, b"1").unwrap();
    assert!(matches!(writer.create(&path, b"2"), Err(WriteError::Exists)));
    assert_eq!(fs::read(&path).unwrap(), b"1");
    assert!(matches!(writer.replace(&path, b"other", b"3"), Err(WriteError::Changed)));
    writer.replace(&path, b"1", b"4").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"4");
    writer.put(&path, b"5").unwrap();
    writer.put(&top.join("b.json"), b"6").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"5");
    let deep = top.join("x/y/c.json");
    assert!(matches!(writer.create(&deep, b"7"), Err(WriteError::NoFolder)));
    writer.making_folders().create(&deep, b"7").unwrap();
    assert!(matches!(writer.put(&top.join("x"), b"8"), Err(WriteError::IsFolder)));
    assert_eq!(names(&top), ["a.json", "b.json", "x"]);
    writer.remove(&deep).unwrap();
    assert!(!deep.exists());
}

/// Another program may save in place, or by replacing the file, as most editors do.
#[test]
fn a_save_between_the_sync_and_the_comparison_is_kept() {
    let (_folder, top, writer) = folder();
    let (path, other) = (top.join("a"), top.join("other"));
    let in_place = || fs::write(&path, "saved").unwrap();
    let renamed = || {
        fs::write(&other, "saved").unwrap();
        fs::rename(&other, &path).unwrap();
    };
    let removed = || fs::remove_file(&path).unwrap();
    let saves: [(&dyn Fn(), Option<&str>); 3] =
        [(&in_place, Some("saved")), (&renamed, Some("saved")), (&removed, None)];
    for (save, left) in saves {
        fs::write(&path, "read").unwrap();
        let replaced = writer.replace_after(&path, b"read", b"ours", save);
        assert!(matches!(replaced, Err(WriteError::Changed)), "{replaced:?}");
        assert_eq!(fs::read_to_string(&path).ok().as_deref(), left);
        assert!(names(&top).iter().all(|name| name == "a"), "{:?}", names(&top));
    }
}

#[test]
fn no_file_is_changed_if_one_cannot_be_written() {
    let (_folder, top, writer) = folder();
    let [there, new, is_folder] = ["a", "b", "c"].map(|name| top.join(name));
    fs::write(&there, "1").unwrap();
    fs::create_dir(&is_folder).unwrap();
    let all: [(&Path, &[u8]); 3] = [(&there, b"2"), (&new, b"2"), (&is_folder, b"2")];
    assert_eq!(writer.write_all(&all, Over::Files).unwrap_err().0, is_folder);
    assert_eq!(writer.write_all(&all[..2], Over::Nothing).unwrap_err().0, there);
    assert_eq!(fs::read(&there).unwrap(), b"1");
    assert!(!new.exists());
    writer.write_all(&all[..2], Over::Files).unwrap();
    assert_eq!(fs::read(&there).unwrap(), b"2");
    assert_eq!(fs::read(&new).unwrap(), b"2");
}

#[test]
fn a_leftover_is_removed_by_the_next_write_unless_another_process_is_writing() {
    let (_folder, top, writer) = folder();
    let leftover = top.join(".promptls-1-0.tmp");
    let own = top.join(".promptls-notes.tmp");
    fs::write(&leftover, "half").unwrap();
    fs::write(&own, "mine").unwrap();
    let other = FolderEntry {
        folder: Dir::open_ambient_dir(&top, cap_std::ambient_authority()).unwrap(),
        path: top.clone(),
        name: "other".into(),
        existing: None,
    };
    let writing = leftovers::keep_sweepers_out(&other.folder);
    assert_eq!(writing.is_some(), cfg!(unix));
    writer.put(&top.join("a"), b"1").unwrap();
    assert_eq!(names(&top), [".promptls-1-0.tmp", ".promptls-notes.tmp", "a"]);
    drop(writing);
    Writer::within(&top).put(&top.join("a"), b"2").unwrap();
    if cfg!(unix) {
        assert_eq!(names(&top), [".promptls-notes.tmp", "a"]);
    }
}

#[cfg(unix)]
mod on_unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn permissions_and_attributes_are_kept_and_setuid_is_dropped() {
        let (_folder, top, writer) = folder();
        let path = top.join("a");
        fs::write(&path, "1").unwrap();
        // Not every file system supports attributes.
        let has_attributes = xattr::set(&path, "user.note", b"kept").is_ok();
        for (before, after) in [(0o640, 0o640), (0o4755, 0o755), (0o2775, 0o775)] {
            set_mode(&path, before);
            let content = fs::read(&path).unwrap();
            let next = [&content[..], b"."].concat();
            writer.replace(&path, &content, &next).unwrap();
            assert_eq!(mode(&path), after, "{before:o}");
            writer.put(&path, b"1").unwrap();
            assert_eq!(mode(&path), after, "{before:o}");
            let note = xattr::get(&path, "user.note").unwrap_or_default();
            assert_eq!(note.is_some(), has_attributes);
        }
    }

    #[test]
    fn root_keeps_owner_and_group() {
        let (_folder, top, writer) = folder();
        if fs::metadata(&top).unwrap().uid() != 0 {
            return;
        }
        let path = top.join("a");
        fs::write(&path, "1").unwrap();
        std::os::unix::fs::chown(&path, Some(1234), Some(4321)).unwrap();
        writer.replace(&path, b"1", b"2").unwrap();
        let metadata = fs::metadata(&path).unwrap();
        assert_eq!((metadata.uid(), metadata.gid()), (1234, 4321));
    }

    #[test]
    fn read_only_files_and_hard_links_are_replaced_only_by_force() {
        let (_folder, top, writer) = folder();
        let [read_only, linked, other] = ["a", "b", "c"].map(|name| top.join(name));
        fs::write(&read_only, "1").unwrap();
        set_mode(&read_only, 0o444);
        fs::write(&linked, "1").unwrap();
        fs::hard_link(&linked, &other).unwrap();
        let forced = writer.clone().force(true);
        for (path, reason) in [(&read_only, "it is read-only"), (&linked, "it has 2 hard links")] {
            let refused = [writer.replace(path, b"1", b"2"), writer.put(path, b"2")];
            for refused in refused.map(Result::unwrap_err) {
                assert_eq!(refused.to_string(), reason);
                assert!(refused.can_be_forced());
            }
            assert_eq!(fs::read(path).unwrap(), b"1");
            forced.replace(path, b"1", b"2").unwrap();
            assert_eq!(fs::read(path).unwrap(), b"2");
        }
        assert_eq!(mode(&read_only), 0o444);
        assert_eq!(fs::read(&other).unwrap(), b"1");
    }

    /// A link inside of the project stays a link; one that leads out is not followed by any
    /// operation.
    #[test]
    fn links_are_followed_only_inside_of_their_project() {
        let (_folder, top, _) = folder();
        let (project, outside) = (top.join("project"), top.join("outside"));
        for folder in [&project.join("inner"), &project.join(".git"), &outside] {
            fs::create_dir_all(folder).unwrap();
            fs::write(folder.join("file"), "1").unwrap();
        }
        let writer = Writer::within(&project).making_folders();
        let links = [
            ("absolute", project.join("inner/file"), None),
            ("relative", "inner/file".into(), None),
            ("twice", "relative".into(), None),
            ("folder", "inner".into(), None),
            ("out", "../outside/file".into(), Some("leads out of")),
            ("out_twice", "out".into(), Some("leads out of")),
            ("folder_out", outside.clone(), Some("leads out of")),
            ("git", ".git".into(), Some("leads into a folder of version control")),
            ("nowhere", "../outside/new".into(), Some("is broken")),
        ];
        for (name, target, refused) in links {
            let link = project.join(name);
            symlink(target, &link).unwrap();
            let path = if link.is_dir() { link.join("file") } else { link.clone() };
            fs::write(project.join("inner/file"), "1").unwrap();
            for written in [writer.replace(&path, b"1", b"2"), writer.put(&path, b"2")] {
                match refused {
                    None => written.unwrap(),
                    Some(reason) => {
                        let error = written.unwrap_err().to_string();
                        assert!(error.contains(reason), "{name}: {error}");
                        let made = writer.create(&path, b"2");
                        assert!(made.is_err(), "{name}");
                        if link.is_dir() {
                            let made = writer.create(&link.join("new/file"), b"2").unwrap_err();
                            assert!(made.to_string().contains(reason), "{name}: {made}");
                        }
                    }
                }
            }
            let content = if refused.is_none() { "2" } else { "1" };
            assert_eq!(fs::read_to_string(project.join("inner/file")).unwrap(), content, "{name}");
            assert!(link.is_symlink(), "{name}");
        }
        assert_eq!(names(&outside), ["file"]);
        assert_eq!(fs::read(outside.join("file")).unwrap(), b"1");
        assert_eq!(fs::read(project.join(".git/file")).unwrap(), b"1");
        // Outside of a project, links are followed everywhere.
        let own = top.join("own");
        symlink(outside.join("file"), &own).unwrap();
        writer.put(&own, b"3").unwrap();
        assert!(own.is_symlink());
        assert_eq!(fs::read(outside.join("file")).unwrap(), b"3");
    }

    #[test]
    fn a_link_that_replaces_a_checked_folder_is_not_followed() {
        let (_folder, top, writer) = folder();
        let (inner, outside) = (top.join("inner"), tempfile::tempdir().unwrap());
        fs::create_dir(&inner).unwrap();
        fs::write(inner.join("file"), "1").unwrap();
        fs::write(outside.path().join("file"), "1").unwrap();
        let swap = || {
            fs::rename(&inner, top.join("moved")).unwrap();
            symlink(outside.path(), &inner).unwrap();
        };
        writer.replace_after(&inner.join("file"), b"1", b"2", swap).unwrap();
        assert_eq!(fs::read(top.join("moved/file")).unwrap(), b"2");
        assert_eq!(fs::read(outside.path().join("file")).unwrap(), b"1");
    }

    #[test]
    fn a_device_is_not_replaced() {
        let (_folder, _, writer) = folder();
        writer.put(Path::new("/dev/null"), b"1").unwrap();
        assert!(matches!(writer.create(Path::new("/dev/null"), b"1"), Err(WriteError::Exists)));
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
