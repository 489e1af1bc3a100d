//! Suggestions: "did you mean …?"
//!
//! A name is suggested if it is similar: [`osa`] counts the typing slips. A caller with many
//! lookups keeps the known names as [`KnownNames`]. It excludes nearly all of them by length and
//! letters, and limits the remaining work. Names that many prompts share are a separate
//! [`NameIndex`], which is built once.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use rapidfuzz::distance::osa;

/// The total work for all lookups in a list of known names, in names examined. That takes less than
/// half a second.
const ALL_WORK: usize = 200_000_000;

/// The work of comparing two names, in names examined. It is one for each letter of the first name,
/// with 64 letters of the second one at once.
fn work_of_comparing(length: usize) -> usize {
    length.max(16) * (1 + length / 64)
}

/// Known names, for lookups of misspelt ones.
///
/// The more lookups are expected, the less work is allowed for each. A lookup that exceeds it has
/// no result. That takes tens of thousands of names on both sides.
#[derive(Debug)]
pub struct KnownNames<'k> {
    own: NameIndex<&'k str>,
    shared: Option<SharedNames>,
}

impl<'k> KnownNames<'k> {
    /// Indexes names. Cost: the names.
    pub fn new(names: impl IntoIterator<Item = &'k str>) -> Self {
        KnownNames { own: NameIndex::new(names), shared: None }
    }

    /// Adds names that other prompts share. Cost: constant.
    pub fn and_shared(self, shared: Option<SharedNames>) -> Self {
        KnownNames { shared, ..self }
    }

    /// The known name most similar to a misspelt one; `None` if none is similar enough. `questions`
    /// is the expected number of lookups.
    ///
    /// Ties are resolved by the smaller distance, then by the sort order, so that the result is
    /// deterministic. Cost: the names of similar length, up to the work per lookup.
    pub fn nearest(&self, misspelt: &str, questions: usize) -> Option<&str> {
        let own = self.own.nearest(misspelt, questions).map(|(slips, name)| (slips, *name));
        // Each prompt has few lookups, but there may be as many prompts as names.
        let of_shared = |shared: &SharedNames| questions.max(shared.len);
        let shared = self.shared.as_ref();
        let shared = shared.and_then(|shared| shared.nearest(misspelt, of_shared(shared)));
        let shared = shared.map(|(slips, name)| (slips, &**name));
        own.into_iter().chain(shared).min().map(|(_, name)| name)
    }

    /// `; did you mean `x`?`, or an empty text.
    pub fn did_you_mean(&self, misspelt: &str, questions: usize) -> String {
        hint(self.nearest(misspelt, questions))
    }
}

/// Names that many prompts share.
pub type SharedNames = Arc<NameIndex<Arc<str>>>;

/// An index of names by their lengths and letters.
#[derive(Debug)]
pub struct NameIndex<N> {
    /// By the number of characters.
    by_length: BTreeMap<usize, Vec<SuggestionCandidate<N>>>,
    len: usize,
}

#[derive(Debug)]
struct SuggestionCandidate<N> {
    name: N,
    letters: Letters,
}

impl<N: AsRef<str> + Ord> NameIndex<N> {
    /// Indexes names. Cost: the names.
    pub fn new(names: impl IntoIterator<Item = N>) -> Self {
        let mut by_length: BTreeMap<usize, Vec<SuggestionCandidate<N>>> = BTreeMap::new();
        let mut len = 0;
        for name in names {
            let (length, letters) = (name.as_ref().chars().count(), Letters::of(name.as_ref()));
            by_length.entry(length).or_default().push(SuggestionCandidate { name, letters });
            len += 1;
        }
        NameIndex { by_length, len }
    }

    /// The number of names that differ from a misspelt one by one slip: see [`is_slip`].
    pub(crate) fn count_slips(&self, misspelt: &str) -> usize {
        let length = misspelt.chars().count();
        let letters = Letters::of(misspelt);
        self.by_length
            .range(length.saturating_sub(1)..=length + 1)
            .flat_map(|(_, known)| known)
            .filter(|known| letters.slips_to(known.letters) <= 1)
            .filter(|known| is_slip(misspelt, known.name.as_ref()))
            .count()
    }

