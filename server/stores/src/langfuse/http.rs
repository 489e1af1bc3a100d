//! Asking over HTTP: with keys, within limits, and again where that can help.
//!
//! No redirect is followed: the API has none, and keys go only where a person has sent them.
//! Errors come without addresses and without keys, also where the server repeats those.

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

/// Asks a server.
#[derive(Clone, Debug)]
pub struct Http {
    client: Client,
    keys: Keys,
    retries: RetryPolicy,
}

/// When a request is made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// Whenever that can help.
    Always,
    /// If it surely had no effect.
    IfWithoutEffect,
}

/// Why there is no answer.
struct Failure {
    error: StoreError,
    /// Whether the server has not begun to do anything.
    had_no_effect: bool,
    /// How long the server wants to be left alone.
    retry_after: Option<Duration>,
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure { error, had_no_effect: false, retry_after: None }
    }
}

impl Http {
    pub fn new(keys: Keys, retries: RetryPolicy, limits: Limits) -> Result<Http, StoreError> {
        // Whoever was first may have chosen another one, which is as good.
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

    /// The body of the answer, of at most [`MAX_BYTES`]; fails for any status but success.
    pub async fn ask(
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
        let answer = (|| self.ask_once(method.clone(), url.clone(), body.clone()))
            .retry(delays)
            .when(|failure: &Failure| {
                failure.error.is_retryable()
                    && (retry == Retry::Always || failure.had_no_effect)
                    && failure.retry_after.is_none_or(|asked| asked <= longest)
            })
            // No delay means that there were enough retries.
            .adjust(|failure, delay| delay.map(|delay| failure.retry_after.unwrap_or(delay)));
        answer.await.map_err(|failure| failure.error)
    }

    async fn ask_once(
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
            StoreError::lasting(format!("{origin} answers with more than {most} MiB"))
        };
        if response.content_length().is_some_and(|length| length > MAX_BYTES as u64) {
            return Err(too_large().into());
        }
        let mut body = Vec::new();
        // It may be longer than it says, or not say it.
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

    /// The network has failed.
    fn broken_off(&self, origin: &str, error: reqwest::Error) -> Failure {
        let had_no_effect = error.is_connect();
        let is_insecure = causes(&error).any(is_about_tls);
        // A certificate that is not trusted now will not be in a second.
        let trouble = if is_insecure { Trouble::Lasting } else { Trouble::Passing };
        let what = match (error.is_timeout(), had_no_effect) {
            _ if is_insecure => format!("there is no secure connection to {origin}"),
            (_, true) => format!("cannot connect to {origin}"),
            (true, _) => format!("{origin} does not answer in time"),
            _ => format!("the connection to {origin} broke off"),
        };
        let error = error.without_url();
        let message = format!("{what}: {}", reason(&error));
        let error = StoreError::new(trouble, message).because(error);
        Failure { error, had_no_effect, retry_after: None }
    }

    /// The server does not want to, or cannot.
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
                format!("{origin} redirects{to}, which is not followed; name the right address")
            }
            _ => match (retry_after, self.words(response).await) {
                (Some(wait), _) => {
                    format!("{origin} answers {status}, and asks to wait {} s", wait.as_secs())
                }
                (None, Some(words)) => format!("{origin} answers {status}: {words}"),
                (None, None) => format!("{origin} answers {status}"),
            },
        };
        let error = StoreError::new(trouble, self.without_keys(&message));
        Failure { error, had_no_effect: status == StatusCode::TOO_MANY_REQUESTS, retry_after }
    }

    /// What the server says of an error, if it says it as the API does.
    async fn words(&self, mut response: Response) -> Option<String> {
        // More would not be shown.
        let body = response.chunk().await.ok()??;
        let said: serde_json::Value = serde_json::from_slice(&body).ok()?;
        let words = said.get("message").or(said.get("error"))?.as_str()?;
        Some(shortened(words))
    }

    fn without_keys(&self, text: &str) -> String {
        let keys = [&self.keys.secret, &self.keys.public].into_iter();
        let keys = keys.filter(|key| !key.is_empty());
        keys.fold(text.to_owned(), |text, key| text.replace(key.as_str(), "…"))
    }
}

/// As much as fits on a line.
fn shortened(words: &str) -> String {
    const MOST: usize = 200;
    let line = words.lines().next().unwrap_or_default();
    line.chars().take(MOST).collect()
}

/// An error, and what is behind it.
fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(Some(error as &(dyn Error + 'static)), |&cause| cause.source())
}

/// The innermost cause, which says what happened.
fn reason(error: &reqwest::Error) -> String {
    causes(error).last().map(ToString::to_string).unwrap_or_default()
}

fn is_about_tls(cause: &(dyn Error + 'static)) -> bool {
    // What is inside of these is not among the causes.
    let inner = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    cause.is::<rustls::Error>() || inner.is_some_and(|inner| is_about_tls(inner))
}

/// In seconds, or until a time.
fn retry_after(response: &Response) -> Option<Duration> {
    let value = response.headers().get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let time = httpdate::parse_http_date(value).ok()?;
    Some(time.duration_since(SystemTime::now()).unwrap_or_default())
}
