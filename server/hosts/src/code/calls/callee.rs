//! What a name of a program stands for, as one host states it to another.

/// A callee of a framework, under any name of a program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Callee {
    /// Its index in the table of the language.
    pub(crate) row: usize,
    /// For a function that passes parameters to it: these; empty for the callee itself.
    pub(crate) passed: Vec<Passed>,
    /// `true` for an object of it, and for a function that returns one.
    pub(crate) is_object: bool,
}

impl Callee {
    /// The callee of the framework itself.
    pub(crate) fn itself(row: usize) -> Callee {
        Callee { row, passed: Vec::new(), is_object: false }
    }

    /// An object of the callee.
    pub(crate) fn object(row: usize) -> Callee {
        Callee { is_object: true, ..Callee::itself(row) }
    }

    /// A function that passes on parameters.
    pub(crate) fn passing(row: usize, passed: Vec<Passed>) -> Callee {
        Callee { passed, ..Callee::itself(row) }
    }
}

/// A parameter of a function, and the argument of the framework that it becomes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Passed {
    /// The argument of the framework.
    pub keyword: &'static str,
    pub parameter: String,
    /// Its position among arguments without a keyword.
    pub position: Option<usize>,
    /// `true` if its text is only a part of the argument.
    pub is_part: bool,
}
