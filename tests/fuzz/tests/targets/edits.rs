//! After any edits, a tree equals a fresh parse, and the work of an edit does not grow with the
//! prompt.

use bolero::{TypeGenerator, ValueGenerator, produce};
use promptls_fuzz::EXECUTIONS;
use promptls_syntax::{Dialect, Edit, Grammar, TokenKind, Tree};
use ropey::Rope;

use crate::texts::{PROMPT_PIECES, prompts};

/// An edit generated for one text fits any other: its places are fractions of the length.
#[derive(Clone, Debug, TypeGenerator)]
struct AnyEdit {
    at: u16,
    removed: u16,
    /// Most edits remove little, but some remove whole texts.
    #[generator(0..16)]
    shorter: u8,
    /// The index of a piece.
    #[generator(0..PROMPT_PIECES.len())]
    inserted: usize,
}

fn apply(rope: &mut Rope, tree: &mut Tree, edit: &AnyEdit) {
    let chars = rope.len_chars();
    let part = |fraction: u16| chars * usize::from(fraction) / usize::from(u16::MAX);
    let start = part(edit.at);
    let end = (start + part(edit.removed >> edit.shorter)).min(chars);
    let bytes = rope.char_to_byte(start)..rope.char_to_byte(end);
    rope.remove(start..end);
    let piece = PROMPT_PIECES[edit.inserted];
    rope.insert(start, piece);
    tree.edit(rope, Edit { start: bytes.start, removed: bytes.len(), inserted: piece.len() });
}

/// The contents of a tree, with names as text, so that two trees can be compared.
fn describe(tree: &Tree) -> Vec<String> {
    let scope = |mut id| {
        let mut chain = Vec::new();
        while let Some(scope) = tree.scope(id) {
            chain.push(format!("{:?} {}", scope.kind, tree.name(scope.path)));
            id = scope.parent;
        }
        chain.reverse();
        chain.join("/")
    };
    let mut lines: Vec<String> = tree
        .tokens()
        .map(|found| {
            let (token, status, force) = (found.token, found.status, found.in_force);
            format!("{token:?} {:?} {status:?} {force} [{}]", found.name, scope(found.scope))
        })
        .collect();
    let mut uses: Vec<String> = tree
        .uses()
        .map(|(used, count)| {
            let (kind, force) = (used.kind, used.in_force);
            format!("{count} x {:?} {kind:?} {force} [{}]", tree.name(used.name), scope(used.scope))
        })
        .collect();
    uses.sort();
    lines.extend(uses);
    lines
}

/// Texts with more braces than realistic prompts.
fn dense() -> impl ValueGenerator<Output = String> {
    let pieces = produce::<Vec<usize>>().with().values(0..PROMPT_PIECES.len()).len(0..40usize);
    pieces.map_gen(|pieces| pieces.into_iter().map(|piece| PROMPT_PIECES[piece]).collect())
}

#[test]
fn edits() {
    let all: Vec<Grammar> = Grammar::all().collect();
    let grammars = (0..all.len()).map_gen(move |grammar| all[grammar]);
    let segments = (3..7u32).map_gen(|power| 1usize << power);
    bolero::check!()
        .with_iterations(EXECUTIONS)
        .with_generator((
            grammars,
            (prompts().text(), dense()),
            produce::<Vec<AnyEdit>>().with().len(1..6usize),
            segments,
        ))
        .for_each(|(grammar, (start, dense), edits, segment)| {
            let mut rope = Rope::from(format!("{start}{dense}"));
            let mut tree = Tree::with_segments_of(*segment, *grammar, &rope);
            for edit in edits {
                apply(&mut rope, &mut tree, edit);
                let text = rope.to_string();
                let fresh = Tree::parse(*grammar, text.as_str());
                assert_eq!(describe(&tree), describe(&fresh), "{text:?}");
            }
        });
}

/// The maximum work of an edit here, in bytes: the touched segment, a neighbour, and their
/// lookahead.
const BOUND: usize = 3 * 32 * 1024;

/// Types at many places of a prompt; returns the maximum number of bytes lexed for one key press.
fn most_work(dialect: Dialect, text: &str, typed: &str) -> usize {
    let mut rope = Rope::from_str(text);
    let mut tree = Tree::parse(dialect, &rope);
    let mut most = 0;
    for step in 1..50 {
        let at = rope.char_to_byte(rope.len_chars() * step / 50);
        rope.insert(rope.byte_to_char(at), typed);
        let work = tree.edit(&rope, Edit { start: at, removed: 0, inserted: typed.len() });
        most = most.max(work.lexed_bytes);
    }
    assert_eq!(describe(&tree), describe(&Tree::parse(dialect, &rope)));
    most
}

