//! Langfuse: any text between the braces is a name, including syntax of other languages.

use crate::advice::Advice;
use crate::near_miss::NearMiss;

pub(crate) const ADVICE: Advice =
    Advice { foreign_name, ..Advice::new(|found| found.lacks_braces(), mended) };

fn mended(found: &NearMiss<'_>) -> Option<String> {
    Some(format!("{{{{{}}}}}", found.word))
}

fn foreign_name(name: &str) -> Option<&'static str> {
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
