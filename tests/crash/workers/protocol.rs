//! Workers that break the protocol: the fault is the picture's only if they had received one.

use fumikura_image::{DecodeError, Limits};
use fumikura_thumbs::{WorkerConfig, WorkerError, Workers};

use super::{Drill, ask, config, good};
use crate::support::until;

fn outcome(change: impl FnOnce(&mut WorkerConfig)) -> DecodeError {
    let mut config = config(&[]);
    change(&mut config);
    let workers = Workers::start(config, Limits::default()).unwrap();
    ask(&workers, &good()).unwrap_err()
}

#[track_caller]
fn rogue(how: &str) -> DecodeError {
    outcome(|config| config.arguments = vec!["rogue".into(), how.into()])
}

#[track_caller]
fn check_unintelligible(how: &str) {
    let error = rogue(how);
    assert!(matches!(error, DecodeError::Unintelligible(_)), "{error:?}");
    assert!(error.is_lasting());
}

#[track_caller]
fn check_no_decoder(error: &DecodeError, is_expected: impl Fn(&WorkerError) -> bool) {
    assert!(!error.is_lasting());
    match error {
        DecodeError::NoDecoder(reason) => {
            let is_expected = reason.downcast_ref().is_some_and(is_expected);
            assert!(is_expected, "{reason}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn garbage_answer_is_refused() {
    check_unintelligible("rubbish");
    check_unintelligible("long");
}

#[test]
fn answer_for_another_picture_is_refused() {
    check_unintelligible("other-job");
}

#[test]
fn overlong_thumbnail_is_not_read() {
    check_unintelligible("too-long");
    check_unintelligible("no-hash");
}

#[test]
fn worker_that_closes_its_socket_is_killed() {
    let error = rogue("closes");
    assert!(matches!(error, DecodeError::Killed), "{error:?}");
    assert!(error.is_lasting());
}

/// The additional answer counts against neither picture.
#[test]
fn worker_that_answers_twice_is_replaced() {
    let workers = Workers::start(config(&["rogue", "twice"]), Limits::default()).unwrap();
    for _ in 0..10 {
        let error = ask(&workers, &good()).unwrap_err();
        assert!(matches!(error, DecodeError::NotAPicture), "{error:?}");
    }
}

#[test]
fn immediate_exit_does_not_blame_the_picture() {
    check_no_decoder(
        &rogue("ends"),
        |reason| matches!(reason, WorkerError::EndedAtOnce(how) if how == "exit status: 0"),
    );
}

#[test]
fn exit_before_the_job_blames_no_picture() {
    check_no_decoder(&rogue("untouched"), |reason| {
        matches!(reason, WorkerError::Dying)
    });
}

#[test]
fn worker_of_another_build_is_refused() {
    check_no_decoder(&rogue("other-build"), |reason| {
        reason
            .to_string()
            .contains("“fumikura thumb-worker 0.0.1 protocol 1”")
    });
}

#[test]
fn another_program_is_refused() {
    // It writes nothing, and keeps running.
    let sleep = outcome(|config| {
        config.program = "/bin/sleep".into();
        config.arguments = vec!["60".into()];
        config.limits.wall = std::time::Duration::from_millis(300);
    });
    check_no_decoder(&sleep, |reason| matches!(reason, WorkerError::Silent(_)));
    let not_a_program = outcome(|config| config.program = "/etc/passwd".into());
    check_no_decoder(&not_a_program, |reason| {
        matches!(reason, WorkerError::Start(_))
    });
}

/// A program that is installed later is found without restarting the parent.
#[test]
fn missing_worker_does_not_blame_the_picture() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("worker");
    let drill = Drill::with(|config| config.program.clone_from(&program));
    for _ in 0..3 {
        check_no_decoder(
            &drill.ask(&good()).unwrap_err(),
            |reason| matches!(reason, WorkerError::Start(error) if error.kind() == std::io::ErrorKind::NotFound),
        );
    }
    std::os::unix::fs::symlink(super::DRILL, &program).unwrap();
    until("it is found", || drill.ask(&good()).is_ok());
}
