//! The Markdown structure of a prompt: sections, code, front matter; and the tags that enclose
//! parts of prompts.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use regex::Regex;
use ropey::Rope;

/// The maximum length of a parsed text, in bytes. Longer prompts are data rather than documents,
/// and parsing them is not worth the time.
const LONGEST: usize = 4 << 20;

/// The structure of a Markdown text. All ranges are bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outline {
    /// Headings of both forms, `#` and underlined, in source order.
    pub headings: Vec<Heading>,
    /// Fenced code, including the fences.
    pub code: Vec<Range<usize>>,
    /// List items including nested ones, ordered by their starts.
    pub items: Vec<Range<usize>>,
    /// HTML comments that start a block of their own.
    pub comments: Vec<Range<usize>>,
    /// Pairs of tags such as `<rules>` and `</rules>`, each on its own line; never interleaved.
    pub tags: Vec<TagPair>,
    /// Lines between `---` at the start, including these.
    pub front_matter: Option<Range<usize>>,
}

/// A heading with its section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heading {
    /// The text without `#`, emphasis marks and backticks.
    pub title: String,
    /// The range of the heading itself.
    pub range: Range<usize>,
    /// From the heading to the next one that is not below it.
    pub section: Range<usize>,
    level: HeadingLevel,
}

/// An opening and a closing tag with the same name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TagPair {
    /// The name of both tags.
    pub name: String,
    /// The range of the opener.
    pub opener: Range<usize>,
    /// The range of the closer.
    pub closer: Range<usize>,
}

/// Parses the Markdown of a prompt; empty for one longer than 4 MiB.
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
            Event::Start(Tag::Item) => outline.items.push(range),
            Event::Start(Tag::HtmlBlock)
                if text[range.clone()].trim_start().starts_with("<!--") =>
            {
                outline.comments.push(range);
            }
            // Later blocks of that kind are horizontal rules with text between them.
            Event::Start(Tag::MetadataBlock(_)) if range.start == 0 => {
                outline.front_matter = Some(range);
            }
            _ => {}
        }
    }
    end_sections(&mut outline.headings);
    outline.tags = tags(&text, &outline.code);
    outline
}

/// Markdown supports such tags only without `_` in their names and without blank lines between
/// them. Models and prompts are not so strict.
fn tags(text: &str, code: &[Range<usize>]) -> Vec<TagPair> {
    static TAG: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?m)^[ \t]*(<(/?)([A-Za-z][\w.:-]*)(?:\s[^<>]*)?>)[ \t]*\r?$").ok()
    });
    let Some(tag) = &*TAG else { return Vec::new() };
    let mut open: Vec<(&str, Range<usize>)> = Vec::new();
    // The number of open tags of each name: an unmatched closer needs no search for its opener.
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut pairs = Vec::new();
    for found in tag.captures_iter(text) {
        let (Some(tag), Some(slash), Some(name)) = (found.get(1), found.get(2), found.get(3))
        else {
            continue;
        };
        let range = tag.range();
        // Code ranges are sorted.
        let before = code.partition_point(|code| code.start <= range.start);
        if before > 0 && range.start < code[before - 1].end || tag.as_str().ends_with("/>") {
            continue;
        }
        let name = name.as_str();
        let count = counts.entry(name).or_default();
        if slash.is_empty() {
            *count += 1;
            open.push((name, range));
            continue;
        }
        if *count == 0 {
            continue;
        }
        // Tags that were opened after its opener have no closer.
        while let Some((other, opener)) = open.pop() {
            *counts.entry(other).or_default() -= 1;
            if other == name {
                pairs.push(TagPair { name: name.to_owned(), opener, closer: range });
                break;
            }
        }
    }
    pairs
}

/// A section ends where a heading of the same or a higher level starts.
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
        let outline = outline(&Rope::from_str(text));
        let Outline { headings, code, items, comments, tags, front_matter } = outline;
        let mut actual = String::new();
        for TagPair { name, opener, closer } in tags {
            actual += &format!("{name} {:?}\n", &text[opener.start..closer.end]);
        }
        for heading in headings {
            actual += &format!("{:?} {:?}\n", heading.title, &text[heading.section]);
        }
        let front = front_matter.into_iter().collect();
        for (what, ranges) in
            [("code", code), ("item", items), ("comment", comments), ("front", front)]
        {
            for range in ranges {
                actual += &format!("{what} {:?}\n", &text[range]);
            }
        }
        expected.assert_eq(&actual);
    }

    #[test]
    fn a_section_contains_those_of_lower_headings() {
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
    fn headings_in_code_and_comments_are_ignored() {
        check(
            "```sh\n# no\n```\n<!-- a\nb -->\n",
            expect![[r###"
                code "```sh\n# no\n```"
                comment "<!-- a\nb -->\n"
            "###]],
        );
    }

    #[test]
    fn front_matter_at_the_start_is_found() {
        check(
            "---\na: 1\n---\n# B\n",
            expect![[r###"
            "B" "# B\n"
            front "---\na: 1\n---"
        "###]],
        );
    }

    #[test]
    fn tags_are_paired_outside_of_code() {
        check(
            "<user_rules a=\"b\">\n\n<x>\n<y/>\nno <x>\n</user_rules>\n</x>\n\n```\n<c>\n```\n</c>\n",
            expect![[r#"
                user_rules "<user_rules a=\"b\">\n\n<x>\n<y/>\nno <x>\n</user_rules>"
                code "```\n<c>\n```"
            "#]],
        );
    }

    #[test]
    fn list_items_contain_their_nested_lists() {
        check(
            "- a\n  - b\n- c\n",
            expect![[r#"
            item "- a\n  - b\n"
            item "- b\n"
            item "- c\n"
        "#]],
        );
    }
}
