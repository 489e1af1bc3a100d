//! Google ADK: the text between braces, if it is a state name or an artifact.
//!
//! All braces at both ends belong to the placeholder: the engines match `\{+[^{}]*\}+`. The
//! characters of names, and the whitespace around them, depend on the language of the engine.

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

/// The characters of names of an engine.
pub(super) trait NameRules {
    /// `true` if it removes the character at the ends of the text between the braces.
    fn is_blank(character: char) -> bool;

    /// `true` if an identifier may start with the character.
    fn starts_identifier(character: char) -> bool;

    /// `true` if an identifier may continue with the character.
    fn continues_identifier(character: char) -> bool;

    /// `true` if doubled braces around a name are literal.
    const DOUBLED_ARE_LITERAL: bool = false;

    /// `true` if the text before braces affects them.
    const LOOKS_BEHIND: bool = false;

    /// The bytes directly after which braces are literal.
    const LITERAL_BEHIND: &'static [u8] = b"";
}

impl<N: NameRules> Shape for Adk<N> {
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
            // All braces of a run are one unit.
            if before.is_brace {
                return near_miss_before(window, at, inside);
            }
        }
        // Most braces in prompts are code or prose, which their first characters show. The closing
        // brace is searched only if a name may start there.
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
        // All engines agree on plain names, and nearly all are.
        if is_plain_name(&rest[..len]) && !N::DOUBLED_ARE_LITERAL {
            return token(TokenKind::Placeholder, [at, inside, close, end]);
        }
        // The braces are ASCII, so the text between them is on character boundaries.
        let key = std::str::from_utf8(&rest[..len]).unwrap_or_default().trim_matches(N::is_blank);
        let (name, kind) = match key.strip_suffix('?') {
            Some(name) => (name, TokenKind::Optional),
            None => (key, TokenKind::Placeholder),
        };
        let is_artifact = name.starts_with("artifact.");
        let is_name = is_artifact || is_state_name::<N>(name);
        if N::DOUBLED_ARE_LITERAL && inside - at >= 2 && end - close >= 2 {
            // With more braces, some are at the position where the engine expects a name. Those
            // after it may belong to the name of an artifact.
            let is_literal = inside - at == 2 && (is_artifact || is_name && end - close == 2);
            return match is_literal {
                true => Candidate::token(TokenKind::Escape, end),
                false => near_miss_before(window, at, inside),
            };
        }
        if is_name {
            return token(kind, [at, inside, close, end]);
        }
        near_miss_before(window, at, inside)
    }

    fn name_range(kind: TokenKind, token: &str) -> Range<usize> {
        let bytes = token.as_bytes();
        let before = bytes.iter().take_while(|&&byte| byte == b'{').count();
        let after = bytes[before..].iter().rev().take_while(|&&byte| byte == b'}').count();
        let inside = &token[before..token.len() - after];
        if is_plain_name(inside.as_bytes()) {
            return before..before + inside.len();
        }
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

/// The near miss at `at`; without one, only the last braces before `inside` may start one.
fn near_miss_before(window: Window<'_>, at: usize, inside: usize) -> Candidate {
    match near_miss::candidate_or(window, at, |text| words(text).or_else(|| path(text))) {
        Candidate::Nothing { .. } => {
            Candidate::Nothing { resume: inside.saturating_sub(near_miss::MAX_BRACES).max(at + 1) }
        }
        other => other,
    }
}

/// `{two words}`, which may be an intended name: prose contains punctuation, or is longer.
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

/// `{profile['name']}`, `{profile?.name?}`: ways into a value in other languages.
fn path(text: &[u8]) -> Option<usize> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let inside = text.strip_prefix(b"{")?;
    let root = inside.iter().take_while(|byte| is_name(byte)).count();
    let is_start =
        inside.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_');
    let mut rest = inside.get(root..).filter(|_| is_start)?;
    while !rest.starts_with(b"}") {
        rest = rest.strip_prefix(b"?").unwrap_or(rest);
        rest = match rest {
            [b'.', name @ ..] => &name[name.iter().take_while(|byte| is_name(byte)).count()..],
            [b'[', quote @ (b'"' | b'\''), key @ ..] => {
                let key = &key[key.iter().take_while(|byte| is_name(byte)).count()..];
                key.strip_prefix(&[*quote, b']'])?
            }
            [b'}', ..] => rest,
            _ => return None,
        };
    }
    Some(text.len() - rest.len() + 1).filter(|_| !rest.starts_with(b"}}"))
}

