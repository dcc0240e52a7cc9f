//! The fallback for systems without workers: pictures are decoded in the process itself.

use std::io;
use std::sync::Arc;

use super::{ServeError, WorkerConfig};
use crate::decode::{Decode, InProcess, Limits};

/// Returns the decoder of a program that would otherwise decode in workers.
pub(crate) fn decoder(_: WorkerConfig, limits: Limits) -> io::Result<Arc<dyn Decode>> {
    Ok(Arc::new(InProcess::new(limits)))
}

/// Reports that workers are not supported.
///
/// # Errors
/// Always [`ServeError::NotHere`].
pub fn serve<D: Decode>(_: impl FnOnce(Limits) -> D) -> Result<(), ServeError> {
    Err(ServeError::NotHere)
}
