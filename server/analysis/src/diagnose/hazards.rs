//! What engines of one dialect are known to differ in, as far as a prompt shows it.
//!
//! Each dialect has its own in a file of `dialects/`.

use promptls_resolver::blocks::is_of_item;
use promptls_resolver::{Grammar, Value, first_key, steps, walk};
use promptls_syntax::{TokenKind, Use, tokenize};

use crate::snapshot::Snapshot;

/// Something that engines of a dialect differ in.
pub(crate) struct Hazard {
    /// What is said of it, behind a name or a tag.
    pub about: &'static str,
    /// Whether this is it.
    pub is_it: fn(&Construct<'_>) -> bool,
}

/// One way in which a prompt uses a name.
pub(crate) struct Construct<'a> {
    pub snapshot: &'a Snapshot,
    pub used: Use,
    pub name: &'a str,
}

impl Construct<'_> {
    /// Whether the engine looks its name up.
    pub fn reads(&self) -> bool {
        self.used.kind.reads()
    }

    /// Whether it includes a fragment.
    pub fn is_fragment(&self) -> bool {
        self.reads() && self.snapshot.fragment_name(self.name).is_some()
    }

    /// Whether it is about the item of a loop that it stands in.
    pub fn is_of_item(&self) -> bool {
        let snapshot = self.snapshot;
        is_of_item(snapshot.dialect(), self.name)
            && snapshot.tree.loop_around(self.used.scope).is_some()
    }

    /// Whether a block of the same kind is around it.
    pub fn is_nested(&self) -> bool {
        let TokenKind::BlockOpen(kind) = self.used.kind else { return false };
        let tree = &self.snapshot.tree;
        let mut around = tree.scope(self.used.scope);
        while let Some(scope) = around {
            if scope.kind == kind {
                return true;
            }
            around = tree.scope(scope.parent);
        }
        false
    }

    /// The values of a path in all cases that have it.
    pub fn values(&self, path: &str) -> Vec<&Value> {
        let dialect = self.snapshot.dialect();
        let first = first_key(dialect, path);
        let cases = self.snapshot.cases.iter();
        let roots = cases.filter_map(|case| case.inputs.root.get(first));
        roots.filter_map(|entry| walk(&entry.value, steps(dialect, path).skip(1))).collect()
    }

    /// Whether engines of the dialect split what is written there otherwise than its document.
    pub fn is_split_otherwise(&self) -> bool {
        let dialect = self.snapshot.dialect();
        let spec = dialect.spec();
        let written = match self.used.kind {
            TokenKind::NearMiss => self.name.to_owned(),
            _ => format!("{}{}{}", spec.open, self.name, spec.close),
        };
        let is_read = |grammar: Grammar| {
            let mut is_read = false;
            tokenize(grammar, &written, |token| is_read |= token.kind.reads());
            is_read
        };
        let mut grammars = Grammar::all().filter(|grammar| grammar.dialect() == dialect);
        let documented = is_read(Grammar::Documented(dialect));
        grammars.any(|grammar| is_read(grammar) != documented)
    }
}
