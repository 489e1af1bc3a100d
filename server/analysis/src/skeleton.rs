//! The initial inputs of a prompt: every name that it reads, with a value of the right type.
//!
//! The uses of a name in the prompt determine the type of its value: its [`Need`]s. Declarations
//! are more specific, and take precedence.

use std::collections::HashSet;

use promptls_resolver::{Template, Variable, effective_name, first_key, steps};
use promptls_syntax::{BlockKind, ScopeId, TokenKind, TokenRef};
use serde_json::{Map, Value as Json, json};

use crate::dialects::advice;
use crate::dialects::format::has_specification;
use crate::near_miss::is_code;
use crate::needs::Need;
use crate::sample;
use crate::snapshot::{Hole, Snapshot};
use crate::symbol::{PathStep, Symbol, symbol_of};

/// The maximum length of paths; longer ones are cut.
const MAX_DEPTH: usize = 100;

/// The text of an inputs file with all names that the prompt reads and all parts that its program
/// computes: JSON with an indentation of two spaces and a final newline.
///
/// With it, the engine misses no value, and no rule that a sample can fulfil is violated. Texts
/// contain the names that they stand for, so that they are visible in a preview; where code assigns a
/// literal to a name, it is that. Names that `promptls.toml` marks as supplied at run time are omitted, as are certainly misspelt ones.
///
/// Cost: the placeholders.
///
/// ```
/// use promptls_analysis::{Snapshot, skeleton};
/// use promptls_resolver::{Dialect};
///
/// let snapshot = Snapshot::new(Dialect::PromptPack, "{{user.name}} {{items[0]}}");
/// let json: serde_json::Value = serde_json::from_str(&skeleton(&snapshot)).unwrap();
/// assert_eq!(json["user"]["name"], "<user.name>");
/// assert!(json["items"].is_array());
/// ```
pub fn skeleton(snapshot: &Snapshot) -> String {
    skeleton_of_all([snapshot], [])
}

/// The same for prompts that share an inputs file, such as those of a pack, and for lists of messages
/// that are supplied to their chats under these names.
pub fn skeleton_of_all<'s>(
    snapshots: impl IntoIterator<Item = &'s Snapshot>,
    messages: impl IntoIterator<Item = &'s str>,
) -> String {
    let mut all = Json::Object(Map::new());
    for snapshot in snapshots {
        complete(&mut all, all_values(snapshot));
    }
    for name in messages {
        let message = json!({ "role": "user", "content": sample::text(name) });
        complete(&mut all, json!({ name: [message] }));
    }
    format!("{all:#}\n")
}

/// The value of one first name in [`skeleton`], as JSON without a final newline. A text for a name
/// that the prompt neither reads nor declares.
///
/// Cost: that of [`skeleton`].
pub fn skeleton_value(snapshot: &Snapshot, name: &str) -> String {
    let name = first_key(snapshot.dialect(), name);
    let needs = needs_of(snapshot);
    let found = needs.members.iter().find(|(member, _)| member == name);
    let nothing = Need::default();
    let value = value_of(snapshot, name, found.map_or(&nothing, |(_, need)| need));
    format!("{value:#}")
}

/// `true` if inputs have a value for a first name, and each is still the text that [`skeleton`] wrote.
pub fn has_only_samples(snapshot: &Snapshot, name: &str) -> bool {
    let mut values = snapshot.cases.iter().filter_map(|case| case.inputs.root.get(name)).peekable();
    let is_sample = |text: &str| sample::is_sample(text, name);
    values.peek().is_some() && values.all(|entry| entry.value.as_text().is_some_and(is_sample))
}

