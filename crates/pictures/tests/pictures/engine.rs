//! The engine: one generation for many requests, a bounded queue, changing files, clean shutdown.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fumikura_fs::AccessError;
use fumikura_image::{Decode, DecodeError, EncodedThumbnail, InProcess, Variant};
use fumikura_thumbs::{Accepted, Priority, ThumbError, Ticket};
use parking_lot::{Condvar, Mutex};

use crate::house::{House, png, until, variant};

/// A decoder that begins only what the gate allows, and records what it has begun.
#[derive(Default)]
struct Gated {
    open: Mutex<bool>,
    opened: Condvar,
    begun: Mutex<Vec<Vec<u8>>>,
}

impl Gated {
    fn open(&self) {
        *self.open.lock() = true;
        self.opened.notify_all();
    }

    fn begun(&self) -> usize {
        self.begun.lock().len()
    }
}

impl Decode for Gated {
    fn thumbnail(
        &self,
        mut file: File,
        _: u64,
        _: Variant,
    ) -> Result<EncodedThumbnail, DecodeError> {
        let mut content = Vec::new();
        file.read_to_end(&mut content).unwrap();
        self.begun.lock().push(content);
        self.opened.wait_while(&mut self.open.lock(), |open| !*open);
        let bytes = b"thumbnail".to_vec();
        Ok(EncodedThumbnail { bytes, hash: None })
    }
}

/// Creates a house whose only worker is busy with `busy.png` until the gate is opened.
fn busy_house(queue_size: usize) -> (House, Arc<Gated>, Ticket) {
    let gate = Arc::new(Gated::default());
    let house = House::with(gate.clone(), |config| {
        config.workers = 1;
        config.queue_size = queue_size;
    });
    for name in ["busy.png", "a.png", "b.png", "c.png", "d.png"] {
        house.put(name, name.as_bytes());
    }
    let busy = request(&house, "busy.png");
    until("the worker is busy", || gate.begun() == 1);
    (house, gate, busy)
}

fn request(house: &House, name: &str) -> Ticket {
    request_as(house, name, Priority::Next)
}

fn request_as(house: &House, name: &str, priority: Priority) -> Ticket {
    let found = house.find(name);
    let pictures = &house.pictures;
    pictures
        .thumbs()
        .request_wait(&found, Variant::default(), priority)
}

fn try_request(house: &House, name: &str) -> Result<Accepted, ThumbError> {
    let found = house.find(name);
    let pictures = &house.pictures;
    pictures
        .thumbs()
        .try_request(&found, Variant::default(), Priority::Background)
}

#[test]
fn a_hundred_requests_make_one_thumbnail() {
    let gate = Arc::new(Gated::default());
    let house = House::with(gate.clone(), |config| config.workers = 4);
    house.put("a.png", &png([1, 2, 3]));
    let tickets: Vec<Ticket> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..100)
            .map(|_| scope.spawn(|| request(&house, "a.png")))
            .collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    until("it is being made", || gate.begun() > 0);
    assert!(tickets.iter().all(|ticket| ticket.now().is_none()));
    gate.open();
    let first = tickets[0].clone().wait().unwrap();
    assert_eq!(fs::read(&first.path).unwrap(), b"thumbnail");
    for ticket in tickets {
        assert_eq!(ticket.wait().unwrap().path, first.path);
    }
    assert_eq!(
        (gate.begun(), house.pictures.thumbs().stats().generated),
        (1, 1)
    );
    // The next request finds the thumbnail in the cache.
    let next = request(&house, "a.png").now().unwrap().unwrap();
    assert_eq!(next.path, first.path);
    assert_eq!(house.files_in_cache(), 1);
}

/// The state of a cache with room for less than one thumbnail.
#[test]
fn what_was_made_is_at_hand_also_when_it_has_gone_already() {
    let house = House::new();
    house.put("a.png", &png([1, 2, 3]));
    let variant = variant("9x9-crop.png");
    let made = house.thumbnail("a.png", variant).unwrap();
    let found = house.thumbnail("a.png", variant).unwrap();
    let bytes = fs::read(&made.path).unwrap();
    fs::remove_file(&made.path).unwrap();
    assert_eq!(
        house.pictures.thumbs().load(&made).unwrap().unwrap()[..],
        bytes
    );
    assert_eq!(house.pictures.thumbs().load(&found).unwrap(), None);
}

