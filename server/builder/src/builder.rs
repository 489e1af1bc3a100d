//! The builder: adds parts to a prompt, in any order.

use std::collections::BTreeSet;

use promptls_syntax::Dialect;

use crate::delimiters::Delimiters;
use crate::error::BuildError;
use crate::language::Language;
use crate::note::Note;
use crate::outline::{
    Audience, Data, Difficulty, Document, Example, Examples, Input, Length, Message, Outline,
    Output, OutputFormat, Strategy, Titled, Tool,
};
use crate::part::Mergeable as _;
use crate::sections;
use crate::template::Template;
use crate::text::Text;
use crate::texts::Texts as _;
use crate::writer::PromptWriter;

/// Starts a prompt in a dialect and a human language.
pub fn builder(dialect: Dialect, language: &'static Language) -> PromptBuilder {
    PromptBuilder {
        dialect,
        language,
        own: Outline::default(),
        applied: Outline::default(),
        clashes: BTreeSet::new(),
        valid: Vec::new(),
        error: None,
    }
}

/// A prompt that is being composed.
///
/// The order of calls does not matter: sections have a fixed order. A part that exists once, such
/// as the role, is an error if two calls set it to different values. Parts that accumulate, such as
/// instructions, keep the order of their calls. Calls override what a template sets; parts that
/// accumulate come after those of the template.
#[must_use = "nothing is written before `build`"]
pub struct PromptBuilder {
    dialect: Dialect,
    language: &'static Language,
    /// Parts set by calls; they override those of templates.
    own: Outline,
    /// Parts set by templates; accumulated ones come before those of calls.
    applied: Outline,
    /// Names of parts that were set twice to different values.
    clashes: BTreeSet<String>,
    /// Conditions that each example must meet.
    valid: Vec<Valid>,
    /// The first error in a call.
    error: Option<BuildError>,
}

/// A condition on an example.
type Valid = Box<dyn Fn(&Example) -> bool + Send>;

/// A prompt, with notes on calls that have no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// The prompt, in its dialect. It ends in a newline unless it is empty.
    pub text: String,
    /// Calls that have no effect, and surprising combinations.
    pub notes: Vec<Note>,
    /// Names of the placeholders that templates add, as the templates spell them.
    pub placeholders: BTreeSet<String>,
}

impl PromptBuilder {
    /// Adds all parts of an outline.
    pub fn with(mut self, outline: Outline) -> Self {
        self.own = self.own.and(outline, &mut self.clashes);
        self
    }

    /// Adds the parts of a template, with these arguments.
    pub fn apply(
        mut self,
        template: &Template,
        arguments: impl IntoIterator<Item = impl Into<Text>>,
    ) -> Self {
        let arguments = arguments.into_iter().map(Into::into).collect();
        match template.with(arguments) {
            Ok(outline) => self.applied = self.applied.and(outline, &mut self.clashes),
            Err(error) => self.error = self.error.or(Some(error)),
        }
        self
    }

    /// Adds the parts of the template with this name, in the language of the prompt.
    pub fn template(
        mut self,
        name: &str,
        arguments: impl IntoIterator<Item = impl Into<Text>>,
    ) -> Self {
        match self.language.template(name) {
            Ok(template) => self.apply(template, arguments),
            Err(error) => {
                self.error = self.error.or(Some(error.into()));
                self
            }
        }
    }

    /// Applies `configure` if a condition holds.
    pub fn when(self, condition: bool, configure: impl FnOnce(Self) -> Self) -> Self {
        if condition { configure(self) } else { self }
    }

    /// Applies a function to the builder, so that several prompts can share configuration.
    pub fn configure(self, configure: impl FnOnce(Self) -> Self) -> Self {
        configure(self)
    }

    /// Requires every example, including those of templates, to meet a condition.
    pub fn valid_examples(mut self, valid: impl Fn(&Example) -> bool + Send + 'static) -> Self {
        self.valid.push(Box::new(valid));
        self
    }

