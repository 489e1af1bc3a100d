//! Python's `re`, parsed like `re._parser` of 3.11, with its messages.

use super::emit::{class, literal, range, word_edge};
use super::{MAX_DEPTH, Refused, Translated};

/// The characters that `\s` matches: `str.isspace`.
const BLANKS: &str = r"\s\x1C-\x1F";
/// The characters that `\w` matches: `str.isalnum`, and the underscore.
const WORD: &str = r"\p{L}\p{N}_";
const DIGITS: &str = r"\p{Nd}";

/// The smallest number of repetitions that is too large.
const MAX_REPEAT: u64 = 4_294_967_295;

pub(super) fn translate(pattern: &str) -> Result<Translated, Refused> {
    let mut parser = Parser {
        chars: pattern.chars().collect(),
        at: 0,
        out: String::new(),
        groups: 1,
        names: Vec::new(),
        ignores_case: false,
        has_wide_look_behind: false,
    };
    parser.look_ahead()?;
    parser.alternatives(0)?;
    if parser.peek().is_some() {
        return Err(parser.error("unbalanced parenthesis", 0));
    }
    if parser.has_wide_look_behind {
        return Err(Refused::Invalid("look-behind requires fixed-width pattern".to_owned()));
    }
    if parser.ignores_case && !pattern.is_ascii() {
        return Err(Refused::Undecided);
    }
    let flags = if parser.ignores_case { "(?i)" } else { "" };
    let regex = format!("{flags}\\A(?:{})", parser.out);
    Ok(Translated { regex, ascii_only: parser.ignores_case })
}

/// A character, or one after a backslash.
#[derive(Clone, Copy, PartialEq)]
enum PatternToken {
    Plain(char),
    Escape(char),
}

impl PatternToken {
    fn len(self) -> usize {
        match self {
            PatternToken::Plain(_) => 1,
            PatternToken::Escape(_) => 2,
        }
    }

    fn text(self) -> String {
        match self {
            PatternToken::Plain(character) => character.to_string(),
            PatternToken::Escape(character) => format!("\\{character}"),
        }
    }
}

/// The minimum and maximum number of characters that an expression matches.
#[derive(Clone, Copy, PartialEq)]
struct Width(u64, u64);

impl Width {
    const NONE: Width = Width(0, 0);
    const ONE: Width = Width(1, 1);

    fn then(self, next: Width) -> Width {
        Width(self.0.saturating_add(next.0), self.1.saturating_add(next.1))
    }

    fn or(self, other: Width) -> Width {
        Width(self.0.min(other.0), self.1.max(other.1))
    }

    fn times(self, (least, most): (u64, u64)) -> Width {
        Width(self.0.saturating_mul(least), self.1.saturating_mul(most))
    }
}

/// The operand of a quantifier.
#[derive(Clone, Copy)]
enum Last {
    /// None, or an assertion of a position.
    Nothing,
    /// An expression that already has a quantifier.
    Repeat,
    Item(Width),
}

struct Parser {
    chars: Vec<char>,
    /// The position of the next token.
    at: usize,
    out: String,
    /// The number of the next group.
    groups: u64,
    names: Vec<String>,
    ignores_case: bool,
    has_wide_look_behind: bool,
}

/// A member of a class.
enum Member {
    One(char),
    /// The members of a category.
    Many(String),
}

impl Parser {
    fn error(&self, message: &str, back: usize) -> Refused {
        self.error_at(message, self.at - back)
    }

    fn error_at(&self, message: &str, at: usize) -> Refused {
        let mut message = format!("{message} at position {at}");
        if self.chars.contains(&'\n') {
            let before = &self.chars[..at.min(self.chars.len())];
            let line = before.iter().filter(|&&character| character == '\n').count() + 1;
            let start = before.iter().rposition(|&character| character == '\n');
            let column = start.map_or(at + 1, |start| at - start);
            message.push_str(&format!(" (line {line}, column {column})"));
        }
        Refused::Invalid(message)
    }

    /// Python reads a token ahead, and so reports a trailing backslash early.
    fn look_ahead(&self) -> Result<(), Refused> {
        match self.chars.get(self.at..) {
            Some(['\\']) => Err(self.error_at("bad escape (end of pattern)", self.at)),
            _ => Ok(()),
        }
    }

    fn peek(&self) -> Option<PatternToken> {
        match self.chars.get(self.at..)? {
            ['\\', escaped, ..] => Some(PatternToken::Escape(*escaped)),
            [plain, ..] => Some(PatternToken::Plain(*plain)),
            [] => None,
        }
    }

