//! The same prompt in another dialect, or for another engine.
//!
//! A placeholder is written as the other dialect writes it, and so is text that would be read
//! there; what cannot be said there is refused, with its place. A name that cannot be read there
//! gets another one, and so do its values. What an engine puts in the place of a name without a
//! value (a default, nothing for an optional name) becomes a value.
//!
//! Values stay what they are, though engines print some of them differently. So every case is
//! resolved before and after, and [`Conversion::differences`] says where something else is sent:
//! whoever asked decides what becomes of it.

mod names;
mod pieces;
mod proof;
mod values;
mod writing;

use std::ops::Range;
use std::sync::Arc;

use promptls_resolver::{Engine, EngineError, FileId};

use crate::snapshot::{Case, Snapshot};
use names::Plan;
use proof::Converted;

/// A prompt in another dialect, with the texts of the files that belong to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Conversion {
    /// The prompt.
    pub text: String,
    /// The names that are others now, old and new, in the order of the prompt.
    pub names: Vec<(String, String)>,
    /// The inputs of each case that has any.
    pub cases: Vec<ConvertedCase>,
    /// The variables file, if there was one.
    pub variables: Option<String>,
    /// The cases in which something else is sent.
    pub differences: Vec<Difference>,
}

/// The inputs of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvertedCase {
    /// What it is called.
    pub name: Arc<str>,
    /// The file that they were in; [`FileId::PROMPT`] if they were in none.
    pub file: FileId,
    /// The text of the new file. It has the format of the old one, or is JSON.
    pub text: String,
}

/// A case in which something else is sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// What it is called; `None` for a prompt without inputs, whose names stand for themselves.
    pub case: Option<Arc<str>>,
    /// What was sent, or why nothing was.
    pub before: Result<String, EngineError>,
    /// What would be sent.
    pub after: Result<String, EngineError>,
}

/// Why there is no such prompt in the other dialect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotConverted {
    /// It is another tool's.
    #[error("it is no prompt of ours")]
    Foreign,
    /// The other dialect cannot say it; in the order of the prompt.
    #[error("{}", .0.first().map_or("", |first| &first.reason))]
    Unsayable(Vec<Unsayable>),
    /// Nobody but its author can change this file.
    #[error("{0} is written in a way that only you can edit")]
    OnlyByHand(String),
}

/// A piece of a prompt that another dialect cannot say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsayable {
    /// Where it stands.
    pub range: Range<usize>,
    /// Why not.
    pub reason: String,
}

/// A prompt as another engine reads it. To its own dialect, nothing changes but what is sent.
///
/// Cost: each case is resolved twice, and its file is read once for each edit.
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
    let sampled = proof::with_samples(snapshot);
    let (mut conversion, cases) = match snapshot.dialect() == target.dialect() {
        true => (unchanged(snapshot), unchanged_cases(&sampled)),
        false => written_anew(snapshot, &sampled, target)?,
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

/// All of it as it is.
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

/// The prompt in another dialect, and what becomes of its samples.
fn written_anew(
    snapshot: &Snapshot,
    sampled: &Snapshot,
    target: Engine,
) -> Result<(Conversion, Vec<ConvertedCase>), NotConverted> {
    let pieces = pieces::cut(sampled, target).map_err(NotConverted::Unsayable)?;
    let plan = Plan::new(sampled, target, &pieces);
    let conversion = Conversion {
        text: writing::write(target, &pieces, &plan).map_err(NotConverted::Unsayable)?,
        names: plan.changed(),
        cases: values::cases(snapshot, target, &plan)?,
        variables: values::variables(snapshot, target, &plan)?,
        differences: Vec::new(),
    };
    Ok((conversion, values::cases(sampled, target, &plan)?))
}

#[cfg(test)]
mod tests;
