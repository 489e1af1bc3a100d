//! The meanings of a name that other hosts may declare.

use crate::code::beside::{modules_beside, modules_of_class};
use crate::code::grammar::Members;
use crate::code::grammars::grammar;
use crate::code::outline::{Outline, Value};
use crate::host_prompt::Imported;
use crate::language::Language;

/// The possible modules and names of an imported name, or of a name of an imported module.
pub(super) fn imported(
    language: Language,
    outline: &Outline<'_>,
    scope: usize,
    chain: &[&str],
) -> Vec<Imported> {
    let Some((name, holder)) = chain.split_last() else { return Vec::new() };
    let of_module =
        |module: &str, name: &str| Imported { module: module.to_owned(), name: name.to_owned() };
    match (outline.value(scope, chain[0]), holder) {
        (Some((_, Value::Import(import))), []) => {
            let import = &outline.imports[*import];
            import.name.map(|name| of_module(&import.module, name)).into_iter().collect()
        }
        (Some((_, Value::Import(import))), holder) => {
            let import = &outline.imports[*import];
            let module = match import.written {
                Some(written) => (holder.len() == 1).then(|| written.to_owned()),
                None => outline.paths(holder).into_iter().next(),
            };
            // Or the import is a class, and the name its method.
            let is_of_module = grammar(language).members == Members::OfModules;
            let class = import.name.filter(|_| is_of_module && holder.len() == 1);
            let method = class.map(|class| of_module(&import.module, &format!("{class}.{name}")));
            // Or a class of the imported module, and its method.
            let class =
                holder.split_last().filter(|(_, module)| is_of_module && !module.is_empty());
            let inner = class.and_then(|(class, module)| {
                let module = outline.paths(module).into_iter().next()?;
                Some(of_module(&module, &format!("{class}.{name}")))
            });
            let module = module.map(|module| of_module(&module, name));
            module.into_iter().chain(method).chain(inner).collect()
        }
        (None, []) if outline.called(scope, name).is_some() => Vec::new(),
        (None, []) => {
            let modules = modules_beside(language, outline);
            modules.iter().map(|module| of_module(module, name)).collect()
        }
        // A method of a class that one of these modules may declare.
        (None, [class]) if grammar(language).members == Members::OfModules => {
            let modules = modules_beside(language, outline);
            modules.iter().map(|module| of_module(module, &format!("{class}.{name}"))).collect()
        }
        (None, class) if grammar(language).members == Members::OfClasses => {
            let modules = modules_of_class(outline, class);
            modules.iter().map(|module| of_module(module, name)).collect()
        }
        _ => Vec::new(),
    }
}
