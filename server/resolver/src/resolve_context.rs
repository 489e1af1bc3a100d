//! The inputs of a resolution.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use promptls_syntax::Dialect;

use crate::declarations::Declarations;
use crate::findings::problem::FileId;
use crate::path;
use crate::value::{Object, Value};
use crate::values::{ValueRef, Values};

/// The default maximum length of a resolved text, in bytes.
pub const DEFAULT_MAX_OUTPUT: usize = 16 << 20;

/// The maximum number of steps in loops and fragments, even without output: pieces of text,
/// placeholders and blocks, each time that they are processed, and iterations of loops.
///
/// Twenty fragments that include the next one twice cause a million steps, and nested loops any
/// number, without a byte of output. The engines have no limit for this, and never return. A prompt
/// is sent to a model, and the largest contexts take a million tokens. A step takes some ten
/// nanoseconds, and its entry in the source map some hundred bytes.
pub const MAX_STEPS: usize = DEFAULT_MAX_OUTPUT / BYTES_OF_A_STEP;

/// A higher output limit allows one more step per this number of bytes.
const BYTES_OF_A_STEP: usize = 16;

/// The maximum nesting depth of fragments.
///
/// They are resolved recursively. In practice, two or three are nested.
pub const MAX_FRAGMENT_DEPTH: usize = 100;

/// The inputs of a resolution.
#[derive(Clone, Copy)]
pub struct ResolveContext<'a> {
    /// The values of a case.
    pub values: &'a dyn Values,
    /// The declarations of the prompt.
    pub declarations: &'a Declarations,
    /// Names that the application supplies at run time: their placeholders stay as written.
    pub runtime: &'a BTreeSet<String>,
    /// Values that the application gives to names before it passes those of a case, which replace
    /// them. Only engines of templates in code use them.
    pub presets: &'a Object,
    /// The name of the prompt's agent, for errors that include it.
    pub agent: Option<&'a str>,
    /// The data of a workflow; `None` outside of one. Only ADK for JavaScript uses it, from 2.0 on.
    pub workflow: Option<&'a Workflow>,
    /// The maximum length of the output, in bytes.
    pub max_output: usize,
}

const NO_NAMES: &BTreeSet<String> = &BTreeSet::new();

static NOTHING: LazyLock<Object> = LazyLock::new(Object::default);

/// The data of a workflow node.
#[derive(Clone, Debug)]
pub struct Workflow {
    /// The input of the node.
    pub input: Value,
    /// The outputs of other nodes, by their names.
    pub outputs: Object,
}

impl<'a> ResolveContext<'a> {
    /// Creates inputs with default settings.
    pub fn new(values: &'a dyn Values, declarations: &'a Declarations) -> Self {
        let max_output = DEFAULT_MAX_OUTPUT;
        ResolveContext {
            values,
            declarations,
            runtime: NO_NAMES,
            presets: &NOTHING,
            agent: None,
            workflow: None,
            max_output,
        }
    }

    /// The maximum number of steps of loops and fragments: see [`MAX_STEPS`].
    pub fn max_steps(&self) -> usize {
        MAX_STEPS.max(self.max_output / BYTES_OF_A_STEP)
    }

    /// The value of a name, from the case or else from the application, and the file that contains
    /// it.
    pub(crate) fn value(&self, name: &str) -> Option<(ValueRef<'a>, Option<FileId>)> {
        if let Some(found) = self.values.get(name) {
            return Some((found, self.values.file()));
        }
        let preset = self.presets.get(name)?;
        Some((ValueRef::Value(&preset.value), None))
    }

    /// `true` if the application supplies a name at run time, completely or by its root.
    pub(crate) fn is_supplied(&self, dialect: Dialect, name: &str) -> bool {
        // Usually there are none, and computing the root requires a pass over the name.
        !self.runtime.is_empty()
            && (self.runtime.contains(name) || self.runtime.contains(path::root(dialect, name)))
    }
}

#[cfg(test)]
mod tests {
    use promptls_syntax::Dialect;

    use super::*;
    use crate::declarations::Declarations;
    use crate::findings::code::Code;
    use crate::findings::engine_error::ErrorKind;
    use crate::findings::problem::FileId;
    use crate::inputs::Inputs;
    use crate::resolve_context::ResolveContext;
    use crate::template::Template;
    use promptls_data::Format;

