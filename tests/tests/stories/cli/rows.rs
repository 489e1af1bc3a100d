//! `promptls resolve --rows` and `--all-cases`.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::process::Command;

use expect_test::{Expect, expect};
use promptls_tests::{
    Ends, LIMIT, Output, Process, Transport, Workspace, promptls, promptls_path, wait_until,
};
use serde_json::Value;

const LETTER: (&str, &str) = ("letter.adk.prompt", "Dear {name} of {city?},");

/// A run with a prompt and a table: stdout, then the exit code and stderr.
#[track_caller]
fn check(files: &[(&str, &str)], arguments: &[&str], expected: Expect) -> Workspace {
    let workspace = Workspace::new(files);
    let output = promptls(&[&["resolve"], arguments].concat()).cwd(workspace.root()).run();
    expected.assert_eq(&shown(&output));
    workspace
}

fn shown(output: &Output) -> String {
    let Output { code, stdout, stderr } = output;
    format!("{stdout}--- {}\n{stderr}", code.expect("it ended by itself"))
}

#[track_caller]
fn check_lines(lines: &str, expected: Expect) {
    check(
        &[LETTER, ("rows.jsonl", lines)],
        &["letter.adk.prompt", "--rows", "rows.jsonl"],
        expected,
    );
}

#[test]
fn each_row_has_a_text_or_an_error_with_its_number() {
    check_lines(
        "{\"name\": \"Ada\", \"city\": \"London\"}\n\n{\"city\": \"Paris\"}\n{\"name\": 1.50}\n",
        expect![[r#"
            {"row":0,"text":"Dear Ada of London,"}
            {"row":1,"error":{"kind":"missing","names":["name"],"message":"Context variable not found: name"}}
            {"row":2,"text":"Dear 1.50 of ,"}
            --- 1
            promptls: 1 of 3 rows failed, first row 1: Context variable not found: name
        "#]],
    );
}

#[test]
fn an_invalid_row_has_its_own_error() {
    check_lines(
        "\u{feff}{\"name\": \"Ada\"}\r\n[1]\n\"name\"\n{\"name\": tru}\n{\"name\": {\"$file\": \"/etc/passwd\"}}\n{\"name\": \"Gra",
        expect![[r#"
            {"row":0,"text":"Dear Ada of ,"}
            {"row":1,"error":{"kind":null,"names":[],"message":"a row is one object of names and values; this is an array"}}
            {"row":2,"error":{"kind":null,"names":[],"message":"a row is one object of names and values; this is a string"}}
            {"row":3,"error":{"kind":null,"names":[],"message":"byte 9 of the line: this is not JSON; strings need double quotes"}}
            {"row":4,"text":"Dear {$file=/etc/passwd} of ,"}
            {"row":5,"error":{"kind":null,"names":[],"message":"byte 9 of the line: this string is never closed; add `\"`"}}
            --- 1
            promptls: 4 of 6 rows failed, first row 1: a row is one object of names and values; this is an array
        "#]],
    );
}

#[test]
fn a_row_that_is_not_utf_8_is_an_error() {
    let workspace = Workspace::new(&[LETTER]);
    let mut bytes = b"{\"name\": \"\xff\"}\n{\"name\": \"Ada\"}\n".to_vec();
    std::fs::write(workspace.root().join("rows.jsonl"), &bytes).unwrap();
    let arguments = ["resolve", "letter.adk.prompt", "--rows", "rows.jsonl"];
    expect![[r#"
        {"row":0,"error":{"kind":null,"names":[],"message":"byte 10 of the line is not UTF-8"}}
        {"row":1,"text":"Dear Ada of ,"}
        --- 1
        promptls: 1 of 2 rows failed, first row 0: byte 10 of the line is not UTF-8
    "#]]
    .assert_eq(&shown(&promptls(&arguments).cwd(workspace.root()).run()));
    bytes = b"name\n\xff\nAda\n".to_vec();
    std::fs::write(workspace.root().join("rows.csv"), &bytes).unwrap();
    let arguments = ["resolve", "letter.adk.prompt", "--rows", "rows.csv"];
    expect![[r#"
        {"row":0,"error":{"kind":null,"names":[],"message":"`name` is not UTF-8"}}
        {"row":1,"text":"Dear Ada of ,"}
        --- 1
        promptls: 1 of 2 rows failed, first row 0: `name` is not UTF-8
    "#]]
    .assert_eq(&shown(&promptls(&arguments).cwd(workspace.root()).run()));
}

#[test]
fn fields_of_csv_are_texts() {
    let table = "\u{feff}city,name\n\"a \"\"b\"\",\nc\",1\n,\nRome\n";
    check(
        &[LETTER, ("rows.csv", table)],
        &["letter.adk.prompt", "--rows", "rows.csv"],
        expect![[r#"
            {"row":0,"text":"Dear 1 of a \"b\",\nc,"}
            {"row":1,"text":"Dear  of ,"}
            {"row":2,"error":{"kind":null,"names":[],"message":"it has 1 fields, and there are 2 columns"}}
            --- 1
            promptls: 1 of 3 rows failed, first row 2: it has 1 fields, and there are 2 columns
        "#]],
    );
}

#[test]
fn a_missing_column_is_reported_before_the_first_row() {
    let table = ("rows.csv", "nmae,id\nAda,1\n");
    let arguments = ["letter.adk.prompt", "--rows", "rows.csv"];
    check(
        &[LETTER, table],
        &arguments,
        expect![[r#"
            --- 2
            promptls: rows.csv: there is no column `name`; did you mean `nmae`?
        "#]],
    );
    check(
        &[LETTER, table],
        &["letter.adk.prompt", "--rows", "rows.csv", "--set", "name=Grace"],
        expect![[r#"
            {"row":0,"text":"Dear Grace of ,"}
            --- 0
            promptls: note: the prompt does not read these columns of rows.csv: `nmae`, `id`
        "#]],
    );
}

#[test]
fn invalid_tables_are_reported() {
    let files = [
        LETTER,
        ("empty.csv", ""),
        ("twice.csv", "name,name\n1,2\n"),
        ("rows.xlsx", "PK"),
        ("rows.parquet", "PAR1"),
    ];
    let workspace = Workspace::new(&files);
    let mut stderr = String::new();
    for table in ["empty.csv", "twice.csv", "rows.xlsx", "rows.parquet", "none.csv", "."] {
        let arguments = ["resolve", "letter.adk.prompt", "--rows", table];
        let output = promptls(&arguments).cwd(workspace.root()).run();
        assert_eq!(output.code, Some(2), "{output:?}");
        stderr.push_str(&output.stderr);
    }
    expect![[r#"
        promptls: empty.csv: it is empty; its first line has the names of columns
        promptls: twice.csv: duplicate column `name`
        promptls: rows.xlsx: unknown table format; use .jsonl, .ndjson, .csv or .parquet
        promptls: rows.parquet: EOF: Parquet file too small. Size is 4 but need 8
        promptls: none.csv: No such file or directory (os error 2)
        promptls: .: it is a folder
    "#]]
    .assert_eq(&stderr);
}

#[test]
fn unused_columns_may_be_duplicates() {
    check(
        &[LETTER, ("rows.csv", "id,name,id\n1,Ada,2\n")],
        &["letter.adk.prompt", "--rows", "rows.csv"],
        expect![[r#"
            {"row":0,"text":"Dear Ada of ,"}
            --- 0
            promptls: note: the prompt does not read these columns of rows.csv: `id`, `id`
        "#]],
    );
}

/// As a shell passes the output of another program: `--rows <(zcat rows.jsonl.gz)`.
#[cfg(unix)]
#[test]
fn a_file_without_an_extension_has_lines_of_json() {
    check(
        &[LETTER, ("rows", "{\"name\": \"Ada\"}\n")],
        &["letter.adk.prompt", "--rows", "rows"],
        expect![[r#"
            {"row":0,"text":"Dear Ada of ,"}
            --- 0
        "#]],
    );
}

/// Its first line would never end.
#[cfg(unix)]
#[test]
fn a_device_has_no_rows() {
    check(
        &[LETTER],
        &["letter.adk.prompt", "--rows", "/dev/zero"],
        expect![[r#"
            --- 2
            promptls: /dev/zero: it is a device without rows
        "#]],
    );
}

#[test]
fn values_of_the_command_line_override_all_others() {
    let inputs = ("letter.adk.inputs.json", r#"{"name": "Ada", "city": "London"}"#);
    check(
        &[LETTER, inputs],
        &["letter.adk.prompt", "--set", "city=Rome=Roma"],
        expect![[r#"
            Dear Ada of Rome=Roma,--- 0
        "#]],
    );
    let rows = ("rows.jsonl", "{\"name\": \"Grace\", \"city\": \"New York\"}\n");
    check(
        &[LETTER, inputs, rows],
        &["letter.adk.prompt", "--rows", "rows.jsonl", "--set", "city=Rome", "--set", "city=Oslo"],
        expect![[r#"
            {"row":0,"text":"Dear Grace of Oslo,"}
            --- 0
        "#]],
    );
}

/// The Parquet output contains the input columns and the results, so it can be used as input again.
#[test]
fn parquet_has_the_columns_that_came_in() {
    let table = "name,id\nAda,1\nGrace,2\nonly one\n";
    let again = ("again.adk.prompt", "{id?}|{text?}|{error?}");
    let files = [LETTER, again, ("rows.csv", table)];
    let workspace = check(
        &files,
        &["letter.adk.prompt", "--rows", "rows.csv", "--format", "parquet", "-o", "out.parquet"],
        expect![[r#"
            --- 1
            promptls: note: the prompt does not read these columns of rows.csv: `id`
            promptls: 1 of 3 rows failed, first row 2: it has 1 fields, and there are 2 columns
        "#]],
    );
    let run = |arguments: &[&str]| {
        let arguments = [&["resolve", "again.adk.prompt", "--rows"], arguments].concat();
        shown(&promptls(&arguments).cwd(workspace.root()).run())
    };
    expect![[r#"
        {"row":0,"text":"1|Dear Ada of ,|"}
        {"row":1,"text":"2|Dear Grace of ,|"}
        {"row":2,"text":"||it has 1 fields, and there are 2 columns"}
        --- 0
        promptls: note: the prompt does not read these columns of out.parquet: `name`
    "#]]
    .assert_eq(&run(&["out.parquet"]));
    expect![[r#"
        --- 2
        promptls: column `text` already exists; rename the new one with --text-column NAME
    "#]]
    .assert_eq(&run(&["out.parquet", "--format", "parquet", "-o", "2.parquet"]).replace(
        "promptls: note: the prompt does not read these columns of out.parquet: `name`\n",
        "",
    ));
}

#[test]
fn each_case_is_a_line() {
    let files = [
        LETTER,
        ("letter.adk.inputs.json", r#"{"name": "Ada"}"#),
        ("letter.adk.angry.inputs.json", r#"{"nme": "Bob"}"#),
    ];
    check(
        &files,
        &["letter.adk.prompt", "--all-cases"],
        expect![[r#"
            {"case":"default","text":"Dear Ada of ,"}
            {"case":"angry","error":{"kind":"missing","names":["name"],"message":"Context variable not found: name"}}
            --- 1
            promptls: 1 of 2 cases failed, first case angry: Context variable not found: name
        "#]],
    );
    let broken = ("letter.adk.broken.inputs.json", "{");
    let workspace = Workspace::new(&[files[0], files[1], broken]);
    let arguments = ["resolve", "letter.adk.prompt", "--all-cases"];
    let output = promptls(&arguments).cwd(workspace.root()).run();
    assert_eq!(output.code, Some(2), "{output:?}");
    assert!(output.stdout.starts_with("{\"case\":\"default\",\"text\""), "{output:?}");
}

#[test]
fn a_row_may_be_chat_messages() {
    check(
        &[LETTER, ("rows.csv", "name\nAda\n")],
        &["letter.adk.prompt", "--rows", "rows.csv", "--format", "messages"],
        expect![[r#"
            {"row":0,"messages":[{"role":"system","content":"Dear Ada of ,"}]}
            --- 0
        "#]],
    );
}

#[test]
fn formats_for_one_text_are_refused_for_many() {
    let mut stderr = String::new();
    for arguments in [
        &["--rows", "rows.csv", "--format", "text"][..],
        &["--all-cases", "--format", "json"],
        &["--all-cases", "--format", "parquet"],
        &["--format", "jsonl"],
        &["--set", "name"],
    ] {
        let workspace = Workspace::new(&[LETTER, ("rows.csv", "name\nAda\n")]);
        let arguments = [&["resolve", "letter.adk.prompt"], arguments].concat();
        let output = promptls(&arguments).cwd(workspace.root()).run();
        assert_eq!(output.code, Some(2), "{output:?}");
        stderr.push_str(output.stderr.lines().next().unwrap_or_default());
        stderr.push('\n');
    }
    expect![[r#"
        promptls: --format text is for one text; --rows prints jsonl or messages, --rows also parquet
        promptls: --format json is for one text; --all-cases prints jsonl or messages, --rows also parquet
        promptls: --format parquet is for one text; --all-cases prints jsonl or messages, --rows also parquet
        promptls: --format jsonl is for rows; add --rows FILE, or --all-cases for jsonl
        error: invalid value 'name' for '--set <NAME=TEXT>': write it as NAME=TEXT
    "#]]
    .assert_eq(&stderr);
}

#[test]
fn fail_fast_stops_at_the_first_failure() {
    check(
        &[LETTER, ("rows.jsonl", "{\"name\": 1}\n{}\n{\"name\": 3}\n")],
        &["letter.adk.prompt", "--rows", "rows.jsonl", "--fail-fast"],
        expect![[r#"
            {"row":0,"text":"Dear 1 of ,"}
            {"row":1,"error":{"kind":"missing","names":["name"],"message":"Context variable not found: name"}}
            --- 1
            promptls: 1 of 2 rows failed, first row 1: Context variable not found: name
        "#]],
    );
}

/// A run that continues while its rows arrive.
fn start(workspace: &Workspace, arguments: &[&str]) -> (Process, Ends) {
    let mut command = Command::new(promptls_path());
    command.args(["resolve", "letter.adk.prompt", "--rows", "-"]).args(arguments);
    command.current_dir(workspace.root());
    Process::start(command, Transport::Pipes).expect("it starts")
}

#[test]
fn rows_of_a_pipe_are_processed_as_they_arrive() {
    let workspace = Workspace::new(&[LETTER]);
    let (_process, Ends { mut to_server, from_server }) = start(&workspace, &[]);
    let mut lines = BufReader::new(from_server).lines();
    for name in ["Ada", "Grace"] {
        writeln!(to_server, r#"{{"name": "{name}"}}"#).unwrap();
        let line = lines.next().expect("there is a line").unwrap();
        assert!(line.contains(&format!(r#""text":"Dear {name} of ,""#)), "{line}");
    }
}

/// The program keeps as little of a long table in memory as of a short one.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_rows() {
    const ROWS: usize = 20_000;
    // The output for a row is a hundred times its size.
    let prompt = ("letter.adk.prompt", &*"{name}".repeat(100));
    let workspace = Workspace::new(&[prompt]);
    let (process, Ends { mut to_server, from_server }) = start(&workspace, &[]);
    let row = format!("{{\"name\": \"{}\"}}\n", "x".repeat(50));
    let write = std::thread::spawn(move || {
        for _ in 0..ROWS {
            to_server.write_all(row.as_bytes()).unwrap();
        }
        to_server
    });
    let mut lines = BufReader::new(from_server).lines();
    let bytes: usize = lines.by_ref().take(ROWS).map(|line| line.unwrap().len()).sum();
    // All of it was sent, and the program still waits for more.
    assert!(bytes > 5000 * ROWS, "{bytes}");
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kibibytes: usize = most.trim_end_matches("kB").trim().parse().unwrap();
    assert!(kibibytes < 64 * 1024, "{kibibytes} KiB");
    drop(write.join());
}

/// A limit on the length of a file is the closest to a full disk that a test can use.
#[cfg(unix)]
#[test]
fn a_disk_that_fills_up_leaves_the_file_unchanged() {
    let mut rows = String::new();
    for row in 0..20_000_u64 {
        // Equal values would be compressed.
        writeln!(rows, r#"{{"name": "{:x}"}}"#, row.wrapping_mul(0x9E37_79B9_7F4A_7C15)).unwrap();
    }
    let workspace = Workspace::new(&[LETTER, ("rows.jsonl", &rows), ("out", "old")]);
    for format in ["jsonl", "parquet"] {
        let call = format!(
            "trap '' XFSZ; ulimit -f 100; \
             exec \"$0\" resolve letter.adk.prompt --rows rows.jsonl --format {format} -o out"
        );
        let mut command = Command::new("sh");
        command.args(["-c", &call]).arg(promptls_path()).current_dir(workspace.root());
        let output = command.output().expect("it runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("File too large"), "{stderr}");
        assert_eq!(workspace.read("out"), "old");
        assert_eq!(std::fs::read_dir(workspace.root()).unwrap().count(), 3);
    }
}

/// Many rows come in order, on all cores.
#[test]
fn rows_are_written_in_order() {
    let mut rows = String::new();
    for row in 0..20_000 {
        // Some of them take longer.
        let city = "x".repeat(if row % 7 == 0 { 500 } else { 0 });
        writeln!(rows, r#"{{"name": "{row}", "city": "{city}"}}"#).unwrap();
    }
    let workspace = Workspace::new(&[LETTER, ("rows.jsonl", &rows)]);
    let arguments = ["resolve", "letter.adk.prompt", "--rows", "rows.jsonl", "-o", "out.jsonl"];
    let output = promptls(&arguments).cwd(workspace.root()).run();
    assert_eq!((output.code, &*output.stdout, &*output.stderr), (Some(0), "", ""));
    let written = workspace.read("out.jsonl");
    assert_eq!(written.lines().count(), 20_000);
    for (row, line) in written.lines().enumerate() {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["row"], row);
        let text = line["text"].as_str().unwrap();
        assert!(text.starts_with(&format!("Dear {row} of ")), "{text}");
    }
}

#[test]
fn a_row_of_any_length_is_a_single_row() {
    let long = format!("{{\"name\": \"{}\"}}\n{{\"name\": \"Ada\"}}\n", "x".repeat(17 << 20));
    let workspace = Workspace::new(&[LETTER, ("rows.jsonl", &long)]);
    let arguments = ["resolve", "letter.adk.prompt", "--rows", "rows.jsonl"];
    let output = promptls(&arguments).cwd(workspace.root()).run();
    expect![[r#"
        {"row":0,"error":{"kind":null,"names":[],"message":"it has more than 16777216 bytes"}}
        {"row":1,"text":"Dear Ada of ,"}
        --- 1
        promptls: 1 of 2 rows failed, first row 0: it has more than 16777216 bytes
    "#]]
    .assert_eq(&shown(&output));

    // A quote that is never closed includes all the rest.
    let open = format!("name\nAda\n\"{}\n", "x\n".repeat(10 << 20));
    let workspace = Workspace::new(&[LETTER, ("rows.csv", &open)]);
    let arguments = ["resolve", "letter.adk.prompt", "--rows", "rows.csv"];
    let output = promptls(&arguments).cwd(workspace.root()).run();
    expect![[r#"
        {"row":0,"text":"Dear Ada of ,"}
        --- 2
        promptls: rows.csv: row 1 cannot be read: it has more than 16777216 bytes; check for an unclosed quote
    "#]]
    .assert_eq(&shown(&output));
}

#[cfg(unix)]
#[test]
fn a_failed_write_leaves_the_file_unchanged() {
    let workspace = Workspace::new(&[LETTER, ("rows.csv", "name\nAda\n"), ("out.jsonl", "old")]);
    let arguments = ["resolve", "letter.adk.prompt", "--rows", "rows.csv", "-o", "/dev/full"];
    let output = promptls(&arguments).cwd(workspace.root()).run();
    assert_eq!(output.code, Some(2), "{output:?}");
    assert!(output.stderr.contains("No space left"), "{output:?}");

    let arguments = ["resolve", "letter.adk.prompt", "--rows", "rows.csv", "-o", "nowhere/x"];
    let output = promptls(&arguments).cwd(workspace.root()).run();
    assert_eq!(output.stderr, "promptls: cannot write nowhere/x: its folder does not exist\n");

    let (mut process, mut ends) = start(&workspace, &["-o", "out.jsonl"]);
    write!(ends.to_server, r#"{{"name": "half a row"#).unwrap();
    // It has started once its output file exists.
    let files = || std::fs::read_dir(workspace.root()).unwrap().count();
    wait_until("it writes", || files() == 4);
    process.interrupt();
    // Its writer may never end.
    let ended = process.wait(LIMIT).expect("it ends");
    drop(ends);
    assert_eq!(ended.code(), Some(130), "{}", process.stderr());
    assert!(process.stderr().contains("out.jsonl is not written"), "{}", process.stderr());
    assert_eq!(files(), 3);
    assert_eq!(workspace.read("out.jsonl"), "old");
}
