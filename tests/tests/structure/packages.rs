//! Each crate is a package that others can use, with a description and its authors.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The metadata of the published packages, from `cargo metadata`.
fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .expect("cargo can be run");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let packages = metadata["packages"].as_array().expect("there are packages");
    // `publish = false` is an empty list of registries.
    packages.iter().filter(|package| package["publish"].is_null()).cloned().collect()
}

#[test]
fn each_package_has_its_metadata() {
    let packages = packages();
    // An empty result would mean that the wrong manifests were read.
    assert!(packages.len() >= 7, "{} packages", packages.len());
    let mut lacking = Vec::new();
    for package in &packages {
        let is_written = |key: &str| match &package[key] {
            Value::String(text) => !text.is_empty(),
            Value::Array(items) => !items.is_empty(),
            _ => false,
        };
        let keys = [
            "description",
            "license",
            "repository",
            "rust_version",
            "readme",
            "keywords",
            "categories",
        ];
        lacking.extend(keys.iter().filter(|key| !is_written(key)).map(|key| (name(package), *key)));
        let files = ["LICENSE-APACHE", "LICENSE-MIT", "README.md"];
        let is_missing = |file: &&&str| !folder(package).join(file).is_file();
        lacking.extend(files.iter().filter(is_missing).map(|file| (name(package), *file)));
    }
    assert!(lacking.is_empty(), "{lacking:#?}");
}

/// The examples in the README of a library run as doctests.
#[test]
fn each_library_shows_its_readme_in_its_documentation() {
    let mut silent = Vec::new();
    for package in packages() {
        let library = folder(&package).join("src/lib.rs");
        let Ok(text) = std::fs::read_to_string(&library) else { continue };
        let readme = std::fs::read_to_string(folder(&package).join("README.md"));
        let has_example = readme.is_ok_and(|readme| readme.contains("```rust"));
        if !has_example || !text.contains("#![doc = include_str!(\"../README.md\")]") {
            silent.push(name(&package).to_owned());
        }
    }
    assert_eq!(silent, [""; 0]);
}

/// A dependency without a version is available in this repository only.
#[test]
fn dependencies_of_packages_have_versions() {
    let mut open = Vec::new();
    for package in packages() {
        let dependencies = package["dependencies"].as_array().expect("there is a list");
        let needed = dependencies.iter().filter(|dependency| dependency["kind"] != "dev");
        let without = needed.filter(|dependency| dependency["req"] == "*");
        open.extend(without.map(|it| format!("{}: {}", name(&package), name(it))));
    }
    assert_eq!(open, [""; 0]);
}

#[test]
fn the_program_is_packaged_as_built_without_sources_of_the_page() {
    let output = Command::new(env!("CARGO"))
        .args(["package", "--list", "--package", "promptls", "--offline", "--allow-dirty"])
        .current_dir(root())
        .output()
        .expect("cargo can be run");
    let list = String::from_utf8(output.stdout).expect("names are text");
    let files: Vec<&str> = list.lines().collect();
    for built in ["src/main.rs", "page/dist/page.js", "page/dist/page.css", "README.md"] {
        assert!(files.contains(&built), "{built} is missing: {list}");
    }
    let known = [".rs", ".json", ".md", ".js", ".css", "Cargo.toml", "Cargo.toml.orig"];
    let others = files.iter().filter(|file| !known.iter().any(|end| file.ends_with(end)));
    let others: Vec<&&str> = others.collect();
    assert_eq!(others, [&"Cargo.lock", &"LICENSE-APACHE", &"LICENSE-MIT"]);
    assert!(!list.contains("packages/"), "{list}");
}

/// Files that cannot read the version from Cargo contain it after these words.
const VERSIONS: [(&str, &str); 5] = [
    ("server/datafusion/Cargo.toml", "\nversion = \""),
    ("editors/vscode/package.json", "\"version\": \""),
    ("server/packages/README.md", "uses: promptls/promptls@v"),
    ("server/packages/README.md", "rev: v"),
    ("server/packages/gitlab/promptls.gitlab-ci.yml", "PROMPTLS_VERSION: \""),
];

#[test]
fn the_version_is_the_same_everywhere() {
    let version = version();
    for (file, before) in VERSIONS {
        let text = std::fs::read_to_string(root().join(file)).expect("it is there");
        let versions: Vec<&str> = text.split(before).skip(1).collect();
        assert!(!versions.is_empty(), "{file} does not say `{before}`");
        assert!(versions.iter().all(|after| after.starts_with(&version)), "{file}: not {version}");
    }
    for package in packages() {
        assert_eq!(package["version"], version.as_str(), "{}", name(&package));
    }
}

/// `Cargo.toml` contains the address of the repository. After a move, this test lists other files
/// with the old address.
#[test]
fn the_repository_has_one_address() {
    let address = &packages()[0]["repository"];
    let address = address.as_str().expect("it is a text");
    let (host_and_owner, _) = address.rsplit_once('/').expect("it is an address");
    let files = Command::new("git").arg("ls-files").current_dir(root()).output();
    let files = String::from_utf8(files.expect("git can be run").stdout).expect("names are text");
    let mut named = 0;
    for file in files.lines() {
        // Pictures and similar files are no text.
        let Ok(text) = std::fs::read_to_string(root().join(file)) else { continue };
        for (at, _) in text.match_indices(host_and_owner) {
            assert!(
                text[at..].starts_with(address),
                "{file}: {}",
                &text[at..].lines().next().unwrap_or("")
            );
            named += 1;
        }
    }
    // In Cargo.toml, the READMEs, and the manifests of the editors.
    assert!(named >= 3, "{named}");
}

fn version() -> String {
    packages()[0]["version"].as_str().expect("it is a text").to_owned()
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn name(package: &Value) -> &str {
    package["name"].as_str().expect("it has a name")
}

fn folder(package: &Value) -> &Path {
    let manifest = package["manifest_path"].as_str().expect("it has a manifest");
    Path::new(manifest).parent().expect("a file is in a folder")
}
