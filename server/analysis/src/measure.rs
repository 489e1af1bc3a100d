//! A resolved text with all measurements of its size.

use promptls_resolver::{Resolution, Template};

pub mod prefix;
pub mod size;

use self::prefix::{Prefix, static_prefix};
use self::size::{Size, size};
use crate::snapshot::Snapshot;
use crate::tokens::{TokenEncoding, Tokens};
use crate::without_value::WithoutValue;

/// A measured prompt in a case.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The resolved text with its source map.
    pub resolution: Resolution,
    /// The tokens of the resolved text, in the requested encoding.
    pub tokens: Tokens,
    /// The contributions to the size.
    pub size: Size,
    /// The prefix that is the same in all cases.
    pub prefix: Prefix,
}

/// Resolves and measures a prompt in a case, by its index; `None` without any inputs.
///
/// Cost: resolves all cases, and splits the text of this one into tokens.
///
/// # Panics
///
/// If there is no such case.
pub fn measure(snapshot: &Snapshot, case: Option<usize>, encoding: TokenEncoding) -> Measured {
    let given = snapshot.given();
    let given = &given[case.unwrap_or(0)];
    let text = snapshot.text.whole();
    let template = Template::compile(snapshot.engine(), &text);
    let resolution = snapshot.resolve_with(&template, given);
    let tokens = encoding.split(&resolution.text);
    let size = size(&resolution, &tokens, &WithoutValue::new(snapshot, &resolution, given));
    let prefix = static_prefix(snapshot, &template, case, &resolution);
    Measured { resolution, tokens, size, prefix }
}

/// The number of tokens of a prompt in each case, in their order; a single number without any
/// inputs.
///
/// Cost: resolves all cases, and splits their texts into tokens.
pub fn token_counts(snapshot: &Snapshot, encoding: TokenEncoding) -> Vec<usize> {
    let text = snapshot.text.whole();
    let template = Template::compile(snapshot.dialect(), &text);
    let tokens = |given| encoding.split(&template.resolve(given).text).count();
    snapshot.given().iter().map(tokens).collect()
}
