//! The expression syntax of Go.

use crate::code::grammar::{Function, Grammar, Members, SeparatorPlace};
use crate::code::loading::Loading;
use crate::code::operation::{Blanks, Operation};

pub(super) const GO: Grammar = Grammar {
    brackets: &["(", "{"],
    keyword_sign: Some(":"),
    has_options: false,
    base: &[],
    casts: &[],
    keywords: &[
        "func",
        "map",
        "chan",
        "struct",
        "interface",
        "range",
        "nil",
        "true",
        "false",
        "iota",
    ],
    declares: &["func", "type"],
    joins_neighbours: false,
    members: Members::OfModules,
    beside: Some("."),
    methods: &[],
    functions: &[Function {
        path: "strings.TrimSpace",
        operation: Operation::Trim { blanks: Blanks::Unicode, start: true, end: true },
        takes_more: false,
    }],
    format_sign: None,
    joining: None,
    join: Some(("strings.Join", SeparatorPlace::Last)),
    condition: None,
    arms: None,
    defaults: &[("Or", 1)],
    otherwise: &[],
    conversions: &["string"],
    loading: Some(&LOADING),
};

const LOADING: Loading = Loading {
    readers: &["ReadFile"],
    parsers: &[],
    wrappers: &[],
    tails: &[],
    words: &["os", "ioutil", "filepath", "path", "Join"],
    up: &[],
    host: &[],
    of_packages: &[],
    mark: Some("//go:embed "),
    operation: None,
};
