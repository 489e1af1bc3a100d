//! Google ADK: everything between braces, if what is inside is a state name or an artifact.
//!
//! All braces at both ends go with the placeholder: the engines match `\{+[^{}]*\}+`. What a name
//! is, and which blanks round it go, hangs on the language of the engine.

use std::marker::PhantomData;
use std::ops::Range;

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

use super::candidate::{Candidate, Window};
use super::horizon::Horizon;
use super::near_miss;
use super::shape::Shape;
use crate::token::{Flaw, TokenKind};

/// The shape of its tokens, with the names of an engine.
pub(super) struct Adk<N>(PhantomData<N>);

/// What an engine takes for a name.
pub(super) trait Names {
    /// Whether it drops the character at the ends of what stands between the braces.
    fn is_blank(character: char) -> bool;

    /// Whether an identifier may start with the character.
    fn starts_identifier(character: char) -> bool;

    /// Whether an identifier may go on with it.
    fn continues_identifier(character: char) -> bool;

    /// Whether doubled braces round a name are literal ones.
    const DOUBLED_ARE_LITERAL: bool = false;

    /// Whether what stands before braces has a say in what they are.
    const LOOKS_BEHIND: bool = false;

    /// The bytes right behind which braces are literal.
    const LITERAL_BEHIND: &'static [u8] = b"";
}

impl<N: Names> Shape for Adk<N> {
    #[inline]
    fn candidate(window: Window<'_>, at: usize) -> Candidate {
        let inside = at + run(window, at, b'{');
        if inside == window.bytes.len() && !window.ends_prompt {
            return Candidate::Undecided;
        }
        if N::LOOKS_BEHIND {
            let before = window.before(at);
            if before.byte.is_some_and(|byte| N::LITERAL_BEHIND.contains(&byte)) {
                return Candidate::Nothing { resume: inside };
            }
            // All braces of a run are one thing.
            if before.is_brace {
                return near_miss_before(window, at, inside);
            }
        }
        // Most braces in prompts are code or prose, and their first characters tell; only where
        // they may begin a name is it worth looking for the closing brace.
        if !may_be_key(&window.bytes[inside..]) {
            return near_miss_before(window, at, inside);
        }
        let rest = &window.bytes[inside..];
        let Some(len) = memchr::memchr2(b'{', b'}', rest) else {
            return window.without_closer();
        };
        if rest[len] == b'{' {
            return Candidate::Unclosed { resume: inside + len };
        }
        let close = inside + len;
        let end = close + run(window, close, b'}');
        if end == window.bytes.len() && !window.ends_prompt {
            return Candidate::Undecided;
        }
        // The braces are ASCII, so what is between them is whole characters.
        let key = std::str::from_utf8(&rest[..len]).unwrap_or_default().trim_matches(N::is_blank);
        let (name, kind) = match key.strip_suffix('?') {
            Some(name) => (name, TokenKind::Optional),
            None => (key, TokenKind::Placeholder),
        };
        let is_artifact = name.starts_with("artifact.");
        let is_name = is_artifact || is_state_name::<N>(name);
        if N::DOUBLED_ARE_LITERAL && inside - at >= 2 && end - close >= 2 {
            // With more braces, some stand where the engine looks for a name. Those behind it may
            // be in one of an artifact.
            let is_literal = inside - at == 2 && (is_artifact || is_name && end - close == 2);
            return match is_literal {
                true => Candidate::token(TokenKind::Escape, end),
                false => near_miss_before(window, at, inside),
            };
        }
        if is_name {
            let flaw = (inside - at != end - close).then_some(Flaw::UnevenBraces);
            return Candidate::Token { kind, end, flaw };
        }
        near_miss_before(window, at, inside)
    }

    fn name_range(kind: TokenKind, token: &str) -> Range<usize> {
        let inside = token.trim_start_matches('{');
        let before = token.len() - inside.len();
        let inside = inside.trim_end_matches('}');
        let key = inside.trim_start_matches(N::is_blank);
        let start = before + inside.len() - key.len();
        let key = key.trim_end_matches(N::is_blank);
        let is_optional = match kind {
            TokenKind::Escape => key.ends_with('?'),
            kind => kind == TokenKind::Optional,
        };
        start..start + key.len() - usize::from(is_optional)
    }

