//! The expression syntax of a language.

use super::loading::Loading;
use super::operation::{Fields, Operation};

/// The expression syntax of a language.
pub(crate) struct Grammar {
    /// The opening brackets of arguments: `(`, and in Go also `{`.
    pub brackets: &'static [&'static str],
    /// The sign between the keyword of an argument and its value.
    pub keyword_sign: Option<&'static str>,
    /// `true` if keys of an object literal as an argument are keywords, too.
    pub has_options: bool,
    /// The tokens before a bracket with the arguments of the base class.
    pub base: &'static [&'static str],
    /// Words after a value that only state its type.
    pub casts: &'static [&'static str],
    /// Words that start an operand without a value of its own.
    pub keywords: &'static [&'static str],
    /// Words before a name and bracket that declare it.
    pub declares: &'static [&'static str],
    /// `true` if adjacent literals are concatenated.
    pub joins_neighbours: bool,
    pub members: Members,
    /// The module of names from other files of the folder, if these need no import.
    pub beside: Option<&'static str>,
    pub methods: &'static [Method],
    pub functions: &'static [Function],
    /// The sign between a text and values that are put into it, and the notation of their places.
    pub format_sign: Option<(&'static str, Fields)>,
    pub joining: Option<Joining>,
    /// The function that joins texts; the separator is its first argument, or its last one.
    pub join: Option<(&'static str, SeparatorPlace)>,
    /// The notation of lists and maps.
    pub collections: &'static Collections,
    /// `true` if braces with values follow a type: `[]string{"a"}`, `T{A: "a"}`.
    pub has_typed_lists: bool,
    /// The notation of building texts in steps.
    pub builders: Option<&'static Builders>,
    /// The notation of a condition.
    pub condition: Option<Condition>,
    /// The word before values by case, each after an arrow.
    pub arms: Option<&'static str>,
    /// Functions that return a value, or the argument at a position in place of a missing one.
    pub defaults: &'static [(&'static str, usize)],
    /// Signs between values of which the first usable one counts.
    pub otherwise: &'static [&'static str],
    /// Functions that return a text unchanged.
    pub conversions: &'static [&'static str],
    /// Functions and methods that return the items of a loop.
    pub iterations: &'static [Iteration],
    /// Methods of a list that call a function with each of its items.
    pub mappers: &'static [&'static str],
    /// The method that sets the attributes of a new object.
    pub constructor: Option<&'static str>,
    /// Names of the object that a method belongs to.
    pub own: &'static [&'static str],
    /// The notation of reading text files.
    pub loading: Option<&'static Loading>,
}

impl Grammar {
    /// A language with functions and objects, and without words of its own.
    pub const PLAIN: Grammar = Grammar {
        brackets: &["("],
        keyword_sign: None,
        has_options: false,
        base: &[],
        casts: &[],
        keywords: &[],
        declares: &[],
        joins_neighbours: false,
        members: Members::OfModules,
        beside: None,
        methods: &[],
        functions: &[],
        format_sign: None,
        joining: None,
        join: None,
        collections: &Collections { getters: &[], lists: &[], maps: &[] },
        has_typed_lists: false,
        builders: None,
        condition: None,
        arms: None,
        defaults: &[],
        otherwise: &[],
        conversions: &[],
        iterations: &[],
        mappers: &[],
        constructor: None,
        own: &["this"],
        loading: None,
    };
}

/// The functions of a language that create lists and maps, and the methods that read them.
pub(crate) struct Collections {
    /// Methods that return the value of a key, or the item at a position.
    pub getters: &'static [&'static str],
    /// Functions that return a list of their arguments.
    pub lists: &'static [&'static str],
    /// Functions that return a map of their arguments, with the notation of its entries.
    pub maps: &'static [(&'static str, Entries)],
}

/// The notation of the entries of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entries {
    /// A key and a value are two arguments: `"key", value`.
    Alternating,
    /// A word is between key and value: `"key" to value`.
    Pairs,
    /// A call has key and value as arguments: `Map.entry("key", value)`.
    Calls,
}

/// The notation of a language for building texts.
pub(crate) struct Builders {
    /// The types whose objects build texts.
    pub types: &'static [&'static str],
    /// The methods that append, with what they append after their argument.
    pub appends: &'static [(&'static str, &'static str)],
    /// The method that returns the text.
    pub result: &'static str,
    /// The function whose block appends to the text that it returns.
    pub block: Option<&'static str>,
}

/// The items of a call that a loop runs over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Yields {
    /// The items of a list.
    Items,
    /// The values of an object.
    Values,
    /// Pairs of a key and a value of an object.
    KeysAndValues,
    /// Pairs of a number and an item of a list.
    NumbersAndItems,
}

/// A function or method that returns the items of a loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Iteration {
    /// `enumerate`, `Object.entries`; with a dot before it, a method of the value.
    pub callee: &'static str,
    pub yields: Yields,
}

/// The notation of a choice between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// `value if condition else value`
    ValueFirst,
    /// `condition ? value : value`
    Signs,
    /// `if (condition) value else value`
    Keywords,
}

/// The place of the separator among the arguments of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeparatorPlace {
    /// Before a list, or before the texts themselves.
    First,
    /// After a list, as the last argument.
    Last,
}

/// The notation of a list of texts that are joined by a method of the list.
pub(crate) struct Joining {
    pub method: &'static str,
    /// The separator without an argument.
    pub separator: &'static str,
}

/// The qualifier before the dot of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Members {
    /// An imported module. Members of classes are visible in the class alone.
    OfModules,
    /// A class: of this host, imported, or of the same package. Members of a class are visible in
    /// nested classes and functions, too.
    OfClasses,
}

/// A string method: its name and effect.
pub(crate) struct Method {
    pub name: &'static str,
    pub does: Does,
}

/// The effect of a method on its text.
pub(crate) enum Does {
    /// An operation that does not depend on arguments, such as `trim` in Java.
    Alone(Operation),
    /// Replaces the text of its first argument by that of its second one.
    Replace,
    /// Replaces the first occurrence, or all. In the second argument, `$` has a special meaning.
    ReplaceByPattern { is_all: bool },
    /// Puts its arguments into the text.
    Format(Fields),
    /// Joins the texts of a list with this one between them.
    Join,
    /// Appends its arguments to the text.
    Append,
}

/// A function of a module that takes a text.
pub(crate) struct Function {
    pub path: &'static str,
    /// Its effect on its first argument.
    pub does: Does,
    /// `true` if it has more arguments than the text.
    pub takes_more: bool,
}

pub(crate) const fn alone(name: &'static str, operation: Operation) -> Method {
    Method { name, does: Does::Alone(operation) }
}