    /// Writes the prompt. Calls that have no effect become notes.
    ///
    /// # Errors
    ///
    /// The reason why the prompt cannot be written.
    pub fn build(self) -> Result<Built, BuildError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        if !self.clashes.is_empty() {
            return Err(BuildError::SetTwice { parts: self.clashes.into_iter().collect() });
        }
        let mut outline = self.own.over(self.applied);
        check(&outline)?;
        let examples = examples(&outline.examples, &self.valid)?;
        let delimiters = outline.delimiters.unwrap_or(Delimiters::Headers);
        let blocks = sections::blocks(&outline, &examples, self.language.words());
        let mut writer = PromptWriter::new(self.dialect);
        sections::write(&blocks, delimiters, &mut writer)?;
        let text = writer.finish()?;

        let notes = notes(&outline);
        let mut placeholders = BTreeSet::new();
        outline.each_text(&mut |text| placeholders.extend(text.placeholders().map(str::to_owned)));
        Ok(Built { text, notes, placeholders })
    }
}

/// Methods that set one part each.
macro_rules! calls {
    ($($(#[$meta:meta])* $name:ident($($arg:ident: $type:ty),*)
        => $($field:ident).+ = $value:expr;)*) => {
        impl PromptBuilder {
            $($(#[$meta])*
            pub fn $name(self $(, $arg: $type)*) -> Self {
                let mut outline = Outline::default();
                outline.$($field).+ = $value;
                self.with(outline)
            })*
        }
    };
}

calls! {
    /// The role of the model, such as `data analyst`.
    role(role: impl Into<Text>) => role = Some(role.into());
    /// A field of expertise of the model. Accumulates.
    expertise(expertise: impl Into<Text>) => expertise = vec![expertise.into()];
    /// A personality trait of the model. Accumulates.
    add_personality(personality: impl Into<Text>) => personality = vec![personality.into()];
    /// The tone of the answer.
    tone(tone: impl Into<Text>) => tone = Some(tone.into());
    /// An instruction for the whole conversation.
    system_instruction(text: impl Into<Text>) => system = Some(text.into());

    /// A document with its name. Accumulates.
    document(name: impl Into<String>, text: impl Into<Text>)
        => context.documents = vec![Document { name: name.into(), text: text.into() }];
    /// A paragraph of background information; all share one section. Accumulates.
    background(text: impl Into<Text>) => context.background = vec![text.into()];
    /// Further context under its own heading. Accumulates.
    section(title: impl Into<String>, text: impl Into<Text>)
        => context.sections = vec![Titled { title: title.into(), text: text.into() }];
    /// Data, with the name of its format. Accumulates.
    data(format: impl Into<String>, text: impl Into<Text>)
        => context.data = vec![Data { format: format.into(), text: text.into() }];
    /// An earlier message, with the role of its author. Accumulates.
    message(role: impl Into<String>, text: impl Into<Text>)
        => history = vec![Message { role: role.into(), text: text.into() }];
    /// A tool that the model can call. Accumulates.
    tool(tool: Tool) => tools = vec![tool];

    /// The task, written after the context and before the instructions.
    task(task: impl Into<Text>) => task = Some(task.into());
    /// The purpose of the task.
    goal(goal: impl Into<Text>) => goal = Some(goal.into());
    /// The steps of the task, in order. Accumulates.
    instructions(texts: impl IntoIterator<Item = impl Into<Text>>)
        => instructions = texts.into_iter().map(Into::into).collect();
    /// Properties that the result must have. Accumulates.
    requirements(texts: impl IntoIterator<Item = impl Into<Text>>)
        => requirements = texts.into_iter().map(Into::into).collect();
    /// Things that are not allowed. Accumulates.
    constraints(texts: impl IntoIterator<Item = impl Into<Text>>)
        => constraints = texts.into_iter().map(Into::into).collect();
    /// A text without a heading. Accumulates.
    raw(text: impl Into<Text>) => raw = vec![text.into()];
    /// The input of the task.
    input(text: impl Into<Text>) => input.text = Some(text.into());
    /// The label of the input.
    input_label(label: impl Into<String>) => input.label = Some(label.into());
    /// The start of the answer.
    prefill(text: impl Into<Text>) => prefill = Some(text.into());

    /// An example: an input and its output. Accumulates.
    example(input: impl Into<Text>, output: impl Into<Text>)
        => examples.examples =
            vec![Example { input: input.into(), output: output.into(), ..Example::default() }];
    /// Any example, such as one with an explanation or reasoning, or a wrong one. Accumulates.
    any_example(example: Example) => examples.examples = vec![example];
    /// The maximum number of examples to write.
    limit_examples(limit: usize) => examples.limit = Some(limit);
    /// Shuffles the examples with a seed; the same seed gives the same order.
    shuffled_examples(seed: u64) => examples.shuffled = Some(seed);

    /// A built-in reasoning strategy, written in the language of the prompt. Accumulates.
    with_strategy(strategy: Strategy) => reasoning.strategies = BTreeSet::from([strategy]);
    /// Requests reasoning step by step.
    with_chain_of_thought() => reasoning.strategies = BTreeSet::from([Strategy::ChainOfThought]);
    /// Requests the underlying principles before the answer.
    with_step_back() => reasoning.strategies = BTreeSet::from([Strategy::StepBack]);
    /// Requests a check of the answer before it is given.
    with_self_verification()
        => reasoning.strategies = BTreeSet::from([Strategy::SelfVerification]);
    /// Requests splitting the problem into parts.
    with_decomposition() => reasoning.strategies = BTreeSet::from([Strategy::Decomposition]);
    /// Requests several approaches, of which the best is followed.
    with_tree_of_thoughts() => reasoning.strategies = BTreeSet::from([Strategy::TreeOfThoughts]);
    /// Requests several points of view.
    with_multiple_perspectives()
        => reasoning.strategies = BTreeSet::from([Strategy::MultiplePerspectives]);
    /// Requests arguments for and against.
    with_pros_and_cons() => reasoning.strategies = BTreeSet::from([Strategy::ProsAndCons]);
    /// Requests several solutions, of which the most common answer counts.
    with_self_consistency() => reasoning.strategies = BTreeSet::from([Strategy::SelfConsistency]);
    /// A custom reasoning instruction. Accumulates.
    reasoning(text: impl Into<Text>) => reasoning.own = vec![text.into()];

    /// The format of the answer.
    output_as(format: OutputFormat) => output.format = Some(format);
    /// Requests numbered steps as the format of the answer.
    step_by_step() => output.format = Some(OutputFormat::StepByStep);
    /// A JSON Schema of the answer, or an example of it.
    output_schema(json: impl Into<String>) => output.schema = Some(json.into());
    /// A description of the content of the answer.
    output_description(text: impl Into<Text>) => output.description = Some(text.into());
    /// Constraints on the answer. Accumulates.
    output_constraints(texts: impl IntoIterator<Item = impl Into<Text>>)
        => output.constraints = texts.into_iter().map(Into::into).collect();

    /// The audience of the answer.
    for_audience(readers: impl Into<Text>) => audience.readers = Some(readers.into());
    /// The knowledge of the audience.
    audience_level(level: impl Into<Text>) => audience.level = Some(level.into());
    /// The difficulty of the answer.
    difficulty_level(level: Difficulty) => audience.difficulty = Some(level);
    /// Requests an explanation for a five-year-old.
    like_i_am_five() => audience.like_i_am_five = true;
    /// Requests an explanation for experts.
    expert() => audience.expert = true;

    /// Requests the shortest possible answer.
    concise() => length.concise = true;
    /// Requests reasons, examples and exceptions; with `concise`, `build` adds a note.
    detailed() => length.detailed = true;
    /// Requests every aspect, including rare cases; with `concise`, `build` adds a note.
    comprehensive() => length.comprehensive = true;
    /// The minimum and maximum number of words.
    word_count(min: u32, max: u32) => length.words = Some((min, max));
    /// The exact number of sentences of the answer.
    sentence_count(count: u32) => length.sentences = Some(count);
    /// The maximum number of tokens.
    max_tokens(count: u32) => length.max_tokens = Some(count);
    /// Requests a summary of one or two sentences at the start.
    with_tldr() => length.tldr = true;
    /// Requests a summary at the end.
    with_summary() => length.summary = true;

    /// The style that separates sections; Markdown headings by default.
    delimiters(delimiters: Delimiters) => delimiters = Some(delimiters);
}

/// Reports what cannot be written in any dialect.
fn check(outline: &Outline) -> Result<(), BuildError> {
    if let Some(schema) = &outline.output.schema {
        let read = serde_json::from_str::<serde::de::IgnoredAny>(schema);
        read.map_err(|error| BuildError::Schema { reason: error.to_string() })?;
    }
    if let Some((min, max)) = outline.length.words.filter(|(min, max)| min > max) {
        return Err(BuildError::Words { min, max });
    }
    let context = &outline.context;
    let documents = context.documents.iter().map(|document| ("document", &document.name));
    let data = context.data.iter().map(|data| ("format of data", &data.format));
    let sections = context.sections.iter().map(|section| ("section", &section.title));
    let messages = outline.history.iter().map(|message| ("message", &message.role));
    let tools = outline.tools.iter().map(|tool| ("tool", &tool.name));
    let mut names = documents.chain(data).chain(sections).chain(messages).chain(tools);
    match names.find(|(_, name)| name.trim().is_empty()) {
        Some((what, _)) => Err(BuildError::NoName { what }),
        None => Ok(()),
    }
}

/// The examples to write, in order.
fn examples<'a>(
    Examples { examples, limit, shuffled }: &'a Examples,
    valid: &[Valid],
) -> Result<Vec<&'a Example>, BuildError> {
    let is_wrong = |example: &Example| !valid.iter().all(|valid| valid(example));
    if let Some(index) = examples.iter().position(is_wrong) {
        let input = examples[index].input.shown();
        return Err(BuildError::InvalidExample { number: index + 1, input });
    }
    let mut examples: Vec<&Example> = examples.iter().collect();
    if let Some(seed) = shuffled {
        fastrand::Rng::with_seed(*seed).shuffle(&mut examples);
    }
    examples.truncate(limit.unwrap_or(usize::MAX));
    Ok(examples)
}

