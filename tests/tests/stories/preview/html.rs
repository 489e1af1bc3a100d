//! `promptls preview --html`: the page in a file.

use promptls_tests::{Workspace, promptls};
use serde_json::{Value, json};

const SCRIPT: &str = "</script><script>alert(1)</script><!-- <img src=http://evil.example/x>";

/// Writes the page of a prompt; returns the page, and its data.
#[track_caller]
fn written(workspace: &Workspace, arguments: &[&str]) -> (String, Value) {
    let arguments = [&["preview"], arguments, &["--html", "page.html"]].concat();
    let output = promptls(&arguments).cwd(workspace.root()).run();
    assert_eq!((output.code, &*output.stderr), (Some(0), "promptls: page.html is written\n"));
    let page = workspace.read("page.html");
    let (_, rest) = page.split_once("id=\"promptls-data\">").expect("there is data");
    let (data, _) = rest.split_once("</script>").expect("it ends");
    let data = serde_json::from_str(data).expect("it is JSON");
    (page, data)
}

/// The response to a request.
#[track_caller]
fn answer<'d>(data: &'d Value, method: &str, params: Value) -> &'d Value {
    let mut answers = data["answers"].as_array().expect("answers").iter();
    let is_it = |it: &&Value| it["method"] == json!(method) && it["params"] == params;
    &answers.find(is_it).unwrap_or_else(|| panic!("no {method} for {params}"))["result"]
}

#[test]
fn the_page_contains_all_cases_and_is_self_contained() {
    let value = json!({ "name": SCRIPT }).to_string();
    let workspace = Workspace::new(&[
        ("p.adk.prompt", "Dear {name}. </script>"),
        ("p.adk.inputs.json", &value),
        ("p.adk.bob.inputs.json", r#"{"name": "Bob"}"#),
    ]);
    let (page, data) = written(&workspace, &["p.adk.prompt", "--case", "bob"]);
    assert_eq!(data["case"], json!("bob"));
    assert_eq!(data["start"]["front"]["uri"], json!("file:///p.adk.prompt"));
    assert_eq!(data["start"]["can"]["edit"], json!(false));
    let shown = answer(&data, "promptls/preview", json!({ "case": "bob" }));
    assert_eq!(shown["text"], json!("Dear Bob. </script>"));
    let shown = answer(&data, "promptls/preview", json!({ "case": "default" }));
    assert_eq!(shown["text"], json!(format!("Dear {SCRIPT}. </script>")));

    // The contents of the prompt and its values are text, not markup.
    assert!(!page.contains("<script>alert(1)") && !page.contains("<img"), "{page}");
    // The page's script, its data, and nothing from other origins.
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<script src") && !page.contains("<link rel=\"stylesheet\""));
    let policy = page.split("Content-Security-Policy\" content=\"").nth(1).expect("a policy");
    let policy = policy.split('"').next().expect("it ends");
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    for allowed in ["unsafe", "http", "'self'", "*"] {
        assert!(!policy.contains(allowed), "{policy}");
    }
    // Nor does it contain the folder where it was made.
    assert!(!page.contains(&*workspace.root().to_string_lossy()));
    assert_eq!(std::fs::read_dir(workspace.root()).expect("a folder").count(), 4);
}

#[test]
fn errors_of_unreadable_files_contain_no_absolute_paths() {
    let config = "[[prompts]]\nfiles = ['*.prompt']\ninputs = ['../in/state.json']\n";
    let values = r#"{"a": {"$file": "../../secret"}, "b": {"$file": "none"}}"#;
    let workspace = Workspace::new(&[
        ("home/p/p.adk.prompt", "{a} {b} {c}"),
        ("home/p/p.adk.inputs.json", values),
        ("home/p/p.adk.broken.inputs.json", "{"),
        ("home/p/promptls.toml", config),
        ("home/in/state.json", "{\"c\": {\"$file\": \"/etc/secret\"}}"),
        ("home/in/promptls.toml", ""),
    ]);
    let folder = workspace.path("home/p");
    let allowed = workspace.path("home/in");
    let arguments = ["preview", "p.adk.prompt", "--html", "page.html"];
    let run = promptls(&arguments).cwd(&folder);
    let output = run.env("PROMPTLS_ALLOW_READ", &allowed.to_string_lossy()).run();
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let page = workspace.read("home/p/page.html");
    // It contains these problems.
    for text in ["`../../secret` is not read", "`none` cannot be read", "state.json"] {
        assert!(page.contains(text), "{text}");
    }
    assert!(!page.contains(&*workspace.root().to_string_lossy()));
}

#[test]
fn a_prompt_without_inputs_has_a_page() {
    let workspace = Workspace::new(&[("p.adk.prompt", "Dear {name?}.")]);
    let (_, data) = written(&workspace, &["p.adk.prompt"]);
    assert_eq!(data["case"], json!(null));
    assert_eq!(answer(&data, "promptls/preview", json!({}))["text"], json!("Dear ."));
    // Written again, it is replaced.
    workspace.write("p.adk.prompt", "Hello {name?}.");
    let (_, data) = written(&workspace, &["p.adk.prompt"]);
    assert_eq!(answer(&data, "promptls/preview", json!({}))["text"], json!("Hello ."));
}

#[test]
fn source_files_of_the_prompt_are_not_overwritten() {
    let workspace =
        Workspace::new(&[("p.adk.prompt", "{name}"), ("p.adk.inputs.json", r#"{"name": 1}"#)]);
    for name in ["p.adk.prompt", "p.adk.inputs.json"] {
        let before = workspace.read(name);
        let arguments = ["preview", "p.adk.prompt", "--html", name];
        let output = promptls(&arguments).cwd(workspace.root()).run();
        let message =
            format!("promptls: cannot write {name}: this command reads it; name another file\n");
        assert_eq!((output.code, output.stderr), (Some(2), message));
        assert_eq!(workspace.read(name), before);
    }
    let arguments = ["preview", "p.adk.prompt", "--html", "nowhere/page.html"];
    let output = promptls(&arguments).cwd(workspace.root()).run();
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.starts_with("promptls: cannot write nowhere/page.html: "));
}
