//! The notation of a text in each kind of literal.

use std::ops::Range;

use crate::language::Language;
use promptls_data::DecodedPiece;

/// The notation of line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lines {
    /// Not supported, or as an escape.
    Escaped,
    /// As those of the literal or the file, and with the prefix of other lines.
    Real,
    /// The same, but whitespace before a line end must be an escape.
    RealWithoutBlanks,
}

/// The notation of control characters without a replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Control {
    AsIs,
    /// `\xHH`
    Hex,
    /// `\uHHHH`
    Unicode,
}

/// Texts that need a notation of their own in a literal, and the notation.
type Replacements = &'static [(&'static str, &'static str)];

/// The escapes and delimiters of a kind of literal.
#[derive(Debug)]
pub(super) struct LiteralForm {
    languages: &'static [Language],
    /// The opening quotes, after a prefix.
    opener: &'static str,
    /// `true` if its prefix makes a backslash literal.
    is_raw: bool,
    lines: Lines,
    control: Control,
    /// The ways to write a text, the preferred first.
    ways: &'static [Replacements],
}

/// The way for verbatim text.
const AS_IT_IS: &[Replacements] = &[&[]];

const SCRIPT: &[Language] = &[Language::TypeScript, Language::Tsx, Language::JavaScript];

/// Languages with the same `"…"` literals.
const WITH_DOUBLE_QUOTES: &[Language] = &[
    Language::Java,
    Language::Go,
    Language::TypeScript,
    Language::Tsx,
    Language::JavaScript,
    Language::Json,
    Language::Toml,
];

const DOUBLE: Replacements =
    &[("\\", "\\\\"), ("\"", "\\\""), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")];

const SINGLE: Replacements =
    &[("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")];

const fn python(opener: &'static str, lines: Lines, ways: &'static [Replacements]) -> LiteralForm {
    let control = Control::Hex;
    LiteralForm { languages: &[Language::Python], opener, is_raw: false, lines, control, ways }
}

const fn form(
    languages: &'static [Language],
    opener: &'static str,
    lines: Lines,
    control: Control,
    ways: &'static [Replacements],
) -> LiteralForm {
    LiteralForm { languages, opener, is_raw: false, lines, control, ways }
}

/// The kinds of literals; the first match counts.
const FORMS: [LiteralForm; 18] = [
    LiteralForm {
        languages: &[Language::Python],
        opener: "",
        is_raw: true,
        lines: Lines::Real,
        control: Control::AsIs,
        ways: AS_IT_IS,
    },
    python("\"\"\"", Lines::Real, &[&[("\\", "\\\\")], &[("\\", "\\\\"), ("\"", "\\\"")]]),
    python("'''", Lines::Real, &[&[("\\", "\\\\")], &[("\\", "\\\\"), ("'", "\\'")]]),
    python("\"", Lines::Escaped, &[&[("\\", "\\\\"), ("\"", "\\\""), ("\n", "\\n")]]),
    python("'", Lines::Escaped, &[&[("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n")]]),
    form(
        &[Language::Java],
        "\"\"\"",
        Lines::RealWithoutBlanks,
        Control::Unicode,
        &[
            &[("\\", "\\\\"), ("\"\"\"", "\\\"\"\""), ("\r", "\\r")],
            &[("\\", "\\\\"), ("\"", "\\\""), ("\r", "\\r")],
        ],
    ),
    form(&[Language::Kotlin], "\"\"\"", Lines::Real, Control::AsIs, &[&[("$", "${'$'}")], &[]]),
    form(
        &[Language::Kotlin],
        "\"",
        Lines::Escaped,
        Control::Unicode,
        &[&[
            ("\\", "\\\\"),
            ("\"", "\\\""),
            ("$", "\\$"),
            ("\n", "\\n"),
            ("\r", "\\r"),
            ("\t", "\\t"),
        ]],
    ),
    form(SCRIPT, "'", Lines::Escaped, Control::Unicode, &[SINGLE]),
    form(
        SCRIPT,
        "`",
        Lines::Real,
        Control::Unicode,
        &[
            &[("\\", "\\\\"), ("`", "\\`"), ("${", "\\${"), ("\r", "\\r")],
            &[("\\", "\\\\"), ("`", "\\`"), ("$", "\\$"), ("{", "\\{"), ("\r", "\\r")],
            &[],
        ],
    ),
    form(SCRIPT, "String.raw`", Lines::Real, Control::AsIs, AS_IT_IS),
    form(&[Language::Go], "`", Lines::Real, Control::AsIs, AS_IT_IS),
    form(
        &[Language::Toml],
        "\"\"\"",
        Lines::Real,
        Control::Unicode,
        &[&[("\\", "\\\\"), ("\r", "\\r")], &[("\\", "\\\\"), ("\"", "\\\""), ("\r", "\\r")]],
    ),
    form(&[Language::Toml], "'''", Lines::Real, Control::AsIs, AS_IT_IS),
    form(&[Language::Toml], "'", Lines::Escaped, Control::AsIs, AS_IT_IS),
    form(WITH_DOUBLE_QUOTES, "\"", Lines::Escaped, Control::Unicode, &[DOUBLE]),
    form(&[Language::Text], "", Lines::Real, Control::AsIs, AS_IT_IS),
    UNKNOWN,
];

/// For unknown literals, only trying is possible.
const UNKNOWN: LiteralForm = form(&[], "", Lines::Escaped, Control::AsIs, AS_IT_IS);

/// The place of a new text.
pub(super) struct LiteralEdit<'p> {
    pub source: &'p str,
    /// The literal, with its quotes.
    pub literal: &'p Range<usize>,
    /// The byte range of the source that the new text replaces.
    pub replaced: &'p Range<usize>,
    /// All pieces of the prompt.
    pub pieces: &'p [DecodedPiece],
}

