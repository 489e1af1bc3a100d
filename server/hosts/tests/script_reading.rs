//! TypeScript and JavaScript cases beyond the vectors.

use crate::shown::{found_elsewhere, found_in, found_in_modules, found_with_rule};
use promptls_hosts::{HostPrompt, Language, edit, find};

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
fn only_imported_agents_are_found() {
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
fn options_are_found_under_quoted_and_shorthand_keys() {
    check("const instruction = 'x'\nnew LlmAgent({name: 'n', instruction})", &["instruction: x"]);
    check("new LlmAgent({'instruction': 'x', ...rest,})", &["prompt: x"]);
    check("new LlmAgent({instruction() { return 'x' }, description: 'y'})", &[]);
    check("new LlmAgent({...rest, a: {instruction: 'x'}})", &[]);
    check("injectSessionState('x {y}', context)", &["prompt: x {y}"]);
    check("const N = 'n'; new LlmAgent({name: N, instruction: 'x'})", &["n: x"]);
}

#[test]
fn classes_that_extend_an_agent_accept_its_options() {
    check(
        "class A extends LlmAgent {}\nclass B extends A {}\nnew B({instruction: 'x'})",
        &["prompt: x"],
    );
    check(
        "class A extends LlmAgent {\n  constructor(o: Options) {\n    super({...o, instruction: 'x'})\n  }\n}",
        &["A: x"],
    );
    check("class A extends B {\n  constructor() { super({instruction: 'x'}) }\n}", &[]);
}

#[test]
fn a_prompt_is_named_after_the_target_of_its_text() {
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
fn only_names_with_a_single_constant_value_are_followed() {
    let with = |source: &str| format!("{source}\nnew LlmAgent({{instruction: A}})");
    check(&with("export const A: string = 'x'"), &["A: x"]);
    check(&with("const B = 'x', A = B"), &["B: x"]);
    check(&with("const A = 'x' as const;"), &["A: x"]);
    check(&with("const A = `x`\n  .trim()\n"), &["A: x"]);
    check(&with("var A = 'x'"), &[]);
    check(&with("const {A} = {A: 'x'}"), &["A: x"]);
    check(&with("const [B, A] = ['x', 'y']"), &["prompt: y"]);
    check(&with("const {B: {A}} = {B: {A: 'x'}}"), &["A: x"]);
    check(&with("const {...A} = {A: 'x'}"), &[]);
    check(&with("let {A} = {A: 'x'}"), &[]);
    check("const A = 'x'\nfunction f(A: string) { new LlmAgent({instruction: A}) }", &[]);
    check("const A = 'x'\nconst f = (A) => new LlmAgent({instruction: A})", &[]);
    check("const A = 'x'\nfor (const A of b) { new LlmAgent({instruction: A}) }", &[]);
    check("if (a) {\n  const A = 'x'\n  new LlmAgent({instruction: A})\n}", &["A: x"]);
}

#[test]
fn a_call_has_the_value_that_its_function_returns() {
    let with = |source: &str| format!("{source}\nnew LlmAgent({{instruction: f()}})");
    check(&with("function f(): string {\n  return 'x'\n}"), &["f: x"]);
    check(&with("const f = () => 'x'"), &["f: x"]);
    check(&with("const f = (a: B): string => {\n  return `x ${a}`\n}"), &["f: x \u{FFFC}"]);
    check(&with("const f = a => 'x'"), &["f: x"]);
    check(&with("const f = function () { return 'x' }"), &["f: x"]);
    check(&with("async function f() { return 'x' }"), &[]);
    check(&with("const f = async () => 'x'"), &[]);
    check(&with("function* f() { return 'x' }"), &[]);
    check(
        &with("function f() { if (a) { return 'x' }\n return 'y' }"),
        &["prompt: x", "prompt-2: y"],
    );
    check(&with("function f() { return a.map(() => { return 'x' }) }"), &[]);
    check("function f() { return 'x' }\nnew LlmAgent({instruction: f})", &[]);
}

#[test]
fn known_methods_on_texts_are_evaluated() {
    let with = |text: &str| format!("new LlmAgent({{instruction: {text}}})");
    check(&with("'x\u{a0} '.trimEnd()"), &["prompt: x"]);
    check(&with("('a' + `b`) satisfies string"), &["prompt: ab"]);
    check(&with("'a a'.replace('a', 'b')"), &["prompt: b a"]);
    check(&with("'a a'.replaceAll('a', 'b')"), &["prompt: b b"]);
    check(&with("'a a'.replace('a', '$&')"), &["prompt: \u{FFFC} a"]);
    check(&with("'a a'.replace(/a/, 'b')"), &[]);
    check(&with("'a ' + b.c!.d(e)[0]"), &["prompt: a \u{FFFC}"]);
    check(&with("'a' + 1"), &[]);
    check(&with("a ? 'b' : 'c'"), &["prompt: b", "prompt-2: c"]);
    check(&with("a ? b ? 'c' : 'd' : (e ? 'f' : g)"), &["prompt: c", "prompt-2: d", "prompt-3: f"]);
    check(&with("a ?? 'b'"), &["prompt: b"]);
    check(&with("a ? 'b' : 'c' + d"), &["prompt: b", "prompt-2: c\u{FFFC}"]);
    check(&with("(a) => a ? 'b' : 'c'"), &[]);
    check(&with("dedent`a`"), &[]);
}

#[test]
fn constants_of_other_modules_are_followed() {
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
fn rules_select_constants_and_arguments() {
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
fn jsx_contains_code_in_braces_only() {
    let source = format!(
        "{ADK}export const X = () => (\n  <A b=\"{{c}}\">don't\n    <B agent={{new LlmAgent({{name: 'n', instruction: 'x'}})}} />\n  </A>\n)\n"
    );
    assert_eq!(found_in(Language::Tsx, &source), ["n: x"]);
    assert_eq!(found_in(Language::JavaScript, &source), ["n: x"]);
}

#[test]
fn the_entry_of_a_prompt_is_its_call() {
    let source = format!("{ADK}const a = new LlmAgent({{instruction: 'x'}})\n");
    let found = find(Language::TypeScript, &source);
    let [HostPrompt { entry, .. }] = found.as_slice() else { panic!("one prompt") };
    assert_eq!(&source[entry.clone()], "LlmAgent({instruction: 'x'})");
}

#[test]
fn options_may_be_a_constant() {
    for (source, expected) in [
        ("const o = {name: 'n', instruction: 'x'}\nnew LlmAgent(o)", &["n: x"][..]),
        ("const o: Config = {instruction: 'x'} as const\nnew LlmAgent(o)", &["prompt: x"]),
        ("const o = {instruction: 'x'}\nnew LlmAgent({...o, name: 'n'})", &["n: x"]),
        ("const o = {instruction: 'x'}\nnew LlmAgent({...o, instruction: 'y'})", &["prompt: y"]),
        ("const o = {instruction: 'x'}\nnew LlmAgent({name: 'n', ...o})", &["n: x"]),
        ("const o = {...p, instruction: 'x'}\nnew LlmAgent(o)", &["prompt: x"]),
        (
            "const o = {name: 'n', instruction: 'x'}\no.instruction = 'y'\nnew LlmAgent(o)",
            &["n: x", "n-2: y"],
        ),
        ("const o = {instruction: 'x'}\nObject.assign(o, p)\nnew LlmAgent(o)", &["prompt: x"]),
        ("let o = {instruction: 'x'}\nnew LlmAgent(o)", &["prompt: x"]),
        ("const o = f({instruction: 'x'})\nnew LlmAgent(o)", &[]),
        ("const o = {instruction: 'x'}\nnew Other(o)", &[]),
    ] {
        check(source, expected);
    }
}

#[test]
fn a_member_of_a_constant_is_a_text() {
    let with = |source: &str, value: &str| {
        format!("{source}\nnew LlmAgent({{name: 'n', instruction: {value}}})")
    };
    for (source, value, expected) in [
        ("const P = {a: 'x', b: 'y'}", "P.a", &["a: x"][..]),
        ("const P = {a: 'x'} as const", "P['a']", &["a: x"]),
        ("const P = {'a-b': 'x'}", "P[\"a-b\"]", &["a-b: x"]),
        ("const P = Object.freeze({a: {b: 'x'}})", "P.a.b.trim()", &["b: x"]),
        ("const P = {a: `x`} satisfies Record<string, string>", "P.a", &["a: x"]),
        ("const a = 'x'; const P = {a}", "P.a", &["a: x"]),
        ("enum P { a = 'x', b = 'y' }", "P.a", &["a: x"]),
        ("const enum P { a = 'x' }", "P.a", &["a: x"]),
        ("class P { static readonly a: string = 'x' }", "P.a", &["a: x"]),
        ("class P { a = 'x' }", "P.a", &[]),
        ("const P = {a: 'x', ...q}", "P.a", &[]),
        ("const P = {...q, a: 'x'}", "P.a", &["a: x"]),
        ("const P = {a: 'x'}\nP.a = 'y'", "P.a", &[]),
        ("const P = {a: 'x'}\nP['a'] += 'y'", "P.a", &[]),
        ("let P = {a: 'x'}", "P.a", &[]),
        ("const P = {b: 'x'}", "P.a", &[]),
        ("const P = {a() { return 'x' }}", "P.a", &[]),
        ("const P = {a: P.a}", "P.a", &[]),
    ] {
        check(&with(source, value), expected);
    }
    let hidden = with("const P = {a: 'x'}\nfunction f(P) {", "P.a") + "}";
    check(&hidden, &[]);
}

#[test]
fn lists_are_joined() {
    for (value, expected) in [
        ("['a {b}', 'c'].join('\\n')", &["n: a {b}\nc"][..]),
        ("['a', `b`].join()", &["n: a,b"]),
        ("[\n'a',\n'b',\n].join('').trim()", &["n: ab"]),
        ("['a', ...b].join('')", &[]),
        ("['a', 'b'].map(f).join('')", &[]),
        ("['a', 'b']", &[]),
        ("['a', 'b'].join(c)", &[]),
        ("[].join('')", &[]),
    ] {
        check(&format!("new LlmAgent({{name: 'n', instruction: {value}}})"), expected);
    }
}

#[test]
fn tags_that_remove_indentation_are_evaluated() {
    let agent = "new LlmAgent({name: 'n', instruction: ";
    for (import, value, expected) in [
        ("import dedent from 'dedent'", "dedent`\n  a {b}\n    c\n`", &["n: a {b}\n  c"][..]),
        ("import d from 'dedent'", "d`\n  ${a}\n  c`", &["n: \u{FFFC}\nc"]),
        ("import dedent from 'dedent'", "dedent('  a\\n  b')", &["n: a\nb"]),
        ("import { dedent } from 'ts-dedent'", "dedent`\n  a\n  b\n`", &["n: a\nb"]),
        ("import { stripIndent } from 'common-tags'", "stripIndent`\n  a\n  b\n`", &["n: a\nb"]),
        ("import dedent from 'dedent'", "dedent`a\\n  b`", &[]),
        ("import dedent from './dedent'", "dedent`a`", &[]),
        ("import { other } from 'common-tags'", "other`a`", &[]),
        ("", "dedent`a`", &[]),
    ] {
        check(&format!("{import}\n{agent}{value}}})"), expected);
    }
}

#[test]
fn a_field_of_an_agent_class_is_a_prompt() {
    for (class, expected) in [
        ("class A extends LlmAgent {\n  instruction = 'x'\n}", &["A: x"][..]),
        ("class A extends LlmAgent {\n  readonly instruction: string = 'x';\n}", &["A: x"]),
        ("class A extends LlmAgent { name = 'a'; override instruction = 'x' }", &["a: x"]),
        ("class A extends LlmAgent {\n  static instruction = 'x'\n}", &[]),
        ("class A extends Other {\n  instruction = 'x'\n}", &[]),
        ("class A extends LlmAgent {\n  f() { const instruction = 'x' }\n}", &[]),
    ] {
        check(class, expected);
    }
}

#[test]
fn a_field_of_the_same_class_is_a_text() {
    for (class, value, expected) in [
        ("private readonly p = 'x'", "this.p", &["p: x"][..]),
        ("static p = 'x'", "A.p", &["p: x"]),
        ("static p = 'x'", "this.p", &[]),
        ("p = 'x'; g() { this.p = 'y' }", "this.p", &[]),
        ("p: string", "this.p", &[]),
        ("constructor(private p = 'x') {}", "this.p", &[]),
    ] {
        let agent = format!("new LlmAgent({{name: 'n', instruction: {value}}})");
        check(&format!("class A {{\n  {class}\n  f() {{ return {agent} }}\n}}"), expected);
    }
}

#[test]
fn names_of_other_modules_are_followed_to_their_declaration() {
    let agent = |import: &str, value: &str| {
        format!("{ADK}{import}\nnew LlmAgent({{name: 'n', instruction: {value}}})\n")
    };
    for (other, import, value, expected) in [
        ("export const P = {a: 'x'}", "import {P} from './p'", "P.a", &["p a: x"][..]),
        ("export const P = {a: 'x'}", "import * as p from './p'", "p.P.a", &["p a: x"]),
        ("export const P = 'x'", "import * as p from './p'", "p.P", &["p P: x"]),
        ("export enum P { a = 'x' }", "import {P} from './p'", "P.a", &["p a: x"]),
        ("export class P { static a = 'x' }", "import {P} from './p'", "P.a", &["p a: x"]),
        ("export default 'x'", "import p from './p'", "p", &["p default: x"]),
        ("const P = 'x'\nexport default P", "import p from './p'", "p", &["p P: x"]),
        ("export default {a: {b: 'x'}}", "import p from './p'", "p.a.b", &["p b: x"]),
        ("export default function f() { return 'x' }", "import p from './p'", "p()", &["p f: x"]),
        ("export * from './q'", "import {Q} from './p'", "Q", &["q Q: q"]),
        ("export * from './q'\nexport * from './r'", "import {R} from './p'", "R.a", &["r a: r"]),
        ("export * as q from './q'", "import {q} from './p'", "q.Q", &["q Q: q"]),
        ("export {Q as default} from './q'", "import p from './p'", "p", &["q Q: q"]),
        ("export {default} from './q'", "import p from './p'", "p.a", &[]),
        ("export const P = {a: 'x'}\nP.a = 'y'", "import {P} from './p'", "P.a", &[]),
        ("export const P = 'x'", "import {P} from './p'", "P.a", &[]),
        ("export * from './p'", "import {P} from './p'", "P", &[]),
    ] {
        let agent = agent(import, value);
        let modules = [
            ("agent", agent.as_str()),
            ("p", other),
            ("q", "export const Q = 'q'\n"),
            ("r", "export const R = {a: 'r'}\n"),
        ];
        let found = found_in_modules(Language::TypeScript, &modules);
        assert_eq!(found, expected, "{other}\n{agent}");
    }
}

#[test]
fn classes_of_other_modules_are_followed_to_their_base_class() {
    let base = "import {LlmAgent} from '@google/adk'\nexport class Mine extends LlmAgent {}\n\
        export default Mine\nexport {LlmAgent}\n";
    for (agent, expected) in [
        ("import {Mine} from './base'\nnew Mine({instruction: 'x'})", &["agent prompt: x"][..]),
        ("import M from './base'\nnew M({name: 'm', instruction: 'x'})", &["agent m: x"]),
        ("import * as base from './base'\nnew base.Mine({instruction: 'x'})", &["agent prompt: x"]),
        ("import {LlmAgent} from './base'\nnew LlmAgent({instruction: 'x'})", &["agent prompt: x"]),
        ("import {Mine} from './index'\nnew Mine({instruction: 'x'})", &["agent prompt: x"]),
        (
            "import {Mine} from './base'\nclass A extends Mine {\n  instruction = 'x'\n}",
            &["agent A: x"],
        ),
        ("import {Mine} from './other'\nnew Mine({instruction: 'x'})", &[]),
        ("import {Other} from './base'\nnew Other({instruction: 'x'})", &[]),
        ("import {Mine} from './base'\nnew Mine({a: {instruction: 'x'}})", &[]),
    ] {
        let modules = [("agent", agent), ("base", base), ("index", "export * from './base'\n")];
        assert_eq!(found_in_modules(Language::TypeScript, &modules), expected, "{agent}");
    }
}

#[test]
fn arguments_of_a_function_that_creates_an_agent_are_prompts() {
    let body = "return new LlmAgent({name, instruction: p});";
    for (source, expected) in [
        (format!("function f(name: string, p: string) {{ {body} }}\nf('n', 'x')"), &["n: x"][..]),
        (
            format!("async function f(name: string, p = 'd') {{ {body} }}\nf('n', 'x')"),
            &["f: d", "n: x"],
        ),
        (
            format!("const f = (name: string, p: string) => {{ {body} }}\nconst a = f('n', `x`)"),
            &["n: x"],
        ),
        (
            format!("function f({{name, p}}: Options) {{ {body} }}\nf({{name: 'n', p: 'x'}})"),
            &["n: x"],
        ),
        (
            "const f = (instruction: string) => new LlmAgent({instruction})\nconst a = f('x')"
                .into(),
            &["a: x"],
        ),
        (
            format!("function f(name: string, p: string) {{ p = p + 'y'; {body} }}\nf('n', 'x')"),
            &[],
        ),
        (format!("function f(name: string, ...p) {{ {body} }}\nf('n', 'x')"), &[]),
        (format!("function f(name: string, q: string) {{ {body} }}\nf('n', 'x')"), &[]),
    ] {
        check(&source, expected);
    }
}

#[test]
fn texts_in_tags_lists_and_objects_are_edited_in_place() {
    let source = format!(
        "{ADK}import dedent from 'dedent'\nconst P = {{a: 'b {{c}}'}}\n\
        new LlmAgent({{instruction: dedent`\n    a {{c}}\n      d\n  `}})\n\
        new LlmAgent({{instruction: ['a {{c}}', 'd'].join('\\n')}})\n\
        new LlmAgent({{instruction: P.a}})\n"
    );
    let found = find(Language::TypeScript, &source);
    assert_eq!(found.len(), 3);
    for prompt in &found {
        let at = prompt.text.text().find('c').expect("it has a name");
        let rescan = |source: &str| find(Language::TypeScript, source);
        let edits = edit(Language::TypeScript, &source, prompt, at..at + 1, "name", rescan)
            .expect("it can be written");
        let [(range, text)] = edits.as_slice() else { panic!("{edits:?}") };
        assert_eq!((&source[range.clone()], text.as_str()), ("c", "name"));
    }
}
