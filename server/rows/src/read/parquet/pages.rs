//! Pages of a Parquet file, each checked before the library decodes it.
//!
//! The library reserves memory for as many values as a page claims to have, and fills it. A few
//! bytes can claim billions: a run of equal values has any length, and a block of lengths may need
//! no bits. No guard prevents the process from being ended then.

use std::fs::File;
use std::sync::Arc;

use parquet::arrow::arrow_reader::RowGroups;
use parquet::basic::Encoding;
use parquet::column::page::{Page, PageIterator, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;

use super::AT_ONCE;
use super::footer::varint;

/// The maximum number of values of a page. Writers end pages at some megabytes.
const MAX_OF_PAGE: u32 = 64 << 20;

/// The maximum number of values that each row of a column has on average, in groups of at least
/// [`AT_ONCE`] rows. A list of a row may be longer.
const MAX_OF_ROW: u64 = 100_000;

/// The groups of rows of a file, with checked pages. The library's own groups of a
/// `SerializedFileReader` look at all columns for each column.
pub(super) struct CheckedGroups {
    pub file: Arc<File>,
    pub metadata: Arc<ParquetMetaData>,
}

impl RowGroups for CheckedGroups {
    fn num_rows(&self) -> usize {
        usize::try_from(self.metadata.file_metadata().num_rows()).unwrap_or(0)
    }

    fn column_chunks(&self, column: usize) -> Result<Box<dyn PageIterator>> {
        let (file, metadata) = (self.file.clone(), self.metadata.clone());
        Ok(Box::new(CheckedChunks { file, metadata, column, group: 0 }))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(self.metadata.row_groups().iter())
    }

    fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }
}

/// The parts of a column, one in each group of rows.
struct CheckedChunks {
    file: Arc<File>,
    metadata: Arc<ParquetMetaData>,
    column: usize,
    /// The index of the next group.
    group: usize,
}

impl Iterator for CheckedChunks {
    type Item = Result<Box<dyn PageReader>>;

    fn next(&mut self) -> Option<Self::Item> {
        let group = self.metadata.row_groups().get(self.group)?;
        self.group += 1;
        let chunk = group.column(self.column);
        let column = chunk.column_descr();
        let levels = [column.max_rep_level(), column.max_def_level()];
        let rows = usize::try_from(group.num_rows()).unwrap_or(0);
        let left = (rows.max(AT_ONCE) as u64).saturating_mul(MAX_OF_ROW);
        let pages = SerializedPageReader::new(self.file.clone(), chunk, rows, None);
        let checked =
            |pages| -> Box<dyn PageReader> { Box::new(CheckedPages { pages, levels, left }) };
        Some(pages.map(checked))
    }
}

impl PageIterator for CheckedChunks {}

/// The pages of a part of a column.
struct CheckedPages<P> {
    pages: P,
    /// The highest level of repetitions and of definitions.
    levels: [i16; 2],
    /// The number of values that its next pages may have.
    left: u64,
}

impl<P: PageReader> PageReader for CheckedPages<P> {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        page.map(|page| self.checked(page)).transpose()
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}

impl<P: PageReader> Iterator for CheckedPages<P> {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl<P> CheckedPages<P> {
    fn checked(&mut self, page: Page) -> Result<Page> {
        let count = page.num_values();
        let is_right = match &page {
            // Each value of a dictionary has bytes of its own.
            Page::DictionaryPage { buf, .. } => count as usize <= buf.len(),
            Page::DataPage { buf, def_level_encoding, rep_level_encoding, .. } => {
                let encodings = [*rep_level_encoding, *def_level_encoding];
                let values = behind_levels(buf, count, self.levels, encodings);
                self.counts(count) && has_lengths(page.encoding(), values, count)
            }
            Page::DataPageV2 { buf, def_levels_byte_len, rep_levels_byte_len, .. } => {
                let start = u64::from(*def_levels_byte_len) + u64::from(*rep_levels_byte_len);
                let values = usize::try_from(start).ok().and_then(|start| buf.get(start..));
                self.counts(count) && has_lengths(page.encoding(), values, count)
            }
        };
        match is_right {
            true => Ok(page),
            false => {
                let reason = "a page of a column claims more values than are read";
                Err(ParquetError::General(reason.to_owned()))
            }
        }
    }

