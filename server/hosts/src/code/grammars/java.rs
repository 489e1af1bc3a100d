//! The expression syntax of Java.

use crate::code::grammar::{
    Builders, Collections, Condition, Does, Entries, Function, Grammar, Members, Method,
    SeparatorPlace, alone,
};
use crate::code::loading::Loading;
use crate::code::operation::{Blanks, Conversions, Fields, Operation};

const fn strip(start: bool, end: bool) -> Operation {
    Operation::Trim { blanks: Blanks::Java, start, end }
}

pub(super) const JAVA: Grammar = Grammar {
    keywords: &["new", "switch", "null", "true", "false", "super"],
    declares: &["class", "interface", "enum", "record"],
    members: Members::OfClasses,
    methods: &[
        alone("trim", Operation::Trim { blanks: Blanks::UpToSpace, start: true, end: true }),
        alone("strip", strip(true, true)),
        alone("stripLeading", strip(true, false)),
        alone("stripTrailing", strip(false, true)),
        Method { name: "formatted", does: Does::Format(Fields::Percent(Conversions::Java)) },
        Method { name: "replace", does: Does::Replace },
        alone("toString", Operation::Keep),
        alone("asText", Operation::Keep),
        alone("textValue", Operation::Keep),
        alone("intern", Operation::Keep),
        Method { name: "concat", does: Does::Append },
    ],
    functions: &FUNCTIONS,
    join: Some(("String.join", SeparatorPlace::First)),
    collections: &COLLECTIONS,
    builders: Some(&Builders {
        types: &["StringBuilder", "StringBuffer"],
        appends: &[("append", "")],
        result: "toString",
        block: None,
    }),
    condition: Some(Condition::Signs),
    arms: Some("switch"),
    defaults: &[("getOrDefault", 1), ("orElse", 0), ("requireNonNullElse", 1), ("getProperty", 1)],
    loading: Some(&LOADING),
    ..Grammar::PLAIN
};

/// Functions of `java.lang`, which need no import.
pub(super) const FUNCTIONS: [Function; 2] =
    [format("String.format"), format("java.lang.String.format")];

const fn format(path: &'static str) -> Function {
    Function { path, does: Does::Format(Fields::Percent(Conversions::Java)), takes_more: true }
}

const LOADING: Loading = Loading {
    readers: &["readString", "readAllBytes"],
    parsers: &["readTree", "readValue", "load"],
    wrappers: &["String"],
    words: &WORDS,
    ..Loading::NONE
};

/// Words of paths and resources.
pub(super) const WORDS: [&str; 29] = [
    "new",
    "java",
    "nio",
    "file",
    "io",
    "Files",
    "Path",
    "Paths",
    "of",
    "get",
    "File",
    "toPath",
    "StandardCharsets",
    "UTF_8",
    "getClass",
    "class",
    "getClassLoader",
    "getResource",
    "getResourceAsStream",
    "Thread",
    "currentThread",
    "getContextClassLoader",
    "resolve",
    "toURI",
    "Charsets",
    "Charset",
    "defaultCharset",
    "bufferedReader",
    "it",
];

const COLLECTIONS: Collections = Collections {
    getters: &["get", "path"],
    lists: &["List.of", "Arrays.asList", "Set.of", "Stream.of"],
    maps: &[("Map.of", Entries::Alternating), ("Map.ofEntries", Entries::Calls)],
};
