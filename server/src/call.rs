//! How this program was called, and how it is started again.

use std::env;
use std::ffi::OsString;
use std::sync::OnceLock;

/// A call of the program. There is one in a process.
#[derive(Clone, Debug)]
pub struct Call {
    /// The arguments, the first of which is the name of the program.
    pub arguments: Vec<OsString>,
    /// What starts the program again, before its arguments; empty for the executable of this
    /// process.
    pub program: Vec<OsString>,
}

static CALL: OnceLock<Call> = OnceLock::new();

impl Call {
    /// That of a process which is this program and nothing else.
    pub fn of_process() -> Call {
        Call { arguments: env::args_os().collect(), program: Vec::new() }
    }

    /// Keeps it for [`arguments`] and [`program`].
    pub(crate) fn note(self) -> &'static Call {
        CALL.get_or_init(|| self)
    }
}

/// The arguments of this process, after the name of the program. The standard library does not know
/// them in a library that is loaded with musl.
pub fn arguments() -> impl Iterator<Item = &'static OsString> {
    CALL.get().into_iter().flat_map(|call| &call.arguments).skip(1)
}

/// See [`Call::program`].
pub fn program() -> &'static [OsString] {
    CALL.get().map(|call| &*call.program).unwrap_or_default()
}
