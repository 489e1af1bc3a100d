//! Flowcharts for Mermaid, which draws them in Markdown.

use std::fmt::Write;

use promptls_protocol::{GraphOutput, NodeKind};

use super::dot::label;
use crate::output::visible::visible_line;

/// A flowchart; files that are read are on the right.
pub fn text(graph: &GraphOutput) -> String {
    let mut text = "flowchart LR\n".to_owned();
    // Writing to a string never fails.
    for (number, node) in graph.nodes.iter().enumerate() {
        let ([open, close], label) = (brackets(node.kind), quoted(&label(node)));
        let _ = writeln!(text, "  n{number}{open}{label}{close}");
    }
    for edge in &graph.edges {
        let label = edge.case.as_ref().or(edge.name.as_ref());
        let label = label.map(|label| format!("|{}|", quoted(label)));
        let _ = writeln!(text, "  n{} -->{} n{}", edge.from, label.unwrap_or_default(), edge.to);
    }
    text
}

/// The brackets around the label, which give a node its shape.
fn brackets(kind: NodeKind) -> [&'static str; 2] {
    match kind {
        NodeKind::Prompt => ["[", "]"],
        NodeKind::Inputs => ["[/", "/]"],
        NodeKind::Variables => ["[\\", "\\]"],
        NodeKind::Fragment => ["[[", "]]"],
        NodeKind::Text => ["(", ")"],
        NodeKind::Config => ["{{", "}}"],
        NodeKind::Code => [">", "]"],
    }
}

/// Text in quotes, with numeric entities for characters that Mermaid, Markdown or HTML would
/// interpret.
fn quoted(text: &str) -> String {
    let mut quoted = "\"".to_owned();
    for character in visible_line(text).chars() {
        match !character.is_ascii_punctuation() || "-_./,".contains(character) {
            true => quoted.push(character),
            false => _ = write!(quoted, "#{};", u32::from(character)),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_in_labels() {
        for (name, written) in [
            ("a/b-c_d.prompt", "\"a/b-c_d.prompt\""),
            ("a\"]; click n0", "\"a#34;#93;#59; click n0\""),
            ("<b>`x`#35;", "\"#60;b#62;#96;x#96;#35;35#59;\""),
        ] {
            assert_eq!(quoted(name), written);
        }
    }
}
