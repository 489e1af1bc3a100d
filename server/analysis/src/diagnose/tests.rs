//! Problems of every kind, as input texts and expected output.

use expect_test::{Expect, expect};
use promptls_resolver::{Code, FileId};
use promptls_syntax::Dialect;

use super::diagnose;
use crate::snapshot::test::Fixture;
use crate::snapshot::{Settings, Snapshot};
use crate::tokens::TokenEncoding;

fn describe(fixture: Fixture, max: usize) -> String {
    let snapshot = fixture.build();
    let mut lines = String::new();
    for problem in diagnose(&snapshot, max) {
        let file = match problem.location.file {
            FileId::PROMPT => String::new(),
            file => format!("{} ", snapshot.file_name(file)),
        };
        let range = &problem.location.range;
        lines.push_str(&format!(
            "{file}{range:?} {} {}: {}\n",
            problem.severity.id(),
            problem.code.id(),
            problem.message
        ));
        for related in &problem.related {
            let file = snapshot.file_name(related.location.file);
            lines.push_str(&format!("  {file} {:?} {}\n", related.location.range, related.message));
        }
    }
    lines
}

#[track_caller]
fn check(dialect: Dialect, text: &str, cases: &[(&str, &str)], expected: Expect) {
    expected.assert_eq(&describe(Fixture::new(dialect, text).cases(cases), 500));
}

#[track_caller]
fn check_declared(text: &str, inputs: &str, variables: &str, expected: Expect) {
    let fixture = Fixture::new(Dialect::PromptPack, text).cases(&[("default", inputs)]);
    expected.assert_eq(&describe(fixture.variables(variables), 500));
}

