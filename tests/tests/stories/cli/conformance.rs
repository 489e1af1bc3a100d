//! Vectors through the program, as text and as JSON: a few for each engine. The library runs all of
//! them.

use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use promptls_tests::vectors::{Vector, engine_vectors, vectors};
use promptls_tests::{Workspace, promptls};
use serde_json::Value;

/// The number of vectors with a text, and with an error, for each engine in each version.
const OF_EACH: usize = 2;

/// Some vectors of each engine, from the start, the middle and the end of its cases.
fn chosen() -> Vec<Vector> {
    let mut groups: BTreeMap<_, Vec<Vector>> = BTreeMap::new();
    for vector in vectors().into_iter().chain(engine_vectors()) {
        // Only a library can be given a missing prompt or a workflow.
        if vector.template.is_some() && vector.workflow.is_none() {
            let key = (vector.dialect.clone(), vector.engine.clone(), vector.expected.is_ok());
            groups.entry(key).or_default().push(vector);
        }
    }
    let spread = |group: Vec<Vector>| {
        let step = group.len().div_ceil(OF_EACH);
        group.into_iter().step_by(step)
    };
    groups.into_values().flat_map(spread).collect()
}

#[test]
fn the_program_resolves_vectors_of_each_engine_as_the_engine_does() {
    let vectors = chosen();
    assert!((100..400).contains(&vectors.len()), "{} vectors", vectors.len());
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let workspace = Workspace::new(&[]);
                while let Some(vector) = vectors.get(next.fetch_add(1, Ordering::Relaxed)) {
                    check(&workspace, vector);
                }
            });
        }
    });
}

fn check(workspace: &Workspace, vector: &Vector) {
    let prompt = format!("p.{}.prompt", vector.dialect);
    let sidecar = |what: &str| format!("p.{}.{what}.json", vector.dialect);
    workspace.write(&prompt, vector.template.as_deref().expect("there is a prompt"));
    // A rule sets the engine; without one, the file name contains the dialect.
    workspace.write(
        "promptls.toml",
        vector.engine.as_ref().map_or_else(String::new, |engine| {
            let agent = vector
                .agent
                .as_ref()
                .map_or_else(String::new, |agent| format!("agent = '{agent}'\n"));
            format!("[[prompts]]\nfiles = ['*.prompt']\nengine = '{engine}'\n{agent}")
        }),
    );
    let sidecars = [("inputs", &vector.inputs), ("variables", &vector.variables)];
    for (what, text) in sidecars {
        match text {
            Some(text) => workspace.write(&sidecar(what), text),
            None => drop(fs::remove_file(workspace.path(&sidecar(what)))),
        }
    }

    let text = promptls(&["resolve", &prompt]).cwd(workspace.root()).run();
    let json = promptls(&["resolve", &prompt, "--format", "json"]).cwd(workspace.root()).run();
    let object: Value = serde_json::from_str(&json.stdout)
        .unwrap_or_else(|error| panic!("{}: {error}: {}", vector.name, json.stdout));
    let string = |value: &Value| value.as_str().expect("this is a string").to_owned();
    let strings = |value: &Value| -> Vec<String> {
        value.as_array().expect("this is a list").iter().map(string).collect()
    };

    let error = &object["error"];
    vector.check(&if error.is_null() {
        Ok(Some(string(&object["text"])))
    } else {
        Err((string(&error["kind"]), strings(&error["names"])))
    });
    vector.check_message(error["message"].as_str());
    if let Some(engine) = &vector.engine {
        assert_eq!(object["engine"], **engine, "{}", vector.name);
    }
    if let Some(names) = &vector.names {
        assert_eq!(&strings(&object["names"]), names, "{}", vector.name);
    }
    if error.is_null() {
        assert_eq!(text.stdout, string(&object["text"]), "{}", vector.name);
        assert_eq!((text.code, json.code), (Some(0), Some(0)), "{}", vector.name);
    } else {
        assert_eq!(text.stdout, "", "{}", vector.name);
        let message = string(&error["message"]);
        // Control characters are shown by name.
        let is_plain = !message.contains(char::is_control);
        assert!(!is_plain || text.stderr.contains(&message), "{}: {text:?}", vector.name);
        assert_eq!((text.code, json.code), (Some(1), Some(1)), "{}", vector.name);
    }
}
