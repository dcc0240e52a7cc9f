//! Lists of other programs: entries and skipped lines are lines of the list, in their order.

use fumikura_hashes::MAX_REPORTED;
use fumikura_hashes::lists::parse;

/// Checks one input.
pub fn hash_list(data: &[u8]) {
    let Ok(list) = parse(data) else {
        return;
    };
    let lines = data.len() + 1;
    assert!(list.entries.is_sorted_by_key(|entry| entry.line));
    assert!(list.skipped.iter().is_sorted_by_key(|skipped| skipped.line));
    assert!(list.skipped.iter().len() <= MAX_REPORTED);
    let all = list.entries.iter().map(|entry| entry.line);
    for line in all.chain(list.skipped.iter().map(|skipped| skipped.line)) {
        assert!((1..=lines as u64).contains(&(line as u64)), "{line}");
    }
}
