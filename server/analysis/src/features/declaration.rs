//! The declaration of a name.

use promptls_resolver::FileId;

use super::definition::{Definition, definition};
use crate::snapshot::Snapshot;
use crate::symbol::{declaration_of, reference_at};

/// The location where the variable or fragment at `offset` is declared; without a declaration, its
/// [`definition`].
///
/// For a path, the first name is the declared one. `case` is used for the definition. Cost: at most
/// that of [`definition`].
pub fn declaration(
    snapshot: &Snapshot,
    file: FileId,
    offset: usize,
    case: Option<usize>,
) -> Option<Definition> {
    let declared = reference_at(snapshot, file, offset).and_then(|reference| {
        let targets = vec![declaration_of(snapshot, &reference.symbol)?];
        Some(Definition { origin: reference.location.range, targets })
    });
    declared.or_else(|| definition(snapshot, file, offset, case))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use promptls_syntax::Dialect;

    use super::*;
    use crate::snapshot::test::{Files, with_cursor};

    const CASE: &str = r#"{"a": {"b": 1}, "c": 2}"#;
    const VARIABLES: &str = r#"{"variables": [{"name": "a"}], "fragments": {"f": "x"}}"#;

    #[track_caller]
    fn check(marked: &str, expected: Expect) {
        let (text, cursor) = with_cursor(marked);
        let files = Files::new(Dialect::PromptPack, &text, &[CASE], VARIABLES);
        let actual = match declaration(&files.snapshot, FileId::PROMPT, cursor, None) {
            Some(found) => files.show(&found.targets),
            None => "nothing\n".to_owned(),
        };
        expected.assert_eq(&actual);
    }

    #[test]
    fn a_name_with_a_value_leads_to_its_declaration() {
        check(
            "{{a.b$0}}",
            expect![[r#"
            variables.json 24..27 "a"
        "#]],
        );
        check(
            "{{f$0}}",
            expect![[r#"
            variables.json 45..48 "f"
        "#]],
        );
    }

    #[test]
    fn a_name_without_a_declaration_leads_to_its_value() {
        check(
            "{{c$0}}",
            expect![[r#"
            case0.json 16..19 "c"
        "#]],
        );
    }
}
