//! The human languages of prompts: one file each, in `languages/`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use include_dir::{Dir, include_dir};
use serde::Deserialize;

use crate::error::Unknown;
use crate::template::Template;
use crate::words::Words;

/// A human language, with all texts that the builder writes in it.
#[derive(Debug)]
pub struct Language {
    tag: &'static str,
    texts: Texts,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Texts {
    /// Its name in the language itself.
    name: String,
    words: Words,
    sections: BTreeMap<String, Template>,
    templates: BTreeMap<String, Template>,
}

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/languages");

static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let mut languages: Vec<Language> = FILES.files().map(read).collect();
    languages.sort_by_key(|language| language.tag);
    languages
});

fn read(file: &'static include_dir::File<'static>) -> Language {
    let tag = file.path().file_stem().and_then(|stem| stem.to_str());
    let text = file.contents_utf8().expect("a test reads all of these files");
    Language {
        tag: tag.expect("the name of a file is its tag"),
        texts: toml::from_str(text)
            .unwrap_or_else(|error| panic!("{}: {error}", file.path().display())),
    }
}

impl Language {
    /// All languages, in the order of their tags.
    ///
    /// Cost: the first call reads their files, a few milliseconds.
    pub fn all() -> &'static [Language] {
        &LANGUAGES
    }

    /// The language with this tag: `pt-BR`, and also `pt-br` and `pt`.
    pub fn find(tag: &str) -> Result<&'static Language, Unknown> {
        let primary = |tag: &str| tag.split('-').next().unwrap_or(tag).to_ascii_lowercase();
        let is_same = |language: &&Language| language.tag.eq_ignore_ascii_case(tag);
        let is_near = |language: &&Language| {
            primary(language.tag) == primary(tag)
                && (!tag.contains('-') || !language.tag.contains('-'))
        };
        let languages = Language::all().iter();
        languages.clone().find(is_same).or_else(|| languages.clone().find(is_near)).ok_or_else(
            || Unknown {
                what: "language",
                name: tag.to_owned(),
                known: languages.map(|language| language.tag.to_owned()).collect(),
            },
        )
    }

    /// English (`en`), which is compiled into the crate.
    pub fn english() -> &'static Language {
        Language::find("en").expect("it is one of the files")
    }

    /// The BCP 47 tag, such as `pt-BR`.
    pub fn tag(&self) -> &'static str {
        self.tag
    }

    /// The name of the language in the language itself.
    pub fn name(&self) -> &str {
        &self.texts.name
    }

    /// Its templates by name, such as `code-review`; all languages have the same names.
    pub fn templates(&self) -> &BTreeMap<String, Template> {
        &self.texts.templates
    }

    /// Templates of a single section each, by name. They contain `…` in place of the text.
    pub fn sections(&self) -> &BTreeMap<String, Template> {
        &self.texts.sections
    }

    /// The template of this name.
    pub fn template(&self, name: &str) -> Result<&Template, Unknown> {
        self.texts.templates.get(name).ok_or_else(|| Unknown {
            what: "template",
            name: name.to_owned(),
            known: self.texts.templates.keys().cloned().collect(),
        })
    }

    pub(crate) fn words(&self) -> &Words {
        &self.texts.words
    }
}
