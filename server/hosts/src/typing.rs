//! Incremental updates for typing in a prompt of code, without parsing the file.

use std::ops::Range;

use memchr::memmem;

use crate::chat::{Chat, ChatContent};
use crate::code_gates::may_open;
use crate::host_prompt::{Contract, HostPrompt};
use crate::unread::Computed;
use promptls_data::PieceKind;

/// The maximum number of bytes of an escape before a letter that may extend it: `\U0001F600`.
const LONGEST_ESCAPE: usize = 10;

/// What follows from the edit of one word of a prompt.
#[derive(Debug, PartialEq, Eq)]
pub struct Typed {
    /// The prompts, as in [`Finds::prompts`](crate::Finds::prompts).
    pub prompts: Vec<HostPrompt>,
    /// The chats, as in [`Finds::chats`](crate::Finds::chats).
    pub chats: Vec<Chat>,
    /// The unknown values, as in [`Finds::computed`](crate::Finds::computed).
    pub computed: Vec<Computed>,
}

/// The prompts, chats and computed values of a code file after an edit, derived from those before.
/// `None` unless exactly one word of a prompt was replaced by
/// another, and no language can interpret it otherwise. Then the file must be parsed again.
///
/// Cost: a comparison of both texts, the prompts and the values.
pub fn typed(
    prompts: &[HostPrompt],
    chats: &[Chat],
    computed: &[Computed],
    before: &str,
    now: &str,
) -> Option<Typed> {
    let edit = Edit::between(before, now)?;
    let edited = prompts.iter().position(|found| {
        found.literals.iter().any(|it| it.start < edit.range.start && edit.range.end < it.end)
    })?;
    // Another literal is a part of the edited prompt, or the edited one is a part of others.
    let is_included =
        |found: &HostPrompt| found.included.iter().any(|it| it.literal.contains(&edit.range.start));
    if !prompts[edited].included.is_empty() || prompts.iter().any(is_included) {
        return None;
    }
    let is_name = |name: &str| name == prompts[edited].text.text();
    if prompts.iter().any(|it| is_name(&it.name) || it.agent.as_deref().is_some_and(is_name)) {
        return None;
    }
    let mut messages = chats.iter().flat_map(|chat| &chat.messages);
    if messages.any(|it| it.content.text().is_some_and(is_name)) {
        return None;
    }
    // The replaced text may be this word.
    if memmem::find(now.as_bytes(), b"replace").is_some() {
        return None;
    }
    // The file may have prompts because of a word here.
    if may_open(before, &edit.range) {
        return None;
    }
    let mut prompts = prompts.to_vec();
    let text = &prompts[edited].text;
    let piece = text.pieces().iter().position(|piece| {
        piece.kind == PieceKind::Equal && edit.is_in(before.as_bytes(), &piece.source)
    })?;
    prompts[edited].text = text.with_edit(piece, edit.range.clone(), edit.inserted);
    for (index, found) in prompts.iter_mut().enumerate() {
        let included = found.included.iter_mut().map(|it| &mut it.literal);
        found.literals.iter_mut().chain(included).for_each(|literal| edit.shift(literal));
        edit.shift(&mut found.entry);
        found.later.iter_mut().for_each(|agent| edit.shift(agent));
        edit.shift_contracts(&mut found.contracts);
        found.choice.iter_mut().for_each(|choice| edit.shift(choice));
        if let Some(listed) = &mut found.listed {
            edit.shift(&mut listed.list);
            listed.names.iter_mut().for_each(|(_, name)| edit.shift(name));
        }
        if index != edited {
            found.text.shift(|range| edit.shift(range));
        }
    }
    let mut computed = computed.to_vec();
    computed.iter_mut().for_each(|value| edit.shift(&mut value.unread.range));
    let mut chats = chats.to_vec();
    for chat in &mut chats {
        edit.shift(&mut chat.entry);
        for message in &mut chat.messages {
            edit.shift(&mut message.entry);
            if let ChatContent::Supplied { range: Some(range), .. } = &mut message.content {
                edit.shift(range);
            }
        }
        edit.shift_contracts(&mut chat.contracts);
    }
    Some(Typed { prompts, chats, computed })
}

/// One replacement of word characters by others; either part may be empty.
struct Edit<'n> {
    /// The range in the text before.
    range: Range<usize>,
    inserted: &'n str,
}

