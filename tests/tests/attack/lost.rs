//! Writing files while other programs save, kill, link and lock.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use promptls_tests::langfuse::{Langfuse, PUBLIC_KEY, SECRET_KEY};
use promptls_tests::{
    Output, Promptls, Repository, Workspace, promptls, promptls_path, wait_for, wait_until,
};

/// Whether a name is that of a temporary file.
fn is_temporary(name: &str) -> bool {
    name.starts_with(".promptls-")
}

/// The content of each file below a folder by its path, and the targets of links.
fn contents(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("the folder can be read") {
            let path = entry.expect("an entry can be read").path();
            let name = path.strip_prefix(folder).expect("it is below").display().to_string();
            if path.is_symlink() {
                let target = fs::read_link(&path).expect("it is a link");
                found.insert(name, format!("-> {}", target.display()));
            } else if path.is_dir() {
                folders.push(path);
            } else {
                // It may be a temporary file that has been deleted meanwhile.
                let Ok(bytes) = fs::read(&path) else { continue };
                found.insert(name, String::from_utf8_lossy(&bytes).into_owned());
            }
        }
    }
    found
}

fn temporary_files(folder: &Path) -> Vec<String> {
    let is_left = |path: &String| is_temporary(path.rsplit('/').next().unwrap_or(path));
    contents(folder).into_keys().filter(is_left).collect()
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(promptls_path());
    command.args(arguments).current_dir(folder).env_remove("RUST_LOG");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("promptls starts")
}

/// Another program saves when the temporary file appears, as in the attack with a slow disk. Its
/// changes are preserved, whether it writes in place or renames.
#[test]
fn no_save_of_another_program_is_lost() {
    const ROUNDS: usize = 20;
    let commands: [&[&str]; 2] = [&["fmt"], &["check", "--fix", "--exit-zero"]];
    for round in 0..ROUNDS {
        for (command, is_renamed) in commands.into_iter().zip([round % 2 == 0, round % 2 == 1]) {
            let workspace = Workspace::new(&[
                ("p/a.promptpack.prompt", "Dear {{ name }},  \r\n"),
                ("p/a.promptpack.inputs.json", "{\"name\":\"Ada\"}"),
            ]);
            let folder = workspace.path("p");
            let saved = format!("Saved in round {round}: {{{{ name }}}}\n");
            let path = folder.join("a.promptpack.prompt");
            let mut child = start(workspace.root(), command);
            let mut ended = None;
            while ended.is_none() {
                let names = fs::read_dir(&folder).expect("the folder can be read").flatten();
                if names.map(|it| it.file_name()).any(|it| is_temporary(&it.to_string_lossy())) {
                    break;
                }
                ended = child.try_wait().expect("the process can be asked");
            }
            if is_renamed {
                fs::write(folder.join("saved"), &saved).expect("it can be saved");
                fs::rename(folder.join("saved"), &path).expect("it can be renamed");
            } else {
                fs::write(&path, &saved).expect("it can be saved");
            }
            wait_for(&mut child);
            assert_eq!(fs::read_to_string(&path).expect("it is there"), saved, "{command:?}");
            assert_eq!(temporary_files(workspace.root()), [""; 0]);
        }
    }
}

/// Inputs files that `fmt` changes, with their texts before and after.
fn unformatted(count: usize) -> (Workspace, String, String) {
    let workspace = Workspace::new(&[]);
    let (before, after) = ("{\"name\":\"Ada\"}", "{ \"name\": \"Ada\" }\n");
    for number in 0..count {
        workspace.write(&format!("p/{number}.adk.prompt"), "{name}\n");
        workspace.write(&format!("p/{number}.adk.inputs.json"), before);
    }
    let formatted = Workspace::new(&[("a.adk.prompt", "{name}\n"), ("a.adk.inputs.json", before)]);
    assert_eq!(run(&formatted, &["fmt"]).code, Some(0));
    let made = formatted.read("a.adk.inputs.json");
    assert_ne!(made, before, "{after}");
    (workspace, before.to_owned(), made)
}

