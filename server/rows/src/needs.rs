//! The columns that a prompt requires, and those that it reads.

use std::collections::{BTreeSet, HashSet};
use std::fmt;

use promptls_analysis::{Snapshot, did_you_mean, names_read, used_names};
use promptls_resolver::{Dialect, Template, root};

/// The names that a prompt reads.
#[derive(Clone, Debug)]
pub struct Needs {
    dialect: Dialect,
    /// Root names whose absence makes the text incomplete, sorted.
    required: Vec<String>,
    /// All possible keys: root names, whole paths, and parts that the program computes.
    read: BTreeSet<String>,
    /// Each path of the template and its root name, in the order of first use.
    in_order: Vec<String>,
    /// `read` and `in_order`: the possible names of columns that the prompt reads.
    keys: HashSet<String>,
}

/// A name without a column in a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingColumn {
    /// The root name of a value that the prompt requires.
    pub name: String,
    /// `; did you mean ...?`, if a column has a similar name, else empty.
    pub hint: String,
}

impl fmt::Display for MissingColumn {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "there is no column `{}`{}", self.name, self.hint)
    }
}

impl Needs {
    pub(crate) fn of(snapshot: &Snapshot, template: &Template<'_>) -> Needs {
        let dialect = snapshot.dialect();
        let settings = &snapshot.settings;
        let mut read = names_read(snapshot);
        let holes = snapshot.host.iter().flat_map(|host| &host.holes);
        read.extend(holes.filter(|hole| hole.text.is_none()).map(|hole| hole.key()));
        let is_elsewhere =
            |name: &String| settings.runtime.contains(name) || settings.literal.contains(name);
        let required = used_names(snapshot).into_iter().filter(|used| used.is_required);
        let required: BTreeSet<String> = required.map(|used| used.name).collect();
        let required = required.into_iter().filter(|name| !is_elsewhere(name)).collect();
        let mut in_order: Vec<String> = Vec::new();
        for path in template.path_names() {
            for name in [path, root(dialect, path)] {
                if !in_order.iter().any(|known| known == name) {
                    in_order.push(name.to_owned());
                }
            }
        }
        let keys = read.iter().chain(&in_order).cloned().collect();
        Needs { dialect, required, read, in_order, keys }
    }

    /// These names and those of another prompt.
    pub fn and(mut self, other: &Needs) -> Needs {
        let required: BTreeSet<String> =
            self.required.into_iter().chain(other.required.clone()).collect();
        self.required = required.into_iter().collect();
        self.read.extend(other.read.iter().cloned());
        self.keys.extend(other.keys.iter().cloned());
        let new = other.in_order.iter().filter(|name| !self.in_order.contains(name));
        self.in_order.extend(new.cloned().collect::<Vec<_>>());
        self
    }

    /// These names and one that the prompt itself does not contain.
    pub fn and_name(mut self, name: &str, is_required: bool) -> Needs {
        if let Err(place) = self.required.binary_search_by(|known| known.as_str().cmp(name))
            && is_required
        {
            self.required.insert(place, name.to_owned());
        }
        self.read.insert(name.to_owned());
        self.keys.insert(name.to_owned());
        self
    }

    /// Root names whose absence makes the text incomplete, sorted.
    pub fn required(&self) -> &[String] {
        &self.required
    }

    /// All possible keys, sorted: root names, whole paths and computed parts.
    pub fn read(&self) -> impl Iterator<Item = &str> {
        self.read.iter().map(String::as_str)
    }

    /// The paths of its placeholders and their root names, in the order of first use: the names
    /// that [`Values`](promptls_resolver::Values) are usually requested for.
    pub fn in_order(&self) -> &[String] {
        &self.in_order
    }

    /// The names without a value in any row of a table with these columns.
    pub fn missing_columns(&self, columns: &[&str]) -> Vec<MissingColumn> {
        let known: HashSet<&str> =
            columns.iter().flat_map(|column| [*column, root(self.dialect, column)]).collect();
        let missing = self.required.iter().filter(|name| !known.contains(name.as_str()));
        let hint = |name: &str| did_you_mean(name, columns.iter().copied());
        missing.map(|name| MissingColumn { name: name.clone(), hint: hint(name) }).collect()
    }

    /// A name that the prompt reads and that two columns have; `None` if there is none.
    pub fn twice<'c>(&self, columns: &[&'c str]) -> Option<&'c str> {
        let mut seen = HashSet::new();
        columns.iter().copied().find(|column| self.is_read(column) && !seen.insert(*column))
    }

    /// `true` if the prompt reads a column with this name.
    pub fn is_read(&self, column: &str) -> bool {
        self.keys.contains(column)
    }

    /// The columns that the prompt does not read.
    pub fn unread<'c>(&self, columns: &[&'c str]) -> Vec<&'c str> {
        columns.iter().copied().filter(|column| !self.is_read(column)).collect()
    }
}

/// The maximum number of names in a message.
const LISTED: usize = 20;

/// Names in a sentence: the first ones, and the number of the others.
pub fn list_names(names: &[&str]) -> String {
    let listed = names.iter().take(LISTED).map(|name| format!("`{name}`"));
    let listed = listed.collect::<Vec<String>>().join(", ");
    match names.len().saturating_sub(LISTED) {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RowPrompt;

    /// Checks the columns that are reported: the missing ones, `|`, the unused ones.
    #[track_caller]
    fn check(dialect: Dialect, text: &str, columns: &[&str], expected: &str) {
        let prompt = RowPrompt::new(dialect, text);
        let missing = prompt.needs().missing_columns(columns);
        let missing: Vec<String> = missing.iter().map(MissingColumn::to_string).collect();
        let unread = prompt.needs().unread(columns);
        assert_eq!(format!("{} | {}", missing.join(", "), unread.join(", ")), expected);
    }

    #[test]
    fn a_column_is_a_name_that_the_prompt_reads() {
        check(Dialect::Adk, "{name} {city?}", &["name", "id"], " | id");
        let expected = "there is no column `name`; did you mean `nmae`? | nmae";
        check(Dialect::Adk, "{name} {city?}", &["nmae"], expected);
        check(Dialect::Agentle, "{{#if vip}}{{user.name}}{{/if}}", &["user", "vip"], " | ");
        let expected = "there is no column `user` | ";
        check(Dialect::Agentle, "{{#if vip}}{{user.name}}{{/if}}", &["vip"], expected);
        let prompt = RowPrompt::new(Dialect::Adk, "{name}");
        assert_eq!(prompt.needs().twice(&["id", "name", "id"]), None);
        assert_eq!(prompt.needs().twice(&["name", "id", "name"]), Some("name"));
        // In PromptPack, a path may be a key.
        check(Dialect::PromptPack, "{{user.name}}", &["user.name"], " | ");
    }
}
