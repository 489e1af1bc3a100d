//! Tokens: the units of text that models process, count and charge for.
//!
//! The vocabularies are part of the program. One is unpacked on first use, which takes about a
//! tenth of a second. So tokens are counted in a thread and only when necessary.
//!
//! A text is split once for all callers. A token belongs to the run with its middle byte, because
//! most words are one token together with the space before them. Without a budget, only
//! `promptls/size` and `promptls preview` count tokens. A text with fewer bytes than its budget is
//! not even split.
//!
//! The crate was chosen by its worst case, its size and its correctness. `bpe-openai` is linear,
//! but adds 47 MB of tables for these two encodings and 45 s of build time. `tiktoken-rs` panics at
//! a million spaces. `tiktoken` takes 4 ms for a megabyte of prose, 0.35 s for the worst known
//! megabyte (those spaces), and 10 s to build. It splits 400,000 random texts of unusual characters
//! exactly as `bpe-openai` does.

use std::collections::VecDeque;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use tiktoken::CoreBpe;

/// A way to split text into tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TokenEncoding {
    /// The encoding of GPT-4o and later models.
    #[default]
    O200kBase,
    /// The encoding of GPT-4 and GPT-3.5.
    Cl100kBase,
}

impl TokenEncoding {
    /// All encodings, the default first.
    pub const ALL: [TokenEncoding; 2] = [TokenEncoding::O200kBase, TokenEncoding::Cl100kBase];

    /// The common name of the encoding, also used in `promptls.toml`.
    pub const fn id(self) -> &'static str {
        match self {
            TokenEncoding::O200kBase => "o200k_base",
            TokenEncoding::Cl100kBase => "cl100k_base",
        }
    }

    /// The models that use it, for the user.
    pub const fn models(self) -> &'static str {
        match self {
            TokenEncoding::O200kBase => "GPT-4o and later; close to what other models count",
            TokenEncoding::Cl100kBase => "GPT-4 and GPT-3.5",
        }
    }

    /// The encoding with this [`TokenEncoding::id`].
    pub fn from_id(id: &str) -> Option<TokenEncoding> {
        TokenEncoding::ALL.into_iter().find(|encoding| encoding.id() == id)
    }

    /// Splits a text. Text that looks like a special token is normal text.
    ///
    /// Cost: about 5 ms per megabyte of prose; 0.4 s for the worst known text, a single repeated
    /// character. For a recently split text, a scan of its bytes.
    pub fn split(self, text: &str) -> Tokens {
        if text.len() < WORTH_KEEPING {
            return self.split_again(text);
        }
        let key = TextKey { encoding: self, len: text.len(), hash: HASHER.hash_one(text) };
        if let Some(known) = lately().get(key) {
            return known;
        }
        let tokens = self.split_again(text);
        lately().add(key, tokens.clone());
        tokens
    }

    fn split_again(self, text: &str) -> Tokens {
        let vocabulary = self.vocabulary();
        let mut end = 0;
        let ends = vocabulary.encode(text).into_iter().map(|token| {
            end += vocabulary.decode(&[token]).len();
            u32::try_from(end).unwrap_or(u32::MAX)
        });
        Tokens { ends: ends.collect() }
    }

    fn vocabulary(self) -> &'static CoreBpe {
        tiktoken::get_encoding(self.id()).expect("the vocabulary is built in")
    }
}

/// A text as tokens; clones share the list.
#[derive(Clone, Debug)]
pub struct Tokens {
    /// The end of each token, in bytes. No token is empty, but one may end inside a character.
    ends: Arc<[u32]>,
}

impl Tokens {
    /// The number of tokens, in constant time.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// The number of tokens that end before an offset.
    pub fn before(&self, offset: usize) -> usize {
        self.ends.partition_point(|&end| end as usize <= offset)
    }

    /// The number of tokens with their middle byte before an offset.
    pub fn middled_before(&self, offset: usize) -> usize {
        let whole = self.before(offset);
        let start = whole.checked_sub(1).map_or(0, |last| self.ends[last] as usize);
        let is_next = self.ends.get(whole).is_some_and(|&end| (start + end as usize) / 2 < offset);
        whole + usize::from(is_next)
    }
}

/// The minimum length of a cached text, in bytes. Splitting a shorter one is faster than finding
/// it.
const WORTH_KEEPING: usize = 1024;

