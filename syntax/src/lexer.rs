//! Splits a prompt into tokens.
//!
//! A token never depends on what stands before it, except that it cannot start
//! inside another one. So a lexer is one function, [`Candidate`]s from openers:
//! given text and the position of a brace, is there a token here? It keeps no
//! state between calls. That is what lets `tree.rs` lex again only the segment
//! that changed: all that must survive is how far the last token reached.
//!
//! The text may be cut off at its end (a [`Window`]). Where the answer lies
//! behind the cut, the lexer says [`Candidate::Undecided`] and the caller comes
//! back with more.
//!
//! The lexer does not pair blocks (`blocks.rs`), and knows no values.

mod adk;
mod agentensemble;
mod agentle;
mod entaingine;
mod near_miss;
mod promptpack;

use memchr::memchr;

use crate::dialect::Dialect;
use crate::token::{Flaw, Token, TokenKind};

use agentensemble::is_word;
pub(crate) use near_miss::MARGIN;
pub use near_miss::near_miss_word;

/// Text to lex, perhaps cut off at its end.
#[derive(Clone, Copy)]
pub(crate) struct Window<'a> {
    /// The text.
    pub bytes: &'a [u8],
    /// Whether the prompt ends where `bytes` end.
    pub ends_prompt: bool,
}

impl Window<'_> {
    /// The byte there; `None` where the prompt has ended or the window is cut.
    fn get(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// The answer for a candidate that ran into the end of the window.
    fn at_end(&self, resume: usize) -> Candidate {
        if self.ends_prompt { Candidate::Nothing { resume } } else { Candidate::Undecided }
    }

    /// Whether `literal` stands at `at`; `None` if the window is cut inside it.
    fn starts_with(&self, at: usize, literal: &[u8]) -> Option<bool> {
        let rest = self.bytes.get(at..).unwrap_or_default();
        if rest.len() >= literal.len() {
            return Some(rest.starts_with(literal));
        }
        if self.ends_prompt || !literal.starts_with(rest) { Some(false) } else { None }
    }
}

/// What an opening brace turned out to be.
pub(crate) enum Candidate {
    /// A token starts here, and ends before `end`.
    Token { kind: TokenKind, end: usize, flaw: Option<Flaw> },
    /// Plain text. No token starts between here and `resume`.
    Nothing { resume: usize },
    /// The window ends too early to tell.
    Undecided,
}

impl Candidate {
    /// A token with nothing wrong.
    fn token(kind: TokenKind, end: usize) -> Candidate {
        Candidate::Token { kind, end, flaw: None }
    }
}

/// Where lexing of a window stopped.
pub(crate) enum Stop {
    /// Everything before the limit is lexed.
    Done,
    /// A candidate at this offset needs more text than the window has.
    Undecided { at: usize },
}

/// Emits the tokens that start in `from..limit`, in order. Offsets are into the window.
///
/// Cost: one pass; literal text is skipped with SIMD.
#[inline]
pub(crate) fn lex(
    dialect: Dialect,
    window: Window<'_>,
    from: usize,
    limit: usize,
    emit: impl FnMut(Token),
) -> Stop {
    // One loop per dialect, so that the compiler can inline the whole of it.
    match dialect {
        Dialect::AgentEnsemble => {
            lex_with(agentensemble::candidate, dialect, window, from, limit, emit)
        }
        Dialect::Adk => lex_with(adk::candidate, dialect, window, from, limit, emit),
        Dialect::Entaingine => lex_with(entaingine::candidate, dialect, window, from, limit, emit),
        Dialect::PromptPack => lex_with(promptpack::candidate, dialect, window, from, limit, emit),
        Dialect::Agentle => lex_with(agentle::candidate, dialect, window, from, limit, emit),
    }
}

