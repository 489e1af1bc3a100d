//! Checks of packs: JSON and YAML files with prompts in strings, beside their declarations.
//!
//! A file is a pack by its name, such as `*.pack.json`, or by its content: an object `prompts`
//! beside `template_engine`, or beside a `$schema` of packs. Each `prompts.TASK.system_template` is
//! a prompt, with its own `variables` and the `fragments` of the pack.
//!
//! Merge keys (`<<`) are not part of YAML 1.2, and not followed.

mod template_engine;

use promptls_hosts::{Language, Pack};
use promptls_resolver::{
    Code, Declarations, Entry, FileId, Location, Problem, Related, Severity, Value, Variable,
};
use promptls_syntax::{Tree, UseSet, name_range};
use ropey::Rope;

use template_engine::{FRAGMENTS, TemplateEngine};

/// The maximum number of places in a prompt that report disabled fragments.
const MAX_WARNINGS: usize = 100;

/// The key of a merge into an object in YAML 1.1.
const MERGE_KEY: &str = "<<";

/// A pack, as values.
pub(super) struct PackFile<'p> {
    pack: &'static Pack,
    root: &'p Value,
    language: Language,
    file: FileId,
    engine: TemplateEngine<'p>,
}

impl<'p> PackFile<'p> {
    pub fn new(
        pack: &'static Pack,
        root: &'p Value,
        language: Language,
        file: FileId,
    ) -> PackFile<'p> {
        // Without prompts it is a different kind of pack.
        let prompts = member(root, pack.prompts).and_then(Value::as_object);
        let engine = prompts.and_then(|_| member(root, pack.engine));
        PackFile { pack, root, language, file, engine: TemplateEngine::read(engine, file) }
    }

    /// The problems of the pack as a whole, and of tasks without a prompt.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = self.engine.problems.clone();
        if !self.engine.is_ours {
            return problems;
        }
        let tasks = member(self.root, self.pack.prompts);
        problems.extend(
            [Some(self.root), tasks].into_iter().flatten().filter_map(|it| self.merges(it)),
        );
        let tasks = tasks.and_then(Value::as_object).map(|tasks| tasks.entries());
        for Entry { value, .. } in tasks.unwrap_or_default() {
            problems.extend(self.merges(value));
            problems.extend(member(value, self.pack.text).and_then(|text| self.without_text(text)));
        }
        problems
    }

    /// The problems of a prompt and its declarations, beyond those that are checked for all prompts.
    pub fn problems_of(&self, text: &str, declarations: &Declarations) -> Vec<Problem> {
        let mut problems = self.without_type(declarations);
        problems.extend(self.fragments_without_feature(text, declarations));
        problems
    }

    /// An error for a prompt whose text is no string.
    fn without_text(&self, text: &Value) -> Option<Problem> {
        if text.as_text().is_some() {
            return None;
        }
        let message =
            format!("`{}` must be a string, this is {}", self.pack.text, text.kind_name());
        let location = Location { file: self.file, range: text.span.range() };
        Some(Problem::new(Code::InvalidInputs, location, message))
    }

    /// Warnings for declarations without a type, which other tools require.
    fn without_type(&self, declarations: &Declarations) -> Vec<Problem> {
        if declarations.has_unread_variables {
            return Vec::new();
        }
        let untyped = declarations.variables.iter().filter(|variable| variable.type_span.is_none());
        let problem = |variable: &Variable| {
            let location = Location { file: self.file, range: variable.name_span.range() };
            let message = format!("`{}` has no `type`: any value will do", variable.name);
            let problem = Problem::new(Code::InvalidDeclaration, location, message);
            Problem { severity: Severity::Information, ..problem.about(&*variable.name) }
        };
        untyped.map(problem).collect()
    }

    /// A warning for a merge key in an object.
    fn merges(&self, value: &Value) -> Option<Problem> {
        let merge = entry(value, MERGE_KEY).filter(|_| self.language == Language::Yaml)?;
        let location = Location { file: self.file, range: merge.key_span.range() };
        let message = "YAML 1.2 has no merge keys: what `<<` names is not read";
        Some(Problem::new(Code::UnsupportedSyntax, location, message))
    }

    /// A warning for each fragment that a prompt includes, if the pack does not enable fragments.
    fn fragments_without_feature(&self, text: &str, declarations: &Declarations) -> Vec<Problem> {
        let Some(features) = self.engine.features.filter(|_| self.engine.is_without(FRAGMENTS))
        else {
            return Vec::new();
        };
        let dialect = self.pack.dialect;
        let tree = Tree::parse(dialect, &Rope::from_str(text));
        let uses = tree.uses().filter(|(used, _)| {
            let name = tree.name(used.name);
            let fragment = name.strip_prefix("fragments.").unwrap_or(name);
            used.kind.reads() && declarations.fragment(fragment).is_some()
        });
        let included = uses.map(|(used, _)| used).collect::<UseSet>();
        let places = tree.occurrences(&included, MAX_WARNINGS);
        let warning = |token: &promptls_syntax::TokenRef<'_>| {
            let start = token.token.start;
            let name = name_range(dialect, token.token.kind, &text[token.token.range()]);
            let range = start + name.start..start + name.end;
            let location = Location { file: FileId::PROMPT, range };
            let message = "fragments are not switched on: `template_engine.features` does not list `fragments`";
            let mut problem = Problem::new(Code::UnsupportedSyntax, location, message);
            problem.related.push(Related {
                location: Location { file: self.file, range: features.span.range() },
                message: "the features of this pack".to_owned(),
            });
            problem
        };
        places.iter().map(warning).collect()
    }
}

/// The member of an object with a key; `None` if it is missing or `null`.
pub(super) fn member<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    entry(value, key).map(|entry| &entry.value)
}

fn entry<'v>(value: &'v Value, key: &str) -> Option<&'v Entry> {
    value.as_object()?.get(key).filter(|entry| !entry.value.is_null())
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod yaml_tests;
