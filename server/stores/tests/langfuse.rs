//! Langfuse over real sockets: requests, handling of responses, and failures without a response.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use promptls_stores::{
    Filters, Keys, LangfuseBuilder, LangfuseStore, Limits, PromptProvider, PromptStore,
    RetryPolicy, Revision, StoreError, Trouble,
};
use promptls_tests::langfuse::{Fault, Langfuse, PUBLIC_KEY, SECRET_KEY};
use serde_json::json;

/// Delays short enough for tests.
const AT_ONCE: RetryPolicy = RetryPolicy {
    max_retries: 5,
    initial_delay: Duration::from_millis(1),
    max_delay: Duration::from_secs(2),
};

fn builder(server: &Langfuse) -> LangfuseBuilder {
    let keys = Keys { public: PUBLIC_KEY.to_owned(), secret: SECRET_KEY.to_owned() };
    LangfuseStore::builder(keys).base_url(server.url()).retry_policy(AT_ONCE)
}

fn store(server: &Langfuse) -> LangfuseStore {
    builder(server).build().expect("the address is one")
}

#[tokio::test]
async fn a_prompt_has_versions_and_labels() {
    let server = Langfuse::new();
    server.add("movie/critic", "one {{movie}}", &["production"]);
    server.add("movie/critic", "two {{movie}}", &["staging"]);
    let store = store(&server);
    for (filters, text) in [
        (Filters::default(), "one {{movie}}"),
        (Filters::version(2), "two {{movie}}"),
        (Filters::label("staging"), "two {{movie}}"),
        (Filters::label("latest"), "two {{movie}}"),
    ] {
        let prompt = store.provide_prompt_with("movie/critic", &filters).await.unwrap();
        assert_eq!(prompt.content(), text, "{filters:?}");
        assert!(!prompt.is_compiled());
    }
    let found = store.find("movie/critic", &Filters::default()).await.unwrap();
    assert_eq!((found.version, &*found.labels), (Some(1), &["production".to_owned()][..]));
    let asked: Vec<String> = server.requests().into_iter().map(|it| it.target).collect();
    assert_eq!(asked[0], "/api/public/v2/prompts/movie%2Fcritic");
    assert_eq!(asked[1], "/api/public/v2/prompts/movie%2Fcritic?version=2");

    let error = store.provide_prompt_with("movie/critic", &Filters::label("no")).await.unwrap_err();
    assert_eq!((error.trouble(), error.prompt_id()), (Trouble::NotFound, Some("movie/critic")));
    assert!(store.exists("movie/critic").await.unwrap());
    assert!(!store.exists("movie").await.unwrap());
}

#[tokio::test]
async fn a_chat_is_a_line_for_each_message() {
    let server = Langfuse::new();
    server.add_json(json!({"type": "chat", "name": "chat", "labels": ["production"], "prompt": [
        {"role": "system", "content": "Be helpful"},
        {"type": "placeholder", "name": "history"},
        {"type": "chatmessage", "role": "user", "content": "{{question}}"},
    ]}));
    let found = store(&server).find("chat", &Filters::default()).await.unwrap();
    assert_eq!(found.prompt.content(), "system: Be helpful\nuser: {{question}}");
    assert!(found.is_chat);
}

#[tokio::test]
async fn lists_are_fetched_page_by_page() {
    let server = Langfuse::new();
    for number in 0..250 {
        server.add(&format!("prompt {number:03}"), "x", &[]);
    }
    server.add("prompt 000", "y", &["production"]);
    let store = store(&server);
    let listed = store.list().await.unwrap();
    assert_eq!(listed.len(), 250);
    assert_eq!((&*listed[0].id, &*listed[0].versions), ("prompt 000", &[1, 2][..]));
    assert_eq!(listed[0].labels, ["latest", "production"]);
    assert_eq!(server.requests().len(), 3);
    assert!(store.list_prompt_ids().await.unwrap().contains("prompt 249"));
}

#[tokio::test]
async fn saving_creates_a_version() {
    let server = Langfuse::new();
    let store = store(&server);
    store.save_text("a/b", "one").await.unwrap();
    let revision = Revision { labels: vec!["staging".into()], message: Some("Shorter".into()) };
    let prompt = promptls_stores::Prompt::of("two");
    assert_eq!(store.save_as("a/b", &prompt, &revision).await.unwrap(), Some(2));
    assert_eq!(
        server.newest("a/b").unwrap(),
        json!({"type": "text", "name": "a/b", "prompt": "two", "labels": ["staging"],
               "commitMessage": "Shorter", "version": 2})
    );

    store.delete_with("a/b", &Filters::version(2)).await.unwrap();
    assert_eq!(server.newest("a/b").unwrap()["version"], 1);
    store.delete("a/b").await.unwrap();
    assert_eq!(server.newest("a/b"), None);
    assert_eq!(store.delete("a/b").await.unwrap_err().trouble(), Trouble::NotFound);
}

