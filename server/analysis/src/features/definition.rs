//! The definition of a name: the location of its value.

use std::ops::Range;

use promptls_resolver::{FileId, Location};
use promptls_syntax::TokenKind;

use crate::snapshot::Snapshot;
use crate::symbol::{Reference, Symbol, declaration_of, follow, program_places, reference_at};

/// The target of a definition request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The bytes that lead there, in the requested file.
    pub origin: Range<usize>,
    /// The target locations; never empty.
    pub targets: Vec<Location>,
}

/// The location of the value at `offset`: its key, or the item of a list, which has no key.
/// Otherwise it is the declaration, or the place where the surrounding program sets it. From a
/// prompt, it is the value in `case`, an index into [`Snapshot::cases`], if it has one. Otherwise,
/// and from other files, it is the value in each case that has one.
///
/// In a path, only the step at `offset` and the steps before it count. If that leads nowhere, the
/// last existing key is used. For a name that refers to the item of a loop, it is the first item
/// that has it. A closer leads to its opener, and the keyword of an opener to its closer. The name of
/// an agent or a task leads to its method.
///
/// Cost: the cases, and for names that refer to the item of a loop its items.
///
/// ```
/// use promptls_analysis::{Snapshot, definition};
/// use promptls_resolver::{Dialect, FileId, Format, Inputs};
///
/// let inputs = Inputs::parse(r#"{"name": "Ada"}"#, Format::Json, FileId(1)).value.unwrap();
/// let snapshot = Snapshot::new(Dialect::Adk, "Dear {name},").with_case("default", inputs);
/// let found = definition(&snapshot, FileId::PROMPT, 7, Some(0)).unwrap();
/// // The key in the inputs file.
/// assert_eq!((found.targets[0].file, found.targets[0].range.clone()), (FileId(1), 1..7));
/// ```
pub fn definition(
    snapshot: &Snapshot,
    file: FileId,
    offset: usize,
    case: Option<usize>,
) -> Option<Definition> {
    if let Some((tag, partner)) = tags_at(snapshot, file, offset) {
        let targets = vec![Location { file, range: partner }];
        return Some(Definition { origin: tag, targets });
    }
    // Another server has the definition in the program.
    if file == FileId::PROMPT && snapshot.hole_at(offset).is_some() {
        return None;
    }
    if let Some(named) = snapshot.host.as_ref().and_then(|host| host.crew_name_at(file, offset)) {
        let (origin, target) = (named.location.range.clone(), named.target()?.clone());
        return Some(Definition { origin, targets: vec![target] });
    }
    let Reference { symbol, location } = reference_at(snapshot, file, offset)?;
    let mut targets = values(snapshot, &symbol, case.filter(|_| file == FileId::PROMPT));
    if targets.is_empty() {
        targets.extend(declaration_of(snapshot, &symbol));
    }
    if targets.is_empty() {
        let places = program_places(snapshot, &symbol).filter(|place| place.supplies);
        targets.extend(places.map(|place| place.location.clone()));
    }
    (!targets.is_empty()).then_some(Definition { origin: location.range, targets })
}

/// The block tag at an offset, outside the path in its header, and its matching tag.
pub(crate) fn tags_at(
    snapshot: &Snapshot,
    file: FileId,
    offset: usize,
) -> Option<(Range<usize>, Range<usize>)> {
    if file != FileId::PROMPT {
        return None;
    }
    let tag = snapshot.token_at(offset)?;
    let name = snapshot.name_range(&tag);
    let is_at_path = matches!(tag.token.kind, TokenKind::BlockOpen(_))
        && name.start <= offset
        && offset <= name.end;
    let partner = (!is_at_path).then(|| snapshot.partner(&tag))??;
    Some((tag.token.range(), partner.token.range()))
}

