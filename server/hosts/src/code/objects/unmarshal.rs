//! Variables in Go into which data is read: `yaml.Unmarshal(text, &config)`.

use crate::code::expression::{ExpressionContext, Expressions};
use crate::code::outline::objects::{is_index, without_quotes};
use crate::code::static_value::{Reference, StaticValue};
use crate::language::Language;

/// The function that reads data into a variable.
const READS: &str = "Unmarshal";

/// The maximum number of tokens between a field and its tag.
const MAX_FIELD: usize = 8;

impl Expressions<'_, '_> {
    /// The only use of a variable as the target of data, and the bracket before the data.
    pub(in crate::code) fn read_into(
        &mut self,
        scope: usize,
        name: &str,
    ) -> Option<(usize, usize)> {
        if self.tokens.language != Language::Go {
            return None;
        }
        let key = (scope, name.to_owned());
        if let Some(known) = self.unmarshalled.get(&key) {
            return *known;
        }
        let read = self.only_read(scope, name);
        self.unmarshalled.insert(key, read);
        read
    }

    /// The value of some keys of the data that is [read into](Expressions::read_into) a variable,
    /// or of the fields that have these keys.
    pub(in crate::code) fn unmarshalled(
        &mut self,
        (at, open): (usize, usize),
        members: &[&str],
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let loading = self.grammar.loading.filter(|it| it.parsers.contains(&READS))?;
        let format = open.checked_sub(3).map_or("", |at| self.tokens.text(at));
        let mut keys = Vec::new();
        for member in members {
            keys.push(match is_index(member) {
                true => without_quotes(member).to_owned(),
                false => {
                    let key = (format.to_owned(), (*member).to_owned());
                    if !self.field_keys.contains_key(&key) {
                        let known = self.key_of_field(member, format);
                        self.field_keys.insert(key.clone(), known);
                    }
                    self.field_keys[&key].clone()?
                }
            });
        }
        let place = ExpressionContext { scope: self.outline.scope_at(at), at, ..place };
        let file = self.data_file(open + 1..at - 2, loading, place)?;
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        Some(StaticValue::Elsewhere(Reference::in_data(file, &keys, place.followed)))
    }

    fn only_read(&mut self, scope: usize, name: &str) -> Option<(usize, usize)> {
        let inside = self.outline.scopes[scope].tokens.clone();
        let tokens = self.tokens;
        let reads = |at: &usize| {
            let open = tokens.partner(at + 1).filter(|_| tokens.text(at + 1) == ")")?;
            let is_it = tokens.text(at - 1) == "&" && tokens.text(open.checked_sub(1)?) == READS;
            is_it.then_some(open)
        };
        let mut read = self.words_in(name, inside).into_iter().filter(|at| *at > 2);
        let first = read.find_map(|at| Some((at, reads(&at)?)))?;
        (!read.any(|at| reads(&at).is_some())).then_some(first)
    }

    /// The key of a field in its tag; `None` if several structs have such a field with other keys.
    fn key_of_field(&mut self, field: &str, format: &str) -> Option<String> {
        let all = 0..self.tokens.all.len();
        let mut known = None;
        for at in self.words_in(field, all) {
            let mut next = (at + 1..at + MAX_FIELD).take_while(|next| {
                !self.tokens.starts_line(*next) && self.tokens.text(*next) != "}"
            });
            let is_field = self.tokens.starts_line(at) || self.tokens.text(at - 1) == "{";
            let tag = next.find(|it| self.tokens.text(*it).starts_with('`')).filter(|_| is_field);
            let Some(tag) = tag else { continue };
            let (_, rest) = self.tokens.text(tag).split_once(&format!("{format}:\""))?;
            let key = rest.split(['"', ',']).next().filter(|key| !key.is_empty())?;
            if known.get_or_insert_with(|| key.to_owned()) != key {
                return None;
            }
        }
        known
    }
}
