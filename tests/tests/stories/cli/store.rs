//! `promptls store`, and other commands with prompts from a store: over a real socket, from a
//! server with the API of Langfuse.

use std::process::Command;

use expect_test::expect;
use promptls_tests::langfuse::{Fault, Langfuse, PUBLIC_KEY, SECRET_KEY};
use promptls_tests::{Client, Editor, Output, Promptls, Workspace, promptls, promptls_path};
use serde_json::{Value, json};

const CONFIG: &str = "[stores.prod]\nkind = \"langfuse\"\nprompts = \"prompts\"\n\n[stores.dev]\nkind = \"filesystem\"\nfolder = \"dev\"\nprompts = \"prompts\"\n";

/// A folder with two stores, and the server of one of them.
fn project() -> (Langfuse, Workspace) {
    (Langfuse::new(), Workspace::new(&[("promptls.toml", CONFIG)]))
}

fn with_keys(command: Promptls, server: &Langfuse) -> Promptls {
    command
        .env("LANGFUSE_HOST", &server.url())
        .env("LANGFUSE_PUBLIC_KEY", PUBLIC_KEY)
        .env("LANGFUSE_SECRET_KEY", SECRET_KEY)
        .env("NO_PROXY", "*")
}

fn run(server: &Langfuse, workspace: &Workspace, arguments: &[&str]) -> Output {
    with_keys(promptls(arguments).cwd(workspace.root()), server).run()
}

#[track_caller]
fn fine(server: &Langfuse, workspace: &Workspace, arguments: &[&str]) -> Output {
    let output = run(server, workspace, arguments);
    assert_eq!(output.code, Some(0), "{arguments:?}: {output:?}");
    output
}

#[track_caller]
fn refused(server: &Langfuse, workspace: &Workspace, arguments: &[&str], why: &str) {
    let output = run(server, workspace, arguments);
    assert_eq!(output.code, Some(2), "{arguments:?}: {output:?}");
    assert!(output.stderr.contains(why), "{arguments:?}: {output:?}");
    assert_eq!(output.stdout, "", "{arguments:?}");
}

