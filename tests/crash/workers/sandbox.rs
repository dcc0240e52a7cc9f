//! Decoders that a picture has taken over: the sandbox refuses everything that they try.

use super::Drill;

#[test]
fn decoder_reaches_no_files_network_or_processes() {
    check(&Drill::new(), &[]);
}

#[test]
fn video_decoder_reaches_nothing_either() {
    let drill = Drill::with(|config| config.arguments.push("--videos".into()));
    // Its threads wake each other by pairs of sockets, which reach nothing else.
    check(&drill, &["pair"]);
}

#[track_caller]
fn check(drill: &Drill, allowed: &[&str]) {
    for way in [
        "read",
        "list",
        "write",
        "delete",
        "rename",
        "memory",
        "environment",
        "tcp",
        "listen",
        "udp",
        "unix",
        "pair",
        "run",
        "signal",
        "owner",
        "any-owner",
        "owner-signal",
        "async",
    ] {
        if allowed.contains(&way) {
            continue;
        }
        let answer = drill.ask(format!("escape {way}").as_bytes());
        let answer = answer.unwrap_or_else(|error| panic!("{way}: {error:?}"));
        let answer = String::from_utf8_lossy(&answer[4..]).into_owned();
        assert_eq!(answer, "refused", "{way}");
    }
    // The worker is still usable.
    assert!(drill.ask(&super::good()).is_ok());
}
