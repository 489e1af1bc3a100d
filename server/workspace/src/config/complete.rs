//! Completion and hover in `promptls.toml`.
//!
//! A file does not parse during typing. So only the line at the cursor and the header above it are
//! used.

use std::ops::Range;

use promptls_analysis::{Completion, CompletionKind, Markup, MarkupPiece, TokenEncoding};
use promptls_resolver::{Code, ENGINES, EngineRef, Severity};
use promptls_syntax::Dialect;

use super::keys::{
    ConfigKey, IGNORE_KEYS, OFF, RULE_KEYS, STORE_KEYS, STORE_KINDS, TABLES, TOP_KEYS,
};
use crate::explain;

/// The completions at an offset.
pub fn complete(text: &str, offset: usize) -> Vec<Completion> {
    let Some(place) = ConfigCursor::find(text, offset) else { return Vec::new() };
    let mut found = match (&place.slot, place.table) {
        (Slot::Key, Some(table)) => place.keys(table),
        (Slot::Value(key), Some(table)) => place.values(table, key),
        _ => Vec::new(),
    };
    if matches!(place.slot, Slot::Key | Slot::Header) {
        found.extend(TABLES.iter().map(|(header, table)| Completion {
            filter: Some((*header).to_owned()),
            documentation: vec![Markup::text(table.about)],
            ..Completion::new(CompletionKind::Key, header, place.word.clone(), (*header).to_owned())
        }));
    }
    found
}

/// The documentation of the word at an offset, and the range of the word.
pub fn hover(text: &str, offset: usize) -> Option<(Range<usize>, Markup)> {
    let place = ConfigCursor::find(text, offset)?;
    let word = text[place.word.clone()].trim_matches(['"', '\'']);
    let about = match (&place.slot, place.table?) {
        (Slot::Header, table) => named(TABLES[table].0, TABLES[table].1.about),
        (Slot::Key, table) => match keys_of(table) {
            Some(keys) => {
                let key = keys.iter().find(|key| key.name == word)?;
                named(key.name, key.about)
            }
            None => about_code(Code::from_id(word)?),
        },
        (Slot::Value(key), STORES) if key == "kind" => {
            let (kind, about) = STORE_KINDS.into_iter().find(|(kind, _)| *kind == word)?;
            named(kind, about)
        }
        (Slot::Value(key), RULES | STORES) if key == "dialect" => {
            let spec = Dialect::from_id(word)?.spec();
            named(
                spec.id,
                &format!("{}, with placeholders in `{}…{}`", spec.title, spec.open, spec.close),
            )
        }
        (Slot::Value(key), RULES) if key == "engine" => {
            let engine = EngineRef::parse(word).ok()?;
            let (title, newest) = (engine.profile.title, engine.profile.newest);
            named(&engine.to_string(), &format!("{title}, up to {newest}"))
        }
        (Slot::Value(key), RULES) if key == "encoding" => {
            let encoding = TokenEncoding::from_id(word)?;
            named(encoding.id(), &format!("Tokens of {}", encoding.models()))
        }
        _ => return None,
    };
    Some((place.word, about))
}

fn named(name: &str, about: &str) -> Markup {
    Markup(vec![MarkupPiece::Name(name.to_owned())]).and(format!("\n\n{about}"))
}

fn about_code(code: Code) -> Markup {
    let usual = format!(" — {} by default\n\n", code.severity().id());
    let more = format!("promptls explain {}", code.id());
    Markup(vec![MarkupPiece::Name(code.id().to_owned())])
        .and(usual)
        .and(explain::introduction(code))
        .and("\n\n")
        .and("Details: ")
        .and_code(more)
}

/// The position of `[[prompts]]` in [`TABLES`].
const RULES: usize = 0;

/// The position of `[problems]` in [`TABLES`].
const PROBLEMS: usize = 1;

/// The position of `[[ignore]]` in [`TABLES`].
const IGNORES: usize = 2;

/// The position of `[stores.name]` in [`TABLES`].
const STORES: usize = 3;

/// A pseudo table for the keys above all tables.
const TOP: usize = TABLES.len();

