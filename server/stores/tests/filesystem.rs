//! The filesystem store: valid ids, and access outside of the folder.

use std::fs;
use std::path::Path;

use promptls_stores::{
    FilesystemStore, Filters, MAX_BYTES, Prompt, PromptProvider, PromptStore, Trouble,
};

#[tokio::test]
async fn saved_prompts_are_provided_listed_and_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let store = FilesystemStore::new(folder.path().join("prompts"));
    store.save("greeting.txt", &Prompt::of("Hello, {{name}}!")).await.unwrap();
    store.save_text("templates/é mail.txt", "a\r\n").await.unwrap();
    store.save_text("greeting.txt", "Hi, {{name}}!").await.unwrap();

    assert_eq!(store.provide_prompt("greeting.txt").await.unwrap().content(), "Hi, {{name}}!");
    assert_eq!(store.provide_prompt("templates/é mail.txt").await.unwrap().content(), "a\r\n");
    // It has one version, regardless of the filter.
    let filtered = store.provide_prompt_with("greeting.txt", &Filters::label("x")).await;
    assert_eq!(filtered.unwrap().content(), "Hi, {{name}}!");
    let ids: Vec<String> = store.list_prompt_ids().await.unwrap().into_iter().collect();
    assert_eq!(ids, ["greeting.txt", "templates/é mail.txt"]);

    store.delete("greeting.txt").await.unwrap();
    assert!(!store.exists("greeting.txt").await.unwrap());
    assert!(store.exists("templates/é mail.txt").await.unwrap());
    let error = store.delete("greeting.txt").await.unwrap_err();
    assert_eq!((error.trouble(), error.prompt_id()), (Trouble::NotFound, Some("greeting.txt")));
    // No temporary file remains.
    assert_eq!(names_in(&folder.path().join("prompts")), ["templates"]);
}

#[tokio::test]
async fn ids_outside_of_the_folder_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("secret.txt"), "secret").unwrap();
    let store = FilesystemStore::new(folder.path().join("prompts"));
    store.save_text("a.txt", "a").await.unwrap();
    let absolute = folder.path().join("secret.txt").display().to_string();
    let long = "x".repeat(4000);
    for id in [
        "../secret.txt",
        "a/../../secret.txt",
        "..",
        ".",
        "",
        "/",
        "a.txt/",
        "./a.txt",
        "b//a.txt",
        "a\0.txt",
        "..\\secret.txt",
        ".git/config",
        "a/.GIT/x",
        ".hidden.txt",
        &absolute,
        &long,
    ] {
        assert!(!store.exists(id).await.unwrap(), "{id:?}");
        assert!(store.provide_prompt(id).await.is_err(), "{id:?}");
        assert!(store.save_text(id, "overwritten").await.is_err(), "{id:?}");
        assert!(store.delete(id).await.is_err(), "{id:?}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("secret.txt")).unwrap(), "secret");
    assert_eq!(names_in(&folder.path().join("prompts")), ["a.txt"]);
}

#[cfg(unix)]
#[tokio::test]
async fn links_out_of_the_folder_are_not_followed() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().unwrap();
    let [inside, outside] = ["prompts", "outside"].map(|name| folder.path().join(name));
    fs::create_dir(&inside).unwrap();
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("secret.txt"), "secret").unwrap();
    fs::write(inside.join("a.txt"), "a").unwrap();
    symlink(outside.join("secret.txt"), inside.join("file.txt")).unwrap();
    symlink(&outside, inside.join("folder")).unwrap();
    symlink("a.txt", inside.join("link.txt")).unwrap();
    symlink("nowhere", inside.join("dangling.txt")).unwrap();
    symlink(".", inside.join("circle")).unwrap();
    let store = FilesystemStore::new(&inside);

    for id in ["file.txt", "folder/secret.txt"] {
        let error = store.provide_prompt(id).await.unwrap_err();
        assert!(error.to_string().contains("leads out of the folder"), "{error}");
        assert!(store.save_text(id, "overwritten").await.is_err());
    }
    assert!(store.save_text("folder/new/b.txt", "b").await.is_err());
    assert!(store.delete("folder/secret.txt").await.is_err());
    assert_eq!(names_in(&outside), ["secret.txt"]);
    assert_eq!(fs::read_to_string(outside.join("secret.txt")).unwrap(), "secret");

    // A link that stays inside is a prompt, and stays a link.
    store.save_text("link.txt", "b").await.unwrap();
    assert_eq!(store.provide_prompt("a.txt").await.unwrap().content(), "b");
    let ids: Vec<String> = store.list_prompt_ids().await.unwrap().into_iter().collect();
    assert_eq!(ids, ["a.txt", "link.txt"]);
}

#[tokio::test]
async fn the_folder_may_be_the_current_one() {
    for folder in [".", ""] {
        // Tests run in the folder of their package.
        let store = FilesystemStore::new(folder);
        assert!(store.exists("tests/filesystem.rs").await.unwrap(), "{folder:?}");
        let ids = store.list_prompt_ids().await.unwrap();
        assert!(ids.contains("Cargo.toml") && ids.contains("tests/filesystem.rs"), "{ids:?}");
    }
}

#[tokio::test]
async fn files_that_are_not_utf_8_or_too_large_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("latin.txt"), b"ab\xe9").unwrap();
    fs::write(folder.path().join("large.txt"), vec![b'x'; MAX_BYTES + 1]).unwrap();
    fs::create_dir(folder.path().join("folder")).unwrap();
    let store = FilesystemStore::new(folder.path());
    for (id, why) in [
        ("latin.txt", "`latin.txt` is not UTF-8: see byte 2"),
        ("large.txt", "`large.txt` has more than 16 MiB"),
        ("folder", "`folder` is not a file"),
    ] {
        let error = store.provide_prompt(id).await.unwrap_err();
        assert_eq!((error.to_string().as_str(), error.prompt_id()), (why, Some(id)));
        assert!(!error.is_retryable());
    }
    let error = store.save_text("new.txt", &"x".repeat(MAX_BYTES + 1)).await.unwrap_err();
    assert_eq!(error.to_string(), "`new.txt` has more than 16 MiB");
    assert!(!folder.path().join("new.txt").exists());
}

fn names_in(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).expect("the folder can be read").flatten();
    let mut names: Vec<String> =
        names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
