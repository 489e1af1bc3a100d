//! The counterpart of Agentle's Java class `Prompt`: a text with placeholders that is compiled with
//! values. Document: "Prompt Management" of Agentle for Java, "The Prompt Class".

use std::fmt;
use std::sync::Arc;

use promptls_syntax::Dialect;

use crate::findings::engine_error::EngineError;
use crate::render::render;
use crate::template::Template;
use crate::value::{Entry, Object, Value};
use crate::values::Values;
use promptls_data::Span;

/// An immutable text with placeholders: compiling it creates another one.
///
/// ```
/// use promptls_resolver::{Prompt, Value};
///
/// let prompt = Prompt::of("Hello, {{name}}! You have {{count}} messages.");
/// let compiled = prompt.compile_with().with("name", "Alice").with("count", 5).build().unwrap();
/// assert_eq!(compiled.content(), "Hello, Alice! You have 5 messages.");
///
/// // The same with pairs.
/// let pairs = [("name", Value::from("Alice")), ("count", Value::from(5))];
/// assert_eq!(prompt.compile_pairs(pairs).unwrap(), compiled);
///
/// assert_eq!(prompt.extract_variable_names(), ["count", "name"]);
/// assert!(compiled.is_compiled() && !prompt.is_compiled());
/// ```
///
/// Clones share the text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Prompt {
    dialect: Dialect,
    content: Arc<str>,
    is_compiled: bool,
}

impl Prompt {
    /// Creates a prompt in Agentle's dialect.
    pub fn of(content: impl Into<Arc<str>>) -> Prompt {
        Prompt::in_dialect(Dialect::Agentle, content)
    }

    /// Creates a prompt in any dialect.
    pub fn in_dialect(dialect: Dialect, content: impl Into<Arc<str>>) -> Prompt {
        Prompt { dialect, content: content.into(), is_compiled: false }
    }

    /// Creates a prompt with an empty text.
    pub fn empty() -> Prompt {
        Prompt::of("")
    }

    /// Fills in the placeholders: from a map, an array of texts, an [`Object`], or any other type
    /// that implements [`Values`].
    ///
    /// ```
    /// use std::collections::HashMap;
    ///
    /// use promptls_resolver::Prompt;
    ///
    /// let prompt = Prompt::of("{{greeting}}, {{name}}!");
    /// let values = HashMap::from([("greeting", "Hello"), ("name", "World")]);
    /// assert_eq!(prompt.compile(&values).unwrap().content(), "Hello, World!");
    /// ```
    ///
    /// Errors: those of the engine, for example for blocks that are nested too deeply. Cost: both
    /// texts.
    pub fn compile<V: Values>(&self, values: &V) -> Result<Prompt, EngineError> {
        let content = render(self.dialect, &self.content, values)?.into();
        Ok(Prompt { dialect: self.dialect, content, is_compiled: true })
    }

    /// Like [`Prompt::compile`], with pairs of names and values of any kind.
    pub fn compile_pairs<K: Into<Arc<str>>, V: Into<Value>>(
        &self,
        pairs: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Prompt, EngineError> {
        self.compile(&pairs.into_iter().collect::<Object>())
    }

    /// Like [`Prompt::compile`], with a value that serializes to an object.
    ///
    /// ```
    /// use promptls_resolver::Prompt;
    ///
    /// #[derive(serde::Serialize)]
    /// struct User {
    ///     name: &'static str,
    /// }
    ///
    /// let prompt = Prompt::of("Welcome, {{name}}!");
    /// let compiled = prompt.compile_serialize(&User { name: "Bob" }).unwrap();
    /// assert_eq!(compiled.content(), "Welcome, Bob!");
    /// ```
    #[cfg(feature = "serde")]
    pub fn compile_serialize<T: serde::Serialize + ?Sized>(
        &self,
        values: &T,
    ) -> Result<Prompt, CompileError> {
        let values = Object::from_serialize(values).map_err(CompileError::Values)?;
        self.compile(&values).map_err(CompileError::Engine)
    }

    /// Starts a builder that takes the values one by one.
    pub fn compile_with(&self) -> Compiling<'_> {
        Compiling { prompt: self, values: Object::default() }
    }

    /// The root names of all placeholders, sorted, as Agentle lists them: for `{{user.name}}`,
    /// `user`.
    pub fn extract_variable_names(&self) -> Vec<String> {
        Template::compile(self.dialect, &self.content).names()
    }

    /// This prompt followed by another. The result is compiled if both are.
    ///
    /// ```
    /// use promptls_resolver::Prompt;
    ///
    /// let combined = Prompt::of("Hello, ").append(&Prompt::of("World!"));
    /// assert_eq!((combined.content(), combined.length()), ("Hello, World!", 13));
    /// ```
    pub fn append(&self, other: &Prompt) -> Prompt {
        Prompt {
            dialect: self.dialect,
            content: [&*self.content, &*other.content].concat().into(),
            is_compiled: self.is_compiled && other.is_compiled,
        }
    }

    /// The length as Java counts it: in UTF-16 units. Cost: the text.
    pub fn length(&self) -> usize {
        self.content.encode_utf16().count()
    }

    /// `true` if the text is empty.
    pub fn is_empty(&self) -> bool {
        self.content.is_empty()
    }

    /// `true` if the text contains only white space, as defined by Java's `isBlank`: non-breaking
    /// spaces do not count.
    pub fn is_blank(&self) -> bool {
        self.content.chars().all(is_java_whitespace)
    }

    /// The text in its current form.
    pub fn content(&self) -> &str {
        &self.content
    }

    /// `true` if it was created by filling in another prompt.
    pub fn is_compiled(&self) -> bool {
        self.is_compiled
    }

    /// The dialect of the text.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }
}

