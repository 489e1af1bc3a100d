//! Checkstyle's report format, which many servers and editors read.

use std::io;

use promptls_protocol::{CheckOutput, Severity};

use super::parts::{by_file, message, places};
use super::xml;
use crate::output::visible::visible_line;

/// The report with all problems, by file.
pub fn text(report: &CheckOutput) -> io::Result<String> {
    xml::document(|writer| {
        let root = writer.create_element("checkstyle").with_attribute(("version", "4.3"));
        root.write_inner_content(|writer| {
            for problems in by_file(report) {
                let name = visible_line(&problems[0].file);
                let file = writer.create_element("file").with_attribute(("name", &*name));
                file.write_inner_content(|writer| {
                    for problem in problems {
                        let severity = match problem.severity {
                            Severity::Error => "error",
                            Severity::Warning => "warning",
                            Severity::Info | Severity::Hint => "info",
                        };
                        let [[line, column], _] = places(problem);
                        writer
                            .create_element("error")
                            .with_attribute(("line", &*line.to_string()))
                            .with_attribute(("column", &*column.to_string()))
                            .with_attribute(("severity", severity))
                            .with_attribute(("message", &*message(problem)))
                            .with_attribute(("source", &*format!("promptls.{}", problem.code)))
                            .write_empty()?;
                    }
                    Ok(())
                })?;
            }
            Ok(())
        })?;
        Ok(())
    })
}
