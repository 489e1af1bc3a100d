//! The expression syntax of TypeScript and JavaScript.

use crate::code::grammar::{
    Collections, Condition, Does, Function, Grammar, Iteration, Joining, Method, Yields, alone,
};
use crate::code::loading::Loading;
use crate::code::operation::{Blanks, Operation};

const fn trim(start: bool, end: bool) -> Operation {
    Operation::Trim { blanks: Blanks::Script, start, end }
}

/// A function that is also the tag of a template.
const fn tag(path: &'static str, operation: Operation) -> Function {
    Function { path, does: Does::Alone(operation), takes_more: false }
}

pub(super) const SCRIPT: Grammar = Grammar {
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
    methods: &[
        alone("trim", trim(true, true)),
        alone("trimStart", trim(true, false)),
        alone("trimEnd", trim(false, true)),
        Method { name: "replace", does: Does::ReplaceByPattern { is_all: false } },
        Method { name: "concat", does: Does::Append },
        Method { name: "replaceAll", does: Does::ReplaceByPattern { is_all: true } },
    ],
    functions: &[
        tag("dedent", Operation::ScriptDedent),
        tag("dedent.default", Operation::ScriptDedent),
        tag("ts-dedent.default", Operation::TsDedent),
        tag("ts-dedent.dedent", Operation::TsDedent),
        tag("common-tags.stripIndent", Operation::StripIndent),
    ],
    joining: Some(Joining { method: "join", separator: "," }),
    collections: &Collections { getters: &["get"], lists: &[], maps: &[] },
    condition: Some(Condition::Signs),
    otherwise: &["||", "??"],
    conversions: &["String"],
    iterations: &[
        Iteration { callee: "Object.entries", yields: Yields::KeysAndValues },
        Iteration { callee: "Object.values", yields: Yields::Values },
        Iteration { callee: ".entries", yields: Yields::NumbersAndItems },
    ],
    mappers: &["map", "flatMap", "forEach"],
    constructor: Some("constructor"),
    loading: Some(&LOADING),
    ..Grammar::PLAIN
};

const LOADING: Loading = Loading {
    readers: &["readFileSync", "readFile", "readTextFileSync", "readTextFile", "file"],
    parsers: &["parse", "load"],
    tails: &["toString", "text"],
    words: &[
        "new",
        "await",
        "fs",
        "promises",
        "path",
        "join",
        "resolve",
        "url",
        "fileURLToPath",
        "import",
        "meta",
        "process",
        "Bun",
        "Deno",
        "cwd",
        "encoding",
    ],
    // A path relative to an address replaces its last name.
    up: &["__dirname", "dirname", "URL"],
    host: &["__filename", "url"],
    ..Loading::NONE
};
