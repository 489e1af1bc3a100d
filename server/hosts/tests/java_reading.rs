//! Java cases beyond the compiler results of the vectors.

use crate::shown::{found_elsewhere, found_in, found_with_rule};
use promptls_hosts::Language;

/// The prompts of a class with these members, as `name: text`.
fn in_class(members: &str) -> Vec<String> {
    found_in(
        Language::Java,
        &format!(
            "package p;\nimport com.google.adk.agents.*;\nimport net.agentensemble.Task;\n\
             import java.util.*;\nclass V {{\n{members}\n}}\n"
        ),
    )
}

/// A member that passes an expression to an agent.
fn agent(expression: &str) -> String {
    format!("static Object a = LlmAgent.builder().name(\"n\").instruction({expression}).build();\n")
}

#[test]
fn constant_parts_of_expressions_are_evaluated() {
    for (members, expression, expected) in [
        ("", "(\"a \" + (\"b\"))", "n: a b"),
        ("", "\" a \\u2003\".strip()", "n: a"),
        ("", "\"\\u0001a\\u2003\".trim()", "n: a\u{2003}"),
        ("", "\" a \".stripLeading()", "n: a "),
        ("", "\" a \".stripTrailing()", "n:  a"),
        ("", "\"a {b}\".replace(\"{b}\", \"c\").replace(\"a\", x)", "n: \u{FFFC} c"),
        ("", "\"a\".repeat(2)", ""),
        ("", "\"a \" + 1", ""),
        ("", "\"a \" + 'b'", ""),
        ("", "\"a \" + x.y(1)[2].z", "n: a \u{FFFC}"),
        ("", "x ? \"a\" : \"b\"", "n: a | n-2: b"),
        ("", "\"%d%% of %s%n\".formatted(1, x)", "n: \u{FFFC}% of \u{FFFC}\n"),
        ("", "\"%q\".formatted(1)", ""),
        ("", "String.format(\"a %s\", x).trim()", "n: a \u{FFFC}"),
        ("", "java.lang.String.format(\"a\")", "n: a"),
        ("static class String {}", "String.format(\"a\")", ""),
        ("static final String A = \"a\" + B, B = \"b\";", "B", "B: b"),
        ("static final String A = \"a\";", "A", "A: a"),
        ("static final String A = \"a\";", "V.A", "A: a"),
        ("static final String A = \"a\";", "this.A", "A: a"),
        ("static final String A = B; static final String B = \"b\";", "A", "B: b"),
        ("static final String A = B; static final String B = A;", "A", ""),
        ("final String a2; V(String a2) { this.a2 = a2; }", "a2", ""),
        ("interface P { String A = \"a\"; }", "P.A", "A: a"),
        ("static class P { static final String A = \"a\"; }", "P.A", "A: a"),
        ("static class P { static class Q { static final String A = \"a\"; } }", "P.Q.A", "A: a"),
        ("static class P { }", "P.A", ""),
        ("static final String A = \"a\"; static class P { }", "P.A", ""),
        ("static String f() { return \"a\"; }", "f()", "f: a"),
        ("static String f() { return \"a\"; }", "V.f()", "f: a"),
        ("static String f() throws E, java.io.E { return \"a\"; }", "f()", "f: a"),
        ("static String f() { if (x) { return \"a\"; } return \"b\"; }", "f()", "n: a | n-2: b"),
        ("static String f() { String a = \"a\"; return a; }", "f()", "f: a"),
        ("static String f() { g(() -> { return \"b\"; }); return \"a\"; }", "f()", "f: a"),
        ("static String f(int i) { return \"a\"; } static String f() { return \"b\"; }", "f()", ""),
        ("abstract String f();", "f()", ""),
        ("static final String f = \"b\"; static String f() { return \"a\"; }", "f()", "f: a"),
        ("record R(String A) { } static final String A = \"a\";", "A", "A: a"),
    ] {
        let found = in_class(&format!("{members}\n{}", agent(expression)));
        let expected: Vec<&str> = expected.split(" | ").filter(|it| !it.is_empty()).collect();
        assert_eq!(found, expected, "{members} {expression}");
    }
}

