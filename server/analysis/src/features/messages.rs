//! Splits a resolved text into chat messages.
//!
//! A prompt may contain a whole conversation: headings (`# System`), lines (`User:`), elements
//! (`<user>`), or the marks of a model's own chat format (`<|im_start|>user`). Programs that send
//! it split it there, and so does this module.
//!
//! A text is split in only one way, the first of these that it has:
//!
//! 1. *Marks*: `<|im_start|>user` at the start of a line, or
//!    `<|start_header_id|>user<|end_header_id|>`.
//! 2. *Elements*: `<system>`, `<user>`, … if there is no text outside of them.
//! 3. *Headings* with a role and nothing else: `# System`, `## User:`, `### Assistant message`.
//!    A heading below that of another role is a section of that message if a sibling has no role:
//!    `## User` next to `## Tone` is about the user. Headings with only `Model`, `AI`, `Tool` or
//!    `Function` do not make a text a chat.
//! 4. *Lines* that start with a role and a colon. The first one is at the start of the text or
//!    after a blank line. After it, a line with only `User:` always counts. A line with more text
//!    counts only after a blank line, or directly after another line that counts. So
//!    `User: prefers tea` inside prose is prose. All of them are ignored unless one is alone on its
//!    line (and not only `Model`, as above). Two different roles are also sufficient if one of them
//!    is the system or the user. A YAML key, `user:` above an indented line, is not a role.
//!
//! Fenced code is ignored, except for marks.

use std::ops::Range;

use promptls_syntax::Dialect;

/// The role of a message's sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Instructions for the behaviour of the model.
    System,
    /// The same in newer chats.
    Developer,
    /// The user; some chats write `human`.
    User,
    /// The model; also `ai` or `model`.
    Assistant,
    /// The result of a tool.
    Tool,
    /// The older name for a tool.
    Function,
}

impl Role {
    /// All roles, in display order.
    pub const ALL: [Role; 6] =
        [Role::System, Role::Developer, Role::User, Role::Assistant, Role::Tool, Role::Function];

    /// The identifier in JSON output: `system`, `user`, `assistant`.
    pub const fn id(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::Developer => "developer",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
            Role::Function => "function",
        }
    }

    /// The role that a framework calls so, ignoring case; a word of its own is a user.
    pub fn of_message(word: &str) -> Role {
        let own = word.eq_ignore_ascii_case("chatbot").then_some(Role::Assistant);
        Role::named(word).or(own).unwrap_or(Role::User)
    }

    /// The role with a name in a text, ignoring case.
    fn named(word: &str) -> Option<Role> {
        const WORDS: [(&str, Role); 9] = [
            ("system", Role::System),
            ("developer", Role::Developer),
            ("user", Role::User),
            ("human", Role::User),
            ("assistant", Role::Assistant),
            ("ai", Role::Assistant),
            ("model", Role::Assistant),
            ("tool", Role::Tool),
            ("function", Role::Function),
        ];
        let is_it = |(known, _): &&(&str, Role)| known.eq_ignore_ascii_case(word);
        WORDS.iter().find(is_it).map(|(_, role)| *role)
    }
}

/// A chat message. Ranges are bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageSpan {
    /// The role of the sender.
    pub role: Role,
    /// The range that names the role; empty if there is none.
    pub heading: Range<usize>,
    /// The text of the message, without blank lines around it.
    pub body: Range<usize>,
}

