//! What an engine does in a way of its own, beyond the row of its dialect.
//!
//! Each engine is a value of [`Behaviour`]: in a file of `dialects/` as the document of a dialect
//! has it, in a file of `engines/` as it was seen to act. What is not said there is as everybody
//! would think: a name is a key of the inputs, and each placeholder is replaced by itself.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;

use promptls_syntax::{Dialect, Grammar};

use crate::declarations::{Declarations, Variable};
use crate::findings::broken_rules::{BrokenRule, broken_rules, missing_required};
use crate::findings::engine_error::EngineError;
use crate::findings::found::Found;
use crate::findings::problem::{FileId, Problem};
use crate::given::{Given, Workflow};
use crate::outcome::{Form, Lookup, Outcome};
use crate::output::Bounded;
use crate::resolution::Resolution;
use crate::string_form::StringForm;
use crate::template::{Item, Template, This};
use crate::value::Value;
use crate::values::ValueRef;

/// What an engine does in a way of its own.
pub(crate) struct Behaviour {
    /// How it splits a prompt into tokens.
    pub grammar: Grammar,
    /// How it writes values that are no texts.
    pub form: StringForm,
    /// What a null comes to.
    pub null: Null,
    /// What a value comes to, and where it is written in its file, if it has one; `None` where
    /// `form` and `null` tell.
    pub value: Option<OfValue>,
    /// What a name means, with the [`key_hash`](crate::key_hash) of its first key; `None` where
    /// it means the value of the key.
    pub lookup: Option<OfName>,
    /// What a path leads to from the item of a loop on; `None` where that is as everywhere.
    pub of_item: Option<OfItem>,
    /// The name that is looked up for what stands between the braces; `None` where it is that.
    pub effective_name: Option<for<'n> fn(&Behaviour, &'n str) -> Cow<'n, str>>,
    /// What is to be said once all placeholders are known; `None` where a name alone is never
    /// an error.
    pub verdict: Option<fn(&Template<'_>, &Given<'_>, &Found) -> Verdict>,
    /// Whether that is said before any limit is reached.
    pub verdict_first: bool,
    /// How it resolves, where not placeholder by placeholder.
    pub way: Option<Way>,
    /// Whether, in spite of its way, a prompt comes out as if it were resolved placeholder by
    /// placeholder where all values are texts; asked once for a prompt. `None` where none does.
    pub is_orderly: Option<fn(&Template<'_>) -> bool>,
    /// What has it read a text again that it made of such a prompt, or refuse it; `None` where
    /// nothing does.
    pub reads_again: Option<&'static str>,
    /// Whether, in spite of its way, it fills in `{{key}}` like any other where each is a plain key
    /// with a text, and there is no brace besides, in the prompt or in these texts.
    pub fills_in_keys: bool,
    /// Whether it raises an error for a prompt or inputs that are null, where others make null
    /// of the prompt, and read no inputs as empty ones.
    pub refuses_null: bool,
    /// Whether a name needs a value although it is marked as optional; `None` where none does.
    pub needs: Option<fn(&Behaviour, &str) -> bool>,
    /// Fills what a workflow has at hand in what was resolved without it; `None` where there are
    /// no workflows.
    pub workflow: Option<InWorkflow>,
    /// How fragments are written.
    pub fragment_names: FragmentNames,
    /// What it says of declared variables.
    pub declared: Declared,
    /// What only the engines of its dialect know: they ask for it by its type.
    pub own: &'static (dyn Any + Send + Sync),
}

impl fmt::Debug for Behaviour {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Behaviour({:?})", self.grammar)
    }
}

/// What a value comes to.
pub(crate) type OfValue = for<'a> fn(&Behaviour, &'a Value, Option<FileId>) -> Lookup<'a>;

/// What a name means, with the hash of its first key.
pub(crate) type OfName = for<'a> fn(&Behaviour, &str, u64, &Given<'a>) -> Lookup<'a>;

/// What a path leads to from the item of a loop on.
pub(crate) type OfItem = for<'a> fn(&Behaviour, Item<'a>, This<'_>, Option<FileId>) -> Lookup<'a>;

/// Fills what a workflow has at hand.
pub(crate) type InWorkflow = fn(&Template<'_>, &Given<'_>, &Workflow, Resolution) -> Resolution;

