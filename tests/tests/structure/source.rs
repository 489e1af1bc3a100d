//! The Rust sources of this repository: their modules, and the paths from one to another.
//!
//! Paths are read from the syntax tree; in the arguments of macros, from tokens. A path refers to
//! the module that defines the item, also through re-exports. Test code is ignored.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, ItemMod, ItemUse, UseTree};

/// The part of a crate in this repository.
pub struct Crate {
    /// The modules, the root first.
    modules: Vec<Module>,
}

/// A module with its own file; inline modules count as part of it.
pub struct Module {
    /// Its file, from the top of the repository.
    pub file: String,
    parent: Option<usize>,
    children: HashMap<String, usize>,
    imports: HashMap<String, Vec<String>>,
    mentions: Vec<Mention>,
    /// Every word of the code, and its line.
    pub words: Vec<(String, usize)>,
}

/// A path in source form.
struct Mention {
    path: Vec<String>,
    line: usize,
}

/// A path from one module to another.
pub struct Link<'c> {
    /// The indices of both modules in [`Crate::modules`].
    pub ends: (usize, usize),
    /// The line of the path.
    pub line: usize,
    /// The path in source form.
    pub path: &'c [String],
}

/// The top of the repository.
fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All crates of the workspace, by the file of their root. They are read once for all tests.
pub fn crates() -> &'static [Crate] {
    static CRATES: LazyLock<Vec<Crate>> = LazyLock::new(read_all);
    &CRATES
}

fn read_all() -> Vec<Crate> {
    let manifest = fs::read_to_string(top().join("Cargo.toml")).expect("the manifest can be read");
    let manifest: toml::Table = manifest.parse().expect("the manifest is TOML");
    let members = manifest["workspace"]["members"].as_array().expect("a list");
    let roots = members.iter().filter_map(|member| member.as_str()).flat_map(|member| {
        ["lib.rs", "main.rs"].map(|name| Path::new(member).join("src").join(name))
    });
    let roots = roots.filter(|root| top().join(root).exists());
    roots.map(|root| Crate::read(&top(), &root)).collect()
}

impl Module {
    /// Every path in the code, and its line.
    pub fn paths(&self) -> impl Iterator<Item = (&[String], usize)> {
        self.mentions.iter().map(|mention| (&*mention.path, mention.line))
    }
}

impl Crate {
    /// Reads a crate from its root file, which is relative to `top`.
    fn read(top: &Path, root: &Path) -> Crate {
        let mut read = Crate { modules: Vec::new() };
        let folder = root.parent().expect("a file is in a folder");
        read.add(top, root, folder, None);
        read
    }

    /// Reads a module and its submodules, whose files are in `folder`.
    fn add(&mut self, top: &Path, file: &Path, folder: &Path, parent: Option<usize>) -> usize {
        let text = fs::read_to_string(top.join(file));
        let text = text.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let syntax = syn::parse_file(&text).expect("the source is Rust");
        let mut reader = Reader::default();
        reader.visit_file(&syntax);
        let index = self.modules.len();
        self.modules.push(Module {
            file: file.to_string_lossy().into_owned(),
            parent,
            children: HashMap::new(),
            imports: reader.imports,
            mentions: reader.mentions,
            words: reader.words,
        });
        for name in reader.declared {
            let (file, folder) = (folder.join(format!("{name}.rs")), folder.join(&name));
            let child = self.add(top, &file, &folder, Some(index));
            self.modules[index].children.insert(name, child);
        }
        index
    }

    /// The modules, the root first.
    pub fn modules(&self) -> &[Module] {
        &self.modules
    }

    /// Every path from a module to another one of this crate.
    pub fn links(&self) -> impl Iterator<Item = Link<'_>> {
        (0..self.modules.len()).flat_map(move |from| {
            self.modules[from].mentions.iter().filter_map(move |Mention { path, line }| {
                let to = self.resolve(from, path).filter(|&to| to != from)?;
                Some(Link { ends: (from, to), line: *line, path })
            })
        })
    }

    /// The module of this crate that defines the item of a path; `None` for other crates.
    fn resolve(&self, from: usize, path: &[String]) -> Option<usize> {
        self.follow(from, path, &mut HashSet::new())
    }

    /// The same; `followed` are the imports on the way, by module and name: a function with the
    /// name of its crate would refer to itself.
    fn follow<'c>(
        &'c self,
        from: usize,
        path: &[String],
        followed: &mut HashSet<(usize, &'c str)>,
    ) -> Option<usize> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(self.walk(0, rest, followed)),
            "self" => Some(self.walk(from, rest, followed)),
            "super" => {
                let parent = self.modules[from].parent?;
                match rest.first() {
                    Some(next) if next == "super" => self.follow(parent, rest, followed),
                    _ => Some(self.walk(parent, rest, followed)),
                }
            }
            name => {
                let Module { children, imports, .. } = &self.modules[from];
                let is_here = children.contains_key(name) || imports.contains_key(name);
                is_here.then(|| self.walk(from, path, followed))
            }
        }
    }

    fn walk<'c>(
        &'c self,
        at: usize,
        path: &[String],
        followed: &mut HashSet<(usize, &'c str)>,
    ) -> usize {
        let Some((name, rest)) = path.split_first() else { return at };
        let Module { children, imports, .. } = &self.modules[at];
        if let Some(&child) = children.get(name) {
            return self.walk(child, rest, followed);
        }
        match imports.get_key_value(name) {
            Some((name, import)) if followed.insert((at, name)) => {
                // An item of another crate counts as defined where it is imported.
                self.follow(at, &[import, rest].concat(), followed).unwrap_or(at)
            }
            _ => at,
        }
    }
}

