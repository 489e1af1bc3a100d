//! The outline of a prompt: sections, tags and blocks, with the names in them.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use promptls_syntax::{BlockKind, TokenKind};

use super::folding_range::blocks;
use super::markdown::outline;
use crate::snapshot::Snapshot;

/// An entry of the outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentSymbol {
    /// The displayed name, such as `<rules>`; never empty.
    pub name: String,
    /// The kind of the entry.
    pub kind: DocumentSymbolKind,
    /// The range with all its children.
    pub range: Range<usize>,
    /// The range to select when the user goes there.
    pub selection: Range<usize>,
    /// The entries inside of its range, in source order.
    pub children: Vec<DocumentSymbol>,
}

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentSymbolKind {
    /// A heading with its section.
    Section,
    /// A pair of tags with its text: `<rules> … </rules>`.
    Tag,
    /// An `{{#if}}` block, up to its closer.
    Condition,
    /// An `{{#each}}` block, up to its closer.
    Loop,
    /// A placeholder, at the first use of its name in its parent.
    Name,
}

/// The maximum depth of nested entries. Deeper ones are siblings of the last one, because editors
/// and this crate process the tree recursively.
const MAX_DEPTH: usize = 50;

/// The sections, tags and blocks of a prompt as a tree, in order. Each contains the names that it
/// uses, at their first use.
///
/// An entry that extends beyond its parent is cut off at the parent's end.
///
/// Cost: the tokens, and one pass over the text. A text longer than 4 MiB is not scanned, and has
/// no sections.
///
/// ```
/// use promptls_analysis::{Snapshot, document_symbols};
/// use promptls_resolver::{Dialect};
///
/// let prompt = "# Task\n{{#each items}}{{this}}{{/each}}";
/// let symbols = document_symbols(&Snapshot::new(Dialect::Agentle, prompt));
/// assert_eq!(symbols[0].name, "Task");
/// assert_eq!(symbols[0].children[0].selection, 7..22);
/// ```
pub fn document_symbols(snapshot: &Snapshot) -> Vec<DocumentSymbol> {
    let outline = outline(snapshot.text.rope());
    let mut symbols: Vec<DocumentSymbol> = outline
        .headings
        .into_iter()
        .map(|heading| DocumentSymbol {
            name: heading.title.trim().to_owned(),
            kind: DocumentSymbolKind::Section,
            range: heading.section,
            selection: heading.range,
            children: Vec::new(),
        })
        .collect();
    symbols.extend(outline.tags.into_iter().map(|tags| DocumentSymbol {
        name: format!("<{}>", tags.name),
        kind: DocumentSymbolKind::Tag,
        range: tags.opener.start..tags.closer.end,
        selection: tags.opener,
        children: Vec::new(),
    }));
    let ends: HashMap<usize, usize> =
        blocks(snapshot).into_iter().map(|(opener, closer)| (opener.start, closer.end)).collect();
    for found in snapshot.tree.tokens() {
        let token = found.token;
        let (name, kind, end) = match token.kind {
            TokenKind::Placeholder | TokenKind::Optional => {
                (found.name.to_owned(), DocumentSymbolKind::Name, token.end())
            }
            TokenKind::BlockOpen(block) => {
                let Some(&end) = ends.get(&token.start) else { continue };
                let kind = match block {
                    BlockKind::If => DocumentSymbolKind::Condition,
                    BlockKind::Each => DocumentSymbolKind::Loop,
                };
                (format!("#{} {}", block.keyword(), found.name), kind, end)
            }
            _ => continue,
        };
        symbols.push(DocumentSymbol {
            name,
            kind,
            range: token.start..end,
            selection: token.range(),
            children: Vec::new(),
        });
    }
    // The protocol requires a name for each entry.
    symbols.retain(|symbol| !symbol.name.is_empty());
    symbols.sort_by_key(|symbol| (symbol.range.start, std::cmp::Reverse(symbol.range.end)));
    nest(symbols)
}

/// Nests each entry in the last one that contains its start.
fn nest(symbols: Vec<DocumentSymbol>) -> Vec<DocumentSymbol> {
    let mut roots = Level::default();
    let mut open: Vec<(DocumentSymbol, Level)> = Vec::new();
    for mut symbol in symbols {
        while open.last().is_some_and(|(outer, _)| outer.range.end <= symbol.range.start) {
            close(&mut open, &mut roots);
        }
        if let Some((outer, _)) = open.last() {
            symbol.range.end = symbol.range.end.min(outer.range.end);
            symbol.selection.end = symbol.selection.end.min(symbol.range.end);
        }
        let is_deep = open.len() == MAX_DEPTH;
        let level = open.last_mut().map_or(&mut roots, |(_, level)| level);
        if symbol.kind == DocumentSymbolKind::Name {
            if level.names.insert(symbol.name.clone()) {
                level.symbols.push(symbol);
            }
        } else if is_deep {
            level.symbols.push(symbol);
        } else {
            open.push((symbol, Level::default()));
        }
    }
    while !open.is_empty() {
        close(&mut open, &mut roots);
    }
    roots.symbols
}

