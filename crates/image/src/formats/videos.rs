//! The formats of videos. Their headers are read; the system decodes a frame for the thumbnail, and the web view plays
//! them.

use std::fs::File;

use super::facts::{ExifPlace, FormatFacts, PictureKind, Profile, TextPlace};
use crate::header::{Head, buffered};
use crate::sniff;
use crate::video::{VideoHead, avi, matroska, mp4};
use crate::window::Window;

/// A reader of a video's header, from a file at its start.
pub(crate) type VideoReader = fn(Window<File>) -> Option<VideoHead>;

fn mp4_head(file: Window<File>) -> Option<VideoHead> {
    mp4(buffered(file))
}

fn matroska_head(file: Window<File>) -> Option<VideoHead> {
    matroska(buffered(file))
}

fn avi_head(file: Window<File>) -> Option<VideoHead> {
    avi(buffered(file))
}

/// The facts that all videos share.
const VIDEO: FormatFacts = FormatFacts {
    kind: PictureKind::Mp4,
    name: "",
    label: "",
    filter: "video",
    mime: "",
    other_mimes: &[],
    extensions: &[],
    is_shown_by_browsers: true,
    is_content: sniff::is_mp4,
    header: None,
    video: None,
    exif: ExifPlace::Nowhere,
    text: TextPlace::Nowhere,
    profile: Profile::Nowhere,
    is_truncated: None,
    image: None,
    decoder: "the system's GStreamer",
    reading: &[
        "The size, the rotation and the duration come from the header.",
        "The thumbnail shows a frame at a tenth of the duration, or a later one if that is of one colour. It takes at \
         most 10 seconds of processor time; the length of the file does not matter.",
        "Without GStreamer, or without a plugin for the codec (such as `gstreamer1.0-libav` for H.264), thumbnails show \
         a film. A plugin that is installed later is used without a restart.",
        "The viewer plays what the web view can play, and offers the desktop's program for the rest.",
    ],
    refused: &["HDR colours: they are not tone-mapped in thumbnails."],
};

pub(super) const MP4: FormatFacts = FormatFacts {
    name: "MP4 video",
    label: "MP4",
    mime: "video/mp4",
    extensions: &["mp4", "m4v"],
    header: Some(|file, _| -> Option<Head> { mp4_head(file)?.head() }),
    video: Some(mp4_head),
    ..VIDEO
};

pub(super) const QUICKTIME: FormatFacts = FormatFacts {
    kind: PictureKind::Quicktime,
    name: "QuickTime video",
    label: "MOV",
    mime: "video/quicktime",
    extensions: &["mov", "qt"],
    is_content: sniff::is_quicktime,
    ..MP4
};

pub(super) const WEBM: FormatFacts = FormatFacts {
    kind: PictureKind::Webm,
    name: "WebM video",
    label: "WebM",
    mime: "video/webm",
    extensions: &["webm"],
    is_content: sniff::is_webm,
    header: Some(|file, _| -> Option<Head> { matroska_head(file)?.head() }),
    video: Some(matroska_head),
    ..VIDEO
};

pub(super) const MATROSKA: FormatFacts = FormatFacts {
    kind: PictureKind::Matroska,
    name: "Matroska video",
    label: "MKV",
    mime: "video/x-matroska",
    extensions: &["mkv"],
    is_content: sniff::is_matroska,
    ..WEBM
};

pub(super) const AVI: FormatFacts = FormatFacts {
    kind: PictureKind::Avi,
    name: "AVI video",
    label: "AVI",
    mime: "video/x-msvideo",
    extensions: &["avi"],
    is_content: sniff::is_avi,
    header: Some(|file, _| -> Option<Head> { avi_head(file)?.head() }),
    video: Some(avi_head),
    ..VIDEO
};
