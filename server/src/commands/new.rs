//! `promptls new`: creates a prompt from a template or from flags.
//!
//! The text is computed first; then it is printed, or written into files that do not exist yet.
//! Flags without effect are reported on stderr.

mod interview;
mod outline;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use promptls_analysis::did_you_mean;
use promptls_builder::{Built, Language, Outline, Template, Text, Variable, builder};
use promptls_syntax::Dialect;
use promptls_workspace::{
    Config, Configs, DiskOnce, NewPrompt, Project, Templates, dialect_of_new, first_inputs,
    kind_of, new_variables,
};

use promptls_writer::Over;

use crate::args::COULD_NOT_RUN;
use crate::args::new::NewArgs;
use crate::errors::CommandError;
use crate::output::terminal::{self, complain};
use crate::output::unread::require_config;
use crate::output::visible::visible;
use crate::output::write;
use crate::paths::Paths;

/// Prints or writes a new prompt.
pub fn run(args: &NewArgs) -> Result<ExitCode, CommandError> {
    let mut paths = Paths::new()?;
    let language = language(&args.lang)?;
    let disk = DiskOnce::default();
    let configs = Configs::default();
    let output = args.output.as_deref().map(|output| paths.absolute(output));
    let folder = output.as_deref().and_then(Path::parent).unwrap_or(paths.current()).to_owned();
    if let Some(config) = configs.nearest(&disk, &folder) {
        require_config(&config, disk.project(&configs))?;
    }
    let templates = Templates::in_folder(&disk, &configs, &folder, language);
    for broken in templates.broken() {
        complain(&format!("promptls: {broken}"));
    }
    if args.list {
        return list(&templates, args);
    }

    let outline = outline::of_args(args)?;
    let is_silent = args.template.is_none() && outline == Outline::default();
    let dialect_given = match args.dialect {
        Some(dialect) => Some(dialect),
        None => known_dialect(disk.project(&configs), &folder, output.as_deref()),
    };
    let plan = if is_silent {
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return Err(CommandError::NoContents);
        }
        match interview::run(&templates, language, dialect_given)? {
            Some(plan) => plan,
            // The user cancelled: nothing is written.
            None => return Ok(ExitCode::SUCCESS),
        }
    } else {
        let arguments: Vec<Text> =
            args.arguments.iter().map(|text| outline::text(text)).collect::<Result<_, _>>()?;
        let dialect = dialect_given.ok_or_else(|| CommandError::WhichDialect {
            known: Dialect::ALL.map(|dialect| dialect.spec().id).join(", "),
        })?;
        Plan { dialect, template: args.template.clone(), arguments, outline, output: None }
    };
    let built = plan.build(&templates, language, &args.examples.valid_outputs)?;
    for note in &built.notes {
        complain(&format!("note: {note}"));
    }
    let variables = plan.variables(&templates)?;
    let new = NewPrompt::new(plan.dialect, &built, &variables);
    match output.or_else(|| plan.output.as_deref().map(|output| paths.absolute(output))) {
        Some(output) => create(&paths, &output, args.force, (plan.dialect, &new))?,
        None => terminal::print_text(&new.text)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The contents of a new prompt.
pub struct Plan {
    pub dialect: Dialect,
    pub template: Option<String>,
    pub arguments: Vec<Text>,
    pub outline: Outline,
    pub output: Option<PathBuf>,
}

impl Plan {
    fn template<'t>(&self, templates: &'t Templates) -> Result<Option<&'t Template>, CommandError> {
        Ok(self.template.as_deref().map(|name| templates.find(name)).transpose()?)
    }

    fn variables(&self, templates: &Templates) -> Result<BTreeMap<String, Variable>, CommandError> {
        let template = self.template(templates)?;
        Ok(template.map(|template| template.variables.clone()).unwrap_or_default())
    }

    fn build(
        &self,
        templates: &Templates,
        language: &'static Language,
        valid_outputs: &[String],
    ) -> Result<Built, CommandError> {
        let template = self.template(templates)?;
        let mut prompt = builder(self.dialect, language).with(self.outline.clone());
        if let Some(template) = template {
            prompt = prompt.apply(template, self.arguments.iter().cloned());
        }
        if !valid_outputs.is_empty() {
            let valid: Vec<Text> =
                valid_outputs.iter().map(|text| outline::text(text)).collect::<Result<_, _>>()?;
            prompt = prompt.valid_examples(move |example| valid.contains(&example.output));
        }
        Ok(prompt.build()?)
    }
}