/// The keys of a table; `None` if its keys are problem codes.
fn keys_of(table: usize) -> Option<&'static [ConfigKey]> {
    match table {
        RULES => Some(&RULE_KEYS),
        IGNORES => Some(&IGNORE_KEYS),
        STORES => Some(&STORE_KEYS),
        TOP => Some(&TOP_KEYS),
        _ => None,
    }
}

/// The table that a header opens. The name of a store is arbitrary.
fn table_of(header: &str) -> Option<usize> {
    if header.starts_with("[stores.") {
        return Some(STORES);
    }
    if header == "[prompts.problems]" {
        return Some(PROBLEMS);
    }
    TABLES.iter().position(|(known, _)| *known == header)
}

/// The context of the cursor.
struct ConfigCursor<'t> {
    /// The enclosing table, by its position in [`TABLES`]; or [`TOP`].
    table: Option<usize>,
    /// The keys of the table on other lines.
    present: Vec<&'t str>,
    slot: Slot,
    /// The range of the word at the cursor, including quotes and brackets.
    word: Range<usize>,
    /// `true` if a value follows the key.
    has_value: bool,
    quote: char,
}

enum Slot {
    Header,
    Key,
    /// The value of a key.
    Value(String),
}

impl<'t> ConfigCursor<'t> {
    /// Returns `None` in a comment and inside any other text.
    fn find(text: &'t str, offset: usize) -> Option<ConfigCursor<'t>> {
        let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let end = text[offset..].find(['\n', '\r']).map_or(text.len(), |len| offset + len);
        let line = &text[start..end];
        let before = &line[..offset - start];
        if before.contains('#') {
            return None;
        }
        let (table, present) = table_around(text, start, end)?;
        let indent = line.len() - line.trim_start().len();
        let place = |slot, word: Range<usize>| ConfigCursor {
            table,
            present,
            slot,
            word: start + word.start..start + word.end,
            has_value: line.contains('='),
            quote: '"',
        };
        let content = line.trim();
        if content.starts_with('[') {
            // The header includes closing brackets that the editor has inserted ahead of the
            // cursor.
            let own = place(Slot::Header, indent..indent + content.len());
            let table = table_of(content);
            return Some(ConfigCursor { table, ..own });
        }
        let Some(equals) = before.find('=') else {
            let key = line.split('=').next().unwrap_or(line).trim_end();
            let word = indent.min(before.len())..key.len().max(before.len());
            let is_word = |c: char| c.is_alphanumeric() || "_-\"'".contains(c);
            return line[word.clone()].chars().all(is_word).then(|| place(Slot::Key, word));
        };
        let key = line[..equals].trim().trim_matches(['"', '\'']).to_owned();
        let value = &line[equals + 1..];
        let blanks = value.len() - value.trim_start().len();
        let from = (equals + 1 + blanks).min(before.len());
        let written = &line[from..];
        let quote = written.chars().next().filter(|first| "\"'".contains(*first));
        let len = match quote {
            Some(quote) => written[1..].find(quote).map(|at| at + 2),
            None => written.find([' ', '#']),
        };
        let to = from + len.unwrap_or(written.trim_end().len());
        if before.len() > to {
            return None;
        }
        Some(ConfigCursor { quote: quote.unwrap_or('"'), ..place(Slot::Value(key), from..to) })
    }

    fn keys(&self, table: usize) -> Vec<Completion> {
        let completion = |name: &str, value: &str, snippet: String, about: Markup| {
            let (inserted, snippet) = match self.has_value {
                true => (name.to_owned(), None),
                false => (format!("{name} = {value}"), Some(format!("{name} = {snippet}"))),
            };
            Completion {
                snippet,
                documentation: vec![about],
                ..Completion::new(CompletionKind::Key, name, self.word.clone(), inserted)
            }
        };
        let is_new = |name: &str| !self.present.contains(&name);
        if let Some(keys) = keys_of(table) {
            return keys
                .iter()
                .filter(|key| is_new(key.name))
                .map(|key| {
                    let snippet = match key.value.parse::<usize>() {
                        Ok(number) => format!("${{1:{number}}}"),
                        Err(_) => key.value.replace("\"\"", "\"$1\""),
                    };
                    completion(key.name, key.value, snippet, Markup::text(key.about))
                })
                .collect();
        }
        let codes = Code::ALL.iter().filter(|code| is_new(code.id()));
        codes
            .map(|&code| {
                let choice = format!("\"${{1|{}|}}\"", severities().join(","));
                let value = format!("\"{OFF}\"");
                let found = completion(code.id(), &value, choice, about_code(code));
                Completion { detail: code.severity().id().to_owned(), ..found }
            })
            .collect()
    }

    fn values(&self, table: usize, key: &str) -> Vec<Completion> {
        let words: Vec<(&str, String)> = match (table, key) {
            (STORES, "kind") => STORE_KINDS.map(|(kind, about)| (kind, about.to_owned())).to_vec(),
            (RULES | STORES, "dialect") => {
                let specs = Dialect::ALL.map(Dialect::spec);
                specs.map(|spec| (spec.id, spec.title.to_owned())).to_vec()
            }
            (RULES, "engine") => {
                ENGINES.iter().map(|engine| (engine.id, engine.title.to_owned())).collect()
            }
            (RULES, "encoding") => TokenEncoding::ALL
                .map(|encoding| (encoding.id(), encoding.models().to_owned()))
                .to_vec(),
            (RULES | IGNORES | STORES | TOP, _) => Vec::new(),
            _ => {
                let usual = Code::from_id(key).map(|code| code.severity().id());
                let detail = |word| if usual == Some(word) { "the usual" } else { "" };
                severities().into_iter().map(|word| (word, detail(word).to_owned())).collect()
            }
        };
        let quote = self.quote;
        words
            .into_iter()
            .map(|(word, detail)| {
                let inserted = format!("{quote}{word}{quote}");
                Completion {
                    detail,
                    filter: Some(inserted.clone()),
                    ..Completion::new(CompletionKind::Value, word, self.word.clone(), inserted)
                }
            })
            .collect()
    }
}

/// The valid words for severities.
fn severities() -> Vec<&'static str> {
    let all = [Severity::Hint, Severity::Information, Severity::Warning, Severity::Error];
    std::iter::once(OFF).chain(all.map(Severity::id)).collect()
}

