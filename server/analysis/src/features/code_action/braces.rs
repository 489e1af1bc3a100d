//! Fixes for braces: near misses, swallowed and literal ones.

use promptls_resolver::{FileId, Problem, has_block_marker, root};
use promptls_syntax::{Missing, TokenKind, escaped, name_range};

use super::action::{Change, ConfigChange};
use super::fix::{Fix, replace, replaced_token, token_after, token_of};
use super::id::{ActionId, ActionName};
use crate::dialects::advice;
use crate::near_miss::{Evidence, NearMiss};
use crate::snapshot::Snapshot;

/// Fixes for literal braces that were meant as a placeholder.
pub(super) fn near_miss(snapshot: &Snapshot, problem: &Problem) -> Vec<Fix> {
    let range = problem.location.range.clone();
    let token = snapshot.slice(range.clone());
    let mut fixes = Vec::new();
    let dialect = snapshot.dialect();
    let names = snapshot.names_to_mean([]);
    let near_miss = NearMiss::new(snapshot, &token, Evidence::Shape).among(&names, 1);
    if let Some(meant) = near_miss.meant(|found| advice(dialect).correction(found))
        && near_miss.is_fixed_by(dialect, &meant)
        && let Some(found) = replaced_token(snapshot, &range, &meant)
        && found.flaw.is_none()
    {
        let name = &meant[name_range(dialect, found.kind, &meant)];
        // The position of a missing closer is known only to the author, so that fix is not safe.
        // Doubled braces may be meant as they are.
        let is_escape = snapshot.engine().grammar().doubles_braces() && token.starts_with("{{");
        let is_safe =
            snapshot.is_known(root(dialect, name)) && !near_miss.has_no_closer() && !is_escape;
        let change = replace(FileId::PROMPT, range, &*meant);
        let id = ActionId::new(ActionName::Change, &*meant);
        let fix = Fix::of(id, format!("Change to `{meant}`"), change).preferred();
        fixes.push(Fix { is_safe, ..fix });
    }
    let word = problem.names.first().filter(|word| !word.starts_with(['#', '/']));
    fixes.extend(word.map(|word| mark_literal(word)));
    fixes
}

fn mark_literal(word: &str) -> Fix {
    let title = format!("Mark `{word}` as literal text, in promptls.toml");
    let id = ActionId::new(ActionName::MarkLiteral, word);
    Fix::of(id, title, Change::Config(ConfigChange::Literal(word.to_owned())))
}

/// Fixes for a placeholder of ADK with more braces on one side than on the other.
pub(super) fn swallowed(snapshot: &Snapshot, problem: &Problem) -> Vec<Fix> {
    let range = problem.location.range.clone();
    let token = snapshot.slice(range.clone());
    let opens = token.len() - token.trim_start_matches('{').len();
    let closes = token.len() - token.trim_end_matches('}').len();
    let kept = opens.min(closes);
    if kept == 0 || opens == closes {
        return Vec::new();
    }
    let placeholder = &token[opens - kept..token.len() - (closes - kept)];
    let apart = match opens > closes {
        true => format!("{} {placeholder}", "{".repeat(opens - kept)),
        false => format!("{placeholder} {}", "}".repeat(closes - kept)),
    };
    let change = |text: &str| replace(FileId::PROMPT, range.clone(), text);
    let leave_out = format!("Change to `{placeholder}`: the other braces are not sent");
    vec![
        Fix::of(
            ActionName::SeparateBraces,
            "Add a space between the braces, so that all are sent",
            change(&apart),
        )
        .preferred(),
        Fix::of(
            ActionId::new(ActionName::RemoveBraces, placeholder),
            leave_out,
            change(placeholder),
        ),
    ]
}

/// Fixes for an escape of AgentEnsemble that includes the following word.
pub(super) fn escape(snapshot: &Snapshot, problem: &Problem) -> Vec<Fix> {
    let Some(found) = token_of(snapshot, problem) else { return Vec::new() };
    let end = found.token.end();
    let after = token_after(snapshot, &(end..end), " ", &found.token.range());
    let fix = after.filter(|after| after.flaw.is_none()).map(|_| {
        let change = replace(FileId::PROMPT, end..end, " ");
        Fix::of(ActionName::SeparateEscape, "Add a space after the escape", change).preferred()
    });
    fix.into_iter().collect()
}

/// The way to have the braces of a placeholder sent, or the reason why there is none.
pub(super) fn literal(snapshot: &Snapshot, problem: &Problem) -> Option<Fix> {
    let found = token_of(snapshot, problem)?;
    if !matches!(found.token.kind, TokenKind::Placeholder | TokenKind::Optional) {
        return None;
    }
    let range = found.token.range();
    let token = snapshot.slice(range.clone());
    let spec = snapshot.dialect().spec();
    if spec.literal_braces.is_some() {
        let escaped = escaped(snapshot.engine(), &token)?;
        let after = replaced_token(snapshot, &range, &escaped);
        let is_right = snapshot.engine().grammar().doubles_braces()
            || after.is_some_and(|it| it.kind == TokenKind::Escape && it.flaw.is_none());
        let title = format!("Send `{token}` unchanged: write `{escaped}`");
        let id = ActionId::new(ActionName::SendVerbatim, &*token);
        return is_right.then(|| Fix::of(id, title, replace(FileId::PROMPT, range, escaped)));
    }
    let stays = match snapshot.engine().missing() {
        Missing::Raises => false,
        Missing::StaysLiteral => true,
        Missing::StaysLiteralOrEmpty => {
            !has_block_marker(snapshot.dialect(), &snapshot.text.whole())
        }
    };
    // The engine sends unknown names unchanged.
    if stays {
        return (!found.name.is_empty()).then(|| mark_literal(found.name));
    }
    let shown = shortened(&token);
    let title = format!("Send `{shown}` unchanged");
    let why = format!("{} cannot send braces around a name; put them into a value", spec.title);
    Some(Fix::impossible(ActionId::new(ActionName::SendVerbatim, shown), title, why))
}

/// Fixes for syntax of other template languages that has an equivalent here.
pub(super) fn unsupported(snapshot: &Snapshot, problem: &Problem) -> Vec<Fix> {
    let Some(found) = token_of(snapshot, problem) else { return Vec::new() };
    if found.token.kind != TokenKind::Placeholder {
        return Vec::new();
    }
    let range = found.token.range();
    if found.name.starts_with('!') {
        let title = "Remove the comment, which would be sent";
        let change = replace(FileId::PROMPT, range, "");
        return vec![Fix::of(ActionName::RemoveComment, title, change).preferred()];
    }
    let name = found.name.trim_start_matches("../");
    let meant = format!("{{{{{name}}}}}");
    if name == found.name || replaced_token(snapshot, &range, &meant).is_none() {
        return Vec::new();
    }
    let title = format!("Change to `{meant}`");
    let id = ActionId::new(ActionName::Change, &*meant);
    vec![Fix::of(id, title, replace(FileId::PROMPT, range, meant)).preferred()]
}

/// A token for a title: on one line, and shortened.
fn shortened(token: &str) -> String {
    const LONGEST: usize = 40;
    let words = token.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    }
}
