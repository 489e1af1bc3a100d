//! `promptls new`.

use expect_test::{Expect, expect};
use promptls_tests::{Output, Terminal, Workspace, promptls};

fn shown(workspace: &Workspace, arguments: &[&str]) -> String {
    let Output { code, stdout, stderr } =
        promptls(&[&["new"], arguments].concat()).cwd(workspace.root()).run();
    let code = code.expect("it ended by itself");
    format!("{stdout}--- {code}\n{stderr}")
        .replace(&workspace.root().display().to_string(), "FOLDER")
}

#[track_caller]
fn check(workspace: &Workspace, arguments: &[&str], expected: Expect) {
    expected.assert_eq(&shown(workspace, arguments));
}

#[test]
fn a_template_is_printed_in_the_dialect_with_the_given_parts() {
    check(
        &Workspace::new(&[]),
        &["qa", "--dialect", "adk", "--role", "You are a {kind} of poet.", "--tldr"],
        expect![[r#"
            # Role

            You are a {kind} of poet.

            # Task

            Answer the question.

            # Instructions

            1. Give the answer first, then the reasons.
            2. Say how sure you are where that matters, and what would have to be known for a better answer.
            3. If the question assumes something wrong, say so before you answer.
            4. If it can be understood in several ways, answer the likeliest one and name the others.

            # Length

            - Be concise: no introduction, no repetition, nothing that could be left out.
            - Begin with a TL;DR of one or two sentences.

            # Question

            {question}
            --- 0
        "#]],
    );
}

#[test]
fn prompts_can_be_written_in_portuguese() {
    check(
        &Workspace::new(&[]),
        &[
            "--lang",
            "pt",
            "--dialect",
            "agentle",
            "--task",
            "Conte até {{n}}.",
            "--think",
            "step-back",
        ],
        expect![[r#"
            # Tarefa

            Conte até {{n}}.

            # Como pensar

            Primeiro dê um passo atrás: nomeie o princípio ou conceito geral por trás da pergunta e depois aplique-o.
            --- 0
        "#]],
    );
}

#[test]
fn three_files_without_problems_are_written_and_show_values() {
    let workspace = Workspace::new(&[]);
    check(
        &workspace,
        &["translation", "English", "-o", "prompts/letter.promptpack.prompt"],
        expect![[r#"
            --- 2
            promptls: cannot write prompts/letter.promptpack.prompt: its folder does not exist
        "#]],
    );
    check(
        &workspace,
        &["translation", "English", "-o", "letter.promptpack.prompt"],
        expect![[r#"
            --- 0
            written: letter.promptpack.prompt, letter.promptpack.variables.json, letter.promptpack.inputs.json
        "#]],
    );
    expect![[r#"
        {
          "variables": [
            {
              "name": "text",
              "type": "string",
              "required": true,
              "description": "The text to translate",
              "example": "The early bird catches the worm."
            },
            {
              "name": "to",
              "type": "string",
              "required": true,
              "description": "The language it becomes",
              "example": "Portuguese"
            }
          ]
        }
    "#]]
    .assert_eq(&workspace.read("letter.promptpack.variables.json"));
    let checked = promptls(&["check", "--deny-warnings"]).cwd(workspace.root()).run();
    assert_eq!((checked.code, checked.stdout.as_str()), (Some(0), ""), "{}", checked.stderr);
    let sent = promptls(&["resolve", "letter.promptpack.prompt"]).cwd(workspace.root()).run();
    assert!(sent.stdout.contains("Translate the input from English to Portuguese."), "{sent:?}");
}

/// Every template can be written in every dialect and language, and gives files without problems.
#[test]
fn prompts_of_all_templates_have_no_problems() {
    let listed = promptls(&["new", "--list"]).run().stdout;
    let names: Vec<&str> = listed.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(names.len() >= 37, "{listed}");
    let workspace = Workspace::new(&[]);
    let dialects =
        ["agentensemble", "adk", "entaingine", "promptpack", "agentle", "langfuse", "format"];
    for (index, name) in names.iter().enumerate() {
        let dialect = dialects[index % dialects.len()];
        let lang = ["en", "pt-BR"][index / dialects.len() % 2];
        let output = format!("{name}.{dialect}.prompt");
        let written = shown(&workspace, &[name, "--lang", lang, "-o", &output]);
        assert!(written.starts_with("--- 0\nwritten: "), "{written}");
    }
    let checked = promptls(&["check", "--deny-warnings", "--format", "concise"]);
    let checked = checked.cwd(workspace.root()).run();
    assert_eq!((checked.code, checked.stdout.as_str()), (Some(0), ""), "{}", checked.stderr);
}

#[test]
fn an_existing_file_prevents_all_writes() {
    let workspace = Workspace::new(&[("a.adk.inputs.json", "{}\n")]);
    check(
        &workspace,
        &["qa", "-o", "a.adk.prompt"],
        expect![[r#"
            --- 2
            promptls: cannot write a.adk.inputs.json: a file of this name exists already, and is not changed
        "#]],
    );
    assert_eq!(workspace.read("a.adk.inputs.json"), "{}\n");
    assert!(!workspace.path("a.adk.prompt").exists());
    assert!(!workspace.path("a.adk.variables.json").exists());
}

#[test]
fn the_dialect_is_that_of_the_file_or_of_the_rules() {
    let config = "[[prompts]]\nfiles = [\"*.txt\"]\ndialect = \"adk\"\n";
    let workspace = Workspace::new(&[("promptls.toml", config)]);
    check(
        &workspace,
        &["--task", "Hi {name}"],
        expect![[r#"
            # Task

            Hi {name}
            --- 0
        "#]],
    );
    check(
        &workspace,
        &["qa", "--dialect", "agentle", "-o", "a.txt"],
        expect![[r#"
            --- 2
            promptls: a.txt would be read as adk, not as agentle; choose another name or dialect
        "#]],
    );
    let alone = Workspace::new(&[]);
    for name in ["a.pack.json", "a.json", "a.inputs.yaml", "a.adk.variables.json"] {
        let refused = shown(&alone, &["qa", "--dialect", "adk", "-o", name]);
        let expected = format!("a file named {name} is not a single prompt; choose another name\n");
        assert_eq!(refused, format!("--- 2\npromptls: {expected}"));
        assert!(!alone.path(name).exists());
    }
    check(
        &alone,
        &["qa"],
        expect![[r#"
            --- 2
            promptls: the dialect is missing; add --dialect, one of: agentensemble, adk, entaingine, promptpack, agentle, langfuse, format
        "#]],
    );
    check(
        &alone,
        &["task", "Hi", "--dialect", "adk", "-o", "a.txt"],
        expect![[r#"
            --- 0
            written: a.txt
            note: a file of this name is not read as a prompt; name it a.adk.prompt, or add a rule for it to promptls.toml
        "#]],
    );
}

#[test]
fn invalid_arguments_are_reported_with_suggestions() {
    let workspace = Workspace::new(&[]);
    let cases: [(&[&str], Expect); 7] = [
        (
            &["code-reveiw", "--dialect", "adk"],
            expect![[r#"
            --- 2
            promptls: unknown template `code-reveiw`; did you mean `code-review`?
        "#]],
        ),
        // Of a name that is like no other, what exists.
        (
            &["zzz", "--dialect", "adk"],
            expect![[r#"
            --- 2
            promptls: unknown template `zzz`; there are academic-writing, accessibility-review, api-documentation, brainstorming, changelog, classification, code, code-debugging, code-refactoring, code-review, code-translation, comparison, data-analysis, decision-making, eli5, email-drafting, expert-explanation, extraction, fact-checking, language-learning, marketing-copy, performance-optimization, pros-cons-analysis, qa, quiz-generation, rag, root-cause-analysis, security-review, socratic-tutor, storytelling, summarization, swot-analysis, task, technical-writing, translation, tutorial, user-stories
        "#]],
        ),
        (
            &["qa", "--lang", "pt-PT"],
            expect![[r#"
            --- 2
            promptls: unsupported language `pt-PT`; supported: en, pt-BR; did you mean `pt-BR`?
        "#]],
        ),
        (
            &[],
            expect![[r#"
            --- 2
            promptls: name a template, or describe the prompt with options; see `promptls new --list` and `promptls new --help`
        "#]],
        ),
        (
            &["qa", "why?", "--dialect", "adk"],
            expect![[r#"
            --- 2
            promptls: the template takes no arguments; 1 were given
        "#]],
        ),
        (
            &["--dialect", "adk", "--schema", "{"],
            expect![[r#"
            --- 2
            promptls: the schema of the output is not JSON: EOF while parsing an object at line 1 column 1
        "#]],
        ),
        (
            &["--dialect", "adk", "--tool", "weather"],
            expect![[r#"
            --- 2
            promptls: invalid tool `weather`; write it as `name(parameter: type, optional?: type): what it does`
        "#]],
        ),
    ];
    for (arguments, expected) in cases {
        check(&workspace, arguments, expected);
    }
}

#[test]
fn options_without_an_effect_are_noted() {
    check(
        &Workspace::new(&[]),
        &["--dialect", "adk", "--task", "x", "--limit-examples", "2", "--input-label", "Letter"],
        expect![[r#"
            # Task

            x
            --- 0
            note: the label has no effect without an input
            note: a limit of examples has no effect without examples
        "#]],
    );
}

#[test]
fn the_text_of_a_file_is_escaped_or_refused() {
    let workspace = Workspace::new(&[("faq.md", "Write {name}.\n")]);
    let document = ["--document", "faq.md", "@faq.md", "--dialect"];
    check(
        &workspace,
        &[&document[..], &["agentensemble"]].concat(),
        expect![[r#"
            # Context

            ## Document faq.md

            Write {{name}}.
            --- 0
        "#]],
    );
    check(
        &workspace,
        &[&document[..], &["adk"]].concat(),
        expect![[r#"
            --- 2
            promptls: Document: Google ADK would read `{name}` as a placeholder, and cannot send it unchanged
        "#]],
    );
    check(
        &workspace,
        &["--dialect", "adk", "--task", "@nowhere.md"],
        expect![[r#"
            --- 2
            promptls: cannot read nowhere.md: there is no such file
        "#]],
    );
}

/// A flag for each part, and its output.
#[test]
fn every_part_of_a_prompt_has_a_flag() {
    let flags: [(&[&str], &str); 49] = [
        (&["--role", "Poet"], "# Role\n\nPoet"),
        (&["--expertise", "rhymes"], "Expertise: rhymes"),
        (&["--personality", "calm"], "Personality: calm"),
        (&["--tone", "dry"], "Tone: dry"),
        (&["--system", "Be safe."], "# System instruction\n\nBe safe."),
        (&["--task", "Write."], "# Task\n\nWrite."),
        (&["--goal", "A poem"], "# Goal\n\nA poem"),
        (&["--instruction", "Begin", "--instruction", "End"], "1. Begin\n2. End"),
        (&["--requirement", "Rhymes"], "# Requirements\n\n- Rhymes"),
        (&["--constraint", "No prose"], "# Constraints\n\n- No prose"),
        (&["--input", "A word"], "# Input\n\nA word"),
        (&["--input", "A word", "--input-label", "Word"], "# Word\n\nA word"),
        (&["--raw", "As it is"], "As it is\n"),
        (&["--prefill", "Once"], "# Start of the answer"),
        (&["--document", "a.md", "text"], "## Document a.md\n\ntext"),
        (&["--background", "It rains."], "## Background\n\nIt rains."),
        (&["--section", "Prices", "1.50"], "## Prices\n\n1.50"),
        (&["--data", "CSV", "a,b"], "## Data CSV\n\na,b"),
        (&["--message", "user", "Hi"], "# Conversation so far\n\nuser: Hi"),
        (
            &["--tool", "f(a: string, b?: int): Adds"],
            "- f: Adds\n  - a (string, required)\n  - b (int, optional)",
        ),
        (&["--example", "1", "one"], "Input: 1\nOutput: one"),
        (&["--explained-example", "1", "one", "so"], "Output: one\nWhy: so"),
        (&["--reasoned-example", "1", "so", "one"], "Reasoning: so\nOutput: one"),
        (&["--wrong-example", "1", "two", "no"], "Why this is wrong: no"),
        (
            &["--example", "1", "one", "--example", "2", "two", "--limit-examples", "1"],
            "Output: one\n",
        ),
        (&["--example", "1", "one", "--shuffle-examples", "7"], "Output: one"),
        (&["--example", "1", "one", "--valid-outputs", "one,two"], "Output: one"),
        (&["--think", "chain-of-thought"], "Think step by step"),
        (&["--think", "decomposition"], "Split the problem"),
        (&["--think", "tree-of-thoughts"], "three different approaches"),
        (&["--think", "multiple-perspectives"], "several points of view"),
        (&["--think", "pros-and-cons"], "Weigh the arguments"),
        (&["--think", "self-consistency"], "three times"),
        (&["--think", "self-verification"], "check your result"),
        (&["--reasoning", "Think of rain."], "# How to think\n\nThink of rain."),
        (&["--format", "csv"], "Answer with CSV"),
        (&["--schema", "{\"a\": 1}"], "exactly the shape of this example"),
        (&["--describe", "A poem."], "# Output\n\nA poem."),
        (&["--output-constraint", "No title"], "# Output\n\n- No title"),
        (&["--concise"], "Be concise"),
        (&["--detailed"], "Be detailed"),
        (&["--comprehensive"], "Be comprehensive"),
        (&["--words", "20-30"], "between 20 and 30 words"),
        (&["--sentences", "3"], "exactly 3"),
        (&["--max-tokens", "100"], "fit in 100 tokens"),
        (&["--summary"], "End with a short summary"),
        (&["--delimiters", "xml", "--task", "x"], "<task>\nx\n</task>"),
        (
            &["--audience", "children", "--audience-level", "to read"],
            "Write for children.\nWhat they know: to read.",
        ),
        (&["--difficulty", "advanced", "--eli5"], "Difficulty: advanced"),
    ];
    let workspace = Workspace::new(&[]);
    for (arguments, expected) in flags {
        let printed = shown(&workspace, &[&["--dialect", "agentle"], arguments].concat());
        assert!(printed.contains(expected), "{arguments:?} prints\n{printed}");
    }
    let wrong = ["--dialect", "agentle", "--example", "1", "three", "--valid-outputs", "one,two"];
    assert_eq!(shown(&workspace, &wrong), "--- 2\npromptls: example 1 (1) is not valid\n");
}

#[test]
fn templates_of_a_project_override_built_in_ones() {
    let template = |role: &str| {
        format!(
            "summary = \"Answer as we do\"\n[variables]\nletter = {{ description = \"It\", example = \"Hi\" }}\n[prompt]\nrole = \"{role}\"\ninput = {{ text = \"{{{{letter}}}}\" }}\n"
        )
    };
    let workspace = Workspace::new(&[
        ("promptls.toml", "templates = \"our\"\n"),
        ("our/letter.toml", &template("You write.")),
        ("our/letter.pt-BR.toml", &template("Você escreve.")),
        ("our/qa.toml", &template("You answer.")),
        ("our/broken.toml", "summary = \"\"\n[prompt]\nroel = \"x\"\n"),
    ]);
    check(
        &workspace,
        &["--list", "answer", "as", "do"],
        expect![[r#"
            letter                           Answer as we do
            qa                               Answer as we do
            --- 0
            promptls: FOLDER/our/broken.toml: line 3: unknown field `roel`, expected one of `role`, `expertise`, `personality`, `tone`, `system`, `context`, `history`, `tools`, `task`, `goal`, `instructions`, `requirements`, `constraints`, `audience`, `reasoning`, `examples`, `output`, `length`, `raw`, `input`, `prefill`, `delimiters`
        "#]],
    );
    let role = |arguments: &[&str]| {
        shown(&workspace, &[arguments, &["--dialect", "adk"]].concat())
            .lines()
            .nth(2)
            .map(str::to_owned)
    };
    assert_eq!(role(&["letter"]).as_deref(), Some("You write."));
    assert_eq!(role(&["letter", "--lang", "pt-BR"]).as_deref(), Some("Você escreve."));
    assert_eq!(role(&["qa"]).as_deref(), Some("You answer."));
}

#[test]
fn templates_outside_of_the_project_are_refused() {
    let workspace = Workspace::new(&[
        ("outside/letter.toml", "summary = \"\"\n[prompt]\nrole = \"x\"\n"),
        ("inside/promptls.toml", "root = true\ntemplates = \"../outside\"\n"),
    ]);
    let output =
        promptls(&["new", "letter", "--dialect", "adk"]).cwd(workspace.path("inside")).run();
    assert_eq!(output.code, Some(2), "{output:?}");
}

#[test]
fn the_list_can_be_searched() {
    check(
        &Workspace::new(&[]),
        &["--list", "CODE", "another"],
        expect![[r#"
            code-translation from to         Translate code from one programming language into another  e.g. 'Java' 'Kotlin'
            --- 0
        "#]],
    );
    check(
        &Workspace::new(&[]),
        &["--list", "zzz"],
        expect![[r#"
            --- 2
            promptls: no template matches all these words
        "#]],
    );
}

/// In a terminal, the user answers questions, and sees the current text.
#[test]
fn missing_arguments_are_requested_in_a_terminal() {
    let workspace = Workspace::new(&[]);
    let mut terminal = Terminal::run(&workspace, &["new"], 40, 120);
    terminal.wait_for_text("Template:");
    terminal.press("summarization");
    terminal.wait_for(|screen| {
        screen.contains("summarization: Say the same") && !screen.contains("(no template)")
    });
    terminal.press("\r");
    terminal.wait_for_text("Dialect:");
    terminal.press("agentle");
    terminal.wait_for(|screen| !screen.contains("Google ADK"));
    terminal.press("\r");
    terminal.wait_for(|screen| screen.contains("{{text}}") && screen.contains("Next:"));
    terminal.press("TL;DR");
    terminal.wait_for(|screen| !screen.contains("Done: print it"));
    terminal.press("\r");
    terminal.wait_for_text("Begin with a TL;DR");
    terminal.press("write it");
    terminal.wait_for(|screen| !screen.contains("Done: print it"));
    terminal.press("\r");
    terminal.wait_for_text("my.agentle.prompt");
    terminal.press("\r");
    terminal.wait_for_text("written: my.agentle.prompt");
    assert_eq!(terminal.wait_for_end(), Some(0));
    assert!(workspace.read("my.agentle.prompt").contains("Begin with a TL;DR"));
}

#[test]
fn cancelling_writes_nothing() {
    let workspace = Workspace::new(&[]);
    let mut terminal = Terminal::run(&workspace, &["new"], 30, 100);
    terminal.wait_for_text("Template:");
    terminal.press("\x1b");
    assert_eq!(terminal.wait_for_end(), Some(0));
    assert_eq!(std::fs::read_dir(workspace.root()).unwrap().count(), 0);
}
