//! Edits of `promptls.toml` that keep everything else verbatim.

use std::path::{Path, PathBuf};

use promptls_analysis::ConfigChange;
use promptls_resolver::{Code, Severity};
use toml_edit::{Array, DocumentMut, InlineTable, Item, TableLike, Value};

use super::{CONFIG_NAME, Config, Rule};

/// The text of a config with one more setting for a prompt: in its rule, or in a new rule at the
/// end. `None` if the text is not valid TOML.
///
/// `path` is the path of the config, which may not exist yet; both paths are absolute.
///
/// ```
/// use std::path::Path;
///
/// use promptls_analysis::ConfigChange;
/// use promptls_workspace::{Config, edit_config};
///
/// let (config, prompt) = (Path::new("/work/promptls.toml"), Path::new("/work/a.prompt"));
/// let change = ConfigChange::Runtime("date".to_owned());
/// let text = edit_config("# Ours.\n", config, prompt, &change).unwrap();
/// let rule = Config::parse(config, &text).own_rules.remove(0);
/// assert!(rule.matches(prompt) && rule.runtime.contains("date"));
/// assert!(text.starts_with("# Ours."));
/// ```
pub fn edit_config(
    text: &str,
    path: &Path,
    prompt: &Path,
    change: &ConfigChange,
) -> Option<String> {
    let config = Config::parse(path, text);
    let mut document: DocumentMut = text.parse().ok()?;
    let own_pattern = || pattern_of(prompt.strip_prefix(config.folder()).ok()?);
    let rule = match change {
        // The strings of all rules count, and a rule may be for other files, too.
        ConfigChange::Value(_, dialect) => own_pattern().and_then(|pattern| {
            let is_its = |rule: &&Rule| rule.dialect == Some(*dialect) && rule.selects_strings();
            config.own_rules.iter().filter(is_its).find(|rule| rule.files.is_only(&pattern))
        }),
        _ => config.rule_for(prompt),
    };
    let after = match rule {
        Some(rule) => {
            change_rule(rule_at(document.get_mut("prompts")?, rule.position)?, change)?;
            document.to_string()
        }
        None => {
            let pattern = own_pattern()?;
            match document.get_mut("prompts").and_then(Item::as_array_mut) {
                // A config that writes its rules as an inline list gets the new rule in that list.
                Some(rules) => {
                    let mut rule = InlineTable::new();
                    rule.insert("files", Value::Array(Array::from_iter([pattern])));
                    change_rule(&mut rule, change)?;
                    rules.push(rule);
                    document.to_string()
                }
                None => with_rule(text, &pattern, change),
            }
        }
    };
    let errors = |config: &Config| {
        let problems = config.problems.iter();
        problems.filter(|problem| problem.severity == Severity::Error).count()
    };
    let read = Config::parse(path, &after);
    let has_effect = read.rule_for(prompt).is_some() && errors(&read) <= errors(&config);
    has_effect.then_some(after)
}

fn rule_at(rules: &mut Item, position: usize) -> Option<&mut dyn TableLike> {
    match rules {
        Item::ArrayOfTables(tables) => {
            tables.get_mut(position).map(|table| table as &mut dyn TableLike)
        }
        Item::Value(Value::Array(list)) => {
            let table = list.get_mut(position)?.as_inline_table_mut()?;
            Some(table as &mut dyn TableLike)
        }
        _ => None,
    }
}

fn change_rule(rule: &mut dyn TableLike, change: &ConfigChange) -> Option<()> {
    let (key, name) = setting_of(change);
    if let ConfigChange::Dialect(_) | ConfigChange::Engine(_) = change {
        // A rule may have only one of these keys; a dialect may accompany an engine.
        ["engine", "engines"].into_iter().filter(|other| *other != key).for_each(|other| {
            rule.remove(other);
        });
        rule.insert(key, toml_edit::value(name));
        return Some(());
    }
    if let ConfigChange::Value(_, dialect) = change {
        rule.entry("dialect").or_insert(toml_edit::value(dialect.spec().id));
    }
    let names = rule.entry(key).or_insert_with(|| toml_edit::value(Array::new())).as_array_mut()?;
    if names.iter().any(|known| known.as_str() == Some(name)) {
        return Some(());
    }
    let prefix = names.iter().last().and_then(|last| last.decor().prefix()?.as_str());
    match prefix.filter(|prefix| prefix.contains('\n')).map(str::to_owned) {
        // In a multi-line list, the item gets its own line, after any comment on the previous line.
        Some(prefix) => {
            let rest = names.trailing().as_str().unwrap_or_default().to_owned();
            let comment = rest.trim_end();
            names.set_trailing(&rest[comment.len()..]);
            names.push_formatted(Value::from(name).decorated(format!("{comment}{prefix}"), ""));
        }
        None => names.push(name),
    }
    Some(())
}