/// The members that [`skeleton`] has at a path; empty if the path does not lead to an object.
///
/// Cost: that of [`skeleton`].
pub(crate) fn members_at(snapshot: &Snapshot, path: &[PathStep]) -> Map<String, Json> {
    let mut found = all_values(snapshot);
    for step in path {
        let next = match (step, &mut found) {
            // A loop over a map shows the value of one key, which stands for all.
            (PathStep::Key(key), Json::Object(map)) if !map.contains_key(key) => {
                map.get_mut("key").map(Json::take)
            }
            (PathStep::Key(key), Json::Object(map)) => map.get_mut(key).map(Json::take),
            // All items are equivalent.
            (_, Json::Array(items)) => items.first_mut().map(Json::take),
            _ => None,
        };
        found = next.unwrap_or_default();
    }
    match found {
        Json::Object(members) => members,
        _ => Map::new(),
    }
}

fn all_values(snapshot: &Snapshot) -> Json {
    let snapshot = &*snapshot.with_parts();
    let needs = needs_of(snapshot);
    let members = needs.members.iter().filter(|(name, _)| misspelt_for(snapshot, name).is_none());
    let members = members.map(|(name, need)| (name.clone(), value_of(snapshot, name, need)));
    let computed = snapshot.computed_holes().map(|hole| (hole.key(), sample_of(hole)));
    members.chain(computed).collect()
}

/// A value for a part that the program computes. The engine reads the braces of such a value, so
/// that an expression with braces is no sample.
fn sample_of(hole: &Hole) -> Json {
    let expression = hole.expression();
    let is_plain = !expression.contains(['{', '}']);
    if is_plain { sample::text(expression).into() } else { "".into() }
}

/// The names that [`skeleton`] omits as misspelt, each with the known name that it resembles.
///
/// Cost: that of [`skeleton`].
pub fn misspelt_names(snapshot: &Snapshot) -> Vec<(String, String)> {
    let names = needs_of(snapshot).members.into_iter().map(|(name, _)| name);
    names.filter_map(|name| misspelt_for(snapshot, &name).map(|known| (name, known))).collect()
}

/// The known name that a name resembles which nothing in the application sets. With a value for it,
/// the mistake would no longer be reported.
fn misspelt_for(snapshot: &Snapshot, name: &str) -> Option<String> {
    let is_nowhere = snapshot.program().is_some_and(|program| program.nowhere.contains(name));
    is_nowhere.then(|| snapshot.names_to_mean([]).nearest(name, 1).map(str::to_owned))?
}

/// Passes each path that a prompt reads to `take`, in the order of the prompt and then of its
/// fragments. The arguments are the name in source form, its path, and the kind of token. Literal
/// names, and texts that are certainly not names, are skipped.
///
/// Cost: the placeholders.
pub(crate) fn each_path(snapshot: &Snapshot, mut take: impl FnMut(&str, Vec<PathStep>, TokenKind)) {
    let mut seen = HashSet::new();
    let mut met: HashSet<String> = HashSet::new();
    let mut fragments: Vec<String> = Vec::new();
    let mut read = |scope, name: &str, kind, fragments: &mut Vec<String>| match symbol_of(
        snapshot, scope, name,
    ) {
        Symbol::Value(path) if is_meant(snapshot, name, &path) => take(name, path, kind),
        Symbol::Fragment(fragment) if met.insert(fragment.clone()) => fragments.push(fragment),
        _ => {}
    };
    for found in snapshot.tree.tokens() {
        // The header of a block that is literal text reads nothing.
        let is_literal = found.token.kind.is_block_tag() && !found.in_force;
        let key = (found.scope, found.name_id, found.token.kind);
        if found.token.kind.reads() && !is_literal && seen.insert(key) {
            read(found.scope, found.name, found.token.kind, &mut fragments);
        }
    }
    // Each fragment once, so that a cycle of fragments ends.
    let mut done = 0;
    while let Some(fragment) = fragments.get(done).cloned() {
        done += 1;
        let Some(fragment) = snapshot.declarations.fragment(&fragment) else { continue };
        for name in Template::compile(snapshot.engine(), &fragment.text).path_names() {
            read(ScopeId::ROOT, name, TokenKind::Placeholder, &mut fragments);
        }
    }
}