/// The maximum number of cached tokens: a list of 16 MB at most.
const MOST_KEPT: usize = 4 << 20;

/// Identifies a text. Two texts with the same length and hash would be confused, which does not
/// happen by chance.
#[derive(Clone, Copy, PartialEq, Eq)]
struct TextKey {
    encoding: TokenEncoding,
    len: usize,
    hash: u64,
}

/// Recently split texts: several features need the same text after each keystroke, and most cases
/// do not change.
#[derive(Default)]
struct Lately {
    /// The most recent one is last.
    texts: VecDeque<(TextKey, Tokens)>,
    kept: usize,
}

impl Lately {
    fn get(&mut self, key: TextKey) -> Option<Tokens> {
        let index = self.texts.iter().position(|(known, _)| *known == key)?;
        let found = self.texts.remove(index)?;
        let tokens = found.1.clone();
        self.texts.push_back(found);
        Some(tokens)
    }

    fn add(&mut self, key: TextKey, tokens: Tokens) {
        self.kept += tokens.count();
        self.texts.push_back((key, tokens));
        while self.kept > MOST_KEPT
            && let Some((_, oldest)) = self.texts.pop_front()
        {
            self.kept -= oldest.count();
        }
    }
}

static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::new);
static LATELY: LazyLock<Mutex<Lately>> = LazyLock::new(Mutex::default);

fn lately() -> std::sync::MutexGuard<'static, Lately> {
    LATELY.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(encoding: TokenEncoding, text: &str) -> Vec<String> {
        let tokens = encoding.split(text);
        let mut start = 0;
        let piece = |&end: &u32| {
            let bytes = &text.as_bytes()[start..end as usize];
            start = end as usize;
            String::from_utf8_lossy(bytes).into_owned()
        };
        tokens.ends.iter().map(piece).collect()
    }

    #[test]
    fn text_is_split_as_models_split_it() {
        let o200k = |text| pieces(TokenEncoding::O200kBase, text);
        assert_eq!(o200k(""), [""; 0]);
        assert_eq!(o200k("tiktoken is great!"), ["t", "ikt", "oken", " is", " great", "!"]);
        assert_eq!(o200k("お誕生日おめでとう").len(), 8);
        // Not the token that ends a text.
        assert_eq!(o200k("<|endoftext|>").len(), 7);
        let cl100k = |text| pieces(TokenEncoding::Cl100kBase, text);
        assert_eq!(cl100k("antidisestablishmentarianism").len(), 6);
        assert_eq!(cl100k("お誕生日おめでとう").len(), 9);
    }

    #[test]
    fn tokens_are_counted_up_to_an_offset() {
        // A flag has eight bytes and more than one token, so some end inside a character.
        let tokens = TokenEncoding::O200kBase.split("a 🇨🇿");
        let ends: Vec<usize> = tokens.ends.iter().map(|&end| end as usize).collect();
        assert_eq!((ends[0], ends[ends.len() - 1]), (1, 10));
        assert_eq!([0, 1, 2, 10].map(|at| tokens.before(at)), [0, 1, 1, ends.len()]);
        assert_eq!([0, 1, 2, 10].map(|at| tokens.middled_before(at)), [0, 1, 1, ends.len()]);
        // " Ada" belongs to the range that contains its `d`.
        let tokens = TokenEncoding::O200kBase.split("Dear Ada");
        assert_eq!([5, 6, 7].map(|at| tokens.middled_before(at)), [1, 1, 2]);
    }

    #[test]
    fn recent_splits_are_cached_up_to_a_limit() {
        let text = "one of these ".repeat(200);
        let encoding = TokenEncoding::Cl100kBase;
        let first = encoding.split(&text);
        assert!(Arc::ptr_eq(&first.ends, &encoding.split(&text).ends));
        let mut lately = Lately::default();
        let key = |len| TextKey { encoding, len, hash: 0 };
        let half = Tokens { ends: vec![1; MOST_KEPT / 2].into() };
        lately.add(key(1), half.clone());
        lately.add(key(2), half.clone());
        assert!(lately.get(key(1)).is_some());
        lately.add(key(3), half);
        assert_eq!([1, 2, 3].map(|len| lately.get(key(len)).is_some()), [true, false, true]);
        assert_eq!(lately.kept, MOST_KEPT);
    }
}
