//! Properties of arbitrary Python files.

use crate::whole_map::{check, check_cut_anywhere};
use promptls_hosts::{CodeEntry, Language, OtherFile, find, find_with};
use promptls_syntax::Dialect;
use proptest::prelude::*;

/// The pieces of generated files.
const TOKENS: [&str; 44] = [
    "from google.adk.agents import *\n",
    "from .p import q\n",
    "LlmAgent(",
    "instruction=",
    "name=",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "f\"",
    "rf'''",
    "b'",
    "\\",
    "\\x41",
    "\\N{",
    "\n",
    "\r\n",
    "\t",
    "    ",
    "# promptls: adk\n",
    "# promptls: off\n",
    "x",
    "y",
    " = ",
    " + ",
    ".strip()",
    ".format(1)",
    ".replace('x', y)",
    "dedent(",
    "def f():\n",
    "return ",
    "class A(LlmAgent):\n",
    ",",
    ":",
    "é",
    "😀",
    "{x}",
    "import textwrap\n",
];

proptest! {
    #[test]
    fn source_maps_are_complete_and_ordered(parts in prop::collection::vec(0..TOKENS.len(), 0..60)) {
        let source: String = parts.into_iter().map(|part| TOKENS[part]).collect();
        check(Language::Python, &source)?;
    }

    #[test]
    fn any_text_is_scanned(source in "\\PC*") {
        check(Language::Python, &source)?;
    }
}

#[test]
fn a_truncated_file_is_scanned() {
    check_cut_anywhere(&[Language::Python]);
}

/// Each of these is a megabyte, or ends in an unusual place.
#[test]
fn pathological_code_yields_at_most_one_prompt() {
    let adk = "from google.adk.agents import LlmAgent\n";
    let agent = |argument: &str| format!("{adk}a = LlmAgent(instruction={argument})\n");
    let nested = |depth: usize| agent(&format!("{}'x'{}", "(".repeat(depth), ")".repeat(depth)));
    for source in [
        nested(10_000),
        agent(&"(".repeat(100_000)),
        agent(&"f'{".repeat(100_000)),
        agent(&format!("'x'{}", ".strip()".repeat(100_000))),
        agent("A") + "A = B\nB = A\n",
        agent("f()") + "def f(): return f()\n",
        agent("'x"),
        agent("'''x"),
        agent("\"") + &"x".repeat(2_000_000),
        agent(&"]".repeat(1_000_000)),
    ] {
        let found = find(Language::Python, &source);
        assert!(found.len() <= 1, "{}", &source[..80]);
    }
    assert_eq!(find(Language::Python, &nested(10)).len(), 1);
}

#[test]
fn a_constant_of_another_file_is_a_prompt_of_that_file() {
    let agent = "from google.adk.agents import LlmAgent\nfrom .prompts import P as Q\n\
                 a = LlmAgent(name='n', instruction=Q.strip())\n";
    let finds = find_with(Language::Python, agent, &[], &[]);
    assert!(finds.prompts.is_empty());
    let [elsewhere] = finds.elsewhere.as_slice() else { panic!("one prompt is elsewhere") };
    assert_eq!(elsewhere.other, OtherFile::Module(".prompts".to_owned()));

    let demands = [elsewhere.demand.clone()];
    let finds = find_with(Language::Python, "P = ' {x} '\n", &[], &demands);
    let [prompt] = finds.prompts.as_slice() else { panic!("the constant is a prompt") };
    assert_eq!((prompt.name.as_str(), prompt.text.text()), ("P", "{x}"));
}

#[test]
fn a_rule_selects_constants_or_an_argument() {
    let source = "A_PROMPT = 'a'\nOTHER = 'b'\nx = make('c', text='d')\ny = z.make('e')\n";
    for (entry, expected) in [
        ("*_PROMPT", vec!["a"]),
        ("make(0)", vec!["c"]),
        ("make(text)", vec!["d"]),
        (".make(0)", vec!["e"]),
        ("make(1)", vec![]),
    ] {
        let rules = [(CodeEntry::parse(entry).unwrap(), Dialect::Agentle)];
        let finds = find_with(Language::Python, source, &rules, &[]);
        let texts: Vec<&str> = finds.prompts.iter().map(|prompt| prompt.text.text()).collect();
        assert_eq!(texts, expected, "{entry}");
    }
}

