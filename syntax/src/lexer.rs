//! Splits a prompt into tokens.
//!
//! A token does not depend on the text before it, except that it cannot start inside another one.
//! So a lexer is one function, from openers to [`Candidate`]s: given text and the position of a
//! brace, it determines the token there. It keeps no state between calls. That is what lets
//! `tree.rs` lex again only the changed segment: the only state is the end of the last token.
//!
//! The text may be cut off at its end (a [`Window`]). If the result depends on text after the cut,
//! the lexer returns [`Candidate::Undecided`], and the caller retries with more.
//!
//! The lexer does not pair blocks (`blocks.rs`), and does not depend on values.

mod adk;
mod agentensemble;
mod agentle;
mod candidate;
mod entaingine;
mod format;
mod horizon;
mod langfuse;
mod near_miss;
mod promptkit;
mod promptpack;
mod shape;

use std::ops::Range;

use memchr::{memchr, memchr2};

use crate::dialect::Dialect;
use crate::fields::FieldEnds;
use crate::grammar::Grammar;
use crate::token::{Token, TokenKind};

use candidate::Candidate;
pub(crate) use candidate::{LookBehind, Window};
pub(crate) use horizon::{Closes, HORIZON_LOOKAHEAD, Horizon};
pub(crate) use near_miss::MARGIN;
pub use near_miss::near_miss_word;
use shape::Shape;

/// Evaluates an expression with the [`Shape`] of a grammar. It is a type, so each grammar has its
/// own loop, which the compiler can inline as a whole.
macro_rules! with_shape {
    ($grammar:expr, $Shape:ident => $expression:expr) => {
        with_shape!(@ $grammar, $Shape => $expression,
            Grammar::Documented(Dialect::AgentEnsemble) => agentensemble::AgentEnsemble,
            Grammar::Documented(Dialect::Adk) => adk::Adk<adk::Java>,
            Grammar::Documented(Dialect::Entaingine) => entaingine::Entaingine,
            Grammar::Documented(Dialect::PromptPack) => promptpack::PromptPack<promptpack::Paths>,
            Grammar::Documented(Dialect::Agentle) => agentle::Agentle,
            Grammar::Documented(Dialect::Langfuse) => langfuse::Langfuse,
            Grammar::Documented(Dialect::Format) => format::Full,
            Grammar::AdkKotlin => adk::Adk<adk::Kotlin>,
            Grammar::AdkGo => adk::Adk<adk::Go>,
            Grammar::AdkJs => adk::Adk<adk::JavaScript>,
            Grammar::AdkPython => adk::Adk<adk::Python>,
            Grammar::AdkPythonDoubled => adk::Adk<adk::PythonDoubled>,
            Grammar::AdkPythonSigns => adk::Adk<adk::PythonSigns>,
            Grammar::PromptKitGo => promptkit::PromptKit,
            Grammar::PromptPackPython => promptpack::PromptPack<promptpack::PythonNames>,
            Grammar::PromptPackJs => promptpack::PromptPack<promptpack::JavaScript>,
            Grammar::LangChainJs => format::Flat,
            Grammar::LlamaIndex => format::Open<format::AnyText>,
            Grammar::CrewAi => format::Open<format::Words>,
            Grammar::CrewAiHyphens => format::Open<format::Hyphenated>,
        )
    };
    (@ $grammar:expr, $Shape:ident => $expression:expr, $($row:pat => $shape:ty,)*) => {
        match $grammar {
            $($row => {
                type $Shape = $shape;
                $expression
            })*
        }
    };
}

/// The reason why lexing of a window stopped.
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
    grammar: Grammar,
    window: Window<'_>,
    from: usize,
    limit: usize,
    emit: impl FnMut(Token),
) -> Stop {
    with_shape!(grammar, S => lex_as::<S>(grammar, window, from, limit, emit))
}

