//! Turns an outline into ordered sections, in the words of a language.
//!
//! The order follows the advice of model vendors: the role comes first, long texts come before the
//! questions about them, and the input comes near the end.

use crate::delimiters::Delimiters;
use crate::error::BuildError;
use crate::outline::{
    Audience, Context, Example, Input, Length, Message, Outline, Output, Parameter, Reasoning, Tool,
};
use crate::text::Text;
use crate::words::Words;
use crate::writer::PromptWriter;

/// A part of a prompt.
pub(crate) enum Block {
    Text(Text),
    Section(Section),
}

/// Blocks under a heading, nested at most three deep.
pub(crate) struct Section {
    heading: String,
    /// The attribute that distinguishes sections with this heading: its name and value.
    label: Option<(&'static str, String)>,
    body: Vec<Block>,
}

/// The blocks of an outline, with the given examples. Sections without a body are left out.
pub(crate) fn blocks(outline: &Outline, examples: &[&Example], words: &Words) -> Vec<Block> {
    let headings = &words.headings;
    let mut blocks: Vec<Block> = [
        section(&headings.role, role(outline, words)),
        section(&headings.system, paragraph(outline.system.as_ref())),
        section(&headings.context, context(&outline.context, words)),
        section(&headings.history, history(&outline.history)),
        section(&headings.tools, tools(&outline.tools, words)),
        section(&headings.task, paragraph(outline.task.as_ref())),
        section(&headings.goal, paragraph(outline.goal.as_ref())),
        section(&headings.instructions, numbered(&outline.instructions)),
        section(&headings.requirements, bullets(&outline.requirements)),
        section(&headings.constraints, bullets(&outline.constraints)),
        section(&headings.audience, audience(&outline.audience, words)),
        section(&headings.reasoning, reasoning(&outline.reasoning, words)),
        section(&headings.examples, self::examples(examples, words)),
        section(&headings.output, output(&outline.output, words)),
        section(&headings.length, length(&outline.length, words)),
    ]
    .into_iter()
    .flatten()
    .collect();
    blocks.extend(outline.raw.iter().flat_map(|raw| paragraph(Some(raw))));
    blocks.extend(input(&outline.input, words));
    let prefill = outline.prefill.as_ref().map(|text| with(&words.prefill, text));
    blocks.extend(section(&headings.prefill, paragraph(prefill.as_ref())));
    blocks
}

fn section(heading: &str, body: Vec<Block>) -> Option<Block> {
    let section = Section { heading: heading.to_owned(), label: None, body };
    (!section.body.is_empty()).then_some(Block::Section(section))
}

fn labelled(heading: &str, kind: &'static str, label: String, body: Vec<Block>) -> Block {
    Block::Section(Section { heading: heading.to_owned(), label: Some((kind, label)), body })
}

/// Built-in words with the text of the user inserted.
fn with(words: &Text, text: &Text) -> Text {
    words.filled(&[("text", text)])
}

fn number(words: &Text, number: u32) -> Text {
    with(words, &Text::literal(number.to_string()))
}

fn paragraph(text: Option<&Text>) -> Vec<Block> {
    text.filter(|text| !text.is_blank()).map(|text| Block::Text(text.clone())).into_iter().collect()
}

fn lines(lines: Vec<Text>) -> Vec<Block> {
    if lines.is_empty() { Vec::new() } else { vec![Block::Text(Text::joined(lines, "\n"))] }
}

fn written(texts: &[Text]) -> impl Iterator<Item = &Text> {
    texts.iter().filter(|text| !text.is_blank())
}

fn bullets<'a>(texts: impl IntoIterator<Item = &'a Text>) -> Vec<Block> {
    let item = |text: &Text| Text::literal("- ").then(text.indented(2));
    lines(texts.into_iter().filter(|text| !text.is_blank()).map(item).collect())
}

/// A numbered list; a single item has no number.
fn numbered(texts: &[Text]) -> Vec<Block> {
    let texts: Vec<&Text> = written(texts).collect();
    if let [text] = texts[..] {
        return vec![Block::Text(text.clone())];
    }
    let item = |(index, text): (usize, &&Text)| {
        let mark = format!("{}. ", index + 1);
        Text::literal(mark.clone()).then(text.indented(mark.len()))
    };
    lines(texts.iter().enumerate().map(item).collect())
}

