//! A name of the state is renamed in the whole application, from each place that has it.

use std::time::{Duration, Instant};

use promptls_tests::{Editor, Workspace};
use serde_json::{Value, json};

/// Files of an application: those in which each `facts` is renamed, and those that stay as they are.
struct Layout {
    renamed: &'static [(&'static str, &'static str)],
    kept: &'static [(&'static str, &'static str)],
}

const MANIFEST: (&str, &str) = ("requirements.txt", "google-adk==2.13.0\n");
const AGENT: (&str, &str) = (
    "agent.py",
    "from google.adk.agents import LlmAgent\n\
     find = LlmAgent(name='find', instruction='Find', output_key='facts')\n\
     ask = LlmAgent(name='ask', instruction='Ask {facts} {city}')\n",
);
const LOADS: (&str, &str) = (
    "agent.py",
    "from google.adk.agents import LlmAgent\n\
     ask = LlmAgent(name='ask', instruction=open('t.txt').read(), output_key='facts')\n",
);
const TOOLS: (&str, &str) =
    ("tools.py", "def keep(tool_context):\n    tool_context.state['facts'] = 'Oslo'\n");
const SHOW: (&str, &str) =
    ("show.py", "def show(tool_context):\n    print(f\"so {tool_context.state['facts']:>9}\")\n");
const JSON: &str = r#"{"facts": "h", "city": "facts are fine"}"#;
const VARIABLES: &str = r#"{"variables": [{"name": "facts"}, {"name": "city"}]}"#;
const RULE: &str = "[[prompts]]\nfiles = ['agent.py']\ninputs = ['cases/*.json']\n";

