//! Texts between which a program chooses: each is a prompt.

use promptls_hosts::{HostPrompt, Language, find, find_with};

/// Code in a function that ends with an agent, whose instruction is `@`.
fn source(language: Language, body: &str) -> String {
    match language {
        Language::Python => {
            let body = body.replace('\n', "\n    ");
            format!(
                "from google.adk.agents import Agent\ndef make(c, d):\n    {body}\n",
            )
            .replace('@', "Agent(name='a', instruction=")
        }
        Language::TypeScript => format!(
            "import {{LlmAgent}} from '@google/adk';\nfunction make(c, d) {{\n{body}\n}}"
        )
        .replace("@(", "new LlmAgent({name: 'a', instruction: ")
        .replace(";)", "});"),
        Language::Go => format!(
            "package p\nimport \"google.golang.org/adk/agent/llmagent\"\nfunc make(c bool) {{\n{body}\n}}"
        )
        .replace("@(", "llmagent.New(llmagent.Config{Name: \"a\", Instruction: ")
        .replace(";)", "})"),
        Language::Java => format!(
            "import com.google.adk.agents.LlmAgent;\nclass A {{\nObject make(int c) {{\n{body}\n}}\n}}"
        )
        .replace("@(", "return LlmAgent.builder().name(\"a\").instruction(")
        .replace(";)", ").build();"),
        _ => format!(
            "import com.google.adk.kt.agents.Instruction\nimport com.google.adk.kt.agents.LlmAgent\nfun make(c: Boolean): LlmAgent {{\n{body}\n}}"
        )
        .replace("@(", "return LlmAgent(name = \"a\", instruction = Instruction(")
        .replace(";)", "))"),
    }
}

/// Texts with a bar between them; with `?` behind if something is not read.
fn texts(language: Language, source: &str) -> String {
    let finds = find_with(language, source, &[], &[]);
    let text = |prompt: &HostPrompt| prompt.text.text().replace('\u{FFFC}', "_");
    let mut texts: Vec<String> = finds.prompts.iter().map(text).collect();
    texts.extend(finds.computed.iter().map(|_| "?".to_owned()));
    texts.join(" | ")
}

