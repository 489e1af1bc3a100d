//! A prompt with all its related files, at one moment.

mod holes;
mod host_text;
pub(crate) mod key;
mod supplied_names;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use promptls_resolver::{
    Declarations, Engine, EngineRef, FileId, Inputs, Location, Object, Problem, Resolution,
    ResolveContext, Template, Values,
};
use promptls_syntax::{Dialect, TagStatus, TokenKind, TokenRef, Tree, name_range};

use crate::diagnose::memo::Memo;
use crate::features::messages::Role;
use crate::foreign::Foreign;
use crate::prompt_text::PromptText;
use crate::severity_overrides::SeverityOverrides;
use crate::suggest::KnownNames;
use crate::tokens::TokenEncoding;
use key::is_meant;

pub(crate) use self::host_text::expression;
pub use self::host_text::{
    CallElsewhere, Contract, CrewName, CrewNames, Hole, HostText, ListedNames, NamePlace,
    ProgramNames, SuppliedKey,
};
pub use self::supplied_names::SuppliedNames;

/// The case of `x.inputs.json`, which is shown unless another one is selected.
pub const DEFAULT_CASE: &str = "default";

/// The inputs of one case.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name: `default`, or a part of the file name.
    pub name: Arc<str>,
    /// The values of the case.
    pub inputs: Arc<Inputs>,
    /// The other readers of the same file.
    pub shared: SharedWith,
}

impl Case {
    /// Returns whether other prompts read the same file.
    pub fn is_shared(&self) -> bool {
        self.shared != SharedWith::NoOther
    }
}

/// The readers of an inputs file besides a prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SharedWith {
    /// No other prompt reads it.
    #[default]
    NoOther,
    /// The other prompts in the same file.
    ItsFile,
    /// The other prompts of its rule in `promptls.toml`.
    ItsRule,
    /// The prompts of other files that include this one.
    ItsUsers,
}

/// The settings of a prompt in `promptls.toml`.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Names that the application supplies at run time.
    pub runtime: Arc<BTreeSet<String>>,
    /// The values that the code around the prompt gives to names; those of a case replace them.
    pub presets: Arc<Object>,
    /// Names in braces that are literal text.
    pub literal: Arc<BTreeSet<String>>,
    /// Severities that differ from the defaults.
    pub severities: SeverityOverrides,
    /// The maximum number of tokens in the resolved text.
    pub max_tokens: Option<usize>,
    /// The maximum number of tokens in all outputs of a task, or in a whole document.
    pub max_output_tokens: Option<usize>,
    /// The index of the prompt's task, if tasks have an order; from 0.
    pub task: Option<usize>,
    /// The encoding in which its tokens are counted.
    pub encoding: TokenEncoding,
    /// The engines that it is written for, the shown one first. Empty for the specification of its
    /// dialect.
    pub engines: Vec<EngineRef>,
    /// The engine that the project uses although its behaviour is not available; only if `engines`
    /// is empty.
    pub unknown_engine: Option<UnknownEngine>,
    /// The name of the agent that uses the prompt, for error messages.
    pub agent: Option<String>,
}

/// An engine that a project uses, whose texts are not known exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownEngine {
    /// Its display name, such as `Langfuse for JavaScript`.
    pub title: &'static str,
    /// Where it was found: `package.json has langfuse 3.38.0`. `None` for the language of a file.
    pub reason: Option<Arc<str>>,
}

impl Settings {
    /// The engines for prompts of a dialect: all or none of the configured ones.
    pub fn engines_of(&self, dialect: Dialect) -> &[EngineRef] {
        match self.engines.first() {
            Some(first) if first.dialect() == dialect => &self.engines,
            _ => &[],
        }
    }

    /// The engine that prompts of a dialect are resolved for.
    pub fn engine_of(&self, dialect: Dialect) -> Engine {
        match self.engines_of(dialect).first() {
            Some(first) => first.engine(),
            None => Engine::from(dialect),
        }
    }
}