#[tokio::test]
async fn transient_errors_are_retried() {
    let server = Langfuse::new();
    server.add("a", "text", &["production"]);
    let store = builder(&server)
        .limits(Limits { whole: Duration::from_millis(300), ..Limits::default() })
        .build()
        .unwrap();
    for fault in [
        Fault::answer("429 Too Many Requests", "", ""),
        Fault::answer("500 Internal Server Error", "", ""),
        Fault::answer("502 Bad Gateway", "", "<html>"),
        Fault::answer("503 Service Unavailable", "", ""),
        Fault::answer("504 Gateway Timeout", "", ""),
        Fault::answer("529 Overloaded", "", ""),
        Fault::cut(),
        Fault::Raw(Vec::new()),
        Fault::Raw(b"garbage\r\n\r\n".to_vec()),
        Fault::Silence,
    ] {
        server.requests();
        server.fail(fault.clone());
        let prompt = store.provide_prompt("a").await;
        assert_eq!(prompt.unwrap().content(), "text", "{fault:?}");
        assert_eq!(server.requests().len(), 2, "{fault:?}");
    }
}

/// Without `Retry-After`, this would take an hour.
#[tokio::test]
async fn the_retry_after_header_limits_the_wait() {
    let server = Langfuse::new();
    server.add("a", "text", &["production"]);
    let hour = Duration::from_secs(3600);
    let retries = RetryPolicy { initial_delay: hour, max_delay: 2 * hour, ..AT_ONCE };
    let store = builder(&server).retry_policy(retries).build().unwrap();
    for after in ["0", "Thu, 01 Jan 1970 00:00:00 GMT"] {
        let header = format!("Retry-After: {after}\r\n");
        server.fail(Fault::answer("429 Too Many Requests", &header, ""));
        let prompt = tokio::time::timeout(promptls_tests::LIMIT, store.provide_prompt("a")).await;
        assert_eq!(prompt.expect("the wait is limited").unwrap().content(), "text");
    }
}

