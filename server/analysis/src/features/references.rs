//! All references to a symbol.

use promptls_resolver::{FileId, Location};

use crate::snapshot::Snapshot;
use crate::symbol::{
    PathStep, Symbol, declaration_of, follow, keys_of, program_places, references_in_fragments,
    references_in_prompt, symbol_at,
};

/// The locations of a symbol.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct References {
    /// Placeholders and block headers in order, those in fragments, the keys in each case and in
    /// defaults, and the places in the surrounding program.
    pub uses: Vec<Location>,
    /// Its declaration. A path into a value has none.
    pub declaration: Option<Location>,
}

/// All references to the symbol at `offset`, including that one. The offset may be in the prompt,
/// in an inputs file, or in the variables file. `None` if there is no name.
///
/// A path into a value refers to its first step and to each further one: `{{user.name}}` is a
/// reference to `user`.
///
/// Cost: the distinct uses of names, the references, and the cases.
///
/// ```
/// use promptls_analysis::{Snapshot, references};
/// use promptls_resolver::{Dialect, FileId};
///
/// let snapshot = Snapshot::new(Dialect::Adk, "{name}, dear {name}");
/// let found = references(&snapshot, FileId::PROMPT, 2).unwrap();
/// let ranges: Vec<_> = found.uses.into_iter().map(|place| place.range).collect();
/// assert_eq!(ranges, [1..5, 14..18]);
/// ```
pub fn references(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<References> {
    Some(references_to(snapshot, &symbol_at(snapshot, file, offset)?))
}

/// All references to a symbol.
pub fn references_to(snapshot: &Snapshot, symbol: &Symbol) -> References {
    let mut uses = references_in_prompt(snapshot, symbol);
    uses.extend(references_in_fragments(snapshot, symbol));
    let mut declaration = declaration_of(snapshot, symbol);
    let Symbol::Value(path) = symbol else { return References { uses, declaration } };
    declaration = declaration.filter(|_| path.len() == 1);
    let is_key = matches!(path.last(), Some(PathStep::Key(_)));
    if let Some(keys) = keys_of(snapshot, path).filter(|_| is_key) {
        uses.extend(keys.into_iter().map(|key| key.location));
    } else {
        let cases = (0..snapshot.cases.len()).map(|case| follow(snapshot, case, path));
        let complete = cases.filter(|reached| reached.steps == path.len());
        uses.extend(complete.flat_map(|reached| reached.locations));
    }
    uses.extend(program_places(snapshot, symbol).map(|place| place.location.clone()));
    References { uses, declaration }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use promptls_syntax::Dialect;

    use super::*;
    use crate::snapshot::test::{Files, with_cursor};

    #[track_caller]
    fn check(dialect: Dialect, prompt: &str, cases: &[&str], variables: &str, expected: Expect) {
        expected.assert_eq(&found(dialect, prompt, cases, variables));
    }

    /// The cursor is in the prompt, in the first case, or in the variables.
    #[track_caller]
    fn found(dialect: Dialect, prompt: &str, cases: &[&str], variables: &str) -> String {
        let texts = [prompt, cases[0], variables];
        let marked = texts.iter().position(|text| text.contains("$0")).expect("a cursor");
        let (_, cursor) = with_cursor(texts[marked]);
        let plain = |text: &str| text.replace("$0", "");
        let cases: Vec<String> = cases.iter().map(|case| plain(case)).collect();
        let cases: Vec<&str> = cases.iter().map(String::as_str).collect();
        let files = Files::new(dialect, &plain(prompt), &cases, &plain(variables));
        let file = [FileId::PROMPT, Files::FIRST_CASE, Files::VARIABLES][marked];
        match references(&files.snapshot, file, cursor) {
            Some(References { uses, declaration }) => {
                let declared = files.show(&Vec::from_iter(declaration));
                let separator = if declared.is_empty() { "" } else { "declared " };
                format!("{}{separator}{declared}", files.show(&uses))
            }
            None => "nothing\n".to_owned(),
        }
    }

    #[test]
    fn a_name_is_found_from_each_of_its_uses() {
        let dialect = Dialect::PromptPack;
        let prompt = "{{a$0}} {{a.b}} {{b}}";
        let cases = [r#"{"a": {"b": 1}}"#, r#"{"a": 2}"#];
        let variables = r#"{"variables": [{"name": "a"}]}"#;
        let expected = expect![[r#"
            test.prompt 2..3 a
            test.prompt 8..9 a
            case0.json 1..4 "a"
            case1.json 1..4 "a"
            declared variables.json 24..27 "a"
        "#]];
        check(dialect, prompt, &cases, variables, expected);

        let all = found(dialect, prompt, &cases, variables);
        let prompt = "{{a}} {{$0a.b}} {{b}}";
        assert_eq!(found(dialect, prompt, &cases, variables), all);
        let prompt = "{{a}} {{a.b}} {{b}}";
        let marked = [r#"{"$0a": {"b": 1}}"#, cases[1]];
        assert_eq!(found(dialect, prompt, &marked, variables), all);
        let marked = r#"{"variables": [{"name": "a$0"}]}"#;
        assert_eq!(found(dialect, prompt, &cases, marked), all);
    }

    #[test]
    fn a_path_is_found_without_its_sibling_members() {
        check(
            Dialect::PromptPack,
            "{{a.b}} {{a.c}} {{a}}",
            &[r#"{"a": {"$0b": 1}}"#, r#"{"a.b": 2}"#],
            "{}",
            expect![[r#"
                test.prompt 4..5 b
                case0.json 7..10 "b"
                case1.json 1..6 "a.b"
            "#]],
        );
    }

    #[test]
    fn members_of_items_are_found() {
        let prompt = "{{#each xs}}{{this.a}}{{#if this.b}}{{this.a}}{{/if}}{{/each}}{{a}}";
        check(
            Dialect::Agentle,
            prompt,
            &[r#"{"xs": [{"a$0": 1}, {"a": 2}]}"#],
            "{}",
            expect![[r#"
                test.prompt 19..20 a
                test.prompt 43..44 a
                case0.json 9..12 "a"
                case0.json 19..22 "a"
            "#]],
        );
        check(
            Dialect::Agentle,
            "{{#each m}}{{this.key}}{{this.value.a}}{{this.other}}{{/each}}",
            &[r#"{"m": {"k": {"a$0": 1}}}"#],
            "{}",
            expect![[r#"
                test.prompt 36..37 a
                case0.json 13..16 "a"
            "#]],
        );
    }

    #[test]
    fn headers_of_blocks_are_references() {
        check(
            Dialect::Agentle,
            "{{#if a$0}}{{a}}{{/if}}",
            &["{}"],
            "{}",
            expect![[r#"
                test.prompt 6..7 a
                test.prompt 11..12 a
            "#]],
        );
    }

    #[test]
    fn a_fragment_is_found_under_both_names() {
        check(
            Dialect::PromptPack,
            "{{f}} {{fragments.f}} {{g}}",
            &["{}"],
            r#"{"fragments": {"f$0": "x"}}"#,
            expect![[r#"
                test.prompt 2..3 f
                test.prompt 18..19 f
                declared variables.json 15..18 "f"
            "#]],
        );
    }

    #[test]
    fn fragments_and_defaults_are_references() {
        let variables = r#"{
            "variables": [{"name": "a", "default": {"b": 1}}],
            "fragments": {"f": "\"{{a.b}}\" {{a.c}}"}
        }"#;
        let expected = expect![[r#"
            test.prompt 4..5 b
            variables.json 103..104 b
            variables.json 54..57 "b"
        "#]];
        check(Dialect::PromptPack, "{{a.b$0}} {{f}}", &["{}"], variables, expected);
        let all = found(Dialect::PromptPack, "{{a.b$0}} {{f}}", &["{}"], variables);
        let from_default = variables.replacen("\"b\"", "\"b$0\"", 1);
        assert_eq!(found(Dialect::PromptPack, "{{a.b}} {{f}}", &["{}"], &from_default), all);
        let from_fragment = variables.replacen("{{a.b", "{{a.b$0", 1);
        assert_eq!(found(Dialect::PromptPack, "{{a.b}} {{f}}", &["{}"], &from_fragment), all);
    }

    #[test]
    fn indexed_paths_distinguish_keys_of_items() {
        check(
            Dialect::PromptPack,
            "{{xs[0].a}} {{xs[1].a}}",
            &[r#"{"xs": [{"a": 1}, {"a$0": 2}]}"#],
            "{}",
            expect![[r#"
                test.prompt 20..21 a
                case0.json 19..22 "a"
            "#]],
        );
    }

    #[test]
    fn values_are_no_references() {
        check(
            Dialect::Adk,
            "{a}",
            &[r#"{"a": "x$0"}"#],
            "{}",
            expect![[r#"
            nothing
        "#]],
        );
    }
}
