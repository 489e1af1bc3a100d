//! Converts a prompt to another dialect, or to another engine.
//!
//! Placeholders are written in the syntax of the other dialect, and text that it would misread is
//! escaped. Syntax without an equivalent is reported with its position. A name that is not valid
//! there gets another name, and its values move with it. Text that an engine inserts for a name
//! without a value (a default, or nothing for an optional name) becomes a value.
//!
//! Values are not changed, though engines print some of them differently. So every case is resolved
//! before and after, and [`Conversion::differences`] reports the differences. The caller decides
//! whether to accept them.

mod conversion;
mod had;
mod names;
mod pieces;
mod proof;
mod values;
mod writing;

use promptls_resolver::{Engine, FileId};

use crate::snapshot::{Case, Snapshot};
pub use conversion::{Conversion, ConvertedCase, Difference, NotConverted, Unsupported};
use had::declares_for_itself;
use names::Plan;
use proof::Converted;

/// Converts a prompt for another engine. Within its own dialect, the text is unchanged, but the
/// resolved text may differ.
///
/// Cost: each case is resolved twice, and its file is parsed once for each edit.
///
/// ```
/// use promptls_analysis::{Snapshot, convert};
/// use promptls_resolver::Dialect;
///
/// let prompt = Snapshot::new(Dialect::PromptPack, "Dear {{user.name}},");
/// let converted = convert(&prompt, Dialect::Adk.into()).unwrap();
/// assert_eq!(converted.text, "Dear {user_name},");
/// ```
pub fn convert(snapshot: &Snapshot, target: Engine) -> Result<Conversion, NotConverted> {
    if snapshot.foreign.is_some() {
        return Err(NotConverted::Foreign);
    }
    let computed =
        snapshot.holes().iter().filter(|hole| hole.text.is_none()).map(|hole| Unsupported {
            range: hole.range.clone(),
            reason: format!("only the program has the text of `{}`", hole.written),
        });
    let computed: Vec<Unsupported> = computed.collect();
    if !computed.is_empty() {
        return Err(NotConverted::Unsupported(computed));
    }
    let Some((filled, with_texts)) = snapshot.with_other_texts() else {
        return converted(snapshot, target);
    };
    converted(&with_texts, target).map_err(|error| match error {
        NotConverted::Unsupported(all) => NotConverted::Unsupported(
            all.into_iter()
                .map(|it| Unsupported { range: filled.in_prompt(&it.range), ..it })
                .collect(),
        ),
        error => error,
    })
}

/// Converts a prompt without holes.
fn converted(snapshot: &Snapshot, target: Engine) -> Result<Conversion, NotConverted> {
    let sampled = proof::with_samples(snapshot);
    // The declarations of a pack are not available to a new file beside it.
    let stays = snapshot.dialect() == target.dialect() && declares_for_itself(snapshot);
    let (mut conversion, cases) = match stays {
        true => (unchanged(snapshot), unchanged_cases(&sampled)),
        false => written_again(snapshot, &sampled, target)?,
    };
    let converted = Converted {
        engine: target,
        text: &conversion.text,
        names: &conversion.names,
        cases: &cases,
        variables: conversion.variables.as_deref(),
    };
    conversion.differences = proof::differences(&sampled, &converted);
    Ok(conversion)
}

fn unchanged(snapshot: &Snapshot) -> Conversion {
    let variables = values::variables_file(snapshot);
    Conversion {
        text: snapshot.text.to_string(),
        names: Vec::new(),
        cases: unchanged_cases(snapshot),
        variables: variables.and_then(|file| file_text(snapshot, file)),
        differences: Vec::new(),
    }
}

fn unchanged_cases(snapshot: &Snapshot) -> Vec<ConvertedCase> {
    let case = |case: &Case| {
        let file = case.inputs.file;
        let text = file_text(snapshot, file)?;
        Some(ConvertedCase { name: case.name.clone(), file, text })
    };
    snapshot.cases.iter().filter_map(case).collect()
}

fn file_text(snapshot: &Snapshot, file: FileId) -> Option<String> {
    snapshot.file_texts.get(&file).map(|text| text.to_string())
}

/// The prompt in another dialect, and its converted samples.
fn written_again(
    snapshot: &Snapshot,
    sampled: &Snapshot,
    target: Engine,
) -> Result<(Conversion, Vec<ConvertedCase>), NotConverted> {
    let pieces = pieces::cut(sampled, target).map_err(NotConverted::Unsupported)?;
    let plan = Plan::new(sampled, target, &pieces);
    let conversion = Conversion {
        text: writing::write(target, &pieces, &plan).map_err(NotConverted::Unsupported)?,
        names: plan.changed(),
        cases: values::cases(snapshot, target, &plan)?,
        variables: values::variables(snapshot, target, &plan)?,
        differences: Vec::new(),
    };
    Ok((conversion, values::cases(sampled, target, &plan)?))
}

#[cfg(test)]
mod tests;
