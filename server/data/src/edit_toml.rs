//! Edits of TOML that keep everything else verbatim.
//!
//! Each returns `None` for invalid TOML, and if the edit is not possible: a path through values
//! other than tables and lists, or a value that TOML cannot represent.

use serde_json::Value as Json;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Key, TableLike, Value};

/// Sets the value at a path. Missing tables on the way are created; an index equal to the length of
/// a list appends an item.
pub fn set(text: &str, path: &[String], value: &Json) -> Option<String> {
    edit(text, |root| {
        let (last, path) = path.split_last()?;
        let mut here = TomlContainer::Table(root);
        for key in path {
            here = here.step(key)?;
        }
        here.set(last, value_of(value)?)
    })
}

/// Removes the entry or the item at a path.
pub fn remove(text: &str, path: &[String]) -> Option<String> {
    edit(text, |root| {
        let (last, path) = path.split_last()?;
        let mut here = TomlContainer::Table(root);
        for key in path {
            here = here.step(key)?;
        }
        here.remove(last)
    })
}

/// A key in TOML notation, quoted if necessary.
pub fn key(name: &str) -> String {
    Key::new(name).to_string()
}

fn edit(text: &str, edit: impl FnOnce(&mut dyn TableLike) -> Option<()>) -> Option<String> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut document: DocumentMut = body.parse().ok()?;
    edit(document.as_table_mut())?;
    Some(format!("{}{document}", &text[..text.len() - body.len()]))
}

/// A container of other values.
enum TomlContainer<'d> {
    Table(&'d mut dyn TableLike),
    List(&'d mut Array),
    Tables(&'d mut toml_edit::ArrayOfTables),
}

impl<'d> TomlContainer<'d> {
    /// The value at a key or an index; a missing table is created.
    fn step(self, key: &str) -> Option<TomlContainer<'d>> {
        match self {
            TomlContainer::Table(table) => {
                if table.get(key).is_none() {
                    table.insert(key, Item::Value(Value::InlineTable(InlineTable::new())));
                }
                match table.get_mut(key)? {
                    Item::Value(value) => TomlContainer::of(value),
                    Item::Table(table) => Some(TomlContainer::Table(table)),
                    Item::ArrayOfTables(tables) => Some(TomlContainer::Tables(tables)),
                    Item::None => None,
                }
            }
            TomlContainer::List(list) => TomlContainer::of(list.get_mut(key.parse().ok()?)?),
            TomlContainer::Tables(tables) => {
                Some(TomlContainer::Table(tables.get_mut(key.parse().ok()?)?))
            }
        }
    }

    fn of(value: &'d mut Value) -> Option<TomlContainer<'d>> {
        match value {
            Value::InlineTable(table) => Some(TomlContainer::Table(table)),
            Value::Array(list) => Some(TomlContainer::List(list)),
            _ => None,
        }
    }

    fn set(self, key: &str, new: Value) -> Option<()> {
        match self {
            TomlContainer::Table(table) => {
                match table.get_mut(key) {
                    Some(Item::Value(old)) => replace(old, new),
                    // A table with its own header cannot be added to an inline table.
                    Some(_) => return None,
                    None => _ = table.insert(key, Item::Value(new)),
                }
            }
            TomlContainer::List(list) => {
                let (index, len) = (key.parse::<usize>().ok()?, list.len());
                match list.get_mut(index) {
                    Some(old) => replace(old, new),
                    None if index == len => list.push(new),
                    None => return None,
                }
            }
            TomlContainer::Tables(_) => return None,
        }
        Some(())
    }

    fn remove(self, key: &str) -> Option<()> {
        match self {
            TomlContainer::Table(table) => table.remove(key).map(drop),
            TomlContainer::List(list) => {
                let index = key.parse().ok().filter(|index| *index < list.len())?;
                list.remove(index);
                Some(())
            }
            TomlContainer::Tables(tables) => {
                let index = key.parse().ok().filter(|index| *index < tables.len())?;
                tables.remove(index);
                Some(())
            }
        }
    }
}

/// Replaces a value, and keeps the whitespace and comments around it.
fn replace(old: &mut Value, new: Value) {
    let decor = old.decor().clone();
    *old = new;
    *old.decor_mut() = decor;
}

/// The TOML value for a JSON value; `None` for `null`, which TOML cannot express.
fn value_of(value: &Json) -> Option<Value> {
    Some(match value {
        Json::Null => return None,
        Json::Bool(value) => (*value).into(),
        // Keeps the digits: `1.50`.
        Json::Number(number) => number.to_string().parse().ok()?,
        Json::String(text) => text.as_str().into(),
        Json::Array(items) => Value::Array(items.iter().map(value_of).collect::<Option<_>>()?),
        Json::Object(members) => {
            let mut table = InlineTable::new();
            for (key, value) in members {
                table.insert(key, value_of(value)?);
            }
            Value::InlineTable(table)
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const TEXT: &str = "# first\nname = 'Ada' # for now\nlist = [1, 2]\n\n[user]\nage = 1.50\n\n[[tasks]]\nid = 1\n";

    fn path(path: &str) -> Vec<String> {
        path.split('.').map(str::to_owned).collect()
    }

    #[test]
    fn setting_a_value_keeps_the_rest_of_the_file() {
        for (at, value, old, new) in [
            ("name", json!("Grace"), "'Ada' #", "\"Grace\" #"),
            ("list.1", json!(3), "[1, 2]", "[1, 3]"),
            ("list.2", json!(true), "[1, 2]", "[1, 2, true]"),
            ("user.age", json!([{"a": "b"}]), "1.50", "[{ a = \"b\" }]"),
            ("user.city", json!("x"), "1.50\n", "1.50\ncity = \"x\"\n"),
            ("tasks.0.id", json!("t\n1"), "id = 1", "id = \"\"\"\nt\n1\"\"\""),
            ("a.b", json!(1), "list = [1, 2]\n", "list = [1, 2]\na = { b = 1 }\n"),
        ] {
            let after = set(TEXT, &path(at), &value);
            assert_eq!(after.as_deref(), Some(&*TEXT.replacen(old, new, 1)), "{at}");
        }
        assert_eq!(set(TEXT, &path("name"), &json!(null)), None);
        assert_eq!(set(TEXT, &path("name.a"), &json!(1)), None);
        assert_eq!(set(TEXT, &path("user"), &json!(1)), None);
        assert_eq!(set("a = ", &path("a"), &json!(1)), None);
    }

    #[test]
    fn an_entry_is_removed_with_its_line() {
        for (at, old) in [
            ("name", "# first\nname = 'Ada' # for now\n"),
            ("user.age", "age = 1.50\n"),
            ("tasks.0", "\n[[tasks]]\nid = 1\n"),
        ] {
            assert_eq!(
                remove(TEXT, &path(at)).as_deref(),
                Some(&*TEXT.replacen(old, "", 1)),
                "{at}"
            );
        }
        assert_eq!(remove(TEXT, &path("list.2")), None);
    }

    #[test]
    fn keys_are_quoted_where_required() {
        assert_eq!([key("a-1"), key("a b"), key("")], ["a-1", "\"a b\"", "\"\""]);
    }
}
