//! Replacement fields of Python, resolved with the values of a case.
//!
//! Source: CPython `Objects/stringlib/unicode_format.h` and `Lib/string.py`.

mod path;

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;

use promptls_syntax::{Field, FieldError, Grammar, TokenKind, tokenize, unescaped};

use crate::findings::engine_error::{EngineError, ErrorKind};
use crate::findings::problem::Location;
use crate::output::{Output, OutputOrigin};
use crate::python::attributes::PRINTED_ADDRESS;
use crate::python::specification::{Formatted, SpecError, format};
use crate::resolve_context::ResolveContext;
use crate::string_form::{ascii_repr, python_repr};
use crate::template::{Execution, Op, Template};
use crate::value::{Value, ValueKind};
use promptls_data::Span;

pub(crate) use path::{Kind, Target, printed, type_name};
pub(crate) use path::{is_digits, root_of};

/// The nesting of fields in specifications that Python follows.
const MAX_DEPTH: u8 = 2;

/// How a Python prints fields.
#[derive(Clone, Copy)]
pub(crate) struct Formatter {
    /// `true` from Python 3.11 on: `z` in specifications, and other messages.
    pub is_311: bool,
    /// `true` for `string.Formatter`, `false` for `str.format`.
    pub is_class: bool,
    /// The names of values that are parameters of the engine, and no variables.
    pub hidden: &'static [&'static str],
}

/// A field that is printed.
pub(crate) struct PrintedField<'a> {
    pub text: Cow<'a, str>,
    pub location: Option<Location>,
    pub unpredictable: Option<&'static str>,
}

/// The reason why a field is not printed.
pub(crate) enum Unprinted {
    /// The application supplies the value.
    Runtime,
    /// The error that Python raises.
    Error(EngineError),
}

impl From<EngineError> for Unprinted {
    fn from(error: EngineError) -> Self {
        Unprinted::Error(error)
    }
}

/// The findings in the fields of a prompt.
#[derive(Default)]
pub(crate) struct FieldFindings {
    /// The errors, in order; Python raises the first.
    pub errors: Vec<(Range<usize>, EngineError)>,
    /// The fields whose text is unpredictable: name, range, reason.
    pub unpredictable: Vec<(String, Range<usize>, &'static str)>,
}

/// An error inside of the engine.
pub(crate) fn engine_error(message: impl Into<String>) -> EngineError {
    EngineError::new(ErrorKind::Engine, Vec::new(), message.into())
}

/// The error at a malformed token of a prompt.
pub(crate) fn text_error(text: &str, start: usize) -> Option<EngineError> {
    FieldError::at_start_of(&text[start..]).map(|error| engine_error(error.message()))
}

/// The first error in the text of a prompt, with its range.
pub(crate) fn first_text_error(template: &Template<'_>) -> Option<(Range<usize>, EngineError)> {
    template.ops.iter().find_map(|op| match op {
        Op::Malformed(source) => Some((source.clone(), text_error(template.text, source.start)?)),
        _ => None,
    })
}

impl Formatter {
    /// `str.format` of Python 3.11 and later.
    pub const PYTHON: Formatter = Formatter { is_311: true, is_class: false, hidden: &[] };

    /// Appends the text of a prompt, field by field. Without a source map, it ends at the first
    /// error.
    pub fn write<O: Output>(self, execution: Execution<'_>, out: &mut O) -> FieldFindings {
        let Execution { template, given } = execution;
        let text = template.text;
        let grammar = template.engine.facts().grammar;
        let run = FormatterRun { formatter: self, grammar, given, is_manual: Cell::new(false) };
        let mut found = FieldFindings::default();
        for op in &template.ops {
            if out.is_full() || !O::KEEPS_ORIGINS && !found.errors.is_empty() {
                break;
            }
            match op {
                Op::Escape(source) => {
                    out.escape(unescaped(&text[source.clone()]), source.clone());
                }
                Op::Slot { source, path, .. } => {
                    let name = &*template.paths[*path].name;
                    match run.field(&text[source.clone()], MAX_DEPTH) {
                        Ok(printed) => {
                            let origin = OutputOrigin {
                                source: (source.start, source.end),
                                path: name,
                                location: printed.location.as_ref(),
                            };
                            out.value(origin, |out| out.push(&printed.text));
                            if let Some(why) = printed.unpredictable {
                                found.unpredictable.push((name.to_owned(), source.clone(), why));
                            }
                        }
                        Err(unprinted) => {
                            out.literal(&text[source.clone()], source.clone());
                            if let Unprinted::Error(error) = unprinted {
                                found.errors.push((source.clone(), error));
                            }
                        }
                    }
                }
                Op::Malformed(source) => {
                    out.literal(&text[source.clone()], source.clone());
                    // Python raises the first error. To look at others may cost the text for each.
                    if found.errors.is_empty() {
                        let error = text_error(text, source.start);
                        found.errors.extend(error.map(|error| (source.clone(), error)));
                    }
                }
                Op::Literal(literal, start) => out.literal(literal, *start..start + literal.len()),
                Op::Block { .. } | Op::End => {}
            }
        }
        found
    }

