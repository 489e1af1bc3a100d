//! Pairs block tags, and computes the blocks around a position.
//!
//! A closer closes the nearest open block of its kind; blocks opened after that one are unclosed.
//! An unclosed block is literal text up to the end of the enclosing block, and so are the block
//! tags in it.
//!
//! Pairing works on any part of a prompt: undecided tags remain ([`Residue`]), and the residues of
//! adjacent parts are paired in the same way. So an edit pairs its own segment again, and then only
//! residues.

use hashbrown::HashMap;

use crate::names::NameId;
use crate::token::BlockKind;

/// The pairing status of a block tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TagStatus {
    /// The tag has a partner.
    Paired,
    /// An opener without a closer.
    Unclosed,
    /// A closer while no block is open.
    Stray,
    /// A closer that matches none of the open blocks.
    Mismatched,
}

/// An opener or a closer, as input of the pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag {
    pub kind: BlockKind,
    pub opens: bool,
    /// The caller's number of the tag.
    pub index: u32,
}

/// The tags that a part of a prompt could not pair with certainty, in order.
pub(crate) type Residue = Vec<Tag>;

/// Pairs the tags of a part with more text before and after it.
///
/// `decide` is called for the certain tags; the rest is returned. Cost: proportional to the tags,
/// times the depth of unclosed blocks.
pub(crate) fn pair_within(
    tags: impl IntoIterator<Item = Tag>,
    mut decide: impl FnMut(u32, TagStatus),
) -> Residue {
    let mut open: Residue = Vec::new();
    for tag in tags {
        // A remaining closer may close any opener before it, or none: what precedes such a closer
        // is undecided here.
        let partner = (!tag.opens)
            .then(|| open.iter().rposition(|other| !other.opens || other.kind == tag.kind))
            .flatten()
            .filter(|&position| open[position].opens);
        match partner {
            Some(position) => close(&mut open, position, tag, &mut decide),
            None => open.push(tag),
        }
    }
    open
}

/// Pairs the residues of all parts of a whole prompt, in order.
pub(crate) fn pair_all(
    tags: impl IntoIterator<Item = Tag>,
    mut decide: impl FnMut(u32, TagStatus),
) {
    let mut open: Residue = Vec::new();
    // The number of open blocks of each kind, to skip the search for closers without an opener.
    let mut counts = [0usize; 2];
    for tag in tags {
        if tag.opens {
            counts[tag.kind as usize] += 1;
            open.push(tag);
        } else if counts[tag.kind as usize] > 0
            && let Some(position) = open.iter().rposition(|other| other.kind == tag.kind)
        {
            for closed in &open[position..] {
                counts[closed.kind as usize] -= 1;
            }
            close(&mut open, position, tag, &mut decide);
        } else if open.is_empty() {
            decide(tag.index, TagStatus::Stray);
        } else {
            decide(tag.index, TagStatus::Mismatched);
        }
    }
    for tag in open {
        decide(tag.index, TagStatus::Unclosed);
    }
}

fn close(
    open: &mut Residue,
    position: usize,
    closer: Tag,
    decide: &mut impl FnMut(u32, TagStatus),
) {
    for unclosed in open.drain(position + 1..) {
        decide(unclosed.index, TagStatus::Unclosed);
    }
    if let Some(opener) = open.pop() {
        decide(opener.index, TagStatus::Paired);
    }
    decide(closer.index, TagStatus::Paired);
}

/// The id of a chain of blocks around a position, outermost first.
///
/// Two positions in blocks with the same headers have the same scope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScopeId(u32);

impl ScopeId {
    /// The scope outside of all blocks.
    pub const ROOT: ScopeId = ScopeId(0);
}

/// The innermost block of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    /// The scope around the block; [`ScopeId::ROOT`] outside of all blocks.
    pub parent: ScopeId,
    /// The kind of the block.
    pub kind: BlockKind,
    /// The path in its header.
    pub path: NameId,
}

/// A scope with cached facts about its ancestors.
#[derive(Clone, Copy, Debug)]
struct KnownScope {
    scope: Scope,
    /// The number of its blocks.
    depth: u32,
    /// The scope directly inside its innermost loop.
    in_loop: ScopeId,
}

/// All scopes of a prompt.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scopes {
    scopes: Vec<KnownScope>,
    ids: HashMap<Scope, ScopeId, foldhash::fast::FixedState>,
}

impl Scopes {
    /// The innermost block of a scope; `None` for [`ScopeId::ROOT`].
    pub fn get(&self, ScopeId(id): ScopeId) -> Option<Scope> {
        Some(self.known(ScopeId(id))?.scope)
    }

    /// The number of blocks of a scope.
    pub fn depth(&self, id: ScopeId) -> usize {
        self.known(id).map_or(0, |known| known.depth as usize)
    }

    /// The innermost loop of a scope; `None` outside of loops.
    pub fn loop_around(&self, id: ScopeId) -> Option<Scope> {
        self.get(self.known(id)?.in_loop)
    }

    fn known(&self, ScopeId(id): ScopeId) -> Option<&KnownScope> {
        self.scopes.get((id as usize).wrapping_sub(1))
    }

    /// The scope inside a block; `None` if it was never entered.
    pub fn find(&self, scope: Scope) -> Option<ScopeId> {
        self.ids.get(&scope).copied()
    }

