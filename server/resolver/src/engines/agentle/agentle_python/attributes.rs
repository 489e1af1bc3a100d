//! The attributes that Python finds if a value has no such key.
//!
//! The string form of most of them contains an address.

use crate::engines::agentle::{PathTarget, whole};
use crate::value::ValueKind;

/// The reason why an attribute is unpredictable.
const PRINTED_ADDRESS: &str =
    "it is an attribute of a Python object, which is printed with its address";

/// An attribute of a value.
pub(super) fn of<'a>(thing: &PathTarget<'a>, name: &str) -> PathTarget<'a> {
    let own = match thing {
        PathTarget::Value(value) => match &value.kind {
            ValueKind::Null => OF_NONE,
            ValueKind::Bool(truth) => match number_part(if *truth { "1" } else { "0" }, name) {
                Some(part) => return part,
                None => OF_WHOLE,
            },
            ValueKind::Number(number) => match (number_part(number, name), whole(number)) {
                (Some(part), _) => return part,
                (None, Some(_)) => OF_WHOLE,
                (None, None) => OF_FLOAT,
            },
            ValueKind::String(_) | ValueKind::File(_) => OF_TEXT,
            ValueKind::List(_) => OF_LIST,
            ValueKind::Object(_) => OF_MAP,
        },
        // The attributes that every attribute has itself begin with `__`.
        PathTarget::NoText(why) | PathTarget::Unknown(why) if name.starts_with("__") => {
            return PathTarget::Unknown(why);
        }
        _ => return PathTarget::Missing,
    };
    among(own, name)
}

/// An attribute of a map, such as that of all inputs.
pub(super) fn of_map<'a>(name: &str) -> PathTarget<'a> {
    among(OF_MAP, name)
}

fn among<'a>(own: &[&str], name: &str) -> PathTarget<'a> {
    match own.contains(&name) || OF_ALL.contains(&name) {
        true => PathTarget::NoText(PRINTED_ADDRESS),
        false => PathTarget::Missing,
    }
}

/// The numeric attributes of numbers.
fn number_part<'a>(number: &str, name: &str) -> Option<PathTarget<'a>> {
    Some(PathTarget::number(match (name, whole(number)) {
        ("real", _) | ("numerator", Some(_)) => number,
        ("imag", Some(_)) => "0",
        ("imag", None) => "0.0",
        ("denominator", Some(_)) => "1",
        _ => return None,
    }))
}

const OF_ALL: &[&str] = &[
    "__class__",
    "__delattr__",
    "__dir__",
    "__doc__",
    "__eq__",
    "__format__",
    "__ge__",
    "__getattribute__",
    "__getstate__",
    "__gt__",
    "__hash__",
    "__init__",
    "__init_subclass__",
    "__le__",
    "__lt__",
    "__ne__",
    "__new__",
    "__reduce__",
    "__reduce_ex__",
    "__repr__",
    "__setattr__",
    "__sizeof__",
    "__str__",
    "__subclasshook__",
];

const OF_MAP: &[&str] = &[
    "__class_getitem__",
    "__contains__",
    "__delitem__",
    "__getitem__",
    "__ior__",
    "__iter__",
    "__len__",
    "__or__",
    "__reversed__",
    "__ror__",
    "__setitem__",
    "clear",
    "copy",
    "fromkeys",
    "get",
    "items",
    "keys",
    "pop",
    "popitem",
    "setdefault",
    "update",
    "values",
];

const OF_LIST: &[&str] = &[
    "__add__",
    "__class_getitem__",
    "__contains__",
    "__delitem__",
    "__getitem__",
    "__iadd__",
    "__imul__",
    "__iter__",
    "__len__",
    "__mul__",
    "__reversed__",
    "__rmul__",
    "__setitem__",
    "append",
    "clear",
    "copy",
    "count",
    "extend",
    "index",
    "insert",
    "pop",
    "remove",
    "reverse",
    "sort",
];

const OF_TEXT: &[&str] = &[
    "__add__",
    "__contains__",
    "__getitem__",
    "__getnewargs__",
    "__iter__",
    "__len__",
    "__mod__",
    "__mul__",
    "__rmod__",
    "__rmul__",
    "capitalize",
    "casefold",
    "center",
    "count",
    "encode",
    "endswith",
    "expandtabs",
    "find",
    "format",
    "format_map",
    "index",
    "isalnum",
    "isalpha",
    "isascii",
    "isdecimal",
    "isdigit",
    "isidentifier",
    "islower",
    "isnumeric",
    "isprintable",
    "isspace",
    "istitle",
    "isupper",
    "join",
    "ljust",
    "lower",
    "lstrip",
    "maketrans",
    "partition",
    "removeprefix",
    "removesuffix",
    "replace",
    "rfind",
    "rindex",
    "rjust",
    "rpartition",
    "rsplit",
    "rstrip",
    "split",
    "splitlines",
    "startswith",
    "strip",
    "swapcase",
    "title",
    "translate",
    "upper",
    "zfill",
];

const OF_WHOLE: &[&str] = &[
    "__abs__",
    "__add__",
    "__and__",
    "__bool__",
    "__ceil__",
    "__divmod__",
    "__float__",
    "__floor__",
    "__floordiv__",
    "__getnewargs__",
    "__index__",
    "__int__",
    "__invert__",
    "__lshift__",
    "__mod__",
    "__mul__",
    "__neg__",
    "__or__",
    "__pos__",
    "__pow__",
    "__radd__",
    "__rand__",
    "__rdivmod__",
    "__rfloordiv__",
    "__rlshift__",
    "__rmod__",
    "__rmul__",
    "__ror__",
    "__round__",
    "__rpow__",
    "__rrshift__",
    "__rshift__",
    "__rsub__",
    "__rtruediv__",
    "__rxor__",
    "__sub__",
    "__truediv__",
    "__trunc__",
    "__xor__",
    "as_integer_ratio",
    "bit_count",
    "bit_length",
    "conjugate",
    "denominator",
    "from_bytes",
    "imag",
    "is_integer",
    "numerator",
    "real",
    "to_bytes",
];

const OF_FLOAT: &[&str] = &[
    "__abs__",
    "__add__",
    "__bool__",
    "__ceil__",
    "__divmod__",
    "__float__",
    "__floor__",
    "__floordiv__",
    "__getformat__",
    "__getnewargs__",
    "__int__",
    "__mod__",
    "__mul__",
    "__neg__",
    "__pos__",
    "__pow__",
    "__radd__",
    "__rdivmod__",
    "__rfloordiv__",
    "__rmod__",
    "__rmul__",
    "__round__",
    "__rpow__",
    "__rsub__",
    "__rtruediv__",
    "__sub__",
    "__truediv__",
    "__trunc__",
    "as_integer_ratio",
    "conjugate",
    "fromhex",
    "hex",
    "imag",
    "is_integer",
    "real",
];

const OF_NONE: &[&str] = &["__bool__"];
