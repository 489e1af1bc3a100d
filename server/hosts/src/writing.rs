//! Edits of a text in its source.
//!
//! Correctness is not derived but verified. There are a few ways to write a text in a literal
//! (`literal_form.rs`), and one in YAML ([`promptls_data::edit_yaml`]). Each is tried, and the host
//! is scanned again. The first way counts after which this prompt has the requested text, and all
//! others are unchanged.

mod literal_form;

use std::collections::HashMap;
use std::ops::Range;

use crate::cannot_edit::CannotEdit;
use crate::data::markdown::data_range;
use crate::host_prompt::HostPrompt;
use crate::language::Language;
use literal_form::{LiteralEdit, LiteralForm};
use promptls_data::{DecodedPiece, Format, NodeValue, PieceKind, Tree, edit_yaml, read_part};

/// The replacements in a host that edit the text of a prompt, in order: one for each touched range,
/// all in bytes of the current source.
///
/// `range` is in bytes of the text, on character boundaries; other ranges are rejected, as is a
/// prompt that `rescan` does not find in the source. `rescan` finds the prompts of a source, in
/// order.
///
/// Cost: the length of the source, and a scan of it for each way that is tried: two for most edits,
/// some twenty at most.
pub fn edit(
    language: Language,
    source: &str,
    found: &HostPrompt,
    range: Range<usize>,
    new: &str,
    rescan: impl Fn(&str) -> Vec<HostPrompt>,
) -> Result<Vec<(Range<usize>, String)>, CannotEdit> {
    let text = found.text.text();
    if text.get(range.clone()).is_none() {
        return Err(CannotEdit::NoWay);
    }
    if let Some(reason) = found.read_only {
        return Err(reason);
    }
    if language.is_yaml() {
        let all = [(found, &[(range, new.to_owned())][..])];
        return edit_all(language, source, &all, rescan).ok_or(CannotEdit::NoWay);
    }
    let places = touched(found, &range)?;
    let proof = Proof::new(source, found, &range, new, &rescan).ok_or(CannotEdit::NoWay)?;
    let mut tried: Vec<Vec<(Range<usize>, String)>> = Vec::new();
    for touched in places {
        let Some((first, others)) = touched.split_first() else { continue };
        let Some(literal) = literal_of(found, first) else { continue };
        let form = LiteralForm::of(language, &source[literal.clone()]);
        let place = LiteralEdit { source, literal, replaced: first, pieces: found.text.pieces() };
        for written in form.ways(&place, new) {
            let mut edits = vec![(first.clone(), written)];
            edits.extend(others.iter().map(|range| (range.clone(), String::new())));
            if tried.contains(&edits) {
                continue;
            }
            let after = promptls_data::replaced(source, &edits);
            if after.is_some_and(|after| proof.holds(&rescan(&after))) {
                return Ok(edits);
            }
            tried.push(edits);
        }
    }
    Err(CannotEdit::NoWay)
}

/// A range, and the text that replaces it.
type Replacement = (Range<usize>, String);

/// The new text of a prompt, and its holes.
type NewText = (String, Vec<Range<usize>>);