    /// The message with which a field is refused, whatever the values are.
    pub fn refused(self, field: Field<'_>) -> Option<String> {
        if let Err(error) = path::check(self, field.name) {
            return Some(error.message);
        }
        if let Some(error) = field.conversion.and_then(|it| self.converter(it).err()) {
            return Some(error.message);
        }
        if field.is_nested() || field.spec.is_empty() {
            return None;
        }
        // Dates and times of a program print any text with a directive, `{day:%d.%m.}`.
        let is_of_time = |spec: &str| {
            spec.split('%').skip(1).any(|it| it.starts_with(|it: char| it.is_ascii_alphabetic()))
        };
        if field.conversion.is_none() && is_of_time(field.spec) {
            return None;
        }
        // A specification that no type takes.
        let [integer, float, text] = self.with_samples(field.spec);
        let of_values = [integer, float].into_iter().filter(|_| field.conversion.is_none());
        let mut failed = None;
        for result in of_values.chain([text]) {
            match result {
                Err(SpecError::Type(message)) => failed = failed.or(Some(message)),
                Err(SpecError::Limit) | Ok(_) => return None,
            }
        }
        failed
    }

    /// `true` if a field takes a number, and no text.
    pub fn needs_number(self, field: Field<'_>) -> bool {
        let [integer, _, text] = self.with_samples(field.spec);
        field.conversion.is_none() && !field.is_nested() && integer.is_ok() && text.is_err()
    }

    /// The results of a specification for an integer, a float and a text.
    fn with_samples(self, spec: &str) -> [Result<String, SpecError>; 3] {
        let samples: [ValueKind; 3] = [
            ValueKind::Number("1".into()),
            ValueKind::Number("0.5".into()),
            ValueKind::String("".into()),
        ];
        samples.map(|kind| {
            let value = Value { kind, span: Span::default() };
            format(Formatted::Value(&value), spec, self.is_311)
        })
    }

    /// The function of a conversion.
    fn converter(self, conversion: char) -> Result<fn(&Value) -> String, EngineError> {
        let written = match conversion {
            'r' => return Ok(python_repr),
            's' => return Ok(printed),
            'a' => return Ok(ascii_repr),
            '!'..='~' => conversion.to_string(),
            _ if self.is_class => conversion.to_string(),
            _ => format!("\\x{:x}", u32::from(conversion)),
        };
        Err(engine_error(format!("Unknown conversion specifier {written}")))
    }

    /// The value of a name with its path, before conversion and specification.
    pub fn value<'a>(
        self,
        name: &str,
        given: &ResolveContext<'a>,
    ) -> Result<Target<'a>, EngineError> {
        Target::of(self, name, given)
    }
}

struct FormatterRun<'g, 'a> {
    formatter: Formatter,
    grammar: Grammar,
    given: &'g ResolveContext<'a>,
    /// `true` after a field whose name is digits.
    is_manual: Cell<bool>,
}

