//! Names that need no import: the modules that may declare them, and the same names as these modules
//! write them.

use super::grammar::Members;
use super::grammars::grammar;
use super::outline::{Outline, Value, is_class_name};
use crate::host_prompt::Imported;
use crate::language::Language;

/// The modules that may declare a name that this host does not declare. The last one counts first.
pub(super) fn modules_beside(language: Language, outline: &Outline<'_>) -> Vec<String> {
    let module = grammar(language).beside;
    let classes = outline.classes_imported().filter(|_| module.is_none());
    // In Go, they are known by the path in the source.
    let all = outline.imports.iter().filter(|import| import.local == "*");
    let written = all.filter_map(|import| import.written);
    let wildcards = outline.wildcards().filter(|_| module.is_none()).chain(written);
    let wildcards = wildcards.chain(classes);
    // In Kotlin, also files of the same package.
    let package = outline.package.as_deref().filter(|_| language == Language::Kotlin);
    let packages = packages_imported(outline).filter(|_| package.is_some());
    wildcards.chain(packages).chain(module.or(package)).map(str::to_owned).collect()
}

/// The packages of which all names are imported, in languages with classes.
pub(super) fn packages_imported<'o>(outline: &'o Outline<'_>) -> impl Iterator<Item = &'o str> {
    let all = outline.imports.iter().filter(|import| import.local == "*");
    all.map(|import| import.module.as_str())
        .filter(|module| !module.rsplit('.').next().is_some_and(is_class_name))
}

/// The modules of a class that this host neither declares nor imports by its name: in the same
/// package, or in one of which all names are imported.
pub(super) fn modules_of_class(outline: &Outline<'_>, class: &[&str]) -> Vec<String> {
    let imported = packages_imported(outline).map(|it| format!("{it}.{}", class.join(".")));
    class_beside(outline, class).into_iter().chain(imported).collect()
}

/// The modules of a base of a class, if the base is in another host.
pub(super) fn modules_of_base(outline: &Outline<'_>, class: usize, base: &[&str]) -> Vec<String> {
    let Some((head, inner)) = base.split_first() else { return Vec::new() };
    match outline.value(class, head) {
        Some((_, Value::Import(import))) => {
            let path = outline.imports[*import].path();
            vec![inner.iter().fold(path, |path, name| format!("{path}.{name}"))]
        }
        Some(_) => Vec::new(),
        None => modules_of_class(outline, base),
    }
}

/// The module of a class that this host neither declares nor imports: the class is in the same
/// package, or has its package before it.
pub(super) fn class_beside(outline: &Outline<'_>, class: &[&str]) -> Option<String> {
    if class.iter().all(|name| is_class_name(name)) {
        let package = outline.package.as_deref();
        return Some(
            package.into_iter().chain(class.iter().copied()).collect::<Vec<_>>().join("."),
        );
    }
    class.last().is_some_and(|it| is_class_name(it)).then(|| class.join("."))
}

/// `true` if a host needs no import for the names of a module.
pub(super) fn is_beside(language: Language, outline: &Outline<'_>, module: &str) -> bool {
    let rest = outline.package.as_deref().and_then(|package| module.strip_prefix(package));
    grammar(language).beside == Some(module)
        || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// A name that another host imports from this one, as this host writes it: with its classes.
pub(super) fn written_here(language: Language, imported: &Imported) -> Vec<&str> {
    let mut chain = Vec::new();
    if grammar(language).members == Members::OfClasses {
        chain.extend(imported.module.split('.').filter(|name| is_class_name(name)));
    }
    // In Java, names outside of the classes of a Kotlin file belong to a class.
    if language == Language::Kotlin && matches!(chain[..], [class] if class.ends_with("Kt")) {
        chain.clear();
    }
    chain.extend(imported.name.split('.'));
    chain
}
