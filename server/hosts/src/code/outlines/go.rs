//! The outline of a Go file: a scope is a pair of braces with its header.
//!
//! A statement ends with its line, unless the last token of the line cannot end one.

use std::ops::Range;

use super::braces::Braces;
use super::statements::StatementReader;
use crate::code::outline::{Import, Outline, Value};
use crate::code::tokens::Tokens;
use crate::token::TokenKind;

/// Words that start a block, with a header before the braces.
const HEADERS: [&str; 4] = ["for", "if", "switch", "select"];

/// The maximum number of tokens in a header; longer headers have no blocks.
const MAX_HEADER: usize = 100;

/// The maximum number of names on the left of a sign.
const MAX_TARGETS: usize = 16;

pub(super) fn outline<'s>(tokens: &Tokens<'s>) -> Outline<'s> {
    let mut reader = GoReader { tokens, braces: Braces::new(tokens), group: None };
    reader.read_all(tokens, starts_statement);
    reader.braces.finish()
}

struct GoReader<'t, 's> {
    tokens: &'t Tokens<'s>,
    braces: Braces<'t, 's>,
    /// The end of the last `import (`, `const (` or `var (`, and its keyword.
    group: Option<(usize, &'s str)>,
}

impl<'t, 's: 't> StatementReader<'t, 's> for GoReader<'t, 's> {
    fn braces(&mut self) -> &mut Braces<'t, 's> {
        &mut self.braces
    }

    fn open(&mut self, open: usize, close: usize) {
        let is_group = self.group.is_some_and(|(end, _)| end == close);
        let is_block = match self.text(open) {
            "{" => {
                let is_body = self.braces.is_body(close);
                let is_alone = self.braces.statement_start() == Some(open)
                    || matches!(self.braces.before(open), "else" | "{");
                if is_alone && self.braces.is_in_block() && !is_body {
                    self.braces.open_block(open..close + 1);
                }
                self.braces.is_body(close)
            }
            _ => is_group,
        };
        self.braces.open_bracket(close, is_block);
    }

    fn token(&mut self, at: usize) {
        let is_start = self.braces.statement_start() == Some(at);
        match self.text(at) {
            "import" | "const" | "var" if is_start => self.declaration(at),
            "package" if is_start => {
                self.braces.outline.package = Some(self.text(at + 1).to_owned());
            }
            "func" => self.function(at),
            "type" if is_start => self.named_type(at + 1),
            "return" if self.braces.may_return() => {
                let end = self.braces.end(at + 1, ends_statement);
                self.returns(at + 1..end);
            }
            header if HEADERS.contains(&header) => self.header(at),
            ":=" | "=" if self.braces.is_in_block() => self.assign(at),
            sign if sign.len() > 1 && sign.ends_with('=') && !is_comparison(sign) => {
                self.set(at.saturating_sub(1), at);
            }
            "++" | "--" => self.forget(at.saturating_sub(1)),
            _ => {}
        }
    }

    fn is_read_first(&mut self, at: usize) -> bool {
        let is_start = self.braces.statement_start() == Some(at);
        let Some(declares) = is_start.then(|| self.grouped()).flatten() else { return false };
        self.declare(declares, at);
        true
    }
}

