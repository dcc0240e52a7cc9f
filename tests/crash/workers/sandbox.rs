//! Decoders that a picture has taken over: the sandbox refuses everything that they try.

use super::Drill;

#[test]
fn decoder_reaches_no_files_network_or_processes() {
    let drill = Drill::new();
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
        let answer = drill.ask(format!("escape {way}").as_bytes());
        let answer = answer.unwrap_or_else(|error| panic!("{way}: {error:?}"));
        let answer = String::from_utf8_lossy(&answer[4..]).into_owned();
        assert_eq!(answer, "refused", "{way}");
    }
    // The worker is still usable.
    assert!(drill.ask(&super::good()).is_ok());
}
