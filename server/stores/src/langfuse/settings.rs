//! Settings of requests: keys, time limits and retries.

use std::fmt;
use std::time::Duration;

/// The keys of a project in Langfuse. Never shown in messages.
#[derive(Clone)]
pub struct Keys {
    /// The public key, which starts with `pk-lf-`.
    pub public: String,
    /// The secret key, which starts with `sk-lf-`.
    pub secret: String,
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keys")
    }
}

/// The retry policy. Each delay is twice the previous one, plus up to the same amount at random.
///
/// A request is retried after status 429, 500, 502, 503, 504 and 529, and after network errors. A
/// request that saves is retried only if it certainly had no effect: after 429, and without a
/// connection; otherwise there could be two new versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// The maximum number of retries.
    pub max_retries: usize,
    /// The first delay, unless the store requests another with `Retry-After`.
    pub initial_delay: Duration,
    /// The longest accepted `Retry-After`; a longer one ends the retries.
    pub max_delay: Duration,
}

impl Default for RetryPolicy {
    fn default() -> RetryPolicy {
        RetryPolicy {
            max_retries: 5,
            initial_delay: Duration::from_millis(500),
            max_delay: Duration::from_secs(30),
        }
    }
}

/// The time limits of each attempt of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The limit until a connection is established.
    pub connecting: Duration,
    /// The limit until the whole response has arrived.
    pub whole: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { connecting: Duration::from_secs(10), whole: Duration::from_secs(30) }
    }
}
