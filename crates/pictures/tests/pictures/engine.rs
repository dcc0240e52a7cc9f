//! The engine: one generation for many requests, a bounded queue, changing files, clean shutdown.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fumikura_fs::AccessError;
use fumikura_image::{Decode, DecodeError, EncodedThumbnail, InProcess, Rendition, Variant};
use fumikura_thumbs::{Priority, QueueResponse, ThumbError, Ticket};
use parking_lot::{Condvar, Mutex};

use crate::test_app::{TestApp, png, variant, wait_until};

/// A decoder that begins only what the gate allows, and records what it has started.
#[derive(Default)]
struct GatedDecoder {
    open: Mutex<bool>,
    opened: Condvar,
    started: Mutex<Vec<Vec<u8>>>,
}

impl GatedDecoder {
    fn open(&self) {
        *self.open.lock() = true;
        self.opened.notify_all();
    }

    fn started(&self) -> usize {
        self.started.lock().len()
    }
}

impl Decode for GatedDecoder {
    fn thumbnail(
        &self,
        mut file: File,
        _: u64,
        _: Variant,
    ) -> Result<EncodedThumbnail, DecodeError> {
        let mut content = Vec::new();
        file.read_to_end(&mut content).unwrap();
        self.started.lock().push(content);
        self.opened.wait_while(&mut self.open.lock(), |open| !*open);
        let bytes = b"thumbnail".to_vec();
        Ok(EncodedThumbnail { bytes, hash: None })
    }

    fn render(&self, _: File, _: u64, _: Rendition) -> Result<Vec<u8>, DecodeError> {
        unreachable!("BUG: nothing is exported")
    }
}

/// Creates an app whose only worker is busy with `busy.png` until the gate is opened.
fn busy_app(queue_size: usize) -> (TestApp, Arc<GatedDecoder>, Ticket) {
    let gate = Arc::new(GatedDecoder::default());
    let app = TestApp::with_config(gate.clone(), |config| {
        config.workers = 1;
        config.queue_size = queue_size;
    });
    for name in ["busy.png", "a.png", "b.png", "c.png", "d.png"] {
        app.write(name, name.as_bytes());
    }
    let busy = request(&app, "busy.png");
    wait_until("the worker is busy", || gate.started() == 1);
    (app, gate, busy)
}

fn request(app: &TestApp, name: &str) -> Ticket {
    request_as(app, name, Priority::Next)
}

fn request_as(app: &TestApp, name: &str, priority: Priority) -> Ticket {
    let found = app.find(name);
    let pictures = &app.pictures;
    pictures
        .thumbs()
        .request_wait(&found, Variant::default(), priority)
}

fn try_request(app: &TestApp, name: &str) -> Result<QueueResponse, ThumbError> {
    let found = app.find(name);
    let pictures = &app.pictures;
    pictures
        .thumbs()
        .try_request(&found, Variant::default(), Priority::Background)
}

#[test]
fn concurrent_requests_share_one_thumbnail() {
    let gate = Arc::new(GatedDecoder::default());
    let app = TestApp::with_config(gate.clone(), |config| config.workers = 4);
    app.write("a.png", &png([1, 2, 3]));
    let tickets: Vec<Ticket> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..100)
            .map(|_| scope.spawn(|| request(&app, "a.png")))
            .collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    wait_until("decoding has started", || gate.started() > 0);
    assert!(tickets.iter().all(|ticket| ticket.now().is_none()));
    gate.open();
    let first = tickets[0].clone().wait().unwrap();
    assert_eq!(fs::read(&first.path).unwrap(), b"thumbnail");
    for ticket in tickets {
        assert_eq!(ticket.wait().unwrap().path, first.path);
    }
    assert_eq!(
        (gate.started(), app.pictures.thumbs().stats().generated),
        (1, 1)
    );
    // The next request finds the thumbnail in the cache.
    let next = request(&app, "a.png").now().unwrap().unwrap();
    assert_eq!(next.path, first.path);
    assert_eq!(app.cache_file_count(), 1);
}

/// The state of a cache with room for less than one thumbnail.
#[test]
fn new_thumbnail_is_loadable_after_eviction() {
    let app = TestApp::new();
    app.write("a.png", &png([1, 2, 3]));
    let variant = variant("9x9-crop.png");
    let made = app.thumbnail("a.png", variant).unwrap();
    let found = app.thumbnail("a.png", variant).unwrap();
    let bytes = fs::read(&made.path).unwrap();
    fs::remove_file(&made.path).unwrap();
    assert_eq!(
        app.pictures.thumbs().load(&made).unwrap().unwrap()[..],
        bytes
    );
    assert_eq!(app.pictures.thumbs().load(&found).unwrap(), None);
}

