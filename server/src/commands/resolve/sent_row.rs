//! What is sent for a row of a table, or for a case: one text, or the messages of a chat.

use promptls_analysis::{Role, Snapshot, chat};
use promptls_protocol::ChatMessage;
use promptls_resolver::{Dialect, EngineError, Inputs, Values};
use promptls_rows::{Needs, RowPrompt};
use promptls_workspace::{Chat, ChatContent, PromptFile};

use crate::args::ResolveFormat;
use crate::opened_prompt::OpenedPrompt;

/// What is sent, in the requested form.
pub struct SentRow {
    /// The text; that of a chat has the roles of its messages, unless there is only one.
    pub text: String,
    /// The messages, if they are requested.
    pub messages: Option<Vec<ChatMessage>>,
}

/// Sends a prompt or a chat with some values; usable from any thread.
#[derive(Clone, Copy)]
pub enum Sender<'s> {
    /// A prompt, with the role that code gives it.
    Prompt { dialect: Dialect, role: Option<Role> },
    /// The messages of a chat.
    Chat { file: &'s PromptFile, chat: &'s Chat },
}

impl<'s> Sender<'s> {
    /// The sender of the prompt or the chat that is open.
    pub fn of(opened: &'s OpenedPrompt) -> Sender<'s> {
        let prompt = |snapshot: &Snapshot| Sender::Prompt {
            dialect: snapshot.dialect(),
            role: snapshot.role(),
        };
        match opened.chat() {
            Some(chat) => Sender::Chat { file: opened.file(), chat },
            None => prompt(opened.snapshot()),
        }
    }

    /// The prompt for the columns that are read: for a chat, those of all its messages.
    pub fn columns(self, prompt: RowPrompt) -> RowPrompt {
        let Sender::Chat { file, chat } = self else { return prompt };
        let mut needs: Needs = prompt.needs().clone();
        for message in &chat.messages {
            needs = match &message.content {
                ChatContent::Prompt(index) => {
                    needs.and(RowPrompt::of(&file.prompts[*index].snapshot).needs())
                }
                ChatContent::Supplied { name, is_required, .. } => {
                    needs.and_name(name, *is_required)
                }
                ChatContent::Fixed(_) | ChatContent::Unknown => needs,
            };
        }
        prompt.with_needs(needs)
    }

    /// What is sent with some values. `render` resolves a single prompt with them.
    pub fn send(
        self,
        format: ResolveFormat,
        values: &dyn Values,
        max_output: usize,
        render: impl FnOnce(&dyn Values) -> Result<String, EngineError>,
    ) -> Result<SentRow, EngineError> {
        let are_requested = format == ResolveFormat::Messages;
        let message = |(role, content): (Role, &str)| ChatMessage {
            role: role.id(),
            content: content.to_owned(),
        };
        match self {
            Sender::Prompt { dialect, role } => {
                let text = render(values)?;
                let messages = are_requested
                    .then(|| chat(dialect, role, &text).into_iter().map(message).collect());
                Ok(SentRow { text, messages })
            }
            Sender::Chat { file, chat } => {
                let mut inputs = Inputs::empty();
                inputs.root = values.all().map(|all| all.into_owned()).unwrap_or_default();
                let resolved = file.resolve_chat(chat, &inputs, max_output);
                let messages = are_requested.then(|| resolved.chat().map(message).collect());
                let text = resolved.sent_text();
                resolved.error.map_or(Ok(SentRow { text, messages }), Err)
            }
        }
    }
}
