//! Agentle: block tags, and unsupported syntax of other languages.

use promptls_resolver::Value;
use promptls_syntax::{BlockKind, TokenKind};

use crate::advice::Advice;
use crate::diagnose::hazards::{Construct, Hazard};
use crate::near_miss::{NearMiss, Remark};

pub(crate) static ADVICE: Agentle = Agentle;

pub(crate) struct Agentle;

impl Advice for Agentle {
    fn near_miss(&self, found: &NearMiss<'_>) -> Option<Remark> {
        if !found.has_two_braces() {
            return found.missing_braces();
        }
        let path = found.word.split_once([' ', '\t']).map_or("", |(_, path)| path.trim());
        if found.is_in_code() && !found.may_mean(path) {
            return None;
        }
        let opens = ["#if", "#each"].iter().any(|keyword| found.word.starts_with(keyword));
        found.left_because(match opens {
            true => "the opening tag of a block has a space and a path, as in `{{#if path}}`",
            false => "a closer is exactly `{{/if}}` or `{{/each}}`",
        })
    }

    fn correction(&self, found: &NearMiss<'_>) -> Option<String> {
        let word = found.word;
        let inside = match word.split_once([' ', '\t']) {
            Some((keyword @ ("#if" | "#each"), path)) => format!("{keyword} {}", path.trim()),
            _ => match word.trim_start_matches(['/', ' ']) {
                keyword @ ("if" | "each") if word.starts_with('/') => format!("/{keyword}"),
                _ => word.to_owned(),
            },
        };
        Some(format!("{{{{{inside}}}}}"))
    }

    fn foreign_name(&self, name: &str) -> Option<&'static str> {
        let what = match name {
            "else" => {
                "`{{else}}` does not exist in Agentle; it is a name without a value, and both branches are sent"
            }
            _ if name.starts_with('!') => "Agentle has no comments; this is a name without a value",
            _ if name.starts_with('>') => "Agentle has no partials; this is a name without a value",
            _ if name.starts_with('@') => {
                "Agentle has no `@` variables; this is a name without a value"
            }
            _ if name.starts_with("../") => {
                "`../` does not exist in Agentle; outer names are visible without it"
            }
            _ if name.starts_with('&') || name.starts_with('{') || name.starts_with('^') => {
                "this mark does not exist in Agentle; it is part of the name"
            }
            _ if name.contains(" as |") => "`as |x|` does not exist in Agentle; the item is `this`",
            _ if name.contains(" | ") || name.contains('|') => {
                "Agentle has no filters; this is one long name"
            }
            _ if name.contains("==") || name.starts_with("not ") => {
                "Agentle has no expressions; this is one long name"
            }
            _ => return None,
        };
        Some(what)
    }

    fn hazards(&self) -> &'static [Hazard] {
        HAZARDS
    }
}

const HAZARDS: &[Hazard] = &[
    Hazard::new(
        "is not known when agentle4j evaluates conditions, so it drops the block",
        |found| found.used.kind == IF && found.is_of_item(),
    ),
    Hazard::new(
        "is inside a block of the same kind; in agentle-python, the first closer ends both",
        |found| found.is_nested(),
    ),
    Hazard::new(
        "is a member of a string or a list, which the engines support but the documentation does not mention",
        is_member,
    )
    .without_value(),
    Hazard::new(
        "contains `$` or `\\`, which agentle4j interprets in placeholders without a value",
        |found| {
            found.reads()
                && found.name.contains(['$', '\\'])
                && found.may_be_missing()
                && !found.is_beside_blocks()
        },
    )
    .without_value(),
];

const IF: TokenKind = TokenKind::BlockOpen(BlockKind::If);

/// The members of texts and lists, from their language or from the engine.
const MEMBERS: [&str; 8] =
    ["length", "size", "empty", "isEmpty", "trim", "toUpperCase", "toLowerCase", "class"];

fn is_member(found: &Construct<'_, '_>) -> bool {
    found.reads()
        && found.name.rsplit_once('.').is_some_and(|(parent, member)| {
            let has_members =
                |value: &&Value| value.as_text().is_some() || value.as_list().is_some();
            MEMBERS.contains(&member.trim()) && found.values(parent).iter().any(has_members)
        })
}
