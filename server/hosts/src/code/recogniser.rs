//! A place of a framework that takes prompts.

use promptls_syntax::Dialect;

/// A framework call that takes prompts.
pub(crate) struct Recogniser {
    /// The packages that it is imported from, or parents of them.
    pub packages: &'static [&'static str],
    /// Its name in the package; a method is preceded by a dot.
    pub callee: &'static str,
    pub shape: Shape,
    pub dialect: Dialect,
    /// The engine of its prompts, if a language has several of the dialect.
    pub engine: Option<&'static str>,
    pub parameters: &'static [Parameter],
    pub name: Option<NamedBy>,
    /// `true` if it is a class from which classes of programs may derive, or a method of one.
    pub is_base: bool,
    pub other_syntax: Option<OtherSyntax>,
    /// The framework, as users call it, if its prompts are listed and not read.
    pub unsupported: Option<&'static str>,
    /// Arguments whose texts become a part of its prompts before these are filled, each with its
    /// position among arguments without a keyword.
    pub inserted: &'static [(&'static str, Option<usize>)],
    /// The methods of its object that supply values, if it creates a template.
    pub methods: Option<&'static TemplateMethods>,
}

/// The methods of a template that supply its values.
pub(crate) struct TemplateMethods {
    /// Those that supply all values that are missing so far.
    pub fills: &'static [TemplateMethod],
    /// Those that return the template with some of the values.
    pub partial: &'static [TemplateMethod],
    /// The argument of the call that creates it with some of the values.
    pub argument: &'static str,
    /// The arguments of that call with which values may have other names than the prompt.
    pub renaming: &'static [&'static str],
    /// The argument of that call with the list of all its names; empty if there is none.
    pub listed: &'static str,
    /// Those that return a chain which starts with the template.
    pub chains: &'static [&'static str],
    /// The calls that create a chain of their arguments.
    pub sequences: &'static [&'static str],
    /// The calls that create a part of a chain which passes on a map with just these keys.
    pub maps: &'static [&'static str],
    /// The same, which also passes on the values that it gets.
    pub adding: &'static [&'static str],
    /// The calls that create a chain with the template, which takes its values.
    pub wrapping: &'static [Wrapping],
    /// The keywords of the methods that fill it which are no values.
    pub own: &'static [&'static str],
    /// `false` if names without a value stay as they are, so that none is missing.
    pub is_strict: bool,
}

/// A call that creates a chain with a template.
pub(crate) struct Wrapping {
    pub callee: &'static str,
    /// The argument with the template, and its position among arguments without a keyword.
    pub argument: (&'static str, Option<usize>),
    /// An argument with which the template gets further values.
    pub unless: &'static str,
}

/// A method of a template that takes values.
pub(crate) struct TemplateMethod {
    pub name: &'static str,
    pub takes: Taken,
}

/// The notation of the values that a method of a template takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// Its keywords are the names.
    Keywords,
    /// Its first argument, or the one of this keyword, is a map by the names.
    Map(&'static str),
    /// The same argument is a list of such maps, each for a call of its own.
    Maps(&'static str),
    /// Its keywords are the names, or its first argument is a map by the names.
    KeywordsOrMap,
}

/// An argument that makes the prompts of a call templates of another syntax.
pub(crate) struct OtherSyntax {
    pub keyword: &'static str,
    /// The value with which they stay prompts of the dialect: a text, or the source of a token.
    pub unless: &'static str,
    /// The other syntax, as users call it.
    pub title: &'static str,
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
    /// The notations of messages in its value, if that may be a list of them.
    pub messages: Option<&'static Messages>,
    pub source: TextSource,
}

/// What an argument of a prompt is.
#[derive(Clone, Copy)]
pub(crate) enum TextSource {
    /// The text of the prompt itself.
    Argument,
    /// The path of a file: of the text, or of data with the text at these keys.
    File(&'static [&'static str]),
    /// The name of the prompt in this service.
    Service(&'static str),
}

/// The notations of messages in a list, whose texts are prompts.
pub(crate) struct Messages {
    /// The bracket around a role and a text: `("system", "…")`; empty without such pairs.
    pub pair: &'static str,
    /// The key of the text of an object: `{"role": "system", "content": "…"}`; empty without objects.
    pub content: &'static str,
    /// The role of a text alone; `None` if there are no such messages.
    pub bare: Option<&'static str>,
    /// The class of an object with a `role` and the text, instead of a map; empty for maps.
    pub object: &'static str,
    /// The classes of messages that are no notation of a text.
    pub classes: Option<&'static MessageClasses>,
    /// The roles of prompts, with which their names end. Empty if names have no roles, and every
    /// message is a prompt.
    pub roles: &'static [&'static str],
    /// `true` if the framework raises an error for other roles.
    pub refuses_roles: bool,
}

impl Messages {
    /// No notation: the base of the others.
    pub const NONE: Messages = Messages {
        pair: "",
        content: "",
        bare: None,
        object: "",
        classes: None,
        roles: &[],
        refuses_roles: false,
    };
}

/// The classes whose objects may be in a list of messages.
pub(crate) struct MessageClasses {
    /// The starts of the names of classes of one message, with its role. A class with just this name
    /// is sent as it is; others have templates.
    pub roles: &'static [(&'static str, &'static str)],
    /// The class that stands for messages which the program supplies.
    pub supplied: &'static str,
    /// The keyword of its name.
    pub name: &'static str,
    /// The classes whose messages are those of examples, which have the values of these.
    pub examples: &'static [&'static str],
}