#[test]
fn tickets_are_futures() {
    let house = House::new();
    house.put("a.png", &png([1, 2, 3]));
    let ticket = request(&house, "a.png");
    let thumbnail = futures_executor::block_on(ticket).unwrap();
    assert_eq!(thumbnail.version.id, house.find("a.png").id());
}

#[test]
fn a_full_queue_refuses_those_who_do_not_wait_and_keeps_the_others() {
    let (house, gate, busy) = busy_house(1);
    assert!(matches!(
        try_request(&house, "a.png"),
        Ok(Accepted::Queued(_))
    ));
    assert!(matches!(
        try_request(&house, "b.png"),
        Err(ThumbError::QueueFull)
    ));
    // A queued thumbnail needs no further place.
    assert!(matches!(
        try_request(&house, "a.png"),
        Ok(Accepted::Queued(_))
    ));
    let waiting = [request(&house, "b.png"), request(&house, "c.png")];
    let stats = house.pictures.thumbs().stats();
    assert_eq!((stats.queued, stats.waiting, stats.capacity), (1, 2, 1));
    gate.open();
    busy.wait().unwrap();
    for ticket in waiting {
        ticket.wait().unwrap();
    }
    // `a.png` is less urgent than those, and is not lost.
    until("all are made", || {
        house.pictures.thumbs().stats().generated == 4
    });
    assert!(matches!(
        try_request(&house, "a.png"),
        Ok(Accepted::Made(_))
    ));
}

#[test]
fn what_nobody_waits_for_any_more_is_not_made_but_what_was_queued_is() {
    let (house, gate, busy) = busy_house(10);
    drop(request(&house, "a.png"));
    drop(try_request(&house, "b.png").unwrap());
    let last = request(&house, "c.png");
    gate.open();
    busy.wait().unwrap();
    last.wait().unwrap();
    until("all are made", || {
        house.pictures.thumbs().stats().generated == 3
    });
    assert_eq!(gate.begun(), 3);
    assert!(matches!(
        try_request(&house, "b.png"),
        Ok(Accepted::Made(_))
    ));
}

#[test]
fn a_request_that_is_given_up_leaves_its_place_to_another() {
    let (house, gate, busy) = busy_house(1);
    let given_up = request(&house, "a.png");
    assert!(matches!(
        try_request(&house, "b.png"),
        Err(ThumbError::QueueFull)
    ));
    drop(given_up);
    assert_eq!(house.pictures.thumbs().stats().queued, 0);
    try_request(&house, "b.png").unwrap();
    gate.open();
    busy.wait().unwrap();
    until("the other one is made", || {
        house.pictures.thumbs().stats().generated == 2
    });
    assert_eq!(*gate.begun.lock(), [&b"busy.png"[..], b"b.png"]);
}

#[test]
fn visible_requests_come_first_in_their_order() {
    let (house, gate, busy) = busy_house(10);
    try_request(&house, "a.png").unwrap();
    let tickets = [
        request_as(&house, "b.png", Priority::Next),
        request_as(&house, "c.png", Priority::Visible),
        request_as(&house, "d.png", Priority::Visible),
    ];
    gate.open();
    busy.wait().unwrap();
    for ticket in tickets {
        ticket.wait().unwrap();
    }
    until("all are made", || {
        house.pictures.thumbs().stats().generated == 5
    });
    let order: Vec<&[u8]> = vec![b"busy.png", b"c.png", b"d.png", b"b.png", b"a.png"];
    assert_eq!(*gate.begun.lock(), order);
}

#[test]
fn shutting_down_finishes_what_runs_and_tells_the_rest() {
    let (house, gate, busy) = busy_house(1);
    let queued = [request(&house, "a.png"), request(&house, "b.png")];
    std::thread::scope(|scope| {
        scope.spawn(|| house.pictures.shut_down());
        for ticket in queued {
            assert!(matches!(ticket.wait(), Err(ThumbError::ShuttingDown)));
        }
        assert!(matches!(
            request(&house, "c.png").wait(),
            Err(ThumbError::ShuttingDown)
        ));
        assert!(matches!(
            try_request(&house, "c.png"),
            Err(ThumbError::ShuttingDown)
        ));
        assert!(busy.now().is_none());
        gate.open();
    });
    busy.wait().unwrap();
    assert_eq!(gate.begun(), 1);
    house.pictures.shut_down();
}