    /// See [`KnownNames::nearest`]; also returns the number of slips.
    pub(crate) fn nearest(&self, misspelt: &str, questions: usize) -> Option<(usize, &N)> {
        let length = misspelt.chars().count();
        let letters = Letters::of(misspelt);
        let comparator = OnceCell::new();
        let mut work = ALL_WORK / questions.max(1);
        let mut best: Option<(usize, &N)> = None;
        let mut most = allowed_slips(length);
        // The most probable lengths first: after a match, less similar lengths need not be
        // searched.
        for difference in 0..=allowed_slips(length) {
            if difference > most {
                break;
            }
            let shorter = length.checked_sub(difference);
            let longer = Some(length + difference).filter(|_| difference > 0);
            for known in [shorter, longer].into_iter().flatten() {
                for known in self.by_length.get(&known).into_iter().flatten() {
                    work = work.checked_sub(1)?;
                    let name = known.name.as_ref();
                    if name == misspelt || letters.slips_to(known.letters) > most {
                        continue;
                    }
                    let slips = if name.eq_ignore_ascii_case(misspelt) {
                        Some(0)
                    } else if most == 0 {
                        None
                    } else {
                        work = work.checked_sub(work_of_comparing(length))?;
                        comparator
                            .get_or_init(|| osa::BatchComparator::new(misspelt.chars()))
                            .distance_with_args(
                                name.chars(),
                                &osa::Args::default().score_cutoff(most),
                            )
                    };
                    if let Some(slips) = slips
                        && best.is_none_or(|best| (slips, &known.name) < best)
                        && !is_another_number(misspelt, name)
                    {
                        best = Some((slips, &known.name));
                        most = slips;
                    }
                }
            }
        }
        best
    }
}

/// Returns whether two names differ only in numbers, such as `task_1` and `task_2`. Neither is a
/// misspelling of the other.
fn is_another_number(name: &str, other: &str) -> bool {
    fn numbers(name: &str) -> impl Iterator<Item = &str> {
        name.split(|it: char| !it.is_ascii_digit()).filter(|number| !number.is_empty())
    }
    let words = |name: &str| name.replace(|it: char| it.is_ascii_digit(), "");
    let have_numbers = [name, other].iter().all(|name| numbers(name).next().is_some());
    have_numbers && numbers(name).ne(numbers(other)) && words(name) == words(other)
}

/// The maximum number of slips for a length: none for a single letter, and more for longer names.
fn allowed_slips(length: usize) -> usize {
    match length {
        0..=1 => 0,
        2..=3 => 1,
        4..=5 => 2,
        6..=12 => 3,
        _ => length / 4,
    }
}

/// The letters in a name, ignoring case: one bit for each, which some share.
#[derive(Clone, Copy, Debug)]
struct Letters(u64);

impl Letters {
    fn of(name: &str) -> Self {
        let bit = |character: char| 1 << (u32::from(character.to_ascii_lowercase()) % 64);
        Letters(name.chars().map(bit).fold(0, |all: u64, bit: u64| all | bit))
    }

    /// The minimum number of slips between names with these letters. One slip removes a letter,
    /// adds one, or both.
    fn slips_to(self, Letters(other): Letters) -> usize {
        let (gone, new) = (self.0 & !other, other & !self.0);
        gone.count_ones().max(new.count_ones()) as usize
    }
}

/// The known name most similar to a misspelt one; `None` if none is similar enough: see
/// [`KnownNames::nearest`].
///
/// ```
/// use promptls_analysis::nearest;
///
/// assert_eq!(nearest("custmer", ["name", "customer"]), Some("customer"));
/// assert_eq!(nearest("city", ["name", "customer"]), None);
/// ```
pub fn nearest<'k>(misspelt: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    NameIndex::new(known).nearest(misspelt, 1).map(|(_, name)| *name)
}

/// Returns whether a name certainly is another one with a typing slip. A slip is a different case,
/// or one letter missing, added, replaced, or two swapped. Unless two are swapped, it is not at the
/// ends, where plurals differ; and it is not in a number.
///
/// ```
/// use promptls_analysis::is_slip;
///
/// assert!(is_slip("custmer", "customer") && is_slip("Topic", "topic") && is_slip("topci", "topic"));
/// assert!(!is_slip("topics", "topic") && !is_slip("item_1b", "item_2b"));
/// ```
pub fn is_slip(misspelt: &str, known: &str) -> bool {
    let ends = |name: &str| (name.chars().next(), name.chars().next_back());
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    let letters = |name: &str| {
        let mut letters: Vec<char> = name.chars().collect();
        letters.sort_unstable();
        letters
    };
    let is_long = misspelt.chars().count() >= 4 && known.chars().count() >= 4;
    misspelt != known
        && (misspelt.eq_ignore_ascii_case(known)
            || is_long
                && (ends(misspelt) == ends(known) || letters(misspelt) == letters(known))
                && digits(misspelt) == digits(known)
                && osa::distance(misspelt.chars(), known.chars()) == 1)
}

