//! Constants that a text includes by their names.

use promptls_hosts::{Demand, Finds, HostPrompt, Language, edit, find, find_with, typed};

/// The text before an expression in a file of a language, and the text after it.
fn around(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::Python => {
            ("from google.adk.agents import Agent\n", "Agent(name='a', instruction=@)")
        }
        Language::TypeScript => (
            "import {LlmAgent} from '@google/adk';\n",
            "new LlmAgent({name: 'a', instruction: @});",
        ),
        Language::Go => (
            "package p\nimport \"google.golang.org/adk/agent/llmagent\"\n",
            "var A, _ = llmagent.New(llmagent.Config{Name: \"a\", Instruction: @})",
        ),
        Language::Java => (
            "import com.google.adk.agents.LlmAgent;\nclass A {\n",
            "LlmAgent a = LlmAgent.builder().name(\"a\").instruction(@).build();\n}",
        ),
        _ => (
            "import com.google.adk.kt.agents.Instruction\nimport com.google.adk.kt.agents.LlmAgent\n",
            "val a = LlmAgent(name = \"a\", instruction = Instruction(@))",
        ),
    }
}

fn source(language: Language, declared: &str, expression: &str) -> String {
    let (before, after) = around(language);
    format!("{before}{declared}\n{}\n", after.replace('@', expression))
}

fn texts(prompts: &[HostPrompt]) -> Vec<&str> {
    prompts.iter().map(|prompt| prompt.text.text()).collect()
}

