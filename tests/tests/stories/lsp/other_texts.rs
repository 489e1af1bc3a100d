//! Prompts in code with parts from other files, in an editor.

use promptls_tests::{Client, Editor, Workspace};
use serde_json::json;

const AGENT: &str = "from google.adk.agents import LlmAgent\nfrom texts import BASE\n\
    a = LlmAgent(name='a', instruction=f'{BASE} Go.')\n";

fn start() -> Editor {
    let files = [
        ("agent.py", AGENT),
        ("texts.py", "from more import END\nBASE = f'Be polite. {END}'\n"),
        ("more.py", "END = 'The end.'\n"),
        ("requirements.txt", "google-adk==2.13.0\n"),
    ];
    let initialization_options = json!({ "preview": true });
    let client = Client { initialization_options, ..Client::default() };
    let mut editor = Editor::start_as(client, Workspace::new(&files));
    editor.ignore_problems();
    editor
}

/// Waits until the preview of the prompt has a text.
#[track_caller]
fn wait_for_text(editor: &mut Editor, expected: &str) {
    let uri = editor.workspace().uri("agent.py");
    loop {
        let params = json!({ "textDocument": { "uri": uri } });
        let preview = editor.request("promptls/preview", params);
        if preview["text"] == expected {
            return;
        }
        // Fails if the preview does not change any more.
        editor.next_notification("promptls/previewChanged");
    }
}

#[test]
fn the_preview_follows_edits_of_other_files() {
    let mut editor = start();
    editor.open_file("agent.py");
    wait_for_text(&mut editor, "Be polite. The end. Go.");
    editor.open_file("texts.py");
    editor.replace("texts.py", "polite", "kind");
    wait_for_text(&mut editor, "Be kind. The end. Go.");
    editor.open_file("more.py");
    editor.replace("more.py", "The end.", "Bye.");
    wait_for_text(&mut editor, "Be kind. Bye. Go.");
    editor.replace("texts.py", "{END}", "{now()}");
    wait_for_text(&mut editor, "{BASE} Go.");
    editor.replace("texts.py", "{now()}", "Well.");
    wait_for_text(&mut editor, "Be kind. Well. Go.");
    editor.ignore_notifications("promptls/previewChanged");
    editor.close();
}

/// A prompt with a part of another file that has placeholders of its own: the two files, and the text
/// of the second one in other words.
struct PartOfPrompt {
    /// The place that names the part, with a cursor.
    name: &'static str,
    agent: (&'static str, &'static str),
    texts: (&'static str, &'static str),
    /// Files that make it an application.
    more: &'static [(&'static str, &'static str)],
}

const PARTS: &[PartOfPrompt] = &[
    PartOfPrompt {
        name: "{BA$0SE}",
        agent: (
            "agent.py",
            "from google.adk.agents import LlmAgent\nfrom texts import BASE\n\
             a = LlmAgent(name='a', instruction=f'{BASE} In {{city}}.')\n",
        ),
        texts: ("texts.py", "BASE = 'Be kind to {customer} and {other}.'\n"),
        more: &[("requirements.txt", "google-adk==2.13.0\n")],
    },
    PartOfPrompt {
        name: "${BA$0SE}",
        agent: (
            "agent.ts",
            "import { LlmAgent } from '@google/adk';\nimport { BASE } from './texts';\n\
             export const a = new LlmAgent({ name: 'a', instruction: `${BASE} In {city}.` });\n",
        ),
        texts: ("texts.ts", "export const BASE = 'Be kind to {customer} and {other}.';\n"),
        more: &[("package.json", "{}")],
    },
    PartOfPrompt {
        name: "Texts.BA$0SE",
        agent: (
            "com/x/Agents.java",
            "package com.x;\nimport com.google.adk.agents.LlmAgent;\nclass Agents {\n  \
             Object a = LlmAgent.builder().name(\"a\").instruction(Texts.BASE + \" In {city}.\").build();\n}\n",
        ),
        texts: (
            "com/x/Texts.java",
            "package com.x;\nclass Texts {\n  \
             static final String BASE = \"Be kind to {customer} and {other}.\";\n}\n",
        ),
        more: &[("pom.xml", "<project></project>")],
    },
    PartOfPrompt {
        name: "$BA$0SE In",
        agent: (
            "com/x/Agents.kt",
            "package com.x\nimport com.google.adk.agents.LlmAgent\n\
             val a = LlmAgent.builder().name(\"a\").instruction(\"$BASE In {city}.\").build()\n",
        ),
        texts: (
            "com/x/Texts.kt",
            "package com.x\nconst val BASE = \"Be kind to {customer} and {other}.\"\n",
        ),
        more: &[("build.gradle.kts", "")],
    },
    PartOfPrompt {
        name: "ba$0se +",
        agent: (
            "agent.go",
            "package app\nimport \"google.golang.org/adk/agent/llmagent\"\n\
             var a, _ = llmagent.New(llmagent.Config{Name: \"a\", Instruction: base + \" In {city}.\"})\n",
        ),
        texts: ("texts.go", "package app\nconst base = \"Be kind to {customer} and {other}.\"\n"),
        more: &[("go.mod", "module x\n")],
    },
];

