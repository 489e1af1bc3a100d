//! The types of the protocol library stop at the conversion: other files of the language server use
//! types of their own, so that an update of the library changes few files.

use std::collections::BTreeSet;

use super::source::crates;

/// The name of the library in the sources.
const LIBRARY: &str = "tower_lsp";

/// The folder of the language server.
const SERVER: &str = "server/lsp/src/";

/// The files that convert to and from the library, register with it, or send with it. A path that
/// ends in `/` is for all files of a folder.
const CONVERSION: [&str; 8] = [
    "backend.rs",
    "client_capabilities.rs",
    "convert.rs",
    "convert/",
    "editor.rs",
    "lsp_ext.rs",
    "server_capabilities.rs",
    "transport/",
];

#[test]
fn protocol_types_stop_at_the_conversion() {
    let converts = |file: &str| {
        CONVERSION.iter().any(|path| file == *path || path.ends_with('/') && file.starts_with(path))
    };
    let mut users: BTreeSet<String> = BTreeSet::new();
    for module in crates().iter().flat_map(|sources| sources.modules()) {
        let Some(file) = module.file.strip_prefix(SERVER).filter(|file| !converts(file)) else {
            continue;
        };
        if module.paths().any(|(path, _)| path[0] == LIBRARY) {
            users.insert(file.to_owned());
        }
    }
    assert!(
        users.is_empty(),
        "these files name `{LIBRARY}`; convert in `convert` instead: {users:?}"
    );
}
