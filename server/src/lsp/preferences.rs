//! What the user has set in the editor, in the section `promptls`.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

/// The section of the editor's settings.
pub const SECTION: &str = "promptls";

/// The settings; all of them are on until the editor says otherwise.
#[derive(Debug)]
pub struct Preferences {
    inlay_hints: AtomicBool,
    code_lens: AtomicBool,
}

impl Default for Preferences {
    fn default() -> Self {
        Preferences { inlay_hints: true.into(), code_lens: true.into() }
    }
}

impl Preferences {
    /// `promptls.inlayHints.enabled`: values behind the placeholders.
    pub fn inlay_hints(&self) -> bool {
        self.inlay_hints.load(Ordering::Relaxed)
    }

    /// `promptls.codeLens.enabled`: a line above each prompt and inputs file.
    pub fn code_lens(&self) -> bool {
        self.code_lens.load(Ordering::Relaxed)
    }

    /// Takes over a section; what it does not mention is as usual. Returns whether anything
    /// is different now.
    pub fn set(&self, section: &Value) -> bool {
        let flag = |feature: &str| {
            section[feature]["enabled"]
                .as_bool()
                // Some editors send the names with dots as they stand in their settings.
                .or(section[format!("{feature}.enabled")].as_bool())
                .unwrap_or(true)
        };
        let hints = flag("inlayHints");
        let lens = flag("codeLens");
        let had_hints = self.inlay_hints.swap(hints, Ordering::Relaxed);
        let had_lens = self.code_lens.swap(lens, Ordering::Relaxed);
        had_hints != hints || had_lens != lens
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_are_on_until_they_are_switched_off() {
        let preferences = Preferences::default();
        assert!(!preferences.set(&json!({})));
        assert!(preferences.set(&json!({"inlayHints": {"enabled": false}})));
        assert!(!preferences.inlay_hints() && preferences.code_lens());
        assert!(preferences.set(&json!({"codeLens.enabled": false})));
        assert!(preferences.inlay_hints() && !preferences.code_lens());
        assert!(preferences.set(&Value::Null));
    }
}
