//! The Markdown of a prompt: its sections, its code and what is in front of it all.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use ropey::Rope;

/// Longer prompts are data more than documents, and their Markdown is not worth the time.
const LONGEST: usize = 4 << 20;

/// What shapes a Markdown text. All ranges are bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outline {
    /// The headings, in order.
    pub headings: Vec<Heading>,
    /// Fenced code, fences included.
    pub code: Vec<Range<usize>>,
    /// Comments.
    pub comments: Vec<Range<usize>>,
    /// Lines between `---` at the start, these included.
    pub front_matter: Option<Range<usize>>,
}

/// A heading and what stands under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heading {
    /// Its text, without marks.
    pub title: String,
    /// The heading itself.
    pub range: Range<usize>,
    /// From the heading to the next one that is not below it.
    pub section: Range<usize>,
    level: HeadingLevel,
}

/// Reads the Markdown of a prompt; nothing of one that is longer than 4 MiB.
///
/// Cost: one pass over the text.
pub(crate) fn outline(text: &Rope) -> Outline {
    let mut outline = Outline::default();
    if text.len_bytes() > LONGEST {
        return outline;
    }
    let text = text.to_string();
    let options = Options::ENABLE_YAML_STYLE_METADATA_BLOCKS | Options::ENABLE_TABLES;
    let mut heading: Option<Heading> = None;
    for (event, range) in Parser::new_ext(&text, options).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let section = range.start..text.len();
                heading = Some(Heading { title: String::new(), range, section, level });
            }
            Event::End(TagEnd::Heading(_)) => outline.headings.extend(heading.take()),
            Event::Text(part) | Event::Code(part) | Event::InlineHtml(part) => {
                if let Some(heading) = &mut heading {
                    heading.title.push_str(&part);
                }
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => outline.code.push(range),
            Event::Start(Tag::HtmlBlock)
                if text[range.clone()].trim_start().starts_with("<!--") =>
            {
                outline.comments.push(range);
            }
            // Further blocks of that kind are rules with text between them.
            Event::Start(Tag::MetadataBlock(_)) if range.start == 0 => {
                outline.front_matter = Some(range);
            }
            _ => {}
        }
    }
    end_sections(&mut outline.headings);
    outline
}

/// A section ends where a heading of the same level or a higher one starts.
fn end_sections(headings: &mut [Heading]) {
    let mut open: Vec<usize> = Vec::new();
    for index in 0..headings.len() {
        let (level, start) = (headings[index].level, headings[index].range.start);
        while let Some(&last) = open.last()
            && headings[last].level >= level
        {
            headings[last].section.end = start;
            open.pop();
        }
        open.push(index);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Expect) {
        let Outline { headings, code, comments, front_matter } = outline(&Rope::from_str(text));
        let mut actual = String::new();
        for heading in headings {
            actual += &format!("{:?} {:?}\n", heading.title, &text[heading.section]);
        }
        for (what, ranges) in
            [("code", code), ("comment", comments), ("front", front_matter.into_iter().collect())]
        {
            for range in ranges {
                actual += &format!("{what} {:?}\n", &text[range]);
            }
        }
        expected.assert_eq(&actual);
    }

    #[test]
    fn a_section_holds_those_of_lower_headings() {
        check(
            "# A `b` {{c}}\nx\n## D\ny\n# E\nz",
            expect![[r###"
                "A b {{c}}" "# A `b` {{c}}\nx\n## D\ny\n"
                "D" "## D\ny\n"
                "E" "# E\nz"
            "###]],
        );
    }

    #[test]
    fn headings_in_code_are_none() {
        check(
            "```sh\n# no\n```\n<!-- a\nb -->\n",
            expect![[r###"
                code "```sh\n# no\n```"
                comment "<!-- a\nb -->\n"
            "###]],
        );
    }

    #[test]
    fn front_matter_is_at_the_front() {
        check(
            "---\na: 1\n---\n# B\n",
            expect![[r###"
            "B" "# B\n"
            front "---\na: 1\n---"
        "###]],
        );
    }
}
