//! Decisions about watched folders.

use std::sync::Arc;

use fumikura_fs::Root;

use super::*;
use crate::look::LinkNames;

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

fn there(place: &str, number: u64) -> There {
    on_disk(0, place, number)
}

fn on_disk(device: u64, place: &str, number: u64) -> There {
    There {
        place: place.into(),
        identity: Identity::from_numbers(device, number),
        is_remote: false,
    }
}

/// Returns the job for each folder.
fn errands(board: &Board, now: Duration) -> Vec<Errand> {
    let folders = board.folders.values();
    folders.map(|watched| watched.errand(now)).collect()
}

/// Takes jobs for threads whose checks do not return.
fn taken(board: &mut Board, now: Duration) -> Vec<Errand> {
    std::iter::from_fn(|| board.take(now)).collect()
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
    let mut board = Board::new(EVERY);
    let [a, b] = [folder(b"/p", b"a"), folder(b"/p", b"b")];
    for (number, source, place) in [(1, &a, "/p/a"), (2, &b, "/p/b")] {
        assert_eq!(board.renew(source, START), None);
        let left = board.begin(source, Found::Told(there(place, number)), START);
        assert!(left.is_empty());
        assert_eq!(board.renew(source, START), Some(Watching::Events));
    }
    assert_eq!(board.next_due(), None);
    for nothing in ["/p/a/.x.jpg.tmp", "/p/a/c/x.jpg", "/q", "/p/ab"] {
        board.hint(&[nothing.into()], at(0));
    }
    assert_eq!(board.next_due(), None);
    board.hint(&["/p/a/x.jpg".into()], at(0));
    assert_eq!(board.take_due(at(49)), []);
    assert_eq!(board.next_due(), Some(at(50)));
    assert_eq!(board.take_due(at(50)), [changed(&a)]);
    assert_eq!((board.take_due(at(999)), board.next_due()), (vec![], None));
    board.hint(&["/p/b".into()], at(1000));
    assert_eq!(board.take_due(at(1050)), [changed(&b)]);
    // The change is unknown.
    board.hint(&[], at(2000));
    assert_eq!(board.take_due(at(2050)).len(), 2);
}

#[test]
fn nobody_listens_where_nobody_looks() {
    let mut board = Board::new(EVERY);
    let [a, same] = [folder(b"/p", b"a"), folder(b"/p/a", b"")];
    board.begin(&a, Found::Told(there("/p/a", 1)), at(0));
    board.begin(&same, Found::Told(there("/p/a", 1)), at(5000));
    assert_eq!(board.sweep(at(0) + LEASE), Vec::<PathBuf>::new());
    assert_eq!(board.renew(&a, at(0) + LEASE), None);
    assert_eq!(board.sweep(at(5000) + LEASE), [PathBuf::from("/p/a")]);
    assert!(board.folders.is_empty());

    board.begin(&a, Found::Told(there("/p/a", 1)), START);
    assert_eq!(board.forget(same.root()), Vec::<PathBuf>::new());
    assert_eq!(board.forget(a.root()), [PathBuf::from("/p/a")]);
    // A caller that began before the root was forgotten has found another folder.
    let moved = board.change(&a, Found::Told(there("/q", 2)), START);
    assert_eq!(moved, [PathBuf::from("/q")]);
    assert!(board.folders.is_empty());
}

#[test]
fn a_folder_that_goes_and_comes_is_told_of() {
    let mut board = Board::new(EVERY);
    let a = folder(b"/p", b"a");
    board.begin(&a, Found::Told(there("/p/a", 1)), START);
    assert_eq!(errands(&board, at(1))[0].known, Some(there("/p/a", 1)));
    assert_eq!(
        board.change(&a, Found::Nothing, at(2)),
        [PathBuf::from("/p/a")]
    );
    assert_eq!(board.take_due(at(100)), [changed(&a)]);
    assert_eq!(board.renew(&a, at(100)), Some(Watching::Waiting));
    assert_eq!(errands(&board, at(100))[0].known, None);
    board.change(&a, Found::Told(there("/p/a", 2)), at(200));
    assert_eq!(board.take_due(at(300)), [changed(&a)]);
}

