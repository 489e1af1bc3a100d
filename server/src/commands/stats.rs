//! `promptls stats`: the number of tokens of prompts in each case, their origin, and their cost.

mod csv;
mod prices;
mod text;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use promptls_analysis::{Measured, Share, TokenEncoding, measure};
use promptls_protocol::{PlaceholderSize, STATS_OUTPUT_VERSION, StatsOutput, TextStats};
use promptls_resolver::Code;
use promptls_workspace::{Configs, DiskOnce, Project, Prompt, Walking, in_parallel};

use crate::args::{COULD_NOT_RUN, StatsArgs, StatsFormat};
use crate::commands::check::walk::walk;
use crate::errors::CommandError;
use crate::output::files_read::FilesRead;
use crate::output::json::to_json;
use crate::output::terminal::complain;
use crate::output::unread::{
    broken_configs, sidecar_errors, unread_file, unread_in, without_repeats,
};
use crate::output::write;
use crate::paths::Paths;

use prices::PriceTable;

/// Measures prompts, and prints the results.
pub fn run(args: &StatsArgs) -> Result<ExitCode, CommandError> {
    let prices = args.prices.as_deref().map(PriceTable::read).transpose()?.unwrap_or_default();
    let mut paths = Paths::new()?;
    let (disk, configs) = (DiskOnce::default(), Configs::default());
    let project = disk.project(&configs);
    let walked = walk(&args.paths, false, &Walking::default(), &mut paths, project);
    let read = FilesRead::default();
    read.add(walked.files());
    read.add(&args.prices);
    let measuring = Measuring { read: &read, project, prices: &prices, paths: &paths };
    let found = in_parallel(&walked.prompts, |path| measuring.file(path));

    let is_nothing = |(texts, failed): &(Vec<_>, Vec<_>)| texts.is_empty() && failed.is_empty();
    let without_prompts = walked.without_prompts(&found, is_nothing);
    let mut failures = broken_configs(&walked.files(), measuring.project, &paths);
    failures.extend(walked.failures);
    let mut texts = Vec::new();
    for (of_file, failed) in found {
        texts.extend(of_file);
        failures.extend(failed);
    }
    let failures = without_repeats(failures);
    if texts.is_empty() && failures.is_empty() {
        return Err(CommandError::NoPromptsThere);
    }
    let report = StatsOutput { version: STATS_OUTPUT_VERSION, texts };
    let printed = match args.format {
        StatsFormat::Text => text::table(&report),
        StatsFormat::Csv => csv::rows(&report, &prices)?,
        StatsFormat::Json => to_json(&report)?,
    };
    write::text_output(&args.to, &printed, &read)?;
    for failure in failures.iter().chain(&without_prompts) {
        complain(&format!("promptls: {failure}"));
    }
    if args.format == StatsFormat::Text {
        mention_encodings(&report);
    }
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(COULD_NOT_RUN) })
}

/// Reports the encodings used: for models with another tokenizer, counts are estimates.
fn mention_encodings(report: &StatsOutput) {
    for encoding in TokenEncoding::ALL {
        if report.texts.iter().any(|text| text.encoding == encoding.id()) {
            complain(&format!("tokens are those of {} ({})", encoding.id(), encoding.models()));
        }
    }
}

/// Read-only state that all threads share.
struct Measuring<'m> {
    read: &'m FilesRead,
    project: Project<'m>,
    prices: &'m PriceTable,
    paths: &'m Paths,
}

impl Measuring<'_> {
    /// The texts of a file, and its errors.
    fn file(&self, path: &Path) -> (Vec<TextStats>, Vec<String>) {
        let shown = |path: &PathBuf| self.paths.shown(path);
        let file = match self.project.read(path) {
            Ok(file) => file,
            Err(error) => {
                return (Vec::new(), unread_file(&error, path, self.project, self.paths));
            }
        };
        self.read.add_prompts(&file);
        let mut texts = Vec::new();
        for prompt in &file.prompts {
            for case in file.cases_sent(prompt) {
                texts.push(self.text(shown(&file.files[0]), prompt, case));
            }
        }
        let unread = unread_in(&file, self.paths);
        let empty = file.why_empty().filter(|why| why.code != Code::UnreadableFile);
        let empty =
            empty.map(|why| format!("{} cannot be used: {}", shown(&file.files[0]), why.message));
        let errors = sidecar_errors(&file, self.paths);
        (texts, empty.into_iter().chain(unread).chain(errors).collect())
    }

    fn text(&self, file: String, prompt: &Prompt, case: Option<usize>) -> TextStats {
        let snapshot = &prompt.snapshot;
        let encoding = snapshot.settings.encoding;
        let Measured { resolution, tokens, size, prefix } = measure(snapshot, case, encoding);
        let placeholders = size.placeholders.into_iter().map(|it| {
            let Share { characters, tokens } = it.share;
            PlaceholderSize { path: it.path, characters, tokens, count: it.count }
        });
        TextStats {
            file,
            task: prompt.name.as_deref().map(str::to_owned),
            case: case.map(|case| snapshot.cases[case].name.to_string()),
            encoding: encoding.id(),
            fails: resolution.error.is_some(),
            characters: resolution.text.chars().count(),
            tokens: tokens.count(),
            literal_characters: size.literal.characters,
            literal_tokens: size.literal.tokens,
            prefix_tokens: tokens.before(prefix.end),
            placeholders: placeholders.collect(),
            costs: self.prices.costs(tokens.count()),
        }
    }
}
