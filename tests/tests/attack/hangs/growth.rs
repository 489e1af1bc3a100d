//! Four times as much takes about four times as long, where it took the square.

use std::fmt::Write as _;
use std::time::Duration;

use promptls_tests::Workspace;

use super::cost::processor_time;

/// Four times as much takes at most this many times as long. The square would be sixteen.
const MOST: u32 = 9;

/// What is too short to be compared counts as this much.
const LEAST: Duration = Duration::from_millis(100);

/// Checks folders with `small` and four times `small` of something, of which `code` comes.
#[track_caller]
fn check(small: usize, code: i32, workspace: impl Fn(usize) -> Workspace) {
    let time = |count| processor_time(workspace(count).root(), &["check"], code).max(LEAST);
    let (one, four) = (time(small), time(4 * small));
    assert!(four < one * MOST, "{small}: {one:?}, {}: {four:?}", 4 * small);
}

/// So many names of nine letters, none of which is near another.
fn names(start: char, count: usize) -> impl Iterator<Item = String> {
    let letter = |digit: usize| char::from(b'a' + (digit % 26) as u8);
    (0..count).map(move |number| {
        let digits = [number, number / 26, number / 676].map(letter);
        let [one, two, three] = digits;
        format!("{start}{one}{one}{two}{two}{three}{three}{one}{three}")
    })
}

/// An application that sets so many names in its state, and has an agent for each of as many others.
fn agents(count: usize, in_one_file: bool) -> Workspace {
    let workspace = Workspace::new(&[("pyproject.toml", "")]);
    let mut tools = "def f(context):\n".to_owned();
    for name in names('s', count) {
        let _ = writeln!(tools, "  context.state['{name}'] = 1");
    }
    workspace.write("tools.py", &tools);
    let import = "from google.adk.agents import Agent\n";
    let mut all = import.to_owned();
    for (number, name) in names('u', count).enumerate() {
        let agent = format!("a{number} = Agent(name='a', instruction='Do {{{name}}}')\n");
        match in_one_file {
            true => all.push_str(&agent),
            false => workspace.write(&format!("a{number}.py"), &format!("{import}{agent}")),
        }
    }
    if in_one_file {
        workspace.write("agents.py", &all);
    }
    workspace
}

#[test]
fn names_in_a_state_beside_as_many_unknown_ones() {
    check(300, 0, |count| agents(count, true));
    check(150, 0, |count| agents(count, false));
}