impl LiteralForm {
    /// The kind of a literal, by its start.
    pub fn of(language: Language, literal: &str) -> &'static LiteralForm {
        let body = match language {
            Language::Python => literal.trim_start_matches(|char: char| char.is_ascii_alphabetic()),
            Language::Kotlin => literal.trim_start_matches('$'),
            _ => literal,
        };
        let prefix = &literal[..literal.len() - body.len()];
        let is_raw = language == Language::Python && prefix.contains(['r', 'R']);
        let fits = |form: &&LiteralForm| {
            form.languages.contains(&language)
                && form.is_raw == is_raw
                && body.starts_with(form.opener)
        };
        FORMS.iter().find(fits).unwrap_or(&UNKNOWN)
    }

    /// All ways to write a text at a place, the preferred first; some of them are wrong.
    ///
    /// Formats double their special characters: braces in f-strings and under `.format`, `%` under
    /// `.formatted`. Method calls on a literal are unknown here, so all of them are tried.
    pub fn ways(&self, place: &LiteralEdit<'_>, new: &str) -> Vec<String> {
        let doubled =
            [new.to_owned(), new.replace('{', "{{").replace('}', "}}"), new.replace('%', "%%")];
        let mut ways = Vec::new();
        for text in &doubled {
            for replacements in self.ways {
                let written = self.replaced(text, replacements);
                match self.lines {
                    Lines::Escaped => ways.push(written),
                    _ => ways.extend(
                        place
                            .line_starts()
                            .iter()
                            .map(|start| self.in_lines(place, &written, start)),
                    ),
                }
            }
        }
        ways
    }

    fn replaced(&self, text: &str, replacements: Replacements) -> String {
        let mut written = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(char) = rest.chars().next() {
            if let Some((old, new)) = replacements.iter().find(|(old, _)| rest.starts_with(old)) {
                written += new;
                rest = &rest[old.len()..];
                continue;
            }
            let code = u32::from(char);
            match self.control {
                _ if !char.is_control() || matches!(char, '\n' | '\t') => written.push(char),
                Control::AsIs => written.push(char),
                Control::Hex => written += &format!("\\x{code:02x}"),
                Control::Unicode => written += &format!("\\u{code:04x}"),
            }
            rest = &rest[char.len_utf8()..];
        }
        written
    }

    /// The text as lines, each with the prefix of other lines of the literal.
    fn in_lines(&self, place: &LiteralEdit<'_>, text: &str, line_start: &str) -> String {
        let line_end = place.line_end();
        let ends_line = place.ends_line(self.lines == Lines::RealWithoutBlanks);
        let mut written = String::with_capacity(text.len());
        let mut lines = text.split('\n').enumerate().peekable();
        while let Some((number, line)) = lines.next() {
            // The last line continues with the rest of the old line.
            let is_whole = lines.peek().is_some() || ends_line;
            if number > 0 {
                written += line_end;
            }
            if !line.is_empty() || !is_whole {
                written += match number {
                    0 => place.rest_of_start(line_start),
                    _ => line_start,
                };
            }
            let blank = line.as_bytes().last().filter(|_| is_whole);
            match blank.filter(|_| self.lines == Lines::RealWithoutBlanks) {
                Some(b' ') => {
                    written += &line[..line.len() - 1];
                    written += "\\s";
                }
                Some(b'\t') => {
                    written += &line[..line.len() - 1];
                    written += "\\t";
                }
                _ => written += line,
            }
        }
        written
    }
}

