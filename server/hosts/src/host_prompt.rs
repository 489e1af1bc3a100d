//! A prompt found in a host.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_syntax::Dialect;

use crate::cannot_edit::CannotEdit;
use crate::code::{CallArgument, Callee, Operation, Reference};
use crate::flow::LiteralValue;
use crate::flow::crew::{CrewPart, CrewReference};
use crate::language::Language;
use promptls_data::{Decoded, HOLE};

/// A prompt in a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPrompt {
    /// Its name, unique in the file.
    pub name: String,
    /// The variable that the framework's object is assigned to, if its name is another one.
    pub variable: Option<String>,
    /// The dialect of its text.
    pub dialect: Dialect,
    /// The reason why it is a prompt.
    pub why: Why,
    /// The engine of the framework that it is passed to, if that names one, even if a mark or a rule
    /// makes it a prompt.
    pub engine: Option<PlaceEngine>,
    /// The name of the first agent that it is passed to, if known.
    pub agent: Option<String>,
    /// The role of its message, such as `system`, if it is in a list of messages with roles.
    pub role: Option<String>,
    /// Its text, with source positions.
    pub text: Decoded,
    /// The holes of its text whose values are texts of other hosts, in order.
    pub known_holes: Vec<KnownHole>,
    /// The literals of its text, with their quotes, in order. For a sum of names alone, the range
    /// of the sum.
    pub literals: Vec<Range<usize>>,
    /// The literals of constants that its text includes by their names, in source order.
    pub included: Vec<Included>,
    /// The range of the whole call, statement or entry, including the literals.
    pub entry: Range<usize>,
    /// Call sites near the prompt that supply its values.
    pub contracts: Vec<Contract>,
    /// Call sites in other files that supply its values.
    pub supplies: Vec<Supply>,
    /// The prompts of other files that it is a part of.
    pub included_by: Vec<Inclusion>,
    /// The source ranges of the agents that run only after its own in a loop, so that the first turn
    /// has none of their answers. Empty outside of loops.
    pub later: Vec<Range<usize>>,
    /// The declarations of its names in the same file, if its framework has any.
    pub declared: Option<DeclaredAt>,
    /// The reason why the text cannot be edited at this place; `None` if it is written here.
    pub read_only: Option<CannotEdit>,
    /// `true` if a framework takes it, whatever decides its dialect.
    pub is_of_framework: bool,
    /// The list of its names in the call that gets it.
    pub listed: Option<ListedNames>,
    /// The names of agents and tasks in the configuration of its task.
    pub crew_references: Vec<CrewReference>,
    /// The name of the only chat in which it is a message; `None` if there are none or several.
    pub chat: Option<String>,
    /// The range of the expression that chooses between it and other prompts of the file, of which a
    /// call sends one; `None` without such a choice.
    pub choice: Option<Range<usize>>,
}

impl HostPrompt {
    /// The name in the names of its inputs files: that of its chat, whose messages share them.
    pub fn inputs_name(&self) -> &str {
        self.chat.as_deref().unwrap_or(&self.name)
    }
}

/// The names of a prompt that its program lists: `input_variables=["city"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedNames {
    /// The keyword of the list.
    pub keyword: &'static str,
    /// The list, with its brackets.
    pub list: Range<usize>,
    /// The names in it, with their ranges without quotes.
    pub names: Vec<(String, Range<usize>)>,
    /// The names with values beside it, which need not be listed; `None` if these are unknown.
    pub supplied: Option<Vec<String>>,
}

/// A hole whose value is a text of another host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownHole {
    /// Its range in the text of the prompt.
    pub hole: Range<usize>,
    /// The value, as far as the code of the prompt leaves it.
    pub text: String,
}

/// A literal that a prompt includes by the name of a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Included {
    /// Its range, with its quotes.
    pub literal: Range<usize>,
    /// `true` if it is shown as a part of this prompt: only the first of several prompts with it.
    pub is_shown: bool,
}

/// The places of the declarations of a prompt, as keys from the top of its file. The values may be
/// missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredAt {
    /// The variables of the prompt; the list may not exist.
    pub variables: Vec<String>,
    /// The fragments of all prompts of the file, if its framework has fragments.
    pub fragments: Option<&'static str>,
}

/// A call next to a prompt that supplies values: a *call-site contract*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The brackets of the call.
    pub call: Range<usize>,
    /// The names that it supplies.
    pub keys: Vec<SuppliedKey>,
    /// `true` if these are all values of the prompt.
    pub is_whole: bool,
    /// `true` if the call of a template may supply other names, which are not known.
    pub is_open: bool,
    /// `true` if only this prompt reads them.
    pub is_own: bool,
}