#[inline]
fn lex_as<S: Shape>(
    grammar: Grammar,
    window: Window<'_>,
    from: usize,
    limit: usize,
    mut emit: impl FnMut(Token),
) -> Stop {
    let mut at = from;
    while at < limit {
        let rest = &window.bytes[at..limit];
        let brace = match S::STARTS_AT_CLOSERS {
            true => memchr2(b'{', b'}', rest),
            false => memchr(b'{', rest),
        };
        let Some(brace) = brace else { return Stop::Done };
        at += brace;
        match S::candidate(window, at) {
            // A near miss must not hide a token that starts at its second or third brace.
            Candidate::Token { kind: kind @ TokenKind::NearMiss, end, flaw } => {
                match hides_token(grammar, window, at + 1) {
                    Some(true) => at += 1,
                    Some(false) => {
                        emit(Token { start: at, len: end - at, kind, flaw });
                        at = end;
                    }
                    None => return Stop::Undecided { at },
                }
            }
            Candidate::Token { kind, end, flaw } => {
                emit(Token { start: at, len: end - at, kind, flaw });
                at = end;
            }
            Candidate::Nothing { resume } => {
                debug_assert!(resume > at, "lexing must move on");
                at = resume;
            }
            Candidate::Unclosed { resume } => {
                debug_assert!(resume > at, "lexing must move on");
                at = near_misses(window, at, resume.min(limit), &mut emit).max(resume);
            }
            Candidate::Undecided => return Stop::Undecided { at },
        }
    }
    Stop::Done
}

/// Emits the near misses that start in a range without other tokens; returns the end of the last
/// one.
fn near_misses(
    window: Window<'_>,
    from: usize,
    limit: usize,
    mut emit: impl FnMut(Token),
) -> usize {
    let mut at = from;
    while at < limit
        && let Some(brace) = memchr(b'{', &window.bytes[at..limit])
    {
        at += brace;
        at = match near_miss_at(window, at) {
            Some(token) => {
                emit(token);
                token.end()
            }
            None => at + 1,
        };
    }
    at
}

