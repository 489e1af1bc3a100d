//! The expression syntax of Java.

use crate::code::grammar::{Does, Function, Grammar, Members, Method, SeparatorPlace, alone};
use crate::code::operation::{Blanks, Conversions, Operation};

const fn strip(start: bool, end: bool) -> Operation {
    Operation::Trim { blanks: Blanks::Java, start, end }
}

pub(super) const JAVA: Grammar = Grammar {
    brackets: &["("],
    keyword_sign: None,
    has_options: false,
    base: &[],
    casts: &[],
    keywords: &["new", "switch", "null", "true", "false", "super"],
    declares: &["class", "interface", "enum", "record"],
    joins_neighbours: false,
    members: Members::OfClasses,
    beside: None,
    methods: &[
        alone("trim", Operation::Trim { blanks: Blanks::UpToSpace, start: true, end: true }),
        alone("strip", strip(true, true)),
        alone("stripLeading", strip(true, false)),
        alone("stripTrailing", strip(false, true)),
        Method {
            name: "formatted",
            does: Does::Format(Operation::FormatPercent(Conversions::Java)),
        },
        Method { name: "replace", does: Does::Replace },
    ],
    functions: &FUNCTIONS,
    format_sign: None,
    joining: None,
    join: Some(("String.join", SeparatorPlace::First)),
    conversions: &[],
};

/// Functions of `java.lang`, which need no import.
pub(super) const FUNCTIONS: [Function; 2] =
    [format("String.format"), format("java.lang.String.format")];

const fn format(path: &'static str) -> Function {
    Function { path, operation: Operation::FormatPercent(Conversions::Java), takes_more: true }
}
