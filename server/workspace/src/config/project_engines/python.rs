//! Files of Python package managers.

use promptls_resolver::Language;
use serde_json::Value as Json;
use toml::{Table, Value};

use super::ecosystem::{Ecosystem, PackageFile, PackageVisitor, Sort};

pub(super) const PACKAGES: Ecosystem = Ecosystem {
    languages: &[Language::Python],
    sources: &[
        PackageFile { name: "uv.lock", sort: Sort::Lock, read: locked },
        PackageFile { name: "poetry.lock", sort: Sort::Lock, read: locked },
        PackageFile { name: "pdm.lock", sort: Sort::Lock, read: locked },
        PackageFile { name: "Pipfile.lock", sort: Sort::Lock, read: pipfile_lock },
        PackageFile { name: "pyproject.toml", sort: Sort::Manifest, read: pyproject },
        PackageFile { name: "requirements*.txt", sort: Sort::Manifest, read: requirements },
        PackageFile { name: "Pipfile", sort: Sort::Manifest, read: pipfile },
        PackageFile { name: "setup.py", sort: Sort::Manifest, read: strings },
        PackageFile { name: "setup.cfg", sort: Sort::Manifest, read: requirements },
    ],
    is_package: |name, package| normal(name) == package,
};

/// A package name in normalized form: `Google_ADK` becomes `google-adk`.
fn normal(name: &str) -> String {
    let parts = name.split(['-', '_', '.']).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-").to_ascii_lowercase()
}

/// A requirement with the syntax of `pip`, and the version after a single `==`.
fn requirement(text: &str) -> Option<(&str, Option<&str>)> {
    let text = text.trim();
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let (name, rest) = text.split_at(text.find(|c| !is_of_name(c)).unwrap_or(text.len()));
    let rest = rest.trim_start();
    let rest = match rest.strip_prefix('[') {
        Some(extras) => extras.split_once(']')?.1.trim_start(),
        None => rest,
    };
    (!name.is_empty()).then(|| (name, exact(rest)))
}

/// The version of `==1.2`; `None` for specifiers that allow several versions.
fn exact(specifier: &str) -> Option<&str> {
    let version = specifier.trim_start_matches('(').trim_start().strip_prefix("==")?;
    let version = version.trim_start_matches('=').trim_start();
    let end = version.find(|c: char| ",;)#\\".contains(c) || c.is_whitespace());
    let (version, rest) = version.split_at(end.unwrap_or(version.len()));
    let is_one = !version.contains('*') && !rest.trim_start().starts_with(',');
    is_one.then_some(version)
}

fn note(text: &str, found: &mut PackageVisitor<'_>) {
    if let Some((name, version)) = requirement(text) {
        found(name, version);
    }
}

/// `[[package]]` with a name and a version, as written by uv, Poetry and PDM.
fn locked(text: &str, found: &mut PackageVisitor<'_>) {
    let Ok(lock) = text.parse::<Table>() else { return };
    for package in lock.get("package").and_then(Value::as_array).into_iter().flatten() {
        if let Some(name) = package.get("name").and_then(Value::as_str) {
            found(name, package.get("version").and_then(Value::as_str));
        }
    }
}

fn pipfile_lock(text: &str, found: &mut PackageVisitor<'_>) {
    let Ok(lock) = serde_json::from_str::<Json>(text) else { return };
    for section in ["default", "develop"] {
        for (name, package) in lock[section].as_object().into_iter().flatten() {
            found(name, package["version"].as_str().and_then(exact));
        }
    }
}

fn requirements(text: &str, found: &mut PackageVisitor<'_>) {
    text.lines().for_each(|line| note(line, found));
}

/// Programs whose strings may be requirements.
fn strings(text: &str, found: &mut PackageVisitor<'_>) {
    text.split(['"', '\'']).for_each(|piece| note(piece, found));
}

fn pyproject(text: &str, found: &mut PackageVisitor<'_>) {
    let Ok(project) = text.parse::<Table>() else { return };
    let at = |path: &[&str]| {
        let mut value = project.get(*path.first()?)?;
        for key in &path[1..] {
            value = value.get(key)?;
        }
        Some(value)
    };
    let lists = [
        &["project", "dependencies"][..],
        &["project", "optional-dependencies"],
        &["dependency-groups"],
        &["tool", "uv", "dev-dependencies"],
        &["tool", "pdm", "dev-dependencies"],
    ];
    for value in lists.into_iter().filter_map(at) {
        let groups = value.as_table().into_iter().flat_map(Table::values);
        for list in groups.chain([value]).filter_map(Value::as_array) {
            list.iter().filter_map(Value::as_str).for_each(|it| note(it, found));
        }
    }
    let groups = at(&["tool", "poetry", "group"]).and_then(Value::as_table);
    let groups = groups.into_iter().flat_map(Table::values);
    let groups = groups.filter_map(|group| group.get("dependencies"));
    let poetry = ["dependencies", "dev-dependencies"];
    let poetry = poetry.into_iter().filter_map(|key| at(&["tool", "poetry", key]));
    poetry.chain(groups).filter_map(Value::as_table).for_each(|table| by_name(table, found));
}

fn pipfile(text: &str, found: &mut PackageVisitor<'_>) {
    let Ok(project) = text.parse::<Table>() else { return };
    let sections = ["packages", "dev-packages"].into_iter().filter_map(|key| project.get(key));
    sections.filter_map(Value::as_table).for_each(|table| by_name(table, found));
}

/// `name = "1.2"` or `name = { version = "1.2" }`; a bare version means exactly that version.
fn by_name(packages: &Table, found: &mut PackageVisitor<'_>) {
    for (name, package) in packages {
        let version = package.as_str().or_else(|| package.get("version")?.as_str());
        let version = version.and_then(|version| {
            let is_bare = version.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
            if is_bare { Some(version) } else { exact(version) }
        });
        found(name, version);
    }
}
