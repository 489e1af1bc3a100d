use super::*;

/// Expects `adk of adk`, with other languages after a `+`; `not Jinja` for another language.
#[track_caller]
fn check(text: &str, keys: &[&str], expected: &str) {
    let found = detect(text, &keys.iter().copied().collect(), false);
    let ids: Vec<&str> = found.fits.iter().map(|dialect| dialect.spec().id).collect();
    let actual = match found.language {
        Some(OtherLanguage { name, or: None }) => format!("not {name}"),
        Some(OtherLanguage { name, or: Some(dialect) }) => {
            format!("not {name}, or {}", dialect.spec().id)
        }
        None => {
            let all: Vec<&str> = ids.into_iter().chain(found.alike.iter().copied()).collect();
            format!("{} of {}", found.dialect.spec().id, all.join(" + "))
        }
    };
    assert_eq!(actual, expected, "{text}");
    let is_alone = found.fits.len() == 1 && found.alike.is_empty() && found.language.is_none();
    assert_eq!(is_alone, found.is_certain, "{text}");
}

#[test]
fn syntax_of_a_single_dialect_decides() {
    check("{app:name} {x}", &[], "adk of adk");
    check("{x?}", &[], "adk of adk");
    check("{artifact.notes.txt}", &[], "adk of adk");
    check("{task_0.output_1}", &[], "entaingine of entaingine");
    check("{{fragments.rules}} {{a}}", &[], "promptpack of promptpack");
    check("`{app:name}`", &[], "adk of adk");
    let many: String = (0..100).map(|n| format!("{{x{n}}} ")).collect();
    check(&format!("{many}{{user:name}}"), &[], "adk of adk");
}

#[test]
fn all_matching_dialects_and_languages_are_named() {
    check("Hello {name}", &[], "adk of agentensemble + adk + a Python format string");
    check("Hello {{name}}", &[], "promptpack of promptpack + agentle + Jinja + Mustache");
    check("{{items[0].title}}", &[], "promptpack of promptpack + Jinja + Mustache");
    check("Hello {{ name }}", &[], "agentle of agentle + Jinja + Mustache");
    check("{{#if a}}b{{/if}}", &[], "agentle of agentle + Handlebars");
    check("{FILE}", &[], "adk of agentensemble + adk + entaingine + a Python format string");
    let many: String = (0..100).map(|n| format!("{{{{x{n}}}}} ")).collect();
    check(&format!("{many}{{{{#if a}}}}b{{{{/if}}}}"), &[], "agentle of agentle + Handlebars");
}

#[test]
fn inputs_distinguish_placeholders_from_escapes() {
    check("Hello {{name}}", &["name"], "promptpack of promptpack + agentle + Jinja + Mustache");
    let expected = "agentensemble of agentensemble + adk + a Python format string";
    check("Say {topic}, not {{this}}", &["topic"], expected);
}

#[test]
fn code_in_double_braces_is_no_evidence() {
    let plain = "adk of agentensemble + adk + a Python format string";
    check("Book {hotel}: {{ \"nights\": 2 }}", &[], plain);
    check("Book {hotel}: {{ nights: 2 }}", &[], plain);
    check("Book {hotel}:\n{{\n  nights\n}}", &[], plain);
    check("Book {hotel}: {{ 'a' }}", &[], plain);
}

#[test]
fn template_languages_are_recognized_by_their_syntax() {
    check("{% if x %}{{ y }}{% endif %}", &[], "not Jinja");
    check("{% set x = {'a': 1} %}{{ x }}", &[], "not Jinja");
    check("{# a note #} {{ y }}", &[], "not Jinja");
    check("{{ items | join(', ') }}", &[], "not Jinja");
    check("{{ now() }}", &[], "not Jinja");
    check("{{choices[0]}}{% if x %}", &[], "not Jinja");
    check("{{#if a}}b{{else}}c{{/if}}", &[], "not Handlebars, or agentle");
    check("{{#each a as |b|}}{{b}}{{/each}}", &[], "not Handlebars");
    check("{{#items}}{{name}}{{/items}}", &[], "not Handlebars");
    check("{{^items}}none{{/items}}", &[], "not Handlebars");
    check("{{! a note }} {{name}}", &[], "not Handlebars");
    check("{{> header}} {{name}}", &[], "not Handlebars");
    check("{{#each a}}{{@index}}{{/each}}", &[], "not Handlebars, or agentle");
    check("{{role \"system\"}} {{name}}", &[], "not Handlebars");
    check("{{media url=photo}}", &[], "not Handlebars");
    check("{{$input}}", &[], "not Semantic Kernel");
    check("{{time.today $input}}", &[], "not Semantic Kernel");
    check("{{recall 'where I live'}}", &[], "not Semantic Kernel");
    check("{{ .Name }}", &[], "not Go");
    check("{{if .A}}a{{else}}b{{end}}", &[], "not Go");
    check("{{range .Items}}{{.}}{{end}}", &[], "not Go");
    check("<poml><p>{{name}}</p></poml>", &[], "not POML");
    check("<% if x %>{y}<% end %>", &[], "not ERB");
}

#[test]
fn the_language_with_most_distinct_syntax_is_named() {
    check("{{else}} {{ a | b }} {{ c() }}", &[], "not Jinja");
    check("{{else}} {{! a }} {{ b | c }} {{ d | e }} {{ f | g }}", &[], "not Handlebars");
}

#[test]
fn syntax_of_a_single_dialect_outweighs_other_languages() {
    check("{app:name} {% if x %}", &[], "adk of adk");
    check("{{fragments.a}} {{> b}}", &[], "promptpack of promptpack");
}

#[test]
fn template_syntax_in_code_is_ignored() {
    let plain = "adk of agentensemble + adk + a Python format string";
    check("Write a template for {tool}:\n```jinja\n{% if x %}\n```\n", &[], plain);
    check("Use `{% if x %}` for {tool}.", &[], plain);
    check("{tool}: int main() {{ return \"x\"; }} {{ print(y); }}", &[], plain);
    // Syntax of only one dialect is not decisive in code.
    check("{x}\n```\n{app:y}\n```\n", &[], "adk of adk + a Python format string");
}

#[track_caller]
fn check_reasons(text: &str, keys: &[&str], expected: &[&str]) {
    let keys = keys.iter().copied().collect();
    assert_eq!(detect(text, &keys, false).reasons(text, &keys), expected);
}

#[test]
fn reasons_are_human_readable() {
    check_reasons(
        "{user:name?} {x} {user:name?} {app:y} {app:z}",
        &[],
        &["`{user:name?}` occurs only in adk", "`{app:y}` occurs only in adk"],
    );
    check_reasons("{{#if a}}b{{/if}}", &[], &["`{{#if a}}` is valid in agentle or Handlebars"]);
    check_reasons(
        "Say {topic}, not {{this}}",
        &["topic"],
        &[
            "`{topic}` has a value in the inputs",
            "`{topic}` is valid in agentensemble, adk or a Python format string",
        ],
    );
    let may_be = "`{name}` is valid in adk, agentensemble or a Python format string";
    check_reasons("Hello {name}", &[], &[may_be]);
}
