//! The expression syntax of Python.

use crate::code::grammar::{
    Collections, Condition, Does, Function, Grammar, Iteration, Method, Yields, alone,
};
use crate::code::loading::Loading;
use crate::code::operation::{Blanks, Conversions, Fields, Operation};

const fn trim(start: bool, end: bool) -> Operation {
    Operation::Trim { blanks: Blanks::Python, start, end }
}

pub(super) const PYTHON: Grammar = Grammar {
    keyword_sign: Some("="),
    base: &["super", "(", ")", ".", "__init__"],
    keywords: &["lambda", "not", "await", "yield", "if", "None"],
    declares: &["def", "class"],
    joins_neighbours: true,
    methods: &[
        alone("strip", trim(true, true)),
        alone("lstrip", trim(true, false)),
        alone("rstrip", trim(false, true)),
        Method { name: "format", does: Does::Format(Fields::Braces) },
        Method { name: "replace", does: Does::Replace },
        Method { name: "join", does: Does::Join },
    ],
    functions: &[
        function("textwrap.dedent", Operation::Dedent),
        function("inspect.cleandoc", Operation::CleanDoc),
    ],
    format_sign: Some(("%", Fields::Percent(Conversions::Python))),
    collections: &Collections { getters: &["get"], lists: &[], maps: &[] },
    condition: Some(Condition::ValueFirst),
    defaults: &[("get", 1), ("getenv", 1), ("getattr", 2)],
    otherwise: &["or"],
    conversions: &["str"],
    iterations: &[
        Iteration { callee: ".items", yields: Yields::KeysAndValues },
        Iteration { callee: ".values", yields: Yields::Values },
        Iteration { callee: "enumerate", yields: Yields::NumbersAndItems },
        Iteration { callee: "list", yields: Yields::Items },
        Iteration { callee: "reversed", yields: Yields::Items },
        Iteration { callee: "sorted", yields: Yields::Items },
        Iteration { callee: "tuple", yields: Yields::Items },
    ],
    constructor: Some("__init__"),
    own: &["self", "cls"],
    loading: Some(&LOADING),
    ..Grammar::PLAIN
};

const fn function(path: &'static str, operation: Operation) -> Function {
    Function { path, does: Does::Alone(operation), takes_more: false }
}

const LOADING: Loading = Loading {
    readers: &["read", "read_text", "read_bytes", "get_data"],
    parsers: &["load", "loads", "safe_load", "full_load"],
    tails: &["decode"],
    words: &[
        "Path",
        "pathlib",
        "PurePath",
        "open",
        "io",
        "codecs",
        "os",
        "path",
        "join",
        "joinpath",
        "abspath",
        "realpath",
        "resolve",
        "absolute",
        "importlib",
        "resources",
        "files",
        "pkgutil",
        "str",
    ],
    up: &["__package__", "__name__", "parent", "dirname", "with_name"],
    host: &["__file__"],
    of_packages: &["files", "read_text", "get_data"],
    // In text mode, each line end is read as a line feed.
    operation: Some(Operation::LineFeeds),
    ..Loading::NONE
};
