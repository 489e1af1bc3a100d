//! The JSON schemas for editors accept exactly what the parsers accept.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use promptls_resolver::{Code, Rules, Severity, Variable, VariableType};
use promptls_syntax::Dialect;
use promptls_tests::{Workspace, promptls};
use promptls_workspace::{Configs, Disk, Lock};
use serde_json::Value;

fn schema_path(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../editors/vscode/schemas");
    folder.join(format!("{name}.schema.json"))
}

fn schema(name: &str) -> Value {
    let text = std::fs::read_to_string(schema_path(name)).expect("the schema can be read");
    serde_json::from_str(&text).expect("the schema is JSON")
}

fn keys(properties: &Value) -> BTreeSet<&str> {
    properties.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn words(list: &Value) -> BTreeSet<&str> {
    list.as_array().expect("a list").iter().filter_map(Value::as_str).collect()
}

/// The known keys that `promptls check` lists for a config with an unknown one.
fn supported_keys(config: &str) -> BTreeSet<String> {
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

/// The output of `promptls schema`.
fn printed(name: &str) -> String {
    let output = promptls(&["schema", name]).run();
    assert_eq!(output.code, Some(0), "{output:?}");
    output.stdout
}

#[test]
fn editors_have_the_schemas_that_are_printed() {
    for (file, name) in [("promptls", "config"), ("inputs", "inputs"), ("variables", "variables")] {
        let path = schema_path(file);
        let printed = printed(name);
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, &printed).expect("the schema can be written");
        }
        let there = std::fs::read_to_string(&path).expect("the schema can be read");
        assert!(there == printed, "{file} is not what promptls prints; UPDATE=1 writes it");
    }
}

#[test]
fn each_schema_is_valid_and_has_an_id() {
    let list = promptls(&["schema"]).run().stdout;
    let names: Vec<&str> = list.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(names.len() > 10, "{list}");
    for name in names {
        let schema: Value = serde_json::from_str(&printed(name)).expect("it is JSON");
        if let Err(error) = jsonschema::meta::validate(&schema) {
            panic!("{name}: {error}");
        }
        let id = schema["$id"].as_str().expect("it has an address");
        assert!(id.ends_with(&format!("/{name}.schema.json")), "{id}");
    }
    let unknown = promptls(&["schema", "confg"]).run();
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.stderr.contains("did you mean `config`?"), "{unknown:?}");
}

/// Whether a schema accepts a text in TOML or JSON.
#[track_caller]
fn takes(name: &str, text: &str) -> bool {
    let schema: Value = serde_json::from_str(&printed(name)).expect("it is JSON");
    let written: Value = match serde_json::from_str(text) {
        Ok(json) => json,
        Err(_) => toml::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}")),
    };
    jsonschema::is_valid(&schema, &written)
}