#[test]
fn a_name_refers_to_the_nearest_declaration() {
    let body = |body: &str| {
        let result = "return LlmAgent.builder().name(\"n\").instruction(text).build();";
        in_class(&format!(
            "static final String text = \"field\";\nObject make(Object o) {{\n{}\n}}",
            body.replace("RESULT", result)
        ))
    };
    for (source, expected) in [
        ("RESULT", "text: field"),
        ("String text = \"local\"; RESULT", "text: local"),
        ("{ String text = \"local\"; } RESULT", "text: field"),
        ("if (o == null) { String text = \"local\"; RESULT } return null;", "text: local"),
        ("String text; text = \"local\"; RESULT", ""),
        ("String text = \"local\"; text += \"b\"; RESULT", ""),
        ("String text = \"local\"; if (x) text = \"b\"; RESULT", "n: local | n-2: b"),
        ("for (String text : list) { RESULT } return null;", ""),
        ("for (String text : list) { } RESULT", "text: field"),
        ("try { x(); } catch (E text) { RESULT }", ""),
        ("if (o instanceof String text) { RESULT }", ""),
        ("return list.map((text) -> { RESULT });", ""),
        ("return list.map((String text, int i) -> { RESULT });", ""),
        ("return list.map(text -> LlmAgent.builder().instruction(text));", ""),
        ("switch (o) { case String text -> { RESULT } }", ""),
        ("return new P() { Object make(String text) { RESULT } };", ""),
        ("return new P<A, B>() { String text = \"b\"; Object make() { RESULT } };", ""),
        ("var text = \"local\"; RESULT", "text: local"),
        ("final String i = \"\", text = \"local\"; RESULT", "text: local"),
        ("Map<String, List<String>> text = null; RESULT", ""),
    ] {
        let expected: Vec<&str> = expected.split(" | ").filter(|it| !it.is_empty()).collect();
        assert_eq!(body(source), expected, "{source}");
    }
}

#[test]
fn a_prompt_is_named_after_its_surrounding_declaration() {
    for (members, expected) in [
        ("Task a = wrap(Task.of(\"x\"));", "a: x"),
        ("void f() { this.a = Task.of(\"x\"); }", "a: x"),
        ("void f() { a[0] = Task.of(\"x\"); }", "f: x"),
        ("void f() { a = run(() -> { go(Task.of(\"x\")); }); }", "a: x"),
        ("A a = new A() { void f() { go(Task.of(\"x\")); } };", "f: x"),
        ("V() { go(Task.of(\"x\")); }", "V: x"),
        ("static { go(Task.of(\"x\")); }", "prompt: x"),
        ("@A(b = \"c\") Task a = Task.of(\"x\");", "a: x"),
        ("static final List<Task> A = List.of(\n  Task.of(\"x\"));", "A: x"),
        ("Task a = switch (x) { case 1 -> Task.of(\"x\"); default -> null; };", "a: x"),
        ("enum E { A(Task.of(\"x\")); }", "prompt: x"),
        (
            "static final String N = \"my agent\"; Object a = \
          LlmAgent.builder().name(N).instruction(\"x\").build();",
            "my-agent: x",
        ),
        ("Object a = LlmAgent.builder().instruction(\"w\").instruction(\"x\").build();", "a: x"),
    ] {
        assert_eq!(in_class(members), [expected], "{members}");
    }
}

#[test]
fn only_the_imported_class_is_recognized() {
    for (source, expected) in [
        ("import net.agentensemble.*; class V { Task t = Task.of(\"x\"); }", vec!["t: x"]),
        ("import net.agentensemble.Task; class Task { Object t = Task.of(\"x\"); }", vec![]),
        (
            "import net.agentensemble.Task; class V { class Task {} Object t = Task.of(\"x\"); }",
            vec![],
        ),
        ("import net.agentensemble.Tasks; class V { Object t = Task.of(\"x\"); }", vec![]),
        ("import a.net.agentensemble.Task; class V { Object t = Task.of(\"x\"); }", vec![]),
        ("import net.agentensemble.Task; class V { Object t = a.Task.of(\"x\"); }", vec![]),
        ("class V { Object t = net.agentensemble.Task.of(\"x\"); }", vec!["t: x"]),
        (
            "import com.google.adk.utils.InstructionUtils; class V { Object t = \
             InstructionUtils.injectSessionState(context, \"x\"); }",
            vec!["t: x"],
        ),
    ] {
        assert_eq!(found_in(Language::Java, source), expected, "{source}");
    }
}

#[test]
fn a_mark_applies_to_the_literal_after_it() {
    for (members, expected) in [
        ("// promptls: adk\nString a = \"x\" + y;", vec!["a: x\u{FFFC}"]),
        ("// promptls: adk\nObject a = f(\n  \"x\".strip());", vec!["a: x"]),
        ("void f() {\n// promptls: adk\nreturn \"\"\"\n  x\n  \"\"\";\n}", vec!["f: x\n"]),
        ("Object a = b ? /* promptls: adk */ \"x\" : \"y\";", vec!["a: x"]),
        ("// promptls: off\nTask a = Task.of(\"x\");", vec![]),
        ("// promptls: adk\n\nString a = \"x\";", vec![]),
        ("String a = \"x\"; // promptls: adk\n", vec![]),
    ] {
        assert_eq!(in_class(members), expected, "{members}");
    }
}

#[test]
fn a_rule_selects_constants_or_an_argument() {
    let source = "class V {\n  static final String A_PROMPT = \"a\", B = \"b\";\n  \
                  static String C_PROMPT = \"c\";\n  void f(String p) { String D_PROMPT = \"d\"; \
                  make(\"e\", x = \"f\"); y.make(\"g\"); new Make(\"h\"); }\n}\n";
    for (entry, expected) in [
        ("*_PROMPT", vec!["A_PROMPT: a"]),
        ("make(0)", vec!["f: e"]),
        ("make(1)", vec![]),
        ("make(x)", vec![]),
        (".make(0)", vec!["f: g"]),
        ("Make(0)", vec!["f: h"]),
    ] {
        assert_eq!(found_with_rule(Language::Java, source, entry), expected, "{entry}");
    }
}