impl PartOfPrompt {
    /// An editor with the application, in which some files are open; and the name of the inputs file.
    fn start(&self, open: &[&str]) -> (Editor, String) {
        let stem = self.agent.0.rsplit_once('.').expect("it has an ending").0;
        let inputs = format!("{stem}.a.inputs.json");
        let values = r#"{"city": "Oslo", "customer": "Ann", "old": 1}"#;
        let own = [self.agent, self.texts, (&*inputs, values)];
        let files: Vec<(&str, &str)> = own.iter().chain(self.more).copied().collect();
        let mut editor = Editor::start(Workspace::new(&files));
        open.iter().for_each(|file| editor.open_file(file));
        (editor, inputs)
    }
}

const OTHER: &[&str] = &["`other` has no value"];

#[test]
fn a_part_with_placeholders_has_the_problems_of_its_prompt_where_it_is_written() {
    for part in PARTS {
        let (agent, texts) = (part.agent.0, part.texts.0);
        for open in [&[agent][..], &[texts], &[agent, texts]] {
            let (mut editor, _) = part.start(open);
            editor.wait_for_problems(texts, OTHER);
            if open.contains(&texts) {
                editor.replace(texts, "{other}", "{customer}");
                editor.wait_for_problems(texts, &[]);
                editor.replace(texts, "kind to {customer}", "kind to {absent}");
                editor.wait_for_problems(texts, &["`absent` has no value"]);
            }
            editor.ignore_problems();
            editor.close();
        }
    }
}

#[test]
fn a_name_in_a_part_has_the_values_of_its_prompt() {
    for part in PARTS {
        let (agent, texts) = (part.agent.0, part.texts.0);
        let (mut editor, inputs) = part.start(&[texts]);
        editor.wait_for_problems(texts, OTHER);
        editor.ignore_problems();
        let hover = editor.hover(texts, "{cust$0omer}").unwrap_or_default();
        assert!(hover.contains("`Ann` — ["), "{texts}: {hover}");
        let at = editor.place(texts, "{cust$0omer}");
        let definition = editor.request("textDocument/definition", at.clone());
        assert_eq!(definition[0]["targetUri"], editor.uri(&inputs), "{definition}");
        let mut params = at.clone();
        params["context"] = json!({ "includeDeclaration": true });
        let references = editor.request("textDocument/references", params);
        let files: Vec<&str> = references
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|it| it["uri"].as_str()?.rsplit('/').next())
            .collect();
        assert_eq!(files.len(), 3, "{texts}: {files:?}");
        let mut params = at;
        params["newName"] = json!("client");
        let edit = editor.request("textDocument/rename", params);
        editor.apply(&edit);
        assert!(editor.text(texts).contains("{client} and"), "{}", editor.text(texts));
        assert_eq!(
            editor.text(&inputs),
            r#"{"city": "Oslo", "client": "Ann", "old": 1}"#,
            "{texts}"
        );
        let params = json!({ "textDocument": { "uri": editor.uri(agent) }, "task": "a" });
        editor.open_file(agent);
        let form = editor.request("promptls/inputs", params);
        let fields: Vec<&str> = form["fields"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|field| field["path"].as_str())
            .collect();
        assert!(fields.contains(&"other"), "{agent}: {fields:?}");
        editor.close();
    }
}

#[test]
fn the_name_of_a_part_leads_to_its_text() {
    for part in PARTS {
        let (agent, texts) = (part.agent.0, part.texts.0);
        let (mut editor, _) = part.start(&[agent]);
        editor.wait_for_problems(texts, OTHER);
        editor.ignore_problems();
        let at = editor.place(agent, part.name);
        let found = editor.request("textDocument/definition", at);
        assert_eq!(found[0]["targetUri"], editor.uri(texts), "{agent}: {found}");
        let range = &found[0]["targetRange"];
        let (line, start) = (&range["start"]["line"], &range["start"]["character"]);
        let line = line.as_u64().and_then(|it| part.texts.1.lines().nth(it as usize));
        let text = line.zip(start.as_u64()).map(|(line, start)| &line[start as usize..]);
        assert!(text.is_some_and(|text| text[1..].starts_with("Be kind")), "{agent}: {found}");
        let hover = editor.hover(agent, part.name).unwrap_or_default();
        assert!(hover.contains("Be kind to {customer}"), "{agent}: {hover}");
        editor.close();
    }
}

