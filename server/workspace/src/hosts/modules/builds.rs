//! The modules of a build for the JVM: `include(":texts")` of Gradle, `<module>texts</module>` of
//! Maven. A module may use the classes of another one.

use std::path::Path;

use crate::files::Files;

/// The files that name the modules of a Gradle build.
const GRADLE: [&str; 2] = ["settings.gradle.kts", "settings.gradle"];

/// The file that names the modules of a Maven build.
const MAVEN: &str = "pom.xml";

/// The maximum number of modules that are searched.
const MAX_MODULES: usize = 100;

/// The folders of the modules that the build in a folder names, relative to it.
///
/// Cost: reading its file, if there is one.
pub(super) fn modules_of_build(folder: &Path, files: &dyn Files) -> Vec<String> {
    let read = |name: &str| {
        let path = folder.join(name);
        files.is_there(&path).then(|| files.read(&path).ok()).flatten()
    };
    let gradle = GRADLE.iter().find_map(|name| read(name));
    let maven = read(MAVEN);
    let gradle = gradle.iter().flat_map(|text| included(text));
    let maven = maven.iter().flat_map(|text| between(text, "<module>", "</module>"));
    let modules = gradle.map(|path| path.replace(':', "/")).chain(maven.map(str::to_owned));
    modules.take(MAX_MODULES).collect()
}

/// The texts of the statements that include modules.
fn included(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for statement in text.split("include").skip(1) {
        let statement = statement.trim_start_matches(' ');
        let (inside, end) = match statement.strip_prefix('(') {
            Some(inside) => (inside, ')'),
            None => (statement, '\n'),
        };
        let inside = inside.split(end).next().unwrap_or(inside);
        // Other names start with the same word.
        if inside.trim_start().starts_with(['"', '\'']) {
            found.extend(inside.split(['"', '\'']).skip(1).step_by(2));
        }
    }
    found
}

/// The texts between two tags.
fn between<'t>(text: &'t str, open: &'t str, close: &'t str) -> impl Iterator<Item = &'t str> {
    text.split(open).skip(1).filter_map(move |rest| Some(rest.split_once(close)?.0.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_include_modules() {
        for (text, expected) in [
            ("include(\":texts\", \":app\")", &[":texts", ":app"][..]),
            ("include ':a', ':b'\nrootProject.name = 'c'", &[":a", ":b"]),
            ("include(\n    \":a\",\n    \":b:c\",\n)", &[":a", ":b:c"]),
            ("includeBuild(\"x\")\nincluded = \"y\"", &[]),
        ] {
            assert_eq!(included(text), expected, "{text}");
        }
    }

    #[test]
    fn a_build_of_maven_has_modules() {
        let text = "<modules>\n<module>texts</module><module> app </module>\n</modules>";
        let found: Vec<&str> = between(text, "<module>", "</module>").collect();
        assert_eq!(found, ["texts", "app"]);
    }
}
