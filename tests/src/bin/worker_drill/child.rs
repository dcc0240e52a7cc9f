//! Workers that die, hang, run out of resources, and break the protocol.

use std::fs::{File, OpenOptions};
use std::hint::black_box;
use std::io::{self, Read, Seek, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::Result;
use clap::ValueEnum;
use fumikura_image::{
    Decode, DecodeError, EncodedThumbnail, InProcess, Limits, Rendition, Variant,
};
use fumikura_thumbs::{serve, serve_videos};
use parking_lot::Mutex;
use rustix::net::{RecvFlags, SendFlags, recv, send};
use rustix::process::{Pid, Signal, kill_process};

/// The greeting of a worker of this build.
const GREETING: &str = concat!(
    "fumikura thumb-worker ",
    env!("CARGO_PKG_VERSION"),
    " protocol 8"
);

const OTHER_BUILD: &str = "fumikura thumb-worker 0.0.1 protocol 1";

/// The first bytes of a JPEG.
const JPEG: &[u8] = &[0xff, 0xd8, 0xff, 0xe0];

/// Commands of `fcntl` (`asm-generic/fcntl.h`).
const F_SETSIG: i32 = 10;
const F_SETOWN_EX: i32 = 15;
const F_OWNER_PID: i32 = 1;

/// A decoder that executes the command in a picture, if it has one.
struct CommandDecoder {
    decoder: InProcess,
    /// Opened before the sandbox is entered.
    notes: Mutex<File>,
    go: PathBuf,
}

/// Runs a worker that follows the protocol even if its decoder fails.
pub(crate) fn obey(notes: PathBuf, is_for_videos: bool) -> Result<()> {
    let go = notes.with_extension("go");
    let file = OpenOptions::new().append(true).create(true).open(&notes)?;
    let decoder = |limits: Limits| CommandDecoder {
        decoder: InProcess::new(limits),
        notes: Mutex::new(file),
        go,
    };
    Ok(match is_for_videos {
        true => serve_videos(decoder),
        false => serve(decoder),
    }?)
}

impl Decode for CommandDecoder {
    fn thumbnail(
        &self,
        mut file: File,
        length: u64,
        variant: Variant,
    ) -> Result<EncodedThumbnail, DecodeError> {
        let mut head = Vec::new();
        (&file).take(64).read_to_end(&mut head)?;
        file.rewind()?;
        let words = String::from_utf8_lossy(&head);
        let words: Vec<&str> = words.split_whitespace().collect();
        let picture = if head.is_ascii() {
            words.join(" ")
        } else {
            "a picture".to_owned()
        };
        // In one write: the other worker writes into the same file.
        let note = format!("{} {picture}\n", std::process::id());
        let mut notes = self.notes.lock();
        notes.write_all(note.as_bytes())?;
        drop(notes);
        let bytes = match words[..] {
            ["abort"] => std::process::abort(),
            ["exit"] => std::process::exit(3),
            ["hang"] => loop {
                std::thread::sleep(Duration::from_secs(3600));
            },
            ["wait"] => {
                while !self.go.exists() {
                    std::thread::sleep(Duration::from_millis(5));
                }
                [JPEG, b"at last"].concat()
            }
            ["spin"] => loop {
                black_box(());
            },
            ["allocate"] => loop {
                black_box(Vec::<u8>::with_capacity(64 << 20).leak());
            },
            ["recurse"] => vec![recurse(0)],
            ["panic"] => panic!("as requested by the picture"),
            ["wrong-kind"] => b"<!doctype html>".to_vec(),
            ["escape", way] => [JPEG, escape(way).as_bytes()].concat(),
            ["huge"] => vec![0; 64 << 20],
            _ => return self.decoder.thumbnail(file, length, variant),
        };
        Ok(EncodedThumbnail { bytes, hash: None })
    }

    fn render(&self, _: File, _: u64, _: Rendition) -> Result<Vec<u8>, DecodeError> {
        unreachable!("BUG: nothing is exported")
    }
}

/// Tries an action that no decoder needs, and returns the outcome.
fn escape(way: &str) -> String {
    let parent = rustix::process::getppid().map_or(1, |parent| parent.as_raw_nonzero().get());
    let own = std::env::temp_dir().join("fumikura-escaped");
    let outcome: io::Result<()> = match way {
        "read" => std::fs::read("/etc/passwd").map(drop),
        "list" => std::fs::read_dir("/etc").map(drop),
        "write" => std::fs::write(&own, "escaped"),
        "delete" => std::fs::remove_file("/etc/passwd"),
        "rename" => std::fs::rename("/etc/passwd", &own),
        "memory" => OpenOptions::new()
            .write(true)
            .open(format!("/proc/{parent}/mem"))
            .map(drop),
        "environment" => std::fs::read(format!("/proc/{parent}/environ")).map(drop),
        "tcp" => TcpStream::connect("127.0.0.1:9").map(drop),
        "listen" => TcpListener::bind("127.0.0.1:0").map(drop),
        "udp" => UdpSocket::bind("127.0.0.1:0").map(drop),
        "unix" => UnixStream::connect("/run/dbus/system_bus_socket").map(drop),
        "pair" => UnixStream::pair().map(drop),
        "run" => Command::new("/bin/true").status().map(drop),
        "signal" => Pid::from_raw(parent)
            .ok_or(io::ErrorKind::NotFound.into())
            .and_then(|parent| Ok(kill_process(parent, Signal::URG)?)),
        "owner" => control(libc::F_SETOWN, parent as usize),
        "any-owner" => {
            let owner = [F_OWNER_PID, parent];
            control(F_SETOWN_EX, owner.as_ptr().addr())
        }
        "owner-signal" => control(F_SETSIG, libc::SIGURG as usize),
        "async" => control(libc::F_SETFL, libc::O_ASYNC as usize),
        _ => Err(io::Error::other("unknown action")),
    };
    match outcome {
        Ok(()) => "escaped".to_owned(),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => "refused".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// Changes the socket of the worker, so that the kernel signals a process when a message arrives.
#[expect(unsafe_code, reason = "no safe library has these commands")]
fn control(command: i32, argument: usize) -> io::Result<()> {
    // SAFETY: the argument is a number, or the address of a value that outlives the call.
    match unsafe { libc::fcntl(libc::STDIN_FILENO, command, argument) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Recurses until the stack is full.
fn recurse(depth: u64) -> u8 {
    let frame = black_box([depth; 512]);
    if depth == u64::MAX {
        return 0;
    }
    recurse(depth + 1).wrapping_add(black_box(frame)[0] as u8)
}

/// Ways in which a worker breaks the protocol.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rogue {
    /// Ends before its greeting.
    Ends,
    /// Greets as another build.
    OtherBuild,
    /// Ends before it takes a job.
    Untouched,
    /// Answers with bytes that are not an answer.
    Rubbish,
    /// Answers with more bytes than an answer can have.
    Long,
    /// Answers for another job.
    OtherJob,
    /// Answers with a length that no thumbnail may have.
    TooLong,
    /// Answers with one byte instead of a perceptual hash.
    NoHash,
    /// Closes its socket and continues.
    Closes,
    /// Answers twice.
    Twice,
}

pub(crate) fn misbehave(fault: Rogue) -> Result<()> {
    let input = io::stdin();
    let socket = input.as_fd();
    let say = |bytes: &[u8]| send(socket, bytes, SendFlags::NOSIGNAL).map(drop);
    if fault == Rogue::Ends {
        return Ok(());
    }
    let is_ours = fault != Rogue::OtherBuild;
    say(if is_ours { GREETING } else { OTHER_BUILD }.as_bytes())?;
    let mut heard = [0; 4096];
    let hear = |heard: &mut [u8]| recv(socket, heard, RecvFlags::empty()).map(|(length, _)| length);
    let _settings = hear(&mut heard)?;
    if fault == Rogue::Untouched {
        // The socket contains the job when it closes; peeking at it removes nothing.
        recv(socket, &mut heard[..1], RecvFlags::PEEK)?;
        return Ok(());
    }
    while hear(&mut heard)? > 0 {
        // A job begins with its number, which is one byte in a test.
        let number = heard[0];
        match fault {
            Rogue::Rubbish => say(&[0xff; 20])?,
            Rogue::Long => say(&[number; 5000])?,
            Rogue::OtherJob => say(&[number + 1, 0, 1, 0])?,
            Rogue::TooLong => say(&[number, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 0])?,
            Rogue::NoHash => say(&[number, 0, 1, 1, 1, 9])?,
            Rogue::Twice => {
                // The error “not a picture”, which does not end a worker.
                say(&[number, 1, 0])?;
                say(&[number, 1, 0])?;
            }
            Rogue::Closes => {
                let nothing = File::open("/dev/null")?;
                rustix::stdio::dup2_stdin(nothing)?;
                std::thread::sleep(Duration::from_secs(3600));
            }
            Rogue::Ends | Rogue::OtherBuild | Rogue::Untouched => return Ok(()),
        }
    }
    Ok(())
}