/// A decoder that changes the file each time it is read.
struct Meddling<F> {
    when: When,
    meddle: F,
    calls: AtomicUsize,
}

impl<F: Fn(usize) + Send + Sync + 'static> Decode for Meddling<F> {
    fn thumbnail(
        &self,
        file: File,
        length: u64,
        variant: Variant,
    ) -> Result<EncodedThumbnail, DecodeError> {
        let meddle = || (self.meddle)(self.calls.fetch_add(1, Ordering::SeqCst));
        if self.when == When::Before {
            meddle();
        }
        let outcome = InProcess::default().thumbnail(file, length, variant);
        if self.when == When::After {
            meddle();
        }
        outcome
    }
}

/// The time of the change: after the decoder learned the length and before it reads, or after it has read.
#[derive(Clone, Copy, PartialEq)]
enum When {
    Before,
    After,
}

/// Creates a house with `a.png` in red, and a decoder that calls `meddle` with the file's path and the number
/// of the call.
fn meddling_house(meddle: impl Fn(PathBuf, usize) + Send + Sync + 'static) -> House {
    house_meddled_with(When::After, meddle)
}

fn house_meddled_with(
    when: When,
    meddle: impl Fn(PathBuf, usize) + Send + Sync + 'static,
) -> House {
    let path = Arc::new(Mutex::new(PathBuf::new()));
    let known = Arc::clone(&path);
    let decoder = Meddling {
        when,
        meddle: move |call| {
            let path = known.lock().clone();
            meddle(path, call);
        },
        calls: AtomicUsize::new(0),
    };
    let house = House::with(Arc::new(decoder), |_| {});
    *path.lock() = house.put("a.png", &png([255, 0, 0]));
    house
}

#[track_caller]
fn check_blue_and_alone(house: &House) {
    let before = house.find("a.png").id();
    let thumbnail = house.thumbnail("a.png", variant("9x9-crop.png")).unwrap();
    assert_ne!(thumbnail.version.id, before);
    assert_eq!(thumbnail.version.id, house.find("a.png").id());
    let shown = image::open(&thumbnail.path).unwrap().to_rgb8();
    assert_eq!(shown.get_pixel(4, 4).0, [0, 0, 255]);
    assert_eq!(house.files_in_cache(), 1);
}

#[test]
fn a_file_written_while_it_was_read_is_read_again() {
    check_blue_and_alone(&meddling_house(|path, call| {
        if call == 0 {
            let mut longer = png([0, 0, 255]);
            longer.extend(b"and some more");
            fs::write(path, longer).unwrap();
        }
    }));
}

#[test]
fn a_file_replaced_while_it_was_read_is_read_again() {
    check_blue_and_alone(&meddling_house(|path, call| {
        if call == 0 {
            let other = path.with_file_name("other");
            fs::write(&other, [&png([0, 0, 255])[..], b"longer"].concat()).unwrap();
            fs::rename(other, path).unwrap();
        }
    }));
}

/// Two files of one size, written within one tick of the clock, have one fingerprint. A file replaced while
/// it is read is noticed nevertheless.
#[test]
fn a_file_replaced_by_one_with_the_same_fingerprint_is_read_again() {
    let house = meddling_house(|path, call| {
        if call == 0 {
            let other = path.with_file_name("other");
            fs::write(&other, png([0, 0, 255])).unwrap();
            let modified = fs::metadata(&path).unwrap().modified().unwrap();
            let file = File::options().append(true).open(&other).unwrap();
            file.set_modified(modified).unwrap();
            fs::rename(other, path).unwrap();
        }
    });
    let before = house.find("a.png");
    let shown = house.pixels("a.png", variant("9x9-crop.png")).to_rgb8();
    assert_eq!(house.find("a.png").id(), before.id());
    assert_eq!(shown.get_pixel(4, 4).0, [0, 0, 255]);
}

#[test]
fn a_half_written_file_is_read_again_when_it_is_whole() {
    let whole = png([0, 0, 255]);
    let half = whole[..whole.len() / 2].to_vec();
    let house = meddling_house(move |path, call| {
        if call == 0 {
            fs::write(path, &whole).unwrap();
        }
    });
    house.put("a.png", &half);
    check_blue_and_alone(&house);
    assert_eq!(house.pictures.thumbs().stats().failed, 0);
}