/// A name that a call supplies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuppliedKey {
    /// Its name in the notation of the prompt.
    pub name: String,
    /// The range of the name, without quotes.
    pub range: Range<usize>,
    /// Its value, if that is a literal.
    pub literal: Option<LiteralValue>,
    /// `true` if the prompt has this value before the call.
    pub is_preset: bool,
}

/// A call-site contract for a prompt of another file.
///
/// It has no positions, so that an edit around the call changes no other file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Supply {
    /// The path of the file with the call; `None` in the finds of that file.
    pub file: Option<PathBuf>,
    /// The index of its contract in [`Finds::supplied`](crate::Finds::supplied) of that file.
    pub contract: usize,
    /// The names that it supplies.
    pub keys: Vec<String>,
    /// `true` if these are all values of the prompt.
    pub is_whole: bool,
}

/// A prompt that includes a text of another file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Inclusion {
    /// The path of its file; `None` in the finds of that file.
    pub file: Option<PathBuf>,
    /// Its name in that file.
    pub prompt: String,
    /// Its name in the names of its inputs files.
    pub inputs_name: String,
}

/// The engine of a framework for one of its texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlaceEngine {
    /// The id of the engine.
    pub id: &'static str,
    /// The keyword or key of the text: `expected_output`.
    pub field: &'static str,
}

/// The reason why a string is a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// A framework that takes prompts there.
    Recogniser {
        /// The place, as users write it: `google.adk.agents.LlmAgent(instruction)`.
        place: &'static str,
        /// The engine, if a language has several of the dialect.
        engine: Option<PlaceEngine>,
    },
    /// A comment before it, such as `# promptls: adk`.
    Mark,
    /// The entry of a rule, in source form.
    Rule(String),
}

impl Why {
    /// The engine that a framework names; `None` if the language decides it.
    pub fn engine(&self) -> Option<PlaceEngine> {
        match self {
            Why::Recogniser { engine, .. } => *engine,
            Why::Mark | Why::Rule(_) => None,
        }
    }
}

/// A text on which frameworks disagree, without a mark or rule that sets its dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The byte range of its first literal.
    pub literal: Range<usize>,
    /// The dialects of the frameworks.
    pub dialects: Vec<Dialect>,
}

/// A use of a name of another host, or of a whole text file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    /// The file that it is in.
    pub other: OtherFile,
    /// The name and its use.
    pub demand: Demand,
    /// The range of the use.
    pub entry: Range<usize>,
    /// Another meaning of the use, if the module does not exist.
    pub otherwise: Option<Box<Elsewhere>>,
}

/// Another file, as a host refers to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OtherFile {
    /// A module in the notation of the language: `.prompts`, `pkg.prompts`; or a class with its
    /// package: `com.example.Prompts`. `.` in Go: another file of the folder.
    Module(String),
    /// A module in the notation of another file, which has passed a name of it on.
    ModuleOf(PathBuf, String),
    /// A text file that the host reads, or a data file of which it uses a value.
    Text(TextPath),
}

impl OtherFile {
    /// The module; `None` for a text file.
    pub fn module(&self) -> Option<&str> {
        match self {
            OtherFile::Module(module) | OtherFile::ModuleOf(_, module) => Some(module),
            OtherFile::Text(_) => None,
        }
    }
}

/// The path of a text file that a host reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextPath {
    /// The known end of the path, with `/` between names: `prompts/plan.txt`.
    pub end: String,
    /// The number of folders from that of the host up to the one where `end` starts; `None` if it
    /// starts in another folder, such as the working folder of the program.
    pub up: Option<usize>,
}

/// The sign between the keys of a value in a data file.
pub(crate) const KEY_END: char = '\n';

/// The name of the default export of a module of TypeScript and JavaScript.
pub const DEFAULT_EXPORT: &str = "default";

