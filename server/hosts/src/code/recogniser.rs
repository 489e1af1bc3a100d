//! A place of a framework that takes prompts.

use promptls_syntax::Dialect;

/// A framework call that takes prompts.
pub(crate) struct Recogniser {
    /// The package that it is imported from, or a parent of it.
    pub package: &'static str,
    /// Its name in the package; a method is preceded by a dot.
    pub callee: &'static str,
    pub shape: Shape,
    pub dialect: Dialect,
    pub parameters: &'static [Parameter],
    pub name: Option<NamedBy>,
    /// `true` if classes of the host may derive from it.
    pub is_base: bool,
    /// The argument that makes its prompts templates of another syntax, unless it is `False`; and the
    /// name of this syntax.
    pub other_syntax: Option<(&'static str, &'static str)>,
}

/// A parameter that is a prompt.
pub(crate) struct Parameter {
    /// The place as users write it.
    pub place: &'static str,
    pub keyword: &'static str,
    /// Its position among arguments without a keyword.
    pub position: Option<usize>,
    /// The suffix for the name of its prompt.
    pub suffix: &'static str,
}

/// The syntax in which a callee takes its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// In brackets: `f(instruction="…")`, `new F({instruction: "…"})`, `F{Instruction: "…"}`.
    Call,
    /// As chained methods: `f().instruction("…")`. The last one of a name counts.
    Chain,
    /// As a method of an object that one of these functions or classes of the package creates:
    /// `client = Client()`, `client.f(prompt="…")`.
    Method(&'static [&'static str]),
}

/// The source of the name of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamedBy {
    /// This argument of the call.
    Argument(&'static str),
    /// This argument of the enclosing call of which the call is an argument. The keyword of that
    /// argument is appended, unless it is merely the instruction.
    CallAround(&'static str),
    /// This argument of the call, or the first one, which names the prompt and no agent.
    Prompt(&'static str),
}

impl Parameter {
    /// `true` if the framework takes this text only if its store has none, so that values of the
    /// call may be those of the stored text.
    pub fn is_fallback(&self) -> bool {
        self.keyword == "fallback"
    }
}

impl Recogniser {
    /// `true` if a path of modules and names is a function or class in its package or below.
    pub fn is_in_package(&self, path: &str, callee: &str) -> bool {
        let Some(rest) = path.strip_prefix(self.package) else { return false };
        let before = rest.strip_suffix(callee).and_then(|rest| rest.strip_suffix('.'));
        before.is_some_and(|before| before.is_empty() || before.starts_with('.'))
    }
}
