//! The sandbox of a worker: a decoder that a picture has compromised can only compute and answer.
//!
//! Landlock denies all paths except those of the system's fonts, TCP, and signals to other processes. seccomp
//! denies every system call that decoding does not need: sockets, other programs, new processes, other
//! processes' memory. A denied call fails with `EPERM`, so that a decoder that tries something harmless
//! continues without it.

use std::collections::BTreeMap;
use std::io;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreatedAttr, Scope, path_beneath_rules,
};
use rustix::process::Resource;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};

use super::system::lower_limit;

/// The newest version of Landlock's rules that is used, as far as the kernel supports it.
const RULES: ABI = ABI::V6;
/// The folders of the system's fonts, which texts in drawings need, and of their configuration.
const FONTS: [&str; 5] = [
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/usr/share/fontconfig",
    "/usr/share/X11/fonts",
    "/etc/fonts",
];
/// The maximum number of open handles. Fonts are opened one by one.
const HANDLES: u64 = 64;

/// Returns true if the kernel can deny workers access to files.
pub(super) fn can_refuse_files() -> bool {
    let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let rules = rules.handle_access(AccessFs::from_all(ABI::V1));
    rules.and_then(|rules| rules.create()).is_ok()
}

/// The files that a worker decodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    Pictures,
    /// Their decoders run in several threads, which wake each other by handles.
    Videos,
}

/// Restricts this thread, and the threads that it starts, to the needs of decoding pictures. Files of more than `output`
/// bytes can't be written.
///
/// # Errors
/// Errors of the system. If the kernel has no Landlock, files are not refused.
pub fn enter(output: u64) -> io::Result<()> {
    enter_for(Subject::Pictures, output)
}

/// Restricts this thread like [`enter`].
pub(super) fn enter_for(subject: Subject, output: u64) -> io::Result<()> {
    lower_limit(Resource::Nofile, HANDLES)?;
    lower_limit(Resource::Fsize, output)?;
    refuse_files().map_err(io::Error::other)?;
    refuse_calls(subject).map_err(io::Error::other)
}

/// Refuses access to files. Has no effect if the kernel has no Landlock.
fn refuse_files() -> Result<(), landlock::RulesetError> {
    let fonts = path_beneath_rules(FONTS, AccessFs::ReadFile | AccessFs::ReadDir);
    Ruleset::default()
        .handle_access(AccessFs::from_all(RULES))?
        .handle_access(AccessNet::from_all(RULES))?
        .scope(Scope::from_all(RULES))?
        .create()?
        .add_rules(fonts)?
        .restrict_self()?;
    Ok(())
}

fn refuse_calls(subject: Subject) -> Result<(), seccompiler::Error> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    // A filter can't read the flags of this call. Without it, the C library uses the older one.
    let newer = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    let no_such_call = SeccompAction::Errno(libc::ENOSYS as u32);
    let first = SeccompFilter::new(newer, SeccompAction::Allow, no_such_call, architecture)?;
    let refused = SeccompAction::Errno(libc::EPERM as u32);
    let second = SeccompFilter::new(
        allowed(subject)?,
        refused,
        SeccompAction::Allow,
        architecture,
    )?;
    apply_filter(&BpfProgram::try_from(first)?)?;
    apply_filter(&BpfProgram::try_from(second)?)
}

