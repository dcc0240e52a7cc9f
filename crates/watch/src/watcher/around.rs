//! The threads that check watched folders at intervals: as many as there are disks that keep them waiting, and one
//! more.

use std::cell::Cell;
use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use fumikura_fs::AccessError;
use parking_lot::MutexGuard;

use super::{Heard, Shared, State};
use crate::board::{Board, Errand, Following, Look};
use crate::look::{LinkNames, There};

/// A guard that records the return of a check in the registry, even if it panicked: nothing else on the same disk is
/// checked before that.
struct Back<'a, F: Fn(&mut Board, Duration)> {
    heard: &'a Heard,
    tell: F,
}

impl<F: Fn(&mut Board, Duration)> Drop for Back<'_, F> {
    fn drop(&mut self) {
        (self.tell)(&mut self.heard.state().board, self.heard.now());
        // This thread then ends, and another one takes over that disk.
        if thread::panicking() {
            self.heard.to_look.notify_one();
        }
    }
}

impl Heard {
    fn told_at_the_end<F: Fn(&mut Board, Duration)>(&self, tell: F) -> Back<'_, F> {
        Back { heard: self, tell }
    }
}

impl Shared {
    /// Starts a thread that checks folders. The caller counts it as idle.
    pub(super) fn start_to_look(self: &Arc<Self>) -> io::Result<()> {
        let own = Arc::clone(self);
        let threads = thread::Builder::new().name("folders-look".into());
        threads.spawn(move || own.look_around())?;
        Ok(())
    }

    /// Checks folders when they are due, until the end.
    fn look_around(self: &Arc<Self>) {
        let heard = &self.heard;
        let mut state = heard.state();
        while !state.is_over {
            let now = heard.now();
            if let Some(errand) = state.board.take(now) {
                self.hand_over(state);
                let back = heard.told_at_the_end(|board, now| board.looked(&errand, now));
                self.sweep();
                self.run(&errand);
                drop(back);
            } else if let Some(following) = state.board.take_links(now) {
                self.hand_over(state);
                let found = Cell::new(None);
                let back = heard.told_at_the_end(|board, now| {
                    board.followed(&following, found.take(), now);
                });
                found.set(self.follow(&following).ok());
                drop(back);
                heard.to_tell.notify_one();
            } else {
                let [next, links] = [state.board.next_look(), state.board.next_links()];
                let next = next.into_iter().chain(links).min();
                heard.wait(&heard.to_look, &mut state, next);
                continue;
            }
            state = heard.state();
            state.idle += 1;
        }
    }

    /// Hands the next check over to another thread, since this thread's may never return.
    fn hand_over(self: &Arc<Self>, mut state: MutexGuard<'_, State>) {
        state.idle -= 1;
        if state.idle > 0 {
            self.heard.to_look.notify_one();
            return;
        }
        state.idle += 1;
        drop(state);
        if let Err(error) = self.start_to_look() {
            tracing::warn!("a disk that does not answer may hold up others: {error}");
            self.heard.state().idle -= 1;
        }
    }

    /// Checks a watched folder.
    fn run(&self, errand: &Errand) {
        let Errand { source, known, .. } = errand;
        let there = self.eyes.find(source);
        let is_another = errand.is_unsure || there.as_ref().ok() != known.as_ref();
        if is_another && let Some(before) = known {
            self.hear_no_more_of(before);
        }
        if is_another || errand.is_doubted {
            self.attend(source, there, Board::change);
        } else if errand.contents
            && let Ok(look) = self.look_into(source)
        {
            let now = self.heard.now();
            self.heard.state().board.compare(source, look, now);
            self.heard.to_tell.notify_one();
        }
    }

    /// Checks the targets of a folder's links.
    fn follow(&self, following: &Following) -> Result<(LinkNames, Look), AccessError> {
        let Following { source, names } = following;
        let began = self.heard.now();
        let names = match names {
            Some(names) => Arc::clone(names),
            None => self.eyes.links(source)?,
        };
        let signature = self.eyes.behind(source, &names)?;
        let took = self.heard.now().saturating_sub(began);
        Ok((names, Look { signature, took }))
    }

    /// Removes the watch of a folder. Another folder may have its place now, or the same one again: it is watched anew,
    /// also by other paths to it.
    fn hear_no_more_of(&self, before: &There) {
        if let Some(ears) = &self.ears {
            let _listening = self.listening();
            ears.forget(&before.place);
            self.heard.state().board.doubt(before.identity);
        }
    }
}
