//! Settings of the system's allocator for freed memory.

#[cfg(target_env = "gnu")]
mod glibc {
    use std::num::NonZero;
    use std::thread::available_parallelism;

    use libc::c_int;

    /// The size, in bytes, from which an allocation comes from the system and returns to it. Responses are
    /// smaller: each would cost pages of its own.
    const LARGE: c_int = 1 << 20;
    /// The free memory, in bytes, that is kept at the end of the heap of smaller allocations. It exceeds what a
    /// response needs, so that responses do not request memory from the system each time.
    const SPARE: c_int = 8 << 20;
    /// The maximum number of heaps. Threads share them, so that they wait for each other now and then; but each heap keeps
    /// holes of its own.
    const MAX_HEAPS: c_int = 4;

    /// Returns the number of heaps: as many as threads can run at the same time, within limits.
    fn heaps() -> c_int {
        let threads = available_parallelism().map_or(1, NonZero::get);
        c_int::try_from(threads).map_or(MAX_HEAPS, |threads| threads.clamp(2, MAX_HEAPS))
    }

    #[expect(
        unsafe_code,
        reason = "glibc offers this as a C function alone, and no library wraps it"
    )]
    pub(super) fn limit_free_memory() {
        for (setting, value) in [
            (libc::M_MMAP_THRESHOLD, LARGE),
            (libc::M_TRIM_THRESHOLD, SPARE),
            (libc::M_ARENA_MAX, heaps()),
        ] {
            // SAFETY: the call takes numbers, changes nothing that has been allocated, and may be made by any thread.
            let is_done = unsafe { libc::mallopt(setting, value) };
            debug_assert_eq!(
                is_done, 1,
                "glibc takes any threshold below 32 MiB, and any number of heaps"
            );
        }
    }

    #[expect(
        unsafe_code,
        reason = "glibc offers this as a C function alone, and no library wraps it"
    )]
    pub(super) fn give_back_free_memory() {
        // SAFETY: the call takes a number, touches nothing that is in use, and may be made by any thread.
        let _is_any_given_back = unsafe { libc::malloc_trim(0) };
    }
}

/// Limits the free memory that is kept: large allocations return to the system as soon as they are freed, and there are few
/// heaps.
///
/// The first is how glibc behaves initially. But once a large allocation is freed, it keeps all later allocations up
/// to that size on its heap, where they leave holes between smaller ones: a server that listed a folder of
/// 100,000 pictures five times then held 198 MB, of which 46 MB were in use. It also has eight heaps for each processor:
/// after seven minutes of requests, 16 heaps of a server held 576 MB, of which 73 MB were in use. Other systems' allocators
/// are left unchanged.
pub fn limit_free_memory() {
    #[cfg(target_env = "gnu")]
    glibc::limit_free_memory();
}

/// Returns free memory to the system at once: glibc keeps some for later allocations. Other systems'
/// allocators are left unchanged.
pub fn give_back_free_memory() {
    #[cfg(target_env = "gnu")]
    glibc::give_back_free_memory();
}
