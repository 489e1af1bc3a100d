//! A static, self-contained page with the texts that differ.

use std::fmt::Write;

use promptls_protocol::{DiffOutput, Difference};

use super::{escaped, has_words, html_lines, in_case, name, summary, tokens, verb, word_counts};

const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">
<style>
:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: 0.2rem 1rem 0.2rem 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
ins { background: light-dark(#d6f5d6, #1d4d1d); }
del { background: light-dark(#fbdcdc, #662222); }
</style>
";

/// A page with a table of the texts that differ, and their words.
pub fn page(report: &DiffOutput) -> String {
    let title = escaped(&summary(report));
    let mut page = format!("{HEAD}<title>{title}</title>\n</head>\n<body>\n<h1>{title}</h1>\n");
    if !report.differences.is_empty() {
        page.push_str("<table>\n<tr><th>prompt<th>change<th>words<th>tokens</tr>\n");
        for (number, difference) in report.differences.iter().enumerate() {
            row(&mut page, number, difference);
        }
        page.push_str("</table>\n");
    }
    for (number, difference) in report.differences.iter().enumerate() {
        if !has_words(difference) {
            continue;
        }
        let lines = html_lines(difference).join("\n");
        let title = title_of(difference);
        // Writing to a string never fails.
        let _ = write!(page, "<h2 id=\"d{number}\">{title}</h2>\n<pre>\n{lines}\n</pre>\n");
    }
    page.push_str("</body>\n</html>\n");
    page
}

fn row(page: &mut String, number: usize, difference: &Difference) {
    let title = match (title_of(difference), has_words(difference)) {
        (title, true) => format!("<a href=\"#d{number}\">{title}</a>"),
        (title, false) => title,
    };
    let (verb, words, tokens) = (verb(difference), word_counts(difference), tokens(difference));
    let _ = writeln!(page, "<tr><td>{title}<td>{verb}<td>{words}<td>{tokens}</tr>");
}

fn title_of(difference: &Difference) -> String {
    let moved = difference.moved_from.as_deref();
    let moved = moved.map(|was| format!(" (was {was})")).unwrap_or_default();
    escaped(&format!("{}{moved}{}", name(difference), in_case(difference)))
}
