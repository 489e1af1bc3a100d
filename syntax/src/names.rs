//! The names that a prompt uses, with their counts.
//!
//! Counts are updated when a segment is lexed again. So listing the names of a prompt costs the
//! number of distinct names, not of uses.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet, HashTable};
use smallvec::SmallVec;
use smol_str::SmolStr;

use crate::blocks::ScopeId;
use crate::token::{Flaw, TokenKind};

/// The id of a name in one tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId(u32);

/// The distinct names of a prompt, each stored once while it is used.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameTable {
    slots: Vec<Slot>,
    by_text: HashTable<u32>,
    /// Ids of slots without references, for reuse.
    free: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Slot {
    /// Most are short enough to be stored inline, without an allocation.
    text: SmolStr,
    hash: u64,
    references: u32,
}

/// The initial capacity for names: growing takes longer than all other steps for a short prompt.
const FEW_NAMES: usize = 14;

impl NameTable {
    /// The id of a name; adds a reference to it.
    pub fn acquire(&mut self, text: &str) -> NameId {
        let hash = FixedState::with_seed(0).hash_one(text);
        let slots = &mut self.slots;
        if let Some(&id) = self.by_text.find(hash, |&id| slots[id as usize].text == text) {
            slots[id as usize].references += 1;
            return NameId(id);
        }
        if slots.is_empty() {
            slots.reserve(FEW_NAMES);
            self.by_text.reserve(FEW_NAMES, |&id| slots[id as usize].hash);
        }
        let slot = Slot { text: text.into(), hash, references: 1 };
        let id = match self.free.pop() {
            Some(id) => {
                slots[id as usize] = slot;
                id
            }
            None => {
                slots.push(slot);
                slots.len() as u32 - 1
            }
        };
        self.by_text.insert_unique(hash, id, |&id| slots[id as usize].hash);
        NameId(id)
    }

    /// The number of distinct names in use.
    pub fn len(&self) -> usize {
        self.by_text.len()
    }

    /// Adds a reference to a name that already has one.
    pub fn retain(&mut self, NameId(id): NameId) {
        self.slots[id as usize].references += 1;
    }

    /// Removes a reference; a name without references is removed.
    pub fn release(&mut self, NameId(id): NameId) {
        let slot = &mut self.slots[id as usize];
        slot.references -= 1;
        if slot.references == 0 {
            if let Ok(entry) = self.by_text.find_entry(slot.hash, |&other| other == id) {
                entry.remove();
            }
            self.free.push(id);
        }
    }

    /// The hash of the text of a name.
    pub fn hash(&self, NameId(id): NameId) -> u64 {
        self.slots[id as usize].hash
    }

    /// The text of a name.
    pub fn text(&self, NameId(id): NameId) -> &str {
        &self.slots[id as usize].text
    }
}

/// A use of a name in a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Use {
    /// The scope of the token; [`ScopeId::ROOT`] outside of all blocks.
    pub scope: ScopeId,
    /// The id of the name; an edit may reuse it for another name.
    pub name: NameId,
    /// The kind of its token.
    pub kind: TokenKind,
    /// The flaw of its token.
    pub flaw: Option<Flaw>,
    /// `true` if the engine processes it; `false` for the headers of blocks that are literal text.
    pub in_force: bool,
}

/// Values by use. Its hash is quick, since all uses of a prompt are looked up at each keystroke.
pub type UseMap<T> = HashMap<Use, T, FixedState>;

/// A set of uses, with the same hash.
pub type UseSet = HashSet<Use, FixedState>;

/// A hash of a use and the hash of its name: ids may be reused for another name later.
pub(crate) fn digest(used: Use, name_hash: u64) -> u64 {
    FixedState::with_seed(0).hash_one((used, name_hash))
}

/// The maximum number of occurrences of a use whose segments are tracked. A more frequent use is
/// found quickly by searching.
const MAX_KNOWN_SEGMENTS: usize = 32;

/// The number of occurrences of each use, and the segments of rare ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct UseCounts {
    counts: UseMap<Occurrences>,
}

#[derive(Clone, Debug)]
struct Occurrences {
    count: u32,
    /// The serial of the segment of each occurrence; `None` if there are, or were, too many.
    segments: Option<Serials>,
}

/// Most names occur once or twice, which requires no allocation.
type Serials = SmallVec<[u32; 4]>;

impl UseCounts {
    /// Makes room for uses of some names before the first one.
    pub fn expect(&mut self, names: usize) {
        if self.counts.is_empty() {
            self.counts.reserve(names);
        }
    }

    pub fn add(&mut self, used: Use, segment: u32) {
        let occurrences = self
            .counts
            .entry(used)
            .or_insert_with(|| Occurrences { count: 0, segments: Some(Serials::new()) });
        occurrences.count += 1;
        match &mut occurrences.segments {
            Some(segments) if segments.len() < MAX_KNOWN_SEGMENTS => segments.push(segment),
            segments => *segments = None,
        }
    }

    pub fn remove(&mut self, used: Use, segment: u32) {
        let Some(occurrences) = self.counts.get_mut(&used) else { return };
        occurrences.count -= 1;
        if occurrences.count == 0 {
            self.counts.remove(&used);
        } else if let Some(segments) = &mut occurrences.segments
            && let Some(position) = segments.iter().position(|&known| known == segment)
        {
            segments.swap_remove(position);
        }
    }

    /// The number of occurrences of a use.
    pub fn count(&self, used: Use) -> usize {
        self.counts.get(&used).map_or(0, |occurrences| occurrences.count as usize)
    }

    /// The segments of all occurrences of a use; `None` if they are not tracked.
    pub fn segments(&self, used: Use) -> Option<&[u32]> {
        match self.counts.get(&used) {
            Some(occurrences) => occurrences.segments.as_deref(),
            None => Some(&[]),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (Use, u32)> {
        self.counts.iter().map(|(&used, occurrences)| (used, occurrences.count))
    }
}