#[test]
fn tickets_are_futures() {
    let app = TestApp::new();
    app.write("a.png", &png([1, 2, 3]));
    let ticket = request(&app, "a.png");
    let thumbnail = futures_executor::block_on(ticket).unwrap();
    assert_eq!(thumbnail.version.id, app.find("a.png").id());
}

#[test]
fn full_queue_refuses_only_non_waiting_requests() {
    let (app, gate, busy) = busy_app(1);
    assert!(matches!(
        try_request(&app, "a.png"),
        Ok(QueueResponse::Queued(_))
    ));
    assert!(matches!(
        try_request(&app, "b.png"),
        Err(ThumbError::QueueFull)
    ));
    // A queued thumbnail needs no further place.
    assert!(matches!(
        try_request(&app, "a.png"),
        Ok(QueueResponse::Queued(_))
    ));
    let waiting = [request(&app, "b.png"), request(&app, "c.png")];
    let stats = app.pictures.thumbs().stats();
    assert_eq!((stats.queued, stats.waiting, stats.capacity), (1, 2, 1));
    gate.open();
    busy.wait().unwrap();
    for ticket in waiting {
        ticket.wait().unwrap();
    }
    // `a.png` is less urgent than those, and is not lost.
    wait_until("all thumbnails are made", || {
        app.pictures.thumbs().stats().generated == 4
    });
    assert!(matches!(
        try_request(&app, "a.png"),
        Ok(QueueResponse::Made(_))
    ));
}

#[test]
fn abandoned_request_is_dropped_but_queued_one_made() {
    let (app, gate, busy) = busy_app(10);
    drop(request(&app, "a.png"));
    drop(try_request(&app, "b.png").unwrap());
    let last = request(&app, "c.png");
    gate.open();
    busy.wait().unwrap();
    last.wait().unwrap();
    wait_until("all thumbnails are made", || {
        app.pictures.thumbs().stats().generated == 3
    });
    assert_eq!(gate.started(), 3);
    assert!(matches!(
        try_request(&app, "b.png"),
        Ok(QueueResponse::Made(_))
    ));
}

#[test]
fn dropped_request_frees_its_queue_place() {
    let (app, gate, busy) = busy_app(1);
    let dropped = request(&app, "a.png");
    assert!(matches!(
        try_request(&app, "b.png"),
        Err(ThumbError::QueueFull)
    ));
    drop(dropped);
    assert_eq!(app.pictures.thumbs().stats().queued, 0);
    try_request(&app, "b.png").unwrap();
    gate.open();
    busy.wait().unwrap();
    wait_until("the other thumbnail is made", || {
        app.pictures.thumbs().stats().generated == 2
    });
    assert_eq!(*gate.started.lock(), [&b"busy.png"[..], b"b.png"]);
}

#[test]
fn visible_requests_come_first_in_order() {
    let (app, gate, busy) = busy_app(10);
    try_request(&app, "a.png").unwrap();
    let tickets = [
        request_as(&app, "b.png", Priority::Next),
        request_as(&app, "c.png", Priority::Visible),
        request_as(&app, "d.png", Priority::Visible),
    ];
    gate.open();
    busy.wait().unwrap();
    for ticket in tickets {
        ticket.wait().unwrap();
    }
    wait_until("all thumbnails are made", || {
        app.pictures.thumbs().stats().generated == 5
    });
    let order: Vec<&[u8]> = vec![b"busy.png", b"c.png", b"d.png", b"b.png", b"a.png"];
    assert_eq!(*gate.started.lock(), order);
}

#[test]
fn shutdown_finishes_running_jobs_and_refuses_others() {
    let (app, gate, busy) = busy_app(1);
    let queued = [request(&app, "a.png"), request(&app, "b.png")];
    std::thread::scope(|scope| {
        scope.spawn(|| app.pictures.shut_down());
        for ticket in queued {
            assert!(matches!(ticket.wait(), Err(ThumbError::ShuttingDown)));
        }
        assert!(matches!(
            request(&app, "c.png").wait(),
            Err(ThumbError::ShuttingDown)
        ));
        assert!(matches!(
            try_request(&app, "c.png"),
            Err(ThumbError::ShuttingDown)
        ));
        assert!(busy.now().is_none());
        gate.open();
    });
    busy.wait().unwrap();
    assert_eq!(gate.started(), 1);
    app.pictures.shut_down();
}