fn role(outline: &Outline, words: &Words) -> Vec<Block> {
    let all = |texts: &[Text]| Text::joined(written(texts).cloned(), ", ");
    let parts = [
        (&words.role.expertise, all(&outline.expertise)),
        (&words.role.personality, all(&outline.personality)),
        (&words.role.tone, outline.tone.clone().unwrap_or_default()),
    ];
    let parts = parts.iter().filter(|(_, text)| !text.is_blank());
    let mut role = paragraph(outline.role.as_ref());
    role.extend(lines(parts.map(|(words, text)| with(words, text)).collect()));
    role
}

fn context(context: &Context, words: &Words) -> Vec<Block> {
    let headings = &words.headings;
    let mut blocks = Vec::new();
    for document in &context.documents {
        let body = paragraph(Some(&document.text));
        blocks.push(labelled(&headings.document, "name", document.name.clone(), body));
    }
    for data in &context.data {
        let body = paragraph(Some(&data.text));
        blocks.push(labelled(&headings.data, "format", data.format.clone(), body));
    }
    for titled in &context.sections {
        blocks.extend(section(&titled.title, paragraph(Some(&titled.text))));
    }
    let background = written(&context.background).map(|text| Block::Text(text.clone())).collect();
    blocks.extend(section(&headings.background, background));
    blocks
}

fn history(messages: &[Message]) -> Vec<Block> {
    let line =
        |message: &Message| Text::literal(format!("{}: ", message.role)).then(message.text.clone());
    lines(messages.iter().map(line).collect())
}

fn tools(tools: &[Tool], words: &Words) -> Vec<Block> {
    let parameter = |parameter: &Parameter| {
        let Parameter { name, kind, description, optional } = parameter;
        let needed = if *optional { &words.tools.optional } else { &words.tools.required };
        let head = Text::literal(format!("  - {name} ({kind}, {needed})"));
        if description.is_blank() {
            head
        } else {
            head.then(Text::literal(": ")).then(description.indented(4))
        }
    };
    let tool = |tool: &Tool| {
        let head = Text::literal(format!("- {}: ", tool.name)).then(tool.description.indented(2));
        let parameters = tool.parameters.iter().map(parameter);
        Text::joined(std::iter::once(head).chain(parameters), "\n")
    };
    lines(tools.iter().map(tool).collect())
}

fn audience(audience: &Audience, words: &Words) -> Vec<Block> {
    let words_of = &words.audience;
    let parts = [
        audience.readers.as_ref().map(|text| with(&words_of.readers, text)),
        audience.level.as_ref().map(|text| with(&words_of.level, text)),
        audience.difficulty.and_then(|level| words.difficulties.get(&level).cloned()),
        audience.like_i_am_five.then(|| words_of.like_i_am_five.clone()),
        audience.expert.then(|| words_of.expert.clone()),
    ];
    lines(parts.into_iter().flatten().collect())
}

fn reasoning(reasoning: &Reasoning, words: &Words) -> Vec<Block> {
    let strategies = reasoning.strategies.iter().filter_map(|it| words.strategies.get(it));
    let texts: Vec<Text> = strategies.chain(&reasoning.own).cloned().collect();
    numbered(&texts)
}

fn examples(examples: &[&Example], words: &Words) -> Vec<Block> {
    let example = |(index, example): (usize, &&Example)| {
        let words_of = &words.examples;
        let parts = [
            (&words_of.input, Some(&example.input)),
            (&words_of.reasoning, example.reasoning.as_ref()),
            (&words_of.output, Some(&example.output)),
            (&words_of.explanation, example.explanation.as_ref()),
            (&words_of.wrong_because, example.wrong_because.as_ref()),
        ];
        let line = |(words, text): (&Text, Option<&Text>)| {
            text.filter(|text| !text.is_blank()).map(|text| with(words, text))
        };
        let heading = match &example.wrong_because {
            Some(_) => &words.headings.wrong_example,
            None => &words.headings.example,
        };
        let body = lines(parts.into_iter().filter_map(line).collect());
        labelled(heading, "number", (index + 1).to_string(), body)
    };
    examples.iter().enumerate().map(example).collect()
}

