//! Engine-specific behaviour, beyond the row of the dialect.
//!
//! Each engine is a static that implements [`Behaviour`]: in a file of `dialects/` as the document
//! of a dialect describes it, or in a file of `engines/` as it was observed. Its [`Facts`] are data;
//! its methods are what data cannot express. The defaults are the obvious ones: a name is a key of
//! the inputs, and each placeholder is replaced separately.

use std::borrow::Cow;
use std::fmt;

use promptls_syntax::{Dialect, Grammar, Missing};

use crate::blocks;
use crate::declarations::{Declarations, Variable};
use crate::findings::broken_rules::{self, BrokenRule};
use crate::findings::engine_error::EngineError;
use crate::findings::problem::{FileId, Problem};
use crate::findings::run_findings::RunFindings;
use crate::outcome::{Form, Lookup, Outcome};
use crate::output::Bounded;
use crate::resolution::Resolution;
use crate::resolve_context::{ResolveContext, Workflow};
use crate::string_form::StringForm;
use crate::template::{ChatPart, Execution, Item, Path, Template, This};
use crate::value::Value;
use crate::values::ValueRef;

/// The behaviour of an engine: its facts, and the methods that it overrides.
pub(crate) trait Behaviour: Sync {
    /// The facts about the engine.
    fn facts(&self) -> &Facts;

    /// The meaning of a name outside of all loops, given the [`key_hash`](crate::key_hash) of its
    /// first key. By default, it is the value of the key.
    fn meaning<'a>(&self, name: &str, root_hash: u64, given: &ResolveContext<'a>) -> Lookup<'a> {
        match given.values.get_hashed(name, root_hash) {
            Some(found) => self.value_of(found, given.values.file()),
            None => Lookup::MISSING,
        }
    }

    /// The result for a value, given its file, if it is in one. By default, the facts determine it.
    fn value<'a>(&self, value: &'a Value, file: Option<FileId>) -> Lookup<'a> {
        self.facts().value(value, file)
    }

    /// The target of a path from a loop item.
    fn of_item<'a>(&self, item: Item<'a>, this: This<'_>, file: Option<FileId>) -> Lookup<'a> {
        blocks::of_item(self, item, this, file)
    }

    /// The name to look up for the text between the braces; called only if
    /// [`Facts::escapes_in_names`].
    fn effective_name<'n>(&self, written: &'n str) -> Cow<'n, str> {
        Cow::Borrowed(written)
    }

    /// `true` if a name requires a value although it is marked as optional.
    fn needs(&self, _name: &str) -> bool {
        false
    }

    /// `true` if resolving a prompt with only texts as values gives the same result placeholder by
    /// placeholder; called once per prompt.
    fn is_orderly(&self, _template: &Template<'_>) -> bool {
        self.facts().method == Method::ByPlaceholder
    }

    /// Resolves a prompt without the fields of a workflow; overridden for [`Method::WholeText`].
    fn resolve(&self, execution: Execution<'_>) -> Resolution {
        execution.resolve_by_placeholder()
    }

    /// The text of [`resolve`](Behaviour::resolve), or its error. `out` is empty.
    fn render(&self, execution: Execution<'_>, out: Bounded) -> Result<String, EngineError> {
        execution.render_by_placeholder(out)
    }

    /// Fills in the fields of a workflow in a text that was resolved without them; called only if
    /// [`Facts::has_workflows`].
    fn fill_in_workflow(
        &self,
        _execution: Execution<'_>,
        _workflow: &Workflow,
        without: Resolution,
    ) -> Resolution {
        without
    }

    /// The error for a chat before any of its messages is resolved.
    fn chat_error(
        &self,
        _parts: &[ChatPart<'_, '_>],
        _given: &ResolveContext<'_>,
    ) -> Option<EngineError> {
        None
    }

    /// The error for a value of the messages with a name in a chat.
    fn messages_error(&self, _name: &str, _value: &Value) -> Option<EngineError> {
        None
    }

    /// `true` if every prompt is sent as written with these values.
    fn is_literal(&self, _given: &ResolveContext<'_>) -> bool {
        false
    }

    /// The message with which the engine refuses a placeholder, whatever the values are; `None` if
    /// it does not.
    fn refused_field(&self, _source: &str) -> Option<String> {
        None
    }

    /// `true` if a placeholder with this source takes a number, and no text.
    fn needs_number(&self, _source: &str) -> bool {
        false
    }

    /// The message with which the engine refuses the malformed token at the start of a text, which
    /// ends with the prompt.
    fn refused_brace(&self, _text: &str) -> Option<String> {
        None
    }

    /// The verdict after all placeholders are known. By default, a name alone is never an error.
    fn verdict(&self, _execution: Execution<'_>, _found: &RunFindings) -> Verdict {
        Verdict::default()
    }

    /// The variables that require a value and have none, in the order of declaration.
    fn missing_required<'a>(&self, given: &ResolveContext<'a>) -> Vec<&'a Variable> {
        broken_rules::missing_required(given)
    }

    /// The variables with rejected values, in the order of declaration.
    fn broken_rules<'a>(&self, given: &ResolveContext<'a>) -> Vec<BrokenRule<'a>> {
        broken_rules::broken_rules(given)
    }

    /// The [`meaning`](Behaviour::meaning) of a name, unless the application supplies its value.
    /// Never overridden.
    fn look_up<'a>(&self, name: &str, root_hash: u64, given: &ResolveContext<'a>) -> Lookup<'a> {
        let found = self.meaning(name, root_hash, given);
        if found.is_missing() && given.is_supplied(self.facts().dialect(), name) {
            return Lookup::new(Outcome::Runtime, None);
        }
        found
    }

    /// The results for all paths of a template. Never overridden.
    // One call through the table of methods for all paths: those inside are static.
    fn look_up_all<'a>(&self, paths: &[Path<'_>], given: &ResolveContext<'a>) -> Vec<Lookup<'a>> {
        paths.iter().map(|path| self.look_up(&path.name, path.root_hash, given)).collect()
    }

    /// The [`value`](Behaviour::value) of a value that the caller may own. Never overridden.
    fn value_of<'a>(&self, found: ValueRef<'a>, file: Option<FileId>) -> Lookup<'a> {
        match found {
            ValueRef::Value(value) => self.value(value, file),
            ValueRef::Text(text) => Lookup::new(Outcome::Text(text), None),
            scalar => self.value(&scalar.to_value(), None).into_owned(),
        }
    }
}

