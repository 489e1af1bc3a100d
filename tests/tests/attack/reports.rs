use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use promptls_tests::{Output, Workspace, promptls};
use regex::Regex;
use serde_json::Value;

/// Texts with a special meaning in a format, a log or a spreadsheet.
const HOSTILE: [&str; 14] = [
    "a\nb\r\n::error::c",
    "::set-output name=a::b",
    "  ::warning file=x,line=1::y",
    "##[error]a ##vso[task.setvariable]b",
    "]]><x/>--><!--",
    "&amp;<a href=\"'\">",
    "=1+1",
    "@SUM(A1)",
    "-cmd|' /C calc'!A0",
    "%0A%25%2C,:;",
    "\u{1b}[2J\u{9b}31m\u{7f}",
    "\u{202e}abc\u{2066}\u{e0041}",
    "\u{feff}\u{ffff}\u{fffe}",
    "| a | `b` | <!-- promptls --> @everyone",
];

/// A repository with a folder and a prompt for each hostile name, whose texts, keys and values are
/// also hostile.
fn hostile() -> Workspace {
    let workspace = Workspace::new(&[]);
    workspace.write(".git/HEAD", "ref: refs/heads/main\n");
    for (index, text) in HOSTILE.iter().enumerate() {
        // A name contains no `/`.
        let name = text.replace('/', "∕");
        let prompt =
            format!("{text} {{{{{text}}}}} {{{{ custmer{index}\n}}}} {{{{#if x}}}} {text}\n");
        workspace.write(&format!("{name}/{name}.langfuse.prompt"), prompt);
        let inputs = serde_json::json!({ "customer": text, *text: "", "left": text });
        workspace.write(&format!("{name}/{name}.langfuse.inputs.json"), inputs.to_string());
        let keys =
            serde_json::json!({ "prompts": { *text: { "system_template": "{{custmer}}" } } });
        workspace.write(&format!("{name}/{name}.pack.json"), keys.to_string());
        workspace.write(&format!("{name}/{name}.pack.inputs.json"), inputs.to_string());
    }
    workspace
}

#[cfg(unix)]
fn with_names_that_are_no_text(workspace: &Workspace) {
    use std::os::unix::ffi::OsStrExt;

    for byte in [0xff, 0xfe] {
        let name = [&[byte][..], b"::x.adk"].concat();
        let file = |ending: &str| {
            let name = [&name, ending.as_bytes()].concat();
            workspace.root().join(OsStr::from_bytes(&name))
        };
        fs::write(file(".prompt"), "{custmer}").expect("this system has such names");
        fs::write(file(".inputs.json"), r#"{"customer": 1}"#).expect("this system has such names");
    }
}

#[cfg(not(unix))]
fn with_names_that_are_no_text(_: &Workspace) {}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    promptls(arguments).cwd(folder).run()
}

