//! Google ADK: everything between braces, if what is inside is a state name or an artifact.
//!
//! All braces at both ends go with the placeholder: the engine matches `\{+[^{}]*\}+`.

use std::ops::Range;

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use super::candidate::{Candidate, Window};
use super::horizon::Horizon;
use super::near_miss;
use super::shape::Shape;
use crate::token::{Flaw, TokenKind};

/// The shape of its tokens.
pub(super) struct Adk;

impl Shape for Adk {
    #[inline]
    fn candidate(window: Window<'_>, at: usize) -> Candidate {
        let inside = at + run(window, at, b'{');
        if inside == window.bytes.len() && !window.ends_prompt {
            return Candidate::Undecided;
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
        let key = std::str::from_utf8(&rest[..len]).map(trim_blanks).unwrap_or_default();
        let (name, kind) = match key.strip_suffix('?') {
            Some(name) => (name, TokenKind::Optional),
            None => (key, TokenKind::Placeholder),
        };
        if name.starts_with("artifact.") || is_state_name(name) {
            let flaw = (inside - at != end - close).then_some(Flaw::UnevenBraces);
            return Candidate::Token { kind, end, flaw };
        }
        near_miss_before(window, at, inside)
    }

    fn name_range(kind: TokenKind, token: &str) -> Range<usize> {
        let inside = token.trim_start_matches('{');
        let before = token.len() - inside.len();
        let inside = inside.trim_end_matches('}');
        let key = trim_blanks(inside);
        let start = before
            + inside.trim_start_matches(|character| character <= ' ').len().abs_diff(inside.len());
        let mark = usize::from(kind == TokenKind::Optional);
        start..start + key.len() - mark
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

/// Java's `trim`: all characters up to U+0020 go.
pub(crate) fn trim_blanks(text: &str) -> &str {
    text.trim_matches(|character| character <= ' ')
}

/// An identifier, perhaps behind `app:`, `user:` or `temp:`.
pub(crate) fn is_state_name(name: &str) -> bool {
    let identifier = match name.split_once(':') {
        Some(("app" | "user" | "temp", identifier)) => identifier,
        Some(_) => return false,
        None => name,
    };
    let mut characters = identifier.chars();
    characters.next().is_some_and(is_identifier_start) && characters.all(is_identifier_part)
}

/// `Character.isJavaIdentifierStart(char)`.
fn is_identifier_start(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphabetic() || matches!(character, '_' | '$');
    }
    // The engine asks for each UTF-16 unit, and half of a pair is no letter.
    if u32::from(character) > 0xFFFF {
        return false;
    }
    use GeneralCategory as Category;
    matches!(
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

/// `Character.isJavaIdentifierPart(char)`.
pub(crate) fn is_identifier_part(character: char) -> bool {
    use GeneralCategory as Category;
    is_identifier_start(character)
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
