//! The structure of the sources, verified by counting.

mod changelog;
mod circles;
mod dialects;
mod files;
mod packages;
mod parsers;
mod plain;
mod protocol_types;
mod ratchet;
mod source;
mod widths;