/// The replacements in a host that edit several of its prompts, in order; `None` if the first way
/// to write each of them does not yield the requested texts. Then [`edit`] may find another way.
///
/// The prompts are in order, each with its edits, which are in order as well. A prompt with an edit
/// that [`edit`] would always reject is left out.
///
/// Cost: the length of the source, and two scans of it.
pub fn edit_all(
    language: Language,
    source: &str,
    prompts: &[(&HostPrompt, &[Replacement])],
    rescan: impl Fn(&str) -> Vec<HostPrompt>,
) -> Option<Vec<(Range<usize>, String)>> {
    let before = rescan(source);
    let yaml = YamlStrings::of(language, source);
    let mut all: Vec<(Range<usize>, String)> = Vec::new();
    let mut texts: Vec<Option<NewText>> = vec![None; before.len()];
    let mut next = 0;
    for (found, edits) in prompts {
        let index = next + before[next..].iter().position(|prompt| prompt == *found)?;
        next = index + 1;
        if found.read_only.is_some() {
            continue;
        }
        let text = promptls_data::replaced(found.text.text(), edits)?;
        let mut ways = Vec::new();
        let mut is_refused = false;
        if let Some(yaml) = &yaml {
            ways = yaml.replace(found, edits)?;
        }
        for (range, new) in edits.iter().filter(|_| yaml.is_none()) {
            let Ok(places) = touched(found, range) else {
                is_refused = true;
                break;
            };
            let (first, others) = places.first()?.split_first()?;
            let literal = literal_of(found, first)?;
            let form = LiteralForm::of(language, &source[literal.clone()]);
            let place =
                LiteralEdit { source, literal, replaced: first, pieces: found.text.pieces() };
            ways.push((first.clone(), form.ways(&place, new).into_iter().next()?));
            ways.extend(others.iter().map(|range| (range.clone(), String::new())));
        }
        if is_refused {
            continue;
        }
        let moved = |hole: Range<usize>| {
            let before = edits.iter().filter(|(range, _)| range.end <= hole.start);
            let start = before.fold(hole.start, |at, (range, new)| at + new.len() - range.len());
            start..start + hole.len()
        };
        texts[index] = Some((text, found.text.holes().map(moved).collect()));
        all.extend(ways);
    }
    all.sort_by(|one, other| {
        let start = |it: &Replacement| (it.0.start, it.0.end);
        start(one).cmp(&start(other)).then_with(|| one.1.cmp(&other.1))
    });
    // The same edit of a constant that several of them include.
    all.dedup();
    let after = rescan(&promptls_data::replaced(source, &all)?);
    let is_right = |((before, new_text), after): ((&HostPrompt, &Option<NewText>), &HostPrompt)| {
        let has_text = match new_text {
            Some((text, holes)) => {
                after.text.text() == text && after.text.holes().eq(holes.iter().cloned())
            }
            // The text of an alias changes with that of its anchor.
            None if before.read_only == Some(CannotEdit::Alias) => true,
            None => {
                after.text.text() == before.text.text()
                    && after.text.holes().eq(before.text.holes())
            }
        };
        has_text && after.name == before.name && after.dialect == before.dialect
    };
    let is_same =
        after.len() == before.len() && before.iter().zip(&texts).zip(&after).all(is_right);
    is_same.then_some(all)
}

/// The strings of a host in YAML.
struct YamlStrings<'s> {
    tree: Tree<'s>,
    /// Their numbers in the tree, by their first bytes.
    by_start: HashMap<usize, usize>,
    /// The end of the data in the file.
    end: usize,
}

impl<'s> YamlStrings<'s> {
    /// Returns `None` for hosts in other languages, and if the host does not parse.
    fn of(language: Language, source: &'s str) -> Option<YamlStrings<'s>> {
        let range = data_range(language, source).filter(|_| language.is_yaml())?;
        let end = range.end;
        let tree = read_part(Format::Yaml, source, range).ok()?;
        let strings = tree.nodes.iter().enumerate();
        let strings = strings.filter(|(_, node)| matches!(node.kind, NodeValue::String { .. }));
        let by_start = strings.map(|(it, node)| (node.span.range().start, it)).collect();
        Some(YamlStrings { tree, by_start, end })
    }

    fn replace(&self, found: &HostPrompt, edits: &[Replacement]) -> Option<Vec<Replacement>> {
        let start = found.literals.first()?.start;
        // The text after a front matter is written as it is.
        if start >= self.end {
            let written =
                |(range, new): &Replacement| (found.text.source(range.clone()), new.clone());
            return Some(edits.iter().map(written).collect());
        }
        let number = *self.by_start.get(&start)?;
        edit_yaml::replace(&self.tree, number, &found.text, edits)
    }
}

/// The source ranges that an edit touches, one in each literal; if text can be inserted at two
/// places, both, the better one first.
fn touched(found: &HostPrompt, range: &Range<usize>) -> Result<Vec<Vec<Range<usize>>>, CannotEdit> {
    let pieces = found.text.pieces();
    if range.is_empty() {
        let offsets = typed_at(found, range.start)?;
        let at = |offset| std::iter::once(offset..offset).collect();
        return Ok(offsets.into_iter().map(at).collect());
    }
    let mut touched: Vec<Range<usize>> = Vec::new();
    let mut literal = None;
    let first = pieces.partition_point(|piece| piece.text.end <= range.start);
    for piece in pieces[first..].iter().take_while(|piece| piece.text.start < range.end) {
        let source = match piece.kind {
            PieceKind::Hole => return Err(CannotEdit::RunTime),
            PieceKind::Equal => equal_part(piece, range),
            PieceKind::Atomic if is_within(&piece.text, range) => piece.source.clone(),
            PieceKind::Atomic => {
                // A hole after it is the better reason.
                let has_hole = found.text.holes().any(|hole| overlaps(&hole, range));
                return Err(if has_hole { CannotEdit::RunTime } else { CannotEdit::PartOfPiece });
            }
        };
        let its_literal = literal_of(found, &source);
        match touched.last_mut().filter(|_| its_literal.is_some() && its_literal == literal) {
            Some(last) => last.end = source.end,
            None => touched.push(source),
        }
        literal = its_literal;
    }
    // Text that moves into a constant, or out of it, would change for its other uses.
    let is_included = |range: &Range<usize>| included_literal(found, range).is_some();
    if touched.len() > 1 && touched.iter().any(is_included) {
        return Err(CannotEdit::PartOfPiece);
    }
    Ok(vec![touched])
}

fn is_within(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

fn overlaps(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// The range of the part of a piece that an edit touches.
fn equal_part(piece: &DecodedPiece, range: &Range<usize>) -> Range<usize> {
    let start = range.start.max(piece.text.start) - piece.text.start;
    let end = range.end.min(piece.text.end) - piece.text.start;
    piece.source.start + start..piece.source.start + end
}

/// The insertion points for text at an offset: after the piece that ends there, but at the start of
/// a line before the next one.
fn typed_at(found: &HostPrompt, offset: usize) -> Result<Vec<usize>, CannotEdit> {
    let pieces = found.text.pieces();
    let next = pieces.partition_point(|piece| piece.text.start < offset);
    let before = next.checked_sub(1).map(|before| &pieces[before]);
    if let Some(piece) = before.filter(|piece| offset < piece.text.end) {
        return match piece.kind {
            PieceKind::Equal => Ok(vec![piece.source.start + offset - piece.text.start]),
            PieceKind::Atomic => Err(CannotEdit::PartOfPiece),
            PieceKind::Hole => Err(CannotEdit::RunTime),
        };
    }
    let before = before.map(|piece| piece.source.end);
    let behind = pieces.get(next).map(|piece| piece.source.start);
    let is_line_start = found.text.text()[..offset].ends_with('\n');
    let both = if is_line_start { [behind, before] } else { [before, behind] };
    Ok(both.into_iter().flatten().collect())
}

/// The literal that contains a range of the source.
fn literal_of<'f>(found: &'f HostPrompt, range: &Range<usize>) -> Option<&'f Range<usize>> {
    let behind = found.literals.partition_point(|literal| literal.start <= range.start);
    let own = behind.checked_sub(1).map(|at| &found.literals[at]);
    own.filter(|literal| range.end <= literal.end).or_else(|| included_literal(found, range))
}

/// The literal of an included constant that contains a range of the source.
fn included_literal<'f>(found: &'f HostPrompt, range: &Range<usize>) -> Option<&'f Range<usize>> {
    let behind = found.included.partition_point(|it| it.literal.start <= range.start);
    let literal = &found.included[behind.checked_sub(1)?].literal;
    (range.end <= literal.end).then_some(literal)
}