    fn get(&mut self) -> Result<Option<PatternToken>, Refused> {
        let token = self.peek();
        self.at += token.map_or(0, PatternToken::len);
        self.look_ahead()?;
        Ok(token)
    }

    /// Consumes a character if it is the next one.
    fn takes(&mut self, character: char) -> Result<bool, Refused> {
        let is_it = self.peek() == Some(PatternToken::Plain(character));
        if is_it {
            self.get()?;
        }
        Ok(is_it)
    }

    /// Consumes up to `most` characters of a kind.
    fn take_while(&mut self, most: usize, is_it: fn(char) -> bool) -> Result<String, Refused> {
        let mut taken = String::new();
        while taken.len() < most
            && let Some(PatternToken::Plain(character)) = self.peek()
            && is_it(character)
        {
            taken.push(character);
            self.get()?;
        }
        Ok(taken)
    }

    fn alternatives(&mut self, depth: usize) -> Result<Width, Refused> {
        if depth > MAX_DEPTH {
            return Err(Refused::Undecided);
        }
        let mut width = self.sequence(depth)?;
        while self.takes('|')? {
            self.out.push('|');
            width = width.or(self.sequence(depth)?);
        }
        Ok(width)
    }

    fn sequence(&mut self, depth: usize) -> Result<Width, Refused> {
        let mut done = Width::NONE;
        let mut last = Last::Nothing;
        let mut last_width = Width::NONE;
        while let Some(token) = self.peek() {
            if matches!(token, PatternToken::Plain('|' | ')')) {
                break;
            }
            self.get()?;
            let next = match token {
                PatternToken::Escape(escaped) => self.escape(escaped)?,
                PatternToken::Plain('[') => self.class()?,
                PatternToken::Plain('.') => {
                    self.out.push_str(r"[^\n]");
                    Last::Item(Width::ONE)
                }
                PatternToken::Plain('^') => {
                    self.out.push_str(r"\A");
                    Last::Nothing
                }
                PatternToken::Plain('$') => {
                    self.out.push_str(r"(?=\n?\z)");
                    Last::Nothing
                }
                PatternToken::Plain('(') => match self.group(depth)? {
                    Some(width) => Last::Item(width),
                    None => continue,
                },
                PatternToken::Plain(sign @ ('*' | '+' | '?' | '{')) => {
                    match self.quantifier(sign, last)? {
                        Some(times) => {
                            last_width = last_width.times(times);
                            last = Last::Repeat;
                            continue;
                        }
                        None => {
                            literal(sign, &mut self.out);
                            Last::Item(Width::ONE)
                        }
                    }
                }
                PatternToken::Plain(character) => {
                    literal(character, &mut self.out);
                    Last::Item(Width::ONE)
                }
            };
            done = done.then(last_width);
            last = next;
            last_width = if let Last::Item(width) = next { width } else { Width::NONE };
        }
        Ok(done.then(last_width))
    }

    /// The bounds of a quantifier; `None` for a literal brace.
    fn quantifier(&mut self, sign: char, last: Last) -> Result<Option<(u64, u64)>, Refused> {
        let here = self.at;
        let times = match sign {
            '?' => (0, 1),
            '*' => (0, u64::MAX),
            '+' => (1, u64::MAX),
            _ => {
                if self.peek() == Some(PatternToken::Plain('}')) {
                    return Ok(None);
                }
                let is_digit = |character: char| character.is_ascii_digit();
                let least = self.take_while(usize::MAX, is_digit)?;
                let most = match self.takes(',')? {
                    true => self.take_while(usize::MAX, is_digit)?,
                    false => least.clone(),
                };
                if !self.takes('}')? {
                    self.at = here;
                    return Ok(None);
                }
                let number = |digits: &str, none: u64| match digits.parse::<u64>() {
                    _ if digits.is_empty() => Ok(none),
                    Ok(number) if number < MAX_REPEAT => Ok(number),
                    _ => Err(Refused::Invalid("the repetition number is too large".to_owned())),
                };
                let times = (number(&least, 0)?, number(&most, u64::MAX)?);
                if times.1 < times.0 {
                    return Err(self.error_at("min repeat greater than max repeat", here));
                }
                times
            }
        };
        match last {
            Last::Nothing => return Err(self.error_at("nothing to repeat", here - 1)),
            Last::Repeat => return Err(self.error_at("multiple repeat", here - 1)),
            Last::Item(_) => {}
        }
        let (least, most) = times;
        match most {
            u64::MAX => self.out.push_str(&format!("{{{least},}}")),
            most => self.out.push_str(&format!("{{{least},{most}}}")),
        }
        if self.takes('?')? {
            self.out.push('?');
        } else if self.takes('+')? {
            // Supported only from 3.11 on.
            return Err(Refused::Undecided);
        }
        Ok(Some(times))
    }

