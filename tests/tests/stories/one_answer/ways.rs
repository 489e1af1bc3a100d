//! All commands and requests that report problems of a prompt, with their results in the same form.

use std::collections::BTreeMap;
use std::ops::Range;

use percent_encoding::percent_decode_str;
use promptls_tests::{Client, Editor, Output, Workspace, promptls};
use serde_json::{Value, json};

use super::folders::Folder;

/// The command of the code lens above each prompt.
const OPEN_PREVIEW: &str = "promptls.openPreview";

/// A problem in a common form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reported {
    pub file: String,
    /// Its range and its related places, with their files.
    pub places: Vec<String>,
    /// `error[code]: message`, as in a terminal.
    pub title: String,
}

/// A prompt in one of its cases.
#[derive(Clone, Debug)]
pub struct PromptCase {
    pub path: String,
    /// Its key in a pack.
    pub task: Option<String>,
    /// The index of the prompt in the file.
    pub index: usize,
    /// The name of the case; `None` without cases.
    pub case: Option<String>,
}

/// The programs that report problems: two editors and a shell, each with the same files.
pub struct Ways {
    /// Receives pushed problems, and has the prompts open. Its folder is that of the shell.
    pub pushed: Editor,
    /// Pulls problems, and has all files open.
    pub pulling: Editor,
}

impl Ways {
    /// Opens all files. Problems are not read until a method compares them.
    pub fn start(folders: &[Folder]) -> Ways {
        let files = folders.iter().flat_map(|folder| &folder.files);
        let files: Vec<(&str, &str)> = files.map(|(path, text)| (&**path, &**text)).collect();
        let workspace = || Workspace::new(&files);
        let commands = json!({ "commands": [OPEN_PREVIEW] });
        // As on the command line, where columns count characters.
        let counting = || Client { position_encodings: vec!["utf-32"], ..Client::default() };
        let client = Client { initialization_options: commands, ..counting() };
        let pulls = Client { pull_diagnostics: true, ..counting() };
        let mut ways = Ways {
            pushed: Editor::start_as(client, workspace()),
            pulling: Editor::start_as(pulls, workspace()),
        };
        for (path, text) in files {
            if is_prompt(path) {
                ways.pushed.open(path, text);
            }
            ways.pulling.open(path, text);
        }
        ways.wait_until_read();
        ways.pushed.ignore_problems();
        ways.pulling.ignore_problems();
        ways
    }

    /// Closes both editors; panics unless both servers exit with code 0.
    pub fn close(self) {
        self.pushed.close();
        self.pulling.close();
    }

    /// The current text of a file.
    pub fn text(&self, path: &str) -> &str {
        self.pulling.text(path)
    }

    /// Edits a file: a prompt in both editors, any other file in one of them and on disk for the
    /// other.
    pub fn edit(&mut self, path: &str, range: Range<usize>, typed: &str) {
        self.pulling.replace_bytes(path, range.clone(), typed);
        let text = self.pulling.text(path).to_owned();
        if is_prompt(path) {
            self.pushed.replace_bytes(path, range, typed);
            self.wait_until_read();
            self.pushed.workspace().write(path, text);
        } else {
            self.pushed.write_file(path, text);
            self.wait_until_read();
        }
    }

    /// Waits until the server has read a file. It reads the disk when a notification arrives, also
    /// that of an edit. The file must be read before it changes again; otherwise a partially
    /// written file may be read.
    fn wait_until_read(&mut self) {
        let any = json!({ "textDocument": { "uri": self.pushed.uri("any.prompt") } });
        self.pushed.request("promptls/cases", any);
    }

    fn run(&self, arguments: &[&str]) -> Output {
        promptls(arguments).cwd(self.pushed.workspace().root()).run()
    }

    /// The problems of `check`, by file.
    pub fn checked(&self) -> BTreeMap<String, Vec<Reported>> {
        let output = self.run(&["check", "--format", "json"]);
        let report: Value = serde_json::from_str(&output.stdout).expect("the report is JSON");
        let mut by_file: BTreeMap<String, Vec<Reported>> = BTreeMap::new();
        for reported in self.all_reported(&report["problems"], "no document") {
            by_file.entry(reported.file.clone()).or_default().push(reported);
        }
        by_file
    }

    /// Waits until the last published problems of a file are these.
    pub fn wait_for_published(&mut self, path: &str, expected: &[Reported]) {
        let uri = self.pushed.uri("");
        self.pushed.wait_for(path, &format!("{expected:#?}"), |problems| {
            reported_in_prompts(problems, path, &uri) == expected
        });
    }