#[test]
fn a_file_cut_off_while_it_is_read_is_read_as_it_is_now() {
    let house = house_meddled_with(When::Before, |path, call| {
        if call == 0 {
            let file = File::options().write(true).open(path).unwrap();
            // The cut is within the header: nothing of the picture is left.
            file.set_len(20).unwrap();
        }
    });
    let outcome = house.thumbnail("a.png", variant("9x9-crop.png"));
    let is_damaged = matches!(outcome, Err(ThumbError::Decode(DecodeError::Damaged(_))));
    assert!(is_damaged, "{outcome:?}");
    assert_eq!(house.files_in_cache(), 0);
    house.put("a.png", &[&png([0, 0, 255])[..], b"whole"].concat());
    let shown = house.pixels("a.png", variant("9x9-crop.png")).to_rgb8();
    assert_eq!(shown.get_pixel(4, 4).0, [0, 0, 255]);
}

#[test]
fn a_file_that_never_rests_gives_no_thumbnail() {
    let house = meddling_house(|path, _| {
        let mut file = File::options().append(true).open(path).unwrap();
        file.write_all(b"more").unwrap();
    });
    assert!(matches!(
        house.thumbnail("a.png", variant("9x9-crop.png")),
        Err(ThumbError::Changing)
    ));
    assert_eq!(house.files_in_cache(), 0);
}

#[test]
fn a_file_deleted_while_it_was_read_is_not_found() {
    let house = meddling_house(|path, _| fs::remove_file(path).unwrap());
    assert!(matches!(
        house.thumbnail("a.png", variant("9x9-crop.png")),
        Err(ThumbError::Access(AccessError::NotFound))
    ));
    assert_eq!(house.files_in_cache(), 0);
}

#[test]
fn a_picture_that_failed_is_not_tried_again_until_it_changes() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&calls);
    let house = meddling_house(move |_, _| {
        counter.fetch_add(1, Ordering::SeqCst);
    });
    house.put("a.png", b"no picture");
    for size in ["9x9-crop.png", "9x9-crop.png", "20x20-shrink.jpg"] {
        assert!(matches!(
            house.thumbnail("a.png", variant(size)),
            Err(ThumbError::Decode(DecodeError::NotAPicture))
        ));
    }
    assert!(matches!(
        try_request(&house, "a.png"),
        Err(ThumbError::Decode(DecodeError::NotAPicture))
    ));
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    house.put("a.png", &png([1, 2, 3]));
    house.thumbnail("a.png", variant("9x9-crop.png")).unwrap();
}

#[test]
fn a_panic_costs_one_request() {
    let house = meddling_house(|_, call| assert_ne!(call, 0, "as the test wants it"));
    assert!(matches!(
        house.thumbnail("a.png", variant("9x9-crop.png")),
        Err(ThumbError::Failed)
    ));
    house.thumbnail("a.png", variant("9x9-crop.png")).unwrap();
}

#[test]
fn a_cache_that_cannot_be_written_says_so() {
    let house = House::new();
    house.put("a.png", &png([1, 2, 3]));
    let shard = house.find("a.png").id().to_string()[..2].to_owned();
    fs::write(house.cache().join(shard), "in the way").unwrap();
    assert!(matches!(
        house.thumbnail("a.png", variant("9x9-crop.png")),
        Err(ThumbError::Storage(_))
    ));
}

#[test]
fn a_cache_that_goes_is_made_anew_and_a_file_in_its_place_is_told() {
    let house = House::new();
    house.put("a.png", &png([1, 2, 3]));
    let made = || house.thumbnail("a.png", variant("9x9-crop.png"));
    made().unwrap();
    fs::remove_dir_all(house.cache()).unwrap();
    made().unwrap();
    fs::remove_dir_all(house.cache()).unwrap();
    fs::write(house.cache(), "in the way").unwrap();
    assert!(matches!(made(), Err(ThumbError::Storage(_))));
    fs::remove_file(house.cache()).unwrap();
    made().unwrap();
}

#[test]
fn thumbnails_lie_where_the_contract_puts_them() {
    let house = House::new();
    house.put("a.png", &png([1, 2, 3]));
    let thumbnail = house
        .thumbnail("a.png", variant("40x20-crop.webp"))
        .unwrap();
    let id = house.find("a.png").id().to_string();
    let expected = house
        .cache()
        .join(&id[..2])
        .join(&id[2..4])
        .join(format!("{id}-40x20-crop.webp"));
    assert_eq!(thumbnail.path, expected);
}
