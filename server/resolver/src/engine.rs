//! Which engine a prompt is resolved for.

use std::ptr;

use promptls_syntax::{Dialect, Grammar};

use crate::behaviour::Behaviour;
use crate::dialects::documented;
use crate::template::Template;

/// Who resolves a prompt: the engine that the document of a dialect describes, or one of its real
/// engines, in a version.
///
/// A [`Dialect`] is the documented engine of that dialect, wherever an engine is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Engine(&'static Behaviour);

impl Engine {
    pub(crate) const fn new(behaviour: &'static Behaviour) -> Engine {
        Engine(behaviour)
    }

    /// What it does.
    pub(crate) const fn behaviour(self) -> &'static Behaviour {
        self.0
    }

    /// The dialect it reads.
    pub const fn dialect(self) -> Dialect {
        self.0.dialect()
    }

    /// How it splits prompts into tokens.
    pub const fn grammar(self) -> Grammar {
        self.0.grammar
    }
}

impl Template<'_> {
    /// The engine that it is resolved for.
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
        ptr::eq(self.0, other.0)
    }
}

impl Eq for Engine {}

impl From<Engine> for Grammar {
    fn from(engine: Engine) -> Self {
        engine.grammar()
    }
}