fn report(folder: &Path, format: &str) -> String {
    let output = run(folder, &["check", "--format", format]);
    assert_eq!(output.code, Some(1), "{format}: {}", output.stderr);
    output.stdout
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The number of problems in `--format json`.
fn count(folder: &Path) -> usize {
    json(&report(folder, "json"))["problems"].as_array().map_or(0, Vec::len)
}

#[test]
fn each_format_is_parsed_and_has_every_problem() {
    let workspace = hostile();
    with_names_that_are_no_text(&workspace);
    let root = workspace.root();
    let count = count(root);
    assert!(count > 3 * HOSTILE.len(), "{count} problems");

    let lines: Vec<Value> = report(root, "jsonl").lines().map(json).collect();
    assert_eq!(lines.len(), count);
    assert!(lines.iter().all(|line| line["version"] == 1));

    let annotation = Regex::new(
        r"^::(error|warning|notice) file=[^:,]+,line=\d+,col=\d+(,endLine=\d+)?(,endColumn=\d+)?,title=[^:,]*::.*$",
    );
    let annotation = annotation.expect("it is a pattern");
    let github = report(root, "github");
    assert_eq!(github.split_terminator('\n').count(), count);
    for line in github.split_terminator('\n') {
        assert!(annotation.is_match(line), "{line}");
    }

    let lists = [("gitlab", ""), ("rdjson", "/diagnostics"), ("sarif", "/runs/0/results")];
    for (format, place) in lists {
        let report = json(&report(root, format));
        let problems = report.pointer(place).and_then(Value::as_array);
        assert_eq!(problems.map(Vec::len), Some(count), "{format}");
    }

    for (format, element) in [("junit", "testcase"), ("checkstyle", "error")] {
        let text = report(root, format);
        let document = roxmltree::Document::parse(&text);
        let document = document.unwrap_or_else(|error| panic!("{format}: {error}: {text}"));
        let found = document.descendants().filter(|node| node.has_tag_name(element)).count();
        assert_eq!(found, count, "{format}");
    }

    let concise = report(root, "concise");
    assert_eq!(concise.split_terminator('\n').count(), count);
}

#[test]
fn reports_contain_no_log_commands_and_no_terminal_escapes() {
    let workspace = hostile();
    with_names_that_are_no_text(&workspace);
    let root = workspace.root();
    let calls: [&[&str]; 9] = [
        &["check"],
        &["check", "--format", "concise", "--verbose"],
        &["check", "--list"],
        &["check", "--statistics"],
        &["prompts"],
        &["stats"],
        &["fmt", "--check"],
        &["init"],
        &["graph"],
    ];
    let prompts = prompts(root);
    let previews = prompts.iter().map(|path| ["preview", "--all-cases", path]);
    let vars = prompts.iter().map(|path| ["vars", path]);
    let calls = calls.iter().copied().map(<[&str]>::to_vec);
    for call in calls.chain(previews.map(Vec::from)).chain(vars.map(Vec::from)) {
        let output = run(root, &call);
        for line in output.stdout.lines().chain(output.stderr.lines()) {
            // Excerpts have `:::` before further places.
            let start: String = line.trim_start().chars().take(3).collect();
            assert!(!start.starts_with("::") || start == ":::", "{call:?}: {line:?}");
            assert!(!line.contains("##[") && !line.contains("##vso["), "{call:?}: {line:?}");
            let steers = |it: char| it.is_control() && it != '\t' || it == '\u{202e}';
            assert!(!line.contains(steers), "{call:?}: {line:?}");
        }
    }
}

/// The prompts that are files, relative to a folder.
fn prompts(root: &Path) -> Vec<String> {
    let folders = fs::read_dir(root).expect("the folder can be read");
    let folders = folders.map(|entry| entry.expect("the folder can be read").path());
    let prompt = |folder: PathBuf| {
        let name = folder.file_name()?.to_str()?.to_owned();
        let prompt = format!("{name}/{name}.langfuse.prompt");
        // An argument that begins with a dash would be an option.
        root.join(&prompt).is_file().then(|| format!("./{prompt}"))
    };
    folders.filter_map(prompt).collect()
}

#[test]
fn no_cell_of_a_spreadsheet_is_a_formula() {
    let workspace = hostile();
    let output = run(workspace.root(), &["stats", "--format", "csv"]);
    let mut reader =
        csv::ReaderBuilder::new().has_headers(true).from_reader(output.stdout.as_bytes());
    let mut cells = 0;
    for record in reader.records() {
        for cell in &record.expect("it is CSV, with as many cells in each row") {
            cells += 1;
            let is_number = cell.parse::<f64>().is_ok();
            assert!(is_number || !cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "{cell:?}");
        }
    }
    assert!(cells > 100, "{cells} cells");
}

#[test]
fn a_baseline_matches_every_problem_again() {
    let workspace = hostile();
    with_names_that_are_no_text(&workspace);
    let root = workspace.root();
    run(root, &["check", "--write-baseline", "known.json"]);
    let output = run(root, &["check", "--baseline", "known.json", "--format", "concise"]);
    assert_eq!((output.code, &*output.stdout), (Some(0), ""), "{}", output.stderr);
    assert!(!output.stderr.contains("gone"), "{}", output.stderr);
}

#[test]
fn fingerprints_are_as_many_as_problems() {
    let workspace = hostile();
    let report = json(&report(workspace.root(), "gitlab"));
    let issues = report.as_array().expect("it is a list");
    let mut fingerprints: Vec<&str> =
        issues.iter().filter_map(|issue| issue["fingerprint"].as_str()).collect();
    fingerprints.sort_unstable();
    fingerprints.dedup();
    assert_eq!(fingerprints.len(), issues.len());
}
