//! What waits for an opener whose closer is not in sight.

/// What lies between the braces round a waiting candidate and its closer.
///
/// Summed up for each segment, this tells an opener what waits for it megabytes
/// away without reading the text between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Horizon {
    /// The first byte that ends every candidate, and whether it may close one.
    pub end: Option<(usize, Closes)>,
    /// The first block tag; it ends placeholders, but not other block tags.
    pub tag: Option<usize>,
}

/// What the end of a candidate does for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closes {
    /// It may close a candidate: worth reading up to here.
    Perhaps,
    /// No candidate survives it.
    Never,
}

/// How many bytes behind a segment its [`Horizon`] may depend on.
pub(crate) const HORIZON_LOOKAHEAD: usize = 8;

impl Horizon {
    /// A horizon without block tags; `end` is the first byte that ends every candidate, and
    /// whether it may close one.
    pub fn of(end: Option<(usize, bool)>) -> Horizon {
        let closes = |closes| if closes { Closes::Perhaps } else { Closes::Never };
        Horizon { end: end.map(|(at, may_close)| (at, closes(may_close))), tag: None }
    }
}