    /// Waits until the pulled problems of a file are these.
    pub fn wait_for_pulled(&mut self, path: &str, expected: &[Reported]) {
        let uri = self.pulling.uri("");
        self.pulling.wait_for(path, &format!("{expected:#?}"), |problems| {
            reported_in_prompts(problems, path, &uri) == expected
        });
    }

    /// The pulled problems of a file, without waiting.
    pub fn pulled(&mut self, path: &str) -> Vec<Reported> {
        let uri = self.pulling.uri(path);
        let params = json!({ "textDocument": { "uri": uri } });
        let report = self.pulling.request("textDocument/diagnostic", params);
        all_reported(list(&report["items"]), path, &self.pulling.uri(""))
    }

    /// The problems of `resolve --format json`.
    pub fn resolved(&self, prompt: &PromptCase) -> Vec<Reported> {
        let output =
            self.run(&[&["resolve", "--format", "json"][..], &prompt.arguments()].concat());
        let report: Value = serde_json::from_str(&output.stdout)
            .unwrap_or_else(|_| panic!("{prompt:?}: resolve says {}", output.stderr));
        self.all_reported(&report["problems"], &prompt.path)
    }

    /// Requires that `resolve` prints nothing and fails, as it does with a broken config.
    pub fn require_refusal(&self, prompt: &PromptCase) {
        let output = self.run(&[&["resolve"][..], &prompt.arguments()].concat());
        assert_eq!((output.code, &*output.stdout), (Some(2), ""), "{prompt:?}: {}", output.stderr);
    }

    /// The titles that `preview` shows below the text.
    pub fn previewed(&self, prompt: &PromptCase, more: &[&str]) -> Vec<String> {
        let output = self.run(&[&["preview"][..], &prompt.arguments(), more].concat());
        let is_title = |line: &&str| {
            let named = line.split_once('[').map(|(severity, _)| severity);
            named.is_some_and(|severity| ["error", "warning", "info", "hint"].contains(&severity))
        };
        let mut titles: Vec<String> =
            output.stdout.lines().filter(is_title).map(str::to_owned).collect();
        titles.sort();
        titles
    }

    /// The result of a promptls request; `null` for files that are no prompts.
    pub fn request(&mut self, method: &str, prompt: &PromptCase) -> Value {
        let params = json!({
            "textDocument": { "uri": self.pushed.uri(&prompt.path) },
            "case": prompt.case,
            "task": prompt.task,
        });
        self.pushed.request(method, params)
    }

    /// Each prompt of a file that has a code lens.
    pub fn prompts(&mut self, path: &str) -> Vec<PromptCase> {
        let uri = self.pushed.uri(path);
        let mut prompts = Vec::new();
        for (index, lenses) in self.lenses(path).iter().enumerate() {
            let at = &lenses[0]["arguments"][1];
            let params = json!({ "textDocument": { "uri": uri }, "position": at });
            let found = self.pushed.request("promptls/cases", params);
            let task = found["task"].as_str().map(str::to_owned);
            prompts.push(PromptCase { path: path.to_owned(), task, index, case: None });
        }
        prompts
    }

    /// A prompt in each of its cases.
    pub fn cases(&mut self, prompt: &PromptCase) -> Vec<PromptCase> {
        let found = self.request("promptls/cases", prompt);
        let named = |case: &Value| case["name"].as_str().map(str::to_owned);
        let cases = list(&found["cases"]).iter();
        let cases = cases.map(|case| PromptCase { case: named(case), ..prompt.clone() });
        let cases: Vec<PromptCase> = cases.collect();
        if cases.is_empty() { vec![prompt.clone()] } else { cases }
    }

    /// Whether an editor shows the prompts of a file in some case as they were before a file became
    /// invalid. A new process does not have that state.
    pub fn is_stale(&mut self, path: &str) -> bool {
        let first = PromptCase { path: path.to_owned(), task: None, index: 0, case: None };
        let mut cases = self.cases(&first).into_iter();
        cases.any(|prompt| self.request("promptls/preview", &prompt)["stale"].is_string())
    }

    /// The number of problems in the code lens of a prompt, once its case is selected.
    pub fn count_above(&mut self, prompt: &PromptCase) -> usize {
        if let Some(case) = &prompt.case {
            let argument = json!({ "uri": self.pushed.uri(&prompt.path), "case": case });
            let command = json!({ "command": "promptls.selectCase", "arguments": [argument] });
            self.pushed.request("workspace/executeCommand", command);
        }
        let lenses = &self.lenses(&prompt.path)[prompt.index];
        let titles = lenses.iter().map(|lens| lens["title"].as_str().expect("a line has a text"));
        let counts = titles.filter_map(|title| title.rsplit(" · ").next()?.split_once(" problem"));
        counts.map(|(count, _)| count.parse::<usize>().expect("a number")).sum()
    }

