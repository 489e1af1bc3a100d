//! Names with paths: `user[name]`, `items[0]`, `price.real`.

use std::borrow::Cow;

use super::{Formatter, engine_error};
use crate::findings::engine_error::{EngineError, ErrorKind};
use crate::findings::problem::Location;
use crate::output::Bounded;
use crate::python::attributes::{has_attribute, number_attribute};
use crate::python::specification::decimal_digit;
use crate::resolve_context::ResolveContext;
use crate::string_form::{StringForm, is_whole};
use crate::value::{Value, ValueKind};
use promptls_data::Span;

/// The object that a name refers to.
pub(crate) struct Target<'a> {
    pub value: Kind<'a>,
    /// The location of the value, or of the one that contains it.
    pub location: Option<Location>,
}

/// The kind of an object.
pub(crate) enum Kind<'a> {
    Value(Cow<'a, Value>),
    /// The class of a value, with this name.
    Class(&'static str),
    /// An attribute whose form is unpredictable.
    Unpredictable,
}

/// A key or a step of a path.
pub(crate) enum Key<'t> {
    Text(&'t str),
    Index(u64),
}

impl<'t> Key<'t> {
    /// Decimal digits of any script are an index.
    pub fn parse(text: &'t str) -> Result<Key<'t>, EngineError> {
        let mut index: u64 = 0;
        for character in text.chars() {
            let Some(digit) = decimal_digit(character) else { return Ok(Key::Text(text)) };
            let longer = index.checked_mul(10).and_then(|it| it.checked_add(digit.into()));
            match longer.filter(|it| i64::try_from(*it).is_ok()) {
                Some(longer) => index = longer,
                None => return Err(engine_error("Too many decimal digits in format string")),
            }
        }
        Ok(if text.is_empty() { Key::Text(text) } else { Key::Index(index) })
    }
}

/// The part of a name that is a key of the inputs.
pub(crate) fn root_of(name: &str) -> &str {
    name.split(['.', '[']).next().unwrap_or(name)
}

/// The result of `str.isdigit` of Python.
pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|it| decimal_digit(it).is_some() || is_other_digit(it))
}

/// Digits that are not decimal, such as superscripts.
fn is_other_digit(character: char) -> bool {
    matches!(
        character,
        '\u{B2}' | '\u{B3}' | '\u{B9}' | '\u{1369}'..='\u{1371}' | '\u{19DA}' | '\u{2070}'
            | '\u{2074}'..='\u{2079}' | '\u{2080}'..='\u{2089}' | '\u{2460}'..='\u{2468}'
            | '\u{2474}'..='\u{247C}' | '\u{2488}'..='\u{2490}' | '\u{24EA}'
            | '\u{24F5}'..='\u{24FD}' | '\u{24FF}' | '\u{2776}'..='\u{277E}'
            | '\u{2780}'..='\u{2788}' | '\u{278A}'..='\u{2792}' | '\u{10A40}'..='\u{10A43}'
            | '\u{10E60}'..='\u{10E68}' | '\u{11052}'..='\u{1105A}' | '\u{1F100}'..='\u{1F10A}'
    )
}

/// The result of `str(value)` of Python.
pub(crate) fn printed(value: &Value) -> String {
    let mut out = Bounded::new(usize::MAX, 0);
    StringForm::PYTHON.write(value, &mut out);
    out.text
}

impl<'a> Target<'a> {
    /// The object of a name; the error if there is none, or if the name is no name.
    pub fn of(
        formatter: Formatter,
        name: &str,
        given: &ResolveContext<'a>,
    ) -> Result<Target<'a>, EngineError> {
        let missing =
            |message: String| EngineError::new(ErrorKind::Missing, vec![name.to_owned()], message);
        let root = root_of(name);
        check_root(formatter, name)?;
        let found = given.value(root).filter(|_| !formatter.hidden.contains(&root));
        let (found, file) = found.ok_or_else(|| missing(root.to_owned()))?;
        let value = found.to_value();
        let location = match &value {
            Cow::Borrowed(value) => value.location(file),
            Cow::Owned(_) => None,
        };
        let mut target = Target { value: Kind::Value(value), location };
        let mut rest = &name[root.len()..];
        while !rest.is_empty() {
            let (step, after) = next_step(rest)?;
            rest = after;
            let value = match &target.value {
                Kind::Value(value) => value,
                Kind::Class(_) | Kind::Unpredictable => {
                    target.value = Kind::Unpredictable;
                    continue;
                }
            };
            target = match step {
                Step::Attribute(name) => attribute(&target, value, name).map_err(missing)?,
                Step::Item(key) => {
                    let found = item(formatter, value, &Key::parse(key)?).map_err(missing)?;
                    let location = match &found {
                        Cow::Borrowed(value) => value.location(file),
                        Cow::Owned(_) => target.location.clone(),
                    };
                    Target { value: Kind::Value(found), location }
                }
            };
        }
        Ok(target)
    }
}

