//! Facts about a prompt from the file that contains it as a string of another language.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use promptls_resolver::{FileId, Location};

use super::supplied_names::SuppliedNames;
use crate::features::messages::Role;

/// Facts about a prompt that is a string of another language, or a file in an application.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostText {
    /// `true` for a prompt that is a file of its own, in an application.
    pub is_whole_file: bool,
    /// `true` if a framework takes the prompt, and supplies its values in a way that may not be
    /// followed.
    pub is_of_framework: bool,
    /// The parts of the text that are known only at run time, in order.
    pub holes: Vec<Hole>,
    /// The names that the program sets or reads.
    pub program: ProgramNames,
    /// Calls that supply its values.
    pub contracts: Vec<Contract>,
    /// The start of the expression that chooses between it and other prompts of its file.
    pub choice: Option<usize>,
    /// The list of its names in the program.
    pub listed: Option<ListedNames>,
    /// The calls of other files, until they are among the contracts.
    pub calls_elsewhere: Vec<CallElsewhere>,
    /// The ranges in the file of agents that run only after its own in a loop, until its
    /// [`ProgramNames`] are known.
    pub later: Vec<Range<usize>>,
    /// The names of agents and tasks in the configuration of its task.
    pub crew: Vec<CrewName>,
    /// The names of messages that the program supplies to its chat, with their locations: of one
    /// prompt of the chat, which stands for it.
    pub messages: Vec<(String, Location)>,
    /// The role of its message, if it is one of those that code passes to a framework.
    pub role: Option<Role>,
}

/// A name of an agent or a task in the configuration of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrewName {
    /// The kind of what it names, for the user: `agent`.
    pub part: &'static str,
    /// The name as the framework reads it: a block of text ends with a line feed.
    pub name: String,
    /// `true` for a text at the place of a list, whose characters are read as names.
    pub is_spread: bool,
    /// The location of the name, without quotes.
    pub location: Location,
    /// What it may name; `None` if that is unknown.
    pub known: Option<CrewNames>,
}

/// The agents or the tasks of a crew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrewNames {
    /// The class of the crew.
    pub class: String,
    /// Their names, with the locations of their methods.
    pub methods: Vec<(String, Location)>,
    /// Names that may be others.
    pub uncertain: Vec<String>,
}

impl CrewName {
    /// The name that its crew does not have; `None` if it has it, or may have it.
    pub fn missing(&self) -> Option<&str> {
        let known = self.known.as_ref()?;
        let has = |name: &str| {
            known.uncertain.iter().any(|it| it == name)
                || known.methods.iter().any(|(it, _)| it == name)
        };
        let mut chars = self.name.char_indices();
        let first = chars.next().map_or("", |(_, char)| &self.name[..char.len_utf8()]);
        let name = if self.is_spread { first } else { &self.name };
        (!has(name)).then_some(name)
    }

    /// The same with empty ranges, for comparisons that ignore positions in files.
    pub fn without_places(mut self) -> CrewName {
        self.location.range = 0..0;
        let methods = self.known.iter_mut().flat_map(|known| &mut known.methods);
        methods.for_each(|(_, location)| location.range = 0..0);
        self
    }

    /// The location of the method that it names.
    pub fn target(&self) -> Option<&Location> {
        let methods = self.known.iter().flat_map(|known| &known.methods);
        methods.filter(|(name, _)| *name == self.name).map(|(_, location)| location).next()
    }
}

/// A call of another file that supplies values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallElsewhere {
    /// The path of the file.
    pub file: PathBuf,
    /// The index of the call among those of the file that supply values to other files.
    pub index: usize,
    /// The names that it supplies.
    pub keys: Vec<String>,
    /// `true` if these are all values of the prompt.
    pub is_whole: bool,
}

/// A call that supplies the values of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The location of the call.
    pub call: Location,
    /// The names that it supplies.
    pub keys: Vec<SuppliedKey>,
    /// The prompt gets no other values.
    pub is_whole: bool,
    /// The template may get values under other names from the call itself.
    pub is_open: bool,
    /// Only this prompt reads these values.
    pub is_own: bool,
}

/// A name that a call supplies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuppliedKey {
    /// Its name in the notation of the prompt.
    pub name: String,
    /// The location of the name, without quotes.
    pub location: Location,
    /// Its value, if that is a literal.
    pub literal: Option<serde_json::Value>,
    /// The prompt has this value before the call.
    pub is_preset: bool,
}