#[tokio::test]
async fn a_request_is_retried_five_times() {
    let server = Langfuse::new();
    for _ in 0..10 {
        server.fail(Fault::answer("503 Service Unavailable", "", r#"{"message": "down"}"#));
    }
    let error = store(&server).provide_prompt("a").await.unwrap_err();
    assert!(error.is_retryable());
    assert!(error.to_string().ends_with("returned 503 Service Unavailable: down"), "{error}");
    assert_eq!(server.requests().len(), 6);
}

#[tokio::test]
async fn permanent_errors_are_reported_without_a_retry() {
    let elsewhere = Langfuse::new();
    let redirect = format!("Location: {}/elsewhere\r\n", elsewhere.url());
    for (fault, words) in [
        (Fault::answer("401 Unauthorized", "", SECRET_KEY), "does not accept the keys"),
        (Fault::answer("403 Forbidden", "", ""), "does not allow this"),
        (Fault::answer("404 Not Found", "", ""), "has no such prompt"),
        (
            Fault::answer("400 Bad Request", "", r#"{"message": "\u001b[2J sk-lf-secret"}"#),
            "400 Bad Request: \u{1b}[2J …",
        ),
        (Fault::answer("307 Temporary Redirect", &redirect, ""), "which is not followed"),
        (Fault::answer("301 Moved Permanently", "Location: /there\r\n", ""), "redirects to /there"),
        (Fault::answer("429 Too Many Requests", "Retry-After: 3600\r\n", ""), "retry in 3600 s"),
        (Fault::answer("200 OK", "", "<html>"), "something other than a prompt"),
        (Fault::answer("200 OK", "", ""), "something other than a prompt"),
        (
            Fault::answer("200 OK", "", r#"{"type": "text", "version": 1, "prompt": 7}"#),
            "something other than a prompt",
        ),
        (
            Fault::answer("200 OK", "", r#"{"type": "text", "version": "1", "prompt": "x"}"#),
            "something other than a prompt",
        ),
        (
            Fault::answer("200 OK", "", r#"{"type": "image", "version": 1, "prompt": "x"}"#),
            "something other than a prompt",
        ),
        (
            Fault::answer("200 OK", "", r#"{"type": "chat", "version": 1, "prompt": "x"}"#),
            "something other than a prompt",
        ),
    ] {
        let server = Langfuse::new();
        server.add("a", "text", &["production"]);
        server.fail(fault.clone());
        let error = store(&server).provide_prompt("a").await.unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
        assert_eq!(error.prompt_id(), Some("a"));
        assert!(!shown(&error).contains(SECRET_KEY), "{}", shown(&error));
        assert_eq!(server.requests().len(), 1, "{fault:?}");
    }
    assert!(elsewhere.requests().is_empty());
}

#[tokio::test]
async fn responses_above_the_size_limit_are_refused() {
    let server = Langfuse::new();
    let store = builder(&server).limits(Limits { whole: Duration::MAX, ..Limits::default() });
    let store = store.build().unwrap();
    for says_so in [true, false] {
        server.fail(Fault::Huge { says_so });
        let error = store.provide_prompt("a").await.unwrap_err();
        assert!(error.to_string().ends_with("is larger than 16 MiB"), "{error}");
        assert!(!error.is_retryable());
    }
    // The rest is in socket buffers.
    assert!(server.sent() < 100 << 20, "{}", server.sent());
    assert_eq!(server.requests().len(), 2);
}

/// A version that may have been created is not created again.
#[tokio::test]
async fn saving_is_retried_only_if_it_had_no_effect() {
    let server = Langfuse::new();
    let store = store(&server);
    for fault in [Fault::answer("502 Bad Gateway", "", ""), Fault::Raw(Vec::new())] {
        server.fail(fault);
        assert!(store.save_text("a", "text").await.unwrap_err().is_retryable());
    }
    assert_eq!(server.requests().len(), 2);
    server.fail(Fault::answer("429 Too Many Requests", "", ""));
    store.save_text("a", "text").await.unwrap();
    assert_eq!(server.newest("a").unwrap()["version"], 1);
}

#[tokio::test]
async fn a_refused_connection_is_reported() {
    // The port was free a moment ago.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let keys = Keys { public: PUBLIC_KEY.into(), secret: SECRET_KEY.into() };
    let store = LangfuseStore::builder(keys).base_url(format!("http://{address}"));
    let store = store.retry_policy(AT_ONCE).build().unwrap();
    let error = store.provide_prompt("a").await.unwrap_err();
    assert!(error.is_retryable());
    assert!(error.to_string().starts_with(&format!("cannot connect to http://{address}: ")));
    assert!(std::error::Error::source(&error).is_some());
}

/// A retry a second later would fail as well, so one request is made.
#[tokio::test]
async fn failed_tls_handshakes_are_not_retried() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let connections = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&connections);
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            count.fetch_add(1, Ordering::Relaxed);
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
            // While it is open, only the response ends the exchange.
            let _ = stream.read_to_end(&mut Vec::new());
        }
    });
    let keys = Keys { public: PUBLIC_KEY.into(), secret: SECRET_KEY.into() };
    let store = LangfuseStore::builder(keys).base_url(format!("https://{address}"));
    let error = store.retry_policy(AT_ONCE).build().unwrap().provide_prompt("a").await.unwrap_err();
    let start = format!("there is no secure connection to https://{address}: ");
    assert!(error.to_string().starts_with(&start), "{error}");
    assert!(!error.is_retryable());
    assert_eq!(connections.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn the_number_of_pages_of_a_list_is_limited() {
    let server = Langfuse::new();
    let page = json!({"data": [{"name": "a"}], "meta": {"totalPages": 1_000_000_000}}).to_string();
    for _ in 0..1000 {
        server.fail(Fault::answer("200 OK", "", &page));
    }
    let error = store(&server).list().await.unwrap_err();
    assert_eq!(error.to_string(), "the list has more than 1000 pages");
}

#[tokio::test]
async fn ids_are_escaped_in_urls() {
    let server = Langfuse::new();
    let store = store(&server);
    for id in ["a b", "ä/ö?label=x#y", "a%2Fb", "a/../b", "😀", ".a"] {
        store.save_text(id, id).await.unwrap();
        let found = store.provide_prompt_with(id, &Filters::version(1)).await;
        assert_eq!(found.unwrap().content(), id);
    }
    server.requests();
    for id in ["", ".", "..", "a\0b", "a\nb", &"x".repeat(4000)] {
        assert!(store.provide_prompt(id).await.is_err(), "{id:?}");
        assert!(store.save_text(id, "x").await.is_err(), "{id:?}");
        assert!(store.delete(id).await.is_err(), "{id:?}");
    }
    assert!(server.requests().is_empty());
}

#[test]
fn invalid_urls_and_urls_with_credentials_are_refused() {
    let keys = || Keys { public: "pk".into(), secret: SECRET_KEY.into() };
    for url in ["nowhere", "ftp://a", "https://", "https://u:sk-lf-secret@host", "file:///etc"] {
        let error = LangfuseStore::builder(keys()).base_url(url).build().unwrap_err();
        assert!(!shown(&error).contains(SECRET_KEY), "{error}");
    }
    let store = LangfuseStore::builder(keys()).base_url("https://host/langfuse/").build().unwrap();
    assert!(!format!("{store:?}").contains(SECRET_KEY), "{store:?}");
}

/// All visible parts of an error.
fn shown(error: &StoreError) -> String {
    let mut shown = format!("{error} {error:?}");
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        shown.push_str(&format!(" {error} {error:?}"));
        cause = error.source();
    }
    shown
}