/// The chat messages that a text is sent as, in order; at least one.
///
/// Text without a role is a system message if the engine of the dialect sends it so, otherwise a
/// user message. A text without any roles is one message, unchanged. So is one whose role is given,
/// because it is one of the messages that code passes to a framework.
///
/// Cost: one pass over the lines for each way of splitting.
///
/// ```
/// use promptls_analysis::{Role, messages};
/// use promptls_syntax::Dialect;
///
/// let text = "Be brief.\n\n# User\nHello!\n";
/// let found = messages(Dialect::Adk, None, text);
/// assert_eq!((found[0].role, &text[found[0].body.clone()]), (Role::System, "Be brief."));
/// assert_eq!((found[1].role, &text[found[1].body.clone()]), (Role::User, "Hello!"));
/// ```
pub fn messages(dialect: Dialect, role: Option<Role>, text: &str) -> Vec<MessageSpan> {
    let usual = if dialect.spec().is_instruction { Role::System } else { Role::User };
    let (unnamed, mut stretches) = match role {
        Some(role) => (role, Vec::new()),
        None => (usual, split(text)),
    };
    if stretches.is_empty() {
        stretches.push(Stretch { role: None, heading: 0..0, body: 0..text.len() });
    }
    let message = |Stretch { role, heading, body }: Stretch| MessageSpan {
        role: role.unwrap_or(unnamed),
        heading,
        body,
    };
    stretches.into_iter().map(message).collect()
}

/// [`messages`], each as its role and its text.
///
/// ```
/// use promptls_analysis::{Role, chat};
/// use promptls_syntax::Dialect;
///
/// assert_eq!(chat(Dialect::Adk, None, "Be brief.\n"), [(Role::System, "Be brief.\n")]);
/// assert_eq!(chat(Dialect::Langfuse, None, "Hello!"), [(Role::User, "Hello!")]);
/// ```
pub fn chat(dialect: Dialect, role: Option<Role>, text: &str) -> Vec<(Role, &str)> {
    let with_text = |message: MessageSpan| (message.role, &text[message.body]);
    messages(dialect, role, text).into_iter().map(with_text).collect()
}

/// A part of a text with at most one role. Ranges are bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stretch {
    /// `None` for text without a role, such as before the first one.
    role: Option<Role>,
    /// The range that names the role; empty if there is none.
    heading: Range<usize>,
    /// The text of the message, without blank lines around it.
    body: Range<usize>,
}

/// The parts that roles split a text into, in order; empty if it names no role.
fn split(text: &str) -> Vec<Stretch> {
    let found = marked(text).or_else(|| elements(text));
    let found = found.or_else(|| {
        let lines = lines(text);
        let markers = headings(&lines);
        let markers = if markers.is_empty() { role_lines(&lines) } else { markers };
        Some(between(text, &markers))
    });
    found.unwrap_or_default()
}

/// The name of a role; its message extends to the next marker.
struct Marker {
    role: Role,
    range: Range<usize>,
    /// The word alone makes a text a chat. Sections and fields are named `Model` and `Tool` in
    /// prompts that are not chats.
    is_certain: bool,
}

/// `false` for words that are also headings outside of chats; see [`Marker::is_certain`].
fn is_certain(word: &str) -> bool {
    !["ai", "model", "tool", "function"].iter().any(|vague| vague.eq_ignore_ascii_case(word))
}

/// The messages that start at some markers.
fn between(text: &str, markers: &[Marker]) -> Vec<Stretch> {
    let Some(first) = markers.first() else { return Vec::new() };
    let mut messages: Vec<Stretch> = outside(text, 0..first.range.start).into_iter().collect();
    let ends = markers.iter().skip(1).map(|next| next.range.start).chain([text.len()]);
    messages.extend(markers.iter().zip(ends).map(|(marker, end)| Stretch {
        role: Some(marker.role),
        heading: marker.range.clone(),
        body: trimmed(text, marker.range.end..end),
    }));
    messages
}

/// Text without a role; `None` if it is blank.
fn outside(text: &str, range: Range<usize>) -> Option<Stretch> {
    let heading = range.start..range.start;
    let body = trimmed(text, range);
    (!body.is_empty()).then_some(Stretch { role: None, heading, body })
}

/// A range without trailing whitespace, and without blank lines at its start. The indentation of
/// its first line is kept, but a space after a colon is removed.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let body = &text[range.clone()];
    let end = range.start + body.trim_end().len();
    let blanks = body.len() - body.trim_start().len();
    let lines = body[..blanks].rfind('\n').map_or(blanks, |newline| newline + 1);
    (range.start + lines).min(end)..end
}

/// Chat formats of models with unmistakable marks: the start of a message, the end of its role, and
/// its end.
const FORMATS: [(&str, &str, &str); 2] = [
    ("<|im_start|>", "\n", "<|im_end|>"),
    ("<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"),
];