/// What another host states or requests about a name: an input of [`crate::find_with`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Demand {
    /// A constant or function of this host that the other one uses as a prompt; or the host as a
    /// whole, if it is a text file.
    Text(TextDemand),
    /// An object of this host that contains prompts, and gets values from calls of the other one.
    Object(ObjectDemand),
    /// A file, and a name in it, that this host uses as a prompt and that does not exist: the
    /// response to [`Finds::elsewhere`](crate::Finds::elsewhere).
    Missing(OtherFile, String),
    /// A use by this host of a name that the file of this name does not have: a response to
    /// [`Finds::elsewhere`](crate::Finds::elsewhere). Other files of the same module may have it.
    Unmet(TextDemand, String),
    /// The text of another host that is a part of prompts of this one: the response to
    /// [`Finds::elsewhere`](crate::Finds::elsewhere).
    Part(Part),
    /// A name of this host that the other one calls or derives from. The response is in
    /// [`Finds::callees`](crate::Finds::callees).
    Callee(Imported),
    /// The name of a function of any other host that passes parameters to a framework as prompts:
    /// this host requests the meaning of its calls of that name.
    Factory(String),
    /// The name of a template of any other host, or of a chain, function or class with one: calls of
    /// this host may supply its values.
    Template(String),
    /// A name of the other host that this one imports, with its meaning there: the response to a
    /// request of this host.
    Known(Imported, Vec<Callee>),
    /// The values of this data file are the configurations of agents or tasks of a crew.
    Crew(CrewPart),
    /// The names of these configurations in the file that this host names: the response.
    CrewNames(CrewPart, Vec<String>),
}

/// A text of a host that is a part of prompts of another one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// Its use by the other host.
    pub demand: TextDemand,
    /// The text, without any holes.
    pub text: Arc<str>,
}

/// A name that a host imports.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Imported {
    /// The module in the notation of the importing host.
    pub module: String,
    /// Its name in the module.
    pub name: String,
}

/// A constant or function of a host that another one uses as a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TextDemand {
    /// Its name in its host; empty for a text file as a whole. For a value of a data file, its
    /// [keys](TextDemand::keys).
    pub name: String,
    /// `true` for a function whose result is used.
    pub is_called: bool,
    /// The language of the engine that gets it.
    pub language: Language,
    /// The dialect of the use.
    pub dialect: Dialect,
    /// The place of the use.
    pub why: Why,
    /// The name of the agent there.
    pub agent: Option<String>,
    /// The calls there that supply its values.
    pub supplies: Vec<Supply>,
    /// The names after it, of members of its value; keys in brackets with their quotes.
    pub(crate) members: Vec<String>,
    /// The class that declares it, without its package.
    pub(crate) class: Option<String>,
    /// The known arguments of a function that is called.
    pub(crate) arguments: Vec<CallArgument>,
    pub(crate) operations: Vec<Operation>,
    pub(crate) followed: u8,
    /// If the use is only a part of a prompt: this host, as the other one refers to it. Without a
    /// placeholder, a part is no prompt.
    pub(crate) part_of: Option<OtherFile>,
    /// The prompt that includes a part, if its host has one.
    pub included_by: Option<Inclusion>,
}

/// An object of a host that contains prompts, and gets values from calls of another one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ObjectDemand {
    /// Its name in its host.
    pub name: String,
    /// `true` for a function that returns it.
    pub is_called: bool,
    /// The calls there that supply the values.
    pub supplies: Vec<Supply>,
    /// The class that declares it, without its package.
    pub(crate) class: Option<String>,
}

impl ObjectDemand {
    /// The same for one of several objects, of which a call may get another one.
    pub(crate) fn without_whole_calls(&self) -> ObjectDemand {
        let mut demand = self.clone();
        demand.supplies.iter_mut().for_each(|supply| supply.is_whole = false);
        demand
    }
}

impl TextDemand {
    /// The keys of a value, from the top of its data file.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.name.split(KEY_END)
    }

    /// `true` if the use is only a part of a prompt.
    pub fn is_part(&self) -> bool {
        self.part_of.is_some()
    }

    /// The class that declares the name, without its package.
    pub fn class(&self) -> Option<&str> {
        self.class.as_deref()
    }

    /// `true` if it is the use of a reference.
    pub(crate) fn is_of(&self, reference: &Reference) -> bool {
        self.part_of.as_ref() == Some(&reference.other)
            && self.name == reference.name
            && self.class == reference.class
            && self.members == reference.members
            && self.is_called == reference.is_called
            && self.arguments.len() == reference.arguments.len()
            && self.arguments.iter().zip(&reference.arguments).all(|(one, it)| one.is_same(it))
            && self.operations == reference.operations
    }
}

impl Demand {
    /// The name in its host.
    pub fn name(&self) -> &str {
        match self {
            Demand::Text(text)
            | Demand::Part(Part { demand: text, .. })
            | Demand::Unmet(text, _) => &text.name,
            Demand::Callee(imported) | Demand::Known(imported, _) => &imported.name,
            Demand::Object(object) => &object.name,
            Demand::Missing(_, name) | Demand::Factory(name) | Demand::Template(name) => name,
            Demand::Crew(part) | Demand::CrewNames(part, _) => part.config(),
        }
    }
}