#[inline]
fn lex_with(
    candidate: impl Fn(Window<'_>, usize) -> Candidate,
    dialect: Dialect,
    window: Window<'_>,
    from: usize,
    limit: usize,
    mut emit: impl FnMut(Token),
) -> Stop {
    let mut at = from;
    while at < limit {
        let Some(brace) = memchr(b'{', &window.bytes[at..limit]) else {
            return Stop::Done;
        };
        at += brace;
        match candidate(window, at) {
            // A near miss must not hide a token that starts at its second or third brace.
            Candidate::Token { kind: TokenKind::NearMiss, .. }
                if window.bytes[at + 1] == b'{' && hides_token(dialect, window, at + 1) =>
            {
                at += 1;
            }
            Candidate::Token { kind, end, flaw } => {
                emit(Token { start: at, len: end - at, kind, flaw });
                at = end;
            }
            Candidate::Nothing { resume } => {
                debug_assert!(resume > at, "lexing must move on");
                at = resume;
            }
            Candidate::Undecided => return Stop::Undecided { at },
        }
    }
    Stop::Done
}

// Not generic, so that the loop above holds the only use of its `candidate`, which is then inlined.
fn hides_token(dialect: Dialect, window: Window<'_>, from: usize) -> bool {
    let candidate = match dialect {
        Dialect::AgentEnsemble => agentensemble::candidate,
        Dialect::Adk => adk::candidate,
        Dialect::Entaingine => entaingine::candidate,
        Dialect::PromptPack => promptpack::candidate,
        Dialect::Agentle => agentle::candidate,
    };
    let braces = window.bytes[from..].iter().take_while(|&&byte| byte == b'{').count();
    (from..from + braces).any(|at| match candidate(window, at) {
        Candidate::Token { kind, .. } => !matches!(kind, TokenKind::NearMiss | TokenKind::Foreign),
        Candidate::Nothing { .. } => false,
        Candidate::Undecided => false,
    })
}

/// All tokens of a whole prompt, in order.
pub fn tokenize(dialect: Dialect, text: &str, emit: impl FnMut(Token)) {
    let window = Window { bytes: text.as_bytes(), ends_prompt: true };
    lex(dialect, window, 0, text.len(), emit);
}

/// Where the name stands in the text of a token: without braces, blanks, keyword and mark.
///
/// Literal text that only looks like a token has no name: it is all of it.
#[inline]
pub fn name_range(dialect: Dialect, kind: TokenKind, token: &str) -> std::ops::Range<usize> {
    match kind {
        // How they are written is all there is to say about them.
        TokenKind::NearMiss | TokenKind::Foreign => 0..token.len(),
        TokenKind::BlockClose(block) => {
            let start = "{{/".len();
            start..start + block.keyword().len()
        }
        _ => match dialect {
            Dialect::AgentEnsemble => agentensemble::name_range(kind, token),
            Dialect::Adk => adk::name_range(kind, token),
            Dialect::Entaingine => 1..token.len() - 1,
            Dialect::PromptPack => 2..token.len() - 2,
            Dialect::Agentle => agentle::name_range(kind, token),
        },
    }
}

/// What lies between the braces round a waiting candidate and its closer.
///
/// Summed up for each segment, this tells an opener what waits for it megabytes
/// away without reading the text between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Horizon {
    /// The first byte that ends every candidate, and whether it may close one.
    pub end: Option<(usize, Closes)>,
    /// The first block tag; it ends placeholders, but not other block tags.
    pub tag: Option<usize>,
}

/// What the end of a candidate does for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closes {
    /// It may close a candidate: worth reading up to here.
    Perhaps,
    /// No candidate survives it.
    Never,
}

/// How many bytes behind a segment its [`Horizon`] may depend on.
pub(crate) const HORIZON_LOOKAHEAD: usize = 8;

/// The horizon of the first `len` bytes of a window.
pub(crate) fn horizon(dialect: Dialect, window: Window<'_>, len: usize) -> Horizon {
    let text = &window.bytes[..len];
    let (end, tag) = match dialect {
        Dialect::AgentEnsemble => {
            let end = text.iter().position(|&byte| !is_word(byte));
            (end.map(|end| (end, matches!(text[end], b'{' | b'}'))), None)
        }
        Dialect::PromptPack => {
            let end = text.iter().position(|&byte| !promptpack::is_path_byte(byte));
            (end.map(|end| (end, text[end] == b'}')), None)
        }
        Dialect::Adk | Dialect::Entaingine => {
            let end = memchr::memchr2(b'{', b'}', text);
            (end.map(|end| (end, text[end] == b'}')), None)
        }
        Dialect::Agentle => {
            let end = memchr(b'}', text);
            (
                end.map(|end| (end, window.get(end + 1) == Some(b'}'))),
                agentle::first_tag(window.bytes, 0..len),
            )
        }
    };
    let closes = |closes: bool| if closes { Closes::Perhaps } else { Closes::Never };
    Horizon { end: end.map(|(at, may_close)| (at, closes(may_close))), tag }
}

