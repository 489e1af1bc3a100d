//! HTTP requests with keys, limits and retries.
//!
//! Redirects are not followed: the API has none, and keys must go only to the configured server.
//! Error messages contain no URLs and no keys, even if the server repeats them.

use std::error::Error;
use std::io;
use std::time::{Duration, SystemTime};

use backon::{ExponentialBuilder, Retryable};
use reqwest::header::{CONTENT_TYPE, LOCATION, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, Response, StatusCode, Url};

use super::settings::{Keys, Limits, RetryPolicy};
use crate::error::{StoreError, Trouble};
use crate::provider::MAX_BYTES;

/// An HTTP client for one server.
#[derive(Clone, Debug)]
pub struct Http {
    client: Client,
    keys: Keys,
    retries: RetryPolicy,
}

/// The condition for retries of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// Retry whenever that can help.
    Always,
    /// Retry only if the request certainly had no effect.
    IfWithoutEffect,
}

/// The reason for a missing response.
struct Failure {
    error: StoreError,
    /// `true` if the server has not started to process the request.
    had_no_effect: bool,
    /// The delay that the server requests before a retry.
    retry_after: Option<Duration>,
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure { error, had_no_effect: false, retry_after: None }
    }
}

impl Http {
    pub fn new(keys: Keys, retries: RetryPolicy, limits: Limits) -> Result<Http, StoreError> {
        // An error means that another provider is already installed, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .redirect(Policy::none())
            .connect_timeout(limits.connecting)
            .timeout(limits.whole)
            .user_agent(concat!("promptls/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| StoreError::lasting(reason(&error)).because(error))?;
        Ok(Http { client, keys, retries })
    }

    /// The response body, of at most [`MAX_BYTES`]; fails for any status but success.
    pub async fn send(
        &self,
        method: Method,
        url: Url,
        body: Option<Vec<u8>>,
        retry: Retry,
    ) -> Result<Vec<u8>, StoreError> {
        let delays = ExponentialBuilder::default()
            .with_min_delay(self.retries.initial_delay)
            .with_max_delay(self.retries.max_delay)
            .with_max_times(self.retries.max_retries)
            .with_jitter();
        let longest = self.retries.max_delay;
        let answer = (|| self.send_once(method.clone(), url.clone(), body.clone()))
            .retry(delays)
            .when(|failure: &Failure| {
                failure.error.is_retryable()
                    && (retry == Retry::Always || failure.had_no_effect)
                    && failure.retry_after.is_none_or(|delay| delay <= longest)
            })
            // No delay means that the retries are used up.
            .adjust(|failure, delay| delay.map(|delay| failure.retry_after.unwrap_or(delay)));
        answer.await.map_err(|failure| failure.error)
    }

    async fn send_once(
        &self,
        method: Method,
        url: Url,
        body: Option<Vec<u8>>,
    ) -> Result<Vec<u8>, Failure> {
        let origin = url.origin().ascii_serialization();
        let mut request =
            self.client.request(method, url).basic_auth(&self.keys.public, Some(&self.keys.secret));
        if let Some(body) = body {
            request = request.header(CONTENT_TYPE, "application/json").body(body);
        }
        let response = request.send().await.map_err(|error| self.broken_off(&origin, error))?;
        match response.status() {
            status if status.is_success() => self.body(&origin, response).await,
            status => Err(self.refused(&origin, status, response).await),
        }
    }

    async fn body(&self, origin: &str, mut response: Response) -> Result<Vec<u8>, Failure> {
        let too_large = || {
            let most = MAX_BYTES >> 20;
            StoreError::lasting(format!("the response of {origin} is larger than {most} MiB"))
        };
        if response.content_length().is_some_and(|length| length > MAX_BYTES as u64) {
            return Err(too_large().into());
        }
        let mut body = Vec::new();
        // The body may be longer than its declared length, or have none.
        while let Some(chunk) =
            response.chunk().await.map_err(|error| self.broken_off(origin, error))?
        {
            if body.len() + chunk.len() > MAX_BYTES {
                return Err(too_large().into());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    /// The failure for a network error.
    fn broken_off(&self, origin: &str, error: reqwest::Error) -> Failure {
        let had_no_effect = error.is_connect();
        let is_insecure = causes(&error).any(is_about_tls);
        // A certificate that is not trusted now will not be trusted in a second.
        let trouble = if is_insecure { Trouble::Lasting } else { Trouble::Passing };
        let what = match (error.is_timeout(), had_no_effect) {
            _ if is_insecure => format!("there is no secure connection to {origin}"),
            (_, true) => format!("cannot connect to {origin}"),
            (true, _) => format!("{origin} did not respond in time"),
            _ => format!("the connection to {origin} was lost"),
        };
        let error = error.without_url();
        let message = format!("{what}: {}", reason(&error));
        let error = StoreError::new(trouble, message).because(error);
        Failure { error, had_no_effect, retry_after: None }
    }

    /// The failure for an error status.
    async fn refused(&self, origin: &str, status: StatusCode, response: Response) -> Failure {
        let retry_after = retry_after(&response);
        let trouble = match status.as_u16() {
            404 => Trouble::NotFound,
            429 | 500 | 502 | 503 | 504 | 529 => Trouble::Passing,
            _ => Trouble::Lasting,
        };
        let message = match status.as_u16() {
            404 => format!("{origin} has no such prompt"),
            401 => format!("{origin} does not accept the keys"),
            403 => format!("{origin} does not allow this with these keys"),
            300..=399 => {
                let to = response.headers().get(LOCATION).and_then(|to| to.to_str().ok());
                let to = to.map(|to| format!(" to {}", shortened(to))).unwrap_or_default();
                format!("{origin} redirects{to}, which is not followed; set the final URL")
            }
            _ => match (retry_after, self.words(response).await) {
                (Some(wait), _) => {
                    format!("{origin} returned {status}; retry in {} s", wait.as_secs())
                }
                (None, Some(words)) => format!("{origin} returned {status}: {words}"),
                (None, None) => format!("{origin} returned {status}"),
            },
        };
        let error = StoreError::new(trouble, self.without_keys(&message));
        Failure { error, had_no_effect: status == StatusCode::TOO_MANY_REQUESTS, retry_after }
    }

    /// The error message of the server, if it has the format of the API.
    async fn words(&self, mut response: Response) -> Option<String> {
        // More text would not be shown.
        let body = response.chunk().await.ok()??;
        let answer: serde_json::Value = serde_json::from_slice(&body).ok()?;
        let words = answer.get("message").or(answer.get("error"))?.as_str()?;
        Some(shortened(words))
    }

    fn without_keys(&self, text: &str) -> String {
        let keys = [&self.keys.secret, &self.keys.public].into_iter();
        let keys = keys.filter(|key| !key.is_empty());
        keys.fold(text.to_owned(), |text, key| text.replace(key.as_str(), "…"))
    }
}

/// The part that fits on a line.
fn shortened(words: &str) -> String {
    const MOST: usize = 200;
    let line = words.lines().next().unwrap_or_default();
    line.chars().take(MOST).collect()
}

/// An error and its chain of sources.
fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(Some(error as &(dyn Error + 'static)), |&cause| cause.source())
}

/// The innermost source, which describes the actual failure.
fn reason(error: &reqwest::Error) -> String {
    causes(error).last().map(ToString::to_string).unwrap_or_default()
}

fn is_about_tls(cause: &(dyn Error + 'static)) -> bool {
    // The inner errors of these types are not among the sources.
    let inner = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    cause.is::<rustls::Error>() || inner.is_some_and(|inner| is_about_tls(inner))
}

/// The `Retry-After` header: in seconds, or as a time.
fn retry_after(response: &Response) -> Option<Duration> {
    let value = response.headers().get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let time = httpdate::parse_http_date(value).ok()?;
    Some(time.duration_since(SystemTime::now()).unwrap_or_default())
}
