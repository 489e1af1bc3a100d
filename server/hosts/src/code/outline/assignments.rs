//! Names whose value a condition chooses: `if a: b = "…"`, `else: b = "…"`.
//!
//! Assignments are followed in their order. A block that may not run adds its values to those from
//! before; the blocks of one condition start from the same values. A name that changes in steps,
//! one value after another, is unknown.

use std::ops::Range;

use super::{MAX_AROUND, Outline, ScopeKind};
use crate::code::tokens::Tokens;
use crate::language::Language;

/// The maximum number of assignments to a name; of more, its value is unknown.
const MAX_ASSIGNMENTS: usize = 20;

/// All assignments to a name that may have more than one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assignments {
    /// `true` if the name has an unknown value at first: a parameter, the target of a loop.
    pub is_given: bool,
    /// `true` if the program assigns it once, when it creates the object or class of it.
    pub is_final: bool,
    /// The imports that bind it. All but one are for the case that a module does not exist.
    pub imports: Vec<usize>,
    /// The tokens of the assigned values, in source order.
    pub values: Vec<Range<usize>>,
}

impl Assignments {
    /// `true` if the name may have several values, or one that is not written with it.
    pub fn are_several(&self) -> bool {
        let count = self.values.len() + usize::from(self.is_given) + self.imports.len();
        (count > 1 || count == 1 && self.is_final) && self.values.len() <= MAX_ASSIGNMENTS
    }
}

/// A block around an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block {
    start: usize,
    /// What the block after it in a condition refers to.
    key: usize,
    /// The key of the block before it in the same condition.
    follows: Option<usize>,
    kind: BlockKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockKind {
    /// Always runs: `with`, `finally`, braces alone.
    Always,
    /// May run: `if`, `else if`, `try`, `catch`, `case`, a lambda.
    Maybe,
    /// Runs if no block before it in the same condition does.
    Else,
    /// May run several times, or never: a loop.
    Loop,
}

