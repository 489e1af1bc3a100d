//! Programs that follow a prompt which is open in an editor, and how the two talk.
//!
//! `promptls preview --serve` shows text that is not saved, and edits it where it is open. Its
//! end is [`client`], that of the language server `server.rs`, and what a server has to tell goes
//! through `news.rs`.

pub mod client;
pub mod jsonrpc;
mod news;
pub mod outbox;
#[cfg(unix)]
mod server;
#[cfg(unix)]
pub mod socket_dir;

pub use news::{Follower, Followers, News};
#[cfg(unix)]
pub use server::{Listening, listen};
