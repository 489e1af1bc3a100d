//! Names in code.
//!
//! The analysis uses only tokens: values of variables are unknown, except for a constant of the
//! same file that is used as a key.

mod artifacts;
mod constants;
mod elsewhere;
mod interpolated;
mod joined;
mod literal_value;
mod members;
mod output_keys;
mod prefixed;
mod syntax;
mod words;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use self::artifacts::is_method;
pub(crate) use self::constants::Constants;
use self::elsewhere::declared_names;
use self::interpolated::words_in_literals;
pub(crate) use self::literal_value::assigned;
use self::prefixed::PrefixedKey;
pub(crate) use self::syntax::body;
pub(super) use self::syntax::has_bare_keys;
use self::syntax::{computes, last_of_path, may_have_member, plain};
use self::words::{KeyWords, key_words};
use super::access::{
    Access, AccessKind, Flow, JoinedKey, KeyConstant, NamedAccess, is_key, mention,
};
use crate::code::{Tokens, crews};
use crate::gate::Gate;
use crate::language::Language;

/// The argument with the key for an agent's answer, in lower case and without `_`.
const OUTPUT_KEY: &str = "outputkey";

/// The usual names of a state, and of maps that initialize or change it; in lower case and without
/// `_`.
const STATES: [&str; 4] = ["state", "initialstate", "statedelta", "sessionstate"];

/// Words in the source form of these names: a part of them such as `output` is common in all code.
const OF_STATE: [&str; 9] = [
    "state",
    "State",
    "STATE",
    "utput_key",
    "utputKey",
    "utputkey",
    "UTPUT_KEY",
    "_artifact",
    "Artifact",
];

/// A method whose arguments are a key and its value, in lower case.
const UPDATE_STATE: &str = "updatestate";

/// The methods of a run that take inputs, in Java and Kotlin.
const OF_INPUTS: [&str; 2] = ["input", "run"];

/// A part of the methods in Python that run a crew: `kickoff(inputs={…})`, `kickoff_async(…)`.
const KICKOFF: &str = "kickoff";

/// The decorator of a method that may change the inputs of a run.
const BEFORE_KICKOFF: &str = "before_kickoff";

/// The argument of a kickoff with the inputs.
const INPUTS: &str = "inputs";

/// The suffixes of the names above.
const ENDS: [&str; 5] = ["key", "state", "delta", "artifact", "artifacts"];

/// The methods of a state whose first argument is a key; `true` for those that supply a value.
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

/// Words that create a map in place, or that are no map.
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

/// Functions of Python whose named arguments are entries of a map.
const NAMED_KEYS: [&str; 2] = ["dict", "update"];

/// Functions whose arguments alternate between keys and values.
const IN_TURN: [&str; 2] = ["of", "entry"];

/// The maximum distance between a name and the map assigned to it, in tokens.
const MAX_BEFORE_MAP: usize = 24;

/// The maximum number of tokens between several targets of an assignment and its sign.
const MAX_TARGETS: usize = 64;

/// The maximum depth of nested maps.
const MAX_DEPTH: usize = 4;

/// `true` if there may be an access: one of the names above occurs as a word, followed by a sign of
/// an access. Much code has a word for its state, and reading all of that would take long.
pub(super) fn may_access(language: Language, source: &str) -> bool {
    crews::may_be(language, source)
        || input_gate(language).any(source, |place| {
            let word = word_around(source, place);
            let name = plain(&source[word.clone()]);
            let behind = source[word.end..].trim_start();
            if STATES.contains(&name.as_str()) {
                let before = &source[..word.start];
                return may_be_of_state(language, behind)
                    || may_have_member(language, before, behind);
            }
            let is_called = || behind.starts_with(['(', '/', '#']);
            let is_input = || match words_of_inputs(language) {
                [KICKOFF] => name.contains(KICKOFF),
                words => !words.is_empty() && matches!(&*name, "run" | "input" | "inputs"),
            };
            let is_key =
                || behind.starts_with(['=', ':', '(', '/', '#']) && !behind.starts_with("==");
            name.ends_with(OUTPUT_KEY) && is_key()
                || (is_input() || name == UPDATE_STATE || is_method(&name)) && is_called()
        })
}

