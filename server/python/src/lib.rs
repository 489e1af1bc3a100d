//! The module `promptls._promptls`: prompts for Python, resolved by the same crates as in the
//! program.
//!
//! Errors and plain-data results are Python classes (`classes.rs`), so that they print, compare and
//! pickle like other Python objects. Values are read in place (`values.rs`). `meaning.rs` converts
//! values that have no JSON equivalent.
//!
//! The GIL is released for operations that may take long: loading, checking, resolving, tables, and
//! texts of many kilobytes. A short text is resolved while holding it, because releasing and
//! reacquiring it costs more than the text.

mod argument;
mod cases;
mod changes;
mod check;
mod classes;
mod column;
mod columns;
mod compiled;
mod fields;
mod loaded;
mod meaning;
mod names;
mod partial;
mod program;
mod prompt;
mod prompt_arguments;
mod render_arrow;
mod resolution;
mod to_python;
mod values;

use pyo3::prelude::*;

/// Prompts as their engines send them.
#[pymodule]
mod _promptls {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::cases::load_cases;
    #[pymodule_export]
    use crate::changes::changed_lines;
    #[pymodule_export]
    use crate::column::Column;
    #[pymodule_export]
    use crate::compiled::from_json;
    #[pymodule_export]
    use crate::loaded::prompts_in;
    #[pymodule_export]
    use crate::program::run;
    #[pymodule_export]
    use crate::prompt::Prompt;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Users and `help` see it as a function of `promptls`.
        module.getattr("load_cases")?.setattr("__module__", "promptls")?;
        module.add("__version__", promptls_rows::VERSION)
    }
}
