//! README.md: short, with valid links, and the output of `check`. `tests/first-run` runs its
//! commands.

use std::fs;
use std::path::{Path, PathBuf};

use promptls_tests::{Workspace, promptls};
use regex::Regex;

/// The maximum size of the README, in bytes. Longer content belongs to the book.
const MAX_BYTES: usize = 8 * 1024;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).expect("there is a README")
}

#[test]
fn the_readme_is_short_and_its_links_are_valid() {
    let readme = readme();
    assert!(readme.len() <= MAX_BYTES, "{} bytes", readme.len());
    let links = Regex::new(r##"(?:\]\(|src="|srcset=")([^)"#:]+)[)"]"##).expect("this is a regex");
    let paths: Vec<&str> =
        links.captures_iter(&readme).map(|link| link.extract::<1>().1[0]).collect();
    assert!(paths.len() > 20, "{paths:?}");
    let missing: Vec<&&str> = paths.iter().filter(|path| !root().join(path).exists()).collect();
    assert_eq!(missing, Vec::<&&str>::new());
}

#[test]
fn the_readme_shows_how_to_count_costs() {
    let readme = readme();
    assert!(readme.contains("`promptls stats --prices prices.toml`"));
    let (_, price) = readme.split_once("a million tokens: `").expect("a line of the table");
    let (price, _) = price.split_once('`').expect("it ends");
    let workspace = Workspace::new(&[("a.adk.prompt", "Hi\n"), ("prices.toml", price)]);
    let output = promptls(&["stats", "--prices", "prices.toml"]).cwd(workspace.root()).run();
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    assert!(output.stdout.contains("gpt-4o"), "{}", output.stdout);
}

#[test]
fn the_readme_shows_the_output_of_check() {
    let readme = readme();
    let (_, block) = readme.split_once("```console\n$ promptls check agent.py\n").expect("a block");
    let (shown, _) = block.split_once("```").expect("it ends");
    let workspace = Workspace::new(&[]);
    for name in ["agent.py", "agent.support.inputs.json"] {
        let text = fs::read_to_string(root().join("tests/pictures").join(name));
        workspace.write(name, text.expect("the picture has its files"));
    }
    let output = promptls(&["check", "agent.py"]).cwd(workspace.root()).run();
    assert!(output.stdout.starts_with(shown), "{}", output.stdout);
}