    /// Checks the message for a prompt with an empty text.
    #[track_caller]
    fn check(dialect: Dialect, prompt: &str, inputs: &str, variables: &str, expected: &str) {
        let inputs = Inputs::parse(inputs, Format::Json, FileId(1)).value.expect("it is an object");
        let declarations = Declarations::parse(variables, Format::Json, FileId(2)).value;
        let declarations = declarations.expect("it is an object");
        let given = ResolveContext::new(&inputs, &declarations);
        let template = Template::compile(dialect, prompt);
        let resolution = template.resolve(&given);
        assert_eq!(resolution.problems.len(), 1);
        assert_eq!(resolution.problems[0].code, Code::LimitExceeded);
        assert_eq!(resolution.problems[0].location.range, 5..prompt.find(" end").unwrap());
        assert!(resolution.map.runs.len() <= MAX_STEPS + template.path_names().count() + 8);
        let error = template.render(&given).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Limit);
        assert_eq!(error.message, expected);
        assert_eq!(resolution.error, Some(error));
    }

    /// Fragments that each include the next one a number of times. The last one is empty.
    fn chain(length: usize, times: usize) -> String {
        let fragment = |at: usize| {
            let text = format!("{{{{fragments.f{}}}}}", at + 1).repeat(times);
            format!(r#""f{at}": "{text}","#)
        };
        let fragments: String = (0..length).map(fragment).collect();
        format!(r#"{{"fragments": {{{fragments} "f{length}": ""}}}}"#)
    }

    #[test]
    fn doubling_fragments_are_a_limit_error() {
        let expected = "loops and fragments produce more than 1048576 pieces; raise the limit with --max-output";
        let prompt = "text {{fragments.f0}} end";
        check(Dialect::PromptPack, prompt, "{}", &chain(40, 2), expected);
    }

    #[test]
    fn nested_loops_without_output_are_a_limit_error() {
        let expected = "loops and fragments produce more than 1048576 pieces; raise the limit with --max-output";
        let inputs = format!(r#"{{"xs": [{}], "no": ""}}"#, ["1"; 20].join(", "));
        for inside in ["", "{{no}}", "{{#if no}}{{/if}}"] {
            let (open, close) = ("{{#each xs}}".repeat(6), "{{/each}}".repeat(6));
            let prompt = format!("text {open}{inside}{close} end");
            // The range is that of the outermost opener.
            let prompt = prompt.replacen("{{#each xs}}{{#each", "{{#each xs}} end{{#each", 1);
            check(Dialect::Agentle, &prompt, &inputs, "{}", expected);
        }
    }

    #[test]
    fn deeply_nested_fragments_are_a_limit_error() {
        let expected = "more than 100 nested fragments";
        let prompt = "text {{fragments.f0}} end";
        check(Dialect::PromptPack, prompt, "{}", &chain(100_000, 1), expected);
    }

    #[test]
    fn the_limit_of_steps_grows_with_the_output_limit() {
        let declarations = Declarations::default();
        let nothing = Inputs::empty();
        let given = ResolveContext::new(&nothing, &declarations);
        assert_eq!(given.max_steps(), MAX_STEPS);
        let more = ResolveContext { max_output: 2 * given.max_output, ..given };
        assert_eq!(more.max_steps(), 2 * MAX_STEPS);
        assert_eq!(ResolveContext { max_output: 10, ..given }.max_steps(), MAX_STEPS);
    }

    #[test]
    fn a_missing_name_is_reported_once_per_placeholder() {
        let inputs = Inputs::parse(r#"{"xs": [1, 2, 3]}"#, Format::Json, FileId(1)).value;
        let (inputs, declarations) = (inputs.expect("it is an object"), Declarations::default());
        let prompt = "{{#each xs}}{{a}}{{b}}{{a}}{{/each}}";
        let found = Template::compile(Dialect::Agentle, prompt)
            .resolve(&ResolveContext::new(&inputs, &declarations));
        let places: Vec<usize> =
            found.problems.iter().map(|problem| problem.location.range.start).collect();
        assert_eq!(places, [12, 17, 22]);
    }
}
