//! Folders of source code as in real repositories: almost none of it contains a prompt.

use std::fs;
use std::path::Path;

/// One of this many files contains a prompt.
pub const FILES_PER_PROMPT: usize = 100;

/// The number of files in a folder.
const FILES_PER_FOLDER: usize = 100;

/// The minimum length of a file, in bytes: 100 lines, or slightly more.
const BYTES: usize = 4_000;

/// One of this many files has a variable called `state`: 59 of 1,216 in Python's standard library.
const FILES_PER_STATE: usize = 20;

/// A language: the extension of its files, their start, a function, their end, and a file with
/// signs of prompts. In the function, `#` stands for a number and `@` for a variable.
struct Code {
    ending: &'static str,
    start: &'static str,
    function: &'static str,
    end: &'static str,
    prompt: &'static str,
}

const LANGUAGES: [Code; 5] = [
    Code {
        ending: "py",
        start: "import os\nfrom app.core import store\n",
        function: "\n\ndef load_#(path, limit=#):\n    \"\"\"Return what is stored at a path.\"\"\"\n    \
                   @ = store.get(path, {\"limit\": limit, \"name\": \"item_#\"})\n    \
                   return os.path.join(@[\"name\"], f\"{path}/{limit}\")\n",
        end: "",
        prompt: "from google.adk.agents import LlmAgent\n\nroot_agent = LlmAgent(\n    \
                 name=\"planner\",\n    instruction=\"\"\"Plan a day in {city},\n    for \
                 {guest?}.\"\"\",\n    output_key=\"plan\",\n)\n\n\ndef start(context):\n    \
                 context.state[\"city\"] = \"Rome\"\n",
    },
    Code {
        ending: "ts",
        start: "import { store } from '../core/store';\n",
        function: "\nexport function load#(path: string, limit = #): string {\n  \
                   const @ = store.get(path) ?? { limit, name: 'item_#' };\n  \
                   return `${path}/${@.name}:` + \"limit\" + limit; // as it is shown\n}\n",
        end: "",
        prompt: "import { LlmAgent } from '@google/adk';\n\nexport const agent = new LlmAgent({\n  \
                 name: 'writer',\n  instruction: `Write about {plan},\n  briefly.`,\n});\n",
    },
    Code {
        ending: "java",
        start: "package com.example.app;\n\nimport java.util.Map;\n\npublic class Store {\n",
        function: "\n  /** Returns what is stored at a path. */\n  \
                   public String load#(String path, int limit) {\n    \
                   Map<String, Object> @ = Map.of(\"limit\", limit, \"name\", \"item_#\");\n    \
                   return path + '/' + @.get(\"name\");\n  }\n",
        end: "}\n",
        prompt: "package com.example.app;\n\nimport com.google.adk.agents.LlmAgent;\n\nclass Agent \
                 {\n  static final LlmAgent GUIDE =\n      LlmAgent.builder()\n          \
                 .name(\"guide\")\n          .instruction(\"\"\"\n              Guide through \
                 {city}.\n              \"\"\")\n          .build();\n}\n",
    },
    Code {
        ending: "go",
        start: "package app\n\nimport \"fmt\"\n",
        function: "\n// Load# returns what is stored at a path.\nfunc Load#(path string, limit int) \
                   string {\n\tstate := map[string]any{\"limit\": limit, \"name\": `item_#`}\n\t\
                   return fmt.Sprintf(\"%s/%v\", path, @[\"name\"])\n}\n",
        end: "",
        prompt: "package app\n\nimport \"google.golang.org/adk/agent/llmagent\"\n\nvar config = \
                 llmagent.Config{\n\tName: \"critic\",\n\tInstruction: \"Judge {plan}.\",\n}\n",
    },
    Code {
        ending: "yaml",
        start: "kind: Service\n",
        function: "item_#:\n  name: item #\n  limit: #\n  text: >\n    What is \
                   stored,\n    in words.\n",
        end: "",
        prompt: "agent_class: LlmAgent\nname: helper\ninstruction: Help with {plan}.\n",
    },
];

/// Writes this many files of code below `root`, as one application: equally many of each language,
/// about 4 KB each. One in a hundred contains a prompt, whose names the application sets.
///
/// # Panics
///
/// If writing fails.
pub fn write_code(root: &Path, files: usize) {
    let write = |path: &Path, text: &str| fs::write(path, text).expect("the disk takes it");
    write(&root.join("pyproject.toml"), "[project]\nname = \"app\"\n");
    for number in 0..files {
        let folder = root.join(format!("part_{:04}", number / FILES_PER_FOLDER));
        if number % FILES_PER_FOLDER == 0 {
            fs::create_dir(&folder).expect("the disk takes it");
        }
        // The file with a prompt has another language in each folder.
        let turn = number + number / FILES_PER_PROMPT;
        let code = &LANGUAGES[turn % LANGUAGES.len()];
        let has_prompt = number % FILES_PER_PROMPT == 0;
        let variable = if (number / LANGUAGES.len()).is_multiple_of(FILES_PER_STATE) {
            "state"
        } else {
            "found"
        };
        let mut text = if has_prompt { code.prompt } else { code.start }.to_owned();
        for function in 0.. {
            if text.len() >= BYTES || has_prompt {
                break;
            }
            let id = (number * 100 + function).to_string();
            text.push_str(&code.function.replace('#', &id).replace('@', variable));
        }
        text.push_str(if has_prompt { "" } else { code.end });
        write(&folder.join(format!("File{number}.{}", code.ending)), &text);
    }
}