/// The table that contains a line, and its keys on other lines; `None` inside a list.
fn table_around(text: &str, start: usize, end: usize) -> Option<(Option<usize>, Vec<&str>)> {
    let above: Vec<&str> = text[..start].lines().collect();
    let is_header = |line: &&str| line.trim_start().starts_with('[') && !line.contains('=');
    let header = above.iter().rposition(is_header);
    let name = header.map(|header| above[header].split('#').next().unwrap_or_default().trim());
    let table = match name {
        Some(name) => table_of(name),
        None => Some(TOP),
    };
    let behind = text[end..].lines().skip(1).take_while(|line| !is_header(line));
    let own = above[header.map_or(0, |header| header + 1)..].iter().copied();
    let count = |mark: char| own.clone().map(|line| line.matches(mark).count()).sum::<usize>();
    if count('[') > count(']') {
        return None;
    }
    let keys = own.chain(behind).filter_map(|line| Some(line.split_once('=')?.0));
    let present = keys.map(|key| key.trim().trim_matches(['"', '\'']));
    Some((table, present.collect()))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn with_cursor(marked: &str) -> (String, usize) {
        let cursor = marked.find("$0").expect("the text marks the cursor with $0");
        (marked.replacen("$0", "", 1), cursor)
    }

    /// The first completions, as the resulting line.
    #[track_caller]
    fn check(marked: &str, expected: Expect) {
        let (text, offset) = with_cursor(marked);
        let found = complete(&text, offset);
        let shown = found.iter().take(4).map(|found| {
            let mut after = text.clone();
            after.replace_range(found.replaced.clone(), &found.inserted);
            let snippet = found.snippet.as_ref().map(|snippet| format!(" or {snippet}"));
            format!("{after:?}{}\n", snippet.unwrap_or_default())
        });
        let shown: String = shown.collect();
        expected.assert_eq(&format!("{shown}{} in all\n", found.len()));
    }

    #[test]
    fn tables_and_their_keys_are_completed() {
        check(
            "$0",
            expect![[r#"
                "root = true" or root = true
                "templates = \"\"" or templates = "$1"
                "[[prompts]]"
                "[problems]"
                6 in all
            "#]],
        );
        check(
            "[$0]",
            expect![[r#"
                "[[prompts]]"
                "[problems]"
                "[[ignore]]"
                "[stores.name]"
                4 in all
            "#]],
        );
        check(
            "[[prompts]]\nfiles = ['a']\ndi$0",
            expect![[r#"
                "[[prompts]]\nfiles = ['a']\nstrings = [\"\"]" or strings = ["$1"]
                "[[prompts]]\nfiles = ['a']\ndialect = \"\"" or dialect = "$1"
                "[[prompts]]\nfiles = ['a']\nengine = \"\"" or engine = "$1"
                "[[prompts]]\nfiles = ['a']\nengines = [\"\"]" or engines = ["$1"]
                18 in all
            "#]],
        );
        check(
            "[[prompts]]\ndi$0 = 'adk'\n[problems]\n",
            expect![[r#"
                "[[prompts]]\nfiles = 'adk'\n[problems]\n"
                "[[prompts]]\nstrings = 'adk'\n[problems]\n"
                "[[prompts]]\ndialect = 'adk'\n[problems]\n"
                "[[prompts]]\nengine = 'adk'\n[problems]\n"
                19 in all
            "#]],
        );
        check(
            "[[prompts]]\n[problems]\nunused-input = 'off'\n$0",
            expect![[r#"
                "[[prompts]]\n[problems]\nunused-input = 'off'\nundefined-placeholder = \"off\"" or undefined-placeholder = "${1|off,hint,info,warning,error|}"
                "[[prompts]]\n[problems]\nunused-input = 'off'\nundeclared-variable = \"off\"" or undeclared-variable = "${1|off,hint,info,warning,error|}"
                "[[prompts]]\n[problems]\nunused-input = 'off'\nunused-variable = \"off\"" or unused-variable = "${1|off,hint,info,warning,error|}"
                "[[prompts]]\n[problems]\nunused-input = 'off'\ntype-mismatch = \"off\"" or type-mismatch = "${1|off,hint,info,warning,error|}"
                45 in all
            "#]],
        );
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "a table of cases")]
    fn values_of_enumerated_keys_are_completed() {
        check(
            "[[prompts]]\ndialect = \"$0\n",
            expect![[r#"
                "[[prompts]]\ndialect = \"agentensemble\"\n"
                "[[prompts]]\ndialect = \"adk\"\n"
                "[[prompts]]\ndialect = \"entaingine\"\n"
                "[[prompts]]\ndialect = \"promptpack\"\n"
                7 in all
            "#]],
        );
        check(
            "[[prompts]]\ndialect = 'a$0dk' # x",
            expect![[r#"
                "[[prompts]]\ndialect = 'agentensemble' # x"
                "[[prompts]]\ndialect = 'adk' # x"
                "[[prompts]]\ndialect = 'entaingine' # x"
                "[[prompts]]\ndialect = 'promptpack' # x"
                7 in all
            "#]],
        );
        check(
            "[[prompts]]\ndialect = $0",
            expect![[r#"
                "[[prompts]]\ndialect = \"agentensemble\""
                "[[prompts]]\ndialect = \"adk\""
                "[[prompts]]\ndialect = \"entaingine\""
                "[[prompts]]\ndialect = \"promptpack\""
                7 in all
            "#]],
        );
        check(
            "[[prompts]]\nencoding = \"$0\"",
            expect![[r#"
            "[[prompts]]\nencoding = \"o200k_base\""
            "[[prompts]]\nencoding = \"cl100k_base\""
            2 in all
        "#]],
        );
        check(
            "[[prompts]]\nfiles=1\ndialect=1\ninputs=1\nvariables=1\nruntime=1\nliteral=1\n$0",
            expect![[r#"
                "[[prompts]]\nfiles=1\ndialect=1\ninputs=1\nvariables=1\nruntime=1\nliteral=1\nstrings = [\"\"]" or strings = ["$1"]
                "[[prompts]]\nfiles=1\ndialect=1\ninputs=1\nvariables=1\nruntime=1\nliteral=1\nengine = \"\"" or engine = "$1"
                "[[prompts]]\nfiles=1\ndialect=1\ninputs=1\nvariables=1\nruntime=1\nliteral=1\nengines = [\"\"]" or engines = ["$1"]
                "[[prompts]]\nfiles=1\ndialect=1\ninputs=1\nvariables=1\nruntime=1\nliteral=1\nagent = \"\"" or agent = "$1"
                13 in all
            "#]],
        );
        check(
            "[stores.prod]\nki$0",
            expect![[r#"
                "[stores.prod]\nkind = \"\"" or kind = "$1"
                "[stores.prod]\ndialect = \"\"" or dialect = "$1"
                "[stores.prod]\nprompts = \"\"" or prompts = "$1"
                "[stores.prod]\nfolder = \"\"" or folder = "$1"
                12 in all
            "#]],
        );
        check(
            "[stores.prod]\nkind = \"$0\"",
            expect![[r#"
            "[stores.prod]\nkind = \"filesystem\""
            "[stores.prod]\nkind = \"langfuse\""
            2 in all
        "#]],
        );
        check(
            "[problems]\nunused-input = \"$0\"",
            expect![[r#"
            "[problems]\nunused-input = \"off\""
            "[problems]\nunused-input = \"hint\""
            "[problems]\nunused-input = \"info\""
            "[problems]\nunused-input = \"warning\""
            5 in all
        "#]],
        );
        check(
            "[[prompts]]\nliteral = [\"$0\"]",
            expect![[r#"
            0 in all
        "#]],
        );
        check(
            "[[prompts]]\nfiles = [\n  \"$0\"\n]",
            expect![[r#"
            0 in all
        "#]],
        );
        check(
            "# [$0",
            expect![[r#"
            0 in all
        "#]],
        );
    }

    #[test]
    fn keys_of_the_config_have_hovers() {
        #[track_caller]
        fn check(marked: &str, expected: Expect) {
            let (text, offset) = with_cursor(marked);
            let shown = hover(&text, offset)
                .map(|(range, about)| format!("{}: {}\n", &text[range], about.markdown(|_| None)));
            expected.assert_eq(&shown.unwrap_or_default());
        }
        check(
            "[[prompts]]\nfil$0es = []",
            expect![[r#"
            files: **`files`**

            Which files are prompts of this rule: globs as in `.gitignore`, relative to this file.
        "#]],
        );
        check(
            "[[prom$0pts]]",
            expect![[r#"
            [[prompts]]: **`[[prompts]]`**

            A rule: which files are prompts, their dialect, and what they share. The first rule that matches a file applies.
        "#]],
        );
        check(
            "[[prompts]]\ndialect = 'ad$0k'",
            expect![[r#"
            'adk': **`adk`**

            Google ADK, with placeholders in `{…}`
        "#]],
        );
        check(
            "[[prompts]]\nencoding = 'cl100k$0_base'",
            expect![[r#"
            'cl100k_base': **`cl100k_base`**

            Tokens of GPT-4 and GPT-3.5
        "#]],
        );
        check(
            "[problems]\nunused-inp$0ut = 'off'",
            expect![[r#"
                unused-input: **`unused-input`** — warning by default

                An inputs file has a key that its prompt never reads. If several prompts share the file, a key is
                reported only if none of them reads it.

                These keys are not reported:

                - keys for editors and for comments, such as `$schema`, `//` and `_comment`,
                - a key that a misspelt name in the prompt probably means, because that name is already reported,
                - the value of a required variable, without which PromptPack sends nothing.

                Details: `promptls explain unused-input`
            "#]],
        );
        check(
            "[stores.prod]\nkind = 'lang$0fuse'",
            expect![[r#"
                'langfuse': **`langfuse`**

                Langfuse, with versions and labels
            "#]],
        );
        check(
            "[stores.pr$0od]",
            expect![[r#"
            [stores.prod]: **`[stores.name]`**

            A store of prompts, for `promptls store`: a folder, or Langfuse, with a name of your choice.
        "#]],
        );
        check("[problems]\nunused-input = 'o$0ff'", expect![[r#""#]]);
        check("[[prompts]]\n[oth$0er]", expect![[r#""#]]);
    }
}
