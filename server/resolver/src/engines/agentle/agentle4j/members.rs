//! The members of a value that Java's reflection finds: `name` is the result of `getName`, `isName`
//! or `name`, the first that exists.

use std::borrow::Cow;

use crate::agentle::is_java_whitespace;
use crate::engines::agentle::{Cleared, PathTarget, is_cleared, whole};
use crate::output::Bounded;
use crate::string_form::StringForm;
use crate::value::{Value, ValueKind};

/// The reason why a member is unpredictable: it exists, but it is an object without its own string
/// form, or it depends on the version of Java.
const OBJECT_RESULT: &str = "it is a method of a Java object, whose result is not computed here";

/// A member of a value that is not a map.
pub(super) fn of<'a>(thing: &PathTarget<'a>, cleared: &Cleared<'a>, name: &str) -> PathTarget<'a> {
    let mut characters = name.chars();
    let Some(first) = characters.next() else { return PathTarget::Missing };
    let raised: String = first.to_uppercase().chain(characters).collect();
    [format!("get{raised}"), format!("is{raised}"), name.to_owned()]
        .iter()
        .find_map(|method| call(thing, cleared, method))
        .unwrap_or(PathTarget::Missing)
}

/// The result of a method; `None` if no method has this name.
fn call<'a>(thing: &PathTarget<'a>, cleared: &Cleared<'a>, method: &str) -> Option<PathTarget<'a>> {
    if method == "getClass" {
        return class(thing);
    }
    match thing {
        PathTarget::Class(name) => of_class(name, method),
        PathTarget::Long(number) if method == "hashCode" => {
            Some(PathTarget::number(folded(number.cast_unsigned())))
        }
        PathTarget::Long(number) => of_whole(&number.to_string(), method),
        PathTarget::Value(value) => match &value.kind {
            ValueKind::Null | ValueKind::Object(_) => None,
            ValueKind::Bool(truth) => of_truth(*truth, method),
            ValueKind::Number(number) => match whole(number) {
                Some(number) => of_whole(number, method),
                None => of_float(number, value, method),
            },
            ValueKind::String(_) | ValueKind::File(_) => {
                of_text(value.as_text().unwrap_or_default(), method)
            }
            ValueKind::List(items) => of_list(value, items, cleared, method),
        },
        _ => None,
    }
}

fn class<'a>(thing: &PathTarget<'a>) -> Option<PathTarget<'a>> {
    Some(PathTarget::Class(match thing {
        PathTarget::Class(_) => "java.lang.Class",
        PathTarget::Long(_) => "java.lang.Long",
        PathTarget::Entry(_) | PathTarget::ItemEntry(_) => {
            return Some(PathTarget::Unknown(OBJECT_RESULT));
        }
        PathTarget::Value(value) => match &value.kind {
            ValueKind::Null | ValueKind::Object(_) => return None,
            ValueKind::Bool(_) => "java.lang.Boolean",
            ValueKind::Number(number) => match whole(number) {
                None => "java.lang.Double",
                Some(number) if number.parse::<i32>().is_ok() => "java.lang.Integer",
                Some(number) if number.parse::<i64>().is_ok() => "java.lang.Long",
                Some(_) => "java.math.BigInteger",
            },
            ValueKind::String(_) | ValueKind::File(_) => "java.lang.String",
            ValueKind::List(_) => "java.util.ArrayList",
        },
        _ => return None,
    }))
}