    fn horizon(window: Window<'_>, len: usize) -> Horizon {
        let text = &window.bytes[..len];
        let end = memchr::memchr2(b'{', b'}', text);
        Horizon::of(end.map(|end| (end, text[end] == b'}')))
    }
}

/// The near miss at `at`; if there is none, only the last braces before `inside` may begin one.
fn near_miss_before(window: Window<'_>, at: usize, inside: usize) -> Candidate {
    match near_miss::candidate_or(window, at, words) {
        Candidate::Nothing { .. } => {
            Candidate::Nothing { resume: inside.saturating_sub(near_miss::MAX_BRACES).max(at + 1) }
        }
        other => other,
    }
}

/// `{two words}`, which may be those of a name: prose has signs, or goes on.
fn words(text: &[u8]) -> Option<usize> {
    const MOST: usize = 4;
    let open = text.iter().take_while(|&&byte| byte == b'{').count();
    let len = text[open..].iter().position(|byte| b"{}".contains(byte))?;
    let (inside, behind) = text[open..].split_at(len);
    let close = behind.iter().take_while(|&&byte| byte == b'}').count();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let are_words =
        inside.split(|&byte| byte == b' ').all(|word| !word.is_empty() && word.iter().all(is_name));
    let blanks = inside.iter().filter(|&&byte| byte == b' ').count();
    (open == close && open <= 2 && are_words && (1..MOST).contains(&blanks))
        .then_some(open + len + close)
}

/// A cheap look at the start of what is inside the braces: `false` only if it cannot be a key.
fn may_be_key(inside: &[u8]) -> bool {
    match inside.iter().position(|&byte| byte > b' ') {
        // Blanks up to the end of the window: not known yet.
        None => true,
        Some(start) => {
            let first = inside[start];
            first.is_ascii_alphabetic() || matches!(first, b'_' | b'$') || !first.is_ascii()
        }
    }
}

fn run(window: Window<'_>, at: usize, brace: u8) -> usize {
    let rest = &window.bytes[at..];
    rest.iter().position(|&byte| byte != brace).unwrap_or(rest.len())
}

/// An identifier, perhaps behind `app:`, `user:` or `temp:`.
fn is_state_name<N: Names>(name: &str) -> bool {
    let identifier = match name.split_once(':') {
        Some(("app" | "user" | "temp", identifier)) => identifier,
        Some(_) => return false,
        None => name,
    };
    let mut characters = identifier.chars();
    characters.next().is_some_and(N::starts_identifier) && characters.all(N::continues_identifier)
}

/// The documented names, and those of the engine for Java: what Java takes for an identifier.
///
/// The engine asks for each UTF-16 unit, and half of a pair is no letter.
pub(super) struct Java;

impl Names for Java {
    /// `String.trim`
    fn is_blank(character: char) -> bool {
        character <= ' '
    }

    /// `Character.isJavaIdentifierStart(char)`
    fn starts_identifier(character: char) -> bool {
        use GeneralCategory as Category;
        match is_ascii_start(character) {
            Some(is_start) => is_start || character == '$',
            None => {
                is_one_unit(character)
                    && matches!(
                        character.general_category(),
                        Category::UppercaseLetter
                            | Category::LowercaseLetter
                            | Category::TitlecaseLetter
                            | Category::ModifierLetter
                            | Category::OtherLetter
                            | Category::LetterNumber
                            | Category::CurrencySymbol
                            | Category::ConnectorPunctuation
                    )
            }
        }
    }

    /// `Character.isJavaIdentifierPart(char)`
    fn continues_identifier(character: char) -> bool {
        use GeneralCategory as Category;
        Java::starts_identifier(character)
            || character.is_ascii_digit()
            || matches!(character, '\0'..='\u{8}' | '\u{E}'..='\u{1B}' | '\u{7F}'..='\u{9F}')
            || (('\u{80}'..='\u{FFFF}').contains(&character)
                && matches!(
                    character.general_category(),
                    Category::DecimalNumber
                        | Category::SpacingMark
                        | Category::NonspacingMark
                        | Category::Format
                ))
    }
}

/// The names of the engine for Kotlin.
pub(super) struct Kotlin;

