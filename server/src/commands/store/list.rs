//! `promptls store list`: lists stores, or the prompts in one store.

use std::process::ExitCode;

use promptls_workspace::{Configs, Disk, DiskOnce, StoreKind};

use crate::errors::CommandError;
use crate::output::terminal;
use crate::output::unread::require_config;
use crate::output::visible::visible_line;
use crate::paths::Paths;
use crate::stores::{OpenedStore, StoreFailure, block_on};

pub fn run(store: Option<&str>) -> Result<ExitCode, CommandError> {
    let lines = match store {
        None => stores()?,
        Some(store) => prompts(&OpenedStore::open(store, &Disk, &Configs::default())?)?,
    };
    let lines: String = lines.iter().map(|line| format!("{}\n", visible_line(line))).collect();
    terminal::print_lines(&lines)?;
    Ok(ExitCode::SUCCESS)
}

/// A line for each store: `prod  langfuse`.
fn stores() -> Result<Vec<String>, CommandError> {
    let paths = Paths::new()?;
    let (disk, configs) = (DiskOnce::default(), Configs::default());
    let config = configs.nearest(&disk, paths.current());
    if let Some(config) = &config {
        require_config(config, disk.project(&configs))?;
    }
    let config = config.filter(|config| !config.stores.is_empty()).ok_or(StoreFailure::NoStores)?;
    let line = |(name, store): (&String, &promptls_workspace::StoreConfig)| match &store.kind {
        StoreKind::Filesystem { folder } => {
            format!("{name}  filesystem  {}", paths.shown(folder))
        }
        StoreKind::Hosted { url, .. } => match url {
            Some(url) => format!("{name}  langfuse  {url}"),
            None => format!("{name}  langfuse"),
        },
    };
    Ok(config.stores.iter().map(line).collect())
}

/// A line for each prompt: `greeting  3 versions  latest, production
/// prompts/greeting.agentle.prompt`.
fn prompts(store: &OpenedStore) -> Result<Vec<String>, CommandError> {
    let paths = Paths::new()?;
    let listed = block_on(async { Ok(store.list().await?) })?;
    let line = |listed: &promptls_stores::StoreEntry| {
        let mut parts = vec![listed.id.clone()];
        match listed.versions.len() {
            0 => {}
            1 => parts.push("1 version".to_owned()),
            count => parts.push(format!("{count} versions")),
        }
        if !listed.labels.is_empty() {
            parts.push(listed.labels.join(", "));
        }
        if let Some(pulled) = store.lock.find(&store.name, &listed.id) {
            parts.push(paths.shown(&store.lock.path_of(pulled)));
        }
        parts.join("  ")
    };
    Ok(listed.iter().map(line).collect())
}
