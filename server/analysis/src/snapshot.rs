//! A prompt with all that belongs to it, at one moment.

mod holes;
mod host_text;
pub(crate) mod key;
mod supplied_names;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use promptls_resolver::{
    Declarations, Engine, EngineRef, FileId, Given, Inputs, Location, Problem, Resolution,
    Template, Values,
};
use promptls_syntax::{Dialect, TagStatus, TokenKind, TokenRef, Tree, name_range};

use crate::diagnose::memo::Memo;
use crate::foreign::Foreign;
use crate::prompt_text::PromptText;
use crate::severity_overrides::SeverityOverrides;
use crate::suggest::KnownNames;
use crate::tokens::TokenEncoding;
use key::is_meant;

pub use self::host_text::{Contract, Hole, HostText, NamePlace, ProgramNames};
pub use self::supplied_names::SuppliedNames;

/// The case of `x.inputs.json`, which is the one to show while nobody chose another.
pub const DEFAULT_CASE: &str = "default";

/// The inputs of one case.
#[derive(Clone, Debug)]
pub struct Case {
    /// What it is called: `default`, or what stands in the file name.
    pub name: Arc<str>,
    /// Its values.
    pub inputs: Arc<Inputs>,
    /// Who else reads the same file.
    pub shared: SharedWith,
}

impl Case {
    /// Whether other prompts read the same file.
    pub fn is_shared(&self) -> bool {
        self.shared != SharedWith::Nobody
    }
}

/// Who reads an inputs file besides a prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SharedWith {
    /// Nobody.
    #[default]
    Nobody,
    /// The other prompts that stand in the same file.
    ItsFile,
    /// The other prompts of its rule in `promptls.toml`.
    ItsRule,
}

/// What `promptls.toml` says for a prompt.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Names that the application supplies at run time.
    pub runtime: Arc<BTreeSet<String>>,
    /// Names that are meant to stay in braces.
    pub literal: Arc<BTreeSet<String>>,
    /// Severities other than the usual.
    pub severities: SeverityOverrides,
    /// The most tokens that the resolved text may have.
    pub max_tokens: Option<usize>,
    /// The most tokens that all outputs of a task, or a whole document, may bring.
    pub max_output_tokens: Option<usize>,
    /// Which of the tasks it is, where tasks have an order; from 0.
    pub task: Option<usize>,
    /// How its tokens are counted.
    pub encoding: TokenEncoding,
    /// The engines that it is written for, the one to be shown first; none for what the document
    /// of its dialect says.
    pub engines: Vec<EngineRef>,
    /// The name of the agent whose prompt it is, for errors that name it.
    pub agent: Option<String>,
}

impl Settings {
    /// The engines for prompts of a dialect: all or none of those that are said.
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
/// It does not change; a clone shares everything.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The text.
    pub text: PromptText,
    /// Its tokens.
    pub tree: Arc<Tree>,
    /// What the file knows of it that it stands in as a string of another language, if it does.
    pub host: Option<Arc<HostText>>,
    /// Where nobody said which dialect it is: all that fit, the guess among them.
    pub fits: Vec<Dialect>,
    /// The same for other languages, which we do not read.
    pub alike: &'static [&'static str],
    /// Why the file is none of our business, if it is not.
    pub foreign: Option<Foreign>,
    /// The cases, in the order in which we list them.
    pub cases: Vec<Case>,
    /// What is declared.
    pub declarations: Arc<Declarations>,
    /// Whether there is a variables file, be it empty or broken.
    pub has_variables_file: bool,
    /// Whether other prompts have the same variables file.
    pub shared_variables: bool,
    /// Whether such prompts are kept without inputs, as those in packs are: then declared
    /// variables count as supplied at run time.
    pub ships_without_inputs: bool,
    /// Whether names are to be declared even where none is, as those in packs are.
    pub must_declare: bool,
    /// What `promptls.toml` says.
    pub settings: Arc<Settings>,
    /// The names of all files concerned, for messages.
    pub file_names: Arc<BTreeMap<FileId, Arc<str>>>,
    /// The texts of its sidecars, as far as they can be read.
    pub file_texts: Arc<BTreeMap<FileId, Arc<str>>>,
    /// What is wrong with the sidecars themselves.
    pub file_problems: Vec<Problem>,
    /// What is remembered of it between keystrokes; nothing where nobody types.
    pub memo: Option<Arc<Memo>>,
}

impl Snapshot {
    /// A prompt alone.
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

    /// The same with one more case, whose file nobody else reads.
    pub fn with_case(mut self, name: &str, inputs: Inputs) -> Snapshot {
        let inputs = Arc::new(inputs);
        self.cases.push(Case { name: name.into(), inputs, shared: SharedWith::Nobody });
        self
    }

