//! The states of artifacts: exact times, batches, retries, and random histories with crashes.

use proptest::prelude::*;

use super::*;

const DAY: i64 = 86_400;
const NOW: i64 = 1_800_000_000;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(seconds).unwrap()
}

fn key(number: u32) -> ArtifactKey {
    let mut id = [0; 20];
    // The order of the keys differs from that of the numbers.
    id[..4].copy_from_slice(&number.wrapping_mul(2_654_435_761).to_be_bytes());
    ArtifactKey {
        id,
        variant: number,
    }
}

fn policy(days: u32) -> Policy {
    Policy::new(true, days).unwrap()
}

fn mark(index: &mut Index, days: u32, now: Timestamp) -> (u64, u64) {
    let mut run = index.begin_marking(|_| Some(policy(days)), now);
    while index.mark_some(&mut run) {}
    (run.blobs, run.manifests)
}

#[test]
fn artifact_expires_exactly_after_its_days() {
    let mut index = Index::default();
    index.record(key(1), Kind::Blob, "a", 10, at(NOW));
    // Times are whole seconds: a millisecond before the last second counts as a second before.
    let expiry = NOW + 90 * DAY;
    let just_before = Timestamp::from_millisecond(expiry * 1000 - 1).unwrap();
    assert_eq!(index.preview("a", 90, just_before), Amount::default());
    assert_eq!(mark(&mut index, 90, just_before), (0, 0));
    let preview = Amount {
        artifacts: 1,
        bytes: 10,
    };
    assert_eq!(index.preview("a", 90, at(expiry)), preview);
    assert_eq!(mark(&mut index, 90, at(expiry)), (1, 0));
    assert_eq!(
        mark(&mut index, 90, at(expiry)),
        (0, 0),
        "repeating it is safe"
    );
    assert_eq!(index.report(at(NOW)).counts.expired_blobs, 1);
}

#[test]
fn policies_apply_per_group() {
    let mut index = Index::default();
    for (number, group) in [(1, "on"), (2, "off"), (3, "away"), (4, "unnamed")] {
        index.record(key(number), Kind::Manifest, group, 1, at(NOW));
    }
    let policies = |group: &str| match group {
        "on" => Some(policy(1)),
        "off" => Some(Policy::DEFAULT),
        _ => None,
    };
    let mut run = index.begin_marking(policies, at(NOW + 400 * DAY));
    while index.mark_some(&mut run) {}
    assert_eq!((run.blobs, run.manifests), (0, 1));
    assert_eq!(
        index.get(&key(1)).unwrap().status,
        Status::PendingDestruction
    );
}

#[test]
fn run_marks_a_hundred_at_a_time() {
    for count in [0, 1, 99, 100, 101, 250] {
        let mut index = Index::default();
        for number in 0..count {
            index.record(key(number), Kind::Blob, "a", 1, at(NOW));
        }
        let mut run = index.begin_marking(|_| Some(policy(1)), at(NOW + DAY));
        let mut before = 0;
        loop {
            let goes_on = index.mark_some(&mut run);
            assert!(run.blobs - before <= 100);
            before = run.blobs;
            if !goes_on {
                break;
            }
        }
        assert_eq!(run.blobs, u64::from(count));
    }
}

#[test]
fn expired_artifact_that_is_read_is_active_again() {
    let mut index = Index::default();
    index.record(key(1), Kind::Blob, "a", 1, at(NOW));
    let later = at(NOW + DAY);
    mark(&mut index, 1, later);
    assert_eq!(index.touch(key(1), later).map(|group| &**group), Some("a"));
    assert_eq!(index.get(&key(1)).unwrap().status, Status::Active);
    assert_eq!(index.next_cleanup(|_| true, later), None);
    assert_eq!(index.touch(key(2), later), None);
}

#[test]
fn failed_removal_is_repeated_with_growing_pauses() {
    let mut index = Index::default();
    index.record(key(1), Kind::Blob, "a", 1, at(NOW));
    let mut now = NOW + DAY;
    mark(&mut index, 1, at(now));
    for pause in [60, 120, 240] {
        let cleanup = index.next_cleanup(|_| true, at(now)).unwrap();
        assert_eq!(index.report(at(NOW)).counts.processing_blobs, 1);
        index.end_cleanup(cleanup, Err("denied".to_owned()), at(now));
        assert_eq!(index.report(at(NOW)).counts.error_blobs, 1);
        assert_eq!(index.next_cleanup(|_| true, at(now + pause - 1)), None);
        now += pause;
    }
    let failure = &index.failures()[0];
    assert_eq!((failure.attempts, failure.reason.as_str()), (3, "denied"));
    now -= 1;
    assert_eq!(index.next_cleanup(|_| true, at(now)), None);
    let set_back = at(now - 2 * DAY);
    assert!(index.has_cleanup(set_back), "no pause of days");
    index.retry(Some(&key(1)));
    assert_eq!(
        index.next_cleanup(|_| false, at(now)),
        None,
        "its root is away"
    );
    let cleanup = index.next_cleanup(|_| true, at(now)).unwrap();
    index.end_cleanup(cleanup, Ok(()), at(now));
    assert!(index.is_empty() && index.failures().is_empty());
}

