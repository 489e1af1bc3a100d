//! Graphs for Graphviz.

use std::fmt::Write;

use promptls_protocol::{GraphNode, GraphOutput, NodeKind};

use crate::output::prompt_address::prompt_address;
use crate::output::visible::visible_line;

/// A directed graph; files that are read are on the right.
pub fn text(graph: &GraphOutput) -> String {
    let mut text = "digraph promptls {\n  rankdir=LR;\n".to_owned();
    // Writing to a string never fails.
    for (number, node) in graph.nodes.iter().enumerate() {
        let (label, shape) = (quoted(&label(node)), shape(node.kind));
        let _ = writeln!(text, "  n{number} [label={label}, shape={shape}];");
    }
    for edge in &graph.edges {
        let label = edge.case.as_ref().or(edge.name.as_ref());
        let label = label.map(|label| format!(" [label={}]", quoted(label)));
        let _ = writeln!(text, "  n{} -> n{}{};", edge.from, edge.to, label.unwrap_or_default());
    }
    text + "}\n"
}

/// The label of a node: its file, and its name there.
pub fn label(node: &GraphNode) -> String {
    match &node.name {
        name if node.kind == NodeKind::Prompt => prompt_address(&node.file, name.as_deref()),
        Some(name) => format!("{} {name}", node.file),
        None => node.file.clone(),
    }
}

fn shape(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Prompt => "box",
        NodeKind::Inputs => "note",
        NodeKind::Variables => "tab",
        NodeKind::Fragment => "component",
        NodeKind::Text => "plaintext",
        NodeKind::Config => "folder",
        NodeKind::Code => "cds",
    }
}

/// Text in quotes. In a label, a backslash also begins an escape.
fn quoted(text: &str) -> String {
    format!("\"{}\"", visible_line(text).replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_in_strings() {
        for (name, written) in [
            (r#"a"b"#, r#""a\"b""#),
            (r"a\", r#""a\\""#),
            (r#"\""#, r#""\\\"""#),
            ("a\nb", r#""a␊b""#),
        ] {
            assert_eq!(quoted(name), written);
        }
    }
}