fn of_text<'a>(text: &str, method: &str) -> Option<PathTarget<'a>> {
    let is_low = |character: char| character <= ' ';
    Some(match method {
        "length" => PathTarget::number(text.encode_utf16().count()),
        "isEmpty" => PathTarget::truth(text.is_empty()),
        "isBlank" => PathTarget::truth(text.chars().all(is_java_whitespace)),
        "trim" => PathTarget::text(text.trim_matches(is_low)),
        "strip" => PathTarget::text(text.trim_matches(is_java_whitespace)),
        "stripLeading" => PathTarget::text(text.trim_start_matches(is_java_whitespace)),
        "stripTrailing" => PathTarget::text(text.trim_end_matches(is_java_whitespace)),
        "toUpperCase" => PathTarget::text(&text.to_uppercase()),
        "toLowerCase" => PathTarget::text(&text.to_lowercase()),
        "intern" | "toString" => PathTarget::text(text),
        "hashCode" => PathTarget::number(text_hash(text)),
        "chars" | "codePoints" | "describeConstable" | "getBytes" | "lines" | "stripIndent"
        | "toCharArray" | "translateEscapes" => PathTarget::Unknown(OBJECT_RESULT),
        _ => return None,
    })
}

fn of_list<'a>(
    list: &Cow<'a, Value>,
    items: &[Value],
    cleared: &Cleared<'a>,
    method: &str,
) -> Option<PathTarget<'a>> {
    let len = if is_cleared(list, cleared) { 0 } else { items.len() };
    Some(match method {
        "size" => PathTarget::number(len),
        "isEmpty" => PathTarget::truth(len == 0),
        "toString" if len == 0 => PathTarget::text("[]"),
        "toString" => PathTarget::text(&printed(list)),
        // From here on, the list is empty.
        "clear" => {
            if let Cow::Borrowed(list) = list {
                cleared.borrow_mut().push(list);
            }
            PathTarget::Missing
        }
        "clone" | "getFirst" | "getLast" | "hashCode" | "iterator" | "listIterator"
        | "parallelStream" | "removeFirst" | "removeLast" | "reversed" | "spliterator"
        | "stream" | "toArray" => PathTarget::Unknown(OBJECT_RESULT),
        _ => return None,
    })
}

fn of_truth<'a>(truth: bool, method: &str) -> Option<PathTarget<'a>> {
    Some(match method {
        "booleanValue" => PathTarget::truth(truth),
        "hashCode" => PathTarget::number(if truth { 1231 } else { 1237 }),
        "toString" => PathTarget::text(if truth { "true" } else { "false" }),
        "describeConstable" => PathTarget::Unknown(OBJECT_RESULT),
        _ => return None,
    })
}

fn of_whole<'a>(number: &str, method: &str) -> Option<PathTarget<'a>> {
    let is_big = number.parse::<i64>().is_err();
    Some(match method {
        "intValue" => PathTarget::number(low_bits(number) as i32),
        "longValue" => PathTarget::Long(low_bits(number).cast_signed()),
        "doubleValue" => PathTarget::number(match number {
            "-0" => "0.0".to_owned(),
            number => format!("{number}.0"),
        }),
        "hashCode" => PathTarget::number(whole_hash(number)),
        "toString" => PathTarget::text(if number == "-0" { "0" } else { number }),
        "byteValue" | "shortValue" | "floatValue" => PathTarget::Unknown(OBJECT_RESULT),
        "describeConstable" if !is_big => PathTarget::Unknown(OBJECT_RESULT),
        "abs" | "bitCount" | "bitLength" | "byteValueExact" | "getLowestSetBit"
        | "intValueExact" | "longValueExact" | "negate" | "nextProbablePrime" | "not"
        | "shortValueExact" | "signum" | "sqrt" | "sqrtAndRemainder" | "toByteArray"
            if is_big =>
        {
            PathTarget::Unknown(OBJECT_RESULT)
        }
        _ => return None,
    })
}

fn of_float<'a>(number: &str, value: &Value, method: &str) -> Option<PathTarget<'a>> {
    let float: f64 = number.parse().unwrap_or(f64::NAN);
    Some(match method {
        "intValue" => PathTarget::number(float as i32),
        "longValue" => PathTarget::Long(float as i64),
        "doubleValue" => PathTarget::number(number),
        "isInfinite" => PathTarget::truth(float.is_infinite()),
        "isNaN" => PathTarget::truth(float.is_nan()),
        "hashCode" => PathTarget::number(folded(float.to_bits())),
        "toString" => PathTarget::text(&printed(value)),
        "byteValue" | "describeConstable" | "floatValue" | "shortValue" => {
            PathTarget::Unknown(OBJECT_RESULT)
        }
        _ => return None,
    })
}

