//! `promptls explain`, and the examples on its pages.

use std::path::{Path, PathBuf};

use expect_test::expect;
use promptls_tests::{Workspace, promptls};
use serde_json::Value;

fn pages() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/workspace/src/explain");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    files.sort();
    let code = |path: &Path| path.file_stem().expect("a page has a name").to_string_lossy().into();
    let text = |path: &Path| std::fs::read_to_string(path).expect("a page can be read");
    files.iter().map(|path| (code(path), text(path))).collect()
}

/// The files of a page: each fence contains its language and the name of its file.
fn example(page: &str) -> Vec<(&str, String)> {
    let mut files = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let (_, name) = info.split_once(' ').expect("a fence names a language and a file");
        let body = lines.by_ref().take_while(|line| *line != "```");
        files.push((name, body.map(|line| format!("{line}\n")).collect()));
    }
    files
}

#[test]
fn the_example_of_each_page_has_its_problem() {
    for (code, page) in pages() {
        let workspace = Workspace::new(&[]);
        let files = example(&page);
        assert!(!files.is_empty(), "{code}: the page has an example");
        for (name, text) in &files {
            workspace.write(name, text);
        }
        // `check` does not produce texts, so it cannot report one that is too long; the page
        // explains that.
        if code == "limit-exceeded" {
            let output = promptls(&["resolve", files[0].0]).cwd(workspace.root()).run();
            assert!(output.stderr.starts_with("the resolved text is longer"), "{output:?}");
            continue;
        }
        let mut arguments = vec!["check", "--format", "json"];
        // Stores are checked only if one is named.
        if code == "differs-from-store" {
            arguments.extend(["--against", "team"]);
        }
        let output = promptls(&arguments).cwd(workspace.root()).run();
        let report: Value = serde_json::from_str(&output.stdout)
            .unwrap_or_else(|error| panic!("{code}: {error}: {output:?}"));
        let problems = report["problems"].as_array().expect("problems are a list");
        let codes: Vec<&Value> = problems.iter().map(|problem| &problem["code"]).collect();
        assert!(codes.iter().any(|found| *found == &*code), "{code}: {codes:?}");
    }
}

#[test]
fn each_code_has_its_page_and_each_page_its_code() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/book.toml");
    let book = std::fs::read_to_string(book).expect("the book can be read");
    let book: toml::Table = book.parse().expect("it is TOML");
    let address = book["output"]["html"]["site-url"].as_str().expect("it has an address");
    for (code, page) in pages() {
        let output = promptls(&["explain", &code]).run();
        let shown = format!("{page}\n{address}reference/rules/{code}.html\n");
        assert_eq!((output.code, output.stdout), (Some(0), shown), "{code}");
    }
    let list = promptls(&["explain"]).run().stdout;
    let listed: Vec<&str> =
        list.lines().filter_map(|line| line.split_once(" (")).map(|it| it.0).collect();
    let mut sorted = listed.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, pages().iter().map(|(code, _)| code.as_str()).collect::<Vec<_>>());
}

#[test]
fn the_page_about_configs_names_each_key() {
    let page = promptls(&["explain", "invalid-config"]).run().stdout;
    // The messages about unknown keys list all known ones.
    let config = "x = 1\n[[prompts]]\nfiles = ['a']\nx = 1\n[[ignore]]\nx = 1\n";
    let workspace = Workspace::new(&[("promptls.toml", config)]);
    let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run().stdout;
    let lists = output.lines().filter_map(|line| line.split_once("; known: "));
    let keys: Vec<&str> = lists.flat_map(|(_, keys)| keys.split(", ")).collect();
    assert!(keys.len() > 20, "{output}");
    let missing: Vec<&&str> = keys.iter().filter(|key| !page.contains(**key)).collect();
    assert_eq!(missing, Vec::<&&str>::new());
}

#[test]
fn the_list_describes_each_problem_in_a_sentence() {
    let list = promptls(&["explain"]).run().stdout;
    let start: Vec<&str> = list.lines().take(4).collect();
    expect![[r#"
        undefined-placeholder (error)
            The prompt uses a name that has no value.
        unused-input (warning)
            An inputs file has a key that its prompt never reads."#]]
    .assert_eq(&start.join("\n"));
}

#[test]
fn an_unknown_code_has_a_suggestion() {
    let output = promptls(&["explain", "undefined-placholder"]).run();
    assert_eq!(output.code, Some(2));
    expect![[r#"
        promptls: unknown problem code `undefined-placholder`; did you mean `undefined-placeholder`?
    "#]]
    .assert_eq(&output.stderr);
}

#[test]
fn a_code_without_a_similar_one_lists_existing_codes() {
    let stderr = |word: &str| promptls(&["explain", word]).run().stderr;
    assert_eq!(
        stderr("fragment"),
        "promptls: unknown problem code `fragment`; there are fragment-cycle, unknown-fragment, \
         fragment-hides-variable\n"
    );
    let all = stderr("nonsense");
    assert!(!all.contains("did you mean"), "{all}");
    for (code, _) in pages() {
        assert!(all.contains(&code), "{code}: {all}");
    }
}
