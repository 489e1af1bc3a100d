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
    all: Vec<AgentOrder>,
}

/// Agents in the order in which they run.
type AgentOrder = Vec<Vec<Range<usize>>>;

impl Loops {
    /// Cost: the tokens, and the agents of loops.
    pub fn new(tokens: &Tokens<'_>, outline: &Outline<'_>) -> Loops {
        let is_loop = |at: &usize| LOOPS.contains(&tokens.text(*at));
        let mut starts = (0..tokens.all.len()).filter(is_loop).peekable();
        if starts.peek().is_none() {
            return Loops { all: Vec::new() };
        }
        let reader = LoopReader::new(tokens, outline);
        let mut all = Vec::new();
        let mut end = 0;
        for at in starts {
            // Go names the package twice: `loopagent.New(loopagent.Config{`.
            let Some(extent) = reader.extent(at).filter(|_| at >= end) else { continue };
            end = extent.end;
            let mut left = MAX_AGENTS;
            all.extend(reader.members(extent, 0, &mut left));
            if all.len() == MAX_LOOPS {
                break;
            }
        }
        Loops { all }
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

    /// The agents of an agent in their order; `None` if it has no list of them, or more than are
    /// left.
    fn members(&self, agent: Range<usize>, level: usize, left: &mut usize) -> Option<AgentOrder> {
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
        for element in self.elements(open) {
            *left = left.checked_sub(1)?;
            agents.extend(self.agents_of(element, level, left)?);
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
    fn agents_of(
        &self,
        element: Range<usize>,
        level: usize,
        left: &mut usize,
    ) -> Option<AgentOrder> {
        let agent = self.definition(element);
        let has_room = level < MAX_LEVELS;
        let inner = has_room.then(|| self.members(agent.clone(), level + 1, left)).flatten();
        let Some(inner) = inner else { return (*left > 0).then(|| vec![vec![agent]]) };
        let is_members = |at: &usize| MEMBERS.contains(&self.tokens.text(*at));
        let mut head = agent.clone().take_while(|at| !is_members(at));
        if head.any(|at| SEQUENCES.contains(&self.tokens.text(at))) {
            return Some(inner);
        }
        Some(vec![std::iter::once(agent).chain(inner.into_iter().flatten()).collect()])
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

#[cfg(test)]
mod tests {
    use crate::{Language, find};

    /// The names of the prompts of a source, each with the text of the agents after it.
    #[track_caller]
    fn check(language: Language, source: &str, expected: &[&str]) {
        let found = find(language, source);
        let shown: Vec<String> = found
            .iter()
            .map(|it| {
                let later = it.later.iter().map(|range| {
                    let key = source[range.clone()].split("utput").nth(1).unwrap_or("none");
                    key.split(['"', '\'']).nth(1).unwrap_or("none")
                });
                format!("{}: {}", it.name, later.collect::<Vec<_>>().join(" "))
            })
            .collect();
        assert_eq!(shown, expected, "{source}");
    }

    #[test]
    fn output_keys_of_later_agents_in_a_loop_are_found_in_each_language() {
        let python = |agents: &str| {
            format!(
                "from google.adk.agents import *\n\
                 w = Agent(name='w', instruction='x', output_key='draft')\n\
                 c = Agent(name='c', instruction='y', output_key='feedback')\n\
                 {agents}\n"
            )
        };
        for (agents, expected) in [
            ("r = LoopAgent(name='l', sub_agents=[w, c])", ["w: feedback", "c: "]),
            ("r = LoopAgent(sub_agents=[c, w], name='l')", ["w: ", "c: draft"]),
            ("r = agents.LoopAgent(sub_agents=[w, c, w])", ["w: feedback", "c: "]),
            (
                "s = SequentialAgent(sub_agents=[w, c])\nr = LoopAgent(sub_agents=[s])",
                ["w: feedback", "c: "],
            ),
            ("s = ParallelAgent(sub_agents=[w, c])\nr = LoopAgent(sub_agents=[s])", ["w: ", "c: "]),
            ("r = SequentialAgent(sub_agents=[w, c])", ["w: ", "c: "]),
            ("r = LoopAgent(sub_agents=all)\ns = [w, c]", ["w: ", "c: "]),
            ("r = LoopAgent(sub_agents=[w, c])\ns = LoopAgent(sub_agents=[c, w])", ["w: ", "c: "]),
            ("w = other\nr = LoopAgent(sub_agents=[w, c])", ["w: ", "c: "]),
        ] {
            check(Language::Python, &python(agents), &expected);
        }
        check(
            Language::Python,
            "from google.adk.agents import Agent, LoopAgent\n\
             LoopAgent(sub_agents=[Agent(name='w', instruction='x'), Agent(name='c', instruction='y', output_key='k')])\n",
            &["w: k", "c: "],
        );
        check(
            Language::TypeScript,
            "import {LlmAgent, LoopAgent} from '@google/adk';\n\
             const w = new LlmAgent({name: 'w', instruction: 'x'});\n\
             const c = new LlmAgent({name: 'c', instruction: 'y', outputKey: 'k'});\n\
             export const r = new LoopAgent({name: 'l', subAgents: [w, c]});\n",
            &["w: k", "c: "],
        );
        for list in ["w, c", "List.of(w, c)", "ImmutableList.of(w, c)"] {
            check(
                Language::Java,
                &format!(
                    "import com.google.adk.agents.*;\nclass A {{ void f() {{\n\
                     LlmAgent w = LlmAgent.builder().name(\"w\").instruction(\"x\").build();\n\
                     var c = LlmAgent.builder().name(\"c\").instruction(\"y\").outputKey(\"k\").build();\n\
                     LoopAgent.builder().name(\"l\").subAgents({list}).build(); }} }}\n"
                ),
                &["w: k", "c: "],
            );
        }
        check(
            Language::Kotlin,
            "import com.google.adk.kt.agents.*\n\
             val w = LlmAgent(name = \"w\", instruction = Instruction(\"x\"))\n\
             val c = LlmAgent(name = \"c\", instruction = Instruction(\"y\"), outputKey = \"k\")\n\
             val r = LoopAgent(name = \"l\", subAgents = listOf(w, c))\n",
            &["w: k", "c: "],
        );
        check(
            Language::Go,
            "package main\nimport (\n\"google.golang.org/adk/agent/llmagent\"\n\"google.golang.org/adk/agent/workflowagents/loopagent\"\n)\n\
             func f() {\n\
             w, err := llmagent.New(llmagent.Config{Name: \"w\", Instruction: \"x\"})\n\
             c, err := llmagent.New(llmagent.Config{Name: \"c\", Instruction: \"y\", OutputKey: \"k\"})\n\
             r, err := loopagent.New(loopagent.Config{AgentConfig: agent.Config{Name: \"l\", SubAgents: []agent.Agent{w, c}}})\n}\n",
            &["w: k", "c: "],
        );
    }

    #[test]
    fn the_work_for_nested_agents_is_linear() {
        let mut source = "from google.adk.agents import *\na = Agent(instruction='x')\n".to_owned();
        for level in 0..30 {
            let inner = if level == 0 { "a".to_owned() } else { format!("s{}", level - 1) };
            let all = format!("{inner}, ").repeat(50);
            source.push_str(&format!("s{level} = SequentialAgent(sub_agents=[{all}])\n"));
        }
        source.push_str(&"LoopAgent(sub_agents=[s29])\n".repeat(200));
        assert_eq!(find(Language::Python, &source).len(), 1);
    }
}
