//! A prompt for many renderings, with all the data that it requires.

use std::fmt;
use std::sync::{Arc, OnceLock};

use promptls_analysis::{PromptText, Settings, Snapshot};
use promptls_resolver::{
    DEFAULT_MAX_OUTPUT, Dialect, Engine, EngineError, EngineRef, Resolution, ResolveContext,
    Template, Values,
};
use promptls_syntax::Tree;
use self_cell::self_cell;

use crate::meaning::Meaning;
use crate::needs::Needs;
use crate::travel;

/// A compiled prompt with its engine, declarations, fragments and run-time names.
///
/// It can be shared between threads, and sent to other processes as a text
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
    compiled: ParsedTemplate,
    /// `true` if parts of its text are values of the surrounding program.
    has_holes: bool,
    needs: Needs,
    meaning: Meaning,
    max_output: usize,
    hash: OnceLock<String>,
}

self_cell!(
    struct ParsedTemplate {
        owner: Arc<str>,
        #[covariant]
        dependent: Template,
    }
);

impl RowPrompt {
    /// Creates a prompt in a dialect, without declarations.
    pub fn new(dialect: Dialect, text: &str) -> RowPrompt {
        RowPrompt::of(&Snapshot::new(dialect, text))
    }

    /// Creates a prompt for an engine, without declarations.
    pub fn for_engine(engine: EngineRef, text: &str) -> RowPrompt {
        let settings = Settings { engines: vec![engine], ..Settings::default() };
        let tree = Tree::parse(engine.engine().grammar(), &PromptText::from(text));
        RowPrompt::of(&Snapshot {
            tree: Arc::new(tree),
            settings: Arc::new(settings),
            ..Snapshot::new(engine.dialect(), text)
        })
    }

    /// Creates a prompt from a snapshot, without its cases.
    pub fn of(snapshot: &Snapshot) -> RowPrompt {
        let snapshot = Snapshot { cases: Vec::new(), memo: None, ..snapshot.clone() };
        let engine = snapshot.engine();
        let compiled =
            ParsedTemplate::new(snapshot.text.shared(), |text| Template::compile(engine, text));
        let has_holes = snapshot.host.as_ref().is_some_and(|host| !host.holes.is_empty());
        let needs = Needs::of(&snapshot, compiled.borrow_dependent());
        let meaning = Meaning::of(&snapshot);
        let max_output = DEFAULT_MAX_OUTPUT;
        let hash = OnceLock::new();
        RowPrompt { snapshot, compiled, has_holes, needs, meaning, max_output, hash }
    }

    /// Sets the maximum length of a text in bytes; the default is [`DEFAULT_MAX_OUTPUT`].
    pub fn with_max_output(self, max_output: usize) -> RowPrompt {
        RowPrompt { max_output, hash: OnceLock::new(), ..self }
    }

    /// Sets the names that it reads: a chat reads those of all its messages.
    pub fn with_needs(self, needs: Needs) -> RowPrompt {
        RowPrompt { needs, ..self }
    }

    /// The maximum length of a text, in bytes.
    pub fn max_output(&self) -> usize {
        self.max_output
    }

    /// Its text, with the placeholders.
    pub fn text(&self) -> &str {
        self.compiled.borrow_owner()
    }

    /// The engine that resolves it.
    pub fn engine(&self) -> Engine {
        self.template().engine()
    }

    /// The prompt, compiled once when it was created.
    pub fn template(&self) -> &Template<'_> {
        self.compiled.borrow_dependent()
    }

    /// The prompt without any case.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Its settings from `promptls.toml`, or the defaults.
    pub fn settings(&self) -> &Settings {
        &self.snapshot.settings
    }

    /// The names that it reads.
    pub fn needs(&self) -> &Needs {
        &self.needs
    }

    /// The form of values that inputs files cannot contain, for its engine.
    pub fn meaning(&self) -> Meaning {
        self.meaning
    }

    /// `true` if its text depends only on values of plain names: no declarations, and no parts that
    /// the surrounding program computes.
    pub fn is_plain(&self) -> bool {
        let declarations = &self.snapshot.declarations;
        !self.has_holes && declarations.variables.is_empty() && declarations.fragments.is_empty()
    }

    /// The inputs of a resolution with these values.
    pub fn given<'a>(&'a self, values: &'a dyn Values) -> ResolveContext<'a> {
        ResolveContext { max_output: self.max_output, ..self.snapshot.given_with(values) }
    }

    /// Returns the text that its engine sends, or the error that it raises.
    pub fn render(&self, values: &dyn Values) -> Result<String, EngineError> {
        let given = self.given(values);
        match self.has_holes {
            false => self.template().render(&given),
            true => self.snapshot.render_with(self.template(), &given),
        }
    }

    /// Returns the text in any case, with the origin of each byte, and the problems.
    pub fn resolve(&self, values: &dyn Values) -> Resolution {
        self.snapshot.resolve_with(self.template(), &self.given(values))
    }

    /// The whole prompt in one line of JSON, for another process with the same version of this
    /// library.
    pub fn to_json(&self) -> String {
        travel::to_json(self)
    }

    /// The SHA-256 of [`RowPrompt::to_json`], in hexadecimal: equal for equal prompts. Cost: its
    /// text, once per prompt.
    pub fn hash(&self) -> &str {
        self.hash.get_or_init(|| travel::hash(&self.to_json()))
    }
}

impl fmt::Debug for RowPrompt {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "RowPrompt({:?})", self.text())
    }
}
