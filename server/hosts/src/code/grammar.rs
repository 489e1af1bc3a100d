//! How a language writes expressions.

use super::operation::Operation;

/// How a language writes expressions.
pub(crate) struct Grammar {
    /// The brackets that arguments stand in.
    pub brackets: &'static [&'static str],
    /// What stands between the keyword of an argument and its value.
    pub keyword_sign: Option<&'static str>,
    /// Whether keys of a list in braces that is an argument are keywords, too.
    pub has_options: bool,
    /// What stands before a bracket with the arguments of the class that this one derives from.
    pub base: &'static [&'static str],
    /// Words behind a value that say its type, and nothing else.
    pub casts: &'static [&'static str],
    /// Words that start an operand which is no value of its own.
    pub keywords: &'static [&'static str],
    /// Words before a name with a bracket that declares it.
    pub declares: &'static [&'static str],
    /// Whether literals beside each other are one text.
    pub joins_neighbours: bool,
    pub members: Members,
    /// The module of names that other files of the folder declare, where these need no import.
    pub beside: Option<&'static str>,
    pub methods: &'static [Method],
    pub functions: &'static [Function],
}

/// What stands before the dot of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Members {
    /// A module that is imported. Names of classes are known in the class alone.
    OfModules,
    /// A class: one of this host, one that is imported, or one beside it. What is in a class is
    /// known in the classes and functions within it, too.
    OfClasses,
}

/// A method of texts: how it is called, and what it does.
pub(crate) struct Method {
    pub name: &'static str,
    pub does: Does,
}

/// What a method does with its text.
pub(crate) enum Does {
    /// Something that needs no arguments, and has none.
    Alone(Operation),
    /// Replaces the text of its first argument by that of its second one.
    Replace,
    /// The same where it stands first, or everywhere. In the second argument, `$` means something
    /// else than itself.
    ReplaceByPattern { is_all: bool },
    /// Something for which its arguments are holes.
    Format(Operation),
    /// The same, on literals that are written in place only: in others, nobody would double braces.
    FormatWritten(Operation),
}

/// A function of a module that takes a text.
pub(crate) struct Function {
    pub path: &'static str,
    pub operation: Operation,
    /// Whether what follows the text are arguments of their own, and not a part of it.
    pub takes_more: bool,
}

pub(crate) const fn alone(name: &'static str, operation: Operation) -> Method {
    Method { name, does: Does::Alone(operation) }
}
