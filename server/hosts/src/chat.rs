//! Chats: lists of messages that a framework sends together.

use std::ops::Range;

use crate::host_prompt::{Contract, Supply};

/// A list of messages that a framework sends together, with one set of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chat {
    /// Its name, which no prompt and no other chat of the file has.
    pub name: String,
    /// The range of the call with the list.
    pub entry: Range<usize>,
    /// Its messages in the order in which they are sent.
    pub messages: Vec<ChatMessage>,
    /// Call sites near it that supply its values.
    pub contracts: Vec<Contract>,
    /// Call sites in other files that supply its values.
    pub supplies: Vec<Supply>,
}

/// A message of a chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatMessage {
    /// The role of the sender, in the words of the framework; `None` if it is unknown.
    pub role: Option<String>,
    /// The range of its entry in the list.
    pub entry: Range<usize>,
    /// The text or texts that are sent.
    pub content: ChatContent,
}

/// The content of a message of a chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChatContent {
    /// A prompt of the same file, by its index in [`Finds::prompts`](crate::Finds::prompts).
    Prompt(usize),
    /// Any number of messages that the program supplies as a value with a name.
    Supplied {
        /// The name of the value.
        name: String,
        /// The range of the name, without quotes; `None` if it is written elsewhere.
        range: Option<Range<usize>>,
        /// `true` if a call without the value fails.
        is_required: bool,
    },
    /// A text that is sent unchanged.
    Fixed(String),
    /// A message that is not followed.
    Unknown,
}

impl ChatContent {
    /// The text in the code that it consists of; `None` for a prompt.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            ChatContent::Supplied { name: text, .. } | ChatContent::Fixed(text) => Some(text),
            ChatContent::Prompt(_) | ChatContent::Unknown => None,
        }
    }
}

impl Chat {
    /// The indices of its prompts, in order.
    pub fn prompts(&self) -> impl Iterator<Item = usize> {
        self.messages.iter().filter_map(|message| match message.content {
            ChatContent::Prompt(index) => Some(index),
            _ => None,
        })
    }
}
