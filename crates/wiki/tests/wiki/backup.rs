//! Makes backups during writes.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use fumikura_base::clock::ManualClock;
use fumikura_base::entropy::SeededEntropy;
use fumikura_wiki::*;

use crate::support::{TestWiki, config, file_name, path};

/// The faults of a copy, in words.
fn faults(copy: &Path, clock: &Arc<ManualClock>) -> Vec<String> {
    let clock: Arc<ManualClock> = Arc::clone(clock);
    let entropy = Arc::new(SeededEntropy::new(9));
    let wiki = Wiki::open(&config(copy), clock, entropy).unwrap();
    let faults = wiki.check(Depth::Everything).unwrap().faults;
    faults.iter().map(ToString::to_string).collect()
}

/// Writes, uploads and purges until `end` is set.
fn write(wiki: &Wiki, user: UserId, number: usize, end: &AtomicBool, written: &AtomicUsize) {
    let (page_id, _) = wiki
        .pages()
        .create_draft(&path(&format!("/{number}")), user)
        .unwrap();
    for round in 0.. {
        if end.load(Ordering::SeqCst) {
            break;
        }
        let lock = wiki.locks().acquire(page_id, user);
        let lock = match lock {
            Ok(lock) => lock,
            Err(_held) => wiki.locks().take_over(page_id, user).unwrap(),
        };
        let request = SaveRequest {
            page_id,
            user,
            source: format!("# {round}\n[other](/{}) [nowhere](/{round}/x)", 1 - number),
            token: Some(lock.token),
            if_match: None,
            amend: false,
            keep_lock: false,
            tab: None,
            read: None,
        };
        wiki.pages().save(request).unwrap();
        let name = file_name(&format!("{round}.txt"));
        let mut writer = wiki.assets().begin(page_id, name, None).unwrap();
        writer.write(&[b'x'; 5000]).unwrap();
        let asset = wiki.assets().finish(writer, user).unwrap();
        if round % 2 == 0 {
            wiki.assets().purge(asset.id).unwrap();
        }
        written.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn backup_during_writes_is_consistent() {
    let test = TestWiki::new();
    let (end, written) = (AtomicBool::new(false), AtomicUsize::new(0));
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for number in 0..2 {
            let (wiki, end, written, user) = (&*test.wiki, &end, &written, test.aya);
            scope.spawn(move || write(wiki, user, number, end, written));
        }
        for round in 0..8 {
            let copy = folder.path().join(round.to_string());
            std::fs::create_dir(&copy).unwrap();
            let before = written.load(Ordering::SeqCst);
            let mut asked = 0;
            let made = test.wiki.back_up(&copy, &mut |_, _| {
                asked += 1;
                // The writers continue in the middle of it.
                while asked == 1 && written.load(Ordering::SeqCst) < before + 6 {
                    std::thread::yield_now();
                }
                ControlFlow::Continue(())
            });
            let missing = made.unwrap().missing;
            let expected = missing
                .iter()
                .map(|id| format!("asset/: the contents of {id} are missing"));
            assert_eq!(faults(&copy, &test.clock), expected.collect::<Vec<_>>());
        }
        end.store(true, Ordering::SeqCst);
    });
}
