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
            "there are no blocks in Langfuse; this is a name without a value, and is sent as it is"
        }
        _ if name.starts_with('!') => {
            "there are no comments in Langfuse; this is a name without a value, and is sent as it is"
        }
        _ if name.starts_with('>') => {
            "there are no partials in Langfuse; this is a name without a value, and is sent as it is"
        }
        _ if name.starts_with(['^', '&', '{', '@']) => {
            "this mark does not exist in Langfuse; it is part of the name"
        }
        _ if name.contains('|') => "there are no filters in Langfuse; this is one long name",
        _ => return None,
    };
    Some(what)
}
