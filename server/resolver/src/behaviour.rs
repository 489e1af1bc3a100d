//! Engine-specific behaviour, beyond the row of the dialect.
//!
//! Each engine is a value of [`Behaviour`]: in a file of `dialects/` as the document of a dialect
//! describes it, or in a file of `engines/` as it was observed. The defaults are the obvious ones:
//! a name is a key of the inputs, and each placeholder is replaced separately.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;

use promptls_syntax::{Dialect, Grammar};

use crate::declarations::{Declarations, Variable};
use crate::findings::broken_rules::{BrokenRule, broken_rules, missing_required};
use crate::findings::engine_error::EngineError;
use crate::findings::problem::{FileId, Problem};
use crate::findings::run_findings::RunFindings;
use crate::outcome::{Form, Lookup, Outcome};
use crate::output::Bounded;
use crate::resolution::Resolution;
use crate::resolve_context::{ResolveContext, Workflow};
use crate::string_form::StringForm;
use crate::template::{Item, Template, This};
use crate::value::Value;
use crate::values::ValueRef;

/// The behaviour of an engine.
pub(crate) struct Behaviour {
    /// The grammar that splits a prompt into tokens.
    pub grammar: Grammar,
    /// The text form of values that are not texts.
    pub form: StringForm,
    /// The result for a null.
    pub null: Null,
    /// The result for a value, given its position in its file, if any; `None` if `form` and `null`
    /// determine it.
    pub value: Option<OfValue>,
    /// The meaning of a name, given the [`key_hash`](crate::key_hash) of its first key; `None` if
    /// it is always the value of the key.
    pub lookup: Option<OfName>,
    /// The target of a path from a loop item; `None` for the default.
    pub of_item: Option<OfItem>,
    /// The name to look up for the text between the braces; `None` if both are the same.
    pub effective_name: Option<for<'n> fn(&Behaviour, &'n str) -> Cow<'n, str>>,
    /// The verdict after all placeholders are known; `None` if a name alone is never an error.
    pub verdict: Option<fn(&Template<'_>, &ResolveContext<'_>, &RunFindings) -> Verdict>,
    /// `true` if the verdict precedes any limit error.
    pub verdict_first: bool,
    /// The resolution method; `None` to resolve placeholder by placeholder.
    pub method: Option<ResolveMethod>,
    /// Returns `true` if, despite `way`, resolving a prompt with only texts as values gives the
    /// same result placeholder by placeholder; called once per prompt. `None` if that never holds.
    pub is_orderly: Option<fn(&Template<'_>) -> bool>,
    /// Text that makes the engine read its result for such a prompt again, or reject it; `None` if
    /// nothing does.
    pub reads_again: Option<&'static str>,
    /// `true` if, despite `way`, `{{key}}` is filled in as usual under a condition: all
    /// placeholders are plain keys with texts, and there is no other brace in the prompt or in
    /// these texts.
    pub fills_in_keys: bool,
    /// `true` if it raises an error for a null prompt or null inputs. Others return null for a null
    /// prompt, and treat null inputs as empty.
    pub refuses_null: bool,
    /// Returns `true` if a name requires a value although it is marked as optional; `None` if none
    /// does.
    pub needs: Option<fn(&Behaviour, &str) -> bool>,
    /// Fills in the fields of a workflow in a text that was resolved without them; `None` if the
    /// engine has no workflows.
    pub workflow: Option<InWorkflow>,
    /// The syntax of fragment names.
    pub fragment_names: FragmentNames,
    /// The checks of declared variables.
    pub declared: Declared,
    /// Data that only the engines of its dialect use, downcast by its type.
    pub own: &'static (dyn Any + Send + Sync),
}

impl fmt::Debug for Behaviour {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Behaviour({:?})", self.grammar)
    }
}

/// Computes the result for a value.
pub(crate) type OfValue = for<'a> fn(&Behaviour, &'a Value, Option<FileId>) -> Lookup<'a>;

/// Computes the meaning of a name, given the hash of its first key.
pub(crate) type OfName = for<'a> fn(&Behaviour, &str, u64, &ResolveContext<'a>) -> Lookup<'a>;

/// Computes the target of a path from a loop item.
pub(crate) type OfItem = for<'a> fn(&Behaviour, Item<'a>, This<'_>, Option<FileId>) -> Lookup<'a>;

/// Fills in the fields of a workflow.
pub(crate) type InWorkflow =
    fn(&Template<'_>, &ResolveContext<'_>, &Workflow, Resolution) -> Resolution;

/// The result for a null.
#[derive(Clone, Copy)]
pub(crate) enum Null {
    Empty,
    /// Probably an empty text, but not predictable: the reason.
    Unpredictable(&'static str),
    /// The same as for a name that does not exist.
    Missing,
    /// A fixed text, such as `null` or `None`.
    Text(&'static str),
}

/// The verdict of an engine on a prompt and its inputs.
#[derive(Default)]
pub(crate) struct Verdict {
    /// Problems other than those of placeholders.
    pub problems: Vec<Problem>,
    /// The error that it raises.
    pub error: Option<EngineError>,
}

/// The syntax of a fragment between braces.
#[derive(Clone, Copy)]
pub(crate) struct FragmentNames {
    /// The prefix before its name.
    pub prefix: Option<&'static str>,
    /// `true` if the name without the prefix is sufficient.
    pub alone: bool,
}

impl FragmentNames {
    /// The fragment that a name refers to: see
    /// [`Engine::fragment_name`](crate::Engine::fragment_name).
    pub fn fragment<'n>(self, declarations: &Declarations, name: &'n str) -> Option<&'n str> {
        let without_prefix = self.prefix.and_then(|prefix| name.strip_prefix(prefix));
        let is_one = || self.alone && declarations.fragment(name).is_some();
        without_prefix.or_else(|| is_one().then_some(name))
    }
}

/// The checks of declared variables, in the order of declaration.
pub(crate) struct Declared {
    /// The variables that require a value and have none.
    pub missing: for<'a> fn(&ResolveContext<'a>) -> Vec<&'a Variable>,
    /// The variables with rejected values.
    pub broken: for<'a> fn(&ResolveContext<'a>) -> Vec<BrokenRule<'a>>,
}

impl Declared {
    /// The default checks of declarations.
    pub const DOCUMENTED: Declared = Declared { missing: missing_required, broken: broken_rules };
}

/// A resolution method, with the counterparts of [`Template::resolve`] and [`Template::render`].
pub(crate) struct ResolveMethod {
    pub resolve: fn(&Template<'_>, &ResolveContext<'_>) -> Resolution,
    pub render: fn(&Template<'_>, &ResolveContext<'_>, Bounded) -> Result<String, EngineError>,
}

impl Behaviour {
    /// The default behaviour, with values as JSON.
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
            method: None,
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

    /// The dialect of the engine.
    pub const fn dialect(&self) -> Dialect {
        self.grammar.dialect()
    }

    /// The meaning of a name outside of all loops; `root_hash` is the [`key_hash`](crate::key_hash)
    /// of its first key.
    pub fn look_up<'a>(
        &self,
        name: &str,
        root_hash: u64,
        given: &ResolveContext<'a>,
    ) -> Lookup<'a> {
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

    /// The result for a value of a file.
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

    /// The result for a value that the caller may own.
    pub fn value_of<'a>(&self, found: ValueRef<'a>, file: Option<FileId>) -> Lookup<'a> {
        match found {
            ValueRef::Value(value) => self.value(value, file),
            ValueRef::Text(text) => Lookup::new(Outcome::Text(text), None),
            scalar => self.value(&scalar.to_value(), None).into_owned(),
        }
    }
}
