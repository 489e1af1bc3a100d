//! The messages of a chat that a resolved text is split into.
//!
//! A prompt may hold a whole conversation: headings (`# System`), lines (`User:`), elements
//! (`<user>`), or the marks of a model's own chat format (`<|im_start|>user`). Whoever sends it
//! splits it there; here is where.
//!
//! A text is split in one way only, the first of these that it has:
//!
//! 1. *Marks*: `<|im_start|>user` at the start of a line, or `<|start_header_id|>user<|end_header_id|>`.
//! 2. *Elements*: `<system>`, `<user>`, … if nothing stands outside of them.
//! 3. *Headings* that say a role and nothing else: `# System`, `## User:`, `### Assistant message`.
//!    A heading below another role's is a section of that message if sections beside it bear no
//!    role: `## User` next to `## Tone` tells of the user. Headings that say only `Model`, `AI`,
//!    `Tool` or `Function` make no chat of a text.
//! 4. *Lines* that start with a role and a colon. The first one stands at the start of the text
//!    or behind a blank line. From there on, a line that is `User:` alone always counts, one
//!    with more text only behind a blank line, or right behind another line that counts. So
//!    `User: prefers tea` amid prose is prose. All of them count for nothing unless one is alone
//!    on its line (and says more than `Model`, as above), or two different roles speak, one of
//!    them the system or the user. A key of YAML, `user:` above an indented line, is no role.
//!
//! Nothing in fenced code counts, except for marks.

use std::ops::Range;

use promptls_syntax::Dialect;

/// Who says a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Who says how to behave.
    System,
    /// The same in newer chats.
    Developer,
    /// Or `human`.
    User,
    /// Or `ai`, or `model`.
    Assistant,
    /// What a tool has answered.
    Tool,
    /// The older name for it.
    Function,
}

impl Role {
    /// All roles, in the order in which we list them.
    pub const ALL: [Role; 6] =
        [Role::System, Role::Developer, Role::User, Role::Assistant, Role::Tool, Role::Function];

    /// The word for it in JSON.
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

    /// The role that a word means, whatever its case.
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

/// A message of a chat. Ranges are bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What names the role; empty where nothing does.
    pub heading: Range<usize>,
    /// The text of the message, without blank lines around it.
    pub body: Range<usize>,
}

/// The messages of a chat that a text is sent as, in order; at least one.
///
/// Text without a role belongs to the system where the engine of the dialect sends it so, else to
/// the user. A text that names no role is one message, unchanged.
///
/// Cost: one pass over the lines for each way of splitting.
///
/// ```
/// use promptls_analysis::{Role, messages};
/// use promptls_syntax::Dialect;
///
/// let text = "Be brief.\n\n# User\nHello!\n";
/// let found = messages(Dialect::Adk, text);
/// assert_eq!((found[0].role, &text[found[0].body.clone()]), (Role::System, "Be brief."));
/// assert_eq!((found[1].role, &text[found[1].body.clone()]), (Role::User, "Hello!"));
/// ```
pub fn messages(dialect: Dialect, text: &str) -> Vec<Message> {
    let unnamed = if dialect.spec().is_instruction { Role::System } else { Role::User };
    let mut stretches = split(text);
    if stretches.is_empty() {
        stretches.push(Stretch { role: None, heading: 0..0, body: 0..text.len() });
    }
    let message = |Stretch { role, heading, body }: Stretch| Message {
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
/// assert_eq!(chat(Dialect::Adk, "Be brief.\n"), [(Role::System, "Be brief.\n")]);
/// assert_eq!(chat(Dialect::Langfuse, "Hello!"), [(Role::User, "Hello!")]);
/// ```
pub fn chat(dialect: Dialect, text: &str) -> Vec<(Role, &str)> {
    let with_text = |message: Message| (message.role, &text[message.body]);
    messages(dialect, text).into_iter().map(with_text).collect()
}

/// A stretch of a text that at most one role says. Ranges are bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stretch {
    /// `None` for text without a role, as before the first one.
    role: Option<Role>,
    /// What names the role; empty where nothing does.
    heading: Range<usize>,
    /// The text of the message, without blank lines around it.
    body: Range<usize>,
}

/// The stretches that roles split a text into, in order; none if it names no role.
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

/// What names a role: the message goes on to the next one.
struct Marker {
    role: Role,
    range: Range<usize>,
    /// Whether the word alone makes a chat of a text. Sections and fields are called `Model` and
    /// `Tool` in prompts that are none.
    is_certain: bool,
}

/// See [`Marker::is_certain`].
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

/// What no role says, unless it is blank.
fn outside(text: &str, range: Range<usize>) -> Option<Stretch> {
    let heading = range.start..range.start;
    let body = trimmed(text, range);
    (!body.is_empty()).then_some(Stretch { role: None, heading, body })
}

/// A range without the blanks and blank lines at its end, and the blank lines at its start; the
/// indentation of its first line stays, but the blank behind a colon goes.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let body = &text[range.clone()];
    let end = range.start + body.trim_end().len();
    let blanks = body.len() - body.trim_start().len();
    let lines = body[..blanks].rfind('\n').map_or(blanks, |newline| newline + 1);
    (range.start + lines).min(end)..end
}

/// Chat formats of models, with marks that nobody writes by accident: what opens a message, what
/// ends the name of its role, and what ends it.
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
        // What it still is to say may be missing: then the model goes on there.
        let (name, heading) = match name.find(close) {
            Some(at) if close == "\n" => (&name[..at], open.len() + at),
            Some(at) => (&name[..at], open.len() + at + close.len()),
            None => (name, open.len() + name.len()),
        };
        // ChatML allows a name behind the role.
        let Some(role) = name.split_whitespace().next().and_then(Role::named) else { continue };
        let heading = start..start + heading;
        messages.extend(outside(text, done..start));
        let rest = &text[heading.end..];
        let next = rest.find(open).unwrap_or(rest.len());
        let said = rest[..next].find(end);
        let body = heading.end..heading.end + said.unwrap_or(next);
        done = said.map_or(body.end, |_| body.end + end.len());
        messages.push(Stretch { role: Some(role), heading, body: trimmed(text, body) });
    }
    if messages.is_empty() {
        return None;
    }
    messages.extend(outside(text, done..text.len()));
    Some(messages)
}

/// A text that is nothing but elements, each with the name of a role.
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
    /// Without its ending.
    text: &'t str,
    /// Whether the line before is blank, or there is none.
    opens: bool,
    /// Whether the next one is indented.
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

/// Whether a fence has nothing behind it, so that it can close one.
fn is_bare(line: &str, mark: &str) -> bool {
    line.trim().len() == mark.len()
}

/// The level of a heading and its words; `None` for all other lines.
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

/// The role that the words of a heading say: `System`, `**User:**`, `Assistant message`.
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
    // The level of the message that we are in, and at which levels below it there are sections
    // that bear no role.
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
    /// Where its colon ends, in bytes.
    end: usize,
    /// Whether nothing follows.
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
    let asks = |role| matches!(role, Role::System | Role::Developer | Role::User);
    is_chat |= markers.iter().any(|marker| asks(marker.role))
        && markers.iter().any(|marker| marker.role != markers[0].role);
    if is_chat { markers } else { Vec::new() }
}

#[cfg(test)]
mod tests;