#[test]
fn a_prompt_is_pulled_with_its_variables_and_lock() {
    let (server, workspace) = project();
    server.add("mail/greeting", "Hello, {{name}}!{{#each items}} {{this.title}}{{/each}}", &[]);
    server.add(
        "mail/greeting",
        "Hi, {{name}}!{{#each items}} {{this.title}}{{/each}}",
        &["production"],
    );
    server.add("mail/greeting", "Hey, {{name}}!", &["staging"]);
    server.add("chatty", "x", &["production"]);

    let pulled = fine(&server, &workspace, &["store", "pull", "prod"]);
    expect![[r#"
        pulled prod:chatty, version 1: prompts/chatty.agentle.prompt
        pulled prod:mail/greeting, version 2: prompts/mail/greeting.agentle.prompt, prompts/mail/greeting.agentle.variables.json, prompts/mail/greeting.agentle.inputs.json
        2 of 2 prompts pulled
    "#]]
    .assert_eq(&pulled.stderr);
    // Byte for byte: no line end is added.
    assert_eq!(
        workspace.read("prompts/mail/greeting.agentle.prompt"),
        "Hi, {{name}}!{{#each items}} {{this.title}}{{/each}}"
    );
    let variables = workspace.read("prompts/mail/greeting.agentle.variables.json");
    let variables: Value = serde_json::from_str(&variables).expect("it is JSON");
    let is = |name, kind| json!({"name": name, "type": kind, "required": true});
    assert_eq!(variables["variables"], json!([is("name", "string"), is("items", "array")]));
    let lock = workspace.read("promptls.lock");
    assert!(lock.contains("file = \"prompts/mail/greeting.agentle.prompt\""), "{lock}");
    assert!(lock.contains("version = 2\nnewest = 3\nhash = \"sha256:"), "{lock}");
    fine(&server, &workspace, &["check"]);

    let list = fine(&server, &workspace, &["store", "list", "prod"]);
    expect![[r#"
        chatty  1 version  latest, production  prompts/chatty.agentle.prompt
        mail/greeting  3 versions  latest, production, staging  prompts/mail/greeting.agentle.prompt
    "#]]
    .assert_eq(&list.stdout);
    let shown = fine(&server, &workspace, &["store", "show", "prod:mail/greeting", "--version=1"]);
    assert_eq!(shown.stdout, "Hello, {{name}}!{{#each items}} {{this.title}}{{/each}}");
    let stores = fine(&server, &workspace, &["store", "list"]);
    assert_eq!(stores.stdout, "dev  filesystem  dev\nprod  langfuse\n");

    // Other versions of it, if requested.
    let staging = ["store", "pull", "prod:mail/greeting", "--label", "staging"];
    fine(&server, &workspace, &staging);
    assert_eq!(workspace.read("prompts/mail/greeting.agentle.prompt"), "Hey, {{name}}!");
    fine(
        &server,
        &workspace,
        &["store", "pull", "prod:mail/greeting", "--version", "1", "--file", "old.agentle.prompt"],
    );
    assert!(workspace.read("old.agentle.prompt").starts_with("Hello"));
}

#[test]
fn local_changes_are_not_overwritten() {
    let (server, workspace) = project();
    server.add("a", "one", &["production"]);
    fine(&server, &workspace, &["store", "pull", "prod:a"]);
    // Unchanged since it was pulled, it may be overwritten.
    server.add("a", "two", &["production"]);
    fine(&server, &workspace, &["store", "pull", "prod:a"]);
    assert_eq!(workspace.read("prompts/a.agentle.prompt"), "two");

    workspace.write("prompts/a.agentle.prompt", "mine");
    refused(
        &server,
        &workspace,
        &["store", "pull", "prod:a"],
        "has changes that the store does not",
    );
    assert_eq!(workspace.read("prompts/a.agentle.prompt"), "mine");
    fine(&server, &workspace, &["store", "pull", "prod:a", "--force"]);
    assert_eq!(workspace.read("prompts/a.agentle.prompt"), "two");
}

#[test]
fn the_second_of_two_concurrent_pushes_is_refused() {
    let (server, ada) = project();
    let grace = Workspace::new(&[("promptls.toml", CONFIG)]);
    server.add("a", "one", &["production"]);
    for person in [&ada, &grace] {
        fine(&server, person, &["store", "pull", "prod:a"]);
    }
    ada.write("prompts/a.agentle.prompt", "of Ada");
    let push = ["store", "push", "prod:a", "--message", "Better", "--label", "staging"];
    let pushed = fine(&server, &ada, &push);
    assert_eq!(pushed.stderr, "pushed prompts/a.agentle.prompt: prod:a, version 2\n");
    let newest = server.newest("a").expect("it is there");
    assert_eq!((&newest["prompt"], &newest["commitMessage"]), (&json!("of Ada"), &json!("Better")));
    assert_eq!(newest["labels"], json!(["staging"]));

    grace.write("prompts/a.agentle.prompt", "of Grace");
    let push = ["store", "push", "prod:a"];
    let why = "prod:a has version 2, but version 1 was the newest when it was pulled; --force";
    refused(&server, &grace, &push, why);
    assert_eq!(server.newest("a").expect("it is there")["version"], 2);
    fine(&server, &grace, &["store", "push", "prod:a", "--force"]);
    assert_eq!(server.newest("a").expect("it is there")["prompt"], "of Grace");

    // The lock of the first user has the version that she has pushed, but not the newer one.
    refused(&server, &ada, &push, "has version 3, but version 2 was the newest when it was pulled");
    fine(&server, &grace, &push);
    assert_eq!(server.newest("a").expect("it is there")["version"], 3, "nothing to push");
}

#[test]
fn prompts_that_were_never_pulled_and_chats_are_not_pushed() {
    let (server, workspace) = project();
    workspace.write("prompts/new.agentle.prompt", "Hello, {{name}}!");
    fine(&server, &workspace, &["store", "push", "prod:new"]);
    assert_eq!(server.newest("new").expect("it was made")["prompt"], "Hello, {{name}}!");

    server.add("other", "x", &["production"]);
    workspace.write("prompts/other.agentle.prompt", "y");
    refused(
        &server,
        &workspace,
        &["store", "push", "prod:other"],
        "exists in the store, but was never pulled",
    );

    let messages = json!([{"role": "system", "content": "Be {{tone}}"}]);
    server.add_json(
        json!({"type": "chat", "name": "chat", "prompt": messages, "labels": ["production"]}),
    );
    let pulled = fine(&server, &workspace, &["store", "pull", "prod:chat"]);
    assert!(pulled.stderr.contains("note: it is a chat"), "{pulled:?}");
    assert_eq!(workspace.read("prompts/chat.agentle.prompt"), "system: Be {{tone}}");
    refused(&server, &workspace, &["store", "push", "prod:chat", "--force"], "is a chat prompt");
}

#[test]
fn differences_are_shown_in_the_resolved_text() {
    let (server, workspace) = project();
    server.add("a", "Dear {{name}},\nyou have {{count}} mails.\nBye", &["production"]);
    fine(&server, &workspace, &["store", "pull", "prod:a"]);
    let same = fine(&server, &workspace, &["store", "diff", "prod"]);
    assert_eq!((&*same.stdout, &*same.stderr), ("", "1 of 1 the same as in prod\n"));

    workspace.write("prompts/a.agentle.prompt", "Dear {{name}},\nyou have mails{{end}}\nBye");
    workspace
        .write("prompts/a.agentle.inputs.json", r#"{"name": "Ada", "count": "2", "end": "."}"#);
    workspace.write(
        "prompts/a.agentle.none.inputs.json",
        r#"{"name": "Bob", "count": "no", "end": "!"}"#,
    );
    let diff = run(&server, &workspace, &["store", "diff", "prod:a"]);
    assert_eq!(diff.code, Some(1), "{diff:?}");
    expect![[r#"
        prod:a, version 1 and prompts/a.agentle.prompt
        only the store uses `count`
        only the file uses `end`
        case default
          you have [-2 -]mails.
        case none
          you have [-no -]mails[-.-]{+!+}
    "#]]
    .assert_eq(&diff.stdout);
}

#[test]
fn a_check_reports_differences_to_the_store() {
    let (server, workspace) = project();
    server.add("a", "Dear {{name}}, {{count}} mails.", &["production"]);
    server.add("b", "Bye", &["production"]);
    fine(&server, &workspace, &["store", "pull", "prod"]);
    let check = ["check", "--against", "prod", "--format", "concise"];
    assert_eq!(fine(&server, &workspace, &check).stdout, "");

    workspace.write("prompts/a.agentle.prompt", "Dear {{user}}.");
    workspace.remove("prompts/a.agentle.variables.json");
    workspace.write("prompts/a.agentle.inputs.json", r#"{"user": "Ada"}"#);
    server.add("b", "Goodbye", &["staging"]);
    let found = fine(&server, &workspace, &check);
    expect![[r#"
        prompts/a.agentle.prompt:1:1: warning [differs-from-store] differs from version 1 of `a` in the store `prod`; only the store uses `count`, `name`; only the file uses `user`
    "#]]
    .assert_eq(&found.stdout);
    let denied = run(&server, &workspace, &["check", "--against", "prod", "--deny-warnings"]);
    assert_eq!(denied.code, Some(1));

    // `a` has no such label, and `b` another version.
    let staging =
        run(&server, &workspace, &["check", "--against", "prod:staging", "--format", "concise"]);
    for part in ["`a` is not in the store `prod`", "differs from version 2 of `b`"] {
        assert!(staging.stdout.contains(part), "{staging:?}");
    }
    workspace.write("promptls.toml", format!("{CONFIG}[problems]\ndiffers-from-store = 'off'\n"));
    assert!(!fine(&server, &workspace, &check).stdout.contains("differs"));

    // Without the store, the check is not done, so it must not report success.
    let keys_alone = promptls(&check).cwd(workspace.root()).env("LANGFUSE_PUBLIC_KEY", "");
    assert_eq!(keys_alone.run().code, Some(2));
    refused(&server, &workspace, &["check", "--against", "dev"], "nothing was pulled from `dev`");
}

#[test]
fn a_prompt_of_a_store_is_resolved_and_shown_without_a_file() {
    let (server, workspace) = project();
    server.add("assistant", "You work for {{company}}.", &["production"]);
    server.add("assistant", "You serve {{company}}.", &["staging"]);
    workspace.write("prompts/assistant.agentle.inputs.json", r#"{"company": "Acme Corp"}"#);
    workspace.write("other.json", r#"{"company": "Example Ltd"}"#);

    let resolved = fine(&server, &workspace, &["resolve", "prod:assistant"]);
    assert_eq!(resolved.stdout, "You work for Acme Corp.");
    assert_eq!(resolved.stderr, "promptls: note: prod:assistant is version 1\n");
    let other = ["resolve", "prod:assistant", "--label", "staging", "--inputs", "other.json"];
    assert_eq!(fine(&server, &workspace, &other).stdout, "You serve Example Ltd.");
    let preview = fine(&server, &workspace, &["preview", "prod:assistant", "--version", "2"]);
    assert!(preview.stdout.starts_with("You serve Acme Corp."), "{preview:?}");
    let html = ["preview", "prod:assistant", "--label", "staging", "--html", "page.html"];
    fine(&server, &workspace, &html);
    assert!(workspace.read("page.html").contains("You serve Acme Corp."));
    assert!(!workspace.path("promptls.lock").exists());
    assert!(!workspace.path("prompts/assistant.agentle.prompt").exists());

    refused(&server, &workspace, &["preview", "prod:assistant", "--watch"], "cannot be followed");
    // A file has priority over a store.
    workspace.write("prod:assistant", "{{company}} in a file");
    let file = ["resolve", "prod:assistant", "--dialect", "agentle", "--inputs", "other.json"];
    assert_eq!(fine(&server, &workspace, &file).stdout, "Example Ltd in a file");
}

#[test]
fn deleting_needs_confirmation_and_is_reported() {
    let (server, workspace) = project();
    server.add("a", "one", &["production"]);
    server.add("a", "two", &["staging"]);
    fine(&server, &workspace, &["store", "pull", "prod:a"]);
    refused(&server, &workspace, &["store", "rm", "prod:a"], "add --yes");
    refused(&server, &workspace, &["store", "rm", "prod", "--yes"], "name a prompt: `prod:ID`");
    let removed =
        fine(&server, &workspace, &["store", "rm", "prod:a", "--label", "staging", "--yes"]);
    assert_eq!(removed.stderr, "deleted the version `staging` of prod:a\n");
    assert_eq!(server.newest("a").expect("one is left")["prompt"], "one");
    fine(&server, &workspace, &["store", "rm", "prod:a", "--yes"]);
    assert_eq!(server.newest("a"), None);
    assert_eq!(workspace.read("prompts/a.agentle.prompt"), "one");
    assert!(!workspace.read("promptls.lock").contains("[["), "it is forgotten");
}

/// A folder replaces Langfuse, and the calls stay the same.
#[test]
fn a_folder_is_supported_as_a_store() {
    let (server, workspace) = project();
    workspace.write("dev/mail/greeting.txt", "Hello, {{name}}!");
    fine(&server, &workspace, &["store", "pull", "dev"]);
    let file = "prompts/mail/greeting.txt.agentle.prompt";
    assert_eq!(workspace.read(file), "Hello, {{name}}!");
    workspace.write(file, "Hi, {{name}}!");
    let diff = run(&server, &workspace, &["store", "diff", "dev"]);
    assert!(diff.stdout.contains("[-Hello-]{+Hi+}, "), "{diff:?}");
    fine(&server, &workspace, &["store", "push", "dev:mail/greeting.txt"]);
    assert_eq!(workspace.read("dev/mail/greeting.txt"), "Hi, {{name}}!");

    workspace.write("dev/mail/greeting.txt", "of somebody else");
    workspace.write(file, "Hey, {{name}}!");
    let push = ["store", "push", "dev:mail/greeting.txt"];
    refused(&server, &workspace, &push, "has changed since it was pulled");
    refused(
        &server,
        &workspace,
        &["store", "pull", "dev:a", "--version", "2"],
        "has no versions and labels",
    );
    refused(
        &server,
        &workspace,
        &["store", "push", "dev:a", "--label", "x"],
        "has no versions and labels",
    );
    assert!(server.requests().is_empty());
}

#[test]
fn missing_stores_and_prompts_are_reported_with_suggestions() {
    let (server, workspace) = project();
    server.add("greeting", "x", &["production", "staging"]);
    server.add("draft", "x", &[]);
    let long = format!("prod:{}", "x".repeat(4000));
    for (arguments, why) in [
        (
            &["store", "pull", "prd:greeting"][..],
            "no store `prd` in promptls.toml, only dev, prod; did you mean `prod`?",
        ),
        (&["store", "pull", "prod:greting"], "no such prompt; did you mean `greeting`?"),
        (
            &["resolve", "prod:greeting", "--label", "stagign"],
            "only latest, production, staging; did you mean `staging`?",
        ),
        (&["resolve", "prod:greeting", "--version", "7"], "no version 7, only 1"),
        (&["resolve", "prod:draft"], "no version of it has the label `production`, only latest"),
        (
            &["resolve", "promptls.toml", "--label", "x"],
            "promptls.toml is a file; only prompts of a store",
        ),
        (&["store", "pull", "prod:../x"], "\"../x\" is not a valid file name"),
        (&["store", "pull", &long], "at most 2000 are allowed"),
        (&["store", "pull", "prod:"], "\"\" is not a valid file name"),
        (&["store", "pull", "dev:../promptls.toml"], "is not a valid file name"),
        (&["store", "pull", "dev:../promptls.toml", "--file", "x"], "invalid id"),
        (&["store", "diff", "prod"], "nothing was pulled from `prod`"),
    ] {
        refused(&server, &workspace, arguments, why);
    }
    assert!(!workspace.path("promptls.lock").exists());
    workspace.write("promptls.toml", "[stores.prod]\nkind = 'langfus'\n");
    let why =
        "promptls.toml:2:8: unknown kind `langfus`; known: filesystem, langfuse; did you mean";
    refused(&server, &workspace, &["store", "list", "prod"], why);
    workspace.write("promptls.toml", "");
    refused(&server, &workspace, &["store", "list"], "promptls.toml has no stores; add one");
}

#[test]
fn unreadable_and_unwritable_files_leave_everything_unchanged() {
    let (server, workspace) = project();
    server.add("a/b", "x", &["production"]);
    workspace.write("prompts/a", "a file");
    refused(&server, &workspace, &["store", "pull", "prod:a/b"], "cannot write");
    assert!(!workspace.path("promptls.lock").exists());
    for body in ["<html>", r#"{"type": "text", "prompt": 1, "version": 1}"#] {
        server.fail(Fault::answer("200 OK", "", body));
        refused(&server, &workspace, &["store", "pull", "prod:c"], "something other than a prompt");
    }
    workspace.write("promptls.lock", "[[prompts]]\nfile = 1\n");
    refused(&server, &workspace, &["store", "pull", "prod:a/b"], "promptls.lock cannot be used");
    // Nothing is written through links out of the project.
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        let elsewhere = Workspace::new(&[("empty", "")]);
        workspace.remove("promptls.lock");
        server.add("links/c", "{{name}}", &["production"]);
        symlink(elsewhere.root(), workspace.path("prompts/links")).expect("a link can be made");
        refused(&server, &workspace, &["store", "pull", "prod:links/c"], "outside");
        server.add("d", "{{name}}", &["production"]);
        for name in ["prompts/d.agentle.variables.json", "promptls.lock"] {
            symlink(elsewhere.path("empty"), workspace.path(name)).expect("a link can be made");
        }
        refused(&server, &workspace, &["store", "pull", "prod:d"], "outside");
        workspace.remove("promptls.lock");
        fine(&server, &workspace, &["store", "pull", "prod:d"]);
        assert_eq!(elsewhere.read("empty"), "");
        assert!(!elsewhere.path("c.agentle.prompt").exists());
    }
    // A lock that cannot be replaced: nothing is written, sent or deleted before.
    #[cfg(unix)]
    {
        std::fs::hard_link(workspace.path("promptls.lock"), workspace.path("other"))
            .expect("a link");
        let push = ["store", "push", "prod:d", "--label", "x"];
        refused(&server, &workspace, &push, "promptls.lock");
        refused(
            &server,
            &workspace,
            &["store", "pull", "prod:d", "--label", "x"],
            "no version of it has the label `x`",
        );
        server.add("d", "Hi {{name}}", &["production"]);
        refused(&server, &workspace, &["store", "pull", "prod:d"], "promptls.lock");
        assert_eq!(workspace.read("prompts/d.agentle.prompt"), "{{name}}");
        refused(&server, &workspace, &["store", "rm", "prod:d", "--yes"], "promptls.lock");
        fine(&server, &workspace, &["store", "pull", "prod:d", "--force"]);
        assert_eq!(workspace.read("prompts/d.agentle.prompt"), "Hi {{name}}");
    }
    let hostile = "[[prompts]]\nfile = '../../elsewhere'\nstore = 'prod'\nid = 'a/b'\nhash = 'x'\n";
    workspace.write("promptls.lock", hostile);
    refused(&server, &workspace, &["store", "pull", "prod:a/b"], "outside");
}

#[test]
fn transient_failures_of_a_store_are_retried() {
    let (server, workspace) = project();
    server.add("a", "text", &["production"]);
    server.fail(Fault::answer("503 Service Unavailable", "Retry-After: 0\r\n", ""));
    server.fail(Fault::answer("429 Too Many Requests", "Retry-After: 0\r\n", ""));
    assert_eq!(fine(&server, &workspace, &["resolve", "prod:a"]).stdout, "text");
    assert_eq!(server.requests().len(), 3);
}

/// Not in an error, not in a verbose log, not in a file.
#[test]
fn keys_are_never_shown() {
    let (server, workspace) = project();
    server.add("a", "text", &["production"]);
    let echo = json!({"message": format!("no {SECRET_KEY} here")}).to_string();
    let mut written = String::new();
    for fault in [
        Fault::answer("400 Bad Request", "", &echo),
        Fault::answer("401 Unauthorized", "", &echo),
        Fault::answer("302 Found", &format!("Location: http://x/{SECRET_KEY}\r\n"), ""),
    ] {
        server.fail(fault);
        let arguments = ["--log", "trace", "store", "pull", "prod:a"];
        let output = run(&server, &workspace, &arguments);
        assert_eq!(output.code, Some(2), "{output:?}");
        written.push_str(&output.stderr);
    }
    let log = fine(&server, &workspace, &["--log", "trace", "store", "pull", "prod:a"]);
    written.push_str(&log.stderr);
    written.push_str(&workspace.read("promptls.lock"));
    for secret in [SECRET_KEY, "cGstbGYtdGVzdDpzay1sZi1zZWNyZXQ"] {
        assert!(!written.contains(secret), "{written}");
    }
    let config = "[stores.prod]\nkind = 'langfuse'\nsecret_key_env = 'sk-lf-by-mistake'\n";
    workspace.write("promptls.toml", config);
    let check = run(&server, &workspace, &["check", "--allow-empty", "--format", "concise"]);
    assert!(check.stdout.contains("must be the name of an environment variable"), "{check:?}");
    assert!(!check.stdout.contains("sk-lf-by-mistake"), "{check:?}");
}

/// An untrusted repository must not get them.
#[test]
fn a_config_alone_cannot_send_keys_to_a_host() {
    let (server, workspace) = project();
    let thief = Langfuse::new();
    thief.add("a", "text", &["production"]);
    let config = format!("[stores.prod]\nkind = 'langfuse'\nurl = '{}'\n", thief.url());
    workspace.write("promptls.toml", config);
    let pull = ["store", "pull", "prod:a"];
    refused(&server, &workspace, &pull, "set both to the same URL");
    let without_host = promptls(&pull).cwd(workspace.root()).env("LANGFUSE_HOST", "");
    let without_host =
        without_host.env("LANGFUSE_PUBLIC_KEY", "pk").env("LANGFUSE_SECRET_KEY", "sk").run();
    assert!(without_host.stderr.contains("to send keys there"), "{without_host:?}");
    assert!(thief.requests().is_empty());
    fine(&thief, &workspace, &pull);

    let redirect = format!("Location: {}/api/public/v2/prompts/a\r\n", thief.url());
    server.fail(Fault::answer("307 Temporary Redirect", &redirect, ""));
    thief.requests();
    workspace.write("promptls.toml", CONFIG);
    refused(&server, &workspace, &["resolve", "prod:a"], "which is not followed");
    assert!(thief.requests().is_empty());

    let outside = "[stores.dev]\nkind = 'filesystem'\nfolder = '/etc'\n";
    workspace.write("promptls.toml", outside);
    refused(&server, &workspace, &["store", "list", "dev"], "outside");
}

#[test]
fn proxies_are_those_of_the_environment() {
    let (proxy, workspace) = project();
    proxy.add("a", "text", &["production"]);
    let output = with_keys(promptls(&["resolve", "prod:a"]).cwd(workspace.root()), &proxy)
        .env("LANGFUSE_HOST", "http://langfuse.invalid")
        .env("HTTP_PROXY", &proxy.url())
        .env("http_proxy", &proxy.url())
        .env("NO_PROXY", "")
        .env("no_proxy", "")
        .run();
    assert_eq!(output.stdout, "text", "{output:?}");
    let requests = proxy.requests();
    assert_eq!(requests[0].target, "http://langfuse.invalid/api/public/v2/prompts/a");
}

/// With keys in the environment and a store in the config, nothing else contacts it.
#[test]
fn nothing_but_a_store_uses_a_network() {
    let (server, workspace) = project();
    server.add("a", "text {{name}}", &["production"]);
    fine(&server, &workspace, &["store", "pull", "prod:a"]);
    workspace.write("dev/b.txt", "b");
    server.requests();
    let prompt = "prompts/a.agentle.prompt";
    // Linux can give a program a separate, empty network.
    let alone = Promptls::at("unshare", &["-rn", "true"]);
    let has_namespaces = cfg!(target_os = "linux") && alone.run().code == Some(0);
    let program = promptls_path().display().to_string();
    for arguments in [
        &["check"][..],
        &["check", "--list"],
        &["resolve", prompt],
        &["resolve", prompt, "--format", "json"],
        &["preview", prompt],
        &["preview", prompt, "--html", "page.html"],
        &["init", "--dry-run"],
        &["new", "translation", "--dialect", "adk"],
        &["explain"],
        &["completions", "bash"],
        &["store", "list"],
        &["store", "list", "dev"],
        &["store", "--help"],
        &["--help"],
    ] {
        let with = run(&server, &workspace, arguments);
        assert!(matches!(with.code, Some(0 | 1)), "{arguments:?}: {with:?}");
        if has_namespaces {
            let all: Vec<&str> =
                ["-rn", &*program].into_iter().chain(arguments.iter().copied()).collect();
            let without = with_keys(Promptls::at("unshare", &all).cwd(workspace.root()), &server);
            assert_eq!(without.run(), with, "{arguments:?}");
        }
    }
    if has_namespaces {
        let mut command = Command::new("unshare");
        command.args(["-rn", &program, "lsp"]).env("LANGFUSE_HOST", server.url());
        let mut editor = Editor::launch(command, Client::default(), workspace);
        editor.initialize();
        editor.open_file(prompt);
        editor.wait_for_problems(prompt, &[]);
        editor.close();
    }
    assert!(server.requests().is_empty());
}

/// A limit on the size of files has the same effect as a full disk, without needing one.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_partial_files() {
    let (server, workspace) = project();
    server.add("a", "old", &["production"]);
    fine(&server, &workspace, &["store", "pull", "prod:a"]);
    let lock = workspace.read("promptls.lock");
    server.add("a", &"new ".repeat(10_000), &["production"]);
    // In blocks of 512 bytes; with the signal ignored, writing fails.
    let script = "ulimit -f 8; trap '' XFSZ; exec \"$0\" store pull prod:a";
    let program = promptls_path().display().to_string();
    let limited = Promptls::at("sh", &["-c", script, &program]).cwd(workspace.root());
    let output = with_keys(limited, &server).run();
    assert_eq!(output.code, Some(2), "{output:?}");
    assert!(output.stderr.contains("cannot write"), "{output:?}");
    assert_eq!(workspace.read("prompts/a.agentle.prompt"), "old");
    assert_eq!(workspace.read("promptls.lock"), lock);
    let names = std::fs::read_dir(workspace.path("prompts")).expect("it is there");
    assert_eq!(names.count(), 1, "what was begun is gone");
}
