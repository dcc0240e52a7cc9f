//! Links in the folders that are watched: what they lead to changes without the folder's being told, so it is looked at
//! from time to time.

use std::sync::Arc;
use std::time::Duration;

use super::looks::Disk;
use super::{Board, Look, POLL, Watched, key};
use crate::access::Source;
use crate::watch::burst::Burst;
use crate::watch::look::{LinkNames, Signature};

/// The links of a folder, and what they lead to.
#[derive(Debug)]
pub(super) struct Links {
    names: LinkNames,
    /// Whether there may be others by now.
    is_stale: bool,
    /// What the last look saw behind them.
    signature: Signature,
    /// When they are looked at again.
    next: Duration,
}

/// The links of a folder that are to be followed.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct Following {
    pub(in super::super) source: Source,
    /// None where they are to be looked for first.
    pub(in super::super) names: Option<LinkNames>,
}

impl Links {
    /// Of a folder that was just found. What happens behind them until they are looked at is not missed: that there are
    /// any is told then.
    pub(super) fn new(now: Duration) -> Self {
        Self {
            names: LinkNames::default(),
            is_stale: true,
            signature: Signature::NOTHING,
            next: now,
        }
    }

    /// Something has happened in the folder.
    pub(super) fn doubt(&mut self) {
        self.is_stale = true;
    }
}

impl Board {
    /// The links that are to be followed now. Until it is told where they [lead](Self::followed), no others are of that
    /// root: nobody knows which disks they lead to, and one may never answer.
    pub(in super::super) fn take_links(&mut self, now: Duration) -> Option<Following> {
        let due = self.folders.values_mut().filter(|watched| {
            watched.links.next <= now
                && watched.has_links()
                && self.looks.may_begin(disk_of(watched))
        });
        let watched = due.min_by_key(|watched| watched.links.next)?;
        let links = &mut watched.links;
        let names = (!links.is_stale).then(|| Arc::clone(&links.names));
        // From now on there may be others again.
        links.is_stale = false;
        self.looks.begin(disk_of(watched), now);
        Some(Following {
            source: watched.source.clone(),
            names,
        })
    }

    /// When links are to be followed, if no look comes back until then.
    pub(in super::super) fn next_links(&self) -> Option<Duration> {
        let watched = self.folders.values();
        let due =
            watched.filter(|watched| watched.has_links() && self.looks.may_begin(disk_of(watched)));
        due.map(|watched| watched.links.next).min()
    }

    /// What is behind the links of a folder; none where it could not be read.
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
            watched.burst = Some(Burst::with_hint(watched.burst, now));
        }
    }
}

impl Watched {
    /// Whether there is something to be followed, or to be looked for.
    fn has_links(&self) -> bool {
        let Links {
            names, is_stale, ..
        } = &self.links;
        self.how.there().is_some() && (*is_stale || !names.is_empty())
    }
}

fn disk_of(watched: &Watched) -> Disk {
    Disk::BehindLinks(watched.source.root())
}
