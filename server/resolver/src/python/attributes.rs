//! The attributes of Python's objects for values of JSON.

use crate::string_form::is_whole;
use crate::value::ValueKind;

/// The reason why the form of an attribute is unpredictable.
pub(crate) const PRINTED_ADDRESS: &str =
    "it is an attribute of a Python object, which is printed with its address";

/// The numeric attributes of a number or a boolean, in source form: `real`, `denominator`.
pub(crate) fn number_attribute<'v>(kind: &'v ValueKind, name: &str) -> Option<&'v str> {
    let number = match kind {
        ValueKind::Bool(true) => "1",
        ValueKind::Bool(false) => "0",
        ValueKind::Number(number) => number,
        _ => return None,
    };
    Some(match (name, is_whole(number)) {
        ("real", _) | ("numerator", true) => number,
        ("imag", true) => "0",
        ("imag", false) => "0.0",
        ("denominator", true) => "1",
        _ => return None,
    })
}

/// `true` if a value has an attribute.
pub(crate) fn has_attribute(kind: &ValueKind, name: &str) -> bool {
    let own = match kind {
        ValueKind::Null => &[OF_NONE][..],
        ValueKind::Bool(_) => &[OF_NUMBER, OF_WHOLE],
        ValueKind::Number(number) if is_whole(number) => &[OF_NUMBER, OF_WHOLE],
        ValueKind::Number(_) => &[OF_NUMBER, OF_FLOAT],
        ValueKind::String(_) | ValueKind::File(_) => &[OF_TEXT],
        ValueKind::List(_) => &[OF_LIST],
        ValueKind::Object(_) => &[OF_MAP],
    };
    own.iter().chain([&OF_ALL]).any(|names| names.contains(&name))
}

/// `true` if a map has an attribute.
pub(crate) fn map_has_attribute(name: &str) -> bool {
    OF_MAP.contains(&name) || OF_ALL.contains(&name)
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

const OF_NUMBER: &[&str] = &[
    "__abs__",
    "__add__",
    "__bool__",
    "__ceil__",
    "__divmod__",
    "__float__",
    "__floor__",
    "__floordiv__",
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
    "imag",
    "is_integer",
    "real",
];

const OF_WHOLE: &[&str] = &[
    "__and__",
    "__index__",
    "__invert__",
    "__lshift__",
    "__or__",
    "__rand__",
    "__rlshift__",
    "__ror__",
    "__rrshift__",
    "__rshift__",
    "__rxor__",
    "__xor__",
    "bit_count",
    "bit_length",
    "denominator",
    "from_bytes",
    "numerator",
    "to_bytes",
];

const OF_FLOAT: &[&str] = &["__getformat__", "fromhex", "hex"];

const OF_NONE: &[&str] = &["__bool__"];
