//! The words that the builder writes around the texts of a user, in one language.
//!
//! The fields are the keys of the files in `languages/`, so a missing text is a parse error.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::outline::{Difficulty, OutputFormat, Strategy};
use crate::text::Text;

macro_rules! words {
    ($($(#[$meta:meta])* struct $name:ident { $($field:ident: $type:ty,)* })*) => {$(
        $(#[$meta])*
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case")]
        pub(crate) struct $name { $(pub $field: $type,)* }
    )*};
}

words! {
    struct Words {
        headings: Headings,
        role: RoleWords,
        tools: ToolWords,
        audience: AudienceWords,
        examples: ExampleWords,
        output: OutputWords,
        length: LengthWords,
        prefill: Text,
        difficulties: Named<Difficulty>,
        strategies: Named<Strategy>,
        formats: Named<OutputFormat>,
    }

    struct Headings {
        role: String,
        system: String,
        context: String,
        background: String,
        document: String,
        data: String,
        history: String,
        tools: String,
        task: String,
        goal: String,
        instructions: String,
        requirements: String,
        constraints: String,
        audience: String,
        reasoning: String,
        examples: String,
        example: String,
        wrong_example: String,
        output: String,
        length: String,
        input: String,
        prefill: String,
    }

    /// `{{text}}` stands for the text of the user.
    struct RoleWords {
        expertise: Text,
        personality: Text,
        tone: Text,
    }

    struct ToolWords {
        required: String,
        optional: String,
    }

    struct AudienceWords {
        readers: Text,
        level: Text,
        like_i_am_five: Text,
        expert: Text,
    }

    struct ExampleWords {
        input: Text,
        output: Text,
        reasoning: Text,
        explanation: Text,
        wrong_because: Text,
    }

    struct OutputWords {
        schema: Text,
        shape: Text,
        description: Text,
    }

    struct LengthWords {
        concise: Text,
        detailed: Text,
        comprehensive: Text,
        words: Text,
        sentences: Text,
        max_tokens: Text,
        tldr: Text,
        summary: Text,
    }
}

/// A text for each variant of an enumeration. A test checks that none is missing.
pub(crate) type Named<T> = BTreeMap<T, Text>;