fn run(workspace: &Workspace, arguments: &[&str]) -> Output {
    promptls(arguments).cwd(workspace.root()).run()
}

/// The number of inputs files with each of the two texts. Every file has one of them.
fn count(workspace: &Workspace, before: &str, after: &str) -> (usize, usize) {
    let all = contents(&workspace.path("p"));
    let inputs = all.iter().filter(|(name, _)| name.ends_with(".inputs.json"));
    let (old, new): (Vec<_>, Vec<_>) = inputs.partition(|(_, text)| *text == before);
    for (name, text) in &new {
        assert_eq!(text.as_str(), after, "{name}");
    }
    (old.len(), new.len())
}

#[test]
fn a_kill_leaves_complete_files_and_the_next_run_removes_leftovers() {
    const FILES: usize = 1_000;
    let (workspace, before, after) = unformatted(FILES);
    for wanted in [1, FILES / 4] {
        let mut child = start(workspace.root(), &["fmt"]);
        wait_until("some files are formatted", || count(&workspace, &before, &after).1 >= wanted);
        child.kill().expect("it can be killed");
        wait_for(&mut child);
        let (old, new) = count(&workspace, &before, &after);
        assert_eq!(old + new, FILES);
    }
    // The state after being killed at the worst moment, which a test cannot hit reliably.
    workspace.write("p/.promptls-1-0.tmp", "half");
    let output = run(&workspace, &["fmt"]);
    assert_eq!(output.code, Some(0), "{output:?}");
    assert_eq!(count(&workspace, &before, &after), (0, FILES));
    assert_eq!(temporary_files(workspace.root()), [""; 0]);
    // Also if nothing is written.
    workspace.write("p/.promptls-1-0.tmp", "half");
    assert_eq!(run(&workspace, &["fmt"]).code, Some(0));
    assert_eq!(temporary_files(workspace.root()), [""; 0]);
}

#[test]
fn two_runs_at_once_lose_nothing() {
    const FILES: usize = 300;
    let (workspace, before, after) = unformatted(FILES);
    let mut runs = [(); 2].map(|()| start(workspace.root(), &["fmt"]));
    for child in &mut runs {
        // Exit code 2: the other run was faster with a file.
        let code = wait_for(child).code();
        assert!(matches!(code, Some(0 | 2)), "{code:?}");
    }
    assert_eq!(count(&workspace, &before, &after), (0, FILES));
    assert_eq!(temporary_files(workspace.root()), [""; 0]);
}

/// A limit on the size of files has the same effect as a full disk.
#[test]
fn a_full_disk_changes_nothing() {
    let long = format!("{{\"name\":\"{}\"}}", "Ada ".repeat(10_000));
    let workspace = Workspace::new(&[("a.adk.prompt", "{name}\n"), ("a.adk.inputs.json", &long)]);
    let before = contents(workspace.root());
    let program = promptls_path().display().to_string();
    for command in
        ["fmt", "resolve a.adk.prompt -o new.txt", "preview a.adk.prompt --html new.html"]
    {
        let script = format!("ulimit -f 8; trap '' XFSZ; exec \"$0\" {command}");
        let limited = Promptls::at("sh", &["-c", &script, &program]);
        let output = limited.cwd(workspace.root()).run();
        assert_eq!(output.code, Some(2), "{command}: {output:?}");
        assert!(output.stderr.contains("cannot write"), "{command}: {output:?}");
        assert_eq!(contents(workspace.root()), before, "{command}");
    }
}

/// The files for the table of commands: files to fix, to format, to compare and to print.
const FILES: [(&str, &str); 6] = [
    ("a.adk.prompt", "{name} {missing}\n"),
    ("a.adk.inputs.json", "{\"name\":\"Ada\"}"),
    ("a.adk.other.inputs.json", "{\"name\":\"Grace\"}"),
    ("fix.promptpack.prompt", "{{ name }}"),
    ("fixed.promptpack.inputs.json", "{\"name\":\"Ada\"}"),
    ("rows.jsonl", "{\"name\": \"Ada\", \"missing\": \"x\"}\n"),
];

