//! Shared checks of engine tests.

use proptest::prelude::*;

use super::{ENGINES, EngineRef};
use crate::declarations::Declarations;
use crate::findings::problem::FileId;
use crate::inputs::Inputs;
use crate::render::render;
use crate::resolution::Resolution;
use crate::resolve_context::ResolveContext;
use crate::template::Template;
use promptls_data::Format;

/// Inputs, declarations, a prompt, and the text that is sent or the error that is raised.
pub(super) struct Case<'c>(pub &'c str, pub &'c str, pub &'c str, pub &'c str);

#[track_caller]
pub(super) fn check(engine: &str, cases: &[Case<'_>]) {
    for Case(inputs, declarations, prompt, expected) in cases {
        let found = resolve(engine, inputs, declarations, prompt);
        let actual = match found.error {
            None => found.text,
            Some(error) => format!("{} [{}]: {error}", error.kind, error.names.join(",")),
        };
        assert_eq!(actual, *expected, "{prompt}");
    }
}

/// Resolves, and asserts the properties of all engines: rendering gives the same result, fast paths
/// do, and the source map covers the text.
#[track_caller]
pub(super) fn resolve(engine: &str, inputs: &str, declarations: &str, prompt: &str) -> Resolution {
    let engine = EngineRef::parse(engine).expect("the engine is known").engine();
    let inputs = Inputs::parse(inputs, Format::Json, FileId(1)).value.expect("it is an object");
    let declarations = Declarations::parse(declarations, Format::Json, FileId(2)).value;
    let declarations = declarations.expect("it is an object");
    let given = ResolveContext::new(&inputs, &declarations);
    let template = Template::compile(engine, prompt);
    let found = template.resolve(&given);
    match template.render(&given) {
        Ok(text) => assert_eq!((&found.error, &found.text), (&None, &text), "{prompt}"),
        Err(error) => assert_eq!(found.error.as_ref(), Some(&error), "{prompt}"),
    }
    let long_way = Template { is_orderly: false, has_loose_braces: true, ..template.clone() };
    let long_way = long_way.resolve(&given);
    assert_eq!((&long_way.text, &long_way.error), (&found.text, &found.error), "{prompt}");
    if declarations.variables.is_empty() && declarations.fragments.is_empty() {
        let at_once = render(engine, prompt, &inputs);
        let sent = found.error.clone().map_or(Ok(found.text.clone()), Err);
        assert_eq!(at_once, sent, "{prompt}");
    }
    let mut at = 0;
    for run in &found.map.runs {
        assert_eq!(run.output.start, at, "{prompt}: {run:?}");
        assert!(prompt.get(run.source.clone()).is_some(), "{prompt}: {run:?}");
        at = run.output.end;
    }
    let is_over_limit = found.error.as_ref().is_some_and(|error| error.message.contains("longer"));
    assert!(at == found.text.len() || is_over_limit, "{prompt}");
    found
}

const PIECE: &str = r"\{\{[a-c]\}\}|\{\{f:a\}\}|\{\{fragment:[a-c]\}\}|[{}]{1,3}|[a-c:. \\$é🎉]";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_prompt_is_resolved_without_a_panic(
        prompt in proptest::collection::vec(PIECE, 0..8),
        values in proptest::collection::vec((PIECE, "[a-c]|fragment:a|__proto__"), 0..4),
        fragments in proptest::collection::vec(PIECE, 0..4),
        default in PIECE,
    ) {
        let json = |text: &str| serde_json::to_string(text).expect("a text is JSON");
        let object = |entries: Vec<(String, &String)>| {
            let entries = entries.into_iter().map(|(key, text)| format!("{}: {}", json(&key), json(text)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        };
        let inputs = object(values.iter().map(|(text, key)| (key.clone(), text)).collect());
        let fragments = fragments.iter().zip('a'..).map(|(text, name)| (name.to_string(), text));
        let declarations = format!(
            r#"{{"variables": [{{"name": "a", "type": "string", "default": {}}}], "fragments": {}}}"#,
            json(&default),
            object(fragments.collect()),
        );
        for profile in ENGINES {
            resolve(profile.id, &inputs, "{}", &prompt.concat());
            resolve(profile.id, &inputs, &declarations, &prompt.concat());
        }
    }
}
