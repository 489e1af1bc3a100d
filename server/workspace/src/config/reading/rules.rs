//! Reads the `[[prompts]]` tables of a config.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{ConfigReader, TomlKey};
use crate::config::checked_glob::check_length;
use crate::config::inputs_glob::InputsGlob;
use crate::config::keys::RULE_KEYS;
use crate::config::rule::Rule;
use crate::config::string_entry::why_unusable;
use crate::config::variables_path::VariablesPath;

/// The maximum number of rules in a file.
pub const MAX_RULES: usize = 20_000;

/// The maximum number of globs in the `inputs` of a rule. Each is expanded for each prompt.
pub const MAX_INPUTS_GLOBS: usize = 200;

impl ConfigReader {
    pub(super) fn rules(&mut self, key: &TomlKey<'_>, value: &Spanned<DeValue<'_>>) {
        let DeValue::Array(rules) = value.get_ref() else {
            return self.problem(key.span(), "rules are written `[[prompts]]`, with two brackets");
        };
        if let Some(rule) = rules.get(MAX_RULES) {
            let message =
                format!("a file has at most {MAX_RULES} rules; the rules from here on are ignored");
            self.problem(rule.span(), message);
        }
        for (position, rule) in rules.iter().take(MAX_RULES).enumerate() {
            match rule.get_ref() {
                DeValue::Table(table) => self.rule(position, table, rule.span()),
                _ => self.problem(rule.span(), "a rule is a table: `[[prompts]]`"),
            }
        }
    }

    fn rule(&mut self, position: usize, table: &DeTable<'_>, span: Range<usize>) {
        let (config, folder) = (self.path.clone(), self.folder.clone());
        let mut rule = Rule::empty(config, folder, position, span.clone());
        let mut patterns = None;
        for (key, value) in table {
            match &**key.get_ref() {
                "files" => {
                    rule.range = value.span();
                    patterns = Some(self.strings(key, value));
                }
                // Engines are read after the dialect is known.
                "engine" | "engines" => {}
                _ => self.setting(&mut rule, key, value),
            }
        }
        self.engines(&mut rule, table);
        self.check_strings(&rule, table);
        let Some(patterns) = patterns else {
            return self.problem(span, "a rule needs `files`: the globs of its prompts");
        };
        for reason in rule.set_files(patterns) {
            self.problem(span.clone(), reason);
        }
        self.config.own_rules.push(rule);
    }

    /// Reads a key that does not depend on others.
    fn setting(&mut self, rule: &mut Rule, key: &TomlKey<'_>, value: &Spanned<DeValue<'_>>) {
        match &**key.get_ref() {
            "strings" => rule.strings = Some(self.strings(key, value)),
            "dialect" => {
                rule.dialect =
                    self.string(key, value).and_then(|id| self.dialect(&id, value.span()));
            }
            "agent" => rule.agent = self.string(key, value),
            "inputs" => {
                let globs = self.strings(key, value);
                if globs.len() > MAX_INPUTS_GLOBS {
                    let message = format!(
                        "a rule has at most {MAX_INPUTS_GLOBS} globs of inputs; the others are ignored"
                    );
                    self.problem(value.span(), message);
                }
                for glob in globs.into_iter().take(MAX_INPUTS_GLOBS) {
                    match InputsGlob::new(glob) {
                        Ok(glob) => rule.inputs.push(glob),
                        Err(reason) => self.problem(value.span(), reason),
                    }
                }
            }
            "variables" => {
                let path = self.string(key, value);
                match path.as_deref().map_or(Ok(()), check_length) {
                    Ok(()) => rule.variables = path.map(VariablesPath::new),
                    Err(reason) => self.problem(value.span(), reason),
                }
            }
            "runtime" => rule.runtime = self.names(key, value),
            "literal" => rule.literal = self.names(key, value),
            "max_tokens" => rule.max_tokens = self.positive(key, value),
            "max_output_tokens" => rule.max_output_tokens = self.positive(key, value),
            "task" => rule.task = self.number(key, value),
            "encoding" => {
                rule.encoding = self
                    .string(key, value)
                    .and_then(|id| self.encoding(&id, value.span()))
                    .unwrap_or_default();
            }
            "problems" => match value.get_ref() {
                DeValue::Table(table) => rule.severities = self.severities(table),
                _ => {
                    self.problem(value.span(), "`problems` is a table of codes and severities");
                }
            },
            _ => self.unknown_key(key, RULE_KEYS.iter().map(|key| key.name)),
        }
    }

    /// Reports `strings` without a dialect, and entries that select no strings.
    fn check_strings(&mut self, rule: &Rule, table: &DeTable<'_>) {
        let Some((key, value)) = table.get_key_value("strings") else { return };
        let has_some = rule.strings.as_ref().is_some_and(|strings| !strings.is_empty());
        if has_some && rule.dialect.is_none() {
            self.problem(key.span(), "a rule with `strings` needs `dialect` or `engine`");
        }
        for entry in value.get_ref().as_array().into_iter().flat_map(|entries| entries.iter()) {
            if let Some(why) = entry.get_ref().as_str().and_then(why_unusable) {
                self.problem(entry.span(), why);
            }
        }
    }
}
