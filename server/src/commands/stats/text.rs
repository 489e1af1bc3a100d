//! A line for each text, and the total.

use promptls_protocol::{StatsOutput, TextStats};

use crate::output::columns::{Align, in_columns};
use crate::output::prompt_address::prompt_address;
use crate::output::visible::visible_line;

/// The number of placeholders listed for each text.
const NAMED: usize = 3;

/// The texts in columns: tokens, tokens of the prompt itself, tokens identical in all cases, costs,
/// and the largest placeholders.
pub fn table(report: &StatsOutput) -> String {
    let Some(first) = report.texts.first() else { return String::new() };
    let models: Vec<&String> = first.costs.keys().collect();
    let named = ["prompt", "case", "tokens", "own", "same"].map(str::to_owned);
    let heading = named.into_iter().chain(models.iter().map(|model| visible_line(model)));
    let mut rows: Vec<Vec<String>> = vec![heading.chain(["placeholders".to_owned()]).collect()];
    rows.extend(report.texts.iter().map(row));
    if report.texts.len() > 1 {
        let sum =
            |of: fn(&TextStats) -> usize| report.texts.iter().map(of).sum::<usize>().to_string();
        let sums = [sum(|it| it.tokens), sum(|it| it.literal_tokens), sum(|it| it.prefix_tokens)];
        let cost =
            |model: &&String| money(report.texts.iter().map(|text| text.costs[*model]).sum());
        let total = ["total".to_owned(), String::new()].into_iter().chain(sums);
        rows.push(total.chain(models.iter().map(cost)).chain([String::new()]).collect());
    }
    let numbers = 3 + models.len();
    let align =
        |column: usize| if (2..2 + numbers).contains(&column) { Align::Right } else { Align::Left };
    in_columns(&rows, align)
}

fn row(text: &TextStats) -> Vec<String> {
    let fails = if text.fails { " (fails)" } else { "" };
    let largest =
        text.placeholders.iter().take(NAMED).map(|it| format!("{} {}", it.path, it.tokens));
    let more = text.placeholders.len().saturating_sub(NAMED);
    let more = (more > 0).then(|| format!("{more} more"));
    let placeholders: Vec<String> = largest.chain(more).collect();
    let named = [
        prompt_address(&text.file, text.task.as_deref()),
        format!("{}{fails}", text.case.as_deref().unwrap_or("-")),
    ];
    let numbers = [text.tokens, text.literal_tokens, text.prefix_tokens].map(|it| it.to_string());
    let costs = text.costs.values().map(|cost| money(*cost));
    let cells = named.into_iter().chain(numbers).chain(costs).chain([placeholders.join(", ")]);
    cells.map(|cell: String| visible_line(&cell)).collect()
}

/// Formats an amount with enough digits for fractions of a cent.
fn money(cost: f64) -> String {
    format!("{cost:.6}")
}
