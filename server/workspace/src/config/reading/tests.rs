//! What a config is read as.

use std::path::Path;

use expect_test::{Expect, expect};
use promptls_analysis::TokenEncoding;
use promptls_resolver::Code;
use promptls_syntax::Dialect;

use super::rules::{MAX_INPUTS_GLOBS, MAX_RULES};
use crate::config::{Config, StoreKind};

#[track_caller]
fn check(text: &str, expected: Expect) {
    let config = Config::parse(Path::new("/p/promptls.toml"), text);
    let problems: Vec<String> = config
        .problems
        .iter()
        .map(|problem| format!("{:?} {}\n", &text[problem.location.range.clone()], problem.message))
        .collect();
    expected.assert_eq(&format!("{} rules\n{}", config.own_rules.len(), problems.concat()));
}

#[test]
fn a_rule_matches_as_gitignore_does() {
    let config = Config::parse(
        Path::new("/p/promptls.toml"),
        "[[prompts]]\nfiles = ['agents/**/*.txt', '!agents/notes.txt']\ndialect = 'adk'\n",
    );
    let dialect = |path| config.rule_for(Path::new(path)).and_then(|rule| rule.dialect);
    assert_eq!(dialect("/p/agents/a/b.txt"), Some(Dialect::Adk));
    assert_eq!(dialect("/p/agents/notes.txt"), None);
    assert_eq!(dialect("/p/b.txt"), None);
    assert_eq!(dialect("/q/agents/b.txt"), None);
}

#[test]
fn excessive_rules_are_ignored_with_an_error() {
    let rules = "[[prompts]]\nfiles = ['a/*.txt']\n".repeat(MAX_RULES + 1);
    let config = Config::parse(Path::new("/p/promptls.toml"), &rules);
    assert_eq!(config.own_rules.len(), MAX_RULES);
    let messages: Vec<&str> = config.problems.iter().map(|it| &*it.message).collect();
    assert_eq!(messages, ["a file has at most 20000 rules; the rules from here on are ignored"]);
}

#[test]
fn excessive_globs_of_inputs_are_ignored_with_an_error() {
    let globs = "'a/*.json', ".repeat(MAX_INPUTS_GLOBS + 1);
    let rule = format!("[[prompts]]\nfiles = ['a/*.txt']\ninputs = [{globs}]\n");
    let config = Config::parse(Path::new("/p/promptls.toml"), &rule);
    assert_eq!(config.own_rules[0].inputs.len(), MAX_INPUTS_GLOBS);
    let messages: Vec<&str> = config.problems.iter().map(|it| &*it.message).collect();
    assert_eq!(messages, ["a rule has at most 200 globs of inputs; the others are ignored"]);
}

#[test]
fn a_rule_may_share_files_outside_of_its_folder() {
    let rule = "[[prompts]]\nfiles = ['*.txt']\ninputs = ['../in/*.json', './own.json']\nvariables = '../v.json'\n";
    let config = Config::parse(Path::new("/p/q/promptls.toml"), rule);
    for (path, is_shared) in [
        ("/p/in/a.json", true),
        ("/p/q/own.json", true),
        ("/p/v.json", true),
        ("/p/q/in/a.json", false),
        ("/p/in/a/b.json", false),
    ] {
        assert_eq!(config.shares(Path::new(path)), is_shared, "{path}");
    }
}

