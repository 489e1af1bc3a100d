//! `String.format`.

use promptls_data::Decoded;

/// `formatted(…)`; `None` if a conversion is malformed, or if a hole may contain one.
pub(super) fn format(text: &Decoded) -> Option<Decoded> {
    let all = text.text();
    if text.has_hole(0..all.len()) {
        return None;
    }
    let mut formatted = Decoded::default();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'%', &all.as_bytes()[at..]) {
        let start = at + found;
        formatted.push_part(text, at..start);
        at = start + conversion_len(&all[start..])?;
        let source = text.source(start..at);
        match &all[start..at] {
            "%%" => formatted.push_atomic("%", source),
            "%n" => formatted.push_atomic("\n", source),
            _ => formatted.push_hole(source),
        }
    }
    formatted.push_part(text, at..all.len());
    Some(formatted.or_empty_at(text.source(0..0).start))
}

/// The length of a conversion: `%[number$][flags][width][.precision]letter`.
fn conversion_len(text: &str) -> Option<usize> {
    let mut rest = text.strip_prefix('%')?;
    let digits =
        |text: &str| text.len() - text.trim_start_matches(|it: char| it.is_ascii_digit()).len();
    let number = digits(rest);
    if number > 0 && rest[number..].starts_with('$') {
        rest = &rest[number + 1..];
    }
    rest = rest.trim_start_matches(['-', '#', '+', ' ', '0', ',', '(', '<']);
    rest = &rest[digits(rest)..];
    if let Some(precision) = rest.strip_prefix('.') {
        rest = &precision[Some(digits(precision)).filter(|len| *len > 0)?..];
    }
    // `%%` and `%n` are supported only without options.
    let is_bare = text.len() == rest.len() + 1;
    let len = match rest.chars().next()? {
        '%' | 'n' if is_bare => 1,
        't' | 'T' => 1 + rest[1..].chars().next().filter(char::is_ascii_alphabetic)?.len_utf8(),
        letter if "bBhHsScCdoxXeEfgGaA".contains(letter) => 1,
        _ => return None,
    };
    Some(text.len() - rest.len() + len)
}

#[cfg(test)]
mod tests {
    use super::conversion_len;

    #[test]
    fn a_conversion_has_flags_and_numbers_before_its_letter() {
        for (text, expected) in [
            ("%s.", Some(2)),
            ("%%d", Some(2)),
            ("%n", Some(2)),
            ("%1$-5.2f!", Some(8)),
            ("%<tY", Some(4)),
            ("%05d", Some(4)),
            ("% of", Some(3)),
            ("%", None),
            ("%q", None),
            ("%5%", None),
            ("%.s", None),
            ("%t", None),
        ] {
            assert_eq!(conversion_len(text), expected, "{text}");
        }
    }
}