impl Outline<'_> {
    /// `true` if a scope runs with another one, and is no function of its own in it.
    pub fn is_in_function_of(&self, scope: usize, around: usize) -> bool {
        let mut inner = self.outwards(scope).take_while(|scope| *scope != around);
        inner.all(|scope| self.scopes[scope].kind == ScopeKind::Block)
    }

    /// The values that a name may have at a token, an empty one for a given value; `None` if it
    /// changes in steps.
    pub fn values_at(
        &self,
        tokens: &Tokens<'_>,
        assignments: &Assignments,
        scope: usize,
        at: usize,
    ) -> Option<Values> {
        if !assignments.are_several() {
            return None;
        }
        let use_blocks = match at {
            usize::MAX => Vec::new(),
            at => self.blocks_around(tokens, scope, at),
        };
        let with_blocks =
            |value: &Range<usize>| (value.clone(), self.blocks_of(tokens, scope, value));
        let all: Vec<_> = assignments.values.iter().map(with_blocks).collect();
        let is_direct = |(_, blocks): &InBlocks| blocks.is_empty();
        let is_deep = |(_, blocks): &InBlocks| blocks.len() > MAX_AROUND;
        if all.iter().any(is_deep)
            || changes_in_steps(&all, 0)
            || assignments.is_given && all.iter().any(is_direct)
        {
            return None;
        }
        let (before, behind): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(value, _)| value.end <= at);
        let given = assignments.is_given.then_some(0..0).into_iter().collect();
        let mut values = follow(&before, 0, &use_blocks, given);
        let loops = use_blocks.iter().filter(|block| block.kind == BlockKind::Loop);
        let loops: Vec<usize> = loops.map(|block| block.start).collect();
        let is_next = |(_, blocks): &InBlocks| blocks.iter().any(|it| loops.contains(&it.start));
        // A loop runs again with the values that it ends with.
        add(&mut values, behind.into_iter().filter(is_next).map(|(value, _)| value).collect());
        Some(values)
    }

    /// The blocks around an assigned value within a scope, from the outside. Without braces, it may
    /// be a block itself.
    fn blocks_of(&self, tokens: &Tokens<'_>, scope: usize, value: &Range<usize>) -> Vec<Block> {
        let mut blocks = self.blocks_around(tokens, scope, value.start);
        if tokens.language == Language::Python {
            return blocks;
        }
        if blocks.last().is_some_and(|block| is_switch(tokens, block.start)) {
            // Each value has its own case.
            let (start, kind) = (value.start, BlockKind::Maybe);
            blocks.push(Block { start, key: start, follows: None, kind });
        }
        blocks.extend(block_of_statement(tokens, value));
        blocks
    }

    /// The blocks around a token within a scope, from the outside.
    fn blocks_around(&self, tokens: &Tokens<'_>, scope: usize, token: usize) -> Vec<Block> {
        let mut blocks = match tokens.language {
            Language::Python => self.blocks_by_indentation(tokens, scope, token),
            _ => self.blocks_by_braces(tokens, scope, token),
        };
        blocks.reverse();
        blocks
    }

    fn blocks_by_indentation(&self, tokens: &Tokens<'_>, scope: usize, token: usize) -> Vec<Block> {
        let body = self.scopes[scope].tokens.start;
        let parent = |it: &usize| self.statements[*it].parent;
        let behind = self.statements.partition_point(|it| it.tokens.start <= token);
        let Some(statement) = behind.checked_sub(1) else { return Vec::new() };
        let around = std::iter::successors(parent(&statement), parent);
        let around = around.take_while(|it| self.statements[*it].tokens.start >= body);
        around
            .map(|header| {
                let start = self.statements[header].tokens.start;
                let word = tokens.text(start + usize::from(tokens.text(start) == "async"));
                // The statement before it at the same indentation.
                let before = header.checked_sub(1).and_then(|before| {
                    let around = std::iter::successors(Some(before), parent);
                    around.into_iter().find(|it| parent(it) == parent(&header))
                });
                let continues = matches!(word, "elif" | "else" | "except" | "case");
                let before = before.filter(|_| continues);
                let follows = before.map(|before| self.statements[before].tokens.start);
                Block { start, key: start, follows, kind: block_kind(word) }
            })
            .collect()
    }

    fn blocks_by_braces(&self, tokens: &Tokens<'_>, scope: usize, token: usize) -> Vec<Block> {
        let inner = self.outwards(self.scope_at(token)).take_while(|it| *it != scope);
        inner
            .map(|inner| {
                let Range { start, end } = self.scopes[inner].tokens;
                // A header is a part of its block, with or without its first word.
                let word = match block_kind(tokens.text(start)) {
                    BlockKind::Always => start.saturating_sub(1),
                    _ => start,
                };
                let kind = match tokens.text(word) {
                    "{" | "}" | ";" => BlockKind::Always,
                    word => match block_kind(word) {
                        BlockKind::Always if word != "finally" => BlockKind::Maybe,
                        kind => kind,
                    },
                };
                let follows = match (tokens.text(word), word.checked_sub(1)) {
                    ("else" | "catch", _) => Some(word),
                    ("if", Some(before)) if tokens.text(before) == "else" => Some(before),
                    _ => None,
                };
                Block { start, key: end, follows, kind }
            })
            .collect()
    }
}

/// `true` if a block that starts at a token has cases.
fn is_switch(tokens: &Tokens<'_>, start: usize) -> bool {
    let is_it = |token: usize| matches!(tokens.text(token), "switch" | "when" | "select");
    is_it(start) || start.checked_sub(1).is_some_and(is_it)
}

/// The kind of a block by its first word; `Always` for other words.
fn block_kind(word: &str) -> BlockKind {
    match word {
        "if" | "elif" | "try" | "except" | "catch" | "case" | "switch" | "when" | "select" => {
            BlockKind::Maybe
        }
        "else" => BlockKind::Else,
        "for" | "while" | "do" => BlockKind::Loop,
        _ => BlockKind::Always,
    }
}

