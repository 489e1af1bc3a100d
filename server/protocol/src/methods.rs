//! The methods beyond the Language Server Protocol.

#[cfg(test)]
use crate::{
    Chat, CompareParams, Comparison, CursorParams, InputsForm, LikelyPrompt, LikelyPromptParams,
    PreviewAnswer, PreviewChangedParams, PreviewParams, PromptCases, PromptEngine, PromptParams,
    PromptToken, PromptTree, PromptsChangedParams, PromptsParams, ShownValue, Size, SizeParams,
    TemplateList, TemplatesParams, TokensParams, ValuesParams,
};

/// A method, for programs that list or check them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// The name in messages, such as `promptls/preview`.
    pub name: &'static str,
    /// The sender of the method.
    pub sender: Sender,
    /// The Rust type of its params.
    pub params: &'static str,
    /// The Rust type of its result; `None` for a notification.
    pub result: Option<&'static str>,
}

/// The sender of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender {
    /// The editor, or a page.
    Client,
    /// The language server sends it.
    Server,
}

/// The version of the methods, as part of the server's capabilities. It is increased when a method
/// changes its meaning, but not for additions to a method.
pub const METHODS_VERSION: u32 = 1;

/// Defines a constant for each row, [`METHODS`] with all of them, and for `generated.rs` a function
/// that visits their types.
macro_rules! methods {
    ($($(#[doc = $doc:literal])+
       $sender:ident $name:ident = $method:literal ($params:ty) $(-> $result:ty)?;)+) => {
        $($(#[doc = $doc])+ pub const $name: &str = $method;)+

        /// All methods, in the order of their definition.
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
    /// The resolved text with its source map. `null` for a file of another tool.
    Client PREVIEW = "promptls/preview" (PreviewParams) -> Option<PreviewAnswer>;
    /// The cases of a prompt: the inexpensive part of a preview.
    Client CASES = "promptls/cases" (PromptParams) -> Option<PromptCases>;
    /// The values to draw in place of the placeholders in a range.
    Client VALUES = "promptls/values" (ValuesParams) -> Option<Vec<ShownValue>>;
    /// The parts of placeholders in a range, for editors that colour them by themselves.
    Client TOKENS = "promptls/tokens" (TokensParams) -> Option<Vec<PromptToken>>;
    /// The inputs of a case as a form.
    Client INPUTS = "promptls/inputs" (PromptParams) -> Option<InputsForm>;
    /// The resolved text as chat messages. `null` for a file of another tool.
    Client MESSAGES = "promptls/messages" (PromptParams) -> Option<Chat>;
    /// The number of tokens in the text, and in the prefix that is the same in all cases.
    Client SIZE = "promptls/size" (SizeParams) -> Option<Size>;
    /// The differences between two cases, or between the present text and a commit or a store.
    Client COMPARE = "promptls/compare" (CompareParams) -> Option<Comparison>;
    /// The prompts of the workspace as a tree, level by level. `null` if there are none.
    Client PROMPTS = "promptls/prompts" (PromptsParams) -> Option<PromptTree>;
    /// The engine of a prompt, and the engines that could be named. `null` for a file of another
    /// tool.
    Client ENGINE = "promptls/engine" (PromptParams) -> Option<PromptEngine>;
    /// The probable dialect of a text that nothing makes a prompt. `null` without clear evidence.
    Client LIKELY_PROMPT = "promptls/likelyPrompt" (LikelyPromptParams) -> Option<LikelyPrompt>;
    /// The templates for a new prompt. Requires a server that was built with templates.
    Client TEMPLATES = "promptls/templates" (TemplatesParams) -> TemplateList;
    /// The position of the cursor, from editors that do not request highlights.
    Client CURSOR = "promptls/cursor" (CursorParams);
    /// The preview of an open prompt may have changed.
    Server PREVIEW_CHANGED = "promptls/previewChanged" (PreviewChangedParams);
    /// Previous results about the prompts of the workspace may be stale.
    Server PROMPTS_CHANGED = "promptls/promptsChanged" (PromptsChangedParams);
}
