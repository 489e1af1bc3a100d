//! The prompts in a host, with a cache for the same text.
//!
//! An editor requests them several times for each key press, as does a search of a folder. Parsing
//! takes a millisecond for five thousand lines.

use std::cell::RefCell;
use std::sync::Arc;

use promptls_hosts::{
    Chat, Computed, Conflict, Contract, Finds, HostPrompt, Language, Pack, Typed, UnknownConfig,
    Unread, typed,
};

use super::rule_strings::Strings;

/// The contents of a host.
#[derive(Debug)]
pub struct HostPrompts {
    /// Its prompts, in source order.
    pub prompts: Vec<HostPrompt>,
    /// Its chats, whose messages are prompts.
    pub chats: Vec<Chat>,
    /// Texts that would be prompts, if frameworks agreed on their dialect.
    pub conflicts: Vec<Conflict>,
    /// Texts that may be prompts and cannot be read.
    pub unread: Vec<Unread>,
    /// Values of prompts whose texts only the running program has.
    pub computed: Vec<Computed>,
    /// The names of configurations of crews that do not exist.
    pub unknown_configs: Vec<UnknownConfig>,
    /// The kind of pack that the host is.
    pub pack: Option<&'static Pack>,
}

/// The last result of a thread.
struct Last {
    language: Language,
    text: Arc<str>,
    strings: Arc<Strings>,
    found: Arc<HostPrompts>,
}

/// The last result of a thread of [`supplied_in`].
struct LastSupplied {
    text: Arc<str>,
    strings: Strings,
    supplied: Arc<[Contract]>,
}

thread_local! {
    static LAST: RefCell<Option<Last>> = const { RefCell::new(None) };
    static LAST_SUPPLIED: RefCell<Option<LastSupplied>> = const { RefCell::new(None) };
}

/// The calls in a text that supply values to prompts of other files.
///
/// Cost: that of [`find_with`]; nothing for the last text of this thread. A file may have calls for
/// thousands of text files, and each of these needs them.
pub fn supplied_in(language: Language, text: &Arc<str>, strings: Strings) -> Arc<[Contract]> {
    LAST_SUPPLIED.with_borrow_mut(|last| {
        let is_alike = |last: &&LastSupplied| last.text == *text && last.strings == strings;
        if let Some(last) = last.as_ref().filter(is_alike) {
            return last.supplied.clone();
        }
        let supplied: Arc<[Contract]> = strings.find(language, text).supplied.into();
        *last = Some(LastSupplied { text: text.clone(), strings, supplied: supplied.clone() });
        supplied
    })
}

/// The prompts in a text.
///
/// Cost: that of [`find_with`]; only a comparison of texts if it equals the last one of this
/// thread, or differs from it by a word of a prompt.
pub fn found_in(language: Language, text: &Arc<str>, strings: &Arc<Strings>) -> Arc<HostPrompts> {
    found_and_scanned(language, text, strings).0
}

/// The same, with the number of bytes that were scanned.
fn found_and_scanned(
    language: Language,
    text: &Arc<str>,
    strings: &Arc<Strings>,
) -> (Arc<HostPrompts>, usize) {
    let is_alike = |last: &&Last| last.language == language && last.strings == *strings;
    LAST.with_borrow_mut(|last| {
        let alike = last.as_ref().filter(is_alike);
        if let Some(last) = alike.filter(|last| last.text == *text) {
            return (last.found.clone(), 0);
        }
        let (found, scanned) =
            match alike.and_then(|last| last.found.follow(language, &last.text, text)) {
                Some(followed) => (followed, 0),
                None => (look(language, text, strings), text.len()),
            };
        let (found, text, strings) = (Arc::new(found), text.clone(), strings.clone());
        *last = Some(Last { language, text, strings, found: found.clone() });
        (found, scanned)
    })
}

