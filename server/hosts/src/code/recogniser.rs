//! A place of a framework that takes prompts.

use promptls_syntax::Dialect;

/// A call of a framework that takes prompts.
pub(crate) struct Recogniser {
    /// The package that it is imported from, or one that is above of it.
    pub package: &'static str,
    /// What it is called in the package, with a dot before a method.
    pub callee: &'static str,
    pub shape: Shape,
    pub dialect: Dialect,
    pub parameters: &'static [Parameter],
    pub name: Option<NamedBy>,
    /// Whether classes of the host may derive from it.
    pub is_base: bool,
}

/// A parameter that is a prompt.
pub(crate) struct Parameter {
    /// The place as people write it.
    pub place: &'static str,
    pub keyword: &'static str,
    /// Its place among arguments without a keyword.
    pub position: Option<usize>,
    /// What follows the name of its prompt.
    pub suffix: &'static str,
}

/// How arguments are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// In its brackets: `f(instruction="…")`, `new F({instruction: "…"})`, `F{Instruction: "…"}`.
    Call,
    /// As methods of what it gives: `f().instruction("…")`. The last of one name counts.
    Chain,
}

/// Where the name of a prompt stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamedBy {
    /// In this argument of the call.
    Argument(&'static str),
    /// In this argument of the call that it is itself an argument of, with its keyword behind if it
    /// says more than that it is the instruction.
    CallAround(&'static str),
}

impl Recogniser {
    /// Whether a path of modules and names is this callee, in its package or below.
    pub fn is_path(&self, path: &str) -> bool {
        let Some(rest) = path.strip_prefix(self.package) else { return false };
        let before = rest.strip_suffix(self.callee).and_then(|rest| rest.strip_suffix('.'));
        before.is_some_and(|before| before.is_empty() || before.starts_with('.'))
    }
}
