//! Packs: JSON and YAML files with prompts in strings.
//!
//! A file is a pack by its name, such as `*.pack.json`, or by its content: an object `prompts`
//! beside `template_engine`, or beside a `$schema` of packs. Each `prompts.TASK.system_template` is
//! a prompt, with its own `variables` and the `fragments` of the pack.
//!
//! YAML features beyond JSON: an aliased text is read, but edited only at its anchor. Merge
//! keys (`<<`) are not part of YAML 1.2, and not followed.

mod json_string;
mod template_engine;
mod yaml_text;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use memchr::memmem;
use promptls_data::{Key, Kind, Tree as Data};
use promptls_resolver::{
    Code, Declarations, Entry, FileId, Format, Location, Parsed, Problem, Related, Severity, Value,
    Variable, parse_value, refused, value_of,
};
use promptls_syntax::{Dialect, Tree, Use, name_range};
use ropey::Rope;

use super::readers::text_map::TextMap;
use super::readers::writing::{ReadOnly, Writing};
use super::readers::{Contents, Declared, FoundPrompt, Reader, Source};
use json_string::JsonString;
use template_engine::{FRAGMENTS, TemplateEngine};
use yaml_text::YamlText;

/// The key of a prompt's text; a pack without it has no prompts.
const TEMPLATE: &str = "system_template";

/// A part of the URL of the pack schema.
const SCHEMA: &str = "promptpack";

/// The maximum number of places in a prompt that report disabled fragments.
const MAX_WARNINGS: usize = 100;

/// The part before the extension of a file that is a pack by its name.
const INFIX: &str = ".pack";

/// The key of a merge into an object in YAML 1.1.
const MERGE_KEY: &str = "<<";

/// The error for edits of an alias.
const IS_ALIAS: &str = "this prompt is an alias; change it where its anchor is";

/// The error for edits of a scalar that only the parser can interpret.
const IS_UNCLEAR: &str = "this prompt is written in a way that only you can edit";

/// Reads packs in one format.
#[derive(Debug)]
pub struct Packs(pub Format);

impl Reader for Packs {
    fn claims(&self, path: &Path) -> bool {
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let stem = stem.and_then(|stem| stem.strip_suffix(INFIX));
        self.may_claim(path) && stem.is_some_and(|stem| !stem.is_empty())
    }

    fn may_claim(&self, path: &Path) -> bool {
        Format::from_path(path) == Some(self.0)
    }

    fn recognizes(&self, Source { text, .. }: &Source<'_>) -> Option<bool> {
        // Most files are no packs, and this avoids parsing them.
        if memmem::find(text.as_bytes(), TEMPLATE.as_bytes()).is_none() {
            return Some(false);
        }
        let Some(root) = parse_value(text, self.0, FileId::PROMPT, "no prompts").value else {
            return if is_meant(text) { None } else { Some(false) };
        };
        let has_prompts = member(&root, "prompts").and_then(Value::as_object).is_some();
        let names_schema = |schema: &Value| {
            schema.as_text().is_some_and(|schema| schema.to_lowercase().contains(SCHEMA))
        };
        let is_said = member(&root, "template_engine").is_some()
            || member(&root, "$schema").is_some_and(names_schema);
        Some(has_prompts && is_said)
    }

    fn dialect(&self) -> Option<Dialect> {
        Some(Dialect::PromptPack)
    }

