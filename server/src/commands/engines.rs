//! `promptls engines`: the supported engines.

use promptls_resolver::{ENGINES, EngineRef, Profile};
use serde_json::{Value, json};

use crate::args::EnginesFormat;
use crate::errors::CommandError;
use crate::output::terminal;

/// Prints all engines in a format.
pub fn run(format: EnginesFormat) -> Result<(), CommandError> {
    match format {
        EnginesFormat::Text => terminal::print(&list()),
        EnginesFormat::Json => {
            let engines: Vec<Value> = ENGINES.iter().map(|profile| as_json(profile)).collect();
            terminal::print(&format!("{:#}\n", json!({ "version": 1, "engines": engines })))
        }
    }
}

/// Each engine with its first difference, so that the list fits on a screen.
fn list() -> String {
    let mut list = String::new();
    for profile in ENGINES {
        let dialect = profile.dialect().spec().title;
        let (oldest, newest) = (profile.oldest(), profile.newest);
        list.push_str(&format!(
            "{} ({dialect}, {oldest} to {newest})\n    {}\n",
            profile.id,
            differences(profile).next().unwrap_or(AS_DOCUMENTED)
        ));
    }
    list.push_str(
        "\n`promptls explain engine:ID` lists the differences of each from its documentation, by version.\n",
    );
    list
}

const AS_DOCUMENTED: &str = "as documented";

/// The differences from its documentation, the oldest first.
fn differences(profile: &Profile) -> impl Iterator<Item = &'static str> {
    profile.versions().flat_map(|(_, differs)| differs.iter().copied())
}

/// The page about an engine.
pub(super) fn page(engine: EngineRef) -> String {
    let profile = engine.profile;
    let mut page = format!(
        "# {}\n\n{}, an engine of the dialect {}; versions {} to {}.\nRead and run: {}.\n",
        profile.id,
        profile.title,
        profile.dialect().spec().id,
        profile.oldest(),
        profile.newest,
        profile.source,
    );
    let mut before = "Different from its documentation, from";
    for (from, differs) in profile.versions() {
        let is_meant = if from == engine.since() { " (these, and those before)" } else { "" };
        page.push_str(&format!("\n## {before} {from}{is_meant}\n\n"));
        if differs.is_empty() {
            page.push_str(&format!("- {AS_DOCUMENTED}\n"));
        }
        for difference in differs {
            page.push_str(&format!("- {difference}\n"));
        }
        before = "From";
    }
    let id = profile.id;
    page.push_str(&format!(
        "\nIn `promptls.toml`: `engine = \"{id}@{}\"`; on the command line: `--engine {id}`.\n",
        profile.newest
    ));
    page
}

fn as_json(profile: &Profile) -> Value {
    let versions = profile
        .versions()
        .map(|(from, differs)| json!({ "from": from.to_string(), "differs": differs }));
    json!({
        "id": profile.id,
        "title": profile.title,
        "dialect": profile.dialect().spec().id,
        "newest": profile.newest.to_string(),
        "source": profile.source,
        "versions": versions.collect::<Vec<Value>>(),
    })
}