impl<'a> FormatterRun<'_, 'a> {
    /// The text of a field; `depth` is the number of levels that it may have, with its own.
    fn field(&self, source: &str, depth: u8) -> Result<PrintedField<'a>, Unprinted> {
        let field = Field::parse(source).unwrap_or(Field { name: "", conversion: None, spec: "" });
        let name = field.name;
        if self.formatter.is_class {
            if name.is_empty() && self.is_manual.get() {
                const SWITCH: &str =
                    "cannot switch from manual field specification to automatic field numbering";
                return Err(engine_error(SWITCH).into());
            }
            self.is_manual.set(self.is_manual.get() || is_digits(name));
        }
        let target = self.formatter.value(name, self.given).map_err(|error| {
            let root = root_of(name);
            let is_missing = error.kind == ErrorKind::Missing && self.given.value(root).is_none();
            match is_missing && self.given.is_supplied(self.grammar.dialect(), name) {
                true => Unprinted::Runtime,
                false => Unprinted::Error(error),
            }
        })?;
        if let Kind::Unpredictable = target.value {
            let (text, location) = (Cow::Borrowed(""), target.location);
            return Ok(PrintedField { text, location, unpredictable: Some(PRINTED_ADDRESS) });
        }
        let converted = self.converted(field, &target)?;
        let spec = self.spec(field, depth)?;
        let failed = |error| match error {
            SpecError::Type(message) => {
                EngineError::new(ErrorKind::Type, vec![name.to_owned()], message)
            }
            SpecError::Limit => {
                let message = format!("the width or the precision in `{spec}` is too large");
                EngineError::new(ErrorKind::Limit, Vec::new(), message)
            }
        };
        let is_311 = self.formatter.is_311;
        let location = target.location.clone();
        let text = match (converted, target.value) {
            (Some(text), _) => format(Formatted::Text(&text), &spec, is_311).map_err(failed)?,
            (None, Kind::Value(Cow::Borrowed(value))) if spec.is_empty() => {
                let text = value.as_text().map(Cow::Borrowed);
                let text = text.unwrap_or_else(|| Cow::Owned(printed(value)));
                return Ok(PrintedField { text, location, unpredictable: None });
            }
            (None, Kind::Value(value)) => {
                format(Formatted::Value(&value), &spec, is_311).map_err(failed)?
            }
            (None, Kind::Class(name)) => match spec.is_empty() {
                true => format!("<class '{name}'>"),
                false => return Err(failed(SpecError::unsupported("type")).into()),
            },
            (None, Kind::Unpredictable) => String::new(),
        };
        Ok(PrintedField { text: Cow::Owned(text), location, unpredictable: None })
    }

    /// The text that a conversion makes of a value; `None` without a conversion.
    fn converted(
        &self,
        field: Field<'_>,
        target: &Target<'_>,
    ) -> Result<Option<String>, EngineError> {
        let Some(conversion) = field.conversion else { return Ok(None) };
        let printed = self.formatter.converter(conversion)?;
        Ok(match &target.value {
            Kind::Value(value) => Some(printed(value)),
            Kind::Class(name) => Some(format!("<class '{name}'>")),
            Kind::Unpredictable => None,
        })
    }

    /// The specification of a field, with its own fields printed.
    fn spec<'t>(&self, field: Field<'t>, depth: u8) -> Result<Cow<'t, str>, Unprinted> {
        let too_deep = || {
            EngineError::new(ErrorKind::Limit, Vec::new(), "Max string recursion exceeded".into())
        };
        // `string.Formatter` expands every specification.
        let is_too_deep = match self.formatter.is_class {
            true => depth == 0,
            false => field.is_nested() && depth <= 1,
        };
        if is_too_deep {
            return Err(too_deep().into());
        }
        if !field.is_nested() {
            return Ok(Cow::Borrowed(field.spec));
        }
        let text = field.spec;
        let mut spec = String::new();
        let (mut copied, mut failure) = (0, None);
        tokenize(self.grammar, text, |token| {
            if failure.is_some() {
                return;
            }
            spec.push_str(&text[copied..token.start]);
            copied = token.end();
            match token.kind {
                TokenKind::Escape => spec.push_str(unescaped(&text[token.range()])),
                TokenKind::Placeholder => match self.field(&text[token.range()], depth - 1) {
                    Ok(printed) => spec.push_str(&printed.text),
                    Err(unprinted) => failure = Some(unprinted),
                },
                _ => failure = text_error(text, token.start).map(Unprinted::Error),
            }
        });
        match failure {
            Some(failure) => Err(failure),
            None => {
                spec.push_str(&text[copied..]);
                Ok(Cow::Owned(spec))
            }
        }
    }
}