fn of_class<'a>(name: &str, method: &str) -> Option<PathTarget<'a>> {
    let (package, simple) = name.rsplit_once('.').unwrap_or(("", name));
    Some(match method {
        "getName" | "getTypeName" | "getCanonicalName" => PathTarget::text(name),
        "getSimpleName" => PathTarget::text(simple),
        "getPackageName" => PathTarget::text(package),
        "toString" => PathTarget::text(&format!("class {name}")),
        "arrayType"
        | "describeConstable"
        | "descriptorString"
        | "desiredAssertionStatus"
        | "getAnnotatedInterfaces"
        | "getAnnotatedSuperclass"
        | "getAnnotations"
        | "getClasses"
        | "getConstructors"
        | "getDeclaredAnnotations"
        | "getDeclaredClasses"
        | "getDeclaredConstructors"
        | "getDeclaredFields"
        | "getDeclaredMethods"
        | "getFields"
        | "getGenericInterfaces"
        | "getGenericSuperclass"
        | "getInterfaces"
        | "getMethods"
        | "getModifiers"
        | "getModule"
        | "getNestHost"
        | "getNestMembers"
        | "getPackage"
        | "getProtectionDomain"
        | "getSuperclass"
        | "getTypeParameters"
        | "hashCode"
        | "isAnnotation"
        | "isAnonymousClass"
        | "isArray"
        | "isEnum"
        | "isHidden"
        | "isInterface"
        | "isLocalClass"
        | "isMemberClass"
        | "isPrimitive"
        | "isRecord"
        | "isSealed"
        | "isSynthetic"
        | "newInstance"
        | "toGenericString" => PathTarget::Unknown(OBJECT_RESULT),
        _ => return None,
    })
}

fn printed(value: &Value) -> String {
    let mut out = Bounded::cutting(usize::MAX);
    StringForm::JVM.write(value, &mut out);
    out.text
}

/// Java's `String.hashCode`, computed over UTF-16 units.
pub(super) fn text_hash(text: &str) -> i32 {
    text.encode_utf16().fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(unit.into()))
}

/// `hashCode` of an integer: an `Integer`, a `Long` or a `BigInteger`.
fn whole_hash(number: &str) -> i32 {
    if let Ok(number) = number.parse::<i32>() {
        return number;
    }
    if let Ok(number) = number.parse::<i64>() {
        return folded(number.cast_unsigned());
    }
    let hash = magnitude(number)
        .iter()
        .rev()
        .fold(0_u32, |hash, &limb| hash.wrapping_mul(31).wrapping_add(limb))
        .cast_signed();
    if number.starts_with('-') { hash.wrapping_neg() } else { hash }
}

/// The hash of a 64-bit value.
fn folded(bits: u64) -> i32 {
    (bits ^ bits >> 32) as i32
}

/// The lowest 64 bits of an integer in two's complement.
fn low_bits(number: &str) -> u64 {
    let digits = number.bytes().filter(u8::is_ascii_digit);
    let bits = digits
        .fold(0_u64, |bits, digit| bits.wrapping_mul(10).wrapping_add(u64::from(digit - b'0')));
    if number.starts_with('-') { bits.wrapping_neg() } else { bits }
}

/// The magnitude of an integer in 32-bit words, the lowest first.
fn magnitude(number: &str) -> Vec<u32> {
    let mut limbs: Vec<u32> = Vec::new();
    for digit in number.bytes().filter(u8::is_ascii_digit) {
        let mut carry = u64::from(digit - b'0');
        for limb in &mut limbs {
            carry += u64::from(*limb) * 10;
            *limb = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            limbs.push(carry as u32);
        }
    }
    limbs
}
