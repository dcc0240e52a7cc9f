//! Decisions about watched folders.

use std::sync::Arc;

use fumikura_fs::Root;

use super::*;

const START: Duration = Duration::from_secs(1000);

const EVERY: Duration = Duration::from_secs(2);

fn at(ms: u64) -> Duration {
    START + Duration::from_millis(ms)
}

fn folder(root: &[u8], path: &[u8]) -> Source {
    Source::new(
        Arc::new(Root::own(root.to_vec())),
        RelPath::parse(path).unwrap(),
    )
}

fn there(place: &str, number: u64) -> Observation {
    on_disk(0, place, number)
}

fn on_disk(device: u64, place: &str, number: u64) -> Observation {
    Observation {
        place: place.into(),
        identity: Identity::from_numbers(device, number),
        is_remote: false,
    }
}

/// Returns the job for each folder.
fn errands(registry: &WatchRegistry, now: Duration) -> Vec<CheckJob> {
    let folders = registry.folders.values();
    folders.map(|watched| watched.errand(now)).collect()
}

/// Takes jobs for threads whose checks do not return.
fn taken(registry: &mut WatchRegistry, now: Duration) -> Vec<CheckJob> {
    std::iter::from_fn(|| registry.take(now)).collect()
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
    let mut registry = WatchRegistry::new(EVERY);
    let [a, b] = [folder(b"/p", b"a"), folder(b"/p", b"b")];
    for (number, source, place) in [(1, &a, "/p/a"), (2, &b, "/p/b")] {
        assert_eq!(registry.renew(source, START), None);
        let left = registry.begin(source, Found::Told(there(place, number)), START);
        assert!(left.is_empty());
        assert_eq!(registry.renew(source, START), Some(Watching::Events));
    }
    assert_eq!(registry.next_due(), None);
    for nothing in ["/p/a/.x.jpg.tmp", "/p/a/c/x.jpg", "/q", "/p/ab"] {
        registry.hint(&[nothing.into()], at(0));
    }
    assert_eq!(registry.next_due(), None);
    registry.hint(&["/p/a/x.jpg".into()], at(0));
    assert_eq!(registry.take_due(at(49)), []);
    assert_eq!(registry.next_due(), Some(at(50)));
    assert_eq!(registry.take_due(at(50)), [changed(&a)]);
    assert_eq!(
        (registry.take_due(at(999)), registry.next_due()),
        (vec![], None)
    );
    registry.hint(&["/p/b".into()], at(1000));
    assert_eq!(registry.take_due(at(1050)), [changed(&b)]);
    // The change is unknown.
    registry.hint(&[], at(2000));
    assert_eq!(registry.take_due(at(2050)).len(), 2);
}

#[test]
fn nobody_listens_where_nobody_looks() {
    let mut registry = WatchRegistry::new(EVERY);
    let [a, same] = [folder(b"/p", b"a"), folder(b"/p/a", b"")];
    registry.begin(&a, Found::Told(there("/p/a", 1)), at(0));
    registry.begin(&same, Found::Told(there("/p/a", 1)), at(5000));
    assert_eq!(registry.sweep(at(0) + LEASE), Vec::<PathBuf>::new());
    assert_eq!(registry.renew(&a, at(0) + LEASE), None);
    assert_eq!(registry.sweep(at(5000) + LEASE), [PathBuf::from("/p/a")]);
    assert!(registry.folders.is_empty());

    registry.begin(&a, Found::Told(there("/p/a", 1)), START);
    assert_eq!(registry.forget(same.root()), Vec::<PathBuf>::new());
    assert_eq!(registry.forget(a.root()), [PathBuf::from("/p/a")]);
    // A caller that began before the root was forgotten has found another folder.
    let moved = registry.change(&a, Found::Told(there("/q", 2)), START);
    assert_eq!(moved, [PathBuf::from("/q")]);
    assert!(registry.folders.is_empty());
}

#[test]
fn a_folder_that_goes_and_comes_is_told_of() {
    let mut registry = WatchRegistry::new(EVERY);
    let a = folder(b"/p", b"a");
    registry.begin(&a, Found::Told(there("/p/a", 1)), START);
    assert_eq!(errands(&registry, at(1))[0].known, Some(there("/p/a", 1)));
    assert_eq!(
        registry.change(&a, Found::Nothing, at(2)),
        [PathBuf::from("/p/a")]
    );
    assert_eq!(registry.take_due(at(100)), [changed(&a)]);
    assert_eq!(registry.renew(&a, at(100)), Some(Watching::Waiting));
    assert_eq!(errands(&registry, at(100))[0].known, None);
    registry.change(&a, Found::Told(there("/p/a", 2)), at(200));
    assert_eq!(registry.take_due(at(300)), [changed(&a)]);
}

