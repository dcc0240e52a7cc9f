//! File-system change events of the kernel (`inotify(7)`).

use std::ffi::{CStr, OsStr};
use std::io::{self, PipeReader, PipeWriter};
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use fumikura_fs::platform::path_of;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
use rustix::io::Errno;

/// The number of a system watch. The system has one for each folder, whatever paths lead there.
pub(super) type SystemWatch = i32;

/// A change event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Event<'a> {
    /// The folder; none if events were lost.
    pub(super) watch: Option<SystemWatch>,
    /// The changed entry; none if it is the folder itself.
    pub(super) name: Option<&'a OsStr>,
    /// True if a folder has appeared, vanished, or got another name or other permissions.
    pub(super) is_of_folder: bool,
}

/// A source of file-system change events.
pub(super) trait EventSource: Send + Sync {
    /// Watches a folder, but not its subfolders. A folder that is watched already keeps its number.
    ///
    /// # Errors
    /// If its changes can't be reported, for example because the system has no watches left.
    fn watch(&self, place: &Path) -> io::Result<SystemWatch>;

    /// Ends a watch, if its folder still exists.
    fn unwatch(&self, watch: SystemWatch);
}

/// A callback for events.
pub(super) type OnEvent = Box<dyn Fn(Event<'_>) + Send>;

/// Creates an event source for a callback; `None` if the system has none.
pub(super) type MakeEventSource = Box<dyn FnOnce(OnEvent) -> Option<Box<dyn EventSource>>>;

/// The event source of the operating system.
pub(super) struct SystemEventSource {
    inotify: Arc<OwnedFd>,
    /// Ends the thread that reads events when it is dropped.
    _end: PipeWriter,
}

impl SystemEventSource {
    /// Creates the event source, as a [`MakeEventSource`].
    pub(super) fn make(on_event: OnEvent) -> Option<Box<dyn EventSource>> {
        match Self::new(on_event) {
            Ok(source) => Some(Box::new(source)),
            Err(error) => {
                tracing::warn!("the system reports no changes in folders: {error}");
                None
            }
        }
    }

    fn new(on_event: OnEvent) -> io::Result<Self> {
        let inotify = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        let inotify = Arc::new(inotify);
        let (ended, end) = io::pipe()?;
        let own = Arc::clone(&inotify);
        let threads = thread::Builder::new().name("folder events".to_owned());
        threads.spawn(move || {
            if let Err(error) = read_events(&own, &ended, &on_event) {
                tracing::error!("changes in folders are not reported any more: {error}");
            }
        })?;
        Ok(Self { inotify, _end: end })
    }
}

impl EventSource for SystemEventSource {
    fn watch(&self, place: &Path) -> io::Result<SystemWatch> {
        // A written file is complete when it is closed. Reading changes nothing.
        let changes = WatchFlags::ATTRIB
            | WatchFlags::CREATE
            | WatchFlags::MODIFY
            | WatchFlags::CLOSE_WRITE
            | WatchFlags::DELETE
            | WatchFlags::DELETE_SELF
            | WatchFlags::MOVED_FROM
            | WatchFlags::MOVED_TO
            | WatchFlags::MOVE_SELF;
        let flags = changes | WatchFlags::ONLYDIR;
        Ok(inotify::add_watch(&*self.inotify, place, flags)?)
    }

    fn unwatch(&self, watch: SystemWatch) {
        // Fails for a folder that has vanished, together with its watch.
        if let Err(error) = inotify::remove_watch(&*self.inotify, watch) {
            tracing::debug!("a folder was not watched: {error}");
        }
    }
}

/// Reads events until the other end of the pipe is closed.
fn read_events(inotify: &OwnedFd, ended: &PipeReader, on_event: &OnEvent) -> io::Result<()> {
    let mut buffer = [MaybeUninit::uninit(); 4096];
    let mut reader = inotify::Reader::new(inotify, &mut buffer);
    loop {
        match reader.next() {
            Ok(event) => {
                let event = event_of(event.wd(), event.events(), event.file_name());
                if let Some(event) = event {
                    on_event(event);
                }
            }
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => {
                let mut fds = [
                    PollFd::new(inotify, PollFlags::IN),
                    PollFd::new(ended, PollFlags::IN),
                ];
                match poll(&mut fds, None) {
                    Ok(_) if !fds[1].revents().is_empty() => return Ok(()),
                    Ok(_) | Err(Errno::INTR) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// Returns the event that the system has reported; `None` if it says only that a watch has ended.
fn event_of(watch: SystemWatch, flags: ReadFlags, name: Option<&CStr>) -> Option<Event<'_>> {
    // A folder whose permissions change may be readable from now on.
    const ENTRY_CHANGES: ReadFlags = ReadFlags::CREATE
        .union(ReadFlags::ATTRIB)
        .union(ReadFlags::DELETE)
        .union(ReadFlags::MOVED_FROM)
        .union(ReadFlags::MOVED_TO);
    const SELF_CHANGES: ReadFlags = ReadFlags::DELETE_SELF
        .union(ReadFlags::MOVE_SELF)
        .union(ReadFlags::UNMOUNT);
    if flags.contains(ReadFlags::IGNORED) {
        return None;
    }
    let is_of_subfolder = flags.contains(ReadFlags::ISDIR) && flags.intersects(ENTRY_CHANGES);
    let is_lost = flags.contains(ReadFlags::QUEUE_OVERFLOW);
    Some(Event {
        watch: (!is_lost).then_some(watch),
        name: name.map(|name| path_of(name.to_bytes()).as_os_str()),
        is_of_folder: is_lost || is_of_subfolder || flags.intersects(SELF_CHANGES),
    })
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn moves_of_folders_are_distinguished() {
        let check = |flags: ReadFlags, name: Option<&CStr>, is_of_folder: bool| {
            let event = event_of(1, flags, name).unwrap();
            assert_eq!((event.watch, event.is_of_folder), (Some(1), is_of_folder));
            assert_eq!(event.name.is_some(), name.is_some());
        };
        for flags in [ReadFlags::CREATE, ReadFlags::MOVED_FROM, ReadFlags::DELETE] {
            check(flags, Some(c"a"), false);
            check(flags | ReadFlags::ISDIR, Some(c"a"), true);
        }
        check(ReadFlags::ATTRIB, Some(c"a"), false);
        check(ReadFlags::ATTRIB | ReadFlags::ISDIR, Some(c"a"), true);
        check(ReadFlags::MOVE_SELF, None, true);
        check(ReadFlags::ATTRIB, None, false);
        assert_eq!(event_of(1, ReadFlags::IGNORED, None), None);
        let lost = Event {
            watch: None,
            name: None,
            is_of_folder: true,
        };
        assert_eq!(event_of(-1, ReadFlags::QUEUE_OVERFLOW, None), Some(lost));
    }

    #[test]
    fn dropped_source_ends_its_thread() {
        let used = Arc::new(());
        let user = Arc::clone(&used);
        let source = SystemEventSource::make(Box::new(move |_| drop(Arc::clone(&user)))).unwrap();
        assert_eq!(Arc::strong_count(&used), 2);
        drop(source);
        let until = Instant::now() + Duration::from_secs(30);
        while Arc::strong_count(&used) > 1 {
            assert!(Instant::now() < until, "the thread goes on");
            thread::yield_now();
        }
    }
}
