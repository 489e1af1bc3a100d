//! The expression syntax of Python.

use crate::code::grammar::{Does, Function, Grammar, Members, Method, alone};
use crate::code::operation::{Blanks, Conversions, Operation};

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
    functions: &[
        function("textwrap.dedent", Operation::Dedent),
        function("inspect.cleandoc", Operation::CleanDoc),
    ],
    format_sign: Some(("%", &Operation::FormatPercent(Conversions::Python))),
    joining: None,
    join: None,
    conversions: &["str"],
};

const fn function(path: &'static str, operation: Operation) -> Function {
    Function { path, operation, takes_more: false }
}
