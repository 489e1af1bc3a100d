//! Names in code.
//!
//! Tokens are enough: which value a variable holds is not asked, but for a constant of the same file
//! that is written in the place of a key.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use super::{Access, AccessKind, Flow, is_key, mention};
use crate::code::Tokens;
use crate::gate::Gate;
use crate::language::Language;
use crate::token::TokenKind;

/// What an agent calls the key that its answer goes to, without case and `_`.
const OUTPUT_KEY: &str = "outputkey";

/// What programs call a state, and maps that it starts with or that change it; without case and `_`.
const STATES: [&str; 4] = ["state", "initialstate", "statedelta", "sessionstate"];

/// What is in these names, as people write them: a word of theirs like `output` is in much code.
const OF_STATE: [&str; 7] =
    ["state", "State", "STATE", "utput_key", "utputKey", "utputkey", "UTPUT_KEY"];

/// The methods of a run that take inputs.
const OF_INPUTS: [&str; 2] = ["input", "run"];

/// What the names above end with.
const ENDS: [&str; 3] = ["key", "state", "delta"];

/// The methods of a state whose first argument is a key, and whether they give it a value.
const METHODS: [(&str, bool); 16] = [
    ("put", true),
    ("putIfAbsent", true),
    ("set", true),
    ("Set", true),
    ("setdefault", true),
    ("compute", true),
    ("merge", true),
    ("get", false),
    ("Get", false),
    ("getOrDefault", false),
    ("pop", false),
    ("has", false),
    ("containsKey", false),
    ("remove", false),
    ("delete", false),
    ("Delete", false),
];

/// The methods of a state that take a map.
const TAKES_MAP: [&str; 3] = ["update", "putAll", "apply"];

/// What makes a map in place, or is none.
const MAKES_MAP: [&str; 10] = [
    "dict",
    "of",
    "ofEntries",
    "mapOf",
    "mutableMapOf",
    "hashMapOf",
    "None",
    "null",
    "nil",
    "undefined",
];

/// Functions whose arguments are keys and values in turn.
const IN_TURN: [&str; 2] = ["of", "entry"];

/// How far behind a name the map may begin that it is given, in tokens.
const MAX_BEFORE_MAP: usize = 24;

/// Maps inside each other are looked into this deep.
const MAX_DEPTH: usize = 4;

/// Whether there may be an access: one of the names above stands there as a word, and behind it what
/// makes one. Much code has a word for its state, and reading all of that takes long.
pub(super) fn may_access(language: Language, source: &str) -> bool {
    static INPUTS: LazyLock<Gate> =
        LazyLock::new(|| Gate::new(OF_STATE.into_iter().chain(OF_INPUTS)));
    let gate = if has_inputs(language) { &INPUTS } else { state_gate() };
    gate.any(source, |place| {
        let word = word_around(source, place);
        let name = plain(&source[word.clone()]);
        let behind = source[word.end..].trim_start();
        if STATES.contains(&name.as_str()) {
            return may_be_of_state(language, behind);
        }
        let is_called = || behind.starts_with(['(', '/', '#']);
        let is_input = || has_inputs(language) && matches!(&*name, "run" | "input" | "inputs");
        let is_key = || behind.starts_with(['=', ':', '(', '/', '#']) && !behind.starts_with("==");
        name.ends_with(OUTPUT_KEY) && is_key() || is_input() && is_called()
    })
}

fn state_gate() -> &'static Gate {
    static STATE: LazyLock<Gate> = LazyLock::new(|| Gate::new(OF_STATE));
    &STATE
}

/// Whether something that [`Reader::state`] knows may be done with a state, by what stands behind it.
/// A comment may stand anywhere.
fn may_be_of_state(language: Language, behind: &str) -> bool {
    let marked = behind.trim_start_matches(|it: char| "?!".contains(it) || it.is_whitespace());
    let starts_comment = |text: &str| text.starts_with(['/', '#', '\\']);
    let mut rest = marked.chars();
    match rest.next() {
        Some('=') => {
            let asks = behind.starts_with("!=") || rest.as_str().starts_with('=');
            !asks && !is_no_map(rest.as_str())
        }
        Some('.') => {
            let name = rest.as_str().trim_start();
            let is_part = |char: char| char.is_ascii_alphanumeric() || char == '_';
            let method = &name[..name.find(|char| !is_part(char)).unwrap_or(name.len())];
            let is_known = METHODS.iter().any(|(known, _)| *known == method);
            starts_comment(name) || is_known || TAKES_MAP.contains(&method)
        }
        Some(':') => {
            let value = rest.as_str().trim_start_matches([' ', '\t']);
            let ends_line = value.starts_with(['\n', '\r']);
            let next = value.trim_start();
            !ends_line || has_bare_keys(language) || next.starts_with('{') || starts_comment(next)
        }
        Some('|') => {
            let next = rest.as_str().trim_start();
            next.starts_with('=') || starts_comment(next)
        }
        Some('[' | '(') => true,
        Some(_) => starts_comment(marked),
        None => false,
    }
}