    /// The dialect it is read as.
    pub fn dialect(&self) -> Dialect {
        self.tree.dialect()
    }

    /// The engines that it is written for; none for what the document of its dialect says.
    pub fn engines(&self) -> &[EngineRef] {
        self.settings.engines_of(self.dialect())
    }

    /// The engine that it is resolved for.
    pub fn engine(&self) -> Engine {
        self.settings.engine_of(self.dialect())
    }

    /// The name of the [`Snapshot::engine`], where one is named.
    pub fn engine_name(&self) -> Option<String> {
        self.engines().first().map(EngineRef::to_string)
    }

    /// The fragment that a name between braces means; `None` for a name that means a value.
    pub fn fragment_name<'n>(&self, name: &'n str) -> Option<&'n str> {
        self.engine().fragment_name(&self.declarations, name)
    }

    /// What each case gives to the resolver; without any inputs file, one case without values.
    pub fn given(&self) -> Vec<Given<'_>> {
        if self.cases.is_empty() {
            return vec![self.given_nothing()];
        }
        self.cases.iter().map(|case| self.given_with(&*case.inputs)).collect()
    }

    /// A case without values.
    pub fn given_nothing(&self) -> Given<'_> {
        static NOTHING: LazyLock<Inputs> = LazyLock::new(Inputs::empty);
        self.given_with(&*NOTHING)
    }

    /// A case with these values.
    pub fn given_with<'s>(&'s self, values: &'s dyn Values) -> Given<'s> {
        Given {
            runtime: &self.settings.runtime,
            agent: self.settings.agent.as_deref(),
            ..Given::new(values, &self.declarations)
        }
    }

    /// What becomes of it in a case, by its position in the list; `None` without any inputs.
    ///
    /// # Panics
    ///
    /// If there is no such case.
    pub fn resolve(&self, case: Option<usize>) -> Resolution {
        let text = self.text.whole();
        let template = Template::compile(self.engine(), &text);
        self.resolve_with(&template, &self.given()[case.unwrap_or(0)])
    }

    /// A case by its name.
    pub fn case_named(&self, name: &str) -> Option<usize> {
        self.cases.iter().position(|case| *case.name == *name)
    }

    /// The case to show while nobody chose one: `default`, else the first.
    pub fn first_case(&self) -> Option<usize> {
        self.case_named(DEFAULT_CASE).or((!self.cases.is_empty()).then_some(0))
    }

    /// The same prompt as if there were only one case, by its position in the list; `None` for no
    /// inputs at all.
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

    /// Whether the dialect is a guess, and matters.
    pub fn is_guessed(&self) -> bool {
        !self.fits.is_empty() && self.has_placeholder()
    }

    /// Whether the engine acts on anything in the text.
    pub fn has_placeholder(&self) -> bool {
        self.tree.uses().any(|(used, _)| used.kind.reads() || used.kind == TokenKind::Escape)
    }

    /// Whether a check may take longer than a few milliseconds: not for the length of the text,
    /// but for many names in many cases, for a long text whose dialect is a guess, and where
    /// texts are resolved, to count their tokens or for a named engine.
    pub fn is_heavy(&self) -> bool {
        const MANY_LOOKUPS: usize = 5_000;
        const LONG: usize = 64 * 1024;
        let len = self.text.len_bytes();
        let is_long_guess = self.fits.len() > 1 && len > LONG;
        // A named engine is asked what it makes of each case.
        let is_long_for_engines = len * self.cases.len() * self.engines().len() > LONG;
        let has_budget = self.settings.max_tokens.is_some();
        has_budget
            || is_long_guess
            || is_long_for_engines
            || self.tree.uses().count() * self.cases.len().max(1) > MANY_LOOKUPS
    }

    /// Whether values come at run time alone: there are no inputs, and there need not be any.
    pub fn awaits_values(&self) -> bool {
        self.ships_without_inputs && self.cases.is_empty()
    }

    /// Whether there is anything to check names against.
    pub fn has_inputs(&self) -> bool {
        !self.cases.is_empty() || self.has_variables_file
    }

    /// The name of a file, for messages.
    pub fn file_name(&self, file: FileId) -> &str {
        self.file_names.get(&file).map_or("the prompt", |name| name)
    }

    /// What is written at a place of one of its files; `None` where nothing is.
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

    /// Where the name of a token stands in the prompt.
    pub fn name_range(&self, token: &TokenRef<'_>) -> Range<usize> {
        let text = self.slice(token.token.range());
        let name = name_range(self.engine(), token.token.kind, &text);
        token.token.start + name.start..token.token.start + name.end
    }

    /// The placeholder, block tag or escape at an offset, its ends included.
    ///
    /// Between two that touch, the one that starts there counts.
    pub fn token_at(&self, offset: usize) -> Option<TokenRef<'_>> {
        self.tree
            .tokens_in(offset..offset)
            .filter(|found| !matches!(found.token.kind, TokenKind::NearMiss | TokenKind::Foreign))
            .last()
    }

    /// The other tag of a block, for a tag of a block that is complete.
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

    /// All first names that have a value in a case or a declaration, or that the program around
    /// it gives one, sorted.
    ///
    /// Cost: the known names, which may be those of a whole application; see
    /// [`Snapshot::is_known`].
    pub fn known_names(&self) -> BTreeSet<&str> {
        let supplied = self.program().into_iter().flat_map(ProgramNames::supplied_names);
        self.own_names().chain(supplied).collect()
    }

    /// Whether a first name is one of [`Snapshot::known_names`]. Cost: the cases.
    pub fn is_known(&self, name: &str) -> bool {
        self.cases.iter().any(|case| case.inputs.root.get(name).is_some())
            || self.declarations.variable(name).is_some()
            || self.program().is_some_and(|program| program.file_that_supplies(name).is_some())
    }

    /// The known names that the program around it has no part in; some more than once.
    fn own_names(&self) -> impl Iterator<Item = &str> {
        let keys = self.cases.iter().flat_map(|case| case.inputs.root.entries());
        let declared = self.declarations.variables.iter().map(|variable| &*variable.name);
        keys.map(|entry| &*entry.key).chain(declared)
    }

    /// What the program around it says of names, if it stands in one.
    pub fn program(&self) -> Option<&ProgramNames> {
        self.host.as_ref().map(|host| &host.program)
    }

    /// Whether `promptls.toml` says that the application supplies a name, and not only what is
    /// known of its code.
    pub(crate) fn is_supplied_elsewhere(&self, name: &str) -> bool {
        let is_in_code = self.program_places(name).any(|place| place.supplies);
        self.settings.runtime.contains(name) && !is_in_code
    }

    /// The places in code about a name that it reads.
    pub(crate) fn program_places(&self, name: &str) -> impl Iterator<Item = &NamePlace> {
        let places = self.program().map_or(&[][..], |program| &program.places);
        places.iter().filter(move |place| place.name == *name)
    }

    /// The known names that may be meant by another one, and these: no placeholder can hold the
    /// other known names.
    ///
    /// Cost: the known names, but for those that the application sets. These are looked at once
    /// for all of its prompts.
    pub fn names_to_mean<'s>(
        &'s self,
        others: impl IntoIterator<Item = &'s str>,
    ) -> KnownNames<'s> {
        let engine = self.engine();
        let calls = self.program().into_iter().flat_map(|program| program.from_calls.keys());
        let own: BTreeSet<&str> = self
            .own_names()
            .chain(calls.map(String::as_str))
            .filter(|it| is_meant(engine, it))
            .collect();
        let shared = self.program().map(|program| program.supplied.names_to_mean(engine));
        KnownNames::new(own.into_iter().chain(others)).and_shared(shared)
    }
}