/// `; did you mean `x`?`, or an empty text.
pub fn did_you_mean<'k>(misspelt: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    hint(nearest(misspelt, known))
}

fn hint(meant: Option<&str>) -> String {
    meant.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_nearest_name_wins_and_ties_go_by_name() {
        assert_eq!(nearest("custmer", ["customer", "custom"]), Some("customer"));
        assert_eq!(nearest("cat", ["car", "bat"]), Some("bat"));
        assert_eq!(nearest("Topic", ["topic"]), Some("topic"));
        assert_eq!(nearest("topic", ["audience"]), None);
        assert_eq!(nearest("a", ["b"]), None);
    }

    #[test]
    fn names_that_differ_only_by_a_number_are_not_suggested() {
        assert_eq!(nearest("task_1", ["task_0", "task_12"]), None);
        assert_eq!(nearest("taks_1", ["task_0", "task_1"]), Some("task_1"));
        assert_eq!(nearest("item", ["item1"]), Some("item1"));
        assert_eq!(nearest("1x", ["x1"]), Some("x1"));
    }

    /// The reference implementation: compares with each name.
    fn nearest_of_all<'k>(misspelt: &str, known: &[&'k str]) -> Option<&'k str> {
        let slips = |name: &str| match name.eq_ignore_ascii_case(misspelt) {
            true => 0,
            false => strsim::osa_distance(misspelt, name),
        };
        let others = known.iter().filter(|name| **name != misspelt);
        let nearest = others.map(|name| (slips(name), *name)).min()?;
        (nearest.0 <= allowed_slips(misspelt.chars().count())).then_some(nearest.1)
    }

    fn name() -> impl Strategy<Value = String> {
        prop_oneof!["[abcA]{0,6}", "[a-eé]{4,14}", "(ab|ba|é){3,9}", "(abc|acb|x){20,40}"]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5_000))]

        #[test]
        fn the_index_finds_the_same_name_as_a_linear_search(
            misspelt in name(),
            known in prop::collection::vec(name(), 0..12),
        ) {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            prop_assert_eq!(nearest(&misspelt, known.clone()), nearest_of_all(&misspelt, &known));
        }
    }

    #[test]
    fn three_thousand_names_are_compared_within_the_limit() {
        let known: Vec<String> = (0..3_000).map(|number| format!("name_{number}")).collect();
        let names = KnownNames::new(known.iter().map(String::as_str));
        assert_eq!(names.nearest("nmae_2999", 3_000), Some("name_2999"));
    }

    #[test]
    fn shared_names_are_suggested_like_own_ones() {
        let shared = |names: &[&str]| {
            let names = names.iter().map(|name| Arc::from(*name));
            Some(Arc::new(NameIndex::new(names)))
        };
        for (own, others, expected) in [
            (&["custom"][..], &["customer"][..], Some("customer")),
            (&["customer"], &["custom"], Some("customer")),
            (&["bustmer"], &["austmer"], Some("austmer")),
            (&[], &["custmers"], Some("custmers")),
            (&["city"], &[], None),
        ] {
            let names = KnownNames::new(own.iter().copied()).and_shared(shared(others));
            assert_eq!(names.nearest("custmer", 1), expected);
        }
    }

    #[test]
    fn no_name_is_suggested_beyond_the_work_limit() {
        let known: Vec<String> = (0..3_000).map(|number| format!("name_{number}")).collect();
        let names = || known.iter().map(String::as_str);
        assert_eq!(KnownNames::new(names()).nearest("nmae_2999", ALL_WORK / 100), None);
        // There are two names of that length.
        let more = names().chain(["another_name", "an_odder_name"]);
        let many = KnownNames::new(more);
        assert_eq!(many.nearest("anothr_name", ALL_WORK / 100), Some("another_name"));
        // A very long name is compared with few others.
        let book = "abc".repeat(100_000);
        let other = format!("{book}x");
        assert_eq!(KnownNames::new([&*other]).nearest(&book, 1_000), None);
    }
}
