//! `fumi thumb-worker` and `fumi video-worker`: decode pictures, and frames of videos, for the program that started
//! them. A hostile picture can crash only this process.

use fumikura_codecs::Video;
use fumikura_thumbs::{serve, serve_videos};

pub(crate) fn run() -> anyhow::Result<()> {
    Ok(serve(fumikura_codecs::in_process)?)
}

#[expect(unsafe_code, reason = "a variable of the environment is set")]
pub(crate) fn run_for_videos() -> anyhow::Result<()> {
    Ok(serve_videos(|limits| {
        // SAFETY: the process has no other thread yet.
        let video = unsafe { Video::load() };
        fumikura_codecs::videos_in_process(video, limits)
    })?)
}