/// A decoder that changes the file each time it is read.
struct EditingDecoder<F> {
    when: EditTime,
    edit: F,
    calls: AtomicUsize,
}

impl<F: Fn(usize) + Send + Sync + 'static> Decode for EditingDecoder<F> {
    fn thumbnail(
        &self,
        file: File,
        length: u64,
        variant: Variant,
    ) -> Result<EncodedThumbnail, DecodeError> {
        let edit = || (self.edit)(self.calls.fetch_add(1, Ordering::SeqCst));
        if self.when == EditTime::Before {
            edit();
        }
        let outcome = InProcess::default().thumbnail(file, length, variant);
        if self.when == EditTime::After {
            edit();
        }
        outcome
    }

    fn render(&self, _: File, _: u64, _: Rendition) -> Result<Vec<u8>, DecodeError> {
        unreachable!("BUG: nothing is exported")
    }
}

/// The time of the change: after the decoder learned the length and before it reads, or after it has read.
#[derive(Clone, Copy, PartialEq)]
enum EditTime {
    Before,
    After,
}

/// Creates an app with a red `a.png`, and a decoder that calls `edit` with the path of the file and the number of the
/// call, after it has read the file.
fn app_editing_after_read(edit: impl Fn(PathBuf, usize) + Send + Sync + 'static) -> TestApp {
    app_editing(EditTime::After, edit)
}

fn app_editing(when: EditTime, edit: impl Fn(PathBuf, usize) + Send + Sync + 'static) -> TestApp {
    let path = Arc::new(Mutex::new(PathBuf::new()));
    let shared_path = Arc::clone(&path);
    let decoder = EditingDecoder {
        when,
        edit: move |call| {
            let path = shared_path.lock().clone();
            edit(path, call);
        },
        calls: AtomicUsize::new(0),
    };
    let app = TestApp::with_config(Arc::new(decoder), |_| {});
    *path.lock() = app.write("a.png", &png([255, 0, 0]));
    app
}

#[track_caller]
fn check_only_blue_thumbnail(app: &TestApp) {
    let before = app.find("a.png").id();
    let thumbnail = app.thumbnail("a.png", variant("9x9-crop.png")).unwrap();
    assert_ne!(thumbnail.version.id, before);
    assert_eq!(thumbnail.version.id, app.find("a.png").id());
    let shown = image::open(&thumbnail.path).unwrap().to_rgb8();
    assert_eq!(shown.get_pixel(4, 4).0, [0, 0, 255]);
    assert_eq!(app.cache_file_count(), 1);
}

#[test]
fn file_written_during_decoding_is_read_again() {
    check_only_blue_thumbnail(&app_editing_after_read(|path, call| {
        if call == 0 {
            let mut longer = png([0, 0, 255]);
            longer.extend(b"and some more");
            fs::write(path, longer).unwrap();
        }
    }));
}

#[test]
fn file_replaced_during_decoding_is_read_again() {
    check_only_blue_thumbnail(&app_editing_after_read(|path, call| {
        if call == 0 {
            let other = path.with_file_name("other");
            fs::write(&other, [&png([0, 0, 255])[..], b"longer"].concat()).unwrap();
            fs::rename(other, path).unwrap();
        }
    }));
}

/// Two files of one size, written within one tick of the clock, have one fingerprint. A file that is replaced
/// while it is read is still detected.
#[test]
fn replacement_with_same_fingerprint_is_read_again() {
    let app = app_editing_after_read(|path, call| {
        if call == 0 {
            let other = path.with_file_name("other");
            fs::write(&other, png([0, 0, 255])).unwrap();
            let modified = fs::metadata(&path).unwrap().modified().unwrap();
            let file = File::options().append(true).open(&other).unwrap();
            file.set_modified(modified).unwrap();
            fs::rename(other, path).unwrap();
        }
    });
    let before = app.find("a.png");
    let shown = app.pixels("a.png", variant("9x9-crop.png")).to_rgb8();
    assert_eq!(app.find("a.png").id(), before.id());
    assert_eq!(shown.get_pixel(4, 4).0, [0, 0, 255]);
}

#[test]
fn incomplete_file_is_read_again_once_complete() {
    let whole = png([0, 0, 255]);
    let half = whole[..whole.len() / 2].to_vec();
    let app = app_editing_after_read(move |path, call| {
        if call == 0 {
            fs::write(path, &whole).unwrap();
        }
    });
    app.write("a.png", &half);
    check_only_blue_thumbnail(&app);
    assert_eq!(app.pictures.thumbs().stats().failed, 0);
}

