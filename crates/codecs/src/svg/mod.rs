//! SVG drawings with resvg, at the wanted size, compressed or not. Only the drawing itself and its embedded
//! pictures are read: no file and no address that it names, and no script.

mod fonts;
mod images;
mod loops;
mod text;

use std::fs::File;

use fumikura_image::{
    Channels, Codec, DecodeError, Limits, Picture, PictureKind, Raster, TargetSize,
};
use image::metadata::Orientation;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::roxmltree::{Document, Error as XmlError, ParsingOptions};
use resvg::usvg::{Error, Options, Tree};

/// Decodes SVG.
#[derive(Debug, Clone, Copy, Default)]
pub struct Svg;

/// The longest text that is read, in bytes: maps of whole countries are shorter.
const MAX_BYTES: u64 = 64 << 20;
/// The largest number of elements, texts and comments.
const MAX_NODES: u32 = 500_000;
/// The deepest nesting of elements, which are drawn by equally nested calls.
const MAX_NESTING: u32 = 256;

/// The length of the longer side below which a size is meaningless.
const MIN_MEANINGFUL_SIDE: f32 = 8.0;
/// The longer side of a drawing without a meaningful size, in pixels: that of the largest thumbnail.
const DEFAULT_SIDE: f32 = 4096.0;

impl Codec for Svg {
    fn decodes(&self, kind: PictureKind) -> bool {
        matches!(kind, PictureKind::Svg | PictureKind::Svgz)
    }

    fn decode(
        &self,
        file: File,
        length: u64,
        target: TargetSize,
        limits: Limits,
    ) -> Result<Picture, DecodeError> {
        if length > MAX_BYTES {
            return Err(DecodeError::FileTooLarge {
                bytes: length,
                limit: MAX_BYTES,
            });
        }
        draw(&text::read(file, MAX_BYTES)?, target, limits)
    }
}

fn draw(text: &str, target: TargetSize, limits: Limits) -> Result<Picture, DecodeError> {
    let document = parse(text)?;
    check_depth(&document)?;
    match loops::without_loops(text, &document) {
        Some(text) => draw_document(&parse(&text)?, target, limits),
        None => draw_document(&document, target, limits),
    }
}

fn parse(text: &str) -> Result<Document<'_>, DecodeError> {
    let options = ParsingOptions {
        // Editors declare names for their own parts.
        allow_dtd: true,
        nodes_limit: MAX_NODES,
        entity_resolver: None,
    };
    Document::parse_with_options(text, options).map_err(|error| {
        let is_long = matches!(error, XmlError::NodesLimitReached);
        decode_error(is_long, &error)
    })
}

fn draw_document(
    document: &Document<'_>,
    target: TargetSize,
    limits: Limits,
) -> Result<Picture, DecodeError> {
    let has_text = document
        .descendants()
        .any(|node| node.tag_name().name() == "text");
    let mut options = Options {
        image_href_resolver: images::resolver(limits),
        ..Options::default()
    };
    if has_text {
        fonts::set(&mut options);
    }
    let tree = Tree::from_xmltree(document, &options).map_err(|error| {
        let is_long = matches!(
            error,
            Error::ElementsLimitReached | Error::ParsingFailed(XmlError::NodesLimitReached)
        );
        decode_error(is_long, &error)
    })?;
    render(&tree, target, limits)
}

fn decode_error(is_long: bool, error: &dyn std::error::Error) -> DecodeError {
    match is_long {
        true => DecodeError::TooLarge(error.to_string()),
        false => DecodeError::Damaged(error.to_string()),
    }
}

/// Refuses elements that are nested too deeply.
fn check_depth(document: &Document<'_>) -> Result<(), DecodeError> {
    // A node comes after its parent, and has a greater number.
    let mut depths: Vec<u32> = Vec::new();
    for node in document.descendants() {
        let parent = node.parent().map(|parent| parent.id().get_usize());
        let depth = parent
            .and_then(|parent| depths.get(parent))
            .map_or(0, |depth| depth + 1);
        if depth > MAX_NESTING {
            let message = format!("its elements are nested more than {MAX_NESTING} deep");
            return Err(DecodeError::TooLarge(message));
        }
        let number = node.id().get_usize();
        depths.resize(depths.len().max(number + 1), 0);
        depths[number] = depth;
    }
    Ok(())
}

fn render(tree: &Tree, target: TargetSize, limits: Limits) -> Result<Picture, DecodeError> {
    let drawn = scale(tree.size().width(), tree.size().height(), limits);
    let (width, height) = (
        side(tree.size().width() * drawn),
        side(tree.size().height() * drawn),
    );
    limits.allow(width, height)?;
    let reduction = target.reduction(width, height, Orientation::NoTransforms);
    // A drawing has no inherent size in pixels. If it is enlarged, its size is multiplied accordingly.
    let enlarged = whole((1.0 / reduction).ceil());
    let (width, height) = (
        width.saturating_mul(enlarged),
        height.saturating_mul(enlarged),
    );
    limits.allow(width, height)?;
    let reduced = whole(reduction.floor());
    let (pixels_across, pixels_down) = (width.div_ceil(reduced), height.div_ceil(reduced));
    let mut canvas = Pixmap::new(pixels_across, pixels_down)
        .ok_or_else(|| DecodeError::TooLarge("it needs too many pixels".into()))?;
    #[expect(clippy::cast_precision_loss, reason = "at most 65,535")]
    let scale = drawn * enlarged as f32 / reduced as f32;
    resvg::render(
        tree,
        Transform::from_scale(scale, scale),
        &mut canvas.as_mut(),
    );
    let bytes = canvas.take_demultiplied();
    let raster = Raster::new(pixels_across, pixels_down, Channels::Rgba, bytes)
        .ok_or_else(|| DecodeError::Damaged("it has no pixels".into()))?;
    Ok(Picture {
        raster,
        reduced,
        width,
        height,
        orientation: Orientation::NoTransforms,
        profile: None,
    })
}

/// The factor by which a drawing's stated size is multiplied: 1, unless that size is far too small or too large.
fn scale(width: f32, height: f32, limits: Limits) -> f32 {
    let longest = width.max(height);
    #[expect(clippy::cast_precision_loss, reason = "only compared")]
    let is_huge = longest > limits.side as f32 || width * height > limits.pixels as f32;
    match is_huge || longest < MIN_MEANINGFUL_SIDE {
        true => DEFAULT_SIDE / longest,
        false => 1.0,
    }
}

/// Rounds a side up to whole pixels.
fn side(exact: f32) -> u32 {
    whole(f64::from(exact.ceil()))
}

fn whole(exact: f64) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to the range before"
    )]
    let whole = exact.clamp(1.0, f64::from(u32::MAX)) as u32;
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_deep_nesting_is_refused() {
        let nested = |depth: usize| "<g>".repeat(depth) + &"</g>".repeat(depth);
        let checked = |text: &str| check_depth(&Document::parse(text).unwrap());
        assert!(checked(&nested(256)).is_ok());
        assert!(matches!(
            checked(&nested(300)),
            Err(DecodeError::TooLarge(_))
        ));
    }
}