const LAYOUTS: &[Layout] = &[
    Layout { renamed: &[AGENT, TOOLS], kept: &[] },
    Layout { renamed: &[AGENT, SHOW], kept: &[] },
    // Packages with manifests of their own, one of which imports the other one.
    Layout {
        renamed: &[
            (
                "ask/agent.py",
                "from google.adk.agents import LlmAgent\nfrom find.agent import find\n\
                 ask = LlmAgent(name='ask', instruction='Ask {facts}', sub_agents=[find])\n",
            ),
            (
                "find/agent.py",
                "from google.adk.agents import LlmAgent\n\
                 find = LlmAgent(name='find', instruction='Find', output_key='facts')\n",
            ),
        ],
        kept: &[("ask/pyproject.toml", ""), ("find/pyproject.toml", "")],
    },
    // The text and the constant of the key are in one module, and their uses in another.
    Layout {
        renamed: &[("texts.py", "KEY = 'facts'\nASK = 'Ask {facts} {city}'\n")],
        kept: &[(
            "agent.py",
            "from google.adk.agents import LlmAgent\nfrom texts import ASK, KEY\n\
             ask = LlmAgent(name='ask', instruction=ASK, output_key=KEY)\n",
        )],
    },
    Layout {
        renamed: &[(
            "texts/texts.go",
            "package texts\n\nconst Key = \"facts\"\nconst Ask = \"Ask {facts} {city}\"\n",
        )],
        kept: &[
            ("go.mod", "module app\n"),
            (
                "agent.go",
                "package app\n\nimport (\n\t\"app/texts\"\n\
                 \t\"google.golang.org/adk/agent/llmagent\"\n)\n\n\
                 var a = llmagent.Config{Name: \"a\", Instruction: texts.Ask, OutputKey: texts.Key}\n",
            ),
        ],
    },
    Layout {
        renamed: &[(
            "Texts.java",
            "class Texts {\n  static final String KEY = \"facts\";\n\
             \x20 static final String ASK = \"Ask {facts} {city}\";\n}\n",
        )],
        kept: &[(
            "Ask.java",
            "import com.google.adk.agents.LlmAgent;\n\
             class Ask { LlmAgent a = LlmAgent.builder().name(\"a\")\n\
             .instruction(Texts.ASK).outputKey(Texts.KEY).build(); }\n",
        )],
    },
    Layout {
        renamed: &[(
            "texts.ts",
            "export enum Key { Facts = 'facts' }\nexport const ASK = 'Ask {facts} {city}';\n",
        )],
        kept: &[(
            "agent.ts",
            "import { LlmAgent } from '@google/adk';\nimport { ASK, Key } from './texts';\n\
             new LlmAgent({ name: 'ask', instruction: ASK, outputKey: Key.Facts });\n",
        )],
    },
    Layout { renamed: &[AGENT, ("agent.ask.inputs.json", JSON)], kept: &[] },
    Layout { renamed: &[AGENT, ("agent.inputs.json", JSON)], kept: &[] },
    Layout { renamed: &[AGENT, ("agent.inputs.yaml", "facts: h\ncity: c\n")], kept: &[] },
    Layout { renamed: &[AGENT, ("agent.inputs.toml", "facts = 'h'\ncity = 'c'\n")], kept: &[] },
    Layout { renamed: &[AGENT, ("agent.ask.intake.inputs.json", JSON)], kept: &[] },
    Layout { renamed: &[AGENT, ("agent.ask.variables.json", VARIABLES)], kept: &[] },
    Layout { renamed: &[AGENT, ("agent.variables.json", VARIABLES)], kept: &[] },
    Layout { renamed: &[AGENT, ("cases/a.json", JSON)], kept: &[("promptls.toml", RULE)] },
    // No prompt with these files reads the name.
    Layout { renamed: &[AGENT], kept: &[("agent.find.inputs.json", r#"{"facts": "h"}"#)] },
    Layout {
        renamed: &[AGENT],
        kept: &[("own.adk.prompt", "{city}"), ("own.adk.inputs.json", JSON)],
    },
    Layout { renamed: &[LOADS, ("t.txt", "Ask {facts}"), ("t.inputs.json", JSON)], kept: &[] },
    Layout {
        renamed: &[AGENT, ("own.adk.prompt", "Own {facts} {city}"), ("own.adk.inputs.json", JSON)],
        kept: &[],
    },
    Layout {
        renamed: &[
            (
                "root_agent.yaml",
                "agent_class: LlmAgent\nname: a\nmodel: m\ninstruction: 'Use {facts}'\n",
            ),
            ("b.yaml", "name: b\nmodel: m\ninstruction: x\noutput_key: facts\n"),
        ],
        kept: &[],
    },
    // The key is a constant of another file.
    Layout {
        renamed: &[
            ("keys.py", "FACTS = 'facts'\n"),
            (
                "agent.py",
                "from google.adk.agents import LlmAgent\nfrom keys import FACTS\n\
                 find = LlmAgent(name='find', instruction='Find', output_key=FACTS)\n\
                 ask = LlmAgent(name='ask', instruction='Ask {facts}')\n",
            ),
        ],
        kept: &[("tools.py", "import keys\ndef f(c):\n    return c.state.get(keys.FACTS)\n")],
    },
    Layout {
        renamed: &[
            ("keys.py", "class Keys(str, Enum):\n    FOUND: str = 'facts'\n"),
            (
                "agent.py",
                "from google.adk.agents import LlmAgent\nimport keys\n\
                 ask = LlmAgent(name='ask', instruction='Ask {facts}')\n\
                 def f(c):\n    c.state[keys.Keys.FOUND.value] = 1\n",
            ),
        ],
        kept: &[],
    },
    Layout {
        renamed: &[
            ("keys.ts", "export const KEYS = {found: 'facts', other: 'o'} as const;\n"),
            (
                "agent.ts",
                "import { LlmAgent } from '@google/adk';\nimport { KEYS } from './keys';\n\
                 const a = new LlmAgent({name: 'a', instruction: 'Ask {facts}'});\n\
                 const f = (c: Context) => c.state.set(KEYS.found, 1);\n",
            ),
        ],
        kept: &[],
    },
    Layout {
        renamed: &[
            ("keys.ts", "export enum Keys { Found = 'facts' }\n"),
            (
                "agent.ts",
                "import { LlmAgent } from '@google/adk';\nimport { Keys } from './keys';\n\
                 const a = new LlmAgent({name: 'a', instruction: 'Ask {facts}', outputKey: Keys.Found});\n",
            ),
        ],
        kept: &[],
    },
    Layout {
        renamed: &[
            ("keys/keys.go", "package keys\n\nconst Found = \"facts\"\n"),
            (
                "agent.go",
                "package app\n\nimport (\n\t\"app/keys\"\n\
                 \t\"google.golang.org/adk/agent/llmagent\"\n)\n\n\
                 var a = llmagent.Config{Name: \"a\", Instruction: \"Ask {facts}\", OutputKey: keys.Found}\n",
            ),
        ],
        kept: &[],
    },
    Layout {
        renamed: &[
            ("Keys.java", "class Keys { static final String FOUND = \"facts\"; }\n"),
            (
                "Agent.java",
                "import com.google.adk.agents.LlmAgent;\nclass Agent {\n\
                 LlmAgent a = LlmAgent.builder().name(\"a\").instruction(\"Ask {facts}\")\
                 .outputKey(Keys.FOUND).build();\n}\n",
            ),
        ],
        kept: &[],
    },
    Layout {
        renamed: &[
            ("Keys.kt", "object Keys {\n    const val FOUND: String = \"facts\"\n}\n"),
            (
                "Agent.kt",
                "import com.google.adk.agents.LlmAgent\n\
                 val a = LlmAgent.builder().name(\"a\").instruction(\"Ask {facts}\")\
                 .outputKey(Keys.FOUND).build()\n",
            ),
        ],
        kept: &[],
    },
];

/// The places of the old name: whole words that are keys, names or placeholders.
fn places(text: &str) -> Vec<usize> {
    let found = text.match_indices("facts").map(|(at, _)| at);
    found.filter(|at| !text[at + 5..].starts_with(" are")).collect()
}

/// The text with a new name at all places.
fn renamed(text: &str) -> String {
    let mut renamed = text.to_owned();
    for at in places(text).into_iter().rev() {
        renamed.replace_range(at..at + 5, "news");
    }
    renamed
}

/// The response to a request once code has been read.
fn answer(editor: &mut Editor, method: &str, params: &Value) -> Value {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let id = editor.send_request(method, params.clone());
        match editor.answer(id) {
            Ok(answer) if !answer.is_null() && answer != json!([]) => return answer,
            Ok(_) => assert!(Instant::now() < end, "{method} has no answer: {params}"),
            Err(error) => assert_eq!(error["code"], -32801, "{method}: {error}"),
        }
    }
}

#[test]
fn a_rename_from_each_file_includes_code_prompts_and_inputs() {
    for Layout { renamed: files, kept } in LAYOUTS {
        let all: Vec<_> = files.iter().chain(*kept).chain([&MANIFEST]).copied().collect();
        for (file, text) in *files {
            for at in places(text) {
                let mut editor = Editor::start(Workspace::new(&all));
                editor.ignore_problems();
                editor.open_file(file);
                let place = format!("{}$0{}", &text[..at + 1], &text[at + 1..]);
                let mut params = editor.place(file, &place);
                params["newName"] = json!("news");
                let edit = answer(&mut editor, "textDocument/rename", &params);
                editor.apply(&edit);
                for (path, text) in &all {
                    let is_renamed = files.iter().any(|(renamed, _)| renamed == path);
                    let expected = if is_renamed { renamed(text) } else { (*text).to_owned() };
                    let is_open = editor.is_open(path);
                    let now = if is_open { editor.text(path) } else { text };
                    assert_eq!(now, expected, "{path}, renamed in {file} at {at}: {all:?}");
                }
                editor.close();
            }
        }
    }
}

/// A name that nothing sets may get the name that was meant, in all prompts that read it. Two names
/// that are set never become one.
#[test]
fn a_misspelt_name_is_corrected_to_one_that_is_set() {
    let agents = "from google.adk.agents import LlmAgent\n\
        a = LlmAgent(name='a', instruction='Find', output_key='facts')\n\
        b = LlmAgent(name='b', instruction='Ask {fatcs}', output_key='other')\n\
        c = LlmAgent(name='c', instruction='Tell {fatcs} {other}')\n";
    for (file, text) in [MANIFEST, ("package.json", "{}")] {
        let mut editor = Editor::start(Workspace::new(&[(file, text), ("agent.py", agents)]));
        editor.ignore_problems();
        editor.open_file("agent.py");
        let mut params = editor.place("agent.py", "Ask {fa$0tcs}");
        params["newName"] = json!("facts");
        let edit = answer(&mut editor, "textDocument/rename", &params);
        editor.apply(&edit);
        assert_eq!(editor.text("agent.py"), agents.replace("fatcs", "facts"));
        let mut params = editor.place("agent.py", "{oth$0er}");
        params["newName"] = json!("facts");
        let id = editor.send_request("textDocument/rename", params);
        let refusal = editor.answer(id).expect_err("both are set");
        let message = refusal["message"].as_str().unwrap_or_default();
        assert!(message.contains("`facts` already exists"), "{refusal}");
        editor.close();
    }
}

/// A word that is both a key and a variable becomes two: the variable keeps its name.
#[test]
fn variables_with_the_name_of_a_key_keep_it() {
    let tools = "export const a = (context: Context) => {\n\
        \x20 const { facts, city: facts2 } = context.session.state;\n\
        \x20 context.session.state.facts = facts + context.state?.facts;\n\
        \x20 return { stateDelta: { facts } };\n};\n";
    let files = [
        ("package.json", r#"{"dependencies": {"@google/adk": "1.2.0"}}"#),
        (
            "agent.ts",
            "import { LlmAgent } from '@google/adk';\n\
             const a = new LlmAgent({name: 'a', instruction: 'Ask {facts}'});\n",
        ),
        ("tools.ts", tools),
    ];
    let mut editor = Editor::start(Workspace::new(&files));
    editor.ignore_problems();
    editor.open_file("agent.ts");
    editor.open_file("tools.ts");
    let mut params = editor.place("agent.ts", "Ask {fa$0cts}");
    params["newName"] = json!("news");
    let edit = answer(&mut editor, "textDocument/rename", &params);
    editor.apply(&edit);
    let expected = tools
        .replace("{ facts, ", "{ news: facts, ")
        .replace("state.facts", "state.news")
        .replace("state?.facts", "state?.news")
        .replace("{ facts }", "{ news: facts }");
    assert_eq!(editor.text("tools.ts"), expected);
    editor.close();
}

#[test]
fn code_that_sets_a_name_refers_to_closed_prompts() {
    for Layout { renamed: files, kept } in LAYOUTS {
        let all: Vec<_> = files.iter().chain(*kept).chain([&MANIFEST]).copied().collect();
        let sets = |text: &str| {
            text.find("'facts'")
                .or(text.find(" facts\n"))
                .or(text.find("\"facts\"").filter(|_| !text.starts_with('{')))
        };
        for (file, at) in files.iter().filter_map(|(file, text)| Some((file, sets(text)?))) {
            let mut editor = Editor::start(Workspace::new(&all));
            editor.ignore_problems();
            editor.open_file(file);
            let text = editor.text(file);
            let place = format!("{}$0{}", &text[..at + 2], &text[at + 2..]);
            let mut params = editor.place(file, &place);
            let hover = answer(&mut editor, "textDocument/hover", &params);
            assert!(hover.to_string().contains("read "), "{hover}");
            answer(&mut editor, "textDocument/definition", &params);
            params["context"] = json!({ "includeDeclaration": true });
            let found = answer(&mut editor, "textDocument/references", &params);
            assert!(found.as_array().is_some_and(|found| found.len() > 1), "{found}");
            editor.close();
        }
    }
}