/// The gate for words of a state, and for those of inputs of a language.
fn input_gate(language: Language) -> &'static Gate {
    let gate = |of_inputs: &[&'static str]| Gate::new(OF_STATE.iter().chain(of_inputs).copied());
    static RUN: OnceLock<Gate> = OnceLock::new();
    static KICK: OnceLock<Gate> = OnceLock::new();
    match words_of_inputs(language) {
        [] => state_gate(),
        words @ [KICKOFF] => KICK.get_or_init(|| gate(words)),
        words => RUN.get_or_init(|| gate(words)),
    }
}

fn state_gate() -> &'static Gate {
    static STATE: LazyLock<Gate> = LazyLock::new(|| Gate::new(OF_STATE));
    &STATE
}

/// `true` if the text after a state may be an operation that [`FlowReader::state`] supports. A
/// comment may occur anywhere.
fn may_be_of_state(language: Language, behind: &str) -> bool {
    let marked = behind.trim_start_matches(|it: char| "?!".contains(it) || it.is_whitespace());
    let starts_comment = |text: &str| text.starts_with(['/', '#', '\\']);
    let mut rest = marked.chars();
    match rest.next() {
        Some('=') => {
            let is_comparison = behind.starts_with("!=") || rest.as_str().starts_with('=');
            !is_comparison && !is_no_map(rest.as_str())
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

/// `true` if a value is certainly no map, such as a text, and stands alone: state machines have
/// many such states.
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

/// The word of ASCII letters that contains a range.
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
    let found = if may_access { read(&tokens) } else { Flow::default() };
    let reads = certain_reads(&tokens, &found.accesses);
    let KeyWords { words, agents } = key_words(&tokens);
    let mut mentions = Vec::new();
    let mut prefixed = Vec::new();
    for token in 0..tokens.all.len() {
        prefixed.extend(PrefixedKey::at(&tokens, token));
        let may_set = tokens.is_literal(token)
            && !agents.contains(&token)
            && !crews::is_config_key(&tokens, token);
        let key = body(&tokens, token).filter(|range| may_set && !reads.contains(&range.start));
        mentions.extend(key.map(|range| mention(&source[range])));
    }
    mentions.extend(words.into_iter().map(|word| mention(tokens.text(word))));
    let constants = Constants::new(&tokens);
    let keys = prefixed.iter().flat_map(|key| key.values(source, &constants));
    mentions.extend(keys.map(|key| mention(&key)));
    let constants = constants.of_other_files(&tokens).into();
    Flow { constants, ..found.with_words(mentions, declared_in(&tokens)) }
}

/// The starts of the keys that the file certainly only reads from the state.
fn certain_reads(tokens: &Tokens<'_>, accesses: &[Access]) -> HashSet<usize> {
    let is_read = |access: &&Access| {
        if access.supplies || access.kind != AccessKind::State {
            return false;
        }
        // `state["a"], state["b"] = …` sets both.
        let close = tokens.at_or_after(access.range.end);
        tokens.text(close) != "]"
            || !matches!(tokens.text(close + 1), "," | ")" | "]")
            || !(close + 1..close + MAX_TARGETS)
                .take_while(|at| !tokens.starts_line(*at))
                .any(|at| tokens.text(at) == "=")
    };
    accesses.iter().filter(is_read).map(|access| access.range.start).collect()
}

/// Hashes of the names that a file declares as keys or maps of keys, and its constants.
pub(super) fn declarations(language: Language, source: &str) -> (Box<[u64]>, Box<[KeyConstant]>) {
    let Some(tokens) = Tokens::new(language, source) else { return Default::default() };
    let constants = Constants::new(&tokens).of_other_files(&tokens);
    (declared_in(&tokens).into(), constants.into())
}

fn declared_in(tokens: &Tokens<'_>) -> Vec<u64> {
    let names = declared_names(tokens).into_iter();
    names.filter(|(_, is_known)| *is_known).map(|(name, _)| mention(name)).collect()
}

/// `true` if a name is mentioned besides some ranges. Words that may become keys count, too.
pub(super) fn mentions_besides(
    language: Language,
    source: &str,
    name: &str,
    ranges: &[Range<usize>],
) -> bool {
    let Some(tokens) = Tokens::new(language, source) else { return true };
    let mut literals = (0..tokens.all.len()).filter(|token| tokens.is_literal(*token));
    let is_literal = literals.any(|token| {
        body(&tokens, token)
            .is_some_and(|range| source[range.clone()] == *name && !ranges.contains(&range))
    });
    is_literal || key_words(&tokens).words.into_iter().any(|word| tokens.text(word) == name)
}

/// The accesses without the mentions, which cost another pass over all tokens.
pub(super) fn accesses(language: Language, source: &str) -> Flow {
    Tokens::new(language, source).map_or_else(Flow::default, |tokens| read(&tokens))
}

/// All accesses in the tokens of a file, without mentions.
fn read(tokens: &Tokens<'_>) -> Flow {
    let mut reader = FlowReader { inputs: input_maps(tokens), ..FlowReader::new(tokens) };
    let in_literals = words_in_literals(tokens, input_gate(tokens.language));
    for word in words_near(tokens).into_iter().chain(in_literals) {
        reader.word(word);
    }
    Flow {
        accesses: reader.accesses.into_values().collect(),
        computes_keys: reader.computes_keys,
        computes_artifacts: reader.computes_artifacts,
        elsewhere: reader.elsewhere.into_iter().collect(),
        named: reader.named,
        joined: reader.joined,
        crews: crews::crews(tokens).into(),
        ..Flow::default()
    }
}

/// The words of which one may refer to a state or inputs.
fn words_near(tokens: &Tokens<'_>) -> Vec<usize> {
    let all = || (0..tokens.all.len()).filter(|token| tokens.is_word(*token)).collect();
    // A map of inputs may have any name.
    if words_of_inputs(tokens.language).iter().any(|word| tokens.source.contains(word)) {
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

/// The variables that are passed to a run as its inputs: `run(inputs)`, `.inputs(inputs)`,
/// `kickoff(inputs=values)`.
fn input_maps<'s>(tokens: &Tokens<'s>) -> HashSet<&'s str> {
    let words = words_of_inputs(tokens.language);
    if !words.iter().any(|word| tokens.source.contains(word)) {
        return HashSet::new();
    }
    if words == [KICKOFF] {
        let all = (0..tokens.all.len()).filter(|token| tokens.text(*token).contains(KICKOFF));
        let values = all.flat_map(|kickoff| kickoff_inputs(tokens, kickoff));
        let names = values.filter(|value| value.len() == 1 && tokens.is_word(value.start));
        let mut names: HashSet<&str> = names.map(|value| tokens.text(value.start)).collect();
        // `for row in rows: crew.kickoff(inputs=row)`
        let is_loop = |at: &usize| {
            tokens.text(*at) == "for"
                && names.contains(tokens.text(at + 1))
                && tokens.text(at + 2) == "in"
                && tokens.text(at + 4) == ":"
        };
        let lists: Vec<usize> = (0..tokens.all.len()).filter(is_loop).collect();
        names.extend(lists.into_iter().map(|at| tokens.text(at + 3)));
        return names;
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

/// The inputs in a call of a method that runs a crew: a map, or a list of maps.
fn kickoff_inputs(tokens: &Tokens<'_>, method: usize) -> Vec<Range<usize>> {
    let Some(close) = tokens.closer(method + 1, "(") else { return Vec::new() };
    let arguments = tokens.split(method + 2..close).into_iter();
    let is_inputs =
        |it: &Range<usize>| tokens.text(it.start) == INPUTS && tokens.text(it.start + 1) == "=";
    let values = arguments.filter(is_inputs).map(|it| it.start + 2..it.end);
    let items = values.flat_map(|value| match tokens.closer(value.start, "[") {
        Some(close) => tokens.split(value.start + 1..close),
        None => vec![value],
    });
    items.filter(|item| !item.is_empty()).collect()
}

/// Words of which code with inputs of a framework's runs has one; empty for languages without such
/// runs.
fn words_of_inputs(language: Language) -> &'static [&'static str] {
    match language {
        Language::Java | Language::Kotlin => &OF_INPUTS,
        Language::Python => &[KICKOFF],
        _ => &[],
    }
}

struct FlowReader<'t, 's> {
    tokens: &'t Tokens<'s>,
    /// The constants of the file; collected when one is used as a key.
    constants: Option<Constants<'s>>,
    inputs: HashSet<&'s str>,
    /// The accesses by their starts.
    accesses: BTreeMap<usize, Access>,
    computes_keys: bool,
    computes_artifacts: bool,
    /// The names of keys and maps that other code declares.
    elsewhere: BTreeSet<String>,
    /// The accesses by names of constants that other code declares.
    named: Vec<NamedAccess>,
    /// The keys that it sets and that are joined from parts.
    joined: Vec<JoinedKey>,
    /// The names that this file declares as keys; collected when a variable is used as one.
    declared: Option<HashMap<&'s str, bool>>,
    /// The first place of each word; collected when a variable is used as a key.
    first_places: Option<HashMap<&'s str, usize>>,
    /// `true` while declarations are read, in which all names are unknown.
    is_declaring: bool,
}

impl<'t, 's> FlowReader<'t, 's> {
    fn new(tokens: &'t Tokens<'s>) -> FlowReader<'t, 's> {
        FlowReader {
            tokens,
            constants: None,
            inputs: HashSet::new(),
            accesses: BTreeMap::new(),
            computes_keys: false,
            computes_artifacts: false,
            elsewhere: BTreeSet::new(),
            named: Vec::new(),
            joined: Vec::new(),
            declared: None,
            first_places: None,
            is_declaring: false,
        }
    }

    /// Reads the accesses of a word and the tokens after it.
    fn word(&mut self, at: usize) {
        let word = self.tokens.text(at);
        // Nearly all words return here.
        let ends = |end: &str| {
            let start = word.len().checked_sub(end.len());
            let tail = start.and_then(|start| word.as_bytes().get(start..));
            tail.is_some_and(|tail| tail.eq_ignore_ascii_case(end.as_bytes()))
        };
        let is_near = ENDS.iter().any(|end| ends(end)) || self.inputs.contains(word);
        if self.tokens.language == Language::Python && word.contains(KICKOFF) {
            self.computes_keys |= word == BEFORE_KICKOFF;
            for inputs in kickoff_inputs(self.tokens, at) {
                match self.tokens.text(inputs.start) {
                    "{" | "dict" => self.map_from(inputs.start, AccessKind::Input),
                    _ => self.unknown(inputs),
                }
            }
            return;
        }
        if !is_near && !matches!(word, "input" | "inputs" | "run") {
            return;
        }
        let word = plain(word);
        if word.ends_with(OUTPUT_KEY) {
            self.output_key(at);
        } else if STATES.contains(&word.as_str()) {
            self.state(at, AccessKind::StateKey);
        } else if is_method(&word) {
            self.artifact(at, &word);
        } else if word == UPDATE_STATE && self.tokens.text(at + 1) == "(" {
            self.method(at + 1, AccessKind::State, true);
        } else if self.inputs.contains(self.tokens.text(at)) {
            // `kickoff(inputs=inputs)` passes a map on, and sets no key.
            let is_argument = matches!(self.text_before(at), "(" | ",");
            if !(is_argument && self.tokens.text(at + 1) == "=") {
                self.state(at, AccessKind::Input);
            }
        } else if words_of_inputs(self.tokens.language) == OF_INPUTS && self.text_before(at) == "."
        {
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

    /// Reads an operation on a state, or a map that becomes one.
    fn state(&mut self, at: usize, in_map: AccessKind) {
        let in_place = match in_map {
            AccessKind::StateKey => AccessKind::State,
            kind => kind,
        };
        // For a method that returns the state, the position after its brackets.
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
                let is_key = close == self.end_of_constant(next + 1) + 1;
                if is_key && self.key(next + 1, in_place, supplies) {
                    return;
                }
                if supplies && !self.is_prefixed(next + 1, close) {
                    self.unknown(next + 1..close);
                }
            }
            "." | "?." => {
                let (method, open) = (self.tokens.text(next + 1), next + 2);
                if self.tokens.text(open) != "(" {
                    return self.member(at, next + 1);
                }
                if let Some((_, supplies)) = METHODS.iter().find(|(name, _)| *name == method) {
                    self.method(open, in_place, *supplies);
                } else if TAKES_MAP.contains(&method) {
                    self.map_in(open, in_map, 0);
                    if self.is_from_elsewhere(open + 1, &[]) {
                        self.unknown(open + 1..self.end_of(open + 1));
                    }
                }
            }
            "=" | ":" | "(" | "|=" => self.map_behind(next, in_map),
            "|" if self.tokens.text(next + 1) == "=" => self.map_behind(next + 1, in_map),
            // A type such as in `Map<String, Object> state = …` precedes the name, and is not
            // between name and value.
            _ => self.variables_of(at),
        }
    }

    /// Reads a method whose first argument is a key.
    fn method(&mut self, open: usize, kind: AccessKind, supplies: bool) {
        let close = self.tokens.partner(open).unwrap_or(open);
        let first = self.tokens.split(open + 1..close).into_iter().next();
        let key = first.unwrap_or(open + 1..close);
        let is_whole = key.end == self.end_of_constant(key.start) + 1;
        let is_key = is_whole && self.key(key.start, kind, supplies);
        if supplies && !is_key && !self.is_prefixed(key.start, key.end) {
            self.unknown(key);
        }
    }

    /// `true` if a value is assigned to the expression before a token.
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

    /// `true` if a token is a variable whose map is created elsewhere. Maps with these names are
    /// already read.
    fn is_from_elsewhere(&self, at: usize, known: &[&str]) -> bool {
        let at = if self.tokens.text(at) == "await" { at + 1 } else { at };
        let last = last_of_path(self.tokens, at);
        let word = self.tokens.text(last);
        let is_known = MAKES_MAP.contains(&word) || known.contains(&plain(word).as_str());
        let ends = matches!(self.tokens.text(last + 1), "" | ")" | "," | "}" | "(" | ";");
        self.tokens.is_word(at) && !is_known && (ends || self.tokens.starts_line(last + 1))
    }

    /// The map after a sign, regardless of type annotations.
    fn map_behind(&mut self, sign: usize, kind: AccessKind) {
        // After a colon is a type, in which words are not keys. A state that is passed on is
        // written somewhere else.
        let (language, text) = (self.tokens.language, self.tokens.text(sign));
        let is_type = match text {
            ":" => !self.has_bare_keys() && language != Language::Go,
            "(" => !matches!(language, Language::Java | Language::Kotlin),
            _ => false,
        };
        // Other maps of these languages are filled where they are declared.
        let has_types = matches!(language, Language::Java | Language::Kotlin | Language::Go);
        let is_own = has_types && text != "=" && self.declares(sign + 1);
        if !is_type && !is_own && self.is_from_elsewhere(sign + 1, &STATES) {
            self.unknown(sign + 1..self.end_of(sign + 1));
        }
        if self.tokens.text(sign) == "(" {
            return self.map_in(sign, kind, 0);
        }
        let at = sign + 1;
        if self.tokens.text(sign) == ":"
            && self.tokens.starts_line(at)
            && self.tokens.text(at) != "{"
        {
            // A block, as in `if state:`.
            return;
        }
        self.map_from(at, kind);
    }

    /// The map that starts at a token, or a few tokens later; in a list of inputs, each of them.
    fn map_from(&mut self, mut at: usize, kind: AccessKind) {
        let is_list = kind == AccessKind::Input && matches!(self.tokens.text(at + 1), "{" | "dict");
        if let Some(close) = self.tokens.closer(at, "[").filter(|_| is_list) {
            let items = self.tokens.split(at + 1..close).into_iter();
            for item in items.filter(|item| !item.is_empty()) {
                match self.tokens.text(item.start) {
                    "{" | "dict" => self.map_from(item.start, kind),
                    _ => self.unknown(item),
                }
            }
            return;
        }
        for _ in 0..MAX_BEFORE_MAP {
            match self.tokens.text(at) {
                "{" => return self.entries(at, kind, 0),
                "(" => return self.map_in(at, kind, 0),
                "" | "," | ";" | ")" | "}" | "]" => return,
                "[" => at = self.tokens.next(at),
                "<" => at = behind_types(self.tokens, at),
                _ => at += 1,
            }
            if self.tokens.starts_line(at) && self.tokens.text(at) != "{" {
                return;
            }
        }
    }

    /// The map in the brackets of a call, which may copy another map.
    fn map_in(&mut self, open: usize, kind: AccessKind, depth: usize) {
        let Some(close) = self.tokens.partner(open).filter(|_| depth < MAX_DEPTH) else { return };
        let callee = self.text_before(open);
        let is_in_turn = IN_TURN.contains(&callee);
        let has_named_keys =
            self.tokens.language == Language::Python && NAMED_KEYS.contains(&callee);
        for (place, argument) in self.tokens.split(open + 1..close).into_iter().enumerate() {
            let start = argument.start;
            if is_in_turn {
                if place % 2 == 0 {
                    self.key_of_entry(argument, kind);
                }
                continue;
            }
            if let Some(to) = self.pair_sign(&argument) {
                self.key_of_entry(start..to, kind);
            } else if self.tokens.text(start) == "{" {
                self.entries(start, kind, depth + 1);
            } else if has_named_keys && self.tokens.text(start + 1) == "=" {
                self.bare_key(start, kind);
            } else if has_named_keys
                && (self.tokens.text(start).starts_with('*')
                    || self.is_from_elsewhere(start, &STATES))
            {
                self.unknown(argument);
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
            let sign = last_of_path(self.tokens, start) + 1;
            let is_key = matches!(self.tokens.text(sign), ":" | "to");
            if is_key && self.tokens.is_literal(start) {
                self.key_of_entry(start..sign, kind);
            } else if is_key && self.has_bare_keys() {
                self.bare_key(start, kind);
            } else if is_key {
                if !self.key(start, kind, true) {
                    self.unknown(start..sign);
                }
            } else if entry.len() == 1 && self.has_bare_keys() {
                self.bare_key(start, kind);
            } else {
                // `[key]: value`, `PREFIX + "key": value`, `**others`, `...others`
                let sign =
                    || self.tokens.at_depth(entry.clone()).find(|at| self.tokens.text(*at) == ":");
                match self.tokens.closer(start, "[") {
                    Some(close) => self.unknown(start + 1..close),
                    None => self.unknown(start..sign().unwrap_or(entry.end)),
                }
            }
        }
    }

    /// The `to` of a pair in Kotlin.
    fn pair_sign(&self, pair: &Range<usize>) -> Option<usize> {
        let is_kotlin = self.tokens.language == Language::Kotlin;
        let mut signs = self.tokens.at_depth(pair.clone()).skip(1);
        signs.find(|at| is_kotlin && self.tokens.text(*at) == "to")
    }

    /// Reads the expression of the key in an entry of a map.
    fn key_of_entry(&mut self, expression: Range<usize>, kind: AccessKind) {
        let start = expression.start;
        let is_whole = expression.end == self.end_of_constant(start) + 1;
        if !(is_whole && self.key(start, kind, true)) && computes(self.tokens, expression.clone()) {
            self.unknown(expression);
        }
    }

    fn has_bare_keys(&self) -> bool {
        has_bare_keys(self.tokens.language)
    }

    fn bare_key(&mut self, at: usize, kind: AccessKind) {
        if self.tokens.is_word(at) && is_key(self.tokens.text(at)) {
            self.add(at, self.tokens.range(at..at + 1), kind, true);
        }
    }

    /// Reads a key at a token: a literal, or a constant; `false` if there is none.
    fn key(&mut self, at: usize, kind: AccessKind, supplies: bool) -> bool {
        let range = if self.tokens.is_literal(at) {
            body(self.tokens, at)
        } else if self.tokens.is_word(at) {
            self.constant(at)
        } else {
            None
        };
        match range.clone() {
            Some(range) => self.add(self.end_of_constant(at), range, kind, supplies),
            None if self.tokens.is_word(at) && supplies && self.set_joined(at) => return true,
            None if self.tokens.is_word(at) => self.note_named(at, kind, supplies),
            None => {}
        }
        range.is_some()
    }

    /// `true` if the tokens are a key whose prefix is known.
    fn is_prefixed(&mut self, start: usize, end: usize) -> bool {
        let tokens = self.tokens;
        let first = last_of_path(tokens, start);
        let last = if tokens.is_literal(first) { first } else { first + 2 };
        let Some(key) = PrefixedKey::at(tokens, first).filter(|_| last + 1 == end) else {
            return false;
        };
        let constants = self.constants.get_or_insert_with(|| Constants::new(tokens));
        key.value(tokens.source, constants).is_some()
    }

    /// Adds an access by the key at a token, which is written in a range.
    fn add(&mut self, at: usize, range: Range<usize>, kind: AccessKind, supplies: bool) {
        let name = Flow::name_of(kind, &self.tokens.source[range.clone()]);
        // A constant may be used in many places; supplying a value takes precedence over reading
        // it.
        let has_value = supplies && !matches!(kind, AccessKind::OutputKey | AccessKind::Artifact);
        let value = if has_value { assigned(self.tokens, at) } else { None };
        let access = self.accesses.entry(range.start);
        let access = access.or_insert(Access { name, range, kind, supplies: false, value: None });
        access.supplies |= supplies;
        access.value = access.value.take().or(value);
    }
}

/// The position after the types in `<…>`, which may have commas between them.
fn behind_types(tokens: &Tokens<'_>, open: usize) -> usize {
    let types = open..open + MAX_BEFORE_MAP;
    let close = types.into_iter().find(|at| matches!(tokens.text(*at), ">" | "(" | "" | ";"));
    close.filter(|at| tokens.text(*at) == ">").unwrap_or(open) + 1
}
