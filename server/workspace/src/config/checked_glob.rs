//! Validation of globs: the library accepts any length and depth, and fails or panics later.

use globset::GlobBuilder;
use ignore::gitignore::GitignoreBuilder;

/// The maximum length of a glob, in bytes.
const MAX_BYTES: usize = 4 * 1024;

/// The maximum nesting of braces. From 125 on, the library panics.
const MAX_BRACES: usize = 10;

/// The length of the part of a glob that a message shows, in characters.
const SHOWN: usize = 60;

/// Checks a glob with shell syntax.
///
/// # Errors
///
/// A sentence about a glob that is invalid, too long or nested too deeply.
pub fn check(glob: &str) -> Result<(), String> {
    check_with(glob, || {
        GlobBuilder::new(glob).build().map(drop).map_err(|error| error.kind().to_string())
    })
}

/// Checks a line with `.gitignore` syntax.
///
/// # Errors
///
/// As for [`check`].
pub fn check_line(line: &str) -> Result<(), String> {
    check_with(line, || {
        GitignoreBuilder::new("").add_line(None, line).map(drop).map_err(|error| error.to_string())
    })
}

/// Checks the length of a path that may contain the name of a prompt.
///
/// # Errors
///
/// A sentence about a path that is too long.
pub fn check_length(path: &str) -> Result<(), String> {
    match path.len() > MAX_BYTES {
        true => Err(format!("`{}` is longer than {MAX_BYTES} bytes", shown(path))),
        false => Ok(()),
    }
}

fn check_with(glob: &str, parse: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    check_length(glob)?;
    let reason = match depth(glob) > MAX_BRACES {
        true => Some(format!("more than {MAX_BRACES} nested braces")),
        false => parse().err(),
    };
    reason.map_or(Ok(()), |reason| Err(format!("`{}` is not a valid glob: {reason}", shown(glob))))
}

fn shown(glob: &str) -> String {
    match glob.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &glob[..end]),
        None => glob.to_owned(),
    }
}

/// The maximum nesting depth of braces.
fn depth(glob: &str) -> usize {
    let (mut depth, mut most, mut is_escaped) = (0_usize, 0, false);
    for byte in glob.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        most = most.max(depth);
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_and_deep_globs_are_refused() {
        let nested = |levels| format!("{}a{}", "{".repeat(levels), ",b}".repeat(levels));
        for glob in ["a/**/*.{json,yaml}", "[a-z]?", r"\{\{\{", &nested(10), &"*".repeat(4_096)] {
            assert_eq!((check(glob), check_line(glob)), (Ok(()), Ok(())), "{glob}");
        }
        for glob in ["[z-a].json", "{a,b.json", &nested(11), &nested(200), &"a".repeat(5_000)] {
            assert!(check(glob).is_err() && check_line(glob).is_err(), "{glob}");
        }
        let reason = "`{{{{{{{{{{{a,b},b},b},b},b},b},b},b},b},b},b}` is not a valid glob: more than 10 \
                      nested braces";
        assert_eq!(check(&nested(11)), Err(reason.to_owned()));
        assert!(
            check(&"a".repeat(5_000))
                .is_err_and(|it| it.ends_with("a…` is longer than 4096 bytes"))
        );
    }
}
