//! The strings of a data file that a rule can select by their key paths.

use std::ops::Range;

use super::read;
use crate::language::Language;
use crate::rules::KeyPath;

/// A string of a data file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataValue {
    /// Its keys and indices, as `strings` of a rule contains them.
    pub path: String,
    /// The string without quotes and escapes.
    pub text: String,
    /// The range of the string in the file, with its key.
    pub range: Range<usize>,
}

/// The strings of a file, in source order. Empty if it does not parse. Strings whose keys a path
/// cannot express, such as `a.b`, are left out.
///
/// Cost: parsing the file.
pub fn values(language: Language, source: &str) -> Vec<DataValue> {
    let Ok(Some(host)) = read(language, source) else { return Vec::new() };
    let value = |number: usize| {
        let path = host.path(number);
        let selects = |path: &KeyPath| path.matches(super::steps(&host.tree, number));
        KeyPath::parse(&path).filter(selects)?;
        // A key `*` would select its siblings, too.
        let is_exact = !path.split('.').any(|step| step == "*");
        let text = host.tree.text(number).filter(|_| is_exact && host.tree.counts(number))?;
        let range = host.tree.nodes[number].entry.range();
        Some(DataValue { path, text: text.to_owned(), range })
    };
    host.texts().filter(|&number| host.tree.target(number) == number).filter_map(value).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn each_string_has_a_unique_path() {
        let paths = |language, source| -> String {
            let line = |it: DataValue| format!("{} = {:?} {:?}\n", it.path, it.text, it.range);
            values(language, source).into_iter().map(line).collect()
        };
        let yaml = "agents: {one: {prompt: 'Dear {user:name}'}}\nlist:\n- x: |\n    Hi\n  n: 1\n\
                    a.b: no\n'*': no way\nempty: ''\n";
        expect![[r#"
            agents.one.prompt = "Dear {user:name}" 15..41
            list.0.x = "Hi\n" 52..63
            empty = "" 91..100
        "#]]
        .assert_eq(&paths(Language::Yaml, yaml));
        expect![[r#"
            a.b = "d" 24..32
        "#]]
        .assert_eq(&paths(Language::Json, r#"{"a": {"b": "c"}, "a": {"b": "d"}}"#));
        assert_eq!(paths(Language::Toml, "a ="), "");
    }
}
