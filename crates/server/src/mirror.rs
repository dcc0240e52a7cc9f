//! The mirror: follows the commits of the wiki, and holds what the last pass found.

use std::sync::Arc;
use std::time::Duration;

use fumikura_base::clock::Clock;
use fumikura_base::entropy::Entropy;
use fumikura_wiki::{
    Change, MirrorError, MirrorFailure, MirrorPlace, MirrorReport, MirrorWork, OutsideKind, Wiki,
};
use jiff::Timestamp;
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::sleep;

use crate::acting_user::ActingUser;
use crate::blocking::blocking;
use crate::config::Config;
use crate::error::ApiError;
use crate::events::{Event, EventHub};
use crate::grants::Grants;
use crate::stopping::Stopping;

/// The time for which changes are collected before a pass.
const QUIET: Duration = Duration::from_millis(300);
/// The time after which a failed pass is repeated.
const RETRY: Duration = Duration::from_secs(60);
/// The time after which replaced files are deleted.
const RELEASE: Duration = Duration::from_secs(11);
/// The interval of checks for files that were edited outside.
const LOOK: Duration = Duration::from_secs(5 * 60);

/// The work of the mirror since its last pass.
#[derive(Default)]
pub(crate) struct PendingMirrorWork {
    work: Mutex<MirrorWork>,
    added: Notify,
}

impl PendingMirrorWork {
    /// Adds the work that changes of the wiki make.
    pub(crate) fn add_changes(&self, changes: &[Change]) {
        let mut work = self.work.lock();
        work.add_changes(changes);
        if !work.is_none() {
            self.added.notify_one();
        }
    }

    pub(crate) fn add(&self, work: MirrorWork) {
        self.work.lock().add(work);
    }

    fn take(&self) -> MirrorWork {
        std::mem::take(&mut *self.work.lock())
    }
}

/// The mirror of the wiki, with the parts of the application that it needs.
pub(crate) struct Mirroring {
    pub(crate) wiki: Arc<Wiki>,
    pub(crate) acting: Arc<ActingUser>,
    pub(crate) grants: Arc<Grants>,
    pub(crate) config: Arc<Config>,
    pub(crate) events: Arc<EventHub>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) pending: Arc<PendingMirrorWork>,
    /// Held during a pass, and while something of the mirror is changed.
    pub(crate) working: Mutex<()>,
    pub(crate) status: Mutex<MirrorStatus>,
}

/// The outcome of the passes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct MirrorStatus {
    pub(crate) report: MirrorReport,
    /// The time of the last pass that succeeded.
    pub(crate) updated_at: Option<Timestamp>,
    /// The time at which a file was last written or removed.
    pub(crate) written_at: Option<Timestamp>,
    /// The reason why the last pass failed, and its message.
    pub(crate) failure: Option<(MirrorFailure, String)>,
}

/// The delay of the next pass, unless the wiki changes before.
enum NextPass {
    /// There is no mirror.
    Never,
    After(Duration),
}

impl Mirroring {
    /// Does the pending work, if the mirror is on.
    fn update(&self, stopping: &Stopping) -> NextPass {
        let _working = self.working.lock();
        let is_on = match MirrorPlace::read(&self.config.data_dir) {
            Ok(place) => place.is_some_and(|place| place.is_on),
            // The pass reports it.
            Err(_unreadable) => true,
        };
        let work = self.pending.take();
        if !is_on {
            self.set_status(MirrorStatus::default());
            return NextPass::Never;
        }
        let mut status = self.status.lock().clone();
        let mirror = self.wiki.mirror(&self.config.data_dir);
        let done = mirror.run(&work, &mut status.report, &|| stopping.has_started());
        let next = match done {
            Ok(()) => {
                let now = self.clock.now();
                status.updated_at = Some(now);
                if status.report.changed > 0 {
                    status.written_at = Some(now);
                }
                status.failure = None;
                match status.report.is_holding {
                    true => RELEASE,
                    false => LOOK,
                }
            }
            Err(MirrorError::Cancelled) => return NextPass::Never,
            Err(error) => {
                tracing::warn!("the mirror is not up to date: {error}");
                status.failure = Some((error.failure(), error.to_string()));
                self.pending.add(MirrorWork::All);
                RETRY
            }
        };
        self.set_status(status);
        NextPass::After(next)
    }