impl Demand {
    /// The use of a text; `None` for a request or a response.
    pub fn text(&self) -> Option<&TextDemand> {
        match self {
            Demand::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The calls of other hosts that supply values to it.
    pub fn supplies(&self) -> &[Supply] {
        match self {
            Demand::Text(TextDemand { supplies, .. })
            | Demand::Object(ObjectDemand { supplies, .. }) => supplies,
            _ => &[],
        }
    }

    /// `true` if the other host may respond to it.
    pub fn has_response(&self) -> bool {
        matches!(self, Demand::Text(_) | Demand::Callee(_) | Demand::Crew(_))
    }

    /// The file and the name that do not exist, in such a response.
    pub(crate) fn missing(&self) -> Option<(&OtherFile, &str)> {
        match self {
            Demand::Missing(other, name) => Some((other, name)),
            _ => None,
        }
    }
}

/// The maximum length of a part, in bytes. Files that use each other's texts could let them grow.
const MAX_PART: usize = 256 << 10;

impl Part {
    /// A text that another host uses; `None` if its use is no part of a prompt, or if a piece of the
    /// text is unknown.
    pub(crate) fn new(demand: &TextDemand, text: &Decoded) -> Option<Part> {
        let is_known = !text.text().contains(HOLE) && text.text().len() <= MAX_PART;
        (demand.is_part() && is_known)
            .then(|| Part { demand: demand.clone(), text: text.text().into() })
    }
}

impl Elsewhere {
    /// Completes what a host cannot state about itself: its path.
    pub fn name_host(&mut self, host: &Path) {
        self.change_supplies(&mut |supplies| {
            for supply in supplies {
                supply.file.get_or_insert_with(|| host.to_owned());
            }
        });
        self.each_text(&mut |text| {
            if let Some(inclusion) = &mut text.included_by {
                inclusion.file.get_or_insert_with(|| host.to_owned());
            }
            text.arguments.iter_mut().for_each(|argument| argument.name_host(host));
        });
    }

    /// Notes the prompt that includes it, if it is a part of one that is not known yet.
    pub(crate) fn include_in(&mut self, inclusion: &Inclusion) {
        self.each_text(&mut |text| {
            if text.is_part() {
                text.included_by.get_or_insert_with(|| inclusion.clone());
            }
        });
    }

    /// The use of a text, and its other meanings.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &TextDemand> {
        let all = std::iter::successors(Some(self), |it| it.otherwise.as_deref());
        all.filter_map(|it| it.demand.text())
    }

    /// Calls a function with the use of a text, and with its other meanings.
    fn each_text(&mut self, change: &mut dyn FnMut(&mut TextDemand)) {
        if let Demand::Text(text) = &mut self.demand {
            change(text);
        }
        if let Some(otherwise) = &mut self.otherwise {
            otherwise.each_text(change);
        }
    }

    /// Calls a function with the calls that supply values to it.
    pub(crate) fn change_supplies(&mut self, change: &mut dyn FnMut(&mut Vec<Supply>)) {
        match &mut self.demand {
            Demand::Text(TextDemand { supplies, .. })
            | Demand::Object(ObjectDemand { supplies, .. }) => change(supplies),
            _ => {}
        }
        if let Some(otherwise) = &mut self.otherwise {
            otherwise.change_supplies(change);
        }
    }

    pub(crate) fn new(
        reference: Reference,
        (language, dialect): (Language, Dialect),
        why: Why,
        agent: Option<String>,
        entry: Range<usize>,
    ) -> Elsewhere {
        let otherwise = reference.otherwise.map(|it| {
            let (read_by, entry) = ((language, dialect), entry.clone());
            Box::new(Elsewhere::new(*it, read_by, why.clone(), agent.clone(), entry))
        });
        let demand = TextDemand {
            name: reference.name,
            members: reference.members,
            is_called: reference.is_called,
            arguments: reference.arguments,
            language,
            dialect,
            why,
            agent,
            supplies: Vec::new(),
            class: reference.class,
            operations: reference.operations,
            // Its own host counts its name again.
            followed: reference.followed.saturating_sub(1),
            part_of: reference.is_part.then(|| reference.other.clone()),
            included_by: None,
        };
        Elsewhere { other: reference.other, demand: Demand::Text(demand), entry, otherwise }
    }
}