/// The syntax in which a callee takes its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// In brackets: `f(instruction="…")`, `new F({instruction: "…"})`, `F{Instruction: "…"}`.
    Call,
    /// In a map that is the first argument: `F.model_validate({"instruction": "…"})`.
    Map,
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

impl Parameter {
    /// A parameter that is passed by keyword.
    pub const fn named(place: &'static str, keyword: &'static str) -> Parameter {
        let source = TextSource::Argument;
        Parameter { place, keyword, position: None, suffix: "", messages: None, source }
    }

    /// The first parameter, which may also be passed by keyword.
    pub const fn first(place: &'static str, keyword: &'static str) -> Parameter {
        Parameter { position: Some(0), ..Parameter::named(place, keyword) }
    }

    /// The same parameter with a suffix for names.
    pub const fn suffixed(self, suffix: &'static str) -> Parameter {
        Parameter { suffix, ..self }
    }

    /// The same parameter, whose value leads to the text.
    pub const fn from(self, source: TextSource) -> Parameter {
        Parameter { source, ..self }
    }

    /// The same parameter, whose value may be a list of messages.
    pub const fn of(self, messages: &'static Messages) -> Parameter {
        Parameter { messages: Some(messages), ..self }
    }
}

impl Recogniser {
    /// A call whose prompts are named by variables, and whose engine follows from the language.
    pub const fn call(
        packages: &'static [&'static str],
        callee: &'static str,
        dialect: Dialect,
        parameters: &'static [Parameter],
    ) -> Recogniser {
        Recogniser {
            packages,
            callee,
            shape: Shape::Call,
            dialect,
            engine: None,
            parameters,
            name: None,
            is_base: false,
            other_syntax: None,
            unsupported: None,
            inserted: &[],
            methods: None,
        }
    }

    /// The keywords of its prompts.
    pub fn keywords(&self) -> Vec<&'static str> {
        self.parameters.iter().map(|parameter| parameter.keyword).collect()
    }

    /// The last name of its callee.
    pub fn last_name(&self) -> &'static str {
        self.callee.rsplit('.').next().unwrap_or(self.callee)
    }

    /// `true` if a path of modules and names is a function or class in one of its packages or below.
    pub fn is_in_package(&self, path: &str, callee: &str) -> bool {
        self.packages.iter().any(|package| {
            let rest = path.strip_prefix(package).and_then(|rest| rest.strip_suffix(callee));
            let before = rest.and_then(|rest| rest.strip_suffix('.'));
            before.is_some_and(|before| before.is_empty() || before.starts_with('.'))
        })
    }

    /// `true` for one of its packages, or a module below.
    pub fn has_module(&self, module: &str) -> bool {
        self.packages.iter().any(|package| {
            let rest = module.strip_prefix(package);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    }
}