/// Snapshots for tests, from a few strings.
#[cfg(test)]
pub(crate) mod test {
    use promptls_resolver::Format;

    use super::*;

    /// Names, as [`Settings`] have them.
    pub fn names<const N: usize>(names: [&str; N]) -> Arc<BTreeSet<String>> {
        Arc::new(names.into_iter().map(str::to_owned).collect())
    }

    /// A snapshot in the making.
    pub struct Fixture(Snapshot);

    impl Fixture {
        pub fn new(dialect: Dialect, text: &str) -> Self {
            let mut snapshot = Snapshot::new(dialect, text);
            Arc::make_mut(&mut snapshot.file_names).insert(FileId::PROMPT, "test.prompt".into());
            Fixture(snapshot)
        }

        /// Cases by name, as JSON. Their files are called `NAME.json`.
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
                    shared: SharedWith::Nobody,
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

        /// Places with what is written there, a line each: `case0.json 1..7 "user"`.
        pub fn show(&self, locations: &[Location]) -> String {
            let line = |Location { file, range }: &Location| {
                let name = self.snapshot.file_name(*file);
                format!("{name} {range:?} {}\n", &self.texts[file][range.clone()])
            };
            locations.iter().map(line).collect()
        }
    }

    /// The text without its `$0`, and where that was.
    pub fn with_cursor(marked: &str) -> (String, usize) {
        let cursor = marked.find("$0").expect("the text marks the cursor with $0");
        (marked.replacen("$0", "", 1), cursor)
    }
}
