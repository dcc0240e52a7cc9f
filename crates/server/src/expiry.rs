//! The schedule of expiry, and its cleanup workers (docs/spec/ttl.md).

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use fumikura_base::clock::Clock;
use fumikura_expiry::{Expiry, ExpiryConfig, ExpiryError, ExpiryEvent, MAX_PER_PASS};
use fumikura_fs::{Source, ThumbId};
use fumikura_pictures::Pictures;
use fumikura_wiki::{StorageError, Wiki};
use tokio::sync::Notify;
use tokio::time::{MissedTickBehavior, interval};

use crate::blocking::blocking;
use crate::config::Config;
use crate::error::{ApiError, ErrorCode};
use crate::events::{Event, EventHub};
use crate::stopping::Stopping;

/// The time between two checks for a due run, and between two writes of the index.
const TICK: Duration = Duration::from_secs(30);
/// The time after which a worker checks again for removals to retry.
const RETRY_INTERVAL: Duration = Duration::from_secs(30);

/// Opens expiry. Its runs are published to clients, and wake the cleanup workers.
pub(crate) fn open(
    config: &Config,
    wiki: &Arc<Wiki>,
    pictures: &Arc<Pictures>,
    clock: &Arc<dyn Clock>,
    events: &Arc<EventHub>,
) -> (Arc<Expiry>, Arc<Notify>) {
    let files = ExpiryConfig {
        index: config.expiry_index(),
        policies: config.data_dir.join("ttl.json"),
        thumbnails: config.thumbs_dir.clone(),
        folder_indexes: config.folder_indexes(),
        workers: config.ttl_workers,
    };
    let wiki = Arc::clone(wiki);
    let assets = Box::new(move || wiki_thumbnails(&wiki));
    let expiry = Expiry::open(&files, Arc::clone(pictures), assets, Arc::clone(clock));
    let (events, pending) = (Arc::clone(events), Arc::new(Notify::new()));
    let cleanup_pending = Arc::clone(&pending);
    expiry.listen(move |event| {
        pending.notify_waiters();
        match event {
            ExpiryEvent::Marked(counts) => events.publish(Event::TtlRun { counts }),
            ExpiryEvent::Retry => {}
        }
    });
    (Arc::new(expiry), cleanup_pending)
}

/// Returns the ids of the thumbnails of the wiki's own files; none if they can't be read.
fn wiki_thumbnails(wiki: &Wiki) -> HashSet<ThumbId> {
    let read = || {
        let mut ids = HashSet::new();
        for owned in wiki.assets().all()? {
            let (folder, relative) = wiki.assets().place(owned.id);
            // A missing file has no thumbnails.
            if let Ok(source) = Source::own(folder, &relative)
                && let Ok(found) = source.find()
            {
                ids.insert(found.id());
            }
        }
        Ok(ids)
    };
    read().unwrap_or_else(|error: StorageError| {
        tracing::warn!("thumbnails of page files can't be distinguished: {error}");
        HashSet::new()
    })
}

/// Starts due runs until the program stops.
pub(crate) async fn run_on_schedule(expiry: Arc<Expiry>, stopping: Arc<Stopping>) {
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stopping.started() => return,
            _ = ticks.tick() => {}
        }
        if let Err(error) = blocking(&expiry, |expiry| Ok(expiry.run_if_due()?)).await {
            tracing::warn!("expiry: {}", error.body().message);
        }
    }
}

/// Starts the cleanup workers. They work when `pending` is notified, until the program stops.
pub(crate) fn start_cleanup(expiry: &Arc<Expiry>, pending: &Arc<Notify>, stopping: &Arc<Stopping>) {
    for _ in 0..expiry.workers() {
        let (expiry, pending) = (Arc::clone(expiry), Arc::clone(pending));
        tokio::spawn(clean_up_always(expiry, pending, Arc::clone(stopping)));
    }
}

async fn clean_up_always(expiry: Arc<Expiry>, pending: Arc<Notify>, stopping: Arc<Stopping>) {
    loop {
        let notified = pending.notified();
        let removed = blocking(&expiry, |expiry| Ok(expiry.clean_up_some())).await;
        if matches!(removed, Ok(MAX_PER_PASS)) {
            continue;
        }
        tokio::select! {
            () = stopping.started() => return,
            () = notified => {}
            () = tokio::time::sleep(RETRY_INTERVAL) => {}
        }
    }
}

impl From<ExpiryError> for ApiError {
    fn from(error: ExpiryError) -> Self {
        let message = error.to_string();
        match error {
            ExpiryError::ClockJumped(clock_jump) => Self::new(ErrorCode::ClockJumped, clock_jump),
            ExpiryError::PoliciesUnreadable(source) => {
                Self::internal(ErrorCode::SettingsDamaged, &message, &source)
            }
            ExpiryError::PoliciesUnwritable(source) | ExpiryError::IndexUnwritable(source) => {
                Self::internal(ErrorCode::StorageFailed, &message, &source)
            }
        }
    }
}