/// The names of a prompt that its program lists: `input_variables=["city"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedNames {
    /// The keyword of the list.
    pub keyword: &'static str,
    /// The location of the list, with its brackets.
    pub list: Location,
    /// The names in it, with their locations without quotes.
    pub names: Vec<(String, Location)>,
    /// The names with values beside it, which need not be listed; `None` if these are unknown.
    pub supplied: Option<Vec<String>>,
}

/// A part of a text that is known only at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hole {
    /// The range in the text, as U+FFFC, in bytes.
    pub range: Range<usize>,
    /// The source in the host: `{city}`, `${city}`, `city`.
    pub written: String,
    /// Its value, if that is a text of another file; an inputs file may contain another one.
    pub text: Option<Arc<str>>,
}

impl Hole {
    /// The expression of the program, without the signs of the host around it.
    pub fn expression(&self) -> &str {
        expression(&self.written)
    }

    /// The key of its value in an inputs file.
    pub fn key(&self) -> String {
        format!("={}", self.expression())
    }
}

/// An expression of a program, without the signs of an interpolation around it.
pub(crate) fn expression(written: &str) -> &str {
    let inner = written.strip_prefix('$').unwrap_or(written);
    let inner = inner.strip_prefix('{').and_then(|inner| inner.strip_suffix('}'));
    inner.unwrap_or(written.trim_start_matches('$')).trim()
}

/// The names that the surrounding program sets or reads.
///
/// They make names known. A name is reported as unknown only if nothing could set it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramNames {
    /// All prompts of the program get their values from one state, in which a name has the same
    /// meaning for each.
    pub has_state: bool,
    /// The places that certainly refer to names which the prompt reads.
    pub places: Vec<NamePlace>,
    /// The names that the code of its application sets.
    pub supplied: Arc<SuppliedNames>,
    /// Other names that calls near the prompt supply, each with the name of that file.
    pub from_calls: BTreeMap<String, String>,
    /// The names that the prompt reads and nothing in the program could set.
    pub nowhere: BTreeSet<String>,
    /// The names that the program passes under misspelt ones, which no prompt reads; each with the
    /// misspelt one and its file, for the user.
    pub misspelt: BTreeMap<String, String>,
    /// The names that only a later agent of its loop sets.
    pub later: BTreeSet<String>,
    /// The program sets names that are known only at run time.
    pub computes_keys: bool,
}

/// A place in code that sets or reads the value of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePlace {
    /// The name that the place refers to.
    pub name: String,
    /// The kind of place, for the user: `output_key`.
    pub what: &'static str,
    /// The place sets the value of the name.
    pub supplies: bool,
    /// This value, if it is a literal.
    pub value: Option<serde_json::Value>,
    /// The name is also that of a variable, which a rename keeps: `{plan}` becomes `{goal: plan}`.
    pub is_variable: bool,
    /// The location of the name, without quotes.
    pub location: Location,
}

impl ProgramNames {
    /// The name of a file that sets a name, for the user; `None` if there is none.
    pub fn file_that_supplies(&self, name: &str) -> Option<&str> {
        self.supplied.file_of(name).or_else(|| self.from_calls.get(name).map(String::as_str))
    }

    /// The place in code at an offset of a file.
    pub fn place_at(&self, file: FileId, offset: usize) -> Option<&NamePlace> {
        self.places.iter().find(|place| {
            let Location { file: its, range } = &place.location;
            *its == file && range.start <= offset && offset <= range.end
        })
    }

    /// All names that the program sets.
    pub fn supplied_names(&self) -> impl Iterator<Item = &str> {
        self.supplied.files().keys().chain(self.from_calls.keys()).map(String::as_str)
    }

    /// The same with empty ranges, for comparisons that ignore positions in files.
    pub fn without_places(mut self) -> ProgramNames {
        self.places.iter_mut().for_each(|place| place.location.range = 0..0);
        self
    }
}

impl HostText {
    /// The name of an agent or a task at an offset of a file.
    pub fn crew_name_at(&self, file: FileId, offset: usize) -> Option<&CrewName> {
        self.crew.iter().find(|it| {
            let Location { file: its, range } = &it.location;
            *its == file && range.start <= offset && offset <= range.end
        })
    }

    /// Returns whether a range of the text contains a hole, or touches one.
    pub fn has_hole_at(&self, range: &Range<usize>) -> bool {
        let next = self.holes.partition_point(|hole| hole.range.end < range.start);
        self.holes.get(next).is_some_and(|hole| hole.range.start <= range.end)
    }
}
