//! What the system's allocator does with memory that is given back to it.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod glibc {
    use libc::c_int;

    /// From this size on a piece of memory comes from the system and goes back to it, in bytes. Answers are smaller:
    /// each would cost pages of its own.
    const LARGE: c_int = 1 << 20;
    /// So much that is free at the end of what smaller pieces come from is kept, in bytes: more than an answer takes,
    /// or each of them would ask for it anew.
    const SPARE: c_int = 8 << 20;

    #[expect(
        unsafe_code,
        reason = "glibc is told by a function of C alone, and no library calls it for us"
    )]
    pub(super) fn give_back_large_pieces() {
        for (setting, value) in [
            (libc::M_MMAP_THRESHOLD, LARGE),
            (libc::M_TRIM_THRESHOLD, SPARE),
        ] {
            // SAFETY: it takes numbers, changes nothing that has been allocated, and may be called by any thread.
            let is_done = unsafe { libc::mallopt(setting, value) };
            debug_assert_eq!(is_done, 1, "glibc takes any threshold below 32 MiB");
        }
    }

    #[expect(
        unsafe_code,
        reason = "glibc is told by a function of C alone, and no library calls it for us"
    )]
    pub(super) fn give_back_free_memory() {
        // SAFETY: it takes a number, touches nothing that is in use, and may be called by any thread.
        let _is_any_given_back = unsafe { libc::malloc_trim(0) };
    }
}

/// Has large pieces of memory go back to the system as soon as nobody needs them.
///
/// That is how glibc begins; but the first large piece that is freed has it keep all as large from then on, and what
/// they leave behind is holes between smaller ones. A server that listed a folder of 100,000 pictures five times took
/// 198 MB then, of which 46 were in use. Other systems' allocators are left as they are.
pub fn give_back_large_pieces() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    glibc::give_back_large_pieces();
}

/// Gives memory that is free back to the system at once: glibc keeps some for what comes next. Other systems' allocators are
/// left as they are.
pub fn give_back_free_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    glibc::give_back_free_memory();
}
