//! Manifests and lock files, each with the engine that they name.

use std::fs;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::files::Disk;
use crate::hosts::is_code::{is_code, language_of_names};

/// The engines found from `p/prompts` upwards in a repository with the given files.
#[track_caller]
fn check(files: &[(&str, &str)], expected: Expect) {
    let repository = tempfile::tempdir().unwrap();
    let top = repository.path();
    for (name, text) in files {
        let path = top.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::create_dir_all(top.join("p/prompts")).unwrap();
    fs::create_dir_all(top.join(".git")).unwrap();
    let found = project_engines(&Disk, &Reach::default(), &top.join("p/prompts"), top);
    let line = |found: &ProjectEngine| format!("{}: {}\n", found.engine, found.reason());
    expected.assert_eq(&found.iter().map(line).collect::<String>());
}

#[test]
fn locks_have_versions() {
    let package = "[[package]]\nname = \"google-adk\"\nversion = \"2.13.0\"\n";
    for name in ["uv.lock", "poetry.lock", "pdm.lock"] {
        let repository = [(name, package)];
        let expected = format!("adk-python@2.13: {name} has google-adk 2.13.0\n");
        let expected = Expect { data: expected.leak(), ..expect![""] };
        check(&repository, expected);
    }
    check(
        &[("Pipfile.lock", r#"{"default": {"google-adk": {"version": "==1.25.0"}}}"#)],
        expect![[r#"
            adk-python@1.25.0: Pipfile.lock has google-adk 1.25.0
        "#]],
    );
    check(
        &[(
            "package-lock.json",
            r#"{"packages": {"node_modules/@google/adk": {"version": "1.6.0"}, "node_modules/x": {"version": "1.0.0"}}}"#,
        )],
        expect![[r#"
            adk-js@1.6: package-lock.json has @google/adk 1.6.0
        "#]],
    );
    check(
        &[(
            "pnpm-lock.yaml",
            "packages:\n\n  '@google/adk@1.3.1(zod@3.25.0)':\n    resolution: {}\n",
        )],
        expect![[r#"
            adk-js@1.3: pnpm-lock.yaml has @google/adk 1.3.1
        "#]],
    );
    check(
        &[("yarn.lock", "\"@google/adk@^1.3.0\":\n  version \"1.4.0\"\n  dependencies:\n")],
        expect![[r#"
            adk-js@1.4: yarn.lock has @google/adk 1.4.0
        "#]],
    );
    check(
        &[
            ("package.json", r#"{"dependencies": {"@google/adk": "^1.2.0"}}"#),
            (
                "node_modules/@google/adk/package.json",
                r#"{"name": "@google/adk", "version": "2.0.0"}"#,
            ),
        ],
        expect![[r#"
            adk-js@2.0: node_modules/@google/adk/package.json has @google/adk 2.0.0
        "#]],
    );
    check(
        &[(
            "go.mod",
            "module m\n\nrequire (\n\tgoogle.golang.org/adk/v2 v2.2.0 // indirect\n\tgoogle.golang.org/adkx v1.0.0\n)\n",
        )],
        expect![[r#"
            adk-go@2.2: go.mod has google.golang.org/adk 2.2.0
        "#]],
    );
    check(
        &[("gradle.lockfile", "com.google.adk:google-adk:1.8.0=compileClasspath\n")],
        expect![[r#"
            adk-java@1.8: gradle.lockfile has com.google.adk:google-adk 1.8.0
        "#]],
    );
}

#[test]
fn manifests_have_a_version_only_if_it_is_exact() {
    for (name, text, version) in [
        (
            "requirements.txt",
            "# google-adk==1.0.0\ngoogle_adk[eval]==2.9.2 ; python_version > '3'\n",
            Some("2.9.2"),
        ),
        ("requirements-dev.txt", "google-adk == 2.9.2 \\\n  --hash=sha256:0\n", Some("2.9.2")),
        ("requirements.txt", "google-adk==2.9.2,!=1\n", None),
        ("requirements.txt", "google-adk==2.*\n", None),
        ("requirements.txt", "google-adk>=2.9\n", None),
        ("pyproject.toml", "[project]\ndependencies = ['google-adk==2.9.2']", Some("2.9.2")),
        ("pyproject.toml", "[dependency-groups]\ndev = ['google-adk~=2.9']", None),
        ("pyproject.toml", "[tool.poetry.dependencies]\ngoogle-adk = '2.9.2'", Some("2.9.2")),
        (
            "pyproject.toml",
            "[tool.poetry.group.a.dependencies]\ngoogle-adk = { version = '^2.9' }",
            None,
        ),
        ("Pipfile", "[packages]\ngoogle-adk = '==2.9.2'", Some("2.9.2")),
        ("setup.py", "setup(install_requires=['google-adk==2.9.2'])", Some("2.9.2")),
    ] {
        let reason = match version {
            Some(version) => format!("adk-python@2.9: {name} has google-adk {version}\n"),
            None => format!(
                "adk-python: {name} requires google-adk without an exact version; the newest is assumed\n"
            ),
        };
        check(&[(name, text)], Expect { data: reason.leak(), ..expect![""] });
    }
    let pom = |version: &str, rest: &str| {
        format!(
            "<project xmlns='m'><!-- <dependency> --><dependencies><dependency>\
             <groupId>com.google.adk</groupId><artifactId>google-adk</artifactId>\
             <version>{version}</version></dependency></dependencies>{rest}</project>"
        )
    };
    let java = "com.google.adk:google-adk";
    let property = "<properties><adk.version>1.2.0</adk.version></properties>";
    for (name, text, version) in [
        ("pom.xml", pom("1.2.0", ""), Some("1.2.0")),
        ("pom.xml", pom("${adk.version}", property), Some("1.2.0")),
        ("pom.xml", pom("[1.0,2.0)", ""), None),
        ("pom.xml", pom("${parent.version}", "<a"), None),
        (
            "build.gradle",
            format!("// '{java}:9.0.0'\nimplementation '{java}:1.2.0'\n"),
            Some("1.2.0"),
        ),
        ("build.gradle.kts", format!("implementation(\"{java}:$adk\")\n"), None),
        ("build.gradle.kts", format!("implementation(\"{java}:1.+\")\n"), None),
        (
            "gradle/libs.versions.toml",
            format!(
                "[versions]\nadk = '1.2.0'\n[libraries]\nadk = {{ module = '{java}', version.ref = 'adk' }}\n"
            ),
            Some("1.2.0"),
        ),
        (
            "gradle/libs.versions.toml",
            format!("[libraries]\nadk = '{java}:1.2.0'\n"),
            Some("1.2.0"),
        ),
    ] {
        let reason = match version {
            Some(version) => format!("adk-java@1.2: {name} has {java} {version}\n"),
            None => {
                format!(
                    "adk-java: {name} requires {java} without an exact version; the newest is assumed\n"
                )
            }
        };
        check(&[(name, &text)], Expect { data: reason.leak(), ..expect![""] });
    }
    check(
        &[("package.json", r#"{"dependencies": {"@google/adk": "1.4.0", "x": "latest"}}"#)],
        expect![[r#"
            adk-js@1.4: package.json has @google/adk 1.4.0
        "#]],
    );
    check(
        &[("package.json", r#"{"dependencies": {"@google/adk": "latest"}}"#)],
        expect![[r#"
            adk-js: package.json requires @google/adk without an exact version; the newest is assumed
        "#]],
    );
}

proptest! {
    /// No file content causes a panic.
    #[test]
    fn no_file_content_causes_a_panic(pieces in proptest::collection::vec(piece(), 0..40)) {
        let text = pieces.concat();
        for ecosystem in &ECOSYSTEMS {
            for source in ecosystem.sources {
                source.mentioned(&text, |_| Some("any"));
            }
        }
    }
}

fn piece() -> impl Strategy<Value = String> {
    let known = [
        "google-adk",
        "@google/adk",
        "@",
        "==",
        "1.2.3",
        "[[package]]\n",
        "name = ",
        "\"",
        "'",
        ":",
        "\n",
        "require (",
        ")",
        "<dependency>",
        "</dependency>",
        "<version>",
        "${",
        "}",
        "{",
        "[",
        "]",
        "//",
        "version",
        " ",
        "é",
        "\u{feff}",
    ];
    proptest::sample::select(known.to_vec()).prop_map(str::to_owned)
}

#[test]
fn engines_are_those_of_the_nearest_folder_with_versions_of_outer_locks() {
    let lock = ("uv.lock", "[[package]]\nname = 'google-adk'\nversion = '2.12.0'\n");
    let member = ("p/pyproject.toml", "[project]\ndependencies = ['google-adk==2.9.2']\n");
    check(
        &[lock, member, ("go.mod", "require google.golang.org/adk v0.2.0\n")],
        expect![[r#"
            adk-python@2.12: uv.lock has google-adk 2.12.0
        "#]],
    );
    check(
        &[member, ("p/go.mod", "require google.golang.org/adk v0.2.0\n")],
        expect![[r#"
            adk-python@2.9: pyproject.toml has google-adk 2.9.2
            adk-go@0.2: go.mod has google.golang.org/adk 0.2.0
        "#]],
    );
    // Engines of other dialects are independent.
    check(
        &[lock, ("p/pyproject.toml", "[project]\ndependencies = ['langfuse']\n")],
        expect![[r#"
            adk-python@2.12: uv.lock has google-adk 2.12.0
            langfuse-python: pyproject.toml requires langfuse without an exact version; the newest is assumed
        "#]],
    );
}

#[test]
fn broken_and_ambiguous_files_have_no_version() {
    check(
        &[(
            "uv.lock",
            "[[package]]\nname = 'google-adk'\nversion = '2.12.0'\n[[package]]\nname = 'google-adk'\nversion = '2.13.0'\n",
        )],
        expect![[r#"
            adk-python: uv.lock requires google-adk without an exact version; the newest is assumed
        "#]],
    );
    check(
        &[
            ("uv.lock", "[[package]\ngoogle-adk"),
            ("package.json", "{\"@google/adk\""),
            ("pom.xml", "<a><b></c>"),
        ],
        expect![""],
    );
    check(
        &[("requirements.txt", "google-adk==1!2.0.0\n")],
        expect![[r#"
            adk-python: requirements.txt requires google-adk without an exact version; the newest is assumed
        "#]],
    );
    check(&[("requirements.txt", "google-adk-extras==2.0.0\nx\n")], expect![""]);
}

#[test]
fn names_in_files_of_packages_are_none_of_values() {
    for source in ECOSYSTEMS.iter().flat_map(|ecosystem| ecosystem.sources) {
        let path = Path::new(source.name);
        assert!(is_code(path) || language_of_names(path).is_none(), "{}", source.name);
    }
}
