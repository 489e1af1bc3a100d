use expect_test::{Expect, expect};

use super::*;
use crate::diagnose::{DEFAULT_MAX_PROBLEMS, diagnose};
use crate::snapshot::Settings;
use crate::snapshot::test::Fixture;

fn form(snapshot: &Snapshot, case: Option<usize>) -> InputsForm {
    let problems = diagnose(&snapshot.of_case(case), DEFAULT_MAX_PROBLEMS);
    inputs_form(snapshot, case, &problems)
}

#[track_caller]
fn check(dialect: Dialect, prompt: &str, inputs: &str, variables: &str, expected: Expect) {
    let settings = Settings {
        runtime: crate::snapshot::test::names(["now"]),
        literal: crate::snapshot::test::names(["page"]),
        ..Settings::default()
    };
    let cases = [("other", "{}"), ("chosen", inputs)];
    let mut fixture = Fixture::new(dialect, prompt).cases(&cases).settings(settings);
    if !variables.is_empty() {
        fixture = fixture.variables(variables);
    }
    let snapshot = fixture.build();
    let form = form(&snapshot, Some(1));
    assert_eq!(form.file, Some(FileId(2)));
    expected.assert_eq(&form.fields.iter().map(|field| line(&snapshot, field)).collect::<String>());
}

/// `name: text = "Ada" from inputs at "Ada"; …`, with further properties.
fn line(snapshot: &Snapshot, field: &Field) -> String {
    let Field { keys, path, kind, value, source, location, .. } = field;
    let mut line = format!("{path}: {}", kind.id());
    if let Some(value) = value {
        line += &format!(" = {value}");
    }
    line += &format!(" from {}", source.id());
    if let Some(written) = location.as_ref().and_then(|it| snapshot.written_at(it)) {
        line += &format!(" at {written}");
    }
    if *path != shown(keys) {
        line += &format!(" {keys:?}");
    }
    let options: Vec<String> = field.options.iter().map(Json::to_string).collect();
    let facts = [
        (!field.used, "unused".to_owned()),
        (field.required, "required".to_owned()),
        (!options.is_empty(), format!("one of {}", options.join(" "))),
        (!field.rules.is_empty(), field.rules.join(", ")),
        (field.description.is_some(), field.description.clone().unwrap_or_default()),
    ];
    for (_, fact) in facts.into_iter().filter(|(is_told, _)| *is_told) {
        line += &format!("; {fact}");
    }
    for (severity, message) in &field.problems {
        line += &format!("\n  {}: {message}", severity.id());
    }
    line + "\n"
}

