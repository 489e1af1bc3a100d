//! The JSON schemas that editors use know what the readers know, and nothing else.

use std::collections::BTreeSet;
use std::path::Path;

use promptls_resolver::{Code, Rules, Severity, Variable, VariableType};
use promptls_syntax::Dialect;
use promptls_tests::{Workspace, promptls};
use serde_json::Value;

fn schema(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../editors/vscode/schemas");
    let path = folder.join(format!("{name}.schema.json"));
    let text = std::fs::read_to_string(&path).expect("the schema can be read");
    serde_json::from_str(&text).expect("the schema is JSON")
}

fn keys(properties: &Value) -> BTreeSet<&str> {
    properties.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn words(list: &Value) -> BTreeSet<&str> {
    list.as_array().expect("a list").iter().filter_map(Value::as_str).collect()
}

/// The keys that `promptls check` says it knows, where a config has an unknown one.
fn known_keys(config: &str) -> BTreeSet<String> {
    let workspace = Workspace::new(&[("promptls.toml", config), ("a.adk.prompt", "")]);
    let output = promptls(&["check", "--format", "json"]).cwd(workspace.root()).run();
    let (_, known) = output.stdout.split_once("known: ").expect("the message lists what is known");
    let known = &known[..known.find('"').expect("the message ends")];
    known
        .split("; did you mean")
        .next()
        .into_iter()
        .flat_map(|it| it.split(", "))
        .map(str::to_owned)
        .collect()
}

fn owned(words: BTreeSet<&str>) -> BTreeSet<String> {
    words.into_iter().map(str::to_owned).collect()
}

#[test]
fn the_schema_of_the_config_has_the_keys_that_are_read() {
    let schema = schema("promptls");
    let root = &schema["properties"];
    assert_eq!(owned(keys(root)), known_keys("zzz = 1\n"));
    let rule = &root["prompts"]["items"]["properties"];
    assert_eq!(owned(keys(rule)), known_keys("[[prompts]]\nfiles = [\"a\"]\nzzz = 1\n"));
    assert_eq!(words(&rule["dialect"]["enum"]), Dialect::ALL.map(|it| it.spec().id).into());
}

#[test]
fn the_schema_of_the_config_has_all_problems_and_how_grave_they_are() {
    let schema = schema("promptls");
    let problems = &schema["properties"]["problems"]["properties"];
    let ours: BTreeSet<&str> = Code::ALL.iter().map(|code| code.id()).collect();
    assert_eq!(keys(problems), ours);
    for code in Code::ALL {
        assert_eq!(problems[code.id()]["default"], code.severity().id(), "{}", code.id());
    }
    let severities = [Severity::Error, Severity::Warning, Severity::Information, Severity::Hint]
        .map(|it| it.id());
    let mut severities = BTreeSet::from(severities);
    severities.insert("off");
    assert_eq!(words(&schema["definitions"]["severity"]["enum"]), severities);
}

#[test]
fn the_schema_of_variables_has_the_keys_that_are_read() {
    let schema = schema("variables");
    // `$schema` is not for us, but a file may name its schema.
    assert_eq!(keys(&schema["properties"]), ["$schema", "fragments", "variables"].into());
    let definitions = &schema["definitions"];
    let variable = &definitions["variable"]["properties"];
    assert_eq!(keys(variable), Variable::KEYS.into());
    assert_eq!(keys(&definitions["validation"]["properties"]), Rules::KEYS.into());
    let types = VariableType::ALL.map(VariableType::id);
    assert_eq!(words(&variable["type"]["anyOf"][0]["enum"]), types.into());
}

#[test]
fn every_editor_knows_every_dialect() {
    let places = [
        ("editors/neovim/ftplugin/prompt-ID.lua", "ftplugin/prompt.lua"),
        ("editors/vscode/src/server/document-selector.ts", "'prompt-ID',"),
        ("editors/vscode/package.json", r#""onLanguage:prompt-ID""#),
        ("editors/vscode/package.json", r#""id": "prompt-ID""#),
        ("editors/vscode/package.json", r#"".ID.prompt""#),
        ("editors/vscode/package.json", r#""path": "./grammars/ID.tmLanguage.json""#),
        ("editors/vscode/package.json", r#""[prompt-ID]": {"#),
        ("syntax/grammars/textmate/ID.tmLanguage.json", r#""scopeName": "text.prompt.ID""#),
    ];
    for id in Dialect::ALL.map(|dialect| dialect.spec().id) {
        for (file, text) in places.map(|(file, text)| (file.replace("ID", id), text)) {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(&file);
            let known = std::fs::read_to_string(&path).expect("the file can be read");
            let text = text.replace("ID", id);
            assert!(known.contains(&text), "{file} lacks {text}");
        }
    }
}
