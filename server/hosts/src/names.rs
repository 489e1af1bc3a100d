//! Names of prompts.

use std::collections::HashSet;

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

/// Numbers duplicate names, in the order of the prompts: `a`, `a-2`, `a-3`.
///
/// Cost: linear in the number of prompts, however many have one name.
pub(crate) fn make_unique(prompts: &mut [HostPrompt]) {
    let mut taken: HashSet<String> = HashSet::with_capacity(prompts.len());
    let mut next = std::collections::HashMap::<String, usize>::new();
    for prompt in prompts {
        let mut name = prompt.name.clone();
        let number = next.entry(name.clone()).or_insert(2);
        while !taken.insert(name.clone()) {
            name = format!("{}-{number}", prompt.name);
            *number += 1;
        }
        prompt.name = name;
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
