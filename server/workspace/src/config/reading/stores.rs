//! Reads the `[stores.NAME]` tables of a config.

use std::ops::Range;
use std::path::Path;

use promptls_analysis::did_you_mean;
use promptls_resolver::Prompt;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{ConfigReader, TomlKey};
use crate::config::keys::{STORE_KEYS, STORE_KINDS};
use crate::config::stores::{StoreConfig, StoreKind};
use crate::files::paths::absolute;

/// The values of the table, by key.
#[derive(Default)]
struct StoreValues {
    texts: Vec<(&'static str, String, Range<usize>)>,
}

impl StoreValues {
    fn take(&mut self, key: &str) -> Option<(String, Range<usize>)> {
        let at = self.texts.iter().position(|(name, _, _)| *name == key)?;
        let (_, text, span) = self.texts.swap_remove(at);
        Some((text, span))
    }
}

impl ConfigReader {
    pub(super) fn stores(&mut self, key: &TomlKey<'_>, value: &Spanned<DeValue<'_>>) {
        let DeValue::Table(stores) = value.get_ref() else {
            return self.problem(key.span(), "stores are written `[stores.NAME]`");
        };
        for (name, value) in stores {
            let DeValue::Table(table) = value.get_ref() else {
                self.problem(name.span(), "stores are written `[stores.NAME]`");
                continue;
            };
            if name.get_ref().is_empty() || name.get_ref().contains([':', '/', '\\']) {
                self.problem(name.span(), "the name of a store cannot contain `:` or `/`");
                continue;
            }
            if let Some(store) = self.store(name.span(), table) {
                self.config.stores.insert(name.get_ref().to_string(), store);
            }
        }
    }

    fn store(&mut self, span: Range<usize>, table: &DeTable<'_>) -> Option<StoreConfig> {
        let mut written = StoreValues::default();
        for (key, value) in table {
            match STORE_KEYS.iter().find(|known| known.name == key.get_ref()) {
                Some(known) => {
                    if let Some(text) = self.string(key, value) {
                        written.texts.push((known.name, text, value.span()));
                    }
                }
                None => self.unknown_key(key, STORE_KEYS.iter().map(|key| key.name)),
            }
        }
        let home = self.config.folder().to_owned();
        let dialect = written.take("dialect");
        let dialect = dialect.and_then(|(id, span)| self.dialect(&id, span));
        let prompts = written.take("prompts").map(|(folder, _)| folder).unwrap_or_default();
        let Some((kind, kind_span)) = written.take("kind") else {
            self.problem(span, "a store needs a `kind`: \"filesystem\" or \"langfuse\"");
            return None;
        };
        let kind = match &*kind {
            "filesystem" => {
                let Some((folder, _)) = written.take("folder") else {
                    self.problem(span, "a store of this kind needs a `folder`");
                    return None;
                };
                StoreKind::Filesystem { folder: absolute(&home, Path::new(&folder)) }
            }
            "langfuse" => StoreKind::Hosted {
                url: written.take("url").map(|(url, _)| url),
                host_env: self.variable(&mut written, "host_env", "LANGFUSE_HOST"),
                public_key_env: self.variable(
                    &mut written,
                    "public_key_env",
                    "LANGFUSE_PUBLIC_KEY",
                ),
                secret_key_env: self.variable(
                    &mut written,
                    "secret_key_env",
                    "LANGFUSE_SECRET_KEY",
                ),
            },
            unknown => {
                let known = STORE_KINDS.map(|(kind, _)| kind);
                let hint = did_you_mean(unknown, known);
                let known = known.join(", ");
                self.problem(kind_span, format!("unknown kind `{unknown}`; known: {known}{hint}"));
                return None;
            }
        };
        for (key, _, span) in written.texts {
            self.problem(span, format!("a store of this kind has no `{key}`"));
        }
        Some(StoreConfig {
            config: self.config.path.as_path().into(),
            kind,
            dialect: dialect.unwrap_or_else(|| Prompt::empty().dialect()),
            prompts: absolute(&home, Path::new(&prompts)),
        })
    }

    /// The name of an environment variable. A key that was pasted here by mistake is rejected, and
    /// not repeated in messages.
    fn variable(&mut self, written: &mut StoreValues, key: &str, usual: &str) -> String {
        let Some((name, span)) = written.take(key) else { return usual.to_owned() };
        let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        if name.is_empty() || !name.chars().all(is_name) {
            let why = "must be the name of an environment variable, in capitals, not its value";
            self.problem(span, format!("`{key}` {why}"));
            return usual.to_owned();
        }
        name
    }
}