#[test]
fn names_are_fields() {
    check(
        Dialect::AgentEnsemble,
        "{topic} {{no}} {year} {topic} {a} {now} {page} {{{x}}} {list}",
        r#"{"$schema": "x", "year": 2024, "topic": "AI", "old": 1.50, "list": []}"#,
        "",
        expect![[r#"
            topic: text = "AI" from inputs at "AI"
            year: integer = 2024 from inputs at 2024
            a: text from missing
              error: `a` has no value
            now: any from runtime
            list: list = [] from inputs at []
              error: `list` is a list or an object; AgentEnsemble accepts only strings
            old: number = 1.50 from inputs at 1.50; unused
              warning: `old` is never read by test.prompt
        "#]],
    );
}

#[test]
fn scopes_and_artifacts_are_keys() {
    check(
        Dialect::Adk,
        "{app:name} {user:age?} {artifact.a.txt} {x} {y} {not one}",
        r#"{"app:name": "Ada", "x": null, "artifact.a.txt": {"$file": "a.txt"}, "z": [1]}"#,
        "",
        expect![[r#"
            app:name: text = "Ada" from inputs at "Ada"
            user:age: text from missing
            artifact.a.txt: text = "" from file at {"$file": "a.txt"}
            x: text = null from inputs at null
            y: text from missing
              error: `y` has no value
            z: list = [1] from inputs at [1]; unused
              warning: `z` is never read by test.prompt
        "#]],
    );
}

#[test]
fn outputs_of_tasks_are_fields_one_by_one() {
    check(
        Dialect::Entaingine,
        "{FILE} {task_0.output_all} {task_1.output_0} {task_1.output_0.chunkSimilarityMetadata.score} \
         {task_1.output_1.chunkSimilarityMetadata.file_url} {task_2.output_all} \
         {task_1.output_0.chunkSimilarityMetadata}",
        r#"{"task_0": {"output_0": "a", "output_1": {"text": "b"}},
            "task_1": {"output_1": {"text": "c", "chunkSimilarityMetadata": {"file_url": "u", "score": 1}}},
            "documents": {"u": "d"}}"#,
        "",
        expect![[r#"
            FILE: text from missing
              error: `FILE` has no value
            task_0.output_0: text = "a" from inputs at "a"
            task_0.output_1.text: text = "b" from inputs at "b"
            task_1.output_0.text: text from missing
              error: `task_1.output_0` has no value
            task_1.output_0.chunkSimilarityMetadata.score: text from missing
              error: `task_1.output_0.chunkSimilarityMetadata.score` has no value
            task_1.output_1.chunkSimilarityMetadata.file_url: text = "u" from inputs at "u"
            documents.u: text = "d" from inputs at "d"
            task_2.output_0: text from missing
              error: `task_2.output_all` has no value
            task_1.output_0.chunkSimilarityMetadata: object from missing
              error: `task_1.output_0.chunkSimilarityMetadata` has no value
        "#]],
    );
}

#[test]
fn paths_are_fields_of_their_members() {
    check(
        Dialect::PromptPack,
        "{{user.name}} {{user.tags[1]}} {{user.tags[5]}} {{a.b}} {{items}} {{tone}} {{input.x}} \
         {{fragments.more}} {{user.age}} {{c.d}} {{now}}",
        r#"{"user": {"name": "Ada", "tags": ["x", "y"]}, "a.b": 1, "items": {"k": 1}, "c": "no object",
            "fragments": {"more": 1}}"#,
        r#"{"fragments": {"tone": "Be {{mood}}"}}"#,
        expect![[r#"
            user.name: text = "Ada" from inputs at "Ada"
            user.tags[1]: text = "y" from inputs at "y"
            user.tags: list = ["x","y"] from inputs at ["x", "y"]
              error: `user.tags[5]` has no value
            a.b: integer = 1 from inputs at 1
            items: object = {"k":1} from inputs at {"k": 1}
            input.x: text from runtime
            user.age: text from missing
              error: `user.age` has no value
            c: text = "no object" from inputs at "no object"
              error: `c.d` has no value
            now: any from runtime
            mood: text from missing
              error: fragment `tone` needs `mood`, which has no value
            fragments: object = {"more":1} from inputs at {"more": 1}; unused
        "#]],
    );
}

#[test]
fn fields_contain_the_facts_of_declarations() {
    check(
        Dialect::PromptPack,
        "{{plan}} {{name}} {{size}} {{opts.deep}} {{late}}",
        r#"{"plan": "gold", "size": 9, "late": null}"#,
        r#"{"variables": [
            {"name": "name", "type": "string", "required": true, "description": "Who.",
             "validation": {"min_length": 1, "max_length": 20, "pattern": "^\\w+$"}},
            {"name": "plan", "validation": {"enum": ["free", "pro"]}},
            {"name": "size", "type": "number", "validation": {"minimum": 1, "maximum": 5}},
            {"name": "opts", "type": "object", "default": {"deep": true}},
            {"name": "late", "default": [1]},
            {"name": "spare", "example": false, "validation": {"min_length": 1}}
        ]}"#,
        expect![[r#"
            plan: text = "gold" from inputs at "gold"; one of "free" "pro"
              error: `plan` must be one of "free", "pro"
            name: text from missing; required; matches `^\w+$`, 1–20 characters; Who.
              error: `name` has no value; did you mean `late`?
            size: number = 9 from inputs at 9; 1–5
              error: `size` is 9; the maximum is 5
            opts.deep: boolean = true from default at true
            late: list = [1] from default at [1]
            spare: boolean from missing; unused; at least 1 character
              warning: `spare` is declared and never used by test.prompt
        "#]],
    );
}

#[test]
fn fields_of_blocks_have_the_types_that_blocks_require() {
    check(
        Dialect::Agentle,
        "{{#if user}}{{user.name}}{{#if user.vip}}!{{/if}}{{/if}}\
         {{#each xs}}{{this.t}} {{#each this.ys}}{{this}}{{/each}} {{topic}}{{/each}}\
         {{#each map}}{{this.key}}{{/each}}{{#if flag}}{{/if}}{{gone}}{{nothing}}{{each}} {{this}}",
        r#"{"user": {"vip": false}, "xs": [{"t": 1}, {}], "nothing": null, "more": {}}"#,
        "",
        expect![[r#"
            user.name: text from missing
              error: `user.name` has no value
            user.vip: boolean = false from inputs at false
            xs: list = [{"t":1},{}] from inputs at [{"t": 1}, {}]
              error: `this.t` has no value in an item of `xs`
              error: `this.ys` has no value in an item of `xs`, so the loop has no items
            topic: text from missing
              error: `topic` has no value
            map: object from missing
              error: `map` has no value, so the loop has no items
            flag: boolean from missing
              info: `flag` has no value, so the block is never entered
            gone: text from missing
              error: `gone` has no value; did you mean `more`?
            nothing: text from missing at null
              error: `nothing` has no value
            each: text from missing
              error: `each` has no value
            more: object = {} from inputs at {}; unused
        "#]],
    );
}

#[test]
fn a_form_exists_without_inputs() {
    let snapshot = Fixture::new(Dialect::Agentle, "{{a.b}}{{#each xs}}{{/each}}").build();
    let form = form(&snapshot, None);
    assert_eq!(form.file, None);
    let shown: String = form.fields.iter().map(|field| line(&snapshot, field)).collect();
    expect![[r#"
        a.b: text from missing
        xs: list from missing
    "#]]
    .assert_eq(&shown);
}
