//! Paths into values: `user.profile.name`, `items[0].title`.

use promptls_syntax::{Dialect, PathStyle};

use crate::value::{Value, ValueKind};

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// The value of a key.
    Key(&'a str),
    /// An item of a list, counted from 0; numbers that are too large become [`usize::MAX`].
    Index(usize),
}

/// The steps of a path in its dialect; one step if the dialect has no paths.
pub fn steps(dialect: Dialect, path: &str) -> impl Iterator<Item = Step<'_>> {
    let style = dialect.spec().paths;
    let mut rest = Some(path);
    let mut taken = 0;
    std::iter::from_fn(move || {
        taken += 1;
        match style {
            PathStyle::Whole => rest.take().map(Step::Key),
            PathStyle::Outputs if taken == OUTPUT_STEPS => rest.take().map(Step::Key),
            PathStyle::Outputs => {
                let (key, after) = match rest?.split_once('.') {
                    Some((key, after)) => (key, Some(after)),
                    None => (rest?, None),
                };
                rest = after;
                Some(Step::Key(key))
            }
            PathStyle::Dotted | PathStyle::Indexed => walked_step(style, &mut rest),
            PathStyle::Subscripts => subscript(taken == 1, &mut rest),
        }
    })
}

/// The next step of a path of Python: a key first, then `[0]` or `[name]`. The steps end before an
/// attribute, which is in no file.
fn subscript<'p>(is_first: bool, rest: &mut Option<&'p str>) -> Option<Step<'p>> {
    let text = (*rest)?;
    let (step, after) = if is_first {
        let (key, after) = text.split_at(text.find(['.', '[']).unwrap_or(text.len()));
        (Step::Key(key), after)
    } else {
        let (key, after) = text.strip_prefix('[')?.split_once(']')?;
        let is_index = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit());
        let index = || Step::Index(key.parse().unwrap_or(usize::MAX));
        (if is_index { index() } else { Step::Key(key) }, after)
    };
    *rest = (!after.is_empty()).then_some(after);
    Some(step)
}

/// Task, output, metadata, and a key that may contain dots.
const OUTPUT_STEPS: usize = 4;

/// The next step of a path into members of values; `rest` is the remaining path.
fn walked_step<'p>(style: PathStyle, rest: &mut Option<&'p str>) -> Option<Step<'p>> {
    let has_indexes = style.has_indexes();
    loop {
        let text = (*rest)?;
        let mut go_on = |after: &'p str| {
            *rest = (!after.is_empty()).then(|| after.strip_prefix('.').unwrap_or(after));
        };
        if has_indexes && let Some(index) = text.strip_prefix('[') {
            let (index, after) = index.split_once(']')?;
            go_on(after);
            return Some(Step::Index(index.parse().unwrap_or(usize::MAX)));
        }
        let end = text.bytes().position(|byte| byte == b'.' || (has_indexes && byte == b'['));
        let (key, after) = text.split_at(end.unwrap_or(text.len()));
        go_on(after);
        // Agentle skips empty keys and trims the others; PromptPack has neither.
        let key = key.trim_matches(|character| character <= ' ');
        if !key.is_empty() {
            return Some(Step::Key(key));
        }
    }
}

/// `true` if a path is certainly a single whole key, in any dialect.
#[inline]
pub(crate) fn is_key(path: &str) -> bool {
    // A plain loop, because names are short, and a vectorized search takes longer to start.
    let is_step = |byte: u8| matches!(byte, b'.' | b'[');
    !path.is_empty() && !path.bytes().any(is_step) && !path.starts_with("fragment:")
}

/// The value after some steps; `None` if one of them fails.
pub fn walk<'a, 'p>(
    mut value: &'a Value,
    steps: impl Iterator<Item = Step<'p>>,
) -> Option<&'a Value> {
    for step in steps {
        value = match (step, &value.kind) {
            (Step::Key(key), ValueKind::Object(object)) => &object.get(key)?.value,
            (Step::Index(index), ValueKind::List(items)) => items.get(index)?,
            _ => return None,
        };
    }
    Some(value)
}

/// The root name of a path, which an inputs file must contain.
pub fn root(dialect: Dialect, path: &str) -> &str {
    match dialect.spec().paths {
        PathStyle::Whole => path,
        PathStyle::Outputs => path.split('.').next().unwrap_or(path),
        // A path that starts with a dot counts as one name.
        PathStyle::Dotted => match path.split_once('.') {
            Some(("", _)) | None => path,
            Some((root, _)) => root.trim_matches(|character| character <= ' '),
        },
        PathStyle::Indexed | PathStyle::Subscripts => path.split(['.', '[']).next().unwrap_or(path),
    }
}

/// The first key of the walk along a path: usually its [`root`].
pub fn first_key(dialect: Dialect, path: &str) -> &str {
    match steps(dialect, path).next() {
        Some(Step::Key(key)) => key,
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(dialect: Dialect, path: &str, expected: &[Step<'_>], expected_root: &str) {
        assert_eq!(steps(dialect, path).collect::<Vec<_>>(), expected);
        assert_eq!(root(dialect, path), expected_root);
    }

    #[test]
    fn each_dialect_has_its_own_path_syntax() {
        use Step::{Index, Key};
        check(Dialect::PromptPack, "a[0].b", &[Key("a"), Index(0), Key("b")], "a");
        check(Dialect::PromptPack, "a[1][20]", &[Key("a"), Index(1), Index(20)], "a");
        check(Dialect::Agentle, "a . b.", &[Key("a"), Key("b")], "a");
        check(Dialect::Agentle, ".a", &[Key("a")], ".a");
        check(Dialect::Agentle, "a[0]", &[Key("a[0]")], "a[0]");
        check(Dialect::Agentle, "", &[], "");
        check(Dialect::Format, "a[0][b c].d[e]", &[Key("a"), Index(0), Key("b c")], "a");
        check(Dialect::Format, " a ", &[Key(" a ")], " a ");
        check(Dialect::Adk, "artifact.a.txt", &[Key("artifact.a.txt")], "artifact.a.txt");
    }
}
