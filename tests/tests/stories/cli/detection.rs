//! Dialect detection for prompts whose files do not give it: see `detection/README.md`.

use std::collections::BTreeMap;
use std::path::Path;

use promptls_syntax::Dialect;
use promptls_tests::{Workspace, promptls};
use serde_json::Value;

/// A prompt, and the correct results.
struct DetectionCase {
    /// The dialect in its file name.
    written_in: String,
    /// The folder where its files are written.
    folder: String,
    text: String,
    inputs: Option<String>,
    answer: String,
}

/// The results for a prompt.
#[derive(Default)]
struct Detection {
    /// The detected dialect, in the terms of the corpus.
    answer: Option<String>,
    /// The message that contains it.
    message: String,
    /// Problems more severe than information.
    alarms: Vec<String>,
}

fn cases() -> Vec<DetectionCase> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("detection");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the corpus can be read")
        .map(|entry| entry.expect("so can its entries").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    files.sort();
    let mut cases = Vec::new();
    for path in files {
        let written_in = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let table: toml::Table = text.parse().unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let prompts = table["prompt"].as_array().expect("prompts are written `[[prompt]]`");
        for (index, prompt) in prompts.iter().enumerate() {
            let text =
                |key| prompt.get(key).map(|text| text.as_str().expect("it is text").to_owned());
            cases.push(DetectionCase {
                folder: format!("{written_in}/{index}"),
                written_in: written_in.clone(),
                text: text("text").expect("a prompt has a text"),
                inputs: text("inputs"),
                answer: text("answer").expect("a prompt has an answer"),
            });
        }
    }
    cases
}

/// The results of `check` for each prompt, by folder.
fn detect(cases: &[DetectionCase]) -> BTreeMap<String, Detection> {
    let workspace = Workspace::new(&[]);
    for DetectionCase { folder, text, inputs, .. } in cases {
        workspace.write(&format!("{folder}/p.prompt"), text);
        if let Some(inputs) = inputs {
            workspace.write(&format!("{folder}/p.inputs.json"), inputs);
        }
    }
    let output = promptls(&["check", "--format", "json"]).cwd(workspace.root()).run();
    let report: Value = serde_json::from_str(&output.stdout).expect("it prints an object");
    let mut results: BTreeMap<String, Detection> =
        cases.iter().map(|case| (case.folder.clone(), Detection::default())).collect();
    for problem in report["problems"].as_array().expect("problems are a list") {
        let text = |key: &str| problem[key].as_str().expect("it is a text").replace('\\', "/");
        let (folder, _) = text("file")
            .rsplit_once('/')
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .expect("it is in a folder");
        let results = results.get_mut(&folder).expect("it is one of ours");
        match (&*text("code"), &*text("severity")) {
            ("dialect-guessed", _) => {
                results.answer = Some(answer(&text("message")));
                results.message = text("message");
            }
            ("foreign-front-matter", _) => results.answer = Some("front matter".to_owned()),
            (code, "error" | "warning") => {
                results.alarms.push(format!("{code}: {}", text("message")));
            }
            _ => {}
        }
    }
    results
}

/// A message converted into the terms of the corpus.
fn answer(message: &str) -> String {
    if let Some(language) = message.strip_prefix("looks like ") {
        let (language, _) = language.split_once(';').expect("it says what to do");
        return format!(
            "not {}",
            language.replace(", which is not supported", "").replace(", or", " or")
        );
    }
    let (_, rest) = message.split_once('(').expect("it names the dialect");
    let (id, rest) = rest.split_once(')').expect("and closes the bracket");
    let mark = if rest.starts_with(", but it may be ") { "?" } else { "" };
    format!("{id}{mark}")
}

#[test]
fn the_dialect_of_each_prompt_of_the_corpus_is_detected() {
    let cases = cases();
    let results = detect(&cases);
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let found = results[&case.folder].answer.as_deref().unwrap_or("nothing");
            (found != case.answer)
                .then(|| format!("{}: {found}, not {}\n{}\n", case.folder, case.answer, case.text))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

#[test]
fn a_guessed_dialect_is_correct_or_reported_as_guessed() {
    let cases = cases();
    let results = detect(&cases);
    let ids = Dialect::ALL.map(|dialect| dialect.spec().id);
    let (ours, others): (Vec<&DetectionCase>, Vec<&DetectionCase>) =
        cases.iter().partition(|case| ids.contains(&&*case.written_in));
    assert!(ours.len() >= 40 && others.len() >= 40, "{} and {}", ours.len(), others.len());

    // Dialects that are never guessed cannot occur.
    let is_guessed = |id: &str| Dialect::from_id(id).is_some_and(|it| it.spec().clues.is_some());
    let is_fine = |case: &&&DetectionCase| {
        let Detection { answer, message, .. } = &results[&case.folder];
        let answer = answer.as_deref().unwrap_or_default();
        let is_named = message.contains(&case.written_in) || !is_guessed(&case.written_in);
        answer == case.written_in || (answer.ends_with('?') && is_named)
    };
    let fine = ours.iter().filter(is_fine).count();
    assert!(fine * 100 >= ours.len() * 95, "{fine} of {}", ours.len());

    let claimed: Vec<&str> = others
        .iter()
        .filter(|case| {
            let answer = results[&case.folder].answer.as_deref().unwrap_or("nothing");
            ids.contains(&answer)
        })
        .map(|case| &*case.folder)
        .collect();
    assert!(claimed.is_empty(), "{claimed:?}");
}

#[test]
fn no_more_than_one_placeholder_in_a_thousand_gets_a_false_alarm() {
    let cases = cases();
    let results = detect(&cases);
    let placeholders: usize = cases
        .iter()
        .map(|case| case.text.split('{').filter(|piece| !piece.is_empty()).count())
        .sum();
    let alarms: Vec<&String> = results.values().flat_map(|results| &results.alarms).collect();
    assert!(alarms.len() * 1_000 <= placeholders, "of {placeholders}: {alarms:#?}");
}
