//! Words of code that may become keys: class fields, attributes and keyword arguments.

use std::collections::HashSet;

use crate::code::Tokens;
use crate::language::Language;
use crate::token::TokenKind;

/// Functions of Python whose results have the variables around as keys.
const VARIABLES_AS_KEYS: [&str; 3] = ["locals", "vars", "globals"];

/// Words before the name of a function in its declaration.
const DECLARES: [&str; 2] = ["def", "fun"];

/// The argument with the name of an agent.
const NAME: &str = "name";

/// Methods of ADK with named arguments, which are no keys of a state in a file that imports ADK.
const OF_ADK: [&str; 4] = ["create_session", "get_session", "run_async", "run_live"];

/// The tokens of the words that may become keys: those before a colon or `=`. Arguments of agents and
/// of what the file imports from ADK are none, nor are parameters of Python and Kotlin, and in Python
/// also variables of functions and modules.
///
/// Cost: the tokens.
pub(super) fn key_words(tokens: &Tokens<'_>) -> KeyWords {
    let is_python = tokens.language == Language::Python;
    let mut blocks = PythonBlocks::default();
    let of_library = names_of_adk(tokens);
    let mut has_all = false;
    let mut brackets: Vec<Brackets> = Vec::new();
    // With `true` for those that are neither variables nor parameters.
    let mut words: Vec<(usize, bool)> = Vec::new();
    let mut agents = HashSet::new();
    for token in 0..tokens.all.len() {
        match tokens.kind(token) {
            Some(TokenKind::Open) => {
                brackets.push(Brackets::at(tokens, token, brackets.last(), &of_library));
            }
            Some(TokenKind::Close) => _ = brackets.pop(),
            _ if is_python && brackets.is_empty() && tokens.starts_line(token) => {
                blocks.start_line(tokens, token);
            }
            _ => {}
        }
        let before = token.checked_sub(1).map_or("", |before| tokens.text(before));
        if !tokens.is_word(token) {
            let is_name =
                matches!(before, "=" | ":") && token > 1 && tokens.text(token - 2) == NAME;
            if is_name && brackets.last() == Some(&Brackets::OfAdk) {
                agents.insert(token);
            }
            continue;
        }
        let is_parameter = brackets.last() == Some(&Brackets::OfParameters)
            && matches!(before, "(" | "," | "*" | "**");
        if is_parameter || matches!(tokens.text(token + 1), ":" | "=" | "to") {
            let is_field = blocks.is_class() && before != "class";
            words.push((
                token,
                match brackets.last() {
                    Some(brackets) => *brackets == Brackets::Other,
                    None => !is_python || before == "." || is_field,
                },
            ));
        }
        has_all = has_all || is_python && VARIABLES_AS_KEYS.contains(&tokens.text(token));
    }
    words.retain(|(_, is_key)| has_all || *is_key);
    KeyWords { words: words.into_iter().map(|(word, _)| word).collect(), agents }
}

/// Tokens that may become keys, and some that do not.
pub(super) struct KeyWords {
    /// The words that may become keys, in order.
    pub words: Vec<usize>,
    /// The names of agents, which set nothing.
    pub agents: HashSet<usize>,
}

/// What brackets have in them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Brackets {
    /// The parameters of a function.
    OfParameters,
    /// The arguments of an agent or of another function of ADK: `LlmAgent(name="plan", model="m")`,
    /// `new LlmAgent({name: "plan"})`.
    OfAdk,
    Other,
}

impl Brackets {
    /// Those that a token opens in other ones.
    fn at(
        tokens: &Tokens<'_>,
        open: usize,
        around: Option<&Brackets>,
        of_library: &HashSet<&str>,
    ) -> Brackets {
        let before = open.checked_sub(1).map_or("", |before| tokens.text(before));
        let is_of_adk = || {
            let first = first_of_path(tokens, open.saturating_sub(1));
            before.ends_with("Agent")
                || !of_library.is_empty() && OF_ADK.contains(&before)
                || of_library.contains(tokens.text(first))
        };
        let is_object = before == "(" && tokens.text(open) == "{";
        if has_parameters(tokens, open) {
            Brackets::OfParameters
        } else if tokens.text(open) == "(" && is_of_adk()
            || is_object && around == Some(&Brackets::OfAdk)
        {
            Brackets::OfAdk
        } else {
            Brackets::Other
        }
    }
}

