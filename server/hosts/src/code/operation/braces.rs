//! Fields in braces: `str.format` of Python.

use std::ops::Range;

use promptls_data::Decoded;

use super::text_argument::{PutIn, TextArgument};

/// The text with single braces for doubled ones, and arguments or holes for fields; `None` if a field
/// is malformed, or if a hole may contain one.
pub(super) fn format(text: &Decoded, arguments: &[TextArgument]) -> Option<Decoded> {
    let all = text.text();
    if text.has_hole(0..all.len()) {
        return None;
    }
    let mut formatted = Decoded::default();
    let mut values = PutIn::new(arguments);
    let (mut at, mut numbered) = (0, 0);
    while let Some(found) = memchr::memchr2(b'{', b'}', &all.as_bytes()[at..]) {
        let brace = at + found;
        formatted.push_part(text, at..brace);
        let rest = &all.as_bytes()[brace..];
        if rest.get(1) == rest.first() {
            formatted.push_atomic(&all[brace..brace + 1], text.source(brace..brace + 2));
            at = brace + 2;
        } else {
            let field = field(all, brace)?;
            at = field.end;
            let name = &all[brace + 1..at - 1];
            let position = match name {
                "" => Some(numbered),
                name => name.parse().ok(),
            };
            numbered += usize::from(name.is_empty());
            values.add(&mut formatted, text.source(field), |argument| match &argument.keyword {
                Some(keyword) => keyword == name,
                None => Some(argument.position) == position,
            });
        }
    }
    formatted.push_part(text, at..all.len());
    Some(formatted.or_empty_at(text.source(0..0).start))
}

/// The field that starts with a brace, including nested ones.
fn field(text: &str, open: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut is_name = true;
    let mut at = open;
    while let Some(byte) = bytes.get(at) {
        match byte {
            // An index may contain braces.
            b'[' if is_name => at += memchr::memchr(b']', &bytes[at..])?,
            b':' | b'!' => is_name = false,
            b'{' => depth += 1,
            b'}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(open..at).filter(|_| bytes[open] == b'{');
        }
    }
    None
}