impl Names for Kotlin {
    /// `Char.isWhitespace`
    fn is_blank(character: char) -> bool {
        is_common_blank(character) || is_separator(character)
    }

    fn starts_identifier(character: char) -> bool {
        is_ascii_start(character).unwrap_or_else(|| is_one_unit(character) && is_letter(character))
    }

    fn continues_identifier(character: char) -> bool {
        Kotlin::starts_identifier(character) || (is_one_unit(character) && is_digit(character))
    }
}

/// The names of the engine for Go.
pub(super) struct Go;

impl Names for Go {
    /// `strings.TrimSpace`
    fn is_blank(character: char) -> bool {
        is_common_blank(character) || character == NEXT_LINE
    }

    fn starts_identifier(character: char) -> bool {
        is_ascii_start(character).unwrap_or_else(|| is_letter(character))
    }

    fn continues_identifier(character: char) -> bool {
        Go::starts_identifier(character) || is_digit(character)
    }
}

/// The names of the engine for JavaScript.
pub(super) struct JavaScript;

impl Names for JavaScript {
    /// `String.prototype.trim`
    fn is_blank(character: char) -> bool {
        is_common_blank(character) || character == '\u{FEFF}'
    }

    fn starts_identifier(character: char) -> bool {
        is_ascii_start(character).unwrap_or(false)
    }

    fn continues_identifier(character: char) -> bool {
        JavaScript::starts_identifier(character) || character.is_ascii_digit()
    }
}

/// The names of the engine for Python: `str.isidentifier`.
pub(super) struct Python;

impl Names for Python {
    /// `str.strip`
    fn is_blank(character: char) -> bool {
        is_common_blank(character) || is_separator(character) || character == NEXT_LINE
    }

    fn starts_identifier(character: char) -> bool {
        is_ascii_start(character).unwrap_or_else(|| unicode_ident::is_xid_start(character))
    }

    fn continues_identifier(character: char) -> bool {
        unicode_ident::is_xid_continue(character)
    }
}

/// [`Python`] where doubled braces are literal.
pub(super) struct PythonDoubled;

/// [`Python`] where signs make braces literal.
pub(super) struct PythonSigns;

impl Names for PythonDoubled {
    const DOUBLED_ARE_LITERAL: bool = true;
    const LOOKS_BEHIND: bool = true;

    fn is_blank(character: char) -> bool {
        Python::is_blank(character)
    }

    fn starts_identifier(character: char) -> bool {
        Python::starts_identifier(character)
    }

    fn continues_identifier(character: char) -> bool {
        Python::continues_identifier(character)
    }
}

impl Names for PythonSigns {
    const LOOKS_BEHIND: bool = true;
    const LITERAL_BEHIND: &'static [u8] = b"$\\";

    fn is_blank(character: char) -> bool {
        Python::is_blank(character)
    }

    fn starts_identifier(character: char) -> bool {
        Python::starts_identifier(character)
    }

    fn continues_identifier(character: char) -> bool {
        Python::continues_identifier(character)
    }
}

const NEXT_LINE: char = '\u{85}';

/// The blanks that all languages but Java agree on: those of Unicode, but for the one control
/// character among them.
fn is_common_blank(character: char) -> bool {
    character.is_whitespace() && character != NEXT_LINE
}

/// The separators of files, groups, records and units.
fn is_separator(character: char) -> bool {
    matches!(character, '\u{1C}'..='\u{1F}')
}

/// Whether an ASCII character is a letter or `_`; `None` for all others.
fn is_ascii_start(character: char) -> Option<bool> {
    character.is_ascii().then(|| character.is_ascii_alphabetic() || character == '_')
}

/// Whether it is one UTF-16 unit: who asks for units takes half of a pair for no letter.
fn is_one_unit(character: char) -> bool {
    character.len_utf16() == 1
}

fn is_letter(character: char) -> bool {
    character.general_category_group() == GeneralCategoryGroup::Letter
}

fn is_digit(character: char) -> bool {
    // Nearly all are ASCII, and a look into the tables takes longer than all the rest.
    match character.is_ascii() {
        true => character.is_ascii_digit(),
        false => character.general_category() == GeneralCategory::DecimalNumber,
    }
}
