//! Names of prompts.

use std::collections::{HashMap, HashSet};

use crate::host_prompt::HostPrompt;

/// The name of a prompt without any other name.
pub(crate) const NAMELESS: &str = "prompt";

/// A name of letters, digits, `_`, `.` and `-`: each run of other characters becomes one `-`.
pub(crate) fn clean(name: &str) -> String {
    let is_kept = |char: char| char.is_alphanumeric() || matches!(char, '_' | '.' | '-');
    let mut cleaned = String::with_capacity(name.len());
    let mut was_kept = true;
    for char in name.chars() {
        let is_kept = is_kept(char);
        if is_kept {
            cleaned.push(char);
        } else if was_kept {
            cleaned.push('-');
        }
        was_kept = is_kept;
    }
    if cleaned.is_empty() { NAMELESS.to_owned() } else { cleaned }
}

/// Names that are taken. A duplicate gets a number: `a`, `a-2`, `a-3`.
#[derive(Default)]
pub(crate) struct Taken {
    names: HashSet<String>,
    /// The next number of a name. So many duplicates cost no more than few.
    next: HashMap<String, usize>,
}

impl Taken {
    /// Takes a name, with a number if it is taken or excluded.
    pub fn take(&mut self, name: &str, is_excluded: impl Fn(&str) -> bool) -> String {
        let mut unique = name.to_owned();
        let number = self.next.entry(name.to_owned()).or_insert(2);
        while is_excluded(&unique) || !self.names.insert(unique.clone()) {
            unique = format!("{name}-{number}");
            *number += 1;
        }
        unique
    }
}

/// Numbers duplicate names, in the order of the prompts.
///
/// Cost: linear in the number of prompts, however many have one name.
pub(crate) fn make_unique(prompts: &mut [HostPrompt]) {
    let mut taken = Taken::default();
    for prompt in prompts {
        prompt.name = taken.take(&prompt.name, |_| false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_characters_in_names_become_a_dash() {
        let cases = [("a b", "a-b"), ("x?!y", "x-y"), ("café.1_2-3", "café.1_2-3"), ("", "prompt")];
        for (name, expected) in cases {
            assert_eq!(clean(name), expected);
        }
    }
}
