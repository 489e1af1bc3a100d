//! Visits all texts of an outline.

use std::collections::BTreeSet;

use crate::delimiters::Delimiters;
use crate::outline::{
    Audience, Context, Data, Difficulty, Document, Example, Examples, Input, Length, Message,
    Outline, Output, OutputFormat, Parameter, Reasoning, Strategy, Titled, Tool,
};
use crate::text::Text;

/// A type that contains texts.
pub(crate) trait Texts {
    /// Calls `change` for each text, in the order of the fields.
    fn each_text(&mut self, change: &mut dyn FnMut(&mut Text));
}

impl Texts for Text {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut Text)) {
        change(self);
    }
}

impl<T: Texts> Texts for Option<T> {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut Text)) {
        if let Some(inner) = self {
            inner.each_text(change);
        }
    }
}

impl<T: Texts> Texts for Vec<T> {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut Text)) {
        for inner in self {
            inner.each_text(change);
        }
    }
}

/// Types without texts, which `each_text` does not change.
macro_rules! without_texts {
    ($($type:ty),* $(,)?) => {
        $(impl Texts for $type {
            fn each_text(&mut self, _: &mut dyn FnMut(&mut Text)) {}
        })*
    };
}

without_texts!(bool, u32, u64, usize, (u32, u32), String);
without_texts!(BTreeSet<Strategy>, Delimiters, Difficulty, OutputFormat);

/// Structs whose texts are those of their fields. All fields are listed, so that none is missed.
macro_rules! of_fields {
    ($($type:ident { $($field:ident),* $(,)? })*) => {
        $(impl Texts for $type {
            fn each_text(&mut self, change: &mut dyn FnMut(&mut Text)) {
                let $type { $($field),* } = self;
                $($field.each_text(change);)*
            }
        })*
    };
}

of_fields! {
    Outline {
        role, expertise, personality, tone, system, context, history, tools, task, goal,
        instructions, requirements, constraints, audience, reasoning, examples, output, length,
        raw, input, prefill, delimiters,
    }
    Context { documents, background, sections, data }
    Audience { readers, level, difficulty, like_i_am_five, expert }
    Reasoning { strategies, own }
    Examples { examples, limit, shuffled }
    Output { format, schema, description, constraints }
    Length {
        concise, detailed, comprehensive, words, sentences, max_tokens, tldr, summary,
    }
    Input { label, text }
    Document { name, text }
    Titled { title, text }
    Data { format, text }
    Message { role, text }
    Tool { name, description, parameters }
    Parameter { name, kind, description, optional }
    Example { input, output, explanation, reasoning, wrong_because }
}