fn marked(text: &str) -> Option<Vec<Stretch>> {
    FORMATS.iter().find_map(|format| in_format(text, *format))
}

fn in_format(text: &str, (open, close, end): (&str, &str, &str)) -> Option<Vec<Stretch>> {
    let mut messages = Vec::new();
    let mut done = 0;
    for (start, _) in text.match_indices(open) {
        let name = &text[start + open.len()..];
        // A last message may be incomplete: the model continues there.
        let (name, heading) = match name.find(close) {
            Some(at) if close == "\n" => (&name[..at], open.len() + at),
            Some(at) => (&name[..at], open.len() + at + close.len()),
            None => (name, open.len() + name.len()),
        };
        // ChatML allows a name after the role.
        let Some(role) = name.split_whitespace().next().and_then(Role::named) else { continue };
        let heading = start..start + heading;
        messages.extend(outside(text, done..start));
        let rest = &text[heading.end..];
        let next = rest.find(open).unwrap_or(rest.len());
        let closer = rest[..next].find(end);
        let body = heading.end..heading.end + closer.unwrap_or(next);
        done = closer.map_or(body.end, |_| body.end + end.len());
        messages.push(Stretch { role: Some(role), heading, body: trimmed(text, body) });
    }
    if messages.is_empty() {
        return None;
    }
    messages.extend(outside(text, done..text.len()));
    Some(messages)
}

/// Splits a text that consists only of elements, each with the name of a role.
fn elements(text: &str) -> Option<Vec<Stretch>> {
    let mut messages = Vec::new();
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        if at == text.len() {
            break;
        }
        let name = text[at..].strip_prefix('<')?.split_once('>')?.0;
        let role = Role::named(name)?;
        let heading = at..at + name.len() + 2;
        let closer = format!("</{name}>");
        let body = heading.end..heading.end + text[heading.end..].find(&closer)?;
        at = body.end + closer.len();
        messages.push(Stretch { role: Some(role), heading, body: trimmed(text, body) });
    }
    (!messages.is_empty()).then_some(messages)
}

/// A line outside of fenced code.
struct Line<'t> {
    start: usize,
    /// The text without the line break.
    text: &'t str,
    /// The previous line is blank, or there is none.
    opens: bool,
    /// The next line is indented.
    holds: bool,
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut start = 0;
    let mut opens = true;
    let mut fence: Option<&str> = None;
    let mut is_next_to_last = false;
    for whole in text.split_inclusive('\n') {
        let line = whole.trim_end_matches(['\n', '\r']);
        let mark = fence_mark(line);
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if mark.starts_with(open) && is_bare(line, mark) => {
                fence = None;
            }
            _ => {}
        }
        let is_code = fence.is_some() || mark.is_some();
        if is_next_to_last && let Some(last) = lines.last_mut() {
            last.holds = line.starts_with([' ', '\t']) && !line.trim().is_empty();
        }
        is_next_to_last = !is_code;
        if !is_code {
            lines.push(Line { start, text: line, opens, holds: false });
        }
        opens = line.trim().is_empty();
        start += whole.len();
    }
    lines
}

/// The backticks or tildes that open or close a block of code.
fn fence_mark(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(' ');
    let mark = rest.chars().next().filter(|mark| "`~".contains(*mark))?;
    let len = rest.len() - rest.trim_start_matches(mark).len();
    let is_inline = mark == '`' && rest[len..].contains('`');
    (line.len() - rest.len() < 4 && len >= 3 && !is_inline).then_some(&rest[..len])
}

/// Returns whether a fence has no text after it, so that it can close a block.
fn is_bare(line: &str, mark: &str) -> bool {
    line.trim().len() == mark.len()
}

/// The level and text of a heading; `None` for all other lines.
fn heading(line: &str) -> Option<(usize, &str)> {
    let rest = line.trim_start_matches(' ');
    let words = rest.trim_start_matches('#');
    let level = rest.len() - words.len();
    let is_heading = line.len() - rest.len() < 4
        && (1..=6).contains(&level)
        && (words.is_empty() || words.starts_with([' ', '\t']));
    let words = words.trim().trim_end_matches('#').trim_end();
    is_heading.then_some((level, words))
}