#[test]
fn what_may_not_be_told_any_more_is_listened_to_anew() {
    let mut registry = WatchRegistry::new(EVERY);
    let [a, link] = [folder(b"/p", b"a"), folder(b"/p", b"link")];
    registry.begin(&a, Found::Told(there("/p/a", 1)), START);
    let unsure = |registry: &WatchRegistry| {
        let errands = errands(registry, START).into_iter();
        errands.filter(|errand| errand.is_unsure).count()
    };
    assert_eq!(unsure(&registry), 0);
    for way in [vec!["/p/a".into()], vec!["/p".into()], vec![]] {
        registry.hint(&way, at(0));
        assert_eq!(unsure(&registry), 1);
        registry.trust(&a);
        registry.change(&a, Found::Told(there("/p/a", 1)), at(10));
        assert_eq!(unsure(&registry), 0);
    }
    assert_eq!(registry.take_due(at(100)), [changed(&a)]);

    // The same folder at another place: its only system watch is removed with either place.
    registry.begin(&link, Found::Told(there("/q/a", 1)), START);
    registry.hint(&["/q/a/x.jpg".into()], at(200));
    assert_eq!(registry.take_due(at(300)).len(), 2);
    registry.change(&a, Found::Nothing, at(400));
    let mut all = errands(&registry, START).into_iter();
    assert!(all.any(|errand| errand.source == link && errand.is_doubted));
}

#[test]
fn a_folder_that_is_absent_still_is_told_once() {
    let mut registry = WatchRegistry::new(EVERY);
    let a = folder(b"/p", b"a");
    registry.begin(&a, Found::Told(there("/p/a", 1)), START);
    registry.change(&a, Found::Nothing, at(0));
    assert_eq!(registry.take_due(at(100)), [changed(&a)]);
    registry.change(&a, Found::Nothing, at(200));
    assert_eq!(registry.take_due(at(300)), []);
}

#[test]
fn a_folder_that_tells_nothing_is_looked_into_now_and_then() {
    let mut registry = WatchRegistry::new(EVERY);
    let a = folder(b"/p", b"a");
    registry.begin(&a, Found::Untold(there("/p/a", 1), look(1)), at(0));
    assert_eq!(registry.renew(&a, at(0)), Some(Watching::Polling));
    // Twenty times as long as the poll took.
    assert!(!errands(&registry, at(3999))[0].contents);
    assert!(errands(&registry, at(4000))[0].contents);
    registry.compare(&a, look(1), at(4000));
    assert_eq!(registry.next_due(), None);
    assert!(!errands(&registry, at(7999))[0].contents);
    registry.compare(&a, look(2), at(8000));
    assert_eq!(registry.take_due(at(8050)), [changed(&a)]);
    // Hints are only for folders with events.
    registry.hint(&[], at(9000));
    assert_eq!(registry.next_due(), None);
}

#[test]
fn whoever_opens_ever_more_folders_has_the_first_ones_forgotten() {
    let mut registry = WatchRegistry::new(EVERY);
    let name = |number: usize| number.to_string().into_bytes();
    for number in 0..=MOST {
        let now = at(number as u64 * 10);
        let found = Found::Told(there(&format!("/p/{number}"), 1));
        let left = registry.begin(&folder(b"/p", &name(number)), found, now);
        assert_eq!(left.len(), usize::from(number == MOST));
    }
    assert_eq!(registry.folders.len(), MOST);
}

#[test]
fn two_ways_to_one_folder_come_to_rest() {
    let mut registry = WatchRegistry::new(EVERY);
    let [a, link] = [folder(b"/p", b"a"), folder(b"/p", b"link")];
    for source in [&a, &link] {
        registry.begin(source, Found::Told(there("/p/a", 1)), START);
    }
    registry.hint(&["/p/a".into()], at(0));
    let mut rounds = 0;
    loop {
        let restless = errands(&registry, START).into_iter();
        let restless: Vec<_> = restless
            .filter(|it| it.is_unsure || it.is_doubted)
            .collect();
        if restless.is_empty() {
            break;
        }
        rounds += 1;
        assert!(rounds < 4, "they doubt each other for ever");
        for errand in restless {
            if errand.is_unsure {
                registry.doubt(there("/p/a", 1).identity);
            }
            registry.trust(&errand.source);
            registry.change(&errand.source, Found::Told(there("/p/a", 1)), at(10));
        }
    }
}

