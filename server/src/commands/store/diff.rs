//! `promptls store diff`: compares the texts sent from a local file with those from the store, case
//! by case.
//!
//! Both prompts use the local inputs, variables and rules, so that only the prompts differ.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anstyle::Style;
use promptls_analysis::changed_lines;
use promptls_resolver::DEFAULT_MAX_OUTPUT;
use promptls_stores::Filters;
use promptls_workspace::DISK;

use crate::args::store::DiffArgs;
use crate::errors::CommandError;
use crate::opened_prompt::OpenedPrompt;
use crate::output::terminal::{self, Terminal, complain};
use crate::output::visible::visible;
use crate::output::word_diff::{marks_of_terminal, words};
use crate::paths::Paths;
use crate::stores::{OpenedStore, StoreFailure, block_on};

pub fn run(args: &DiffArgs) -> Result<ExitCode, CommandError> {
    let store = OpenedStore::of(&args.some.address)?;
    let filters = store.filters(&args.some.which)?;
    let ids: Vec<String> = match &args.some.address.id {
        Some(id) => vec![id.clone()],
        None if args.file.is_some() => return Err(StoreFailure::NeedsId(store.name).into()),
        None => store.lock.of_store(&store.name).map(|pulled| pulled.id.clone()).collect(),
    };
    if ids.is_empty() {
        return Err(StoreFailure::NothingPulled(store.name).into());
    }
    let mut different = 0;
    for id in &ids {
        let path = store.path_of(id, args.file.as_deref())?;
        let difference = Difference::of(&store, id, &filters, path)?;
        different += usize::from(!difference.is_empty());
        terminal::print_lines(&difference.shown)?;
    }
    let same = ids.len() - different;
    complain(&format!("{same} of {} the same as in {}", ids.len(), store.name));
    Ok(if different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The formatted differences of a prompt.
struct Difference {
    shown: String,
    style: Style,
}

impl Difference {
    fn of(
        store: &OpenedStore,
        id: &str,
        filters: &Filters,
        path: PathBuf,
    ) -> Result<Difference, CommandError> {
        let stored = block_on(async { Ok(store.find(id, filters).await?) })?;
        let here = DISK.read(&path)?;
        let heading =
            if Terminal::of_stdout().colours { Style::new().bold() } else { Style::new() };
        let mut difference = Difference { shown: String::new(), style: heading };
        if stored.prompt.content() == &*here {
            return Ok(difference);
        }
        let version = stored.version.map(|it| format!(", version {it}")).unwrap_or_default();
        let shown = Paths::new()?.shown(&path);
        difference.heading(&format!("{}:{id}{version} and {shown}", store.name));
        let dialect = Some(store.config.dialect);
        let there = OpenedPrompt::of_text(&path, stored.prompt.content(), dialect)?;
        let here = OpenedPrompt::of_text(&path, &here, None)?;
        difference.names(&there, &here);
        difference.cases(&there, &here, &path)?;
        Ok(difference)
    }

    fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    fn heading(&mut self, text: &str) {
        let style = self.style;
        self.line(&format!("{style}{}{style:#}", visible(text)));
    }

    fn line(&mut self, text: &str) {
        self.shown.push_str(text);
        self.shown.push('\n');
    }

    /// Lists the names that only one of them uses.
    fn names(&mut self, there: &OpenedPrompt, here: &OpenedPrompt) {
        let [there, here] = [there, here].map(OpenedPrompt::names);
        let only = |some: &BTreeSet<String>, others: &BTreeSet<String>| {
            let names: Vec<String> =
                some.difference(others).map(|name| format!("`{name}`")).collect();
            (!names.is_empty()).then(|| visible(&names.join(", ")))
        };
        if let Some(names) = only(&there, &here) {
            self.line(&format!("only the store uses {names}"));
        }
        if let Some(names) = only(&here, &there) {
            self.line(&format!("only the file uses {names}"));
        }
    }

    fn cases(
        &mut self,
        there: &OpenedPrompt,
        here: &OpenedPrompt,
        path: &Path,
    ) -> Result<(), CommandError> {
        let names: Vec<Option<&str>> = match here.cases() {
            names if names.is_empty() => vec![None],
            names => names.into_iter().map(Some).collect(),
        };
        let mut same = Vec::new();
        for case in names {
            let [left, right] = [there, here].map(|prompt| sent(prompt, case));
            let (left, right) = (left?, right?);
            let name = case.unwrap_or("without inputs");
            if left == right {
                same.push(visible(name));
                continue;
            }
            if case.is_some() || same.is_empty() {
                self.heading(&format!("case {name}"));
            }
            let marks = marks_of_terminal(Terminal::of_stdout().colours);
            for line in changed_lines(&left, &right, &words(&left, &right), &marks) {
                self.line(&format!("  {line}"));
            }
        }
        if !same.is_empty() {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            self.line(&format!("same text for both: {} ({})", same.join(", "), visible(&file)));
        }
        Ok(())
    }
}

/// The text that the engine sends, or its error.
fn sent(prompt: &OpenedPrompt, case: Option<&str>) -> Result<String, CommandError> {
    let opened_case = prompt.choose(case)?;
    let Some(given) = opened_case.given(DEFAULT_MAX_OUTPUT) else { return Ok(String::new()) };
    let sent = opened_case.snapshot.render_with(&prompt.template(&opened_case), &given);
    Ok(sent.unwrap_or_else(|error| format!("the engine fails: {}", error.message)))
}