fn allowed(subject: Subject) -> Result<BTreeMap<i64, Vec<SeccompRule>>, seccompiler::BackendError> {
    let mut allowed: BTreeMap<i64, Vec<SeccompRule>> =
        CALLS.iter().map(|call| (*call, Vec::new())).collect();
    let threads = libc::CLONE_THREAD as u64;
    let is_thread = condition(0, SeccompCmpOp::MaskedEq(threads), threads)?;
    let own = u64::from(std::process::id());
    // The name of a thread or of a piece of memory.
    let names = [libc::PR_SET_NAME, libc::PR_SET_VMA];
    let names = names.map(|what| condition(0, SeccompCmpOp::Eq, what as u64));
    // Any other could have the kernel send signals to other processes: F_SETOWN, F_SETSIG, and F_SETFL with O_ASYNC.
    let commands = [libc::F_DUPFD_CLOEXEC, libc::F_GETFD, libc::F_GETFL];
    let commands = commands.map(|command| condition(1, SeccompCmpOp::Eq, command as u64));
    let mut commands: Vec<_> = commands.into_iter().collect::<Result<_, _>>()?;
    if subject == Subject::Videos {
        commands.push(nonblocking()?);
        allowed.extend(WAKEUPS.iter().map(|call| (*call, Vec::new())));
        allowed.insert(libc::SYS_socketpair, vec![stream_pair()?]);
    }
    allowed.insert(libc::SYS_fcntl, commands);
    allowed.insert(libc::SYS_clone, vec![is_thread]);
    allowed.insert(libc::SYS_tgkill, vec![condition(0, SeccompCmpOp::Eq, own)?]);
    // The limits of this process, which can't be raised again.
    allowed.insert(
        libc::SYS_prlimit64,
        vec![condition(0, SeccompCmpOp::Eq, 0)?],
    );
    allowed.insert(
        libc::SYS_prctl,
        names.into_iter().collect::<Result<_, _>>()?,
    );
    Ok(allowed)
}

/// Returns the rule for `F_SETFL` with nothing but `O_NONBLOCK` and the way of access.
fn nonblocking() -> Result<SeccompRule, seccompiler::BackendError> {
    let harmless = libc::O_NONBLOCK | libc::O_ACCMODE;
    // The kernel ignores the upper half of these arguments.
    let length = SeccompCmpArgLen::Dword;
    let command = libc::F_SETFL as u64;
    SeccompRule::new(vec![
        SeccompCondition::new(1, length.clone(), SeccompCmpOp::Eq, command)?,
        SeccompCondition::new(
            2,
            length,
            SeccompCmpOp::MaskedEq(u64::from(!harmless as u32)),
            0,
        )?,
    ])
}

/// Returns the rule for a pair of local sockets that reach only each other: those for datagrams could be sent elsewhere.
fn stream_pair() -> Result<SeccompRule, seccompiler::BackendError> {
    let length = SeccompCmpArgLen::Dword;
    let flags = (libc::SOCK_NONBLOCK | libc::SOCK_CLOEXEC) as u32;
    let (family, kind) = (libc::AF_UNIX as u64, libc::SOCK_STREAM as u64);
    SeccompRule::new(vec![
        SeccompCondition::new(0, length.clone(), SeccompCmpOp::Eq, family)?,
        SeccompCondition::new(1, length, SeccompCmpOp::MaskedEq(u64::from(!flags)), kind)?,
    ])
}

fn condition(
    argument: u8,
    operator: SeccompCmpOp,
    value: u64,
) -> Result<SeccompRule, seccompiler::BackendError> {
    let length = SeccompCmpArgLen::Qword;
    SeccompRule::new(vec![SeccompCondition::new(
        argument, length, operator, value,
    )?])
}

/// The calls by which the threads of the decoders of videos wake each other.
const WAKEUPS: &[i64] = &[libc::SYS_eventfd2, libc::SYS_pipe2];

/// The system calls that decoding and the communication with the parent need.
const CALLS: &[i64] = &[
    // Open handles, and fonts.
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_lseek,
    libc::SYS_close,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_fstat,
    libc::SYS_statx,
    libc::SYS_newfstatat,
    libc::SYS_getdents64,
    libc::SYS_openat,
    libc::SYS_readlinkat,
    libc::SYS_ppoll,
    libc::SYS_recvmsg,
    libc::SYS_sendmsg,
    // Memory.
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_mprotect,
    libc::SYS_madvise,
    libc::SYS_brk,
    // Threads.
    libc::SYS_clone3,
    libc::SYS_futex,
    libc::SYS_set_robust_list,
    libc::SYS_rseq,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_gettid,
    // Callers assume that these never fail.
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_exit,
    libc::SYS_exit_group,
    // Signals to itself, and the stack on which they are handled.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    // Time and randomness.
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_getrandom,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_poll,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_readlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
];
