//! Handlers that need more than a few lines, a file each.

mod completion;
mod config;
mod hover;
