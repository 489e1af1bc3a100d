//! Text files that code reads as prompts, in an editor.

use promptls_tests::{Editor, Workspace};
use serde_json::json;

const AGENT: &str = r#"from google.adk.agents import Agent

a = Agent(name="a", instruction=open("one.txt").read().strip(), output_key="topic")
b = Agent(name="b", instruction="About {topic}.")
"#;

fn start() -> Editor {
    let files = [
        ("agent.py", AGENT),
        ("one.txt", "\nName a {topik}.\n"),
        ("notes.txt", "Name a {topik}.\n"),
        ("requirements.txt", "google-adk==2.13.0\n"),
    ];
    Editor::start(Workspace::new(&files))
}

#[test]
fn a_text_file_loaded_by_code_has_problems_like_a_prompt() {
    let mut editor = start();
    editor.open_file("one.txt");
    let expected = "nothing in this app sets `topik`; did you mean `topic`?";
    editor.wait_for_problems("one.txt", &[expected]);
    editor.replace("one.txt", "topik", "topic");
    editor.wait_for_problems("one.txt", &[]);
    let hover = editor.hover("one.txt", "{to$0pic}").expect("a placeholder has a hover");
    assert!(hover.starts_with("**`topic`**"), "{hover}");
    let items = editor.complete("one.txt", "{topic$0}");
    assert!(items.iter().any(|item| item["label"] == "topic"), "{items:?}");
    editor.close();
}

#[test]
fn a_rename_includes_the_text_file_from_each_file() {
    let mut editor = start();
    editor.open_file("agent.py");
    editor.open_file("one.txt");
    let expected = "nothing in this app sets `topik`; did you mean `topic`?";
    editor.wait_for_problems("one.txt", &[expected]);
    editor.replace("one.txt", "topik", "topic");
    editor.wait_for_problems("one.txt", &[]);
    for (file, place, name) in
        [("one.txt", "{to$0pic}", "theme"), ("agent.py", "{the$0me}", "subject")]
    {
        let mut params = editor.place(file, place);
        params["newName"] = json!(name);
        let edit = editor.request("textDocument/rename", params);
        editor.apply(&edit);
        assert_eq!(editor.text("one.txt"), format!("\nName a {{{name}}}.\n"));
        assert_eq!(editor.text("agent.py"), AGENT.replace("topic", name));
        editor.wait_for_problems("one.txt", &[]);
    }
    editor.close();
}

#[test]
fn a_text_file_is_a_prompt_while_code_reads_it() {
    let mut editor = start();
    editor.open_file("agent.py");
    editor.open_file("notes.txt");
    editor.open_file("one.txt");
    let expected = "nothing in this app sets `topik`; did you mean `topic`?";
    editor.wait_for_problems("one.txt", &[expected]);
    editor.replace("agent.py", "one.txt", "notes.txt");
    editor.wait_for_problems("notes.txt", &[expected]);
    editor.wait_for_problems("one.txt", &[]);
    editor.close();
}

#[test]
fn a_created_text_file_is_a_prompt() {
    let mut editor = start();
    editor.open_file("agent.py");
    editor.replace("agent.py", "one.txt", "new.txt");
    editor.wait_for_problems(
        "agent.py",
        &["the text of `instruction` comes from `open(\"new.txt\").read().strip()`, so it is not checked"],
    );
    editor.write_file("new.txt", "Name a {topik}.\n");
    editor.open_file("new.txt");
    let expected = "nothing in this app sets `topik`; did you mean `topic`?";
    editor.wait_for_problems("new.txt", &[expected]);
    editor.wait_for_problems("agent.py", &[]);
    editor.close();
}

/// The editor watches no files, as Neovim does by default.
#[test]
fn a_text_file_is_a_prompt_once_it_is_saved() {
    let mut editor = start();
    editor.open_file("agent.py");
    editor.replace("agent.py", "one.txt", "new.txt");
    editor.wait_for_problems(
        "agent.py",
        &["the text of `instruction` comes from `open(\"new.txt\").read().strip()`, so it is not checked"],
    );
    editor.open("new.txt", "Name a {topik}.\n");
    editor.workspace().write("new.txt", "Name a {topik}.\n");
    let params = json!({ "textDocument": { "uri": editor.workspace().uri("new.txt") } });
    editor.notify("textDocument/didSave", params);
    let expected = "nothing in this app sets `topik`; did you mean `topic`?";
    editor.wait_for_problems("new.txt", &[expected]);
    editor.wait_for_problems("agent.py", &[]);
    editor.close();
}

