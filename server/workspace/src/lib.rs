#![doc = include_str!("../README.md")]
//!
//! # Design
//!
//! This crate determines which files are prompts, which files belong to them, and what
//! `promptls.toml` configures.
//!
//! All reading of files is here, through [`Files`], so that the text of an open editor takes
//! precedence over the one on disk.

mod check;
mod config;
mod configs;
pub mod explain;
mod files;
mod front_matter;
mod history;
mod hosts;
mod in_parallel;
mod kind;
mod known_prompts;
mod likely_prompt;
mod lock;
#[cfg(feature = "templates")]
mod new_prompt;
mod project;
mod prompt_file;
mod prompt_tree;
mod reach;
mod read_error;
mod readers;
mod rewriting;
mod shared_inputs;
mod shared_reads;
mod sidecars;
mod symbols;
mod walking;

pub use check::FileProblems;
pub use config::complete::{complete as complete_config, hover as hover_config};
pub use config::edit::{NewIgnore, add_ignores, edit_config};
pub use config::engines::{parse_dialect, parse_engine, unknown_version};
pub use config::named_files::named_files;
pub use config::project_engines::{ProjectEngine, manifest_names, project_engines};
pub use config::schema::config_schema;
pub use config::written::{WrittenSetting, written_settings};
pub use config::{CONFIG_NAME, Config, Ignores, Rule, StoreConfig, StoreKind, UsedIgnores};
pub use configs::Configs;
pub use files::address::place_of;
pub use files::chosen::{NoSuchPrompt, split_name};
pub use files::layer::Layer;
pub use files::listing::Listing;
pub use files::paths::{absolute, at_or_below, folder_of};
pub use files::regular_file::{DEFAULT_MAX_FILE_BYTES, max_file_bytes, set_max_file_bytes};
pub use files::sources::Sources;
pub use files::with_texts::WithTexts;
pub use files::{
    DISK, Disk, Entry, Files, NoFiles, Once, Reading, Stamp, expanded, read_text, text,
};
pub use front_matter::has_front_matter;
pub use history::changed_texts::{ChangedText, Changes, ComparisonFilter, SentText, changed_texts};
pub use history::git_process::{GIT_LIMIT, GitCalls, GitStopped, end_all_git};
pub use history::git_revision::{CommitError, Committed, Repository, commit_name};
pub use history::newer_inputs::{newer_inputs_note, with_newer_inputs};
pub use history::revision_range::RevisionRange;
pub use hosts::application::{App, NameObstacle};
pub use hosts::broken_data::why_broken;
pub use hosts::changed_calls::with_keys_of;
pub use hosts::code_index::{CodeIndex, DiskOnce};
pub use hosts::conflict::Conflict;
pub use hosts::data_values::{dialects_of_value, likely_value, may_have_values, value_at};
pub use hosts::is_code::{
    endings_of_hosts, is_code, is_code_or_data, language_of_names, may_be_read_by_code,
    may_be_used_by_code, may_refer_to_state,
};
pub use hosts::loaded_texts::{LoadedText, loaded_texts};
pub use hosts::manifests::Manifests;
pub use hosts::program_facts::{Extent, ProgramFacts};
pub use hosts::program_names::MAX_PLACES;
pub use hosts::prompt_uses::{Use, Uses, inclusions, whole_texts};
pub use hosts::state_names::AppNames;
pub use hosts::text_references::{WrittenText, text_references, text_references_at, written_at};
pub use hosts::workspace_folder::{is_home, is_manifest, workspace_around};
pub use in_parallel::in_parallel;
pub use kind::{PromptKind, kind_of};
pub use known_prompts::{Change, Concerned, KnownPrompt, KnownPrompts, ProblemGroup};
pub use likely_prompt::{Guess, Standing, has_text_ending, likely_prompt, prompt_folder, standing};
pub use lock::{LOCK_NAME, Lock, LockError, Pulled, hash};
#[cfg(feature = "templates")]
pub use new_prompt::{NewPrompt, Templates, UnusableName, UnusableTemplate, dialect_of_new};
pub use project::Project;
pub use prompt_file::chats::{ChatResolution, MessageSource, ResolvedMessage};
pub use prompt_file::parts::{PartFiles, WholeProblems};
pub use prompt_file::{Prompt, PromptFile, Scope};
pub use prompt_tree::{
    ProblemCounts, PromptTree, TreeCase, TreeEntry, TreeFile, TreeNews, TreePrompt,
};
pub use promptls_hosts::{Chat, ChatContent, DataValue, Demand, TextReference, TextTarget};
pub use reach::{Reach, allow_reading, repository};
pub use read_error::{ReadError, Within};
pub use readers::PromptReader;
pub use readers::writing::{CannotWrite, Replacement, replaced};
pub use rewriting::Rewritten;
pub use rewriting::converted::{
    CannotConvert, ConvertedFile, ConvertedFiles, Target, convert_files, converted_path,
};
pub use rewriting::fixes::{FixOptions, FixedFiles, fixable};
pub use rewriting::formatting::{FormattedFiles, format_file, format_files};
pub use rewriting::layout::{Indentation, Layout};
pub use rewriting::rebase_file_values::rebase_file_values;
pub use rewriting::set_input::{CannotSet, InputEdit, set_input, set_new_input};
pub use shared_reads::SharedReads;
pub use sidecars::loading::{Overrides, config_home};
pub use sidecars::naming::{
    default_inputs, inputs_path, is_inputs_file, is_variables_file, sidecar_home, sidecar_like,
    stem, stems_concerned, variables_path,
};
pub use sidecars::orphan::{
    Siblings, is_shared_below, is_shared_in, is_sidecar, orphan, project_of,
};
pub use sidecars::owners::{
    first_inputs, moved_sidecars, new_variables, prompts_of, sidecars_beside,
};
pub use symbols::{SymbolKind, WorkspaceSymbol, WorkspaceSymbols};
pub use walking::file_globs::FileGlobs;
pub use walking::may_matter::may_matter;
pub use walking::walk::{
    by_bytes, configs_below, find_below, find_walking, prompts_at, prompts_by_rule, prompts_in,
};
pub use walking::walker::{LeftOut, WalkedFile, Walking, folders_below, outermost, walker};
