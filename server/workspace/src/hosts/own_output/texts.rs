//! Detection of human-readable output of promptls, such as a report that was redirected into a file
//! of data.

use promptls_resolver::Code;

/// The mark of generated types of inputs: Python modules and JSON Schemas.
pub const GENERATED: &str = "written by `promptls vars --format ";

/// Levels of log lines, and severities of problems.
const LEVELS: [&str; 5] = ["TRACE ", "DEBUG ", "INFO ", "WARN ", "ERROR "];
const SEVERITIES: [&str; 4] = ["error", "warning", "info", "hint"];

/// The start of what `stats --format csv` writes.
const SIZES: &str = "file,prompt,case,encoding,part,placeholder,";

/// `true` if a text is a module that `vars` has written, or a log. Cost: its first line.
pub fn is_module_or_log(text: &str) -> bool {
    let line = first_line(text);
    let is_module = line.starts_with("\"\"\"Inputs of ") && line.contains(GENERATED);
    let is_log = || LEVELS.iter().any(|level| line.starts_with(level)) && line.contains("promptls");
    is_module || is_log()
}

/// `true` if a text is a table, a patch or a report of promptls, or XML. Only for files of data:
/// code may contain such lines.
///
/// Cost: the length of the text.
pub fn is_report(text: &str) -> bool {
    let line = first_line(text);
    let is_sizes = || line.split_whitespace().take(3).eq(["prompt", "case", "tokens"]);
    line.starts_with("<?xml")
        || line.starts_with("--- a/")
        || line.starts_with(SIZES)
        || is_names(line)
        || is_sizes()
        || text.lines().any(is_problem)
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// A row of `vars`: `name  required  string  a.prompt:1:7`.
fn is_names(line: &str) -> bool {
    let mut cells = line.split("  ").filter(|cell| !cell.is_empty()).map(str::trim);
    let needs = cells.nth(1);
    needs.is_some_and(|needs| ["required", "optional"].contains(&needs)) && cells.count() == 2
}

/// A problem, in the formats `human`, `concise` and `github`.
fn is_problem(line: &str) -> bool {
    if line.starts_with("::") {
        return line.contains("title=promptls ");
    }
    line.match_indices('[').any(|(at, _)| {
        let code = line[at + 1..].split(']').next().unwrap_or_default();
        let before = line[..at].trim_end();
        SEVERITIES.iter().any(|severity| before.ends_with(severity))
            && Code::from_id(code).is_some()
    })
}