    /// The commands of the code lenses of a file, the preview first for each prompt.
    fn lenses(&mut self, path: &str) -> Vec<Vec<Value>> {
        let params = json!({ "textDocument": { "uri": self.pushed.uri(path) } });
        let lenses = self.pushed.request("textDocument/codeLens", params);
        let mut prompts: Vec<Vec<Value>> = Vec::new();
        for lens in list(&lenses) {
            let command = lens["command"].clone();
            match prompts.last_mut() {
                Some(last) if command["command"] != OPEN_PREVIEW => last.push(command),
                _ => prompts.push(vec![command]),
            }
        }
        prompts
    }

    /// Problems of the command line or of a promptls request, in a common form and order.
    pub fn all_reported(&self, problems: &Value, path: &str) -> Vec<Reported> {
        all_reported(list(problems), path, &self.pushed.uri(""))
    }
}

impl PromptCase {
    fn arguments(&self) -> Vec<&str> {
        let mut arguments = vec![&*self.path];
        let options = [("--prompt", &self.task), ("--case", &self.case)];
        for (option, value) in options {
            if let Some(value) = value {
                arguments.extend([option, value]);
            }
        }
        arguments
    }
}

/// Whether a file contains prompts, and is no sidecar.
pub fn is_prompt(path: &str) -> bool {
    [".prompt", ".pack.json", ".pack.yaml", ".pack.yml"].iter().any(|end| path.ends_with(end))
}

/// Whether a file is a config.
pub fn is_config(path: &str) -> bool {
    path.ends_with("promptls.toml")
}

/// The problems of prompts and their own files: see [`is_unused_in_shared`].
fn reported_in_prompts(problems: &[Value], file: &str, uri: &str) -> Vec<Reported> {
    let reported = all_reported(problems, file, uri).into_iter();
    reported.filter(|reported| !is_unused_in_shared(reported)).collect()
}

/// Unused keys in a file that a rule shares: an editor reports them once it has found all prompts
/// of the rule, if that file is open. `lsp/sidecars.rs` compares that.
pub fn is_unused_in_shared(reported: &Reported) -> bool {
    let is_own = reported.file.contains("/p.") || reported.file.contains("/q.");
    reported.title.contains("[unused-") && !is_own
}

/// Problems in a common form and order, from any source; diagnostics do not contain their document.
/// `folder` is the URI of the workspace.
pub fn all_reported(problems: &[Value], document: &str, folder: &str) -> Vec<Reported> {
    let mut reported: Vec<Reported> =
        problems.iter().map(|problem| reported(problem, document, folder)).collect();
    reported.sort();
    reported
}

fn reported(problem: &Value, document: &str, folder: &str) -> Reported {
    let place = |at: &Value| {
        // The output of the command line is flat.
        let location = if at["location"].is_null() { at } else { &at["location"] };
        let path = location["uri"].as_str().map(|uri| path_in(folder, uri));
        let path = path.or_else(|| location["file"].as_str().map(str::to_owned));
        let file = path.unwrap_or_else(|| document.to_owned());
        let end = |end: &str| {
            let end = &location["range"][end];
            format!("{}:{}", end["line"], end["character"])
        };
        (file, format!("{}-{}", end("start"), end("end")))
    };
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let severity = match problem["severity"].as_u64() {
        Some(number) => ["error", "warning", "info", "hint"][number as usize - 1].to_owned(),
        None => text(&problem["severity"]),
    };
    let (file, range) = place(problem);
    let related = match problem.get("related") {
        Some(related) => list(related),
        None => list(&problem["relatedInformation"]),
    };
    let related = related.iter().map(|related| {
        let (file, range) = place(related);
        format!("{file} {range} {}", text(&related["message"]))
    });
    Reported {
        file,
        places: [range].into_iter().chain(related).collect(),
        title: format!("{severity}[{}]: {}", text(&problem["code"]), text(&problem["message"])),
    }
}

/// The path in a folder for a URI.
pub fn path_in(folder: &str, uri: &str) -> String {
    let path = uri.strip_prefix(folder).unwrap_or(uri);
    percent_decode_str(path).decode_utf8().expect("the path is UTF-8").into_owned()
}

/// The items of a list; empty for other values.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
