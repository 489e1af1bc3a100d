//! `README.md`: the prose of `README.in.md`, filled in with the measurements by promptls itself.

use std::fs;
use std::io;
use std::path::Path;

use promptls_resolver::{Declarations, FileId, Format, Inputs, ResolveContext, Template};
use promptls_syntax::Dialect;
use serde_json::{Value, json};

use crate::machine;
use crate::parts::Section;
use crate::{goals, parts};

const PROSE: &str = include_str!("../README.in.md");

/// Writes it next to the sources of this program.
pub fn write(sections: Vec<Section>) -> io::Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    fs::write(path, filled(sections))
}

fn filled(sections: Vec<Section>) -> String {
    let results: String = sections.iter().map(ToString::to_string).collect();
    let tables: Vec<_> = sections.into_iter().flat_map(|section| section.tables).collect();
    let values = json!({
        "parts": parts::list().to_string().trim_end(),
        "goals": goals::judge(&tables).to_string().trim_end(),
        "results": results.trim_end(),
        "commit": machine::commit(),
        "date": machine::date(),
        "rust": machine::rust(),
        "processor": machine::processor(),
        "peers": machine::peers(),
    });
    fill(&values)
}

fn fill(values: &Value) -> String {
    let values = Inputs::parse(&values.to_string(), Format::Json, FileId(1));
    let values = values.value.expect("what serde_json writes is JSON");
    let declarations = Declarations::default();
    let resolved = Template::compile(Dialect::Agentle, PROSE)
        .resolve(&ResolveContext::new(&values, &declarations));
    assert_eq!(resolved.problems, [], "each name in README.in.md has a value");
    resolved.text
}

#[test]
fn each_name_in_the_prose_has_a_value() {
    let readme = filled(Vec::new());
    assert!(readme.contains("| not measured |"), "{readme}");
}