#[test]
fn a_misspelt_name_is_one_problem() {
    check(
        Dialect::AgentEnsemble,
        "Dear {custmer},",
        &[("default", r#"{"customer": "Ada"}"#)],
        expect![[r#"
            6..13 error undefined-placeholder: `custmer` has no value; did you mean `customer`?
              default.json 1..11 case default has `customer`
        "#]],
    );
}

#[test]
fn a_misspelt_path_segment_has_a_suggestion() {
    check(
        Dialect::Agentle,
        "{{agent.nmae}} {{agent.city.x}} {{#each items}}{{this.titel}}{{/each}} {{agent.title}}",
        &[("default", r#"{"agent": {"name": 1, "city": "x"}, "items": [{"title": 1}]}"#)],
        expect![[r#"
            2..12 error undefined-placeholder: `agent.nmae` has no value; did you mean `agent.name`?
              default.json 0..0 the inputs of case default
            17..29 error undefined-placeholder: `agent.city.x` has no value
              default.json 0..0 the inputs of case default
            32..47 hint mode-changed-by-block: because the prompt has a block, names without a value are removed; without a block they would be sent unchanged
            49..59 error undefined-placeholder: `this.titel` has no value in an item of `items`; did you mean `this.title`?
              default.json 0..0 the inputs of case default
            73..84 error undefined-placeholder: `agent.title` has no value
              default.json 0..0 the inputs of case default
        "#]],
    );
    check(
        Dialect::Entaingine,
        "{task_0.output_1}",
        &[("default", r#"{"task_0": {"output_0": "x"}}"#)],
        expect![[r#"
            1..16 error undefined-placeholder: `task_0.output_1` has no value
              default.json 0..0 the inputs of case default
        "#]],
    );
}

#[test]
fn dotted_keys_are_reported_where_an_object_is_required() {
    check(
        Dialect::Agentle,
        "{{user.name}} {{user.mail}}",
        &[("default", r#"{"user.name": 1, "user": {"mail": 2}}"#)],
        expect![[r#"
            2..11 error undefined-placeholder: `user.name` has no value; in inputs, write a path as an object: `{"user": {"name": …}}`
              default.json 1..12 case default has `user.name`
        "#]],
    );
    check(
        Dialect::Entaingine,
        "{task_0.output_1}",
        &[("default", r#"{"task_0.output_1": "x"}"#)],
        expect![[r#"
            1..16 error undefined-placeholder: `task_0.output_1` has no value; in inputs, write a path as an object: `{"task_0": {"output_1": …}}`
              default.json 1..18 case default has `task_0.output_1`
        "#]],
    );
    // In PromptPack, the whole path is a key.
    check(
        Dialect::PromptPack,
        "{{a.b}}",
        &[("default", r#"{"a.b": 1}"#)],
        expect![[r#"
            2..5 hint engine-differs: `a.b` is a path, which no PromptPack engine supports: promptkit-go fails without a key of exactly that name, the others send it unchanged
        "#]],
    );
    check(Dialect::Langfuse, "{{a.b}}", &[("default", r#"{"a.b": 1}"#)], expect![""]);
}

#[test]
fn a_key_that_is_misspelt_in_one_case_is_reported_with_the_right_name() {
    check(
        Dialect::Adk,
        "{name} {note?}",
        &[("default", r#"{"nmae": 1, "note": 1}"#), ("other", r#"{"name": 1, "ntoe": 2}"#)],
        expect![[r#"
            1..5 error undefined-placeholder: `name` has no value in 1 of 2 cases: default; did you mean `nmae`?
              default.json 1..7 case default has `nmae`
            default.json 1..7 warning unused-input: `nmae` is never read by test.prompt; did you mean `name`?
            other.json 12..18 warning unused-input: `ntoe` is never read by test.prompt; did you mean `note`?
        "#]],
    );
}

#[test]
fn a_missing_closer_is_reported_only_for_defined_names() {
    let case = [("default", r#"{"name": 1, "order": 2, "NAME": 3, "user": {"name": 4}}"#)];
    let prompt = "Hi {name and {order}\nHi {nobody and {order}\n{name: string\n{name, {order}}";
    check(
        Dialect::Adk,
        prompt,
        &case[..],
        expect![[r#"
        3..8 warning malformed-placeholder: `{name` is sent unchanged: `}` is missing after it; write `{name}`
        65..73 warning swallowed-brace: Google ADK swallows every brace next to `order`, so one is lost here; add a space between them
        default.json 24..30 warning unused-input: `NAME` is never read by test.prompt
        default.json 35..41 warning unused-input: `user` is never read by test.prompt
    "#]],
    );
    check(
        Dialect::Entaingine,
        "Hi {NAME, welcome",
        &case,
        expect![[r#"
        3..8 warning malformed-placeholder: `{NAME` is sent unchanged: `}` is missing after it; write `{NAME}`
        default.json 1..7 warning unused-input: `name` is never read by test.prompt
        default.json 12..19 warning unused-input: `order` is never read by test.prompt
        default.json 35..41 warning unused-input: `user` is never read by test.prompt
    "#]],
    );
    check(
        Dialect::PromptPack,
        "{{order}} {{price\n{{price} {{user.name and {name\n{{x: {{y(\n{ { user.name } } { { foo } }",
        &case,
        expect![[r#"
            10..17 warning malformed-placeholder: `{{price` is sent unchanged: `}}` is missing after it; write `{{price}}`
            18..26 warning malformed-placeholder: `{{price}` is sent unchanged: `}}` is missing after it; write `{{price}}`
            27..38 warning malformed-placeholder: `{{user.name` is sent unchanged: `}}` is missing after it; write `{{user.name}}`
            43..48 warning malformed-placeholder: `{name` is sent unchanged: `}}` is missing after it; write `{{name}}`
            59..76 warning malformed-placeholder: `{ { user.name } }` is sent unchanged: its braces must be adjacent; write `{{user.name}}`
            default.json 24..30 warning unused-input: `NAME` is never read by test.prompt
        "#]],
    );
    check(
        Dialect::Agentle,
        "{{order}} {user.name} {foo.name} {{price",
        &case,
        expect![[r#"
        10..21 warning malformed-placeholder: `{user.name}` is sent unchanged: a placeholder has two braces, `{{user.name}}`
        33..40 warning malformed-placeholder: `{{price` is sent unchanged: `}}` is missing after it; write `{{price}}`
        default.json 24..30 warning unused-input: `NAME` is never read by test.prompt
    "#]],
    );
    check(
        Dialect::Agentle,
        "Hi {{name and {{order}}",
        &case[..],
        expect![[r#"
            5..21 error undefined-placeholder: `name and {{order` has no value; `}}` is missing after `name`
              default.json 0..0 the inputs of case default
            default.json 24..30 warning unused-input: `NAME` is never read by test.prompt
            default.json 35..41 warning unused-input: `user` is never read by test.prompt
        "#]],
    );
    check(
        Dialect::Langfuse,
        "{{name}} {{order",
        &case,
        expect![[r#"
        9..16 warning malformed-placeholder: `{{order` is sent unchanged: `}}` is missing after it; write `{{order}}`
        default.json 24..30 warning unused-input: `NAME` is never read by test.prompt
        default.json 35..41 warning unused-input: `user` is never read by test.prompt
    "#]],
    );
}

#[test]
fn a_name_missing_in_some_cases_lists_these_cases() {
    check(
        Dialect::Adk,
        "{a} {b?}",
        &[("default", r#"{"a": 1}"#), ("trial", "{}"), ("empty", r#"{"b": 2}"#)],
        expect![[r#"
            1..2 error undefined-placeholder: `a` has no value in 2 of 3 cases: trial, empty
              trial.json 0..0 the inputs of case trial
              empty.json 0..0 the inputs of case empty
        "#]],
    );
}

#[test]
fn a_value_that_is_empty_in_every_case_is_reported_once() {
    check(
        Dialect::Adk,
        "{a} {a} {b} {c}",
        &[("default", r#"{"a": "", "b": "", "c": "x"}"#), ("x", r#"{"a": "", "b": 1, "c": ""}"#)],
        expect![[r#"
            1..2 info empty-input: `a` is empty in both cases, so nothing is sent in its place
              default.json 6..8 the value in case default
              x.json 6..8 the value in case x
        "#]],
    );
    check(
        Dialect::PromptPack,
        "{{user.name}}",
        &[("default", r#"{"user": {"name": ""}}"#)],
        expect![[r#"
            2..11 info empty-input: `user.name` is empty, so nothing is sent in its place
              default.json 18..20 the value
            2..11 hint engine-differs: `user.name` is a path, which no PromptPack engine supports: promptkit-go fails without a key of exactly that name, the others send it unchanged
        "#]],
    );
    check(
        Dialect::Agentle,
        "{{#each a}}{{this}}{{this.x}}{{/each}}",
        &[("default", r#"{"a": ["", ""]}"#)],
        expect![[r#"
            0..11 hint mode-changed-by-block: because the prompt has a block, names without a value are removed; without a block they would be sent unchanged
            13..17 info empty-input: `this` is empty, so nothing is sent in its place
              default.json 11..13 the value
            21..27 error undefined-placeholder: `this.x` has no value in an item of `a`
              default.json 0..0 the inputs of case default
        "#]],
    );
}

#[test]
fn an_optional_name_that_resembles_a_known_one_is_a_hint() {
    check(
        Dialect::Adk,
        "{citi?} {city?} {other?} {user:citi?}",
        &[("one", r#"{"city": "Rome"}"#), ("two", r#"{"user:city": ""}"#)],
        expect![[r#"
            1..5 hint undefined-placeholder: `citi` has no value, so nothing is sent for it; did you mean `city`?
            26..35 hint undefined-placeholder: `user:citi` has no value, so nothing is sent for it; did you mean `user:city`?
            two.json 1..12 warning unused-input: `user:city` is never read by test.prompt; did you mean `user:citi`?
        "#]],
    );
}

#[test]
fn intentionally_empty_values_are_not_reported() {
    let nothing = || expect![""];
    // Null and an optional name intentionally omit a value.
    check(
        Dialect::Adk,
        "{a} {b?}",
        &[("default", r#"{"a": null, "b": ""}"#)],
        expect![[r#"
            1..2 hint engine-differs: `a` is null: `adk-python` sends nothing, `adk-js` sends `null`
              default.json 6..10 the value
        "#]],
    );
    // The name is used only in a condition, or some case does not read it.
    let prompt = "{{#if a}}x{{/if}}{{#if b}}{{c}}{{/if}}{{#each d}}{{this}}{{/each}}";
    let cases = [
        ("one", r#"{"a": "", "b": false, "c": "", "d": []}"#),
        ("two", r#"{"a": "", "b": true, "c": "", "d": ["", "x"]}"#),
    ];
    check(Dialect::Agentle, prompt, &cases, nothing());
    // A default is intended, and an object without members is a value.
    check_declared(
        "{{a}} {{b}}",
        r#"{"b": {}}"#,
        r#"{"variables": [{"name": "a", "default": ""}, {"name": "b"}]}"#,
        nothing(),
    );
}

#[test]
fn names_are_not_checked_without_inputs() {
    check(
        Dialect::Adk,
        "{a}",
        &[],
        expect![[r#"
        0..1 info no-inputs: no inputs file: names are not checked
    "#]],
    );
    check(Dialect::Adk, "no placeholder", &[], expect![""]);
}

#[test]
fn near_misses_with_another_meaning_are_not_reported() {
    check(
        Dialect::AgentEnsemble,
        "{ topic } { optional } {{ tpic }} {{ tone }} {company-name} {a-b}",
        &[("default", r#"{"topic": 1, "company-name": 2}"#)],
        expect![[r#"
            0..9 warning malformed-placeholder: `{ topic }` is sent unchanged: whitespace is not allowed; write `{topic}`
            23..33 warning malformed-placeholder: `{{ tpic }}` is sent unchanged: whitespace is not allowed; write `{tpic}`
            45..59 warning malformed-placeholder: `{company-name}` is sent unchanged: a name contains only letters, digits and underscores
        "#]],
    );
    check(
        Dialect::Adk,
        r#"{x ?} {session:x} {key:value} {user.name} {a.b} {"json": 1} { not one }"#,
        &[("default", r#"{"x": 1}"#)],
        expect![[r#"
            0..5 warning malformed-placeholder: `{x ?}` is sent unchanged: whitespace is not allowed before `?`; write `{x?}`
            6..17 warning malformed-placeholder: `{session:x}` is sent unchanged: only `app:`, `user:`, `temp:` and `artifact.` are allowed before a name
            30..41 warning malformed-placeholder: `{user.name}` is sent unchanged: ADK has no nested access
        "#]],
    );
    check(
        Dialect::Entaingine,
        "{file_content} {name} { A_B } {fileContent} {task_0output_0} {task_0.output_}",
        &[("default", r#"{"FILE_CONTENT": 1, "A_B": 2}"#)],
        expect![[r#"
            0..14 warning malformed-placeholder: `{file_content}` is sent unchanged: names are in upper case with underscores; write `{FILE_CONTENT}`
            22..29 warning malformed-placeholder: `{ A_B }` is sent unchanged: whitespace is not allowed; write `{A_B}`
            30..43 warning malformed-placeholder: `{fileContent}` is sent unchanged: names are in upper case with underscores; write `{FILE_CONTENT}`
            44..60 warning malformed-placeholder: `{task_0output_0}` is sent unchanged: a task's output is `{task_0.output_1}` or `{task_0.output_all}`, optionally with `.chunkSimilarityMetadata` and a key
            61..77 warning malformed-placeholder: `{task_0.output_}` is sent unchanged: a task's output is `{task_0.output_1}` or `{task_0.output_all}`, optionally with `.chunkSimilarityMetadata` and a key
        "#]],
    );
    check(
        Dialect::PromptPack,
        "{{ name }} {{name.}} {name} {other} {{x-y}}",
        &[("default", r#"{"name": 1}"#)],
        expect![[r#"
            0..10 warning malformed-placeholder: `{{ name }}` is sent unchanged: whitespace is not allowed; write `{{name}}`
            11..20 warning malformed-placeholder: `{{name.}}` is sent unchanged: a path consists of names joined by dots, with indexes like `[0]`
            21..27 warning malformed-placeholder: `{name}` is sent unchanged: a placeholder has two braces, `{{name}}`
        "#]],
    );
    check(
        Dialect::Agentle,
        "{{#if}}a{{/if }} {name} {other}",
        &[("default", r#"{"name": 1}"#)],
        expect![[r#"
            0..7 warning malformed-placeholder: `{{#if}}` is sent unchanged: the opening tag of a block has a space and a path, as in `{{#if path}}`
            8..16 warning malformed-placeholder: `{{/if }}` is sent unchanged: a closer is exactly `{{/if}}` or `{{/each}}`
            17..23 warning malformed-placeholder: `{name}` is sent unchanged: a placeholder has two braces, `{{name}}`
        "#]],
    );
}

/// The case comes from <https://github.com/handlebars-lang/handlebars.js/issues/1063>.
#[test]
fn a_condition_on_a_missing_name_is_no_error() {
    check(
        Dialect::Agentle,
        "{{#if vip}}{{vip}}{{/if}}{{#if user.nick}}x{{/if}}{{#if nmae}}x{{/if}}{{name}}",
        &[("default", r#"{"user": {}, "name": 1}"#)],
        expect![[r#"
            0..11 hint mode-changed-by-block: because the prompt has a block, names without a value are removed; without a block they would be sent unchanged
            6..9 info undefined-placeholder: `vip` has no value, so the block is never entered
              default.json 0..0 the inputs of case default
            31..40 info undefined-placeholder: `user.nick` has no value, so the block is never entered
              default.json 0..0 the inputs of case default
            56..60 error undefined-placeholder: `nmae` has no value, so the block is never entered; did you mean `name`?
              default.json 13..19 case default has `name`
        "#]],
    );
}

/// The case comes from <https://github.com/json-schema-org/json-schema-spec/issues/197>.
#[test]
fn schema_and_comment_keys_are_not_reported_as_unused() {
    check(
        Dialect::Adk,
        "{x}",
        &[("default", r#"{"$schema": "a.json", "//": "why", "_comment": "b", "x": 1, "y": 2}"#)],
        expect![[r#"
            default.json 60..63 warning unused-input: `y` is never read by test.prompt
        "#]],
    );
}

#[test]
fn an_input_that_a_declaration_requires_is_not_reported_as_unused() {
    check_declared(
        "{{x}}",
        r#"{"x": 1, "tenant": 2, "mail": 3}"#,
        r#"{"variables": [{"name": "x"}, {"name": "tenant", "required": true}, {"name": "mail"}]}"#,
        expect![[r#"
            default.json 22..28 warning unused-input: `mail` is never read by test.prompt
            variables.json 39..47 warning unused-variable: `tenant` is declared and never used by test.prompt
            variables.json 77..83 warning unused-variable: `mail` is declared and never used by test.prompt
        "#]],
    );
}

/// The case comes from <https://github.com/ansible/ansible-lint/issues/505>.
#[test]
fn paths_of_go_templates_and_github_actions_are_no_near_misses() {
    check(
        Dialect::PromptPack,
        "{{.State.Pid}} {{ .Values.x }} ${{ github.actor }} {{ user.name }} {{.x}} {{ env.x }}",
        &[("default", r#"{"x": 1, "env": {}}"#)],
        expect![[r#"
            0..14 hint engine-differs: `{{.State.Pid}}` is sent unchanged, except by promptkit-go, which fails
            67..73 warning malformed-placeholder: `{{.x}}` is sent unchanged: a path consists of names joined by dots, with indexes like `[0]`
            74..85 warning malformed-placeholder: `{{ env.x }}` is sent unchanged: whitespace is not allowed; write `{{env.x}}`
        "#]],
    );
}

#[test]
fn only_defined_names_are_near_misses_in_code() {
    let cases = &[("default", r#"{"name": 1, "x": 2}"#)];
    check(
        Dialect::PromptPack,
        "{{ nmae }}\n```\n{{ name }} {{ nmae }} {{ name.first }}\n```\n`{{ nmae }}`",
        cases,
        expect![[r#"
            0..10 warning malformed-placeholder: `{{ nmae }}` is sent unchanged: whitespace is not allowed; write `{{nmae}}`
            15..25 warning malformed-placeholder: `{{ name }}` is sent unchanged: whitespace is not allowed; write `{{name}}`
            37..53 warning malformed-placeholder: `{{ name.first }}` is sent unchanged: whitespace is not allowed; write `{{name.first}}`
            default.json 12..15 warning unused-input: `x` is never read by test.prompt
        "#]],
    );
    check(
        Dialect::Adk,
        "{x} {name}\n~~~\n{x ?} {y ?} {user.x} {session:y}\n~~~\n",
        cases,
        expect![[r#"
            15..20 warning malformed-placeholder: `{x ?}` is sent unchanged: whitespace is not allowed before `?`; write `{x?}`
        "#]],
    );
    check(
        Dialect::Agentle,
        "{{name}} {{x}} `{{#if}}` `{{#if\tx}}` {{#if}}",
        cases,
        expect![[r#"
            26..35 warning malformed-placeholder: `{{#if	x}}` is sent unchanged: the opening tag of a block has a space and a path, as in `{{#if path}}`
            37..44 warning malformed-placeholder: `{{#if}}` is sent unchanged: the opening tag of a block has a space and a path, as in `{{#if path}}`
        "#]],
    );
}

#[test]
fn with_inputs_only_near_misses_of_their_names_are_reported() {
    let text = "{{ topic }} {{ tpoic }} {{ other }}";
    check(
        Dialect::AgentEnsemble,
        text,
        &[("default", r#"{"topic": 1}"#)],
        expect![[r#"
            0..11 warning malformed-placeholder: `{{ topic }}` is sent unchanged: whitespace is not allowed; write `{topic}`
            12..23 warning malformed-placeholder: `{{ tpoic }}` is sent unchanged: whitespace is not allowed; write `{tpoic}`
        "#]],
    );
}

#[test]
fn fields_of_classes_have_a_hint_about_the_only_engine_with_them() {
    check(
        Dialect::Adk,
        "{x} {Plan.step} {plan.step} {Plan.step.name} {Größe.x}",
        &[("default", r#"{"x": 1}"#)],
        expect![[r#"
            4..15 hint malformed-placeholder: `{Plan.step}` is sent unchanged: only @google/adk 2 in a workflow fills it in
        "#]],
    );
}

#[test]
fn names_in_code_are_accidental_placeholders_with_or_without_inputs() {
    let text = r"\frac{a}{b} ${c} \{d} v{e} 你{f} data: { g } {{ h }} {i?}";
    check(
        Dialect::Adk,
        text,
        &[],
        expect![[r#"
        0..1 info no-inputs: no inputs file: names are not checked
        5..8 warning accidental-placeholder: this looks like LaTeX, but the engine reads `a` as a placeholder
        8..11 warning accidental-placeholder: this looks like LaTeX, but the engine reads `b` as a placeholder
        13..16 warning accidental-placeholder: this looks like a template string, but the engine reads `c` as a placeholder; adk-python from 2.10 does not
        18..21 warning accidental-placeholder: this looks like an escaped brace, but the engine reads `d` as a placeholder; adk-python from 2.10 does not
        40..45 warning accidental-placeholder: this looks like code, but the engine reads `g` as a placeholder
    "#]],
    );
    check(
        Dialect::Adk,
        "${a} ${b}",
        &[("default", r#"{"a": 1}"#)],
        expect![[r#"
            2..3 hint engine-differs: `a` is literal text in adk-python 2.10 and later, because of the character before the brace, and a placeholder in other engines
            6..9 warning accidental-placeholder: this looks like a template string, but the engine reads `b` as a placeholder; adk-python from 2.10 does not
            7..8 error undefined-placeholder: `b` has no value
              default.json 0..0 the inputs of case default
        "#]],
    );
}

#[test]
fn a_kind_of_unsupported_tag_is_reported_once_with_its_count() {
    check(
        Dialect::Adk,
        "{% if x %}a{% else %}b{% endif %}{% if y %}c{% endif %}\n`{% if %}`\n```\n{% for x in y %}\n```\n",
        &[("default", "{}")],
        expect![[r#"
            0..10 warning unsupported-syntax: `{% if x %}` is Jinja; Google ADK sends it unchanged (4 such tags)
            11..21 warning unsupported-syntax: `{% else %}` is Jinja; Google ADK sends it unchanged
        "#]],
    );
    check(
        Dialect::Agentle,
        "{{#if a}}1{{else}}2{{/if}}{{#if a}}1{{else}}2{{/if}} {{#with a}}{{/with}}",
        &[("default", r#"{"a": true}"#)],
        expect![[r#"
            10..18 warning unsupported-syntax: `{{else}}` does not exist in Agentle; it is a name without a value, and both branches are sent (2 such tags)
            53..64 warning unsupported-syntax: `{{#with a}}` is Handlebars; Agentle sends it unchanged (2 such tags)
        "#]],
    );
}

#[test]
fn variables_that_are_not_a_list_are_one_problem() {
    let text = "{{name}} {{nmae}} {{other}}";
    check_declared(
        text,
        "{}",
        r#"{"variables": {"name": {}, "unused": {}}}"#,
        expect![[r#"
        variables.json 14..40 error invalid-inputs: `variables` must be an array, this is an object
    "#]],
    );
    check_declared(
        text,
        "{}",
        r#"{"variables": "name"}"#,
        expect![[r#"
        variables.json 14..20 error invalid-inputs: `variables` must be an array, this is a string
    "#]],
    );
}

#[test]
fn syntax_of_other_languages_is_accepted_while_the_dialect_is_guessed() {
    let text = "${x} {{y}} f(x){z} {a.b} {user.name}";
    let of = |inputs: &[(&str, &str)]| {
        let fixture = Fixture::new(Dialect::Adk, text).cases(inputs).fits(&[Dialect::Adk]);
        let snapshot = Snapshot { alike: &["a Python format string"], ..fixture.build() };
        let codes = diagnose(&snapshot, 100).into_iter().map(|problem| problem.code.id());
        codes.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(of(&[]), "dialect-guessed no-inputs");
    expect!["dialect-guessed accidental-placeholder undefined-placeholder malformed-placeholder"]
        .assert_eq(&of(&[("default", r#"{"x": 1, "y": 2}"#)]));
}

/// The case comes from <https://github.com/djlint/djLint/issues/606>.
#[test]
fn code_in_double_braces_is_reported_only_if_the_engine_replaces_it() {
    let code = r#"style={{color: "red"}} {{ "a": 1 }} \w{{2,3}} {{ }} {{a[0]}}"#;
    check(
        Dialect::Agentle,
        code,
        &[("default", "{}")],
        expect![[r#"
        54..58 error undefined-placeholder: `a[0]` has no value
          default.json 0..0 the inputs of case default
    "#]],
    );
    check(
        Dialect::Agentle,
        "{{2,3}}{{#if x}}{{/if}}",
        &[("default", r#"{"x": 1}"#)],
        expect![[r#"
            2..5 error undefined-placeholder: `2,3` has no value
              default.json 0..0 the inputs of case default
            7..16 hint mode-changed-by-block: because the prompt has a block, names without a value are removed; without a block they would be sent unchanged
        "#]],
    );
}

#[test]
fn names_in_other_languages_are_no_near_misses() {
    let code = "import { topics } from 'x'; { topic }";
    check(
        Dialect::AgentEnsemble,
        code,
        &[("default", r#"{"topic": 1}"#)],
        expect![[r#"
        28..37 warning malformed-placeholder: `{ topic }` is sent unchanged: whitespace is not allowed; write `{topic}`
    "#]],
    );
    check(
        Dialect::Entaingine,
        "{{user_name}} {{file_content}} {task_id} {task_0output_0} {FILE_CONTENT}",
        &[("default", r#"{"FILE_CONTENT": 1}"#)],
        expect![[r#"
            14..30 warning malformed-placeholder: `{{file_content}}` is sent unchanged: names are in upper case with underscores; write `{FILE_CONTENT}`
            41..57 warning malformed-placeholder: `{task_0output_0}` is sent unchanged: a task's output is `{task_0.output_1}` or `{task_0.output_all}`, optionally with `.chunkSimilarityMetadata` and a key
        "#]],
    );
}

#[test]
fn problems_of_unsupported_syntax_state_its_effect() {
    check(
        Dialect::Agentle,
        "{{#if a}}1{{else}}2{{/if}} {{! c }} {{> p}} {{../a}} {{#unless a}}",
        &[("default", r#"{"a": true}"#)],
        expect![[r#"
            10..18 warning unsupported-syntax: `{{else}}` does not exist in Agentle; it is a name without a value, and both branches are sent
            27..35 warning unsupported-syntax: Agentle has no comments; this is a name without a value
            36..43 warning unsupported-syntax: Agentle has no partials; this is a name without a value
            44..52 warning unsupported-syntax: `../` does not exist in Agentle; outer names are visible without it
            53..66 warning unsupported-syntax: `{{#unless a}}` is Handlebars; Agentle sends it unchanged
        "#]],
    );
    check(
        Dialect::Adk,
        "{% if x %}",
        &[("default", "{}")],
        expect![[r#"
        0..10 warning unsupported-syntax: `{% if x %}` is Jinja; Google ADK sends it unchanged
    "#]],
    );
}

#[test]
fn adk_braces() {
    check(
        Dialect::Adk,
        r#"{"user": {x}} \frac{p}{q} {{x}}"#,
        &[("default", r#"{"x": 1}"#)],
        expect![[r#"
            9..13 warning swallowed-brace: Google ADK swallows every brace next to `x`, so one is lost here; add a space between them
            19..22 warning accidental-placeholder: this looks like LaTeX, but the engine reads `p` as a placeholder
            20..21 error undefined-placeholder: `p` has no value
              default.json 0..0 the inputs of case default
            22..25 warning accidental-placeholder: this looks like LaTeX, but the engine reads `q` as a placeholder
            23..24 error undefined-placeholder: `q` has no value
              default.json 0..0 the inputs of case default
        "#]],
    );
}

#[test]
fn agentensemble_escape_hazards_and_reresolved_values() {
    check(
        Dialect::AgentEnsemble,
        "{{a}}_ {{b}}{{c}} {x} {y} {{{z}}}",
        &[("default", r#"{"x": "{y}", "y": ["list"]}"#)],
        expect![[r#"
            0..5 warning escape-hazard: the escape of `a` swallows the word next to it; add a space or a punctuation mark between them
            7..12 warning escape-hazard: the escape of `b` swallows the word next to it; add a space or a punctuation mark between them
            19..20 warning value-reresolved: the value of `x` contains `{y}`, which is resolved again
              default.json 6..11 the value
            23..24 error type-mismatch: `y` is a list or an object; AgentEnsemble accepts only strings
              default.json 18..26 the value
            27..32 error undefined-placeholder: an escape in braces is read as a placeholder named `__AGENTENSEMBLE_ESCAPED_z__`, which has no value
              default.json 0..0 the inputs of case default
        "#]],
    );
}

#[test]
fn blocks_that_do_not_close() {
    check(
        Dialect::Agentle,
        "{{#if a}}{{#each a}}{{/if}} {{/each}} {{#if a}}",
        &[("default", r#"{"a": [1]}"#)],
        expect![[r#"
            9..20 error unclosed-block: `{{#each}}` is never closed, so it is sent unchanged; add `{{/each}}`
            28..37 error stray-closer: `{{/each}}` closes no block, so it is sent unchanged
            38..47 error unclosed-block: `{{#if}}` is never closed, so it is sent unchanged; add `{{/if}}`
        "#]],
    );
    check(
        Dialect::Agentle,
        "{{/if}}",
        &[],
        expect![[r#"
        0..7 error stray-closer: `{{/if}}` closes no block, so it is sent unchanged
    "#]],
    );
}

#[test]
fn a_name_that_only_a_branch_needs_is_missing_only_where_the_branch_is_taken() {
    check(
        Dialect::Agentle,
        "{{#if vip}}{{gift}}{{/if}}",
        &[("default", r#"{"vip": false}"#), ("vip", r#"{"vip": true}"#)],
        expect![[r#"
            0..11 hint mode-changed-by-block: because the prompt has a block, names without a value are removed; without a block they would be sent unchanged
            13..17 error undefined-placeholder: `gift` has no value in 1 of 2 cases: vip
              vip.json 0..0 the inputs of case vip
        "#]],
    );
}

#[test]
fn items_of_loops_are_checked() {
    check(
        Dialect::Agentle,
        "{{#each xs}}{{this.a}}{{this.b}}{{#if this.c}}{{this.c}}{{/if}}{{/each}}{{#each m}}{{this.key}}{{this.value}}{{/each}}",
        &[("default", r#"{"xs": [{"a": 1}, {"a": 2, "c": 3}], "m": {"k": "v"}}"#)],
        expect![[r#"
            0..12 hint mode-changed-by-block: because the prompt has a block, names without a value are removed; without a block they would be sent unchanged
            24..30 error undefined-placeholder: `this.b` has no value in an item of `xs`
              default.json 0..0 the inputs of case default
            38..44 hint engine-differs: `this.c` is not known when agentle4j evaluates conditions, so it drops the block
        "#]],
    );
}

#[test]
fn a_block_changes_how_missing_names_are_sent() {
    check(
        Dialect::Agentle,
        "{{nam}}{{#if a}}x{{/if}}",
        &[("default", r#"{"a": 1}"#)],
        expect![[r#"
            2..5 error undefined-placeholder: `nam` has no value
              default.json 0..0 the inputs of case default
            7..16 hint mode-changed-by-block: because the prompt has a block, names without a value are removed; without a block they would be sent unchanged
        "#]],
    );
}

#[test]
fn loops_over_too_many_items() {
    let items = vec!["0"; 10_001].join(",");
    check(
        Dialect::Agentle,
        "{{#each l}}{{/each}}",
        &[("default", &format!(r#"{{"l": [{items}]}}"#))],
        expect![[r#"
            8..9 error limit-exceeded: `l` has 10001 items; Agentle stops at 10000
              default.json 6..20009 the value
        "#]],
    );
    check(
        Dialect::Agentle,
        &format!("{}{}", "{{#if a}}".repeat(101), "{{/if}}".repeat(101)),
        &[("default", r#"{"a": 1}"#)],
        expect![[r#"
            15..16 hint engine-differs: `a` is inside a block of the same kind; in agentle-python, the first closer ends both
            900..909 error limit-exceeded: more than 100 nested blocks; Agentle stops here
        "#]],
    );
}

#[test]
fn adk_states_why_a_name_is_invalid_and_suggests_another() {
    let inputs = r#"{"my_var": "a", "a_b": "b", "x1": "c", "app:one": "d", "app:1": "e"}"#;
    check(
        Dialect::Adk,
        "{my-var} {a-b?} {1x} {app:1} {app:on-e} {my_var}{a_b}{x1}{app:one} {en-US} {a-z0-9}",
        &[("default", inputs)],
        expect![[r#"
            0..8 warning malformed-placeholder: `{my-var}` is sent unchanged: the name of a state variable cannot contain `-`; did you mean `my_var`?
            9..15 warning malformed-placeholder: `{a-b?}` is sent unchanged: the name of a state variable cannot contain `-`; did you mean `a_b`?
            16..20 warning malformed-placeholder: `{1x}` is sent unchanged: the name of a state variable must start with a letter or `_`; did you mean `x1`?
            21..28 warning malformed-placeholder: `{app:1}` is sent unchanged: the name of a state variable must start with a letter or `_`
            29..39 warning malformed-placeholder: `{app:on-e}` is sent unchanged: the name of a state variable cannot contain `-`; did you mean `app:one`?
        "#]],
    );
}

#[test]
fn words_in_braces_are_prose_unless_they_match_a_key() {
    check(
        Dialect::Adk,
        "{my var} {the name} {not one} {a, b} {My Var?} {{my var}} { my var } {user name}",
        &[("default", r#"{"my_var": "a", "username": "b"}"#)],
        expect![[r#"
            0..8 warning malformed-placeholder: `{my var}` is sent unchanged: the name of a state variable cannot contain a space; did you mean `my_var`?
            47..57 warning malformed-placeholder: `{{my var}}` is sent unchanged: the name of a state variable cannot contain a space; did you mean `my_var`?
            69..80 warning malformed-placeholder: `{user name}` is sent unchanged: the name of a state variable cannot contain a space; did you mean `username`?
        "#]],
    );
}

#[test]
fn keys_that_adk_cannot_read_are_not_suggested() {
    check(
        Dialect::Adk,
        "{user-name} {app:1}",
        &[("default", r#"{"user_name": "a", "app:one": "b", "user-nam": "c"}"#)],
        expect![[r#"
            0..11 warning malformed-placeholder: `{user-name}` is sent unchanged: the name of a state variable cannot contain `-`; did you mean `user_name`?
            default.json 19..28 warning unused-input: `app:one` is never read by test.prompt
            default.json 35..45 warning unused-input: `user-nam` is never read by test.prompt
        "#]],
    );
}

#[test]
fn keys_that_are_no_valid_placeholder_are_not_suggested() {
    check(
        Dialect::Adk,
        "{user_nam}",
        &[("default", r#"{"user-nam": "a"}"#)],
        expect![[r#"
        1..9 error undefined-placeholder: `user_nam` has no value
          default.json 1..11 case default has `user-nam`
        default.json 1..11 warning unused-input: `user-nam` is never read by test.prompt; did you mean `user_nam`?
    "#]],
    );
}

#[test]
fn entaingine_values() {
    check(
        Dialect::Entaingine,
        "{A} {task_0.output_0.chunkSimilarityMetadata.parentUrl} {B}",
        &[(
            "default",
            r#"{"A": "see {B}", "task_0": {"output_0": {"text": "t", "chunkSimilarityMetadata": {"parentUrl": "http://x"}}}}"#,
        )],
        expect![[r#"
            1..2 info value-reresolved: the value of `A` contains `{B}`, which is not replaced
              default.json 6..15 the value
            5..54 warning undefined-placeholder: the engine fetches the document at the URL in `task_0.output_0.chunkSimilarityMetadata.parentUrl`; add its text to `documents` under "http://x" to preview it
              default.json 95..105 the value
            57..58 error undefined-placeholder: `B` has no value
              default.json 0..0 the inputs of case default
        "#]],
    );
}

#[test]
fn entaingine_links_suggest_the_keys_of_the_metadata() {
    check(
        Dialect::Entaingine,
        "{task_0.output_0.chunkSimilarityMetadata.parentUrl}{task_0.output_all.chunkSimilarityMetadata.parentUrl}",
        &[(
            "default",
            r#"{"task_0": {"output_0": {"text": "t", "chunkSimilarityMetadata": {"parenUrl": "http://x"}}}}"#,
        )],
        expect![[r#"
            1..50 error undefined-placeholder: `task_0.output_0.chunkSimilarityMetadata.parentUrl` has no value; did you mean `task_0.output_0.chunkSimilarityMetadata.parenUrl`?
              default.json 0..0 the inputs of case default
            52..103 error undefined-placeholder: `task_0.output_all.chunkSimilarityMetadata.parentUrl` has no value; did you mean `task_0.output_all.chunkSimilarityMetadata.parenUrl`?
              default.json 0..0 the inputs of case default
        "#]],
    );
}

#[test]
fn entaingine_outputs_over_the_token_limit_are_reported() {
    let inputs = r#"{"task_0": {"output_0": "one two three", "output_1": "four five"}}"#;
    for (max_output_tokens, expected) in [
        (
            5,
            expect![[r#"
        1..18 warning too-many-tokens: `task_0.output_all` has more than 5 tokens and could fill the context window; the limit is `max_output_tokens` in promptls.toml
    "#]],
        ),
        (6, expect![[r#""#]]),
    ] {
        let settings =
            Settings { max_output_tokens: Some(max_output_tokens), ..Settings::default() };
        let text = "{task_0.output_all} {task_0.output_0}";
        let fixture = Fixture::new(Dialect::Entaingine, text).cases(&[("default", inputs)]);
        let fixture = fixture.settings(settings);
        expected.assert_eq(&describe(fixture, 500));
    }
}

#[test]
fn entaingine_outputs_of_later_tasks_are_undefined() {
    let text = "{task_0.output_0} {task_1.output_0} {task_2.output_all} {NAME}";
    let settings = Settings { task: Some(1), ..Settings::default() };
    let fixture = Fixture::new(Dialect::Entaingine, text).settings(settings.clone());
    expect![[r#"
        0..1 info no-inputs: no inputs file: names are not checked
        19..34 error undefined-placeholder: `task_1.output_0` has no value yet: this prompt is task 1 itself
        37..54 error undefined-placeholder: `task_2.output_all` has no value yet: task 2 comes after this one, which is task 1
    "#]].assert_eq(&describe(fixture, 500));
    let inputs = r#"{"task_0": {"output_0": "a"}, "task_1": {"output_0": "b"}, "NAME": "c"}"#;
    let fixture = Fixture::new(Dialect::Entaingine, text).cases(&[("default", inputs)]);
    let fixture = fixture.settings(settings);
    expect![[r#"
        19..34 error undefined-placeholder: `task_1.output_0` has no value yet: this prompt is task 1 itself
        37..54 error undefined-placeholder: `task_2.output_all` has no value yet: task 2 comes after this one, which is task 1
    "#]].assert_eq(&describe(fixture, 500));
}

#[test]
fn declarations() {
    check_declared(
        "{{a}} {{b.c}} {{d}} {{artifacts.x}}",
        r#"{"a": 1, "b": {"c": 2}, "d": "x"}"#,
        r#"{"variables": [
            {"name": "a", "type": "string"},
            {"name": "d", "validation": {"enum": ["y"]}},
            {"name": "unused"},
            {"name": "needed", "required": true}
        ]}"#,
        expect![[r#"
            2..3 error type-mismatch: `a` must be a string, this is a number
              variables.json 50..58 `a` is declared here
              default.json 6..7 the value
            8..11 error undeclared-variable: `b` is not declared
            16..17 error invalid-value: `d` must be "y"
              variables.json 110..115 `d` is declared here
              default.json 29..32 the value
            default.json 6..7 error type-mismatch: `a` must be a string, this is a number
              variables.json 50..58 `a` is declared here
            default.json 29..32 error invalid-value: `d` must be "y"
              variables.json 110..115 `d` is declared here
            variables.json 140..148 warning unused-variable: `unused` is declared and never used by test.prompt
            variables.json 172..180 error undefined-placeholder: `needed` is required and has no value, so test.prompt is not sent, though it does not use it
              default.json 0..0 the inputs of case default
        "#]],
    );
}

#[test]
fn fragments() {
    check_declared(
        "{{intro}} {{fragments.intr}} {{a}} {{tone}}",
        r#"{"tone": "x"}"#,
        r#"{"fragments": {"intro": "Hi {{who}}", "a": "{{b}}", "b": "{{a}}", "tone": "dry"}}"#,
        expect![[r#"
            2..7 error undefined-placeholder: fragment `intro` needs `who`, which has no value
              default.json 0..0 the inputs of case default
            2..7 hint engine-differs: `intro` is a fragment in the documentation; promptkit-go and promptpack-langchainjs include it as `{{name}}`, promptpack-python as `{{fragment:name}}`
            12..26 error unknown-fragment: there is no fragment `intr`; did you mean `intro`?
            31..32 error fragment-cycle: fragments include each other: a → b → a
            default.json 1..7 warning unused-input: `tone` is never read by test.prompt
            variables.json 66..72 warning fragment-hides-variable: fragment `tone` hides the variable `tone`
              default.json 1..7 it is hidden
        "#]],
    );
}

#[test]
fn runtime_and_literal_names_and_severities() {
    let settings = Settings {
        runtime: crate::snapshot::test::names(["session_id"]),
        literal: crate::snapshot::test::names(["page"]),
        severities: [(Code::UnusedInput, None)].into_iter().collect(),
        ..Settings::default()
    };
    let fixture = Fixture::new(Dialect::Adk, "{session_id} {page} {b}")
        .cases(&[("default", r#"{"a": 1}"#)])
        .settings(settings);
    expect![[r#"
        21..22 error undefined-placeholder: `b` has no value
          default.json 0..0 the inputs of case default
    "#]]
    .assert_eq(&describe(fixture, 500));
}

#[test]
fn a_guessed_dialect_reports_only_problems_of_all_matching_dialects() {
    let fits = [Dialect::AgentEnsemble, Dialect::Adk];
    let fixture = Fixture::new(Dialect::AgentEnsemble, "{nmae} {{x}}")
        .cases(&[("default", r#"{"name": 1, "x": 2}"#)])
        .fits(&fits);
    expect![[r#"
        0..1 info dialect-guessed: read as AgentEnsemble (agentensemble), but it may be adk; set the dialect with a rule in promptls.toml or a name like `x.agentensemble.prompt`
        1..5 error undefined-placeholder: `nmae` has no value; did you mean `name`?
          default.json 1..7 case default has `name`
    "#]].assert_eq(&describe(fixture, 500));
}

#[test]
fn the_last_problem_counts_the_omitted_ones() {
    let text = "{a} ".repeat(10);
    let fixture = Fixture::new(Dialect::Adk, &text).cases(&[("default", "{}")]);
    expect![[r#"
        1..2 error undefined-placeholder: `a` has no value
          default.json 0..0 the inputs of case default
        5..6 error undefined-placeholder: `a` has no value
          default.json 0..0 the inputs of case default
        9..10 info limit-exceeded: 8 more problems in this file are not shown
    "#]]
    .assert_eq(&describe(fixture, 3));
}

#[test]
fn problems_of_some_cases_name_these_and_their_files() {
    let cases = [
        ("default", r#"{"a": "{b}", "b": "x"}"#),
        ("list", r#"{"a": "x", "b": ["x"]}"#),
        ("none", r#"{"a": "x", "b": "x"}"#),
    ];
    check(
        Dialect::AgentEnsemble,
        "{a} {b}",
        &cases,
        expect![[r#"
        1..2 warning value-reresolved: the value of `a` contains `{b}`, which is resolved again in 1 of 3 cases: default
          default.json 6..11 the value in case default
        5..6 error type-mismatch: `b` is a list or an object in 1 of 3 cases: list; AgentEnsemble accepts only strings
          list.json 16..21 the value in case list
    "#]],
    );
    let variables = r#"{
        "variables": [
            {"name": "count", "type": "number"},
            {"name": "tone", "type": "string", "required": true}
        ],
        "fragments": {"intro": "{{who}}"}
    }"#;
    let cases = [
        ("default", r#"{"count": 1, "tone": "dry", "who": "Ada"}"#),
        ("text", r#"{"count": "1", "tone": "dry", "who": "Ada"}"#),
        ("empty", r#"{"count": 1}"#),
    ];
    let fixture = Fixture::new(Dialect::PromptPack, "{{count}} {{intro}}").cases(&cases);
    expect![[r#"
        2..7 error type-mismatch: `count` must be a number, this is a string in 1 of 3 cases: text
          variables.json 63..71 `count` is declared here
          text.json 10..13 the value in case text
        12..17 error undefined-placeholder: fragment `intro` needs `who`, which has no value in 1 of 3 cases: empty
          empty.json 0..0 the inputs of case empty
        12..17 hint engine-differs: `intro` is a fragment in the documentation; promptkit-go and promptpack-langchainjs include it as `{{name}}`, promptpack-python as `{{fragment:name}}`
        text.json 10..13 error type-mismatch: `count` must be a number, this is a string
          variables.json 63..71 `count` is declared here
        variables.json 95..101 error undefined-placeholder: `tone` is required and has no value in 1 of 3 cases: empty, so test.prompt is not sent, though it does not use it
          empty.json 0..0 the inputs of case empty
    "#]].assert_eq(&describe(fixture.variables(variables), 500));
}

#[test]
fn one_broken_block_is_one_problem() {
    let inputs = r#"{"a": 1, "xs": [{"b": 1}]}"#;
    check(
        Dialect::Agentle,
        "{{#if a}}{{#each xs}}{{this.b}}{{this.c}}{{/each}}",
        &[("default", inputs)],
        expect![[r#"
            0..9 error unclosed-block: `{{#if}}` is never closed, so it is sent unchanged; add `{{/if}}`
        "#]],
    );
    // Without their loop, they are separate problems.
    check(
        Dialect::Agentle,
        "{{#each xs}}{{this.b}}{{/each}}{{this.c}}",
        &[("default", inputs)],
        expect![[r#"
            0..12 hint mode-changed-by-block: because the prompt has a block, names without a value are removed; without a block they would be sent unchanged
            33..39 error undefined-placeholder: `this.c` has no value
              default.json 0..0 the inputs of case default
            default.json 1..4 warning unused-input: `a` is never read by test.prompt
        "#]],
    );
}

#[track_caller]
fn check_budget(max_tokens: usize, text: &str, cases: &[(&str, &str)], expected: Expect) {
    let settings = Settings {
        max_tokens: Some(max_tokens),
        encoding: TokenEncoding::Cl100kBase,
        ..Settings::default()
    };
    expected.assert_eq(&describe(
        Fixture::new(Dialect::Adk, text).cases(cases).settings(settings),
        500,
    ));
}

#[test]
fn a_text_with_too_many_tokens_names_its_largest_parts() {
    let docs = r#"{"docs": "one two three four five six seven", "no": "so"}"#;
    check_budget(
        8,
        "Read {docs} {no}.",
        &[("default", docs)],
        expect![[r#"
            0..1 warning too-many-tokens: 10 tokens; at most 8 are allowed; `docs` is 70%
              default.json 9..44 7 of 10 tokens
        "#]],
    );
    check_budget(10, "Read {docs} {no}.", &[("default", docs)], expect![[r#""#]]);
}

#[test]
fn each_case_with_too_many_tokens_is_named() {
    let text = "Read {docs}";
    let cases = [
        ("short", r#"{"docs": "-"}"#),
        ("long", r#"{"docs": "one two three four"}"#),
        ("longer", r#"{"docs": "one two three four five six seven"}"#),
    ];
    check_budget(
        6,
        text,
        &cases,
        expect![[r#"
            0..1 warning too-many-tokens: 8 tokens in case longer; at most 6 are allowed; `docs` is 87%
              longer.json 9..44 7 of 8 tokens in case longer
        "#]],
    );
    check_budget(
        4,
        text,
        &cases,
        expect![[r#"
            0..1 warning too-many-tokens: too many tokens in 2 of 3 cases: long has 5, longer has 8; at most 4 are allowed; `docs` is 87% of case longer
              long.json 9..29 4 of 5 tokens in case long
              longer.json 9..44 7 of 8 tokens in case longer
        "#]],
    );
}

#[test]
fn the_text_of_a_prompt_alone_can_exceed_the_token_limit() {
    check_budget(
        3,
        "one two three four",
        &[],
        expect![[r#"
            0..1 warning too-many-tokens: 4 tokens; at most 3 are allowed
        "#]],
    );
    check_budget(
        3,
        "one two three {x}",
        &[("default", r#"{"x": 4}"#)],
        expect![[r#"
        0..1 warning too-many-tokens: 5 tokens; at most 3 are allowed; the prompt itself is 80%
    "#]],
    );
}

#[test]
fn langfuse_names_may_contain_any_characters_and_are_no_paths() {
    check(
        Dialect::Langfuse,
        "{{ first name }} {{user.name}} {{usr}} {name} {{#if vip}} {{! note }} {{ tone | upper }} {{}} {{\"k\": 1}} {{none}} {{",
        &[("default", r#"{"first name": "Ada", "user": {"name": 1}, "name": 2, "none": null}"#)],
        expect![[r#"
            19..28 error undefined-placeholder: `user.name` has no value; Langfuse has no paths, so this is one name
              default.json 0..0 the inputs of case default
            33..36 error undefined-placeholder: `usr` has no value; did you mean `user`?
              default.json 22..28 case default has `user`
            39..45 warning malformed-placeholder: `{name}` is sent unchanged: a placeholder has two braces, `{{name}}`
            46..57 warning unsupported-syntax: Langfuse has no blocks; this is a name without a value, so it is sent unchanged
            58..69 warning unsupported-syntax: Langfuse has no comments; this is a name without a value, so it is sent unchanged
            70..88 warning unsupported-syntax: Langfuse has no filters; this is one long name
        "#]],
    );
}

#[test]
fn problems_of_a_whole_prompt_are_at_its_first_character() {
    check(
        Dialect::Adk,
        "é{a}",
        &[],
        expect![[r#"
            0..2 info no-inputs: no inputs file: names are not checked
        "#]],
    );
}

#[test]
fn fragments_that_repeat_too_much_are_a_problem() {
    let doubled = |length: usize| {
        let fragment =
            |at: usize| format!(r#""f{at}": "{0}{0}", "#, format!("{{{{f{}}}}}", at + 1));
        let fragments: String = (0..length).map(fragment).collect();
        format!(r#"{{"fragments": {{{fragments}"f{length}": ""}}}}"#)
    };
    check_declared(
        "{{f0}}",
        "{}",
        &doubled(18),
        expect![[r#"
        2..4 hint engine-differs: `f0` is a fragment in the documentation; promptkit-go and promptpack-langchainjs include it as `{{name}}`, promptpack-python as `{{fragment:name}}`
    "#]],
    );
    let expected = expect![[r#"
        2..5 hint engine-differs: `f12` is a fragment in the documentation; promptkit-go and promptpack-langchainjs include it as `{{name}}`, promptpack-python as `{{fragment:name}}`
        12..14 error limit-exceeded: loops and fragments produce more than 1048576 pieces; raise the limit with --max-output
    "#]];
    check_declared("{{f12}} X {{f0}}", "{}", &doubled(40), expected);
    // Each of them alone would be within the limit.
    let expected = expect![[r#"
        2..4 error limit-exceeded: loops and fragments produce more than 1048576 pieces; raise the limit with --max-output
        2..4 hint engine-differs: `f0` is a fragment in the documentation; promptkit-go and promptpack-langchainjs include it as `{{name}}`, promptpack-python as `{{fragment:name}}`
        17..19 error limit-exceeded: loops and fragments produce more than 1048576 pieces; raise the limit with --max-output
        24..26 error limit-exceeded: loops and fragments produce more than 1048576 pieces; raise the limit with --max-output
    "#]];
    check_declared("{{f0}} {{f17}} {{f0}} {{f0}}", "{}", &doubled(18), expected);
}

#[test]
fn fragments_nested_too_deeply_are_a_problem() {
    let chain = |length: usize, last: &str| {
        let fragment = |at: usize| format!(r#""f{at}": "{{{{f{}}}}}", "#, at + 1);
        let fragments: String = (0..length).map(fragment).collect();
        format!(r#"{{"fragments": {{{fragments}"f{length}": "{last}"}}}}"#)
    };
    check_declared(
        "{{f0}}",
        "{}",
        &chain(99, ""),
        expect![[r#"
        2..4 hint engine-differs: `f0` is a fragment in the documentation; promptkit-go and promptpack-langchainjs include it as `{{name}}`, promptpack-python as `{{fragment:name}}`
    "#]],
    );
    let expected = || {
        expect![[r#"
            2..4 error limit-exceeded: more than 100 nested fragments
            2..4 hint engine-differs: `f0` is a fragment in the documentation; promptkit-go and promptpack-langchainjs include it as `{{name}}`, promptpack-python as `{{fragment:name}}`
        "#]]
    };
    check_declared("{{f0}} {{f20000}}", "{}", &chain(20_000, ""), expected());
    check_declared("{{f0}}", "{}", &chain(100, "{{f100}}"), expected());
}

#[test]
fn a_name_missing_in_a_fragment_is_reported_where_it_is_included() {
    check_declared(
        "{{a}} {{b}} {{c}} {{d}}",
        "{}",
        r#"{"fragments": {"a": "{{b}} {{x}}", "b": "{{c}} {{y}}", "c": "z", "d": "{{a}} {{e}}", "e": "{{d}}"}}"#,
        expect![[r#"
            2..3 error undefined-placeholder: fragment `a` needs `y`, which has no value
              default.json 0..0 the inputs of case default
            2..3 hint engine-differs: `a` is a fragment in the documentation; promptkit-go and promptpack-langchainjs include it as `{{name}}`, promptpack-python as `{{fragment:name}}`
            8..9 error undefined-placeholder: fragment `b` needs `y`, which has no value
              default.json 0..0 the inputs of case default
            20..21 error fragment-cycle: fragments include each other: d → e → d
        "#]],
    );
}

/// Sixty thousand nested blocks. A stack overflow would abort all tests.
#[test]
fn blocks_are_checked_to_the_nesting_limit_of_the_engine() {
    const DEEP: usize = 20_000;
    let (open, close) = ("{{#if a}}{{#each this}}{{#each this.b}}", "{{/each}}{{/each}}{{/if}}");
    let text = format!("{}{{{{c}}}}{{{{this.d}}}}{}", open.repeat(DEEP), close.repeat(DEEP));
    let at = open.len() * 33 + "{{#if a}}".len();
    let expected = format!(
        "{at}..{} error limit-exceeded: more than 100 nested blocks; Agentle stops here\n",
        at + "{{#each this}}".len()
    );
    let problems = describe(Fixture::new(Dialect::Agentle, &text), 500);
    let limits: String = problems
        .lines()
        .filter(|line| line.contains("limit"))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(limits, expected);
    // Deeper names are not reported.
    let fixture = Fixture::new(Dialect::Agentle, &text).cases(&[("default", r#"{"a": [[1]]}"#)]);
    assert!(!describe(fixture, 500).contains("`c`"));
}

#[test]
fn required_declarations_report_names_even_if_the_list_is_empty() {
    let undeclared = |text: &str, variables: &str, must_declare: bool| {
        let case = [("default", r#"{"a": {"b": 1}}"#)];
        let fixture = Fixture::new(Dialect::PromptPack, text).cases(&case).variables(variables);
        let mut snapshot = fixture.build();
        snapshot.must_declare = must_declare;
        let problems = diagnose(&snapshot, 500).into_iter();
        let shown = problems.filter(|problem| problem.code == Code::UndeclaredVariable);
        shown.map(|it| format!("{} {}\n", it.severity.id(), it.message)).collect::<String>()
    };
    let (nothing, text) = (r#"{"variables": []}"#, "{{a.b}} {{input}} {{fragments.f}}");
    expect![[r#"
        warning `a` is not declared
    "#]]
    .assert_eq(&undeclared(text, nothing, true));
    assert_eq!(undeclared(text, nothing, false), "");
    expect![[r#"
        error `a` is not declared
    "#]]
    .assert_eq(&undeclared(text, r#"{"variables": [{"name": "c"}]}"#, true));
    assert_eq!(undeclared(text, r#"{"variables": {"c": {}}}"#, true), "");
}

#[test]
fn declarations_are_checked_even_if_no_case_uses_them() {
    check_declared(
        "{{a}} {{b}} {{n}}",
        r#"{"a": 1, "b": "ok", "n": null}"#,
        r#"{"variables": [
            {"name": "a", "type": "number", "default": "x"},
            {"name": "b", "default": "", "validation": {"min_length": 1}},
            {"name": "n", "type": "number", "default": "x"},
            {"name": "user.name"},
            {"name": "first name"}
        ]}"#,
        expect![[r#"
            14..15 error type-mismatch: `n` must be a number, this is a string
              variables.json 186..194 `n` is declared here
              variables.json 207..210 the value
            14..15 hint engine-differs: `n` is null: `promptkit-go` sends nothing, `promptpack-python` sends `x`
              default.json 25..29 the value
            variables.json 71..74 error type-mismatch: `a` must be a number, this is a string
            variables.json 114..116 error invalid-value: `b` has 0 characters; at least 1 is required
            variables.json 207..210 error type-mismatch: `n` must be a number, this is a string
            variables.json 234..245 warning invalid-declaration: `user.name` is a member of `user`; declare `user` instead
            variables.json 269..281 warning invalid-declaration: `first name` is not a valid name for a placeholder
        "#]],
    );
}

#[test]
fn paths_of_other_languages_are_near_misses_of_defined_names() {
    let text = "{{name|upper}} {{name | default(\"x\")}} {{items[-1]}} {{user['a'].b}} {{user[\"a b\"]}} {{other|upper}} {{a | b}} {{a || b}} {{'x'}} {{name|}}";
    check(
        Dialect::PromptPack,
        text,
        &[("default", r#"{"name": 1, "items": [1], "user": {"a": {"b": 1}}}"#)],
        expect![[r#"
            0..14 warning malformed-placeholder: `{{name|upper}}` is sent unchanged: PromptPack has no filters
            15..38 warning malformed-placeholder: `{{name | default("x")}}` is sent unchanged: PromptPack has no filters
            39..52 warning malformed-placeholder: `{{items[-1]}}` is sent unchanged: an index counts from the start, as in `[0]`
            53..68 warning malformed-placeholder: `{{user['a'].b}}` is sent unchanged: quoted keys are not supported; write `{{user.a.b}}`
            69..84 warning malformed-placeholder: `{{user["a b"]}}` is sent unchanged: quoted keys are not supported
        "#]],
    );
    check(
        Dialect::PromptPack,
        "`{{other|upper}}` {{other|upper}}",
        &[],
        expect![[r#"
            1..16 hint engine-differs: `{{other|upper}}` is sent unchanged, except by promptkit-go, which fails
            18..33 warning malformed-placeholder: `{{other|upper}}` is sent unchanged: PromptPack has no filters
        "#]],
    );
}
