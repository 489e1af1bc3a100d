//! False alarms that users of other tools have reported: see `false-alarms/README.md`.

use std::collections::BTreeMap;
use std::path::Path;

use promptls_syntax::Dialect;
use promptls_tests::{Workspace, promptls};
use serde_json::Value;

/// A report, and a prompt that must not cause one like it.
struct Case {
    /// The folder where its files are written: the dialect and its name.
    folder: String,
    files: Vec<(String, String)>,
    /// `severity code name` of all correct problems, sorted.
    problems: Vec<String>,
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("false-alarms");
    let mut cases = Vec::new();
    for dialect in Dialect::ALL.map(|dialect| dialect.spec().id) {
        let path = folder.join(format!("{dialect}.toml"));
        let text = std::fs::read_to_string(&path).expect("each dialect has a file");
        let table: toml::Table = text.parse().unwrap_or_else(|error| panic!("{dialect}: {error}"));
        let list = table["case"].as_array().expect("cases are written `[[case]]`");
        cases.extend(list.iter().map(|case| read(dialect, case)));
    }
    cases
}

fn read(dialect: &str, case: &toml::Value) -> Case {
    const KEYS: [&str; 10] = [
        "name",
        "report",
        "complaint",
        "prompt",
        "inputs",
        "variables",
        "config",
        "files",
        "file",
        "problems",
    ];
    let table = case.as_table().expect("a case is a table");
    let name = case["name"].as_str().expect("a case has a name");
    for key in table.keys() {
        assert!(KEYS.contains(&&**key) || key == "because", "{dialect}/{name}: unknown key {key}");
    }
    let text = |key: &str| table.get(key).map(|value| value.as_str().expect("it is a text"));
    let report = text("report").expect("a case links its report");
    assert!(report.starts_with("https://github.com/"), "{dialect}/{name}: {report}");
    assert!(text("complaint").is_some_and(|text| !text.is_empty()), "{dialect}/{name}");

    let default = format!("case.{dialect}.prompt");
    let file = text("file").unwrap_or(&default);
    let (stem, _) = file.rsplit_once('.').expect("a prompt has an ending");
    let beside = [
        (file.to_owned(), text("prompt")),
        (format!("{stem}.inputs.json"), text("inputs")),
        (format!("{stem}.variables.json"), text("variables")),
        // Its own config, or none: never that of another case.
        ("promptls.toml".to_owned(), Some(text("config").unwrap_or_default())),
    ];
    let mut files: Vec<(String, String)> =
        beside.into_iter().filter_map(|(name, text)| Some((name, text?.to_owned()))).collect();
    let others = table.get("files").and_then(toml::Value::as_table).into_iter().flatten();
    files.extend(
        others.map(|(name, text)| {
            (name.clone(), text.as_str().expect("a file is a text").to_owned())
        }),
    );
    let list = table.get("problems").and_then(toml::Value::as_array);
    let mut problems: Vec<String> = list
        .into_iter()
        .flatten()
        .map(|problem| problem.as_str().expect("a problem is a text").to_owned())
        .collect();
    assert!(problems.is_empty() || text("because").is_some(), "{dialect}/{name}: say why");
    problems.sort();
    Case { folder: format!("{dialect}/{name}"), files, problems }
}

#[test]
fn known_false_alarms_of_other_tools_are_not_reported() {
    let cases = cases();
    assert!(cases.len() >= 25, "only {} cases", cases.len());
    let workspace = Workspace::new(&[]);
    let mut expected: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for case in &cases {
        for (name, text) in &case.files {
            workspace.write(&format!("{}/{name}", case.folder), text);
        }
        let twice = expected.insert(case.folder.clone(), case.problems.clone());
        assert!(twice.is_none(), "{} is there twice", case.folder);
    }

    let output = promptls(&["check", "--format", "json"]).cwd(workspace.root()).run();
    let report: Value = serde_json::from_str(&output.stdout).expect("it prints an object");
    let mut found: BTreeMap<String, Vec<String>> =
        expected.keys().map(|folder| (folder.clone(), Vec::new())).collect();
    for problem in report["problems"].as_array().expect("problems are a list") {
        let file = problem["file"].as_str().expect("a problem has a file").replace('\\', "/");
        let folder: Vec<&str> = file.split('/').take(2).collect();
        let code = problem["code"].as_str().expect("a problem has a code");
        let names = problem["names"].as_array().expect("names are a list");
        let name = names.first().and_then(Value::as_str).unwrap_or_default();
        let severity = problem["severity"].as_str().expect("a problem has a severity");
        let shown = format!("{severity} {code} {name}");
        found.entry(folder.join("/")).or_default().push(shown);
    }
    found.values_mut().for_each(|problems| problems.sort());
    let wrong: Vec<String> = found
        .iter()
        .filter(|(folder, problems)| expected.get(*folder) != Some(*problems))
        .map(|(folder, problems)| {
            format!("{folder}\n  expected {:?}\n  found    {problems:?}\n", expected.get(folder))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.concat());
}
