//! The names of a prompt in the program around it.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pathdiff::diff_paths;
use promptls_analysis::{
    CallElsewhere, Contract, HostText, NamePlace, ProgramNames, Snapshot, SuppliedKey,
    SuppliedNames, has_only_samples, is_slip,
};
use promptls_hosts::{
    self as hosts, Access, AccessKind, Certainty, Chat, ConstantKey, Flow, KeyConstant,
    LiteralValue, ValueSupply, accesses, declarations, flow, is_shorthand, mentions_besides,
    value_supply,
};
use promptls_resolver::{Entry, FileId, Location, Object, Span, Value, ValueKind, root};
use promptls_syntax::{TokenKind, Use};

use super::crews;
use super::is_code::host_language;
use super::prompt_cache::supplied_in;
use super::reader::{call_elsewhere, contract};
use super::rule_strings::Strings;
use super::state_names::{AppFile, AppNames, NameOccurrence, file_name};
use crate::files::paths::folder_of;
use crate::project::Project;

/// The program around the prompts of a host. It is analyzed only if a prompt reads a name.
pub struct Program<'f> {
    project: Project<'f>,
    host: &'f Path,
    /// The text that contains the prompts, and the file id of places in it.
    text: &'f str,
    file: FileId,
    own: OnceCell<Own>,
    /// The same with its mentions.
    own_mentions: OnceCell<Flow>,
    /// The constants of the host that other files may use as keys.
    own_constants: OnceCell<Box<[KeyConstant]>>,
    app: OnceCell<Option<Arc<AppNames>>>,
    /// All supplied names, by the kinds of places that count.
    supplied: HashMap<&'static [AccessKind], Arc<SuppliedNames>>,
    /// The other files with places that refer to names of prompts. Their ids follow that of the
    /// host.
    pub others: Vec<Arc<AppFile>>,
    /// The index of each file in that list.
    other_by_path: HashMap<PathBuf, u32>,
    /// The other files with calls that supply values to prompts of the host, with these calls.
    calls: HashMap<PathBuf, (Arc<AppFile>, Arc<[hosts::Contract]>)>,
}

/// The names in the host itself.
#[derive(Default)]
struct Own {
    flow: Flow,
    /// The indices of its accesses for each name, in order.
    by_name: HashMap<String, Vec<usize>>,
}

impl Own {
    fn new(flow: Flow) -> Own {
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, access) in flow.accesses.iter().enumerate() {
            by_name.entry(access.name.clone()).or_default().push(index);
        }
        Own { flow, by_name }
    }

    fn about(&self, name: &str) -> impl Iterator<Item = &Access> {
        self.by_name.get(name).into_iter().flatten().map(|index| &self.flow.accesses[*index])
    }
}

/// At most this many places are kept per name: an application in which all agents share a name
/// would otherwise cost the square of their number.
pub const MAX_PLACES: usize = 100;

/// The label of the name of messages in a chat.
const MESSAGES: &str = "messages";

/// The label of a place.
const fn in_words(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::OutputKey => "output_key",
        AccessKind::State | AccessKind::StateKey => "state",
        AccessKind::Artifact => "artifact",
        AccessKind::Input => "input",
    }
}

