//! The names that a prompt uses: their locations, and whether a value is required.

use std::collections::BTreeMap;
use std::ops::Range;

use promptls_resolver::blocks::is_of_item;
use promptls_resolver::{FileId, Location, Template, Variable, root};
use promptls_syntax::{TokenKind, TokenRef};

use crate::snapshot::Snapshot;
use crate::symbol::{PathStep, Symbol, references_in_fragments};

/// The first name of a path that a prompt uses, or that is declared for it.
#[derive(Clone, Debug)]
pub struct UsedName<'s> {
    /// The name, without the rest of its path.
    pub name: String,
    /// The locations of whole paths in the prompt, then in its fragments; empty if it is only
    /// declared. For a name in a text of another file, that of the text.
    pub uses: Vec<Location>,
    /// The text is incomplete without a value. The name has no default, and is used other than as
    /// an optional placeholder or as the condition of a block. Names that are declared as required
    /// also count.
    pub is_required: bool,
    /// Its declaration, if it has one.
    pub declared: Option<&'s Variable>,
}

/// The first names of paths that a prompt uses, directly or through fragments, and those that are
/// declared, sorted. Items of loops and names of fragments are not included.
///
/// Cost: the tokens of the prompt, and the texts of fragments for each name if it has any.
pub fn used_names(snapshot: &Snapshot) -> Vec<UsedName<'_>> {
    let mut names = NameCollector { snapshot, found: BTreeMap::new(), fragments: Vec::new() };
    match snapshot.with_other_texts() {
        Some((filled, whole)) => names.tokens(&whole, |range| filled.in_prompt(&range)),
        None => names.tokens(snapshot, |range| range),
    }
    let mut seen = 0;
    while let Some(text) = names.fragments.get(seen).copied() {
        seen += 1;
        let template = Template::compile(snapshot.engine(), text);
        for name in template.path_names() {
            names.in_fragment(name);
        }
    }
    for variable in &snapshot.declarations.variables {
        names.declared(variable);
    }
    let uses_fragments = !names.fragments.is_empty();
    let mut found: Vec<UsedName<'_>> = names.found.into_values().collect();
    for used in found.iter_mut().filter(|_| uses_fragments) {
        let symbol = Symbol::Value(vec![PathStep::Key(used.name.clone())]);
        used.uses.extend(references_in_fragments(snapshot, &symbol));
    }
    found
}

struct NameCollector<'s> {
    snapshot: &'s Snapshot,
    found: BTreeMap<String, UsedName<'s>>,
    /// The texts of the fragments that were found, each once.
    fragments: Vec<&'s str>,
}

impl<'s> NameCollector<'s> {
    /// Adds the names in a text: that of the prompt, or the same with texts of other files.
    fn tokens(&mut self, text: &Snapshot, in_prompt: impl Fn(Range<usize>) -> Range<usize>) {
        for token in text.tree.tokens().filter(|found| found.used().in_force) {
            self.token(text, &token, &in_prompt);
        }
    }

    fn token(
        &mut self,
        text: &Snapshot,
        found: &TokenRef<'_>,
        in_prompt: &impl Fn(Range<usize>) -> Range<usize>,
    ) {
        let Snapshot { tree, .. } = text;
        let dialect = text.dialect();
        let name = found.name;
        let is_of_loop =
            is_of_item(dialect, name) && tree.loop_around(found.used().scope).is_some();
        if !found.token.kind.reads() || is_of_loop || self.is_fragment(name) {
            return;
        }
        let range = in_prompt(text.name_range(found));
        let used = self.entry(root(dialect, name));
        used.uses.push(Location { file: FileId::PROMPT, range });
        used.is_required |= found.token.kind == TokenKind::Placeholder;
    }

    fn in_fragment(&mut self, name: &str) {
        let dialect = self.snapshot.dialect();
        if self.is_fragment(name) {
            return;
        }
        self.entry(root(dialect, name)).is_required = true;
    }

    fn declared(&mut self, variable: &'s Variable) {
        let has_default = variable.default.as_ref().is_some_and(|default| !default.is_null());
        let used = self.entry(&variable.name);
        used.is_required = (used.is_required || variable.required) && !has_default;
        used.declared = Some(variable);
    }

    /// Returns whether a name refers to a fragment, and records the fragment.
    fn is_fragment(&mut self, name: &str) -> bool {
        let declarations = &self.snapshot.declarations;
        let Some(name) = self.snapshot.fragment_name(name) else {
            return false;
        };
        if let Some(fragment) = declarations.fragment(name)
            && !self.fragments.contains(&&*fragment.text)
        {
            self.fragments.push(&fragment.text);
        }
        true
    }

    fn entry(&mut self, name: &str) -> &mut UsedName<'s> {
        let unused = |name: &String| UsedName {
            name: name.clone(),
            uses: Vec::new(),
            is_required: false,
            declared: None,
        };
        self.found.entry(name.to_owned()).or_insert_with_key(unused)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use promptls_syntax::Dialect;

    use super::*;
    use crate::snapshot::test::Fixture;

    #[track_caller]
    fn check(dialect: Dialect, prompt: &str, variables: &str, expected: Expect) {
        let snapshot = Fixture::new(dialect, prompt).variables(variables).build();
        let line = |used: &UsedName<'_>| {
            let needed = if used.is_required { "required" } else { "optional" };
            let kind = used.declared.and_then(|it| it.declared_type).map_or("-", |it| it.id());
            let place = |it: &Location| format!(" {:?}", it.range);
            let places: String = used.uses.iter().map(place).collect();
            format!("{} {needed} {kind}{places}\n", used.name)
        };
        expected.assert_eq(&used_names(&snapshot).iter().map(line).collect::<String>());
    }

    #[test]
    fn a_name_is_optional_if_each_of_its_uses_is() {
        check(
            Dialect::Adk,
            "{b?} {a} {b?} {a?}",
            "{}",
            expect![[r#"
                a required - 6..7 15..16
                b optional - 1..2 10..11
            "#]],
        );
    }

    #[test]
    fn items_of_loops_are_omitted_and_conditions_are_optional() {
        check(
            Dialect::Agentle,
            "{{#if vip}}{{#each xs}}{{this.a}}{{user.name}}{{/each}}{{/if}}",
            "{}",
            expect![[r#"
                user required - 35..44
                vip optional - 6..9
                xs optional - 19..21
            "#]],
        );
    }

    #[test]
    fn declared_names_have_their_type_and_whether_they_are_required() {
        check(
            Dialect::PromptPack,
            "{{fragments.f}}{{a}}",
            r#"{"variables": [
                {"name": "a", "type": "number", "required": false, "default": 1},
                {"name": "d", "type": "string", "required": true}
            ], "fragments": {"f": "{{b}}"}}"#,
            expect![[r#"
                a optional number 17..18
                b required - 201..202
                d required string
            "#]],
        );
    }
}