    /// Parses a group after its opening parenthesis; `None` if it matches nothing itself.
    fn group(&mut self, depth: usize) -> Result<Option<Width>, Refused> {
        let start = self.at - 1;
        let mut open = "(?:";
        if self.takes('?')? {
            match self.get()?.map(PatternToken::text).as_deref() {
                None => return Err(self.error("unexpected end of pattern", 0)),
                Some(":") => {}
                Some("=") => open = "(?=",
                Some("!") => open = "(?!",
                Some("<") => {
                    open = match self.get()?.map(PatternToken::text).as_deref() {
                        None => return Err(self.error("unexpected end of pattern", 0)),
                        Some("=") => "(?<=",
                        Some("!") => "(?<!",
                        Some(other) => {
                            let back = other.chars().count() + 2;
                            return Err(self.error(&format!("unknown extension ?<{other}"), back));
                        }
                    };
                }
                Some("#") => loop {
                    match self.get()? {
                        None => {
                            return Err(self.error_at("missing ), unterminated comment", start));
                        }
                        Some(PatternToken::Plain(')')) => return Ok(None),
                        Some(_) => {}
                    }
                },
                Some("P") => self.name()?,
                Some("i") if start == 0 && self.peek() == Some(PatternToken::Plain(')')) => {
                    self.get()?;
                    self.ignores_case = true;
                    return Ok(None);
                }
                // Flags, conditional groups, atomic groups.
                Some("i" | "L" | "m" | "s" | "x" | "a" | "t" | "u" | "-" | "(" | ">") => {
                    return Err(Refused::Undecided);
                }
                Some(other) => {
                    let back = other.chars().count() + 1;
                    return Err(self.error(&format!("unknown extension ?{other}"), back));
                }
            }
        } else {
            self.groups += 1;
        }
        self.out.push_str(open);
        let width = self.alternatives(depth + 1)?;
        if !self.takes(')')? {
            return Err(self.error_at("missing ), unterminated subpattern", start));
        }
        self.out.push(')');
        Ok(Some(match open {
            "(?:" => width,
            "(?<=" | "(?<!" => {
                self.has_wide_look_behind |= width.0 != width.1;
                Width::NONE
            }
            _ => Width::NONE,
        }))
    }

    /// Parses the rest of a named group, `<name>` after `(?P`, and records the name.
    fn name(&mut self) -> Result<(), Refused> {
        match self.get()?.map(PatternToken::text).as_deref() {
            None => return Err(self.error("unexpected end of pattern", 0)),
            Some("<") => {}
            // A back reference.
            Some("=") => return Err(Refused::Undecided),
            Some(other) => {
                let back = other.chars().count() + 2;
                return Err(self.error(&format!("unknown extension ?P{other}"), back));
            }
        }
        let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
        let name = self.take_while(usize::MAX, is_word)?;
        let is_usual = name.starts_with(|first: char| !first.is_ascii_digit());
        if !is_usual || self.names.contains(&name) || !self.takes('>')? {
            return Err(Refused::Undecided);
        }
        self.names.push(name);
        self.groups += 1;
        Ok(())
    }

    /// An escape outside of classes.
    fn escape(&mut self, escaped: char) -> Result<Last, Refused> {
        let out = &mut self.out;
        let word = || class(false, WORD);
        match escaped {
            'A' => out.push_str(r"\A"),
            'Z' => out.push_str(r"\z"),
            'b' => out.push_str(&word_edge(&word(), false)),
            // Never matches in an empty text, up to 3.13.
            'B' => {
                out.push_str(r"(?!\A\z)");
                out.push_str(&word_edge(&word(), true));
            }
            _ => {
                let item = match category(escaped) {
                    Some(members) => class(false, &members),
                    None => {
                        let character = match escaped {
                            '1'..='9' => self.reference(escaped)?,
                            _ => self.escaped(escaped)?,
                        };
                        let mut item = String::new();
                        literal(character, &mut item);
                        item
                    }
                };
                self.out.push_str(&item);
                return Ok(Last::Item(Width::ONE));
            }
        }
        Ok(Last::Nothing)
    }

