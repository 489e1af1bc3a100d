//! A whole workspace in an editor: the problems of all prompts, and the latency of a change in
//! shared inputs while the user types.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use promptls_tests::workloads::{InputsOf, PROMPTS_PER_FOLDER, write_prompts};
use serde_json::{Value, json};

use crate::programs::Programs;
use crate::report::{Figure, Table, with_commas};
use crate::server::{Memory, Server, uri};
use crate::timing::quantile;

/// The row that the goals use.
pub const OWN: &str = "20,000, each with inputs of its own";

/// The delay between two key presses: as fast as a held key repeats, and faster.
const PAUSE: Duration = Duration::from_millis(5);

/// By then, the server has returned memory that is kept for reuse.
const REST: Duration = Duration::from_secs(3);

/// The ids of requests without waiting.
const WORKSPACE: u64 = 1;
const KEY: u64 = 2;

/// The path of the prompt that the client opens.
const ON_SCREEN: &str = "team_001/letter_42.agentle.prompt";

pub fn run(programs: &Programs) -> Vec<Table> {
    let mut first = Table::new("workspace", &["prompts", "all problems", "resident", "at most"]);
    let columns = [
        "prompts",
        "on screen",
        "all told",
        "a key meanwhile",
        "95 % below",
        "slowest",
        "resident",
    ];
    let mut changed = Table::new("workspace, changed", &columns)
        .titled("A name in the inputs of all prompts is another");
    for (row, folders, inputs_of) in [
        (OWN, 200, InputsOf::Each),
        ("20,000, which share their inputs", 200, InputsOf::All),
        ("200,000, which share their inputs", 2_000, InputsOf::All),
    ] {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        write_prompts(folder.path(), folders, inputs_of);
        let mut editor = Editor::start(programs, folder.path());
        first.row(row, editor.first());
        if inputs_of == InputsOf::All {
            let prompts = folders * PROMPTS_PER_FOLDER;
            changed.row(with_commas(prompts as u64), editor.change(prompts));
        }
    }
    vec![first, changed]
}

/// An editor that pulls problems, and has one prompt visible.
struct Editor<'f> {
    folder: &'f Path,
    server: Server,
    version: u64,
}

impl<'f> Editor<'f> {
    fn start(programs: &Programs, folder: &'f Path) -> Editor<'f> {
        let mut server = Server::promptls_with_all_processors(programs);
        let capabilities = json!({
            "general": { "positionEncodings": ["utf-8"] },
            "textDocument": { "diagnostic": {} },
            "workspace": {
                "diagnostics": { "refreshSupport": true },
                "didChangeWatchedFiles": { "dynamicRegistration": true },
            },
        });
        server.initialize_with(folder, capabilities);
        server.notify("initialized", json!({}));
        let path = folder.join(ON_SCREEN);
        let document = json!({
            "uri": uri(&path),
            "languageId": "prompt-agentle",
            "version": 1,
            "text": fs::read_to_string(&path).expect("it was written"),
        });
        server.notify("textDocument/didOpen", json!({ "textDocument": document }));
        Editor { folder, server, version: 1 }
    }

    /// The first check of all prompts.
    fn first(&mut self) -> [Figure; 3] {
        let start = Instant::now();
        let report =
            self.server.request("workspace/diagnostic", json!({ "previousResultIds": [] }));
        let elapsed = start.elapsed();
        assert!(report["items"].as_array().is_some_and(|items| !items.is_empty()), "{report}");
        sleep(REST);
        let Memory { resident, peak } = self.server.memory();
        [elapsed.into(), resident, peak]
    }

    /// Renames a name in the shared inputs, so that it has no value in any prompt.
    fn change(&mut self, prompts: usize) -> [Figure; 6] {
        let token = json!({ "previousResultIds": [], "partialResultToken": "piece" });
        self.server.send_request(WORKSPACE, "workspace/diagnostic", token);
        let shared = self.folder.join("shared.json");
        let text = fs::read_to_string(&shared).expect("it was written");
        fs::write(&shared, text.replace("name_00", "other_00")).expect("the disk takes it");
        let start = Instant::now();
        let change = json!({ "uri": uri(&shared), "type": 2 });
        self.server.notify("workspace/didChangeWatchedFiles", json!({ "changes": [change] }));

        let (mut on_screen, mut reported, mut keys) = (None, HashSet::new(), Vec::new());
        let mut typed = self.type_a_key();
        // The problems of the visible prompt arrive separately.
        while reported.len() + 1 < prompts || on_screen.is_none() {
            let message = self.server.read();
            if message["method"] == "$/progress" && message["params"]["token"] == "piece" {
                let items = message["params"]["value"]["items"].as_array().into_iter().flatten();
                let missing = items.filter(|item| has_missing_name(&item["items"]));
                reported.extend(missing.filter_map(|item| item["uri"].as_str().map(str::to_owned)));
            } else if message["id"] == KEY && message.get("method").is_none() {
                keys.push(typed.elapsed());
                if on_screen.is_none() && has_missing_name(&message["result"]["items"]) {
                    on_screen = Some(start.elapsed());
                }
                sleep(PAUSE);
                typed = self.type_a_key();
            }
        }
        let all_told = start.elapsed();
        sleep(REST);
        [
            on_screen.unwrap_or_default().into(),
            all_told.into(),
            quantile(&mut keys, 0.5).into(),
            quantile(&mut keys, 0.95).into(),
            quantile(&mut keys, 1.0).into(),
            self.server.memory().resident,
        ]
    }

    /// Types a letter at the start of the prompt, and requests its problems.
    fn type_a_key(&mut self) -> Instant {
        let typed = Instant::now();
        self.version += 1;
        let uri = uri(&self.folder.join(ON_SCREEN));
        let start = json!({ "line": 0, "character": 0 });
        let change = json!({ "range": { "start": start, "end": start }, "text": "x" });
        let document = json!({ "uri": uri, "version": self.version });
        let params = json!({ "textDocument": document, "contentChanges": [change] });
        self.server.notify("textDocument/didChange", params);
        let params = json!({ "textDocument": { "uri": uri } });
        self.server.send_request(KEY, "textDocument/diagnostic", params);
        typed
    }
}

fn has_missing_name(items: &Value) -> bool {
    let items = items.as_array().into_iter().flatten();
    items.filter_map(|item| item["message"].as_str()).any(|words| words.contains("`name_00`"))
}
