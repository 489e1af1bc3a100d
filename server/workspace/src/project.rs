//! What prompts are read from: files, their configs, and the program around them.

use crate::configs::Configs;
use crate::files::Files;
use crate::hosts::program_facts::{NoProgram, ProgramFacts};

/// A project at one time: on disk, in an editor, or in a commit.
#[derive(Clone, Copy)]
pub struct Project<'p> {
    /// The source of texts.
    pub files: &'p dyn Files,
    /// The configs, cached by folder; they are read from `files`.
    pub configs: &'p Configs,
    /// The facts about the code in `files`.
    pub program: &'p dyn ProgramFacts,
}

impl<'p> Project<'p> {
    /// A project without facts about its code. Prompts that are used only by other files are then
    /// not found.
    pub fn without_program(files: &'p dyn Files, configs: &'p Configs) -> Project<'p> {
        Project { files, configs, program: &NoProgram }
    }
}
