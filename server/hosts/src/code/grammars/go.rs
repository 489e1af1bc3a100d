//! The expression syntax of Go.

use crate::code::grammar::{Builders, Collections, Does, Function, Grammar, SeparatorPlace};
use crate::code::loading::Loading;
use crate::code::operation::{Blanks, Conversions, Fields, Operation};

const fn with_more(path: &'static str, does: Does) -> Function {
    Function { path, does, takes_more: true }
}

pub(super) const GO: Grammar = Grammar {
    brackets: &["(", "{"],
    keyword_sign: Some(":"),
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
    beside: Some("."),
    functions: &[
        Function {
            path: "strings.TrimSpace",
            does: Does::Alone(Operation::Trim { blanks: Blanks::Unicode, start: true, end: true }),
            takes_more: false,
        },
        Function { path: "fmt.Sprint", does: Does::Alone(Operation::Keep), takes_more: false },
        with_more("fmt.Sprintf", Does::Format(Fields::Percent(Conversions::Go))),
        with_more("strings.ReplaceAll", Does::Replace),
        with_more("strings.Replace", Does::Replace),
    ],
    join: Some(("strings.Join", SeparatorPlace::Last)),
    collections: &Collections { getters: &[], lists: &["[]string"], maps: &[] },
    has_typed_lists: true,
    builders: Some(&Builders {
        types: &["strings.Builder", "bytes.Buffer"],
        appends: &[("WriteString", "")],
        result: "String",
        block: None,
    }),
    defaults: &[("Or", 1)],
    conversions: &["string"],
    loading: Some(&LOADING),
    ..Grammar::PLAIN
};

const LOADING: Loading = Loading {
    readers: &["ReadFile"],
    parsers: &["Unmarshal"],
    words: &["os", "ioutil", "filepath", "path", "Join"],
    mark: Some("//go:embed "),
    ..Loading::NONE
};
