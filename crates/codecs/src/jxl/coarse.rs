//! The picture in an eighth of its size, which JPEG XL stores before its details: one pixel for each block of
//! 8 × 8 (ISO/IEC 18181-1, 6.2 and annex I). Thumbnails of large photos need no more.

use fumikura_image::{Channels, Pixels};
use jxl_color::{ColorEncodingWithProfile, ColorTransform};
use jxl_oxide::frame::{BlendMode, Encoding};
use jxl_oxide::{EnumColourEncoding, Frame, FrameHeader, JxlImage, NullCms, RenderingIntent};

/// The side of a block in pixels.
pub(super) const BLOCK: u32 = 8;

/// The channels X, Y and B, row by row.
struct Xyb {
    width: usize,
    height: usize,
    channels: [Vec<f32>; 3],
}

/// Returns the stored eighth of the first frame, in sRGB. Returns `None` if it lacks something visible, such
/// as opacity or patches, and if it is damaged: then decoding the whole picture reports the error.
pub(super) fn pixels(image: &JxlImage) -> Option<Pixels> {
    let frame = image.frame_by_keyframe(0)?;
    if !is_complete_without_details(image, frame.header()) {
        return None;
    }
    let mut xyb = read(frame)?;
    let is_grey = image.pixel_format().is_grayscale();
    let channels = to_srgb(image, &mut xyb, is_grey)?;
    let [first, second, third] = &xyb.channels;
    let byte = |value: &f32| (value * 255.0).round().clamp(0.0, 255.0) as u8;
    let bytes = match channels {
        Channels::Gray => first.iter().map(byte).collect(),
        Channels::Rgb | Channels::GrayAlpha | Channels::Rgba | Channels::Cmyk => {
            let pairs = first.iter().zip(second).zip(third);
            pairs
                .flat_map(|((r, g), b)| [byte(r), byte(g), byte(b)])
                .collect()
        }
    };
    let side = |pixels: usize| u32::try_from(pixels).ok();
    Pixels::new(side(xyb.width)?, side(xyb.height)?, channels, bytes)
}

/// True if the frame is the whole picture, and its eighth shows everything that belongs to it.
fn is_complete_without_details(image: &JxlImage, frame: &FrameHeader) -> bool {
    let metadata = &image.image_header().metadata;
    let size = &image.image_header().size;
    let is_whole = (frame.width, frame.height) == (size.width, size.height)
        && (frame.x0, frame.y0) == (0, 0)
        && frame.blending_info.mode == BlendMode::Replace;
    is_whole
        && metadata.xyb_encoded
        && metadata.ec_info.is_empty()
        && image.hdr_type().is_none()
        && frame.encoding == Encoding::VarDct
        && frame.upsampling == 1
        && !frame.flags.use_lf_frame()
        && !frame.flags.patches()
        && !frame.flags.splines()
}

/// Reads the stored numbers: quantized differences become X, Y and B (annexes I.2 and G.2).
fn read(frame: &Frame) -> Option<Xyb> {
    let header = frame.header();
    let global = frame.try_parse_lf_global::<i32>()?.ok()?;
    let of_blocks = global.vardct.as_ref()?;
    let (width, height) = (
        header.color_sample_width().div_ceil(BLOCK) as usize,
        header.color_sample_height().div_ceil(BLOCK) as usize,
    );
    let mut xyb = Xyb {
        width,
        height,
        channels: [0; 3].map(|_| vec![0.0; width * height]),
    };
    let quantizer = &of_blocks.quantizer;
    let steps = [
        global.lf_dequant.m_x_lf,
        global.lf_dequant.m_y_lf,
        global.lf_dequant.m_b_lf,
    ];
    let divisor = f64::from(quantizer.global_scale) * f64::from(quantizer.quant_lf);
    // A group has as many blocks along a side as a group of details has pixels.
    let side = header.group_dim() as usize;
    for number in 0..header.num_lf_groups() {
        let across = number % header.lf_groups_per_row();
        let down = number / header.lf_groups_per_row();
        let at = (across as usize * side, down as usize * side);
        let ma_config = global.gmodular.ma_config();
        let group = frame.try_parse_lf_group(Some(of_blocks), ma_config, None, number)?;
        let stored = group.ok()?.lf_coeff?;
        let precision = f64::from(1_u32 << (9 - stored.extra_precision));
        // Y comes first.
        let grids = stored.lf_quant.image()?.image_channels();
        for (channel, grid) in [1, 0, 2].into_iter().zip(grids) {
            let scale = (f64::from(steps[channel]) * precision / divisor) as f32;
            let rows = grid.buf().chunks_exact(grid.width().max(1));
            xyb.paint(channel, at, rows, scale)?;
        }
    }
    let correlation = &of_blocks.lf_chan_corr;
    let factor =
        |base: f32, stored: u32| base + (stored as f32 - 128.0) / correlation.colour_factor as f32;
    let from_y = (
        factor(correlation.base_correlation_x, correlation.x_factor_lf),
        factor(correlation.base_correlation_b, correlation.b_factor_lf),
    );
    xyb.correlate(from_y);
    Some(xyb)
}

impl Xyb {
    /// Paints a channel of a group. Returns `None` if the group does not fit into the picture.
    fn paint<'a>(
        &mut self,
        channel: usize,
        (left, top): (usize, usize),
        rows: impl Iterator<Item = &'a [i32]>,
        scale: f32,
    ) -> Option<()> {
        for (y, row) in rows.enumerate() {
            let start = (top + y) * self.width + left;
            let is_inside = top + y < self.height && left + row.len() <= self.width;
            let painted = is_inside.then(|| &mut self.channels[channel][start..][..row.len()]);
            for (pixel, &stored) in painted?.iter_mut().zip(row) {
                *pixel = stored as f32 * scale;
            }
        }
        Some(())
    }

    /// Adds the prediction from Y to X and B, which are stored as differences from it.
    fn correlate(&mut self, (x_from_y, b_from_y): (f32, f32)) {
        let [x, y, b] = &mut self.channels;
        for ((x, y), b) in x.iter_mut().zip(y.iter()).zip(b) {
            *x += x_from_y * y;
            *b += b_from_y * y;
        }
    }
}

/// Converts the colours to those of thumbnails. Then the channels are red, green and blue, or the first is grey.
fn to_srgb(image: &JxlImage, xyb: &mut Xyb, is_grey: bool) -> Option<Channels> {
    let metadata = &image.image_header().metadata;
    let intent = RenderingIntent::Relative;
    let wanted = match is_grey {
        true => EnumColourEncoding::gray_srgb(intent),
        false => EnumColourEncoding::srgb(intent),
    };
    let stored = EnumColourEncoding::xyb(RenderingIntent::Perceptual);
    let transform = ColorTransform::builder().build(
        &ColorEncodingWithProfile::new(stored),
        &ColorEncodingWithProfile::new(wanted),
        &metadata.opsin_inverse_matrix,
        &metadata.tone_mapping,
        &NullCms,
    );
    let mut channels = xyb.channels.each_mut().map(Vec::as_mut_slice);
    match transform.ok()?.run(&mut channels).ok()? {
        1 => Some(Channels::Gray),
        3 => Some(Channels::Rgb),
        _ => None,
    }
}