    /// A back reference, or a character of three octal digits.
    fn reference(&mut self, first: char) -> Result<char, Refused> {
        let mut digits = first.to_string();
        let is_octal = |character: char| ('0'..='7').contains(&character);
        if let Some(PatternToken::Plain(second)) = self.peek()
            && second.is_ascii_digit()
        {
            self.get()?;
            digits.push(second);
            if is_octal(first) && is_octal(second) {
                digits.push_str(&self.take_while(1, |character| ('0'..='7').contains(&character))?);
            }
            if digits.len() == 3 {
                return self.octal(&digits);
            }
        }
        let group: u64 = digits.parse().unwrap_or(u64::MAX);
        if group < self.groups {
            return Err(Refused::Undecided);
        }
        Err(self.error(&format!("invalid group reference {group}"), digits.len()))
    }

    fn octal(&self, digits: &str) -> Result<char, Refused> {
        match u32::from_str_radix(digits, 8).ok().filter(|&code| code <= 0o377) {
            Some(code) => char::from_u32(code).ok_or(Refused::Undecided),
            None => {
                let message = format!("octal escape value \\{digits} outside of range 0-0o377");
                Err(self.error(&message, digits.len() + 1))
            }
        }
    }

    /// A character after a backslash, of those with the same meaning inside and outside of classes.
    fn escaped(&mut self, escaped: char) -> Result<char, Refused> {
        let digits = match escaped {
            'a' => return Ok('\u{7}'),
            'f' => return Ok('\u{C}'),
            'n' => return Ok('\n'),
            'r' => return Ok('\r'),
            't' => return Ok('\t'),
            'v' => return Ok('\u{B}'),
            '0' => {
                let more = self.take_while(2, |character| ('0'..='7').contains(&character))?;
                return self.octal(&format!("0{more}"));
            }
            'x' => 2,
            'u' => 4,
            'U' => 8,
            'N' => return Err(Refused::Undecided),
            letter if letter.is_ascii_alphabetic() => {
                return Err(self.error(&format!("bad escape \\{letter}"), 2));
            }
            other => return Ok(other),
        };
        let code = self.take_while(digits, |character| character.is_ascii_hexdigit())?;
        if code.len() != digits {
            let escape = format!("\\{escaped}{code}");
            return Err(self.error(&format!("incomplete escape {escape}"), escape.len()));
        }
        let code = u32::from_str_radix(&code, 16).ok().and_then(char::from_u32);
        code.ok_or(Refused::Undecided)
    }

    fn class(&mut self) -> Result<Last, Refused> {
        let start = self.at - 1;
        let unterminated = |parser: &Parser| parser.error_at("unterminated character set", start);
        let negated = self.takes('^')?;
        let mut out = String::new();
        loop {
            let Some(this) = self.get()? else { return Err(unterminated(self)) };
            if this == PatternToken::Plain(']') && !out.is_empty() {
                break;
            }
            let first = self.member(this)?;
            if !self.takes('-')? {
                first.write(&mut out);
                continue;
            }
            let Some(that) = self.get()? else { return Err(unterminated(self)) };
            if that == PatternToken::Plain(']') {
                first.write(&mut out);
                literal('-', &mut out);
                break;
            }
            match (first, self.member(that)?) {
                (Member::One(first), Member::One(last)) if first <= last => {
                    range((first, last), &mut out);
                }
                _ => {
                    let message = format!("bad character range {}-{}", this.text(), that.text());
                    return Err(self.error(&message, this.len() + 1 + that.len()));
                }
            }
        }
        self.out.push_str(&class(negated, &out));
        Ok(Last::Item(Width::ONE))
    }

    fn member(&mut self, token: PatternToken) -> Result<Member, Refused> {
        let escaped = match token {
            PatternToken::Plain(character) => return Ok(Member::One(character)),
            PatternToken::Escape(escaped) => escaped,
        };
        if let Some(members) = category(escaped) {
            return Ok(Member::Many(members));
        }
        Ok(Member::One(match escaped {
            'b' => '\u{8}',
            '1'..='7' => {
                let more = self.take_while(2, |character| ('0'..='7').contains(&character))?;
                self.octal(&format!("{escaped}{more}"))?
            }
            '8' | '9' => return Err(self.error(&format!("bad escape \\{escaped}"), 2)),
            _ => self.escaped(escaped)?,
        }))
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

/// The members of `\d` and similar classes.
fn category(escaped: char) -> Option<String> {
    let set = match escaped.to_ascii_lowercase() {
        'd' => DIGITS,
        's' => BLANKS,
        'w' => WORD,
        _ => return None,
    };
    Some(if escaped.is_ascii_uppercase() { class(true, set) } else { set.to_owned() })
}
