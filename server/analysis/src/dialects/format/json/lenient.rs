//! JSON as examples in prompts have it: with placeholders, comments, `...` and words for values.

use memchr::memchr2;

/// `true` if a text is exactly one object that begins with a key.
///
/// `placeholder` returns the end of the placeholder at a brace.
pub(crate) fn is_lenient(text: &str, placeholder: impl Fn(usize) -> Option<usize>) -> bool {
    let mut reader = Reader { text, at: 0, depth: 0, placeholder };
    reader.object(true).is_some() && reader.at == text.len()
}

/// The nesting of values. Examples in prompts have two or three levels.
const MAX_DEPTH: usize = 64;

struct Reader<'t, P> {
    text: &'t str,
    at: usize,
    depth: usize,
    placeholder: P,
}

// Each method returns `None` if the text is no such construct; the position is then meaningless.
impl<P: Fn(usize) -> Option<usize>> Reader<'_, P> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn take(&mut self, literal: &str) -> bool {
        let is_next = self.rest().starts_with(literal);
        self.at += if is_next { literal.len() } else { 0 };
        is_next
    }

    /// Skips whitespace and comments. A comment with doubled braces is not certain.
    fn blanks(&mut self) -> Option<()> {
        loop {
            self.at = self.text.len() - self.rest().trim_start().len();
            if !self.rest().starts_with("//") {
                return Some(());
            }
            let comment = self.rest().split('\n').next().unwrap_or_default();
            if has_doubled(comment) {
                return None;
            }
            self.at += comment.len();
        }
    }

    fn object(&mut self, needs_key: bool) -> Option<()> {
        self.take("{").then_some(())?;
        self.blanks()?;
        if needs_key && !self.rest().starts_with('"') {
            return None;
        }
        self.items("}", |reader| {
            if reader.take("...") {
                return Some(());
            }
            reader.string()?;
            reader.blanks()?;
            reader.take(":").then_some(())?;
            reader.value()
        })
    }

    /// Items separated by commas, up to a closing bracket.
    fn items(&mut self, close: &str, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        loop {
            self.blanks()?;
            if self.take(close) {
                self.depth -= 1;
                return Some(());
            }
            item(self)?;
            self.blanks()?;
            if !self.take(",") && !self.rest().starts_with(close) {
                return None;
            }
        }
    }

    /// A value, or several joined by `|`.
    fn value(&mut self) -> Option<()> {
        loop {
            self.blanks()?;
            self.single_value()?;
            self.blanks()?;
            if !self.take("|") {
                return Some(());
            }
        }
    }

    fn single_value(&mut self) -> Option<()> {
        let is_brace = self.rest().starts_with('{');
        if let Some(end) = is_brace.then(|| (self.placeholder)(self.at)).flatten() {
            self.at = end;
            return Some(());
        }
        match self.rest().bytes().next()? {
            b'{' => self.object(false),
            b'[' => {
                self.at += 1;
                self.items("]", Self::value)
            }
            b'"' => self.string(),
            _ => {
                // A run on one line, such as `<1-10>` or `str`.
                let ends = |character| "\"'[]{}(),:|\n\r".contains(character);
                let len = self.rest().find(ends)?;
                let is_run = !self.rest()[..len].trim().is_empty();
                self.at += len;
                is_run.then_some(())
            }
        }
    }

    fn string(&mut self) -> Option<()> {
        let len = quoted(self.rest()).filter(|_| self.rest().starts_with('"'))?;
        let is_single = !has_doubled(&self.rest()[..len]);
        self.at += len;
        is_single.then_some(())
    }
}

/// The length of the quoted text at the start of a text.
pub(super) fn quoted(text: &str) -> Option<usize> {
    let quote = text.bytes().next().filter(|first| matches!(first, b'"' | b'\''))?;
    let mut at = 1;
    loop {
        at += memchr2(quote, b'\\', &text.as_bytes()[at..])?;
        match text.as_bytes()[at] == quote {
            true => return Some(at + 1),
            false => at += 2,
        }
        if at > text.len() {
            return None;
        }
    }
}

fn has_doubled(text: &str) -> bool {
    text.contains("{{") || text.contains("}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_of_json_are_read_leniently() {
        for text in [
            r#"{"a": 1}"#,
            r#"{"a": {"b": [1, "x", null,],}, }"#,
            r#"{"a": {name}, "b": "to {name}", ...}"#,
            "{\n  // a note\n  \"a\": <1-10> | str\n}",
            r#"{"a": "x" | "y", "b": [...], "c": {}}"#,
        ] {
            let placeholder = |at: usize| text[at..].starts_with("{name}").then_some(at + 6);
            assert!(is_lenient(text, placeholder), "{text}");
        }
        for text in [
            "{}",
            "{'a': 1}",
            "{a: 1}",
            r#"{"a"}"#,
            r#"{"a": }"#,
            r#"{"a": "{{b}}"}"#,
            r#"{"a": 1} {"b": 2}"#,
            r#"{"a": f(1)}"#,
            r#"{"a": 1"#,
        ] {
            assert!(!is_lenient(text, |_| None), "{text}");
        }
        let deep = format!(r#"{{"a": {}1{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
        assert!(!is_lenient(&deep, |_| None));
    }
}
