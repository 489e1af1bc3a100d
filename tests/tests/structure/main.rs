//! How the sources hang together, held by counting.

mod circles;
mod source;