/// A cheap check of the start of the text inside the braces: `false` only if it cannot be a key.
fn may_be_key(inside: &[u8]) -> bool {
    match inside.iter().position(|&byte| byte > b' ') {
        // Whitespace up to the end of the window: not known yet.
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

/// A placeholder that consists of opening braces, a key and closing braces, which start or end at
/// these offsets.
fn token(kind: TokenKind, [start, inside, close, end]: [usize; 4]) -> Candidate {
    let flaw = (inside - start != end - close).then_some(Flaw::UnevenBraces);
    Candidate::Token { kind, end, flaw }
}

/// `true` for an identifier of ASCII letters, digits and `_`.
fn is_plain_name(name: &[u8]) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    name.first().is_some_and(|first| !first.is_ascii_digit()) && name.iter().all(is_plain)
}

/// An identifier, possibly after `app:`, `user:` or `temp:`.
fn is_state_name<N: NameRules>(name: &str) -> bool {
    let identifier = match name.split_once(':') {
        Some(("app" | "user" | "temp", identifier)) => identifier,
        Some(_) => return false,
        None => name,
    };
    if is_plain_name(identifier.as_bytes()) {
        return true;
    }
    let mut characters = identifier.chars();
    characters.next().is_some_and(N::starts_identifier) && characters.all(N::continues_identifier)
}

/// The documented names, and those of the engine for Java: Java's identifiers.
///
/// The engine checks each UTF-16 unit, and half of a surrogate pair is no letter.
pub(super) struct Java;

impl NameRules for Java {
    /// The characters that Java's `String.trim` removes.
    fn is_blank(character: char) -> bool {
        character <= ' '
    }

    /// Java's `Character.isJavaIdentifierStart(char)`, for one UTF-16 unit.
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

    /// Java's `Character.isJavaIdentifierPart(char)`, for one UTF-16 unit.
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

impl NameRules for Kotlin {
    /// The result of Kotlin's `Char.isWhitespace` for it.
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

impl NameRules for Go {
    /// The characters that Go's `strings.TrimSpace` removes.
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

impl NameRules for JavaScript {
    /// The characters that JavaScript's `String.prototype.trim` removes.
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

impl NameRules for Python {
    /// The characters that Python's `str.strip` removes.
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

/// [`Python`] with braces that can be made literal: by doubling them, or else by signs before them.
pub(super) struct PythonWithLiterals<const DOUBLED: bool>;

pub(super) type PythonDoubled = PythonWithLiterals<true>;
pub(super) type PythonSigns = PythonWithLiterals<false>;

impl<const DOUBLED: bool> NameRules for PythonWithLiterals<DOUBLED> {
    const DOUBLED_ARE_LITERAL: bool = DOUBLED;
    const LOOKS_BEHIND: bool = true;
    const LITERAL_BEHIND: &'static [u8] = if DOUBLED { b"" } else { b"$\\" };

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

/// The whitespace that all languages but Java agree on: that of Unicode, except for one control
/// character.
fn is_common_blank(character: char) -> bool {
    character.is_whitespace() && character != NEXT_LINE
}

/// The separators of files, groups, records and units.
fn is_separator(character: char) -> bool {
    matches!(character, '\u{1C}'..='\u{1F}')
}

/// `true` if an ASCII character is a letter or `_`; `None` for all others.
fn is_ascii_start(character: char) -> Option<bool> {
    character.is_ascii().then(|| character.is_ascii_alphabetic() || character == '_')
}

/// `true` for one UTF-16 unit: engines that check units do not accept surrogate halves as letters.
fn is_one_unit(character: char) -> bool {
    character.len_utf16() == 1
}

fn is_letter(character: char) -> bool {
    character.general_category_group() == GeneralCategoryGroup::Letter
}

fn is_digit(character: char) -> bool {
    // Nearly all are ASCII, and a lookup in the tables takes longer than all the rest.
    match character.is_ascii() {
        true => character.is_ascii_digit(),
        false => character.general_category() == GeneralCategory::DecimalNumber,
    }
}
