//! "Did you mean …?"

/// The known name nearest to a misspelt one, if one is near enough to be meant.
///
/// Ties go to the smaller distance, then to the name that sorts first, so that
/// the same text always gives the same words. Cost: proportional to the names.
///
/// ```
/// use promptls_analysis::nearest;
///
/// assert_eq!(nearest("custmer", ["name", "customer"]), Some("customer"));
/// assert_eq!(nearest("city", ["name", "customer"]), None);
/// ```
pub fn nearest<'k>(misspelt: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let length = misspelt.chars().count();
    // A single letter is nothing to go by; the longer a word, the more slips there may be.
    let allowed = match length {
        0..=1 => 0,
        2..=3 => 1,
        4..=5 => 2,
        6..=12 => 3,
        _ => length / 4,
    };
    known
        .into_iter()
        .filter(|name| {
            *name != misspelt && name.len().abs_diff(misspelt.len()) <= 4 * allowed.max(1)
        })
        .filter_map(|name| {
            if name.eq_ignore_ascii_case(misspelt) {
                return Some((0, name));
            }
            let distance = strsim::osa_distance(misspelt, name);
            (distance <= allowed).then_some((distance, name))
        })
        .min()
        .map(|(_, name)| name)
}

/// `; did you mean `x`?`, or nothing.
pub fn did_you_mean<'k>(misspelt: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    nearest(misspelt, known).map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_wins_and_ties_go_by_name() {
        assert_eq!(nearest("custmer", ["customer", "custom"]), Some("customer"));
        assert_eq!(nearest("cat", ["car", "bat"]), Some("bat"));
        assert_eq!(nearest("Topic", ["topic"]), Some("topic"));
        assert_eq!(nearest("topic", ["audience"]), None);
        assert_eq!(nearest("a", ["b"]), None);
    }
}
