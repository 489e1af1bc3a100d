//! Serialization of a prompt as one small text, for other processes.

use std::collections::BTreeSet;
use std::sync::Arc;

use promptls_analysis::{Hole, HostText, PromptText, Settings, Snapshot};
use promptls_resolver::{Declarations, Dialect, EngineRef, FileId, Format};
use promptls_syntax::Tree;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::prompt::RowPrompt;

/// The version of this library. Only the same version reads a serialized prompt, so that all
/// workers of a table resolve alike.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The reason why a text is not a serialized prompt.
#[derive(Debug, thiserror::Error)]
pub enum NotAPrompt {
    /// A different version of promptls serialized it.
    #[error(
        "the prompt was serialized by promptls {there}, but this is promptls {VERSION}; use the same version everywhere"
    )]
    Version {
        /// The version of promptls that serialized the prompt.
        there: String,
    },
    /// The text is something else, or was cut off.
    #[error("this is not a serialized prompt of promptls: {0}")]
    Other(String),
}

/// The part that all versions write.
#[derive(Deserialize)]
struct VersionHeader {
    promptls: String,
}

#[derive(Serialize, Deserialize)]
struct Travelling {
    promptls: String,
    text: String,
    dialect: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    engine: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    runtime: BTreeSet<String>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    literal: BTreeSet<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    holes: Vec<TravellingHole>,
    max_output: usize,
    /// In the format of a variables file.
    declarations: String,
}

/// A [`Hole`]: its start and end, how it is written, and its text in another file.
type TravellingHole = (usize, usize, String, Option<String>);

pub(crate) fn to_json(prompt: &RowPrompt) -> String {
    let snapshot = prompt.snapshot();
    let Settings { agent, runtime, literal, .. } = prompt.settings();
    let holes = snapshot.host.iter().flat_map(|host| &host.holes);
    let holes = holes.map(|hole| {
        let text = hole.text.as_deref().map(str::to_owned);
        (hole.range.start, hole.range.end, hole.written.clone(), text)
    });
    let travelling = Travelling {
        promptls: VERSION.to_owned(),
        text: prompt.text().to_owned(),
        dialect: snapshot.dialect().spec().id.to_owned(),
        engine: snapshot.engine_name(),
        agent: agent.clone(),
        runtime: BTreeSet::clone(runtime),
        literal: BTreeSet::clone(literal),
        holes: holes.collect(),
        max_output: prompt.max_output(),
        declarations: snapshot.declarations.to_json(),
    };
    serde_json::to_string(&travelling).expect("there are only texts and numbers")
}

/// The [hash](RowPrompt::hash) of the result of [`RowPrompt::to_json`].
pub fn hash(json: &str) -> String {
    Sha256::digest(json).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl RowPrompt {
    /// Parses the result of [`RowPrompt::to_json`] of the same version.
    pub fn from_json(json: &str) -> Result<RowPrompt, NotAPrompt> {
        let other = |error: serde_json::Error| NotAPrompt::Other(error.to_string());
        let VersionHeader { promptls } = serde_json::from_str(json).map_err(other)?;
        if promptls != VERSION {
            return Err(NotAPrompt::Version { there: promptls });
        }
        let travelling: Travelling = serde_json::from_str(json).map_err(other)?;
        let unknown = |what: &str, id: &str| NotAPrompt::Other(format!("{what} `{id}`"));
        let id = &travelling.dialect;
        let dialect = Dialect::from_id(id).ok_or_else(|| unknown("the dialect", id))?;
        let engines = match &travelling.engine {
            Some(id) => vec![EngineRef::parse(id).map_err(|_| unknown("the engine", id))?],
            None => Vec::new(),
        };
        let declarations = &travelling.declarations;
        let parsed = Declarations::parse(declarations, Format::Json, FileId(1)).value;
        let declarations = parsed.ok_or_else(|| unknown("the declarations", declarations))?;
        let settings = Settings {
            engines,
            agent: travelling.agent,
            runtime: Arc::new(travelling.runtime),
            literal: Arc::new(travelling.literal),
            ..Settings::default()
        };
        let hole = |(start, end, written, text): TravellingHole| Hole {
            range: start..end,
            written,
            text: text.map(Arc::from),
        };
        let holes: Vec<Hole> = travelling.holes.into_iter().map(hole).collect();
        let host = (!holes.is_empty()).then(|| HostText { holes, ..HostText::default() });
        let text = PromptText::from(&*travelling.text);
        let grammar = settings.engine_of(dialect).grammar();
        Ok(RowPrompt::of(&Snapshot {
            tree: Arc::new(Tree::parse(grammar, &text)),
            host: host.map(Arc::new),
            declarations: Arc::new(declarations),
            settings: Arc::new(settings),
            ..Snapshot::new(dialect, &travelling.text)
        })
        .with_max_output(travelling.max_output))
    }
}
