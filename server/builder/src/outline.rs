//! All parts of a prompt, as data.
//!
//! The fields have the order in which `sections.rs` writes them.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::delimiters::Delimiters;
use crate::part::{Part, parts};
use crate::text::Text;

parts! {
    /// The parts of a prompt, as a template or a user composes them.
    pub struct Outline {
        /// The role of the model.
        pub role: Option<Text>,
        /// Fields of expertise of the model.
        pub expertise: Vec<Text>,
        /// Personality traits of the model.
        pub personality: Vec<Text>,
        /// The tone of the answer.
        pub tone: Option<Text>,
        /// An instruction for the whole conversation.
        pub system: Option<Text>,
        /// Context for the model.
        pub context: Context,
        /// Earlier messages of the conversation.
        pub history: Vec<Message>,
        /// Tools that the model can call.
        pub tools: Vec<Tool>,
        /// The task.
        pub task: Option<Text>,
        /// The purpose of the task.
        pub goal: Option<Text>,
        /// The steps of the task, in order.
        pub instructions: Vec<Text>,
        /// Properties that the result must have.
        pub requirements: Vec<Text>,
        /// Things that are not allowed.
        pub constraints: Vec<Text>,
        /// The audience of the answer.
        pub audience: Audience,
        /// Instructions on reasoning.
        pub reasoning: Reasoning,
        /// Examples of inputs and outputs.
        pub examples: Examples,
        /// The format and content of the answer.
        pub output: Output,
        /// The length of the answer.
        pub length: Length,
        /// Texts without a heading.
        pub raw: Vec<Text>,
        /// The input of the task.
        pub input: Input,
        /// The start of the answer.
        pub prefill: Option<Text>,
        /// The style that separates sections.
        pub delimiters: Option<Delimiters>,
    }

    /// Context for the model.
    pub struct Context {
        /// Texts with a name.
        pub documents: Vec<Document>,
        /// Background information.
        pub background: Vec<Text>,
        /// Texts with their own headings.
        pub sections: Vec<Titled>,
        /// Values in a format.
        pub data: Vec<Data>,
    }

    /// The audience of the answer.
    pub struct Audience {
        /// A description of the audience.
        pub readers: Option<Text>,
        /// The knowledge of the audience.
        pub level: Option<Text>,
        /// The difficulty of the answer.
        pub difficulty: Option<Difficulty>,
        /// Explain as to a five-year-old.
        pub like_i_am_five: bool,
        /// Explain as to experts.
        pub expert: bool,
    }

    /// Instructions on reasoning.
    pub struct Reasoning {
        /// Built-in reasoning strategies.
        pub strategies: BTreeSet<Strategy>,
        /// Custom reasoning instructions.
        pub own: Vec<Text>,
    }

    /// Examples of inputs and outputs.
    pub struct Examples {
        /// The examples, good ones and bad ones.
        pub examples: Vec<Example>,
        /// The maximum number of examples to write.
        pub limit: Option<usize>,
        /// The seed of the order; without it, examples keep their order.
        pub shuffled: Option<u64>,
    }

    /// The format and content of the answer.
    pub struct Output {
        /// Its format.
        pub format: Option<OutputFormat>,
        /// JSON: a JSON Schema, or an example of the answer.
        pub schema: Option<String>,
        /// A description of the content of the answer.
        pub description: Option<Text>,
        /// Constraints on the answer.
        pub constraints: Vec<Text>,
    }

    /// The length of the answer.
    pub struct Length {
        /// Answer as briefly as possible.
        pub concise: bool,
        /// Answer in detail.
        pub detailed: bool,
        /// Answer comprehensively.
        pub comprehensive: bool,
        /// The minimum and maximum number of words.
        pub words: Option<(u32, u32)>,
        /// The number of sentences.
        pub sentences: Option<u32>,
        /// The maximum number of tokens.
        pub max_tokens: Option<u32>,
        /// Start with a summary of one or two sentences.
        pub tldr: bool,
        /// End with a summary.
        pub summary: bool,
    }

    /// The input of the task.
    pub struct Input {
        /// The label of the input.
        pub label: Option<String>,
        /// The text of the input.
        pub text: Option<Text>,
    }
}