#[test]
fn a_folder_is_looked_at_when_it_was_left_alone_for_a_while() {
    let mut registry = WatchRegistry::new(EVERY);
    let [a, b] = [folder(b"/p", b"a"), folder(b"/p", b"b")];
    assert_eq!(registry.next_look(), None);
    registry.begin(&a, Found::Told(there("/p/a", 1)), at(0));
    registry.begin(&b, Found::Told(there("/p/b", 2)), at(500));
    assert_eq!(registry.next_look(), Some(at(2000)));
    assert_eq!(registry.take(at(999)), None);
    // Folders of one disk are checked one after the other, the one checked longest ago first.
    for (source, now) in [(&a, 2000), (&b, 2010)] {
        let errand = registry.take(at(now)).unwrap();
        assert_eq!(errand.source, *source);
        assert_eq!(registry.take(at(now)), None);
        assert_eq!(registry.next_look(), None);
        registry.looked(&errand, at(now + 10));
    }
    // From now on, a thread that wakes for one checks both.
    assert_eq!(registry.next_look(), Some(at(4010)));
    let errand = registry.take(at(4010)).unwrap();
    registry.looked(&errand, at(4010));
    assert_eq!(registry.take(at(4010)).unwrap().source, b);
}

#[test]
fn folders_of_a_disk_that_never_answers_are_left_out() {
    let mut registry = WatchRegistry::new(EVERY);
    let [far, other, near] = [
        folder(b"/far", b""),
        folder(b"/q", b"f"),
        folder(b"/q", b""),
    ];
    registry.begin(&far, Found::Told(on_disk(7, "/far", 1)), at(0));
    // A root may contain folders of several disks.
    registry.begin(&other, Found::Told(on_disk(7, "/far/f", 2)), at(0));
    registry.begin(&near, Found::Told(on_disk(8, "/q", 2)), at(0));
    let gone = [b"1", b"2"].map(|path| folder(b"/gone", path));
    for source in &gone {
        registry.begin(source, Found::Nothing, at(0));
    }
    // One check of each disk, and one of the folders whose disks are unknown.
    let mut out = taken(&mut registry, at(2000));
    assert_eq!(out.len(), 3);
    let came_back = out.iter().position(|errand| errand.source == near);
    registry.looked(&out.remove(came_back.unwrap()), at(2010));
    for now in [at(4010), at(400_000)] {
        let again = registry.take(now).unwrap();
        assert_eq!((&again.source, registry.take(now)), (&near, None));
        registry.looked(&again, now);
    }
    // A late return counts, and the other folders of that disk have their turn.
    for errand in out {
        registry.looked(&errand, at(400_500));
    }
    assert_eq!(taken(&mut registry, at(400_500)).len(), 2);
}

#[test]
fn of_a_folder_that_went_it_is_remembered_where_it_lay() {
    let mut registry = WatchRegistry::new(EVERY);
    let [a, b] = [folder(b"/p", b"a"), folder(b"/p", b"b")];
    registry.begin(&a, Found::Told(on_disk(7, "/p/a", 1)), at(0));
    registry.change(&a, Found::Nothing, at(0));
    registry.begin(&b, Found::Nothing, at(0));
    assert_eq!(taken(&mut registry, at(2000)).len(), 2);
}

#[test]
fn a_look_that_comes_back_for_a_folder_that_nobody_watches_any_more_is_none() {
    let mut registry = WatchRegistry::new(EVERY);
    let a = folder(b"/p", b"a");
    registry.begin(&a, Found::Nothing, at(0));
    let out = registry.take(at(2000)).unwrap();
    registry.forget(a.root());
    registry.begin(&a, Found::Nothing, at(3000));
    assert_eq!(registry.take(at(9000)), None);
    registry.looked(&out, at(9000));
    assert_eq!(taken(&mut registry, at(10_000)).len(), 1);
}