impl<'f> Program<'f> {
    /// Creates an empty cache. `text` is that of the host; its places have the id `file`.
    pub fn new(project: Project<'f>, host: &'f Path, text: &'f str, file: FileId) -> Program<'f> {
        Program {
            project,
            host,
            text,
            file,
            own: OnceCell::new(),
            own_mentions: OnceCell::new(),
            own_constants: OnceCell::new(),
            app: OnceCell::new(),
            supplied: HashMap::new(),
            others: Vec::new(),
            other_by_path: HashMap::new(),
            calls: HashMap::new(),
        }
    }

    /// Adds to a prompt of the host the places of its names in the program. Names that the program
    /// sets count as supplied at run time.
    pub fn complete(&mut self, snapshot: &mut Snapshot) {
        let engine = snapshot.settings.engines.first().map(|engine| engine.profile.id);
        let supply = value_supply(snapshot.dialect(), engine);
        let Some(ValueSupply { kinds, certainty, label, .. }) = supply else { return };
        self.look_up_crew(snapshot);
        let names = names_read(snapshot);
        let Some(mut host) = snapshot.host.clone() else { return };
        if !host.calls_elsewhere.is_empty() {
            let host = Arc::make_mut(&mut host);
            for call in std::mem::take(&mut host.calls_elsewhere) {
                host.contracts.extend(self.contract_of(&call));
            }
        }
        snapshot.host = Some(host.clone());
        let is_about_state = !kinds.is_empty() && (!names.is_empty() || may_mean_names(snapshot));
        let has_places = !host.contracts.is_empty() || host.listed.is_some();
        if !has_places && host.messages.is_empty() && !is_about_state {
            return;
        }
        // This matters only if a value is required and none is given.
        let is_certain = match certainty {
            Certainty::Never => false,
            Certainty::Always => true,
            Certainty::IfLiteral => {
                !self.computes_keys() && !self.supplied(kinds).files().is_empty()
            }
        };
        let names_as = |kind| names_of(snapshot, |used| used.kind == kind && used.in_force);
        let required = names_as(TokenKind::Placeholder);
        // For an optional name, nothing is sent; it may be misspelt. Most are not, and the search for
        // a name would read all files.
        let mut looked_up = names_as(TokenKind::Optional);
        looked_up.retain(|name| {
            required.contains(name)
                || is_certain && snapshot.resembles_known(name, &self.supplied(kinds))
        });
        looked_up.extend(required.iter().cloned());
        looked_up.retain(|name| {
            is_certain && (!snapshot.has_inputs() || has_only_samples(snapshot, name))
        });
        // The inputs file with the untouched samples mentions their names.
        let sample = snapshot
            .cases
            .first()
            .map(|case| folder_of(self.host).join(snapshot.file_name(case.inputs.file)));
        let mut program = ProgramNames { has_state: !kinds.is_empty(), ..ProgramNames::default() };
        // Without a state, only a call next to the prompt can supply its names.
        for name in names.iter().filter(|_| !kinds.is_empty()) {
            let places = self.places(name, kinds);
            if looked_up.contains(name) {
                let is_nowhere = match snapshot.dialect().spec().file_prefix {
                    _ if places.iter().any(|place| place.supplies) => false,
                    // Code that reads the name shows that it is meant, unless a similar one is set.
                    _ if !places.is_empty() && !self.sets_slip_of(name, kinds) => false,
                    Some(prefix) if name.starts_with(prefix) => {
                        self.is_misspelt_artifact(name, prefix.len(), sample.as_deref())
                    }
                    _ => self.is_nowhere(name, sample.as_deref()),
                };
                if is_nowhere {
                    program.nowhere.insert(name.clone());
                } else if required.contains(name)
                    && self.is_only_later(name, &places, &host.later)
                    && !snapshot.settings.runtime.contains(name)
                {
                    program.later.insert(name.clone());
                }
            }
            if required.contains(name) && !program.nowhere.contains(name) {
                program.misspelt.extend(self.misspelt(name, kinds));
            }
            program.places.extend(places);
        }
        if program.has_state {
            program.supplied = self.supplied(kinds);
            program.computes_keys = self.computes_keys();
        }
        let roots = names.iter().map(|name| root(snapshot.dialect(), name));
        let roots = roots.chain(host.messages.iter().map(|(name, _)| &**name)).collect();
        self.add_contracts(&host.contracts, (&roots, label), &mut program);
        program.places.extend(listed_places(&host, &names));
        program.places.extend(host.messages.iter().map(|it| read_at(it, MESSAGES)));
        let supplied = supplied_later(&host, &program, snapshot);
        let settings = Arc::make_mut(&mut snapshot.settings);
        Arc::make_mut(&mut settings.runtime).extend(supplied);
        settings.presets = Arc::new(self.values_of(&host.contracts));
        self.name_files(&host, &program, snapshot);
        if let Some(host) = &mut snapshot.host {
            let host = Arc::make_mut(host);
            host.program = program;
            host.later.clear();
        }
    }

    /// Adds to the names of agents and tasks of a prompt what they may name.
    fn look_up_crew(&mut self, snapshot: &mut Snapshot) {
        let looks_up = snapshot.settings.engines.iter().all(crews::looks_up_names);
        let Some(host) = snapshot.host.as_mut().filter(|it| looks_up && !it.crew.is_empty()) else {
            return;
        };
        let crew = self.app().and_then(|app| app.crews.of_tasks(self.host)).cloned();
        let Some((file, crew)) = crew else { return };
        let file = self.id_of(&file);
        for named in &mut Arc::make_mut(host).crew {
            named.known = Some(crews::names(&crew, named.part, file));
        }
    }

    /// Adds the names and texts of the files with places that a prompt refers to.
    fn name_files(&self, host: &HostText, program: &ProgramNames, snapshot: &mut Snapshot) {
        let shown = |file: &AppFile| {
            let folder = folder_of(self.host);
            let path = diff_paths(&file.path, folder).unwrap_or_else(|| file.path.clone());
            path.to_string_lossy().into_owned()
        };
        let calls = host.contracts.iter().map(|it| it.call.file);
        let calls = calls.chain(host.listed.iter().map(|it| it.list.file));
        let used = program.places.iter().map(|it| it.location.file);
        let used: BTreeSet<FileId> = used.chain(calls).collect();
        for id in &used {
            if let Some(file) = self.other(*id) {
                Arc::make_mut(&mut snapshot.file_names).insert(*id, shown(file).into());
                Arc::make_mut(&mut snapshot.file_texts).insert(*id, file.text.clone());
            }
        }
        if used.contains(&self.file) {
            let name = file_name(self.host).into();
            Arc::make_mut(&mut snapshot.file_names).insert(self.file, name);
        }
    }

    /// Adds the values that calls next to a prompt supply. `roots` are the root names that it
    /// reads; `label` is that of its calls.
    fn add_contracts(
        &self,
        contracts: &[Contract],
        (roots, label): (&BTreeSet<&str>, &'static str),
        program: &mut ProgramNames,
    ) {
        for key in contracts.iter().flat_map(|contract| &contract.keys) {
            let SuppliedKey { name, location, literal, .. } = key;
            if program.supplied.file_of(name).is_none() {
                let file = self.other(location.file).map_or(self.host, |other| &other.path);
                program.from_calls.insert(name.clone(), file_name(file));
            }
            let is_known = program.places.iter().any(|place| place.location == *location);
            if roots.contains(&**name) && !is_known {
                let (name, location) = (name.clone(), location.clone());
                program.places.push(NamePlace {
                    name,
                    what: label,
                    supplies: true,
                    value: literal.clone(),
                    is_variable: self.is_variable(&location),
                    location,
                });
            }
        }
    }

    /// The literals that a template has for names before all of its calls.
    fn values_of<'c>(&self, contracts: &'c [Contract]) -> Object {
        let mut values = Object::default();
        // Calls of other files have the values of a template here, but do not list them.
        let is_own = |contract: &&Contract| contract.call.file == self.file;
        let has_own = contracts.iter().any(|contract| is_own(&contract));
        let own: Vec<&'c Contract> = contracts.iter().filter(|it| !has_own || is_own(it)).collect();
        let presets = |contract: &'c Contract| contract.keys.iter().filter(|key| key.is_preset);
        for SuppliedKey { name, literal, .. } in own.first().copied().into_iter().flat_map(presets)
        {
            let has_it = |contract: &&'c Contract| {
                presets(contract).any(|it| it.name == *name && it.literal == *literal)
            };
            let kind = literal.as_ref().filter(|_| own.iter().all(has_it)).and_then(value_kind);
            if let Some(kind) = kind {
                let (key_span, span) = (Span::default(), Span::default());
                let value = Value { kind, span };
                values.insert(Entry { key: name.as_str().into(), key_span, value });
            }
        }
        values
    }

