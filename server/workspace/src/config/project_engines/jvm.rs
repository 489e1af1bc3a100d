//! Files of Maven and Gradle. A package is `group:artifact`.

use std::collections::HashMap;

use promptls_resolver::Language;
use quick_xml::Reader;
use quick_xml::events::Event;
use toml::{Table, Value};

use super::ecosystem::{Ecosystem, PackageFile, PackageVisitor, Sort};

pub(super) const PACKAGES: Ecosystem = Ecosystem {
    languages: &[Language::Java, Language::Kotlin],
    sources: &[
        PackageFile { name: "gradle.lockfile", sort: Sort::Lock, read: gradle_lock },
        PackageFile { name: "pom.xml", sort: Sort::Manifest, read: pom },
        PackageFile { name: "build.gradle", sort: Sort::Manifest, read: gradle },
        PackageFile { name: "build.gradle.kts", sort: Sort::Manifest, read: gradle },
        PackageFile { name: "gradle/libs.versions.toml", sort: Sort::Manifest, read: catalog },
    ],
    is_package: |name, package| name == package,
};

/// A version if it is a fixed one: no range, no reference, nothing that may change.
fn exact(version: &str) -> Option<&str> {
    let is_version = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
    let is_one =
        version.starts_with(|c: char| c.is_ascii_digit()) && version.chars().all(is_version);
    is_one.then_some(version)
}

/// `group:artifact:version`, perhaps followed by more.
fn coordinates(text: &str, found: &mut PackageVisitor<'_>) {
    let mut parts = text.split(':');
    if let (Some(group), Some(artifact)) = (parts.next(), parts.next()) {
        let version = parts.next().and_then(|version| exact(version.split('@').next()?));
        found(&format!("{group}:{artifact}"), version);
    }
}

/// Reads `gradle.lockfile`, with lines such as `group:artifact:version=configurations`.
fn gradle_lock(text: &str, found: &mut PackageVisitor<'_>) {
    for line in text.lines() {
        coordinates(line.split('=').next().unwrap_or_default(), found);
    }
}

/// Build scripts whose strings may be coordinates.
fn gradle(text: &str, found: &mut PackageVisitor<'_>) {
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or_default();
        code.split(['"', '\'']).for_each(|piece| coordinates(piece, found));
    }
}

/// A Gradle version catalog: `gradle/libs.versions.toml`.
fn catalog(text: &str, found: &mut PackageVisitor<'_>) {
    let Ok(catalog) = text.parse::<Table>() else { return };
    let version_of = |library: &Value| {
        let version = library.get("version")?;
        let named = version.get("ref").and_then(Value::as_str);
        let named = named.and_then(|name| catalog.get("versions")?.get(name));
        named.unwrap_or(version).as_str().map(str::to_owned)
    };
    let libraries = catalog.get("libraries").and_then(Value::as_table);
    for library in libraries.into_iter().flat_map(Table::values) {
        let text = |key: &str| library.get(key).and_then(Value::as_str);
        let module = match (text("module"), text("group"), text("name")) {
            (Some(module), ..) => module.to_owned(),
            (None, Some(group), Some(name)) => format!("{group}:{name}"),
            _ => {
                coordinates(library.as_str().unwrap_or_default(), found);
                continue;
            }
        };
        found(&module, version_of(library).as_deref().and_then(exact));
    }
}

/// The dependencies of a `pom.xml`, with the properties that the file itself defines.
fn pom(text: &str, found: &mut PackageVisitor<'_>) {
    let mut reader = Reader::from_str(text);
    let mut path: Vec<String> = Vec::new();
    let mut properties: HashMap<String, String> = HashMap::new();
    let mut dependencies: Vec<[String; 3]> = Vec::new();
    loop {
        match reader.read_event() {
            Ok(Event::Start(start)) => {
                path.push(start.local_name().as_ref().to_owned());
                if path.last().is_some_and(|name| name == "dependency") {
                    dependencies.push(Default::default());
                }
            }
            Ok(Event::End(_)) => drop(path.pop()),
            Ok(Event::Text(text)) => {
                let text = text.xml10_content().trim().to_owned();
                // Only the innermost elements count, so the cost does not grow with the nesting
                // depth.
                let near = &path[path.len().saturating_sub(3)..];
                let names: Vec<&str> = near.iter().map(String::as_str).collect();
                match (&names[..], dependencies.last_mut()) {
                    ([.., "dependency", part], Some(dependency)) => match *part {
                        "groupId" => dependency[0] += &text,
                        "artifactId" => dependency[1] += &text,
                        "version" => dependency[2] += &text,
                        _ => {}
                    },
                    (["project", "properties", name], _) if path.len() == names.len() => {
                        properties.entry((*name).to_owned()).or_default().push_str(&text);
                    }
                    _ => {}
                }
            }
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
    for [group, artifact, version] in &dependencies {
        let property = version.strip_prefix("${").and_then(|name| name.strip_suffix('}'));
        let version = property.map_or(Some(version), |name| properties.get(name));
        found(&format!("{group}:{artifact}"), version.and_then(|version| exact(version)));
    }
}
