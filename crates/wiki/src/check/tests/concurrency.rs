//! Runs a check beside other work, and follows its progress.

use super::*;

#[test]
fn file_being_uploaded_is_no_fault() {
    let sample = SampleWiki::new();
    let (page, user) = (
        PageId::from_bytes(sample.page),
        UserId::from_bytes(sample.user),
    );
    let (started, wait) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        // Another thread writes for a long time.
        let wiki = &sample.wiki;
        scope.spawn(move || {
            wiki.store.write(|_| {
                started.send(()).unwrap();
                released.recv().unwrap();
                Ok::<_, StorageError>(())
            })
        });
        wait.recv().unwrap();
        let uploaded = scope.spawn(|| file(&sample.wiki, page, user, "b.txt"));
        while stored_files(&sample) < 2 {
            std::thread::yield_now();
        }
        sample.clock.advance(Duration::from_secs(60));
        let faults = sample.wiki.check(Depth::Tables).unwrap().faults;
        release.send(()).unwrap();
        uploaded.join().unwrap();
        assert_eq!(faults, []);
    });
    assert_eq!(sample.faults(), []);
}

fn stored_files(sample: &SampleWiki) -> usize {
    let mut stored_files = 0;
    sample.wiki.asset_files.walk(|_| stored_files += 1).unwrap();
    stored_files
}

#[test]
fn only_files_the_sweep_removes_are_faults() {
    let sample = SampleWiki::new();
    let old = "2020-01-01T00:00:00Z".parse().unwrap();
    let other = AssetId::generate(old, &SeededEntropy::new(7));
    let (folder, beneath) = sample.wiki.asset_files.place(other);
    let place = folder.join(beneath);
    std::fs::create_dir_all(place.parent().unwrap()).unwrap();
    std::fs::write(&place, "of another wiki").unwrap();
    let file = std::fs::File::options().write(true).open(&place).unwrap();
    file.set_modified(old.into()).unwrap();
    assert_eq!(sample.faults(), []);
    let SampleWiki {
        wiki,
        clock,
        folder,
        ..
    } = sample;
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
    let sample = SampleWiki::new();
    let mut reported = Vec::new();
    let report = sample
        .wiki
        .check_with_progress(Depth::Everything, &mut |done, total| {
            reported.push((done, total));
            ControlFlow::Continue(())
        });
    assert_eq!(report.unwrap().faults, []);
    assert!(reported.is_sorted() && reported.len() > 2, "{reported:?}");
    let (done, total) = reported.pop().unwrap();
    assert!(
        done == total && total > 20 && reported[0] == (0, total),
        "{reported:?}"
    );
    for after in 0..reported.len() {
        let mut asked = 0;
        let cancelled = sample
            .wiki
            .check_with_progress(Depth::Everything, &mut |_, _| {
                asked += 1;
                match asked > after {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
        assert!(matches!(cancelled, Err(CheckError::Cancelled)), "{after}");
        assert_eq!(asked, after + 1);
    }
}
