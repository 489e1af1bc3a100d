//! Names of one prompt in a file: `agents/planner.py#root_agent`.

use std::path::PathBuf;

use promptls_workspace::split_name;

use super::Command;

impl Command {
    /// Splits the name of a prompt off the end of its path, after a `#`. A file with that literal
    /// name, or a name given by --prompt, has priority.
    pub fn split_names(&mut self) {
        match self {
            Command::Resolve(args) => split(&mut args.prompt.prompt, &mut args.prompt.task),
            Command::Vars(args) => split(&mut args.prompt.prompt, &mut args.prompt.task),
            Command::Preview(args) => split(&mut args.prompt.prompt, &mut args.prompt.task),
            Command::Convert(args) => split(&mut args.prompt, &mut args.task),
            Command::Diff(args) => {
                if let [path] = &mut args.paths[..] {
                    split(path, &mut args.task);
                }
            }
            Command::Config(args) => {
                if let Some(path) = &mut args.show {
                    split(path, &mut args.task);
                }
            }
            _ => {}
        }
    }
}

fn split(path: &mut PathBuf, name: &mut Option<String>) {
    if name.is_none()
        && let Some((file, in_file)) = split_name(path)
    {
        *name = Some(in_file);
        *path = file;
    }
}
