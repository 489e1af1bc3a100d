//! Keys that are joined from a prefix and a name: `f"{PREFIX}:seen"`, `State.USER_PREFIX + "seen"`.

use super::super::access::is_key;
use super::constants::Constants;
use crate::code::Tokens;
use crate::language::Language;

/// The prefixes of ADK's keys, and the words in the names of its constants for them.
const PREFIXES: [(&str, &str); 3] = [("app:", "app"), ("user:", "user"), ("temp:", "temp")];

/// A key whose prefix is an expression.
pub(super) struct PrefixedKey<'s> {
    /// The last part of the name of the prefix.
    prefix: &'s str,
    /// The text that follows the prefix.
    rest: &'s str,
}

impl<'s> PrefixedKey<'s> {
    /// The key at a token: a string with a field at its start, or the last part of the name of a
    /// prefix, to which a string is added.
    pub fn at(tokens: &Tokens<'s>, at: usize) -> Option<PrefixedKey<'s>> {
        if tokens.is_literal(at) {
            return in_literal(tokens.language, tokens.text(at));
        }
        let is_sum = tokens.text(at + 1) == "+" && tokens.is_literal(at + 2);
        let (_, rest) = inside(tokens.text(at + 2)).filter(|_| is_sum && tokens.is_word(at))?;
        (!rest.is_empty()).then_some(PrefixedKey { prefix: tokens.text(at), rest })
    }

    /// The key, if the prefix is a constant of the file or of ADK.
    pub fn value(&self, source: &str, constants: &Constants<'_>) -> Option<String> {
        let prefix = match constants.has(self.prefix) {
            true => &source[constants.key(self.prefix)?],
            false => of_adk(self.prefix)?,
        };
        let key = format!("{prefix}{}", self.rest);
        self.may_be(&key).then_some(key)
    }

    /// All keys that it can be: one, or one for each prefix of ADK.
    pub fn values(&self, source: &str, constants: &Constants<'_>) -> Vec<String> {
        if let Some(key) = self.value(source, constants) {
            return vec![key];
        }
        let rest = self.rest.trim_start_matches(':');
        let keys = PREFIXES.iter().map(|(prefix, _)| format!("{prefix}{rest}"));
        keys.filter(|key| self.may_be(key)).collect()
    }

    /// A search for a key in text looks for what follows its `:`, so that must be written here.
    fn may_be(&self, key: &str) -> bool {
        let name = key.split_once(':').map(|(_, name)| name);
        is_key(key) && name.is_some_and(|name| !name.is_empty() && self.rest.ends_with(name))
    }
}

/// The value of a constant of ADK: `State.USER_PREFIX`, in Go `session.KeyPrefixUser`.
fn of_adk(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    let word = name.strip_suffix("_prefix").or_else(|| name.strip_prefix("keyprefix"))?;
    PREFIXES.iter().find(|(_, known)| *known == word).map(|(prefix, _)| *prefix)
}

/// A string that starts with a field and ends with text.
fn in_literal(language: Language, written: &str) -> Option<PrefixedKey<'_>> {
    let (start, inside) = inside(written)?;
    let is_formatted = start.contains(['f', 'F']);
    let field = match language {
        Language::Python if is_formatted => inside.strip_prefix('{')?,
        Language::TypeScript | Language::Tsx | Language::JavaScript if written.starts_with('`') => {
            inside.strip_prefix("${")?
        }
        Language::Kotlin => inside.strip_prefix('$')?,
        _ => return None,
    };
    let (path, rest) = match (language, field.strip_prefix('{')) {
        (Language::Kotlin, None) => field.split_at(field.find(|char| !is_part(char))?),
        (Language::Kotlin, Some(braced)) => braced.split_once('}')?,
        _ => field.split_once('}')?,
    };
    let is_path = !path.is_empty() && path.chars().all(|char| is_part(char) || char == '.');
    let prefix = path.rsplit('.').next()?;
    (is_path && !rest.is_empty()).then_some(PrefixedKey { prefix, rest })
}

/// The text before the quotes of a literal, and between them.
fn inside(written: &str) -> Option<(&str, &str)> {
    let (start, quoted) = written.split_at(written.find(['"', '\'', '`'])?);
    Some((start, quoted.trim_matches(quoted.chars().next()?)))
}

fn is_part(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

#[cfg(test)]
mod tests {
    use super::super::super::flow;
    use super::*;

    #[test]
    fn a_key_with_a_prefix_is_found() {
        for (language, source, key, expected) in [
            (Language::Python, "P = 'user'\nstate[f'{P}:seen'] = 1", "user:seen", true),
            (Language::Python, "P = 'user'\nstate[f'{P}:seen'] = 1", "app:seen", false),
            (Language::Python, "state[f'{State.USER_PREFIX}seen'] = 1", "user:seen", true),
            (Language::Python, "state[State.APP_PREFIX + 'seen'] = 1", "app:seen", true),
            (Language::Python, "from k import P\nstate[f'{P}:seen'] = 1", "temp:seen", true),
            (Language::Python, "f('{P}:seen')", "temp:seen", false),
            (Language::Python, "f(f'{P}_seen')", "P_seen", false),
            (Language::TypeScript, "const P = 'user'; s.set(`${P}:seen`, 1)", "user:seen", true),
            (Language::Kotlin, "const val P = \"user\"\ns[\"$P:seen\"] = 1", "user:seen", true),
            (Language::Kotlin, "s[\"${State.APP_PREFIX}seen\"] = 1", "app:seen", true),
            (Language::Java, "s.put(State.USER_PREFIX + \"seen\", 1);", "user:seen", true),
            (Language::Go, "s.Set(session.KeyPrefixUser + \"seen\", 1)", "user:seen", true),
        ] {
            assert_eq!(flow(language, source).mentions(key), expected, "{source}: {key}");
        }
    }

    #[test]
    fn a_key_with_a_constant_prefix_is_not_computed() {
        for (source, expected) in [
            ("P = 'user'\nstate[f'{P}:seen'] = 1", false),
            ("state[State.USER_PREFIX + 'seen'] = 1", false),
            ("state[f'{prefix}:seen'] = 1", true),
            ("state.setdefault(f'{prefix}:seen', 1)", true),
        ] {
            assert_eq!(flow(Language::Python, source).computes_keys, expected, "{source}");
        }
    }
}
