//! Parallel processing with results in order.

use std::panic::resume_unwind;
use std::process;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// Applies `work` to each thing, on all cores, and passes the results to `take` in order. Each
/// result is passed as soon as it and those before it exist.
///
/// Things are taken from `things` as needed, on a separate thread, since the iterator may block. At
/// any time, about twice as many as there are cores are in progress or waiting, so that memory does
/// not grow with their number. `take` runs on the calling thread. Its error ends everything, once
/// the next thing has arrived; a panic of `work` propagates to the caller.
pub fn in_order<T: Send, R: Send, E>(
    things: impl IntoIterator<Item = T> + Send,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    // Without worker threads, the calling thread does the work.
    let Ok(pool) = pool() else {
        return things.into_iter().map(work).try_for_each(take);
    };
    let work = &work;
    // One more is being waited for, and one more is blocked.
    let (queue, results) = mpsc::sync_channel(2 * pool.current_num_threads() - 2);
    let start = move || {
        pool.in_place_scope(|scope| {
            for thing in things {
                let (sender, receiver) = mpsc::channel();
                // There is no receiver any more if an error has ended the work.
                scope.spawn(move |_| drop(sender.send(work(thing))));
                if queue.send(receiver).is_err() {
                    break;
                }
            }
        });
    };
    thread::scope(|scope| {
        let started = scope.spawn(start);
        // A missing result means that its task has panicked.
        let taken = results.iter().map_while(|result| result.recv().ok()).try_for_each(&mut take);
        drop(results);
        started.join().map_err(|panic| resume_unwind(panic)).and(taken)
    })
}

/// The thread pool of this process, with one thread for each core. A forked process, as in Python's
/// `multiprocessing`, has the memory of a pool but none of its threads, and would wait for them
/// forever. So it gets its own pool.
fn pool() -> Result<Arc<ThreadPool>, ThreadPoolBuildError> {
    static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);
    let mut known = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((of, pool)) = &*known
        && *of == process::id()
    {
        return Ok(pool.clone());
    }
    let pool = Arc::new(ThreadPoolBuilder::new().build()?);
    // Dropping a pool without threads would wait for them, too.
    std::mem::forget(known.replace((process::id(), pool.clone())));
    Ok(pool)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn results_are_ordered_and_few_are_computed_in_advance() {
        let (started, mut done) = (AtomicU64::new(0), 0);
        let things = (0..1000_u64).inspect(|_| _ = started.fetch_add(1, Ordering::Relaxed));
        let mut taken = Vec::new();
        let outcome = in_order(
            things,
            |thing| (0..(thing % 7) * 1000).fold(thing, |sum, _| std::hint::black_box(sum)),
            |result| {
                done += 1;
                let under_way = started.load(Ordering::Relaxed) - done;
                assert!(under_way <= 2 * pool().unwrap().current_num_threads() as u64);
                taken.push(result);
                Ok::<(), ()>(())
            },
        );
        assert_eq!(outcome, Ok(()));
        assert_eq!(taken, (0..1000).collect::<Vec<u64>>());
    }

    #[test]
    fn an_error_stops_the_iteration() {
        let taken = Cell::new(0);
        let take = |_| {
            taken.set(taken.get() + 1);
            if taken.get() == 3 { Err("full") } else { Ok(()) }
        };
        assert_eq!(in_order(0.., |thing: u64| thing, take), Err("full"));
        assert_eq!(taken.get(), 3);
    }

    #[test]
    #[should_panic(expected = "seven")]
    fn a_panic_is_propagated() {
        let _ = in_order(0..10, |thing| assert!(thing != 7, "seven"), |()| Ok::<(), ()>(()));
    }
}