#[test]
fn constants_and_methods_of_other_classes_are_prompts_of_their_files() {
    let other = "package q;\nclass P {\n  static final String A = \" a \", B = \"b\";\n  \
                 static String f() { return \"f\"; }\n  static String m = \"m\";\n  \
                 static class Q { static final String A = \"c\"; }\n}\n";
    for (import, expression, expected) in [
        ("import q.P;", "P.A.strip()", "q.P A: a"),
        ("import q.P;", "P.Q.A", "q.P.Q A: c"),
        ("import q.P;", "P.f()", "q.P f: f"),
        ("import q.P;", "P.f", ""),
        ("import q.P;", "P.m", ""),
        ("import q.P;", "P.g()", ""),
        ("import static q.P.A;", "A", "q.P A:  a "),
        ("import static q.P.f;", "f()", "q.P f: f"),
        ("import static q.P.*;", "B", "q.P B: b"),
        ("", "P.A", "p.P A:  a "),
        ("", "q.P.A", "q.P A:  a "),
        ("", "other.A", ""),
        ("import q.X;", "X.A", ""),
    ] {
        let source = format!(
            "package p;\nimport com.google.adk.agents.LlmAgent;\n{import}\nclass V {{\n{}}}\n",
            agent(expression)
        );
        let expected: Vec<&str> = expected.split(" | ").filter(|it| !it.is_empty()).collect();
        assert_eq!(found_elsewhere(Language::Java, &source, other), expected, "{expression}");
    }
}

#[test]
fn a_constant_of_an_enum_has_the_text_of_its_field() {
    let fields = "private final int n; private final String text;";
    let constructor = "P(int number, String value) { this.n = number; this.text = value; }";
    let with = |methods: &str| {
        format!(
            "enum P {{ A(1, \"a\"), B(2, \"b {{c}}\".trim()), C; {fields} {constructor} {methods} }}"
        )
    };
    for (methods, expression, expected) in [
        ("", "P.A.text", &["A: a"][..]),
        ("String text() { return text; }", "P.B.text()", &["B: b {c}"]),
        ("public String getText() { return this.text; }", "P.B.getText()", &["B: b {c}"]),
        ("String text() { return text.trim(); }", "P.A.text()", &[]),
        ("String text() { return text; }", "P.C.text()", &[]),
        ("String text() { return text; }", "P.D.text()", &[]),
        ("String text() { return text; }", "P.A.other()", &[]),
        ("", "P.A.toString()", &[]),
        ("P(String text) { this.text = text; }", "P.A.text", &[]),
    ] {
        let enumeration = with(methods);
        let found = in_class(&format!("{enumeration}\n{}", agent(expression)));
        assert_eq!(found, expected, "{methods} {expression}");
        let source = format!(
            "package p;\nimport com.google.adk.agents.*;\nclass V {{\n{}}}\n",
            agent(expression)
        );
        let elsewhere =
            found_elsewhere(Language::Java, &source, &format!("package p;\n{enumeration}"));
        let texts: Vec<&str> =
            elsewhere.iter().filter_map(|it| it.split_once(' ')).map(|it| it.1).collect();
        assert_eq!(texts, expected, "{methods} {expression}");
    }
}

#[test]
fn texts_are_joined() {
    for (expression, expected) in [
        ("String.join(\"\\n\", \"a {b}\", \"c\")", &["n: a {b}\nc"][..]),
        ("String.join(\"\", List.of(\"a\", \"b\")).trim()", &["n: ab"]),
        ("String.join(\"-\", Arrays.asList(\"a\"))", &["n: a"]),
        ("String.join(\"-\", list)", &[]),
        ("String.join(x, \"a\", \"b\")", &[]),
        ("Other.join(\"-\", \"a\", \"b\")", &[]),
    ] {
        assert_eq!(in_class(&agent(expression)), expected, "{expression}");
    }
}

#[test]
fn arguments_of_a_method_that_creates_an_agent_are_prompts() {
    let make = "LlmAgent make(String name, String p) {\n  return LlmAgent.builder().name(name).instruction(p).build();\n}\n";
    for (call, expected) in [
        ("Object b = make(\"m\", \"x\");", &["m: x"][..]),
        ("Object b = this.make(x, \"x\");", &["b: x"]),
        ("Object b = V.make(x, \"x\");", &["b: x"]),
        ("Object b = other.make(x, \"x\");", &[]),
        ("Object b = make(\"m\");", &[]),
    ] {
        assert_eq!(in_class(&format!("{make}{call}")), expected, "{call}");
    }
    let changed = make.replace("return", "p = p.trim(); return");
    assert_eq!(in_class(&format!("{changed}Object b = make(\"m\", \"x\");")), [""; 0]);
}
