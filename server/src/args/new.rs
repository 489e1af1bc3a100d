//! The arguments of `promptls new`: one flag for each part of a prompt.
//!
//! Texts are in the dialect of the prompt, so placeholders in them stay placeholders. `@FILE` is
//! the text of a file, which is sent verbatim.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use promptls_builder::{Delimiters, Difficulty, OutputFormat, Strategy};
use promptls_syntax::Dialect;

/// The arguments of `promptls new`.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// The template to begin with; --list shows them
    pub template: Option<String>,

    /// What the template takes, in its order; what is left out becomes a placeholder
    pub arguments: Vec<String>,

    /// List the templates, or those with all the words given
    #[arg(long)]
    pub list: bool,

    /// The dialect of the prompt
    #[arg(long, value_name = "NAME", value_parser = super::dialects())]
    pub dialect: Option<Dialect>,

    /// The language that the prompt is written in: en, pt-BR
    #[arg(long, value_name = "TAG", default_value = "en")]
    pub lang: String,

    /// Write the prompt to a file, and the variables and first inputs beside it
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Overwrite files that exist, also read-only ones and hard links
    #[arg(long, requires = "output")]
    pub force: bool,

    #[command(flatten)]
    pub who: Who,
    #[command(flatten)]
    pub what: What,
    #[command(flatten)]
    pub context: Known,
    #[command(flatten)]
    pub examples: Shown,
    #[command(flatten)]
    pub answer: Answer,
    #[command(flatten)]
    pub audience: Read,
}

/// Who answers.
#[derive(Debug, Args)]
#[command(next_help_heading = "Who answers")]
pub struct Who {
    /// Who answers
    #[arg(long, value_name = "TEXT")]
    pub role: Option<String>,
    /// What they know well
    #[arg(long, value_name = "TEXT")]
    pub expertise: Vec<String>,
    /// What they are like
    #[arg(long, value_name = "TEXT")]
    pub personality: Vec<String>,
    /// How they sound
    #[arg(long, value_name = "TEXT")]
    pub tone: Option<String>,
    /// What holds for the whole conversation
    #[arg(long, value_name = "TEXT")]
    pub system: Option<String>,
}

/// What is to be done.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is to be done")]
pub struct What {
    /// The task
    #[arg(long, value_name = "TEXT")]
    pub task: Option<String>,
    /// What it is done for
    #[arg(long, value_name = "TEXT")]
    pub goal: Option<String>,
    /// A step, in their order
    #[arg(long, value_name = "TEXT")]
    pub instruction: Vec<String>,
    /// What the result must have
    #[arg(long, value_name = "TEXT")]
    pub requirement: Vec<String>,
    /// What is not allowed
    #[arg(long, value_name = "TEXT")]
    pub constraint: Vec<String>,
    /// What it is done with
    #[arg(long, value_name = "TEXT")]
    pub input: Option<String>,
    /// What the input is called
    #[arg(long, value_name = "NAME")]
    pub input_label: Option<String>,
    /// A text without a heading
    #[arg(long, value_name = "TEXT")]
    pub raw: Vec<String>,
    /// How the answer begins
    #[arg(long, value_name = "TEXT")]
    pub prefill: Option<String>,
    /// How to think about it
    #[arg(long, value_name = "STRATEGY", value_parser = named(Strategy::ALL, Strategy::id, Strategy::from_id))]
    pub think: Vec<Strategy>,
    /// The same in your own words
    #[arg(long, value_name = "TEXT")]
    pub reasoning: Vec<String>,
}

/// What is known already.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is known already")]
pub struct Known {
    /// A document, with its name
    #[arg(long, num_args = 2, value_names = ["NAME", "TEXT"])]
    pub document: Vec<String>,
    /// How things stand
    #[arg(long, value_name = "TEXT")]
    pub background: Vec<String>,
    /// A section with a heading of its own
    #[arg(long, num_args = 2, value_names = ["TITLE", "TEXT"])]
    pub section: Vec<String>,
    /// Values, with the name of their format
    #[arg(long, num_args = 2, value_names = ["FORMAT", "TEXT"])]
    pub data: Vec<String>,
    /// Something that was said before
    #[arg(long, num_args = 2, value_names = ["WHO", "TEXT"])]
    pub message: Vec<String>,
    /// Something that can be called: `weather(city: string, days?: integer): The weather to come`
    #[arg(long, value_name = "TOOL")]
    pub tool: Vec<String>,
}

