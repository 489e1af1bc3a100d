//! The measured commit and the machine, which are needed to interpret a figure.

use std::env;
use std::path::Path;
use std::process::Command;
use std::thread;

use procfs::{CpuInfo, Current};

/// The crates of the other engines.
const PEERS: [&str; 5] = ["ramhorns", "tera", "minijinja", "handlebars", "upon"];

/// `3ef54d8`, and whether the tree has changes outside of the benches.
pub fn commit() -> String {
    let tree = Path::new(env!("CARGO_MANIFEST_DIR"));
    let git = |arguments: &[&str]| {
        output_of(Command::new("git").arg("-C").arg(tree).args(arguments)).unwrap_or_default()
    };
    let commit = git(&["rev-parse", "--short", "HEAD"]);
    match git(&["status", "--porcelain", "--", ":/", ":!README.md"]).is_empty() {
        true => commit,
        false => format!("{commit}, with changes that are not committed"),
    }
}

/// The current date in UTC, as `2026-01-31`.
pub fn date() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%d").to_string()
}

/// The compiler and the profile: `rustc 1.95.0, dist profile`.
pub fn rust() -> String {
    let version = output_of(Command::new("rustc").arg("--version")).unwrap_or_default();
    let version = version.split(" (").next().unwrap_or_default();
    // The folder where cargo has put this program.
    let this = env::current_exe().unwrap_or_default();
    let folder = this.parent().and_then(Path::file_name).unwrap_or_default();
    format!("{version}, {} profile", folder.to_string_lossy())
}

/// `AMD EPYC, 2 processors, linux x86_64`
pub fn processor() -> String {
    let info = CpuInfo::current().ok();
    let model = info.as_ref().and_then(|info| info.model_name(0)).unwrap_or("unknown");
    let processors = thread::available_parallelism().map_or(1, usize::from);
    format!("{model}, {processors} processors, {} {}", env::consts::OS, env::consts::ARCH)
}

/// `ramhorns 1.0.1, …`, and ripgrep's.
pub fn peers() -> String {
    let lock: toml::Table =
        include_str!("../../../Cargo.lock").parse().expect("what cargo writes is TOML");
    let packages = lock["package"].as_array().expect("a lock file lists packages");
    let version = |name: &str| {
        let package = packages.iter().find(|package| package["name"].as_str() == Some(name));
        package.and_then(|package| package["version"].as_str()).unwrap_or("?")
    };
    let mut peers = PEERS.map(|name| format!("{name} {}", version(name))).to_vec();
    peers.extend(ripgrep());
    peers.join(", ")
}

/// `ripgrep 15.1.0`, if it is installed.
pub fn ripgrep() -> Option<String> {
    let version = output_of(Command::new("rg").arg("--version"))?;
    let mut words = version.split_whitespace();
    Some(format!("{} {}", words.next()?, words.next()?))
}

/// The output of a command, trimmed; `None` if it fails.
fn output_of(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
