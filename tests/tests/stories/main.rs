//! End-to-end tests of promptls as one test program; this is the table of contents.
//!
//! A program for each file would be linked 32 times, and run sequentially. `cargo test -p
//! promptls-tests lsp::rename` runs the tests in `lsp/rename.rs`.

/// The fake editor itself, on which all other tests rely.
mod harness;

/// All commands and editors report the same problems for a prompt.
mod one_answer {
    mod agreement;
    mod applications;
    mod edits;
    mod folders;
    mod state_renames;
    mod unread;
    mod ways;
    mod workspace;
}

/// The two crates that process a prompt into a text.
mod library {
    mod conformance;
    mod convert;
    mod literals;
    mod resolve;
    mod rows;
    mod signs;
}

/// Commands that print a result and end.
mod cli {
    mod application_cases;
    mod applications;
    mod bad_input;
    mod branches;
    mod chat_rows;
    mod check;
    mod classes;
    mod completions;
    mod config;
    mod conformance;
    mod contracts;
    mod convert;
    mod crews;
    mod data_files;
    mod detection;
    mod diff;
    mod elsewhere;
    mod engines;
    mod explain;
    mod factories;
    mod false_alarms;
    mod fixing;
    mod fmt;
    mod formats;
    mod found;
    mod graph;
    mod hosts;
    mod init;
    mod looking;
    mod man;
    mod mutations;
    mod new;
    mod other_texts;
    mod own_output;
    mod pack;
    mod preview;
    mod python_braces;
    mod reading;
    mod readme;
    mod resolve;
    mod rows;
    mod schemas;
    mod state_flow;
    mod statements;
    mod stats;
    mod store;
    mod templates;
    mod terminal;
    mod text_files;
    mod texts_elsewhere;
    mod toml_inputs;
    mod vars;
    mod ways;
    mod yaml_pack;
}

/// `promptls preview` when it follows changes or is a page.
mod preview {
    mod html;
    mod serve;
    mod unsaved;
    mod watch;
}

/// `promptls lsp`, with a fake editor.
mod lsp {
    mod addresses;
    mod assist;
    mod chats;
    mod code_actions;
    mod compare;
    mod constants;
    mod contracts;
    mod convert;
    mod crews;
    mod data_files;
    mod display;
    mod engines;
    mod haste;
    mod hosts;
    mod inputs;
    mod likely_prompt;
    mod limits;
    mod navigation;
    mod nested_configs;
    mod new_prompt;
    mod other_texts;
    mod pack;
    mod preview;
    mod prompts;
    mod pull;
    mod reading;
    mod rename;
    mod robustness;
    mod sidecars;
    mod size;
    mod state_flow;
    mod stores;
    mod stories;
    mod text_files;
    mod toml_inputs;
    mod typing;
    mod workspace;
    mod yaml_pack;
}