#[test]
fn a_condition_chooses_the_value_of_a_name() {
    use Language::{Go, Java, Kotlin, Python, TypeScript};

    for (language, body, expected) in [
        (Python, "if c:\n    t = 'a'\nelse:\n    t = 'b'\n@t)", "a | b"),
        (Python, "t = 'a'\nif c:\n    t = 'b'\n@t)", "a | b"),
        (Python, "t = 'a'\nif c: t = 'b'\n@t)", "a | b"),
        (Python, "if c:\n    t = 'a'\nelif d:\n    t = 'b'\nelse:\n    t = 'c'\n@t)", "a | b | c"),
        (Python, "t = ''\nif c:\n    t = 'a'\nelse:\n    t = 'b'\n@t)", "a | b"),
        (
            Python,
            "t = 'x'\nif c:\n    t = 'a'\nif d:\n    pass\nelse:\n    t = 'b'\n@t)",
            "x | a | b",
        ),
        (
            Python,
            "if c:\n    if d:\n        t = 'a'\n    else:\n        t = 'b'\nelse:\n    t = 'c'\n@t)",
            "a | b | c",
        ),
        (
            Python,
            "match c:\n    case 1:\n        t = 'a'\n    case _:\n        t = 'b'\n@t)",
            "a | b",
        ),
        (Python, "try:\n    t = load()\nexcept OSError:\n    t = 'b'\n@t)", "b | ?"),
        (
            Python,
            "t = 'x'\nif c:\n    pass\nelif d:\n    t = 'a'\nelse:\n    t = 'b'\n@t)",
            "x | a | b",
        ),
        (
            Python,
            "t = 'x'\nif c:\n    pass\nelse:\n    if d:\n        t = 'a'\n    else:\n        t = 'b'\n@t)",
            "x | a | b",
        ),
        (Python, "with c:\n    t = 'a'\nif d:\n    t = 'b'\n@t)", "a | b"),
        (Python, "if c:\n    t = 'a'\n    @t)\nelse:\n    t = 'b'\n    @t)", "a | b"),
        (Python, "t = 'a'\nif c:\n    t = 'b'\n    @t)", "b"),
        (Python, "t = 'a'\nfor i in c:\n    @t)\n    t = 'b'", "a | b"),
        (Python, "t = 'a'\n@t)\nif c:\n    t = 'b'", "a"),
        (Python, "if d is None:\n    d = 'a'\n@d)", "a | ?"),
        (Python, "if c:\n    t = 'a'\nelse:\n    t = 'b'\n@'1 ' + t)", "1 b | 1 a"),
        (Python, "if c:\n    t = 'a'\nelse:\n    t = 'b'\n@f'1 {t}')", "1 b | 1 a"),
        // Values that follow one after another.
        (Python, "t = 'a'\nt = 'b'\n@t)", "?"),
        (Python, "t = 'a'\nif c:\n    t += 'b'\n@t)", "?"),
        (Python, "if c:\n    t = 'a'\nt = 'b'\n@t)", "?"),
        (Python, "d = 'a'\n@d)", "?"),
        (TypeScript, "let t;\nif (c) {\n  t = 'a';\n} else {\n  t = 'b';\n}\n@(t;)", "a | b"),
        (
            TypeScript,
            "let t: string;\nif (c) t = 'a'; else if (d) t = 'b'; else t = 'c';\n@(t;)",
            "a | b | c",
        ),
        (TypeScript, "let t = 'a'\nif (c) t = 'b'\n@(t;)", "a | b"),
        (
            TypeScript,
            "let t = 'a'\nswitch (c) {\n  case 1: t = 'b'; break\n  default: t = 'c'\n}\n@(t;)",
            "a | b | c",
        ),
        (TypeScript, "let t\ntry {\n  t = load()\n} catch {\n  t = 'b'\n}\n@(t;)", "b | ?"),
        (TypeScript, "let t = 'a'\n@(t;)", "?"),
        (TypeScript, "let t = 'a'\nt ||= 'b'\n@(t;)", "?"),
        (Go, "t := \"a\"\nif c {\n  t = \"b\"\n}\n@(t;)", "a | b"),
        (Go, "var t string\nif c {\n  t = \"a\"\n} else {\n  t = \"b\"\n}\n@(t;)", "a | b"),
        (
            Go,
            "var t string\nswitch c {\ncase 1:\n  t = \"a\"\ndefault:\n  t = \"b\"\n}\n@(t;)",
            "a | b",
        ),
        (Go, "t := \"a\"\nif c {\n  t := \"b\"\n  use(t)\n}\n@(t;)", "a"),
        (Java, "String t;\nif (c > 1) { t = \"a\"; } else { t = \"b\"; }\n@(t;)", "a | b"),
        (Java, "String t = \"a\";\nif (c > 1) t = \"b\";\n@(t;)", "a | b"),
        (
            Java,
            "String t;\nswitch (c) {\n  case 1: t = \"a\"; break;\n  default: t = \"b\";\n}\n@(t;)",
            "a | b",
        ),
        (Kotlin, "val t: String\nif (c) { t = \"a\" } else { t = \"b\" }\n@(t;)", "a | b"),
        (Kotlin, "var t = \"a\"\nif (c) t = \"b\"\n@(t;)", "a | b"),
        (Kotlin, "val t: String\nif (c)\n  t = \"a\"\nelse\n  t = \"b\"\n@(t;)", "a | b"),
        (Kotlin, "var t = \"a\"\nt += \"b\"\n@(t;)", "?"),
    ] {
        let source = source(language, body);
        assert_eq!(texts(language, &source), expected, "{source}");
    }
}

#[test]
fn each_value_of_an_expression_is_a_prompt() {
    use Language::{Go, Java, Kotlin, Python, TypeScript};

    for (language, body, expected) in [
        (Python, "@'1 ' + ('a' if c else 'b') + ' 2')", "1 a 2 | 1 b 2"),
        (Python, "@f'1 {\"a\" if c else \"b\"}')", "1 a | 1 b"),
        (Python, "@'\\n'.join(['1', 'a' if c else 'b']))", "1\na | 1\nb"),
        (Python, "@('a' if c else 'b') + ('x' if d else 'y'))", "ax | bx | ay"),
        (Python, "@'1 ' + (c or 'a'))", "1 _ | 1 a"),
        (Python, "@(lambda: 'a' if c else 'b'))", "?"),
        (Python, "@(c or 'a', 'b'))", "?"),
        (Python, "@c.get('k', 'a'))", "a | ?"),
        (Python, "D = json.load(open('d.json'))\n@D.get('k', 'a'))", "a"),
        (Python, "@os.environ.get('K', 'a'))", "a | ?"),
        (Python, "@os.getenv('K', 'a').strip())", "a | ?"),
        (Python, "@getattr(c, 'k', 'a'))", "a | ?"),
        (Python, "@{'k': 'v'}.get(c, 'a'))", "?"),
        (TypeScript, "@('1 ' + (c ? 'a' : 'b');)", "1 a | 1 b"),
        (TypeScript, "@(`1 ${c ? 'a' : 'b'}`;)", "1 a | 1 b"),
        (TypeScript, "@(`1 ${c ?? 'a'}`;)", "1 _ | 1 a"),
        (TypeScript, "@({k: c ? 'a' : 'b'};)", "?"),
        (Go, "@(cmp.Or(os.Getenv(\"K\"), \"a\");)", "a | ?"),
        (Java, "@(\"1 \" + (c > 1 ? \"a\" : \"b\");)", "1 a | 1 b"),
        (
            Java,
            "@(switch (c) { case 1 -> \"a\"; case 2 -> { yield \"b\"; } default -> \"d\"; };)",
            "a | d | ?",
        ),
        (Java, "@(System.getenv().getOrDefault(\"K\", \"a\");)", "a | ?"),
        (Java, "@(System.getProperty(\"K\", \"a\");)", "a"),
        (Java, "@(find(c).orElse(\"a\");)", "a | ?"),
        (Kotlin, "@(\"1 \" + (if (c) \"a\" else \"b\");)", "1 a | 1 b"),
        (Kotlin, "@(\"1 ${if (c) \"a\" else \"b\"}\";)", "1 a | 1 b"),
        (Kotlin, "@(when (c) { true -> \"a\"\n  else -> { \"b\" } };)", "a | b"),
        (Kotlin, "@(when { c -> \"a\"; else -> \"b\" };)", "a | b"),
        (Kotlin, "@(c.name ?: \"a\";)", "a | ?"),
    ] {
        let source = source(language, body);
        assert_eq!(texts(language, &source), expected, "{source}");
    }
}

