//! Kotlin cases beyond the compiler results of the vectors.

use crate::shown::{found_elsewhere, found_in, found_with_rule};
use promptls_hosts::Language;

const IMPORTS: &str = "package p\nimport com.google.adk.kt.agents.Instruction\n\
                       import com.google.adk.kt.agents.LlmAgent as Agent\nimport x.y as z\n";

fn found(source: &str) -> Vec<String> {
    found_in(Language::Kotlin, &format!("{IMPORTS}{source}\n"))
}

fn one(expected: &str) -> Vec<&str> {
    expected.split(" | ").filter(|it| !it.is_empty()).collect()
}

#[test]
fn constant_parts_of_expressions_are_evaluated() {
    for (before, expression, expected) in [
        ("", "(\"a \" + \"b\").trim()", "i: a b"),
        ("", "\"\\u00a0a\\u0085\".trim()", "i: a\u{85}"),
        ("", "\"a\"\n    .replace(\"a\", \"b\")\n    .replace(\"b\", x)", ""),
        ("", "\"a c\".replace(\"a\", \"b\", true)", ""),
        ("", "\"a \" + x?.y!!.z { it }[1]", "i: a \u{FFFC}"),
        ("", "\"a \" + if (x) \"b\" else \"c\"", ""),
        ("", "if (x) \"b\" else \"c\"", "i: b | i-2: c"),
        ("", "x ?: \"a\"", "i: a"),
        ("", "\"$x\"", ""),
        ("", "\"\"\"\n  a $x\n    b\n\"\"\".trimIndent()", "i: a \u{FFFC}\n  b"),
        ("", "\"  a\\r\\n   b\".trimIndent()", "i: a\n b"),
        ("", "\" \".trimIndent()", "i: "),
        ("", "\" \\n |a\\n||b\\n c|\\n\".trimMargin()", "i: a\n|b\n c|"),
        ("", "\"a\".trimMargin(\"#\")", ""),
        ("const val A = \"a\"", "A", "A: a"),
        ("val A: String = \"a\"", "A", "A: a"),
        ("val A by lazy { \"a\" }", "A", "A: a"),
        ("val A by lazy {\n  f()\n  \"a\"\n}", "A", ""),
        ("val A by lazy(x) { \"a\" }", "A", ""),
        ("val A get() = \"a\"", "A", "A: a"),
        ("val A: String\n  get() = \"a\"", "A", "A: a"),
        ("val A: String get() { return \"a\" }", "A", ""),
        ("open val A get() = \"a\"", "A", ""),
        ("", "listOf(\"a\", \"b {c}\").joinToString(\"\\n\")", "i: a\nb {c}"),
        ("", "listOf(\"a\", \"b\").joinToString()", "i: a, b"),
        ("", "listOf(\"a\", \"b\").joinToString(\"\") { it.trim() }", ""),
        ("", "listOf(\"a\", \"b\").joinToString(separator = \"\")", "i: ab"),
        ("enum class P(val text: String) { A(\"a\"), B(\"b\"); fun f() = 1 }", "P.B.text", "B: b"),
        ("enum class P(val n: Int, val text: String) { A(1, \"a\".trim()) }", "P.A.text", "A: a"),
        (
            "enum class P(val n: Int, val text: String) { A(text = \"a\", n = 1) }",
            "P.A.text",
            "A: a",
        ),
        ("enum class P(text: String) { A(\"a\") }", "P.A.text", ""),
        ("enum class P(val text: String) { A(\"a\") }", "P.A.name", ""),
        ("enum class P(val text: String) { A(\"a\") }", "P.B.text", ""),
        ("class P(val text: String) { A(\"a\") }", "P.A.text", ""),
        ("class P { companion object { const val A = \"a\" } }", "P.Companion.A", "A: a"),
        ("class P { companion object Q { const val A = \"a\" } }", "P.Q.A", "A: a"),
        ("open val A = \"a\"", "A", ""),
        ("var A = \"a\"", "A", ""),
        ("val A = B\nval B = A", "A", ""),
        ("val (A, B) = f()", "A", ""),
        ("object P { const val A = \"a\" }", "P.A", "A: a"),
        ("class P { companion object { const val A = \"a\" } }", "P.A", "A: a"),
        ("class P { companion object Q { const val A = \"a\" } }", "P.A", "A: a"),
        ("object P { object Q { val A = \"a\" } }", "P.Q.A", "A: a"),
        ("val A = \"a\"\nobject P", "P.A", ""),
        ("fun f() = \"a\"", "f()", "f: a"),
        ("fun f(): Map<A, (B) -> C> = \"a\"", "f()", "f: a"),
        ("private fun <T> f(x: T = g(1)): String {\n  return \"a $x\"\n}", "f(1)", "f: a \u{FFFC}"),
        ("fun f(): String {\n  val a = \"a\"\n  return a\n}", "f()", "f: a"),
        ("fun f(): String {\n  x ?: return \"b\"\n  return \"a\"\n}", "f()", "i: b | i-2: a"),
        ("fun f() = x.map { return@map \"b\" }", "f()", ""),
        ("fun String.f() = \"a\"", "f()", ""),
        ("fun List<String>?.f() = \"a\"", "f()", ""),
        ("fun f() = \"a\"\nfun f(x: Int) = \"b\"", "f()", ""),
        ("open fun f() = \"a\"", "f()", ""),
        ("fun f() =\n  \"a\" +\n  \"b\"\nval x = 1", "f()", "f: ab"),
    ] {
        let source = format!("{before}\nval i = Instruction({expression})");
        assert_eq!(found(&source), one(expected), "{source}");
    }
}

