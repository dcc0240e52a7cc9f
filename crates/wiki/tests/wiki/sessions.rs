//! Browser sessions.

use fumikura_base::entropy::SeededEntropy;
use fumikura_wiki::*;

use crate::support::Bench;

/// Begins a session. Returns its key, and its stored record.
fn begin(bench: &Bench, secret: &str, user_agent: Option<&str>) -> (SessionKey, SessionInfo) {
    let key = SessionKey::of(secret);
    let entropy = SeededEntropy::new(secret.len() as u64);
    let info = SessionInfo::begin(user_agent, &*bench.clock, &entropy);
    bench.wiki.begin_session(key, &info).unwrap();
    (key, info)
}

#[test]
fn session_lasts_thirty_days_and_survives_reopening() {
    let bench = Bench::new();
    let (key, info) = begin(&bench, "secret", Some("Mozilla/5.0"));
    let bench = bench.reopened();
    assert_eq!(bench.wiki.session(key).unwrap(), Some(info));
    let guess = SessionKey::of("guess");
    assert_eq!(bench.wiki.session(guess).unwrap(), None);
    bench.advance(30 * 24 * 3600 - 1);
    assert_eq!(bench.wiki.sessions().unwrap().len(), 1);
    bench.advance(1);
    assert_eq!(bench.wiki.session(key).unwrap(), None);
    assert_eq!(bench.wiki.sessions().unwrap(), []);
}

#[test]
fn ended_session_stays_ended_after_reopening() {
    let bench = Bench::new();
    let (ended, _) = begin(&bench, "first", None);
    let (other, info) = begin(&bench, "second!", None);
    bench.wiki.end_sessions(&[ended]).unwrap();
    let at = bench.clock_now();
    bench.wiki.update_last_seen(&[(ended, at)]).unwrap();
    let bench = bench.reopened();
    assert_eq!(bench.wiki.session(ended).unwrap(), None);
    assert_eq!(bench.wiki.sessions().unwrap(), [(other, info)]);
}

#[test]
fn last_seen_time_is_stored() {
    let bench = Bench::new();
    let (key, info) = begin(&bench, "secret", None);
    bench.advance(7200);
    let seen = bench.clock_now();
    bench.wiki.update_last_seen(&[(key, seen)]).unwrap();
    let expected = SessionInfo { seen, ..info };
    let bench = bench.reopened();
    assert_eq!(bench.wiki.session(key).unwrap(), Some(expected));
}

#[test]
fn user_agent_is_cut_at_a_character() {
    let bench = Bench::new();
    let long = format!("a{}", "蔵".repeat(100));
    let (_, info) = begin(&bench, "secret", Some(&long));
    assert_eq!(info.user_agent.unwrap(), format!("a{}", "蔵".repeat(85)));
}