#[test]
fn schemas_accept_exactly_what_is_supported() {
    const PULLED: &str =
        "[[prompts]]\nfile = 'a'\nstore = 's'\nid = 'i'\nversion = 1\nnewest = 2\nhash = 'h'\n";
    for (name, text, is_read) in [
        (
            "config",
            "root = true\n[[prompts]]\nfiles = ['a']\ntask = 0\nproblems = { no-inputs = 'off' }\n",
            true,
        ),
        ("config", "[[prompts]]\nfiles = 'a'\n", false),
        ("config", "[[prompts]]\ndialect = 'adk'\n", false),
        ("config", "[problems]\nno-inputs = 'loud'\n", false),
        ("config", "[[prompts]]\nfiles = ['a']\nmax_tokens = 0\n", false),
        ("config", "[[ignore]]\ncodes = ['no-inputs']\nreason = 'x'\n", true),
        ("config", "[[ignore]]\nreason = 'x'\n", false),
        ("config", "[stores.a]\nkind = 'langfuse'\n", true),
        ("config", "[stores.a]\nkind = 'redis'\n", false),
        ("prices", "'gpt-4o' = 2.5\nfree = 0\n", true),
        ("prices", "'gpt-4o' = '2.5'\n", false),
        ("prices", "'gpt-4o' = -1\n", false),
        ("lock", PULLED, true),
        ("lock", "[[prompts]]\nfile = 'a'\n", false),
        ("inputs", r#"{"a": {"$file": "x.md"}, "b": [1]}"#, true),
        ("inputs", "[1]", false),
        ("variables", r#"{"variables": [{"name": "a", "type": "string"}]}"#, true),
        ("variables", r#"{"variables": [{"type": "string"}]}"#, false),
    ] {
        assert_eq!(takes(name, text), is_read, "{name}: {text}");
        assert_eq!(is_taken(name, text), is_read, "promptls reads {name}: {text}");
    }
}

/// Whether promptls accepts it without a message.
fn is_taken(name: &str, text: &str) -> bool {
    let (path, arguments): (&str, &[&str]) = match name {
        "config" => ("promptls.toml", &["check", "promptls.toml", "--select", "invalid-config"]),
        "prices" => ("prices.toml", &["stats", "--prices", "prices.toml"]),
        "inputs" => ("a.adk.inputs.json", &["check", "--select", "invalid-inputs"]),
        "variables" => ("a.adk.variables.json", &["check", "--select", "invalid"]),
        // Only the commands of stores read it.
        _ => return is_lock(text),
    };
    let workspace = Workspace::new(&[("a.adk.prompt", "x"), ("x.md", "x"), (path, text)]);
    promptls(arguments).cwd(workspace.root()).run().code == Some(0)
}

fn is_lock(text: &str) -> bool {
    let workspace = Workspace::new(&[("promptls.toml", ""), ("promptls.lock", text)]);
    Lock::read(&Disk, &Configs::default(), workspace.root()).is_ok()
}

#[test]
fn output_is_valid_against_its_schema() {
    let workspace = Workspace::new(&[
        ("promptls.toml", "[problems]\nno-inputs = 'hint'\n"),
        ("a.adk.prompt", "Dear {name} {x}"),
        ("a.adk.inputs.json", r#"{"name": "Ada", "y": 1}"#),
        ("a.adk.b.inputs.json", r#"{"name": "Bob", "x": 1}"#),
    ]);
    for (name, arguments) in [
        ("check-output", &["check", "--format", "json"][..]),
        ("list-output", &["check", "--list", "--format", "json"]),
        ("resolve-output", &["resolve", "a.adk.prompt", "--format", "json"]),
        ("vars-output", &["vars", "a.adk.prompt", "--format", "json"]),
        (
            "diff-output",
            &["diff", "a.adk.prompt", "--case", "b", "--case", "default", "--format", "json"],
        ),
        ("stats-output", &["stats", "--format", "json"]),
        ("graph-output", &["graph", "--format", "json"]),
        ("config-output", &["config", "--show", "a.adk.prompt", "--format", "json"]),
    ] {
        let output = promptls(arguments).cwd(workspace.root()).run();
        let schema: Value = serde_json::from_str(&printed(name)).expect("it is JSON");
        let value: Value = serde_json::from_str(&output.stdout).expect("it is JSON");
        if let Err(error) = jsonschema::validate(&schema, &value) {
            panic!("{name}: {error}");
        }
    }
}

#[test]
fn the_schema_of_the_config_has_all_supported_keys() {
    let schema = schema("promptls");
    let root = &schema["properties"];
    assert_eq!(owned(keys(root)), supported_keys("zzz = 1\n"));
    let rule = &root["prompts"]["items"]["properties"];
    assert_eq!(owned(keys(rule)), supported_keys("[[prompts]]\nfiles = [\"a\"]\nzzz = 1\n"));
    assert_eq!(words(&rule["dialect"]["enum"]), Dialect::ALL.map(|it| it.spec().id).into());
}

#[test]
fn the_schema_of_the_config_has_all_problems_and_severities() {
    let schema = schema("promptls");
    let problems = &schema["definitions"]["problems"]["properties"];
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
fn the_schema_of_variables_has_all_supported_keys() {
    let schema = schema("variables");
    // promptls ignores `$schema`, but a file may refer to its schema.
    assert_eq!(keys(&schema["properties"]), ["$schema", "fragments", "variables"].into());
    let definitions = &schema["definitions"];
    let variable = &definitions["variable"]["properties"];
    assert_eq!(keys(variable), Variable::KEYS.into());
    assert_eq!(keys(&definitions["validation"]["properties"]), Rules::KEYS.into());
    let types = VariableType::ALL.map(VariableType::id);
    assert_eq!(words(&variable["type"]["anyOf"][0]["enum"]), types.into());
}

#[test]
fn every_editor_supports_every_dialect() {
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