#[test]
fn a_name_refers_to_the_nearest_declaration() {
    for (source, expected) in [
        ("fun f() = Instruction(text)", "text: module"),
        ("fun f(text: String) = Instruction(text)", ""),
        ("fun f(text: String) { }\nval i = Instruction(text)", "text: module"),
        ("fun f() {\n  val text = \"local\"\n  Instruction(text)\n}", "text: local"),
        ("fun f() {\n  run { val text = \"local\" }\n  Instruction(text)\n}", "text: module"),
        ("fun f() {\n  var text = \"local\"\n  Instruction(text)\n}", ""),
        ("val i = x.map { text -> Instruction(text) }", ""),
        ("val i = x.map { (a, text), b: Int -> Instruction(text) }", ""),
        ("fun f() { for (text in x) { Instruction(text) } }", ""),
        ("fun f() { try { } catch (text: E) { Instruction(text) } }", ""),
        ("fun f() = when (val text = g()) { else -> Instruction(text) }", ""),
        ("class A(val text: String) { val i = Instruction(text) }", ""),
        ("class A(text: String = \"b\")\nval i = Instruction(text)", "text: module"),
        ("class A {\n  val text = \"field\"\n  fun f() = Instruction(text)\n}", "text: field"),
        (
            "val i = object : A() { val text = \"field\"; fun f() = Instruction(text) }",
            "text: field",
        ),
    ] {
        let source = format!("val text = \"module\"\n{source}");
        assert_eq!(found(&source), one(expected), "{source}");
    }
}

#[test]
fn a_prompt_is_named_after_its_surrounding_declaration() {
    for (source, expected) in [
        ("val a = Agent(name = \"n\", instruction = Instruction(\"x\"))", "n: x"),
        (
            "val a = Agent(name = \"n\", globalInstruction = Instruction.Text(\"x\"))",
            "n.globalInstruction: x",
        ),
        ("val a = Agent(instruction = Instruction(\"x\"))", "a: x"),
        ("val a: A =\n  Agent(instruction = Instruction(\"x\"))", "a: x"),
        ("val a by lazy { Instruction(\"x\") }", "a: x"),
        ("fun f(): A = Instruction(\"x\")", "f: x"),
        ("fun f() {\n  a.b = Instruction(\"x\")\n}", "b: x"),
        ("val a = g {\n  val b = Instruction(\"x\")\n}", "b: x"),
        ("val a = listOf(\n  1,\n  Instruction(\"x\"),\n)", "a: x"),
        ("val a = object : B {\n  fun f() { g(Instruction(\"x\")) }\n}", "f: x"),
        ("val a = 1\ng(Instruction(\"x\"))", "prompt: x"),
        ("class A : B(Instruction(\"x\")) { }", "prompt: x"),
        ("val `a b` = Instruction(text = \"x\")", "-a-b-: x"),
    ] {
        assert_eq!(found(source), [expected], "{source}");
    }
}