fn language(tag: &str) -> Result<&'static Language, CommandError> {
    Language::find(tag).map_err(|unknown| CommandError::UnknownLanguage {
        hint: did_you_mean(tag, unknown.known.iter().map(String::as_str)),
        tag: unknown.name,
        known: unknown.known.join(", "),
    })
}

/// The dialect that a rule or the file name gives a file; else the only dialect of the rules that
/// apply here.
fn known_dialect(project: Project<'_>, folder: &Path, output: Option<&Path>) -> Option<Dialect> {
    let config = project.configs.nearest(project.files, folder);
    let config = config.as_deref();
    let of_file = output.and_then(|output| kind_of(output, config, project)?.dialect);
    let of_rules = config.into_iter().flat_map(Config::rules);
    let of_rules: BTreeSet<Dialect> = of_rules.filter_map(|rule| rule.dialect).collect();
    let only = if of_rules.len() == 1 { of_rules.first().copied() } else { None };
    of_file.or(only)
}

/// Writes a new prompt with its variables and inputs files.
fn create(
    paths: &Paths,
    output: &Path,
    force: bool,
    (dialect, new): (Dialect, &NewPrompt),
) -> Result<(), CommandError> {
    let disk = DiskOnce::default();
    let configs = Configs::default();
    let config = configs.nearest(&disk, output.parent().unwrap_or(output));
    let project = disk.project(&configs);
    let kind = kind_of(output, config.as_deref(), project);
    dialect_of_new(project, output, Some(dialect))?;
    let variables = new_variables(output, config.as_deref());
    let inputs = first_inputs(output, config.as_deref());
    let files = [
        (output, Some(&new.text)),
        (&*variables, new.variables.as_ref()),
        (&*inputs, new.inputs.as_ref()),
    ];
    let files: Vec<(&Path, &[u8])> =
        files.into_iter().filter_map(|(path, text)| Some((path, text?.as_bytes()))).collect();
    let over = if force { Over::Files } else { Over::Nothing };
    let written = write::writer(force).write_all(&files, over);
    written.map_err(|(path, source)| write::failed(paths.shown(path))(source))?;
    let names: Vec<String> = files.iter().map(|(path, _)| paths.shown(path)).collect();
    complain(&format!("written: {}", names.join(", ")));
    let better = || {
        let stem = output.file_stem().unwrap_or_default().to_string_lossy();
        format!("{stem}.{}.prompt", dialect.spec().id)
    };
    match kind {
        None => complain(&format!(
            "note: a file of this name is not read as a prompt; name it {}, or add a rule for it to promptls.toml",
            better()
        )),
        Some(kind) if kind.dialect.is_none() => complain(&format!(
            "note: its dialect can only be guessed; name it {}, or add a rule for it to promptls.toml",
            better()
        )),
        Some(_) => {}
    }
    Ok(())
}

/// Prints the templates whose name or summary contains all the words.
fn list(templates: &Templates, args: &NewArgs) -> Result<ExitCode, CommandError> {
    let words: Vec<String> =
        args.template.iter().chain(&args.arguments).map(|word| word.to_lowercase()).collect();
    let mut lines = String::new();
    for (name, template) in templates.all() {
        let searched = format!("{name} {}", template.summary).to_lowercase();
        if words.iter().all(|word| searched.contains(word)) {
            let call = format!("{name} {}", template.arguments.join(" "));
            let example =
                examples_of(template).map(|it| format!("  e.g. {it}")).unwrap_or_default();
            lines.push_str(&format!("{:<32} {}{example}\n", call.trim(), template.summary));
        }
    }
    if lines.is_empty() {
        complain("promptls: no template matches all these words");
        return Ok(ExitCode::from(COULD_NOT_RUN));
    }
    terminal::print_lines(&visible(&lines))?;
    Ok(ExitCode::SUCCESS)
}

/// The arguments of a template, with example values.
fn examples_of(template: &Template) -> Option<String> {
    let example = |argument: &String| {
        let variable = template.variables.get(argument.trim_end_matches('.'))?;
        Some(format!("'{}'", variable.example))
    };
    let examples: Option<Vec<String>> = template.arguments.iter().map(example).collect();
    examples.filter(|examples| !examples.is_empty()).map(|examples| examples.join(" "))
}
