//! How far lines are moved in.

/// How lines are indented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indentation {
    /// By so many blanks for each level.
    Blanks(usize),
    /// By a tab for each level.
    Tabs,
}

impl Indentation {
    /// How a text is indented already: as its first line that is; by two blanks where none is.
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

    /// What stands before a line at a level.
    pub fn written(self, level: usize) -> String {
        match self {
            Indentation::Blanks(width) => " ".repeat(width * level),
            Indentation::Tabs => "\t".repeat(level),
        }
    }
}
