//! Langfuse: any text between the braces is a name, including syntax of other languages.

mod mustache;
mod references;

use crate::advice::Advice;
use crate::diagnose::checker::Checker;
use crate::near_miss::{NearMiss, Remark};

pub(crate) static ADVICE: Langfuse = Langfuse;

pub(crate) struct Langfuse;

impl Advice for Langfuse {
    fn correction(&self, found: &NearMiss<'_>) -> Option<String> {
        Some(format!("{{{{{}}}}}", found.word))
    }

    fn foreign_name(&self, name: &str) -> Option<&'static str> {
        let what = match name {
            _ if name.starts_with(['#', '/']) || name == "else" => {
                "Langfuse has no blocks; this is a name without a value, so it is sent unchanged"
            }
            _ if name.starts_with('!') => {
                "Langfuse has no comments; this is a name without a value, so it is sent unchanged"
            }
            _ if name.starts_with('>') => {
                "Langfuse has no partials; this is a name without a value, so it is sent unchanged"
            }
            _ if name.starts_with(['^', '&', '{', '@']) => {
                "this mark does not exist in Langfuse; it is part of the name"
            }
            _ if name.contains('|') => "Langfuse has no filters; this is one long name",
            _ => return None,
        };
        Some(what)
    }

    fn check_names(&self, checker: &mut Checker<'_>) {
        references::check(checker);
    }

    fn check_last(&self, checker: &mut Checker<'_>) {
        mustache::check(checker);
    }

    fn near_miss(&self, found: &NearMiss<'_>) -> Option<Remark> {
        found.missing_braces()
    }
}