/// Appends a rule to a text; a table may always start at the end.
fn with_rule(text: &str, pattern: &str, change: &ConfigChange) -> String {
    let (key, name) = setting_of(change);
    let name = Value::from(name).to_string();
    let value = match change {
        ConfigChange::Dialect(_) | ConfigChange::Engine(_) => name,
        ConfigChange::Runtime(_) | ConfigChange::Literal(_) => format!("[{name}]"),
        ConfigChange::Value(_, dialect) => {
            format!("[{name}]\ndialect = {}", Value::from(dialect.spec().id))
        }
    };
    let rule = format!("[[prompts]]\nfiles = [{}]\n{key} = {value}\n", Value::from(pattern));
    with_tables(text, &rule)
}

/// Appends tables to a text; a table may always start at the end.
fn with_tables(text: &str, tables: &str) -> String {
    let gap = match text {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    format!("{text}{}", format!("{gap}{tables}").replace('\n', newline))
}

/// An `[[ignore]]` entry to add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewIgnore {
    /// The files with the problems: absolute paths in the folder of the config.
    pub files: Vec<PathBuf>,
    /// The code of the problems.
    pub code: Code,
    /// The names that the problems are about; empty for any.
    pub names: Vec<String>,
}

/// The text of a config with more ignores, and with a reason unless it is empty. `None` if the
/// result would not parse, or if a file name cannot be written.
///
/// Cost: the text.
pub fn add_ignores(
    text: &str,
    folder: &Path,
    ignores: &[NewIgnore],
    reason: &str,
) -> Option<String> {
    let mut tables = Vec::new();
    for NewIgnore { files, code, names } in ignores {
        let pattern = |file: &PathBuf| pattern_of(file.strip_prefix(folder).ok()?);
        let files: Option<Vec<String>> = files.iter().map(pattern).collect();
        let mut table = format!("[[ignore]]\nfiles = {}\n", list(&files?));
        table.push_str(&format!("codes = {}\n", list(&[code.id().to_owned()])));
        if !names.is_empty() {
            table.push_str(&format!("names = {}\n", list(names)));
        }
        if !reason.is_empty() {
            table.push_str(&format!("reason = {}\n", Value::from(reason)));
        }
        tables.push(table);
    }
    // An ignore in a text that does not parse has no effect, so each run would add it again.
    text.parse::<DocumentMut>().ok()?;
    let after = with_tables(text, &tables.join("\n"));
    let path = folder.join(CONFIG_NAME);
    let is_understood = |text: &str| Config::parse(&path, text).problems.is_empty();
    (is_understood(&after) || !is_understood(text)).then_some(after)
}

/// Formats texts as a list, one per line if there are several.
fn list(texts: &[String]) -> String {
    match texts {
        [one] => format!("[{}]", Value::from(one)),
        all => {
            let lines = all.iter().map(|text| format!("    {},\n", Value::from(text)));
            format!("[\n{}]", lines.collect::<String>())
        }
    }
}

/// The key of a rule that a change affects, and the value that it adds.
fn setting_of(change: &ConfigChange) -> (&'static str, &str) {
    match change {
        ConfigChange::Runtime(name) => ("runtime", name),
        ConfigChange::Literal(name) => ("literal", name),
        ConfigChange::Dialect(dialect) => ("dialect", dialect.spec().id),
        ConfigChange::Engine(engine) => ("engine", engine),
        ConfigChange::Value(path, _) => ("strings", path),
    }
}