/// The role that the text of a heading names: `System`, `**User:**`, `Assistant message`.
fn role_of_heading(words: &str) -> Option<(Role, bool)> {
    let word = words.trim_matches(['*', '_']).trim_end_matches(':').trim_end_matches(['*', '_']);
    let (first, rest) = word.split_once(' ').unwrap_or((word, ""));
    let is_fine = matches!(&*rest.to_ascii_lowercase(), "" | "message" | "prompt" | "turn");
    Some((Role::named(first).filter(|_| is_fine)?, is_certain(first)))
}

fn headings(lines: &[Line<'_>]) -> Vec<Marker> {
    let headings: Vec<(usize, Option<_>, Range<usize>)> = lines
        .iter()
        .filter_map(|line| {
            let (level, words) = heading(line.text)?;
            Some((level, role_of_heading(words), line.start..line.start + line.text.len()))
        })
        .collect();
    let mut markers = Vec::new();
    // The level of the current message, and the levels below it that have sections without a role.
    let mut around: Option<(usize, [bool; 7])> = None;
    for (index, (level, role, range)) in headings.iter().enumerate() {
        let Some((role, is_certain)) = *role else { continue };
        if around.is_some_and(|(outer, sections)| *level > outer && sections[*level]) {
            continue;
        }
        let below = headings[index + 1..].iter().take_while(|(below, ..)| below > level);
        let mut sections = [false; 7];
        for (below, role, _) in below {
            sections[*below] |= role.is_none();
        }
        around = Some((*level, sections));
        markers.push(Marker { role, range: range.clone(), is_certain });
    }
    if markers.iter().any(|marker| marker.is_certain) { markers } else { Vec::new() }
}

/// A line that starts with a role and a colon.
struct RoleLine {
    role: Role,
    is_certain: bool,
    /// The end of its colon, in bytes.
    end: usize,
    /// The line contains nothing else.
    is_alone: bool,
}

fn role_of_line(line: &str) -> Option<RoleLine> {
    let word = line.trim_start_matches(['*', '_']);
    let stars = line.len() - word.len();
    let name = word.find(|character: char| !character.is_ascii_alphabetic())?;
    let role = Role::named(&word[..name])?;
    let is_certain = is_certain(&word[..name]);
    let rest = &word[name..];
    // `**User:**` and `**User**:`
    let is_mark = |character: char| "*_".contains(character);
    let closed = rest.trim_start_matches(is_mark).strip_prefix(':')?;
    let behind = if stars > 0 { closed.trim_start_matches(is_mark) } else { closed };
    let is_alone = behind.trim().is_empty();
    // `user:name` and `User::new` are names in programs.
    let is_apart = is_alone || behind.starts_with([' ', '\t']);
    let end = line.len() - behind.len();
    is_apart.then_some(RoleLine { role, is_certain, end, is_alone })
}

fn role_lines(lines: &[Line<'_>]) -> Vec<Marker> {
    let mut markers: Vec<Marker> = Vec::new();
    let mut is_chat = false;
    let mut last = None;
    for (index, line) in lines.iter().enumerate() {
        let Some(found) = role_of_line(line.text) else { continue };
        let RoleLine { role, is_certain, end, is_alone } = found;
        let is_key = is_alone && line.holds && line.text.starts_with(char::is_lowercase);
        let follows = index > 0 && last == Some(index - 1);
        let counts = line.opens || follows || (is_alone && !markers.is_empty());
        if is_key || !counts {
            continue;
        }
        is_chat |= is_alone && is_certain;
        last = Some(index);
        markers.push(Marker { role, range: line.start..line.start + end, is_certain });
    }
    let is_request = |role| matches!(role, Role::System | Role::Developer | Role::User);
    is_chat |= markers.iter().any(|marker| is_request(marker.role))
        && markers.iter().any(|marker| marker.role != markers[0].role);
    if is_chat { markers } else { Vec::new() }
}

#[cfg(test)]
mod tests;
