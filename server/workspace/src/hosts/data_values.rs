//! Values of data files that may become prompts, and the dialects that they may have.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use promptls_analysis::detect;
use promptls_hosts::{DataValue, data_values as values};
use promptls_syntax::Dialect;

use super::is_code::{host_language, is_data};
use crate::config::CONFIG_NAME;
use crate::files::paths::file_name;
use crate::likely_prompt::{Guess, has_placeholder, is_for_people};
use crate::project::Project;
use crate::reach::repository_or_folder;
use crate::sidecars::naming::sidecar_base;

/// `true` if values of a file may become prompts by a rule, by the name of the file.
pub fn may_have_values(path: &Path) -> bool {
    let name = file_name(path);
    let is_own = name == Some(CONFIG_NAME) || name.and_then(sidecar_base).is_some();
    is_data(path) && !is_own
}

/// The value at a range of a file with this text; `None` if there is none that a rule can name.
///
/// Cost: parsing the text.
pub fn value_at(path: &Path, text: &str, range: &Range<usize>) -> Option<DataValue> {
    let language = host_language(path).filter(|_| may_have_values(path))?;
    let is_there =
        |value: &DataValue| value.range.start <= range.start && range.end <= value.range.end;
    values(language, text).into_iter().find(is_there)
}

/// The dialects that a value with placeholders may have: the only one that has its syntax, else
/// those of the engines that the project uses. Empty without placeholders.
pub fn dialects_of_value(text: &str, of_project: &[Dialect]) -> Vec<Dialect> {
    let detection = detect(text, &BTreeSet::new(), false);
    if detection.language.is_some() {
        return Vec::new();
    }
    let possible = match detection.is_certain {
        true => std::slice::from_ref(&detection.dialect),
        false => of_project,
    };
    possible.iter().copied().filter(|dialect| has_placeholder(*dialect, text)).collect()
}

/// The first value of a data file that is certainly a prompt by its text, and its dialect. `None`
/// for a file that has prompts.
///
/// Cost: parsing the file, and each value lexed once for each dialect.
pub fn likely_value(path: &Path, project: Project<'_>) -> Option<(DataValue, Guess)> {
    let language = host_language(path).filter(|_| may_have_values(path))?;
    if is_for_people(repository_or_folder(project.files, path), path) {
        return None;
    }
    let text = project.files.read(path).ok()?;
    values(language, &text).into_iter().find_map(|value| {
        let keys = BTreeSet::new();
        let detection = detect(&value.text, &keys, false);
        let is_evident = detection.is_certain && detection.language.is_none();
        if !is_evident || !has_placeholder(detection.dialect, &value.text) {
            return None;
        }
        let reasons = detection.reasons(&value.text, &keys);
        Some((value, Guess { detection, reasons, is_evident, is_likely: true }))
    })
}
