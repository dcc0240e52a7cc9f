//! Which folders are watched, for how long, and what of them is to be told: decided here, done elsewhere.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::burst::Burst;
use super::look::{Signature, There};
use super::{Changed, Watching};
use crate::access::Source;
use crate::path::RelPath;
use crate::platform::{self, Identity};
use crate::roots::RootId;

/// How long a folder is watched after somebody has asked for it.
pub(super) const LEASE: Duration = Duration::from_secs(120);
/// So many folders are watched. Beyond that, whichever was asked for longest ago no longer is.
const MOST: usize = 128;
/// How often a folder is looked into that tells nothing by itself, at most; and how many times longer than a look
/// it is left alone.
const POLL: Duration = Duration::from_secs(3);
const POLL_REST: u32 = 20;

/// A folder that somebody looks at.
#[derive(Debug)]
struct Watched {
    source: Source,
    until: Duration,
    how: How,
    burst: Option<Burst>,
    /// Whether whoever told of it may have gone, with the folder or a part of the way to it.
    is_unsure: bool,
}

/// How its changes are heard of.
#[derive(Debug, Clone, PartialEq, Eq)]
enum How {
    /// It was not there when it was looked for.
    Waiting,
    /// By events of the file system.
    Events(There),
    /// By looking into it from time to time.
    Polling {
        there: There,
        /// What the last look saw.
        signature: Signature,
        next: Duration,
    },
}

/// How a folder was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// It is not there.
    Nothing,
    /// It is there, and its changes are told by the file system.
    Told(There),
    /// It is there, and nobody tells of its changes.
    Untold(There, Look),
}

/// A look at what a folder holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) signature: Signature,
    pub(super) took: Duration,
}

/// What is to be looked at.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Errand {
    pub(super) source: Source,
    /// As it was found last; none if it was not there.
    pub(super) known: Option<There>,
    /// Whether to look into it, too.
    pub(super) contents: bool,
    /// Whether to listen to it anew, even if it is the same.
    pub(super) is_unsure: bool,
}

/// The folders that are watched.
#[derive(Debug, Default)]
pub(super) struct Board {
    folders: HashMap<(RootId, RelPath), Watched>,
}

impl Board {
    /// Goes on with a folder that is watched; none for one that is not, and must be looked at first.
    pub(super) fn renew(&mut self, source: &Source, now: Duration) -> Option<Watching> {
        let watched = self.folders.get_mut(&key(source))?;
        watched.until = now + LEASE;
        Some(watched.how.told())
    }

    /// Watches a folder from now on, as it was found. Gives the places that need not be listened to any more.
    pub(super) fn begin(&mut self, source: &Source, found: Found, now: Duration) -> Vec<PathBuf> {
        if self.renew(source, now).is_some() {
            // Somebody else has asked for it meanwhile.
            return self.change(source, found, now);
        }
        let before = self.places();
        self.make_room();
        let watched = Watched {
            source: source.clone(),
            until: now + LEASE,
            how: How::new(found, now),
            burst: None,
            is_unsure: false,
        };
        self.folders.insert(key(source), watched);
        self.left_of(before)
    }

    /// Goes on with a folder that was found to be another, or gone, or back. As [`begin`](Self::begin), unless
    /// nobody watches it any more.
    pub(super) fn change(&mut self, source: &Source, found: Found, now: Duration) -> Vec<PathBuf> {
        let mut before = self.places();
        let how = How::new(found, now);
        // It is listened to by now.
        before.extend(how.listened().cloned());
        if let Some(watched) = self.folders.get_mut(&key(source)) {
            let is_absent_still = watched.how == How::Waiting && how == How::Waiting;
            watched.how = how;
            watched.is_unsure = false;
            if !is_absent_still {
                watched.burst = Some(Burst::with_hint(watched.burst, now));
            }
        }
        self.left_of(before)
    }

    /// Takes away the folders that nobody has asked for in time. Gives places as [`begin`](Self::begin) does.
    pub(super) fn sweep(&mut self, now: Duration) -> Vec<PathBuf> {
        self.keep(|watched| now < watched.until)
    }

    /// Takes away the folders of a root. Gives places as [`begin`](Self::begin) does.
    pub(super) fn forget(&mut self, root: RootId) -> Vec<PathBuf> {
        self.keep(|watched| watched.source.root() != root)
    }

