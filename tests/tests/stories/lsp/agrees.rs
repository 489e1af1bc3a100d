//! After any edits, the editor shows what `check` says of the saved file.

use promptls_tests::{Editor, Workspace, promptls};
use serde_json::Value;

/// Pieces that make braces, names and blocks meet in every way.
const PIECES: &[&str] = &[
    "{",
    "}",
    "{{",
    "}}",
    "{a}",
    "{{a}}",
    "{ a }",
    "{{ b }}",
    "{b?}",
    "{{#if a}}",
    "{{/if}}",
    "{{#each b}}",
    "{{/each}}",
    "{{this}}",
    "{A_B}",
    "{task_0.output_1}",
    "é",
    "🎉",
    "\n",
    " ",
    "word",
    "{{a}}_",
    "{{fragments.x}}",
    "{user:a}",
    "\r\n",
    "\\frac{a}{b}",
];

/// The same numbers in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// Code, severity and places of problems, sorted.
fn outline<'v>(
    problems: impl IntoIterator<Item = &'v Value>,
    code: fn(&Value) -> String,
) -> Vec<String> {
    let at = |position: &Value| format!("{}:{}", position["line"], position["character"]);
    let mut lines: Vec<String> = problems
        .into_iter()
        .map(|problem| {
            let range = &problem["range"];
            let message = problem["message"].as_str().unwrap_or_default();
            format!("{} {} {} {message}", code(problem), at(&range["start"]), at(&range["end"]))
        })
        .collect();
    lines.sort();
    lines
}

#[test]
fn the_editor_and_the_command_line_agree_after_random_edits() {
    for dialect in ["agentensemble", "adk", "entaingine", "promptpack", "agentle"] {
        let prompt = format!("p.{dialect}.prompt");
        let inputs = format!("p.{dialect}.inputs.json");
        let values = r#"{"a": "x {b}", "b": [1, {"c": 2}], "unused": 3, "A_B": "{A_B}"}"#;
        let mut editor = Editor::start(Workspace::new(&[(&prompt, ""), (&inputs, values)]));
        editor.ignore_problems();
        editor.open(&prompt, "");
        let mut numbers = Numbers(dialect.len() as u64);
        for _ in 0..40 {
            for _ in 0..5 {
                let text = editor.text(&prompt).to_owned();
                let boundary = |at: usize| text.floor_char_boundary(at.min(text.len()));
                let start = boundary(numbers.below(text.len() + 1));
                let removed = if numbers.below(3) == 0 { numbers.below(12) } else { 0 };
                let end = boundary(start + removed).max(start);
                let count = numbers.below(4);
                let typed: String =
                    (0..count).map(|_| PIECES[numbers.below(PIECES.len())]).collect();
                editor.replace_bytes(&prompt, start..end, &typed);
            }
            let text = editor.text(&prompt).to_owned();
            editor.workspace().write(&prompt, &text);
            let path = editor.workspace().path(&prompt);
            let output = promptls(&["check", "--format", "json"])
                .cwd(path.parent().expect("a file is in a folder"))
                .run();
            let report: Value = serde_json::from_str(&output.stdout).expect("the report is JSON");
            let problems = report["problems"].as_array().expect("it lists problems");
            let of_prompt = problems.iter().filter(|problem| problem["file"] == prompt.as_str());
            let code = |problem: &Value| problem["code"].as_str().unwrap_or_default().to_owned();
            let expected = outline(of_prompt, code);
            editor.wait_for(&prompt, &format!("{text:?}: {expected:#?}"), |shown| {
                outline(shown, code) == expected
            });
        }
        editor.close();
    }
}