    /// `true` if the key at a location is also a variable.
    fn is_variable(&self, Location { file, range }: &Location) -> bool {
        let (path, text) =
            self.other(*file).map_or((self.host, self.text), |other| (&*other.path, &*other.text));
        host_language(path).is_some_and(|language| is_shorthand(language, text, range))
    }

    /// The calls that supply the values of a chat, here and in other files.
    ///
    /// Cost: that of [`Program::calls_of`] for each other file.
    pub fn calls_of_chat(&mut self, chat: &Chat) -> Vec<Contract> {
        let own = chat.contracts.iter().map(|it| contract(it, self.file));
        let mut calls: Vec<Contract> = own.collect();
        let elsewhere = chat.supplies.iter().filter_map(call_elsewhere);
        calls.extend(elsewhere.filter_map(|call| self.contract_of(&call)));
        calls
    }

    /// The contract of a call of another file; `None` if the file was changed since.
    fn contract_of(&mut self, call: &CallElsewhere) -> Option<Contract> {
        let (file, supplied) = self.calls_of(&call.file)?;
        let found = supplied.get(call.index)?;
        let has_same_keys = found.keys.iter().map(|key| &key.name).eq(&call.keys);
        let id = self.id_of(&file);
        has_same_keys.then(|| {
            let found = contract(found, id);
            Contract { is_own: false, is_whole: found.is_whole && call.is_whole, ..found }
        })
    }

