//! The hosts to which keys are sent.
//!
//! A config may come from an untrusted source, while the keys are in the caller's environment. So a
//! config alone can only send them to Langfuse's own cloud. For other hosts, the environment must
//! contain the same URL.

use std::env;

use promptls_stores::{Keys, LangfuseStore};

use super::failure::StoreFailure;

/// The hosts of Langfuse's cloud.
const CLOUDS: [&str; 4] = [
    LangfuseStore::CLOUD,
    "https://us.cloud.langfuse.com",
    "https://jp.cloud.langfuse.com",
    "https://hipaa.cloud.langfuse.com",
];

/// The host of a store, from its config and a variable.
pub fn host(
    store: &str,
    url: Option<&str>,
    variable: &str,
    configured: Option<String>,
) -> Result<String, StoreFailure> {
    let is_same = |a: &str, b: &str| a.trim_end_matches('/') == b.trim_end_matches('/');
    let store = store.to_owned();
    match (url, configured) {
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

/// The keys in these variables. Fails if one is unset or empty.
pub fn keys(store: &str, public: &str, secret: &str) -> Result<Keys, StoreFailure> {
    let key = |variable: &str| {
        let missing =
            || StoreFailure::NoKey { store: store.to_owned(), variable: variable.to_owned() };
        read(variable).ok_or_else(missing)
    };
    Ok(Keys { public: key(public)?, secret: key(secret)? })
}

/// The value of a variable; `None` if it is unset or empty.
pub fn read(variable: &str) -> Option<String> {
    env::var(variable).ok().filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_config_alone_can_send_keys_only_to_the_langfuse_cloud() {
        let at = |url, configured: Option<&str>| {
            host("prod", url, "LANGFUSE_HOST", configured.map(str::to_owned)).ok()
        };
        let (own, evil) = ("https://langfuse.corp", "https://evil.example");
        assert_eq!(at(None, None).as_deref(), Some("https://cloud.langfuse.com"));
        assert_eq!(at(None, Some(own)).as_deref(), Some(own));
        assert_eq!(at(Some(own), Some("https://langfuse.corp/")).map(|_| ()), Some(()));
        let us = "https://us.cloud.langfuse.com";
        assert_eq!(at(Some(us), None).as_deref(), Some(us));
        for (url, configured) in [
            (evil, None),
            (evil, Some(own)),
            (us, Some(own)),
            ("https://cloud.langfuse.com.evil.example", None),
            ("https://cloud.langfuse.com@evil.example", None),
            ("http://cloud.langfuse.com", None),
        ] {
            assert_eq!(at(Some(url), configured), None, "{url}");
        }
    }
}
