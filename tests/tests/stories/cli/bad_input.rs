//! Malformed and generated code: only strings that are never closed are errors, and nothing stops.

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};

const ADK: &str = "from google.adk.agents import LlmAgent\n";
const AGENT: &str = "a = LlmAgent(name='a', instruction='Go to {city}')\n";
const TABS: &str = "import com.google.adk.agents.LlmAgent;\nclass T {\n\tObject a = \
    LlmAgent.builder().instruction(\"\"\"\n\t\t\tGo to\n\t\t\t\t{city}\n\t\t\t\"\"\").build();\n}\n";

/// An application of such code, which sets none of the names that its prompts read.
fn bad_code() -> Workspace {
    let nested = format!("{}'Go to {{city}}'{}", "(".repeat(10_000), ")".repeat(10_000));
    let minified = format!(
        "import{{LlmAgent as L}}from'@google/adk';{};var a=new L({{instruction:'Go to {{city}}'}})",
        "var x=function(a,b){return a/b/`${a}`.length}".repeat(10_000)
    );
    let generated = "_F['{city}'] = (1, '{x}')\n".repeat(20_000);
    let files = [
        ("pyproject.toml", String::new()),
        ("minified.js", minified),
        ("mark.py", format!("\u{feff}{ADK}{AGENT}")),
        (
            "line_ends.py",
            format!("{ADK}\r\na = LlmAgent(instruction='''Go\r\nto\r{{city}}\n''')\r\n"),
        ),
        ("Tabs.java", TABS.to_owned()),
        ("never_closed.py", format!("{ADK}{AGENT}b = LlmAgent(instruction='Go to {{city}}\n")),
        (
            "never_closed.ts",
            "import {LlmAgent} from '@google/adk';\nnew LlmAgent({instruction: `Go {city}"
                .to_owned(),
        ),
        (
            "never_closed.go",
            "package a\nimport \"google.golang.org/adk/agent/llmagent\"\n\
             var a = llmagent.Config{Instruction: `Go to {city}"
                .to_owned(),
        ),
        ("NeverClosed.java", TABS.split("{city}").next().unwrap_or_default().to_owned()),
        (
            "never_closed.kt",
            "import com.google.adk.kt.agents.Instruction\nval a = Instruction(\"Go to ${city"
                .to_owned(),
        ),
        ("nested.py", format!("{ADK}a = LlmAgent(instruction={nested})\n")),
        ("circle.py", format!("{ADK}P = Q\nQ = P\na = LlmAgent(instruction=P)\n")),
        ("twice.py", format!("{ADK}P = '{{city}}'\nP = '{{town}}'\na = LlmAgent(instruction=P)\n")),
        ("one_name.py", format!("{ADK}{AGENT}{AGENT}")),
        ("itself.py", format!("{ADK}from itself import P\na = LlmAgent(instruction=P)\n")),
        ("generated_pb2.py", format!("{ADK}DESCRIPTOR = b'\\n\\x0fa.proto'\n{generated}")),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, &**text)).collect();
    Workspace::new(&files)
}

fn run(workspace: &Workspace, arguments: &[&str], expected: Expect) {
    let output = promptls(arguments).cwd(workspace.root()).run();
    expected.assert_eq(&format!("{}{}", output.stdout, output.stderr));
    // Strings that are never closed hide the code after them.
    assert_eq!(output.code, Some(2));
}

#[test]
fn pathological_code_is_read_as_far_as_possible() {
    let workspace = bad_code();
    run(
        &workspace,
        &["prompts"],
        expect![[r#"
            Tabs.java#a        adk-java    com.google.adk.agents.LlmAgent.Builder.instruction
            line_ends.py#a     adk-python  google.adk.agents.LlmAgent(instruction)
            mark.py#a          adk-python  google.adk.agents.LlmAgent(instruction)
            minified.js#a      adk-js      @google/adk LlmAgent({instruction})
            never_closed.py#a  adk-python  google.adk.agents.LlmAgent(instruction)
            one_name.py#a      adk-python  google.adk.agents.LlmAgent(instruction)
            one_name.py#a-2    adk-python  google.adk.agents.LlmAgent(instruction)
            2 prompts not read:
              circle.py:4:26: the text of `instruction` comes from `P`, so it is not checked
              twice.py:4:26: the text of `instruction` comes from `P`, so it is not checked
            promptls: NeverClosed.java:3:44: this string or comment is never closed, so the text after it is not read
            promptls: nested.py:2:91: this expression is nested more than 64 levels deep, so its text is not read
            promptls: never_closed.go:3:38: this string or comment is never closed, so the text after it is not read
            promptls: never_closed.kt:2:21: this string is not closed
            promptls: never_closed.py:3:26: this string is not closed
            promptls: never_closed.ts:2:28: this string or comment is never closed, so the text after it is not read
        "#]],
    );
    run(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
            NeverClosed.java:3:44: error [unreadable-file] this string or comment is never closed, so the text after it is not read
            Tabs.java:5:6: warning [undefined-placeholder] nothing in this app sets `city`
            circle.py:4:26: hint [computed-prompt] the text of `instruction` comes from `P`, so it is not checked
            line_ends.py:5:2: warning [undefined-placeholder] nothing in this app sets `city`
            mark.py:2:44: warning [undefined-placeholder] nothing in this app sets `city`
            minified.js:1:450074: warning [undefined-placeholder] nothing in this app sets `city`
            nested.py:2:91: error [unreadable-file] this expression is nested more than 64 levels deep, so its text is not read
            never_closed.go:3:38: error [unreadable-file] this string or comment is never closed, so the text after it is not read
            never_closed.kt:2:21: error [unreadable-file] this string is not closed
            never_closed.py:2:44: warning [undefined-placeholder] nothing in this app sets `city`
            never_closed.py:3:26: error [unreadable-file] this string is not closed
            never_closed.ts:2:28: error [unreadable-file] this string or comment is never closed, so the text after it is not read
            one_name.py:2:44: warning [undefined-placeholder] nothing in this app sets `city`
            one_name.py:3:44: warning [undefined-placeholder] nothing in this app sets `city`
            twice.py:4:26: hint [computed-prompt] the text of `instruction` comes from `P`, so it is not checked
            7 prompts checked, 2 not read, 6 files not fully read: 6 errors, 7 warnings, 2 hints
        "#]],
    );
}
