//! The uses of values in a prompt.
//!
//! They determine the required type of a value. A path needs an object, `#each` a list, a value
//! used only in `#if` a boolean, and anything that is sent a text.

use serde_json::{Map, Value as Json};

use crate::sample;
use crate::symbol::PathStep;

/// The maximum index for which a list of that length is created.
const MAX_INDEX: usize = 20;

/// The uses of a value in a prompt.
#[derive(Debug, Default)]
pub(crate) struct Need {
    /// The value is used in a condition.
    pub is_tested: bool,
    /// The value is sent, not only tested in a condition.
    pub is_sent: bool,
    /// The text of its sample, if not every text is valid.
    pub text: Option<&'static str>,
    /// A format specification takes only numbers.
    pub is_number: bool,
    /// The value must be an object, even without any known member.
    pub is_object: bool,
    /// The uses of the members of an object, in the order of first use.
    pub members: Vec<(String, Need)>,
    /// The uses of the items of a list, and the minimum number of items.
    pub items: Option<(Box<Need>, usize)>,
}

impl Need {
    /// A value that fulfils all needs at a path of keys; `None` if there are none.
    pub fn value_at(&self, keys: &[String]) -> Option<Json> {
        let need = keys.iter().try_fold(self, |need, key| match &need.items {
            Some((item, _)) if key.parse::<usize>().is_ok() => Some(&**item),
            _ => Some(&need.members.iter().find(|(name, _)| name == key)?.1),
        })?;
        Some(need.value(&keys.join(".")))
    }

    /// Returns whether a path is consistent with the previous ones. An index is invalid where
    /// another path has a key, and large indexes are invalid.
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

    /// The uses of the items of a list with at least `count` items.
    pub fn item(&mut self, count: usize) -> &mut Need {
        let (item, items) = self.items.get_or_insert_default();
        *items = count.max(*items);
        item
    }

    /// A value that fulfils all needs; samples contain `path`.
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
            None if self.is_tested && !self.is_sent => true.into(),
            None if self.is_number => 1.into(),
            None => self.text.map_or_else(|| sample::text(path), str::to_owned).into(),
        }
    }

    /// Returns whether it is the item of a loop over a map.
    pub fn is_entry(&self) -> bool {
        let is_of_entry = |(name, _): &(String, Need)| name == "key" || name == "value";
        self.members.iter().any(|(name, _)| name == "key") && self.members.iter().all(is_of_entry)
    }
}
