//! Key paths: `agents.*.prompt`, `steps.0`.

/// One key or index of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyStep<'k> {
    /// A key of an object.
    Key(&'k str),
    /// An index of a list, from 0.
    Index(usize),
}

/// A path from the root of a file to values, as written in a rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KeyPath {
    written: Box<str>,
}

impl KeyPath {
    /// Parses keys and indices with dots between them, where `*` matches any one of them; `None`
    /// for other entries, such as the argument of a call or a name with `*` in it.
    pub fn parse(written: &str) -> Option<KeyPath> {
        let is_step = |step: &str| {
            step == "*" || !step.is_empty() && !step.contains(['*', '(', ')', '[', ']'])
        };
        written.split('.').all(is_step).then(|| KeyPath { written: written.into() })
    }

    /// The path in source form.
    pub fn as_str(&self) -> &str {
        &self.written
    }

    /// `true` if the path matches these steps, the last one first.
    pub(crate) fn matches<'k>(&self, mut steps: impl Iterator<Item = KeyStep<'k>>) -> bool {
        let fits = |pattern: &str, step| match step {
            _ if pattern == "*" => true,
            KeyStep::Key(key) => key == pattern,
            KeyStep::Index(index) => pattern.parse() == Ok(index),
        };
        let all =
            self.written.rsplit('.').all(|it| steps.next().is_some_and(|step| fits(it, step)));
        all && steps.next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_keys_and_indices_are_a_path() {
        let is_path = |text| KeyPath::parse(text).is_some();
        assert!(["a", "a.b", "agents.*.prompt", "steps.0", "a b.c-d"].into_iter().all(is_path));
        let others = ["", "a.", ".system(0)", "f(instruction)", "*_PROMPT", "a[0]"];
        assert!(!others.into_iter().any(is_path));
    }

    #[test]
    fn a_star_matches_one_step() {
        use KeyStep::{Index, Key};
        let fits = |path, steps: &[KeyStep<'_>]| {
            KeyPath::parse(path).unwrap().matches(steps.iter().rev().copied())
        };
        assert!(fits("a.*.c", &[Key("a"), Index(3), Key("c")]));
        assert!(fits("a.1", &[Key("a"), Index(1)]));
        assert!(fits("a.1", &[Key("a"), Key("1")]));
        assert!(!fits("a.*", &[Key("a"), Key("b"), Key("c")]));
        assert!(!fits("a.*", &[Key("a")]));
        assert!(!fits("b", &[Key("a"), Key("b")]));
    }
}