/// A prompt with its dialect, inputs, declarations and settings.
///
/// It is immutable, and clones share all data.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The text of the prompt.
    pub text: PromptText,
    /// The tokens of the text.
    pub tree: Arc<Tree>,
    /// Facts from the file that contains the prompt as a string of another language, or from the
    /// application around a prompt that is a file; `None` for other prompts.
    pub host: Option<Arc<HostText>>,
    /// If the dialect was detected: all plausible dialects, including the chosen one.
    pub fits: Vec<Dialect>,
    /// The same for other languages, which are not supported.
    pub alike: &'static [&'static str],
    /// The reason why the file is ignored; `None` if it is a prompt.
    pub foreign: Option<Foreign>,
    /// The cases, in display order.
    pub cases: Vec<Case>,
    /// The declared variables and fragments.
    pub declarations: Arc<Declarations>,
    /// There is a variables file, even if it is empty or broken.
    pub has_variables_file: bool,
    /// Other prompts use the same variables file.
    pub shared_variables: bool,
    /// Such prompts usually have no inputs, for example those in packs: then declared variables
    /// count as supplied at run time.
    pub ships_without_inputs: bool,
    /// Names must be declared even if there are no declarations, as in packs.
    pub must_declare: bool,
    /// The settings in `promptls.toml` that apply to it.
    pub settings: Arc<Settings>,
    /// The names of all related files, for messages.
    pub file_names: Arc<BTreeMap<FileId, Arc<str>>>,
    /// The texts of its sidecars, as far as they can be read.
    pub file_texts: Arc<BTreeMap<FileId, Arc<str>>>,
    /// The problems of the sidecars themselves.
    pub file_problems: Vec<Problem>,
    /// Results that are cached between keystrokes; `None` if the text is not edited.
    pub memo: Option<Arc<Memo>>,
}

impl Snapshot {
    /// A prompt without related files.
    pub fn new(dialect: Dialect, text: &str) -> Snapshot {
        let text = PromptText::from(text);
        let tree = Arc::new(Tree::parse(dialect, &text));
        Snapshot {
            text,
            tree,
            host: None,
            fits: Vec::new(),
            alike: &[],
            foreign: None,
            cases: Vec::new(),
            declarations: Arc::default(),
            has_variables_file: false,
            shared_variables: false,
            ships_without_inputs: false,
            must_declare: false,
            settings: Arc::default(),
            file_names: Arc::default(),
            file_texts: Arc::default(),
            file_problems: Vec::new(),
            memo: None,
        }
    }

    /// Adds a case whose file no other prompt reads.
    pub fn with_case(mut self, name: &str, inputs: Inputs) -> Snapshot {
        let inputs = Arc::new(inputs);
        self.cases.push(Case { name: name.into(), inputs, shared: SharedWith::NoOther });
        self
    }

    /// The dialect that it is parsed as.
    pub fn dialect(&self) -> Dialect {
        self.tree.dialect()
    }

    /// The engines that it is written for; empty for the specification of its dialect.
    pub fn engines(&self) -> &[EngineRef] {
        self.settings.engines_of(self.dialect())
    }

    /// The engine that it is resolved for.
    pub fn engine(&self) -> Engine {
        self.settings.engine_of(self.dialect())
    }

    /// The role of the message that the prompt is, if code passes it to a framework as one.
    pub fn role(&self) -> Option<Role> {
        self.host.as_ref()?.role
    }

    /// The name of the [`Snapshot::engine`]; `None` if none is configured.
    pub fn engine_name(&self) -> Option<String> {
        self.engines().first().map(EngineRef::to_string)
    }

