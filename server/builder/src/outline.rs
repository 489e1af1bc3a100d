//! Everything that can be said about a prompt, as data.
//!
//! The fields stand in the order in which `sections.rs` writes them.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::delimiters::Delimiters;
use crate::part::{Part, parts};
use crate::text::Text;

parts! {
    /// What a prompt is made of. A template is one, and so is what a user composes.
    pub struct Outline {
        /// Who answers.
        pub role: Option<Text>,
        /// What they know well.
        pub expertise: Vec<Text>,
        /// What they are like.
        pub personality: Vec<Text>,
        /// How they sound.
        pub tone: Option<Text>,
        /// What holds for the whole conversation.
        pub system: Option<Text>,
        /// What they should know.
        pub context: Context,
        /// What was said before.
        pub history: Vec<Message>,
        /// What they can call.
        pub tools: Vec<Tool>,
        /// What is to be done.
        pub task: Option<Text>,
        /// What it is done for.
        pub goal: Option<Text>,
        /// How it is done, step by step.
        pub instructions: Vec<Text>,
        /// What the result must have.
        pub requirements: Vec<Text>,
        /// What is not allowed.
        pub constraints: Vec<Text>,
        /// Who reads it.
        pub audience: Audience,
        /// How to think about it.
        pub reasoning: Reasoning,
        /// How others did it.
        pub examples: Examples,
        /// What the answer looks like.
        pub output: Output,
        /// How long it is.
        pub length: Length,
        /// Texts that stand as they are, without a heading.
        pub raw: Vec<Text>,
        /// What it is done with.
        pub input: Input,
        /// How the answer begins.
        pub prefill: Option<Text>,
        /// How sections are told apart.
        pub delimiters: Option<Delimiters>,
    }

    /// What the model should know.
    pub struct Context {
        /// Texts with a name.
        pub documents: Vec<Document>,
        /// How things stand.
        pub background: Vec<Text>,
        /// What has a heading of its own.
        pub sections: Vec<Titled>,
        /// Values in a format.
        pub data: Vec<Data>,
    }

    /// Who reads the answer.
    pub struct Audience {
        /// Who they are.
        pub readers: Option<Text>,
        /// What they know.
        pub level: Option<Text>,
        /// How difficult it may be.
        pub difficulty: Option<Difficulty>,
        /// As to a child of five.
        pub like_i_am_five: bool,
        /// As among experts.
        pub expert: bool,
    }

    /// How the model should think.
    pub struct Reasoning {
        /// Ways that are known to help.
        pub strategies: BTreeSet<Strategy>,
        /// Ways of your own.
        pub own: Vec<Text>,
    }

    /// How others did it.
    pub struct Examples {
        /// The examples, good ones and bad ones.
        pub examples: Vec<Example>,
        /// At most so many of them are written.
        pub limit: Option<usize>,
        /// They are written in an order that follows from this number.
        pub shuffled: Option<u64>,
    }

    /// What the answer looks like.
    pub struct Output {
        /// Its format.
        pub format: Option<OutputFormat>,
        /// JSON: a JSON Schema, or an example of what is wanted.
        pub schema: Option<String>,
        /// What it holds.
        pub description: Option<Text>,
        /// What holds for it.
        pub constraints: Vec<Text>,
    }

    /// How long the answer is.
    pub struct Length {
        /// As short as possible.
        pub concise: bool,
        /// With the details.
        pub detailed: bool,
        /// With everything there is.
        pub comprehensive: bool,
        /// From so many words to so many.
        pub words: Option<(u32, u32)>,
        /// So many sentences.
        pub sentences: Option<u32>,
        /// At most so many tokens.
        pub max_tokens: Option<u32>,
        /// It begins with the gist in a sentence or two.
        pub tldr: bool,
        /// It ends with a summary.
        pub summary: bool,
    }

    /// What the task is done with.
    pub struct Input {
        /// What it is called.
        pub label: Option<String>,
        /// What it is.
        pub text: Option<Text>,
    }
}

impl Outline {
    /// What two outlines of the same rank say. What both say differently goes to `clashes`.
    pub(crate) fn and(self, other: Outline, clashes: &mut BTreeSet<String>) -> Outline {
        self.beside(other, "", clashes)
    }
}

/// A text with a name.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// What it is called, such as `faq.md`.
    pub name: String,
    /// What stands in it.
    pub text: Text,
}

/// A text with a heading.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Titled {
    /// The heading.
    pub title: String,
    /// What stands below it.
    pub text: Text,
}

/// Values in a format.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Data {
    /// The name of the format, such as `CSV`.
    pub format: String,
    /// The values.
    pub text: Text,
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Who said it: `user`, `assistant`.
    pub role: String,
    /// What was said.
    pub text: Text,
}

/// Something that the model can call.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// What it is called.
    pub name: String,
    /// What it does.
    pub description: Text,
    /// What it is given.
    #[serde(default)]
    pub parameters: Vec<Parameter>,
}

/// Something that a tool is given.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// What it is called.
    pub name: String,
    /// The name of its type, such as `string`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it means.
    #[serde(default)]
    pub description: Text,
    /// Whether it may be left out.
    #[serde(default)]
    pub optional: bool,
}

/// An input, and what was made of it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// What came in.
    pub input: Text,
    /// What was made of it.
    pub output: Text,
    /// Why that is right.
    #[serde(default)]
    pub explanation: Option<Text>,
    /// How one gets there.
    #[serde(default)]
    pub reasoning: Option<Text>,
    /// Why that is wrong, where it is.
    #[serde(default)]
    pub wrong_because: Option<Text>,
}

/// Enumerations whose variants have a name in files and on the command line.
macro_rules! named {
    ($(
        $(#[$meta:meta])*
        pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $id:literal,)* }
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
        pub enum $name { $($(#[$variant_meta])* #[serde(rename = $id)] $variant,)* }

        impl $name {
            /// All of them, in the order in which they are written.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// What it is called in files and on the command line.
            pub const fn id(self) -> &'static str {
                match self { $($name::$variant => $id),* }
            }

            /// The one with this [`id`](Self::id).
            pub fn from_id(id: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|it| it.id() == id)
            }
        }
    )*};
}
pub(crate) use named;

named! {
    /// How difficult the answer may be.
    pub enum Difficulty {
        /// No knowledge is needed.
        Beginner = "beginner",
        /// The basics are known.
        Intermediate = "intermediate",
        /// Practice is there.
        Advanced = "advanced",
        /// Nothing needs to be explained.
        Expert = "expert",
    }

    /// Ways of thinking that are known to help.
    pub enum Strategy {
        /// What stands behind the question comes first.
        StepBack = "step-back",
        /// The problem is split.
        Decomposition = "decomposition",
        /// One step after the other.
        ChainOfThought = "chain-of-thought",
        /// Several approaches, of which the best is followed.
        TreeOfThoughts = "tree-of-thoughts",
        /// Several points of view.
        MultiplePerspectives = "multiple-perspectives",
        /// What speaks for it and what against it.
        ProsAndCons = "pros-and-cons",
        /// Several solutions, of which the commonest answer counts.
        SelfConsistency = "self-consistency",
        /// The answer is checked before it is given.
        SelfVerification = "self-verification",
    }

    /// What an answer may look like.
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
