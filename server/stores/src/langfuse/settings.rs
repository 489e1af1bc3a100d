//! With which keys, how long and how often a server is asked.

use std::fmt;
use std::time::Duration;

/// The keys of a project in Langfuse. They are shown to nobody.
#[derive(Clone)]
pub struct Keys {
    /// `pk-lf-…`
    pub public: String,
    /// `sk-lf-…`
    pub secret: String,
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keys")
    }
}

/// How often, and after how long, a request is made again. Each delay is twice the one before, and
/// has up to as much again at random.
///
/// A request is made again after status 429, 500, 502, 503, 504 and 529, and where the network
/// fails. One that saves only where it surely had no effect: after 429, and where there was no
/// connection; else there could be two new versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// At most so often.
    pub max_retries: usize,
    /// The first delay, where the store does not ask for another with `Retry-After`.
    pub initial_delay: Duration,
    /// The longest `Retry-After` that is waited for.
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

/// How long a request may take, each time that it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Until there is a connection.
    pub connecting: Duration,
    /// Until all of the answer is there.
    pub whole: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { connecting: Duration::from_secs(10), whole: Duration::from_secs(30) }
    }
}
