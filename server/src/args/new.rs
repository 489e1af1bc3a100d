//! The arguments of `promptls new`: one flag for each part of a prompt.
//!
//! Texts are in the dialect of the prompt, so placeholders in them stay placeholders. `@FILE` is
//! the text of a file, which is sent verbatim.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use promptls_builder::{Delimiters, Difficulty, OutputFormat, Strategy};
use promptls_syntax::Dialect;

#[derive(Debug, Args)]
pub struct NewArgs {
    /// The template; --list shows all
    pub template: Option<String>,

    /// The arguments of the template, in order; missing ones become placeholders
    pub arguments: Vec<String>,

    /// List the templates, or those that match all given words
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

    /// Overwrite existing files, also read-only ones and hard links
    #[arg(long, requires = "output")]
    pub force: bool,

    #[command(flatten)]
    pub persona: Persona,
    #[command(flatten)]
    pub what: What,
    #[command(flatten)]
    pub context: ContextArgs,
    #[command(flatten)]
    pub examples: ExampleArgs,
    #[command(flatten)]
    pub answer: AnswerArgs,
    #[command(flatten)]
    pub audience: AudienceArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Role")]
pub struct Persona {
    /// The persona of the assistant
    #[arg(long, value_name = "TEXT")]
    pub role: Option<String>,
    /// A field of expertise
    #[arg(long, value_name = "TEXT")]
    pub expertise: Vec<String>,
    /// A trait of the persona
    #[arg(long, value_name = "TEXT")]
    pub personality: Vec<String>,
    /// The tone of the answer
    #[arg(long, value_name = "TEXT")]
    pub tone: Option<String>,
    /// Instructions for the whole conversation
    #[arg(long, value_name = "TEXT")]
    pub system: Option<String>,
}

// What is to be done.
#[derive(Debug, Args)]
#[command(next_help_heading = "Task")]
pub struct What {
    /// The task
    #[arg(long, value_name = "TEXT")]
    pub task: Option<String>,
    /// The purpose of the task
    #[arg(long, value_name = "TEXT")]
    pub goal: Option<String>,
    /// A step; repeat for several, in order
    #[arg(long, value_name = "TEXT")]
    pub instruction: Vec<String>,
    /// A requirement for the result
    #[arg(long, value_name = "TEXT")]
    pub requirement: Vec<String>,
    /// Something that is not allowed
    #[arg(long, value_name = "TEXT")]
    pub constraint: Vec<String>,
    /// The data to work on
    #[arg(long, value_name = "TEXT")]
    pub input: Option<String>,
    /// The label of the input
    #[arg(long, value_name = "NAME")]
    pub input_label: Option<String>,
    /// A text without a heading
    #[arg(long, value_name = "TEXT")]
    pub raw: Vec<String>,
    /// The start of the answer
    #[arg(long, value_name = "TEXT")]
    pub prefill: Option<String>,
    /// A strategy for reasoning
    #[arg(long, value_name = "STRATEGY", value_parser = named(Strategy::ALL, Strategy::id, Strategy::from_id))]
    pub think: Vec<Strategy>,
    /// A strategy in your own words
    #[arg(long, value_name = "TEXT")]
    pub reasoning: Vec<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Context")]
pub struct ContextArgs {
    /// A document, with its name
    #[arg(long, num_args = 2, value_names = ["NAME", "TEXT"])]
    pub document: Vec<String>,
    /// The current situation
    #[arg(long, value_name = "TEXT")]
    pub background: Vec<String>,
    /// A section with a heading of its own
    #[arg(long, num_args = 2, value_names = ["TITLE", "TEXT"])]
    pub section: Vec<String>,
    /// Values, with the name of their format
    #[arg(long, num_args = 2, value_names = ["FORMAT", "TEXT"])]
    pub data: Vec<String>,
    /// An earlier message of the conversation
    #[arg(long, num_args = 2, value_names = ["ROLE", "TEXT"])]
    pub message: Vec<String>,
    /// A callable tool: `weather(city: string, days?: integer): The weather to come`
    #[arg(long, value_name = "TOOL")]
    pub tool: Vec<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Examples")]
pub struct ExampleArgs {
    /// An input and its output
    #[arg(long, num_args = 2, value_names = ["INPUT", "OUTPUT"])]
    pub example: Vec<String>,
    /// The same, with an explanation
    #[arg(long, num_args = 3, value_names = ["INPUT", "OUTPUT", "WHY"])]
    pub explained_example: Vec<String>,
    /// The same, with the reasoning before the output
    #[arg(long, num_args = 3, value_names = ["INPUT", "REASONING", "OUTPUT"])]
    pub reasoned_example: Vec<String>,
    /// A wrong example, with an explanation
    #[arg(long, num_args = 3, value_names = ["INPUT", "OUTPUT", "WHY"])]
    pub wrong_example: Vec<String>,
    /// The maximum number of examples
    #[arg(long, value_name = "N")]
    pub limit_examples: Option<usize>,
    /// Shuffle the examples with this seed
    #[arg(long, value_name = "SEED")]
    pub shuffle_examples: Option<u64>,
    /// The only outputs that examples may have
    #[arg(long, value_name = "TEXT", value_delimiter = ',')]
    pub valid_outputs: Vec<String>,
}

// What the answer looks like.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct AnswerArgs {
    /// Its format
    #[arg(long, value_name = "FORMAT", value_parser = named(OutputFormat::ALL, OutputFormat::id, OutputFormat::from_id))]
    pub format: Option<OutputFormat>,
    /// A JSON Schema of it, or an example in JSON
    #[arg(long, value_name = "JSON")]
    pub schema: Option<String>,
    /// A description of its content
    #[arg(long, value_name = "TEXT")]
    pub describe: Option<String>,
    /// A constraint on the output
    #[arg(long, value_name = "TEXT")]
    pub output_constraint: Vec<String>,
    /// As short as possible
    #[arg(long)]
    pub concise: bool,
    /// With the details
    #[arg(long)]
    pub detailed: bool,
    /// As complete as possible
    #[arg(long)]
    pub comprehensive: bool,
    /// The number of words
    #[arg(long, value_name = "MIN-MAX", value_parser = words)]
    pub words: Option<(u32, u32)>,
    /// The number of sentences
    #[arg(long, value_name = "N")]
    pub sentences: Option<u32>,
    /// The maximum number of tokens
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<u32>,
    /// Begin with a summary of one or two sentences
    #[arg(long)]
    pub tldr: bool,
    /// End with a summary
    #[arg(long)]
    pub summary: bool,
    /// The delimiters of sections
    #[arg(long, value_name = "STYLE", value_parser = named(Delimiters::ALL, Delimiters::id, Delimiters::from_id))]
    pub delimiters: Option<Delimiters>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Audience")]
pub struct AudienceArgs {
    /// The readers
    #[arg(long, value_name = "TEXT")]
    pub audience: Option<String>,
    /// Their level of knowledge
    #[arg(long, value_name = "TEXT")]
    pub audience_level: Option<String>,
    /// The difficulty of the answer
    #[arg(long, value_name = "LEVEL", value_parser = named(Difficulty::ALL, Difficulty::id, Difficulty::from_id))]
    pub difficulty: Option<Difficulty>,
    /// Explain as to a five-year-old
    #[arg(long)]
    pub eli5: bool,
    /// Write for experts
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