/// Each literal belongs to one prompt; others only include it.
#[test]
fn variants_share_literals() {
    let source = source(Language::Python, "@'{x} ' + ('{a}' if c else '{b}'))");
    let [one, two] = &find(Language::Python, &source)[..] else { panic!("not two") };
    assert_eq!((one.text.text(), two.text.text()), ("{x} {a}", "{x} {b}"));
    let written = |range: &std::ops::Range<usize>| source[range.clone()].to_owned();
    assert_eq!(one.literals.iter().map(written).collect::<Vec<_>>(), ["'{x} '", "'{a}'"]);
    assert_eq!(two.literals.iter().map(written).collect::<Vec<_>>(), ["'{b}'"]);
    let included = two.included.iter().map(|it| (written(&it.literal), it.is_shown));
    assert_eq!(included.collect::<Vec<_>>(), [("'{x} '".to_owned(), false)]);
    assert_eq!((one.name.as_str(), two.name.as_str()), ("a", "a-2"));
}

/// An import that may fail, with another one or a constant in its place.
#[test]
fn imports_with_a_fallback_are_followed() {
    let agent = "from google.adk.agents import Agent\nAgent(name='a', instruction=P)\n";
    for (imports, prompts, others) in [
        ("try:\n    from .own import P\nexcept ImportError:\n    P = 'a'\n", 1, 1),
        ("try:\n    from .own import P\nexcept ImportError:\n    from own import P\n", 0, 1),
        ("from .own import P\nfrom .other import P\n", 0, 0),
    ] {
        let finds = find_with(Language::Python, &format!("{imports}{agent}"), &[], &[]);
        let others_found = finds.elsewhere.iter().filter(|it| it.demand.text().is_some());
        assert_eq!((finds.prompts.len(), others_found.count()), (prompts, others), "{imports}");
    }
}

/// Of too many values, none is a prompt.
#[test]
fn values_are_limited() {
    for (count, expected) in [(20, 20), (21, 0), (1000, 0)] {
        let arms: String = (0..count - 1).map(|index| format!("'t{index}' if c else ")).collect();
        let source = source(Language::Python, &format!("@{arms}'z')"));
        assert_eq!(find(Language::Python, &source).len(), expected, "{count}");
    }
}

/// The parts of a text that vary too much are unknown, and the rest is checked.
#[test]
fn too_many_varying_parts_are_unknown() {
    for (count, expected) in [(1, 2), (19, 20), (20, 1), (1000, 1)] {
        let parts = "{'x' if c else 'y'} {{z}} ".repeat(count);
        let source = source(Language::Python, &format!("@f\"{parts}\")"));
        let found = find(Language::Python, &source);
        let texts: Vec<&str> = found.iter().map(|prompt| prompt.text.text()).collect();
        assert_eq!(texts.len(), expected, "{count}");
        assert!(texts.iter().all(|text| text.matches("{z}").count() == count), "{count}");
    }
}

/// Deep blocks are no reason to fail.
#[test]
fn a_name_in_too_many_blocks_is_unknown() {
    for (depth, expected) in [(50, "a | b"), (200, "?"), (1_500, "?")] {
        let mut source = "from google.adk.agents import Agent\nt = 'a'\n".to_owned();
        for level in 0..depth {
            source += &format!("{}if c:\n", " ".repeat(level));
        }
        source += &format!("{}t = 'b'\nAgent(name='n', instruction=t)\n", " ".repeat(depth));
        assert_eq!(texts(Language::Python, &source), expected, "{depth}");
    }
}
