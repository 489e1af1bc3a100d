//! Says things about a prompt, in any order.

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
use crate::part::Part as _;
use crate::sections;
use crate::template::Template;
use crate::text::Text;
use crate::texts::Texts as _;
use crate::writer::Writer;

/// Begins a prompt in a dialect and a human language.
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
/// The order of calls does not count: sections have an order of their own. What is said once,
/// such as the role, is an error when it is said twice and not the same. What adds up, such as
/// instructions, keeps the order among itself. What a template says gives way to what is said
/// here, or stands before it where it adds up.
#[must_use = "nothing is written before `build`"]
pub struct PromptBuilder {
    dialect: Dialect,
    language: &'static Language,
    /// What was said by calls.
    own: Outline,
    /// What templates say.
    applied: Outline,
    /// What was said twice, and not the same.
    clashes: BTreeSet<String>,
    /// What examples must be.
    valid: Vec<Valid>,
    /// The first thing that was wrong with a call.
    error: Option<BuildError>,
}

/// What an example must fulfil.
type Valid = Box<dyn Fn(&Example) -> bool + Send>;

/// A prompt, and what was said about it that has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// The prompt, in its dialect. It ends in a newline unless it is empty.
    pub text: String,
    /// What has no effect, or surprises.
    pub notes: Vec<Note>,
    /// The names that templates brought into it, as they call them.
    pub placeholders: BTreeSet<String>,
}

impl PromptBuilder {
    /// Says all that an outline says.
    pub fn say(mut self, outline: Outline) -> Self {
        self.own = self.own.and(outline, &mut self.clashes);
        self
    }

    /// Says what a template says, with these as its arguments.
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

    /// Says what the template of this name says in the language of the prompt.
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

    /// Does something with the builder if a condition holds.
    pub fn when(self, condition: bool, configure: impl FnOnce(Self) -> Self) -> Self {
        if condition { configure(self) } else { self }
    }

    /// Does something with the builder: what several prompts share is a function.
    pub fn configure(self, configure: impl FnOnce(Self) -> Self) -> Self {
        configure(self)
    }

    /// Every example must fulfil this, those of templates, too.
    pub fn valid_examples(mut self, valid: impl Fn(&Example) -> bool + Send + 'static) -> Self {
        self.valid.push(Box::new(valid));
        self
    }

    /// Writes the prompt.
    ///
    /// An error says what cannot be written and why; what has no effect is a note.
    pub fn build(self) -> Result<Built, BuildError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        if !self.clashes.is_empty() {
            return Err(BuildError::SaidTwice { parts: self.clashes.into_iter().collect() });
        }
        let mut outline = self.own.over(self.applied);
        check(&outline)?;
        let examples = examples(&outline.examples, &self.valid)?;
        let delimiters = outline.delimiters.unwrap_or(Delimiters::Headers);
        let blocks = sections::blocks(&outline, &examples, self.language.words());
        let mut writer = Writer::new(self.dialect);
        sections::write(&blocks, delimiters, &mut writer)?;
        let text = writer.finish()?;

        let notes = notes(&outline);
        let mut placeholders = BTreeSet::new();
        outline.each_text(&mut |text| placeholders.extend(text.placeholders().map(str::to_owned)));
        Ok(Built { text, notes, placeholders })
    }
}