#[test]
fn artifact_recreated_during_removal_stays() {
    let mut index = Index::default();
    index.record(key(1), Kind::Blob, "a", 1, at(NOW));
    let later = at(NOW + DAY);
    mark(&mut index, 1, later);
    let cleanup = index.next_cleanup(|_| true, later).unwrap();
    index.record(key(1), Kind::Blob, "a", 2, later);
    index.end_cleanup(cleanup, Ok(()), later);
    let artifact = index.get(&key(1)).unwrap();
    assert_eq!((artifact.status, artifact.size), (Status::Active, 2));
}

#[test]
fn removal_goes_on_only_for_unread_artifacts() {
    let later = at(NOW + DAY);
    let begun = || {
        let mut index = Index::default();
        index.record(key(1), Kind::Blob, "a", 1, at(NOW));
        mark(&mut index, 1, later);
        let cleanup = index.next_cleanup(|_| true, later).unwrap();
        (index, cleanup)
    };
    let (mut index, cleanup) = begun();
    assert!(index.confirm_cleanup(&cleanup));
    index.end_cleanup(cleanup, Ok(()), later);
    assert!(index.is_empty());
    let uses: [fn(&mut Index); 3] = [
        |index| drop(index.touch(key(1), at(NOW + DAY)).cloned()),
        |index| index.spare(&key(1)),
        |index| index.record(key(1), Kind::Blob, "a", 1, at(NOW + DAY)),
    ];
    for used in uses {
        let (mut index, cleanup) = begun();
        used(&mut index);
        assert!(!index.confirm_cleanup(&cleanup));
        index.end_cleanup(cleanup, Ok(()), later);
        assert_eq!(index.get(&key(1)).unwrap().status, Status::Active);
        assert_eq!(index.next_cleanup(|_| true, later), None);
    }
    // An artifact that is spared was not read.
    let (mut index, _) = begun();
    index.spare(&key(1));
    assert_eq!(index.get(&key(1)).unwrap().read_at, NOW);
    assert_eq!(mark(&mut index, 1, later), (1, 0));
}

#[test]
fn artifact_moves_to_its_group() {
    let mut index = Index::default();
    index.record_scanned(key(1), Kind::Blob, UNKNOWN, 1, at(NOW));
    index.record_scanned(key(2), Kind::Blob, UNKNOWN, 1, at(NOW));
    index.assign(key(1), "a");
    index.assign(key(3), "a");
    // A later scan knows the group; it does not change a known one.
    index.record_scanned(key(1), Kind::Blob, "b", 1, at(NOW + DAY));
    index.record_scanned(key(2), Kind::Blob, "b", 1, at(NOW + DAY));
    let found = index.artifacts(None).into_iter();
    let mut found: Vec<_> = found
        .map(|one| (one.key.variant, one.group.to_string(), one.read_at))
        .collect();
    found.sort();
    assert_eq!(found, [(1, "a".into(), NOW), (2, "b".into(), NOW)]);
    let changed = index.take_changes().into_iter();
    let rows = changed.filter(|change| matches!(change, Change::Put(_)));
    assert_eq!(rows.count(), 2);
}

/// A step of a random history.
#[derive(Debug, Clone)]
enum IndexStep {
    Record(u32, bool),
    Touch(u32),
    Remove(u32),
    Advance(i64),
    Mark,
    Begin,
    Spare(u32),
    End(bool),
    /// The program is killed and started again.
    Crash,
}

fn step() -> impl Strategy<Value = IndexStep> {
    let number = 0..6_u32;
    prop_oneof![
        3 => (number.clone(), any::<bool>()).prop_map(|(number, group)| IndexStep::Record(number, group)),
        3 => number.clone().prop_map(IndexStep::Touch),
        1 => number.prop_map(IndexStep::Remove),
        3 => (0..3 * DAY).prop_map(IndexStep::Advance),
        2 => Just(IndexStep::Mark),
        3 => Just(IndexStep::Begin),
        1 => (0..6_u32).prop_map(IndexStep::Spare),
        3 => any::<bool>().prop_map(IndexStep::End),
        1 => Just(IndexStep::Crash),
    ]
}

/// The expected state: the existing files, and the time of the last read of each.
#[derive(Default)]
struct Model {
    files: BTreeMap<u32, i64>,
}

