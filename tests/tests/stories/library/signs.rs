//! The signs for which editors search before they start the server for code or data, from the
//! tables of the library: `editors/vscode/src/hosts/signs.ts` and
//! `editors/neovim/lua/promptls/signs.lua`.
//!
//! `UPDATE_EXPECT=1 cargo test -p promptls-tests signs` writes both.

use std::collections::BTreeSet;

use expect_test::expect_file;
use promptls_hosts::{Language, data_signs, words};
use promptls_resolver::ENGINES;
use promptls_workspace::manifest_names;

/// A list with its name and description.
type List = (&'static str, &'static str, Vec<String>);

fn lists() -> [List; 5] {
    let code = || Language::all().filter(|language| language.is_code());
    let ids = unique(code().flat_map(Language::ids).map(|id| (*id).to_owned()));
    let all = unique(code().flat_map(words).map(str::to_owned));
    let has_shorter = |word: &String| all.iter().any(|it| it != word && word.contains(it.as_str()));
    let words: Vec<String> = all.iter().filter(|word| !has_shorter(word)).cloned().collect();
    // For a Maven package, only the group: a POM contains the rest elsewhere.
    let in_code = |package: &str| words.iter().any(|word| package.contains(word.as_str()));
    let forms =
        |package: &str| [package.to_owned(), package.replace('-', "."), package.replace('-', "_")];
    let packages = ENGINES.iter().flat_map(|profile| profile.packages);
    let group = |package: &&str| package.split(':').next().unwrap_or(package).to_owned();
    let manifest =
        packages.filter(|package| forms(package).iter().any(|form| in_code(form))).map(group);
    [
        ("languages", "The languages of code.", ids),
        ("codeSigns", "Code with prompts has one of these.", words.clone()),
        ("dataSigns", "Nearly all data with prompts has one of these.", owned(data_signs())),
        ("manifestSigns", "What frameworks are called in manifests.", unique(manifest)),
        (
            "manifests",
            "The files that list what a project uses; `*` is anything.",
            owned(manifest_names()),
        ),
    ]
}

fn owned(words: Vec<&str>) -> Vec<String> {
    words.into_iter().map(str::to_owned).collect()
}

fn unique(words: impl Iterator<Item = String>) -> Vec<String> {
    words.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Words as a list of strings, in the quotes of both languages.
fn quoted(words: &[String]) -> String {
    let words = words.iter().map(|word| format!("'{}'", word.replace('\n', "\\n")));
    words.collect::<Vec<_>>().join(", ")
}

const START: &str =
    "Signs that code or data has prompts. Written by a test from the tables of the server:";
const TEST: &str = "`tests/tests/stories/library/signs.rs`.";

#[test]
fn editors_search_for_the_same_words_as_the_library() {
    let mut script = format!("/**\n * {START}\n * {TEST}\n */\n");
    let mut lua = format!("--- {START}\n--- {TEST}\n\nreturn {{\n");
    for (name, about, words) in lists() {
        let words = quoted(&words);
        script.push_str(&format!("\n/** {about} */\nexport const {name} = [{words}];\n"));
        lua.push_str(&format!("  --- {about}\n  {name} = {{ {words} }},\n"));
    }
    lua.push_str("}\n");
    expect_file!["../../../../editors/vscode/src/hosts/signs.ts"].assert_eq(&script);
    expect_file!["../../../../editors/neovim/lua/promptls/signs.lua"].assert_eq(&lua);
}
