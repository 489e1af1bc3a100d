//! Which files hold prompts.

use std::path::Path;

use promptls_syntax::Dialect;

use super::config::{Config, Rule};
use super::readers::{Reader, reader_of};

/// Why a file holds prompts.
#[derive(Clone, Copy, Debug)]
pub struct Kind<'c> {
    /// The dialect that its rule or its name says.
    pub dialect: Option<Dialect>,
    /// The rule of `promptls.toml` that it is for.
    pub rule: Option<&'c Rule>,
}

/// Whether a file holds prompts: it ends in `.prompt`, a rule says so, or there is a reader for it.
///
/// `*.prompt.md` belongs to VS Code, unless a rule says otherwise.
///
/// ```
/// use std::path::Path;
///
/// use promptls_workspace::kind_of;
///
/// let kind = kind_of(Path::new("/work/support.adk.prompt"), None).unwrap();
/// assert_eq!(kind.dialect.unwrap().spec().id, "adk");
/// assert!(kind_of(Path::new("/work/notes.txt"), None).is_none());
/// ```
pub fn kind_of<'c>(path: &Path, config: Option<&'c Config>) -> Option<Kind<'c>> {
    kind_read_by(reader_of(path), path, config)
}

/// [`kind_of`] a file whose reader is known.
pub fn kind_read_by<'c>(
    reader: Option<&dyn Reader>,
    path: &Path,
    config: Option<&'c Config>,
) -> Option<Kind<'c>> {
    let rule = config.and_then(|config| config.rule_for(path));
    if let Some(reader) = reader {
        return Some(Kind { dialect: Some(reader.dialect()), rule });
    }
    let name = path.file_name()?.to_str()?;
    let is_prompt = name.strip_suffix(".prompt").is_some_and(|stem| !stem.is_empty());
    if rule.is_none() && !is_prompt {
        return None;
    }
    let dialect = rule.and_then(|rule| rule.dialect).or_else(|| infix(name));
    Some(Kind { dialect, rule })
}

/// The dialect in a name like `support.adk.prompt`.
fn infix(name: &str) -> Option<Dialect> {
    let (stem, _) = name.rsplit_once('.')?;
    let (_, infix) = stem.rsplit_once('.')?;
    Dialect::from_id(infix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_make_prompts_and_dialects() {
        let dialect = |name| kind_of(Path::new(name), None).map(|kind| kind.dialect);
        assert_eq!(dialect("a.prompt"), Some(None));
        assert_eq!(dialect("a.adk.prompt"), Some(Some(Dialect::Adk)));
        assert_eq!(dialect("a.b.prompt"), Some(None));
        assert_eq!(dialect("a.prompt.md"), None);
        assert_eq!(dialect(".prompt"), None);
        assert_eq!(dialect("a.txt"), None);
        assert_eq!(dialect("a.pack.json"), Some(Some(Dialect::PromptPack)));
    }
}
