//! The texts of agents and tasks, and the errors that CrewAI raises for each.

/// A text of an agent or a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CrewField {
    Description,
    ExpectedOutput,
    OutputFile,
    /// The role, the goal or the backstory of an agent, whose errors keep their messages.
    OfAgent,
}

impl CrewField {
    /// The message for an error in the text.
    pub fn failed(self, message: &str) -> String {
        match self {
            CrewField::Description => format!("Error interpolating description: {message}"),
            CrewField::ExpectedOutput => format!("Error interpolating expected_output: {message}"),
            CrewField::OutputFile => format!("Error interpolating output_file path: {message}"),
            CrewField::OfAgent => message.to_owned(),
        }
    }

    /// The message for a name without a value, which has its own one.
    pub fn missing(self, message: &str) -> String {
        match self {
            CrewField::Description => {
                format!("Missing required template variable '{message}' in description")
            }
            CrewField::OfAgent => message.to_owned(),
            // Python writes the argument of a `KeyError` as a string, here with apostrophes in it.
            CrewField::ExpectedOutput | CrewField::OutputFile => {
                self.failed(&format!("\"{message}\""))
            }
        }
    }
}
