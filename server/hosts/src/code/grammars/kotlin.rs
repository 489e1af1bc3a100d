//! The expression syntax of Kotlin.

use super::java;
use crate::code::grammar::{
    Builders, Collections, Condition, Does, Entries, Grammar, Joining, Members, Method, alone,
};
use crate::code::loading::Loading;
use crate::code::operation::{Blanks, Conversions, Fields, Operation};

pub(super) const KOTLIN: Grammar = Grammar {
    keyword_sign: Some("="),
    keywords: &["if", "when", "try", "object", "throw", "return", "null", "true", "false", "super"],
    declares: &["class", "interface", "object", "fun"],
    members: Members::OfClasses,
    methods: &[
        alone("trim", Operation::Trim { blanks: Blanks::Kotlin, start: true, end: true }),
        alone("trimIndent", Operation::TrimIndent),
        alone("trimMargin", Operation::TrimMargin),
        Method { name: "format", does: Does::Format(Fields::Percent(Conversions::Java)) },
        Method { name: "replace", does: Does::Replace },
        alone("orEmpty", Operation::Keep),
        alone("toString", Operation::Keep),
        alone("asText", Operation::Keep),
        alone("textValue", Operation::Keep),
        Method { name: "plus", does: Does::Append },
    ],
    functions: &java::FUNCTIONS,
    joining: Some(Joining { method: "joinToString", separator: ", " }),
    collections: &COLLECTIONS,
    builders: Some(&Builders {
        types: &["StringBuilder"],
        appends: &[("append", ""), ("appendLine", "\n")],
        result: "toString",
        block: Some("buildString"),
    }),
    condition: Some(Condition::Keywords),
    arms: Some("when"),
    defaults: &[("getOrDefault", 1), ("getProperty", 1)],
    otherwise: &["?:"],
    loading: Some(&LOADING),
    ..Grammar::PLAIN
};

const LOADING: Loading = Loading {
    readers: &["readText", "readString", "readAllBytes"],
    parsers: &["readTree", "readValue", "load"],
    wrappers: &["String", "use"],
    tails: &["decodeToString"],
    words: &java::WORDS,
    ..Loading::NONE
};

const COLLECTIONS: Collections = Collections {
    getters: &["get", "getValue", "path"],
    lists: &["listOf", "arrayOf", "List.of"],
    maps: &[("mapOf", Entries::Pairs), ("Map.of", Entries::Alternating)],
};