#[test]
fn what_may_not_be_told_any_more_is_listened_to_anew() {
    let mut board = Board::new(EVERY);
    let [a, link] = [folder(b"/p", b"a"), folder(b"/p", b"link")];
    board.begin(&a, Found::Told(there("/p/a", 1)), START);
    let unsure = |board: &Board| {
        let errands = errands(board, START).into_iter();
        errands.filter(|errand| errand.is_unsure).count()
    };
    assert_eq!(unsure(&board), 0);
    for way in [vec!["/p/a".into()], vec!["/p".into()], vec![]] {
        board.hint(&way, at(0));
        assert_eq!(unsure(&board), 1);
        board.trust(&a);
        board.change(&a, Found::Told(there("/p/a", 1)), at(10));
        assert_eq!(unsure(&board), 0);
    }
    assert_eq!(board.take_due(at(100)), [changed(&a)]);

    // The same folder at another place: its only system watch is removed with either place.
    board.begin(&link, Found::Told(there("/q/a", 1)), START);
    board.hint(&["/q/a/x.jpg".into()], at(200));
    assert_eq!(board.take_due(at(300)).len(), 2);
    board.change(&a, Found::Nothing, at(400));
    let mut all = errands(&board, START).into_iter();
    assert!(all.any(|errand| errand.source == link && errand.is_doubted));
}

#[test]
fn a_folder_that_is_absent_still_is_told_once() {
    let mut board = Board::new(EVERY);
    let a = folder(b"/p", b"a");
    board.begin(&a, Found::Told(there("/p/a", 1)), START);
    board.change(&a, Found::Nothing, at(0));
    assert_eq!(board.take_due(at(100)), [changed(&a)]);
    board.change(&a, Found::Nothing, at(200));
    assert_eq!(board.take_due(at(300)), []);
}

#[test]
fn a_folder_that_tells_nothing_is_looked_into_now_and_then() {
    let mut board = Board::new(EVERY);
    let a = folder(b"/p", b"a");
    board.begin(&a, Found::Untold(there("/p/a", 1), look(1)), at(0));
    assert_eq!(board.renew(&a, at(0)), Some(Watching::Polling));
    // Twenty times as long as the poll took.
    assert!(!errands(&board, at(3999))[0].contents);
    assert!(errands(&board, at(4000))[0].contents);
    board.compare(&a, look(1), at(4000));
    assert_eq!(board.next_due(), None);
    assert!(!errands(&board, at(7999))[0].contents);
    board.compare(&a, look(2), at(8000));
    assert_eq!(board.take_due(at(8050)), [changed(&a)]);
    // Hints are only for folders with events.
    board.hint(&[], at(9000));
    assert_eq!(board.next_due(), None);
}

#[test]
fn whoever_opens_ever_more_folders_has_the_first_ones_forgotten() {
    let mut board = Board::new(EVERY);
    let name = |number: usize| number.to_string().into_bytes();
    for number in 0..=MOST {
        let now = at(number as u64 * 10);
        let found = Found::Told(there(&format!("/p/{number}"), 1));
        let left = board.begin(&folder(b"/p", &name(number)), found, now);
        assert_eq!(left.len(), usize::from(number == MOST));
    }
    assert_eq!(board.folders.len(), MOST);
}

#[test]
fn two_ways_to_one_folder_come_to_rest() {
    let mut board = Board::new(EVERY);
    let [a, link] = [folder(b"/p", b"a"), folder(b"/p", b"link")];
    for source in [&a, &link] {
        board.begin(source, Found::Told(there("/p/a", 1)), START);
    }
    board.hint(&["/p/a".into()], at(0));
    let mut rounds = 0;
    loop {
        let restless = errands(&board, START).into_iter();
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
                board.doubt(there("/p/a", 1).identity);
            }
            board.trust(&errand.source);
            board.change(&errand.source, Found::Told(there("/p/a", 1)), at(10));
        }
    }
}