impl fmt::Display for Prompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.content)
    }
}

/// `Character.isWhitespace`: Unicode's separators except non-breaking ones, and some control
/// characters.
pub(crate) fn is_java_whitespace(character: char) -> bool {
    match character {
        '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{85}' => false,
        '\u{1c}'..='\u{1f}' => true,
        character => character.is_whitespace(),
    }
}

/// A builder that collects values for a prompt.
#[derive(Clone, Debug)]
#[must_use = "nothing is compiled before `build`"]
pub struct Compiling<'p> {
    prompt: &'p Prompt,
    values: Object,
}

impl Compiling<'_> {
    /// Sets the value of a name, and replaces an earlier one.
    pub fn with(mut self, name: impl Into<Arc<str>>, value: impl Into<Value>) -> Self {
        let (key, value) = (name.into(), value.into());
        self.values.insert(Entry { key, key_span: Span::default(), value });
        self
    }

    /// Compiles the prompt. See [`Prompt::compile`].
    pub fn build(self) -> Result<Prompt, EngineError> {
        self.prompt.compile(&self.values)
    }
}

/// The error for a prompt that cannot be compiled with serialized values.
#[cfg(feature = "serde")]
#[derive(Debug)]
pub enum CompileError {
    /// The value does not serialize to an object.
    Values(crate::from_data::NotValues),
    /// The engine raises an error.
    Engine(EngineError),
}

#[cfg(feature = "serde")]
impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::Values(error) => error.fmt(f),
            CompileError::Engine(error) => error.fmt(f),
        }
    }
}

#[cfg(feature = "serde")]
impl std::error::Error for CompileError {}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the document, with their documented results.
    #[test]
    fn the_examples_of_the_document_have_their_documented_results() {
        let object = |pairs: &[(&str, &str)]| -> Object { pairs.iter().copied().collect() };
        let name = object(&[("name", "Bob")]);
        let profile: Object = [("profile", name)].into_iter().collect();
        let prompt = Prompt::of("Welcome, {{user.profile.name}}!");
        let compiled = prompt.compile_pairs([("user", profile)]).unwrap();
        assert_eq!(compiled.content(), "Welcome, Bob!");

        let prompt = Prompt::of("{{#each items}}- {{this.name}}: ${{this.price}}\n{{/each}}");
        let apple = object(&[("name", "Apple"), ("price", "1.50")]);
        let items = Value::from(vec![Value::from(apple)]);
        let compiled = prompt.compile_pairs([("items", items)]).unwrap();
        assert_eq!(compiled.content(), "- Apple: $1.50\n");

        let names = Prompt::of("{{greeting}}, {{user.name}}!").extract_variable_names();
        assert_eq!(names, ["greeting", "user"]);
    }

    #[test]
    fn values_can_be_supplied_in_several_ways() {
        let prompt = Prompt::of("{{greeting}}, ").append(&Prompt::of("{{name}}!"));
        let expected = "Hello, World!";
        let pairs = [("greeting", "Hello"), ("name", "World")];
        assert_eq!(prompt.compile_pairs(pairs).unwrap().content(), expected);
        assert_eq!(prompt.compile(&pairs).unwrap().content(), expected);
        let compiled = prompt.compile_with().with("greeting", "Hello").with("name", "World");
        assert_eq!(compiled.build().unwrap().content(), expected);
        #[cfg(feature = "serde")]
        {
            #[derive(serde::Serialize)]
            struct Letter {
                greeting: &'static str,
                name: &'static str,
            }
            let letter = Letter { greeting: "Hello", name: "World" };
            assert_eq!(prompt.compile_serialize(&letter).unwrap().content(), expected);
        }
    }

    #[test]
    fn an_empty_map_is_false() {
        let prompt = Prompt::of("{{#if map}}yes{{/if}}");
        let compile = |map: Object| prompt.compile_pairs([("map", map)]).unwrap();
        assert_eq!(compile(Object::default()).content(), "");
        assert_eq!(compile([("a", "1")].into_iter().collect()).content(), "yes");
    }

    #[test]
    fn compiling_does_not_change_the_prompt() {
        let prompt = Prompt::of("{{name}}");
        let compiled = prompt.compile(&[("name", "{{name}}")]).unwrap();
        assert_eq!((prompt.content(), compiled.content()), ("{{name}}", "{{name}}"));
        assert_ne!(prompt, compiled);
    }

    #[test]
    fn a_name_without_a_value_is_kept() {
        let compiled = Prompt::of("{{a}} {{b}}").compile(&[("a", "1")]).unwrap();
        assert_eq!(compiled.content(), "1 {{b}}");
    }

    #[test]
    fn exceptions_of_the_engine_are_errors() {
        let deep = "{{#if a}}".repeat(101) + &"{{/if}}".repeat(101);
        let error = Prompt::of(deep).compile(&[("a", "1")]).unwrap_err();
        assert!(error.to_string().contains("100"), "{error}");
    }

    #[test]
    fn length_and_is_blank_match_java() {
        assert_eq!(Prompt::of("a😀").length(), 3);
        assert!(Prompt::empty().is_empty() && Prompt::empty().is_blank());
        assert!(Prompt::of(" \t\n\u{2003}\u{1c}").is_blank());
        assert!(!Prompt::of("\u{a0}").is_blank() && !Prompt::of("\u{85}").is_blank());
        assert!(!Prompt::of(" ").is_empty());
    }

    #[test]
    fn an_appended_prompt_is_compiled_if_both_are() {
        let prompt = Prompt::of("{{a}}");
        let compiled = prompt.compile(&[("a", "1")]).unwrap();
        assert!(compiled.append(&compiled).is_compiled());
        assert!(!compiled.append(&prompt).is_compiled());
    }
}