/// What a null comes to.
#[derive(Clone, Copy)]
pub(crate) enum Null {
    /// Nothing.
    Empty,
    /// Nothing, as far as one can tell: the reason why it cannot be told.
    Unpredictable(&'static str),
    /// No value at all.
    Missing,
    /// This text.
    Text(&'static str),
}

/// What an engine says about a prompt and its inputs.
#[derive(Default)]
pub(crate) struct Verdict {
    /// Problems besides those with placeholders.
    pub problems: Vec<Problem>,
    /// The error that it raises.
    pub error: Option<EngineError>,
}

/// How a fragment is written between braces.
#[derive(Clone, Copy)]
pub(crate) struct FragmentNames {
    /// What stands before its name.
    pub prefix: Option<&'static str>,
    /// Whether its name alone is enough.
    pub alone: bool,
}

impl FragmentNames {
    /// The fragment that a name means: see [`Engine::fragment_name`](crate::Engine::fragment_name).
    pub fn fragment<'n>(self, declarations: &Declarations, name: &'n str) -> Option<&'n str> {
        let without_prefix = self.prefix.and_then(|prefix| name.strip_prefix(prefix));
        let is_one = || self.alone && declarations.fragment(name).is_some();
        without_prefix.or_else(|| is_one().then_some(name))
    }
}

/// What an engine says of declared variables, in the order of declaration.
pub(crate) struct Declared {
    /// Those that need a value and have none.
    pub missing: for<'a> fn(&Given<'a>) -> Vec<&'a Variable>,
    /// Those whose values it does not take.
    pub broken: for<'a> fn(&Given<'a>) -> Vec<BrokenRule<'a>>,
}

impl Declared {
    /// As declarations are read where an engine has no way of its own.
    pub const DOCUMENTED: Declared = Declared { missing: missing_required, broken: broken_rules };
}

/// A way to resolve, as [`Template::resolve`] and [`Template::render`].
pub(crate) struct Way {
    pub resolve: fn(&Template<'_>, &Given<'_>) -> Resolution,
    pub render: fn(&Template<'_>, &Given<'_>, Bounded) -> Result<String, EngineError>,
}

impl Behaviour {
    /// One that does nothing out of the ordinary, and writes values as JSON.
    pub const fn plain(dialect: Dialect) -> Behaviour {
        Behaviour {
            grammar: Grammar::Documented(dialect),
            form: StringForm::JSON,
            null: Null::Empty,
            value: None,
            lookup: None,
            of_item: None,
            effective_name: None,
            verdict: None,
            verdict_first: false,
            way: None,
            is_orderly: None,
            reads_again: None,
            fills_in_keys: false,
            refuses_null: false,
            needs: None,
            workflow: None,
            fragment_names: FragmentNames { prefix: None, alone: false },
            declared: Declared::DOCUMENTED,
            own: &(),
        }
    }

    /// The dialect it belongs to.
    pub const fn dialect(&self) -> Dialect {
        self.grammar.dialect()
    }

    /// What a name means outside of all loops; `root_hash` is the
    /// [`key_hash`](crate::key_hash) of its first key.
    pub fn look_up<'a>(&self, name: &str, root_hash: u64, given: &Given<'a>) -> Lookup<'a> {
        let found = match self.lookup {
            Some(lookup) => lookup(self, name, root_hash, given),
            None => match given.values.get_hashed(name, root_hash) {
                Some(found) => self.value_of(found, given.values.file()),
                None => Lookup::MISSING,
            },
        };
        if found.is_missing() && given.is_supplied(self.dialect(), name) {
            return Lookup::new(Outcome::Runtime, None);
        }
        found
    }

    /// What a value of a file comes to.
    pub fn value<'a>(&self, value: &'a Value, file: Option<FileId>) -> Lookup<'a> {
        if let Some(own) = self.value {
            return own(self, value, file);
        }
        let location = value.location(file);
        let outcome = match (value.as_text(), self.null) {
            (Some(text), _) => Outcome::Text(text),
            (None, _) if !value.is_null() => Outcome::Value(value, Form(self.form)),
            (None, Null::Empty) => Outcome::Empty,
            (None, Null::Missing) => Outcome::Missing,
            (None, Null::Text(text)) => Outcome::Text(text),
            (None, Null::Unpredictable(why)) => {
                return Lookup::new(Outcome::Empty, location).unpredictable(why);
            }
        };
        Lookup::new(outcome, location)
    }

    /// What a value comes to that may be a caller's own.
    pub fn value_of<'a>(&self, found: ValueRef<'a>, file: Option<FileId>) -> Lookup<'a> {
        match found {
            ValueRef::Value(value) => self.value(value, file),
            ValueRef::Text(text) => Lookup::new(Outcome::Text(text), None),
            scalar => self.value(&scalar.to_value(), None).into_owned(),
        }
    }
}