    /// The fragment that a name between braces refers to; `None` for a name of a value.
    pub fn fragment_name<'n>(&self, name: &'n str) -> Option<&'n str> {
        self.engine().fragment_name(&self.declarations, name)
    }

    /// The values of each case for the resolver. Without any inputs file, one case without values.
    pub fn given(&self) -> Vec<ResolveContext<'_>> {
        if self.cases.is_empty() {
            return vec![self.given_nothing()];
        }
        self.cases.iter().map(|case| self.given_with(&*case.inputs)).collect()
    }

    /// A case without values of its own, in which declared defaults apply.
    pub fn given_nothing(&self) -> ResolveContext<'_> {
        static NOTHING: LazyLock<Inputs> = LazyLock::new(Inputs::empty);
        self.given_with(&*NOTHING)
    }

    /// A case with these values.
    pub fn given_with<'s>(&'s self, values: &'s dyn Values) -> ResolveContext<'s> {
        ResolveContext {
            runtime: &self.settings.runtime,
            presets: &self.settings.presets,
            agent: self.settings.agent.as_deref(),
            ..ResolveContext::new(values, &self.declarations)
        }
    }

    /// Resolves the prompt in a case, by its index; `None` without any inputs.
    ///
    /// # Panics
    ///
    /// If there is no such case.
    pub fn resolve(&self, case: Option<usize>) -> Resolution {
        let text = self.text.whole();
        let template = Template::compile(self.engine(), &text);
        self.resolve_with(&template, &self.given()[case.unwrap_or(0)])
    }

    /// The index of the case with this name.
    pub fn case_named(&self, name: &str) -> Option<usize> {
        self.cases.iter().position(|case| *case.name == *name)
    }

    /// The index of the default case: `default`, otherwise the first one.
    pub fn first_case(&self) -> Option<usize> {
        self.case_named(DEFAULT_CASE).or((!self.cases.is_empty()).then_some(0))
    }

    /// The same prompt with only the case at this index; `None` for no inputs at all.
    pub fn of_case(&self, case: Option<usize>) -> Snapshot {
        let mut snapshot = self.clone();
        let mut others = std::mem::take(&mut snapshot.cases);
        let case = case.filter(|&case| case < others.len()).map(|case| others.remove(case));
        snapshot.file_problems.retain(|problem| {
            others.iter().all(|other| other.inputs.file != problem.location.file)
        });
        snapshot.cases = case.into_iter().collect();
        snapshot
    }

    /// Returns whether the dialect is a guess, and matters.
    pub fn is_guessed(&self) -> bool {
        !self.fits.is_empty() && self.has_placeholder()
    }

    /// Returns whether the engine acts on any part of the text.
    pub fn has_placeholder(&self) -> bool {
        self.tree.uses().any(|(used, _)| used.kind.reads() || used.kind == TokenKind::Escape)
    }

    /// Returns whether a check may take longer than a few milliseconds. The length of the text
    /// alone does not matter. Checks are slow for many names in many cases, and for a long text
    /// with several plausible dialects. They are also slow if texts are resolved, to count tokens
    /// or for a named engine.
    pub fn is_heavy(&self) -> bool {
        const MANY_LOOKUPS: usize = 5_000;
        const LONG: usize = 64 * 1024;
        let len = self.text.len_bytes();
        let is_long_guess = self.fits.len() > 1 && len > LONG;
        // A named engine resolves each case.
        let is_long_for_engines = len * self.cases.len() * self.engines().len() > LONG;
        let has_budget = self.settings.max_tokens.is_some();
        has_budget
            || is_long_guess
            || is_long_for_engines
            || self.tree.uses().count() * self.cases.len().max(1) > MANY_LOOKUPS
    }

    /// Returns whether values are supplied only at run time: there are no inputs, and none are
    /// required.
    pub fn awaits_values(&self) -> bool {
        self.ships_without_inputs && self.cases.is_empty()
    }

    /// Returns whether there are values or declarations to check names against.
    pub fn has_inputs(&self) -> bool {
        !self.cases.is_empty() || self.has_variables_file
    }

    /// The name of a file, for messages.
    pub fn file_name(&self, file: FileId) -> &str {
        self.file_names.get(&file).map_or("the prompt", |name| name)
    }

    /// The source text at a location in one of its files; `None` if the location is invalid.
    pub fn written_at(&self, Location { file, range }: &Location) -> Option<String> {
        match *file {
            FileId::PROMPT => Some(self.text.get(range.clone())?.into_owned()),
            file => Some(self.file_texts.get(&file)?.get(range.clone())?.to_owned()),
        }
    }

    /// The text of a range of the prompt.
    pub fn slice(&self, range: Range<usize>) -> String {
        self.text.slice(range).into_owned()
    }

    /// The range of a token's name in the prompt.
    pub fn name_range(&self, token: &TokenRef<'_>) -> Range<usize> {
        let text = self.slice(token.token.range());
        let name = name_range(self.engine(), token.token.kind, &text);
        token.token.start + name.start..token.token.start + name.end
    }

    /// The placeholder, block tag or escape at an offset, including both ends.
    ///
    /// Between two adjacent ones, the one that starts there is returned.
    pub fn token_at(&self, offset: usize) -> Option<TokenRef<'_>> {
        self.tree.tokens_in(offset..offset).filter(|found| !found.token.kind.is_text()).last()
    }

    /// The matching tag of a tag in a complete block.
    ///
    /// Cost: the tokens up to the later one of the two.
    pub fn partner(&self, tag: &TokenRef<'_>) -> Option<TokenRef<'_>> {
        let is_paired = |found: &TokenRef<'_>| {
            found.token.kind.is_block_tag() && found.status == TagStatus::Paired
        };
        if !is_paired(tag) {
            return None;
        }
        // Complete blocks are never interleaved, so a closer closes the innermost one.
        let mut open: Vec<TokenRef<'_>> = Vec::new();
        for found in self.tree.tokens().filter(is_paired) {
            if matches!(found.token.kind, TokenKind::BlockOpen(_)) {
                open.push(found);
                continue;
            }
            let opener = open.pop()?;
            if found.token == tag.token {
                return Some(opener);
            }
            if opener.token == tag.token {
                return Some(found);
            }
        }
        None
    }

    /// All first names with a value in a case, a declaration, or a value from the surrounding
    /// program, sorted.
    ///
    /// Cost: the known names, which may be those of a whole application; see
    /// [`Snapshot::is_known`].
    pub fn known_names(&self) -> BTreeSet<&str> {
        let supplied = self.program().into_iter().flat_map(ProgramNames::supplied_names);
        self.own_names().chain(supplied).collect()
    }

    /// Returns whether a first name is one of [`Snapshot::known_names`]. Cost: the cases.
    pub fn is_known(&self, name: &str) -> bool {
        self.cases.iter().any(|case| case.inputs.root.get(name).is_some())
            || self.declarations.variable(name).is_some()
            || self.program().is_some_and(|program| program.file_that_supplies(name).is_some())
    }

    /// The known names that are not from the surrounding program; some more than once.
    fn own_names(&self) -> impl Iterator<Item = &str> {
        let keys = self.cases.iter().flat_map(|case| case.inputs.root.entries());
        let declared = self.declarations.variables.iter().map(|variable| &*variable.name);
        keys.map(|entry| &*entry.key).chain(declared)
    }

    /// `true` for a text in code or data of a program, and `false` for files and packs of prompts.
    pub fn is_in_program(&self) -> bool {
        self.host.as_ref().is_some_and(|host| !host.is_whole_file)
    }

    /// The names in the surrounding program; `None` outside of programs.
    pub fn program(&self) -> Option<&ProgramNames> {
        self.host.as_ref().map(|host| &host.program)
    }

    /// Returns whether `promptls.toml` marks a name as supplied at run time, and no known code sets
    /// it.
    pub fn is_supplied_elsewhere(&self, name: &str) -> bool {
        let is_in_code = self.program_places(name).any(|place| place.supplies);
        self.settings.runtime.contains(name) && !is_in_code
    }

    /// The places in code that refer to a name.
    pub(crate) fn program_places(&self, name: &str) -> impl Iterator<Item = &NamePlace> {
        let places = self.program().map_or(&[][..], |program| &program.places);
        places.iter().filter(move |place| place.name == *name)
    }

    /// The places of messages of its chat that the program supplies under a name.
    pub(crate) fn messages_named(&self, name: &str) -> impl Iterator<Item = &Location> {
        let messages = self.host.iter().flat_map(|host| &host.messages);
        messages.filter(move |(of, _)| of == name).map(|(_, location)| location)
    }

    /// The names that a misspelt one may refer to: known names that a placeholder can contain, and
    /// `others`.
    ///
    /// Cost: the known names, except those that the application sets. These are indexed once for
    /// all of its prompts.
    pub fn names_to_mean<'s>(
        &'s self,
        others: impl IntoIterator<Item = &'s str>,
    ) -> KnownNames<'s> {
        self.names_to_mean_with(self.program().map(|program| &*program.supplied), others)
    }

    /// `true` if a name resembles a known one: one of the prompt, or of those that its application
    /// sets.
    ///
    /// Cost: that of [`Snapshot::names_to_mean`].
    pub fn resembles_known(&self, name: &str, supplied: &SuppliedNames) -> bool {
        let fragments = self.declarations.fragments.iter().map(|fragment| &*fragment.name);
        self.names_to_mean_with(Some(supplied), fragments).nearest(name, 1).is_some()
    }

    fn names_to_mean_with<'s>(
        &'s self,
        supplied: Option<&SuppliedNames>,
        others: impl IntoIterator<Item = &'s str>,
    ) -> KnownNames<'s> {
        let engine = self.engine();
        let calls = self.program().into_iter().flat_map(|program| program.from_calls.keys());
        let own: BTreeSet<&str> = self
            .own_names()
            .chain(calls.map(String::as_str))
            .filter(|it| is_meant(engine, it))
            .collect();
        let shared = supplied.map(|supplied| supplied.names_to_mean(engine));
        KnownNames::new(own.into_iter().chain(others)).and_shared(shared)
    }
}

