//! Java's `Matcher.appendReplacement` for a restored placeholder, in which `\` and `$` have a
//! special meaning.

use std::borrow::Cow;

/// The text in place of a placeholder, or the engine's error.
pub(super) fn of(placeholder: &str) -> Result<Cow<'_, str>, String> {
    if !placeholder.contains(['\\', '$']) {
        return Ok(Cow::Borrowed(placeholder));
    }
    let mut made = String::new();
    let mut rest = placeholder.chars();
    while let Some(character) = rest.next() {
        match character {
            '\\' => made.push(rest.next().ok_or("character to be escaped is missing")?),
            '$' => {
                let group;
                (group, rest) = reference(rest.as_str())?;
                made.push_str(match group {
                    0 => placeholder,
                    _ => &placeholder[2..placeholder.len() - 2],
                });
            }
            _ => made.push(character),
        }
    }
    Ok(Cow::Owned(made))
}

/// The group after a `$`, and the rest. There are two groups: the whole placeholder, and the text
/// in its braces.
fn reference(text: &str) -> Result<(u32, std::str::Chars<'_>), String> {
    if let Some(name) = text.strip_prefix('{') {
        return Err(named(name));
    }
    let digit = |text: &str| text.chars().next().and_then(|first| first.to_digit(10));
    let Some(mut group) = digit(text) else {
        let is_missing = if text.is_empty() { ": group index is missing" } else { "" };
        return Err(format!("Illegal group reference{is_missing}"));
    };
    let mut rest = &text[1..];
    while let Some(next) = digit(rest)
        && group * 10 + next <= 1
    {
        group = group * 10 + next;
        rest = &rest[1..];
    }
    match group {
        0 | 1 => Ok((group, rest.chars())),
        _ => Err(format!("No group {group}")),
    }
}

/// The error for a named group: there is none.
fn named(text: &str) -> String {
    let end = text.find(|character: char| !character.is_ascii_alphanumeric());
    let (name, rest) = text.split_at(end.unwrap_or(text.len()));
    if name.is_empty() {
        "named capturing group has 0 length name".to_owned()
    } else if !rest.starts_with('}') {
        "named capturing group is missing trailing '}'".to_owned()
    } else if name.starts_with(|first: char| first.is_ascii_digit()) {
        format!("capturing group name {{{name}}} starts with digit character")
    } else {
        format!("No group with name {{{name}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_of_replacements_are_interpreted() {
        let check = |placeholder, expected: Result<&str, &str>| {
            let made = of(placeholder);
            let made = made.as_deref().map_err(String::as_str);
            assert_eq!(made, expected, "{placeholder}");
        };
        check("{{a}}", Ok("{{a}}"));
        check(r"{{a\b\\}}", Ok(r"{{ab\}}"));
        check("{{$0}}", Ok("{{{{$0}}}}"));
        check("{{$01a}}", Ok("{{$01aa}}"));
        check("{{$12}}", Ok("{{$122}}"));
        check("{{$2}}", Err("No group 2"));
        check("{{$x}}", Err("Illegal group reference"));
        check("{{${x}}", Err("No group with name {x}"));
        check("{{${1}}", Err("capturing group name {1} starts with digit character"));
        check("{{${}}", Err("named capturing group has 0 length name"));
        check("{{${a b}}", Err("named capturing group is missing trailing '}'"));
    }
}