#[test]
fn a_text_that_code_loads_has_the_name_of_its_file_in_hovers() {
    const AGENT: &str = "from google.adk.agents import Agent\n\
        desk = Agent(name='desk', instruction=open('prompts/desk.txt').read())\n\
        def remember(context):\n    context.state['guest'] = 'Ada'\n";
    let mut editor = Editor::start(Workspace::new(&[
        ("agent.py", AGENT),
        ("prompts/desk.txt", "Welcome {guest}.\n"),
        ("requirements.txt", "google-adk==2.13.0\n"),
    ]));
    editor.ignore_problems();
    editor.open_file("prompts/desk.txt");
    editor.open_file("agent.py");
    for (file, place) in [
        ("prompts/desk.txt", "{gu$0est}"),
        ("agent.py", "['gu$0est"),
        ("agent.py", "'prompts/de$0sk"),
    ] {
        let place = editor.place(file, place);
        let hover = editor.request("textDocument/hover", place).to_string();
        assert!(!hover.contains("prompt ``"), "{hover}");
    }
    editor.close();
}

/// The links of a document, each as its text and the end of its target.
fn links(editor: &mut Editor, path: &str) -> Vec<String> {
    let params = json!({ "textDocument": { "uri": editor.uri(path) } });
    let links = editor.request("textDocument/documentLink", params);
    let text = editor.text(path).to_owned();
    let link = |link: &serde_json::Value| {
        let at = |end: &str| {
            let number = |key: &str| link["range"][end][key].as_u64().unwrap_or_default() as usize;
            (number("line"), number("character"))
        };
        let ((line, start), (_, end)) = (at("start"), at("end"));
        let written = text.lines().nth(line).map(|line| &line[start..end]).unwrap_or_default();
        let target = link["target"].as_str().and_then(|it| it.rsplit('/').next());
        format!("{written} → {}", target.unwrap_or_default())
    };
    links.as_array().into_iter().flatten().map(link).collect()
}

#[test]
fn a_path_with_which_code_reads_a_text_opens_the_file() {
    let helper = "from pathlib import Path\nFOLDER = Path(__file__).parent / \"texts\"\n\
        def load(name):\n    return (FOLDER / name).read_text()\n";
    let python = "import yaml\nfrom google.adk.agents import Agent\nfrom helper import load\n\
        CONFIG = yaml.safe_load(open(\"config.yaml\"))\n\
        a = Agent(name=\"a\", instruction=open(\"one.txt\").read())\n\
        b = Agent(name=\"b\", instruction=load(\"two.txt\"))\n\
        c = Agent(name=\"c\", instruction=CONFIG[\"rules\"])\n\
        d = Agent(name=\"d.txt\", instruction=f\"{open('one.txt').read()} Go.\")\n";
    let script = "import { readFileSync } from 'fs';\nimport { LlmAgent } from '@google/adk';\n\
        new LlmAgent({ name: 'a', instruction: readFileSync('one.txt', 'utf8') });\n";
    let java = "import com.google.adk.agents.LlmAgent;\nclass A {\n  Object a = \
        LlmAgent.builder().name(\"a\").instruction(Files.readString(Path.of(\"one.txt\"))).build();\n}\n";
    let kotlin = "import com.google.adk.agents.LlmAgent\n\
        val a = LlmAgent.builder().instruction(load(\"/four.txt\")).build()\n\
        fun load(name: String) = A::class.java.getResource(name)!!.readText()\n";
    let go = "package main\nimport _ \"embed\"\nimport \"os\"\n\
        import \"google.golang.org/adk/agent/llmagent\"\n//go:embed one.txt\nvar one string\n\
        var a, _ = llmagent.New(llmagent.Config{Name: \"a\", Instruction: one})\n\
        func two() string {\n\tb, _ := os.ReadFile(\"texts/two.txt\")\n\treturn string(b)\n}\n\
        var b, _ = llmagent.New(llmagent.Config{Name: \"b\", Instruction: two()})\n";
    let files = [
        ("requirements.txt", "google-adk==2.13.0\n"),
        ("helper.py", helper),
        ("agent.py", python),
        ("agent.ts", script),
        ("A.java", java),
        ("B.kt", kotlin),
        ("agent.go", go),
        ("one.txt", "Name a city.\n"),
        ("texts/two.txt", "Name {topik}.\n"),
        ("src/main/resources/four.txt", "Name a river.\n"),
        ("config.yaml", "rules: Be kind.\n"),
    ];
    let mut editor = Editor::start(Workspace::new(&files));
    editor.open_file("texts/two.txt");
    // Then the code around is known.
    editor.wait_for_problems("texts/two.txt", &["nothing in this app sets `topik`"]);
    editor.ignore_problems();
    for (path, expected) in [
        (
            "agent.py",
            &[
                "config.yaml → config.yaml",
                "one.txt → one.txt",
                "two.txt → two.txt",
                "one.txt → one.txt",
            ][..],
        ),
        ("agent.ts", &["one.txt → one.txt"]),
        ("A.java", &["one.txt → one.txt"]),
        ("B.kt", &["/four.txt → four.txt"]),
        ("agent.go", &["one.txt → one.txt", "texts/two.txt → two.txt"]),
        ("helper.py", &[]),
    ] {
        editor.open_file(path);
        assert_eq!(links(&mut editor, path), expected, "{path}");
    }
    editor.close();
}
