//! Converts the flags of `promptls new` into an outline.

use std::collections::BTreeSet;
use std::path::Path;

use promptls_builder::{
    Audience, Context, Data, Document, Example, Examples, Input, Length, Message, Outline, Output,
    Parameter, Reasoning, Text, Titled, Tool,
};
use promptls_workspace::DISK;

use crate::args::new::NewArgs;
use crate::errors::CommandError;

/// The outline for the flags.
pub fn of_args(args: &NewArgs) -> Result<Outline, CommandError> {
    let NewArgs { persona, what, context, examples, answer, audience, .. } = args;
    Ok(Outline {
        role: one(&persona.role)?,
        expertise: all(&persona.expertise)?,
        personality: all(&persona.personality)?,
        tone: one(&persona.tone)?,
        system: one(&persona.system)?,
        context: Context {
            documents: pairs(&context.document, |name, text| Document { name, text })?,
            background: all(&context.background)?,
            sections: pairs(&context.section, |title, text| Titled { title, text })?,
            data: pairs(&context.data, |format, text| Data { format, text })?,
        },
        history: pairs(&context.message, |role, text| Message { role, text })?,
        tools: context.tool.iter().map(|tool| self::tool(tool)).collect::<Result<_, _>>()?,
        task: one(&what.task)?,
        goal: one(&what.goal)?,
        instructions: all(&what.instruction)?,
        requirements: all(&what.requirement)?,
        constraints: all(&what.constraint)?,
        audience: Audience {
            readers: one(&audience.audience)?,
            level: one(&audience.audience_level)?,
            difficulty: audience.difficulty,
            like_i_am_five: audience.eli5,
            expert: audience.expert,
        },
        reasoning: Reasoning {
            strategies: BTreeSet::from_iter(what.think.iter().copied()),
            own: all(&what.reasoning)?,
        },
        examples: Examples {
            examples: self::examples(args)?,
            limit: examples.limit_examples,
            shuffled: examples.shuffle_examples,
        },
        output: Output {
            format: answer.format,
            schema: answer.schema.as_deref().map(raw).transpose()?,
            description: one(&answer.describe)?,
            constraints: all(&answer.output_constraint)?,
        },
        length: Length {
            concise: answer.concise,
            detailed: answer.detailed,
            comprehensive: answer.comprehensive,
            words: answer.words,
            sentences: answer.sentences,
            max_tokens: answer.max_tokens,
            tldr: answer.tldr,
            summary: answer.summary,
        },
        raw: all(&what.raw)?,
        input: Input { label: what.input_label.clone(), text: one(&what.input)? },
        prefill: one(&what.prefill)?,
        delimiters: answer.delimiters,
    })
}

/// A text in the dialect of the prompt, or the text of a file, which is sent verbatim.
pub fn text(written: &str) -> Result<Text, CommandError> {
    match written.strip_prefix('@') {
        Some(_) => Ok(Text::literal(raw(written)?)),
        None => Ok(Text::from(written)),
    }
}

/// The argument verbatim, or the content of `@FILE` without its last line break.
fn raw(written: &str) -> Result<String, CommandError> {
    match written.strip_prefix('@') {
        Some(file) => {
            let text = DISK.read_named(Path::new(file))?;
            // The last line break belongs to the file, not to the text.
            Ok(text.strip_suffix('\n').unwrap_or(&text).to_owned())
        }
        None => Ok(written.to_owned()),
    }
}

fn one(written: &Option<String>) -> Result<Option<Text>, CommandError> {
    written.as_deref().map(text).transpose()
}

fn all(written: &[String]) -> Result<Vec<Text>, CommandError> {
    written.iter().map(|written| text(written)).collect()
}

/// Flags with a name and a text.
fn pairs<T>(written: &[String], make: fn(String, Text) -> T) -> Result<Vec<T>, CommandError> {
    let pair = |pair: &[String]| Ok(make(pair[0].clone(), text(&pair[1])?));
    written.chunks_exact(2).map(pair).collect()
}

/// Good examples before wrong ones, each kind in order of its flags.
fn examples(args: &NewArgs) -> Result<Vec<Example>, CommandError> {
    let examples = &args.examples;
    let mut all = Vec::new();
    for example in examples.example.chunks_exact(2) {
        let (input, output) = (text(&example[0])?, text(&example[1])?);
        all.push(Example { input, output, ..Example::default() });
    }
    for example in examples.reasoned_example.chunks_exact(3) {
        let (input, output) = (text(&example[0])?, text(&example[2])?);
        let reasoning = Some(text(&example[1])?);
        all.push(Example { input, output, reasoning, ..Example::default() });
    }
    for example in examples.explained_example.chunks_exact(3) {
        let (input, output) = (text(&example[0])?, text(&example[1])?);
        let explanation = Some(text(&example[2])?);
        all.push(Example { input, output, explanation, ..Example::default() });
    }
    for example in examples.wrong_example.chunks_exact(3) {
        let (input, output) = (text(&example[0])?, text(&example[1])?);
        let wrong_because = Some(text(&example[2])?);
        all.push(Example { input, output, wrong_because, ..Example::default() });
    }
    Ok(all)
}

/// Parses `name(parameter: type, optional?: type): description`.
fn tool(written: &str) -> Result<Tool, CommandError> {
    let wrong = || CommandError::NoTool(written.to_owned());
    let (name, rest) = written.split_once('(').ok_or_else(wrong)?;
    let (parameters, description) = rest.split_once(')').ok_or_else(wrong)?;
    let description = description.trim_start().strip_prefix(':').ok_or_else(wrong)?;
    let parameter = |parameter: &str| {
        let (name, kind) = parameter.split_once(':').ok_or_else(wrong)?;
        let name = name.trim();
        Ok(Parameter {
            name: name.trim_end_matches('?').to_owned(),
            kind: kind.trim().to_owned(),
            description: Text::default(),
            optional: name.ends_with('?'),
        })
    };
    let parameters = parameters.split(',').filter(|parameter| !parameter.trim().is_empty());
    Ok(Tool {
        name: name.trim().to_owned(),
        description: text(description.trim())?,
        parameters: parameters.map(parameter).collect::<Result<_, CommandError>>()?,
    })
}