/// The block that is only an assignment without braces: `if (a) b = c`, `else b = c`.
fn block_of_statement(tokens: &Tokens<'_>, value: &Range<usize>) -> Option<Block> {
    let before = value.start.checked_sub(3)?;
    let key = value.end + usize::from(tokens.text(value.end) == ";");
    if tokens.text(before) == "else" {
        return Some(Block { start: before, key, follows: Some(before), kind: BlockKind::Else });
    }
    let open = tokens.partner(before).filter(|open| *open < before)?;
    let word = open.checked_sub(1)?;
    let kind = match block_kind(tokens.text(word)) {
        BlockKind::Always => return None,
        kind => kind,
    };
    let is_else = word.checked_sub(1).filter(|before| tokens.text(*before) == "else");
    Some(Block { start: word, key, follows: is_else, kind })
}

type Values = Vec<Range<usize>>;

/// An assigned value, and the blocks around it.
type InBlocks = (Range<usize>, Vec<Block>);

/// A condition, after some of its blocks.
struct Started {
    /// The key of the last block.
    key: usize,
    /// `true` if its first block assigns the name, too.
    is_whole: bool,
    before: Values,
    after: Values,
}

/// The values after assignments with their blocks, of which those outside of `depth` blocks are the
/// same, and before a use in some blocks.
fn follow(
    assignments: &[InBlocks],
    depth: usize,
    use_blocks: &[Block],
    mut values: Values,
) -> Values {
    let mut condition: Option<Started> = None;
    let mut rest = assignments;
    while let Some((value, blocks)) = rest.first() {
        let Some(block) = blocks.get(depth) else {
            values = vec![value.clone()];
            rest = &rest[1..];
            continue;
        };
        let (inside, others) = split_at_block(rest, block, depth);
        rest = others;
        let mut started = match condition.take() {
            Some(started) if block.follows == Some(started.key) => started,
            _ => {
                let (before, after) = (values.clone(), Vec::new());
                Started { key: block.key, is_whole: block.follows.is_none(), before, after }
            }
        };
        let ends = follow(inside, depth + 1, use_blocks, started.before.clone());
        if is_in(block, use_blocks, depth) {
            return ends;
        }
        add(&mut started.after, ends);
        let is_complete = match block.kind {
            BlockKind::Always => true,
            BlockKind::Else => started.is_whole,
            BlockKind::Maybe | BlockKind::Loop => false,
        };
        values = if is_complete { Vec::new() } else { started.before.clone() };
        add(&mut values, started.after.clone());
        condition = Some(Started { key: block.key, ..started });
    }
    values
}

/// The assignments in a block at this depth, which come first, and the others.
fn split_at_block<'a>(
    assignments: &'a [InBlocks],
    block: &Block,
    depth: usize,
) -> (&'a [InBlocks], &'a [InBlocks]) {
    let behind = assignments.iter().position(|(_, blocks)| !is_in(block, blocks, depth));
    assignments.split_at(behind.unwrap_or(assignments.len()))
}

/// `true` if a block is the one at this depth.
fn is_in(block: &Block, blocks: &[Block], depth: usize) -> bool {
    blocks.get(depth).is_some_and(|it| it.start == block.start)
}

/// `true` if a block assigns the name twice, or after a block in it has.
fn changes_in_steps(assignments: &[InBlocks], depth: usize) -> bool {
    let mut rest = assignments;
    let mut is_first = true;
    while let Some((_, blocks)) = rest.first() {
        let Some(block) = blocks.get(depth) else {
            if !is_first {
                return true;
            }
            (rest, is_first) = (&rest[1..], false);
            continue;
        };
        let (inside, others) = split_at_block(rest, block, depth);
        if changes_in_steps(inside, depth + 1) {
            return true;
        }
        (rest, is_first) = (others, false);
    }
    false
}

/// Adds values that are not among them already.
fn add(values: &mut Values, others: Values) {
    for other in others {
        if !values.contains(&other) {
            values.push(other);
        }
    }
}
