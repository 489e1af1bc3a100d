//! PromptPack: paths without blanks.

use promptls_resolver::root;

use crate::advice::Advice;
use crate::diagnose::hazards::Hazard;
use crate::near_miss::{NearMiss, Remark};

pub(crate) const ADVICE: Advice = Advice {
    hazards: &[
        Hazard {
            about: "is a fragment in the document; promptkit-go and promptpack-langchainjs include it as `{{name}}`, promptpack-python as `{{fragment:name}}`",
            is_it: |found| found.is_fragment(),
        },
        Hazard {
            about: "is a path, which no engine of PromptPack follows: promptkit-go fails without a key of that very name, the others send it as it is written",
            is_it: |found| {
                let is_path = found.reads() && found.name.contains(['.', '[']);
                let dialect = found.snapshot.dialect();
                is_path && !found.is_fragment() && !dialect.injects(root(dialect, found.name))
            },
        },
        Hazard {
            about: "is sent as it is written, but for promptkit-go, which fails",
            is_it: |found| !found.reads() && found.name.starts_with("{{"),
        },
    ],
    ..Advice::new(near_miss, mended)
};

fn near_miss(found: &NearMiss<'_>) -> Option<Remark> {
    if !found.has_two_braces() {
        return found.lacks_braces();
    }
    let NearMiss { word, .. } = *found;
    let has_blanks = found.has_blanks();
    let first = word.trim_start_matches('.').split(['.', '[', '|', ' ']).next().unwrap_or_default();
    // Both are of other languages, unless the name is one of ours.
    if !found.is_known(first) && is_of_others(word, has_blanks) {
        return None;
    }
    if let Some((path, _)) = word.split_once('|') {
        let path = path.trim_end();
        let is_meant = found.may_mean(path) && is_path(path);
        return found.left_because("there are no filters").filter(|_| is_meant);
    }
    let path = word.trim_matches('.');
    if !found.may_mean(path) {
        return None;
    }
    if word.contains("['") || word.contains("[\"") {
        let instead = mended(found).map(|it| format!("; write `{it}`")).unwrap_or_default();
        return found.left_because(&format!("there are no keys in quotes{instead}"));
    }
    if word.contains("[-") {
        return found.left_because("an index counts from the start, as in `[0]`");
    }
    if has_blanks && is_path(word) {
        return found.left_because(&format!("blanks are not allowed; write `{{{{{word}}}}}`"));
    }
    match is_path(path) || found.is_near(word) {
        true => found.left_because("a path is names joined by dots, with indexes like `[0]`"),
        false => None,
    }
}

fn mended(found: &NearMiss<'_>) -> Option<String> {
    let path = with_dots(found.word.trim_matches('.'));
    is_path(&path).then(|| format!("{{{{{path}}}}}"))
}

/// A path whose keys in quotes stand behind dots.
fn with_dots(path: &str) -> String {
    ["\"", "'"].into_iter().fold(path.to_owned(), |path, quote| {
        path.replace(&format!("[{quote}"), ".").replace(&format!("{quote}]"), "")
    })
}

/// What GitHub Actions has names for, as in `${{ github.actor }}`.
const ACTIONS: [&str; 11] = [
    "env", "github", "inputs", "job", "jobs", "matrix", "needs", "runner", "secrets", "steps",
    "vars",
];

/// Whether a path is one of Go's templates, `{{.State.Pid}}`, or an expression of GitHub Actions.
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
