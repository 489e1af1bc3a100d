//! The expression syntax of TypeScript and JavaScript.

use crate::code::grammar::{Does, Grammar, Members, Method, alone};
use crate::code::operation::{Blanks, Operation};

const fn trim(start: bool, end: bool) -> Operation {
    Operation::Trim { blanks: Blanks::Script, start, end }
}

pub(super) const SCRIPT: Grammar = Grammar {
    brackets: &["("],
    keyword_sign: None,
    has_options: true,
    base: &["super"],
    casts: &["as", "satisfies"],
    keywords: &[
        "new",
        "await",
        "typeof",
        "void",
        "delete",
        "function",
        "class",
        "async",
        "yield",
        "import",
        "super",
        "null",
        "undefined",
        "true",
        "false",
    ],
    declares: &["function", "class", "interface"],
    joins_neighbours: false,
    members: Members::OfModules,
    beside: None,
    methods: &[
        alone("trim", trim(true, true)),
        alone("trimStart", trim(true, false)),
        alone("trimEnd", trim(false, true)),
        Method { name: "replace", does: Does::ReplaceByPattern { is_all: false } },
        Method { name: "replaceAll", does: Does::ReplaceByPattern { is_all: true } },
    ],
    functions: &[],
    format_sign: None,
};
