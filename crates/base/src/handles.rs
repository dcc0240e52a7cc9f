//! The limit on open files, sockets and folders of the process.

use crate::error_chain::any_io_cause;

/// The largest limit that is requested. A higher one would only slow down programs that close all possible numbers.
const MAX_HANDLES: u64 = 16_384;

/// Raises the process's limit on open handles as far as the system permits, up to 16,384, and returns the limit in
/// force. Programs begin with 1,024 on most systems, and may have far more.
pub fn raise_limit() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let limit = getrlimit(Resource::Nofile);
    let Some(current) = limit.current else {
        return MAX_HANDLES;
    };
    let wanted = limit.maximum.unwrap_or(MAX_HANDLES).min(MAX_HANDLES);
    if wanted <= current {
        return current;
    }
    let raised = Rlimit {
        current: Some(wanted),
        maximum: limit.maximum,
    };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => wanted,
        Err(_) => current,
    }
}

/// True if an error, or one of its causes, means that the process or the system has no handle left.
#[must_use]
pub fn is_exhausted(error: &(dyn std::error::Error + 'static)) -> bool {
    any_io_cause(error, |cause| {
        cause.raw_os_error().is_some_and(is_exhaustion_code)
    })
}

fn is_exhaustion_code(code: i32) -> bool {
    use rustix::io::Errno;
    [Errno::MFILE, Errno::NFILE]
        .iter()
        .any(|errno| errno.raw_os_error() == code)
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Arc;

    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("a folder can't be opened")]
    struct Outer(#[source] Arc<io::Error>);

    #[test]
    fn exhaustion_is_found_among_the_causes() {
        let of = |code| io::Error::from_raw_os_error(code);
        let (mfile, nfile, missing) = (24, 23, 2);
        assert!(is_exhausted(&of(mfile)) && is_exhausted(&of(nfile)));
        assert!(is_exhausted(&Outer(Arc::new(of(mfile)))));
        assert!(is_exhausted(&io::Error::other(of(mfile))));
        assert!(is_exhausted(&io::Error::other(Arc::new(of(mfile)))));
        assert!(is_exhausted(&io::Error::other(Outer(Arc::new(of(mfile))))));
        assert!(!is_exhausted(&of(missing)));
        assert!(!is_exhausted(&io::Error::other("no words")));
    }

    #[test]
    fn limit_is_raised_to_the_permitted_maximum() {
        use rustix::process::{Resource, getrlimit};
        let raised = raise_limit();
        let limit = getrlimit(Resource::Nofile);
        assert_eq!(limit.current.unwrap_or(raised), raised);
        let permitted = limit.maximum.unwrap_or(u64::MAX);
        assert!(raised >= permitted.min(MAX_HANDLES), "{limit:?}");
    }
}