#[test]
fn a_folder_is_looked_at_when_it_was_left_alone_for_a_while() {
    let mut board = Board::new(EVERY);
    let [a, b] = [folder(b"/p", b"a"), folder(b"/p", b"b")];
    assert_eq!(board.next_look(), None);
    board.begin(&a, Found::Told(there("/p/a", 1)), at(0));
    board.begin(&b, Found::Told(there("/p/b", 2)), at(500));
    assert_eq!(board.next_look(), Some(at(2000)));
    assert_eq!(board.take(at(999)), None);
    // Folders of one disk are checked one after the other, the one checked longest ago first.
    for (source, now) in [(&a, 2000), (&b, 2010)] {
        let errand = board.take(at(now)).unwrap();
        assert_eq!(errand.source, *source);
        assert_eq!(board.take(at(now)), None);
        assert_eq!(board.next_look(), None);
        board.looked(&errand, at(now + 10));
    }
    // From now on, a thread that wakes for one checks both.
    assert_eq!(board.next_look(), Some(at(4010)));
    let errand = board.take(at(4010)).unwrap();
    board.looked(&errand, at(4010));
    assert_eq!(board.take(at(4010)).unwrap().source, b);
}

#[test]
fn folders_of_a_disk_that_never_answers_are_left_out() {
    let mut board = Board::new(EVERY);
    let [far, other, near] = [
        folder(b"/far", b""),
        folder(b"/q", b"f"),
        folder(b"/q", b""),
    ];
    board.begin(&far, Found::Told(on_disk(7, "/far", 1)), at(0));
    // A root may contain folders of several disks.
    board.begin(&other, Found::Told(on_disk(7, "/far/f", 2)), at(0));
    board.begin(&near, Found::Told(on_disk(8, "/q", 2)), at(0));
    let gone = [b"1", b"2"].map(|path| folder(b"/gone", path));
    for source in &gone {
        board.begin(source, Found::Nothing, at(0));
    }
    // One check of each disk, and one of the folders whose disks are unknown.
    let mut out = taken(&mut board, at(2000));
    assert_eq!(out.len(), 3);
    let came_back = out.iter().position(|errand| errand.source == near);
    board.looked(&out.remove(came_back.unwrap()), at(2010));
    for now in [at(4010), at(400_000)] {
        let again = board.take(now).unwrap();
        assert_eq!((&again.source, board.take(now)), (&near, None));
        board.looked(&again, now);
    }
    // A late return counts, and the other folders of that disk have their turn.
    for errand in out {
        board.looked(&errand, at(400_500));
    }
    assert_eq!(taken(&mut board, at(400_500)).len(), 2);
}

#[test]
fn of_a_folder_that_went_it_is_remembered_where_it_lay() {
    let mut board = Board::new(EVERY);
    let [a, b] = [folder(b"/p", b"a"), folder(b"/p", b"b")];
    board.begin(&a, Found::Told(on_disk(7, "/p/a", 1)), at(0));
    board.change(&a, Found::Nothing, at(0));
    board.begin(&b, Found::Nothing, at(0));
    assert_eq!(taken(&mut board, at(2000)).len(), 2);
}

#[test]
fn a_look_that_comes_back_for_a_folder_that_nobody_watches_any_more_is_none() {
    let mut board = Board::new(EVERY);
    let a = folder(b"/p", b"a");
    board.begin(&a, Found::Nothing, at(0));
    let out = board.take(at(2000)).unwrap();
    board.forget(a.root());
    board.begin(&a, Found::Nothing, at(3000));
    assert_eq!(board.take(at(9000)), None);
    board.looked(&out, at(9000));
    assert_eq!(taken(&mut board, at(10_000)).len(), 1);
}