/// Snapshots for tests, created from a few strings.
#[cfg(test)]
pub(crate) mod test {
    use promptls_resolver::Format;

    use super::*;

    /// Names in the form of [`Settings`].
    pub fn names<const N: usize>(names: [&str; N]) -> Arc<BTreeSet<String>> {
        Arc::new(names.into_iter().map(str::to_owned).collect())
    }

    /// A snapshot of `test.prompt` that a test completes step by step.
    pub struct Fixture(Snapshot);

    impl Fixture {
        pub fn new(dialect: Dialect, text: &str) -> Self {
            let mut snapshot = Snapshot::new(dialect, text);
            Arc::make_mut(&mut snapshot.file_names).insert(FileId::PROMPT, "test.prompt".into());
            Fixture(snapshot)
        }

        /// Cases by name, as JSON. Their files are named `NAME.json`.
        pub fn cases(mut self, cases: &[(&str, &str)]) -> Self {
            for (file, (name, inputs)) in (1..).zip(cases) {
                let parsed = Inputs::parse(inputs, Format::Json, FileId(file));
                self.0.file_problems.extend(parsed.problems);
                Arc::make_mut(&mut self.0.file_names)
                    .insert(FileId(file), format!("{name}.json").into());
                Arc::make_mut(&mut self.0.file_texts).insert(FileId(file), (*inputs).into());
                self.0.cases.push(Case {
                    name: (*name).into(),
                    inputs: Arc::new(parsed.value.expect("inputs are an object")),
                    shared: SharedWith::NoOther,
                });
            }
            self
        }

