//! The cases that the user selected for the prompts of a document.

use std::sync::Arc;

/// Selections, the latest first. Each is for one prompt, or for all of the document.
///
/// They are names, because cases appear and disappear with their files.
#[derive(Clone, Debug, Default)]
pub struct SelectedCases(Vec<Selection>);

#[derive(Clone, Debug)]
struct Selection {
    /// The name of the prompt; `None` for all prompts.
    prompt: Option<Arc<str>>,
    case: Arc<str>,
}

impl SelectedCases {
    /// Selects a case for the prompt of a name. Without a name it is selected for all prompts,
    /// and replaces the other selections.
    pub fn select(&mut self, prompt: Option<&str>, case: &str) {
        self.0.retain(|old| prompt.is_some() && old.prompt.as_deref() != prompt);
        self.0.insert(0, Selection { prompt: prompt.map(Arc::from), case: case.into() });
    }

    /// The names selected for a prompt, the latest first.
    pub fn of<'s>(&'s self, prompt: Option<&'s str>) -> impl Iterator<Item = &'s str> {
        let is_own = move |it: &&Selection| it.prompt.is_none() || it.prompt.as_deref() == prompt;
        self.0.iter().filter(is_own).map(|it| &*it.case)
    }
}