#[test]
fn unknown_keys_and_values_are_reported_with_a_suggestion() {
    check(
        "[[prompts]]\nfiles = ['a']\ndialekt = 'adk'\ndialect = 'adq'\n[problems]\nunusd-input = 'off'\nunused-input = 'loud'\n[probs]\n",
        expect![[r#"
            1 rules
            "unusd-input" unknown problem code `unusd-input`; did you mean `unused-input`?
            "'loud'" a severity is "error", "warning", "info", "hint" or "off"
            "probs" unknown key `probs`; known: prompts, problems, ignore, stores, root, templates
            "'adq'" unknown dialect `adq`; known: agentensemble, adk, entaingine, promptpack, agentle, langfuse, format; did you mean `adk`?
            "dialekt" unknown key `dialekt`; known: files, strings, dialect, engine, engines, agent, inputs, variables, runtime, literal, max_tokens, max_output_tokens, task, encoding, problems; did you mean `dialect`?
        "#]],
    );
}

#[test]
fn invalid_toml_is_reported_at_its_location() {
    check(
        "[[prompts]]\nfiles = [",
        expect![[r#"
        0 rules
        "" not valid TOML: unclosed array, expected `]`
    "#]],
    );
}

#[test]
fn a_token_limit_is_a_positive_number_with_a_valid_encoding() {
    let rule = |more| format!("[[prompts]]\nfiles = ['a']\n{more}\n");
    let config = Config::parse(
        Path::new("/p/promptls.toml"),
        &rule("max_tokens = 8_000\nencoding = 'cl100k_base'"),
    );
    let settings = config.settings(config.own_rules.first());
    assert_eq!(settings.max_tokens, Some(8000));
    assert_eq!(settings.encoding, TokenEncoding::Cl100kBase);
    check(
        &rule("max_tokens = 0\nencoding = 'o200k'"),
        expect![[r#"
        1 rules
        "'o200k'" unknown encoding `o200k`; known: o200k_base, cl100k_base
        "0" `max_tokens` must be a positive integer
    "#]],
    );
    check(
        &rule("max_tokens = '9'\nencoding = 1"),
        expect![[r#"
        1 rules
        "1" `encoding` must be a string
        "'9'" `max_tokens` must be a positive integer
    "#]],
    );
    check(
        &rule("max_tokens = -1"),
        expect![[r#"
        1 rules
        "-1" `max_tokens` must be a positive integer
    "#]],
    );
}

#[test]
fn a_store_has_a_kind_and_no_keys() {
    let config = Config::parse(
        Path::new("/p/promptls.toml"),
        "[stores.dev]\nkind = 'filesystem'\nfolder = '../dev'\ndialect = 'adk'\n[stores.prod]\nkind = 'langfuse'\nprompts = 'in'\nsecret_key_env = 'PROD_KEY'\n",
    );
    assert!(config.problems.is_empty(), "{:?}", config.problems);
    let dev = &config.stores["dev"];
    assert_eq!(dev.kind, StoreKind::Filesystem { folder: "/dev".into() });
    assert_eq!((dev.dialect, &*dev.prompts), (Dialect::Adk, Path::new("/p")));
    let prod = &config.stores["prod"];
    assert_eq!((prod.dialect, &*prod.prompts), (Dialect::Agentle, Path::new("/p/in")));
    assert!(
        matches!(&prod.kind, StoreKind::Hosted { url: None, host_env, public_key_env, secret_key_env }
        if [host_env, public_key_env, secret_key_env]
            == ["LANGFUSE_HOST", "LANGFUSE_PUBLIC_KEY", "PROD_KEY"])
    );

    check(
        "[stores.a]\nkind = 'langfus'\n[stores.b]\n[stores.c]\nkind = 'filesystem'\n[stores.d]\nkind = 'langfuse'\nfolder = 'x'\nsecret_key_env = 'sk-lf-1'\nsecret_key = 'x'\n[stores.'e:f']\n[stores]\ng = 1\n",
        expect![[r#"
            0 rules
            "'langfus'" unknown kind `langfus`; known: filesystem, langfuse; did you mean `langfuse`?
            "b" a store needs a `kind`: "filesystem" or "langfuse"
            "c" a store of this kind needs a `folder`
            "secret_key" unknown key `secret_key`; known: kind, dialect, prompts, folder, url, host_env, public_key_env, secret_key_env
            "'sk-lf-1'" `secret_key_env` must be the name of an environment variable, in capitals, not its value
            "'x'" a store of this kind has no `folder`
            "'e:f'" the name of a store cannot contain `:` or `/`
            "g" stores are written `[stores.NAME]`
        "#]],
    );
}

#[test]
fn an_ignore_needs_codes_names_or_files() {
    check(
        "[[ignore]]\nreason = 'x'\n[[ignore]]\ncodes = ['unusd-input']\nfiles = ['a']\n[[ignore]]\ncodes = []\n[[ignore]]\nname = ['x']\n",
        expect![[r#"
            0 rules
            "[[ignore]]" an ignore needs `codes`, `names` or `files`
            "'unusd-input'" unknown problem code `unusd-input`; did you mean `unused-input`?
            "[[ignore]]" an ignore needs `codes`, `names` or `files`
            "name" unknown key `name`; known: files, codes, names, reason; did you mean `names`?
        "#]],
    );
    check(
        "[ignore]\ncodes = ['unused-input']\n",
        expect![[r#"
        0 rules
        "ignore" ignores are written `[[ignore]]`, with two brackets
    "#]],
    );
    check(
        "[[prompts]]\nfiles = ['a']\nproblems = 'off'\n[[prompts]]\nfiles = ['a']\n[prompts.problems]\nx = 'off'\n",
        expect![[r#"
            2 rules
            "'off'" `problems` is a table of codes and severities
            "x" unknown problem code `x`
        "#]],
    );
}

#[test]
fn severities_of_a_rule_override_those_of_its_config() {
    let text = "[[prompts]]\nfiles = ['a']\nproblems = { unused-input = 'error' }\n[problems]\nunused-input = 'off'\nno-inputs = 'off'\n";
    let config = Config::parse(Path::new("/p/promptls.toml"), text);
    let severities = &config.settings(config.own_rules.first()).severities;
    assert!(!severities.is_off(Code::UnusedInput) && severities.is_off(Code::NoInputs));
    assert!(config.settings(None).severities.is_off(Code::UnusedInput));
}

#[test]
fn wrong_types_are_problems() {
    check(
        "[[prompts]]\nfiles = 'a'\nruntime = [1]\n[[prompts]]\n",
        expect![[r#"
        1 rules
        "'a'" `files` must be a list of strings
        "1" `runtime` must contain only strings
        "[[prompts]]" a rule needs `files`: the globs of its prompts
    "#]],
    );
}
