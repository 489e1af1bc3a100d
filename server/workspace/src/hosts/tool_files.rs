//! Data of package managers and build tools. No code uses its keys as names of values: `name` in
//! `package.json` is the name of the package.

use std::path::Path;

use crate::config::name::CONFIG_NAME;

/// The names of these files, as far as they are data in a format that has prompts.
const NAMES: [&str; 18] = [
    CONFIG_NAME,
    "Cargo.toml",
    "composer.json",
    "conda-lock.yml",
    "deno.json",
    "environment.yaml",
    "environment.yml",
    "lerna.json",
    "libs.versions.toml",
    "npm-shrinkwrap.json",
    "nx.json",
    "package-lock.json",
    "package.json",
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "pyproject.toml",
    "tsconfig.json",
    "turbo.json",
];

/// `true` for data of a package manager or build tool, by its name.
pub fn is_data_of_tool(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| NAMES.contains(&name))
}
