//! The worker's side of the protocol.

use std::fs::File;
use std::io::{self, Seek};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use fumikura_base::allocator::give_back_free_memory;
use fumikura_image::{Decode, DecodeError, EncodedThumbnail, Head, Limits};

use super::ServeError;
use super::sandbox::{self, Subject};
use super::wire::{self, Failure, Job, Product, Settings, ThumbnailFile, WorkerAnswer};
use super::{memory_need, system};

/// Serves thumbnails to the parent process over the socket that is the standard input, until the socket is closed.
/// `decoder` is called once, with the limits of pictures, before the sandbox is entered.
///
/// # Errors
/// [`ServeError`] if no parent requests thumbnails, or if it does not follow the protocol.
pub fn serve<D: Decode>(decoder: impl FnOnce(Limits) -> D) -> Result<(), ServeError> {
    serve_kind(Subject::Pictures, decoder)
}

/// Serves thumbnails of videos, like [`serve`].
///
/// # Errors
/// The same as of [`serve`].
pub fn serve_videos<D: Decode>(decoder: impl FnOnce(Limits) -> D) -> Result<(), ServeError> {
    serve_kind(Subject::Videos, decoder)
}

fn serve_kind<D: Decode>(
    subject: Subject,
    decoder: impl FnOnce(Limits) -> D,
) -> Result<(), ServeError> {
    let input = io::stdin();
    let socket = input.as_fd();
    if !system::is_packet_socket(socket) {
        return Err(ServeError::ByHand);
    }
    system::confine()?;
    if !send_message(socket, wire::greeting().as_bytes())? {
        return Ok(());
    }
    let mut buffer = [0; wire::MAX_MESSAGE_BYTES];
    let Some((length, _)) = system::receive(socket, &mut buffer)? else {
        return Ok(());
    };
    let settings: Settings = wire::decode(&buffer[..length]).ok_or(ServeError::OtherBuild)?;
    system::limit_memory_permanently(settings.memory)?;
    let base_memory = system::mapped_memory()?;
    let decoder = decoder(settings.limits());
    sandbox::enter_for(subject, settings.output)?;
    while let Some((length, handles)) = next_message(socket, &mut buffer)? {
        let job: Job = wire::decode(&buffer[..length]).ok_or(ServeError::OtherBuild)?;
        let product = job.product().ok_or(ServeError::OtherBuild)?;
        let [picture, thumbnail]: [OwnedFd; 2] =
            handles.try_into().map_err(|_| ServeError::OtherBuild)?;
        let outcome = make_thumbnail(
            &decoder,
            (
                settings,
                (subject == Subject::Pictures).then_some(base_memory),
            ),
            (File::from(picture), job.length),
            product,
            &File::from(thumbnail),
        );
        let answer = WorkerAnswer {
            number: job.number,
            outcome: outcome.map_err(Failure::from),
        };
        if !send_message(socket, &wire::encode(&answer))? {
            return Ok(());
        }
    }
    Ok(())
}

/// The pause after which free memory is returned to the system. While pictures arrive, the next one needs it again.
const IDLE_DELAY: Duration = Duration::from_secs(1);

fn next_message(
    socket: BorrowedFd<'_>,
    buffer: &mut [u8],
) -> io::Result<Option<(usize, Vec<OwnedFd>)>> {
    let start = Instant::now();
    system::wait_readable(&socket, IDLE_DELAY)?;
    if start.elapsed() >= IDLE_DELAY {
        give_back_free_memory();
    }
    system::receive(socket, buffer)
}

/// Sends a message. Returns false if the receiver is gone.
fn send_message(socket: BorrowedFd<'_>, message: &[u8]) -> io::Result<bool> {
    match system::send(socket, message, &[]) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error),
    }
}

/// Makes a thumbnail, or another product instead of it, and writes it into its file. `base_memory` is the memory that the
/// program has mapped before its first picture: its code alone differs by a hundred MiB between builds. Without it, the
/// header does not show the memory that is needed.
fn make_thumbnail(
    decoder: &impl Decode,
    (settings, base_memory): (Settings, Option<u64>),
    (mut picture, length): (File, u64),
    product: Product,
    thumbnail: &File,
) -> Result<ThumbnailFile, DecodeError> {
    system::limit_computing(settings.cpu_seconds)?;
    let head = Head::read(picture.try_clone()?, length);
    let need = head.zip(base_memory).map(|(head, base_memory)| {
        let need = match product {
            Product::Thumbnail(variant) => memory_need::estimate(head, length, variant.size),
            Product::Rendition(_) => memory_need::estimate_rendition(head, length),
            // The decoder keeps frames.
            Product::Frames(_) => settings.memory,
        };
        need.saturating_add(base_memory).min(settings.memory)
    });
    let need = need.unwrap_or(settings.memory);
    system::limit_memory(need)?;
    picture.rewind()?;
    // The decoder's own guard may not cover everything. No state of an interrupted job is used again: each job brings
    // its own file.
    let made = catch_unwind(AssertUnwindSafe(|| {
        let bytes = match product {
            Product::Thumbnail(variant) => return decoder.thumbnail(picture, length, variant),
            Product::Rendition(rendition) => decoder.render(picture, length, rendition)?,
            Product::Frames(from) => decoder.frames(picture, length, from)?,
        };
        Ok(EncodedThumbnail { bytes, hash: None })
    }));
    let made = made.unwrap_or(Err(DecodeError::Panicked))?;
    let length = made.bytes.len() as u64;
    if length > settings.output {
        let max = settings.output;
        let words = format!("the result has {length} bytes; at most {max} are kept");
        return Err(DecodeError::TooLarge(words));
    }
    thumbnail.write_all_at(&made.bytes, 0)?;
    Ok(ThumbnailFile {
        length,
        hash: made.hash.map(|hash| hash.as_bytes().to_vec()),
    })
}