/// The children of an entry, and the names among them.
#[derive(Default)]
struct Level {
    symbols: Vec<DocumentSymbol>,
    names: HashSet<String>,
}

fn close(open: &mut Vec<(DocumentSymbol, Level)>, roots: &mut Level) {
    let Some((mut symbol, level)) = open.pop() else { return };
    symbol.children = level.symbols;
    open.last_mut().map_or(roots, |(_, level)| level).symbols.push(symbol);
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use promptls_syntax::Dialect;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::features::folding_range::folding_ranges;
    use crate::snapshot::test::Fixture;

    #[track_caller]
    fn check(dialect: Dialect, text: &str, expected: Expect) {
        let snapshot = Fixture::new(dialect, text).build();
        let mut actual = String::new();
        show(&document_symbols(&snapshot), 0, &mut actual);
        expected.assert_eq(&actual);
    }

    fn show(symbols: &[DocumentSymbol], depth: usize, out: &mut String) {
        for DocumentSymbol { name, kind, range, selection, children } in symbols {
            assert!(range.start <= selection.start && selection.end <= range.end, "{name}");
            *out += &format!("{}{name} {kind:?} {range:?}\n", "  ".repeat(depth));
            show(children, depth + 1, out);
        }
    }

    #[test]
    fn sections_contain_blocks_and_names() {
        check(
            Dialect::Agentle,
            "{{a}}\n# Task\n{{b}} {{b}}\n{{#if c}}{{d}}{{/if}}\n## Style\n{{b}}\n# End\n",
            expect![[r#"
                a Name 0..5
                Task Section 6..62
                  b Name 13..18
                  #if c Condition 25..46
                    d Name 34..39
                  Style Section 47..62
                    b Name 56..61
                End Section 62..68
            "#]],
        );
    }

    #[test]
    fn symbols_below_the_depth_limit_become_siblings_of_their_parents() {
        let text = format!("{}{{{{a}}}}{}", "{{#if b}}".repeat(52), "{{/if}}".repeat(52));
        let mut symbols = document_symbols(&Fixture::new(Dialect::Agentle, &text).build());
        for _ in 0..49 {
            symbols = symbols.remove(0).children;
        }
        let mut shown = String::new();
        show(&symbols, 0, &mut shown);
        expect![[r#"
            #if b Condition 441..494
              #if b Condition 450..487
              #if b Condition 459..480
              a Name 468..473
        "#]]
        .assert_eq(&shown);
    }

    #[test]
    fn a_section_in_a_block_ends_with_it() {
        check(
            Dialect::Agentle,
            "{{#each xs}}\n# A\n{{/each}}\n# B\n",
            expect![[r##"
                #each xs Loop 0..26
                  A Section 13..26
                B Section 27..31
            "##]],
        );
    }

    #[test]
    fn tags_contain_the_symbols_between_them() {
        check(
            Dialect::Adk,
            "<a>\n{x}\n<b_c>\n</b_c>\n</a>\n{y}",
            expect![[r#"
            <a> Tag 0..25
              x Name 4..7
              <b_c> Tag 8..20
            y Name 26..29
        "#]],
        );
    }

    #[test]
    fn unnamed_symbols_are_omitted() {
        check(Dialect::Agentle, "#\n{{ }}{{#if a}}", expect![[""]]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn outline_and_folds_of_any_text_are_properly_nested(
            pieces in vec(select(PIECES.as_slice()), 0..30)
        ) {
            let text = pieces.concat();
            let snapshot = Fixture::new(Dialect::Agentle, &text).build();
            show(&document_symbols(&snapshot), 0, &mut String::new());
            for fold in folding_ranges(&snapshot) {
                prop_assert!(text.get(fold.range.clone()).is_some(), "{fold:?}");
                prop_assert!(text.get(fold.inside.clone()).is_some(), "{fold:?}");
                prop_assert!(fold.range.start <= fold.inside.start, "{fold:?}");
                prop_assert!(fold.inside.end <= fold.range.end, "{fold:?}");
            }
        }
    }

    const PIECES: [&str; 22] = [
        "\n",
        "\r",
        "\r\n",
        " ",
        "\t",
        "# ",
        "## é",
        "---\n",
        "===\n",
        "- ",
        "> ",
        "```\n",
        "<a>\n",
        "</a>\n",
        "<!--",
        "-->",
        "{{#if a}}",
        "{{/if}}",
        "{{b}}",
        "🎉",
        "\u{2028}",
        "`",
    ];
}
