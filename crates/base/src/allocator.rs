//! Settings of the system's allocator for freed memory.

#[cfg(target_env = "gnu")]
mod glibc {
    use libc::c_int;

    /// The size, in bytes, from which an allocation comes from the system and returns to it. Responses are
    /// smaller: each would cost pages of its own.
    const LARGE: c_int = 1 << 20;
    /// The free memory, in bytes, that is kept at the end of the heap of smaller allocations. It exceeds what a
    /// response needs, so that responses do not request memory from the system each time.
    const SPARE: c_int = 8 << 20;

    #[expect(
        unsafe_code,
        reason = "glibc offers this as a C function alone, and no library wraps it"
    )]
    pub(super) fn give_back_large_pieces() {
        for (setting, value) in [
            (libc::M_MMAP_THRESHOLD, LARGE),
            (libc::M_TRIM_THRESHOLD, SPARE),
        ] {
            // SAFETY: the call takes numbers, changes nothing that has been allocated, and may be made by any thread.
            let is_done = unsafe { libc::mallopt(setting, value) };
            debug_assert_eq!(is_done, 1, "glibc takes any threshold below 32 MiB");
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

/// Makes large allocations return to the system as soon as they are freed.
///
/// This is how glibc behaves initially. But once a large allocation is freed, it keeps all later allocations up
/// to that size on its heap, where they leave holes between smaller ones: a server that listed a folder of
/// 100,000 pictures five times then held 198 MB, of which 46 MB were in use. Other systems' allocators are left
/// unchanged.
pub fn give_back_large_pieces() {
    #[cfg(target_env = "gnu")]
    glibc::give_back_large_pieces();
}

/// Returns free memory to the system at once: glibc keeps some for later allocations. Other systems'
/// allocators are left unchanged.
pub fn give_back_free_memory() {
    #[cfg(target_env = "gnu")]
    glibc::give_back_free_memory();
}
