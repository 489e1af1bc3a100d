//! Random mutations of the texts in a corpus.
//!
//! The files of `corpora/` define the texts to mutate, and contain earlier findings. A target gets
//! them unchanged ([`Corpus::each`]), and as many mutated ones as its engine generates: a few under
//! `cargo test`, millions under a coverage-guided fuzzer.

use std::collections::BTreeMap;
use std::fmt::{self, Debug, Formatter};
use std::ops::Range;
use std::path::Path;

use bolero::{Driver, ValueGenerator};

/// The number of texts for a target under `cargo test`: enough to notice frequent bugs. For rare
/// bugs, set `BOLERO_RANDOM_ITERATIONS`.
pub const EXECUTIONS: usize = 2_000;

/// The texts to mutate, and the pieces to insert.
#[derive(Clone, Debug)]
pub struct Corpus {
    texts: BTreeMap<String, Vec<u8>>,
    pieces: &'static [&'static str],
}

impl Corpus {
    /// The files of a folder in `corpora/`, and pieces with a meaning for their parser.
    ///
    /// # Panics
    ///
    /// If the folder does not exist or is empty.
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

    /// The same with more texts to mutate.
    pub fn and(mut self, texts: impl IntoIterator<Item = String>) -> Corpus {
        let named = texts.into_iter().enumerate();
        self.texts.extend(named.map(|(number, text)| (format!("{number}"), text.into_bytes())));
        self
    }

    /// Calls a function with each unchanged text.
    pub fn each(&self, mut try_it: impl FnMut(&str)) {
        self.each_file(|bytes| try_it(&String::from_utf8_lossy(bytes)));
    }

    /// Bytes of one of the texts with a few mutations.
    pub fn bytes(self) -> impl ValueGenerator<Output = Bytes> {
        self.changed().map_gen(Bytes)
    }

    /// The same as text: invalid UTF-8 becomes U+FFFD, as when promptls reads bytes.
    pub fn text(self) -> impl ValueGenerator<Output = String> {
        self.changed().map_gen(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Bytes of which a few are overwritten, for formats that address their parts by offsets.
    pub fn overwritten(self) -> impl ValueGenerator<Output = Bytes> {
        Overwritten { files: self.texts.into_values().collect() }.map_gen(Bytes)
    }

    /// Calls a function with each unchanged file.
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

/// Bytes that are formatted as text.
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

/// Longer texts are truncated: length has separate tests, and would only slow down all others.
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

/// Bytes that parsers may interpret as an end, a sign or a length.
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
    // Usually a short one, so that some of the text remains.
    let longest = if driver.produce()? { 8 } else { len };
    let end = start + (0..=longest.min(len - start)).generate(driver)?;
    Some(start..end)
}
