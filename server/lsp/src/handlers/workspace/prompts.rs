//! `promptls/prompts`: the prompts of the workspace as a tree, one level at a time.
//!
//! After the first request, the client is notified of changes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_protocol::{
    PromptNode, PromptNodeKind, PromptTree, PromptsChangedParams, PromptsParams,
};
use promptls_workspace::{
    Once, ProblemCounts, Project, TreeCase, TreeEntry, TreeFile, TreeNews, TreePrompt,
};

use crate::convert;
use crate::errors::{Result, invalid_params};
use crate::session::Session;
use crate::worker::work;

/// If more files than these have changed, the notification names none, as if any may have changed.
const MAX_LISTED_FILES: usize = 16;

/// A node of the tree and its children; `None` if there are no prompts.
///
/// Cost: the first time, a scan of the whole workspace. Later, only the child prompts that have
/// changed: their cases are checked, and their tokens counted.
pub async fn prompts(session: Arc<Session>, params: PromptsParams) -> Result<Option<PromptTree>> {
    let is_new = session.workspace.want_tree();
    if is_new {
        let session = session.clone();
        tokio::spawn(async move { session.show_workspace(None).await });
    }
    session.workspace.settle().await;
    if is_new {
        session.workspace.tree(|tree| tree.take_news());
        tokio::spawn(report_changes(session.clone()));
    }
    work(true, move || of(&session, params)).await
}

/// Notifies the client of changes until the server ends.
async fn report_changes(session: Arc<Session>) {
    let mut steps = session.workspace.steps();
    while steps.changed().await.is_ok() {
        session.workspace.settle().await;
        let news = session.workspace.tree(|tree| tree.take_news());
        if news == TreeNews::default() {
            continue;
        }
        let is_much = news.are_folders_old || news.files.len() > MAX_LISTED_FILES;
        let files = news.files.iter().filter(|_| !is_much);
        let uris = files.filter_map(|path| session.documents.uri(path)).map(|uri| uri.to_string());
        let params = PromptsChangedParams { uris: uris.collect() };
        session.editor.prompts_changed(params).await;
    }
}

fn of(session: &Session, params: PromptsParams) -> Result<Option<PromptTree>> {
    let folders = session.documents.log().folders();
    let Some(uri) = params.uri else {
        let children = match &folders[..] {
            [only] => in_folder(session, only),
            several => folders_of(session, several),
        };
        return Ok(Some(PromptTree { node: None, children }));
    };
    let no_uri = |_| invalid_params(format!("`{uri}` is not a URI"));
    let path = convert::path(&uri.parse().map_err(no_uri)?);
    let (file, problems) =
        session.workspace.tree(|tree| (tree.file(&path), tree.problems_below(&path)));
    let Some(file) = file else {
        let node = problems.and_then(|problems| folder(session, &path, &path, problems));
        let children = || in_folder(session, &path);
        return Ok(node.map(|node| PromptTree { node: Some(node), children: children() }));
    };
    let in_file = InFile::new(session, path, file);
    Ok(in_file.and_then(|file| file.tree(params.task.as_deref())))
}

/// The folders of a workspace with several.
fn folders_of(session: &Session, folders: &[PathBuf]) -> Vec<PromptNode> {
    let node = |path: &PathBuf| {
        let problems = session.workspace.tree(|tree| tree.problems_below(path))?;
        folder(session, path.parent().unwrap_or(path), path, problems)
    };
    folders.iter().filter_map(node).collect()
}

/// The entries of a folder, with the data to display each file.
fn in_folder(session: &Session, path: &Path) -> Vec<PromptNode> {
    let entries = session.workspace.tree(|tree| tree.entries(path));
    let (mut nodes, mut files) = (Vec::new(), Vec::new());
    for entry in entries {
        match entry {
            TreeEntry::Folder(below, problems) => {
                nodes.extend(folder(session, path, &below, problems));
            }
            TreeEntry::File(path, file) => files.push((path, file)),
        }
    }
    let all = Once::new(session.documents.all_files());
    let configs = session.documents.new_configs();
    let program = session.documents.code_facts();
    TreeFile::look_at_all(&files, Project { files: &all, configs: &configs, program });
    let files = files.into_iter().filter_map(|(path, file)| InFile::new(session, path, file));
    nodes.extend(files.map(|file| file.node()));
    nodes
}