    /// Counts the values of a page; `false` if they are too many.
    fn counts(&mut self, count: u32) -> bool {
        let left = self.left.checked_sub(u64::from(count));
        self.left = left.unwrap_or(0);
        count <= MAX_OF_PAGE && left.is_some()
    }
}

/// The bytes of a page after its levels: first of repetitions, then of definitions. `None` if it is
/// shorter.
fn behind_levels(
    page: &[u8],
    count: u32,
    highest: [i16; 2],
    encodings: [Encoding; 2],
) -> Option<&[u8]> {
    let mut rest = page;
    for (highest, encoding) in highest.into_iter().zip(encodings) {
        let highest = u16::try_from(highest).unwrap_or(0);
        if highest == 0 {
            continue;
        }
        #[expect(deprecated, reason = "old files have it")]
        let len = if encoding == Encoding::BIT_PACKED {
            let bits = u64::from(u16::BITS - highest.leading_zeros());
            usize::try_from((u64::from(count) * bits).div_ceil(8)).ok()?
        } else {
            let (len, behind) = rest.split_first_chunk()?;
            rest = behind;
            usize::try_from(u32::from_le_bytes(*len)).ok()?
        };
        rest = rest.get(len..)?;
    }
    Some(rest)
}

/// `true` if the lengths of texts in a page are at most as many as its values; in encodings that
/// have such.
fn has_lengths(encoding: Encoding, values: Option<&[u8]>, count: u32) -> bool {
    let lists = match encoding {
        Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
        // Of what each text shares with the one before, and of its rest.
        Encoding::DELTA_BYTE_ARRAY => 2,
        _ => return true,
    };
    let Some(mut rest) = values else { return false };
    for _ in 0..lists {
        match behind_lengths(rest) {
            Some((lengths, behind)) if lengths <= u64::from(count) => rest = behind,
            _ => return false,
        }
    }
    true
}

/// The number of integers in a list of the encoding `DELTA_BINARY_PACKED`, and the bytes after it;
/// `None` if it is cut off.
fn behind_lengths(list: &[u8]) -> Option<(u64, &[u8])> {
    let mut rest = list;
    let block = varint(&mut rest)?;
    let parts = varint(&mut rest)?;
    let count = varint(&mut rest)?;
    varint(&mut rest)?;
    let of_part = block.checked_div(parts)?;
    let mut left = count.saturating_sub(1);
    while left > 0 {
        varint(&mut rest)?;
        let widths = rest.get(..usize::try_from(parts).ok()?)?;
        rest = &rest[widths.len()..];
        for width in widths {
            if left == 0 {
                break;
            }
            let len = of_part.checked_mul(u64::from(*width))? / 8;
            rest = rest.get(usize::try_from(len).ok()?..)?;
            left = left.saturating_sub(of_part);
        }
        if of_part == 0 {
            return None;
        }
    }
    Some((count, rest))
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, Write};

    use arrow_array::types::Int32Type;
    use arrow_array::{Array, FixedSizeListArray, ListArray, RecordBatch, StringArray};
    use arrow_schema::DataType;
    use parquet::arrow::ArrowWriter;
    use parquet::basic::Compression;
    use parquet::file::properties::{WriterProperties, WriterVersion};

    use crate::read::parquet::ParquetSource;
    use crate::read::source::TableSource;

    use super::*;

    /// A file with one column.
    fn written(column: Arc<dyn Array>, encoding: Encoding, version: WriterVersion) -> Vec<u8> {
        let batch = RecordBatch::try_from_iter([("a", column)]).unwrap();
        let properties = WriterProperties::builder()
            .set_writer_version(version)
            .set_dictionary_enabled(false)
            .set_compression(Compression::UNCOMPRESSED)
            .set_encoding(encoding)
            .build();
        let mut file = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut file, batch.schema(), Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        file
    }

