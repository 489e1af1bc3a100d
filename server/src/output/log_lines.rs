//! Escapes lines that a CI service would interpret as commands.
//!
//! CI services read commands from the output of a job. GitHub Actions reads `::error::text` at the
//! start of a line, with or without spaces before it, and `##[error]text` anywhere. Azure Pipelines
//! reads `##vso[task.setvariable]`, TeamCity `##teamcity[message]`. The text of a prompt or the
//! name of a file must not be such a command. Patches and the texts of `resolve` stay unchanged,
//! because other programs read them.

use std::borrow::Cow;

use super::visible::by_number;

/// The same lines, in which the character that starts a command is replaced by its number.
///
/// Copies nothing if there is no command.
pub fn log_lines(text: &str) -> Cow<'_, str> {
    if !has_command(text) {
        return Cow::Borrowed(text);
    }
    text.split_inclusive('\n').map(log_line).collect::<String>().into()
}

fn has_command(text: &str) -> bool {
    (text.contains("::") && text.lines().any(starts_command)) || bracket(text).is_some()
}

fn starts_command(line: &str) -> bool {
    // Excerpts have `:::` before further places, which is no command.
    let line = line.trim_start();
    line.starts_with("::") && !line.starts_with(":::")
}

fn log_line(line: &str) -> String {
    let mut safe = String::with_capacity(line.len());
    let mut rest = line;
    if starts_command(line) {
        let (indent, command) = line.split_at(line.len() - line.trim_start().len());
        safe.push_str(indent);
        safe.push_str(&by_number(':'));
        rest = &command[1..];
    }
    while let Some(at) = bracket(rest) {
        safe.push_str(&rest[..at]);
        safe.push_str(&by_number('['));
        rest = &rest[at + 1..];
    }
    safe + rest
}

/// The bracket of the first `##name[`.
fn bracket(text: &str) -> Option<usize> {
    let before = |at: usize| text[..at].trim_end_matches(|it: char| it.is_ascii_alphabetic());
    text.match_indices('[').map(|(at, _)| at).find(|&at| before(at).ends_with("##"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_in_logs_are_escaped() {
        for (text, safe) in [
            ("::error::x\n", "⟨U+003A⟩:error::x\n"),
            ("a\n \t::set-env name=A::b\nc", "a\n \t⟨U+003A⟩:set-env name=A::b\nc"),
            ("a ##[error]b ##vso[c]", "a ##⟨U+005B⟩error]b ##vso⟨U+005B⟩c]"),
            ("###teamcity[a]", "###teamcity⟨U+005B⟩a]"),
            ("###[a] #[b] ##[[c]", "###⟨U+005B⟩a] #[b] ##⟨U+005B⟩[c]"),
            ("::a ##[b]", "⟨U+003A⟩:a ##⟨U+005B⟩b]"),
        ] {
            assert_eq!(log_lines(text), safe);
            assert_eq!(log_lines(safe), safe);
        }
    }

    #[test]
    fn other_text_is_not_copied() {
        for text in ["", "a::b", "| ::error", " ::: a:1:2", "## [x](y)", "# x\n## y [z]", "##"] {
            assert!(matches!(log_lines(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }
}
