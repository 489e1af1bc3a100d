//! The difference between a file and the last version with readable prompts.

/// The difference between two texts: one range of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drift {
    start: usize,
    end_before: usize,
    end_now: usize,
}

impl Drift {
    /// The difference between two texts. Cost: their length.
    pub fn between(before: &[u8], now: &[u8]) -> Drift {
        let start = before.iter().zip(now).take_while(|(a, b)| a == b).count();
        let (rest_before, rest_now) = (&before[start..], &now[start..]);
        let both = rest_before.iter().rev().zip(rest_now.iter().rev());
        let same = both.take_while(|(a, b)| a == b).count();
        Drift { start, end_before: before.len() - same, end_now: now.len() - same }
    }

    /// The current offset for an earlier one; `None` if the text there was removed.
    pub fn now(&self, offset: usize) -> Option<usize> {
        let backwards = Drift { end_before: self.end_now, end_now: self.end_before, ..*self };
        backwards.before(offset)
    }

    /// The earlier offset for a current one; `None` if the text there is new.
    pub fn before(&self, offset: usize) -> Option<usize> {
        match offset {
            _ if offset <= self.start => Some(offset),
            _ if offset >= self.end_now => Some(offset - self.end_now + self.end_before),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_around_a_change_are_mapped() {
        let drift = Drift::between(b"abc def", b"abc xyz def");
        assert_eq!(drift.now(4), Some(4));
        assert_eq!(drift.now(7), Some(11));
        assert_eq!(drift.before(6), None);
        let removed = Drift::between(b"abc xyz def", b"abc def");
        assert_eq!(removed.now(6), None);
        assert_eq!(removed.before(7), Some(11));
    }
}
