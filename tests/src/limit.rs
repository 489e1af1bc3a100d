//! The limit of every wait.

use std::time::Duration;

/// How long a test waits for anything before it fails.
///
/// Far above what the slowest answer takes on a busy CI machine, so that only
/// what never comes runs into it.
pub const LIMIT: Duration = Duration::from_secs(20);
