//! The engine that resolves a prompt.

use std::ptr;

use promptls_syntax::{Dialect, Grammar, Missing};

use crate::behaviour::Behaviour;
use crate::declarations::{Declarations, Variable};
use crate::dialects::documented;
use crate::findings::broken_rules::BrokenRule;
use crate::findings::engine_error::EngineError;
use crate::resolve_context::ResolveContext;
use crate::template::{ChatPart, Template};
use crate::value::Value;

/// The engine that resolves a prompt: the one that the document of a dialect describes, or one of
/// its real engines, in a version.
///
/// A [`Dialect`] converts to the documented engine of that dialect.
#[derive(Clone, Copy, Debug)]
pub struct Engine(&'static dyn Behaviour);

impl Engine {
    pub(crate) const fn new(behaviour: &'static dyn Behaviour) -> Engine {
        Engine(behaviour)
    }

    /// The behaviour of the engine.
    pub(crate) const fn behaviour(self) -> &'static dyn Behaviour {
        self.0
    }

    /// The dialect of its prompts.
    pub fn dialect(self) -> Dialect {
        self.0.facts().dialect()
    }

    /// Its behaviour for a name without a value.
    pub fn missing(self) -> Missing {
        self.0.facts().missing
    }

    /// The grammar of its prompts.
    pub fn grammar(self) -> Grammar {
        self.0.facts().grammar
    }

    /// The fragment that a name between braces refers to: always if the name has the prefix,
    /// otherwise if such a fragment exists. `None` for a name that refers to a value.
    pub fn fragment_name<'n>(self, declarations: &Declarations, name: &'n str) -> Option<&'n str> {
        self.0.facts().fragment_names.fragment(declarations, name)
    }

    /// `true` if every prompt is sent as written with these values.
    pub fn is_literal(self, given: &ResolveContext<'_>) -> bool {
        self.0.is_literal(given)
    }

    /// The error that the engine raises for a chat before it resolves any message: it looks for all
    /// names first. `None` if there is none, or if the engine resolves one message after the other.
    ///
    /// Cost: the names of all messages.
    pub fn chat_error(
        self,
        parts: &[ChatPart<'_, '_>],
        given: &ResolveContext<'_>,
    ) -> Option<EngineError> {
        self.0.chat_error(parts, given)
    }

    /// The error that the engine raises for a value of the messages with a name in a chat; `None` if
    /// it accepts the value, or if that is not known.
    pub fn messages_error(self, name: &str, value: &Value) -> Option<EngineError> {
        self.0.messages_error(name, value)
    }

    /// The message with which the engine refuses a placeholder, whatever the values are; `None` if
    /// it does not.
    pub fn refused_field(self, source: &str) -> Option<String> {
        self.0.refused_field(source)
    }

    /// `true` if a placeholder with this source takes a number, and no text.
    pub fn needs_number(self, source: &str) -> bool {
        self.0.needs_number(source)
    }

    /// The message with which the engine refuses a malformed token, given the prompt from there on;
    /// `None` if it does not.
    pub fn refused_brace(self, text: &str) -> Option<String> {
        self.0.refused_brace(text)
    }

    /// The variables that require a value and have none, in the order of declaration.
    pub fn missing_required<'a>(self, given: &ResolveContext<'a>) -> Vec<&'a Variable> {
        self.0.missing_required(given)
    }

    /// The variables whose values or declarations the engine rejects, one failure each, in the
    /// order of declaration.
    ///
    /// ```
    /// use promptls_resolver::{
    ///     Declarations, Engine, EngineRef, FileId, Format, Object, ResolveContext,
    /// };
    /// use promptls_syntax::Dialect;
    ///
    /// let text = r#"{"variables": [{"name": "tone", "type": "string"}]}"#;
    /// let declarations = Declarations::parse(text, Format::Json, FileId(1)).value.unwrap();
    /// let values: Object = [("tone", 1)].into_iter().collect();
    /// let given = ResolveContext::new(&values, &declarations);
    /// assert_eq!(Engine::from(Dialect::PromptPack).broken_rules(&given).len(), 1);
    /// // This one does not look at types.
    /// let engine = EngineRef::parse("promptkit-go").unwrap().engine();
    /// assert!(engine.broken_rules(&given).is_empty());
    /// ```
    pub fn broken_rules<'a>(self, given: &ResolveContext<'a>) -> Vec<BrokenRule<'a>> {
        self.0.broken_rules(given)
    }
}

impl Template<'_> {
    /// The engine that the template was compiled for.
    pub fn engine(&self) -> Engine {
        Engine(self.engine)
    }
}

impl From<Dialect> for Engine {
    fn from(dialect: Dialect) -> Self {
        Engine(documented(dialect))
    }
}

impl PartialEq for Engine {
    fn eq(&self, other: &Self) -> bool {
        // The addresses are enough: every engine contains its facts, so no two share one. Tables of
        // methods may be duplicated or merged.
        ptr::addr_eq(self.0, other.0)
    }
}

impl Eq for Engine {}

impl From<Engine> for Grammar {
    fn from(engine: Engine) -> Self {
        engine.grammar()
    }
}
