//! `promptls/likelyPrompt`: detects prompts among texts that are not recognized as such.

use promptls_protocol::{LikelyPrompt, LikelyPromptParams};
use promptls_workspace::{Configs, Project, folder_of, likely_prompt};

use crate::context::Context;
use crate::convert;
use crate::errors::Result;

/// The dialect that a document probably has, by its text in the editor. `None` for a recognized
/// prompt, and without evidence.
pub fn likely(context: Context<()>, params: LikelyPromptParams) -> Result<Option<LikelyPrompt>> {
    let path = convert::path(&convert::document_uri(&params.text_document)?);
    let documents = &context.session.documents;
    let (files, configs) = (documents.files(), Configs::default());
    let project = Project { files: &files, configs: &configs, program: documents.code_facts() };
    let config = configs.nearest(&files, folder_of(&path));
    let guess = likely_prompt(&path, project, config.as_deref());
    Ok(guess.map(|guess| LikelyPrompt {
        dialect: guess.detection.dialect.spec().id,
        reasons: guess.reasons,
    }))
}
