//! A check of the schema of a Parquet file before the library reads it.
//!
//! The library recurses into groups of columns, and reserves memory for as many children as a group
//! claims to have. Either may end the process, which no guard prevents.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use crate::read::source::ReadError;

/// The maximum nesting depth of groups. Each Arrow list consists of two.
const MAX_DEPTH: usize = 300;

/// The bytes after the metadata: their length, and `PAR1`.
const TAIL: u64 = 8;

/// Rejects a file whose groups are nested too deeply, or claim more children than there are. The
/// library reports all other defects.
pub(super) fn check(file: &mut File) -> Result<(), ReadError> {
    match metadata(file)?.and_then(|metadata| children(&metadata)) {
        Some(children) => check_tree(&children),
        None => Ok(()),
    }
}

/// The bytes of the metadata; `None` if the file does not end like a Parquet file.
fn metadata(file: &mut File) -> io::Result<Option<Vec<u8>>> {
    let len = file.seek(SeekFrom::End(0))?;
    let Some(tail_at) = len.checked_sub(TAIL) else { return Ok(None) };
    let mut tail = [0; TAIL as usize];
    file.seek(SeekFrom::Start(tail_at))?;
    file.read_exact(&mut tail)?;
    let (size, magic) = tail.split_at(4);
    let size = u64::from(u32::from_le_bytes(size.try_into().unwrap_or_default()));
    let (Some(start), b"PAR1") = (tail_at.checked_sub(size), magic) else { return Ok(None) };
    file.seek(SeekFrom::Start(start))?;
    let mut metadata = Vec::new();
    file.take(size).read_to_end(&mut metadata)?;
    Ok(Some(metadata))
}

fn check_tree(children: &[usize]) -> Result<(), ReadError> {
    // The number of remaining children, for each group from the root on.
    let mut open: Vec<usize> = Vec::new();
    for (at, &count) in children.iter().enumerate() {
        if count >= children.len() - at {
            let reason = "the data is broken: a group of columns claims more than there are";
            return Err(ReadError::Table(reason.to_owned()));
        }
        if let Some(left) = open.last_mut() {
            *left = left.saturating_sub(1);
        }
        if count > 0 {
            open.push(count);
        }
        while open.last() == Some(&0) {
            open.pop();
        }
        if open.len() > MAX_DEPTH {
            return Err(ReadError::Table("its columns are nested too deeply".to_owned()));
        }
    }
    Ok(())
}

/// The number of children of each element of the schema, in file order.
fn children(metadata: &[u8]) -> Option<Vec<usize>> {
    const SCHEMA: i16 = 2;
    const NUM_CHILDREN: i16 = 5;
    let mut compact = Compact { left: metadata };
    let mut id = 0;
    while let Some((next, kind)) = compact.field(id)? {
        id = next;
        if (id, kind) != (SCHEMA, LIST) {
            compact.skip(kind, MAX_SKIP)?;
            continue;
        }
        let (count, _) = compact.list()?;
        let mut children = Vec::new();
        for _ in 0..count {
            let (mut id, mut of_element) = (0, 0);
            while let Some((next, kind)) = compact.field(id)? {
                id = next;
                match (id, kind) {
                    (NUM_CHILDREN, I32) => of_element = compact.whole()?.max(0),
                    _ => compact.skip(kind, MAX_SKIP)?,
                }
            }
            children.push(usize::try_from(of_element).ok()?);
        }
        return Some(children);
    }
    None
}

/// An integer in groups of seven bits, the lowest first; `None` if it is cut off or has more than 64.
pub(super) fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, behind) = rest.split_first()?;
        *rest = behind;
        value |= u64::from(byte & 0x7F) << shift;
        if *byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// Thrift's compact protocol, as far as required to find the schema.
struct Compact<'m> {
    left: &'m [u8],
}

const I32: u8 = 5;
const LIST: u8 = 9;