impl<'s> GoReader<'_, 's> {
    fn text(&self, token: usize) -> &'s str {
        self.tokens.text(token)
    }

    /// The keyword of the group that directly contains the statement.
    fn grouped(&self) -> Option<&'s str> {
        let (close, declares) = self.group?;
        (self.braces.innermost() == close).then_some(declares)
    }

    /// Reads `type A = b.C` and `type A b.C`: another name of a type.
    fn named_type(&mut self, name: usize) {
        let start = name + 1 + usize::from(self.text(name + 1) == "=");
        let (path, end) = self.braces.dotted(start);
        if self.tokens.is_word(name) && path.contains('.') && ends_statement(self.tokens, end) {
            self.braces.bind(name, Value::Expression(start..end));
        }
    }

    /// Reads `import …`, `const …`, `var …`, or the start of a group of them.
    fn declaration(&mut self, at: usize) {
        match self.tokens.closer(at + 1, "(") {
            Some(close) => self.group = Some((close, self.text(at))),
            None => self.declare(self.text(at), at + 1),
        }
    }

    fn declare(&mut self, declares: &str, start: usize) {
        if declares == "import" {
            return self.import(start);
        }
        let mut names = vec![start];
        while self.text(start + names.len() * 2 - 1) == "," && names.len() < MAX_TARGETS {
            names.push(start + names.len() * 2);
        }
        let mut sign = start;
        for _ in 0..MAX_HEADER {
            let is_end = self.text(sign) == "="
                || self.tokens.kind(sign).is_none_or(|kind| kind == TokenKind::Close)
                || sign > start && starts_statement(self.tokens, sign);
            if is_end {
                break;
            }
            sign = self.tokens.next(sign);
        }
        self.braces.set_target(start);
        let has_value = self.text(sign) == "=" && !starts_statement(self.tokens, sign);
        let values = match has_value {
            true => {
                let end = self.braces.end(sign + 1, ends_statement);
                self.tokens.split(sign + 1..end)
            }
            false => Vec::new(),
        };
        // One call may return many values. Of two, the second is an error.
        let is_each = values.len() == names.len() || names.len() == 2;
        for (index, name) in names.into_iter().enumerate() {
            let value = values.get(index).filter(|_| is_each).cloned();
            if self.tokens.is_word(name) && self.text(name) != "_" {
                let is_local = self.braces.is_local(self.braces.scope());
                match value {
                    Some(value) => self.braces.bind(name, Value::Expression(value)),
                    None if !has_value && is_local => self.braces.declare(name, None),
                    None => self.braces.bind(name, Value::Unknown),
                }
            }
        }
    }

    fn import(&mut self, start: usize) {
        let name = usize::from(!self.is_path(start));
        let path = start + name;
        if !self.is_path(path) {
            return;
        }
        let path = self.text(path).trim_matches(['"', '`']);
        let is_version = |part: &str| {
            let digits = part.strip_prefix('v').unwrap_or_default();
            !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit())
        };
        let last = path.rsplit('/').find(|part| !is_version(part)).unwrap_or(path);
        let local = match self.text(start) {
            _ if name == 0 => last,
            "." => "*",
            "_" => return,
            alias => alias,
        };
        // The first two segments are joined with `/`, as host and path, and the others with dots.
        // Version segments are left out.
        let mut module = String::with_capacity(path.len());
        for (index, part) in path.split('/').filter(|part| !is_version(part)).enumerate() {
            module += ["", "/", "."][index.min(2)];
            module += part;
        }
        self.braces.add_import(Import { local, module, name: None, written: Some(path) });
    }

    /// `true` if a token is the path of an import; after another name it looks like a tag.
    fn is_path(&self, token: usize) -> bool {
        self.text(token).starts_with(['"', '`'])
    }

    /// Reads `func f(…) T {`, `func (r T) f(…) {` or `func(…) {`.
    fn function(&mut self, at: usize) {
        let receiver = self.tokens.closer(at + 1, "(");
        let method = receiver.map(|close| close + 1).filter(|name| self.tokens.is_word(*name));
        let is_method = method.is_some_and(|name| self.text(name + 1) == "(");
        let name = method.filter(|_| is_method).or_else(|| {
            let is_named = self.tokens.is_word(at + 1);
            is_named.then_some(at + 1)
        });
        let mut parameters = name.map_or(at + 1, |name| name + 1);
        if self.text(parameters) == "[" {
            parameters = self.tokens.next(parameters);
        }
        let Some(close) = self.tokens.closer(parameters, "(") else { return };
        let Some(end) = self.body(close + 1, false) else { return };
        match name {
            Some(name) if !is_method => {
                let function = self.braces.outline.functions.len();
                self.braces.bind(name, Value::Function(function));
                self.braces.open_function(self.text(name), false, name + 1..end + 1);
            }
            Some(name) => {
                let of_type = receiver.map(|close| self.text(close - 1)).unwrap_or_default();
                let function = self.braces.outline.functions.len();
                self.braces.outline.receivers.insert((of_type, self.text(name)), function);
                self.braces.open_function(self.text(name), false, at + 1..end + 1);
            }
            None => self.braces.open_lambda(at + 1..end + 1),
        }
        // Results may have names, too.
        let results = self.tokens.closer(close + 1, "(").filter(|results| *results < end);
        let declared = results.unwrap_or(close);
        self.braces.unknown(at + 1..declared.min(at + MAX_HEADER));
    }

    /// The end of the block that follows a header or the result type of a function.
    fn body(&self, start: usize, is_header: bool) -> Option<usize> {
        let mut at = start;
        for _ in 0..MAX_HEADER {
            if starts_statement(self.tokens, at) && self.text(at) != "{" {
                return None;
            }
            if let Some(close) = self.tokens.closer(at, "{") {
                // Types and values with braces may precede the block.
                let is_type = matches!(self.braces.before(at), "struct" | "interface");
                let is_value = is_header
                    && matches!(self.text(close + 1), "{" | "," | ";" | "." | "[" | "(")
                    && !starts_statement(self.tokens, close + 1);
                if !is_type && !is_value {
                    return Some(close);
                }
            }
            if self.tokens.kind(at).is_none_or(|kind| kind == TokenKind::Close) {
                return None;
            }
            at = self.tokens.next(at);
        }
        None
    }

    /// Names in the header of a block belong to the block.
    fn header(&mut self, at: usize) {
        if let Some(end) = self.body(at + 1, true) {
            self.braces.open_block(at..end + 1);
        }
    }

    /// Reads `a = …`, `a := …`, `a, err := …`.
    fn assign(&mut self, sign: usize) {
        let start = self.braces.statement_start().unwrap_or(sign);
        let mut names = Vec::new();
        let mut at = sign;
        while let Some(name) = at.checked_sub(1).filter(|it| self.tokens.is_word(*it)) {
            names.push(name);
            match name.checked_sub(1).filter(|it| *it > start && self.text(*it) == ",") {
                Some(comma) if names.len() < MAX_TARGETS => at = comma,
                _ => break,
            }
        }
        let Some(first) = names.last().copied() else { return };
        let is_declared = matches!(self.text(start), "const" | "var" | "type")
            || self.grouped().is_some() && self.braces.is_in_block();
        if is_declared {
            return;
        }
        self.braces.set_target(first);
        let is_member = first.checked_sub(1).is_some_and(|it| self.text(it) == ".");
        if is_member {
            return;
        }
        if self.text(sign) == "=" {
            return match names.as_slice() {
                [name] => self.set(*name, sign),
                names => names.iter().for_each(|name| self.forget(*name)),
            };
        }
        let all = sign + 1..self.braces.end(sign + 1, ends_statement);
        let values = self.tokens.split(all.clone());
        let is_each = names.len() > 1 && values.len() == names.len();
        // Of two values of a call, the second is an error.
        let has_value = names.len() <= 2;
        for (index, name) in names.into_iter().rev().enumerate() {
            let value = match is_each {
                true => Some(values[index].clone()),
                false => Some(all.clone()).filter(|_| has_value && name == first),
            };
            self.braces.bind(name, value.map_or(Value::Unknown, Value::Expression));
        }
    }

    /// Reads the values of a `return`. Of two, the second is an error or the like; an empty text
    /// before an error is none.
    fn returns(&mut self, values: Range<usize>) {
        match self.tokens.split(values.clone()).as_slice() {
            [value, error] => {
                let is_empty =
                    matches!(&self.tokens.source[self.tokens.range(value.clone())], "\"\"" | "nil");
                if !is_empty || matches!(self.text(error.start), "nil" | "true") {
                    self.braces.returns(value.clone());
                }
            }
            _ => self.braces.returns(values),
        }
    }

    /// Reads an assignment to one name.
    fn set(&mut self, name: usize, sign: usize) {
        let is_name = self.tokens.is_word(name) && self.braces.before(name) != ".";
        let value = sign + 1..self.braces.end(sign + 1, ends_statement);
        if is_name && !self.braces.assign(name, self.text(sign), value) {
            self.forget(name);
        }
    }

    /// Makes the value of a name unknown, in the scope that declares it.
    fn forget(&mut self, name: usize) {
        if !self.tokens.is_word(name) || self.braces.before(name) == "." {
            return;
        }
        self.braces.forget(self.text(name));
    }
}

/// `true` if a statement starts at a token, because the line before ends one.
fn starts_statement(tokens: &Tokens<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    let ends = match tokens.kind(before) {
        Some(TokenKind::Punctuation) => matches!(tokens.text(before), "++" | "--"),
        Some(TokenKind::Open) => false,
        _ => true,
    };
    ends && tokens.starts_line(at)
}

fn ends_statement(tokens: &Tokens<'_>, at: usize) -> bool {
    matches!(tokens.text(at), ";" | ":") || starts_statement(tokens, at)
}

fn is_comparison(sign: &str) -> bool {
    matches!(sign, "==" | "!=" | "<=" | ">=")
}