#[test]
fn builders_with_lambdas_are_followed() {
    let source = "import com.google.adk.agents.LlmAgent\nval a = LlmAgent.builder()\n    \
                  .name(\"n\")\n    .also { println(it) }\n    .tools(1) { it }\n    \
                  .instruction(\"\"\"\n      x\n    \"\"\".trimIndent())\n    .build()\n";
    assert_eq!(found_in(Language::Kotlin, source), ["n: x"]);
}

#[test]
fn a_rule_selects_constants_or_an_argument() {
    let source = "object P {\n  const val A_PROMPT = \"a\"\n}\nval B_PROMPT = \"b\"\n\
                  fun f() { val C_PROMPT = \"c\"; make(\"d\", text = \"e\") }\n";
    for (entry, expected) in [
        ("*_PROMPT", vec!["A_PROMPT: a", "B_PROMPT: b"]),
        ("make(0)", vec!["f: d"]),
        ("make(text)", vec!["f: e"]),
    ] {
        assert_eq!(found_with_rule(Language::Kotlin, source, entry), expected, "{entry}");
    }
}

#[test]
fn constants_of_other_files_are_prompts_of_their_files() {
    let kotlin = |import: &str, expression: &str, other: &str| {
        let source = format!("{IMPORTS}{import}\nval i = Instruction({expression})\n");
        found_elsewhere(Language::Kotlin, &source, other)
    };
    let other = "const val A = \"a\"\nobject P { const val A = \"b\" }\n";
    assert_eq!(kotlin("import q.A", "A.trim()", other), ["q A: a"]);
    assert_eq!(kotlin("import q.P", "P.A", other), ["q.P A: b"]);
    assert_eq!(kotlin("", "P.A", other), ["p.P A: b"]);
    assert_eq!(kotlin("", "q.P.A", other), ["q.P A: b"]);
    let companion = "class P { companion object { const val A = \"c\" } }\n";
    assert_eq!(kotlin("import q.P.Companion.A", "A", companion), ["q.P A: c"]);
    assert_eq!(kotlin("import q.P", "P.Companion.A", companion), ["q.P A: c"]);
    let constants = "enum class P(val text: String) { A(\"a\"), B(\"b\") }\n";
    assert_eq!(kotlin("import q.P", "P.B.text", constants), ["q B: b"]);
    assert_eq!(kotlin("", "P.A.text", constants), ["p A: a"]);
    assert_eq!(kotlin("", "P.C.text", constants), [""; 0]);
    assert_eq!(kotlin("", "P.A.name", constants), [""; 0]);
    assert_eq!(kotlin("", "Q.A", other), [""; 0]);
    assert_eq!(kotlin("val p = 1", "p.A", other), [""; 0]);
}

#[test]
fn arguments_of_a_function_that_creates_an_agent_are_prompts() {
    for (source, expected) in [
        ("fun f(t: String) = Agent(instruction = Instruction(t))\nval a = f(\"x\")", &["a: x"][..]),
        (
            "fun f(t: String = \"d\") = Agent(instruction = Instruction(t))\nval a = f(t = \"x\")",
            &["f: d", "a: x"],
        ),
        (
            "fun f(t: String) = Agent(instruction = Instruction(t.trim()))\nval a = f(\"x\")",
            &["a: x"],
        ),
        ("fun f(t: String) = Agent(instruction = Instruction(t))\nval a = b.f(\"x\")", &[]),
        ("class A { fun f(t: String) = Instruction(t)\nval a = f(\"x\") }", &["a: x"]),
    ] {
        assert_eq!(found(source), expected, "{source}");
    }
}

#[test]
fn an_import_follows_one_of_all_names() {
    let source = "package p\nimport a.b.*\nimport com.google.adk.agents.LlmAgent\n\
                  val a = LlmAgent.builder().instruction(\"x\").build()\n";
    assert_eq!(found_in(Language::Kotlin, source), ["a: x"]);
}
