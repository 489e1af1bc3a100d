//! Fragments: cycles, names that they hide, and what they need.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use promptls_resolver::{Code, Location, Problem, Related, Template, lookup_name, root};
use promptls_syntax::{Dialect, Use};

use super::checker::{Checker, Finding};

pub(super) fn check(checker: &mut Checker<'_>) {
    let snapshot = checker.snapshot;
    let declarations = &snapshot.declarations;
    if declarations.fragments.is_empty() {
        return;
    }
    let dialect = checker.dialect();
    // The fragments in each one by their own names, and the other names as they are written.
    let includes: BTreeMap<&str, Vec<String>> = declarations
        .fragments
        .iter()
        .map(|fragment| {
            let template = Template::compile(dialect, &fragment.text);
            let names = template.path_names().map(|name| {
                let fragment = declarations.fragment_name(dialect, name);
                fragment.filter(|it| declarations.fragment(it).is_some()).unwrap_or(name).to_owned()
            });
            (&*fragment.name, names.collect())
        })
        .collect();
    hidden(checker);

    let mut findings: HashMap<Use, Finding> = HashMap::new();
    for (used, _) in snapshot.tree.uses() {
        let name = snapshot.tree.name(used.name);
        let Some(fragment) = declarations.fragment_name(dialect, name) else { continue };
        if !used.kind.reads() || declarations.fragment(fragment).is_none() {
            continue;
        }
        let finding = |code, message| Finding::of_name(code, message, fragment);
        if let Some(cycle) = cycle(fragment, &includes, &mut Vec::new()) {
            let message =
                format!("fragments include each other: {} → {}", cycle.join(" → "), cycle[0]);
            findings.insert(used, finding(Code::FragmentCycle, message));
            continue;
        }
        let (missing, cases) = missing_inside(checker, dialect, fragment, &includes);
        if let Some(first) = missing.first() {
            let mut related = Vec::new();
            let (code, what) = match declarations.fragment_name(dialect, first) {
                Some(other) => {
                    (Code::UnknownFragment, format!("fragment `{other}`, which does not exist"))
                }
                None if snapshot.awaits_values() => continue,
                None => {
                    related = checker.lacking_in(&cases, first);
                    let cases = checker.in_cases(&cases);
                    (Code::UndefinedPlaceholder, format!("`{first}`, which has no value{cases}"))
                }
            };
            let finding = finding(code, format!("fragment `{fragment}` needs {what}"));
            findings.insert(used, finding.and_about(first).with(related));
        }
    }
    checker.report(&findings);
}

/// A cycle that is reached from a fragment, from the first fragment of it on.
fn cycle<'n>(
    fragment: &'n str,
    includes: &'n BTreeMap<&str, Vec<String>>,
    open: &mut Vec<&'n str>,
) -> Option<Vec<&'n str>> {
    if let Some(first) = open.iter().position(|other| *other == fragment) {
        return Some(open[first..].to_vec());
    }
    open.push(fragment);
    let found = includes.get(fragment).into_iter().flatten().find_map(|name| {
        includes.contains_key(&**name).then(|| cycle(name, includes, open)).flatten()
    });
    open.pop();
    found
}

/// The names that a fragment, and those in it, need and that have no value; and in which cases.
fn missing_inside(
    checker: &Checker<'_>,
    dialect: Dialect,
    fragment: &str,
    includes: &BTreeMap<&str, Vec<String>>,
) -> (Vec<String>, Vec<usize>) {
    let mut names: Vec<&str> = Vec::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut open = vec![fragment];
    while let Some(fragment) = open.pop() {
        for name in includes.get(fragment).into_iter().flatten() {
            match includes.contains_key(&**name) {
                true if seen.insert(name) => open.push(name),
                true => {}
                false => names.push(name),
            }
        }
    }
    names.retain(|name| !dialect.injects(root(dialect, name)));
    let mut missing = Vec::new();
    let mut cases = Vec::new();
    for name in names {
        let in_cases: Vec<usize> = checker
            .values
            .given()
            .iter()
            .enumerate()
            .filter(|(_, given)| lookup_name(dialect, name, given).is_missing())
            .map(|(case, _)| case)
            .collect();
        if !in_cases.is_empty() {
            if missing.is_empty() {
                cases = in_cases;
            }
            missing.push(name.to_owned());
        }
    }
    (missing, cases)
}

/// Fragments of the same name as a variable or an input.
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
