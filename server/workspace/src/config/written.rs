//! The settings of a `promptls.toml`, one by one, with their lines.

use promptls_analysis::position::line_breaks;
use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A setting in source form.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenSetting {
    /// The path of keys; the index in a list of tables, from 0, is also a key.
    pub path: Vec<String>,
    /// The line of its key, from 1.
    pub line: usize,
    /// The value of the setting.
    pub value: Value,
}

/// The settings in the text of a config, in source order. Invalid TOML is left out.
pub fn written_settings(text: &str) -> Vec<WrittenSetting> {
    let (document, _) = DeTable::parse_recoverable(text);
    let mut entries = Vec::new();
    add_table(&mut Vec::new(), document.get_ref(), &mut entries);
    entries.sort_by_key(|entry| entry.start);
    let (mut line, mut counted) = (1, 0);
    let settings = entries.into_iter().map(|LocatedSetting { start, path, value }| {
        line += line_breaks(&text[counted..start]);
        counted = start;
        WrittenSetting { path, line, value }
    });
    settings.collect()
}

/// A setting with the offset of its key.
struct LocatedSetting {
    start: usize,
    path: Vec<String>,
    value: Value,
}

fn add_table(path: &mut Vec<String>, table: &DeTable<'_>, to: &mut Vec<LocatedSetting>) {
    for (key, value) in table {
        path.push(key.get_ref().to_string());
        match value.get_ref() {
            DeValue::Table(table) => add_table(path, table, to),
            DeValue::Array(items) if items.iter().any(is_table) => {
                for (position, item) in items.iter().enumerate() {
                    let DeValue::Table(table) = item.get_ref() else { continue };
                    path.push(position.to_string());
                    add_table(path, table, to);
                    path.pop();
                }
            }
            value => {
                to.push(LocatedSetting {
                    start: key.span().start,
                    path: path.clone(),
                    value: json(value),
                });
            }
        }
        path.pop();
    }
}

fn is_table(item: &Spanned<DeValue<'_>>) -> bool {
    matches!(item.get_ref(), DeValue::Table(_))
}

fn json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => text.to_string().into(),
        DeValue::Boolean(is_true) => (*is_true).into(),
        DeValue::Integer(number) => {
            let whole = i64::from_str_radix(number.as_str(), number.radix());
            whole.map_or_else(|_| number.as_str().into(), Value::from)
        }
        DeValue::Array(items) => items.iter().map(|item| json(item.get_ref())).collect(),
        DeValue::Float(number) => number.as_str().into(),
        DeValue::Datetime(date) => date.to_string().into(),
        DeValue::Table(_) => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_setting_has_its_source_line() {
        let text = "root = true\n[[prompts]]\nfiles = ['a']\n\n[[prompts]]\nfiles = [\n'b']\nproblems = { x = 'off' }\n[problems]\ny = 'hint'\n";
        let written = written_settings(text).into_iter();
        let shown: Vec<String> =
            written.map(|it| format!("{} {} {}", it.line, it.path.join("."), it.value)).collect();
        assert_eq!(
            shown,
            [
                "1 root true",
                "3 prompts.0.files [\"a\"]",
                "6 prompts.1.files [\"b\"]",
                "8 prompts.1.problems.x \"off\"",
                "10 problems.y \"hint\"",
            ]
        );
    }
}
