//! Engines from a rule or the command line: resolved texts, and messages.

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};
use serde_json::Value;

const VALUES: &str = r#"{"list": [1, "a"], "float": 1.50, "yes": true, "none": null}"#;

#[track_caller]
fn resolve(prompt: &str, engine: &str, expected: Expect) {
    let workspace = Workspace::new(&[("a.prompt", prompt), ("a.inputs.json", VALUES)]);
    let output = promptls(&["resolve", "a.prompt", "--engine", engine]).cwd(workspace.root()).run();
    expected.assert_eq(&format!("{}{}", output.stdout, output.stderr));
}

/// A list, a float, a boolean, a missing name, a brace that must stay.
#[test]
fn each_engine_prints_values_in_its_own_way() {
    for (engine, expected) in [
        ("adk-python", expect!["[1, 'a'] 1.5 True"]),
        ("adk-java", expect!["[1, a] 1.5 true"]),
        ("adk-kotlin", expect!["[1, a] 1.5 true"]),
        ("adk-go", expect!["[1 a] 1.5 true"]),
        ("adk-js", expect![[r#"[1,"a"] 1.5 true"#]]),
        ("adk-js@1.2", expect!["1,a 1.5 true"]),
    ] {
        resolve("{list} {float} {yes}", engine, expected);
    }
    for (engine, expected) in [
        ("agentle4j", expect!["[1, a] 1.5 true {list}"]),
        ("agentle-python", expect!["[1, 'a'] 1.5 True {list}"]),
        ("promptkit-go", expect![[r#"[1,"a"] 1.50 true {list}"#]]),
        ("promptpack-python", expect![[r#"[1, "a"] 1.5 true {list}"#]]),
        ("promptpack-python-core", expect![[r#"[1, "a"] 1.5 true {list}"#]]),
        ("promptpack-langchainjs", expect![[r#"[1,"a"] 1.5 true {list}"#]]),
        ("langfuse-python", expect!["[1, 'a'] 1.5 True {list}"]),
    ] {
        resolve("{{list}} {{float}} {{yes}} {list}", engine, expected);
    }
    for (engine, expected) in [
        ("agentle4j", expect!["{{gone}} {{ 1 }}"]),
        ("agentle-python", expect!["{{gone}} {{ 1 }}"]),
        (
            "promptkit-go",
            expect![[r#"
            unresolved template placeholders: [{{gone}} {{ 1 }}]
            PromptKit's SDK logs this error and sends the prompt unchanged.
        "#]],
        ),
        ("promptpack-python", expect!["{{gone}} {{ 1 }}"]),
        (
            "promptpack-python-core",
            expect![[r#"
            Undefined variable: gone
        "#]],
        ),
        (
            "promptpack-langchainjs",
            expect![[r#"
            Variable 'gone' is not defined
        "#]],
        ),
        ("langfuse-python", expect!["{{gone}} {{ 1 }}"]),
    ] {
        resolve("{{gone}} {{ 1 }}", engine, expected);
    }
    resolve("{float} {yes} {{float}}", "agentensemble", expect!["1.50 true {float}"]);
    resolve(
        "{list} {gone}",
        "agentensemble",
        expect![[r#"
        Missing template variables: [gone]. Provide them in ensemble.run(inputs). Template: '{list} {gone}'
    "#]],
    );
    resolve(
        "{list}",
        "agentensemble",
        expect![[r#"
        Inputs must be strings, these are lists or objects: [list]
    "#]],
    );
    resolve("${list} \\{list}", "adk-python", expect!["${list} \\{list}"]);
    resolve("${list}", "adk-python@2.9", expect!["$[1, 'a']"]);
    resolve("{{list}} {{{list}}}", "adk-python@1.25.0", expect!["{list} {{{list}}}"]);
    resolve("{gone}", "adk-go", expect!["state key does not exist\n"]);
    resolve("{gone}", "adk-python", expect!["Context variable not found: `gone` in agent '?'.\n"]);
}

#[track_caller]
fn check(config: &str, prompt: &str, expected: Expect) {
    let workspace = Workspace::new(&[
        ("promptls.toml", config),
        ("a.prompt", prompt),
        ("a.inputs.json", VALUES),
    ]);
    let arguments = ["check", "--format", "concise", "--ignore", "unused-input,empty-input"];
    let output = promptls(&arguments).cwd(workspace.root()).run();
    expected.assert_eq(&output.stdout);
}

#[test]
fn differences_of_engines_are_reported_once_per_kind() {
    let config = "[[prompts]]\nfiles = ['*.prompt']\nengines = ['adk-python@2.13', 'adk-java']\n";
    check(
        config,
        "{list} {yes} {list?}",
        expect![[r#"
            a.prompt:1:1: warning [engine-differs] `adk-python@2.13` sends `[1, 'a']`, `adk-java` sends `[1, a]`
            a.prompt:1:8: warning [engine-differs] `adk-python@2.13` sends `True`, `adk-java` sends `true`
        "#]],
    );
    check(
        config,
        "{gone}",
        expect![[r#"
        a.prompt:1:2: error [undefined-placeholder] `gone` has no value; did you mean `none`?
    "#]],
    );
    let alike = "[[prompts]]\nfiles = ['*.prompt']\nengines = ['adk-java', 'adk-kotlin@0.5']\n";
    check(alike, "{list} {yes} {float}", expect![""]);
}

#[test]
fn a_key_that_one_of_several_engines_reads_is_used() {
    let workspace = Workspace::new(&[
        (
            "promptls.toml",
            "[[prompts]]\nfiles = ['*.prompt']\nengines = ['adk-python', 'adk-java']\n",
        ),
        ("a.prompt", "${total}"),
        ("a.inputs.json", r#"{"total": "3", "other": "4"}"#),
    ]);
    let arguments = ["check", "--format", "concise", "--ignore", "engine-differs"];
    let output = promptls(&arguments).cwd(workspace.root()).run();
    expect![[r#"
        a.inputs.json:1:16: warning [unused-input] `other` is never read by a.prompt
    "#]]
    .assert_eq(&output.stdout);
}

#[test]
fn a_missing_name_is_one_problem_in_each_engine() {
    check(
        "[[prompts]]\nfiles = ['*.prompt']\nengine = 'promptkit-go'\n",
        "{{float}} {{gone}}",
        expect![[r#"
            a.prompt:1:13: error [undefined-placeholder] `gone` has no value; did you mean `none`?
        "#]],
    );
}

#[test]
fn a_name_that_only_some_engines_accept_is_a_hint() {
    check(
        "[[prompts]]\nfiles = ['*.prompt']\ndialect = 'adk'\n",
        "{list} {é?} {é?}",
        expect![[r#"
            a.prompt:1:2: hint [engine-differs] `list` is a list or an object: `adk-python` sends `[1, 'a']`, `adk-java` sends `[1, a]`
            a.prompt:1:9: hint [engine-differs] `é` is a valid name in only some ADK engines; use letters from a to z, digits and `_`
        "#]],
    );
}

#[test]
fn an_invalid_engine_falls_back_to_the_document() {
    let rule = |keys: &str| format!("[[prompts]]\nfiles = ['*.prompt']\n{keys}\n");
    for (keys, expected) in [
        (
            "engine = 'adk-pyton@2'",
            expect![[r#"
                promptls.toml:3:10: error [invalid-config] unknown engine `adk-pyton`; known: adk-python, adk-java, adk-kotlin, adk-go, adk-js, agentensemble, agentle4j, agentle-python, promptkit-go, promptpack-python, promptpack-python-core, promptpack-langchainjs, langfuse-python, python-format, langchain-python, langchain-python-format, langchain-js, llamaindex-python, crewai; did you mean `adk-python`?
            "#]],
        ),
        (
            "engine = 'adk-python@x'",
            expect![[r#"
            promptls.toml:3:10: error [invalid-config] invalid version `x`; use one to three numbers, as in `2.13`
        "#]],
        ),
        (
            "engine = 'adk-python-jinja2'",
            expect![[r#"
            promptls.toml:3:10: error [invalid-config] `adk-python-jinja2` is not supported: no template engine for Rust reproduces Jinja2 byte for byte
        "#]],
        ),
        (
            "engine = 'langfuse-chevron'",
            expect![[r#"
            promptls.toml:3:10: error [invalid-config] `langfuse-chevron` is not supported: its templates are Mustache, which is not a supported dialect
        "#]],
        ),
        (
            "engine = 'langfuse-python@2.20'",
            expect![[r#"
            promptls.toml:3:10: info [engine-version-unknown] `langfuse-python@2.20` is older than 2.24.0: such versions are `langfuse-chevron`, and its templates are Mustache, which is not a supported dialect
        "#]],
        ),
        (
            "engine = 'adk-java'\nengines = ['adk-go']",
            expect![[r#"
            promptls.toml:4:11: error [invalid-config] a rule has `engine` or `engines`, not both
        "#]],
        ),
        (
            "engines = ['adk-java', 'agentensemble']",
            expect![[r#"
            promptls.toml:3:24: error [invalid-config] `agentensemble` is an engine of agentensemble, `adk-java` of adk
        "#]],
        ),
        (
            "engine = 'adk-java'\ndialect = 'agentle'",
            expect![[r#"
            promptls.toml:3:10: error [invalid-config] `adk-java` is an engine of adk, but the dialect is agentle
        "#]],
        ),
        (
            "engine = 'adk-python@3.1'",
            expect![[r#"
            promptls.toml:3:10: info [engine-version-unknown] `adk-python@3.1` is newer than 2.13.0, the newest known version
        "#]],
        ),
        (
            "engine = 7",
            expect![[r#"
            promptls.toml:3:10: error [invalid-config] an engine is named by a string, as "adk-python@2.13"
        "#]],
        ),
    ] {
        check(&rule(keys), "nothing", expected);
    }
}

/// The name of the engine is valid, so at least the dialect is known.
#[test]
fn an_engine_with_an_invalid_version_determines_the_dialect() {
    for named in ["engine = 'agentle4j@x'", "engines = ['agentle', 'agentle4j']"] {
        let config = format!("[[prompts]]\nfiles = ['*.txt']\n{named}\n");
        let workspace = Workspace::new(&[("promptls.toml", &config), ("a.txt", "{{a}}")]);
        let listed = promptls(&["check", "--list", "--format", "json"]).cwd(workspace.root()).run();
        let listed: Value = serde_json::from_str(&listed.stdout).expect("it is JSON");
        assert_eq!(listed["prompts"][0]["dialect"], "agentle", "{listed}");
        assert_eq!(listed["prompts"][0]["engine"], Value::Null, "{listed}");
    }
}

#[test]
fn a_check_is_for_the_engine_that_the_command_line_names() {
    let workspace = Workspace::new(&[
        (
            "promptls.toml",
            "[[prompts]]\nfiles = ['named.prompt']\nengine = 'adk-go'\n[[prompts]]\nfiles = ['*.prompt']\ndialect = 'adk'\n[[prompts]]\nfiles = ['*.txt']\nengine = 'agentle4j'\n",
        ),
        ("named.prompt", "${gone}"),
        ("named.inputs.json", "{}"),
        ("of-document.prompt", "${gone}"),
        ("of-document.inputs.json", "{}"),
        ("of-another.txt", "{{$gone}}"),
        ("of-another.inputs.json", "{}"),
    ]);
    let check = |more: &[&str]| {
        let arguments = [&["check", "--format", "concise", "--select", "undefined"], more].concat();
        promptls(&arguments).cwd(workspace.root()).run().stdout
    };
    expect![[r#"
        named.prompt:1:3: error [undefined-placeholder] `gone` has no value
        of-another.txt:1:3: error [undefined-placeholder] `$gone` has no value
        of-document.prompt:1:3: error [undefined-placeholder] `gone` has no value
    "#]]
    .assert_eq(&check(&[]));
    expect![[r#"
        of-another.txt:1:3: error [undefined-placeholder] `$gone` has no value
    "#]]
    .assert_eq(&check(&["--engine", "adk-python@2.13"]));
    expect![[r#"
        named.prompt:1:3: error [undefined-placeholder] `gone` has no value
        of-another.txt:1:3: error [undefined-placeholder] `$gone` has no value
        of-document.prompt:1:3: error [undefined-placeholder] `gone` has no value
    "#]]
    .assert_eq(&check(&["--engine", "adk-python@2.9"]));

    let unknown = promptls(&["check", "--engine", "adk-pyton"]).cwd(workspace.root()).run();
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
    assert!(unknown.stderr.contains("did you mean `adk-python`?"), "{unknown:?}");
}

#[test]
fn a_type_that_an_engine_rejects_is_one_problem() {
    let check = |engine: &str| {
        let rule = format!("[[prompts]]\nfiles = ['*.prompt']\nengine = '{engine}'\n");
        let workspace = Workspace::new(&[
            ("promptls.toml", &rule),
            ("a.prompt", "{{x}}"),
            ("a.inputs.json", r#"{"x": "1"}"#),
            ("a.variables.json", r#"{"variables": [{"name": "x", "type": "date"}]}"#),
        ]);
        promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run().stdout
    };
    expect![[r#"
        a.prompt:1:3: error [invalid-declaration] `x` is declared with an unknown type
        a.variables.json:1:38: error [invalid-declaration] `x` is declared with an unknown type
    "#]]
    .assert_eq(&check("promptpack-python"));
    expect![[r#"
        a.variables.json:1:38: info [invalid-declaration] the type `date` is not checked; known types are `string`, `number`, `boolean`, `object`, `array`
    "#]].assert_eq(&check("promptkit-go"));
}

#[test]
fn engines_are_listed_and_explained() {
    let json = promptls(&["engines", "--format", "json"]).run();
    let list: Value = serde_json::from_str(&json.stdout).expect("it is JSON");
    let engines = list["engines"].as_array().expect("they are a list");
    let text = promptls(&["engines"]).run().stdout;
    // One screen.
    assert!(text.lines().count() <= 40, "{text}");
    for engine in engines {
        let id = engine["id"].as_str().expect("it has an id");
        assert!(text.contains(id), "{id}");
        let page = promptls(&["explain", &format!("engine:{id}")]).run();
        assert_eq!(page.code, Some(0), "{page:?}");
        let newest = engine["newest"].as_str().expect("it has a newest version");
        assert!(page.stdout.contains(newest), "{page:?}");
    }
    let unknown = promptls(&["explain", "engine:adk-pyton"]).run();
    assert!(unknown.stderr.contains("did you mean `adk-python`?"), "{unknown:?}");
}