#[test]
fn the_text_of_a_constant_is_part_of_the_prompt() {
    use Language::{Go, Java, Kotlin, Python, TypeScript};

    for (language, declared, expression, expected) in [
        (Python, "B = 'Hi {a}'", "B + ', {b}'", "Hi {a}, {b}"),
        (Python, "B = 'Hi {a}'", "'{b}, ' + B", "{b}, Hi {a}"),
        (Python, "B = 'Hi {a}'\nC = B + '!'", "C + B", "Hi {a}!Hi {a}"),
        (Python, "B = 'Hi {a}'\nC = B + B", "C", "Hi {a}Hi {a}"),
        (Python, "B = ' Hi {a} '", "f'{B.strip()}'", "Hi {a}"),
        (
            Python,
            "B = ' {a} '",
            "f'{B.strip()!r} {B:>9} {B=} {{b}}'",
            "\u{FFFC} \u{FFFC} \u{FFFC} {b}",
        ),
        (Python, "B = 'Hi {a}'\nC = 'b'", "f\"1. {'; '.join([B, C])}.\"", "1. Hi {a}; b."),
        (Python, "B = {'k': 'Hi {a}'}", "f'{B[\"k\"]} {B['k']}'", "Hi {a} Hi {a}"),
        (Python, "def b(x):\n    return f'Hi {x} {{a}}'", "f'1. {b(\"Bo\")}'", "1. Hi Bo {a}"),
        (Python, "def b(x):\n    return f'Hi {x} {{a}}'", "b('{b}')", "Hi {b} {a}"),
        (Python, "def b(*, x='{b}'):\n    return x + '{a}'", "b(x='{c}') + b()", "{c}{a}{b}{a}"),
        (Python, "def b(x):\n    return f'Hi {x} {{a}}'", "b(c())", "Hi \u{FFFC} {a}"),
        (Python, "def b(x):\n    return f'Hi {x} {{a}}'", "b(*c)", "Hi \u{FFFC} {a}"),
        (Python, "B = 'Hi {a}'", "f'{B!s}'", "Hi {a}"),
        (Python, "B = 'Hi {a}'", "f'{B + '.'} {B + c}'", "Hi {a}. Hi {a}\u{FFFC}"),
        (Python, "B = ' Hi {a} '", "B.strip() + '.'", "Hi {a}."),
        (Python, "B = 'Hi {a}'", "f'{B}, {{b}} {c}'", "Hi {a}, {b} \u{FFFC}"),
        (Python, "B = f'{x}{{a}}'", "f'{ B }'", "\u{FFFC}{a}"),
        (Python, "def b():\n    return 'Hi {a}'", "b() + '.'", "Hi {a}."),
        (Python, "B = 'Hi {a}'", "B + c", "Hi {a}\u{FFFC}"),
        (Python, "B = 'Hi {a}'", "B + c.d(1)[2] + '.'", "Hi {a}\u{FFFC}."),
        (Python, "B = c()", "B + '{b}'", "\u{FFFC}{b}"),
        (Python, "B = 'Hi %s: {a} 100%%'", "B % c + '.'", "Hi \u{FFFC}: {a} 100%."),
        (Python, "B = 'Hi %(who)s {a}'", "B % {'who': c}", "Hi \u{FFFC} {a}"),
        (
            Python,
            "import inspect\nB = '''Hi {a}\n\n      b\n    c\n\n  '''",
            "inspect.cleandoc(B)",
            "Hi {a}\n\n  b\nc",
        ),
        (TypeScript, "const B = 'Hi {a}';", "B + ', {b}'", "Hi {a}, {b}"),
        (TypeScript, "const B = 'Hi {a}';", "`{b} ${B} ${c}`", "{b} Hi {a} \u{FFFC}"),
        (TypeScript, "const B = `Hi {a}`;", "`${B.trim()}{b}`", "Hi {a}{b}"),
        (
            TypeScript,
            "const B = ['Hi {a}', 'b'];",
            "`${B.join('; ')} ${'c'}`",
            "Hi {a}; b \u{FFFC}",
        ),
        (TypeScript, "const b = (x) => `Hi ${x} {a}`;", "`1. ${b('Bo')}`", "1. Hi Bo {a}"),
        (TypeScript, "const B = ['Hi {a}', 'b'] as const;", "B.join('; ')", "Hi {a}; b"),
        (TypeScript, "const B = ['Hi {a}'];\nB.push('b');", "`${B.join('; ')}{b}`", "\u{FFFC}{b}"),
        (Python, "B = 'b'\nC = ['Hi {a}', B]", "'; '.join(C)", "Hi {a}; b"),
        (Python, "C = ('Hi {a}', 'b')\nD = '; '.join(C)", "D + '.'", "Hi {a}; b."),
        (Python, "C = ['Hi {a}']\nC.append('b')", "'{b} ' + '; '.join(C)", "{b} \u{FFFC}"),
        (Python, "C = ['Hi {a}']\nC += 'b'", "'{b} ' + '; '.join(C)", "{b} \u{FFFC}"),
        (Python, "C = []\ndef f():\n    C.extend('b')", "'{b} ' + '; '.join(C)", "{b} \u{FFFC}"),
        (
            Go,
            "import \"strings\"\nvar B = []string{\"Hi {a}\", \"b\"}",
            "strings.Join(B, \"; \")",
            "Hi {a}; b",
        ),
        (
            Java,
            "static final List<String> B = List.of(\"Hi {a}\", \"b\");",
            "String.join(\"; \", B)",
            "Hi {a}; b",
        ),
        (Kotlin, "val B = listOf(\"Hi {a}\", \"b\")", "B.joinToString(\"; \")", "Hi {a}; b"),
        (Go, "const B = \"Hi {a}\"", "B + \", {b}\"", "Hi {a}, {b}"),
        (Java, "static final String B = \"Hi {a}\";", "B + \", {b}\"", "Hi {a}, {b}"),
        (Java, "static final String B = \"Hi {a}\";", "A.B + \", {b}\"", "Hi {a}, {b}"),
        (Kotlin, "const val B = \"Hi {a}\"", "B + \", {b}\"", "Hi {a}, {b}"),
        (Kotlin, "const val B = \"Hi {a}\"", "\"$B, ${B} {b}\"", "Hi {a}, Hi {a} {b}"),
        (Kotlin, "const val B = \" Hi {a}\"", "\"${B.trim()} {b}\"", "Hi {a} {b}"),
        (Kotlin, "fun b(x: String) = \"Hi $x {a}\"", "\"1. ${b(\"Bo\")}\"", "1. Hi Bo {a}"),
        (Kotlin, "const val B = \"Hi %s {a}\"", "B.format(c)", "Hi \u{FFFC} {a}"),
    ] {
        check(language, declared, expression, expected);
    }
}

#[test]
fn the_items_of_a_joined_list_are_part_of_the_prompt() {
    use Language::{Kotlin, Python, TypeScript};

    for (language, declared, expression, expected) in [
        (Python, "class C:\n    B = ['{a}', '{b}']", "'; '.join(C.B)", "{a}; {b}"),
        (Python, "def b():\n    return ['{a}', '{b}']", "'1. ' + '; '.join(b())", "1. {a}; {b}"),
        (Python, "def b(x):\n    return '; '.join(x)", "b(['{a}', '{b}'])", "{a}; {b}"),
        (Python, "B = ['{a}', '{b}']", "'; '.join(['1.', *B])", "1.; {a}; {b}"),
        (TypeScript, "const b = {c: ['{a}', '{b}']};", "b.c.join('; ')", "{a}; {b}"),
        (TypeScript, "", "['{a}', '{b}'].map(b => `- ${b}`).join(' ')", "- {a} - {b}"),
        (
            TypeScript,
            "const B = ['{a}'];",
            "B.map((b, i) => b + i + '{c}').join()",
            "{a}\u{FFFC}{c}",
        ),
        (Python, "B = ['{a}', '{b}']", "'; '.join(f'{{c}} {b}' for b in B)", "{c} {a}; {c} {b}"),
        (
            Python,
            "def b(x, *c):\n    return '; '.join([f'{x} {y}' for y in ['{a}', c[0]]])",
            "b('{b}')",
            "{b} {a}; {b} \u{FFFC}",
        ),
        (Kotlin, "object C { val B = listOf(\"{a}\", \"{b}\") }", "C.B.joinToString()", "{a}, {b}"),
    ] {
        check(language, declared, expression, expected);
    }
}

