//! How this program was called, and how to start it again.

use std::env;
use std::ffi::OsString;
use std::sync::OnceLock;

/// A call of the program. A process has one.
#[derive(Clone, Debug)]
pub struct Call {
    /// The arguments; the first is the name of the program.
    pub arguments: Vec<OsString>,
    /// The command that starts the program again, before its arguments; empty for the executable of
    /// this process.
    pub program: Vec<OsString>,
}

static CALL: OnceLock<Call> = OnceLock::new();

impl Call {
    /// The call of a process that runs only this program.
    pub fn of_process() -> Call {
        Call { arguments: env::args_os().collect(), program: Vec::new() }
    }

    /// Stores the call for [`arguments`] and [`program`].
    pub(crate) fn note(self) -> &'static Call {
        CALL.get_or_init(|| self)
    }
}

/// The arguments of this process, after the name of the program. The standard library does not have
/// them in a library loaded with musl.
pub fn arguments() -> impl Iterator<Item = &'static OsString> {
    CALL.get().into_iter().flat_map(|call| &call.arguments).skip(1)
}

/// The command that starts this program again; empty for the executable of this process.
pub fn program() -> &'static [OsString] {
    CALL.get().map(|call| &*call.program).unwrap_or_default()
}
