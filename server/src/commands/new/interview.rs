//! Creates a prompt from questions on the terminal; shows the current text before each question.

use inquire::{InquireError, Select, Text as Question};
use promptls_builder::{
    Delimiters, Difficulty, Example, Language, Outline, OutputFormat, Strategy, Text,
};
use promptls_syntax::Dialect;
use promptls_workspace::Templates;

use super::Plan;
use crate::errors::CommandError;
use crate::output::terminal::complain;

/// The optional parts of a prompt, and the kind of question for each.
const PARTS: &[(&str, QuestionKind)] = &[
    ("Role: the persona of the assistant", QuestionKind::Text(|it, text| it.role = Some(text))),
    ("Task: what to do", QuestionKind::Text(|it, text| it.task = Some(text))),
    ("Goal: the purpose of the task", QuestionKind::Text(|it, text| it.goal = Some(text))),
    ("Instruction: a step", QuestionKind::Text(|it, text| it.instructions.push(text))),
    (
        "Requirement: what the result must have",
        QuestionKind::Text(|it, text| it.requirements.push(text)),
    ),
    ("Constraint: what is not allowed", QuestionKind::Text(|it, text| it.constraints.push(text))),
    (
        "Background: the current situation",
        QuestionKind::Text(|it, text| it.context.background.push(text)),
    ),
    ("Input: the data to work on", QuestionKind::Text(|it, text| it.input.text = Some(text))),
    ("Example: an input and its output", QuestionKind::Example),
    ("Way of thinking", QuestionKind::Strategy),
    ("Output format", QuestionKind::Format),
    (
        "Audience: the readers of the answer",
        QuestionKind::Text(|it, text| it.audience.readers = Some(text)),
    ),
    ("Difficulty", QuestionKind::Difficulty),
    ("Concise", QuestionKind::Nothing(|it| it.length.concise = true)),
    ("Detailed", QuestionKind::Nothing(|it| it.length.detailed = true)),
    ("TL;DR first", QuestionKind::Nothing(|it| it.length.tldr = true)),
    ("Delimiters: the separators of sections", QuestionKind::Delimiters),
];

/// The kind of question for a part.
#[derive(Clone, Copy)]
enum QuestionKind {
    Nothing(fn(&mut Outline)),
    Text(fn(&mut Outline, Text)),
    Example,
    Strategy,
    Format,
    Difficulty,
    Delimiters,
}

const COMPOSE: &str = "(no template)";
const WRITE: &str = "Done: write it to a file";
const PRINT: &str = "Done: print it";

/// Lets the user enter the contents of the prompt; `None` if they cancel.
pub fn run(
    templates: &Templates,
    language: &'static Language,
    dialect: Option<Dialect>,
) -> Result<Option<Plan>, CommandError> {
    match plan(templates, language, dialect) {
        Err(CommandError::Interview(
            InquireError::OperationCanceled | InquireError::OperationInterrupted,
        )) => Ok(None),
        Err(error) => Err(error),
        Ok(plan) => Ok(Some(plan)),
    }
}

fn plan(
    templates: &Templates,
    language: &'static Language,
    dialect: Option<Dialect>,
) -> Result<Plan, CommandError> {
    let names: Vec<(&str, String)> = templates
        .all()
        .map(|(name, template)| (name, format!("{name}: {}", template.summary)))
        .collect();
    let shown = std::iter::once(COMPOSE).chain(names.iter().map(|(_, shown)| shown.as_str()));
    let chosen = Select::new("Template:", shown.collect()).with_page_size(12).raw_prompt()?.index;
    let template = chosen.checked_sub(1).map(|index| names[index].0.to_owned());
    let dialect = match dialect {
        Some(dialect) => dialect,
        None => {
            let titles = Dialect::ALL.map(|dialect| dialect.spec().title).to_vec();
            Dialect::ALL[Select::new("Dialect:", titles).raw_prompt()?.index]
        }
    };
    let mut plan = Plan {
        dialect,
        template,
        arguments: Vec::new(),
        outline: Outline::default(),
        output: None,
    };
    plan.arguments = arguments(&plan, templates)?;
    loop {
        show(&plan, templates, language);
        let parts = PARTS.iter().map(|(title, _)| *title);
        let choices: Vec<&str> = [WRITE, PRINT].into_iter().chain(parts).collect();
        let chosen = Select::new("Next:", choices).with_page_size(12).raw_prompt()?.index;
        match chosen {
            0 => {
                let example = format!("my.{}.prompt", dialect.spec().id);
                let output = Question::new("File:").with_default(&example).prompt()?;
                plan.output = Some(output.into());
                return Ok(plan);
            }
            1 => return Ok(plan),
            part => add(&mut plan.outline, PARTS[part - 2].1)?,
        }
    }
}

/// Lets the user enter the arguments of the template. An empty answer becomes a placeholder.
fn arguments(plan: &Plan, templates: &Templates) -> Result<Vec<Text>, CommandError> {
    let Some(template) = plan.template(templates)? else { return Ok(Vec::new()) };
    let mut arguments = Vec::new();
    for argument in &template.arguments {
        let name = argument.trim_end_matches('.');
        let variable = template.variables.get(name).cloned().unwrap_or_default();
        let help = format!("{}; leave it empty for a placeholder", variable.description);
        let question = format!("{name}:");
        let answer = Question::new(&question).with_placeholder(&variable.example);
        arguments.push(Text::from(answer.with_help_message(&help).prompt()?));
    }
    Ok(arguments)
}

fn add(outline: &mut Outline, kind: QuestionKind) -> Result<(), CommandError> {
    let text = |what: &str| Question::new(what).prompt().map(Text::from);
    match kind {
        QuestionKind::Nothing(set) => set(outline),
        QuestionKind::Text(set) => set(outline, text("Text:")?),
        QuestionKind::Example => {
            let (input, output) = (text("Input:")?, text("Output:")?);
            outline.examples.examples.push(Example { input, output, ..Example::default() });
        }
        QuestionKind::Strategy => {
            outline.reasoning.strategies.insert(one_of(Strategy::ALL, Strategy::id)?);
        }
        QuestionKind::Format => {
            outline.output.format = Some(one_of(OutputFormat::ALL, OutputFormat::id)?);
        }
        QuestionKind::Difficulty => {
            outline.audience.difficulty = Some(one_of(Difficulty::ALL, Difficulty::id)?);
        }
        QuestionKind::Delimiters => {
            outline.delimiters = Some(one_of(Delimiters::ALL, Delimiters::id)?);
        }
    }
    Ok(())
}

fn one_of<T: Copy>(all: &[T], id: fn(T) -> &'static str) -> Result<T, CommandError> {
    let names = all.iter().map(|&it| id(it)).collect();
    Ok(all[Select::new("Which:", names).raw_prompt()?.index])
}

/// Shows the current text, or the error that prevents it.
fn show(plan: &Plan, templates: &Templates, language: &'static Language) {
    complain("");
    match plan.build(templates, language, &[]) {
        Ok(built) => {
            built.text.lines().for_each(|line| complain(&format!("  {line}")));
            built.notes.iter().for_each(|note| complain(&format!("  note: {note}")));
        }
        Err(error) => complain(&format!("promptls: {error}")),
    }
    complain("");
}
