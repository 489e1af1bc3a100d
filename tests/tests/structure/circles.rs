//! Modules in an import cycle can only be understood together, so cycles are small.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::source::{Crate, Link, crates};

/// A parent and two children that share its types may implement one idea in three files.
const LARGEST: usize = 3;

#[test]
fn at_most_three_files_import_each_other_in_a_cycle() {
    let mut shown = String::new();
    for sources in crates() {
        for circle in circles(sources) {
            show(sources, &circle, &mut shown);
        }
    }
    assert!(shown.is_empty(), "{shown}");
}

/// The cycles of a crate above [`LARGEST`], the largest first.
fn circles(sources: &Crate) -> Vec<BTreeSet<usize>> {
    let mut links: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for Link { ends: (from, to), .. } in sources.links() {
        links.entry(from).or_default().insert(to);
    }
    let reached: Vec<BTreeSet<usize>> =
        (0..sources.modules().len()).map(|from| reached(from, &links)).collect();
    let circle = |module: usize| -> BTreeSet<usize> {
        let leads_back = |&other: &usize| reached[other].contains(&module);
        reached[module].iter().copied().filter(leads_back).collect()
    };
    let circles: BTreeSet<BTreeSet<usize>> = (0..reached.len()).map(circle).collect();
    let mut circles: Vec<_> = circles.into_iter().filter(|it| it.len() > LARGEST).collect();
    circles.sort_by_key(|files| Reverse(files.len()));
    circles
}

/// The modules reachable from a module.
fn reached(from: usize, links: &BTreeMap<usize, BTreeSet<usize>>) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        open.extend(links.get(&module).into_iter().flatten().filter(|&&to| reached.insert(to)));
    }
    reached
}

/// The files of a cycle, and the first line through which each refers to each other one.
fn show(sources: &Crate, circle: &BTreeSet<usize>, shown: &mut String) {
    let file = |module: usize| &sources.modules()[module].file;
    let mut links: BTreeMap<(&str, &str), Link<'_>> = BTreeMap::new();
    for link in sources.links() {
        let (from, to) = link.ends;
        if circle.contains(&from) && circle.contains(&to) {
            links.entry((file(from), file(to))).or_insert(link);
        }
    }
    let _ = writeln!(shown, "\na circle of {} files:", circle.len());
    for ((from, to), Link { line, path, .. }) in links {
        let _ = writeln!(shown, "  {from}:{line} leads to {to} by `{}`", path.join("::"));
    }
}
