//! A prompt that is filled in many times, and owns all that it needs for that.

use std::fmt;
use std::sync::{Arc, OnceLock};

use promptls_analysis::{PromptText, Settings, Snapshot};
use promptls_resolver::{
    DEFAULT_MAX_OUTPUT, Dialect, Engine, EngineError, EngineRef, Given, Resolution, Template,
    Values,
};
use promptls_syntax::Tree;
use self_cell::self_cell;

use crate::meaning::Meaning;
use crate::needs::Needs;
use crate::travel;

/// A prompt with its engine, declarations, fragments and names of run time, compiled.
///
/// It is shared between threads as it is, and goes to other processes as a text
/// ([`RowPrompt::to_json`]).
///
/// ```
/// use promptls_resolver::Dialect;
/// use promptls_rows::RowPrompt;
///
/// let prompt = RowPrompt::new(Dialect::Adk, "Dear {name},");
/// assert_eq!(prompt.render(&[("name", "Ada")]).unwrap(), "Dear Ada,");
/// let elsewhere = RowPrompt::from_json(&prompt.to_json()).unwrap();
/// assert_eq!(elsewhere.hash(), prompt.hash());
/// ```
pub struct RowPrompt {
    snapshot: Snapshot,
    compiled: Compiled,
    /// Whether parts of its text are values of the program around it.
    has_holes: bool,
    needs: Needs,
    meaning: Meaning,
    max_output: usize,
    hash: OnceLock<String>,
}

self_cell!(
    struct Compiled {
        owner: Arc<str>,
        #[covariant]
        dependent: Template,
    }
);

impl RowPrompt {
    /// A prompt of which nothing is known but its dialect.
    pub fn new(dialect: Dialect, text: &str) -> RowPrompt {
        RowPrompt::of(&Snapshot::new(dialect, text))
    }

    /// The same for an engine.
    pub fn for_engine(engine: EngineRef, text: &str) -> RowPrompt {
        let settings = Settings { engines: vec![engine], ..Settings::default() };
        let tree = Tree::parse(engine.engine().grammar(), &PromptText::from(text));
        RowPrompt::of(&Snapshot {
            tree: Arc::new(tree),
            settings: Arc::new(settings),
            ..Snapshot::new(engine.dialect(), text)
        })
    }

    /// A prompt with all that a snapshot has besides its cases.
    pub fn of(snapshot: &Snapshot) -> RowPrompt {
        let snapshot = Snapshot { cases: Vec::new(), memo: None, ..snapshot.clone() };
        let engine = snapshot.engine();
        let compiled =
            Compiled::new(snapshot.text.shared(), |text| Template::compile(engine, text));
        let has_holes = snapshot.host.as_ref().is_some_and(|host| !host.holes.is_empty());
        let needs = Needs::of(&snapshot, compiled.borrow_dependent());
        let meaning = Meaning::of(&snapshot);
        let max_output = DEFAULT_MAX_OUTPUT;
        let hash = OnceLock::new();
        RowPrompt { snapshot, compiled, has_holes, needs, meaning, max_output, hash }
    }

    /// The same with another limit for the bytes of a text than
    /// [`DEFAULT_MAX_OUTPUT`].
    pub fn with_max_output(self, max_output: usize) -> RowPrompt {
        RowPrompt { max_output, hash: OnceLock::new(), ..self }
    }

    /// The longest text that is made, in bytes.
    pub fn max_output(&self) -> usize {
        self.max_output
    }

    /// Its text, with the placeholders.
    pub fn text(&self) -> &str {
        self.compiled.borrow_owner()
    }

    /// The engine that it is resolved for.
    pub fn engine(&self) -> Engine {
        self.template().engine()
    }

    /// It as a plan.
    pub fn template(&self) -> &Template<'_> {
        self.compiled.borrow_dependent()
    }

    /// It without any case.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// What `promptls.toml` says of it.
    pub fn settings(&self) -> &Settings {
        &self.snapshot.settings
    }

    /// The names that it reads.
    pub fn needs(&self) -> &Needs {
        &self.needs
    }

    /// What its engine makes of values that no inputs file could have.
    pub fn meaning(&self) -> Meaning {
        self.meaning
    }

    /// Whether nothing but values of plain names comes into its text: no declarations, and no
    /// parts that the program around it computes.
    pub fn is_plain(&self) -> bool {
        let declarations = &self.snapshot.declarations;
        !self.has_holes && declarations.variables.is_empty() && declarations.fragments.is_empty()
    }

    /// What it is filled in with, besides values of its own.
    pub fn given<'a>(&'a self, values: &'a dyn Values) -> Given<'a> {
        Given { max_output: self.max_output, ..self.snapshot.given_with(values) }
    }

    /// The text that its engine sends, or the error that it raises.
    pub fn render(&self, values: &dyn Values) -> Result<String, EngineError> {
        let given = self.given(values);
        match self.has_holes {
            false => self.template().render(&given),
            true => self.snapshot.render_with(self.template(), &given),
        }
    }

    /// The text, always, with where each byte came from, and what is wrong.
    pub fn resolve(&self, values: &dyn Values) -> Resolution {
        self.snapshot.resolve_with(self.template(), &self.given(values))
    }

    /// All of it in one line of JSON, for another process with the same version of this library.
    pub fn to_json(&self) -> String {
        travel::to_json(self)
    }

    /// The SHA-256 of [`RowPrompt::to_json`], in hexadecimal: equal for equal prompts. Cost: once
    /// for a prompt, its text.
    pub fn hash(&self) -> &str {
        self.hash.get_or_init(|| travel::hash(&self.to_json()))
    }
}

impl fmt::Debug for RowPrompt {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "RowPrompt({:?})", self.text())
    }
}
