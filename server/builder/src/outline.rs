//! All parts of a prompt, as data.
//!
//! The fields have the order in which `sections.rs` writes them.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::delimiters::Delimiters;
use crate::part::{Mergeable, parts};
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
        /// Documents, data and background, written before the task.
        pub context: Context,
        /// Earlier messages of the conversation.
        pub history: Vec<Message>,
        /// Tools that the model can call.
        pub tools: Vec<Tool>,
        /// The task; `None` leaves out its section.
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
        /// Instructions on reasoning: strategies, then custom ones.
        pub reasoning: Reasoning,
        /// Examples of inputs and outputs.
        pub examples: Examples,
        /// The format and content of the answer.
        pub output: Output,
        /// The length of the answer.
        pub length: Length,
        /// Texts without a heading, written between the sections and the input.
        pub raw: Vec<Text>,
        /// The input of the task.
        pub input: Input,
        /// The start of the answer.
        pub prefill: Option<Text>,
        /// The style that separates sections.
        pub delimiters: Option<Delimiters>,
    }

    /// Context for the model, written in this order: documents, data, sections, background.
    pub struct Context {
        /// Texts with a name, such as files; one section each.
        pub documents: Vec<Document>,
        /// Background information; all texts share one section.
        pub background: Vec<Text>,
        /// Texts with their own headings.
        pub sections: Vec<Titled>,
        /// Values in a named format, such as `CSV`; one section each.
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
        /// Explain as to experts; contradicts `like_i_am_five`, which adds a note.
        pub expert: bool,
    }

    /// Instructions on reasoning, as one list with the strategies first.
    pub struct Reasoning {
        /// Built-in strategies, written in the order of the enum.
        pub strategies: BTreeSet<Strategy>,
        /// Custom instructions, written after the strategies.
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
        /// The format, such as JSON; `None` requests none.
        pub format: Option<OutputFormat>,
        /// JSON: a JSON Schema, or an example of the answer.
        pub schema: Option<String>,
        /// A description of the content of the answer.
        pub description: Option<Text>,
        /// Constraints on the answer, as a bulleted list.
        pub constraints: Vec<Text>,
    }

    /// The length of the answer.
    pub struct Length {
        /// Answer as briefly as possible.
        pub concise: bool,
        /// Give reasons, examples and exceptions; contradicts `concise`.
        pub detailed: bool,
        /// Cover every aspect, including rare cases; contradicts `concise`.
        pub comprehensive: bool,
        /// The minimum and maximum number of words.
        pub words: Option<(u32, u32)>,
        /// The exact number of sentences of the answer.
        pub sentences: Option<u32>,
        /// The maximum number of tokens.
        pub max_tokens: Option<u32>,
        /// Start with a summary of one or two sentences.
        pub tldr: bool,
        /// End with a short summary of the main points.
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
    /// The heading; `build` fails if it is blank.
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
    /// The values, in the format named by `format`.
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
    /// The input that the model would get.
    pub input: Text,
    /// The desired output, or a wrong one if `wrong_because` is set.
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
        /// Requires no previous knowledge; every term is explained.
        Beginner = "beginner",
        /// Requires the basics; explains what goes beyond them.
        Intermediate = "intermediate",
        /// Requires practice in the field; concentrates on the hard parts.
        Advanced = "advanced",
        /// For experts; requires no explanations.
        Expert = "expert",
    }

    /// Built-in reasoning strategies, in the order in which a prompt lists them.
    pub enum Strategy {
        /// Considers the underlying principles first.
        StepBack = "step-back",
        /// Splits the problem into parts.
        Decomposition = "decomposition",
        /// Writes down the reasoning, step by step, before the answer.
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
        /// A single JSON value, without a Markdown fence.
        Json = "json",
        /// A single JSON array, `[]` if there is nothing to report.
        JsonArray = "json-array",
        /// One well-formed XML document, without text around it.
        Xml = "xml",
        /// Markdown, with headings where they help the reader.
        Markdown = "markdown",
        /// Comma-separated values with a header row.
        Csv = "csv",
        /// YAML, indented by two spaces, without a Markdown fence.
        Yaml = "yaml",
        /// Text without Markdown or other markup.
        PlainText = "plain-text",
        /// A numbered list, one point per item.
        NumberedList = "numbered-list",
        /// A bulleted list, one point per item.
        BulletList = "bullet-list",
        /// A Markdown table with a header row.
        Table = "table",
        /// Numbered steps in their order, one action each.
        StepByStep = "step-by-step",
    }
}
