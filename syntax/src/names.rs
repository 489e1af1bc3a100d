//! Which names a prompt uses, and how often.
//!
//! Counts are adjusted when a segment is lexed again, so asking for the names of
//! a prompt costs the number of distinct names, not of uses.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashTable};
use smallvec::SmallVec;
use smol_str::SmolStr;

use crate::blocks::ScopeId;
use crate::token::{Flaw, TokenKind};

/// A name of one tree, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId(u32);

/// The distinct names of a prompt, each stored once for as long as it is used.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    slots: Vec<Slot>,
    by_text: HashTable<u32>,
    /// Slots that no use refers to any more.
    free: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Slot {
    /// Most are short enough to stand here without an allocation of their own.
    text: SmolStr,
    hash: u64,
    references: u32,
}

impl Names {
    /// The id of a name; one more reference to it.
    pub fn acquire(&mut self, text: &str) -> NameId {
        let hash = FixedState::with_seed(0).hash_one(text);
        let slots = &mut self.slots;
        if let Some(&id) = self.by_text.find(hash, |&id| slots[id as usize].text == text) {
            slots[id as usize].references += 1;
            return NameId(id);
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

    /// One more reference to a name that has one.
    pub fn retain(&mut self, NameId(id): NameId) {
        self.slots[id as usize].references += 1;
    }

    /// One reference less; a name without references is forgotten.
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

/// One way in which a prompt uses a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Use {
    /// The blocks around it.
    pub scope: ScopeId,
    /// The name.
    pub name: NameId,
    /// What kind of token it stands in.
    pub kind: TokenKind,
    /// What is wrong with it.
    pub flaw: Option<Flaw>,
    /// Whether the engine acts on it; `false` for the headers of blocks that are literal text.
    pub in_force: bool,
}

/// A number for a use and the hash of its name: ids may belong to another name later.
pub(crate) fn digest(used: Use, name_hash: u64) -> u64 {
    FixedState::with_seed(0).hash_one((used, name_hash))
}

/// Up to this many occurrences of a use, we know in which segments they are. A use that occurs
/// more often is soon found by looking.
const MAX_KNOWN_SEGMENTS: usize = 32;

/// How often each use occurs, and for rare ones where.
#[derive(Clone, Debug, Default)]
pub(crate) struct UseCounts {
    counts: HashMap<Use, Occurrences, FixedState>,
}

#[derive(Clone, Debug)]
struct Occurrences {
    count: u32,
    /// The serial of the segment of each occurrence; `None` if they are, or were, too many.
    segments: Option<Serials>,
}

/// Most names occur once or twice, which takes no allocation.
type Serials = SmallVec<[u32; 4]>;

impl UseCounts {
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

    /// How often a use occurs.
    pub fn count(&self, used: Use) -> usize {
        self.counts.get(&used).map_or(0, |occurrences| occurrences.count as usize)
    }

    /// The segments of all occurrences of a use, if they are known.
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
