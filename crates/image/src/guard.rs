//! Protection from decoders that panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::DecodeError;

/// Turns a decoder's panic into an error: some decoders panic on bad input.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, DecodeError>) -> Result<T, DecodeError> {
    // Everything that the closure holds is dropped with it, so no broken state is seen again.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(DecodeError::Panicked))
}
