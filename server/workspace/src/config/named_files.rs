//! The files that the text of a config names, with their ranges.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

/// The files that the text of a config names, with their ranges; globs are left out.
pub fn named_files(text: &str) -> Vec<(Range<usize>, String)> {
    let is_one = |(_, name): &(_, String)| !name.contains(['*', '?', '[', '{']);
    files_and_globs(text).into_iter().filter(is_one).collect()
}

/// The files and globs that the text of a config names, with their ranges.
pub(crate) fn files_and_globs(text: &str) -> Vec<(Range<usize>, String)> {
    let (document, _) = DeTable::parse_recoverable(text);
    let Some(rules) =
        document.get_ref().get("prompts").and_then(|rules| rules.get_ref().as_array())
    else {
        return Vec::new();
    };
    let mut named = Vec::new();
    for rule in rules.iter().filter_map(|rule| rule.get_ref().as_table()) {
        let inputs = rule.get("inputs").and_then(|inputs| inputs.get_ref().as_array());
        for value in
            inputs.into_iter().flat_map(|inputs| inputs.iter()).chain(rule.get("variables"))
        {
            let DeValue::String(name) = value.get_ref() else { continue };
            if let Some(range) = between_quotes(text, value.span()) {
                named.push((range, name.to_string()));
            }
        }
    }
    named
}

/// The range of a string without its quotes; `None` if quotes are missing, as during typing.
fn between_quotes(text: &str, string: Range<usize>) -> Option<Range<usize>> {
    const QUOTES: [&str; 4] = ["\"\"\"", "'''", "\"", "'"];
    let written = text.get(string.clone())?;
    let is_in = |quote: &&str| {
        written.strip_prefix(*quote).is_some_and(|rest| rest.strip_suffix(*quote).is_some())
    };
    let quote = QUOTES.into_iter().find(is_in)?.len();
    Some(string.start + quote..string.end - quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_files_are_found_with_their_ranges() {
        let text = "[[prompts]]\ninputs = ['a.json', \"b/*.json\"]\nvariables = \"c.json\"\n";
        let named = named_files(text).into_iter();
        let named: Vec<_> = named.map(|(range, name)| (text[range].to_owned(), name)).collect();
        let same = |name: &str| (name.to_owned(), name.to_owned());
        assert_eq!(named, [same("a.json"), same("c.json")]);
        assert_eq!(named_files("prompts = 1\n["), []);
        // During typing, a quote may be missing.
        assert_eq!(named_files("[[prompts]]\ninputs = [\"a\u{FEFF}]\nvariables = \"b"), []);
    }
}
