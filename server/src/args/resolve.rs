//! The arguments of `promptls resolve`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use promptls_resolver::DEFAULT_MAX_OUTPUT;

use super::PromptArgs;
use super::writing::OutputArgs;

#[derive(Debug, Args)]
pub struct ResolveArgs {
    #[command(flatten)]
    pub prompt: PromptArgs,

    /// The inputs file
    #[arg(long, value_name = "FILE", conflicts_with = "case")]
    pub inputs: Option<PathBuf>,

    /// A value that overrides those of the inputs or of each row
    #[arg(long, value_name = "NAME=TEXT", value_parser = name_and_text)]
    pub set: Vec<(String, String)>,

    /// Print what can be resolved, even if the engine would send nothing
    #[arg(long)]
    pub partial: bool,

    /// How to print it; text by default, or jsonl for rows and cases
    #[arg(long)]
    pub format: Option<ResolveFormat>,

    /// The maximum length of the text
    #[arg(long, value_name = "BYTES", default_value_t = DEFAULT_MAX_OUTPUT)]
    pub max_output: usize,

    #[command(flatten)]
    pub to: OutputArgs,

    #[command(flatten)]
    pub many: ManyArgs,
}

// Resolving a prompt more than once.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rows and cases")]
pub struct ManyArgs {
    /// Resolve it for each row of a table: .csv, .parquet, or lines of JSON as .jsonl, from a pipe,
    /// or, as `-`, on standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["case", "inputs", "partial", "all_cases"])]
    pub rows: Option<PathBuf>,

    /// Resolve it for each of its cases
    #[arg(long, conflicts_with_all = ["case", "inputs", "partial"])]
    pub all_cases: bool,

    /// Continue after a row that fails, and report the number of failures at the end (the default)
    #[arg(long, overrides_with = "fail_fast")]
    pub keep_going: bool,

    /// Stop at the first row that fails
    #[arg(long, overrides_with = "keep_going")]
    pub fail_fast: bool,

    /// The name of the column of texts in Parquet
    #[arg(long, value_name = "NAME", default_value = "text", requires = "rows")]
    pub text_column: String,

    /// The name of the column of errors in Parquet
    #[arg(long, value_name = "NAME", default_value = "error", requires = "rows")]
    pub error_column: String,
}

/// The output formats of `promptls resolve`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ResolveFormat {
    /// Only the text, byte for byte
    Text,
    /// An object with the text, its problems and the source of each byte
    Json,
    /// A list of chat messages, each with its `role` and its `content`
    Messages,
    /// An object for each row or case, on a line: `row` or `case`, and `text` or `error`
    Jsonl,
    /// The columns of the rows, or lines of JSON as `row`; and the columns `text` and `error`
    Parquet,
}

impl ResolveFormat {
    /// The value of `--format` for this format.
    pub fn id(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// Splits an argument at the sign after its name. The name of a part that the program computes
/// begins with that sign, and may have others in brackets: `=user(id=1)=Ada`.
fn name_and_text(written: &str) -> Result<(String, String), String> {
    let (mut depth, start) = (0_usize, written.starts_with('='));
    let sign = written.char_indices().skip(start.into()).find(|(_, character)| {
        match character {
            '(' | '[' | '{' if start => depth += 1,
            ')' | ']' | '}' if start => depth = depth.saturating_sub(1),
            _ => {}
        }
        *character == '=' && depth == 0
    });
    match sign {
        Some((at, _)) if at > usize::from(start) => {
            Ok((written[..at].to_owned(), written[at + 1..].to_owned()))
        }
        _ => Err("write it as NAME=TEXT".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_ends_at_the_first_sign_outside_of_brackets() {
        for (written, name, text) in [
            ("name=Ada", "name", "Ada"),
            ("name=", "name", ""),
            ("f(x=1", "f(x", "1"),
            ("=who()=Ada=Eva", "=who()", "Ada=Eva"),
            ("=who(id=1)[a=b]=Ada", "=who(id=1)[a=b]", "Ada"),
        ] {
            assert_eq!(name_and_text(written), Ok((name.to_owned(), text.to_owned())));
        }
        for written in ["name", "=Ada", "==Ada", "", "="] {
            assert!(name_and_text(written).is_err(), "{written}");
        }
    }
}