/// Examples.
#[derive(Debug, Args)]
#[command(next_help_heading = "Examples")]
pub struct Shown {
    /// An input, and what is made of it
    #[arg(long, num_args = 2, value_names = ["INPUT", "OUTPUT"])]
    pub example: Vec<String>,
    /// The same, and why
    #[arg(long, num_args = 3, value_names = ["INPUT", "OUTPUT", "WHY"])]
    pub explained_example: Vec<String>,
    /// The same, with the reasoning that leads there
    #[arg(long, num_args = 3, value_names = ["INPUT", "REASONING", "OUTPUT"])]
    pub reasoned_example: Vec<String>,
    /// A wrong one, and why it is wrong
    #[arg(long, num_args = 3, value_names = ["INPUT", "OUTPUT", "WHY"])]
    pub wrong_example: Vec<String>,
    /// At most so many examples
    #[arg(long, value_name = "N")]
    pub limit_examples: Option<usize>,
    /// Put the examples into an order that follows from a number
    #[arg(long, value_name = "SEED")]
    pub shuffle_examples: Option<u64>,
    /// The only outputs that examples may have
    #[arg(long, value_name = "TEXT", value_delimiter = ',')]
    pub valid_outputs: Vec<String>,
}

/// What the answer looks like.
#[derive(Debug, Args)]
#[command(next_help_heading = "What the answer looks like")]
pub struct Answer {
    /// Its format
    #[arg(long, value_name = "FORMAT", value_parser = named(OutputFormat::ALL, OutputFormat::id, OutputFormat::from_id))]
    pub format: Option<OutputFormat>,
    /// A JSON Schema of it, or an example in JSON
    #[arg(long, value_name = "JSON")]
    pub schema: Option<String>,
    /// What it holds
    #[arg(long, value_name = "TEXT")]
    pub describe: Option<String>,
    /// What holds for it
    #[arg(long, value_name = "TEXT")]
    pub output_constraint: Vec<String>,
    /// As short as possible
    #[arg(long)]
    pub concise: bool,
    /// With the details
    #[arg(long)]
    pub detailed: bool,
    /// With everything there is
    #[arg(long)]
    pub comprehensive: bool,
    /// From so many words to so many
    #[arg(long, value_name = "MIN-MAX", value_parser = words)]
    pub words: Option<(u32, u32)>,
    /// So many sentences
    #[arg(long, value_name = "N")]
    pub sentences: Option<u32>,
    /// At most so many tokens
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<u32>,
    /// Begin with the gist in a sentence or two
    #[arg(long)]
    pub tldr: bool,
    /// End with a summary
    #[arg(long)]
    pub summary: bool,
    /// How sections are told apart
    #[arg(long, value_name = "STYLE", value_parser = named(Delimiters::ALL, Delimiters::id, Delimiters::from_id))]
    pub delimiters: Option<Delimiters>,
}

/// Who reads it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Who reads it")]
pub struct Read {
    /// Who they are
    #[arg(long, value_name = "TEXT")]
    pub audience: Option<String>,
    /// What they know
    #[arg(long, value_name = "TEXT")]
    pub audience_level: Option<String>,
    /// How difficult it may be
    #[arg(long, value_name = "LEVEL", value_parser = named(Difficulty::ALL, Difficulty::id, Difficulty::from_id))]
    pub difficulty: Option<Difficulty>,
    /// As to a child of five
    #[arg(long)]
    pub eli5: bool,
    /// As among experts
    #[arg(long)]
    pub expert: bool,
}

/// Parses the ids of an enumeration.
fn named<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    id: fn(T) -> &'static str,
    from_id: fn(&str) -> Option<T>,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.iter().map(move |&it| id(it)))
        .try_map(move |name| from_id(&name).ok_or("unknown name"))
}

/// Parses two numbers separated by a dash.
fn words(text: &str) -> Result<(u32, u32), String> {
    let numbers = text
        .split_once('-')
        .and_then(|(min, max)| Some((min.trim().parse().ok()?, max.trim().parse().ok()?)));
    numbers.ok_or_else(|| "write it as two numbers, such as 200-300".to_owned())
}
