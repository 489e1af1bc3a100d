//! `RegExp` of JavaScript without flags, including Annex B of its standard.
//!
//! It works on UTF-16 units, whereas the regex engine works on characters. So surrogate halves, in
//! patterns and in texts, are mapped to private-use characters that are not units of any text.

use super::emit::{class, literal, range, word_edge};
use super::{MAX_DEPTH, Refused, Translated};

/// The characters that `\s` matches: white space of Unicode without U+0085, and the byte order mark.
const BLANKS: &str = r"[\s--\x85]\x{FEFF}";
const WORD: &str = "0-9A-Z_a-z";
const DIGITS: &str = "0-9";
/// The characters that `.` does not match.
const LINE_ENDS: &str = r"\n\r\x{2028}\x{2029}";

/// The base of the mapped surrogate halves.
const HALVES: u32 = 0x10_0000;

/// A text as a sequence of units.
pub(super) fn units(text: &str) -> String {
    text.encode_utf16().map(unit).collect()
}

fn unit(unit: u16) -> char {
    let code = u32::from(unit);
    char::from_u32(code).or_else(|| char::from_u32(HALVES + code)).unwrap_or_default()
}

pub(super) fn translate(pattern: &str) -> Result<Translated, Refused> {
    let units: Vec<char> = pattern.encode_utf16().map(unit).collect();
    let (groups, has_names) = groups(&units);
    let mut parser =
        Parser { units, at: 0, out: String::new(), groups, has_names, names: Vec::new() };
    parser.alternatives(0)?;
    match parser.peek() {
        None => Ok(Translated { regex: parser.out, ascii_only: false }),
        Some(_) => Err(invalid("unmatched `)`")),
    }
}

fn invalid(message: &str) -> Refused {
    Refused::Invalid(message.to_owned())
}

/// The number of groups of a pattern, and whether any has a name.
fn groups(units: &[char]) -> (u64, bool) {
    let (mut groups, mut has_names, mut in_class, mut at) = (0, false, false, 0);
    while at < units.len() {
        match units[at] {
            '\\' => at += 1,
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => match units.get(at + 1..).unwrap_or_default() {
                ['?', '<', next, ..] if !matches!(next, '=' | '!') => {
                    groups += 1;
                    has_names = true;
                }
                ['?', ..] => {}
                _ => groups += 1,
            },
            _ => {}
        }
        at += 1;
    }
    (groups, has_names)
}

struct Parser {
    units: Vec<char>,
    at: usize,
    out: String,
    groups: u64,
    has_names: bool,
    names: Vec<String>,
}

/// The kind of a parsed term: only an atom may be repeated.
#[derive(Clone, Copy, PartialEq)]
enum Term {
    Atom,
    Assertion,
}

