//! Go cases beyond the vectors.

use crate::shown::{found_elsewhere, found_in, found_in_modules, found_with_rule};
use promptls_hosts::Language;

const ADK: &str =
    "package v\n\nimport (\n\t\"strings\"\n\n\t\"google.golang.org/adk/agent/llmagent\"\n)\n\n";

#[track_caller]
fn check(source: &str, expected: &[&str]) {
    assert_eq!(found_in(Language::Go, &format!("{ADK}{source}")), expected, "{source}");
}

#[test]
fn only_imported_agents_are_found() {
    let with = |import: &str| {
        let source = format!("package v\n{import}\nvar a = llmagent.Config{{Instruction: `x`}}\n");
        found_in(Language::Go, &source)
    };
    assert_eq!(with("import \"google.golang.org/adk/v3/agent/llmagent\""), ["a: x"]);
    assert_eq!(with("import llmagent \"google.golang.org/adk/v3/agent/llmagent\""), ["a: x"]);
    assert_eq!(with("import _ \"google.golang.org/adk/agent/llmagent\""), [""; 0]);
    assert_eq!(with("import \"google.golang.org/adk/agent\""), [""; 0]);
    assert_eq!(with("import \"example.com/adk/agent/llmagent\""), [""; 0]);
    let source = "package v\nimport . \"google.golang.org/adk/agent/llmagent\"\nvar a = &Config{Instruction: `x`}\n";
    assert_eq!(found_in(Language::Go, source), ["a: x"]);
}

#[test]
fn a_prompt_is_named_after_the_target_of_its_text() {
    check(
        "func f() {\n\ta, err := llmagent.New(llmagent.Config{Instruction: \"x\"})\n}",
        &["a: x"],
    );
    check(
        "func f() (a, error) {\n\treturn llmagent.New(llmagent.Config{\n\t\tInstruction: \"x\",\n\t})\n}",
        &["f: x"],
    );
    check(
        "func (t *T) f() T {\n\tt.b = &llmagent.Config{Instruction: \"x\"}\n\treturn t\n}",
        &["b: x"],
    );
    check(
        "func f() {\n\trun(func() {\n\t\tnew(llmagent.Config{Instruction: \"x\"})\n\t})\n}",
        &["f: x"],
    );
    check("const n = \"m\"\nvar a = llmagent.Config{Name: n, Instruction: \"x\"}", &["m: x"]);
}

#[test]
fn only_names_with_a_single_constant_value_are_followed() {
    let with = |source: &str| format!("{source}\nvar b = llmagent.Config{{Instruction: a}}\n");
    check(&with("const (\n\tc = 1\n\ta = \"x\"\n)"), &["a: x"]);
    check(&with("var c, a string = \"y\", \"x\""), &["a: x"]);
    check(&with("var a = \"x\" + // y\n\t\"z\""), &["a: xz"]);
    check(&with("var a string"), &[]);
    check(&with("var a = \"x\"\nfunc f() {\n\ta = \"y\"\n}"), &[]);
    check(&with("func f() {\n\ta += \"y\"\n}\nvar a = \"x\""), &[]);
    let within = |source: &str| {
        format!(
            "const a = \"x\"\nfunc f() {{\n\t{source}\n\tg(llmagent.Config{{Instruction: a}})\n}}\n"
        )
    };
    check(&within(""), &["a: x"]);
    check(&within("a := \"y\""), &["a: y"]);
    check(&within("a, err := g()"), &[]);
    check(&within("a := \"y\"\n\ta = \"z\""), &[]);
    check(&within("for _, a := range []string{\"b\"} {\n\t}"), &["a: x"]);
    check("const a = \"x\"\nfunc f(a string) {\n\tg(llmagent.Config{Instruction: a})\n}", &[]);
    check(
        "func f() {\n\tif a := \"x\"; b {\n\t\tg(llmagent.Config{Instruction: a})\n\t}\n}",
        &["a: x"],
    );
    check(
        "func f() {\n\tfor _, a := range []string{\"b\"} {\n\t\tg(llmagent.Config{Instruction: a})\n\t}\n}",
        &[],
    );
}

#[test]
fn a_call_has_the_value_that_its_function_returns() {
    let with = |source: &str| format!("{source}\nvar b = llmagent.Config{{Instruction: a()}}\n");
    check(&with("func a() string {\n\treturn `x`\n}"), &["a: x"]);
    let error =
        "func a() (string, error) {\n\tif b {\n\t\treturn \"\", c\n\t}\n\treturn `x`, nil\n}";
    check(&with(error), &["a: x"]);
    check(
        &with("func a() string {\n\tif b {\n\t\treturn `x`\n\t}\n\treturn `y`\n}"),
        &["b: x", "b-2: y"],
    );
    check(&with("func (t T) a() string {\n\treturn `x`\n}"), &[]);
}

