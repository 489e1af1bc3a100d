//! All tests from outside as one program, so that it is linked once and they run side by side.

mod filesystem;
mod langfuse;