    fn read(&self, Source { text, .. }: &Source<'_>, file: FileId) -> Contents {
        let data = promptls_data::read(self.0, text);
        let Parsed { value, problems } = match &data {
            Ok(data) => value_of(data, file, "no prompts"),
            Err(refusal) => refused(refusal.clone(), text, file),
        };
        let mut contents = Contents { problems, is_broken: value.is_none(), ..Contents::default() };
        let (Some(root), Ok(data)) = (value, &data) else {
            contents.problems.iter_mut().for_each(|it| it.code = Code::UnreadableFile);
            return contents;
        };
        let tasks = member(&root, "prompts");
        // Without prompts it is a different kind of pack.
        let engine = member(&root, "template_engine").filter(|_| tasks.is_some_and(is_object));
        let engine = TemplateEngine::read(engine, file);
        contents.problems.extend(engine.problems.iter().cloned());
        if !engine.is_ours {
            return contents;
        }
        let fragments = member(&root, "fragments");
        let pack = Pack { data, tasks: tasks_of(data), file, fragments, engine };
        contents
            .problems
            .extend([Some(&root), tasks].into_iter().flatten().filter_map(|it| pack.merges(it)));
        let tasks = tasks.and_then(Value::as_object);
        for entry in tasks.map(|tasks| tasks.entries()).unwrap_or_default() {
            contents.problems.extend(pack.merges(&entry.value));
            match pack.prompt(entry) {
                Some(Ok(prompt)) => contents.prompts.push(prompt),
                Some(Err(problem)) => contents.problems.push(problem),
                None => {}
            }
        }
        contents
    }

    fn language(&self) -> &'static str {
        self.0.id()
    }

    fn where_prompts_stand(&self) -> &'static str {
        "`prompts.TASK.system_template`"
    }
}

/// The common parts of all prompts of a pack.
struct Pack<'p> {
    data: &'p Data<'p>,
    /// The node numbers of its tasks.
    tasks: HashMap<&'p str, usize>,
    file: FileId,
    fragments: Option<&'p Value>,
    engine: TemplateEngine<'p>,
}

impl Pack<'_> {
    /// The prompt of a task; `None` if it has none.
    fn prompt(
        &self,
        Entry { key: task, key_span, value }: &Entry,
    ) -> Option<Result<FoundPrompt, Problem>> {
        let template = entry(value, TEMPLATE)?;
        let Some(Written { text, map, writing }) = self.written(task, template) else {
            let kind = template.value.kind_name();
            let message = format!("`system_template` must be a string, this is {kind}");
            let location = Location { file: self.file, range: template.value.span.range() };
            return Some(Err(Problem::new(Code::InvalidInputs, location, message)));
        };
        let variables = member(value, "variables");
        let (declarations, mut problems) =
            Declarations::from_parts(variables, self.fragments, self.file);
        problems.extend(self.without_type(&declarations));
        problems.extend(self.fragments_without_feature(&text, &declarations));
        let variables_at = ["prompts", task, "variables"].map(str::to_owned).to_vec();
        Some(Ok(FoundPrompt {
            name: (**task).into(),
            why: "PromptPack `system_template`".into(),
            entry: key_span.range().start..value.span.range().end,
            dialect: Dialect::PromptPack,
            agent: None,
            text,
            host: None,
            map,
            writing,
            declared: Some(Declared {
                declarations,
                has_variables: variables.is_some(),
                variables_at,
            }),
            problems,
        }))
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
        let merge = entry(value, MERGE_KEY).filter(|_| self.data.format() == Format::Yaml)?;
        let location = Location { file: self.file, range: merge.key_span.range() };
        let message = "YAML 1.2 has no merge keys: what `<<` names is not read";
        Some(Problem::new(Code::UnsupportedSyntax, location, message))
    }

    /// The written form of the template of a task; `None` if it is no string.
    fn written(&self, task: &str, template: &Entry) -> Option<Written> {
        let text = template.value.as_text()?;
        let &task = self.tasks.get(task)?;
        let is_alias = |number: usize| matches!(self.data.nodes[number].kind, Kind::Alias(_));
        let named_at = |number: usize, reason| {
            let map = TextMap::named_at(self.data.nodes[number].span.range(), text.len());
            Written { text: text.to_owned(), map, writing: Arc::new(ReadOnly(reason)) }
        };
        // The target of an alias is written elsewhere.
        if is_alias(task) {
            return Some(named_at(task, IS_ALIAS));
        }
        let number = self.data.member(task, TEMPLATE)?;
        if is_alias(number) {
            return Some(named_at(number, IS_ALIAS));
        }
        let Some(decoded) = self.data.decode(number) else {
            return Some(named_at(number, IS_UNCLEAR));
        };
        let node = &self.data.nodes[number];
        let (literals, writing): (_, Arc<dyn Writing>) = match self.data.format() {
            Format::Yaml => {
                let source = self.data.source();
                let is_in_braces = self.data.starts_with(task, &['{']);
                let key = (TEMPLATE, node.key_span.range());
                let yaml = YamlText::new(source, key, node.span.range(), &decoded, is_in_braces);
                (Vec::new(), Arc::new(yaml))
            }
            _ => (vec![node.span.range()], Arc::new(JsonString)),
        };
        let map = TextMap::of(&decoded, literals);
        Some(Written { text: decoded.into_text(), map, writing })
    }

    /// A warning for each fragment that a prompt includes, if the pack does not enable fragments.
    fn fragments_without_feature(&self, text: &str, declarations: &Declarations) -> Vec<Problem> {
        let Some(features) = self.engine.features.filter(|_| self.engine.lacks(FRAGMENTS)) else {
            return Vec::new();
        };
        let dialect = Dialect::PromptPack;
        let tree = Tree::parse(dialect, &Rope::from_str(text));
        let uses = tree.uses().filter(|(used, _)| {
            let name = tree.name(used.name);
            let fragment = name.strip_prefix("fragments.").unwrap_or(name);
            used.kind.reads() && declarations.fragment(fragment).is_some()
        });
        let included = uses.map(|(used, _)| used).collect::<HashSet<Use>>();
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

/// The written form of a prompt's text.
struct Written {
    text: String,
    map: TextMap,
    writing: Arc<dyn Writing>,
}

/// The node numbers of the tasks of a pack; empty if it has none.
fn tasks_of<'p>(data: &'p Data<'_>) -> HashMap<&'p str, usize> {
    let prompts = data.documents.first().and_then(|document| document.root);
    let Some(prompts) = prompts.and_then(|root| data.member(root, "prompts")) else {
        return HashMap::new();
    };
    let task = |number: usize| match &data.nodes[number].key {
        Key::Name(name) => Some((&**name, number)),
        _ => None,
    };
    data.children(data.target(prompts)).filter_map(task).collect()
}

fn is_object(value: &Value) -> bool {
    value.as_object().is_some()
}

fn entry<'v>(value: &'v Value, key: &str) -> Option<&'v Entry> {
    value.as_object()?.get(key).filter(|entry| !entry.value.is_null())
}

