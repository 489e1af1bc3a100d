//! Maps by path.

use std::path::PathBuf;

use dashmap::DashMap;
use foldhash::fast::RandomState;

/// A concurrent map by path. The standard hash takes several times as long, because a path is hashed
/// component by component.
pub type PathMap<V> = DashMap<PathBuf, V, RandomState>;
