//! Completeness of the languages.

use std::collections::BTreeSet;

use promptls_builder::{
    Delimiters, Dialect, Difficulty, Language, OutputFormat, Strategy, Template, Text, builder,
};

#[test]
fn languages_are_selected_by_their_tags() {
    let tag = |tag: &str| Language::find(tag).map(Language::tag).ok();
    assert_eq!(tag("en"), Some("en"));
    assert_eq!(tag("en-US"), Some("en"));
    assert_eq!(tag("pt-BR"), Some("pt-BR"));
    assert_eq!(tag("pt-br"), Some("pt-BR"));
    assert_eq!(tag("pt"), Some("pt-BR"));
    assert_eq!(tag("pt-PT"), None);
    assert_eq!(tag("xx"), None);
}

/// All choices have words. Headings and the like are fields, so a missing one is an error when the
/// file is read.
#[test]
fn no_text_is_missing_in_any_language() {
    for language in Language::all() {
        let start = || builder(Dialect::Agentle, language);
        for &strategy in Strategy::ALL {
            let text = start().with_strategy(strategy).build().unwrap().text;
            assert!(!text.is_empty(), "{} {}", language.tag(), strategy.id());
        }
        for &format in OutputFormat::ALL {
            let text = start().output_as(format).build().unwrap().text;
            assert!(!text.is_empty(), "{} {}", language.tag(), format.id());
        }
        for &level in Difficulty::ALL {
            let text = start().difficulty_level(level).build().unwrap().text;
            assert!(!text.is_empty(), "{} {}", language.tag(), level.id());
        }
    }
}

/// No part is lost because a template text has no place for it.
#[test]
fn every_part_is_written_in_every_language() {
    for language in Language::all() {
        let text = builder(Dialect::Agentle, language)
            .expertise("E1")
            .add_personality("P1")
            .tone("T1")
            .for_audience("A1")
            .audience_level("L1")
            .word_count(101, 102)
            .sentence_count(103)
            .max_tokens(104)
            .example("I1", "O1")
            .output_description("D1")
            .output_schema("[105]")
            .prefill("F1")
            .build()
            .unwrap()
            .text;
        let said = ["E1", "P1", "T1", "A1", "L1", "101", "102", "103", "104"];
        for said in said.iter().chain(&["I1", "O1", "D1", "105", "F1"]) {
            assert!(text.contains(said), "{}: no {said} in {text}", language.tag());
        }
    }
}

/// Languages are equivalent: they have the same keys and the same names.
#[test]
fn templates_are_the_same_in_all_languages() {
    for language in Language::all() {
        for (name, template) in Language::english().templates() {
            let other = language.template(name).unwrap();
            let at = format!("{} {name}", language.tag());
            assert_eq!(template.arguments, other.arguments, "{at}");
            let variables = |template: &Template| -> Vec<String> {
                template.variables.keys().cloned().collect()
            };
            assert_eq!(variables(template), variables(other), "{at}");
            let shape = |language: &'static Language| {
                let built = builder(Dialect::Agentle, language)
                    .template(name, [""; 0])
                    .delimiters(Delimiters::Headers)
                    .build()
                    .unwrap();
                assert_eq!(built.notes, [], "{at}");
                let numbered = |line: &&str| line.starts_with(|it: char| it.is_ascii_digit());
                let headings = |line: &&str| line.starts_with('#');
                let lines = built.text.lines();
                let counts =
                    (lines.clone().filter(numbered).count(), lines.filter(headings).count());
                (counts, built.placeholders)
            };
            assert_eq!(shape(Language::english()), shape(language), "{at}");
            if language.tag() != "en" {
                assert_ne!(template.summary, other.summary, "{at} is not translated");
            }
        }
    }
}

/// Every template can be written in every dialect, and each of its names is described and used.
#[test]
fn templates_can_be_written_in_every_dialect() {
    for language in Language::all() {
        for (name, template) in language.templates() {
            for dialect in Dialect::ALL {
                let built = builder(dialect, language).template(name, [""; 0]).build();
                let built = built.unwrap_or_else(|error| {
                    panic!("{} {name} {}: {error}", language.tag(), dialect.spec().id)
                });
                let explained: BTreeSet<String> = template.variables.keys().cloned().collect();
                assert_eq!(built.placeholders, explained, "{} {name}", language.tag());
            }
            for variable in template.variables.values() {
                assert!(!variable.description.is_empty() && !variable.example.is_empty());
            }
            let arguments = template.arguments.iter().map(|it| it.trim_end_matches("..."));
            for argument in arguments {
                assert!(template.variables.contains_key(argument), "{name} {argument}");
            }
        }
    }
}

/// An argument that is given does not become a placeholder.
#[test]
fn arguments_replace_the_placeholders_of_templates() {
    for language in Language::all() {
        for (name, template) in language.templates() {
            let given: Vec<Text> =
                template.arguments.iter().map(|it| Text::literal(format!("«{it}»"))).collect();
            let built = builder(Dialect::Agentle, language).template(name, given).build().unwrap();
            for argument in &template.arguments {
                assert!(built.text.contains(&format!("«{argument}»")), "{name} {argument}");
                assert!(!built.placeholders.contains(argument.trim_end_matches("...")));
            }
        }
    }
}

/// Each style is written in every language, and is detected as itself.
#[test]
fn sections_are_the_same_in_all_languages() {
    for language in Language::all() {
        let names = |language: &'static Language| language.sections().keys().collect::<Vec<_>>();
        assert_eq!(names(Language::english()), names(language), "{}", language.tag());
        for (name, section) in language.sections() {
            for &style in Delimiters::ALL.iter().filter(|style| **style != Delimiters::Braces) {
                let built = builder(Dialect::Agentle, language)
                    .apply(section, [""; 0])
                    .delimiters(style)
                    .build()
                    .unwrap();
                let at = format!("{} {name} {}: {}", language.tag(), style.id(), built.text);
                assert_eq!(built.notes, [], "{at}");
                assert_eq!(Delimiters::of(&built.text), Some(style), "{at}");
            }
        }
    }
}
