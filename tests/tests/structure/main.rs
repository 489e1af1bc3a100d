//! The structure of the sources, verified by counting.

mod changelog;
mod circles;
mod dialects;
mod packages;
mod plain;
mod protocol_types;
mod ratchet;
mod seams;
mod source;
mod widths;
