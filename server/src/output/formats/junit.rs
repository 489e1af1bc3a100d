//! JUnit's report format: a suite for each file with problems, and a case for each problem.
//!
//! Errors and warnings are failures. A file that could not be read is an error, like a test that
//! does not run. Without problems, one case contains the summary.

use std::io;

use promptls_protocol::{CheckOutput, FileProblem, Severity};
use promptls_resolver::Code;
use quick_xml::Writer;
use quick_xml::events::BytesText;

use super::parts::{by_file, message, places};
use super::xml;
use crate::output::visible::visible_line;

/// The report with all problems, by file.
pub fn text(report: &CheckOutput) -> io::Result<String> {
    xml::document(|writer| {
        let all = &report.problems;
        let tests = all.len().max(1).to_string();
        let root = writer
            .create_element("testsuites")
            .with_attribute(("name", "promptls"))
            .with_attribute(("tests", &*tests))
            .with_attribute(("failures", &*count(all, Outcome::Failure)))
            .with_attribute(("errors", &*count(all, Outcome::Error)));
        root.write_inner_content(|writer| {
            if all.is_empty() {
                return all_is_well(writer, report.summary.prompts);
            }
            by_file(report).try_for_each(|problems| suite(writer, problems))
        })?;
        Ok(())
    })
}

/// The result of a problem in JUnit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// A file could not be read.
    Error,
    Failure,
    Passed,
}

impl Outcome {
    fn of(problem: &FileProblem) -> Outcome {
        let hides_others = Code::from_id(problem.code).is_some_and(Code::hides_others);
        match problem.severity {
            Severity::Error if hides_others => Outcome::Error,
            Severity::Error | Severity::Warning => Outcome::Failure,
            _ => Outcome::Passed,
        }
    }
}

fn count(problems: &[FileProblem], outcome: Outcome) -> String {
    problems.iter().filter(|problem| Outcome::of(problem) == outcome).count().to_string()
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
        .with_attribute(("failures", &*count(problems, Outcome::Failure)))
        .with_attribute(("errors", &*count(problems, Outcome::Error)));
    suite.write_inner_content(|writer| {
        for problem in problems {
            let [[line, column], _] = places(problem);
            let name = format!("{} at {line}:{column}", problem.code);
            let case = writer
                .create_element("testcase")
                .with_attribute(("name", &*name))
                .with_attribute(("classname", &*file));
            let text = format!("{file}:{line}:{column}: {}", message(problem));
            case.write_inner_content(|writer| {
                let element = match Outcome::of(problem) {
                    Outcome::Error => "error",
                    Outcome::Failure => "failure",
                    Outcome::Passed => "system-out",
                };
                let mut element = writer.create_element(element);
                if Outcome::of(problem) != Outcome::Passed {
                    let message = message(problem);
                    element = element
                        .with_attribute(("message", &*message))
                        .with_attribute(("type", problem.code));
                }
                element.write_text_content(BytesText::new(&text))?;
                Ok(())
            })?;
        }
        Ok(())
    })?;
    Ok(())
}
