//! Runs a check beside other work, and follows its progress.

use super::*;

#[test]
fn file_being_uploaded_is_no_fault() {
    let full = Full::new();
    let (page, person) = (
        PageId::from_bytes(full.page),
        UserId::from_bytes(full.person),
    );
    let (begun, wait) = mpsc::channel();
    let (go_on, told) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        // Another thread writes for a long time.
        let wiki = &full.wiki;
        scope.spawn(move || {
            wiki.store.write(|_| {
                begun.send(()).unwrap();
                told.recv().unwrap();
                Ok::<_, StorageError>(())
            })
        });
        wait.recv().unwrap();
        let brought = scope.spawn(|| file(&full.wiki, page, person, "b.txt"));
        while lying(&full) < 2 {
            std::thread::yield_now();
        }
        full.clock.advance(Duration::from_secs(60));
        let faults = full.wiki.check(Depth::Tables).unwrap().faults;
        go_on.send(()).unwrap();
        brought.join().unwrap();
        assert_eq!(faults, []);
    });
    assert_eq!(full.faults(), []);
}

fn lying(full: &Full) -> usize {
    let mut lying = 0;
    full.wiki.asset_files.walk(|_| lying += 1).unwrap();
    lying
}

#[test]
fn only_files_the_sweep_removes_are_faults() {
    let full = Full::new();
    let old = "2020-01-01T00:00:00Z".parse().unwrap();
    let other = AssetId::generate(old, &SeededEntropy::new(7));
    let (folder, beneath) = full.wiki.asset_files.place(other);
    let place = folder.join(beneath);
    std::fs::create_dir_all(place.parent().unwrap()).unwrap();
    std::fs::write(&place, "of another wiki").unwrap();
    let file = std::fs::File::options().write(true).open(&place).unwrap();
    file.set_modified(old.into()).unwrap();
    assert_eq!(full.faults(), []);
    let Full {
        wiki,
        clock,
        folder,
        ..
    } = full;
    drop(wiki);
    let wiki = open(folder.path(), &clock);
    assert!(place.exists());
    assert_eq!(wiki.check(Depth::Tables).unwrap().faults, []);
    // A file of our time is swept; until then it is reported.
    file.set_modified(clock.now().into()).unwrap();
    let faults = wiki.check(Depth::Tables).unwrap().faults;
    assert!(faults[0].words.contains("has no row"), "{faults:?}");
    drop(wiki);
    open(folder.path(), &clock);
    assert!(!place.exists());
}

#[test]
fn check_reports_progress_and_can_be_cancelled() {
    let full = Full::new();
    let mut told = Vec::new();
    let report = full
        .wiki
        .check_watched(Depth::Everything, &mut |done, total| {
            told.push((done, total));
            ControlFlow::Continue(())
        });
    assert_eq!(report.unwrap().faults, []);
    assert!(told.is_sorted() && told.len() > 2, "{told:?}");
    let (done, total) = told.pop().unwrap();
    assert!(
        done == total && total > 20 && told[0] == (0, total),
        "{told:?}"
    );
    for after in 0..told.len() {
        let mut asked = 0;
        let broken_off = full.wiki.check_watched(Depth::Everything, &mut |_, _| {
            asked += 1;
            match asked > after {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        assert!(matches!(broken_off, Err(CheckError::Cancelled)), "{after}");
        assert_eq!(asked, after + 1);
    }
}
