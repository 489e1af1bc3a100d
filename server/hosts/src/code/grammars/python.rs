//! The expression syntax of Python.

use crate::code::grammar::{Does, Function, Grammar, Members, Method, alone};
use crate::code::operation::{Blanks, Operation};

const fn trim(start: bool, end: bool) -> Operation {
    Operation::Trim { blanks: Blanks::Python, start, end }
}

pub(super) const PYTHON: Grammar = Grammar {
    brackets: &["("],
    keyword_sign: Some("="),
    has_options: false,
    base: &["super", "(", ")", ".", "__init__"],
    casts: &[],
    keywords: &["lambda", "not", "await", "yield", "if", "None"],
    declares: &["def", "class"],
    joins_neighbours: true,
    members: Members::OfModules,
    beside: None,
    methods: &[
        alone("strip", trim(true, true)),
        alone("lstrip", trim(true, false)),
        alone("rstrip", trim(false, true)),
        Method { name: "format", does: Does::FormatWritten(Operation::FormatBraces) },
        Method { name: "replace", does: Does::Replace },
        Method { name: "join", does: Does::Join },
    ],
    functions: &[Function {
        path: "textwrap.dedent",
        operation: Operation::Dedent,
        takes_more: false,
    }],
    joining: None,
    join: None,
    conversions: &["str"],
};