impl<'n> Edit<'n> {
    fn between(before: &str, now: &'n str) -> Option<Edit<'n>> {
        let (old, new) = (before.as_bytes(), now.as_bytes());
        let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        let rest = old.len().min(new.len()) - start;
        let alike = old.iter().rev().zip(new.iter().rev()).take(rest);
        let alike = alike.take_while(|(old, new)| old == new).count();
        let range = start..old.len() - alike;
        let inserted = &new[start..new.len() - alike];
        let is_word = inserted.iter().chain(&old[range.clone()]).all(|byte| is_word(*byte));
        is_word.then(|| Edit { range, inserted: &now[start..new.len() - alike] })
    }

    /// `true` if the edit is inside the words of a piece: with letters on both sides, or on the
    /// left one if nothing is removed, and without touching an escape.
    fn is_in(&self, before: &[u8], piece: &Range<usize>) -> bool {
        let Range { start, end } = self.range;
        let is_behind_word = piece.start < start && is_word(before[start - 1]);
        let is_before_word = end < piece.end && is_word(before[end]);
        let near = start.saturating_sub(LONGEST_ESCAPE).max(piece.start)..start;
        is_behind_word
            && end <= piece.end
            && (start == end || is_before_word)
            && !before[near].contains(&b'\\')
    }

    /// Adjusts a range before, after or around the edit.
    fn shift(&self, range: &mut Range<usize>) {
        let moved = |at: usize| match at > self.range.start {
            true => at + self.inserted.len() - self.range.len(),
            false => at,
        };
        *range = moved(range.start)..moved(range.end);
    }

    fn shift_contracts(&self, contracts: &mut [Contract]) {
        for contract in contracts {
            self.shift(&mut contract.call);
            contract.keys.iter_mut().for_each(|key| self.shift(&mut key.range));
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use crate::{Finds, find, find_with};

    const HOST: &str = "from google.adk.agents import LlmAgent\n\
        from langchain_core.prompts import ChatPromptTemplate as C\n\
        A = LlmAgent(name='a', instruction='Plan a {trip}\\n')\n\
        B = LlmAgent(name='b', instruction=f'Go {x} to')\n\
        C([('system', '{word}'), M('h'), SystemMessage('fix')]).invoke({'word': 1})\n\
        D = LlmAgent(name='d', instruction='fix')\n";

    fn typed_in(before: &str, now: &str) -> Option<Typed> {
        let Finds { prompts, chats, computed, .. } = find_with(Language::Python, before, &[], &[]);
        typed(&prompts, &chats, &computed, before, now)
    }

    /// `None` if a new parse is required; otherwise the result must equal that of parsing.
    #[track_caller]
    fn check(from: &str, to: &str, is_followed: bool) {
        let now = HOST.replace(from, to);
        let followed = typed_in(HOST, &now);
        assert_eq!(followed.is_some(), is_followed, "{from} to {to}");
        if let Some(followed) = followed {
            let Finds { prompts, chats, computed, .. } =
                find_with(Language::Python, &now, &[], &[]);
            assert_eq!(followed, Typed { prompts, chats, computed });
        }
    }

    #[test]
    fn typed_words_of_a_prompt_need_no_new_scan() {
        check("Plan", "Plans", true);
        check("Plan", "Pan", true);
        check("Plan", "Plasn", true);
        check("trip", "trap", true);
        check("trip", "t_r1p", true);
        check("to'", "tour'", true);
        check("{word}", "{words}", true);
    }

    #[test]
    fn other_edits_need_a_new_scan() {
        for to in ["{Plan", "Pl an", "Pl'an", "Pl\\an", "Pl%an", "Pl$an", "Pl\nan", "kPlan", "Plän"]
        {
            check("Plan", to, false);
        }
        check("trip}\\n", "trip}\\nn", false);
        check("{x}", "{xy}", false);
        check("name='a'", "name='ab'", false);
        check("A = ", "AB = ", false);
        check("to'", "t'", false);
        check("instruction='fix'", "instruction='fixed'", false);
    }

    #[test]
    fn a_word_that_decides_whether_a_file_has_prompts_needs_a_new_scan() {
        let host = "import com\n.google.adk.agents.LlmAgent;\nclass A {\n  LlmAgent a = \
            LlmAgent.builder().name(\"a\"). instruction(\"q promptls: x\").build();\n}\n";
        let now = host.replace("promptls", "promptlsn");
        let before = find(Language::Java, host);
        assert_eq!(before.len(), 1);
        assert_eq!(typed(&before, &[], &[], host, &now), None);
        assert_eq!(find(Language::Java, &now), []);
    }
}
