//! Crews of CrewAI: classes whose methods are the agents and tasks that their configurations name.

use std::ops::Range;

/// A class that runs tasks by agents, with configurations of both in other files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crew {
    /// The name of the class, as problems show it.
    pub class: String,
    /// The path of the configurations of its tasks, relative to the folder of the class.
    pub tasks_file: String,
    /// The methods that its configurations can name.
    pub members: Vec<CrewMember>,
    /// `true` if these are all of them: it inherits none.
    pub is_whole: bool,
}

/// A method that creates an agent or a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrewMember {
    /// The kind of what it creates; `None` if that is unknown.
    pub kind: Option<CrewPart>,
    /// The name of the method, by which configurations refer to it.
    pub name: String,
    /// The range of that name in the code.
    pub range: Range<usize>,
}

/// What configurations of a crew name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CrewPart {
    /// An agent, which runs tasks.
    Agent,
    /// A task, which an agent runs.
    Task,
}

impl CrewPart {
    /// The attribute of a crew with the path of its configurations.
    pub(crate) const fn config(self) -> &'static str {
        match self {
            CrewPart::Agent => "agents_config",
            CrewPart::Task => "tasks_config",
        }
    }

    /// The path without such an attribute.
    pub(crate) const fn default_file(self) -> &'static str {
        match self {
            CrewPart::Agent => "config/agents.yaml",
            CrewPart::Task => "config/tasks.yaml",
        }
    }
}

/// A name in code of a configuration that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownConfig {
    /// The kind of what it configures.
    pub part: CrewPart,
    /// The name that the code looks up.
    pub name: String,
    /// The range of its literal in the code.
    pub range: Range<usize>,
    /// The file with the configurations, relative to that of the code.
    pub file: String,
    /// The names of the configurations in it; `None` if there is no such file.
    pub known: Option<Vec<String>>,
}

/// A name of an agent or a task in the configuration of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrewReference {
    /// The kind of what it names.
    pub part: CrewPart,
    /// The name as CrewAI reads it: a block of text ends with a line feed.
    pub name: String,
    /// `true` for a text at the place of a list, whose characters CrewAI reads as names.
    pub is_spread: bool,
    /// The range of the name, without quotes.
    pub range: Range<usize>,
}