/// `true` if an invalid text contains all typical words of a pack.
fn is_meant(text: &str) -> bool {
    let has = |word: &str| memmem::find(text.as_bytes(), word.as_bytes()).is_some();
    has("prompts") && (has("template_engine") || text.to_lowercase().contains(SCHEMA))
}

fn member<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    Some(&entry(value, key)?.value)
}

#[cfg(test)]
mod yaml_tests;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_is_known_by_its_ending() {
        let is_pack = |path| Packs(Format::Json).claims(Path::new(path));
        assert!(is_pack("/a/support.pack.json"));
        assert!(!is_pack("/a/.pack.json"));
        assert!(!is_pack("/a/support.pack.inputs.json"));
    }

    #[test]
    fn a_pack_under_another_name_is_known_by_what_stands_in_it() {
        let prompts = r#""prompts": {"a": {"system_template": "x"}}"#;
        for (text, is_pack) in [
            (format!(r#"{{"template_engine": {{}}, {prompts}}}"#), Some(true)),
            (format!(r#"{{"$schema": "https://x/PromptPack/v1.json", {prompts}}}"#), Some(true)),
            (format!(r#"{{"$schema": "https://x/package.json", {prompts}}}"#), Some(false)),
            (format!("{{{prompts}}}"), Some(false)),
            (r#"{"template_engine": 1, "prompts": ["system_template"]}"#.to_owned(), Some(false)),
            (r#"{"template_engine": 1, "prompts": {}}"#.to_owned(), Some(false)),
            (format!(r#"{{"template_engine": {{}}, {prompts}"#), None),
            ("{".to_owned(), Some(false)),
        ] {
            let text = Arc::from(text);
            let source = Source {
                path: Path::new("/a.json"),
                text: &text,
                config: None,
                uses: Arc::default(),
            };
            assert_eq!(Packs(Format::Json).recognizes(&source), is_pack, "{text}");
        }
    }
}
