//! Chats in code, resolved for each row of a table and for each case.

use promptls_tests::{Workspace, promptls};
use serde_json::{Value, json};

const CHAT: &str = "from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder

reply = ChatPromptTemplate.from_messages([
    ('system', 'You are {role}.\\n\\nUser: means a person.'),
    MessagesPlaceholder('history', optional=True),
    ('human', '{question}'),
])
";

const ROWS: [&str; 4] = [
    r#"{"role": "a cook", "question": "Why?", "history": [["human", "Hi"], ["ai", "Ho {x}"]]}"#,
    r#"{"role": "{question}", "question": 1.50}"#,
    r#"{"role": "a cook"}"#,
    r#"{"question": "Why?", "history": "Hi"}"#,
];

/// The lines of a command about the chat.
fn lines(workspace: &Workspace, arguments: &[&str]) -> Vec<Value> {
    let arguments = [["resolve", "chat.py#reply"].as_slice(), arguments].concat();
    let output = promptls(&arguments).cwd(workspace.root()).run();
    assert!(!output.stdout.is_empty(), "{arguments:?}: {}", output.stderr);
    let line = |line: &str| serde_json::from_str(line).expect("a line is JSON");
    output.stdout.lines().map(line).collect()
}

/// What the chat is with the values of one row alone: its messages, its text, or its error.
fn alone(row: &str, format: &str) -> Value {
    let workspace = Workspace::new(&[("chat.py", CHAT), ("row.json", row)]);
    let arguments = ["resolve", "chat.py#reply", "--inputs", "row.json", "--format", format];
    let output = promptls(&arguments).cwd(workspace.root()).run();
    match (output.code, format) {
        (Some(0), "messages") => {
            json!({ "messages": serde_json::from_str::<Value>(&output.stdout).expect("it is JSON") })
        }
        (Some(0), _) => json!({ "text": output.stdout }),
        _ => json!({ "error": output.stderr.strip_suffix("\n").unwrap_or_default() }),
    }
}

/// A line without the number or the name of its row, and with the message of its error alone.
fn result(mut line: Value) -> Value {
    match line.get_mut("error").map(|error| error["message"].take()) {
        Some(message) => json!({ "error": message }),
        None => {
            let line = line.as_object_mut().expect("it is an object");
            line.retain(|key, _| key != "row" && key != "case");
            json!(line)
        }
    }
}

#[test]
fn each_row_is_the_chat_with_its_values() {
    let cases: Vec<(String, &str)> =
        (0..).zip(ROWS).map(|(at, row)| (format!("chat.reply.c{at}.inputs.json"), row)).collect();
    let table = ROWS.join("\n");
    let mut files = vec![("chat.py", CHAT), ("rows.jsonl", &table)];
    files.extend(cases.iter().map(|(name, row)| (name.as_str(), *row)));
    let workspace = Workspace::new(&files);
    for (format, own) in [("messages", "messages"), ("jsonl", "text")] {
        let expected: Vec<Value> = ROWS.iter().map(|row| alone(row, own)).collect();
        for source in [["--rows", "rows.jsonl"].as_slice(), &["--all-cases"]] {
            let found = lines(&workspace, &[source, &["--format", format]].concat());
            let found: Vec<Value> = found.into_iter().map(result).collect();
            assert_eq!(found, expected, "{source:?} {format}");
        }
    }
}

#[test]
fn tables_with_columns_have_those_of_all_messages() {
    let table = "role,question,other\na cook,Why?,1\n\"a {x}\",How?,2\n";
    let workspace = Workspace::new(&[
        ("chat.py", CHAT),
        ("rows.csv", table),
        ("short.csv", "role,qestion\na cook,Why?\n"),
    ]);
    let csv = lines(&workspace, &["--rows", "rows.csv", "--format", "messages"]);
    let expected = alone(r#"{"role": "a {x}", "question": "How?"}"#, "messages");
    assert_eq!(result(csv[1].clone()), expected);
    let resolve = ["resolve", "chat.py#reply", "--rows"];
    let to_parquet = ["rows.csv", "--format", "parquet", "-o", "rows.parquet"];
    let output = promptls(&[resolve.as_slice(), &to_parquet].concat()).cwd(workspace.root()).run();
    assert_eq!((output.code, output.stderr.contains("`other`")), (Some(0), true), "{output:?}");
    let parquet = lines(&workspace, &["--rows", "rows.parquet", "--format", "messages"]);
    assert_eq!(parquet, csv);
    let output = promptls(&[resolve.as_slice(), &["short.csv"]].concat()).cwd(workspace.root());
    let missing = "promptls: short.csv: there is no column `question`; did you mean `qestion`?\n";
    assert_eq!(output.run().stderr, missing);
}