    /// Looks for files that were edited outside, and returns what a check reports; nothing if the mirror is off.
    pub(crate) fn faults(&self, is_stopped: &dyn Fn() -> bool) -> Vec<String> {
        let _working = self.working.lock();
        match MirrorPlace::read(&self.config.data_dir) {
            Ok(Some(place)) if place.is_on => {}
            Ok(_) => return Vec::new(),
            Err(error) => return vec![format!("can't be read: {error}")],
        }
        let mut report = self.status.lock().report.clone();
        let mirror = self.wiki.mirror(&self.config.data_dir);
        match mirror.run(&MirrorWork::Look, &mut report, &|| is_stopped()) {
            Ok(()) => {}
            Err(MirrorError::Cancelled) => return Vec::new(),
            Err(error) => return vec![error.to_string()],
        }
        let more = report.truncated.then(|| "and more files".to_owned());
        let outside = report.outside.iter();
        let outside = outside.map(|(path, file)| format!("{path} {}", outside_words(file.kind)));
        let faults = outside.chain(more).collect();
        let status = self.status.lock().clone();
        self.set_status(MirrorStatus { report, ..status });
        faults
    }

    fn set_status(&self, status: MirrorStatus) {
        let mut shown = self.status.lock();
        let is_same = {
            let without_time = |status: &MirrorStatus| MirrorStatus {
                updated_at: None,
                ..status.clone()
            };
            without_time(&shown) == without_time(&status)
        };
        *shown = status;
        if !is_same {
            self.events.publish(Event::MirrorChanged);
        }
    }
}

fn outside_words(kind: OutsideKind) -> &'static str {
    match kind {
        OutsideKind::Edited => "was edited outside",
        OutsideKind::ConflictMarkers => "has conflict markers",
        OutsideKind::Replaced => "was replaced outside",
        OutsideKind::InTheWay => "is in the place of a file of the mirror",
        OutsideKind::Left => "was edited outside, and what it mirrored is elsewhere or gone",
        OutsideKind::ConflictCopy => "is a copy from a conflict",
    }
}

/// Does the pending work now.
pub(crate) async fn update_now(
    mirroring: &Arc<Mirroring>,
    stopping: &Arc<Stopping>,
    work: MirrorWork,
) -> Result<(), ApiError> {
    let stopping = Arc::clone(stopping);
    blocking(mirroring, move |mirroring: &Mirroring| {
        mirroring.pending.add(work);
        mirroring.update(&stopping);
        // The schedule starts anew.
        mirroring.pending.added.notify_one();
        Ok(())
    })
    .await
}

/// Follows the commits until the program stops. The first pass finds what happened before.
pub(crate) async fn follow(mirroring: Arc<Mirroring>, stopping: Arc<Stopping>) {
    mirroring.pending.add(MirrorWork::All);
    loop {
        let stop = Arc::clone(&stopping);
        let update = move |mirroring: &Mirroring| Ok(mirroring.update(&stop));
        let next = blocking(&mirroring, update).await;
        let again = async {
            match next {
                Ok(NextPass::Never) => std::future::pending().await,
                Ok(NextPass::After(delay)) => sleep(delay).await,
                Err(_panic) => sleep(RETRY).await,
            }
        };
        tokio::select! {
            () = stopping.started() => return,
            () = mirroring.pending.added.notified() => sleep(QUIET).await,
            () = again => mirroring.pending.add(MirrorWork::Look),
        }
    }
}