proptest! {
    #[test]
    fn nothing_is_removed_before_its_time(steps in prop::collection::vec(step(), 1..120)) {
        let mut index = Index::default();
        let mut model = Model::default();
        let mut now = NOW;
        let mut running: Vec<Cleanup> = Vec::new();
        for step in steps {
            match step {
                IndexStep::Record(number, group) => {
                    index.record(key(number), Kind::Blob, if group { "a" } else { "b" }, 1, at(now));
                    model.files.insert(number, now);
                }
                IndexStep::Touch(number) => {
                    let is_known = index.touch(key(number), at(now)).is_some();
                    prop_assert_eq!(is_known, model.files.contains_key(&number));
                    if let Some(read) = model.files.get_mut(&number) {
                        *read = now;
                    }
                }
                IndexStep::Remove(number) => {
                    index.remove(&key(number));
                    model.files.remove(&number);
                }
                IndexStep::Advance(by) => now += by,
                IndexStep::Mark => {
                    mark(&mut index, 2, at(now));
                }
                IndexStep::Spare(number) => index.spare(&key(number)),
                IndexStep::Begin => running.extend(index.next_cleanup(|_| true, at(now))),
                IndexStep::End(succeeds) => {
                    let Some(cleanup) = running.pop() else {
                        continue;
                    };
                    let number = cleanup.artifact.key.variant;
                    // A file whose removal began is deleted unless it was read since.
                    if index.confirm_cleanup(&cleanup) && succeeds {
                        let read = model.files.remove(&number);
                        prop_assert!(read.is_some_and(|read| now - read >= 2 * DAY), "{}: {:?}", now, read);
                    }
                    index.end_cleanup(cleanup, succeeds.then_some(()).ok_or_else(|| "denied".to_owned()), at(now));
                }
                IndexStep::Crash => {
                    running.clear();
                    let (groups, rows) = index.parts();
                    index = Index::restored(groups.to_vec(), rows.to_vec());
                    index.reclaim(|artifact| model.files.contains_key(&artifact.key.variant));
                    prop_assert_eq!(index.report(at(NOW)).counts.processing_blobs, 0);
                }
            }
            prop_assert_eq!(index.len(), model.files.len());
            for (number, read) in &model.files {
                let artifact = index.get(&key(*number)).unwrap();
                prop_assert_eq!(artifact.read_at, *read);
                // Any artifact in a state before removal was unread for two days when it was marked.
                if artifact.status != Status::Active {
                    prop_assert!(now - read >= 2 * DAY || running.iter().any(|one| one.artifact.key == key(*number)));
                }
            }
            let total: u64 = index.report(at(now)).groups.iter().map(|usage| usage.blobs.artifacts).sum();
            prop_assert_eq!(total, model.files.len() as u64);
        }
    }
}

#[test]
fn thumbnails_of_deleted_pictures_are_marked() {
    let mut index = Index::default();
    for number in 0..4 {
        index.record(key(number), Kind::Blob, "a", 1, at(NOW));
    }
    index.record(key(4), Kind::Manifest, "a", 1, at(NOW));
    index.record(key(5), Kind::Blob, "b", 1, at(NOW));
    // Read during the scan for pictures.
    index.touch(key(1), at(NOW + 10));
    let existing = [key(0).id].into();
    let mut run = index.begin_marking_gone("a", existing, at(NOW + 10));
    while index.mark_some(&mut run) {}
    assert_eq!((run.blobs, run.manifests), (2, 0));
    let status = |number| index.get(&key(number)).unwrap().status;
    assert_eq!(
        [0, 1, 2, 3, 4, 5].map(|number| status(number) == Status::Active),
        [true, true, false, false, true, true]
    );
}

#[test]
fn report_has_groups_and_ages() {
    let mut index = Index::default();
    for (number, days) in [0, 1, 6, 7, 30, 89, 90, 365, 4000].into_iter().enumerate() {
        let number = u32::try_from(number).unwrap();
        index.record(key(number), Kind::Blob, "a", 10, at(NOW - days * DAY));
    }
    index.record(key(100), Kind::Manifest, "b", 3, at(NOW));
    let report = index.report(at(NOW));
    let ages = report.ages.map(|age| (age.artifacts, age.bytes));
    assert_eq!(ages, [(2, 13), (2, 20), (1, 10), (2, 20), (1, 10), (2, 20)]);
    assert_eq!(report.groups.len(), 2);
    assert_eq!(report.groups[0].blobs.bytes, 90);
    assert_eq!(report.groups[1].manifests.artifacts, 1);
    assert_eq!(index.artifacts(Some("b")).len(), 1);
    assert_eq!(index.artifacts(None).len(), 10);
    assert!(index.artifacts(Some("c")).is_empty());
}
