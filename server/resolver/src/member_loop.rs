//! The usual loop: literals and members of the item, which are texts.
//!
//! Such a body is rendered item by item without the steps of its plan. Items mostly have the same
//! keys in the same order, and objects of a list share their keys, so that a look-up compares one
//! pointer.

use std::ops::Range;
use std::sync::Arc;

use crate::template::{Op, Template, This};
use crate::value::{Entry, Value};

/// The body of a loop that consists of literals and members of the item.
pub(crate) struct MemberBody<'p, 'a> {
    pub slots: Vec<MemberSlot<'p, 'a>>,
    /// The literal after the last slot.
    pub after: &'p str,
}

/// A placeholder for a member of the item.
pub(crate) struct MemberSlot<'p, 'a> {
    pub before: &'p str,
    name: &'p str,
    /// The entry of the previous item: the next one mostly has the same keys in the same order.
    position: usize,
    key: Option<&'a Arc<str>>,
    /// The text in the current item.
    pub text: &'a str,
}

impl<'p, 'a> MemberBody<'p, 'a> {
    /// The body of a loop; `None` if it has other steps.
    pub fn of(template: &'p Template<'_>, inside: Range<usize>) -> Option<MemberBody<'p, 'a>> {
        let mut body = MemberBody { slots: Vec::new(), after: "" };
        for op in &template.ops[inside] {
            match op {
                // Adjacent literals are inactive block tags, which are rare.
                Op::Literal(text, _) if body.after.is_empty() => body.after = text,
                Op::Slot { path, .. } => {
                    let This::Member(name) = template.paths[*path].this else { return None };
                    let (before, position) = (std::mem::take(&mut body.after), body.slots.len());
                    body.slots.push(MemberSlot { before, name, position, key: None, text: "" });
                }
                _ => return None,
            }
        }
        Some(body)
    }

    /// Looks up the texts of an item; `false` if one of them is missing or no text.
    pub fn look_up(&mut self, item: &'a Value) -> bool {
        let Some(object) = item.as_object() else { return false };
        self.slots.iter_mut().all(|slot| {
            let is_it = |entry: &&Entry| {
                slot.key.is_some_and(|key| Arc::ptr_eq(key, &entry.key)) || *entry.key == *slot.name
            };
            let entry = match object.entries().get(slot.position).filter(is_it) {
                Some(entry) => entry,
                None => {
                    let Some(position) = object.position(slot.name) else { return false };
                    slot.position = position;
                    &object.entries()[position]
                }
            };
            let Some(text) = entry.value.as_text() else { return false };
            (slot.key, slot.text) = (Some(&entry.key), text);
            true
        })
    }
}

#[cfg(test)]
mod tests {
    use promptls_data::Format;
    use promptls_syntax::Dialect;

    use crate::declarations::Declarations;
    use crate::findings::problem::FileId;
    use crate::inputs::Inputs;
    use crate::resolve_context::ResolveContext;
    use crate::template::Template;

    const PROMPT: &str = "All:{{#each items}} {{this.a}}, {{this.b}};{{/each}} done.";

    #[track_caller]
    fn check(prompt: &str, items: &str, expected: &str) {
        let inputs = Inputs::parse(&format!(r#"{{"items": {items}}}"#), Format::Json, FileId(1));
        let (inputs, declarations) = (inputs.value.unwrap(), Declarations::default());
        let given = ResolveContext::new(&inputs, &declarations);
        let template = Template::compile(Dialect::Agentle, prompt);
        // Only the second has a source map, so it takes each step of the plan.
        assert_eq!(template.render(&given).unwrap(), expected);
        assert_eq!(template.resolve(&given).text, expected);
    }

    #[test]
    fn members_may_have_any_order_and_type() {
        check(PROMPT, "[]", "All: done.");
        let same = r#"[{"a": "1", "b": "2"}, {"a": "3", "b": "4"}]"#;
        check(PROMPT, same, "All: 1, 2; 3, 4; done.");
        let other_order =
            r#"[{"a": "1", "b": "2"}, {"b": "4", "c": "5", "a": "3"}, {"a": "6", "b": "7"}]"#;
        check(PROMPT, other_order, "All: 1, 2; 3, 4; 6, 7; done.");
        let other_kinds = r#"[{"a": "1", "b": "2"}, {"a": 3}, "text", {"a": "6", "b": null}, {"a": "8", "b": "9"}]"#;
        check(PROMPT, other_kinds, "All: 1, 2; 3, ; , ; 6, ; 8, 9; done.");
        check(PROMPT, r#"{"a": {"a": "1", "b": "2"}}"#, "All: , ; done.");
    }

    #[test]
    fn other_bodies_are_rendered_step_by_step() {
        let items = r#"[{"a": "1", "c": {"d": "2"}}, {"a": "3"}]"#;
        let in_loop = |body: &str| format!("{{{{#each items}}}}{body}{{{{/each}}}}");
        check(&in_loop("{{this.a}}{{items.x}}"), items, "13");
        check(&in_loop("{{this.a}}{{this.c.d}}"), items, "123");
        check(&in_loop("{{#if items}}{{this.a}}{{/if}}"), items, "13");
        check(&in_loop("{{#each items}}{{this.a}}{{/each}}"), items, "1313");
        check(&in_loop("{{this.a}} {{/if}} {{this.a}}"), items, "1 {{/if}} 13 {{/if}} 3");
        check(&in_loop(""), items, "");
    }
}
