//! Links in watched folders: changes of their targets cause no events in the folder, so the targets are polled.

use std::sync::Arc;
use std::time::Duration;

use fumikura_fs::Source;

use super::due_checks::Disk;
use super::{Look, POLL, WatchEntry, WatchRegistry, key};
use crate::debouncer::Debouncer;
use crate::probe::{LinkNames, Signature};

/// The links of a folder, and the state of their targets.
#[derive(Debug)]
pub(super) struct Links {
    names: LinkNames,
    /// True if the links may have changed by now.
    is_stale: bool,
    /// The signature of the targets at the last poll.
    signature: Signature,
    /// The time of the next poll.
    next: Duration,
}

/// A job: the links of a folder to follow.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct Following {
    pub(in super::super) source: Source,
    /// None if the links are to be found first.
    pub(in super::super) names: Option<LinkNames>,
}

impl Links {
    /// Creates the value for a folder that was just found. Changes of the targets before the first poll are not missed:
    /// that poll reports any links.
    pub(super) fn new(now: Duration) -> Self {
        Self {
            names: LinkNames::default(),
            is_stale: true,
            signature: Signature::NOTHING,
            next: now,
        }
    }

    /// Records a change in the folder.
    pub(super) fn doubt(&mut self) {
        self.is_stale = true;
    }
}

impl WatchRegistry {
    /// Takes the links to follow now. Until [`followed`](Self::followed) is called for them, no others of that root are
    /// followed: their disks are unknown, and one may never answer.
    pub(in super::super) fn take_links(&mut self, now: Duration) -> Option<Following> {
        let due = self.folders.values_mut().filter(|watched| {
            watched.links.next <= now
                && watched.has_links()
                && self.looks.may_begin(disk_of(watched))
        });
        let watched = due.min_by_key(|watched| watched.links.next)?;
        let links = &mut watched.links;
        let names = (!links.is_stale).then(|| Arc::clone(&links.names));
        // Changes from now on make the links stale again.
        links.is_stale = false;
        self.looks.begin(disk_of(watched), now);
        Some(Following {
            source: watched.source.clone(),
            names,
        })
    }

    /// Returns the time of the next poll of links, if no poll returns until then.
    pub(in super::super) fn next_links(&self) -> Option<Duration> {
        let watched = self.folders.values();
        let due =
            watched.filter(|watched| watched.has_links() && self.looks.may_begin(disk_of(watched)));
        due.map(|watched| watched.links.next).min()
    }

    /// Records the targets of a folder's links; `None` if they could not be read.
    pub(in super::super) fn followed(
        &mut self,
        following: &Following,
        found: Option<(LinkNames, Look)>,
        now: Duration,
    ) {
        let source = &following.source;
        self.looks.end(Disk::BehindLinks(source.root()), now);
        let Some(watched) = self.folders.get_mut(&key(source)) else {
            return;
        };
        let links = &mut watched.links;
        let Some((names, look)) = found else {
            links.is_stale = true;
            links.next = now + POLL;
            return;
        };
        links.names = names;
        links.next = look.next(now);
        if links.signature != look.signature {
            links.signature = look.signature;
            watched.debouncer = Some(Debouncer::with_hint(watched.debouncer, now));
        }
    }
}

impl WatchEntry {
    /// True if there are links to follow, or to find.
    fn has_links(&self) -> bool {
        let Links {
            names, is_stale, ..
        } = &self.links;
        self.how.there().is_some() && (*is_stale || !names.is_empty())
    }
}

fn disk_of(watched: &WatchEntry) -> Disk {
    Disk::BehindLinks(watched.source.root())
}
