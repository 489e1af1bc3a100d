//! A single call for the common case.

use memchr::memchr;
use promptls_syntax::{TokenKind, name_range, tokenize};

use crate::behaviour::{Facts, Method};
use crate::declarations::Declarations;
use crate::engine::Engine;
use crate::findings::engine_error::{EngineError, ErrorKind};
use crate::output::{Bounded, likely_len};
use crate::path;
use crate::resolve_context::{DEFAULT_MAX_OUTPUT, ResolveContext};
use crate::template::Template;
use crate::values::Values;

/// Renders a prompt: the text that the engine of a dialect sends, or the error that it raises.
///
/// ```
/// use promptls_resolver::{Dialect, render};
///
/// let values = [("name", "Ada"), ("city", "London")];
/// let text = render(Dialect::Adk, "Dear {name} of {city},", &values).unwrap();
/// assert_eq!(text, "Dear Ada of London,");
///
/// let error = render(Dialect::Adk, "Dear {nme},", &values).unwrap_err();
/// assert_eq!(error.to_string(), "Context variable not found: nme");
/// ```
///
/// Engines differ for a name without a value:
///
/// | dialect | a name without a value |
/// |---|---|
/// | AgentEnsemble, PromptPack | an error that contains all of them |
/// | ADK | an error that contains the first; nothing is sent for `{name?}` |
/// | entAIngine, Langfuse | the placeholder is sent in source form |
/// | Agentle | the same; but nothing is sent for it if the prompt contains a block |
///
/// Use [`Template::compile`] to compile a prompt once for several renderings. It also provides the
/// source map, the problems, and declarations of variables ([`ResolveContext`]).
///
/// Cost: the text of the prompt, and that of the result.
pub fn render<V: Values>(
    engine: impl Into<Engine>,
    template: &str,
    values: &V,
) -> Result<String, EngineError> {
    let engine = engine.into();
    if let Some(text) = render_at_once(engine, template, values) {
        return Ok(text);
    }
    let nothing_declared = Declarations::default();
    Template::compile(engine, template)
        .render_by_plan(&ResolveContext::new(values, &nothing_declared))
}

/// [`render`] for programs whose prompt or inputs may be missing, like Java's null: engines follow
/// their documents.
///
/// A null prompt yields null, and null inputs are empty; ADK raises an error of the kind
/// [`Missing`](ErrorKind::Missing), without names, for either.
///
/// ```
/// use promptls_resolver::{Dialect, render_nullable};
///
/// let values = Some(&[("name", "Ada")]);
/// assert_eq!(render_nullable(Dialect::AgentEnsemble, None, values), Ok(None));
///
/// let error = render_nullable(Dialect::Adk, None, values).unwrap_err();
/// assert_eq!(error.to_string(), "template cannot be null");
/// ```
pub fn render_nullable<V: Values>(
    engine: impl Into<Engine>,
    template: Option<&str>,
    values: Option<&V>,
) -> Result<Option<String>, EngineError> {
    let engine = engine.into();
    if engine.behaviour().facts().refuses_null {
        let arguments = [("template", template.is_none()), ("context", values.is_none())];
        if let Some((what, _)) = arguments.into_iter().find(|(_, is_null)| *is_null) {
            let message = format!("{what} cannot be null");
            return Err(EngineError::new(ErrorKind::Missing, Vec::new(), message));
        }
    }
    let Some(template) = template else { return Ok(None) };
    const NOTHING: [(&str, &str); 0] = [];
    match values {
        Some(values) => render(engine, template, values),
        None => render(engine, template, &NOTHING),
    }
    .map(Some)
}

