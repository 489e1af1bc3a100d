//! Indentation of lines.

/// The style of indentation, which formatting keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indentation {
    /// This number of spaces per level.
    Blanks(usize),
    /// One tab character per level.
    Tabs,
}

impl Indentation {
    /// The indentation of a text: that of its first indented line; two spaces if there is none.
    pub fn of(text: &str) -> Indentation {
        let blanks = |line: &str| line.len() - line.trim_start_matches(' ').len();
        let first =
            text.lines().find(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty());
        match first {
            Some(line) if line.starts_with('\t') => Indentation::Tabs,
            Some(line) => Indentation::Blanks(blanks(line)),
            None => Indentation::Blanks(2),
        }
    }

    /// The whitespace at the start of a line at a level.
    pub fn written(self, level: usize) -> String {
        match self {
            Indentation::Blanks(width) => " ".repeat(width * level),
            Indentation::Tabs => "\t".repeat(level),
        }
    }
}