impl Outline {
    /// Merges two outlines of equal priority. Parts with different values go to `clashes`.
    pub(crate) fn and(self, other: Outline, clashes: &mut BTreeSet<String>) -> Outline {
        self.beside(other, "", clashes)
    }
}

/// A text with a name.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// The name, such as `faq.md`.
    pub name: String,
    /// The content of the document.
    pub text: Text,
}

/// A text with a heading.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Titled {
    /// The heading.
    pub title: String,
    /// The text under the heading.
    pub text: Text,
}

/// Data in a named format.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Data {
    /// The name of the format, such as `CSV`.
    pub format: String,
    /// The values.
    pub text: Text,
}

/// A message of a conversation.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// The role of its author: `user`, `assistant`.
    pub role: String,
    /// The content of the message.
    pub text: Text,
}

/// A tool that the model can call.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// The name of the tool.
    pub name: String,
    /// A description of what it does.
    pub description: Text,
    /// The parameters of the tool.
    #[serde(default)]
    pub parameters: Vec<Parameter>,
}

/// A parameter of a tool.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// The name of the parameter.
    pub name: String,
    /// The name of its type, such as `string`.
    #[serde(rename = "type")]
    pub kind: String,
    /// A description of the parameter.
    #[serde(default)]
    pub description: Text,
    /// `true` if a call may omit the parameter.
    #[serde(default)]
    pub optional: bool,
}

/// An example: an input and its output.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The input.
    pub input: Text,
    /// The output.
    pub output: Text,
    /// An explanation of why the output is right.
    #[serde(default)]
    pub explanation: Option<Text>,
    /// The reasoning that leads to the output.
    #[serde(default)]
    pub reasoning: Option<Text>,
    /// The reason why the output is wrong, for a wrong example.
    #[serde(default)]
    pub wrong_because: Option<Text>,
}

/// Enumerations whose variants have ids in files and on the command line.
macro_rules! named {
    ($(
        $(#[$meta:meta])*
        pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $id:literal,)* }
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
        pub enum $name { $($(#[$variant_meta])* #[serde(rename = $id)] $variant,)* }

        impl $name {
            /// All variants, in the order of their declaration.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// The id in files and on the command line.
            pub const fn id(self) -> &'static str {
                match self { $($name::$variant => $id),* }
            }

            /// The variant with this [`id`](Self::id); `None` if there is none.
            pub fn from_id(id: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|it| it.id() == id)
            }
        }
    )*};
}
pub(crate) use named;

named! {
    /// The difficulty of the answer.
    pub enum Difficulty {
        /// Requires no previous knowledge.
        Beginner = "beginner",
        /// Requires basic knowledge.
        Intermediate = "intermediate",
        /// Requires practice.
        Advanced = "advanced",
        /// For experts; requires no explanations.
        Expert = "expert",
    }

    /// Reasoning strategies.
    pub enum Strategy {
        /// Considers the underlying principles first.
        StepBack = "step-back",
        /// Splits the problem into parts.
        Decomposition = "decomposition",
        /// Reasons step by step.
        ChainOfThought = "chain-of-thought",
        /// Considers several approaches and follows the best.
        TreeOfThoughts = "tree-of-thoughts",
        /// Considers several points of view.
        MultiplePerspectives = "multiple-perspectives",
        /// Considers arguments for and against.
        ProsAndCons = "pros-and-cons",
        /// Finds several solutions; the most common answer counts.
        SelfConsistency = "self-consistency",
        /// Checks the answer before giving it.
        SelfVerification = "self-verification",
    }

    /// The format of an answer.
    pub enum OutputFormat {
        /// A JSON value.
        Json = "json",
        /// A JSON array.
        JsonArray = "json-array",
        /// An XML document.
        Xml = "xml",
        /// Markdown.
        Markdown = "markdown",
        /// Comma-separated values.
        Csv = "csv",
        /// YAML.
        Yaml = "yaml",
        /// Text without any markup.
        PlainText = "plain-text",
        /// A numbered list.
        NumberedList = "numbered-list",
        /// A list of bullets.
        BulletList = "bullet-list",
        /// A Markdown table.
        Table = "table",
        /// Numbered steps.
        StepByStep = "step-by-step",
    }
}
