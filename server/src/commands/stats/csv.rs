//! CSV for spreadsheets, with a row for each part of each text. The parts are the total, the
//! prompt's own words, the prefix that is identical in all cases, and each placeholder.

use std::io;

use csv::Writer;
use promptls_protocol::{StatsOutput, TextStats};

use super::prices::PriceTable;
use crate::output::visible::visible_line;

/// The columns before the costs of each model.
const COLUMNS: [&str; 9] =
    ["file", "prompt", "case", "encoding", "part", "placeholder", "count", "characters", "tokens"];

/// A part of a text.
struct TextPart<'p> {
    name: &'static str,
    placeholder: &'p str,
    count: Option<usize>,
    characters: Option<usize>,
    tokens: usize,
}

/// The rows, preceded by the names of the columns.
pub fn rows(report: &StatsOutput, prices: &PriceTable) -> io::Result<String> {
    let mut writer = Writer::from_writer(Vec::new());
    let costs = prices.models().map(|model| format!("cost {model}"));
    writer.write_record(COLUMNS.map(str::to_owned).into_iter().chain(costs))?;
    for text in &report.texts {
        for part in parts(text) {
            let number =
                |number: Option<usize>| number.map(|it| it.to_string()).unwrap_or_default();
            let named = |name: &Option<String>| name.clone().unwrap_or_default();
            let cells = [
                text.file.clone(),
                named(&text.task),
                named(&text.case),
                text.encoding.to_owned(),
                part.name.to_owned(),
                part.placeholder.to_owned(),
                number(part.count),
                number(part.characters),
                part.tokens.to_string(),
            ];
            let costs = prices.costs(part.tokens).into_values().map(|cost| cost.to_string());
            let cells = cells.map(|cell| no_formula(visible_line(&cell))).into_iter().chain(costs);
            writer.write_record(cells)?;
        }
    }
    let rows = writer.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
    String::from_utf8(rows).map_err(io::Error::other)
}

/// A cell that spreadsheets do not evaluate: a text that would be a formula is prefixed with `'`,
/// as [OWASP](https://owasp.org/www-community/attacks/CSV_Injection) recommends. Numbers stay
/// numbers. So is a text that would be a command in the log of a CI system.
fn no_formula(cell: String) -> String {
    const STARTS: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];
    let is_number = || cell.parse::<f64>().is_ok_and(f64::is_finite);
    match cell.starts_with("::") || cell.starts_with(STARTS) && !is_number() {
        true => format!("'{cell}"),
        false => cell,
    }
}

fn parts(text: &TextStats) -> impl Iterator<Item = TextPart<'_>> {
    let part = |name, characters, tokens| TextPart {
        name,
        placeholder: "",
        count: None,
        characters,
        tokens,
    };
    let all = [
        part("total", Some(text.characters), text.tokens),
        part("literal", Some(text.literal_characters), text.literal_tokens),
        part("prefix", None, text.prefix_tokens),
    ];
    let placeholders = text.placeholders.iter().map(|it| TextPart {
        name: "placeholder",
        placeholder: &it.path,
        count: Some(it.count),
        characters: Some(it.characters),
        tokens: it.tokens,
    });
    all.into_iter().chain(placeholders)
}

#[cfg(test)]
mod tests {
    use super::no_formula;

    #[test]
    fn formulas_become_text_and_numbers_are_unchanged() {
        for (cell, written) in [
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
            ("-1+1", "'-1+1"),
            ("-inf", "'-inf"),
            ("\t=1", "'\t=1"),
            ("＝1", "'＝1"),
            ("-1", "-1"),
            ("+1.5e3", "+1.5e3"),
            ("", ""),
            ("a=1", "a=1"),
        ] {
            assert_eq!(no_formula(cell.to_owned()), written);
        }
    }
}