// Not generic, so that the loop above contains the only use of its `candidate`, which is then
// inlined. `None` if the window ends too early to decide.
fn hides_token(grammar: Grammar, window: Window<'_>, from: usize) -> Option<bool> {
    let candidate: fn(Window<'_>, usize) -> Candidate = with_shape!(grammar, S => S::candidate);
    let is_before_word = |byte: &&u8| matches!(byte, b'{' | b' ' | b'\t');
    let before = window.bytes[from..].iter().take_while(is_before_word).count();
    for at in (from..from + before).filter(|&at| window.bytes[at] == b'{') {
        match candidate(window, at) {
            Candidate::Token { kind: TokenKind::NearMiss | TokenKind::Foreign, .. } => {}
            Candidate::Token { .. } => return Some(true),
            Candidate::Nothing { .. } | Candidate::Unclosed { .. } => {}
            Candidate::Undecided => return None,
        }
    }
    Some(false)
}

/// The near miss at a brace at which no other token starts.
pub(crate) fn near_miss_at(window: Window<'_>, at: usize) -> Option<Token> {
    match near_miss::candidate(window, at) {
        Candidate::Token { kind, end, flaw } => {
            Some(Token { start: at, len: end - at, kind, flaw })
        }
        _ => None,
    }
}

/// All tokens of a whole prompt, in order.
///
/// ```
/// use promptls_syntax::{Dialect, TokenKind, tokenize};
///
/// let mut kinds = Vec::new();
/// tokenize(Dialect::AgentEnsemble, "{name} {{name}}", |token| kinds.push(token.kind));
/// assert_eq!(kinds, [TokenKind::Placeholder, TokenKind::Escape]);
/// ```
pub fn tokenize(grammar: impl Into<Grammar>, text: &str, emit: impl FnMut(Token)) {
    let (before, ends) = (LookBehind::default(), &FieldEnds::default());
    let window = Window { bytes: text.as_bytes(), before, ends_prompt: true, ends };
    lex(grammar.into(), window, 0, text.len(), emit);
}

/// The range of the name in the text of a token: without braces, whitespace, keyword and mark.
///
/// Literal text that only resembles a token has no name: then the range is the whole token.
#[inline]
pub fn name_range(grammar: impl Into<Grammar>, kind: TokenKind, token: &str) -> Range<usize> {
    match kind {
        // These tokens have no name, so the range is the whole token.
        kind if kind.is_text() => 0..token.len(),
        TokenKind::BlockClose(block) => {
            let start = "{{/".len();
            start..start + block.keyword().len()
        }
        _ => with_shape!(grammar.into(), S => S::name_range(kind, token)),
    }
}

/// The horizon of the first `len` bytes of a window.
pub(crate) fn horizon(grammar: Grammar, window: Window<'_>, len: usize) -> Horizon {
    with_shape!(grammar, S => S::horizon(window, len))
}

/// `true` if block tags end the candidate at `at`: for placeholders, in dialects with blocks.
pub(crate) fn tags_end(grammar: Grammar, window: Window<'_>, at: usize) -> bool {
    with_shape!(grammar, S => S::tags_end(window, at))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    #[track_caller]
    fn check(grammar: impl Into<Grammar>, text: &str, expected: Expect) {
        let grammar = grammar.into();
        let mut actual = String::new();
        tokenize(grammar, text, |token| {
            let source = &text[token.range()];
            let name = &source[name_range(grammar, token.kind, source)];
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
    fn in_agentensemble_everything_else_is_literal() {
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
    fn entaingine_near_misses_are_found() {
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
    fn promptpack_matches_every_complete_placeholder() {
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
    fn the_engines_of_promptpack_have_names_but_no_paths() {
        let text = "{{{a}}} {{b.c}} {{d[0]}} {{e:f}} {{g:}} {{g:h:i}} {{1}}";
        check(
            Grammar::PromptPackPython,
            text,
            expect![[r#"
                Placeholder "{{a}}" "a"
                NearMiss "{{b.c}}" "{{b.c}}"
                NearMiss "{{d[0]}}" "{{d[0]}}"
                Placeholder "{{e:f}}" "e:f"
                NearMiss "{{g:}}" "{{g:}}"
                NearMiss "{{g:h:i}}" "{{g:h:i}}"
            "#]],
        );
        check(
            Grammar::PromptPackJs,
            text,
            expect![[r#"
                Placeholder "{{a}}" "a"
                NearMiss "{{b.c}}" "{{b.c}}"
                NearMiss "{{d[0]}}" "{{d[0]}}"
                NearMiss "{{e:f}}" "{{e:f}}"
                NearMiss "{{g:}}" "{{g:}}"
                NearMiss "{{g:h:i}}" "{{g:h:i}}"
            "#]],
        );
    }

    #[test]
    fn promptkit_matches_the_innermost_pair_of_braces() {
        check(
            Grammar::PromptKitGo,
            "{{{a}}} {{ b }} {{outer{{c}}}} {{\n}} {{}} {{d {{e}} {{{f}} {g} {{{{h",
            expect![[r#"
                Placeholder "{{a}}" "a"
                Placeholder "{{ b }}" " b "
                Placeholder "{{c}}" "c"
                Placeholder "{{\n}}" "\n"
                Placeholder "{{}}" ""
                NearMiss "{{d" "{{d"
                Placeholder "{{e}}" "e"
                Placeholder "{{f}}" "f"
                NearMiss "{g}" "{g}"
                NearMiss "{{h" "{{h"
            "#]],
        );
    }

    #[test]
    fn agentle_finds_block_tags_before_placeholders() {
        check(
            Dialect::Agentle,
            "{{x {{#if  a }}{{{y}}}{{/if}} {{#each}} {{#if {{/if}} {{z {{/each}}",
            expect![[r#"
                NearMiss "{{x" "{{x"
                BlockOpen(If) "{{#if  a }}" "a"
                Placeholder "{{{y}}" "{y"
                BlockClose(If) "{{/if}}" "if"
                NearMiss "{{#each}}" "{{#each}}"
                BlockOpen(If) "{{#if {{/if}}" "{{/if"
                NearMiss "{{z" "{{z"
                BlockClose(Each) "{{/each}}" "each"
            "#]],
        );
    }

    #[test]
    fn agentle_names_may_contain_any_characters() {
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

    #[test]
    fn langfuse_names_extend_to_the_next_closer() {
        check(
            Dialect::Langfuse,
            "{{ a b }} {{{c}}} {{d{{e}}}} {{f}g}} {{\u{a0}\u{1c}é\n}} {{}} {h} {% if i %} {{ j }",
            expect![[r#"
                Placeholder "{{ a b }}" "a b"
                Placeholder "{{{c}}" "{c"
                Placeholder "{{d{{e}}" "d{{e"
                Placeholder "{{f}g}}" "f}g"
                Placeholder "{{\u{a0}\u{1c}é\n}}" "é"
                Placeholder "{{}}" ""
                NearMiss "{h}" "{h}"
                Foreign "{% if i %}" "{% if i %}"
                NearMiss "{ j }" "{ j }"
            "#]],
        );
    }

    #[test]
    fn words_with_a_missing_closer_are_near_misses() {
        check(
            Dialect::Adk,
            "Hi {name and {order}. {{price\nDear {user:name.\n{a {b}} {f( {g: {h, i} { j k {l-",
            expect![[r#"
                NearMiss "{name" "{name"
                Placeholder "{order}" "order"
                NearMiss "{{price" "{{price"
                NearMiss "{user:name" "{user:name"
                Placeholder "{b}}" "b"
                NearMiss "{l-" "{l-"
            "#]],
        );
        check(
            Dialect::PromptPack,
            "Hi {{user.name and {{order}}. {{price} is {{ x\n{{a {b}} {{c: {{ d\n}} {{e} }",
            expect![[r#"
                NearMiss "{{user.name" "{{user.name"
                Placeholder "{{order}}" "order"
                NearMiss "{{price}" "{{price}"
                NearMiss "{{ x" "{{ x"
                NearMiss "{{a" "{{a"
                NearMiss "{b}" "{b}"
                NearMiss "{e}" "{e}"
            "#]],
        );
        check(
            Dialect::Agentle,
            "Hi {{name\n{{#if a}}{{b and\n{{/if}}",
            expect![[r#"
            NearMiss "{{name" "{{name"
            BlockOpen(If) "{{#if a}}" "a"
            NearMiss "{{b" "{{b"
            BlockClose(If) "{{/if}}" "if"
        "#]],
        );
        check(
            Dialect::Entaingine,
            "Hi {NAME, welcome to {PLACE}",
            expect![[r#"
            NearMiss "{NAME" "{NAME"
            Placeholder "{PLACE}" "PLACE"
        "#]],
        );
        check(
            Dialect::AgentEnsemble,
            "{{c} {d} and {e",
            expect![[r#"
            Placeholder "{c}" "c"
            Placeholder "{d}" "d"
            NearMiss "{e" "{e"
        "#]],
        );
    }

    #[test]
    fn separated_double_braces_are_near_misses() {
        check(
            Dialect::PromptPack,
            "{ { user.name } } { {a} } {  { b } {c} }",
            expect![[r#"
            NearMiss "{ { user.name } }" "{ { user.name } }"
            NearMiss "{ {a} }" "{ {a} }"
            NearMiss "{ b }" "{ b }"
            NearMiss "{c}" "{c}"
        "#]],
        );
        check(
            Dialect::Adk,
            "{ { name } }",
            expect![[r#"
            Placeholder "{ name }" "name"
        "#]],
        );
    }

    #[test]
    fn fields_of_python_have_paths_conversions_and_specifications() {
        check(
            Dialect::Format,
            "{a} {b.c[d e]!r:>{w}} {[}]} {x!}} {} {{{f}}} {g:{{}}} { h }",
            expect![[r#"
                Placeholder "{a}" "a"
                Placeholder "{b.c[d e]!r:>{w}}" "b.c[d e]"
                Placeholder "{[}]}" "[}]"
                Placeholder "{x!}}" "x"
                Placeholder "{}" ""
                Escape "{{" "{{"
                Placeholder "{f}" "f"
                Escape "}}" "}}"
                Placeholder "{g:{{}}}" "g"
                Placeholder "{ h }" " h "
            "#]],
        );
        check(
            Dialect::Format,
            "} {a{b} {c}\n}}} {d!rs}\r\n{e[x}\n{f:{g}\n{",
            expect![[r#"
                Malformed "}" "}"
                Malformed "{a{b} {c}" "{a{b} {c}"
                Escape "}}" "}}"
                Malformed "}" "}"
                Malformed "{d!rs}" "{d!rs}"
                Malformed "{e[x}" "{e[x}"
                Malformed "{f:{g}" "{f:{g}"
                Malformed "{" "{"
            "#]],
        );
    }

    #[test]
    fn other_engines_of_python_braces_read_less() {
        let text = "{a} {{b}} {c:>5} { d } {{{e}}} {f {g-h} {1} {}} {\"i\": 1} }";
        check(
            Grammar::LangChainJs,
            text,
            expect![[r#"
            Placeholder "{a}" "a"
            Escape "{{" "{{"
            Escape "}}" "}}"
            Placeholder "{c:>5}" "c:>5"
            Placeholder "{ d }" " d "
            Escape "{{" "{{"
            Placeholder "{e}" "e"
            Escape "}}" "}}"
            Placeholder "{f {g-h}" "f {g-h"
            Placeholder "{1}" "1"
            Placeholder "{}" ""
            Malformed "}" "}"
            Placeholder "{\"i\": 1}" "\"i\": 1"
            Malformed "}" "}"
        "#]],
        );
        check(
            Grammar::LlamaIndex,
            text,
            expect![[r#"
            Placeholder "{a}" "a"
            Placeholder "{b}" "b"
            Placeholder "{c:>5}" "c:>5"
            Placeholder "{ d }" " d "
            Placeholder "{e}" "e"
            Placeholder "{g-h}" "g-h"
            Placeholder "{1}" "1"
            Placeholder "{\"i\": 1}" "\"i\": 1"
        "#]],
        );
        check(
            Grammar::CrewAi,
            text,
            expect![[r#"
            Placeholder "{a}" "a"
            Placeholder "{b}" "b"
            NearMiss "{ d }" "{ d }"
            Placeholder "{e}" "e"
            NearMiss "{g-h}" "{g-h}"
        "#]],
        );
        check(
            Grammar::CrewAiHyphens,
            "{a-b} {-a} {a b}",
            expect![[r#"
            Placeholder "{a-b}" "a-b"
            NearMiss "{-a}" "{-a}"
        "#]],
        );
    }

    #[test]
    fn very_long_words_are_no_near_misses() {
        for text in [format!("{{{}", "a".repeat(500)), format!("{{{}", "é".repeat(500))] {
            let grammars = Dialect::ALL.map(Grammar::Documented).into_iter();
            for grammar in grammars.filter(|grammar| !grammar.doubles_braces()) {
                check(grammar, &text, expect![""]);
            }
        }
    }

    #[test]
    fn an_unclosed_opener_does_not_hide_later_near_misses() {
        check(
            Dialect::Langfuse,
            "{{a {b} {{{c} {% if d %}",
            expect![[r#"
                NearMiss "{{a" "{{a"
                NearMiss "{b}" "{b}"
                NearMiss "{{c}" "{{c}"
                Foreign "{% if d %}" "{% if d %}"
            "#]],
        );
    }
}
