//! Where keys are sent.
//!
//! A config may come from anybody, and the keys are in the environment of whoever calls. So a
//! config alone sends them to Langfuse's own cloud only; elsewhere, the environment must say the
//! same.

use std::env;

use promptls_stores::{Keys, LangfuseStore};

use super::failure::StoreFailure;

/// Langfuse's own clouds.
const CLOUDS: [&str; 4] = [
    LangfuseStore::CLOUD,
    "https://us.cloud.langfuse.com",
    "https://jp.cloud.langfuse.com",
    "https://hipaa.cloud.langfuse.com",
];

/// Where a store is, by what a config says and what is in a variable.
pub fn host(
    store: &str,
    url: Option<&str>,
    variable: &str,
    said: Option<String>,
) -> Result<String, StoreFailure> {
    let is_same = |a: &str, b: &str| a.trim_end_matches('/') == b.trim_end_matches('/');
    let store = store.to_owned();
    match (url, said) {
        (None, None) => Ok(LangfuseStore::CLOUD.to_owned()),
        (None, Some(host)) => Ok(host),
        (Some(url), Some(host)) if is_same(url, &host) => Ok(host),
        (Some(url), Some(host)) => {
            let (url, variable) = (url.to_owned(), variable.to_owned());
            Err(StoreFailure::TwoHosts { store, url, variable, host })
        }
        (Some(url), None) if CLOUDS.iter().any(|cloud| is_same(cloud, url)) => Ok(url.to_owned()),
        (Some(url), None) => {
            let (url, variable) = (url.to_owned(), variable.to_owned());
            Err(StoreFailure::OnlyInConfig { store, url, variable })
        }
    }
}

/// The keys in these variables.
pub fn keys(store: &str, public: &str, secret: &str) -> Result<Keys, StoreFailure> {
    let key = |variable: &str| {
        let missing =
            || StoreFailure::NoKey { store: store.to_owned(), variable: variable.to_owned() };
        read(variable).ok_or_else(missing)
    };
    Ok(Keys { public: key(public)?, secret: key(secret)? })
}

/// A variable that says something.
pub fn read(variable: &str) -> Option<String> {
    env::var(variable).ok().filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_config_alone_sends_keys_to_the_cloud_only() {
        let at = |url, said: Option<&str>| {
            host("prod", url, "LANGFUSE_HOST", said.map(str::to_owned)).ok()
        };
        let (own, evil) = ("https://langfuse.corp", "https://evil.example");
        assert_eq!(at(None, None).as_deref(), Some("https://cloud.langfuse.com"));
        assert_eq!(at(None, Some(own)).as_deref(), Some(own));
        assert_eq!(at(Some(own), Some("https://langfuse.corp/")).map(|_| ()), Some(()));
        let us = "https://us.cloud.langfuse.com";
        assert_eq!(at(Some(us), None).as_deref(), Some(us));
        for (url, said) in [
            (evil, None),
            (evil, Some(own)),
            (us, Some(own)),
            ("https://cloud.langfuse.com.evil.example", None),
            ("https://cloud.langfuse.com@evil.example", None),
            ("http://cloud.langfuse.com", None),
        ] {
            assert_eq!(at(Some(url), said), None, "{url}");
        }
    }
}