/// Whether a value is plainly none, or a text, and all there is: machines have many such states.
fn is_no_map(value: &str) -> bool {
    let value = value.trim_start_matches([' ', '\t']);
    let ends = |rest: &str| {
        let rest = rest.trim_start_matches([' ', '\t']);
        let next = rest.trim_start();
        rest.starts_with([',', ')', ';'])
            || next.is_empty()
            || rest.starts_with(['\n', '\r']) && !next.starts_with(['{', '/', '#', '\\'])
    };
    let quoted = value.strip_prefix(['"', '\'']).and_then(|inner| {
        let end = inner.find(['"', '\'', '\\', '\n'])?;
        inner[end..].starts_with(&value[..1]).then(|| &inner[end + 1..])
    });
    let none = || ["None", "null", "nil", "undefined"].iter().find_map(|it| value.strip_prefix(it));
    quoted.or_else(none).is_some_and(ends)
}

/// Whether a word before a colon is a key itself.
fn has_bare_keys(language: Language) -> bool {
    matches!(language, Language::TypeScript | Language::Tsx | Language::JavaScript)
}

/// The word of plain letters that a place is in.
fn word_around(source: &str, place: Range<usize>) -> Range<usize> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let bytes = source.as_bytes();
    let before = bytes[..place.start].iter().rev().take_while(|byte| is_part(byte)).count();
    let behind = bytes[place.end..].iter().take_while(|byte| is_part(byte)).count();
    place.start - before..place.end + behind
}

pub(super) fn flow(language: Language, source: &str) -> Flow {
    let may_access = may_access(language, source);
    let Some(tokens) = Tokens::new(language, source) else { return Flow::default() };
    let mut mentions = Vec::new();
    for token in 0..tokens.all.len() {
        match tokens.kind(token) {
            Some(TokenKind::Literal) => {
                mentions.extend(body(&tokens, token).map(|range| mention(&source[range])));
            }
            // A field of a class, an argument by keyword: any of them may become a key.
            Some(TokenKind::Word) if matches!(tokens.text(token + 1), ":" | "=" | "to") => {
                mentions.push(mention(tokens.text(token)));
            }
            _ => {}
        }
    }
    let (accesses, computes_keys) = if may_access { read(&tokens) } else { Default::default() };
    Flow::new(accesses, mentions, computes_keys)
}

/// The same without what it mentions.
pub(super) fn accesses(language: Language, source: &str) -> Flow {
    let Some(tokens) = Tokens::new(language, source) else { return Flow::default() };
    let (accesses, computes_keys) = read(&tokens);
    Flow { accesses, computes_keys, ..Flow::default() }
}

/// The accesses, and whether keys are computed.
fn read(tokens: &Tokens<'_>) -> (Vec<Access>, bool) {
    let inputs = input_maps(tokens);
    let mut reader =
        Reader { tokens, constants: None, inputs, accesses: BTreeMap::new(), computes_keys: false };
    for word in words_near(tokens) {
        reader.word(word);
    }
    (reader.accesses.into_values().collect(), reader.computes_keys)
}

/// The words of which one may be about a state or inputs, or more of them.
fn words_near(tokens: &Tokens<'_>) -> Vec<usize> {
    let all = || (0..tokens.all.len()).filter(|token| tokens.is_word(*token)).collect();
    // A map may have any name.
    if has_inputs(tokens.language) {
        return all();
    }
    let mut words = Vec::new();
    let is_open = state_gate().any(tokens.source, |place| {
        let next = tokens.at_or_after(place.start);
        let holds = |token: &usize| tokens.all[*token].range().end > place.start;
        let word = next.checked_sub(1).filter(holds).unwrap_or(next);
        if tokens.is_word(word) && words.last() != Some(&word) {
            words.push(word);
        }
        false
    });
    if is_open { all() } else { words }
}