/// The text if each placeholder is a key with a text, which is the usual case; then it is written
/// during lexing. No plan is compiled, and a name that occurs twice is looked up twice.
fn render_at_once<V: Values>(engine: Engine, template: &str, values: &V) -> Option<String> {
    let &Facts { grammar, method, escapes_in_names, .. } = engine.behaviour().facts();
    // An engine may reject an empty prompt, which is fast anyway.
    if template.is_empty()
        || escapes_in_names
        || method == (Method::WholeText { fills_in_keys: false })
    {
        return None;
    }
    let reads_whole_text = method != Method::ByPlaceholder;
    let mut out = Bounded::new(DEFAULT_MAX_OUTPUT, likely_len(template));
    let mut literal = 0;
    let mut likely = 0;
    let mut all_texts = true;
    tokenize(grammar, template, |token| {
        if !all_texts {
            return;
        }
        let text = match token.kind {
            TokenKind::NearMiss | TokenKind::Foreign => return,
            TokenKind::Placeholder | TokenKind::Optional => {
                let source = &template[token.range()];
                let name = &source[name_range(grammar, token.kind, source)];
                // Text beside the name may have a meaning to an engine that reads the whole text.
                let is_key = path::is_key(name)
                    && (!reads_whole_text || source.len() == name.len() + "{{}}".len());
                is_key.then(|| values.text_near(&mut likely, name, None)).flatten()
            }
            TokenKind::Escape
            | TokenKind::Malformed
            | TokenKind::BlockOpen(_)
            | TokenKind::BlockClose(_) => None,
        };
        match text {
            Some(text) => {
                out.push(&template[literal..token.start]);
                out.push(text);
                literal = token.end();
            }
            None => all_texts = false,
        }
    });
    out.push(&template[literal..]);
    let is_it = all_texts && !out.is_full();
    // Nothing remains that an engine could read again: neither of the prompt nor of a value.
    let is_read_again = || reads_whole_text && memchr(b'{', out.text.as_bytes()).is_some();
    (is_it && !is_read_again()).then_some(out.text)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::{BTreeMap, HashMap};

    use promptls_syntax::Dialect;

    use super::*;
    use crate::findings::problem::FileId;
    use crate::inputs::Inputs;
    use crate::values::ValueRef;
    use promptls_data::Format;

    /// A source of values that records the requested names.
    struct Columns {
        requested: RefCell<Vec<String>>,
    }

    impl Values for Columns {
        fn get(&self, name: &str) -> Option<ValueRef<'_>> {
            self.requested.borrow_mut().push(name.to_owned());
            match name {
                "name" => Some("Ada".into()),
                "age" => Some(36.into()),
                "none" => Some(ValueRef::Null),
                "zero" => Some(0.into()),
                "member" => Some(true.into()),
                "former" => Some(false.into()),
                _ => None,
            }
        }
    }

    #[track_caller]
    fn check(dialect: Dialect, prompt: &str, expected: &str, requested: &[&str]) {
        let columns = Columns { requested: RefCell::default() };
        let text = render(dialect, prompt, &columns).unwrap_or_else(|error| error.to_string());
        assert_eq!(text, expected);
        assert_eq!(*columns.requested.borrow(), requested);
    }

    #[test]
    fn only_values_that_the_prompt_reads_are_requested() {
        check(Dialect::Langfuse, "{{name}} {{name}}", "Ada Ada", &["name", "name"]);
        // If not all of them are texts, it starts again.
        check(Dialect::PromptPack, "{{name}} {{age}}", "Ada 36", &["name", "age", "name", "age"]);
    }

    #[test]
    fn values_of_a_caller_resolve_like_values_of_a_file() {
        let prompt = "{name} {age} {member} {none}.";
        for dialect in [Dialect::Adk, Dialect::AgentEnsemble] {
            let columns = Columns { requested: RefCell::default() };
            assert_eq!(render(dialect, prompt, &columns).unwrap(), "Ada 36 true .");
        }
        let columns = Columns { requested: RefCell::default() };
        let prompt = "{{name}} {{age}} {{member}} {{none}}.";
        let of = |dialect| render(dialect, prompt, &columns).unwrap();
        assert_eq!(of(Dialect::Langfuse), "Ada 36 True .");
        assert_eq!(of(Dialect::PromptPack), "Ada 36 true .");
        assert_eq!(of(Dialect::Agentle), "Ada 36 true {{none}}.");
    }

    #[test]
    fn conditions_are_evaluated_on_values_of_a_caller() {
        let columns = Columns { requested: RefCell::default() };
        let holds = |name: &str| {
            let prompt = format!("{{{{#if {name}}}}}yes{{{{/if}}}}");
            render(Dialect::Agentle, &prompt, &columns).unwrap() == "yes"
        };
        assert!(holds("name") && holds("age") && holds("member"));
        assert!(!holds("zero") && !holds("former") && !holds("none") && !holds("other"));
    }

    #[test]
    fn values_of_a_caller_have_no_members_either() {
        let columns = Columns { requested: RefCell::default() };
        let error = render(Dialect::PromptPack, "{{name.length}}", &columns).unwrap_err();
        assert_eq!(error.names, ["name.length"]);
    }

    #[test]
    fn inputs_that_are_null_are_empty_but_for_adk() {
        let nothing: Option<&BTreeMap<&str, &str>> = None;
        let error = render_nullable(Dialect::AgentEnsemble, Some("Hello {name}!"), nothing);
        assert_eq!(error.unwrap_err().names, ["name"]);
        let error = render_nullable(Dialect::Adk, Some("Hello!"), nothing).unwrap_err();
        assert_eq!(error.to_string(), "context cannot be null");
        let text = render_nullable(Dialect::Entaingine, Some("Hello {NAME}!"), nothing);
        assert_eq!(text, Ok(Some("Hello {NAME}!".to_owned())));
    }

    #[test]
    fn limit_errors_of_agentle_have_its_messages() {
        let error = |prompt: &str, inputs: &str| {
            let inputs = Inputs::parse(inputs, Format::Json, FileId(1)).value.unwrap();
            render(Dialect::Agentle, prompt, &inputs).unwrap_err().message
        };
        let deep = format!("{}{}", "{{#if a}}".repeat(101), "{{/if}}".repeat(101));
        assert_eq!(error(&deep, r#"{"a": 1}"#), "Maximum template nesting depth exceeded: 100");
        let inputs = format!(r#"{{"xs": [{}0]}}"#, "0,".repeat(10_000));
        let message = error("{{#each xs}}{{/each}}", &inputs);
        assert_eq!(message, "Maximum iteration count exceeded: 10000");
    }

    #[test]
    fn the_error_of_agentensemble_contains_the_whole_prompt() {
        let prompt = format!("{{topic}} {}", "x".repeat(200));
        let error = render(Dialect::AgentEnsemble, &prompt, &[("a", "b")]).unwrap_err();
        assert_eq!(error.template.as_deref(), Some(&*prompt));
        let error = render(Dialect::Adk, &prompt, &[("a", "b")]).unwrap_err();
        assert_eq!(error.template, None);
    }

    #[test]
    fn maps_of_texts_are_values() {
        let tree = BTreeMap::from([("a", "1")]);
        let hashed = HashMap::from([("a".to_owned(), "1".to_owned())]);
        assert_eq!(render(Dialect::Adk, "{a}", &tree).unwrap(), "1");
        assert_eq!(render(Dialect::Adk, "{a}", &hashed).unwrap(), "1");
        let either: &dyn Values = &tree;
        assert_eq!(render(Dialect::Adk, "{a}", &either).unwrap(), "1");
        assert_eq!(render(Dialect::Adk, "{a}", &[("a", "0"), ("a", "1")]).unwrap(), "1");
    }
}