impl LiteralEdit<'_> {
    /// The prefixes of lines of the literal that do not belong to the text: the removed
    /// indentation, with a margin. The more likely one first.
    fn line_starts(&self) -> Vec<String> {
        let mut longest: Option<&str> = None;
        let mut from = self.literal.start;
        let first = self.pieces.partition_point(|piece| piece.source.start < self.literal.start);
        let is_in = |piece: &&DecodedPiece| piece.source.end <= self.literal.end;
        for piece in self.pieces[first..].iter().take_while(is_in) {
            let before = &self.source[from..piece.source.start];
            if let Some((_, start)) = before.rsplit_once(['\n', '\r']) {
                let is_margin =
                    start.trim_start_matches([' ', '\t']).trim_end_matches('|').is_empty();
                if is_margin && longest.is_none_or(|longest| longest.len() < start.len()) {
                    longest = Some(start);
                }
            }
            from = piece.source.start;
        }
        match longest {
            Some(start) => vec![start.to_owned(), String::new()],
            None => vec![String::new(), self.indent() + "  "],
        }
    }

    /// The indentation of the line of the literal.
    fn indent(&self) -> String {
        let line = &self.source[..self.literal.start];
        let line = &line[line.rfind(['\n', '\r']).map_or(0, |end| end + 1)..];
        line.chars().take_while(|char| matches!(char, ' ' | '\t')).collect()
    }

    /// The missing part of a line prefix at the position of the text.
    fn rest_of_start<'s>(&self, line_start: &'s str) -> &'s str {
        let line = &self.source[self.literal.start..self.replaced.start];
        let Some((_, column)) = line.rsplit_once(['\n', '\r']) else { return "" };
        line_start.strip_prefix(column).unwrap_or_default()
    }

    /// The line end of the literal, or else of the file.
    fn line_end(&self) -> &'static str {
        let first = |text: &str| {
            let end = text.find('\n')?;
            Some(if text[..end].ends_with('\r') { "\r\n" } else { "\n" })
        };
        first(&self.source[self.literal.clone()]).or_else(|| first(self.source)).unwrap_or("\n")
    }

    /// `true` if the line of the literal ends after the text, ignoring whitespace if `blanks_go`.
    fn ends_line(&self, blanks_go: bool) -> bool {
        let rest = &self.source[self.replaced.end..self.literal.end.max(self.replaced.end)];
        let rest = if blanks_go { rest.trim_start_matches([' ', '\t', '\u{c}']) } else { rest };
        rest.starts_with(['\n', '\r'])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ways to write a text in place of the `x` in a literal.
    fn ways(language: Language, literal: &str, new: &str) -> Vec<String> {
        let at = literal.find('x').unwrap();
        let place = LiteralEdit {
            source: literal,
            literal: &(0..literal.len()),
            replaced: &(at..at + 1),
            pieces: &[],
        };
        LiteralForm::of(language, literal).ways(&place, new)
    }

    #[test]
    fn each_kind_of_literal_has_its_escapes() {
        let text = "\\ \" ' ` ${a} $b\n\t\u{1}";
        for (language, literal, expected) in [
            (Language::Python, r#""x""#, "\\\\ \\\" ' ` ${a} $b\\n\t\\x01"),
            (Language::Python, "f'x'", "\\\\ \" \\' ` ${a} $b\\n\t\\x01"),
            (Language::Python, r#""""x""""#, "\\\\ \" ' ` ${a} $b\n\t\\x01"),
            (Language::Python, "Rf'x'", text),
            (Language::Java, r#""x""#, "\\\\ \\\" ' ` ${a} $b\\n\\t\\u0001"),
            (Language::Kotlin, r#""x""#, "\\\\ \\\" ' ` \\${a} \\$b\\n\\t\\u0001"),
            (Language::Kotlin, r#"$$"""x""""#, "\\ \" ' ` ${'$'}{a} ${'$'}b\n\t\u{1}"),
            (Language::Tsx, "'x'", "\\\\ \" \\' ` ${a} $b\\n\\t\\u0001"),
            (Language::JavaScript, "`x`", "\\\\ \" ' \\` \\${a} $b\n\t\\u0001"),
            (Language::JavaScript, "String.raw`x`", text),
            (Language::Go, "`x`", text),
            (Language::Toml, "'x'", text),
        ] {
            assert_eq!(ways(language, literal, text)[0], expected, "{language:?} {literal}");
        }
    }

    #[test]
    fn trailing_whitespace_is_escaped_in_a_text_block() {
        let block = "\"\"\"\nx\n\"\"\"";
        assert_eq!(ways(Language::Java, block, "a \n\nb\t")[0], "a\\s\n\nb\\t");
    }

    #[test]
    fn doubled_braces_and_percent_signs_are_alternatives() {
        let ways = ways(Language::Python, "f'x'", "{a} 5%");
        assert_eq!(ways, ["{a} 5%", "{{a}} 5%", "{a} 5%%"]);
    }
}
