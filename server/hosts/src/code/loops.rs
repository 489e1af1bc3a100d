//! Loops of agents, whose first turn reads what earlier agents have written:
//! `LoopAgent(sub_agents=[writer, critic])`.

use std::collections::HashMap;
use std::ops::Range;

use super::outline::Outline;
use super::tokens::Tokens;
use crate::token::TokenKind;

/// The class of a loop, and in Go its package.
const LOOPS: [&str; 2] = ["LoopAgent", "loopagent"];

/// The same for agents that run their own agents one after another.
const SEQUENCES: [&str; 2] = ["SequentialAgent", "sequentialagent"];

/// The argument with the agents of an agent.
const MEMBERS: [&str; 3] = ["sub_agents", "subAgents", "SubAgents"];

/// Functions that create a list of their arguments.
const MAKES_LIST: [&str; 3] = ["of", "asList", "listOf"];

/// The maximum number of loops in a file, of agents in a loop, and of levels of agents in agents.
/// Agents beyond these are not examined.
const MAX_LOOPS: usize = 100;
const MAX_AGENTS: usize = 200;
const MAX_LEVELS: usize = 4;

/// The number of tokens between an argument and its list: `SubAgents: []agent.Agent{`.
const MAX_BEFORE_LIST: usize = 8;

/// The loops of a host.
pub(super) struct Loops {
    /// The agents of each loop in their order, as ranges of tokens that define them. Those of one
    /// entry run in no certain order.
    all: Vec<Vec<Vec<Range<usize>>>>,
}

impl Loops {
    /// Cost: the tokens, and the agents of loops.
    pub fn new(tokens: &Tokens<'_>, outline: &Outline<'_>) -> Loops {
        let is_loop = |at: &usize| LOOPS.contains(&tokens.text(*at));
        let mut starts = (0..tokens.all.len()).filter(is_loop).peekable();
        if starts.peek().is_none() {
            return Loops { all: Vec::new() };
        }
        let reader = LoopReader::new(tokens, outline);
        let all = starts.filter_map(|at| reader.members(reader.extent(at)?, 0));
        Loops { all: all.take(MAX_LOOPS).collect() }
    }

    /// The tokens of the agents that run only after the one with a token, in its loop. Empty outside
    /// of loops, and for an agent of several.
    pub fn later(&self, token: usize) -> Vec<Range<usize>> {
        let has = |agents: &Vec<Range<usize>>| agents.iter().any(|it| it.contains(&token));
        let mut around = self.all.iter().filter_map(|it| Some((it, it.iter().position(has)?)));
        let (Some((agents, place)), None) = (around.next(), around.next()) else {
            return Vec::new();
        };
        let earlier = agents[..=place].iter().flatten();
        let is_earlier = |it: &Range<usize>| earlier.clone().any(|other| other == it);
        agents[place + 1..].iter().flatten().filter(|it| !is_earlier(it)).cloned().collect()
    }
}

struct LoopReader<'h, 's> {
    tokens: &'h Tokens<'s>,
    /// The statements that assign variables; `None` for those with several.
    assigned: HashMap<&'s str, Option<Range<usize>>>,
}

impl<'h, 's> LoopReader<'h, 's> {
    fn new(tokens: &'h Tokens<'s>, outline: &Outline<'s>) -> Self {
        let mut assigned: HashMap<&str, Option<Range<usize>>> = HashMap::new();
        for statement in &outline.statements {
            let Some(target) = statement.target else { continue };
            let entry = assigned.entry(tokens.text(target));
            entry.and_modify(|it| *it = None).or_insert_with(|| Some(statement.tokens.clone()));
        }
        LoopReader { tokens, assigned }
    }

    /// The call that starts with a class: its brackets, or its chain of methods. `None` for other
    /// uses of the name.
    fn extent(&self, class: usize) -> Option<Range<usize>> {
        let mut at = class + 1;
        while at < self.tokens.all.len() {
            let is_open = matches!(self.tokens.text(at), "(" | "{") && at > class + 1
                || self.tokens.text(at) == "(";
            at = match self.tokens.text(at) {
                "." if self.tokens.is_word(at + 1) => at + 2,
                _ if is_open => self.tokens.partner(at).filter(|close| *close > at)? + 1,
                _ => break,
            };
        }
        (at > class + 1).then_some(class..at)
    }

    /// The agents of an agent in their order; `None` if it has no list of them.
    fn members(&self, agent: Range<usize>, level: usize) -> Option<Vec<Vec<Range<usize>>>> {
        let is_argument = |at: &usize| MEMBERS.contains(&self.tokens.text(*at));
        let argument = agent.clone().find(is_argument)?;
        let is_list = |at: &usize| {
            let closes = self.tokens.partner(*at).filter(|close| *close > at + 1);
            self.tokens.kind(*at) == Some(TokenKind::Open) && closes.is_some()
        };
        let near = argument + 1..(argument + MAX_BEFORE_LIST).min(agent.end);
        let open = near.clone().find(is_list)?;
        let is_part = |at: usize| {
            self.tokens.is_word(at)
                || matches!(self.tokens.text(at), "=" | ":" | "." | "[" | "]" | "<" | ">")
        };
        if !(near.start..open).all(is_part) {
            return None;
        }
        let mut agents = Vec::new();
        let mut left = MAX_AGENTS;
        for element in self.elements(open) {
            for member in self.agents_of(element, level) {
                left = left.checked_sub(member.len().max(1))?;
                agents.push(member);
            }
        }
        Some(agents)
    }

    /// The elements of a list, also of one that a function creates.
    fn elements(&self, open: usize) -> Vec<Range<usize>> {
        let Some(close) = self.tokens.partner(open) else { return Vec::new() };
        let elements = self.tokens.split(open + 1..close);
        let [only] = elements.as_slice() else { return elements };
        let last = only.end - 1;
        let inner = self.tokens.partner(last).filter(|inner| *inner > only.start && *inner < last);
        let is_list = |inner: &usize| MAKES_LIST.contains(&self.tokens.text(*inner - 1));
        match inner.filter(is_list) {
            Some(inner) => self.tokens.split(inner + 1..last),
            None => elements,
        }
    }

    /// The agents of an element of a list, in their order: those of a sequence, or else one entry
    /// with all of them.
    fn agents_of(&self, element: Range<usize>, level: usize) -> Vec<Vec<Range<usize>>> {
        let agent = self.definition(element);
        let inner = (level < MAX_LEVELS).then(|| self.members(agent.clone(), level + 1)).flatten();
        let Some(inner) = inner else { return vec![vec![agent]] };
        let is_members = |at: &usize| MEMBERS.contains(&self.tokens.text(*at));
        let mut head = agent.clone().take_while(|at| !is_members(at));
        if head.any(|at| SEQUENCES.contains(&self.tokens.text(at))) {
            return inner;
        }
        vec![std::iter::once(agent).chain(inner.into_iter().flatten()).collect()]
    }

    /// The statement that defines an element that is a variable; else the element.
    fn definition(&self, element: Range<usize>) -> Range<usize> {
        let last = element.end - 1;
        let is_variable = match element.len() {
            1 => self.tokens.is_word(last),
            3 => matches!(self.tokens.text(element.start), "self" | "this"),
            _ => false,
        };
        let assigned = is_variable.then(|| self.assigned.get(self.tokens.text(last)).cloned());
        assigned.flatten().flatten().unwrap_or(element)
    }
}
