//! Imports and exports of modules, and `require`.

use std::ops::Range;

use super::{MAX_HEADER, ScriptReader};
use crate::code::outline::{Import, Value};
use crate::host_prompt::DEFAULT_EXPORT;

impl<'s> ScriptReader<'_, 's> {
    /// Reads `import a, {b as c} from 'd'`, `import * as a from 'b'`, `import a = require('b')`.
    pub(super) fn import(&mut self, at: usize) {
        let mut start = at + 1;
        if self.text(start) == "type" && !matches!(self.text(start + 1), "from" | "," | "=") {
            start += 1;
        }
        if self.text(start + 1) == "=" {
            self.require_whole(start, start + 2);
            return;
        }
        let Some(from) = self.from(start) else { return };
        let Some(module) = self.module(from + 1) else { return };
        let mut parts = self.tokens.split(start..from);
        parts.truncate(MAX_HEADER);
        for part in parts {
            match self.text(part.start) {
                "{" => self.import_names(part.start, &module),
                "*" => self.add(part.start + 2, &module, None),
                _ => self.add(part.start, &module, Some(DEFAULT_EXPORT)),
            }
        }
    }

    /// Reads `export {a as b}`, with or without `from 'c'`.
    pub(super) fn export(&mut self, at: usize) {
        let open = at + 1;
        match self.text(open) {
            "*" => return self.export_all(open),
            "default" => return self.export_default(open),
            _ => {}
        }
        let Some(close) = self.tokens.closer(open, "{") else { return };
        let module = (self.text(close + 1) == "from").then(|| self.module(close + 2)).flatten();
        if let Some(module) = module {
            return self.import_names(open, &module);
        }
        for part in self.tokens.split(open + 1..close) {
            if part.len() == 3 && self.text(part.start + 1) == "as" {
                let name = part.start..part.start + 1;
                self.braces.bind(part.end - 1, Value::Expression(name));
            }
        }
    }

    /// Reads `export * from 'a'`, `export * as b from 'a'`.
    fn export_all(&mut self, star: usize) {
        let is_named = self.text(star + 1) == "as";
        let from = star + if is_named { 3 } else { 1 };
        let Some(module) = (self.text(from) == "from").then(|| self.module(from + 1)).flatten()
        else {
            return;
        };
        match is_named {
            true => self.add(star + 2, &module, None),
            false => {
                self.braces.add_import(Import { local: "*", module, name: None, written: None });
            }
        }
    }

    /// Reads `export default …`. The name of a declaration is its value.
    fn export_default(&mut self, default: usize) {
        let mut value = default + 1;
        value += usize::from(self.text(value) == "abstract");
        let is_declaration = matches!(self.text(value), "class" | "function");
        let value = match is_declaration {
            true if self.tokens.is_word(value + 1) => value + 1..value + 2,
            true => return,
            false => value..self.end(value),
        };
        self.braces.bind(default, Value::Expression(value));
    }

    /// The position of `from` before the module of an import.
    fn from(&self, start: usize) -> Option<usize> {
        let mut at = start;
        for _ in 0..MAX_HEADER {
            match self.text(at) {
                "from" if self.tokens.is_literal(at + 1) => return Some(at),
                "" | ";" | "(" | "." => return None,
                _ => at = self.tokens.next(at),
            }
        }
        None
    }

    /// The module that a literal names.
    fn module(&self, token: usize) -> Option<String> {
        let written = self.text(token);
        let quote = written.chars().next().filter(|it| matches!(it, '\'' | '"'))?;
        let module = written.strip_prefix(quote)?.strip_suffix(quote)?;
        (!module.contains('\\')).then(|| module.to_owned())
    }

    /// Reads `{a, b as c, d: e}`, the names in imports and patterns.
    fn import_names(&mut self, open: usize, module: &str) {
        let Some(close) = self.tokens.partner(open) else { return };
        for part in self.tokens.split(open + 1..close) {
            let has_type = part.len() > 1 && self.text(part.start) == "type";
            let is_type = has_type && (part.len() != 3 || self.text(part.start + 1) != "as");
            let name = part.start + usize::from(is_type);
            let local = match part.end - name {
                1 => name,
                3 if matches!(self.text(name + 1), "as" | ":") => name + 2,
                _ => continue,
            };
            self.add(local, module, Some(self.text(name)));
        }
    }

    fn add(&mut self, local: usize, module: &str, name: Option<&'s str>) {
        if self.tokens.is_word(local) {
            let local = self.text(local);
            self.braces.add_import(Import {
                local,
                module: module.to_owned(),
                name,
                written: None,
            });
        }
    }

    /// Reads `module.exports = {a, b: c}`, `exports.a = b`, which declare names of the module.
    pub(super) fn common_exports(&mut self, sign: usize) {
        let Some(start) = self.braces.statement_start().filter(|_| self.braces.scope() == 0) else {
            return;
        };
        let exports = match (self.text(start), self.text(start + 2)) {
            ("module", "exports") => start + 2,
            ("exports", _) => start,
            _ => return,
        };
        let value = sign + 1;
        if sign == exports + 3 && self.text(exports + 1) == "." {
            let value = value..self.end(value);
            return self.export_name(exports + 2, value);
        }
        let Some(close) = self.tokens.closer(value, "{").filter(|_| sign == exports + 1) else {
            return;
        };
        for part in self.tokens.split(value + 1..close) {
            if self.text(part.start + 1) == ":" {
                self.export_name(part.start, part.start + 2..part.end);
            }
        }
    }

    /// Declares an exported name, unless the module itself has it.
    fn export_name(&mut self, name: usize, value: Range<usize>) {
        let is_known = self.braces.outline.names.contains_key(&(0, self.text(name)));
        if self.tokens.is_word(name) && !is_known {
            self.braces.bind(name, Value::Expression(value));
        }
    }

    /// Reads `const {a, b: c} = require('d')`, whose pattern has these brackets.
    pub(super) fn require(&mut self, open: usize, close: usize) -> bool {
        let module = (self.text(close + 1) == "=").then(|| self.required(close + 2)).flatten();
        let Some((module, end)) = module.filter(|_| self.braces.scope() == 0) else {
            return false;
        };
        let is_whole = self.text(end) != "." && self.text(open) == "{";
        if is_whole {
            self.import_names(open, &module);
        }
        is_whole
    }

    /// Reads `const a = require('b')`, `const a = require('b').c`.
    pub(super) fn require_whole(&mut self, name: usize, value: usize) -> bool {
        let Some((module, end)) = self.required(value).filter(|_| self.braces.scope() == 0) else {
            return false;
        };
        let member = (self.text(end) == ".").then(|| self.text(end + 1));
        self.add(name, &module, member);
        true
    }

    /// The module of `require('a')` or `await import('a')`, and the position after it.
    fn required(&self, value: usize) -> Option<(String, usize)> {
        let callee = match (self.text(value), self.text(value + 1)) {
            ("await", "import") => value + 1,
            ("require", _) => value,
            _ => return None,
        };
        let close = self.tokens.closer(callee + 1, "(")?;
        let argument: Range<usize> = callee + 2..close;
        let module = self.module(argument.start).filter(|_| argument.len() == 1)?;
        Some((module, close + 1))
    }
}
