//! The calls that layers over a database file forward to it: locks, and closing.

/// Implements closing and locking of a [`redb::StorageBackend`] by those of the file that `self` becomes.
macro_rules! forward_locks {
    (|$this:ident| $file:expr) => {
        fn close(&self) -> std::io::Result<()> {
            let $this = self;
            $file.close()
        }

        forward_locks!(try_lock_range -> bool, |$this| $file);
        forward_locks!(try_lock_shared_range -> bool, |$this| $file);
        forward_locks!(lock_range -> (), |$this| $file);
        forward_locks!(lock_shared_range -> (), |$this| $file);
        forward_locks!(unlock_range -> (), |$this| $file);
        forward_locks!(query_lock_range -> bool, |$this| $file);
    };
    ($lock:ident -> $result:ty, |$this:ident| $file:expr) => {
        fn $lock(
            &self,
            start: std::ops::Bound<u64>,
            end: std::ops::Bound<u64>,
        ) -> Result<$result, redb::BackendError> {
            let $this = self;
            $file.$lock(start, end)
        }
    };
}

pub(super) use forward_locks;