        /// A variables file, as JSON.
        pub fn variables(mut self, variables: &str) -> Self {
            let parsed = Declarations::parse(variables, Format::Json, FileId(99));
            self.0.file_problems.extend(parsed.problems);
            Arc::make_mut(&mut self.0.file_names).insert(FileId(99), "variables.json".into());
            Arc::make_mut(&mut self.0.file_texts).insert(FileId(99), variables.into());
            self.0.declarations = Arc::new(parsed.value.expect("variables are an object"));
            self.0.has_variables_file = true;
            self
        }

        pub fn settings(mut self, settings: Settings) -> Self {
            self.0.settings = Arc::new(settings);
            self
        }

        pub fn fits(mut self, fits: &[Dialect]) -> Self {
            self.0.fits = fits.to_vec();
            self
        }

        pub fn build(self) -> Snapshot {
            self.0
        }
    }

    /// A snapshot and the texts of its files: cases `case0.json`, …, and `variables.json`.
    pub struct Files {
        pub snapshot: Snapshot,
        texts: BTreeMap<FileId, String>,
    }

    impl Files {
        pub const FIRST_CASE: FileId = FileId(1);
        pub const VARIABLES: FileId = FileId(99);

        pub fn new(dialect: Dialect, text: &str, cases: &[&str], variables: &str) -> Self {
            let names: Vec<String> = (0..cases.len()).map(|case| format!("case{case}")).collect();
            let named: Vec<(&str, &str)> =
                names.iter().map(String::as_str).zip(cases.iter().copied()).collect();
            let texts = [(FileId::PROMPT, text), (Files::VARIABLES, variables)]
                .into_iter()
                .chain((1..).map(FileId).zip(cases.iter().copied()))
                .map(|(file, text)| (file, text.to_owned()))
                .collect();
            let snapshot = Fixture::new(dialect, text).cases(&named).variables(variables).build();
            Files { snapshot, texts }
        }

        /// Locations with their source text, one per line: `case0.json 1..7 "user"`.
        pub fn show(&self, locations: &[Location]) -> String {
            let line = |Location { file, range }: &Location| {
                let name = self.snapshot.file_name(*file);
                format!("{name} {range:?} {}\n", &self.texts[file][range.clone()])
            };
            locations.iter().map(line).collect()
        }
    }

    /// The text without its `$0`, and the offset of that mark.
    pub fn with_cursor(marked: &str) -> (String, usize) {
        let cursor = marked.find("$0").expect("the text marks the cursor with $0");
        (marked.replacen("$0", "", 1), cursor)
    }
}
