//! The methods that the Language Server Protocol does not have.

#[cfg(test)]
use crate::{
    Chat, CompareParams, Comparison, CursorParams, InputsForm, LikelyPrompt, LikelyPromptParams,
    PreviewAnswer, PreviewChangedParams, PreviewParams, PromptCases, PromptEngine, PromptParams,
    PromptToken, PromptTree, PromptsChangedParams, PromptsParams, ShownValue, Size, SizeParams,
    TemplateList, TemplatesParams, TokensParams, ValuesParams,
};

/// A method, for whoever lists or checks them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// As it stands in messages.
    pub name: &'static str,
    /// Who sends it.
    pub sender: Sender,
    /// The type of its params, in Rust.
    pub params: &'static str,
    /// The type of its result, in Rust; `None` for a notification.
    pub result: Option<&'static str>,
}

/// Who sends a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender {
    /// The editor, or a page.
    Client,
    /// The language server.
    Server,
}

/// Which methods these are, for whoever finds them among the capabilities of a server. It grows when
/// one of them gets another meaning; what is added to one does not count.
pub const METHODS_VERSION: u32 = 1;

/// Makes a constant of each row, [`METHODS`] of all of them, and for `generated.rs` a way to go
/// through their types.
macro_rules! methods {
    ($($(#[doc = $doc:literal])+
       $sender:ident $name:ident = $method:literal ($params:ty) $(-> $result:ty)?;)+) => {
        $($(#[doc = $doc])+ pub const $name: &str = $method;)+

        /// All methods.
        pub const METHODS: &[Method] = &[$(Method {
            name: $name,
            sender: Sender::$sender,
            params: stringify!($params),
            result: methods!(@name $($result)?),
        }),+];

        #[cfg(test)]
        pub(crate) fn describe(to: &mut crate::generated::Generated) {
            $(methods!(@describe to $sender $name $params $(, $result)?);)+
        }
    };
    (@name) => { None };
    (@name $result:ty) => { Some(stringify!($result)) };
    (@describe $to:ident $sender:ident $name:ident $params:ty) => {
        $to.notification::<$params>(Sender::$sender, $name)
    };
    (@describe $to:ident $sender:ident $name:ident $params:ty, $result:ty) => {
        $to.request::<$params, $result>(Sender::$sender, $name)
    };
}

methods! {
    /// The resolved text with its source map. `null` for a file that is another tool's.
    Client PREVIEW = "promptls/preview" (PreviewParams) -> Option<PreviewAnswer>;
    /// The cases of a prompt: the light part of a preview.
    Client CASES = "promptls/cases" (PromptParams) -> Option<PromptCases>;
    /// The values to draw in the place of the placeholders in a range.
    Client VALUES = "promptls/values" (ValuesParams) -> Option<Vec<ShownValue>>;
    /// The parts of placeholders in a range, for editors that colour them by themselves.
    Client TOKENS = "promptls/tokens" (TokensParams) -> Option<Vec<PromptToken>>;
    /// The inputs of a case as a form.
    Client INPUTS = "promptls/inputs" (PromptParams) -> Option<InputsForm>;
    /// The resolved text as the messages of a chat. `null` for a file that is another tool's.
    Client MESSAGES = "promptls/messages" (PromptParams) -> Option<Chat>;
    /// How many tokens the text has, and how much of it is the same in all cases.
    Client SIZE = "promptls/size" (SizeParams) -> Option<Size>;
    /// What is different between two cases, or between now and the last commit.
    Client COMPARE = "promptls/compare" (CompareParams) -> Option<Comparison>;
    /// The prompts of the workspace as a tree, level by level. `null` where there are none.
    Client PROMPTS = "promptls/prompts" (PromptsParams) -> Option<PromptTree>;
    /// The engine of a prompt, and which ones could be named. `null` for a file that is another
    /// tool's.
    Client ENGINE = "promptls/engine" (PromptParams) -> Option<PromptEngine>;
    /// What a text may be that nothing makes a prompt. `null` where that is not evident.
    Client LIKELY_PROMPT = "promptls/likelyPrompt" (LikelyPromptParams) -> Option<LikelyPrompt>;
    /// What a new prompt can begin with. Only where the server was built with templates.
    Client TEMPLATES = "promptls/templates" (TemplatesParams) -> TemplateList;
    /// Where the cursor is, from editors that ask for no highlights.
    Client CURSOR = "promptls/cursor" (CursorParams);
    /// The preview of an open prompt may be another now.
    Server PREVIEW_CHANGED = "promptls/previewChanged" (PreviewChangedParams);
    /// What was said about the prompts of the workspace may be old now.
    Server PROMPTS_CHANGED = "promptls/promptsChanged" (PromptsChangedParams);
}
