//! The report of JUnit: a suite for each file with problems, and a case for each of these.
//!
//! Errors and warnings are failures. Where all is well, one case says how much was checked.

use std::io;

use promptls_protocol::{CheckOutput, FileProblem, Severity};
use quick_xml::Writer;
use quick_xml::events::BytesText;

use super::parts::{by_file, message, places};
use super::xml;
use crate::output::visible::visible_line;

/// All problems, by file.
pub fn text(report: &CheckOutput) -> io::Result<String> {
    xml::document(|writer| {
        let all = &report.problems;
        let tests = all.len().max(1).to_string();
        let root = writer
            .create_element("testsuites")
            .with_attribute(("name", "promptls"))
            .with_attribute(("tests", &*tests))
            .with_attribute(("failures", &*failures(all).to_string()))
            .with_attribute(("errors", "0"));
        root.write_inner_content(|writer| {
            if all.is_empty() {
                return all_is_well(writer, report.summary.prompts);
            }
            by_file(report).try_for_each(|problems| suite(writer, problems))
        })?;
        Ok(())
    })
}

fn failures(problems: &[FileProblem]) -> usize {
    problems.iter().filter(|problem| is_failure(problem)).count()
}

fn is_failure(problem: &FileProblem) -> bool {
    matches!(problem.severity, Severity::Error | Severity::Warning)
}

fn all_is_well(writer: &mut Writer<Vec<u8>>, prompts: usize) -> io::Result<()> {
    let suite = writer
        .create_element("testsuite")
        .with_attribute(("name", "promptls"))
        .with_attribute(("tests", "1"))
        .with_attribute(("failures", "0"))
        .with_attribute(("errors", "0"));
    suite.write_inner_content(|writer| {
        let plural = if prompts == 1 { "" } else { "s" };
        let name = format!("{prompts} prompt{plural} checked");
        let case = writer.create_element("testcase").with_attribute(("name", &*name));
        case.with_attribute(("classname", "promptls")).write_empty()?;
        Ok(())
    })?;
    Ok(())
}

fn suite(writer: &mut Writer<Vec<u8>>, problems: &[FileProblem]) -> io::Result<()> {
    let file = visible_line(&problems[0].file);
    let suite = writer
        .create_element("testsuite")
        .with_attribute(("name", &*file))
        .with_attribute(("tests", &*problems.len().to_string()))
        .with_attribute(("failures", &*failures(problems).to_string()))
        .with_attribute(("errors", "0"));
    suite.write_inner_content(|writer| {
        for problem in problems {
            let [[line, column], _] = places(problem);
            let name = format!("{} at {line}:{column}", problem.code);
            let case = writer
                .create_element("testcase")
                .with_attribute(("name", &*name))
                .with_attribute(("classname", &*file));
            let said = format!("{file}:{line}:{column}: {}", message(problem));
            case.write_inner_content(|writer| {
                match is_failure(problem) {
                    true => writer
                        .create_element("failure")
                        .with_attribute(("message", &*message(problem)))
                        .with_attribute(("type", problem.code))
                        .write_text_content(BytesText::new(&said))?,
                    false => writer
                        .create_element("system-out")
                        .write_text_content(BytesText::new(&said))?,
                };
                Ok(())
            })?;
        }
        Ok(())
    })?;
    Ok(())
}
