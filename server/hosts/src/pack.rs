//! Files in which several prompts are the members of an object.

use promptls_syntax::Dialect;

/// A kind of files in which each member of an object is a prompt with declarations of its own.
/// Sidecars belong to all prompts of such a file. Everything else in the file is checked as well.
#[derive(Debug, PartialEq, Eq)]
pub struct Pack {
    /// The end of the stem of files that are packs by their names: `.pack`.
    pub stem_end: &'static str,
    /// The key of the object at the top of the file whose members are prompts.
    pub prompts: &'static str,
    /// The key of the text of a prompt in its entry.
    pub text: &'static str,
    /// The key of the object at the top of the file that describes the engine of all prompts.
    pub engine: &'static str,
    /// The `syntax` of that object that its prompts have; with another one, they are not read.
    pub syntax: &'static str,
    /// The dialect of all its prompts.
    pub dialect: Dialect,
    /// The places of prompts, for messages.
    pub place: &'static str,
}

/// Document: RFC 0003 of PromptPack.
pub(crate) static PROMPT_PACK: Pack = Pack {
    stem_end: ".pack",
    prompts: "prompts",
    text: "system_template",
    engine: "template_engine",
    syntax: "{{variable}}",
    dialect: Dialect::PromptPack,
    place: "`prompts.TASK.system_template`",
};
