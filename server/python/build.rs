//! For Windows, linked by zig: exports only the symbol that Python needs. Without this, the library
//! exports all of its symbols, so the linker cannot remove unused ones.

use std::path::Path;
use std::{env, fs, io};

const EXPORTS: &str = "LIBRARY _promptls\nEXPORTS\n    PyInit__promptls\n";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|it| it == value);
    if is("CARGO_CFG_TARGET_OS", "windows") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        let folder = env::var_os("OUT_DIR").unwrap_or_default();
        let exports = Path::new(&folder).join("exports.def");
        fs::write(&exports, EXPORTS)?;
        println!("cargo::rustc-link-arg-cdylib={}", exports.display());
    }
    Ok(())
}