/// Returns whether the author intends a name to refer to a value.
fn is_meant(snapshot: &Snapshot, name: &str, path: &[PathStep]) -> bool {
    let dialect = snapshot.dialect();
    let Some(PathStep::Key(first)) = path.first() else { return false };
    let spec = dialect.spec();
    let is_mistaken = advice(dialect).foreign_name(name).is_some()
        || spec.free_names && is_code(name)
        // There is no loop here whose item it could be.
        || spec.item == Some(first)
        // The name that the engine reads from an escape in braces.
        || effective_name(snapshot.engine(), name) != name;
    let literal = &snapshot.settings.literal;
    !is_mistaken && !literal.contains(first) && !literal.contains(name)
}

/// The needs of all first names, as members.
pub(crate) fn needs_of(snapshot: &Snapshot) -> Need {
    let mut root = Need::default();
    each_path(snapshot, |name, path, kind| read(&mut root, snapshot, name, path, kind));
    for found in fields_of_numbers(snapshot) {
        let path: Vec<PathStep> =
            steps(snapshot.dialect(), found.name).map(PathStep::from).collect();
        root.at(&path).is_number = true;
    }
    if snapshot.dialect().spec().declarations {
        for variable in snapshot.engine().missing_required(&snapshot.given_nothing()) {
            root.member(&variable.name);
        }
    }
    root
}

/// The fields with a format specification that only numbers have. Cost: the tokens.
fn fields_of_numbers(snapshot: &Snapshot) -> impl Iterator<Item = TokenRef<'_>> {
    let needs_number = |source: &str| snapshot.engine().needs_number(source);
    let fields = snapshot.tree.tokens().filter(|found| has_specification(snapshot, found));
    fields.filter(move |found| needs_number(&snapshot.slice(found.token.range())))
}

/// Records a path that is read, and the name that it was derived from.
fn read(
    root: &mut Need,
    snapshot: &Snapshot,
    name: &str,
    mut path: Vec<PathStep>,
    kind: TokenKind,
) {
    let dialect = snapshot.dialect();
    let is_supplied = |name: &str| snapshot.is_supplied_elsewhere(name);
    let is_root_supplied = |step: &PathStep| matches!(step, PathStep::Key(key) if is_supplied(key));
    if is_supplied(name) || path.first().is_some_and(is_root_supplied) {
        return;
    }
    if let Some(outputs) = advice(dialect).outputs() {
        return outputs.need(root, path);
    }
    if dialect.spec().whole_path_keys && !root.allows(&path) {
        path = vec![PathStep::Key(name.to_owned())];
    }
    path.truncate(MAX_DEPTH);
    let need = root.at(&path);
    match kind {
        TokenKind::BlockOpen(BlockKind::If) => need.is_tested = true,
        TokenKind::BlockOpen(BlockKind::Each) => _ = need.item(1),
        _ => need.is_sent = true,
    }
}

/// The value of a first name: the first sample that its declaration allows, completed with the
/// needs of the prompt.
fn value_of(snapshot: &Snapshot, name: &str, need: &Need) -> Json {
    let mut needed = need.value(name);
    // A literal that code assigns is a better example than a text with the name.
    let assigned = snapshot.program_places(name).find_map(|place| place.value.as_ref());
    if let Some(assigned) = assigned.filter(|_| needed.is_string()) {
        needed = assigned.clone();
    }
    let Some(variable) = snapshot.declarations.variable(name) else { return needed };
    let candidates = samples(variable, &needed).into_iter().map(|candidate| {
        let mut value = candidate;
        complete(&mut value, needed.clone());
        value
    });
    candidates.into_iter().find(|value| is_allowed(variable, value)).unwrap_or(needed)
}

