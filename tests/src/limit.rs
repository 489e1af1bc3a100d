//! The limit of every wait.

use std::time::Duration;

/// The time a test waits for anything before it fails.
///
/// Far above the slowest response on a busy CI machine, so that only a missing event exceeds it.
pub const LIMIT: Duration = Duration::from_secs(20);