/// Whether block tags end the candidate at `at`: true for placeholders, where there are blocks.
pub(crate) fn tags_end(dialect: Dialect, window: Window<'_>, at: usize) -> bool {
    dialect == Dialect::Agentle && agentle::opener_at(window, at).is_none()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    #[track_caller]
    fn check(dialect: Dialect, text: &str, expected: Expect) {
        let mut actual = String::new();
        tokenize(dialect, text, |token| {
            let source = &text[token.range()];
            let name = &source[name_range(dialect, token.kind, source)];
            actual.push_str(&format!("{:?} {source:?} {name:?}\n", token.kind));
        });
        expected.assert_eq(&actual);
    }

    #[test]
    fn agentensemble_escapes_come_before_placeholders() {
        check(
            Dialect::AgentEnsemble,
            "{a} {{b}} {{c} {d}} {{{e}}} {f{{g}}h}",
            expect![[r#"
                Placeholder "{a}" "a"
                Escape "{{b}}" "b"
                Placeholder "{c}" "c"
                Placeholder "{d}" "d"
                Placeholder "{{{e}}}" "{{e}}"
                Placeholder "{f{{g}}h}" "f{{g}}h"
            "#]],
        );
    }

    #[test]
    fn agentensemble_leaves_everything_else_literal() {
        check(
            Dialect::AgentEnsemble,
            r#"{} {"k": 1} { not one } { x } {a-b} {{ y }} {% if z %}"#,
            expect![[r#"
                NearMiss "{ x }" "{ x }"
                NearMiss "{a-b}" "{a-b}"
                NearMiss "{{ y }}" "{{ y }}"
                Foreign "{% if z %}" "{% if z %}"
            "#]],
        );
    }

    #[test]
    fn adk_swallows_every_adjacent_brace() {
        check(
            Dialect::Adk,
            "{{{x}} {y?} {{ app:z }} {artifact.a b?} {a{b}c}",
            expect![[r#"
                Placeholder "{{{x}}" "x"
                Optional "{y?}" "y"
                Placeholder "{{ app:z }}" "app:z"
                Optional "{artifact.a b?}" "artifact.a b"
                Placeholder "{b}" "b"
            "#]],
        );
    }

    #[test]
    fn adk_names_are_java_identifiers() {
        check(
            Dialect::Adk,
            "{名前} {𝒳} {Ⅷ} {1a} {a.b} {x ?} {session:x} {app:} {\n x\n}",
            expect![[r#"
                Placeholder "{名前}" "名前"
                NearMiss "{𝒳}" "{𝒳}"
                Placeholder "{Ⅷ}" "Ⅷ"
                NearMiss "{1a}" "{1a}"
                NearMiss "{a.b}" "{a.b}"
                NearMiss "{x ?}" "{x ?}"
                NearMiss "{session:x}" "{session:x}"
                NearMiss "{app:}" "{app:}"
                Placeholder "{\n x\n}" "x"
            "#]],
        );
    }

    #[test]
    fn entaingine_reads_inputs_and_task_outputs() {
        check(
            Dialect::Entaingine,
            "{A_1} {{B}} {task_0.output_all} {task_1.output_2.chunkSimilarityMetadata.a key} {task_1.output_2.chunkSimilarityMetadata.}",
            expect![[r#"
                Placeholder "{A_1}" "A_1"
                Placeholder "{B}" "B"
                Placeholder "{task_0.output_all}" "task_0.output_all"
                Placeholder "{task_1.output_2.chunkSimilarityMetadata.a key}" "task_1.output_2.chunkSimilarityMetadata.a key"
                NearMiss "{task_1.output_2.chunkSimilarityMetadata.}" "{task_1.output_2.chunkSimilarityMetadata.}"
            "#]],
        );
    }

    #[test]
    fn entaingine_near_misses() {
        check(
            Dialect::Entaingine,
            "{a_b} {A__B} {A_} { A } {task_0output_0} {task_0.output_} {task_0.output_0.text}",
            expect![[r#"
                NearMiss "{a_b}" "{a_b}"
                NearMiss "{A__B}" "{A__B}"
                NearMiss "{A_}" "{A_}"
                NearMiss "{ A }" "{ A }"
                NearMiss "{task_0output_0}" "{task_0output_0}"
                NearMiss "{task_0.output_}" "{task_0.output_}"
                NearMiss "{task_0.output_0.text}" "{task_0.output_0.text}"
            "#]],
        );
    }

    #[test]
    fn promptpack_counts_every_complete_match() {
        check(
            Dialect::PromptPack,
            "{{{a}}} {{outer{{inner}}}} {{b[0].c}} {{ d }} {{e.}} {f} {{\"k\":1}} {{#if x}}",
            expect![[r#"
                Placeholder "{{a}}" "a"
                Placeholder "{{inner}}" "inner"
                Placeholder "{{b[0].c}}" "b[0].c"
                NearMiss "{{ d }}" "{{ d }}"
                NearMiss "{{e.}}" "{{e.}}"
                NearMiss "{f}" "{f}"
                Foreign "{{#if x}}" "{{#if x}}"
            "#]],
        );
    }

    #[test]
    fn agentle_finds_block_tags_before_placeholders() {
        check(
            Dialect::Agentle,
            "{{x {{#if  a }}{{{y}}}{{/if}} {{#each}} {{#if {{/if}} {{z {{/each}}",
            expect![[r#"
                BlockOpen(If) "{{#if  a }}" "a"
                Placeholder "{{{y}}" "{y"
                BlockClose(If) "{{/if}}" "if"
                NearMiss "{{#each}}" "{{#each}}"
                BlockOpen(If) "{{#if {{/if}}" "{{/if"
                BlockClose(Each) "{{/each}}" "each"
            "#]],
        );
    }

    #[test]
    fn agentle_takes_anything_for_a_name() {
        check(
            Dialect::Agentle,
            "{{ a b }} {{! c }} {{\n}} {{}} {{a}b}} {{{{c}} {{#with d}} {{/if }}",
            expect![[r#"
                Placeholder "{{ a b }}" "a b"
                Placeholder "{{! c }}" "! c"
                Placeholder "{{\n}}" ""
                NearMiss "{a}" "{a}"
                Placeholder "{{{{c}}" "{{c"
                Foreign "{{#with d}}" "{{#with d}}"
                NearMiss "{{/if }}" "{{/if }}"
            "#]],
        );
    }
}
