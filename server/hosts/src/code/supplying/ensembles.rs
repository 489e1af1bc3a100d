//! Runs of ensembles, which supply values to the prompts of their tasks:
//! `Ensemble.builder().task(task).build().run(Map.of("topic", topic))`.

use std::collections::HashMap;
use std::ops::Range;

use super::contracts::{Contracts, Method, Object};
use super::maps::Keys;
use crate::code::calls::Call;
use crate::code::outline::{Value, is_class_name};
use crate::code::tokens::Tokens;
use crate::host_prompt::Contract;
use crate::language::Language;

/// The maximum number of methods in a chain that is examined.
const MAX_METHODS: usize = 200;

/// The maximum number of uses of a name whose class is determined.
const MAX_USES: usize = 1000;

/// The maximum number of names and loops between a run and a task.
const MAX_NAMES: usize = 4;

/// The maximum number of expressions that are examined for the tasks of a run: loops may contain each
/// other.
const MAX_EXPRESSIONS: usize = 10_000;

/// The runs of a host.
#[derive(Default)]
pub(crate) struct Runs<'s> {
    /// The expressions that are tasks of a run, with the contract of the run, by their ends.
    tasks: HashMap<usize, Vec<(Range<usize>, Contract)>>,
    /// The names of tasks that other hosts create.
    pub objects: Vec<Object<'s>>,
}

/// The tasks of a run.
#[derive(Default)]
struct Tasks<'s> {
    found: Vec<Task<'s>>,
    /// The number of examined expressions.
    expressions: usize,
}

/// A task of a run.
enum Task<'s> {
    /// The expression that creates it.
    Here(Range<usize>),
    /// The function that creates it, and a token where it is called.
    Elsewhere(Vec<&'s str>, usize),
}

