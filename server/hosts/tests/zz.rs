use crate::shown::{found_in, found_in_modules};
use promptls_hosts::Language;
#[test]
fn zz() {
    let java = |body: &str, value: &str| {
        format!(
            "package com.x;\nimport com.google.adk.agents.LlmAgent;\nimport java.util.*;\nimport static com.x.Texts.PLAN;\nclass A {{\n{body}\n Object a = LlmAgent.builder().name(\"n\").instruction({value}).build();\n}}\n"
        )
    };
    for (b, v) in [
        ("static final String P = \"x\";", "A.P"),
        ("static class T { static final String P = \"x\"; }", "T.P"),
        ("interface T { String P = \"x\"; }", "T.P"),
        (
            "enum T { P(\"x\"); final String text; T(String text) { this.text = text; } }",
            "T.P.text",
        ),
        (
            "enum T { P(\"x\"); private final String text; T(String text) { this.text = text; } String text() { return text; } }",
            "T.P.text()",
        ),
        (
            "enum T { P(\"x\"); private final String text; T(String text) { this.text = text; } String getText() { return text; } }",
            "T.P.getText()",
        ),
        ("static final Map<String, String> M = Map.of(\"a\", \"x\");", "M.get(\"a\")"),
        ("", "String.join(\"\\n\", \"a {b}\", \"c\")"),
        ("", "String.join(\"\\n\", List.of(\"a\", \"b\"))"),
        ("record T(String a) {} static final T t = new T(\"x\");", "t.a()"),
        ("static String p() { return \"x\"; }", "p()"),
        ("static String p() { return \"x\"; }", "A.p()"),
        ("String p() { return \"x\"; }", "this.p()"),
    ] {
        println!("java {b} | {v} -> {:?}", found_in(Language::Java, &java(b, v)));
    }
    let kt = |body: &str, value: &str| {
        format!(
            "package com.x\nimport com.google.adk.kt.agents.Instruction\nimport com.google.adk.kt.agents.LlmAgent\n{body}\nval a = LlmAgent(name = \"n\", instruction = Instruction({value}))\n"
        )
    };
    for (b, v) in [
        ("object T { const val P = \"x\" }", "T.P"),
        ("class T { companion object { const val P = \"x\" } }", "T.P"),
        ("class T { companion object { const val P = \"x\" } }", "T.Companion.P"),
        ("class T { companion object Names { const val P = \"x\" } }", "T.Names.P"),
        ("object T { object U { const val P = \"x\" } }", "T.U.P"),
        ("enum class T(val text: String) { P(\"x\") }", "T.P.text"),
        ("enum class T(val text: String) { P(\"x\"), Q(\"y\"); }", "T.Q.text"),
        ("val M = mapOf(\"a\" to \"x\")", "M[\"a\"]!!"),
        ("val M = mapOf(\"a\" to \"x\")", "M.getValue(\"a\")"),
        ("", "listOf(\"a\", \"b\").joinToString(\"\\n\")"),
        ("data class T(val a: String = \"x\")\nval t = T()", "t.a"),
        ("data class T(val a: String)\nval t = T(a = \"x\")", "t.a"),
        ("val p by lazy { \"x\" }", "p"),
        ("val p: String get() = \"x\"", "p"),
        ("fun p() = \"x\"", "p()"),
    ] {
        println!("kt {b} | {v} -> {:?}", found_in(Language::Kotlin, &kt(b, v)));
    }
    let go = |body: &str, value: &str| {
        format!(
            "package v\nimport (\n\"google.golang.org/adk/agent/llmagent\"\n\"strings\"\n)\n{body}\nvar a = llmagent.Config{{Name: \"n\", Instruction: {value}}}\n"
        )
    };
    for (b, v) in [
        ("var M = map[string]string{\"a\": \"x\"}", "M[\"a\"]"),
        ("var M = struct{ A string }{A: \"x\"}", "M.A"),
        ("type T struct { A string }\nvar M = T{A: \"x\"}", "M.A"),
        ("type T struct { A string }\nvar M = &T{A: \"x\"}", "M.A"),
        ("var M = map[string]string{\"a\": \"x\"}\nfunc f() { M[\"a\"] = \"y\" }", "M[\"a\"]"),
        ("", "strings.Join([]string{\"a\", \"b\"}, \"\\n\")"),
        ("type P string\nconst X P = \"x\"", "string(X)"),
        ("func p() string { return \"x\" }", "p()"),
    ] {
        println!("go {b} | {v} -> {:?}", found_in(Language::Go, &go(b, v)));
    }

    for (b, v) in [
        (
            "static LlmAgent make(String p) { return LlmAgent.builder().name(\"m\").instruction(p).build(); }\nObject b = make(\"y\");",
            "\"x\"",
        ),
        (
            "LlmAgent make(String name, String p) { return LlmAgent.builder().name(name).instruction(p).build(); }\nObject b = A.make(\"q\", \"y\");",
            "\"x\"",
        ),
    ] {
        println!("java {b} | {v} -> {:?}", found_in(Language::Java, &java(b, v)));
    }
    for (b, v) in [
        (
            "fun make(p: String) = LlmAgent(name = \"m\", instruction = Instruction(p))\nval b = make(\"y\")",
            "\"x\"",
        ),
        (
            "fun make(p: String = \"d\"): LlmAgent { return LlmAgent(name = \"m\", instruction = Instruction(p)) }\nval b = make(p = \"y\")",
            "\"x\"",
        ),
    ] {
        println!("kt {b} | {v} -> {:?}", found_in(Language::Kotlin, &kt(b, v)));
    }
    for (b, v) in [
        (
            "func make(name, p string) llmagent.Config { return llmagent.Config{Name: name, Instruction: p} }\nvar b = make(\"q\", \"y\")",
            "\"x\"",
        ),
        (
            "func make(name string, p string) (agent.Agent, error) {\n return llmagent.New(llmagent.Config{Name: name, Instruction: p})\n }\nfunc f() {\n b, err := make(\"q\", \"y\")\n}",
            "\"x\"",
        ),
    ] {
        println!("go {b} | {v} -> {:?}", found_in(Language::Go, &go(b, v)));
    }
    let m = [
        (
            "agent",
            "package v\nimport (\n\"google.golang.org/adk/agent/llmagent\"\n\"p\"\n)\nvar a = llmagent.Config{Name: \"n\", Instruction: p.P}\nvar b = llmagent.Config{Name: \"n\", Instruction: p.F()}\nvar c = llmagent.Config{Name: \"n\", Instruction: p.M[\"a\"]}\nvar d = llmagent.Config{Name: \"n\", Instruction: p.S.A}",
        ),
        (
            "p",
            "package p\nconst P = `x`\nfunc F() string { return `f` }\nvar M = map[string]string{\"a\": `m`}\nvar S = struct{A string}{A: `s`}\n",
        ),
    ];
    println!("{:?}", found_in_modules(Language::Go, &m));
}
