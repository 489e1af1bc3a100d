//! A file that contains several prompts.

use std::collections::BTreeMap;
use std::path::PathBuf;

use expect_test::{Expect, expect};
use promptls_analysis::DEFAULT_MAX_PROBLEMS;
use promptls_resolver::{Code, Location};

use super::*;
use crate::files::layer::Layer;
use crate::files::listing::Listing;
use crate::files::{NoFiles, Reading};
use crate::{Configs, Files, Overrides, Project, PromptFile, ReadError, Scope};

const TEXT: &str = "prompts:
  greeting:
    system_template: Hi {{name}} {{nmae}}
    variables: [{name: name, type: string}]
  closing:
    system_template: Bye {{town}}
    variables: [{name: town, type: string}]
";

/// Files in memory only.
struct InMemory(BTreeMap<&'static str, &'static str>);

impl Layer for InMemory {
    fn below(&self) -> &dyn Files {
        &NoFiles
    }

    fn read_as(&self, path: &Path, _: Reading) -> Result<Arc<str>, ReadError> {
        let text = path.to_str().and_then(|path| self.0.get(path));
        text.map(|text| Arc::from(*text)).ok_or_else(|| ReadError::missing(path))
    }

    fn list(&self, folder: &Path) -> Arc<Listing> {
        let paths = self.0.keys().map(PathBuf::from);
        let here = paths.filter(|path| path.parent() == Some(folder));
        let name = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        Listing::of_names(here.map(name).collect())
    }

    fn is_there(&self, path: &Path) -> bool {
        (self as &dyn Files).read(path).is_ok()
    }

    fn without_links(&self, path: &Path) -> Option<PathBuf> {
        Files::is_there(self, path).then(|| path.to_owned())
    }
}

fn read(text: &str, last: Option<&PromptFile>) -> PromptFile {
    let inputs = ("/a.pack.inputs.json", r#"{"name": "Ada", "town": "Rome", "age": 1}"#);
    let files = InMemory(BTreeMap::from([inputs]));
    let (configs, path) = (Configs::default(), Path::new("/a.pack.yaml"));
    let project = Project::without_program(&files, &configs);
    PromptFile::read(project, path, text.into(), &Overrides::default(), last)
}

/// Formats each problem of a file with this text as a line: the text of its range, and its message.
#[track_caller]
fn check(file: &PromptFile, text: &str, expected: Expect) {
    let line = |problem: &Problem| {
        let Location { file: place, range } = &problem.location;
        let text = match *place == file.file {
            true => text,
            false => file.texts[place.0 as usize].as_deref().expect("a sidecar has a text"),
        };
        format!("{range:?} {:?} {}\n", &text[range.clone()], problem.message)
    };
    let problems = file.problems(DEFAULT_MAX_PROBLEMS);
    expected.assert_eq(&problems.iter().map(line).collect::<String>());
}

#[test]
fn problems_have_ranges_of_the_file() {
    let file = read(TEXT, None);
    check(
        &file,
        TEXT,
        expect![[r#"
            32..37 "\"age\"" `age` is never read by any prompt of a.pack.yaml
            56..60 "nmae" `nmae` has no value; did you mean `name`?
        "#]],
    );
    let codes = |index| {
        let problems = file.problems_of(index, Scope::AllCases, DEFAULT_MAX_PROBLEMS);
        problems.into_iter().map(|problem| problem.code).collect::<Vec<_>>()
    };
    assert_eq!(codes(0), [Code::UnusedInput, Code::UndefinedPlaceholder]);
    assert_eq!(codes(1), [Code::UnusedInput]);
}

#[test]
fn an_edited_file_is_parsed_again() {
    let before = read(TEXT, None);
    assert!(!before.follows_edits());
    let text = TEXT.replace("Hi {{name}} {{nmae}}", "Dear {{age}},");
    check(
        &read(&text, Some(&before)),
        &text,
        expect![[r#"
            1..7 "\"name\"" `name` is never read by any prompt of a.pack.yaml
            49..52 "age" `age` is not declared
            79..83 "name" `name` is declared and never used by prompt `greeting`
        "#]],
    );
}

#[test]
fn an_offset_belongs_to_a_prompt_or_has_a_nearest_one() {
    let file = read(TEXT, None);
    let town = TEXT.find("{{town}}").unwrap();
    assert_eq!(file.prompt_at(town), Some((1, "Bye ".len())));
    let key = TEXT.find("closing").unwrap();
    assert_eq!(file.prompt_at(key), None);
    assert_eq!((file.nearest(0), file.nearest(key)), (Some(0), Some(1)));
}

#[test]
fn a_broken_file_keeps_its_last_valid_prompts() {
    let good = read(TEXT, None);
    let text = TEXT.replace("prompts:", "prompts: [");
    check(
        &read(&text, None),
        &text,
        expect![[r#"
            42..43 ":" expected a comma or `}`
        "#]],
    );
    let broken = read(&text, Some(&good));
    assert_eq!(broken.prompts[0].name.as_deref(), Some("greeting"));
    check(
        &broken,
        &text,
        expect![[r#"
            32..37 "\"age\"" `age` is never read by any prompt of a.pack.yaml
            42..43 ":" expected a comma or `}`
            58..62 "nmae" `nmae` has no value; did you mean `name`?
        "#]],
    );
    // As in files that have changed since.
    let text = text.replace("nmae", "name");
    check(
        &read(&text, Some(&broken)),
        &text,
        expect![[r#"
            32..37 "\"age\"" `age` is never read by any prompt of a.pack.yaml
            42..43 ":" expected a comma or `}`
        "#]],
    );
}
