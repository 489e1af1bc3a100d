//! Checks fragments: cycles, hidden names, and missing values.

mod included;

use std::rc::Rc;

use promptls_resolver::{
    Code, Location, MAX_FRAGMENT_DEPTH, Problem, Related, fragments_too_deep, lookup_name, root,
    too_much,
};
use promptls_syntax::{Use, UseMap};

use super::checker::{Checker, Finding};
use included::{Included, Missing};

pub(super) fn check(checker: &mut Checker<'_>) {
    let snapshot = checker.snapshot;
    let declarations = &snapshot.declarations;
    if declarations.fragments.is_empty() {
        return;
    }
    hidden(checker);

    let tree = &snapshot.tree;
    let fragment_of = |used: Use| {
        let name = snapshot.fragment_name(tree.name(used.name))?;
        declarations.fragment(name).filter(|_| used.kind.reads())
    };
    let uses = tree.uses().filter_map(|(used, count)| Some((used, count, fragment_of(used)?)));
    let mut uses: Vec<_> = uses.collect();
    // The uses are in no particular order.
    uses.sort_by_key(|(used, _, fragment)| (fragment.name_span.start, used.name));
    let roots = uses.iter().map(|(.., fragment)| *fragment);
    let included =
        Included::new(checker.engine(), declarations, roots, |name| missing(checker, name));

    let mut findings: UseMap<Finding> = UseMap::default();
    let mut all_steps: usize = 0;
    let mut most = (0, "");
    for (used, count, fragment) in &uses {
        let name = &*fragment.name;
        let finding = |code, message| Finding::of_name(code, message, name);
        let too_deep = || finding(Code::LimitExceeded, fragments_too_deep());
        let Some(known) = included.get(name) else {
            let finding = match included.cycle(name) {
                Some(cycle) => {
                    let (first, cycle) = (cycle[0], cycle.join(" → "));
                    let message = format!("fragments include each other: {cycle} → {first}");
                    finding(Code::FragmentCycle, message)
                }
                None => too_deep(),
            };
            findings.insert(*used, finding);
            continue;
        };
        let steps = known.steps.saturating_mul(*count as usize);
        all_steps = all_steps.saturating_add(steps);
        most = most.max((steps, name));
        if known.depth > MAX_FRAGMENT_DEPTH {
            findings.insert(*used, too_deep());
        } else if let Some(Missing { name: first, cases }) = known.missing.as_deref() {
            let mut related = Vec::new();
            let (code, what) = match snapshot.fragment_name(first) {
                Some(other) => {
                    (Code::UnknownFragment, format!("fragment `{other}`, which does not exist"))
                }
                None if snapshot.awaits_values() => continue,
                None => {
                    related = checker.missing_in(cases, first);
                    let cases = checker.in_cases(cases);
                    (Code::UndefinedPlaceholder, format!("`{first}`, which has no value{cases}"))
                }
            };
            let finding = finding(code, format!("fragment `{name}` needs {what}"));
            findings.insert(*used, finding.and_about(first).with(related));
        }
    }
    let max_steps = checker.values.given()[0].max_steps();
    if all_steps > max_steps {
        for (used, _, fragment) in uses.iter().filter(|(.., fragment)| *fragment.name == *most.1) {
            let finding =
                Finding::of_name(Code::LimitExceeded, too_much(max_steps), &fragment.name);
            findings.insert(*used, finding);
        }
    }
    checker.report(&findings);
}

/// The cases in which a name of a fragment has no value; `None` if it always has one.
fn missing(checker: &Checker<'_>, name: &str) -> Option<Rc<Missing>> {
    let dialect = checker.dialect();
    if dialect.injects(root(dialect, name)) {
        return None;
    }
    let given = checker.values.given().iter().enumerate();
    let missing =
        given.filter(|(_, given)| lookup_name(checker.engine(), name, given).is_missing());
    let cases: Vec<usize> = missing.map(|(case, _)| case).collect();
    (!cases.is_empty()).then(|| Rc::new(Missing { name: name.to_owned(), cases }))
}

/// Fragments with the same name as a variable or an input.
fn hidden(checker: &mut Checker<'_>) {
    let snapshot = checker.snapshot;
    let declarations = &snapshot.declarations;
    for fragment in &declarations.fragments {
        let variable = declarations.variable(&fragment.name).map(|variable| Location {
            file: declarations.file,
            range: variable.name_span.range(),
        });
        let input = || {
            snapshot.cases.iter().find_map(|case| {
                let entry = case.inputs.root.get(&fragment.name)?;
                Some(Location { file: case.inputs.file, range: entry.key_span.range() })
            })
        };
        let Some(hidden) = variable.or_else(input) else { continue };
        let range = fragment.name_span.range();
        let location = Location { file: declarations.file, range };
        let message = format!("fragment `{0}` hides the variable `{0}`", fragment.name);
        let mut problem =
            Problem::new(Code::FragmentHidesVariable, location, message).about(&*fragment.name);
        problem.related.push(Related { location: hidden, message: "it is hidden".to_owned() });
        checker.problems.push(problem);
    }
}