#[test]
fn known_functions_on_texts_are_evaluated() {
    let with = |text: &str| format!("var b = llmagent.Config{{Instruction: {text}}}\n");
    check(&with("strings.TrimSpace(`\n x\n`)"), &["b: x"]);
    check(&with("strings.TrimSpace(a)"), &[]);
    check(&with("\"a \" + c.D(e)[0]"), &["b: a \u{FFFC}"]);
    check(&with("\"a\" + 'b'"), &[]);
    check(&with("(\"a\" +\n\t\t\"b\")"), &["b: ab"]);
}

#[test]
fn constants_of_other_files_of_the_package_are_followed() {
    let there = "package v\n\nconst a = ` x `\n";
    let here = |text: &str| format!("{ADK}var b = llmagent.Config{{Instruction: {text}}}\n");
    assert_eq!(found_elsewhere(Language::Go, &here("a"), there), [". a:  x "]);
    assert_eq!(found_elsewhere(Language::Go, &here("strings.TrimSpace(a)"), there), [". a: x"]);
    assert_eq!(found_elsewhere(Language::Go, &here("nil"), there), [""; 0]);
}

#[test]
fn rules_select_constants_and_fields() {
    let rule = |source: &str, entry: &str| found_with_rule(Language::Go, source, entry);
    assert_eq!(rule("const APrompt = `x`", "*Prompt"), ["APrompt: x"]);
    assert_eq!(rule("var a = b.Make(c, `x`)", ".Make(1)"), ["a: x"]);
    assert_eq!(rule("var a = Thing{Text: `x`}", "Thing(Text)"), ["a: x"]);
}

#[test]
fn members_lists_and_conversions_are_followed() {
    for (before, value, expected) in [
        ("var m = map[string]string{\"a\": \"x\"}", "m[\"a\"]", &["a: x"][..]),
        ("var m = struct{ A string }{A: \"x\"}", "m.A", &["A: x"]),
        ("var m = T{A: \"x\", B: \"y\"}", "m.B", &["B: y"]),
        ("var m = map[string]string{\"a\": \"x\"}\nfunc f() { m[\"a\"] = \"y\" }", "m[\"a\"]", &[]),
        ("var m = map[string]string{\"a\": \"x\"}", "m[\"b\"]", &[]),
        ("var m = make(map[string]string)", "m[\"a\"]", &[]),
        ("", "strings.Join([]string{\"a {b}\", \"c\"}, \"\\n\")", &["n: a {b}\nc"]),
        ("", "strings.Join(list, \"\\n\")", &[]),
        ("", "strings.Join([]string{\"a\", \"c\"}, x)", &[]),
        ("const a P = \"x\"", "string(a)", &["a: x"]),
        ("const a P = \"x\"", "other(a)", &[]),
    ] {
        check(
            &format!("{before}\nvar v = llmagent.Config{{Name: \"n\", Instruction: {value}}}\n"),
            expected,
        );
    }
}

#[test]
fn names_of_another_package_are_followed() {
    let prompts = "package prompts\nconst P = `x`\nfunc F() string { return `f` }\n\
        var M = map[string]string{\"a\": `m`}\nvar S = T{A: `s`}\n";
    for (value, expected) in [
        ("prompts.P", &["x.prompts P: x"][..]),
        ("strings.TrimSpace(prompts.P)", &["x.prompts P: x"]),
        ("prompts.F()", &["x.prompts F: f"]),
        ("prompts.M[\"a\"]", &["x.prompts a: m"]),
        ("prompts.S.A", &["x.prompts A: s"]),
        ("prompts.None", &[]),
        ("prompts.P()", &[]),
        ("other.P", &[]),
    ] {
        let agent = format!(
            "package v\nimport (\n\"strings\"\n\"x/prompts\"\n\"google.golang.org/adk/agent/llmagent\"\n)\n\
            var v = llmagent.Config{{Name: \"n\", Instruction: {value}}}\n"
        );
        let modules = [("v", agent.as_str()), ("x.prompts", prompts)];
        assert_eq!(found_in_modules(Language::Go, &modules), expected, "{value}");
    }
}

#[test]
fn arguments_of_a_function_that_creates_an_agent_are_prompts() {
    let make = "func make(name, p string) T {\n\treturn New(llmagent.Config{Name: name, Instruction: p})\n}\n";
    check(&format!("{make}var a = make(\"m\", \"x\")"), &["m: x"]);
    check(&format!("{make}func f() {{\n\ta, err := make(n, `x`)\n}}"), &["a: x"]);
    check(&format!("{make}var a = other.make(\"m\", \"x\")"), &[]);
    let changed = make.replace("\treturn", "\tp = p + \"y\"\n\treturn");
    check(&format!("{changed}var a = make(\"m\", \"x\")"), &[]);
}