#[test]
fn a_keystroke_costs_the_same_in_a_large_prompt() {
    for (dialect, line) in [
        (Dialect::AgentEnsemble, "Write about {topic} for {audience}, not {{this}}.\n"),
        (Dialect::Adk, "Ask {user:name} about {topic?}, not {\"json\": 1}.\n"),
        (Dialect::Entaingine, "Use {FILE_CONTENT} and {task_0.output_1}.\n"),
        (Dialect::PromptPack, "Dear {{customer.name}}, {{items[0].title}}.\n"),
        (Dialect::Agentle, "Dear {{name}}, {{#if a}}you{{/if}} {{#each b}}{{this}}{{/each}}\n"),
    ] {
        let text = line.repeat(4_000_000 / line.len());
        assert!(most_work(dialect, &text, "x") < BOUND, "{dialect:?}");
        assert!(most_work(dialect, &text, "{{y}}") < BOUND, "{dialect:?}");
    }
}

#[test]
fn an_edit_after_an_unclosed_opener_in_a_large_text_is_cheap() {
    let far = "some text without any brace in it\n".repeat(100_000);
    for (dialect, opener) in
        [(Dialect::Adk, "{artifact.a"), (Dialect::Agentle, "{{a"), (Dialect::Agentle, "{{#if a")]
    {
        assert!(most_work(dialect, &format!("{opener} {far}"), "x") < BOUND, "{dialect:?}");
    }
    let word = "a".repeat(4_000_000);
    for (dialect, opener) in [(Dialect::AgentEnsemble, "{"), (Dialect::PromptPack, "{{")] {
        assert!(most_work(dialect, &format!("{opener}{word}"), "x") < BOUND, "{dialect:?}");
    }
}

#[test]
fn an_edit_after_many_unclosed_openers_is_cheap() {
    for (dialect, opener) in [(Dialect::Agentle, "{{a "), (Dialect::Adk, "{artifact.a ")] {
        for end in ["", "}", "}x"] {
            let text = format!("{}{end}", opener.repeat(100_000));
            assert!(most_work(dialect, &text, "x") < BOUND, "{dialect:?} {end:?}");
        }
    }
}

#[test]
fn a_distant_closer_completes_an_unclosed_opener() {
    let far = "some text without any brace in it\n".repeat(10_000);
    // In the last, the placeholder starts at the second brace.
    for (grammar, opener, closer) in [
        (Grammar::from(Dialect::Agentle), "{{a ", "}}"),
        (Grammar::LlamaIndex, "{a ", "}"),
        (Grammar::LlamaIndex, "{{a ", "}"),
    ] {
        let mut rope = Rope::from_str(&format!("{opener}{far}"));
        let mut tree = Tree::parse(grammar, &rope);
        let kinds = |tree: &Tree| tree.tokens().map(|found| found.token.kind).collect::<Vec<_>>();
        assert_eq!(kinds(&tree), [TokenKind::NearMiss], "{grammar:?}");
        let end = rope.len_bytes();
        rope.insert(rope.len_chars(), closer);
        tree.edit(&rope, Edit { start: end, removed: 0, inserted: closer.len() });
        assert_eq!(describe(&tree), describe(&Tree::parse(grammar, &rope)), "{grammar:?}");
        assert_eq!(kinds(&tree), [TokenKind::Placeholder], "{grammar:?}");
    }
}

#[test]
fn an_edit_of_a_block_header_recounts_only_its_content() {
    let outside = "{{name}} and text to make it long enough for many segments\n".repeat(20_000);
    let inside = "{{#each items}}{{this.title}}{{/each}}";
    let text = format!("{outside}{inside}{outside}");
    let mut rope = Rope::from_str(&text);
    let mut tree = Tree::parse(Dialect::Agentle, &rope);
    let at = outside.len() + "{{#each item".len();
    rope.insert(rope.byte_to_char(at), "z");
    let work = tree.edit(&rope, Edit { start: at, removed: 0, inserted: 1 });
    assert_eq!(describe(&tree), describe(&Tree::parse(Dialect::Agentle, &rope)));
    assert!(work.recounted_segments <= 1, "{work:?}");
}

#[test]
fn an_edit_examines_only_neighbouring_segments() {
    let mut rope = Rope::from_str(&"{{name}} and text around it\n".repeat(100_000));
    let mut tree = Tree::parse(Dialect::Agentle, &rope);
    for at in [10, 2_000_000, 2_000_001, 1_999_000, 5] {
        let at = rope.char_to_byte(at);
        rope.insert(rope.byte_to_char(at), "x");
        let work = tree.edit(&rope, Edit { start: at, removed: 0, inserted: 1 });
        assert!(work.searched_segments <= 1, "{work:?}");
    }
    assert_eq!(describe(&tree), describe(&Tree::parse(Dialect::Agentle, &rope)));
}
