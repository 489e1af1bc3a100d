//! What a prompt does with its values.
//!
//! It says what a value must be: a path needs an object, `#each` a list, `#if` alone a flag, and
//! all that is sent a text.

use serde_json::{Map, Value as Json};

use crate::sample;
use crate::symbol::PathStep;

/// An index above this does not get a list of that length.
const MAX_INDEX: usize = 20;

/// What a prompt does with a value.
#[derive(Debug, Default)]
pub(crate) struct Need {
    /// Whether it asks if there is one.
    pub is_asked: bool,
    /// Whether it sends it.
    pub is_sent: bool,
    /// What it must be, where not any text will do.
    pub text: Option<&'static str>,
    /// Whether it must be an object, even without any known member.
    pub is_object: bool,
    /// What it does with the members of an object, in the order of first use.
    pub members: Vec<(String, Need)>,
    /// What it does with the items of a list, and how many there must be.
    pub items: Option<(Box<Need>, usize)>,
}

impl Need {
    /// A value that has all that is needed at a path of keys; `None` where nothing is.
    pub fn value_at(&self, keys: &[String]) -> Option<Json> {
        let need = keys.iter().try_fold(self, |need, key| match &need.items {
            Some((item, _)) if key.parse::<usize>().is_ok() => Some(&**item),
            _ => Some(&need.members.iter().find(|(name, _)| name == key)?.1),
        })?;
        Some(need.value(&keys.join(".")))
    }

    /// Whether a path fits in with those before: no index where another has a key, and no large
    /// ones.
    pub fn allows(&self, path: &[PathStep]) -> bool {
        let mut need = Some(self);
        path.iter().all(|step| {
            let here = need.take();
            match step {
                PathStep::Key(key) => {
                    let members = here.map_or(&[][..], |here| &here.members);
                    need = members.iter().find(|(name, _)| name == key).map(|(_, need)| need);
                    here.is_none_or(|here| here.items.is_none())
                }
                PathStep::Index(index) => {
                    need = here.and_then(|here| here.items.as_ref()).map(|(item, _)| &**item);
                    *index <= MAX_INDEX && here.is_none_or(|here| here.members.is_empty())
                }
                PathStep::Item => true,
            }
        })
    }

    /// The need at the end of a path.
    pub fn at(&mut self, path: &[PathStep]) -> &mut Need {
        path.iter().fold(self, |need, step| match step {
            PathStep::Key(key) => need.member(key),
            PathStep::Index(index) => need.item(index + 1),
            PathStep::Item => need.item(1),
        })
    }

    pub fn member(&mut self, name: &str) -> &mut Need {
        let known = self.members.iter().position(|(member, _)| member == name);
        let index = known.unwrap_or_else(|| {
            self.members.push((name.to_owned(), Need::default()));
            self.members.len() - 1
        });
        &mut self.members[index].1
    }

    /// What is done with the items of a list, of which there must be so many.
    pub fn item(&mut self, count: usize) -> &mut Need {
        let (item, items) = self.items.get_or_insert_default();
        *items = count.max(*items);
        item
    }

    /// A value that has all that is needed; `path` is what it stands for.
    pub fn value(&self, path: &str) -> Json {
        if !self.members.is_empty() || self.is_object {
            let member = |(name, need): &(String, Need)| {
                (name.clone(), need.value(&format!("{path}.{name}")))
            };
            return self.members.iter().map(member).collect();
        }
        match &self.items {
            Some((item, _)) if item.is_entry() => {
                let value = item.members.iter().find(|(name, _)| name == "value");
                let value =
                    value.map_or_else(|| sample::text(path).into(), |(_, it)| it.value(path));
                Json::Object(Map::from_iter([("key".to_owned(), value)]))
            }
            Some((item, count)) => vec![item.value(path); *count].into(),
            None if self.is_asked && !self.is_sent => true.into(),
            None => self.text.map_or_else(|| sample::text(path), str::to_owned).into(),
        }
    }

    /// Whether it is about the item of a loop over a map.
    pub fn is_entry(&self) -> bool {
        let is_of_entry = |(name, _): &(String, Need)| name == "key" || name == "value";
        self.members.iter().any(|(name, _)| name == "key") && self.members.iter().all(is_of_entry)
    }
}