    /// The number of rows of a file, or the error.
    fn read(bytes: &[u8]) -> std::result::Result<usize, String> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        let mut source = ParquetSource::new(file).map_err(|error| error.to_string())?;
        let mut rows = 0;
        while let Some((batch, _)) = source.read(usize::MAX).map_err(|error| error.to_string())? {
            rows += batch.len();
        }
        Ok(rows)
    }

    #[test]
    fn a_page_has_at_most_as_many_lengths_as_values() {
        let texts: StringArray = (0..1000).map(|number| Some(format!("text {number}"))).collect();
        let texts: Arc<dyn Array> = Arc::new(texts);
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            for encoding in [Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY] {
                let file = written(texts.clone(), encoding, version);
                assert_eq!(read(&file), Ok(1000), "{encoding}");
                // Blocks of 128 lengths in 4 parts, 1,000 of them; then 16,383.
                let head = [0x80, 0x01, 0x04, 0xE8, 0x07];
                let first = (0..file.len()).find(|at| file[*at..].starts_with(&head)).unwrap();
                let mut broken = file;
                broken[first + 3..first + 5].copy_from_slice(&[0xFF, 0x7F]);
                let error = read(&broken).unwrap_err();
                assert!(error.contains("claims more values"), "{encoding}: {error}");
            }
        }
    }

    #[test]
    fn lists_of_a_column_are_read() {
        let lists = (0..3000).map(|row| Some((0..row % 7).map(Some).collect::<Vec<_>>()));
        let lists: Arc<dyn Array> =
            Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists));
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            assert_eq!(read(&written(lists.clone(), Encoding::PLAIN, version)), Ok(3000));
        }
    }

    #[test]
    fn blocks_of_lengths_are_skipped() {
        // Two values: the first, and one of no bits.
        let two = [0x80, 0x01, 0x04, 0x02, 0x08, 0x00, 0, 0, 0, 0, b'x'];
        assert_eq!(behind_lengths(&two), Some((2, &b"x"[..])));
        assert_eq!(behind_lengths(&two[..8]), None);
        let one = [0x80, 0x01, 0x04, 0x01, 0x08, b'x'];
        assert_eq!(behind_lengths(&one), Some((1, &b"x"[..])));
        // Blocks of nothing have no end.
        assert_eq!(behind_lengths(&[0x00, 0x04, 0x02, 0x08, 0x00, 0, 0, 0, 0]), None);
        assert_eq!(behind_lengths(&[0xFF; 20]), None);
    }

    #[test]
    fn a_page_and_a_column_have_a_maximum_of_values() {
        let pages = || CheckedPages { pages: NoPages, levels: [0, 0], left: 1 << 30 };
        assert!(pages().counts(MAX_OF_PAGE) && !pages().counts(MAX_OF_PAGE + 1));
        let mut column = CheckedPages { left: 10, ..pages() };
        assert!(column.counts(6) && !column.counts(6));
    }

    struct NoPages;

    impl Iterator for NoPages {
        type Item = Result<Page>;

        fn next(&mut self) -> Option<Self::Item> {
            None
        }
    }

    impl PageReader for NoPages {
        fn get_next_page(&mut self) -> Result<Option<Page>> {
            Ok(None)
        }

        fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
            Ok(None)
        }

        fn skip_next_page(&mut self) -> Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lists_of_a_fixed_size_are_read() {
        let item = Arc::new(arrow_schema::Field::new("element", DataType::Int32, true));
        let lists = FixedSizeListArray::new_null(item, 2, 3);
        let file = written(Arc::new(lists), Encoding::PLAIN, WriterVersion::PARQUET_2_0);
        assert_eq!(read(&file), Ok(3));
    }
}