    /// Something has happened to one of these; to whatever is watched, if they are none.
    pub(super) fn hint(&mut self, paths: &[PathBuf], now: Duration) {
        let mut concerned = Vec::new();
        for watched in self.folders.values_mut() {
            let Some(there) = watched.how.listened() else {
                continue;
            };
            let place = &there.place;
            let is_way = |path: &PathBuf| place.starts_with(path);
            let is_gone = paths.is_empty() || paths.iter().any(is_way);
            if is_gone || paths.iter().any(|path| concerns(path, place)) {
                concerned.push(there.identity);
            }
            watched.is_unsure |= is_gone;
        }
        // One folder may have several places, of which only one is told.
        for watched in self.folders.values_mut() {
            let there = watched.how.listened();
            if there.is_some_and(|there| concerned.contains(&there.identity)) {
                watched.burst = Some(Burst::with_hint(watched.burst, now));
            }
        }
    }

    /// Nobody tells of this folder any more: where it has another place, that is listened to anew.
    pub(super) fn doubt(&mut self, identity: Identity) {
        for watched in self.folders.values_mut() {
            let there = watched.how.listened();
            watched.is_unsure |= there.is_some_and(|there| there.identity == identity);
        }
    }

    /// The folders whose changes are to be told now.
    pub(super) fn take_due(&mut self, now: Duration) -> Vec<Changed> {
        let mut due = Vec::new();
        for ((root, path), watched) in &mut self.folders {
            if watched.burst.is_some_and(|burst| burst.due() <= now) {
                watched.burst = None;
                due.push(Changed {
                    root: *root,
                    path: path.clone(),
                });
            }
        }
        due
    }

    /// When the next change is to be told.
    pub(super) fn next_due(&self) -> Option<Duration> {
        let bursts = self.folders.values().filter_map(|watched| watched.burst);
        bursts.map(|burst| burst.due()).min()
    }

    /// What is to be looked at now.
    pub(super) fn errands(&self, now: Duration) -> Vec<Errand> {
        let errand = |watched: &Watched| Errand {
            source: watched.source.clone(),
            known: watched.how.there().cloned(),
            contents: matches!(watched.how, How::Polling { next, .. } if next <= now),
            is_unsure: watched.is_unsure,
        };
        self.folders.values().map(errand).collect()
    }

