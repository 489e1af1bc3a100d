//! TypeScript and JavaScript cases beyond the vectors.

use crate::shown::{found_elsewhere, found_in, found_with_rule};
use promptls_hosts::{HostPrompt, Language, find};

const ADK: &str = "import {LlmAgent, injectSessionState} from '@google/adk';\n";

#[track_caller]
fn check(source: &str, expected: &[&str]) {
    for language in [Language::TypeScript, Language::Tsx] {
        assert_eq!(found_in(language, &format!("{ADK}{source}")), expected, "{source}");
    }
}

#[track_caller]
fn check_script(source: &str, expected: &[&str]) {
    assert_eq!(found_in(Language::JavaScript, source), expected, "{source}");
}

#[test]
fn an_agent_is_what_is_imported() {
    let agent = "new LlmAgent({name: 'n', instruction: 'x'});";
    check_script(
        "const {LlmAgent: A} = require('@google/adk');\nnew A({instruction: 'x'})",
        &["prompt: x"],
    );
    check_script(
        "const adk = require('@google/adk');\nnew adk.LlmAgent({instruction: 'x'})",
        &["prompt: x"],
    );
    check_script(&format!("const LlmAgent = require('@google/adk').LlmAgent\n{agent}"), &["n: x"]);
    check_script(&format!("const {{LlmAgent}} = await import('@google/adk')\n{agent}"), &["n: x"]);
    check_script(&format!("import type {{Event}} from '@google/adk'\n{agent}"), &[]);
    check_script(
        &format!("import {{type Event, LlmAgent}} from \"@google/adk\"\n{agent}"),
        &["n: x"],
    );
    check_script(&format!("import {{LlmAgent}} from '@google/adk-other'\n{agent}"), &[]);
    check_script(
        &format!("import {{LlmAgent}} from '@google/adk'\nclass LlmAgent {{}}\n{agent}"),
        &[],
    );
}

#[test]
fn options_are_keys_and_names() {
    check("const instruction = 'x'\nnew LlmAgent({name: 'n', instruction})", &["instruction: x"]);
    check("new LlmAgent({'instruction': 'x', ...rest,})", &["prompt: x"]);
    check("new LlmAgent({instruction() { return 'x' }, description: 'y'})", &[]);
    check("new LlmAgent({...rest, a: {instruction: 'x'}})", &[]);
    check("injectSessionState('x {y}', context)", &["prompt: x {y}"]);
    check("const N = 'n'; new LlmAgent({name: N, instruction: 'x'})", &["n: x"]);
}

#[test]
fn classes_that_extend_an_agent_take_its_options() {
    check(
        "class A extends LlmAgent {}\nclass B extends A {}\nnew B({instruction: 'x'})",
        &["prompt: x"],
    );
    check(
        "class A extends LlmAgent {\n  constructor(o: Options) {\n    super({...o, instruction: 'x'})\n  }\n}",
        &["constructor: x"],
    );
    check("class A extends B {\n  constructor() { super({instruction: 'x'}) }\n}", &[]);
}

#[test]
fn a_text_is_named_by_what_it_is_given_to() {
    check("export const a: LlmAgent = new LlmAgent({instruction: 'x'})", &["a: x"]);
    check("const a: Map<string, LlmAgent> = f(new LlmAgent({instruction: 'x'}))", &["a: x"]);
    check("class A {\n  readonly b: LlmAgent = new LlmAgent({instruction: 'x'})\n}", &["b: x"]);
    check(
        "class A {\n  f(): B {\n    this.c = new LlmAgent({instruction: 'x'})\n  }\n}",
        &["c: x"],
    );
    check("function f(): {a: B} {\n  return new LlmAgent({instruction: 'x'})\n}", &["f: x"]);
    check("const f = async (a: B): Promise<C> => new LlmAgent({instruction: 'x'})", &["f: x"]);
    check(
        "class A {\n  static async f<T>(a: T) {\n    return new LlmAgent({instruction: 'x'})\n  }\n}",
        &["f: x"],
    );
    check("const a = {\n  f() { return new LlmAgent({instruction: 'x'}) }\n}", &["f: x"]);
    check("all.map(it => new LlmAgent({instruction: 'x'}))", &["prompt: x"]);
}

#[test]
fn a_name_has_one_value() {
    let with = |source: &str| format!("{source}\nnew LlmAgent({{instruction: A}})");
    check(&with("export const A: string = 'x'"), &["A: x"]);
    check(&with("const B = 'x', A = B"), &["B: x"]);
    check(&with("const A = 'x' as const;"), &["A: x"]);
    check(&with("const A = `x`\n  .trim()\n"), &["A: x"]);
    check(&with("var A = 'x'"), &[]);
    check(&with("const {A} = {A: 'x'}"), &[]);
    check("const A = 'x'\nfunction f(A: string) { new LlmAgent({instruction: A}) }", &[]);
    check("const A = 'x'\nconst f = (A) => new LlmAgent({instruction: A})", &[]);
    check("const A = 'x'\nfor (const A of b) { new LlmAgent({instruction: A}) }", &[]);
    check("if (a) {\n  const A = 'x'\n  new LlmAgent({instruction: A})\n}", &["A: x"]);
}

