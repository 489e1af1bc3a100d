//! XML documents.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, Event};

/// Writes a document; `root` writes its contents.
pub fn document(root: impl FnOnce(&mut Writer<Vec<u8>>) -> io::Result<()>) -> io::Result<String> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    root(&mut writer)?;
    let mut document = writer.into_inner();
    document.push(b'\n');
    String::from_utf8(document).map_err(io::Error::other)
}
