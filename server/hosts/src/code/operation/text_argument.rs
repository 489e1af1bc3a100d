//! Texts that functions are called with.

/// A known text that a function is called with.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TextArgument {
    /// The keyword; `None` for an argument that is meant by its position.
    pub keyword: Option<String>,
    /// Its position among all arguments.
    pub position: usize,
    pub text: String,
}