fn output(output: &Output, words: &Words) -> Vec<Block> {
    let format = output.format.and_then(|format| words.formats.get(&format));
    let mut blocks = paragraph(format);
    let description = output.description.as_ref().map(|text| with(&words.output.description, text));
    blocks.extend(paragraph(description.as_ref()));
    blocks.extend(bullets(&output.constraints));
    if let Some(schema) = &output.schema {
        let words = if is_json_schema(schema) { &words.output.schema } else { &words.output.shape };
        blocks.extend(paragraph(Some(&with(words, &Text::literal(schema.trim())))));
    }
    blocks
}

/// `true` if the JSON is a JSON Schema rather than an example value.
fn is_json_schema(text: &str) -> bool {
    let value: Option<serde_json::Value> = serde_json::from_str(text).ok();
    value.as_ref().and_then(serde_json::Value::as_object).is_some_and(|object| {
        let has = |key: &str| object.contains_key(key);
        has("$schema")
            || has("$ref")
            || object.get("type").is_some_and(|kind| kind == "object" || kind == "array")
                && (has("properties") || has("items"))
    })
}

fn length(length: &Length, words: &Words) -> Vec<Block> {
    let words = &words.length;
    let between = length.words.map(|(min, max)| {
        let (min, max) = (Text::literal(min.to_string()), Text::literal(max.to_string()));
        words.words.filled(&[("min", &min), ("max", &max)])
    });
    let parts = [
        length.concise.then(|| words.concise.clone()),
        length.detailed.then(|| words.detailed.clone()),
        length.comprehensive.then(|| words.comprehensive.clone()),
        between,
        length.sentences.map(|count| number(&words.sentences, count)),
        length.max_tokens.map(|count| number(&words.max_tokens, count)),
        length.tldr.then(|| words.tldr.clone()),
        length.summary.then(|| words.summary.clone()),
    ];
    bullets(parts.iter().flatten())
}

fn input(input: &Input, words: &Words) -> Option<Block> {
    let label = input.label.as_deref().filter(|label| !label.trim().is_empty());
    section(label.unwrap_or(&words.headings.input), paragraph(input.text.as_ref()))
}

/// Writes blocks with delimiters between sections.
pub(crate) fn write(
    blocks: &[Block],
    delimiters: Delimiters,
    writer: &mut PromptWriter,
) -> Result<(), BuildError> {
    write_blocks(blocks, delimiters, &mut Vec::new(), writer)
}

/// `around` lists the enclosing sections and the delimiters that would end them. Sections are
/// nested at most three deep, so the recursion is shallow.
fn write_blocks(
    blocks: &[Block],
    delimiters: Delimiters,
    around: &mut Vec<(String, Option<String>)>,
    writer: &mut PromptWriter,
) -> Result<(), BuildError> {
    for (index, block) in blocks.iter().enumerate() {
        if index > 0 {
            writer.delimiter("\n\n");
        }
        match block {
            Block::Text(text) => {
                let shown = text.shown();
                for (section, end) in around.iter() {
                    if let Some(end) = end.clone().filter(|end| shown.contains(end.as_str())) {
                        return Err(BuildError::EndsSection { section: section.clone(), end });
                    }
                }
                writer.text(text)?;
            }
            Block::Section(section) => {
                let label = section.label.as_ref().map(|(kind, label)| (*kind, label.as_str()));
                let shown = shown(&section.body);
                let frame = delimiters.frame(&section.heading, label, around.len(), &shown);
                writer.begin(&section.heading);
                writer.delimiter(&frame.open);
                around.push((section.heading.clone(), frame.ends));
                write_blocks(&section.body, delimiters, around, writer)?;
                around.pop();
                writer.delimiter(&frame.close);
            }
        }
    }
    Ok(())
}

/// The texts of blocks, to search them for delimiters.
fn shown(blocks: &[Block]) -> String {
    let text = |block: &Block| match block {
        Block::Text(text) => text.shown(),
        Block::Section(section) => shown(&section.body),
    };
    blocks.iter().map(text).collect::<Vec<_>>().join("\n")
}