/// Every command that writes a file with a user-defined name.
const WRITING: [&[&str]; 11] = [
    &["check", "--write-baseline", "OUT"],
    &["check", "-o", "OUT", "--exit-zero"],
    &["stats", "-o", "OUT"],
    &["graph", "-o", "OUT"],
    &["diff", "a.adk.prompt", "--case", "default", "--case", "other", "-o", "OUT"],
    &["resolve", "a.adk.prompt", "--partial", "--case", "default", "-o", "OUT"],
    &["resolve", "a.adk.prompt", "--case", "default", "--format", "json", "-o", "OUT"],
    &["resolve", "a.adk.prompt", "--rows", "rows.jsonl", "-o", "OUT"],
    &["preview", "fix.promptpack.prompt", "--html", "OUT"],
    &["new", "code-review", "--dialect", "adk", "-o", "OUT", "--force"],
    &["new", "--dialect", "adk", "--task", "Sum up", "-o", "OUT", "--force"],
];

/// Every command that changes an existing file.
const CHANGING: [(&[&str], &str, &str); 5] = [
    (&["fmt", "OUT"], "out.adk.inputs.json", "{\"name\":1}"),
    (&["check", "--fix", "OUT"], "fixed.promptpack.prompt", "{{ name }}"),
    (&["check", "--add-ignores"], "promptls.toml", "# mine\n"),
    (&["init", "--yes"], "promptls.toml", "# mine\n"),
    (&["convert", "a.adk.prompt", "--to", "agentle", "-o", "OUT", "--force"], "out", "mine"),
];

/// A command and its output file, with the file's previous content.
struct LossCase {
    command: Vec<String>,
    name: &'static str,
    content: &'static str,
}

fn cases() -> Vec<LossCase> {
    let named = |command: &[&str], name: &str| {
        command.iter().map(|part| part.replace("OUT", name)).collect::<Vec<_>>()
    };
    let writing = WRITING.iter().map(|command| {
        let name = if command[0] == "new" { "out.adk.prompt" } else { "out" };
        let is_baseline = command.contains(&"--write-baseline");
        let content = if is_baseline { "{\"version\": 2, \"problems\": []}" } else { "mine" };
        LossCase { command: named(command, name), name, content }
    });
    let changing = CHANGING.iter().map(|&(command, name, content)| LossCase {
        command: named(command, name),
        name,
        content,
    });
    writing.chain(changing).collect()
}

fn files() -> Workspace {
    let workspace = Workspace::new(&FILES);
    // A file for which `init` proposes a rule.
    workspace.write("prompts/support.txt", "Dear {user:name}, {app:city?}\n");
    workspace
}

/// Runs a command, and asserts that it fails and changes nothing outside of the workspace.
fn assert_leads_out(workspace: &Workspace, outside: &Workspace, command: &[String]) {
    let before = contents(outside.root());
    let output = promptls(command).cwd(workspace.root()).run();
    assert_eq!(contents(outside.root()), before, "{command:?}: {output:?}");
    let printed = [&*output.stdout, &*output.stderr].concat();
    assert!(
        printed.contains("leads out of") || printed.contains("leads outside of"),
        "{command:?}: {output:?}"
    );
    assert_eq!(output.code, Some(2), "{command:?}: {output:?}");
}

#[test]
fn no_command_writes_through_a_link_out_of_the_project() {
    for LossCase { command, name, content } in cases() {
        let outside = Workspace::new(&[("target", content)]);
        let workspace = files();
        fs::create_dir(workspace.path(".git")).expect("a folder can be made");
        symlink(outside.path("target"), workspace.path(name)).expect("a link can be made");
        assert_leads_out(&workspace, &outside, &command);
        assert!(workspace.path(name).is_symlink(), "{command:?}");
    }
}