#[test]
fn constant_arguments_of_formats_are_inserted() {
    use Language::{Go, Java, Kotlin, Python};

    for (language, declared, expression, expected) in [
        (Python, "B = '{b}'", "'1 {k} {{a}}'.format(k=B)", "1 {b} {a}"),
        (
            Python,
            "B = '{b}'",
            "'{} {1} {} {0!r} {k.x}'.format(B, 'c', k='d')",
            "{b} c c \u{FFFC} \u{FFFC}",
        ),
        (Python, "B = '{b}'", "'{0} {}'.format(B, *c)", "{b} {b}"),
        (Python, "B = '{b}'", "'1 %s %s {a}' % (B, c)", "1 {b} \u{FFFC} {a}"),
        (Python, "B = '{b}'", "'1 %s {a}' % B", "1 {b} {a}"),
        (Python, "B = '{b}'", "'%*d %s' % (1, 2, B)", "\u{FFFC} \u{FFFC}"),
        (Python, "B = 'K {a} K'", "B.replace('K', 'k', 1)", "k {a} K"),
        (
            Java,
            "static final String B = \"{b}\";",
            "String.format(\"1 %s %d\", B, 2)",
            "1 {b} \u{FFFC}",
        ),
        (Java, "static final String B = \"{b}\";", "\"1 %s %s\".formatted(c, B)", "1 \u{FFFC} {b}"),
        (
            Java,
            "static final String B = \"{b}\";",
            "\"%2$s %s\".formatted(c, B)",
            "\u{FFFC} \u{FFFC}",
        ),
        (Kotlin, "const val B = \"{b}\"", "\"1 %s\".format(B)", "1 {b}"),
        (
            Go,
            "import \"fmt\"\nconst B = \"{b}\"",
            "fmt.Sprintf(\"1 %s %v %d %% {a}\", B, B, 3)",
            "1 {b} {b} \u{FFFC} % {a}",
        ),
        (
            Go,
            "import \"fmt\"\nconst B = \"1 %[1]s %s\"",
            "fmt.Sprintf(B, \"c\")",
            "1 \u{FFFC} \u{FFFC}",
        ),
        (
            Go,
            "import \"strings\"\nconst B = \"K {a} K\"",
            "strings.ReplaceAll(B, \"K\", \"k\")",
            "k {a} k",
        ),
        (
            Go,
            "import \"strings\"\nconst B = \"K {a} K\"",
            "strings.Replace(B, \"K\", \"k\", 1)",
            "k {a} K",
        ),
        (
            Go,
            "import \"strings\"\nconst B = \"K {a} K\"",
            "strings.Replace(B, \"K\", \"k\", -1)",
            "k {a} k",
        ),
    ] {
        check(language, declared, expression, expected);
    }
}

#[track_caller]
fn check(language: Language, declared: &str, expression: &str, expected: &str) {
    let source = source(language, declared, expression);
    let found = find(language, &source);
    // A text of holes alone is unknown.
    let expected = Some(expected).filter(|text| *text != "\u{FFFC}");
    assert_eq!(texts(&found), Vec::from_iter(expected), "{source}");
    for piece in found.iter().flat_map(|prompt| prompt.text.pieces()) {
        assert!(piece.source.end <= source.len(), "{source}");
    }
}

/// A constant of another file is a hole, and a prompt of its own there if it has a placeholder.
#[test]
fn a_constant_of_another_file_is_a_prompt_of_that_file() {
    let source = source(Language::Python, "from texts import B", "B + '{b}'");
    let Finds { prompts, elsewhere, .. } = find_with(Language::Python, &source, &[], &[]);
    assert_eq!(texts(&prompts), ["\u{FFFC}{b}"]);
    let demands: Vec<Demand> = elsewhere.into_iter().map(|it| it.demand).collect();
    for (other, expected) in [
        ("B = 'Hi {a}'\n", vec!["Hi {a}"]),
        ("B = 'Hi'\n", vec![]),
        ("C = 'Hi {a}'\nB = C + '.'\n", vec!["Hi {a}."]),
    ] {
        let found = find_with(Language::Python, other, &[], &demands).prompts;
        assert_eq!(texts(&found), expected, "{other}");
    }
}