#[test]
fn a_call_gives_what_its_function_returns() {
    let with = |source: &str| format!("{source}\nnew LlmAgent({{instruction: f()}})");
    check(&with("function f(): string {\n  return 'x'\n}"), &["f: x"]);
    check(&with("const f = () => 'x'"), &["f: x"]);
    check(&with("const f = (a: B): string => {\n  return `x ${a}`\n}"), &["f: x \u{FFFC}"]);
    check(&with("const f = a => 'x'"), &["f: x"]);
    check(&with("const f = function () { return 'x' }"), &["f: x"]);
    check(&with("async function f() { return 'x' }"), &[]);
    check(&with("const f = async () => 'x'"), &[]);
    check(&with("function* f() { return 'x' }"), &[]);
    check(&with("function f() { if (a) { return 'x' }\n return 'y' }"), &[]);
    check(&with("function f() { return a.map(() => { return 'x' }) }"), &[]);
    check("function f() { return 'x' }\nnew LlmAgent({instruction: f})", &[]);
}

#[test]
fn what_methods_make_of_a_text_is_known() {
    let with = |text: &str| format!("new LlmAgent({{instruction: {text}}})");
    check(&with("'x\u{a0} '.trimEnd()"), &["prompt: x"]);
    check(&with("('a' + `b`) satisfies string"), &["prompt: ab"]);
    check(&with("'a a'.replace('a', 'b')"), &["prompt: b a"]);
    check(&with("'a a'.replaceAll('a', 'b')"), &["prompt: b b"]);
    check(&with("'a a'.replace('a', '$&')"), &["prompt: \u{FFFC} a"]);
    check(&with("'a a'.replace(/a/, 'b')"), &[]);
    check(&with("'a ' + b.c!.d(e)[0]"), &["prompt: a \u{FFFC}"]);
    check(&with("'a' + 1"), &[]);
    check(&with("a ? 'b' : 'c'"), &[]);
    check(&with("'a' ?? 'b'"), &[]);
    check(&with("dedent`a`"), &[]);
}

#[test]
fn constants_of_other_modules_are_asked_for() {
    let there = "export const A = 'x {y}';\nconst B = ' z ';\nexport {B as C};\nexport const f = () => 'q';";
    let with =
        |source: &str| found_elsewhere(Language::TypeScript, &format!("{ADK}{source}"), there);
    let agent = "new LlmAgent({name: 'n', instruction: ";
    assert_eq!(with(&format!("import {{A}} from './p.js';\n{agent}A}})")), ["./p.js A: x {y}"]);
    assert_eq!(
        with(&format!("import {{A as B}} from './p';\n{agent}B.trim()}})")),
        ["./p A: x {y}"]
    );
    assert_eq!(with(&format!("import * as p from '../p';\n{agent}p.A}})")), ["../p A: x {y}"]);
    assert_eq!(with(&format!("import {{C}} from './p';\n{agent}C.trim()}})")), ["./p B: z"]);
    assert_eq!(with(&format!("import {{f}} from './p';\n{agent}f()}})")), ["./p f: q"]);
    assert_eq!(with(&format!("import {{f}} from './p';\n{agent}f}})")), [""; 0]);
}

#[test]
fn rules_mean_constants_and_arguments() {
    let rule = |source: &str, entry: &str| found_with_rule(Language::TypeScript, source, entry);
    assert_eq!(
        rule("export const A_PROMPT = 'x'; let B_PROMPT = 'y'", "*_PROMPT"),
        ["A_PROMPT: x"]
    );
    assert_eq!(rule("const a = make(b, 'x')", "make(1)"), ["a: x"]);
    assert_eq!(rule("const a = make({b: 'x'})", "make(b)"), ["a: x"]);
    assert_eq!(rule("a.system('x')", ".system(0)"), ["prompt: x"]);
}

#[test]
fn jsx_holds_code_in_braces_only() {
    let source = format!(
        "{ADK}export const X = () => (\n  <A b=\"{{c}}\">don't\n    <B agent={{new LlmAgent({{name: 'n', instruction: 'x'}})}} />\n  </A>\n)\n"
    );
    assert_eq!(found_in(Language::Tsx, &source), ["n: x"]);
    assert_eq!(found_in(Language::JavaScript, &source), ["n: x"]);
}

#[test]
fn each_prompt_has_its_place() {
    let source = format!("{ADK}const a = new LlmAgent({{instruction: 'x'}})\n");
    let found = find(Language::TypeScript, &source);
    let [HostPrompt { entry, .. }] = found.as_slice() else { panic!("one prompt") };
    assert_eq!(&source[entry.clone()], "LlmAgent({instruction: 'x'})");
}
