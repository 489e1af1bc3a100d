//! The fuzz targets, a module each.

mod configs;
mod conversations;
mod edits;
mod features;
mod file_edits;
mod flow;
mod hosts;
mod lexer;
mod packs;
mod readers;
mod resolve;
mod tables;
mod texts;