/// The names that a file imports from ADK and its client of models: `from google.genai import types`,
/// `import {Runner} from '@google/adk'`.
fn names_of_adk<'s>(tokens: &Tokens<'s>) -> HashSet<&'s str> {
    let mut names = HashSet::new();
    if !tokens.source.contains("google") {
        return names;
    }
    let is_head = |token: &usize| matches!(tokens.text(*token), "from" | "import");
    let heads = (0..tokens.all.len()).filter(is_head).filter(|token| tokens.starts_line(*token));
    for start in heads {
        let list = match (tokens.text(start), tokens.text(start + 1)) {
            ("from", "google") => {
                let mut path = start + 1..tokens.all.len();
                let import =
                    path.find(|at| tokens.text(*at) == "import" || tokens.starts_line(*at));
                import.filter(|at| tokens.text(*at) == "import").map(|import| {
                    let mut behind = import + 2..tokens.all.len();
                    let line = || behind.find(|at| tokens.starts_line(*at));
                    let end = tokens.closer(import + 1, "(").or_else(line);
                    import + 1..end.unwrap_or(tokens.all.len())
                })
            }
            ("import", "{") => tokens
                .partner(start + 1)
                .filter(|close| {
                    tokens.text(close + 1) == "from" && tokens.text(close + 2).contains("@google/")
                })
                .map(|close| start + 2..close),
            _ => None,
        };
        names.extend(
            list.into_iter().flatten().filter(|at| tokens.is_word(*at)).map(|at| tokens.text(at)),
        );
    }
    names
}

/// The first token of a path such as `types.Content`, from its last one.
fn first_of_path(tokens: &Tokens<'_>, last: usize) -> usize {
    let mut first = last;
    while first > 2 && tokens.text(first - 1) == "." {
        first -= 2;
    }
    first
}

/// `true` for the bracket of the parameters of `def name(` and `fun Type.name(`.
fn has_parameters(tokens: &Tokens<'_>, open: usize) -> bool {
    let name = first_of_path(tokens, open.saturating_sub(1));
    tokens.text(open) == "(" && name > 0 && DECLARES.contains(&tokens.text(name - 1))
}

/// The classes and functions around a line of Python.
#[derive(Default)]
struct PythonBlocks {
    /// The indentation of each header, and `true` for a class.
    open: Vec<(usize, bool)>,
}

impl PythonBlocks {
    /// Adds the line that starts with a token, in order.
    fn start_line(&mut self, tokens: &Tokens<'_>, token: usize) {
        let start = tokens.all[token].range().start;
        let line = tokens.source[..start].rfind('\n').map_or(0, |end| end + 1);
        let indentation = start - line;
        while self.open.last().is_some_and(|(header, _)| *header >= indentation) {
            self.open.pop();
        }
        let word = tokens.text(token);
        if matches!(word, "class" | "def" | "async") {
            self.open.push((indentation, word == "class"));
        }
    }

    /// `true` between the fields of a class.
    fn is_class(&self) -> bool {
        self.open.last().is_some_and(|(_, is_class)| *is_class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_keywords_are_key_words_variables_and_parameters_are_not() {
        let words = |language: Language, code: &str| {
            let tokens = Tokens::new(language, code).expect("it is short");
            let words = key_words(&tokens).words.into_iter();
            words.map(|word| tokens.text(word)).collect::<Vec<_>>().join(" ")
        };
        let python = "a = 1\nclass C:\n  b: str\n  c = f(d=1)\n  def m(self, e: int):\n    g = {h: 1}\n    \
            i, j = k\n    r.s = t\n  l = 1\nfor m in n:\n  o = p(\n    q=1)\n";
        assert_eq!(words(Language::Python, python), "b c d h s l q");
        let with_all = format!("{python}x(**locals())");
        assert_eq!(words(Language::Python, &with_all), "a C b c d self e g h j s l n o q");
        assert_eq!(words(Language::Python, "def f(a, b=1, *c):\n  g(locals())"), "a b c");
        assert_eq!(words(Language::Python, "LlmAgent(a=1, b={c: f(d=1)}, **e(f=1))"), "c d f");
        let imported = "from google.adk import (\n  Runner,\n)\nfrom google.genai import types as t\n\
            Runner(a=1, b=t.Content(c=1, d={e: 1}))\nf(g=1)\nx.run_async(h=1)\ny.Runner(i=1)";
        assert_eq!(words(Language::Python, imported), "e g i");
        assert_eq!(words(Language::Python, "own.run_async(h=1)"), "h");
        assert_eq!(words(Language::TypeScript, "new LlmAgent({a: 1, b: {c: 1}})"), "c");
        let imported = "import {Runner} from '@google/adk'\nnew Runner({a: 1, b: {c: 1}})";
        assert_eq!(words(Language::TypeScript, imported), "c");
        assert_eq!(words(Language::Java, "class C { String a = b; }"), "a");
        let kotlin =
            "class C(val a: Int)\nfun D.e(f: Int = g(h = 1)) {\n  val i = 1\n}\nfun j(k: Int) = 1";
        assert_eq!(words(Language::Kotlin, kotlin), "a h i");
    }
}
