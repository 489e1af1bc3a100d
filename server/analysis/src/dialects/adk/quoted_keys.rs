//! Keys of the state that a prompt names as code does: `state['city']`, `state.get('city')`. ADK
//! sends them as they are.

use std::ops::Range;

use promptls_resolver::{Code, FileId, Location, Problem, Severity};

use crate::diagnose::checker::Checker;

/// Reports keys in quotes as hints, if the program or the inputs have them.
pub(super) fn check(checker: &mut Checker<'_>) {
    let text = checker.start();
    let known = quoted_keys(text).filter(|(_, key)| checker.snapshot.is_known(key));
    let problems: Vec<Problem> = known.map(|(range, key)| problem(text, range, key)).collect();
    checker.problems.extend(problems);
}

fn problem(text: &str, range: Range<usize>, key: &str) -> Problem {
    let written = &text[range.clone()];
    let message = format!("`{written}` is sent unchanged: to insert its value, write `{{{key}}}`");
    let location = Location { file: FileId::PROMPT, range };
    let problem = Problem::new(Code::MalformedPlaceholder, location, message);
    Problem { severity: Severity::Hint, names: vec![key.to_owned()], ..problem }
}

/// What follows the word `state` up to the quote of a key, and what follows the key.
const AROUND_KEY: [(&str, &str); 2] = [("[", "]"), (".get(", ")")];

/// The ranges of `state['key']` and `state.get('key')` in a text, with their keys.
fn quoted_keys(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    memchr::memmem::find_iter(text.as_bytes(), "state").filter_map(|start| {
        let after = &text[start + "state".len()..];
        let mut around = AROUND_KEY.iter();
        let (inside, close) =
            around.find_map(|(open, close)| Some((after.strip_prefix(open)?, close)))?;
        let quote = inside.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
        // Only the characters of a key are searched, so that the whole costs the length of the text.
        let (key, rest) = inside[1..].split_at(inside[1..].find(|char| !is_part(char))?);
        let rest = rest.strip_prefix(quote)?.strip_prefix(close)?;
        let is_word = !text[..start].ends_with(|before: char| before.is_alphanumeric());
        let is_meant = !key.is_empty() && is_word && !is_assignment(rest);
        is_meant.then_some((start..text.len() - rest.len(), key))
    })
}

fn is_part(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | ':')
}

/// `true` for the text after a key that code sets: that is an example of code.
fn is_assignment(after: &str) -> bool {
    let after = after.trim_start_matches(' ');
    after.starts_with(['=', '+']) || after.starts_with('[')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_in_quotes_are_found() {
        for (text, expected) in [
            ("the city in state['city'].", &["city"][..]),
            ("state[\"user:city\"] and session.state['a']", &["user:city", "a"]),
            ("session.state.get('a') ctx.state.get(\"b\") the state.get('c').", &["a", "b", "c"]),
            ("state.get(a) state.get('a', '') state.getting('a') state.get['a']", &[]),
            ("state[city] state['two words'] state['a'", &[]),
            ("mystate['a'] state['b'] = 1", &[]),
        ] {
            let keys: Vec<&str> = quoted_keys(text).map(|(_, key)| key).collect();
            assert_eq!(keys, expected, "{text}");
        }
    }
}