#[test]
fn no_command_writes_into_a_folder_that_is_a_link_out_of_the_project() {
    for LossCase { command, name, content } in cases() {
        // No command line names a config.
        if !command.iter().any(|part| part == name) {
            continue;
        }
        let outside = Workspace::new(&[
            (name, content),
            ("fixed.promptpack.inputs.json", "{\"name\":\"Ada\"}"),
        ]);
        let workspace = files();
        fs::create_dir(workspace.path(".git")).expect("a folder can be made");
        symlink(outside.root(), workspace.path("sub")).expect("a link can be made");
        let through = |part: &String| match part == name {
            true => format!("sub/{part}"),
            false => part.clone(),
        };
        assert_leads_out(&workspace, &outside, &command.iter().map(through).collect::<Vec<_>>());
    }
}

#[test]
fn a_link_within_the_project_is_kept() {
    for LossCase { command, name, content } in cases() {
        let workspace = files();
        workspace.write("inner/target", content);
        symlink("inner/target", workspace.path(name)).expect("a link can be made");
        let output = promptls(&command).cwd(workspace.root()).run();
        assert!(workspace.path(name).is_symlink(), "{command:?}: {output:?}");
        assert_ne!(workspace.read("inner/target"), content, "{command:?}: {output:?}");
    }
}

#[test]
fn read_only_files_and_hard_links_are_replaced_only_by_force() {
    for LossCase { command, name, content } in cases() {
        for is_link in [false, true] {
            let workspace = files();
            workspace.write(name, content);
            let path = workspace.path(name);
            if is_link {
                fs::hard_link(&path, workspace.path("second")).expect("a link can be made");
            } else {
                let mode = fs::Permissions::from_mode(0o444);
                fs::set_permissions(&path, mode).expect("it is ours");
            }
            let force = ["--force".to_owned()];
            let (plain, forced) = match command.contains(&force[0]) {
                true => (None, command.clone()),
                false => (Some(command.clone()), [&command[..], &force].concat()),
            };
            if let Some(plain) = plain {
                let output = promptls(&plain).cwd(workspace.root()).run();
                assert_eq!(output.code, Some(2), "{plain:?}: {output:?}");
                let reason = if is_link {
                    "it has 2 hard links; --force"
                } else {
                    "it is read-only; --force"
                };
                assert!(output.stderr.contains(reason), "{plain:?}: {output:?}");
                assert_eq!(workspace.read(name), content, "{plain:?}");
            }
            let output = promptls(&forced).cwd(workspace.root()).run();
            assert_ne!(workspace.read(name), content, "{forced:?}: {output:?}");
            if is_link {
                assert_eq!(workspace.read("second"), content, "{forced:?}");
            }
        }
    }
}

/// A store may give any name to a prompt, and a lock and links may come with the repository.
#[test]
fn prompts_of_a_store_are_not_written_into_version_control() {
    const CONFIG: &str = "[stores.prod]\nkind = \"langfuse\"\nprompts = \"prompts\"\n\n[stores.dev]\nkind = \"filesystem\"\nfolder = \"dev\"\nprompts = \"prompts\"\n";
    let server = Langfuse::new();
    let names = [
        ".git/config",
        ".GIT/config",
        "a/.Git/x",
        ".hg/x",
        ".JJ/x",
        ".svn/x",
        ".hidden/x",
        "GIT~1/config",
        "a/.hidden",
    ];
    for name in names {
        server.add(name, "stolen", &["production"]);
    }
    let workspace = Workspace::new(&[("promptls.toml", CONFIG), (".git/config", "mine")]);
    let before = contents(workspace.root());
    let run = |arguments: &[&str]| {
        let command = promptls(arguments).cwd(workspace.root());
        let command = command.env("LANGFUSE_HOST", &server.url()).env("NO_PROXY", "*");
        command.env("LANGFUSE_PUBLIC_KEY", PUBLIC_KEY).env("LANGFUSE_SECRET_KEY", SECRET_KEY).run()
    };
    let output = run(&["store", "pull", "prod"]);
    assert_eq!(output.code, Some(2), "{output:?}");
    assert_eq!(contents(workspace.root()), before, "{output:?}");

    let lock = "[[prompts]]\nfile = \".git/config\"\nstore = \"prod\"\nid = \"a\"\nhash = \"x\"\n";
    workspace.write("promptls.lock", lock);
    server.add("a", "stolen", &["production"]);
    let output = run(&["store", "pull", "prod:a", "--force"]);
    assert_eq!(output.code, Some(2), "{output:?}");
    assert!(output.stderr.contains(".git/config is in a folder of version control"), "{output:?}");
    workspace.remove("promptls.lock");

    symlink(".git", workspace.path("prompts")).expect("a link can be made");
    let output = run(&["store", "pull", "prod:a", "--force"]);
    assert_eq!(output.code, Some(2), "{output:?}");
    assert!(output.stderr.contains("leads into a folder of version control"), "{output:?}");
    fs::remove_file(workspace.path("prompts")).expect("the link can be removed");

    // A folder of prompts is also a store.
    workspace.write("mine.prompt", "stolen");
    fs::create_dir(workspace.path("dev")).expect("a folder can be made");
    symlink("../.git", workspace.path("dev/link")).expect("a link can be made");
    for id in [".git/config", ".GIT/config", "link/config", "link/new"] {
        let output =
            run(&["store", "push", &format!("dev:{id}"), "--file", "mine.prompt", "--force"]);
        assert_eq!(output.code, Some(2), "{id}: {output:?}");
    }
    let left: Vec<String> = contents(&workspace.path(".git")).into_values().collect();
    assert_eq!(left, ["mine"]);
}