pub(super) fn whole_strings(language: Language, source: &str, name: &str) -> Vec<Range<usize>> {
    let Some(tokens) = Tokens::new(language, source) else { return Vec::new() };
    let literals = (0..tokens.all.len()).filter(|token| tokens.is_literal(*token));
    let bodies = literals.filter_map(|token| body(&tokens, token));
    bodies.filter(|range| source[range.clone()] == *name).collect()
}

/// What a literal holds, if that may be a key. Written with escapes, nobody writes one.
pub(crate) fn body(tokens: &Tokens<'_>, literal: usize) -> Option<Range<usize>> {
    let range = tokens.all.get(literal)?.range();
    let written = &tokens.source[range.clone()];
    let prefix = written.find(['"', '\'', '`'])?;
    let quote = written[prefix..].chars().next()?;
    let inner = written[prefix..].trim_matches(quote);
    if inner.is_empty() || !is_key(inner) {
        return None;
    }
    let quotes = written[prefix..].len() - written[prefix..].trim_start_matches(quote).len();
    let start = range.start + prefix + quotes;
    Some(start..start + inner.len())
}

/// The variables that are handed to a run as its inputs: `run(inputs)`, `.inputs(inputs)`.
fn input_maps<'s>(tokens: &Tokens<'s>) -> HashSet<&'s str> {
    if !has_inputs(tokens.language) {
        return HashSet::new();
    }
    let is_handed = |token: &usize| {
        let token = *token;
        token >= 3
            && tokens.is_word(token)
            && tokens.text(token - 1) == "("
            && tokens.text(token + 1) == ")"
            && matches!(tokens.text(token - 2), "run" | "inputs")
            && tokens.text(token - 3) == "."
    };
    (0..tokens.all.len()).filter(is_handed).map(|token| tokens.text(token)).collect()
}

/// Whether there is a framework for a language whose runs have inputs.
fn has_inputs(language: Language) -> bool {
    matches!(language, Language::Java | Language::Kotlin)
}

/// A word without case and `_`.
fn plain(word: &str) -> String {
    word.chars().filter(|char| *char != '_').flat_map(char::to_lowercase).collect()
}

struct Reader<'t, 's> {
    tokens: &'t Tokens<'s>,
    /// The constants that are one key, by name; looked for when one is written in place of a key.
    constants: Option<HashMap<&'s str, Option<Range<usize>>>>,
    inputs: HashSet<&'s str>,
    /// By their starts.
    accesses: BTreeMap<usize, Access>,
    computes_keys: bool,
}