/// A folder; its name is its path relative to `above`.
fn folder(
    session: &Session,
    above: &Path,
    path: &Path,
    problems: ProblemCounts,
) -> Option<PromptNode> {
    let inside = path.strip_prefix(above).ok().filter(|inside| !inside.as_os_str().is_empty());
    let name = inside.unwrap_or_else(|| Path::new(path.file_name().unwrap_or_default()));
    Some(PromptNode {
        kind: PromptNodeKind::Folder,
        name: name.display().to_string(),
        uri: session.documents.uri(path)?.to_string(),
        task: None,
        line: None,
        case: None,
        inputs: None,
        errors: problems.errors,
        warnings: problems.warnings,
        tokens: None,
        has_children: true,
    })
}

/// Creates the nodes of a file of prompts.
struct InFile<'s> {
    session: &'s Session,
    path: PathBuf,
    uri: String,
    file: TreeFile,
}

impl InFile<'_> {
    fn new(session: &Session, path: PathBuf, file: TreeFile) -> Option<InFile<'_>> {
        let uri = session.documents.uri(&path)?.to_string();
        Some(InFile { session, path, uri, file })
    }

    fn prompts(&self) -> &[TreePrompt] {
        let files = Once::new(self.session.documents.all_files());
        let configs = self.session.documents.new_configs();
        let program = self.session.documents.code_facts();
        self.file.prompts(&self.path, Project { files: &files, configs: &configs, program })
    }

    /// The node of the file, or of one of its prompts, with its children.
    fn tree(&self, task: Option<&str>) -> Option<PromptTree> {
        let prompts = self.prompts();
        let (node, children) = match (prompts, task) {
            (prompts, Some(task)) => {
                let prompt = prompts.iter().find(|it| it.name.as_deref() == Some(task))?;
                (self.prompt(prompt), self.cases(prompt))
            }
            ([only], None) if only.name.is_none() => (self.node(), self.cases(only)),
            (prompts, None) => (self.node(), prompts.iter().map(|it| self.prompt(it)).collect()),
        };
        Some(PromptTree { node: Some(node), children })
    }

    fn node(&self) -> PromptNode {
        let name = self.path.file_name().unwrap_or_default().display().to_string();
        let bare = PromptNode {
            kind: PromptNodeKind::Pack,
            name,
            uri: self.uri.clone(),
            task: None,
            line: None,
            case: None,
            inputs: None,
            errors: self.file.problems.errors,
            warnings: self.file.problems.warnings,
            tokens: None,
            has_children: !self.prompts().is_empty(),
        };
        match self.prompts() {
            [only] if only.name.is_none() => PromptNode {
                kind: PromptNodeKind::Prompt,
                tokens: only.tokens,
                has_children: !only.cases.is_empty(),
                ..bare
            },
            // For example a file of another tool.
            [] => PromptNode { kind: PromptNodeKind::Prompt, ..bare },
            _ => bare,
        }
    }

    fn prompt(&self, prompt: &TreePrompt) -> PromptNode {
        PromptNode {
            kind: PromptNodeKind::Prompt,
            name: prompt.name.clone().unwrap_or_default(),
            uri: self.uri.clone(),
            task: prompt.name.clone(),
            line: prompt.line,
            case: None,
            inputs: None,
            errors: prompt.problems.errors,
            warnings: prompt.problems.warnings,
            tokens: prompt.tokens,
            has_children: !prompt.cases.is_empty(),
        }
    }

    fn cases(&self, prompt: &TreePrompt) -> Vec<PromptNode> {
        let node = |case: &TreeCase| PromptNode {
            kind: PromptNodeKind::Case,
            name: case.name.clone(),
            uri: self.uri.clone(),
            task: prompt.name.clone(),
            line: prompt.line,
            case: Some(case.name.clone()),
            inputs: self.session.documents.uri(&case.inputs).map(|uri| uri.to_string()),
            errors: case.problems.errors,
            warnings: case.problems.warnings,
            tokens: Some(case.tokens),
            has_children: false,
        };
        prompt.cases.iter().map(node).collect()
    }
}
