//! Random edits of prompts and their files, the same in every run.

use std::ops::Range;

/// Pieces with which braces, names, blocks and strings occur in every combination.
const PIECES: &[&str] = &[
    "{",
    "}",
    "{{",
    "}}",
    "{b}",
    "{{b}}",
    "{ b }",
    "{{ name }}",
    "{b?}",
    "{{#if b}}",
    "{{/if}}",
    "{{#each items}}",
    "{{/each}}",
    "{{this}}",
    "{A_B}",
    "{task_0.output_1}",
    "é",
    "🎉",
    "\n",
    " ",
    "word",
    "{{b}}_",
    "{{fragments.sign}}",
    "{user:b}",
    "\r\n",
    "\\frac{b}{c}",
    "\"",
    "\\n",
    ",",
    ":",
    "\"b\": 1,",
    "{\"name\": \"old\"},",
];

/// The source of random numbers for the edits.
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Numbers {
        Numbers(seed)
    }

    /// Any number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }

    /// The range to replace in a text, and its replacement.
    pub fn edit(&mut self, text: &str) -> (Range<usize>, String) {
        let boundary = |at: usize| {
            let at = text.floor_char_boundary(at.min(text.len()));
            // No editor has a position within a line break.
            let is_inside = text[..at].ends_with('\r') && text[at..].starts_with('\n');
            at - usize::from(is_inside)
        };
        let start = boundary(self.below(text.len() + 1));
        let removed = if self.below(3) == 0 { self.below(12) } else { 0 };
        let end = boundary(start + removed).max(start);
        let typed = (0..self.below(4)).map(|_| PIECES[self.below(PIECES.len())]).collect();
        (start..end, typed)
    }
}