/// `true` if the text of a prompt contains text of the literal at this offset of the source.
fn has_literal(found: &HostPrompt, start: usize) -> bool {
    let included = found.included.iter().map(|it| &it.literal);
    found.literals.iter().chain(included).any(|literal| literal.start == start)
}

/// The required prompts of a host after an edit.
struct Proof {
    before: Vec<HostPrompt>,
    /// The index of the edited prompt.
    edited: usize,
    text: String,
    holes: Vec<Range<usize>>,
    /// The prompts whose text contains the edited literal, too, and changes with it.
    shares: Vec<bool>,
}

impl Proof {
    /// Returns `None` if the prompt is not in the source.
    fn new(
        source: &str,
        found: &HostPrompt,
        range: &Range<usize>,
        new: &str,
        rescan: &impl Fn(&str) -> Vec<HostPrompt>,
    ) -> Option<Proof> {
        let before = rescan(source);
        let edited = before.iter().position(|prompt| prompt == found)?;
        let text = found.text.text();
        let text = [&text[..range.start], new, &text[range.end..]].concat();
        let moved = |at: usize| if at < range.end { at } else { at - range.len() + new.len() };
        let holes = found.text.holes();
        let holes = holes.map(|hole| {
            let start = moved(hole.start);
            start..start + hole.len()
        });
        let holes = holes.collect();
        let source = found.text.source(range.clone());
        let literal = literal_of(found, &source).map(|literal| literal.start);
        let shares = |other| literal.is_some_and(|literal| has_literal(other, literal));
        let shares = before.iter().map(shares).collect();
        Some(Proof { before, edited, text, holes, shares })
    }

    fn holds(&self, after: &[HostPrompt]) -> bool {
        let is_same = |(number, (before, after)): (usize, (&HostPrompt, &HostPrompt))| {
            let is_right = match number == self.edited {
                true => after.text.text() == self.text && after.text.holes().eq(self.holes.clone()),
                false if self.shares[number] => true,
                false => {
                    after.text.text() == before.text.text()
                        && after.text.holes().eq(before.text.holes())
                }
            };
            is_right && after.name == before.name && after.dialect == before.dialect
        };
        after.len() == self.before.len() && self.before.iter().zip(after).enumerate().all(is_same)
    }
}