/// A link that is moved back and forth between the check and the write never leads out.
#[test]
fn a_continuously_changing_link_is_not_followed_out_of_the_project() {
    let outside = Workspace::new(&[("out", "mine")]);
    let workspace = files();
    for folder in ["real", ".git"] {
        fs::create_dir(workspace.path(folder)).expect("a folder can be made");
    }
    let (sub, real) = (workspace.path("sub"), workspace.path("real"));
    thread::scope(|scope| {
        let runs = scope.spawn(|| {
            for _ in 0..20 {
                let output = run(&workspace, &["stats", "-o", "sub/out"]);
                assert!(matches!(output.code, Some(0 | 2)), "{output:?}");
            }
        });
        while !runs.is_finished() {
            // Each of these may encounter a folder that was created meanwhile.
            let _ = fs::rename(&real, &sub);
            let _ = fs::rename(&sub, &real);
            let _ = symlink(outside.root(), &sub);
            let _ = fs::remove_file(&sub);
        }
    });
    assert_eq!(outside.read("out"), "mine");
    assert_eq!(fs::read_dir(outside.root()).expect("it can be read").count(), 1);
}

/// Each command with an output that would replace a file which the command reads, and the file.
const OUTPUTS_OVER_INPUTS: &[(&str, &str)] = &[
    ("check --write-baseline a.adk.prompt", "a.adk.prompt"),
    ("check -o a.adk.prompt", "a.adk.prompt"),
    ("check -o ./sub/../a.adk.prompt", "a.adk.prompt"),
    ("check -o link", "a.adk.prompt"),
    ("check --format json -o a.adk.inputs.json", "a.adk.inputs.json"),
    ("check -o gone.adk.inputs.json", "gone.adk.inputs.json"),
    ("check -o promptls.toml", "promptls.toml"),
    ("check --format json -o agent.py", "agent.py"),
    ("check --baseline known.json -o known.json", "known.json"),
    ("check sub -o promptls.toml", "promptls.toml"),
    ("stats -o a.adk.prompt", "a.adk.prompt"),
    ("stats -o text.txt", "text.txt"),
    ("stats --prices prices.json -o prices.json", "prices.json"),
    ("graph -o a.adk.prompt", "a.adk.prompt"),
    ("graph -o a.adk.variables.json", "a.adk.variables.json"),
    ("diff --case default --case b --format html -o a.adk.prompt a.adk.prompt", "a.adk.prompt"),
    ("diff --rev HEAD --format html -o a.adk.prompt", "a.adk.prompt"),
    ("resolve -o a.adk.prompt a.adk.prompt", "a.adk.prompt"),
    ("resolve --format json -o link a.adk.prompt", "a.adk.prompt"),
    ("resolve --format messages -o promptls.toml a.adk.prompt", "promptls.toml"),
    ("resolve --inputs other.json -o other.json a.adk.prompt", "other.json"),
    ("resolve --all-cases -o a.adk.prompt a.adk.prompt", "a.adk.prompt"),
    ("resolve --rows t.jsonl -o a.adk.prompt a.adk.prompt", "a.adk.prompt"),
    ("resolve --rows t.jsonl -o t.jsonl a.adk.prompt", "t.jsonl"),
    ("preview --html a.adk.inputs.json a.adk.prompt", "a.adk.inputs.json"),
    ("preview --html promptls.toml a.adk.prompt", "promptls.toml"),
    ("convert a.adk.prompt --to agentle -o a.adk.inputs.json --force", "a.adk.inputs.json"),
    ("convert a.adk.prompt --to agentle --force", "a.adk.prompt"),
];