impl<'s> Reader<'_, 's> {
    /// What a word and what stands behind it say.
    fn word(&mut self, at: usize) {
        let word = self.tokens.text(at);
        // Nearly all words end here.
        let ends = |end: &str| {
            let start = word.len().checked_sub(end.len());
            let tail = start.and_then(|start| word.as_bytes().get(start..));
            tail.is_some_and(|tail| tail.eq_ignore_ascii_case(end.as_bytes()))
        };
        let is_near = ENDS.iter().any(|end| ends(end)) || self.inputs.contains(word);
        if !is_near && !matches!(word, "input" | "inputs" | "run") {
            return;
        }
        let word = plain(word);
        if word.ends_with(OUTPUT_KEY) {
            self.output_key(at);
        } else if STATES.contains(&word.as_str()) {
            self.state(at, AccessKind::StateKey);
        } else if self.inputs.contains(self.tokens.text(at)) {
            self.state(at, AccessKind::Input);
        } else if has_inputs(self.tokens.language) && self.text_before(at) == "." {
            match self.tokens.text(at) {
                "input" if self.tokens.text(at + 1) == "(" => {
                    self.key(at + 2, AccessKind::Input, true);
                }
                "inputs" | "run" if self.tokens.text(at + 1) == "(" => {
                    self.map_in(at + 1, AccessKind::Input, 0);
                }
                _ => {}
            }
        }
    }

    fn text_before(&self, at: usize) -> &'s str {
        at.checked_sub(1).map_or("", |before| self.tokens.text(before))
    }

    /// `output_key="plan"`, `outputKey: "plan"`, `.outputKey("plan")`, `OutputKey: Plan`
    fn output_key(&mut self, at: usize) {
        let sign = self.tokens.text(at + 1);
        if matches!(sign, "=" | ":" | "(") && self.tokens.text(at + 2) != "=" {
            self.key(at + 2, AccessKind::OutputKey, true);
        }
    }

    /// What is done with a state, or a map that becomes one.
    fn state(&mut self, at: usize, in_map: AccessKind) {
        let in_place = match in_map {
            AccessKind::StateKey => AccessKind::State,
            kind => kind,
        };
        // Of a method that gives the state, behind its brackets.
        let mut next = at + 1;
        if self.tokens.text(next) == "(" && self.tokens.partner(next) == Some(next + 1) {
            next += 2;
        }
        while matches!(self.tokens.text(next), "?" | "!" | "!!") {
            next += 1;
        }
        match self.tokens.text(next) {
            "[" => {
                let Some(close) = self.tokens.partner(next) else { return };
                let supplies = self.is_assigned(close + 1);
                if close == next + 2 && self.key(next + 1, in_place, supplies) {
                    return;
                }
                self.computes_keys |= supplies;
            }
            "." | "?." => {
                let (method, open) = (self.tokens.text(next + 1), next + 2);
                if self.tokens.text(open) != "(" {
                    return;
                }
                if let Some((_, supplies)) = METHODS.iter().find(|(name, _)| *name == method) {
                    let is_key = self.key(open + 1, in_place, *supplies);
                    self.computes_keys |= *supplies && !is_key;
                } else if TAKES_MAP.contains(&method) {
                    self.map_in(open, in_map, 0);
                    self.computes_keys |= self.is_from_elsewhere(open + 1, &[]);
                }
            }
            "=" | ":" | "(" | "|=" => self.map_behind(next, in_map),
            "|" if self.tokens.text(next + 1) == "=" => self.map_behind(next + 1, in_map),
            // A type between a name and its value, as in `Map<String, Object> state = …`, is before it.
            _ => {}
        }
    }

    /// Whether what ends before a token is given a value.
    fn is_assigned(&self, at: usize) -> bool {
        let is_sign = |token: usize| {
            matches!(self.tokens.text(token), "+" | "-" | "*" | "/" | "|" | "&" | "?" | "??" | "||")
        };
        match self.tokens.text(at) {
            "=" => self.tokens.text(at + 1) != "=",
            "+=" | "-=" | "*=" | "/=" | "|=" | "??=" | "||=" => true,
            _ => is_sign(at) && self.tokens.text(at + 1) == "=",
        }
    }

    /// Whether a name stands at a token whose map is written elsewhere. Maps of these names are
    /// known.
    fn is_from_elsewhere(&self, at: usize, known: &[&str]) -> bool {
        let mut last = at;
        while self.tokens.text(last + 1) == "." && self.tokens.is_word(last + 2) {
            last += 2;
        }
        let word = self.tokens.text(last);
        let is_known = MAKES_MAP.contains(&word) || known.contains(&plain(word).as_str());
        let ends = matches!(self.tokens.text(last + 1), "" | ")" | "," | "}" | "(" | ";");
        self.tokens.is_word(at) && !is_known && (ends || self.tokens.starts_line(last + 1))
    }

    /// The map that stands behind a sign, whatever is written about its type.
    fn map_behind(&mut self, sign: usize, kind: AccessKind) {
        if self.tokens.text(sign) == "(" {
            return self.map_in(sign, kind, 0);
        }
        // Behind a colon stands a type, where keys are no words; a state that is handed on is
        // written to somewhere.
        let is_type = self.tokens.text(sign) == ":" && !self.has_bare_keys();
        self.computes_keys |= !is_type && self.is_from_elsewhere(sign + 1, &STATES);
        let mut at = sign + 1;
        if self.tokens.text(sign) == ":"
            && self.tokens.starts_line(at)
            && self.tokens.text(at) != "{"
        {
            // A block, as in `if state:`.
            return;
        }
        for _ in 0..MAX_BEFORE_MAP {
            match self.tokens.text(at) {
                "{" => return self.entries(at, kind, 0),
                "(" => return self.map_in(at, kind, 0),
                "" | "," | ";" | ")" | "}" | "]" => return,
                "[" => at = self.tokens.next(at),
                _ => at += 1,
            }
            if self.tokens.starts_line(at) && self.tokens.text(at) != "{" {
                return;
            }
        }
    }

    /// The map in the brackets of a call, which may make a map of another one.
    fn map_in(&mut self, open: usize, kind: AccessKind, depth: usize) {
        let Some(close) = self.tokens.partner(open).filter(|_| depth < MAX_DEPTH) else { return };
        let callee = self.text_before(open);
        let is_in_turn = IN_TURN.contains(&callee);
        for (place, argument) in self.tokens.split(open + 1..close).into_iter().enumerate() {
            let start = argument.start;
            if is_in_turn {
                if place % 2 == 0 && argument.len() == 1 {
                    self.key(start, kind, true);
                }
                continue;
            }
            if self.tokens.text(start + 1) == "to" {
                self.key(start, kind, true);
            } else if self.tokens.text(start) == "{" {
                self.entries(start, kind, depth + 1);
            } else if callee == "dict" && self.tokens.text(start + 1) == "=" {
                self.bare_key(start, kind);
            } else if let Some(inner) = argument.clone().find(|at| self.tokens.text(*at) == "(") {
                self.map_in(inner, kind, depth + 1);
            } else if let Some(inner) = argument.clone().find(|at| self.tokens.text(*at) == "{") {
                self.entries(inner, kind, depth + 1);
            }
        }
    }

    /// The keys of a map in braces.
    fn entries(&mut self, open: usize, kind: AccessKind, depth: usize) {
        let Some(close) = self.tokens.partner(open).filter(|_| depth < MAX_DEPTH) else { return };
        for entry in self.tokens.split(open + 1..close) {
            let start = entry.start;
            let is_key = self.tokens.text(start + 1) == ":" || self.tokens.text(start + 1) == "to";
            if is_key && self.tokens.is_literal(start) {
                self.key(start, kind, true);
            } else if is_key && self.has_bare_keys() {
                self.bare_key(start, kind);
            } else if is_key {
                let is_known = self.key(start, kind, true);
                self.computes_keys |= !is_known;
            } else if entry.len() == 1 && self.has_bare_keys() {
                self.bare_key(start, kind);
            } else {
                // `**others`, `...others`, `[key]: value`
                self.computes_keys |= !entry.is_empty();
            }
        }
    }

    fn has_bare_keys(&self) -> bool {
        has_bare_keys(self.tokens.language)
    }

    fn bare_key(&mut self, at: usize, kind: AccessKind) {
        if self.tokens.is_word(at) && is_key(self.tokens.text(at)) {
            self.add(self.tokens.all[at].range(), kind, true);
        }
    }

    /// A key at a token: a literal, or a constant that is one. Whether there is one.
    fn key(&mut self, at: usize, kind: AccessKind, supplies: bool) -> bool {
        let range = if self.tokens.is_literal(at) {
            body(self.tokens, at)
        } else if self.tokens.is_word(at) {
            self.constant(at)
        } else {
            None
        };
        let Some(range) = range else { return false };
        self.add(range, kind, supplies);
        true
    }

    fn add(&mut self, range: Range<usize>, kind: AccessKind, supplies: bool) {
        let name = self.tokens.source[range.clone()].to_owned();
        // A constant may be written in many places; to give a value counts more than to take it.
        let access = self.accesses.entry(range.start);
        let access = access.or_insert(Access { name, range, kind, supplies: false });
        access.supplies |= supplies;
    }

    /// The key that the constant at a token is, by the last of its names.
    fn constant(&mut self, at: usize) -> Option<Range<usize>> {
        let mut last = at;
        while self.tokens.text(last + 1) == "." && self.tokens.is_word(last + 2) {
            last += 2;
        }
        let tokens = self.tokens;
        let constants = self.constants.get_or_insert_with(|| constants(tokens));
        constants.get(tokens.text(last)).cloned().flatten()
    }
}

/// All names that are given a key, and once: `PLAN = "plan"`.
pub(crate) fn constants<'s>(tokens: &Tokens<'s>) -> HashMap<&'s str, Option<Range<usize>>> {
    let mut constants = HashMap::new();
    for sign in 1..tokens.all.len() {
        if tokens.text(sign) != "=" || !tokens.is_word(sign - 1) {
            continue;
        }
        let is_alone =
            !tokens.is_literal(sign + 2) && !matches!(tokens.text(sign + 2), "+" | "." | "%");
        let key = body(tokens, sign + 1).filter(|_| tokens.is_literal(sign + 1) && is_alone);
        let name = tokens.text(sign - 1);
        constants.entry(name).and_modify(|known| *known = None).or_insert(key);
    }
    constants
}
