//! Each hazard in the smallest prompt that has it, compared with the engines themselves.

use promptls_resolver::{
    Code, ENGINES, Engine, EngineRef, FileId, Format, Inputs, ResolveContext, Severity, Template,
    Workflow,
};
use promptls_syntax::Dialect;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::newest_engines;
use crate::diagnose::{DEFAULT_MAX_PROBLEMS, diagnose};
use crate::snapshot::Snapshot;
use crate::snapshot::test::{Fixture, names};

/// A prompt for which engines of a dialect differ.
struct HazardRow {
    dialect: Dialect,
    text: &'static str,
    /// The inputs of its only case; none if this is not JSON.
    inputs: &'static str,
    variables: &'static str,
    /// Two engines with different results.
    differ: [&'static str; 2],
    /// The offset of the hint, and the start of its message.
    hint: (usize, &'static str),
}

const ROW: HazardRow = HazardRow {
    dialect: Dialect::Adk,
    text: "",
    inputs: "{}",
    variables: "",
    differ: ["", ""],
    hint: (0, ""),
};

/// The smallest prompts, grouped by hazard.
const HAZARDS: &[HazardRow] = &[
    // A sign before the brace: with a value, optional, swallowed, at a later position.
    HazardRow {
        text: "${x}",
        inputs: r#"{"x": "1"}"#,
        differ: ["adk-python@2.10", "adk-java"],
        hint: (2, "`x` is literal text in adk-python 2.10 and later"),
        ..ROW
    },
    HazardRow {
        text: r"\{x}",
        inputs: r#"{"x": "1"}"#,
        differ: ["adk-python", "adk-python@2.9"],
        hint: (2, "`x` is literal"),
        ..ROW
    },
    HazardRow {
        text: "${x?}",
        differ: ["adk-python", "adk-kotlin"],
        hint: (2, "`x` is literal"),
        ..ROW
    },
    HazardRow {
        text: "{x} ${{x}}",
        inputs: r#"{"x": "1"}"#,
        differ: ["adk-python", "adk-go"],
        hint: (7, "`x` is literal"),
        ..ROW
    },
    // Names that are not names in all engines.
    HazardRow {
        text: "{é?}",
        differ: ["adk-java", "adk-js"],
        hint: (1, "`é` is a valid name in only some ADK engines"),
        ..ROW
    },
    HazardRow {
        text: "{$x?}",
        differ: ["adk-java", "adk-python"],
        hint: (1, "`$x` is a valid name in only some ADK engines"),
        ..ROW
    },
    HazardRow {
        text: "{\u{10400}?}",
        differ: ["adk-go", "adk-js"],
        hint: (0, "`{\u{10400}?}` is a valid name in only some ADK engines"),
        ..ROW
    },
    HazardRow {
        text: "{a\u{B7}?}",
        differ: ["adk-python", "adk-js"],
        hint: (0, "`{a\u{B7}?}` is a valid name in only some ADK engines"),
        ..ROW
    },
    // Whitespace that is trimmed by some engines.
    HazardRow {
        text: "{x\u{85}}",
        inputs: "",
        differ: ["adk-python", "adk-js"],
        hint: (1, "`x\u{85}` has unusual whitespace at one end"),
        ..ROW
    },
    HazardRow {
        text: "{x\u{A0}}",
        inputs: "",
        differ: ["adk-go", "adk-java"],
        hint: (0, "`{x\u{A0}}` has unusual whitespace"),
        ..ROW
    },
    HazardRow {
        text: "{x\u{1C}}",
        inputs: r#"{"x": "1"}"#,
        differ: ["adk-python", "adk-go"],
        hint: (1, "`x` has unusual whitespace"),
        ..ROW
    },
    HazardRow {
        text: "{{\u{1F} x?}}",
        differ: ["adk-java", "adk-js"],
        hint: (4, "`x` has unusual whitespace"),
        ..ROW
    },
    HazardRow {
        text: "{\u{2003}x}",
        inputs: "",
        differ: ["adk-kotlin", "adk-java"],
        hint: (0, "`{\u{2003}x}` has unusual whitespace"),
        ..ROW
    },
    HazardRow {
        text: "{\u{3000}x}",
        inputs: "",
        differ: ["adk-js", "adk-java"],
        hint: (0, "`{\u{3000}x}` has unusual whitespace"),
        ..ROW
    },
    HazardRow {
        text: "{x\u{FEFF}}",
        inputs: "",
        differ: ["adk-js", "adk-go"],
        hint: (1, "`x\u{FEFF}` has unusual whitespace"),
        ..ROW
    },
    HazardRow {
        text: "{\0x}",
        inputs: r#"{"x": "1"}"#,
        differ: ["adk-java", "adk-python"],
        hint: (2, "`x` has unusual whitespace"),
        ..ROW
    },
    // Properties of every object in JavaScript.
    HazardRow {
        text: "{constructor?}",
        differ: ["adk-js", "adk-python"],
        hint: (1, "`constructor` always has a value in adk-js"),
        ..ROW
    },
    HazardRow {
        dialect: Dialect::PromptPack,
        text: "{{toString}}",
        inputs: r#"{"toString": "1"}"#,
        differ: ["promptpack-langchainjs", "promptkit-go"],
        hint: (2, "`toString` exists in every object in promptpack-langchainjs"),
        ..ROW
    },
    HazardRow {
        text: "{artifact.a}",
        inputs: r#"{"artifact.a": "1"}"#,
        differ: ["adk-java", "adk-python"],
        hint: (1, "`artifact.a` is sent as JSON by adk-java"),
        ..ROW
    },
    // PromptPack: syntax that some engines do not support, or write differently.
    HazardRow {
        dialect: Dialect::PromptPack,
        text: "{{a.b}}",
        inputs: r#"{"a": {"b": "1"}}"#,
        differ: ["promptkit-go", "promptpack-python"],
        hint: (2, "`a.b` is a path"),
        ..ROW
    },
    HazardRow {
        dialect: Dialect::PromptPack,
        text: "{{a[0]}}",
        inputs: r#"{"a": ["1"]}"#,
        differ: ["promptkit-go", "promptpack-langchainjs"],
        hint: (2, "`a[0]` is a path"),
        ..ROW
    },
    HazardRow {
        dialect: Dialect::PromptPack,
        text: "{{fragments.f}}",
        variables: r#"{"fragments": {"f": "F"}}"#,
        differ: ["promptkit-go", "promptpack-python"],
        hint: (2, "`fragments.f` is a fragment in the documentation"),
        ..ROW
    },
    HazardRow {
        dialect: Dialect::PromptPack,
        text: "{{f}}",
        variables: r#"{"fragments": {"f": "F"}}"#,
        differ: ["promptkit-go", "promptpack-python"],
        hint: (2, "`f` is a fragment in the documentation"),
        ..ROW
    },
    HazardRow {
        dialect: Dialect::PromptPack,
        text: "{{fragment:f}}",
        variables: r#"{"fragments": {"f": "F"}}"#,
        differ: ["promptpack-python", "promptpack-langchainjs"],
        hint: (0, "`{{fragment:f}}` is a fragment only in promptpack-python"),
        ..ROW
    },
    HazardRow {
        dialect: Dialect::PromptPack,
        text: "{{a|b}}",
        differ: ["promptkit-go", "promptpack-python"],
        hint: (0, "`{{a|b}}` is sent unchanged, except by promptkit-go"),
        ..ROW
    },
    HazardRow {
        dialect: Dialect::PromptPack,
        text: "{{n}}",
        variables: r#"{"variables": [{"name": "n", "type": "number", "default": 5}]}"#,
        differ: ["promptkit-go", "promptpack-python"],
        hint: (2, "`n` has a default that is not a string"),
        ..ROW
    },
    // Agentle: blocks, members, signs.
    HazardRow {
        dialect: Dialect::Agentle,
        text: "{{#each l}}{{#if this.on}}x{{/if}}{{/each}}",
        inputs: r#"{"l": [{"on": true}]}"#,
        differ: ["agentle4j", "agentle"],
        hint: (17, "`this.on` is not known when agentle4j evaluates conditions"),
        ..ROW
    },
    HazardRow {
        dialect: Dialect::Agentle,
        text: "{{t.length}}",
        inputs: r#"{"t": "abc"}"#,
        differ: ["agentle4j", "agentle"],
        hint: (2, "`t.length` is a member"),
        ..ROW
    },
    HazardRow {
        dialect: Dialect::Agentle,
        text: "{{$x}}",
        inputs: "",
        differ: ["agentle4j", "agentle-python"],
        hint: (2, "`$x` contains `$` or `\\`, which agentle4j interprets"),
        ..ROW
    },
    HazardRow {
        dialect: Dialect::Agentle,
        text: "{{#if a}}{{#if a}}x{{/if}}y{{/if}}",
        inputs: r#"{"a": false}"#,
        differ: ["agentle-python", "agentle4j"],
        hint: (15, "`a` is inside a block of the same kind"),
        ..ROW
    },
    // AgentEnsemble: the remainder of an escape.
    HazardRow {
        dialect: Dialect::AgentEnsemble,
        text: "{{{x}}}",
        inputs: "",
        differ: ["agentensemble@0.4.0", "agentensemble"],
        hint: (1, "`{{x}}` contains the engine's escape marker"),
        ..ROW
    },
];

/// Similar prompts without hazards: all engines produce the same text.
const ALIKE: &[HazardRow] = &[
    HazardRow {
        text: "{x} { app:y }\t{z?} {a.b} {a-b} {} {{x}} {\n\tx\r\n} $ {x} \\frac{1}",
        inputs: r#"{"x": "1", "app:y": "{x}"}"#,
        ..ROW
    },
    HazardRow { text: "$\n{x} \\ {x} $5 {x}$", inputs: r#"{"x": "1"}"#, ..ROW },
    HazardRow { text: "{constructor}", inputs: r#"{"constructor": "1"}"#, ..ROW },
    HazardRow { text: "{a\u{A0}b} {\u{A0}} {x\u{A0}?}", ..ROW },
    HazardRow { text: "<a from b> a.b from c <A.b to c> <A.b from c", ..ROW },
    HazardRow { dialect: Dialect::PromptPack, text: "{{x}} {x}", inputs: r#"{"x": "1"}"#, ..ROW },
    HazardRow {
        dialect: Dialect::PromptPack,
        text: "{{n}}",
        inputs: r#"{"n": "1"}"#,
        variables: r#"{"variables": [{"name": "n", "type": "string", "default": "5"}]}"#,
        ..ROW
    },
    HazardRow {
        dialect: Dialect::PromptPack,
        text: "{{n}}",
        inputs: r#"{"n": 1}"#,
        variables: r#"{"variables": [{"name": "n", "type": "number", "default": 5}]}"#,
        ..ROW
    },
    HazardRow {
        dialect: Dialect::Agentle,
        text: "{{ x }} {{y}} {x} $ \\",
        inputs: r#"{"x": "1", "y": "2"}"#,
        ..ROW
    },
    HazardRow { dialect: Dialect::Agentle, text: "{{$x}}", inputs: r#"{"$x": "1"}"#, ..ROW },
    HazardRow {
        dialect: Dialect::Agentle,
        text: "{{#if a}}x{{/if}}{{$x}}",
        inputs: r#"{"a": "1"}"#,
        ..ROW
    },
    HazardRow {
        dialect: Dialect::AgentEnsemble,
        text: "{x} {{y}} {{z}} { x }",
        inputs: r#"{"x": "1"}"#,
        ..ROW
    },
];

impl HazardRow {
    fn snapshot(&self) -> Snapshot {
        let mut fixture = Fixture::new(self.dialect, self.text);
        if !self.inputs.is_empty() {
            fixture = fixture.cases(&[("default", self.inputs)]);
        }
        if !self.variables.is_empty() {
            fixture = fixture.variables(self.variables);
        }
        fixture.build()
    }

    /// The output of an engine: a text, or the kind and the names of an error.
    fn sent_by(&self, engine: Engine) -> String {
        let snapshot = self.snapshot();
        let template = Template::compile(engine, self.text);
        template
            .render(&snapshot.given()[0])
            .unwrap_or_else(|error| format!("{:?} {:?}", error.kind, error.names))
    }

    fn hints(&self) -> Vec<(usize, String)> {
        let problems = diagnose(&self.snapshot(), DEFAULT_MAX_PROBLEMS).into_iter();
        let hints = problems.filter(|problem| problem.code == Code::EngineDiffers);
        hints
            .map(|hint| {
                assert_eq!(hint.severity, Severity::Hint, "{hint:?}");
                (hint.location.range.start, hint.message)
            })
            .collect()
    }
}

/// The specification of a dialect by its name, or an engine.
fn engine(name: &str) -> Engine {
    match Dialect::from_id(name) {
        Some(dialect) if dialect != Dialect::AgentEnsemble => dialect.into(),
        _ => EngineRef::parse(name).expect("it is an engine").engine(),
    }
}

#[test]
fn each_hazard_is_one_hint_and_engines_differ_there() {
    for row in HAZARDS {
        let [one, other] = row.differ.map(|name| row.sent_by(engine(name)));
        assert_ne!(one, other, "{:?}", row.text);
        let hints = row.hints();
        let [(at, message)] = &hints[..] else { panic!("{:?}: {hints:?}", row.text) };
        let (expected, start) = row.hint;
        assert_eq!(*at, expected, "{:?}: {message}", row.text);
        assert!(message.starts_with(start), "{:?}: {message}", row.text);
    }
}

#[test]
fn texts_that_engines_resolve_alike_have_no_hint() {
    for row in ALIKE {
        let sent: Vec<String> =
            newest_engines(row.dialect).map(|(_, engine)| row.sent_by(engine)).collect();
        assert!(sent.iter().all(|text| *text == sent[0]), "{:?}: {sent:?}", row.text);
        assert_eq!(row.hints(), [], "{:?}", row.text);
    }
}

/// Syntax that all engines agree on in each of their versions, by dialect.
fn core(dialect: Dialect) -> &'static [&'static str] {
    match dialect {
        Dialect::Adk => {
            &["{x}", "{ y }", "{app:z?}", "{\t_n1\n}", "{a.b}", "{a-b}", "{}", "text", "5 }"]
        }
        Dialect::PromptPack => &["{{x}}", "{{y}}", "{{_n1}}", "{x}", "text"],
        Dialect::Agentle => &["{{x}}", "{{ y }}", "{{\t_n1}}", "{x}", "text"],
        _ => &["{x}", "{y}", "{_n1}", "{{y}}", "text"],
    }
}

proptest! {
    #[test]
    fn the_portable_core_is_the_same_in_all_engines_and_has_no_hint(
        dialect in select(vec![Dialect::Adk, Dialect::PromptPack, Dialect::Agentle, Dialect::AgentEnsemble]),
        picked in vec(any::<Index>(), 1..8),
    ) {
        let pieces: Vec<&str> = picked.iter().map(|index| *index.get(core(dialect))).collect();
        let text = pieces.join(" ");
        let inputs = r#"{"x": "1", "y": "{x} é", "_n1": ""}"#;
        // PromptKit treats values that contain braces differently.
        let inputs = if dialect == Dialect::PromptPack { r#"{"x": "1", "y": "é", "_n1": ""}"# } else { inputs };
        let snapshot = Fixture::new(dialect, &text).cases(&[("default", inputs)]).build();
        let given = &snapshot.given()[0];
        let of_dialect = ENGINES.iter().filter(|profile| profile.dialect() == dialect);
        let sent: Vec<Result<String, _>> = of_dialect
            .flat_map(|profile| profile.engines())
            .map(|engine| Template::compile(engine, &text).render(given).map_err(|error| (error.kind, error.names)))
            .collect();
        prop_assert!(sent.iter().all(|other| *other == sent[0]), "{text:?}: {sent:?}");
        let problems = diagnose(&snapshot, DEFAULT_MAX_PROBLEMS);
        let hint = problems.iter().find(|problem| problem.code == Code::EngineDiffers);
        prop_assert!(hint.is_none(), "{text:?}: {hint:?}");
    }
}

#[test]
fn a_field_of_a_node_is_a_hint_once() {
    let row = HazardRow { text: "Use <Plan.steps from planner>, <Plan.goal from planner>.", ..ROW };
    let expected = "`<Plan.steps from planner>` is filled in by @google/adk 2 in a workflow; all other engines send it unchanged";
    assert_eq!(row.hints(), [(4, expected.to_owned())]);

    let outputs = r#"{"planner": {"steps": "two", "goal": "one"}}"#;
    let outputs = Inputs::parse(outputs, Format::Json, FileId(1)).value.expect("it is JSON").root;
    let workflow = Workflow { input: "".into(), outputs };
    let snapshot = row.snapshot();
    let given = ResolveContext { workflow: Some(&workflow), ..snapshot.given_nothing() };
    let sent = |name| Template::compile(engine(name), row.text).resolve(&given).text;
    assert_eq!(sent("adk-js"), "Use two, one.");
    assert_eq!(sent("adk-python"), row.text);
}

#[test]
fn literal_names_of_a_rule_have_no_hint() {
    let mut snapshot = HazardRow { text: "${x?}", ..ROW }.snapshot();
    std::sync::Arc::make_mut(&mut snapshot.settings).literal = names(["x"]);
    assert_eq!(diagnose(&snapshot, DEFAULT_MAX_PROBLEMS), []);
}
