//! The user's settings in the editor, in the section `promptls`.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use promptls_analysis::DEFAULT_HINT_WIDTH;
use promptls_resolver::EngineRef;
use promptls_workspace::parse_engine;
use serde_json::Value;
use tokio::sync::Notify;

/// The section of the editor's settings.
pub const SECTION: &str = "promptls";

/// The default language of new prompts.
const USUAL_LANGUAGE: &str = "en";

/// The default number of files that are not open and have their problems shown.
const USUAL_MOST_FILES: usize = 100;

/// The settings, with their defaults until the editor sends others.
#[derive(Debug)]
pub struct Preferences {
    inlay_hints: AtomicBool,
    hint_width: AtomicUsize,
    code_lens: AtomicBool,
    ghost_values: AtomicBool,
    language: Mutex<String>,
    engine: Mutex<Option<EngineRef>>,
    workspace_problems: AtomicBool,
    most_files: AtomicUsize,
    requested: Notify,
}

impl Default for Preferences {
    fn default() -> Self {
        Preferences {
            inlay_hints: true.into(),
            hint_width: DEFAULT_HINT_WIDTH.into(),
            code_lens: true.into(),
            ghost_values: false.into(),
            language: Mutex::new(USUAL_LANGUAGE.to_owned()),
            engine: Mutex::new(None),
            workspace_problems: false.into(),
            most_files: USUAL_MOST_FILES.into(),
            requested: Notify::new(),
        }
    }
}

impl Preferences {
    /// Marks the settings as possibly changed.
    pub fn want(&self) {
        self.requested.notify_one();
    }

    /// Waits until the settings may have changed.
    pub async fn requested(&self) {
        self.requested.notified().await;
    }

    /// `promptls.inlayHints.enabled`: values after the placeholders.
    pub fn inlay_hints(&self) -> bool {
        self.inlay_hints.load(Ordering::Relaxed)
    }

    /// `promptls.inlayHints.maximumLength`: the maximum length of a shown value, in characters.
    pub fn hint_width(&self) -> usize {
        self.hint_width.load(Ordering::Relaxed)
    }

    /// `promptls.codeLens.enabled`: a line above each prompt and inputs file.
    pub fn code_lens(&self) -> bool {
        self.code_lens.load(Ordering::Relaxed)
    }

    /// `promptls.ghostValues.enabled`: the editor draws values in place of the placeholders.
    pub fn ghost_values(&self) -> bool {
        self.ghost_values.load(Ordering::Relaxed)
    }

    /// `promptls.newPrompt.language`: the language of new prompts and sections.
    pub fn language(&self) -> String {
        self.language.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// `promptls.engine`: the engine for prompts of its dialect whose rule names none.
    pub fn engine(&self) -> Option<EngineRef> {
        *self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `promptls.workspaceProblems.enabled` and `.maximumFiles`: the maximum number of files that
    /// are not open whose problems are pushed. `None` pushes only problems of sidecars that open
    /// prompts read.
    pub fn workspace_problems(&self) -> Option<usize> {
        let is_on = self.workspace_problems.load(Ordering::Relaxed);
        is_on.then(|| self.most_files.load(Ordering::Relaxed))
    }

    /// Applies a section; settings that it omits get their defaults. Returns whether a setting that
    /// affects displays has changed.
    pub fn set(&self, section: &Value) -> bool {
        let setting = |feature: &str, name: &str| match &section[feature][name] {
            // Some editors send names with dots, as they are in their settings.
            Value::Null => section[format!("{feature}.{name}")].clone(),
            value => value.clone(),
        };
        let flag =
            |feature: &str, usual: bool| setting(feature, "enabled").as_bool().unwrap_or(usual);
        let number = |feature: &str, name: &str, usual: usize| {
            let number = setting(feature, name).as_u64().filter(|&number| number > 0);
            number.and_then(|number| usize::try_from(number).ok()).unwrap_or(usual)
        };
        let width = number("inlayHints", "maximumLength", DEFAULT_HINT_WIDTH);
        let most_files = number("workspaceProblems", "maximumFiles", USUAL_MOST_FILES);
        let has_other_width = self.hint_width.swap(width, Ordering::Relaxed) != width;
        let language = setting("newPrompt", "language");
        let language = language.as_str().filter(|tag| !tag.is_empty()).unwrap_or(USUAL_LANGUAGE);
        // These settings do not affect what is displayed in a text.
        self.most_files.store(most_files, Ordering::Relaxed);
        self.workspace_problems.store(flag("workspaceProblems", false), Ordering::Relaxed);
        language.clone_into(&mut self.language.lock().unwrap_or_else(PoisonError::into_inner));
        let engine = section["engine"].as_str().filter(|engine| !engine.is_empty());
        let engine = engine.and_then(|engine| {
            let unusable = |message: &String| tracing::warn!("promptls.engine: {message}");
            parse_engine(engine).inspect_err(unusable).ok()
        });
        *self.engine.lock().unwrap_or_else(PoisonError::into_inner) = engine;
        let new = [
            (&self.inlay_hints, flag("inlayHints", true)),
            (&self.code_lens, flag("codeLens", true)),
            (&self.ghost_values, flag("ghostValues", false)),
        ];
        let changed = new.map(|(setting, value)| setting.swap(value, Ordering::Relaxed) != value);
        has_other_width || changed.contains(&true)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_have_their_defaults_until_they_are_changed() {
        let preferences = Preferences::default();
        assert!(!preferences.set(&json!({})));
        assert!(preferences.set(&json!({"inlayHints": {"enabled": false}})));
        assert!(!preferences.inlay_hints() && preferences.code_lens());
        assert!(preferences.set(&json!({"codeLens.enabled": false})));
        assert!(preferences.inlay_hints() && !preferences.code_lens());
        assert!(preferences.set(&Value::Null));
        assert!(!preferences.ghost_values());
        assert!(preferences.set(&json!({"ghostValues": {"enabled": true}})));
        assert!(preferences.ghost_values());
        assert!(preferences.set(&json!({"inlayHints": {"maximumLength": 12}})));
        assert_eq!(preferences.hint_width(), 12);
        assert!(preferences.set(&json!({"inlayHints.maximumLength": 0})));
        assert_eq!(preferences.hint_width(), DEFAULT_HINT_WIDTH);
        assert!(!preferences.set(&json!({"newPrompt": {"language": "pt-BR"}})));
        assert_eq!(preferences.language(), "pt-BR");
        assert_eq!(preferences.workspace_problems(), None);
        assert!(!preferences.set(&json!({"workspaceProblems": {"enabled": true}})));
        assert_eq!(preferences.workspace_problems(), Some(USUAL_MOST_FILES));
        preferences.set(&json!({"workspaceProblems": {"enabled": true, "maximumFiles": 2}}));
        assert_eq!(preferences.workspace_problems(), Some(2));
        preferences.set(&json!({"engine": "adk-go"}));
        assert_eq!(
            preferences.engine().map(|engine| engine.to_string()).as_deref(),
            Some("adk-go")
        );
        preferences.set(&json!({"engine": "adk-og"}));
        assert_eq!(preferences.engine(), None);
        preferences.set(&json!({"newPrompt": {"language": ""}}));
        assert_eq!(preferences.language(), USUAL_LANGUAGE);
    }
}
