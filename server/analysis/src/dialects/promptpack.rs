//! PromptPack: paths without whitespace.

use promptls_resolver::{is_in_every_object, root};
use promptls_syntax::TokenKind;

use crate::advice::Advice;
use crate::diagnose::hazards::{Construct, Hazard};
use crate::near_miss::{NearMiss, Remark};

pub(crate) static ADVICE: PromptPack = PromptPack;

pub(crate) struct PromptPack;

impl Advice for PromptPack {
    fn near_miss(&self, found: &NearMiss<'_>) -> Option<Remark> {
        if !found.has_two_braces() {
            return found.missing_braces();
        }
        let NearMiss { word, .. } = *found;
        let has_blanks = found.has_blanks();
        let first =
            word.trim_start_matches('.').split(['.', '[', '|', ' ']).next().unwrap_or_default();
        // Both belong to other languages, unless the name is known.
        if !found.is_known(first) && is_of_others(word, has_blanks) {
            return None;
        }
        if let Some((path, _)) = word.split_once('|') {
            let path = path.trim_end();
            let is_meant = found.may_mean(path) && is_path(path);
            return found.left_because("PromptPack has no filters").filter(|_| is_meant);
        }
        let path = word.trim_matches('.');
        if !found.may_mean(path) {
            return None;
        }
        if word.contains("['") || word.contains("[\"") {
            let instead =
                self.correction(found).map(|it| format!("; write `{it}`")).unwrap_or_default();
            return found.left_because(&format!("quoted keys are not supported{instead}"));
        }
        if word.contains("[-") {
            return found.left_because("an index counts from the start, as in `[0]`");
        }
        if has_blanks && is_path(word) {
            return found
                .left_because(&format!("whitespace is not allowed; write `{{{{{word}}}}}`"));
        }
        match is_path(path) || found.is_near(word) {
            true => found
                .left_because("a path consists of names joined by dots, with indexes like `[0]`"),
            false => None,
        }
    }

    fn correction(&self, found: &NearMiss<'_>) -> Option<String> {
        let path = with_dots(found.word.trim_matches('.'));
        is_path(&path).then(|| format!("{{{{{path}}}}}"))
    }

    fn hazards(&self) -> &'static [Hazard] {
        HAZARDS
    }
}

const HAZARDS: &[Hazard] = &[
    Hazard::new(
        "is a fragment in the documentation; promptkit-go and promptpack-langchainjs include it as `{{name}}`, promptpack-python as `{{fragment:name}}`",
        |found| found.is_fragment(),
    ),
    Hazard::new(
        "is a fragment only in promptpack-python: promptkit-go fails, the others send it unchanged",
        |found| found.is_fragment_of_python(),
    ),
    Hazard::new(
        "is a path, which no PromptPack engine supports: promptkit-go fails without a key of exactly that name, the others send it unchanged",
        |found| {
            let is_path = found.reads() && found.name.contains(['.', '[']);
            let dialect = found.snapshot().dialect();
            is_path && !found.is_fragment() && !dialect.injects(root(dialect, found.name))
        },
    ),
    Hazard::new("is sent unchanged, except by promptkit-go, which fails", |found| {
        !found.reads() && found.name.starts_with("{{") && !found.is_fragment_of_python()
    }),
    Hazard::new(
        "exists in every object in promptpack-langchainjs, which sends no value for it",
        |found| found.reads() && is_in_every_object(found.name),
    ),
    Hazard::new(
        "has a default that is not a string: promptkit-go ignores it, and fails without a value",
        |found| found.reads() && found.has_default_of_others() && found.may_be_missing(),
    ),
];

impl Construct<'_, '_> {
    /// Returns whether it is a fragment in the syntax that only promptpack-python has.
    fn is_fragment_of_python(&self) -> bool {
        let inside = self.name.strip_prefix("{{fragment:").and_then(|it| it.strip_suffix("}}"));
        let declarations = &self.snapshot().declarations;
        self.used.kind == TokenKind::NearMiss
            && inside.is_some_and(|name| declarations.fragment(name).is_some())
    }

    /// Returns whether the value is optional, and its default is not a text. A required one with a
    /// default is a problem of its declaration.
    fn has_default_of_others(&self) -> bool {
        let variable = self.snapshot().declarations.variable(self.name);
        variable.filter(|variable| !variable.required).is_some_and(|variable| {
            let default = variable.default.as_ref();
            default.is_some_and(|default| !default.is_null() && default.as_text().is_none())
        })
    }
}

/// A path with quoted keys in brackets converted to dots.
fn with_dots(path: &str) -> String {
    ["\"", "'"].into_iter().fold(path.to_owned(), |path, quote| {
        path.replace(&format!("[{quote}"), ".").replace(&format!("{quote}]"), "")
    })
}

/// The contexts of GitHub Actions, as in `${{ github.actor }}`.
const ACTIONS: [&str; 11] = [
    "env", "github", "inputs", "job", "jobs", "matrix", "needs", "runner", "secrets", "steps",
    "vars",
];

/// Returns whether a path belongs to a Go template, `{{.State.Pid}}`, or to an expression of GitHub
/// Actions.
fn is_of_others(word: &str, has_blanks: bool) -> bool {
    let of_go = word.starts_with('.');
    let of_actions =
        has_blanks && word.split_once('.').is_some_and(|(first, _)| ACTIONS.contains(&first));
    of_go || of_actions
}

fn is_path(word: &str) -> bool {
    let name = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    word.split('.').all(|step| {
        let (first, indexes) = step.split_at(step.find('[').unwrap_or(step.len()));
        name(first)
            && indexes.split_inclusive(']').all(|index| {
                index.strip_prefix('[').and_then(|index| index.strip_suffix(']')).is_some_and(
                    |digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()),
                )
            })
    })
}