    /// Adds a scope; `false` if it already exists.
    pub fn enter(&mut self, scope: Scope) -> bool {
        if self.ids.contains_key(&scope) {
            return false;
        }
        let id = ScopeId(self.scopes.len() as u32 + 1);
        let parent = self.known(scope.parent);
        let in_loop = match scope.kind {
            BlockKind::Each => id,
            BlockKind::If => parent.map_or(ScopeId::ROOT, |parent| parent.in_loop),
        };
        let depth = parent.map_or(0, |parent| parent.depth) + 1;
        self.scopes.push(KnownScope { scope, depth, in_loop });
        self.ids.insert(scope, id);
        true
    }
}

/// The position relative to blocks, during a walk through a prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Nesting {
    /// The scope of all active blocks at this position.
    pub scope: ScopeId,
    /// In the literal text after an unclosed opener: the number of open paired blocks there, which
    /// are literal themselves.
    pub literal: Option<u32>,
}

impl Nesting {
    /// The position after a tag. `enter` returns the scope of an active block, `parent` the
    /// enclosing scope.
    pub fn after(
        self,
        opens: bool,
        status: TagStatus,
        enter: impl FnOnce(ScopeId) -> ScopeId,
        parent: impl FnOnce(ScopeId) -> ScopeId,
    ) -> Nesting {
        match (opens, status, self.literal) {
            (true, TagStatus::Paired, None) => Nesting { scope: enter(self.scope), literal: None },
            (true, TagStatus::Paired, Some(depth)) => Nesting { literal: Some(depth + 1), ..self },
            (true, _, None) => Nesting { literal: Some(0), ..self },
            (false, TagStatus::Paired, Some(depth)) if depth > 0 => {
                Nesting { literal: Some(depth - 1), ..self }
            }
            (false, TagStatus::Paired, _) => Nesting { scope: parent(self.scope), literal: None },
            _ => self,
        }
    }

    /// `true` if a tag with this status is active here: it really opens or closes a block.
    pub fn in_force(self, opens: bool, status: TagStatus) -> bool {
        status == TagStatus::Paired
            && match self.literal {
                None => true,
                Some(depth) => !opens && depth == 0,
            }
    }
}

/// Pairs all block tags of a prompt at once. Returns the status of each, and whether it is active.
///
/// `tags` contains the kind of each tag, and `true` for openers.
pub fn pair_blocks(tags: &[(BlockKind, bool)]) -> Vec<(TagStatus, bool)> {
    let mut paired = vec![(TagStatus::Paired, false); tags.len()];
    let numbered = (0u32..).zip(tags);
    pair_all(
        numbered.map(|(index, &(kind, opens))| Tag { kind, opens, index }),
        |index, status| paired[index as usize].0 = status,
    );
    let mut nesting = Nesting::default();
    for ((status, in_force), &(_, opens)) in paired.iter_mut().zip(tags) {
        *in_force = nesting.in_force(opens, *status);
        // The actual scopes do not matter here.
        nesting = nesting.after(opens, *status, |scope| scope, |scope| scope);
    }
    paired
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tags(text: &str) -> Vec<Tag> {
        let tag = |(index, letter): (usize, char)| Tag {
            kind: if letter.eq_ignore_ascii_case(&'i') { BlockKind::If } else { BlockKind::Each },
            opens: letter.is_uppercase(),
            index: index as u32,
        };
        text.chars().enumerate().map(tag).collect()
    }

    /// `I`, `E` are openers and `i`, `e` closers; the result has a letter for each.
    fn statuses(text: &str) -> String {
        let mut statuses = vec!['?'; text.len()];
        pair_all(tags(text), |index, status| statuses[index as usize] = letter(status));
        statuses.into_iter().collect()
    }

    fn letter(status: TagStatus) -> char {
        match status {
            TagStatus::Paired => 'p',
            TagStatus::Unclosed => 'u',
            TagStatus::Stray => 's',
            TagStatus::Mismatched => 'm',
        }
    }

    #[test]
    fn a_closer_closes_the_nearest_open_block_of_its_kind() {
        assert_eq!(statuses("IEei"), "pppp");
        assert_eq!(statuses("IEi"), "pup");
        assert_eq!(statuses("IeEei"), "pmppp");
        assert_eq!(statuses("i"), "s");
        assert_eq!(statuses("I"), "u");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        /// Pairing parts first and then their residues equals pairing everything.
        #[test]
        fn pairing_by_segments_equals_pairing_the_whole_text(text in "[IEie]{0,24}", cut in 0usize..24, cut2 in 0usize..24) {
            let (a, b) = (cut.min(cut2).min(text.len()), cut.max(cut2).min(text.len()));
            let all = tags(&text);
            let mut statuses_found = vec!['?'; text.len()];
            let mut decide = |index: u32, status| statuses_found[index as usize] = letter(status);
            let mut residue = Vec::new();
            for stretch in [&all[..a], &all[a..b], &all[b..]] {
                residue.extend(pair_within(stretch.iter().copied(), &mut decide));
            }
            pair_all(residue, &mut decide);
            prop_assert_eq!(statuses_found.into_iter().collect::<String>(), statuses(&text));
        }
    }
}