/// The location in a case, if it exists as far as in any other case; otherwise one in each such
/// case.
fn values(snapshot: &Snapshot, symbol: &Symbol, case: Option<usize>) -> Vec<Location> {
    let Symbol::Value(path) = symbol else { return Vec::new() };
    let mut reached: Vec<_> =
        (0..snapshot.cases.len()).map(|case| follow(snapshot, case, path)).collect();
    let furthest = reached.iter().map(|reached| reached.steps).max().unwrap_or(0);
    if let Some(case) = case.filter(|&case| {
        reached.get(case).is_some_and(|it| it.steps == furthest && !it.locations.is_empty())
    }) {
        reached = vec![reached.swap_remove(case)];
    }
    reached
        .into_iter()
        .filter(|reached| reached.steps == furthest)
        .filter_map(|reached| reached.locations.into_iter().next())
        .collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use promptls_syntax::Dialect;

    use super::*;
    use crate::snapshot::test::{Files, with_cursor};

    #[track_caller]
    fn check(dialect: Dialect, cases: &[&str], variables: &str, marked: &str, expected: Expect) {
        let (text, cursor) = with_cursor(marked);
        let files = Files::new(dialect, &text, cases, variables);
        let actual = match definition(&files.snapshot, FileId::PROMPT, cursor, None) {
            Some(found) => {
                format!("{} →\n{}", &text[found.origin], files.show(&found.targets))
            }
            None => "nothing\n".to_owned(),
        };
        expected.assert_eq(&actual);
    }

    #[test]
    fn a_name_leads_to_its_key_in_every_case_with_it() {
        check(
            Dialect::Adk,
            &[r#"{"a": 1, "b": 2}"#, "{}", r#"{"b": 3}"#],
            "{}",
            "{b?$0}",
            expect![[r#"
                b →
                case0.json 9..12 "b"
                case2.json 1..4 "b"
            "#]],
        );
    }

    #[test]
    fn a_name_leads_to_its_key_in_the_selected_case() {
        let cases = [r#"{"a": 1}"#, r#"{"b": 2, "a": 3}"#];
        let files = Files::new(Dialect::Adk, "{a} {b}", &cases, "{}");
        let shown = |offset, case| {
            let found = definition(&files.snapshot, FileId::PROMPT, offset, Some(case));
            found.map(|found| files.show(&found.targets)).unwrap_or_default()
        };
        expect![[r#"
            case1.json 9..12 "a"
        "#]]
        .assert_eq(&shown(1, 1));
        // This case has no such value, but another one has.
        expect![[r#"
            case1.json 1..4 "b"
        "#]]
        .assert_eq(&shown(5, 0));
    }

    #[test]
    fn a_path_segment_leads_to_its_own_key() {
        let cases = [r#"{"user": {"pets": [{"name": "Rex"}]}}"#];
        let check = |marked, expected| check(Dialect::PromptPack, &cases, "{}", marked, expected);
        check(
            "{{us$0er.pets[0].name}}",
            expect![[r#"
                user →
                case0.json 1..7 "user"
            "#]],
        );
        check(
            "{{user.pets[$00].name}}",
            expect![[r#"
                [0] →
                case0.json 19..34 {"name": "Rex"}
            "#]],
        );
        check(
            "{{user.pets[0].n$0ame}}",
            expect![[r#"
                name →
                case0.json 20..26 "name"
            "#]],
        );
        check(
            "{{user.pets[7].n$0ame}}",
            expect![[r#"
                name →
                case0.json 10..16 "pets"
            "#]],
        );
    }

    #[test]
    fn a_path_leads_to_a_dotted_key() {
        check(
            Dialect::PromptPack,
            &[r#"{"a": {"b": 1}, "a.b": 2}"#],
            "{}",
            "{{a.b$0}}",
            expect![[r#"
                b →
                case0.json 16..21 "a.b"
            "#]],
        );
    }

    #[test]
    fn a_name_without_a_value_leads_to_its_declaration() {
        check(
            Dialect::PromptPack,
            &["{}"],
            r#"{"variables": [{"name": "a", "default": {"b": 1}}]}"#,
            "{{a.b$0}}",
            expect![[r#"
                b →
                variables.json 24..27 "a"
            "#]],
        );
    }

    #[test]
    fn a_fragment_leads_to_its_text() {
        let variables = r#"{"fragments": {"tone": "Be kind."}}"#;
        for marked in ["{{to$0ne}}", "{{fragments.$0tone}}"] {
            check(
                Dialect::PromptPack,
                &[r#"{"tone": 1}"#],
                variables,
                marked,
                expect![[r#"
                    tone →
                    variables.json 15..21 "tone"
                "#]],
            );
        }
    }

    #[test]
    fn a_member_of_a_loop_item_leads_to_the_first_item_with_it() {
        let cases = [r#"{"xs": [{"a": 1}, {"b": [{"c": 2}]}], "m": {"k": {"v": 3}}}"#];
        let check = |marked, expected| check(Dialect::Agentle, &cases, "{}", marked, expected);
        check(
            "{{#each xs}}{{this.b$0}}{{/each}}",
            expect![[r#"
                b →
                case0.json 19..22 "b"
            "#]],
        );
        check(
            "{{#each xs}}{{#each this.b}}{{#if a}}{{this.c$0}}{{/if}}{{/each}}{{/each}}",
            expect![[r#"
                c →
                case0.json 26..29 "c"
            "#]],
        );
        check(
            "{{#each xs}}{{this$0.b}}{{/each}}",
            expect![[r#"
                this →
                case0.json 8..16 {"a": 1}
            "#]],
        );
        check(
            "{{#each m}}{{this.key$0}}{{/each}}",
            expect![[r#"
                key →
                case0.json 44..47 "k"
            "#]],
        );
        check(
            "{{#each m}}{{this.value.v$0}}{{/each}}",
            expect![[r#"
                v →
                case0.json 50..53 "v"
            "#]],
        );
    }

    #[test]
    fn tags_of_a_block_lead_to_their_partner() {
        let check = |marked, expected| check(Dialect::Agentle, &[], "{}", marked, expected);
        check(
            "{{#if a}}{{#if b}}{{/if}}{{/if$0}}",
            expect![[r#"
                {{/if}} →
                test.prompt 0..9 {{#if a}}
            "#]],
        );
        check(
            "{{#if a}}{{$0#if b}}{{/if}}{{/if}}",
            expect![[r#"
                {{#if b}} →
                test.prompt 18..25 {{/if}}
            "#]],
        );
        check(
            "{{#if a}}{{/each$0}}",
            expect![[r#"
            nothing
        "#]],
        );
    }

    #[test]
    fn the_output_of_a_task_leads_to_its_key() {
        check(
            Dialect::Entaingine,
            &[r#"{"task_0": {"output_0": {"chunkSimilarityMetadata": {"a.b": 1}}}}"#],
            "{}",
            "{task_0.output_0.chunkSimilarityMetadata.a.b$0}",
            expect![[r#"
                a.b →
                case0.json 53..58 "a.b"
            "#]],
        );
    }

    #[test]
    fn plain_text_and_names_without_a_value_have_no_definition() {
        check(
            Dialect::Adk,
            &["{}"],
            "{}",
            "De$0ar {a}",
            expect![[r#"
            nothing
        "#]],
        );
        check(
            Dialect::Adk,
            &["{}"],
            "{}",
            "Dear {a$0}",
            expect![[r#"
            nothing
        "#]],
        );
    }
}