fn names(names: &[&str]) -> LinkNames {
    names.iter().map(|name| name.as_bytes().into()).collect()
}

#[test]
fn what_links_lead_to_is_looked_at_and_the_links_anew_when_the_folder_changes() {
    let mut board = Board::new(EVERY);
    let a = folder(b"/p", b"a");
    board.begin(&a, Found::Told(there("/p/a", 1)), at(0));
    assert_eq!(board.next_links(), Some(at(0)));
    let links = names(&["x.jpg"]);
    // Earlier changes of the targets are unknown.
    let following = board.take_links(at(0)).unwrap();
    assert_eq!((&following.source, &following.names), (&a, &None));
    board.followed(&following, Some((links.clone(), look(1))), at(10));
    assert_eq!(board.take_due(at(60)), [changed(&a)]);

    // Twenty times as long as the poll took.
    assert_eq!(
        (board.take_links(at(4009)), board.next_links()),
        (None, Some(at(4010)))
    );
    let following = board.take_links(at(4010)).unwrap();
    assert_eq!(following.names.as_ref(), Some(&links));
    board.followed(&following, Some((links.clone(), look(1))), at(4010));
    assert_eq!(board.next_due(), None);
    let following = board.take_links(at(8010)).unwrap();
    board.followed(&following, Some((links.clone(), look(2))), at(8010));
    assert_eq!(board.take_due(at(8060)), [changed(&a)]);

    // A change while links are followed may be another link.
    let following = board.take_links(at(20_000)).unwrap();
    board.hint(&["/p/a/y.jpg".into()], at(20_010));
    board.followed(&following, Some((links.clone(), look(2))), at(20_020));
    assert_eq!(board.take_due(at(20_060)), [changed(&a)]);
    let following = board.take_links(at(30_000)).unwrap();
    assert_eq!(following.names, None);
    // The links are also found anew if they could not be read.
    board.followed(&following, None, at(30_000));
    assert_eq!(board.take_links(at(32_999)), None);
    let following = board.take_links(at(33_000)).unwrap();
    assert_eq!(following.names, None);
    board.followed(&following, Some((links, look(2))), at(33_000));
    assert_eq!(board.next_due(), None);
}

#[test]
fn where_there_are_no_links_nothing_is_followed() {
    let mut board = Board::new(EVERY);
    let [a, gone] = [folder(b"/p", b"a"), folder(b"/p", b"gone")];
    board.begin(&a, Found::Told(there("/p/a", 1)), at(0));
    board.begin(&gone, Found::Nothing, at(0));
    let following = board.take_links(at(0)).unwrap();
    let none = Look {
        signature: Signature::NOTHING,
        ..look(0)
    };
    board.followed(&following, Some((names(&[]), none)), at(10));
    assert_eq!((board.next_links(), board.next_due()), (None, None));
    board.hint(&["/p/a/x.jpg".into()], at(100_000));
    assert_eq!(board.take_links(at(100_000)).unwrap().source, a);
}

#[test]
fn links_that_lead_to_a_disk_that_never_answers_hold_up_no_folder() {
    let mut board = Board::new(EVERY);
    let [a, b] = [folder(b"/p", b"a"), folder(b"/p", b"b")];
    let other = folder(b"/q", b"");
    for (number, source) in [(1, &a), (2, &b), (3, &other)] {
        board.begin(source, Found::Told(there("/p/a", number)), at(0));
    }
    // One check of the links of each root.
    let [first, second] = [(); 2].map(|()| board.take_links(at(0)).unwrap());
    assert_ne!(first.source.root(), second.source.root());
    assert_eq!((board.take_links(at(0)), board.next_links()), (None, None));
    for now in [at(2000), at(4000)] {
        let errand = board.take(now).unwrap();
        board.looked(&errand, now);
    }
    board.followed(&first, None, at(5000));
    board.followed(&second, None, at(5000));
    assert!(board.take_links(at(8000)).is_some());
}
