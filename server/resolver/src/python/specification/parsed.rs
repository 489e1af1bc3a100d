//! Format specifications of Python: `:>10`, `:,.2f`.
//!
//! Source: CPython `Python/formatter_unicode.c`, `parse_internal_render_format_spec`.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// The largest number of digits that CPython accepts, in this crate.
const MAX_WIDTH: usize = 1_000_000;

/// The largest precision in this crate.
const MAX_PRECISION: usize = 100_000;

/// Why a value cannot be formatted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SpecError {
    /// The message of Python's `ValueError`, `TypeError` or `OverflowError`.
    Type(String),
    /// Width or precision exceed the limits of this crate.
    Limit,
}

impl SpecError {
    pub fn of(message: &str) -> SpecError {
        SpecError::Type(message.to_owned())
    }

    /// The error for an object that takes no specification.
    pub fn unsupported(type_name: &str) -> SpecError {
        SpecError::Type(format!("unsupported format string passed to {type_name}.__format__"))
    }
}

/// The type of a formatted value, as far as it decides how a specification is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Defaults {
    /// The alignment without a sign for it: `<` for texts, `>` for numbers.
    pub align: char,
    /// The type without a letter for it: `s`, `d`, or none for floats.
    pub kind: Option<char>,
    /// The name of the type in messages.
    pub type_name: &'static str,
}

/// A parsed specification: how a value is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spec {
    pub fill: char,
    pub align: char,
    /// `+`, `-` or a space.
    pub sign: Option<char>,
    /// `z`: a negative zero has no sign.
    pub has_no_negative_zero: bool,
    /// `#`: with the prefix of a base, or always with a point.
    pub is_alternate: bool,
    pub width: Option<usize>,
    /// The separator of groups of digits, and the number of digits in a group.
    pub grouping: Option<(char, usize)>,
    pub precision: Option<usize>,
    /// The letter for the type.
    pub kind: Option<char>,
}

impl Spec {
    /// Reads a specification greedily from the left.
    ///
    /// `has_z` is `true` from Python 3.11 on, which also has other messages.
    pub fn parse(text: &str, defaults: Defaults, has_z: bool) -> Result<Spec, SpecError> {
        let mut reader = Reader { rest: text };
        let mut spec = Spec {
            fill: ' ',
            align: defaults.align,
            sign: None,
            has_no_negative_zero: false,
            is_alternate: false,
            width: None,
            grouping: None,
            precision: None,
            kind: defaults.kind,
        };
        let has_fill = reader.read_alignment(&mut spec);
        let has_align = has_fill.is_some();
        spec.sign = reader.take(&['+', '-', ' ']);
        spec.has_no_negative_zero = has_z && reader.take(&['z']).is_some();
        spec.is_alternate = reader.take(&['#']).is_some();
        if has_fill != Some(true) && reader.take(&['0']).is_some() {
            spec.fill = '0';
            if !has_align && defaults.align == '>' {
                spec.align = '=';
            }
        }
        spec.width = reader.number(MAX_WIDTH)?;
        let separator = reader.separator()?;
        if reader.take(&['.']).is_some() {
            let precision = reader.number(MAX_PRECISION)?;
            spec.precision =
                Some(precision.ok_or_else(|| SpecError::of("Format specifier missing precision"))?);
        }
        let mut rest = reader.rest.chars();
        match (rest.next(), rest.next()) {
            (_, Some(_)) => {
                return Err(SpecError::Type(match has_z {
                    true => format!(
                        "Invalid format specifier '{text}' for object of type '{}'",
                        defaults.type_name
                    ),
                    false => "Invalid format specifier".to_owned(),
                }));
            }
            (Some(kind), None) => spec.kind = Some(kind),
            (None, None) => {}
        }
        if let Some(separator) = separator {
            let size = match spec.kind {
                None | Some('d' | 'e' | 'f' | 'g' | 'E' | 'G' | '%' | 'F') => 3,
                Some('b' | 'o' | 'x' | 'X') if separator == '_' => 4,
                Some(kind) => {
                    let kind = in_message(kind);
                    return Err(SpecError::Type(format!(
                        "Cannot specify '{separator}' with '{kind}'."
                    )));
                }
            };
            spec.grouping = Some((separator, size));
        }
        Ok(spec)
    }
}

/// The letter for a type in messages.
pub(super) fn in_message(kind: char) -> String {
    match kind {
        '!'..='\u{7f}' => kind.to_string(),
        _ => format!("\\x{:x}", u32::from(kind)),
    }
}

/// The value of a decimal digit of any script.
pub(crate) fn decimal_digit(character: char) -> Option<u8> {
    if let Some(digit) = character.to_digit(10) {
        return u8::try_from(digit).ok();
    }
    let is_decimal = |it: &char| it.general_category() == GeneralCategory::DecimalNumber;
    if !is_decimal(&character) {
        return None;
    }
    // Digits are in runs from 0 to 9; runs of mathematical digits follow each other.
    let before = |it: &char| char::from_u32(u32::from(*it) - 1).filter(is_decimal);
    let run = std::iter::successors(Some(character), before).count() - 1;
    u8::try_from(run % 10).ok()
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    /// The next character, if it is one of some.
    fn take(&mut self, characters: &[char]) -> Option<char> {
        let next = self.rest.chars().next().filter(|next| characters.contains(next))?;
        self.rest = &self.rest[next.len_utf8()..];
        Some(next)
    }

    /// Reads fill and alignment. `None` if there is no alignment; else whether there is a fill.
    fn read_alignment(&mut self, spec: &mut Spec) -> Option<bool> {
        const ALIGNMENTS: [char; 4] = ['<', '>', '=', '^'];
        let mut characters = self.rest.chars();
        let first = characters.next()?;
        let second = characters.next().filter(|it| ALIGNMENTS.contains(it));
        if let Some(align) = second {
            (spec.fill, spec.align) = (first, align);
            self.rest = characters.as_str();
            return Some(true);
        }
        spec.align = self.take(&ALIGNMENTS)?;
        Some(false)
    }

    /// The separator of groups of digits.
    fn separator(&mut self) -> Result<Option<char>, SpecError> {
        let comma = self.take(&[',']);
        let underscore = self.take(&['_']);
        if comma.is_some() && underscore.is_some()
            || underscore.is_some() && self.rest.starts_with(',')
        {
            return Err(SpecError::of("Cannot specify both ',' and '_'."));
        }
        Ok(comma.or(underscore))
    }

    /// A number of decimal digits; `None` if there is none.
    fn number(&mut self, most: usize) -> Result<Option<usize>, SpecError> {
        let mut number = None;
        let mut is_too_large = false;
        while let Some(next) = self.rest.chars().next()
            && let Some(digit) = decimal_digit(next)
        {
            self.rest = &self.rest[next.len_utf8()..];
            let longer = number.unwrap_or(0_u64).checked_mul(10);
            let longer = longer.and_then(|it| it.checked_add(digit.into()));
            match longer.filter(|it| i64::try_from(*it).is_ok()) {
                Some(longer) => number = Some(longer),
                None => is_too_large = true,
            }
        }
        if is_too_large {
            return Err(SpecError::of("Too many decimal digits in format string"));
        }
        let Some(number) = number else { return Ok(None) };
        match usize::try_from(number).ok().filter(|it| *it <= most) {
            Some(number) => Ok(Some(number)),
            None => Err(SpecError::Limit),
        }
    }
}