#[test]
fn the_preview_reports_the_problems_of_a_part_where_it_is_written() {
    for part in PARTS {
        let (agent, texts) = (part.agent.0, part.texts.0);
        let (mut editor, _) = part.start(&[agent]);
        editor.wait_for_problems(texts, OTHER);
        editor.ignore_problems();
        let params = json!({ "textDocument": { "uri": editor.uri(agent) }, "task": "a" });
        let preview = editor.request("promptls/preview", params);
        let problems = preview["problems"].as_array().into_iter().flatten();
        let unknown = problems.filter(|it| it["code"] == "undefined-placeholder");
        let places: Vec<_> =
            unknown.map(|it| (it["message"].clone(), it["location"]["uri"].clone())).collect();
        assert_eq!(places, [(json!(OTHER[0]), json!(editor.uri(texts)))], "{agent}: {preview}");
        editor.close();
    }
}

/// The text is written in the last of three files; the one between only names it.
#[test]
fn a_part_leads_through_other_files_to_its_text() {
    for between in ["from more import END as BASE\n", "from more import *\n"] {
        let files = [
            ("agent.py", AGENT),
            ("texts.py", between),
            ("more.py", "END = 'The end.'\nBASE = END\n"),
            ("requirements.txt", "google-adk==2.13.0\n"),
        ];
        let client =
            Client { initialization_options: json!({ "preview": true }), ..Client::default() };
        let mut editor = Editor::start_as(client, Workspace::new(&files));
        editor.ignore_problems();
        editor.open_file("agent.py");
        wait_for_text(&mut editor, "The end. Go.");
        let at = editor.place("agent.py", "{BA$0SE}");
        let found = editor.request("textDocument/definition", at);
        assert_eq!(found[0]["targetUri"], editor.uri("more.py"), "{between}: {found}");
        assert_eq!(found[0]["targetRange"]["start"], json!({ "line": 0, "character": 6 }));
        editor.ignore_notifications("promptls/previewChanged");
        editor.close();
    }
}

/// Code with a text of a file that does not exist yet, and that file.
const NEW_FILES: [[(&str, &str); 2]; 5] = [
    [
        (
            "agent.py",
            "from google.adk.agents import LlmAgent\nfrom texts import BASE\n\
             a = LlmAgent(name='a', instruction=BASE)\n",
        ),
        ("texts.py", "BASE = 'Name a city.'\n"),
    ],
    [
        (
            "agent.py",
            "from google.adk.agents import LlmAgent\nfrom .texts import BASE\n\
             a = LlmAgent(name='a', instruction=BASE)\n",
        ),
        ("texts/__init__.py", "BASE = 'Name a city.'\n"),
    ],
    [
        (
            "agent.ts",
            "import { LlmAgent } from '@google/adk';\nimport { BASE } from './texts.js';\n\
             export const a = new LlmAgent({ name: 'a', instruction: BASE });\n",
        ),
        ("texts.ts", "export const BASE = 'Name a city.';\n"),
    ],
    [
        (
            "com/x/Agents.java",
            "package com.x;\nimport com.google.adk.agents.LlmAgent;\nclass Agents {\n  \
             Object a = LlmAgent.builder().name(\"a\").instruction(Texts.BASE).build();\n}\n",
        ),
        (
            "com/x/Texts.java",
            "package com.x;\nclass Texts {\n  static final String BASE = \"Name a city.\";\n}\n",
        ),
    ],
    [
        (
            "agent.go",
            "package app\nimport \"google.golang.org/adk/agent/llmagent\"\n\
             var a, _ = llmagent.New(llmagent.Config{Name: \"a\", Instruction: base})\n",
        ),
        ("texts.go", "package app\nconst base = \"Name a city.\"\n"),
    ],
];

#[test]
fn a_text_of_a_new_file_is_a_prompt_before_the_file_is_saved() {
    for [agent, texts] in NEW_FILES {
        let mut editor = Editor::start(Workspace::new(&[agent]));
        editor.open_file(agent.0);
        editor.wait_for_codes(agent.0, &["computed-prompt"]);
        editor.open(texts.0, texts.1);
        editor.wait_for_codes(agent.0, &[]);
        editor.close();
    }
}