    /// Another file, and its calls that supply values to prompts of other files.
    ///
    /// Cost: that of [`supplied_in`], once.
    fn calls_of(&mut self, path: &Path) -> Option<(Arc<AppFile>, Arc<[hosts::Contract]>)> {
        if let Some(known) = self.calls.get(path) {
            return Some(known.clone());
        }
        let (language, text) = (host_language(path)?, self.project.files.read(path).ok()?);
        let strings = Strings { uses: self.project.program.uses(path), ..Strings::default() };
        let supplied = supplied_in(language, &text, strings);
        let calls = (Arc::new(AppFile { path: path.to_owned(), text }), supplied);
        self.calls.insert(path.to_owned(), calls.clone());
        Some(calls)
    }

    fn own(&self) -> &Own {
        let read = || host_language(self.host).map(|language| accesses(language, self.text));
        self.own.get_or_init(|| Own::new(read().unwrap_or_default()))
    }

    fn own_mentions(&self) -> &Flow {
        let read = || host_language(self.host).map(|language| flow(language, self.text));
        self.own_mentions.get_or_init(|| read().unwrap_or_default())
    }

    fn own_constants(&self) -> &[KeyConstant] {
        let read = || host_language(self.host).map(|language| declarations(language, self.text).1);
        self.own_constants.get_or_init(|| read().unwrap_or_default())
    }

    /// `true` if the program sets names that are computed at run time.
    fn computes_keys(&self) -> bool {
        self.own().flow.computes_keys || self.app().is_some_and(|app| app.computes_keys)
    }

    fn app(&self) -> Option<&AppNames> {
        self.app.get_or_init(|| self.project.program.names(self.host)).as_deref()
    }

    /// `true` if nothing in the application could set a name, except for an inputs file.
    fn is_nowhere(&self, name: &str, inputs: Option<&Path>) -> bool {
        let files = self.project.files;
        let is_in_app = |app: &AppNames| match inputs {
            Some(inputs) => app.mentions_besides(name, inputs, files),
            None => app.mentions(name, files),
        };
        self.app().is_some()
            && !self.own_mentions().mentions(name)
            && !self.app().is_some_and(is_in_app)
    }

    /// `true` if the program sets a name instead of another one, because of a typing slip: nothing
    /// reads it.
    ///
    /// Cost: a search of all files, if it sets a similar name.
    fn sets_slip_of(&mut self, name: &str, kinds: &'static [AccessKind]) -> bool {
        let supplied = self.supplied(kinds);
        let slips = supplied.files().keys().filter(|other| is_slip(other, name));
        let slips: Vec<String> = slips.cloned().collect();
        slips.iter().any(|slip| {
            let is_read = self.places(slip, kinds).iter().any(|place| !place.supplies);
            let files = self.project.files;
            !is_read && self.app().is_some_and(|app| !app.has_in_braces(slip, files))
        })
    }

    /// A name that the application passes to runs instead of one that a prompt reads, because of a
    /// typing slip: no prompt reads it. Another run may pass the right name.
    ///
    /// Cost: a search of all files, if it passes a similar name.
    fn misspelt(&mut self, name: &str, kinds: &'static [AccessKind]) -> Option<(String, String)> {
        if kinds != [AccessKind::Input] {
            return None;
        }
        let supplied = self.supplied(kinds);
        let (slip, file) = supplied.files().iter().find(|(other, _)| is_slip(other, name))?;
        let is_read = self.app()?.has_in_braces(slip, self.project.files);
        (!is_read).then(|| (name.to_owned(), format!("`{slip}` in {file}")))
    }

    /// `true` if nothing in the application could save an artifact, and it saves one whose name is
    /// certainly meant. Users and other programs save artifacts, too.
    fn is_misspelt_artifact(&mut self, name: &str, prefix: usize, inputs: Option<&Path>) -> bool {
        let is_computed = self.own().flow.computes_artifacts
            || self.app().is_some_and(|app| app.computes_artifacts);
        let (name, saved) = (&name[prefix..], self.supplied(&[AccessKind::Artifact]));
        let is_meant = || saved.files().keys().any(|saved| is_slip(name, &saved[prefix..]));
        !is_computed && is_meant() && self.is_nowhere(name, inputs)
    }

