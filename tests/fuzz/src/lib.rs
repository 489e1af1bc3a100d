//! Texts that nobody would write: those of a corpus, changed at random.
//!
//! The files of `corpora/` say what is worth changing, and hold what was found once. A target is
//! told of them as they are ([`Corpus::each`]), and of as many changed ones as its engine likes:
//! a few under `cargo test`, millions under a fuzzer that watches which branches they reach.

use std::collections::BTreeMap;
use std::fmt::{self, Debug, Formatter};
use std::ops::Range;
use std::path::Path;

use bolero::{Driver, ValueGenerator};

/// How many texts a target gets under `cargo test`: enough to notice what is broken at large. Who
/// looks for what is broken in one of a million sets `BOLERO_RANDOM_ITERATIONS`.
pub const EXECUTIONS: usize = 2_000;

/// What is changed, and what is put into it.
#[derive(Clone, Debug)]
pub struct Corpus {
    texts: BTreeMap<String, Vec<u8>>,
    pieces: &'static [&'static str],
}

impl Corpus {
    /// The files of a folder in `corpora/`, and pieces that mean something to their reader.
    ///
    /// # Panics
    ///
    /// Where there is no such folder, or nothing in it.
    pub fn of(folder: &str, pieces: &'static [&'static str]) -> Corpus {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora").join(folder);
        let files = std::fs::read_dir(&folder).expect("the corpus is there");
        let text = |file: std::io::Result<std::fs::DirEntry>| {
            let path = file.expect("it can be listed").path();
            let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
            (name, std::fs::read(&path).expect("it can be read"))
        };
        let texts: BTreeMap<_, _> = files.map(text).collect();
        assert!(!texts.is_empty(), "{} is empty", folder.display());
        Corpus { texts, pieces }
    }

    /// The same with more texts to change.
    pub fn and(mut self, texts: impl IntoIterator<Item = String>) -> Corpus {
        let named = texts.into_iter().enumerate();
        self.texts.extend(named.map(|(number, text)| (format!("{number}"), text.into_bytes())));
        self
    }

    /// Each text as it is.
    pub fn each(&self, mut try_it: impl FnMut(&str)) {
        self.each_file(|bytes| try_it(&String::from_utf8_lossy(bytes)));
    }

    /// Bytes that are one of the texts but for a few changes.
    pub fn bytes(self) -> impl ValueGenerator<Output = Bytes> {
        self.changed().map_gen(Bytes)
    }

    /// The same as text: what is no character becomes U+FFFD, as in whatever reads bytes for us.
    pub fn text(self) -> impl ValueGenerator<Output = String> {
        self.changed().map_gen(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Bytes of which a few have other values, for formats that address their parts by offsets.
    pub fn overwritten(self) -> impl ValueGenerator<Output = Bytes> {
        Overwritten { files: self.texts.into_values().collect() }.map_gen(Bytes)
    }

    /// Each file as it is.
    #[expect(clippy::print_stdout, reason = "shown when a test fails, and says with which file")]
    pub fn each_file(&self, mut try_it: impl FnMut(&[u8])) {
        for (name, bytes) in &self.texts {
            println!("corpus: {name}");
            try_it(bytes);
        }
    }

    fn changed(self) -> Changed {
        Changed { texts: self.texts.into_values().collect(), pieces: self.pieces }
    }
}

/// Bytes that are shown as text.
#[derive(Clone)]
pub struct Bytes(pub Vec<u8>);

impl Debug for Bytes {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "b\"{}\"", self.0.escape_ascii())
    }
}

struct Changed {
    texts: Vec<Vec<u8>>,
    pieces: &'static [&'static str],
}

/// What is longer is cut off: length has tests of its own, and would only make all others slow.
const MAX_LEN: usize = 2048;

impl ValueGenerator for Changed {
    type Output = Vec<u8>;

    fn generate<D: Driver>(&self, driver: &mut D) -> Option<Vec<u8>> {
        let mut text = self.any_text(driver)?.clone();
        for _ in 0..(0..8usize).generate(driver)? {
            let range = any_range(text.len(), driver)?;
            let start = range.start;
            match (0..6u8).generate(driver)? {
                0 => drop(text.drain(range)),
                1 => text.splice(start..start, text[range.clone()].to_vec()).for_each(drop),
                2 => {
                    let other = self.any_text(driver)?;
                    let part = any_range(other.len(), driver)?;
                    text.splice(start..start, other[part].iter().copied()).for_each(drop);
                }
                3 => text.insert(start, driver.produce::<u8>()?),
                _ => {
                    let piece = self.pieces[(0..self.pieces.len()).generate(driver)?];
                    text.splice(start..start, piece.bytes()).for_each(drop);
                }
            }
        }
        text.truncate(MAX_LEN);
        Some(text)
    }
}

struct Overwritten {
    files: Vec<Vec<u8>>,
}

/// Bytes that readers take for an end, a sign or a length.
const EDGES: [u8; 6] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF];

impl ValueGenerator for Overwritten {
    type Output = Vec<u8>;

    fn generate<D: Driver>(&self, driver: &mut D) -> Option<Vec<u8>> {
        let mut bytes = self.files[(0..self.files.len()).generate(driver)?].clone();
        for _ in 0..(1..4usize).generate(driver)? {
            let at = (0..bytes.len()).generate(driver)?;
            bytes[at] = match (0..3u8).generate(driver)? {
                0 => driver.produce()?,
                1 => bytes[at] ^ (1 << (0..8u8).generate(driver)?),
                _ => EDGES[(0..EDGES.len()).generate(driver)?],
            };
        }
        Some(bytes)
    }
}

impl Changed {
    fn any_text<D: Driver>(&self, driver: &mut D) -> Option<&Vec<u8>> {
        Some(&self.texts[(0..self.texts.len()).generate(driver)?])
    }
}

fn any_range<D: Driver>(len: usize, driver: &mut D) -> Option<Range<usize>> {
    let start = (0..=len).generate(driver)?;
    // Mostly a short one, so that something is left of the text.
    let longest = if driver.produce()? { 8 } else { len };
    let end = start + (0..=longest.min(len - start)).generate(driver)?;
    Some(start..end)
}
