//! The fast path of Agentle's engines: most prompts give the same result if each placeholder and
//! each block is resolved separately. That takes a fraction of the time of passes over the whole
//! text.

use std::ops::Range;
use std::sync::Arc;

use memchr::memchr_iter;
use promptls_syntax::BlockKind;

use super::{Cleared, Rules, Scope};
use crate::blocks::MAX_DEPTH;
use crate::findings::run_findings::RunFindings;
use crate::output::{Bounded, Output, OutputOrigin, has_brace};
use crate::source_map::Via;
use crate::template::{Execution, Op, Path, Template, This};

/// `true` if the prompt allows it; the values must allow it, too.
pub(super) fn is_orderly<R: Rules>(template: &Template<'_>) -> bool {
    template.paths.iter().all(is_plain) && {
        let mut around: Vec<BlockKind> = Vec::new();
        template.ops.iter().all(|op| match op {
            // Remaining braces could form a tag together with adjacent text.
            Op::Literal(text, _) => {
                let next = |brace| text.as_bytes().get(brace + 1);
                memchr_iter(b'{', text.as_bytes())
                    .all(|brace| next(brace).is_some_and(|next| *next != b'{'))
            }
            Op::Slot { source, path, .. } => {
                source.len() == template.paths[*path].name.len() + "{{}}".len()
                    || has_plain_blanks(&template.text[source.clone()])
            }
            Op::Block { kind, source, path, .. } => {
                let is_of_item = !matches!(template.paths[*path].this, This::No);
                let suits = has_plain_blanks(&template.text[source.clone()])
                    && (R::NESTS || !around.contains(kind))
                    && !(*kind == BlockKind::If && is_of_item && !around.is_empty())
                    && around.len() < MAX_DEPTH;
                around.push(*kind);
                suits
            }
            Op::End => {
                around.pop();
                true
            }
            Op::Escape(_) | Op::Malformed(_) => false,
        })
    }
}

/// `true` if all engines read a path alike.
fn is_plain(path: &Path<'_>) -> bool {
    let is_own = |character: char| match character {
        '{' | '}' | '$' | '\\' => true,
        '!'..='~' => false,
        other => other.is_ascii() || other.is_whitespace(),
    };
    !path.name.is_empty()
        && !path.name.starts_with('.')
        && !path.name.contains(is_own)
        && !path.name.contains(".clear")
}

/// `true` if whitespace is the same for all engines.
fn has_plain_blanks(tag: &str) -> bool {
    tag.bytes().all(|byte| byte > b' ' || matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
}

/// Resolves placeholder by placeholder; `None` if that differs from the engine's result, and then
/// `out` must be discarded.
pub(super) fn quickly<R: Rules>(
    execution: Execution<'_>,
    out: &mut impl Output,
) -> Option<RunFindings> {
    if !execution.template.is_orderly || has_unpredictable_blocks::<R>(execution) {
        return None;
    }
    let has_blocks = execution.template.ops.iter().any(|op| matches!(op, Op::Block { .. }));
    let (found, is_read_again) = match has_blocks {
        // The values of a text that is read once may contain anything.
        false => (execution.run(out), false),
        true => {
            let mut watched = Watched { out, has_braces: false };
            (execution.run(&mut watched), watched.has_braces)
        }
    };
    let is_complete = found.limit.is_none() && found.unpredictable.is_empty();
    (is_complete && !is_read_again).then_some(found)
}

/// `true` if the target of a path in a block tag is unpredictable.
fn has_unpredictable_blocks<R: Rules>(execution: Execution<'_>) -> bool {
    let Execution { template, given } = execution;
    let cleared = Cleared::default();
    let scope = Scope { given, item: None, loops: 0, cleared: &cleared };
    template.ops.iter().any(|op| match op {
        Op::Block { path, .. } => {
            R::follow(scope, &template.paths[*path].name).unpredictable().is_some()
        }
        _ => false,
    })
}

/// Detects braces in values on their way to an output.
struct Watched<'o, O> {
    out: &'o mut O,
    /// `true` if there were any.
    has_braces: bool,
}

impl<O: Output> Output for Watched<'_, O> {
    const KEEPS_ORIGINS: bool = O::KEEPS_ORIGINS;

    #[inline]
    fn literal(&mut self, text: &str, source: Range<usize>) {
        self.out.literal(text, source);
    }

    #[inline]
    fn escape(&mut self, text: &str, source: Range<usize>) {
        self.out.escape(text, source);
    }

    #[inline]
    fn value(&mut self, origin: OutputOrigin<'_>, write: impl FnOnce(&mut Bounded)) {
        let has_braces = &mut self.has_braces;
        self.out.value(origin, |out| {
            let start = out.text.len();
            write(out);
            *has_braces |= has_brace(&out.text.as_bytes()[start..]);
        });
    }

    #[inline]
    fn set_via(&mut self, via: impl FnOnce() -> Option<Arc<Via>>) {
        self.out.set_via(via);
    }

    fn text(&self) -> &str {
        self.out.text()
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.out.is_full()
    }

    fn reserve(&mut self, bytes: usize) {
        self.out.reserve(bytes);
    }
}
