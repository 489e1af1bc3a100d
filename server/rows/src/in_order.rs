//! Work on many things in all threads, whose results come in order.

use std::collections::VecDeque;
use std::sync::mpsc;

/// What `work` makes of each thing, on all cores, handed to `take` in order.
///
/// Things are taken from `things` as they are needed: at any time, twice as many as there are cores
/// are under way or wait to be taken, so that memory does not grow with their number. `things` and
/// `take` run on the calling thread. An error of `take` ends it; a panic of `work` goes on to the
/// caller.
pub fn in_order<T: Send, R: Send, E>(
    things: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let at_once = 2 * rayon::current_num_threads();
    let work = &work;
    rayon::in_place_scope(|scope| {
        let mut waiting: VecDeque<mpsc::Receiver<R>> = VecDeque::new();
        let mut next = |waiting: &mut VecDeque<mpsc::Receiver<R>>| {
            // Without a result it has panicked, which the scope tells.
            match waiting.pop_front().and_then(|first| first.recv().ok()) {
                Some(result) => take(result),
                None => Ok(()),
            }
        };
        for thing in things {
            if waiting.len() == at_once {
                next(&mut waiting)?;
            }
            let (sender, receiver) = mpsc::channel();
            // Nobody listens any more if an error has ended it.
            scope.spawn(move |_| drop(sender.send(work(thing))));
            waiting.push_back(receiver);
        }
        while !waiting.is_empty() {
            next(&mut waiting)?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn results_come_in_the_order_of_things_and_few_are_under_way() {
        let (started, done) = (Cell::new(0), Cell::new(0));
        let things = (0..1000_u64).inspect(|_| started.set(started.get() + 1));
        let mut taken = Vec::new();
        let outcome = in_order(
            things,
            |thing| (0..(thing % 7) * 1000).fold(thing, |sum, _| std::hint::black_box(sum)),
            |result| {
                done.set(done.get() + 1);
                assert!(started.get() - done.get() <= 2 * rayon::current_num_threads() as u64);
                taken.push(result);
                Ok::<(), ()>(())
            },
        );
        assert_eq!(outcome, Ok(()));
        assert_eq!(taken, (0..1000).collect::<Vec<u64>>());
    }

    #[test]
    fn an_error_ends_it() {
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
    fn a_panic_is_told() {
        let _ = in_order(0..10, |thing| assert!(thing != 7, "seven"), |()| Ok::<(), ()>(()));
    }
}