    /// `true` if certainly nothing but the agents in some ranges of the host, or in one later file of
    /// its loop, sets a name.
    fn is_only_later(&self, name: &str, places: &[NamePlace], later: &[Range<usize>]) -> bool {
        let mut setters = places.iter().filter(|place| place.supplies).peekable();
        let Some(first) = setters.peek().map(|place| place.location.file) else { return false };
        let setter = match self.other(first) {
            Some(other) if self.later_files().contains(&other.path) => &*other.path,
            Some(_) => return false,
            None => self.host,
        };
        let is_later = |place: &NamePlace| {
            let range = &place.location.range;
            let is_in = |agent: &Range<usize>| agent.start <= range.start && range.end <= agent.end;
            place.location.file == first
                && place.what == in_words(AccessKind::OutputKey)
                && (first != self.file || later.iter().any(is_in))
        };
        if !setters.all(is_later) || self.own().flow.computes_keys {
            return false;
        }
        let own = places.iter().filter(|place| place.location.file == self.file);
        let known: Vec<Range<usize>> = own.map(|it| it.location.range.clone()).collect();
        let is_elsewhere = |app: &AppNames| app.mentions_besides(name, setter, self.project.files);
        host_language(self.host)
            .is_some_and(|language| !mentions_besides(language, self.text, name, &known))
            && self.app().is_some_and(|app| !app.computes_keys && !is_elsewhere(app))
    }

    /// The places that refer to a name. Places in the host have their current offsets.
    fn places(&mut self, name: &str, kinds: &'static [AccessKind]) -> Vec<NamePlace> {
        let counts = |access: &&Access| kinds.contains(&access.kind);
        let place = |names: &Self, access: &Access, file: FileId| {
            let location = Location { file, range: access.range.clone() };
            NamePlace {
                name: name.to_owned(),
                what: in_words(access.kind),
                supplies: access.supplies,
                value: access.value.as_ref().map(literal_json),
                is_variable: names.is_variable(&location),
                location,
            }
        };
        let own = self.own().about(name).filter(counts);
        let mut places: Vec<NamePlace> = own.map(|it| place(self, it, self.file)).collect();
        let app = self.app().map_or(&[][..], |app| app.places(name)).iter();
        let (own, elsewhere): (Vec<_>, Vec<_>) =
            app.filter(|it| counts(&&it.access)).partition(|it| it.file.path == self.host);
        for access in own.into_iter().filter_map(|it| self.by_constant(it)) {
            let place = place(self, &access, self.file);
            match places.iter_mut().find(|known| known.location == place.location) {
                // Supplying a value takes precedence over reading it.
                Some(known) if place.supplies && !known.supplies => *known = place,
                Some(_) => {}
                None => places.push(place),
            }
        }
        let room = MAX_PLACES.saturating_sub(places.len());
        let elsewhere: Vec<NameOccurrence> = elsewhere.into_iter().take(room).cloned().collect();
        for NameOccurrence { file, access, .. } in elsewhere {
            let file = self.id_of(&file);
            places.push(place(self, &access, file));
        }
        places
    }

    /// The access of another file by a constant that the host declares, with its current offsets: the
    /// cached names of the application may include an older version of the host.
    fn by_constant(&self, occurrence: &NameOccurrence) -> Option<Access> {
        let NameOccurrence { file, access, constant } = occurrence;
        let (constant, key) = ((*constant)?, file.text.get(access.range.clone())?);
        let mut declared = self.own_constants().iter().filter(|it| it.name == constant);
        let range = declared.find_map(|it| match &it.key {
            Some(ConstantKey::Literal(range)) => Some(range.clone()),
            _ => None,
        })?;
        (self.text.get(range.clone()) == Some(key)).then_some(())?;
        Some(Access { range, ..access.clone() })
    }

    /// The configurations of agents that run only after that of the host in its loop.
    fn later_files(&self) -> BTreeSet<PathBuf> {
        self.app().map(|app| app.later_files(self.host)).unwrap_or_default()
    }

    /// The file with an id; `None` for the host.
    fn other(&self, id: FileId) -> Option<&Arc<AppFile>> {
        let index = id.0.checked_sub(self.file.0 + 1)?;
        self.others.get(index as usize)
    }