/// The maximum nesting depth of skipped structures, as in the library.
const MAX_SKIP: usize = 64;

impl Compact<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.left.split_first()?;
        self.left = rest;
        Some(*first)
    }

    fn bytes(&mut self, count: u64) -> Option<()> {
        self.left = self.left.get(usize::try_from(count).ok()?..)?;
        Some(())
    }

    fn unsigned(&mut self) -> Option<u64> {
        varint(&mut self.left)
    }

    fn whole(&mut self) -> Option<i64> {
        let value = self.unsigned()?;
        Some((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    /// The id and type of the next field of a structure; `Some(None)` at its end.
    fn field(&mut self, before: i16) -> Option<Option<(i16, u8)>> {
        let head = self.byte()?;
        if head == 0 {
            return Some(None);
        }
        let id = match head >> 4 {
            0 => i16::try_from(self.whole()?).ok()?,
            delta => before.checked_add(delta.into())?,
        };
        Some(Some((id, head & 0x0F)))
    }

    /// The number of items of a list, and their type.
    fn list(&mut self) -> Option<(u64, u8)> {
        let head = self.byte()?;
        let count = match head >> 4 {
            0x0F => self.unsigned()?,
            few => few.into(),
        };
        Some((count, head & 0x0F))
    }

    /// Skips an item of a list, a set or a map, in which a boolean is a byte.
    fn skip_item(&mut self, kind: u8, depth: usize) -> Option<()> {
        match kind {
            1 | 2 => self.bytes(1),
            kind => self.skip(kind, depth),
        }
    }

    fn skip(&mut self, kind: u8, depth: usize) -> Option<()> {
        let inside = depth.checked_sub(1)?;
        match kind {
            // The type of a boolean field contains its value.
            1 | 2 => Some(()),
            3 => self.bytes(1),
            4..=6 => self.unsigned().map(drop),
            7 => self.bytes(8),
            8 => {
                let count = self.unsigned()?;
                self.bytes(count)
            }
            LIST | 10 => {
                let (count, kind) = self.list()?;
                (0..count).try_for_each(|_| self.skip_item(kind, inside))
            }
            11 => {
                let count = self.unsigned()?;
                let kinds = if count > 0 { self.byte()? } else { 0 };
                (0..count).try_for_each(|_| {
                    self.skip_item(kinds >> 4, inside)?;
                    self.skip_item(kinds & 0x0F, inside)
                })
            }
            12 => {
                let mut id = 0;
                while let Some((next, kind)) = self.field(id)? {
                    id = next;
                    self.skip(kind, inside)?;
                }
                Some(())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_children(children: &[usize], expected: &str) {
        let found = check_tree(children).map_or_else(|error| error.to_string(), |()| String::new());
        assert_eq!(found, expected);
    }

    #[test]
    fn children_of_nested_column_groups_are_counted() {
        check_children(&[2, 0, 1, 0], "");
        check_children(&[], "");
        check_children(
            &[5, 0],
            "the data is broken: a group of columns claims more than there are",
        );
        check_children(&[&[1; MAX_DEPTH][..], &[0]].concat(), "");
        check_children(
            &[&[1; MAX_DEPTH + 1][..], &[0]].concat(),
            "its columns are nested too deeply",
        );
        // Consecutive groups are not nested.
        let many: Vec<usize> = [[1, 0]; 1_000].concat();
        check_children(&[&[1_000][..], &many].concat(), "");
    }

    /// Integers of one to ten bytes, as encoded by Thrift.
    #[test]
    fn thrift_integers_are_decoded() {
        let read = |bytes: &[u8]| Compact { left: bytes }.whole();
        assert_eq!(read(&[0x01]), Some(-1));
        assert_eq!(read(&[0xAC, 0x02]), Some(150));
        assert_eq!(read(&[0xFF; 11]), None);
        assert_eq!(read(&[0x80]), None);
    }
}
