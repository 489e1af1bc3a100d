//! `promptls/likelyPrompt`: detects prompts among texts and values that are not recognized as such.

use promptls_protocol::{LikelyPrompt, LikelyPromptParams, LikelyValue};
use promptls_workspace::{
    Configs, DataValue, Guess, Project, folder_of, kind_of, likely_prompt, likely_value,
    may_have_values,
};

use crate::context::Context;
use crate::convert::{self, Uri};
use crate::errors::Result;

/// The dialect that a document probably has, or one of its values, by its text in the editor. `None`
/// for a recognized prompt, and without evidence.
pub fn likely(context: Context<()>, params: LikelyPromptParams) -> Result<Option<LikelyPrompt>> {
    let uri = convert::document_uri(&params.text_document)?;
    let path = convert::path(&uri);
    let documents = &context.session.documents;
    let (files, configs) = (documents.files(), Configs::default());
    let project = Project { files: &files, configs: &configs, program: documents.code_facts() };
    let config = configs.nearest(&files, folder_of(&path));
    let config = config.as_deref();
    if !may_have_values(&path) {
        return Ok(likely_prompt(&path, project, config).map(|guess| answer(guess, None)));
    }
    if kind_of(&path, config, project).is_some() {
        return Ok(None);
    }
    let found = likely_value(&path, project);
    Ok(found.map(|(value, guess)| answer(guess, position(&context, &uri, value))))
}

fn answer(Guess { detection, reasons, .. }: Guess, value: Option<LikelyValue>) -> LikelyPrompt {
    LikelyPrompt { dialect: detection.dialect.spec().id, reasons, value }
}

/// The place of a value. `None` if the document cannot be read at once.
fn position(context: &Context<()>, uri: &Uri, value: DataValue) -> Option<LikelyValue> {
    let text = context.session.documents.lookup().text(uri)?;
    let position = convert::wire_position(&text, value.range.start, context.encoding());
    Some(LikelyValue { path: value.path, position })
}
