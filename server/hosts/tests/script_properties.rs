//! Properties of arbitrary TypeScript, JavaScript and Go files.

use crate::whole_map::{check, check_cut_anywhere};
use promptls_hosts::{Language, find};
use proptest::prelude::*;

/// The languages of generated files.
const LANGUAGES: [Language; 4] =
    [Language::TypeScript, Language::Tsx, Language::JavaScript, Language::Go];

/// The pieces of generated files.
const TOKENS: &str = "import {LlmAgent} from '@google/adk'\n|import * as p from './p';|\
    const {A} = require('@google/adk')\n|export {x as y} from 'z'|export |\
    package v\n|import \"google.golang.org/adk/agent/llmagent\"\n|import (\n|llmagent.Config{|\
    Instruction: |Name: \"n\"|new LlmAgent({|instruction: |name: 'n', |class A extends LlmAgent {|\
    super({|constructor() |injectSessionState(|(|)|[|]|{|}|<|>|</|/>|/|;|,|:|=>|?|?.|!|...|\"|'|`|\
    ${|\\|\\u{1F600}|\\x41|\\101|\\uD83D|\\xe2|\\\n|\n|\r\n|\r|\t|    |// promptls: adk\n|\
    /* promptls: off */|/*|*/|x|y|const x = |const x: A<B> = |let x|var x = |x := |x, err := | = | += | + |\
    \"a\"|'a'|`a`|`{x} ${y}`|String.raw`|1|.5|.trim()|.replace('x', y)|.replaceAll(\"x\", '$&')|as const|\
    satisfies A|strings.TrimSpace(|function f() |async |function* |func f() string |func |return |\
    if (x) |for (const x of y) |for _, x := range y |switch x |case 1:|catch (e) |<A b=\"c\">|</A>|<A/>|\
    <>|<T,>(x: T) => |é|😀|\u{2028}|\u{FEFF}|{x}|#!|@a";

fn source() -> impl Strategy<Value = String> {
    let tokens: Vec<&str> = TOKENS.split('|').collect();
    let parts = prop::collection::vec(prop::sample::select(tokens), 0..60);
    parts.prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(1000)
    })]

    #[test]
    fn source_maps_are_complete_and_ordered(source in source()) {
        for language in LANGUAGES {
            check(language, &source)?;
        }
    }

    #[test]
    fn any_text_is_scanned(source in "\\PC*") {
        for language in LANGUAGES {
            check(language, &source)?;
        }
    }

    #[test]
    fn any_bytes_are_scanned(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let source = String::from_utf8_lossy(&bytes);
        for language in LANGUAGES {
            check(language, &source)?;
        }
    }
}

#[test]
fn a_truncated_file_is_scanned() {
    check_cut_anywhere(&LANGUAGES);
}

/// Each of these is long, or ends in an unusual place: quadratic algorithms would not finish here.
#[test]
fn pathological_code_is_scanned_in_linear_time() {
    let many = 1_000;
    let imports =
        "import {LlmAgent} from '@google/adk';\nimport \"google.golang.org/adk/agent/llmagent\"\n";
    let parts = "(|[|{|}|<|<a|<a>|<a>{|<a b={|</a>|<a\"|<a/|<a<|<T>(|`|`${|${|`a`|'|\"|/|/*|/[|//\n|a / |=|=>|\
        a => |() => |() => {|(a) => a + |async () => |function f() {|function |function f(): |\
        class A {|class A extends |class A extends LlmAgent { constructor() { super({|a() {|a<|\
        const a = |const a: |const a: A<|const {|const {a} = require(|const a = 'x' + |const a = 1, b|\
        let a, |return |import {|import a, |import * as |export {a as b|export {|import a from 'b';|\
        new LlmAgent({|new LlmAgent({instruction: |new LlmAgent({instruction: 'x' + |\
        injectSessionState(|if (a) |for (|for (a of b) {|switch (a) {|case 1: |a as |'x' as |a.|a?.|!|++|@|\
        llmagent.Config{|llmagent.Config{Instruction: |llmagent.Config{Instruction: \"x\" + |\
        a := |a, b := |a, |a = |a += |var a = |var (|const (\n|const a, |import (|import \"a\"\n|func |func f(|\
        func() {|func (a) f() {|func f() struct{|if a := {|for |switch {|range |.a|String.raw`|\\|\n|\
        // promptls: adk\n|{a: |...|'\\1'|é|\u{2028}";
    for part in parts.split('|') {
        let source = format!("{imports}{}", part.repeat(many));
        for language in LANGUAGES {
            find(language, &source[..source.len().min(2 << 20)]);
        }
    }
}

#[test]
fn constants_and_prompts_are_examined_once() {
    let many = 5_000;
    let mut script = "import {LlmAgent} from '@google/adk';\n".to_owned();
    let mut go = "package v\nimport \"google.golang.org/adk/agent/llmagent\"\n".to_owned();
    for number in 0..many {
        script += &format!("const P{number} = 'x'; f(new LlmAgent({{instruction: P{number}}}));\n");
        go += &format!(
            "const p{number} = `x`\nvar a{number} = llmagent.Config{{Instruction: p{number}}}\n"
        );
    }
    assert_eq!(find(Language::TypeScript, &script).len(), many);
    assert_eq!(find(Language::Go, &go).len(), many);
}

#[test]
fn line_endings_and_a_byte_order_mark_do_not_shift_ranges() {
    let script = "import {LlmAgent} from '@google/adk';\nnew LlmAgent({instruction: `a\nb`});\n";
    let go = "package v\nimport \"google.golang.org/adk/agent/llmagent\"\nvar a = llmagent.Config{Instruction: `a\nb`}\n";
    for (language, source) in [(Language::Tsx, script), (Language::Go, go)] {
        let crlf = source.replace('\n', "\r\n");
        for source in [source.to_owned(), crlf.clone(), format!("\u{FEFF}{crlf}")] {
            let found = find(language, &source);
            let [prompt] = found.as_slice() else { panic!("one prompt in {source}") };
            assert_eq!(prompt.text.text(), "a\nb");
            let last = prompt.text.pieces().last().expect("a piece");
            assert_eq!(last.source.end, source.find("b`").expect("it ends so") + 1);
        }
    }
}