/// The glob that matches exactly one file; `None` if its name is not Unicode.
fn pattern_of(relative: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = relative.iter().map(|part| part.to_str()).collect();
    let mut pattern = String::new();
    for character in parts?.join("/").chars() {
        if "*?[]{}\\!# ".contains(character) {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    // A pattern without a slash would match in every folder.
    let is_deep = pattern.contains('/');
    Some(if is_deep { pattern } else { format!("/{pattern}") })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use promptls_syntax::Dialect;

    use super::*;

    #[track_caller]
    fn check(text: &str, change: &ConfigChange, expected: Expect) {
        let (config, prompt) = (Path::new("/p/promptls.toml"), Path::new("/p/a/x.prompt"));
        let after = edit_config(text, config, prompt, change);
        expected.assert_eq(&after.unwrap_or_else(|| "no edit\n".to_owned()));
    }

    fn runtime() -> ConfigChange {
        ConfigChange::Runtime("user:id".to_owned())
    }

    #[test]
    fn a_name_is_added_to_the_rule_of_the_prompt() {
        let first = "# ours\n[[prompts]]\nfiles = ['b/*']\n\n";
        check(
            &format!("{first}[[prompts]] # a\nfiles = ['a/*'] # all\n\n[problems]\n"),
            &runtime(),
            expect![[r##"
                # ours
                [[prompts]]
                files = ['b/*']

                [[prompts]] # a
                files = ['a/*'] # all
                runtime = ["user:id"]

                [problems]
            "##]],
        );
        check(
            "[[prompts]]\nfiles = ['a/*']\nruntime = ['b'] # two\n",
            &runtime(),
            expect![[r#"
            [[prompts]]
            files = ['a/*']
            runtime = ['b', "user:id"] # two
        "#]],
        );
        check(
            "[[prompts]]\nfiles = ['a/*']\nruntime = [\n  'b',\n  'c', # last\n]\n",
            &runtime(),
            expect![[r#"
                [[prompts]]
                files = ['a/*']
                runtime = [
                  'b',
                  'c', # last
                  "user:id",
                ]
            "#]],
        );
        check(
            "[[prompts]]\nfiles = ['a/*']\nruntime = ['user:id']\n",
            &runtime(),
            expect![[r#"
            [[prompts]]
            files = ['a/*']
            runtime = ['user:id']
        "#]],
        );
        check(
            "prompts = [{ files = ['a/*'] }]\n",
            &runtime(),
            expect![[r#"
            prompts = [{ files = ['a/*'] , runtime = ["user:id"] }]
        "#]],
        );
    }

    #[test]
    fn a_value_is_added_only_to_a_rule_of_exactly_its_file() {
        let value = ConfigChange::Value("agents.one.prompt".to_owned(), Dialect::Adk);
        let rule = |files: &str| {
            format!("[[prompts]]\nfiles = ['{files}']\nstrings = ['x']\ndialect = 'adk'\n")
        };
        let texts = [rule("a/*"), rule("a/x.yaml"), "prompts = []\n".to_owned()];
        let (config, file) = (Path::new("/p/promptls.toml"), Path::new("/p/a/x.yaml"));
        let after = texts.map(|text| edit_config(&text, config, file, &value).unwrap());
        expect![[r#"
            [[prompts]]
            files = ['a/*']
            strings = ['x']
            dialect = 'adk'

            [[prompts]]
            files = ["a/x.yaml"]
            strings = ["agents.one.prompt"]
            dialect = "adk"
            ---
            [[prompts]]
            files = ['a/x.yaml']
            strings = ['x', "agents.one.prompt"]
            dialect = 'adk'
            ---
            prompts = [{ files = ["a/x.yaml"], dialect = "adk", strings = ["agents.one.prompt"] }]
        "#]]
        .assert_eq(&after.join("---\n"));
    }

    #[test]
    fn setting_an_engine_replaces_other_engine_keys() {
        let engine = ConfigChange::Engine("adk-go@2.2".to_owned());
        let rule = "[[prompts]]\nfiles = ['a/*']\n";
        check(
            &format!("{rule}dialect = 'adk' # ours\nengines = ['adk-java', 'adk-js']\n"),
            &engine,
            expect![[r#"
                [[prompts]]
                files = ['a/*']
                dialect = 'adk' # ours
                engine = "adk-go@2.2"
            "#]],
        );
        check(
            &format!("{rule}engine = 'adk-java'\nagent = 'a'\n"),
            &engine,
            expect![[r#"
            [[prompts]]
            files = ['a/*']
            engine = "adk-go@2.2"
            agent = 'a'
        "#]],
        );
        let document = ConfigChange::Dialect(Dialect::Adk);
        check(
            &format!("{rule}engine = 'adk-java'\nagent = 'a'\n"),
            &document,
            expect![[r#"
            [[prompts]]
            files = ['a/*']
            agent = 'a'
            dialect = "adk"
        "#]],
        );
        check(
            &format!("{rule}dialect = 'agentle'\n"),
            &engine,
            expect![[r#"
            no edit
        "#]],
        );
        check(
            "",
            &engine,
            expect![[r#"
            [[prompts]]
            files = ["a/x.prompt"]
            engine = "adk-go@2.2"
        "#]],
        );
    }

    #[test]
    fn a_rule_is_added_for_a_prompt_without_one() {
        check(
            "",
            &ConfigChange::Dialect(Dialect::Adk),
            expect![[r#"
            [[prompts]]
            files = ["a/x.prompt"]
            dialect = "adk"
        "#]],
        );
        check(
            "[problems]\nunused-input = 'off'",
            &runtime(),
            expect![[r#"
            [problems]
            unused-input = 'off'

            [[prompts]]
            files = ["a/x.prompt"]
            runtime = ["user:id"]
        "#]],
        );
        check(
            "prompts = [{ files = ['b/*'] }]\n",
            &runtime(),
            expect![[r#"
            prompts = [{ files = ['b/*'] }, { files = ["a/x.prompt"], runtime = ["user:id"] }]
        "#]],
        );
        check(
            "[[prompts]\n",
            &runtime(),
            expect![[r#"
            no edit
        "#]],
        );
    }

    #[test]
    fn a_new_rule_matches_only_its_file() {
        for name in ["x.prompt", "a b.prompt", "a/[x]*.prompt", "#!{a}.prompt", "ü\\.prompt"] {
            let (config, prompt) = (Path::new("/p/promptls.toml"), Path::new("/p").join(name));
            let text = edit_config("", config, &prompt, &runtime());
            let text = text.unwrap_or_else(|| panic!("{name} has no rule"));
            let config = Config::parse(config, &text);
            assert!(config.rule_for(&Path::new("/p/other").join(name)).is_none(), "{text}");
        }
    }
}
