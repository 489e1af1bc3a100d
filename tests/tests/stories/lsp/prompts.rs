//! The prompts of the workspace as a tree, with the results of `stats` and `check`.

use std::collections::BTreeSet;

use expect_test::{Expect, expect};
use promptls_tests::{Editor, Workspace, promptls};
use serde_json::{Value, json};

const FILES: [(&str, &str); 12] = [
    ("a.adk.prompt", "You are kind.\nDear {name}, read {doc}"),
    ("a.adk.inputs.json", r#"{"name": "Ada", "doc": "a long text of many words"}"#),
    ("a.adk.b.inputs.json", r#"{"name": "Bob"}"#),
    ("src/main/res/one.adk.prompt", "Hi"),
    ("src/main/res/two.adk.prompt", "{x"),
    ("src/main/res/two.adk.inputs.json", "{"),
    ("src/main/res/de/three.agentle.prompt", "{{x}} {{y}}"),
    ("src/main/res/de/three.agentle.inputs.json", r#"{"x": 1, "z": 2}"#),
    (
        "packs/p.pack.json",
        r#"{"prompts": {"t": {"system_template": "Hi {{name}}"}, "u": {"system_template": "Ho"}}}"#,
    ),
    ("packs/p.pack.inputs.json", r#"{"name": "Ada"}"#),
    ("packs/jinja.prompt", "{% for x in xs %}{{ x | upper }}{% endfor %}"),
    ("README.md", "No prompt"),
];

fn request_tree(editor: &mut Editor, params: Value) -> Value {
    editor.request("promptls/prompts", params)
}

fn nodes(tree: &Value) -> &[Value] {
    tree["children"].as_array().expect("a tree has children")
}

/// A node and all nodes below it, with a request for each level.
fn all_below(editor: &mut Editor, node: &Value, found: &mut Vec<Value>) {
    if node["hasChildren"] == false {
        return;
    }
    let mut params = json!({ "uri": node["uri"] });
    if let Some(task) = node.get("task") {
        params["task"] = task.clone();
    }
    let tree = request_tree(editor, params);
    assert_eq!(tree["node"]["uri"], node["uri"]);
    for child in nodes(&tree) {
        found.push(child.clone());
        all_below(editor, child, found);
    }
}

/// All nodes, from the top.
fn all(editor: &mut Editor) -> Vec<Value> {
    let top = request_tree(editor, json!({}));
    let mut found = Vec::new();
    for node in nodes(&top) {
        found.push(node.clone());
        all_below(editor, node, &mut found);
    }
    found
}

fn rows(editor: &Editor, nodes: &[Value]) -> String {
    let folder = editor.uri("");
    let inside = |uri: &Value| uri.as_str().map_or("-", |uri| &uri[folder.len()..]).to_owned();
    let row = |node: &Value| {
        let number = |name: &str| node.get(name).map_or("-".to_owned(), Value::to_string);
        let word = |name: &str| node[name].as_str().unwrap_or("-").to_owned();
        let kind = word("kind");
        let place = inside(&node["uri"]);
        let (task, inputs) = (word("task"), inside(&node["inputs"]));
        let figures = format!("{} {} {}", number("errors"), number("warnings"), number("tokens"));
        format!("{kind:6} {:22} {figures:8} {place} {task} {inputs}\n", word("name"))
    };
    nodes.iter().map(row).collect()
}

#[track_caller]
fn check(editor: &mut Editor, params: Value, expected: Expect) {
    let tree = request_tree(editor, params);
    expected.assert_eq(&rows(editor, nodes(&tree)));
}

fn output(editor: &Editor, arguments: &[&str]) -> Value {
    let output = promptls(arguments).cwd(editor.workspace().root()).run();
    serde_json::from_str(&output.stdout).expect("it is JSON")
}

/// Compares all figures with those of the command line.
#[track_caller]
fn compare(editor: &mut Editor) {
    let nodes = all(editor);
    let folder = editor.uri("");
    let file = |node: &Value| node["uri"].as_str().expect("it has one")[folder.len()..].to_owned();
    let stats = output(editor, &["stats", "--format", "json"]);
    let text = |it: &Value| {
        (
            it["file"].to_string(),
            it["task"].to_string(),
            it["case"].to_string(),
            it["tokens"].to_string(),
        )
    };
    let stated: BTreeSet<_> =
        stats["texts"].as_array().expect("it has texts").iter().map(text).collect();
    let is_sent = |node: &&Value| {
        node["kind"] == "case" || node["kind"] == "prompt" && node["hasChildren"] == false
    };
    let shown = nodes.iter().filter(is_sent).filter(|node| node.get("tokens").is_some());
    let shown = shown.map(|node| {
        let task = node.get("task").unwrap_or(&Value::Null).to_string();
        let case = node.get("case").unwrap_or(&Value::Null).to_string();
        (json!(file(node)).to_string(), task, case, node["tokens"].to_string())
    });
    assert_eq!(shown.collect::<BTreeSet<_>>(), stated);

    let is_file = |node: &&Value| node["kind"] != "case" && node.get("task").is_none();
    for node in nodes.iter().filter(is_file) {
        let summary = &output(editor, &["check", "--format", "json", &file(node)])["summary"];
        let figures = |it: &Value| (it["errors"].clone(), it["warnings"].clone());
        assert_eq!(figures(node), figures(summary), "{node}");
    }
}

#[test]
fn each_level_has_its_figures() {
    let mut editor = Editor::start(Workspace::new(&FILES));
    check(
        &mut editor,
        json!({}),
        expect![[r#"
        folder packs                  0 1 -    packs - -
        folder src/main/res           2 1 -    src/main/res - -
        prompt a.adk.prompt           1 0 14   a.adk.prompt - -
    "#]],
    );
    let folder = editor.uri("src/main/res");
    check(
        &mut editor,
        json!({ "uri": folder }),
        expect![[r#"
        folder de                     1 1 -    src/main/res/de - -
        prompt one.adk.prompt         0 0 1    src/main/res/one.adk.prompt - -
        prompt two.adk.prompt         1 0 -    src/main/res/two.adk.prompt - -
    "#]],
    );
    let prompt = editor.uri("a.adk.prompt");
    check(
        &mut editor,
        json!({ "uri": prompt }),
        expect![[r#"
        case   default                0 0 14   a.adk.prompt - a.adk.inputs.json
        case   b                      1 0 11   a.adk.prompt - a.adk.b.inputs.json
    "#]],
    );
    let pack = editor.uri("packs/p.pack.json");
    check(
        &mut editor,
        json!({ "uri": pack }),
        expect![[r#"
        prompt t                      0 1 2    packs/p.pack.json t -
        prompt u                      0 0 1    packs/p.pack.json u -
    "#]],
    );
    check(
        &mut editor,
        json!({ "uri": pack, "task": "t" }),
        expect![[r#"
        case   default                0 1 2    packs/p.pack.json t packs/p.pack.inputs.json
    "#]],
    );
    for none in ["README.md", "gone"] {
        let none = editor.uri(none);
        assert_eq!(request_tree(&mut editor, json!({ "uri": none })), Value::Null);
    }
    editor.close();
}

#[test]
fn figures_equal_those_of_stats_and_check_after_any_change() {
    let mut editor = Editor::start(Workspace::new(&FILES));
    editor.ignore_problems();
    editor.ignore_notifications("promptls/promptsChanged");
    compare(&mut editor);
    editor.write_file("a.adk.b.inputs.json", r#"{"name": "Bob", "doc": "none", "more": 1}"#);
    compare(&mut editor);
    editor.open_file("src/main/res/one.adk.prompt");
    editor.set_text("src/main/res/one.adk.prompt", "Hello {there}");
    editor.save("src/main/res/one.adk.prompt");
    compare(&mut editor);
    editor.write_file("src/main/res/two.adk.inputs.json", r#"{"x": 1}"#);
    editor.write_file("new/n.langfuse.prompt", "{{x}}");
    compare(&mut editor);
    editor.remove_file("packs/p.pack.json");
    // A sidecar without its prompt is a problem of no prompt.
    editor.remove_file("packs/p.pack.inputs.json");
    editor.write_file("promptls.toml", "[problems]\nno-inputs = 'error'\n");
    compare(&mut editor);
    editor.close();
}

#[test]
fn clients_that_requested_the_tree_are_notified_of_changes() {
    let mut editor = Editor::start(Workspace::new(&FILES));
    editor.ignore_problems();
    request_tree(&mut editor, json!({}));
    // The same problems in another text: its folder is unchanged.
    editor.write_file("a.adk.prompt", "You are very kind.\nDear {name}, read {doc}");
    let news = editor.next_notification("promptls/promptsChanged");
    assert_eq!(news, json!({ "uris": [editor.uri("a.adk.prompt")] }));
    let tokens = |editor: &mut Editor| {
        let uri = editor.uri("a.adk.prompt");
        request_tree(editor, json!({ "uri": uri }))["node"]["tokens"].as_u64()
    };
    let before = tokens(&mut editor);
    // Unsaved text counts.
    editor.open_file("a.adk.prompt");
    editor.set_text("a.adk.prompt", "You are very, very kind.\nDear {name}, read {doc}");
    editor.next_notification("promptls/promptsChanged");
    assert!(tokens(&mut editor) > before);
    editor.ignore_notifications("promptls/promptsChanged");
    editor.remove_file("src/main/res/one.adk.prompt");
    let folder = editor.uri("src/main/res");
    let tree = request_tree(&mut editor, json!({ "uri": folder }));
    assert!(!nodes(&tree).iter().any(|node| node["name"] == "one.adk.prompt"));
    editor.close();
}

#[test]
fn the_tree_is_empty_without_prompts() {
    let mut editor = Editor::start(Workspace::new(&[("README.md", "No prompt")]));
    assert_eq!(request_tree(&mut editor, json!({})), json!({ "node": null, "children": [] }));
    editor.write_file("a.adk.prompt", "Hi");
    let news = editor.next_notification("promptls/promptsChanged");
    assert_eq!(news, json!({ "uris": [] }));
    assert_eq!(nodes(&request_tree(&mut editor, json!({}))).len(), 1);
    editor.close();
}
