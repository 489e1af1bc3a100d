//! The text ahead of an opener whose closer is not in the window.

/// A summary of the text that may end a waiting candidate.
///
/// Computed for each segment, it determines what ends an opener megabytes away, without reading the
/// text between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Horizon {
    /// The first byte that ends every candidate, and whether it may close one.
    pub end: Option<(usize, Closes)>,
    /// The first block tag; it ends placeholders, but not other block tags.
    pub tag: Option<usize>,
}

/// The effect of an end on a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closes {
    /// It may close a candidate: the text up to here must be read.
    Perhaps,
    /// It ends a candidate without closing it.
    Never,
}

/// The number of bytes after a segment that its [`Horizon`] may depend on.
pub(crate) const HORIZON_LOOKAHEAD: usize = 8;

impl Horizon {
    /// A horizon without block tags; `end` is the first byte that ends every candidate, and `true`
    /// if it may close one.
    pub fn of(end: Option<(usize, bool)>) -> Horizon {
        let closes = |closes| if closes { Closes::Perhaps } else { Closes::Never };
        Horizon { end: end.map(|(at, may_close)| (at, closes(may_close))), tag: None }
    }
}