impl HostPrompts {
    /// The contents after a word was typed. See [`typed`].
    fn follow(&self, language: Language, before: &str, now: &str) -> Option<HostPrompts> {
        let may_follow = language.is_code()
            && self.conflicts.is_empty()
            && self.unread.is_empty()
            && self.unknown_configs.is_empty();
        let followed =
            may_follow.then(|| typed(&self.prompts, &self.chats, &self.computed, before, now));
        let Typed { prompts, chats, computed } = followed??;
        Some(HostPrompts {
            prompts,
            chats,
            conflicts: Vec::new(),
            unread: Vec::new(),
            computed,
            unknown_configs: Vec::new(),
            pack: None,
        })
    }

    /// `true` if it has prompts, or may have some after edits.
    pub fn holds_prompts(&self) -> bool {
        !self.prompts.is_empty()
            || !self.conflicts.is_empty()
            || !self.computed.is_empty()
            || !self.unknown_configs.is_empty()
            || self.pack.is_some()
    }

    /// `true` if the host cannot be parsed now, and so has no prompts.
    pub fn is_broken(&self) -> bool {
        self.prompts.is_empty() && !self.unread.is_empty()
    }
}

/// `true` if a code host has prompts, also such whose text is unknown or whose dialect frameworks
/// disagree on; `None` while this cannot be determined.
pub fn has_prompts(finds: &Finds) -> Option<bool> {
    match finds.prompts.is_empty() && !finds.unread.is_empty() {
        true => None,
        false => Some(
            !finds.prompts.is_empty() || !finds.conflicts.is_empty() || !finds.computed.is_empty(),
        ),
    }
}

fn look(language: Language, text: &str, strings: &Strings) -> HostPrompts {
    let Finds { prompts, chats, conflicts, unread, computed, unknown_configs, pack, .. } =
        strings.find_all(language, text);
    HostPrompts { prompts, chats, conflicts, unread, computed, unknown_configs, pack }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::named_strings::NamedStrings;

    #[test]
    fn another_text_or_rule_is_scanned() {
        let strings = |entry: &str| {
            let entries = [entry.to_owned()];
            let rules = [(&entries[..], Some(promptls_syntax::Dialect::Adk))];
            let named = NamedStrings::new(rules.into_iter()).expect("there may be some");
            Arc::new(Strings { named: Arc::new(named), ..Strings::default() })
        };
        let names = |text: &str, entry: &str| {
            let found = found_in(Language::Python, &text.into(), &strings(entry));
            found.prompts.iter().map(|found| found.name.clone()).collect::<Vec<_>>()
        };
        let text = "A = 'x'\nB = 'y'\n";
        assert_eq!(names(text, "A"), ["A"]);
        assert_eq!(names(text, "A"), ["A"]);
        assert_eq!(names(text, "B"), ["B"]);
        assert_eq!(names("B = 'x'\n", "B"), ["B"]);
        assert_eq!(names("A = 'x'\n", "B"), [""; 0]);
    }
    #[test]
    fn typing_a_word_in_a_prompt_scans_no_code() {
        let strings = Arc::new(Strings::default());
        let host = "from google.adk.agents import Agent\nA = Agent(instruction='Plan {city}')\n";
        let code = format!("{host}{}", "print('x')\n".repeat(20_000));
        let scanned = |code: &str| {
            let (found, scanned) = found_and_scanned(Language::Python, &code.into(), &strings);
            (scanned, found.prompts[0].text.text().to_owned())
        };
        let read = |code: &str, text: &str| (code.len(), text.to_owned());
        assert_eq!(scanned(&code), read(&code, "Plan {city}"));
        for name in ["cityN", "cityNa", "cityNam", "cityName", "citName"] {
            let typed = code.replace("city", name);
            assert_eq!(scanned(&typed), (0, format!("Plan {{{name}}}")));
        }
        let elsewhere = code.replace("print('x')\n", "print('xy')\n");
        assert_eq!(scanned(&elsewhere), read(&elsewhere, "Plan {city}"));
        let quoted = code.replace("Plan", "Pl\\'an");
        assert_eq!(scanned(&quoted), read(&quoted, "Pl'an {city}"));
    }
}