    /// What a look into a folder saw.
    pub(super) fn compare(&mut self, source: &Source, look: Look, now: Duration) {
        let Some(watched) = self.folders.get_mut(&key(source)) else {
            return;
        };
        if let How::Polling {
            signature, next, ..
        } = &mut watched.how
        {
            *next = look.next(now);
            if *signature != look.signature {
                *signature = look.signature;
                watched.burst = Some(Burst::with_hint(watched.burst, now));
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.folders.is_empty()
    }

    fn keep(&mut self, stays: impl Fn(&Watched) -> bool) -> Vec<PathBuf> {
        let before = self.places();
        self.folders.retain(|_, watched| stays(watched));
        self.left_of(before)
    }

    fn make_room(&mut self) {
        while self.folders.len() >= MOST {
            let oldest = self.folders.iter().min_by_key(|(_, watched)| watched.until);
            let Some(key) = oldest.map(|(key, _)| key.clone()) else {
                return;
            };
            self.folders.remove(&key);
        }
    }

    /// What is listened to.
    fn places(&self) -> Vec<There> {
        let places = self.folders.values().filter_map(|it| it.how.listened());
        places.cloned().collect()
    }

    fn left_of(&mut self, mut before: Vec<There>) -> Vec<PathBuf> {
        let now = self.places();
        before.retain(|there| !now.iter().any(|other| other.place == there.place));
        for there in &before {
            self.doubt(there.identity);
        }
        let mut left: Vec<_> = before.into_iter().map(|there| there.place).collect();
        left.sort_unstable();
        left.dedup();
        left
    }
}

impl Found {
    pub(super) fn watching(&self) -> Watching {
        match self {
            Self::Nothing => Watching::Waiting,
            Self::Told(_) => Watching::Events,
            Self::Untold(..) => Watching::Polling,
        }
    }
}

impl Look {
    /// When the next one is.
    fn next(self, now: Duration) -> Duration {
        now + POLL.max(self.took * POLL_REST)
    }
}

impl How {
    fn new(found: Found, now: Duration) -> Self {
        match found {
            Found::Nothing => Self::Waiting,
            Found::Told(there) => Self::Events(there),
            Found::Untold(there, look) => Self::Polling {
                there,
                signature: look.signature,
                next: look.next(now),
            },
        }
    }

    fn told(&self) -> Watching {
        match self {
            Self::Waiting => Watching::Waiting,
            Self::Events(_) => Watching::Events,
            Self::Polling { .. } => Watching::Polling,
        }
    }

    fn there(&self) -> Option<&There> {
        match self {
            Self::Waiting => None,
            Self::Events(there) | Self::Polling { there, .. } => Some(there),
        }
    }

    /// What is listened to.
    fn listened(&self) -> Option<&There> {
        match self {
            Self::Waiting | Self::Polling { .. } => None,
            Self::Events(there) => Some(there),
        }
    }
}

fn key(source: &Source) -> (RootId, RelPath) {
    (source.root(), source.path().clone())
}

/// Whether what happened at `path` changes what a listing of the folder at `place` shows.
fn concerns(path: &Path, place: &Path) -> bool {
    let is_shown = |name| !platform::bytes_of(name).starts_with(b".");
    path.parent() == Some(place) && path.file_name().is_some_and(is_shown)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::roots::Root;

    const START: Duration = Duration::from_secs(1000);

    fn at(ms: u64) -> Duration {
        START + Duration::from_millis(ms)
    }

    fn folder(root: &[u8], path: &[u8]) -> Source {
        Source::new(
            Arc::new(Root::own(root.to_vec())),
            RelPath::parse(path).unwrap(),
        )
    }

    fn there(place: &str, number: u64) -> There {
        There {
            place: place.into(),
            identity: Identity::of_test(number),
            is_remote: false,
        }
    }

    fn look(number: u64) -> Look {
        Look {
            signature: Signature::of(number),
            took: Duration::from_millis(200),
        }
    }

    fn changed(source: &Source) -> Changed {
        Changed {
            root: source.root(),
            path: source.path().clone(),
        }
    }

    #[test]
    fn what_happens_in_a_folder_is_told_of_that_folder() {
        let mut board = Board::default();
        let [a, b] = [folder(b"/p", b"a"), folder(b"/p", b"b")];
        for (number, source, place) in [(1, &a, "/p/a"), (2, &b, "/p/b")] {
            assert_eq!(board.renew(source, START), None);
            let left = board.begin(source, Found::Told(there(place, number)), START);
            assert!(left.is_empty());
            assert_eq!(board.renew(source, START), Some(Watching::Events));
        }
        assert_eq!(board.next_due(), None);
        for nothing in ["/p/a/.x.jpg.tmp", "/p/a/c/x.jpg", "/q", "/p/ab"] {
            board.hint(&[nothing.into()], at(0));
        }
        assert_eq!(board.next_due(), None);
        board.hint(&["/p/a/x.jpg".into()], at(0));
        assert_eq!(board.take_due(at(49)), []);
        assert_eq!(board.next_due(), Some(at(50)));
        assert_eq!(board.take_due(at(50)), [changed(&a)]);
        assert_eq!((board.take_due(at(999)), board.next_due()), (vec![], None));
        board.hint(&["/p/b".into()], at(1000));
        assert_eq!(board.take_due(at(1050)), [changed(&b)]);
        // Nobody knows what it was.
        board.hint(&[], at(2000));
        assert_eq!(board.take_due(at(2050)).len(), 2);
    }

    #[test]
    fn nobody_listens_where_nobody_looks() {
        let mut board = Board::default();
        let [a, same] = [folder(b"/p", b"a"), folder(b"/p/a", b"")];
        board.begin(&a, Found::Told(there("/p/a", 1)), at(0));
        board.begin(&same, Found::Told(there("/p/a", 1)), at(5000));
        assert_eq!(board.sweep(at(0) + LEASE), Vec::<PathBuf>::new());
        assert_eq!(board.renew(&a, at(0) + LEASE), None);
        assert_eq!(board.sweep(at(5000) + LEASE), [PathBuf::from("/p/a")]);
        assert!(board.is_empty());

        board.begin(&a, Found::Told(there("/p/a", 1)), START);
        assert_eq!(board.forget(same.root()), Vec::<PathBuf>::new());
        assert_eq!(board.forget(a.root()), [PathBuf::from("/p/a")]);
        // Found to be another, by somebody who began to look before it was forgotten.
        let moved = board.change(&a, Found::Told(there("/q", 2)), START);
        assert_eq!(moved, [PathBuf::from("/q")]);
        assert!(board.is_empty());
    }

    #[test]
    fn a_folder_that_goes_and_comes_is_told_of() {
        let mut board = Board::default();
        let a = folder(b"/p", b"a");
        board.begin(&a, Found::Told(there("/p/a", 1)), START);
        assert_eq!(board.errands(at(1))[0].known, Some(there("/p/a", 1)));
        assert_eq!(
            board.change(&a, Found::Nothing, at(2)),
            [PathBuf::from("/p/a")]
        );
        assert_eq!(board.take_due(at(100)), [changed(&a)]);
        assert_eq!(board.renew(&a, at(100)), Some(Watching::Waiting));
        assert_eq!(board.errands(at(100))[0].known, None);
        board.change(&a, Found::Told(there("/p/a", 2)), at(200));
        assert_eq!(board.take_due(at(300)), [changed(&a)]);
    }

    #[test]
    fn what_may_not_be_told_any_more_is_listened_to_anew() {
        let mut board = Board::default();
        let [a, link] = [folder(b"/p", b"a"), folder(b"/p", b"link")];
        board.begin(&a, Found::Told(there("/p/a", 1)), START);
        let unsure = |board: &Board| {
            let errands = board.errands(START).into_iter();
            errands.filter(|errand| errand.is_unsure).count()
        };
        assert_eq!(unsure(&board), 0);
        for way in [vec!["/p/a".into()], vec!["/p".into()], vec![]] {
            board.hint(&way, at(0));
            assert_eq!(unsure(&board), 1);
            board.change(&a, Found::Told(there("/p/a", 1)), at(10));
            assert_eq!(unsure(&board), 0);
        }
        assert_eq!(board.take_due(at(100)), [changed(&a)]);

        // The same folder by another way: who tells of it by one tells of it by none when that is left.
        board.begin(&link, Found::Told(there("/q/a", 1)), START);
        board.hint(&["/q/a/x.jpg".into()], at(200));
        assert_eq!(board.take_due(at(300)).len(), 2);
        board.change(&a, Found::Nothing, at(400));
        assert_eq!(unsure(&board), 1);
    }

    #[test]
    fn a_folder_that_is_absent_still_is_told_once() {
        let mut board = Board::default();
        let a = folder(b"/p", b"a");
        board.begin(&a, Found::Told(there("/p/a", 1)), START);
        board.change(&a, Found::Nothing, at(0));
        assert_eq!(board.take_due(at(100)), [changed(&a)]);
        board.change(&a, Found::Nothing, at(200));
        assert_eq!(board.take_due(at(300)), []);
    }

    #[test]
    fn a_folder_that_tells_nothing_is_looked_into_now_and_then() {
        let mut board = Board::default();
        let a = folder(b"/p", b"a");
        board.begin(&a, Found::Untold(there("/p/a", 1), look(1)), at(0));
        assert_eq!(board.renew(&a, at(0)), Some(Watching::Polling));
        // Twenty times as long as the look took.
        assert!(!board.errands(at(3999))[0].contents);
        assert!(board.errands(at(4000))[0].contents);
        board.compare(&a, look(1), at(4000));
        assert_eq!(board.next_due(), None);
        assert!(!board.errands(at(7999))[0].contents);
        board.compare(&a, look(2), at(8000));
        assert_eq!(board.take_due(at(8050)), [changed(&a)]);
        // Hints are for those who hear.
        board.hint(&[], at(9000));
        assert_eq!(board.next_due(), None);
    }

    #[test]
    fn whoever_opens_ever_more_folders_has_the_first_ones_forgotten() {
        let mut board = Board::default();
        let name = |number: usize| number.to_string().into_bytes();
        for number in 0..=MOST {
            let now = at(number as u64 * 10);
            let found = Found::Told(there(&format!("/p/{number}"), 1));
            let left = board.begin(&folder(b"/p", &name(number)), found, now);
            assert_eq!(left.len(), usize::from(number == MOST));
        }
        assert_eq!(board.folders.len(), MOST);
    }
}
