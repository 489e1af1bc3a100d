//! Parallel processing with as many threads as there are cores.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The minimum number of items that is worth a thread.
const AT_LEAST: usize = 16;

/// The result of `work` for each item, in order. A panic propagates to the caller.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let note = |done: &mut Vec<(usize, R)>, index, item: &T| done.push((index, work(item)));
    let mut done: Vec<(usize, R)> = by_thread(items, note).into_iter().flatten().collect();
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, made)| made).collect()
}

/// The number of threads that can run at once. Cached, because determining it reads files.
fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
}

/// The value that each thread accumulates from its items, which it takes one after the other, with
/// their positions. For results whose order does not matter. A panic propagates to the caller.
pub fn by_thread<T: Sync, M: Default + Send>(
    items: &[T],
    note: impl Fn(&mut M, usize, &T) + Sync,
) -> Vec<M> {
    let threads = cores().min(items.len().div_ceil(AT_LEAST)).max(1);
    let next = AtomicUsize::new(0);
    let some = || {
        let mut made = M::default();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return made };
            note(&mut made, index, item);
        }
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(some)).collect();
        let mut all = vec![some()];
        for other in others {
            match other.join() {
                Ok(made) => all.push(made),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_have_the_order_of_the_items() {
        let items: Vec<usize> = (0..1_000).collect();
        let doubled: Vec<usize> = items.iter().map(|item| item * 2).collect();
        assert_eq!(in_parallel(&items, |item| item * 2), doubled);
        assert!(in_parallel(&items[..0], |item| item * 2).is_empty());
    }
}
