//! `promptls man`.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use promptls_tests::{Workspace, promptls};

/// The macros of the pages: those of man, and conditions.
const MACROS: [&str; 12] = ["TH", "SH", "TP", "PP", "IP", "RS", "RE", "nf", "fi", "br", "ie", "el"];

#[test]
fn each_command_has_a_page() {
    let workspace = Workspace::new(&[]);
    let output = promptls(&["man", "."]).cwd(workspace.root()).run();
    assert_eq!((output.code, &*output.stdout, &*output.stderr), (Some(0), "", ""));

    let help = promptls(&["--help"]).run().stdout;
    let (_, commands) = help.split_once("Commands:\n").expect("it lists commands");
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let is_name = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let names = commands.filter(is_name).filter_map(|line| line.split_whitespace().next());
    let names = names.filter(|name| *name != "help").map(|name| format!("promptls-{name}.1"));
    let expected: BTreeSet<String> = names.chain(["promptls.1".to_owned()]).collect();
    let there = fs::read_dir(workspace.root()).expect("the folder can be read");
    let there = there.map(|entry| entry.expect("an entry").file_name().into_string());
    let there: BTreeSet<String> = there.map(|name| name.expect("it is UTF-8")).collect();
    // Subcommands also have pages.
    assert!(there.is_superset(&expected), "{expected:?} {there:?}");

    for name in &there {
        let page = workspace.read(name);
        assert!(page.contains(".SH SYNOPSIS\n"), "{name}");
        // Examples keep their line breaks.
        assert!(!expected.contains(name) || page.contains(".SH NOTES\n.nf\n"), "{name}");
        for line in page.lines().filter(|line| line.starts_with(['.', '\''])) {
            let word = line[1..].split_whitespace().next().unwrap_or_default();
            assert!(MACROS.contains(&word), "{name}: {line}");
        }
    }
    let printed = promptls(&["man"]).run();
    assert_eq!(printed.stdout, workspace.read("promptls.1"));
    // If groff is installed, it checks the page.
    if let Ok(judged) = Command::new("groff")
        .args(["-man", "-Tutf8", "-ww", "-z"])
        .args(&there)
        .current_dir(workspace.root())
        .output()
    {
        assert_eq!(String::from_utf8_lossy(&judged.stderr), "");
    }
}

/// The help of a command is built in another way than that of the program.
#[test]
fn each_command_has_its_description_from_the_list() {
    let help = promptls(&["-h"]).run().stdout;
    let (_, commands) = help.split_once("Commands:\n").expect("it lists commands");
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let described = commands.filter_map(|line| line.strip_prefix("  ")?.split_once("  "));
    let described = described.filter(|(name, _)| !name.is_empty() && *name != "help");
    let all: Vec<(&str, &str)> = described.map(|(name, about)| (name, about.trim())).collect();
    assert!(all.len() > 15, "{all:?}");
    for (name, about) in all {
        let own = promptls(&[name, "--help"]).run().stdout;
        let own = own.lines().next().unwrap_or_default();
        assert!(own.starts_with(about), "{name}: {own}");
    }
}

#[test]
fn a_missing_folder_is_reported() {
    let workspace = Workspace::new(&[]);
    let output = promptls(&["man", "none"]).cwd(workspace.root()).run();
    assert_eq!(output.code, Some(2));
    assert!(
        output.stderr.contains("cannot write none/promptls.1: its folder does not exist"),
        "{output:?}"
    );
}