/// The error for a name that no values can have.
pub(super) fn check(formatter: Formatter, name: &str) -> Result<(), EngineError> {
    check_root(formatter, name)?;
    let mut rest = &name[root_of(name).len()..];
    while !rest.is_empty() {
        let (step, after) = next_step(rest)?;
        if let Step::Item(key) = step {
            Key::parse(key)?;
        }
        rest = after;
    }
    Ok(())
}

/// The error for a positional field.
fn check_root(formatter: Formatter, name: &str) -> Result<(), EngineError> {
    let root = root_of(name);
    // Only `string.Formatter` looks up an empty key before a path.
    let is_positional = root.is_empty() && (!formatter.is_class || name.is_empty());
    match Key::parse(root)? {
        Key::Text(_) if !is_positional => Ok(()),
        _ if formatter.is_class => Err(engine_error("tuple index out of range")),
        key => {
            let index = if let Key::Index(index) = key { index } else { 0 };
            Err(engine_error(format!(
                "Replacement index {index} out of range for positional args tuple"
            )))
        }
    }
}

enum Step<'t> {
    /// An attribute of the object: `.name`.
    Attribute(&'t str),
    /// An item or a character: `[key]`.
    Item(&'t str),
}

/// The first step of a path, and the rest.
fn next_step(path: &str) -> Result<(Step<'_>, &str), EngineError> {
    let (step, rest, is_empty) = match path.as_bytes()[0] {
        b'.' => {
            let path = &path[1..];
            let (name, rest) = path.split_at(path.find(['.', '[']).unwrap_or(path.len()));
            (Step::Attribute(name), rest, name.is_empty())
        }
        b'[' => {
            let (key, rest) = path[1..].split_once(']').unwrap_or((&path[1..], ""));
            (Step::Item(key), rest, key.is_empty())
        }
        _ => {
            let message = "Only '.' or '[' may follow ']' in format field specifier";
            return Err(engine_error(message));
        }
    };
    match is_empty {
        true => Err(engine_error("Empty attribute in format string")),
        false => Ok((step, rest)),
    }
}

/// The name of the type of a value.
pub(crate) fn type_name(value: &Value) -> &'static str {
    match &value.kind {
        ValueKind::Null => "NoneType",
        ValueKind::Bool(_) => "bool",
        ValueKind::Number(number) if is_whole(number) => "int",
        ValueKind::Number(_) => "float",
        ValueKind::String(_) | ValueKind::File(_) => "str",
        ValueKind::List(_) => "list",
        ValueKind::Object(_) => "dict",
    }
}

/// An attribute of a value, or the message.
fn attribute<'a>(of: &Target<'a>, value: &Value, name: &str) -> Result<Target<'a>, String> {
    let kind = match number_attribute(&value.kind, name) {
        Some(number) => {
            let kind = ValueKind::Number(number.into());
            Kind::Value(Cow::Owned(Value { kind, span: Span::default() }))
        }
        None if name == "__class__" => Kind::Class(type_name(value)),
        None if has_attribute(&value.kind, name) => Kind::Unpredictable,
        None => return Err(format!("'{}' object has no attribute '{name}'", type_name(value))),
    };
    Ok(Target { value: kind, location: of.location.clone() })
}

/// An item of a value, or the message.
fn item<'a>(
    formatter: Formatter,
    value: &Cow<'a, Value>,
    key: &Key<'_>,
) -> Result<Cow<'a, Value>, String> {
    if let Some(text) = value.as_text() {
        return match key {
            Key::Index(index) => {
                let at = usize::try_from(*index).ok();
                let found = at.and_then(|at| text.chars().nth(at));
                let found = found.ok_or("string index out of range")?;
                let kind = ValueKind::String(found.to_string().into());
                Ok(Cow::Owned(Value { kind, span: Span::default() }))
            }
            Key::Text(_) if formatter.is_311 => {
                Err("string indices must be integers, not 'str'".into())
            }
            Key::Text(_) => Err("string indices must be integers".into()),
        };
    }
    let Cow::Borrowed(value) = value else {
        return Err(format!("'{}' object is not subscriptable", type_name(value)));
    };
    match (&value.kind, key) {
        (ValueKind::Object(object), Key::Text(key)) => {
            let entry = object.get(key).ok_or_else(|| (*key).to_owned())?;
            Ok(Cow::Borrowed(&entry.value))
        }
        // All keys are texts.
        (ValueKind::Object(_), Key::Index(index)) => Err(index.to_string()),
        (ValueKind::List(items), Key::Index(index)) => {
            let at = usize::try_from(*index).ok();
            let found = at.and_then(|at| items.get(at));
            Ok(Cow::Borrowed(found.ok_or("list index out of range")?))
        }
        (ValueKind::List(_), Key::Text(_)) => {
            Err("list indices must be integers or slices, not str".into())
        }
        _ => Err(format!("'{}' object is not subscriptable", type_name(value))),
    }
}
