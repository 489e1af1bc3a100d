//! Files of Go modules.

use promptls_resolver::Language;

use super::ecosystem::{Ecosystem, PackageFile, PackageVisitor, Sort};

pub(super) const PACKAGES: Ecosystem = Ecosystem {
    languages: &[Language::Go],
    // The versions in `go.mod` are those that are built.
    sources: &[PackageFile { name: "go.mod", sort: Sort::Lock, read: go_mod }],
    // Later major versions are modules of their own, and so are parts of a module.
    is_package: |name, package| {
        name.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    },
};

fn go_mod(text: &str, found: &mut PackageVisitor<'_>) {
    let mut is_in_list = false;
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        let required = match line.strip_prefix("require") {
            Some(rest) if rest.trim_start().starts_with('(') => {
                is_in_list = true;
                continue;
            }
            Some(rest) if rest.starts_with(char::is_whitespace) => rest,
            _ if is_in_list => line,
            _ => continue,
        };
        is_in_list &= line != ")";
        let mut words = required.split_whitespace();
        if let (Some(module), Some(version)) = (words.next(), words.next()) {
            found(module.trim_matches('"'), Some(version.trim_start_matches('v')));
        }
    }
}
