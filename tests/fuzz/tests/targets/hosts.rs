//! Any host: code, configuration and front matter.

use promptls_fuzz::{Corpus, EXECUTIONS};
use promptls_hosts::{
    Finds, HostPrompt, Language, PieceKind, Typed, edit, find, find_in_data, find_with, typed,
};

const PIECES: &[&str] = &[
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "`",
    "\\",
    "\\u0041",
    "\\\n",
    "\n",
    "\r\n",
    "\t",
    "{",
    "}",
    "{{",
    "}}",
    "${",
    "$",
    "%s",
    "%%",
    "f\"",
    "r'",
    "b'",
    "(",
    ")",
    "[",
    "]",
    ",",
    "+",
    " + ",
    ".strip()",
    ".trimIndent()",
    ".formatted(1)",
    ".format(x)",
    ".replace('a', b)",
    "dedent(",
    "// promptls: adk\n",
    "# promptls: off\n",
    "instruction=",
    "instruction:",
    ".instruction(",
    "name='a'",
    "|-\n  ",
    ">\n  ",
    "/*",
    "*/",
    "//",
    "#",
    "<a>",
    "/x/",
    "\u{FFFC}",
    "é",
    "\u{FEFF}",
    "=",
    "=>",
    "const a = ",
];

const LANGUAGES: [Language; 10] = [
    Language::Python,
    Language::Java,
    Language::Kotlin,
    Language::TypeScript,
    Language::Tsx,
    Language::Go,
    Language::Yaml,
    Language::Json,
    Language::Toml,
    Language::Markdown,
];

fn prompts(language: Language, source: &str) -> Vec<HostPrompt> {
    if language.is_code() { find(language, source) } else { find_in_data(language, source, &[]) }
}

/// Each text has a complete map, and an edit of it changes nothing else.
fn a_host_is_read_and_edited(source: &str, languages: &[Language]) {
    for &language in languages {
        let found = prompts(language, source);
        for (index, prompt) in found.iter().enumerate() {
            has_whole_map(source, prompt);
            edit_changes_only_its_prompt(language, source, &found, index);
            is_followed(language, source, &found, index);
        }
    }
}

fn has_whole_map(source: &str, prompt: &HostPrompt) {
    let (text, mut at, mut written) = (prompt.text.text(), 0, 0..0);
    for piece in prompt.text.pieces() {
        assert_eq!(piece.text.start, at);
        let is_in_order = piece.source.start >= written.end;
        // A method may change a part of what an indivisible notation stands for.
        let is_part = piece.kind != PieceKind::Equal && piece.source.start >= written.start;
        assert!(is_in_order || is_part || !prompt.included.is_empty(), "{piece:?}");
        let there = source.get(piece.source.clone()).expect("it is written there");
        if piece.kind == PieceKind::Equal {
            assert_eq!(&text[piece.text.clone()], there);
        }
        (at, written) = (piece.text.end, piece.source.clone());
    }
    assert_eq!(at, text.len());
}

fn edit_changes_only_its_prompt(
    language: Language,
    source: &str,
    found: &[HostPrompt],
    index: usize,
) {
    const NEW: &str = "{x}'\" ";
    let texts = |found: &[HostPrompt]| -> Vec<String> {
        found.iter().map(|prompt| prompt.text.text().to_owned()).collect()
    };
    let mut wanted = texts(found);
    let middle = wanted[index].len() / 2;
    if !wanted[index].is_char_boundary(middle) {
        return;
    }
    let rescan = |source: &str| prompts(language, source);
    let Ok(edits) = edit(language, source, &found[index], middle..middle, NEW, rescan) else {
        return;
    };
    let mut after = source.to_owned();
    for (range, new) in edits.iter().rev() {
        after.replace_range(range.clone(), new);
    }
    wanted[index].insert_str(middle, NEW);
    let mut texts = texts(&prompts(language, &after));
    if found.iter().any(|prompt| !prompt.included.is_empty()) {
        // An edit of a constant changes all texts that include it.
        (texts, wanted) = (vec![texts.swap_remove(index)], vec![wanted.swap_remove(index)]);
    }
    assert_eq!(texts, wanted, "{after}");
}

/// Inserts a letter into the middle of each piece. If the edit is followed without reading the
/// file, the result equals that of reading it.
fn is_followed(language: Language, source: &str, found: &[HostPrompt], index: usize) {
    if !language.is_code() {
        return;
    }
    for piece in found[index].text.pieces() {
        let middle = piece.source.start.midpoint(piece.source.end);
        if !source.is_char_boundary(middle) {
            continue;
        }
        let mut now = source.to_owned();
        now.insert(middle, 'n');
        let Finds { chats, computed, .. } = find_with(language, source, &[], &[]);
        if let Some(followed) = typed(found, &chats, &computed, source, &now) {
            let Finds { prompts, chats, computed, .. } = find_with(language, &now, &[], &[]);
            assert_eq!(followed, Typed { prompts, chats, computed }, "{now}");
        }
    }
}

#[test]
fn hosts() {
    let corpus = || Corpus::of("hosts", PIECES);
    corpus().each(|text| a_host_is_read_and_edited(text, &LANGUAGES));
    bolero::check!()
        .with_iterations(EXECUTIONS)
        .with_generator(corpus().text())
        .for_each(|text| a_host_is_read_and_edited(text, &LANGUAGES));
}

/// Syntax with a meaning in a `SKILL.md`: front matter, and Markdown after it.
const SKILL_PIECES: &[&str] = &[
    "---\n",
    "---\r\n",
    "+++\n",
    "...\n",
    "--- ",
    "\n---",
    "\n",
    "\r\n",
    "\r",
    "\u{FEFF}",
    "metadata:\n  adk_inject_state: true\n",
    "adk_inject_state",
    "# promptls: adk\n",
    "# promptls: off\n",
    "<!-- promptls: adk -->",
    "name: a\n",
    "plan: ",
    "description: >-\n  ",
    "|\n  ",
    "- ",
    "  ",
    "\t",
    "&a ",
    "*a",
    "\"",
    "'",
    "\\",
    "\\u0041",
    ": ",
    "#",
    "{",
    "}",
    "[",
    "]",
    "{a}",
    "{a?}",
    "{{b}}",
    "{app:c}",
    "{artifact.d}",
    "```\n",
    "`",
    "é",
    "\u{85}",
    "\u{2028}",
];

#[test]
fn skills() {
    let corpus = || Corpus::of("skills", SKILL_PIECES);
    let try_it = |text: &str| a_host_is_read_and_edited(text, &[Language::Markdown]);
    corpus().each(try_it);
    bolero::check!()
        .with_iterations(EXECUTIONS)
        .with_generator(corpus().text())
        .for_each(|text| try_it(text));
}
