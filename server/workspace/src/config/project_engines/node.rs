//! Files of JavaScript package managers.

use promptls_resolver::Language;
use serde_json::Value;

use super::ecosystem::{Ecosystem, PackageFile, PackageVisitor, Sort};

pub(super) const PACKAGES: Ecosystem = Ecosystem {
    languages: &[Language::JavaScript],
    sources: &[
        PackageFile { name: "package-lock.json", sort: Sort::Lock, read: npm_lock },
        PackageFile { name: "pnpm-lock.yaml", sort: Sort::Lock, read: pnpm_lock },
        PackageFile { name: "yarn.lock", sort: Sort::Lock, read: yarn_lock },
        PackageFile {
            name: "node_modules/{package}/package.json",
            sort: Sort::Lock,
            read: installed,
        },
        PackageFile { name: "package.json", sort: Sort::Manifest, read: manifest },
    ],
    is_package: |name, package| name == package,
};

fn manifest(text: &str, found: &mut PackageVisitor<'_>) {
    let Ok(manifest) = serde_json::from_str::<Value>(text) else { return };
    for section in ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] {
        for (name, version) in manifest[section].as_object().into_iter().flatten() {
            found(name, version.as_str().filter(|version| is_exact(version)));
        }
    }
}

/// `true` if a version range is a single version: three numbers, and perhaps a pre-release.
fn is_exact(range: &str) -> bool {
    let numbers = range.split(['-', '+']).next().unwrap_or_default();
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
    numbers.split('.').count() == 3
        && numbers.split('.').all(is_number)
        && !range.contains(char::is_whitespace)
}

/// The `package.json` of a package in `node_modules`.
fn installed(text: &str, found: &mut PackageVisitor<'_>) {
    let Ok(package) = serde_json::from_str::<Value>(text) else { return };
    if let Some(name) = package["name"].as_str() {
        found(name, package["version"].as_str());
    }
}

fn npm_lock(text: &str, found: &mut PackageVisitor<'_>) {
    let Ok(lock) = serde_json::from_str::<Value>(text) else { return };
    // Newer files use paths, older ones names.
    for (path, package) in lock["packages"].as_object().into_iter().flatten() {
        if let Some((_, name)) = path.rsplit_once("node_modules/") {
            found(name, package["version"].as_str());
        }
    }
    for (name, package) in lock["dependencies"].as_object().into_iter().flatten() {
        found(name, package["version"].as_str());
    }
}

/// Keys such as `'@google/adk@1.4.0(zod@3.25.0)':`, or with a leading slash.
fn pnpm_lock(text: &str, found: &mut PackageVisitor<'_>) {
    for line in text.lines() {
        let key = line.trim().trim_start_matches(['\'', '"', '/']);
        let Some((name, version)) = name_and_version(key) else { continue };
        let end = version.find(['(', '\'', '"', ':', '_']);
        let version = &version[..end.unwrap_or(version.len())];
        if line.trim_end().ends_with(':') && is_exact(version) {
            found(name, Some(version));
        }
    }
}

/// `"@google/adk@^1.0.0":`, followed by a line with the version.
fn yarn_lock(text: &str, found: &mut PackageVisitor<'_>) {
    let mut named = None;
    for line in text.lines() {
        if !line.starts_with(char::is_whitespace) {
            named = name_and_version(line.trim_start_matches('"')).map(|(name, _)| name);
        } else if let Some(version) = line.trim_start().strip_prefix("version")
            && let Some(name) = named.take()
        {
            let version = version.trim_start_matches(':').trim().trim_matches('"');
            found(name, is_exact(version).then_some(version));
        }
    }
}

/// `@scope/name@version`, split at the last possible `@`.
fn name_and_version(key: &str) -> Option<(&str, &str)> {
    let scope = usize::from(key.starts_with('@'));
    let at = scope + key[scope..].find('@')?;
    Some((&key[..at], &key[at + 1..]))
}