/// This would take minutes if each call examined all classes.
#[test]
fn classes_and_calls_are_examined_once() {
    let many = 5_000;
    let mut source = "from google.adk.agents import LlmAgent\n".to_owned();
    for number in 0..many {
        source += &format!("class C{number}(LlmAgent): pass\n");
        source += &format!("C{number}(instruction='{number}')\n");
    }
    assert_eq!(find(Language::Python, &source).len(), many);
}

#[test]
fn unusual_modules_are_scanned() {
    let adk = "from google.adk.agents import LlmAgent\n";
    let two = "LlmAgent(name='a', instruction='x')\n".repeat(2);
    let nested = format!("{}'x'{}", "(".repeat(10_000), ")".repeat(10_000));
    for (source, expected) in [
        (format!("{adk}{two}"), vec!["a", "a-2"]),
        (format!("{adk}A = B\nB = A\nLlmAgent(instruction=A)\n{two}"), vec!["a", "a-2"]),
        (format!("{adk}LlmAgent(instruction={nested})\n{two}"), vec!["a", "a-2"]),
        (format!("{adk}{two}x = '''never closed\n"), vec!["a", "a-2"]),
    ] {
        let found = find(Language::Python, &source);
        let names: Vec<&str> = found.iter().map(|prompt| prompt.name.as_str()).collect();
        assert_eq!(names, expected);
    }
}

#[test]
fn a_module_that_imports_itself_is_followed_a_limited_number_of_times() {
    let source = "from google.adk.agents import LlmAgent\nfrom .m import P\n\
                  LlmAgent(instruction=P)\n";
    let mut finds = find_with(Language::Python, source, &[], &[]);
    // Each result is requested again; only a limited number of names is followed.
    let mut rounds = 0;
    while !finds.elsewhere.is_empty() && rounds < 100 {
        let demands: Vec<_> = finds.elsewhere.into_iter().map(|it| it.demand).collect();
        finds = find_with(Language::Python, source, &[], &demands);
        finds.elsewhere.retain(|it| !demands.contains(&it.demand) && it.demand.name() == "P");
        rounds += 1;
    }
    assert!(finds.prompts.is_empty() && rounds < 10, "{rounds}");
}

#[test]
fn line_endings_and_a_byte_order_mark_do_not_shift_ranges() {
    let source = "from google.adk.agents import LlmAgent\nLlmAgent(instruction='''a\nb''')\n";
    let crlf = source.replace('\n', "\r\n");
    for source in [source.to_owned(), crlf.clone(), format!("\u{FEFF}{crlf}")] {
        let found = find(Language::Python, &source);
        let [prompt] = found.as_slice() else { panic!("one prompt") };
        assert_eq!(prompt.text.text(), "a\nb");
        assert!(source[prompt.literals[0].clone()].starts_with("'''a"));
        let last = prompt.text.pieces().last().unwrap();
        assert_eq!(last.source.end, source.find("b'''").unwrap() + 1);
    }
}

/// This would take minutes if each rule examined all tokens.
#[test]
fn each_token_is_examined_once_for_all_rules() {
    let many = 5_000;
    let entry = |number| CodeEntry::parse(&format!("f{number}(0)")).unwrap();
    let mut rules: Vec<_> = (0..many).map(|number| (entry(number), Dialect::Adk)).collect();
    rules.push((entry(0), Dialect::Agentle));
    let source: String = (0..many).map(|number| format!("f{number}('x')\n")).collect();
    let prompts = find_with(Language::Python, &source, &rules, &[]).prompts;
    assert_eq!(prompts.len(), many);
    assert!(prompts.iter().all(|prompt| prompt.dialect == Dialect::Adk));
}