/// Possible values of a variable, best first. They come from its declaration, from the needs of the
/// prompt, and from the rules for each type.
fn samples(variable: &Variable, needed: &Json) -> Vec<Json> {
    let Variable { name, rules, .. } = variable;
    let json = |text: &str| serde_json::from_str(text).ok();
    let allowed = rules.allowed.iter().flat_map(|rule| &rule.value);
    let shown = variable.default.iter().chain(&variable.example).chain(allowed);
    // An invisible value is not a useful sample.
    let shown = shown.filter(|value| !value.is_null() && value.as_text() != Some(""));
    let mut samples: Vec<Json> = shown.filter_map(|value| json(&value.to_json())).collect();
    samples.push(needed.clone());
    samples.extend(sample::texts(name, rules).into_iter().map(Json::from));
    samples.extend([
        true.into(),
        0.into(),
        vec![sample::text(name)].into(),
        Json::Object(Map::new()),
    ]);
    let bounds = [&rules.minimum, &rules.maximum].into_iter().flatten();
    samples.extend(bounds.filter_map(|bound| json(&bound.value)));
    samples
}

fn is_allowed(variable: &Variable, value: &Json) -> bool {
    variable.check(&value.clone().into()).is_none()
}

/// Adds the parts of `more` that are missing in `value`.
fn complete(value: &mut Json, more: Json) {
    match (value, more) {
        (Json::Object(value), Json::Object(more)) => {
            for (key, more) in more {
                match value.get_mut(&key) {
                    Some(known) => complete(known, more),
                    None => _ = value.insert(key, more),
                }
            }
        }
        (Json::Array(value), Json::Array(more)) => {
            for (index, more) in more.into_iter().enumerate() {
                match value.get_mut(index) {
                    Some(known) => complete(known, more),
                    None => value.push(more),
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use promptls_resolver::blocks::is_of_item;
    use promptls_resolver::{Code, ErrorKind, Severity};
    use promptls_syntax::Dialect;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::diagnose::{DEFAULT_MAX_PROBLEMS, diagnose};
    use crate::snapshot::Settings;
    use crate::snapshot::test::Fixture;

    /// Checks the skeleton, and that a prompt with these inputs has no problems.
    #[track_caller]
    fn check_with(fixture: impl Fn() -> Fixture, expected: Expect) {
        let skeleton = skeleton(&fixture().build());
        expected.assert_eq(&skeleton);
        let snapshot = fixture().cases(&[("default", &skeleton)]).build();
        let problems = diagnose(&snapshot, DEFAULT_MAX_PROBLEMS);
        // Differences between engines depend only on the prompt.
        let wrong = problems.iter().filter(|problem| problem.code != Code::EngineDiffers);
        let wrong: Vec<_> = wrong.map(|problem| (problem.code, &problem.message)).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    #[track_caller]
    fn check(dialect: Dialect, prompt: &str, expected: Expect) {
        check_with(|| Fixture::new(dialect, prompt), expected);
    }

    #[track_caller]
    fn check_declared(prompt: &str, variables: &str, expected: Expect) {
        check_with(|| Fixture::new(Dialect::PromptPack, prompt).variables(variables), expected);
    }

    #[test]
    fn names_are_in_the_order_of_the_prompt() {
        check(
            Dialect::AgentEnsemble,
            "{topic} {{no}} {year} {topic}",
            expect![[r#"
                {
                  "topic": "<topic>",
                  "year": "<year>"
                }
            "#]],
        );
        check(
            Dialect::Adk,
            "{user:name?} {artifact.a.txt} {x}",
            expect![[r#"
                {
                  "user:name": "<user:name>",
                  "artifact.a.txt": "<artifact.a.txt>",
                  "x": "<x>"
                }
            "#]],
        );
        check(
            Dialect::AgentEnsemble,
            "none",
            expect![[r#"
            {}
        "#]],
        );
    }

    #[test]
    fn outputs_of_tasks_have_their_metadata() {
        check(
            Dialect::Entaingine,
            "{NAME} {task_0.output_0} {task_1.output_all.chunkSimilarityMetadata.file_url} \
             {task_2.output_3.chunkSimilarityMetadata} {task_2.output_3}",
            expect![[r#"
                {
                  "NAME": "<NAME>",
                  "task_0": {
                    "output_0": "<task_0.output_0>"
                  },
                  "task_1": {
                    "output_0": {
                      "text": "<task_1.output_0.text>",
                      "chunkSimilarityMetadata": {
                        "file_url": "https://example.com/document"
                      }
                    }
                  },
                  "documents": {
                    "https://example.com/document": "<document>"
                  },
                  "task_2": {
                    "output_3": {
                      "text": "<task_2.output_3.text>",
                      "chunkSimilarityMetadata": {}
                    }
                  }
                }
            "#]],
        );
    }

    #[test]
    fn paths_are_objects_and_indexes_lists() {
        check(
            Dialect::PromptPack,
            "{{user.name}} {{user.mail}} {{a[1].b}}",
            expect![[r#"
                {
                  "user": {
                    "name": "<user.name>",
                    "mail": "<user.mail>"
                  },
                  "a": [
                    {
                      "b": "<a.b>"
                    },
                    {
                      "b": "<a.b>"
                    }
                  ]
                }
            "#]],
        );
        // If two paths contradict each other, one of them becomes a key.
        check(
            Dialect::PromptPack,
            "{{a.b}} {{a[0]}} {{b[4294967296]}}",
            expect![[r#"
                {
                  "a": {
                    "b": "<a.b>"
                  },
                  "a[0]": "<a[0]>",
                  "b[4294967296]": "<b[4294967296]>"
                }
            "#]],
        );
    }

    #[test]
    fn values_have_the_types_that_blocks_require() {
        check(
            Dialect::Agentle,
            "{{#if vip}}{{name}}{{/if}}{{#each items}}{{this.title}}{{#if this.on}}{{/if}}\
             {{#each this.tags}}{{this}}{{/each}}{{/each}}",
            expect![[r#"
                {
                  "vip": true,
                  "name": "<name>",
                  "items": [
                    {
                      "title": "<items.title>",
                      "on": true,
                      "tags": [
                        "<items.tags>"
                      ]
                    }
                  ]
                }
            "#]],
        );
        check(
            Dialect::Agentle,
            "{{#each a}}{{this.key}}: {{this.value.b}}{{/each}}",
            expect![[r#"
                {
                  "a": {
                    "key": {
                      "b": "<a.b>"
                    }
                  }
                }
            "#]],
        );
        check(
            Dialect::Agentle,
            "{{#if a}}{{#each a}}x{{/each}}{{/if}}",
            expect![[r#"
                {
                  "a": [
                    "<a>"
                  ]
                }
            "#]],
        );
    }

    #[test]
    fn values_come_from_declarations_first() {
        check_declared(
            "{{tone}} {{count}} {{level}} {{user.name}} {{on}} {{tags}} {{long}}",
            r#"{"variables": [
                {"name": "tone", "default": "kind"},
                {"name": "count", "type": "number", "validation": {"minimum": 3}},
                {"name": "level", "validation": {"enum": ["low", "high"]}},
                {"name": "user", "type": "object", "example": {"mail": "a@b.example"}},
                {"name": "on", "type": "boolean"},
                {"name": "tags", "type": "array"},
                {"name": "long", "validation": {"min_length": 3}}
            ]}"#,
            expect![[r#"
                {
                  "tone": "kind",
                  "count": 3,
                  "level": "low",
                  "user": {
                    "mail": "a@b.example",
                    "name": "<user.name>"
                  },
                  "on": true,
                  "tags": [
                    "<tags>"
                  ],
                  "long": "<long>"
                }
            "#]],
        );
    }

    #[test]
    fn required_variables_are_included_even_if_unused() {
        let variables =
            r#"{"variables": [{"name": "tenant", "required": true, "type": "number"}]}"#;
        let fixture = || Fixture::new(Dialect::PromptPack, "x").variables(variables);
        assert_eq!(skeleton(&fixture().build()), "{\n  \"tenant\": 0\n}\n");
    }

    #[test]
    fn names_in_fragments_are_included() {
        check_declared(
            "{{fragments.head}} {{foot}}",
            r#"{"fragments": {"head": "{{a.b}} {{foot}}", "foot": "{{c}}"}}"#,
            expect![[r#"
                {
                  "a": {
                    "b": "<a.b>"
                  },
                  "c": "<c>"
                }
            "#]],
        );
    }

    #[test]
    fn runtime_and_literal_names_are_omitted() {
        let settings = || Settings {
            runtime: crate::snapshot::test::names(["session_id"]),
            literal: crate::snapshot::test::names(["page"]),
            ..Settings::default()
        };
        let prompt = "{session_id} {page} {x}";
        check_with(
            || Fixture::new(Dialect::Adk, prompt).settings(settings()),
            expect![[r#"
                {
                  "x": "<x>"
                }
            "#]],
        );
    }

    #[test]
    fn the_value_of_a_single_name_is_that_of_the_skeleton() {
        let snapshot = Snapshot::new(Dialect::Agentle, "{{a.b}} {{#each c}}{{this.d}}{{/each}}");
        assert_eq!(skeleton_value(&snapshot, "a"), "{\n  \"b\": \"<a.b>\"\n}");
        assert_eq!(skeleton_value(&snapshot, "c.x"), "[\n  {\n    \"d\": \"<c.d>\"\n  }\n]");
        assert_eq!(skeleton_value(&snapshot, "unknown"), "\"<unknown>\"");
    }

    #[test]
    fn accidental_names_are_omitted() {
        let prompt = "{{this}} {{else}} {{> p}} {{color: \"red\"}} {{ }} {{#if a}}";
        assert_eq!(skeleton(&Snapshot::new(Dialect::Agentle, prompt)), "{}\n");
        assert_eq!(skeleton(&Snapshot::new(Dialect::AgentEnsemble, "{{{x}}}")), "{}\n");
    }

    #[test]
    fn very_long_paths_are_cut() {
        let prompt = format!("{{{{a{}}}}}", ".a".repeat(100_000));
        assert!(skeleton(&Snapshot::new(Dialect::Agentle, &prompt)).len() < 100_000);
    }

    /// Parts of prompts without contradictions, for each dialect.
    const PIECES: [(Dialect, &[&str]); 6] = [
        (Dialect::AgentEnsemble, &["{a}", "{b}", "{{c}}. ", "x "]),
        (Dialect::Adk, &["{a}", "{a?}", "{ user:b }", "{artifact.c d.txt}", "{{e}}", "{f.g} "]),
        (
            Dialect::Entaingine,
            &[
                "{A}",
                "{task_0.output_1}",
                "{task_0.output_all}",
                "{task_0.output_1.chunkSimilarityMetadata}",
                "{task_0.output_all.chunkSimilarityMetadata.k}",
                "{task_00.output_all.chunkSimilarityMetadata}",
                "{task_1.output_0.chunkSimilarityMetadata.parentUrl}",
            ],
        ),
        (
            Dialect::PromptPack,
            &[
                "{{a}}",
                "{{a.b}}",
                "{{a.b.c}}",
                "{{a[0]}}",
                "{{a[1].b}}",
                "{{a[0][1]}}",
                "{{a[99].b}}",
                "{{a.b[3]}}",
                "{{input}}",
                "{{fragments.f}}",
            ],
        ),
        (
            Dialect::Agentle,
            &[
                "{{a}}",
                "{{ a.b }}",
                "{{#if a}}",
                "{{#if c}}",
                "{{/if}}",
                "{{#each l}}",
                "{{#each m.n}}",
                "{{this}}",
                "{{this.x}}",
                "{{#each this.y}}",
                "{{#if this.z}}",
                "{{/each}}",
            ],
        ),
        (Dialect::Langfuse, &["{{a}}", "{{ a.b }}", "{{c d}}", "{{e\n}}", "{f} ", "{{{g}}"]),
    ];

    /// `this` outside of all loops has no value that a file could contain.
    fn is_this_outside_of_loops(snapshot: &Snapshot, offset: usize) -> bool {
        let found = snapshot.token_at(offset).expect("a name stands there");
        let is_in_loop = match symbol_of(snapshot, found.scope, found.name) {
            Symbol::Value(path) => path.contains(&PathStep::Item),
            Symbol::Fragment(_) => false,
        };
        is_of_item(snapshot.dialect(), found.name) && !is_in_loop
    }

    /// Declarations with a valid value in every dialect: those that accept only texts also accept
    /// numbers and booleans.
    const DECLARATIONS: [&str; 14] = [
        r#""type": "string""#,
        r#""type": "number""#,
        r#""type": "boolean""#,
        r#""type": "string", "default": """#,
        r#""type": "string", "example": "" "#,
        r#""type": "number", "example": 7, "validation": {"minimum": 8}"#,
        r#""type": "number", "validation": {"minimum": 3.5, "maximum": 4}"#,
        r#""type": "number", "validation": {"maximum": -2}"#,
        r#""type": "string", "validation": {"min_length": 20}"#,
        r#""type": "string", "validation": {"max_length": 2}"#,
        r#""type": "string", "validation": {"pattern": "^[A-Z]{2}-\\d+$", "min_length": 7}"#,
        r#""type": "string", "example": "x1", "validation": {"pattern": "[a-z]\\d"}"#,
        r#""validation": {"enum": ["low", "high"]}"#,
        r#""validation": {"enum": ["", "high"]}"#,
    ];

    fn prompt_of(pieces: &'static [&'static str]) -> impl Strategy<Value = String> {
        vec(select(pieces), 0..12).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn the_skeleton_defines_all_placeholders(
            (dialect, prompt) in select(PIECES.to_vec()).prop_flat_map(|(dialect, pieces)| {
                prompt_of(pieces).prop_map(move |prompt| (dialect, prompt))
            })
        ) {
            let fragments = r#"{"fragments": {"f": "{{a.b}} {{g[0]}}"}}"#;
            let variables = if dialect == Dialect::PromptPack { fragments } else { "{}" };
            let fixture = || Fixture::new(dialect, &prompt).variables(variables);
            let skeleton = skeleton(&fixture().build());
            let snapshot = fixture().cases(&[("default", &skeleton)]).build();
            for problem in diagnose(&snapshot, DEFAULT_MAX_PROBLEMS) {
                let is_missing = problem.code == Code::UndefinedPlaceholder
                    && !is_this_outside_of_loops(&snapshot, problem.location.range.start);
                prop_assert!(!is_missing, "{prompt}\n{skeleton}\n{problem:?}");
            }
            let given = snapshot.given();
            let resolution = Template::compile(dialect, &prompt).resolve(&given[0]);
            let error = resolution.error.filter(|error| error.kind == ErrorKind::Missing);
            prop_assert!(error.is_none(), "{prompt}\n{skeleton}\n{error:?}");
        }

        /// For any declaration and use, there is a valid value.
        #[test]
        fn the_skeleton_has_no_errors(
            dialect in select(Dialect::ALL.to_vec()),
            declared in vec(select(DECLARATIONS.to_vec()), 1..4),
            is_required: bool,
            is_used: bool,
        ) {
            let names = ["A", "B", "C"];
            let variable = |(name, rules): (&&str, &&str)| {
                format!(r#"{{"name": "{name}", "required": {is_required}, {rules}}}"#)
            };
            let variables: Vec<_> = names.iter().zip(&declared).map(variable).collect();
            let variables = format!(r#"{{"variables": [{}]}}"#, variables.join(", "));
            let used = names.iter().take(if is_used { declared.len() } else { 0 });
            let prompt: String = used.map(|name| format!("{}{name}{} ", dialect.spec().open, dialect.spec().close)).collect();
            let fixture = || Fixture::new(dialect, &prompt).variables(&variables);
            let before = diagnose(&fixture().build(), DEFAULT_MAX_PROBLEMS);
            let skeleton = skeleton(&fixture().build());
            let snapshot = fixture().cases(&[("default", &skeleton)]).build();
            for problem in diagnose(&snapshot, DEFAULT_MAX_PROBLEMS) {
                let is_new = !before.contains(&problem);
                let is_wrong = problem.severity == Severity::Error && is_new
                    || problem.code == Code::EmptyInput;
                prop_assert!(!is_wrong, "{prompt}\n{variables}\n{skeleton}\n{problem:?}");
            }
        }
    }
}
