//! The event streams of one client: a bounded number.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::Share;

/// The maximum number of event streams of a client.
const MAX_STREAMS: usize = 16;

/// The open streams of a client, the oldest first.
#[derive(Default)]
pub(super) struct EventStreams(Mutex<VecDeque<Arc<Notify>>>);

/// An open event stream, until this is dropped.
pub(crate) struct StreamSlot {
    share: Arc<Share>,
    replaced: Arc<Notify>,
}

impl StreamSlot {
    pub(super) fn open(share: Arc<Share>) -> Self {
        let replaced = Arc::new(Notify::new());
        let mut streams = share.streams.0.lock();
        streams.push_back(Arc::clone(&replaced));
        if streams.len() > MAX_STREAMS {
            let oldest = streams.pop_front();
            // The permit is stored if the stream does not wait at the moment.
            oldest.inspect(|oldest| oldest.notify_one());
        }
        drop(streams);
        Self { share, replaced }
    }

    /// Waits until a newer stream has replaced this one.
    pub(crate) async fn replaced(&self) {
        self.replaced.notified().await;
    }
}

impl Drop for StreamSlot {
    fn drop(&mut self) {
        let mut streams = self.share.streams.0.lock();
        streams.retain(|other| !Arc::ptr_eq(other, &self.replaced));
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::shares::{ShareKey, Shares};

    #[tokio::test]
    async fn oldest_stream_is_replaced_first() {
        let shares = Shares::new(1);
        let share = shares.of(ShareKey::Own);
        let mut open: Vec<_> = (0..MAX_STREAMS).map(|_| share.open_stream()).collect();
        assert!(open[0].replaced().now_or_never().is_none());
        open.push(share.open_stream());
        open[0].replaced().await;
        assert!(open[1].replaced().now_or_never().is_none());
        // A closed stream makes room for another.
        drop(open.remove(2));
        open.push(share.open_stream());
        assert!(open[1].replaced().now_or_never().is_none());
        assert_eq!(share.streams.0.lock().len(), MAX_STREAMS);
    }
}