#[test]
fn file_truncated_before_decoding_is_reported_damaged() {
    let app = app_editing(EditTime::Before, |path, call| {
        if call == 0 {
            let file = File::options().write(true).open(path).unwrap();
            // The cut is within the header: nothing of the picture is left.
            file.set_len(20).unwrap();
        }
    });
    let outcome = app.thumbnail("a.png", variant("9x9-crop.png"));
    let is_damaged = matches!(outcome, Err(ThumbError::Decode(DecodeError::Damaged(_))));
    assert!(is_damaged, "{outcome:?}");
    assert_eq!(app.cache_file_count(), 0);
    app.write("a.png", &[&png([0, 0, 255])[..], b"whole"].concat());
    let shown = app.pixels("a.png", variant("9x9-crop.png")).to_rgb8();
    assert_eq!(shown.get_pixel(4, 4).0, [0, 0, 255]);
}

#[test]
fn constantly_changing_file_gets_no_thumbnail() {
    let app = app_editing_after_read(|path, _| {
        let mut file = File::options().append(true).open(path).unwrap();
        file.write_all(b"more").unwrap();
    });
    assert!(matches!(
        app.thumbnail("a.png", variant("9x9-crop.png")),
        Err(ThumbError::Changing)
    ));
    assert_eq!(app.cache_file_count(), 0);
}

#[test]
fn file_deleted_during_decoding_is_not_found() {
    let app = app_editing_after_read(|path, _| fs::remove_file(path).unwrap());
    assert!(matches!(
        app.thumbnail("a.png", variant("9x9-crop.png")),
        Err(ThumbError::Access(AccessError::NotFound))
    ));
    assert_eq!(app.cache_file_count(), 0);
}

#[test]
fn undecodable_picture_is_not_retried_until_changed() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&calls);
    let app = app_editing_after_read(move |_, _| {
        counter.fetch_add(1, Ordering::SeqCst);
    });
    app.write("a.png", b"no picture");
    for size in ["9x9-crop.png", "9x9-crop.png", "20x20-shrink.jpg"] {
        assert!(matches!(
            app.thumbnail("a.png", variant(size)),
            Err(ThumbError::Decode(DecodeError::NotAPicture))
        ));
    }
    assert!(matches!(
        try_request(&app, "a.png"),
        Err(ThumbError::Decode(DecodeError::NotAPicture))
    ));
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    app.write("a.png", &png([1, 2, 3]));
    app.thumbnail("a.png", variant("9x9-crop.png")).unwrap();
}

#[test]
fn panic_fails_only_one_request() {
    let app = app_editing_after_read(|_, call| assert_ne!(call, 0, "as the test wants it"));
    assert!(matches!(
        app.thumbnail("a.png", variant("9x9-crop.png")),
        Err(ThumbError::Failed)
    ));
    app.thumbnail("a.png", variant("9x9-crop.png")).unwrap();
}

#[test]
fn unwritable_cache_is_reported() {
    let app = TestApp::new();
    app.write("a.png", &png([1, 2, 3]));
    let shard = app.find("a.png").id().to_string()[..2].to_owned();
    fs::write(app.cache_dir().join(shard), "in the way").unwrap();
    assert!(matches!(
        app.thumbnail("a.png", variant("9x9-crop.png")),
        Err(ThumbError::Storage(_))
    ));
}

#[test]
fn deleted_cache_is_recreated_unless_blocked() {
    let app = TestApp::new();
    app.write("a.png", &png([1, 2, 3]));
    let made = || app.thumbnail("a.png", variant("9x9-crop.png"));
    made().unwrap();
    fs::remove_dir_all(app.cache_dir()).unwrap();
    made().unwrap();
    fs::remove_dir_all(app.cache_dir()).unwrap();
    fs::write(app.cache_dir(), "in the way").unwrap();
    assert!(matches!(made(), Err(ThumbError::Storage(_))));
    fs::remove_file(app.cache_dir()).unwrap();
    made().unwrap();
}

#[test]
fn thumbnail_path_follows_the_specification() {
    let app = TestApp::new();
    app.write("a.png", &png([1, 2, 3]));
    let thumbnail = app.thumbnail("a.png", variant("40x20-crop.webp")).unwrap();
    let id = app.find("a.png").id().to_string();
    let expected = app
        .cache_dir()
        .join(&id[..2])
        .join(&id[2..4])
        .join(format!("{id}-40x20-crop.webp"));
    assert_eq!(thumbnail.path, expected);
}