/// Placeholders in the values are where these are written.
#[test]
fn each_text_that_a_template_becomes_is_a_prompt() {
    let twice =
        |first: &str, second: &str| format!("{first}\nAgent(name='b', instruction={second})");
    for (declared, first, second, expected) in [
        (
            "T = 'A {x} {{c}}'",
            "T.format(x='{a}')",
            "T.format(x='{b}')",
            &["A {a} {c}", "A {b} {c}"][..],
        ),
        ("T = 'A %s'\nB = '{b}'", "T % '{a}'", "T % B", &["A {a}", "A {b}"]),
        ("T = 'A {x}'", "T.format(x='1')", "T.format(x='1')", &["A 1"]),
        ("T = 'A {x}'", "T.format(x=1)", "T", &["A {x}"]),
        ("T = ' A {x}'", "T", "T.strip()", &[" A {x}", "A {x}"]),
        ("def t(x):\n    return f'A {x}'", "t('{a}')", "t('{b}')", &["A {a}", "A {b}"]),
    ] {
        let all = source(Language::Python, declared, first);
        let all = twice(&all, second);
        let found = find(Language::Python, &all);
        assert_eq!(texts(&found), expected, "{all}");
        for (prompt, value) in found.iter().zip(["{a}", "{b}"]) {
            let written = prompt.text.text().find(value).filter(|_| !declared.starts_with("def"));
            let place = written.map(|at| prompt.text.source(at..at + value.len()));
            assert!(place.is_none_or(|place| &all[place] == value), "{all}");
        }
    }
}

#[test]
fn a_constant_is_shown_as_a_part_of_one_prompt() {
    let two = "Agent(instruction=B + '1')\nAgent(instruction=B + '2')\n";
    for (more, expected) in [
        ("", vec![(true, "B"), (false, "B")]),
        ("Agent(instruction=B)\n", vec![(false, "B"), (false, "B")]),
    ] {
        let source = format!("from google.adk.agents import Agent\nB = '{{a}}'\n{two}{more}");
        let found = find(Language::Python, &source);
        let included = found.iter().flat_map(|prompt| &prompt.included);
        let included = included.map(|it| (it.is_shown, &source[it.literal.clone()]));
        let expected: Vec<(bool, &str)> = expected.into_iter().map(|it| (it.0, "'{a}'")).collect();
        assert_eq!(included.collect::<Vec<_>>(), expected, "{source}");
    }
}

#[test]
fn an_edit_is_made_in_the_literal_that_contains_the_text() {
    let declared = "B = 'Hi {a}'";
    let all = source(Language::Python, declared, "B + '{b}'");
    let prompts = find(Language::Python, &all);
    let edited = |range, new| {
        let rescan = |text: &str| find(Language::Python, text);
        let edits = edit(Language::Python, &all, &prompts[0], range, new, rescan);
        let edits = edits.map_err(|error| error.to_string())?;
        Ok::<_, String>(promptls_data::replaced(&all, &edits).expect("edits in order"))
    };
    assert_eq!(edited(4..5, "x"), Ok(all.replace("{a}", "{x}")));
    assert_eq!(edited(7..8, "x"), Ok(all.replace("{b}", "{x}")));
    assert!(edited(5..7, "").is_err());
}

/// Typing in a constant changes the texts that include it, so the file is read again.
#[test]
fn an_edit_of_a_constant_needs_a_new_scan() {
    let before = source(Language::Python, "B = 'Hello {a}'", "B + 'well {b}'");
    let prompts = find(Language::Python, &before);
    for now in [before.replace("Hello", "Helxlo"), before.replace("well", "wexll")] {
        assert_eq!(typed(&prompts, &[], &[], &before, &now), None);
    }
    let now = before.replace("name='a'", "name='ab'");
    assert_eq!(typed(&prompts, &[], &[], &before, &now), None);
}

/// Each constant twice in the next one: the text would double with each, so it ends somewhere.
#[test]
fn exponentially_growing_constants_are_limited() {
    let doubled = (1..60).map(|n| format!("A{n} = A{} + A{}\n", n - 1, n - 1));
    let declared = format!("A0 = '{{a}}'\n{}", doubled.collect::<String>());
    for name in ["A3", "A4", "A59"] {
        let found = find(Language::Python, &source(Language::Python, &declared, name));
        assert!(found.len() <= 1, "{name}");
    }
}
