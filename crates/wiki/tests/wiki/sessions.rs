//! Browser sessions.

use fumikura_base::entropy::SeededEntropy;
use fumikura_wiki::*;

use crate::support::TestWiki;

/// Begins a session. Returns its key, and its stored record.
fn begin(test: &TestWiki, secret: &str, user_agent: Option<&str>) -> (SessionKey, SessionInfo) {
    let key = SessionKey::of(secret);
    let entropy = SeededEntropy::new(secret.len() as u64);
    let info = SessionInfo::begin(user_agent, &*test.clock, &entropy);
    test.wiki.sessions().begin(key, &info).unwrap();
    (key, info)
}

#[test]
fn session_lasts_thirty_days_and_survives_reopening() {
    let test = TestWiki::new();
    let (key, info) = begin(&test, "secret", Some("Mozilla/5.0"));
    let test = test.reopen();
    assert_eq!(test.wiki.sessions().get(key).unwrap(), Some(info));
    let guess = SessionKey::of("guess");
    assert_eq!(test.wiki.sessions().get(guess).unwrap(), None);
    test.advance(30 * 24 * 3600 - 1);
    assert_eq!(test.wiki.sessions().all().unwrap().len(), 1);
    test.advance(1);
    assert_eq!(test.wiki.sessions().get(key).unwrap(), None);
    assert_eq!(test.wiki.sessions().all().unwrap(), []);
}

#[test]
fn ended_session_stays_ended_after_reopening() {
    let test = TestWiki::new();
    let (ended, _) = begin(&test, "first", None);
    let (other, info) = begin(&test, "second!", None);
    test.wiki.sessions().end(&[ended]).unwrap();
    let at = test.clock_now();
    test.wiki
        .sessions()
        .update_last_seen(&[(ended, at)])
        .unwrap();
    let test = test.reopen();
    assert_eq!(test.wiki.sessions().get(ended).unwrap(), None);
    assert_eq!(test.wiki.sessions().all().unwrap(), [(other, info)]);
}

#[test]
fn last_seen_time_is_stored() {
    let test = TestWiki::new();
    let (key, info) = begin(&test, "secret", None);
    test.advance(7200);
    let seen = test.clock_now();
    test.wiki
        .sessions()
        .update_last_seen(&[(key, seen)])
        .unwrap();
    let expected = SessionInfo { seen, ..info };
    let test = test.reopen();
    assert_eq!(test.wiki.sessions().get(key).unwrap(), Some(expected));
}

#[test]
fn user_agent_is_cut_at_a_character() {
    let test = TestWiki::new();
    let long = format!("a{}", "蔵".repeat(100));
    let (_, info) = begin(&test, "secret", Some(&long));
    assert_eq!(info.user_agent.unwrap(), format!("a{}", "蔵".repeat(85)));
}
