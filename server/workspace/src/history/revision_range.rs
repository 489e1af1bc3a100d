//! Ranges of revisions with the syntax of git: `main..`.

use std::str::FromStr;

use super::git_revision::{CommitError, Committed, LAST_COMMIT, Repository};
use crate::files::Files;

/// Two times to compare: a revision, and another one or now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisionRange {
    /// The older revision, such as `main`; `HEAD` if none is named.
    pub from: String,
    /// The newer revision; `None` for the current files.
    pub to: Option<String>,
    /// `true` if the range starts at the common ancestor, which may be older than `from`.
    is_since_fork: bool,
}

/// `REV` and `REV..` mean from there until now, and `REV..REV` means between two revisions. Three
/// dots start at the common ancestor. An empty revision before the dots means the last commit.
impl FromStr for RevisionRange {
    type Err = String;

    fn from_str(text: &str) -> Result<RevisionRange, String> {
        let three = text.split_once("...").map(|(from, to)| (from, to, true));
        let two = || text.split_once("..").map(|(from, to)| (from, to, false));
        let (from, to, is_since_fork) = three.or_else(two).unwrap_or((text, "", false));
        if text.is_empty() || to.contains("..") {
            return Err("write it as `main`, `main..`, `main...` or `v1..v2`".to_owned());
        }
        let or_last = |name: &str| if name.is_empty() { LAST_COMMIT } else { name }.to_owned();
        let to = (!to.is_empty()).then(|| to.to_owned());
        Ok(RevisionRange { from: or_last(from), to, is_since_fork })
    }
}

impl RevisionRange {
    /// The files of a repository at the older time, and at the newer one if that is a commit; `now`
    /// provides the current files.
    pub fn open<'f>(
        &self,
        repository: &Repository,
        now: &'f dyn Files,
    ) -> Result<(Committed<'f>, Option<Committed<'f>>), CommitError> {
        let to = self.to.as_deref().map(|to| repository.at(to, now)).transpose()?;
        let from = match self.is_since_fork {
            false => repository.at(&self.from, now)?,
            true => {
                let newer = self.to.as_deref().unwrap_or(LAST_COMMIT);
                repository.at(&repository.merge_base(&self.from, newer)?, now)?
            }
        };
        Ok((from, to))
    }

    /// Fails if a requested object is missing in git, or git was killed.
    pub fn check_whole(
        &self,
        from: &Committed<'_>,
        to: Option<&Committed<'_>>,
    ) -> Result<(), CommitError> {
        let newer = || to?.failure(self.to.as_deref()?);
        from.failure(&self.from).or_else(newer).map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_the_syntax_of_git() {
        for (text, from, to, is_since_fork) in [
            ("main", "main", None, false),
            ("main..", "main", None, false),
            ("main...", "main", None, true),
            ("v1..v2", "v1", Some("v2"), false),
            ("v1...v2", "v1", Some("v2"), true),
            ("..v2", "HEAD", Some("v2"), false),
            ("..", "HEAD", None, false),
            ("HEAD~3", "HEAD~3", None, false),
        ] {
            let expected =
                RevisionRange { from: from.to_owned(), to: to.map(str::to_owned), is_since_fork };
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
        assert!(
            "".parse::<RevisionRange>().is_err() && "a..b..c".parse::<RevisionRange>().is_err()
        );
    }
}
