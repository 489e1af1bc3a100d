//! The connection to programs that follow a prompt which is open in an editor.
//!
//! `promptls preview --serve` shows text that is not saved, and edits it where it is open.
//! [`client`] is its end of the connection, `server.rs` that of the language server. Notifications
//! of the server pass through `news.rs`.

pub mod client;
pub mod jsonrpc;
mod messages;
mod news;
pub mod outbox;
#[cfg(unix)]
mod server;
#[cfg(unix)]
pub mod socket_dir;

pub use news::{Follower, Followers, News};
#[cfg(unix)]
pub use server::{Listening, listen};
