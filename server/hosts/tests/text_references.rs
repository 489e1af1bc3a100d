//! Places in code that stand for texts which are written elsewhere.

use promptls_hosts::{Language, TextReference, TextTarget, find_with};

/// The code around an expression that is a prompt, in a language.
fn around(language: Language) -> &'static str {
    match language {
        Language::Python => {
            "from google.adk.agents import Agent\nfrom texts import T\nDECLARED\nAgent(name='a', instruction=TEXT)"
        }
        Language::TypeScript => {
            "import {LlmAgent} from '@google/adk';\nimport {T} from './texts';\nDECLARED\n\
             new LlmAgent({name: 'a', instruction: TEXT});"
        }
        Language::Go => {
            "package p\nimport \"google.golang.org/adk/agent/llmagent\"\nDECLARED\n\
             var A, _ = llmagent.New(llmagent.Config{Name: \"a\", Instruction: TEXT})"
        }
        Language::Java => {
            "import com.google.adk.agents.LlmAgent;\nclass A {\nDECLARED\n\
             LlmAgent a = LlmAgent.builder().name(\"a\").instruction(TEXT).build();\n}"
        }
        _ => {
            "import com.google.adk.kt.agents.Instruction\nimport com.google.adk.kt.agents.LlmAgent\n\
             DECLARED\nval a = LlmAgent(name = \"a\", instruction = Instruction(TEXT))"
        }
    }
}

/// The places of an expression that is a prompt, each as `place → target`.
#[track_caller]
fn check(language: Language, declared: &str, expression: &str, expected: &[&str]) {
    let source = around(language).replace("DECLARED", declared).replace("TEXT", expression);
    let found = find_with(language, &source, &[], &[]).text_references;
    let shown = |reference: &TextReference| {
        let target = match &reference.target {
            TextTarget::Here(range) => source[range.clone()].to_owned(),
            TextTarget::Elsewhere(_) => "another file".to_owned(),
            TextTarget::File(path) => format!("file {}", path.end),
        };
        format!("{} → {target}", &source[reference.place.clone()])
    };
    let found: Vec<String> = found.iter().map(shown).collect();
    assert_eq!(found, expected, "{source}");
}

#[test]
fn names_of_parts_lead_to_their_literals() {
    use Language::{Go, Java, Kotlin, Python, TypeScript};

    check(Python, "B = 'b'", "f'{B} {{a}}'", &["{B} → 'b'"]);
    check(Python, "B = 'b'", "B + '{a}'", &["B → 'b'"]);
    check(Python, "B = ('b'\n 'c')", "'{a}' + B.strip()", &["B → 'b'\n 'c'"]);
    check(Python, "B = 'b'\nC = B + 'c'", "f'{C}{{a}}'", &["B → 'b'", "{C} → 'c'"]);
    check(Python, "B = {'k': 'b'}", "B['k'] + '{a}'", &["B['k'] → 'b'"]);
    check(Python, "B = 'b'", "'{r} {{a}}'.format(r=B)", &["B → 'b'"]);
    check(Python, "B = 'b'", "'R {a}'.replace('R', B)", &["B → 'b'"]);
    check(Python, "B = 'b'", "'%s {a}' % B", &["B → 'b'"]);
    check(Python, "B = 'b'", "'; '.join(['{a}', B])", &["B → 'b'"]);
    check(Python, "if x:\n    B = 'b'\nelse:\n    B = 'c'", "B + '{a}'", &["B → 'b'", "B → 'c'"]);
    check(Python, "", "f'{T} {{a}}'", &["{T} → another file"]);
    check(Python, "", "T + '{a}'", &["T → another file"]);
    check(
        Python,
        "B = 'b'\ndef f(x):\n    return f'{x} {{a}}'",
        "f(B) + '.'",
        &["{x} → 'b'", "f → f'{x} {{a}}'", "B → 'b'"],
    );
    check(TypeScript, "const B = 'b';", "`${B} {a}`", &["${B} → 'b'"]);
    check(TypeScript, "const B = 'b';", "B + '{a}'", &["B → 'b'"]);
    check(TypeScript, "const B = {k: 'b'};", "`${B.k} {a}`", &["${B.k} → 'b'"]);
    check(TypeScript, "", "`${T} {a}`", &["${T} → another file"]);
    check(Kotlin, "const val B = \"b\"", "\"$B ${B} {a}\"", &["$B → \"b\"", "${B} → \"b\""]);
    check(Kotlin, "const val B = \"b\"", "B + \"{a}\"", &["B → \"b\""]);
    check(Java, "static final String B = \"b\";", "B + \"{a}\"", &["B → \"b\""]);
    check(Java, "static final String B = \"b\";", "String.format(\"%s {a}\", B)", &["B → \"b\""]);
    check(Go, "const B = \"b\"", "B + \"{a}\"", &["B → \"b\""]);
}

#[test]
fn names_outside_of_prompts_lead_nowhere() {
    use Language::Python;

    check(Python, "B = 'b'", "'{a}', description=f'{B}'", &[]);
    check(Python, "B = 'b'", "B", &[]);
    check(Python, "def f():\n    return 1", "f'{f()} {{a}}'", &[]);
}

#[test]
fn literal_paths_lead_to_the_files_that_are_read() {
    use Language::{Go, Java, Kotlin, Python, TypeScript};

    check(Python, "", "Path('x.md').read_text()", &["x.md → file x.md"]);
    check(Python, "", "open('p/x.md').read()", &["p/x.md → file p/x.md"]);
    check(
        Python,
        "",
        "(Path(__file__).parent / 'p' / 'x.md').read_text()",
        &["x.md → file p/x.md"],
    );
    check(
        Python,
        "def load(name):\n    return Path('p', f'{name}.md').read_text()",
        "load('x')",
        &["x → file p/x.md"],
    );
    check(Python, "N = 'x.md'", "Path(N).read_text()", &["x.md → file x.md"]);
    check(Python, "", "T('x.md')", &["x.md → file x.md"]);
    check(
        Python,
        "import yaml\nC = yaml.safe_load(open('x.yaml'))",
        "C['a']",
        &["x.yaml → file x.yaml"],
    );
    check(TypeScript, "", "readFileSync('x.md', 'utf8')", &["x.md → file x.md"]);
    check(Java, "", "Files.readString(Path.of(\"x.md\"))", &["x.md → file x.md"]);
    check(Kotlin, "", "File(\"x.md\").readText()", &["x.md → file x.md"]);
    check(Go, "//go:embed x.md\nvar B string", "B", &["x.md → file x.md"]);
    check(
        Go,
        "import \"os\"\nfunc f() string {\n b, _ := os.ReadFile(\"x.md\")\n return string(b)\n}",
        "f()",
        &["x.md → file x.md"],
    );
}
