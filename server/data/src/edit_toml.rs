//! Edits of TOML that leave everything else as it is written.
//!
//! Each fails for a text that is not TOML, and where nothing can be edited so: a path that leads
//! through other values than tables and lists, and values that TOML has no kind for.

use serde_json::Value as Json;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Key, TableLike, Value};

/// Sets the value at the end of a path. Tables on the way that are missing are made; an index that
/// is the length of a list adds an item.
pub fn set(text: &str, path: &[String], value: &Json) -> Option<String> {
    edit(text, |root| {
        let (last, path) = path.split_last()?;
        let mut here = Place::Table(root);
        for key in path {
            here = here.step(key)?;
        }
        here.set(last, value_of(value)?)
    })
}

/// Removes the entry or the item at the end of a path.
pub fn remove(text: &str, path: &[String]) -> Option<String> {
    edit(text, |root| {
        let (last, path) = path.split_last()?;
        let mut here = Place::Table(root);
        for key in path {
            here = here.step(key)?;
        }
        here.remove(last)
    })
}

/// A key as it is written, in quotes where it must be.
pub fn key(name: &str) -> String {
    Key::new(name).to_string()
}

fn edit(text: &str, edit: impl FnOnce(&mut dyn TableLike) -> Option<()>) -> Option<String> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut document: DocumentMut = body.parse().ok()?;
    edit(document.as_table_mut())?;
    Some(format!("{}{document}", &text[..text.len() - body.len()]))
}

/// What holds other values.
enum Place<'d> {
    Table(&'d mut dyn TableLike),
    List(&'d mut Array),
    Tables(&'d mut toml_edit::ArrayOfTables),
}

impl<'d> Place<'d> {
    /// What a key or an index leads to; a table that is missing is made.
    fn step(self, key: &str) -> Option<Place<'d>> {
        match self {
            Place::Table(table) => {
                if table.get(key).is_none() {
                    table.insert(key, Item::Value(Value::InlineTable(InlineTable::new())));
                }
                match table.get_mut(key)? {
                    Item::Value(value) => Place::of(value),
                    Item::Table(table) => Some(Place::Table(table)),
                    Item::ArrayOfTables(tables) => Some(Place::Tables(tables)),
                    Item::None => None,
                }
            }
            Place::List(list) => Place::of(list.get_mut(key.parse().ok()?)?),
            Place::Tables(tables) => Some(Place::Table(tables.get_mut(key.parse().ok()?)?)),
        }
    }

    fn of(value: &'d mut Value) -> Option<Place<'d>> {
        match value {
            Value::InlineTable(table) => Some(Place::Table(table)),
            Value::Array(list) => Some(Place::List(list)),
            _ => None,
        }
    }

    fn set(self, key: &str, new: Value) -> Option<()> {
        match self {
            Place::Table(table) => {
                match table.get_mut(key) {
                    Some(Item::Value(old)) => replace(old, new),
                    // A table in its own lines is not put into one.
                    Some(_) => return None,
                    None => _ = table.insert(key, Item::Value(new)),
                }
            }
            Place::List(list) => {
                let (index, len) = (key.parse::<usize>().ok()?, list.len());
                match list.get_mut(index) {
                    Some(old) => replace(old, new),
                    None if index == len => list.push(new),
                    None => return None,
                }
            }
            Place::Tables(_) => return None,
        }
        Some(())
    }

    fn remove(self, key: &str) -> Option<()> {
        match self {
            Place::Table(table) => table.remove(key).map(drop),
            Place::List(list) => {
                let index = key.parse().ok().filter(|index| *index < list.len())?;
                list.remove(index);
                Some(())
            }
            Place::Tables(tables) => {
                let index = key.parse().ok().filter(|index| *index < tables.len())?;
                tables.remove(index);
                Some(())
            }
        }
    }
}

/// Another value in the place of one, with the blanks and comments around it.
fn replace(old: &mut Value, new: Value) {
    let decor = old.decor().clone();
    *old = new;
    *old.decor_mut() = decor;
}

/// A value of TOML; `None` for `null`, which it does not have.
fn value_of(value: &Json) -> Option<Value> {
    Some(match value {
        Json::Null => return None,
        Json::Bool(value) => (*value).into(),
        // With its digits: `1.50`.
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
    fn a_value_is_set_and_all_else_stays() {
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
    fn an_entry_goes_with_its_line() {
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
    fn keys_are_quoted_where_they_must_be() {
        assert_eq!([key("a-1"), key("a b"), key("")], ["a-1", "\"a b\"", "\"\""]);
    }
}
