//! Prompts that were pulled from a store: their display in an editor, and the available commands.
//!
//! A store is accessed by the program's own `store` command, in a separate process and only on
//! request. The server itself does not use the network, and a store that does not respond blocks
//! nothing else.

use std::collections::{BTreeSet, HashMap};
use std::env;
use std::io;
use std::path::Path;
use std::process::{Output, Stdio};
use std::sync::Arc;

use promptls_protocol::Side;
use promptls_protocol::commands::{DIFF_STORED, PULL_PROMPT, PUSH_PROMPT};
use promptls_workspace::{DISK, first_inputs, folder_of, hash, new_variables};
use serde_json::json;
use tokio::process::Command;

use crate::client_capabilities::ClientCapabilities;
use crate::convert::{ProgressToken, Uri};
use crate::errors::{Error, Result, refused};
use crate::handlers::CommandCall;
use crate::handlers::listed_action::ListedAction;
use crate::session::Session;
use crate::session::documents::Documents;
use crate::session::prompt_snapshot::PromptSnapshot;

/// The prefix of a revision in a store: `store:NAME` or `store:NAME:LABEL`. Revisions of git
/// contain no colon there.
const IN_STORE: &str = "store:";

/// Store commands do not change the text, so none of the standard kinds applies.
pub const STORE: &str = "promptls.store";

/// The text above a prompt that differs from the pulled version; `None` if it does not differ or
/// was not pulled.
pub fn difference(documents: &Documents, prompt: &PromptSnapshot) -> Option<String> {
    let pulled = documents.project().pulled(prompt)?;
    let text = prompt.snapshot().text.whole();
    (hash(&text) != pulled.hash).then(|| match pulled.version {
        Some(version) => format!("Differs from {}, version {version}", pulled.store),
        None => format!("Differs from {}", pulled.store),
    })
}

/// The store commands for a prompt, for an editor without its own commands.
pub fn actions(
    documents: &Documents,
    client: &ClientCapabilities,
    prompt: &PromptSnapshot,
) -> Vec<ListedAction> {
    if client.offers(DIFF_STORED) {
        return Vec::new();
    }
    let (Some(uri), Some(pulled)) = (prompt.uri(), documents.project().pulled(prompt)) else {
        return Vec::new();
    };
    let action = |title: String, command: &'static str| {
        let command =
            CommandCall { title: title.clone(), command, arguments: vec![json!({ "uri": uri })] };
        ListedAction { command: Some(command), ..ListedAction::new(title, STORE) }
    };
    vec![
        action(format!("Pull from {}", pulled.store), PULL_PROMPT),
        action(format!("Push to {}", pulled.store), PUSH_PROMPT),
    ]
}

/// Pulls or pushes a prompt, and shows the result.
pub async fn run(
    session: Arc<Session>,
    uri: Uri,
    command: &str,
    message: Option<String>,
    token: Option<ProgressToken>,
) -> Result<()> {
    let documents = &session.documents;
    let prompts = documents.unstored().prompts(&uri);
    let prompt = prompts.first().ok_or_else(|| refused("this is not a prompt"))?;
    let pulled = documents.project().pulled(prompt).ok_or_else(was_not_pulled)?;
    let path = prompt.path();
    // A store reads and writes files. Unsaved text would be ignored or lost. Some editors write a
    // final line break that they do not report.
    let typed = prompt.snapshot().text.whole();
    let without_end = |text: &str| text.trim_end_matches(['\r', '\n']).to_owned();
    let is_saved = DISK.read(path).is_ok_and(|text| without_end(&text) == without_end(&typed));
    if !is_saved {
        return Err(refused("save the prompt first"));
    }
    let address = format!("{}:{}", pulled.store, pulled.id);
    let (verb, title) = match command {
        PUSH_PROMPT => ("push", format!("Pushing to {address}")),
        _ => ("pull", format!("Pulling {address}")),
    };
    let mut arguments = vec![verb.to_owned(), address];
    arguments.extend(message.map(|message| format!("--message={message}")));
    let request = run_store(&session, path, arguments);
    let done = session.with_progress(token, title, request).await?;
    session.stored_texts.forget();
    session.editor.show_information(message_of(&done)).await;
    let config = documents.project().config_of(path);
    let config = config.as_deref();
    let written = [path.to_owned(), new_variables(path, config), first_inputs(path, config)];
    session.diagnostics.mark(documents.sync().files_changed(&written));
    session.refresh().display();
    Ok(())
}

/// The texts from stores for the sides of a comparison, by revision.
pub async fn texts(
    session: &Arc<Session>,
    prompt: Option<&PromptSnapshot>,
    sides: [&Side; 2],
) -> Result<HashMap<String, Arc<str>>> {
    let mut texts = HashMap::new();
    let revisions: BTreeSet<&String> = sides.iter().filter_map(|it| it.revision.as_ref()).collect();
    for revision in revisions {
        let (Some(prompt), Some(source)) = (prompt, revision.strip_prefix(IN_STORE)) else {
            continue;
        };
        let (store, label) = source.split_once(':').unzip();
        let store = store.unwrap_or(source);
        let pulled = session.documents.project().pulled(prompt).ok_or_else(was_not_pulled)?;
        if pulled.store != store {
            let other = &pulled.store;
            return Err(refused(format!("this prompt was pulled from `{other}`, not `{store}`")));
        }
        let address = format!("{}:{}", pulled.store, pulled.id);
        let title = format!("Fetching {address}");
        let mut arguments = vec!["show".to_owned(), address];
        arguments.extend(label.map(|label| format!("--label={label}")));
        let (for_store, path) = (session.clone(), prompt.path().to_owned());
        let text = session.stored_texts.get(arguments.clone(), move || async move {
            let shown = for_store
                .with_progress(None, title, run_store(&for_store, &path, arguments))
                .await?;
            Ok(String::from_utf8_lossy(&shown.stdout).into())
        });
        texts.insert(revision.clone(), text.await?);
    }
    Ok(texts)
}

fn was_not_pulled() -> Error {
    refused("this prompt was not pulled from a store; run `promptls store pull` first")
}

/// Runs a store command for a prompt. Fails with its error message. The process ends when the
/// future is dropped.
async fn run_store(session: &Session, prompt: &Path, arguments: Vec<String>) -> Result<Output> {
    let failed = |error| refused(format!("promptls cannot be started: {error}"));
    let output = this_program(session)
        .map_err(failed)?
        .arg("store")
        .args(arguments)
        .current_dir(folder_of(prompt))
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = output.await.map_err(failed)?;
    match output.status.success() {
        true => Ok(output),
        false => Err(refused(message_of(&output))),
    }
}

/// Returns the command that starts this program again.
fn this_program(session: &Session) -> io::Result<Command> {
    let Some((program, first)) = session.program.split_first() else {
        return Ok(Command::new(env::current_exe()?));
    };
    let mut command = Command::new(program);
    command.args(first);
    Ok(command)
}

/// The message on stderr, for the user.
fn message_of(output: &Output) -> String {
    let message = String::from_utf8_lossy(&output.stderr);
    message.trim_end().trim_start_matches("promptls: ").to_owned()
}