/// Calls that say one thing.
macro_rules! calls {
    ($($(#[$meta:meta])* $name:ident($($arg:ident: $type:ty),*)
        => $($field:ident).+ = $value:expr;)*) => {
        impl PromptBuilder {
            $($(#[$meta])*
            pub fn $name(self $(, $arg: $type)*) -> Self {
                let mut outline = Outline::default();
                outline.$($field).+ = $value;
                self.say(outline)
            })*
        }
    };
}

calls! {
    /// Who answers, such as `data analyst`.
    role(role: impl Into<Text>) => role = Some(role.into());
    /// What they know well. Adds up.
    expertise(expertise: impl Into<Text>) => expertise = vec![expertise.into()];
    /// What they are like. Adds up.
    add_personality(personality: impl Into<Text>) => personality = vec![personality.into()];
    /// How they sound.
    tone(tone: impl Into<Text>) => tone = Some(tone.into());
    /// What holds for the whole conversation.
    system_instruction(text: impl Into<Text>) => system = Some(text.into());

    /// A text to read, with its name. Adds up.
    document(name: impl Into<String>, text: impl Into<Text>)
        => context.documents = vec![Document { name: name.into(), text: text.into() }];
    /// How things stand. Adds up.
    background(text: impl Into<Text>) => context.background = vec![text.into()];
    /// Something else to know, with a heading. Adds up.
    section(title: impl Into<String>, text: impl Into<Text>)
        => context.sections = vec![Titled { title: title.into(), text: text.into() }];
    /// Values, with the name of their format. Adds up.
    data(format: impl Into<String>, text: impl Into<Text>)
        => context.data = vec![Data { format: format.into(), text: text.into() }];
    /// Something that was said before, and who said it. Adds up.
    message(role: impl Into<String>, text: impl Into<Text>)
        => history = vec![Message { role: role.into(), text: text.into() }];
    /// Something that the model can call. Adds up.
    tool(tool: Tool) => tools = vec![tool];

    /// What is to be done.
    task(task: impl Into<Text>) => task = Some(task.into());
    /// What it is done for.
    goal(goal: impl Into<Text>) => goal = Some(goal.into());
    /// How it is done, step by step. Adds up.
    instructions(texts: impl IntoIterator<Item = impl Into<Text>>)
        => instructions = texts.into_iter().map(Into::into).collect();
    /// What the result must have. Adds up.
    requirements(texts: impl IntoIterator<Item = impl Into<Text>>)
        => requirements = texts.into_iter().map(Into::into).collect();
    /// What is not allowed. Adds up.
    constraints(texts: impl IntoIterator<Item = impl Into<Text>>)
        => constraints = texts.into_iter().map(Into::into).collect();
    /// A text without a heading. Adds up.
    raw(text: impl Into<Text>) => raw = vec![text.into()];
    /// What the task is done with.
    input(text: impl Into<Text>) => input.text = Some(text.into());
    /// What the input is called.
    input_label(label: impl Into<String>) => input.label = Some(label.into());
    /// How the answer begins.
    prefill(text: impl Into<Text>) => prefill = Some(text.into());

    /// An input, and what is to be made of it. Adds up.
    example(input: impl Into<Text>, output: impl Into<Text>)
        => examples.examples =
            vec![Example { input: input.into(), output: output.into(), ..Example::default() }];
    /// Any example: with an explanation, with reasoning, a wrong one. Adds up.
    any_example(example: Example) => examples.examples = vec![example];
    /// At most so many examples are written.
    limit_examples(limit: usize) => examples.limit = Some(limit);
    /// Examples are written in an order that follows from this seed.
    shuffled_examples(seed: u64) => examples.shuffled = Some(seed);

    /// A way of thinking. Adds up.
    with_strategy(strategy: Strategy) => reasoning.strategies = BTreeSet::from([strategy]);
    /// One step after the other.
    with_chain_of_thought() => reasoning.strategies = BTreeSet::from([Strategy::ChainOfThought]);
    /// What stands behind the question comes first.
    with_step_back() => reasoning.strategies = BTreeSet::from([Strategy::StepBack]);
    /// The answer is checked before it is given.
    with_self_verification()
        => reasoning.strategies = BTreeSet::from([Strategy::SelfVerification]);
    /// The problem is split.
    with_decomposition() => reasoning.strategies = BTreeSet::from([Strategy::Decomposition]);
    /// Several approaches, of which the best is followed.
    with_tree_of_thoughts() => reasoning.strategies = BTreeSet::from([Strategy::TreeOfThoughts]);
    /// Several points of view.
    with_multiple_perspectives()
        => reasoning.strategies = BTreeSet::from([Strategy::MultiplePerspectives]);
    /// What speaks for it and what against it.
    with_pros_and_cons() => reasoning.strategies = BTreeSet::from([Strategy::ProsAndCons]);
    /// Several solutions, of which the commonest answer counts.
    with_self_consistency() => reasoning.strategies = BTreeSet::from([Strategy::SelfConsistency]);
    /// A way of thinking of your own. Adds up.
    reasoning(text: impl Into<Text>) => reasoning.own = vec![text.into()];

    /// What the answer looks like.
    output_as(format: OutputFormat) => output.format = Some(format);
    /// Numbered steps.
    step_by_step() => output.format = Some(OutputFormat::StepByStep);
    /// A JSON Schema of the answer, or an example of it.
    output_schema(json: impl Into<String>) => output.schema = Some(json.into());
    /// What the answer holds.
    output_description(text: impl Into<Text>) => output.description = Some(text.into());
    /// What holds for the answer. Adds up.
    output_constraints(texts: impl IntoIterator<Item = impl Into<Text>>)
        => output.constraints = texts.into_iter().map(Into::into).collect();

    /// Who reads the answer.
    for_audience(readers: impl Into<Text>) => audience.readers = Some(readers.into());
    /// What they know.
    audience_level(level: impl Into<Text>) => audience.level = Some(level.into());
    /// How difficult it may be.
    difficulty_level(level: Difficulty) => audience.difficulty = Some(level);
    /// As to a child of five.
    like_i_am_five() => audience.like_i_am_five = true;
    /// As among experts.
    expert() => audience.expert = true;

    /// As short as possible.
    concise() => length.concise = true;
    /// With the details.
    detailed() => length.detailed = true;
    /// With everything there is.
    comprehensive() => length.comprehensive = true;
    /// From so many words to so many.
    word_count(min: u32, max: u32) => length.words = Some((min, max));
    /// So many sentences.
    sentence_count(count: u32) => length.sentences = Some(count);
    /// At most so many tokens.
    max_tokens(count: u32) => length.max_tokens = Some(count);
    /// It begins with the gist in a sentence or two.
    with_tldr() => length.tldr = true;
    /// It ends with a summary.
    with_summary() => length.summary = true;

    /// How sections are told apart. Headers, if nothing else is said.
    delimiters(delimiters: Delimiters) => delimiters = Some(delimiters);
}

/// What cannot be written, whatever the dialect.
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

/// The examples that are written, in their order.
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

/// What was said and has no effect.
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