/// Collects the contents of a file.
#[derive(Default)]
struct Reader {
    declared: Vec<String>,
    imports: HashMap<String, Vec<String>>,
    mentions: Vec<Mention>,
    words: Vec<(String, usize)>,
}

impl Reader {
    fn word(&mut self, word: &Ident) {
        self.words.push((word.to_string(), word.span().start().line));
    }

    fn import(&mut self, tree: &UseTree, before: &[&Ident]) {
        let mut add = |path: &[&Ident], name: &Ident| {
            let mention = Mention::of(path);
            self.imports.insert(name.to_string(), mention.path.clone());
            self.mentions.push(mention);
        };
        match tree {
            UseTree::Path(path) => self.import(&path.tree, &[before, &[&path.ident]].concat()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, before)),
            UseTree::Name(name) if name.ident == "self" => add(before, before[before.len() - 1]),
            UseTree::Name(name) => add(&[before, &[&name.ident]].concat(), &name.ident),
            UseTree::Rename(name) if name.ident == "self" => add(before, &name.rename),
            UseTree::Rename(name) => add(&[before, &[&name.ident]].concat(), &name.rename),
            UseTree::Glob(_) => self.mentions.push(Mention::of(before)),
        }
    }

    /// The words and paths among the arguments of a macro.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<Ident> = Vec::new();
        // The number of colons after the path.
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Ident(word) => {
                    self.word(&word);
                    if colons != 2 {
                        self.path(&std::mem::take(&mut path));
                    }
                    path.push(word);
                    colons = 0;
                }
                other => {
                    self.path(&std::mem::take(&mut path));
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.tokens(group.stream());
                    }
                }
            }
        }
        self.path(&path);
    }

    /// Records a path; a single name is a variable, or was imported.
    fn path(&mut self, path: &[Ident]) {
        if path.len() > 1 {
            self.mentions.push(Mention::of(&path.iter().collect::<Vec<_>>()));
        }
    }
}

impl Mention {
    fn of(path: &[&Ident]) -> Mention {
        let line = path.last().map_or(0, |last| last.span().start().line);
        Mention { path: path.iter().map(ToString::to_string).collect(), line }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if is_for_tests(&module.attrs) {
            return;
        }
        if module.content.is_none() {
            self.declared.push(module.ident.to_string());
        }
        visit::visit_item_mod(self, module);
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.import(&item.tree, &[]);
        visit::visit_item_use(self, item);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<Ident> = path.segments.iter().map(|it| it.ident.clone()).collect();
        self.path(&names);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.tokens(call.tokens.clone());
        visit::visit_macro(self, call);
    }

    fn visit_ident(&mut self, word: &'ast Ident) {
        self.word(word);
    }

    /// Ignores visibilities: `pub(super)` is not a reference to a module.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_attribute(&mut self, _: &'ast Attribute) {}
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<Ident>().is_ok_and(|condition| condition == "test")
    })
}

#[test]
fn every_path_is_resolved_to_its_definition() {
    let sources = promptls_tests::Workspace::new(&[
        (
            "lib.rs",
            "mod inner; mod other; pub use inner::Shared; use other::tool; fn f() { tool() }",
        ),
        (
            "inner.rs",
            "mod leaf; pub use leaf::Shared; #[cfg(test)] mod tests { use crate::other; }",
        ),
        ("inner/leaf.rs", "pub struct Shared; fn f() { assert!(super::super::other::tool()) }"),
        (
            "other.rs",
            "use crate::{Shared, inner::leaf::{self as l}}; fn f() -> std::io::Error { l::x() }",
        ),
    ]);
    let read = Crate::read(sources.root(), Path::new("lib.rs"));
    let file = |module: usize| &*read.modules[module].file;
    let found: Vec<_> = read.links().map(|it| (file(it.ends.0), file(it.ends.1))).collect();
    assert_eq!(
        found,
        [
            ("lib.rs", "inner/leaf.rs"),
            ("lib.rs", "other.rs"),
            ("inner.rs", "inner/leaf.rs"),
            ("inner/leaf.rs", "other.rs"),
            ("other.rs", "inner/leaf.rs"),
            ("other.rs", "inner/leaf.rs"),
            ("other.rs", "inner/leaf.rs"),
        ]
    );
}