#[test]
fn no_output_replaces_a_file_that_the_command_reads() {
    let workspace = Workspace::new(&[
        ("promptls.toml", "[[prompts]]\nfiles = ['none.txt']\ndialect = 'adk'\n"),
        ("a.adk.prompt", "Hi {x} {y}\n"),
        ("a.adk.inputs.json", "{\"x\": \"1\", \"y\": {\"$file\": \"text.txt\"}}\n"),
        ("a.adk.b.inputs.json", "{\"x\": \"2\", \"y\": \"z\"}\n"),
        ("a.adk.variables.json", "{\"variables\": []}\n"),
        ("agent.py", "from google.adk.agents import Agent\nAgent(name='a', instruction='Hi')\n"),
        ("gone.adk.inputs.json", "{}\n"),
        ("sub/b.adk.prompt", "Hi\n"),
        ("text.txt", "text"),
        ("other.json", "{\"x\": \"3\", \"y\": \"z\"}\n"),
        ("t.jsonl", "{\"x\": \"4\", \"y\": \"z\"}\n"),
        ("known.json", "{\"version\": 2, \"problems\": []}\n"),
        ("prices.json", "{\"gpt-4o\": 2.5}\n"),
    ]);
    symlink("a.adk.prompt", workspace.path("link")).expect("a link");
    symlink("a.adk.prompt", workspace.path("a.agentle.prompt")).expect("a link");
    Repository::new(&workspace).commit_all();
    let before = contents(workspace.root());
    for (command, file) in OUTPUTS_OVER_INPUTS {
        let output = run(&workspace, &command.split(' ').collect::<Vec<_>>());
        let all = format!("{}{}", output.stdout, output.stderr);
        assert_eq!(output.code, Some(2), "{command}: {all}");
        let reason = ": this command reads it; name another file\n";
        assert!(
            all.contains("promptls: cannot write ") && all.contains(reason),
            "{command}: {all}"
        );
        assert_eq!(workspace.read(file), before[*file], "{command}");
    }
    // A file that is only in the same folder is replaced.
    workspace.write("report.json", "[1]");
    let output = run(&workspace, &["check", "--format", "json", "-o", "report.json"]);
    assert!(workspace.read("report.json").contains("\"summary\""), "{}", output.stderr);
}

#[test]
fn a_baseline_replaces_only_a_baseline() {
    for (text, is_replaced) in [
        ("{\"mine\": 1}", false),
        ("{\"version\": 1, \"problems\": [], \"summary\": {}}", false),
        ("not JSON", false),
        ("{\"version\": 1, \"problems\": []}", true),
        ("{\"version\": 2, \"problems\": []}", true),
        ("\n", true),
        ("", true),
    ] {
        let workspace = Workspace::new(&[("a.adk.prompt", "Hi {x}"), ("n.json", text)]);
        let output = run(&workspace, &["check", "--write-baseline", "n.json"]);
        assert_eq!(workspace.read("n.json") != text, is_replaced, "{text}: {}", output.stderr);
        assert_eq!(output.code, Some(if is_replaced { 0 } else { 2 }), "{text}: {}", output.stderr);
        let message = "promptls: cannot write n.json: it is not a baseline; delete it, or name \
                       another file\n";
        assert_eq!(output.stderr.contains(message), !is_replaced, "{text}: {}", output.stderr);
    }
}