/// Reports parts that have no effect.
fn notes(outline: &Outline) -> Vec<Note> {
    let mut notes = Vec::new();
    let once = [
        ("role", &outline.role),
        ("tone", &outline.tone),
        ("system", &outline.system),
        ("task", &outline.task),
        ("goal", &outline.goal),
        ("input", &outline.input.text),
        ("prefill", &outline.prefill),
        ("output description", &outline.output.description),
        ("audience", &outline.audience.readers),
        ("audience level", &outline.audience.level),
    ];
    let once = once.into_iter().flat_map(|(part, text)| text.iter().map(move |text| (part, text)));
    let more = [
        ("expertise", &outline.expertise),
        ("personality", &outline.personality),
        ("background", &outline.context.background),
        ("instructions", &outline.instructions),
        ("requirements", &outline.requirements),
        ("constraints", &outline.constraints),
        ("reasoning", &outline.reasoning.own),
        ("output constraints", &outline.output.constraints),
        ("raw", &outline.raw),
    ];
    let more =
        more.into_iter().flat_map(|(part, texts)| texts.iter().map(move |text| (part, text)));
    let blank = once.chain(more).filter(|(_, text)| text.is_blank());
    notes.extend(blank.map(|(part, _)| Note::Blank(part)));

    let Input { label, text } = &outline.input;
    if label.is_some() && text.as_ref().is_none_or(Text::is_blank) {
        notes.push(Note::LabelWithoutInput);
    }
    let Examples { examples, limit, shuffled } = &outline.examples;
    if examples.is_empty() {
        notes.extend(limit.map(|_| Note::NoExamples("a limit of examples")));
        notes.extend(shuffled.map(|_| Note::NoExamples("shuffling examples")));
    } else {
        notes.extend(
            limit
                .filter(|&limit| limit >= examples.len())
                .map(|limit| Note::LimitNotReached { limit, examples: examples.len() }),
        );
        notes.extend((*limit == Some(0)).then_some(Note::NoExampleLeft));
    }
    let Length { concise, detailed, comprehensive, .. } = &outline.length;
    notes.extend((*concise && *detailed).then_some(Note::Contradiction("concise", "detailed")));
    notes.extend(
        (*concise && *comprehensive).then_some(Note::Contradiction("concise", "comprehensive")),
    );
    let Audience { like_i_am_five, expert, .. } = &outline.audience;
    notes.extend(
        (*like_i_am_five && *expert).then_some(Note::Contradiction("like-i-am-five", "expert")),
    );
    let Output { format, schema, .. } = &outline.output;
    let is_json =
        |format: &OutputFormat| matches!(format, OutputFormat::Json | OutputFormat::JsonArray);
    if let (Some(format), Some(_)) = (format.filter(|format| !is_json(format)), schema) {
        notes.push(Note::SchemaBesideFormat(format.id()));
    }
    notes
}