impl fmt::Debug for dyn Behaviour {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Behaviour({:?})", self.facts().grammar)
    }
}

/// The facts about an engine.
pub(crate) struct Facts {
    /// The grammar that splits a prompt into tokens.
    pub grammar: Grammar,
    /// The text form of values that are not texts.
    pub form: StringForm,
    /// The result for a null.
    pub null: Null,
    /// The result for a name without a value.
    pub missing: Missing,
    /// The way through a prompt.
    pub method: Method,
    /// Text that makes the engine read its result again, or reject it, although the prompt
    /// [is orderly](Behaviour::is_orderly); `None` if nothing does.
    pub reads_again: Option<&'static str>,
    /// `true` if names may contain escapes, which [`Behaviour::effective_name`] converts.
    pub escapes_in_names: bool,
    /// `true` if the verdict precedes any limit error.
    pub verdict_first: bool,
    /// `true` if it raises an error for a null prompt or null inputs. Others return null for a null
    /// prompt, and treat null inputs as empty.
    pub refuses_null: bool,
    /// `true` if [`Behaviour::fill_in_workflow`] fills in fields of workflows.
    pub has_workflows: bool,
    /// The syntax of fragment names.
    pub fragment_names: FragmentNames,
}

impl Facts {
    /// The default facts, with values as JSON.
    pub const fn plain(dialect: Dialect) -> Facts {
        Facts {
            grammar: Grammar::Documented(dialect),
            form: StringForm::JSON,
            null: Null::Empty,
            missing: dialect.spec().missing,
            method: Method::ByPlaceholder,
            reads_again: None,
            escapes_in_names: false,
            verdict_first: false,
            refuses_null: false,
            has_workflows: false,
            fragment_names: FragmentNames { prefix: None, alone: false },
        }
    }

    /// The dialect of the engine.
    pub const fn dialect(&self) -> Dialect {
        self.grammar.dialect()
    }

    /// The result for a value, by its form.
    pub fn value<'a>(&self, value: &'a Value, file: Option<FileId>) -> Lookup<'a> {
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
}

/// The way of an engine through a prompt.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    /// Each placeholder is resolved separately, in source order.
    ByPlaceholder,
    /// In the whole text, so that values may become placeholders: see [`Behaviour::resolve`].
    WholeText {
        /// `true` if `{{key}}` is filled in as usual under a condition: all placeholders are plain
        /// keys with texts, and there is no other brace in the prompt or in these texts.
        fills_in_keys: bool,
    },
}

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