    fn id_of(&mut self, file: &Arc<AppFile>) -> FileId {
        let next = u32::try_from(self.others.len()).unwrap_or(u32::MAX / 2);
        let index = *self.other_by_path.entry(file.path.clone()).or_insert_with(|| {
            self.others.push(file.clone());
            next
        });
        FileId(self.file.0 + 1 + index)
    }

    /// All supplied names, each with the name of a file that supplies it.
    ///
    /// Cost: those of the application and of the host, once.
    fn supplied(&mut self, kinds: &'static [AccessKind]) -> Arc<SuppliedNames> {
        if let Some(known) = self.supplied.get(kinds) {
            return known.clone();
        }
        let of_app = self.app().map(|app| app.supplied(kinds)).unwrap_or_default();
        let supplies = |access: &&Access| access.supplies && kinds.contains(&access.kind);
        let own = self.own().flow.accesses.iter().filter(supplies).map(|access| &access.name);
        // The cached names of the application may include an older version of the host.
        let new: Vec<&String> = own.filter(|name| of_app.file_of(name).is_none()).collect();
        let supplied = match new.is_empty() {
            true => of_app,
            false => {
                let mut files = of_app.files().clone();
                files.extend(new.into_iter().map(|name| (name.clone(), file_name(self.host))));
                Arc::new(SuppliedNames::new(files))
            }
        };
        self.supplied.insert(kinds, supplied.clone());
        supplied
    }
}

/// The names that get their values at run time, whatever a case has. Without a state, a case stands
/// for the call, so these are the names for which the template itself has a value.
fn supplied_later(
    host: &HostText,
    program: &ProgramNames,
    snapshot: &Snapshot,
) -> BTreeSet<String> {
    let keys = host.contracts.iter().flat_map(|contract| &contract.keys);
    let presets: BTreeSet<&str> = keys.filter(|key| key.is_preset).map(|key| &*key.name).collect();
    let are_all = program.has_state || snapshot.cases.is_empty();
    let supplied = program.places.iter().filter(|place| place.supplies);
    let supplied = supplied.filter(|place| are_all || presets.contains(&*place.name));
    supplied.map(|place| place.name.clone()).collect()
}

/// A scalar of JSON as a value of inputs.
fn value_kind(value: &serde_json::Value) -> Option<ValueKind> {
    match value {
        serde_json::Value::Bool(value) => Some(ValueKind::Bool(*value)),
        serde_json::Value::Number(number) => Some(ValueKind::Number(number.to_string().into())),
        serde_json::Value::String(text) => Some(ValueKind::String(text.as_str().into())),
        _ => None,
    }
}

/// A literal of code as JSON.
pub(super) fn literal_json(value: &LiteralValue) -> serde_json::Value {
    match value {
        LiteralValue::Text(text) => (&**text).into(),
        LiteralValue::Number(number) => serde_json::from_str(number).unwrap_or_default(),
        LiteralValue::Bool(value) => (*value).into(),
    }
}

/// `true` if a prompt without names has text that is a mistake if the program sets some: a way into a
/// value, or a key in quotes.
fn may_mean_names(snapshot: &Snapshot) -> bool {
    let mut uses = snapshot.tree.uses();
    uses.any(|(used, _)| used.kind == TokenKind::NearMiss)
        || ["state[", "state.get("].iter().any(|word| snapshot.text.whole().contains(word))
}

/// The names that a prompt reads, without duplicates.
fn names_read(snapshot: &Snapshot) -> BTreeSet<String> {
    names_of(snapshot, |used| used.kind.reads())
}

/// The names in the uses that meet a condition.
fn names_of(snapshot: &Snapshot, is_meant: impl Fn(&Use) -> bool) -> BTreeSet<String> {
    let tree = &snapshot.tree;
    let uses = tree.uses().map(|(used, _)| used).filter(is_meant);
    uses.map(|used| tree.name(used.name).to_owned()).collect()
}

/// The places of the names that a prompt reads in the list of its names.
fn listed_places(host: &HostText, names: &BTreeSet<String>) -> Vec<NamePlace> {
    let Some(listed) = &host.listed else { return Vec::new() };
    let read = listed.names.iter().filter(|(name, _)| names.contains(name));
    read.map(|it| read_at(it, listed.keyword)).collect()
}

/// A place that reads a name without being in the prompt.
fn read_at((name, location): &(String, Location), what: &'static str) -> NamePlace {
    NamePlace {
        name: name.clone(),
        what,
        supplies: false,
        value: None,
        is_variable: false,
        location: location.clone(),
    }
}
