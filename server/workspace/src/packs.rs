//! Packs: JSON files whose prompts stand in strings.
//!
//! A file is one if it is called `*.pack.json`, or by what stands in it: an object `prompts`
//! beside `template_engine`, or beside a `$schema` that says so. Each `prompts.TASK.system_template` is a prompt, with its own `variables` and the `fragments`
//! of the pack.

mod json_string;

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use memchr::memmem;
use promptls_resolver::{
    Code, Declarations, FileId, Format, Location, Parsed, Problem, Related, Severity, Value,
    parse_value,
};
use promptls_syntax::{Dialect, Tree, Use, name_range};
use ropey::Rope;

use super::readers::{Contents, Declared, FoundPrompt, Reader};

/// The syntax that we read; a pack that names none has it, too.
const SYNTAX: &str = "{{variable}}";

/// What a pack lists in `template_engine.features` if it has fragments.
const FRAGMENTS: &str = "fragments";

/// The key of a prompt's text; a pack without any has no prompts.
const TEMPLATE: &str = "system_template";

/// What the address of a pack's schema contains.
const SCHEMA: &str = "promptpack";

/// The most places at which one prompt hears that fragments are not switched on.
const MAX_WARNINGS: usize = 100;

/// Reads packs.
#[derive(Debug)]
pub struct Packs;

impl Reader for Packs {
    fn claims(&self, path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str());
        name.and_then(|name| name.strip_suffix(".pack.json")).is_some_and(|stem| !stem.is_empty())
    }

    fn may_claim(&self, path: &Path) -> bool {
        Format::from_path(path) == Some(Format::Json)
    }

    fn recognizes(&self, text: &str) -> Option<bool> {
        // Most JSON is none, and is not parsed to learn that.
        if memmem::find(text.as_bytes(), TEMPLATE.as_bytes()).is_none() {
            return Some(false);
        }
        let root = parse_value(text, Format::Json, FileId::PROMPT, "no prompts").value?;
        let has_prompts = member(&root, "prompts").and_then(Value::as_object).is_some();
        let names_schema = |schema: &Value| {
            schema.as_text().is_some_and(|schema| schema.to_lowercase().contains(SCHEMA))
        };
        let is_said = member(&root, "template_engine").is_some()
            || member(&root, "$schema").is_some_and(names_schema);
        Some(has_prompts && is_said)
    }

    fn dialect(&self) -> Dialect {
        Dialect::PromptPack
    }

    fn read(&self, text: &Arc<str>, file: FileId) -> Contents {
        let Parsed { value, problems } = parse_value(text, Format::Json, file, "no prompts");
        let mut contents = Contents { problems, is_broken: value.is_none(), ..Contents::default() };
        let Some(root) = value else { return contents };
        let engine = member(&root, "template_engine");
        if let Some(syntax) = engine.and_then(|engine| member(engine, "syntax"))
            && let Some(name) = syntax.as_text().filter(|name| *name != SYNTAX)
        {
            let message = format!(
                "PromptPack writes `{SYNTAX}`; prompts in the syntax `{name}` are not read"
            );
            let location = Location { file, range: syntax.span.range() };
            let problem = Problem::new(Code::UnsupportedSyntax, location, message);
            contents.problems.push(Problem { severity: Severity::Error, ..problem });
            return contents;
        }
        let pack = Pack {
            text,
            file,
            fragments: member(&root, "fragments"),
            features: engine.and_then(|engine| member(engine, "features")),
        };
        let tasks = member(&root, "prompts").and_then(Value::as_object);
        for entry in tasks.map(|tasks| tasks.entries()).unwrap_or_default() {
            match pack.prompt(&entry.key, &entry.value) {
                Some(Ok(prompt)) => {
                    let entry = entry.key_span.range().start..entry.value.span.range().end;
                    contents.prompts.push(FoundPrompt { entry, ..prompt });
                }
                Some(Err(problem)) => contents.problems.push(problem),
                None => {}
            }
        }
        contents
    }

    fn written(&self, text: &str) -> String {
        json_string::encode(text)
    }

    fn where_prompts_stand(&self) -> &'static str {
        "`prompts.TASK.system_template`"
    }
}

/// What all prompts of a pack have in common.
struct Pack<'p> {
    text: &'p str,
    file: FileId,
    fragments: Option<&'p Value>,
    features: Option<&'p Value>,
}

impl Pack<'_> {
    /// The prompt under a key; `None` if nothing there says that it is one.
    fn prompt(&self, task: &str, value: &Value) -> Option<Result<FoundPrompt, Problem>> {
        let template = member(value, TEMPLATE)?;
        let range = template.span.range();
        let Some((text, map)) = json_string::decode(self.text, range.clone()) else {
            let kind = template.kind_name();
            let message = format!("`system_template` must be a string, this is {kind}");
            let location = Location { file: self.file, range };
            return Some(Err(Problem::new(Code::InvalidInputs, location, message)));
        };
        let variables = member(value, "variables");
        let (declarations, mut problems) =
            Declarations::from_parts(variables, self.fragments, self.file);
        problems.extend(self.fragments_without_feature(&text, &declarations));
        let variables_at = ["prompts", task, "variables"].map(str::to_owned).to_vec();
        Some(Ok(FoundPrompt {
            name: task.into(),
            entry: 0..0,
            text,
            map,
            declared: Some(Declared {
                declarations,
                has_variables: variables.is_some(),
                variables_at,
            }),
            problems,
        }))
    }

    /// A warning at each fragment that a prompt includes, where the pack does not switch them on.
    fn fragments_without_feature(&self, text: &str, declarations: &Declarations) -> Vec<Problem> {
        let Some(features) = self.features else { return Vec::new() };
        let Some(listed) = features.as_list() else { return Vec::new() };
        if listed.iter().any(|feature| feature.as_text() == Some(FRAGMENTS)) {
            return Vec::new();
        }
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

fn member<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    let member = &value.as_object()?.get(key)?.value;
    (!member.is_null()).then_some(member)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_is_known_by_its_ending() {
        let is_pack = |path| Packs.claims(Path::new(path));
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
            assert_eq!(Packs.recognizes(&text), is_pack, "{text}");
        }
    }
}