impl<'s> Contracts<'_, 's> {
    /// The contracts of ensemble runs in which the prompts of a call are a task.
    pub(crate) fn of_task(&self, call: &Call) -> Vec<Contract> {
        let runs = self.runs().tasks.get(&call.tokens.end);
        let is_task = |task: &&(Range<usize>, Contract)| task.0.contains(&call.tokens.start);
        runs.into_iter().flatten().filter(is_task).map(|(_, run)| run.clone()).collect()
    }

    /// All runs of the host.
    pub(crate) fn runs(&self) -> &Runs<'s> {
        self.runs.get_or_init(|| {
            let mut runs = Runs::default();
            for run in self.maps.words().get("run").into_iter().flatten() {
                let Some(methods) = self.methods_of_ensemble(run + 1) else { continue };
                let Some((tasks, contract)) = self.run(&methods) else { continue };
                for task in tasks.found {
                    let contract = contract.clone();
                    match task {
                        Task::Here(task) => {
                            runs.tasks.entry(task.end).or_default().push((task, contract));
                        }
                        Task::Elsewhere(chain, token) => {
                            runs.objects.push(Object { chain, token, is_called: true, contract });
                        }
                    }
                }
            }
            runs
        })
    }

    /// The methods from `Ensemble.builder` to the one with this bracket, in source order. The
    /// ensemble may be a variable.
    fn methods_of_ensemble(&self, open: usize) -> Option<Vec<Method<'s>>> {
        let mut methods = Vec::new();
        let mut open = open;
        while methods.len() < MAX_METHODS {
            let name = open.checked_sub(1)?;
            let close = self.tokens.closer(open, "(")?;
            methods.push(Method { name: self.tokens.text(name), open, close });
            let dot = name.checked_sub(1).filter(|dot| self.tokens.text(*dot) == ".")?;
            open = self.tokens.previous(dot)?;
            if self.tokens.text(open) == "Ensemble" {
                return (self.tokens.text(name) == "builder").then_some(methods);
            }
            if self.tokens.is_word(open) {
                let value = self.value_at(open)?;
                open = self.tokens.partner(value.end.checked_sub(1)?)?;
            }
        }
        None
    }

    /// The expression that is the value of a variable.
    fn value_at(&self, name: usize) -> Option<Range<usize>> {
        let scope = self.outline.scope_at(name);
        match self.outline.value(scope, self.tokens.text(name))? {
            (_, Value::Expression(value)) => Some(value.clone()),
            _ => None,
        }
    }

    /// The tasks of an ensemble, and the contract of its run.
    fn run(&self, methods: &[Method<'s>]) -> Option<(Tasks<'s>, Contract)> {
        let (first, last) = (methods.first()?, methods.last()?);
        let mut keys = Keys::none();
        let mut tasks = Tasks::default();
        for method in methods {
            let mut arguments = self.arguments(method);
            match (method.name, arguments.as_mut_slice()) {
                ("task" | "loop", [task]) => self.add_tasks(task.clone(), &mut tasks, 0),
                ("input", _) => self.maps.read_in_turn(arguments, &mut keys),
                ("inputs" | "run", [map]) => self.maps.read_map(map.clone(), &mut keys),
                ("run", []) => {}
                (name, _) => {
                    let name = name.to_ascii_lowercase();
                    let may_bring = ["task", "input", "run", "phase"];
                    keys.is_whole &= !may_bring.iter().any(|word| name.contains(word));
                }
            }
        }
        let call = self.tokens.range(last.open - 1..first.close + 1);
        let Keys { keys, is_whole } = keys;
        let contract = Contract { call, keys, is_whole, is_open: false, is_own: false };
        (!contract.keys.is_empty()).then_some((tasks, contract))
    }

    /// Adds the tasks that an expression is: one, or those of a loop.
    fn add_tasks(&self, expression: Range<usize>, tasks: &mut Tasks<'s>, names: usize) {
        tasks.expressions += 1;
        if names > MAX_NAMES || tasks.expressions > MAX_EXPRESSIONS || expression.is_empty() {
            return;
        }
        let head = self.tokens.text(expression.start);
        if expression.len() == 1 {
            let value = self.value_at(expression.start);
            return value.into_iter().for_each(|value| self.add_tasks(value, tasks, names + 1));
        }
        match head {
            "Task" => tasks.found.push(Task::Here(expression)),
            "Loop" => {
                for method in self.methods_behind(expression.start + 1) {
                    if let ("task", [task]) = (method.name, &*self.arguments(&method)) {
                        self.add_tasks(task.clone(), tasks, names + 1);
                    }
                }
            }
            _ => self.add_returned(expression, tasks, names),
        }
    }

    /// Adds the task that a function returns.
    fn add_returned(&self, call: Range<usize>, tasks: &mut Tasks<'s>, names: usize) {
        let open = self.tokens.partner(call.end - 1).filter(|open| call.contains(open));
        let Some(open) = open else { return };
        let mut chain = self.tokens.callee(open);
        if chain.first() == Some(&"this") {
            chain.remove(0);
        }
        let scope = self.outline.scope_at(call.start);
        if let [name] = *chain
            && let Some((_, Value::Function(function))) = self.outline.called(scope, name)
        {
            for value in &self.outline.functions[*function].returns {
                self.add_tasks(value.clone(), tasks, names + 1);
            }
            return;
        }
        if let Some(class) = chain.first().and_then(|head| self.class_of(head)) {
            chain[0] = class;
        }
        if !chain.is_empty() {
            tasks.found.push(Task::Elsewhere(chain, call.start));
        }
    }

    /// The class of a field or variable; `None` if declarations of the name disagree, or if it has too
    /// many uses.
    fn class_of(&self, name: &str) -> Option<&'s str> {
        let places = self.maps.words().get(name).filter(|places| places.len() <= MAX_USES)?;
        let mut classes = places.iter().filter_map(|place| declared_class(self.tokens, *place));
        let class = classes.next()?;
        classes.all(|it| it == class).then_some(class)
    }
}

/// The class that a declaration of a name at a token states.
fn declared_class<'s>(tokens: &Tokens<'s>, name: usize) -> Option<&'s str> {
    let class = match tokens.language {
        Language::Kotlin => (tokens.text(name + 1) == ":").then_some(name + 2)?,
        _ => name.checked_sub(1)?,
    };
    Some(tokens.text(class)).filter(|class| tokens.is_word(name) && is_class_name(class))
}