/// A member of a class.
enum Member {
    One(char),
    /// The members of a set.
    Many(String),
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.units.get(self.at).copied()
    }

    fn takes(&mut self, text: &str) -> bool {
        let len = text.chars().count();
        let is_it = self.units.len() >= self.at + len
            && text.chars().eq(self.units[self.at..self.at + len].iter().copied());
        if is_it {
            self.at += len;
        }
        is_it
    }

    /// Consumes up to `most` characters of a kind.
    fn take_while(&mut self, most: usize, is_it: fn(&char) -> bool) -> String {
        let rest = &self.units[self.at..];
        let taken: String = rest.iter().copied().take(most).take_while(is_it).collect();
        self.at += taken.chars().count();
        taken
    }

    fn alternatives(&mut self, depth: usize) -> Result<(), Refused> {
        if depth > MAX_DEPTH {
            return Err(Refused::Undecided);
        }
        while let Some(next) = self.peek() {
            match next {
                ')' => break,
                '|' => {
                    self.at += 1;
                    self.out.push('|');
                }
                _ => {
                    let term = self.term(depth)?;
                    self.quantifier(term)?;
                }
            }
        }
        Ok(())
    }

    fn term(&mut self, depth: usize) -> Result<Term, Refused> {
        let Some(next) = self.peek() else { return Ok(Term::Assertion) };
        if matches!(next, '*' | '+' | '?') || next == '{' && self.counts().is_some() {
            return Err(invalid("nothing to repeat"));
        }
        self.at += 1;
        match next {
            '^' => self.out.push_str(r"\A"),
            '$' => self.out.push_str(r"\z"),
            '(' => return self.group(depth),
            '[' => {
                self.class()?;
                return Ok(Term::Atom);
            }
            '.' => {
                self.out.push_str(&class(true, LINE_ENDS));
                return Ok(Term::Atom);
            }
            '\\' => match self.peek() {
                Some(edge @ ('b' | 'B')) => {
                    self.at += 1;
                    let word = class(false, WORD);
                    self.out.push_str(&word_edge(&word, edge == 'B'));
                }
                _ => {
                    match self.escape(false)? {
                        Member::One(character) => literal(character, &mut self.out),
                        Member::Many(members) => self.out.push_str(&class(false, &members)),
                    }
                    return Ok(Term::Atom);
                }
            },
            _ => {
                literal(next, &mut self.out);
                return Ok(Term::Atom);
            }
        }
        Ok(Term::Assertion)
    }

    fn group(&mut self, depth: usize) -> Result<Term, Refused> {
        let (open, term) = if self.takes("?:") {
            ("(?:", Term::Atom)
        } else if self.takes("?=") {
            ("(?=", Term::Atom)
        } else if self.takes("?!") {
            ("(?!", Term::Atom)
        } else if self.takes("?<=") {
            ("(?<=", Term::Assertion)
        } else if self.takes("?<!") {
            ("(?<!", Term::Assertion)
        } else if self.takes("?<") {
            let is_word = |character: &char| character.is_ascii_alphanumeric() || *character == '_';
            let name = self.take_while(usize::MAX, is_word);
            let is_usual = name.starts_with(|first: char| !first.is_ascii_digit());
            if !is_usual || self.names.contains(&name) || !self.takes(">") {
                return Err(Refused::Undecided);
            }
            self.names.push(name);
            ("(?:", Term::Atom)
        } else if self.peek() == Some('?') {
            return Err(invalid("invalid group"));
        } else {
            ("(?:", Term::Atom)
        };
        self.out.push_str(open);
        self.alternatives(depth + 1)?;
        if !self.takes(")") {
            return Err(invalid("unterminated group"));
        }
        self.out.push(')');
        Ok(term)
    }

    /// The numbers and the length of `{1}`, `{1,}` or `{1,2}` at this position.
    fn counts(&self) -> Option<(u64, u64, usize)> {
        let rest = self.units.get(self.at..)?.strip_prefix(&['{'])?;
        let close = rest.iter().position(|&character| character == '}')?;
        let inside: String = rest[..close].iter().collect();
        let number = |digits: &str| {
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| digits.parse().unwrap_or(u64::MAX))
        };
        let (least, most) = match inside.split_once(',') {
            None => (number(&inside)?, number(&inside)?),
            Some((least, "")) => (number(least)?, u64::MAX),
            Some((least, most)) => (number(least)?, number(most)?),
        };
        Some((least, most, close + 2))
    }

    fn quantifier(&mut self, term: Term) -> Result<(), Refused> {
        let (least, most, len) = match self.peek() {
            Some('*') => (0, u64::MAX, 1),
            Some('+') => (1, u64::MAX, 1),
            Some('?') => (0, 1, 1),
            Some('{') => match self.counts() {
                Some(counts) => counts,
                None => return Ok(()),
            },
            _ => return Ok(()),
        };
        if term == Term::Assertion {
            return Err(invalid("nothing to repeat"));
        }
        if most < least {
            return Err(invalid("numbers out of order in quantifier"));
        }
        self.at += len;
        match most {
            u64::MAX => self.out.push_str(&format!("{{{least},}}")),
            most => self.out.push_str(&format!("{{{least},{most}}}")),
        }
        if self.takes("?") {
            self.out.push('?');
        }
        Ok(())
    }

    /// Parses the text after a backslash.
    fn escape(&mut self, in_class: bool) -> Result<Member, Refused> {
        let Some(escaped) = self.peek() else { return Err(invalid("`\\` at the end")) };
        self.at += 1;
        let set = match escaped.to_ascii_lowercase() {
            'd' => Some(DIGITS),
            's' => Some(BLANKS),
            'w' => Some(WORD),
            _ => None,
        };
        if let Some(set) = set {
            let negated = escaped.is_ascii_uppercase();
            return Ok(Member::Many(if negated { class(true, set) } else { set.to_owned() }));
        }
        Ok(Member::One(match escaped {
            'f' => '\u{C}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{B}',
            'b' if in_class => '\u{8}',
            'c' => match self.peek() {
                Some(letter)
                    if letter.is_ascii_alphabetic()
                        || in_class && (letter.is_ascii_digit() || letter == '_') =>
                {
                    self.at += 1;
                    char::from(letter as u8 % 32)
                }
                // The backslash is literal.
                _ => {
                    self.at -= 1;
                    '\\'
                }
            },
            'x' => self.hexadecimal(2).unwrap_or(escaped),
            'u' => self.hexadecimal(4).unwrap_or(escaped),
            'k' if self.has_names => return Err(Refused::Undecided),
            '0'..='9' => self.digits(escaped, in_class)?,
            other => other,
        }))
    }

    fn hexadecimal(&mut self, digits: usize) -> Option<char> {
        let start = self.at;
        let code = self.take_while(digits, char::is_ascii_hexdigit);
        if code.len() < digits {
            self.at = start;
            return None;
        }
        u16::from_str_radix(&code, 16).ok().map(unit)
    }

    /// A back reference, an octal character, or a digit.
    fn digits(&mut self, first: char, in_class: bool) -> Result<char, Refused> {
        let start = self.at;
        if first != '0' && !in_class {
            let more = self.take_while(usize::MAX, char::is_ascii_digit);
            let group: u64 = format!("{first}{more}").parse().unwrap_or(u64::MAX);
            if group <= self.groups {
                return Err(Refused::Undecided);
            }
            self.at = start;
        }
        let Some(mut code) = first.to_digit(8) else { return Ok(first) };
        for _ in 0..2 {
            let Some(digit) = self.peek().and_then(|next| next.to_digit(8)) else { break };
            if code * 8 + digit > 0o377 {
                break;
            }
            code = code * 8 + digit;
            self.at += 1;
        }
        char::from_u32(code).ok_or(Refused::Undecided)
    }

    fn class(&mut self) -> Result<(), Refused> {
        let negated = self.takes("^");
        let mut out = String::new();
        while !self.takes("]") {
            let first = self.member()?;
            let is_range = self.peek() == Some('-')
                && self.units.get(self.at + 1).is_some_and(|&next| next != ']');
            if !is_range {
                first.write(&mut out);
                continue;
            }
            self.at += 1;
            match (first, self.member()?) {
                (Member::One(first), Member::One(last)) => units_between(first, last, &mut out)?,
                (first, last) => {
                    first.write(&mut out);
                    literal('-', &mut out);
                    last.write(&mut out);
                }
            }
        }
        self.out.push_str(&class(negated, &out));
        Ok(())
    }

    fn member(&mut self) -> Result<Member, Refused> {
        let Some(next) = self.peek() else { return Err(invalid("unterminated character class")) };
        self.at += 1;
        if next == '\\' { self.escape(true) } else { Ok(Member::One(next)) }
    }
}

impl Member {
    fn write(self, out: &mut String) {
        match self {
            Member::One(character) => literal(character, out),
            Member::Many(members) => out.push_str(&members),
        }
    }
}

/// All units of a range. Surrogate halves in it are mapped.
fn units_between(first: char, last: char, out: &mut String) -> Result<(), Refused> {
    let place = |character: char| match u32::from(character) {
        code if code >= HALVES => code - HALVES,
        code => code,
    };
    let (first, last) = (place(first), place(last));
    if first > last {
        return Err(invalid("range out of order in character class"));
    }
    for (from, to, moved) in [(0, 0xD7FF, 0), (0xD800, 0xDFFF, HALVES), (0xE000, 0xFFFF, 0)] {
        let (first, last) = (first.max(from), last.min(to));
        if first <= last
            && let (Some(first), Some(last)) =
                (char::from_u32(first + moved), char::from_u32(last + moved))
        {
            range((first, last), out);
        }
    }
    Ok(())
}
