//! Colours that were multiplied with their opacity.

/// Undoes the multiplication. The opacity is the last of each pixel's `channels`.
pub(crate) fn divide_by_opacity(bytes: &mut [u8], channels: usize) {
    for pixel in bytes.chunks_exact_mut(channels) {
        let Some((opacity, colours)) = pixel.split_last_mut() else {
            continue;
        };
        let opacity = u16::from(*opacity).max(1);
        for colour in colours {
            let full = (u16::from(*colour) * 255 + opacity / 2) / opacity;
            *colour = u8::try_from(full).unwrap_or(u8::MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_divided_by_the_opacity() {
        let mut pixels = [128, 64, 0, 128, 9, 9, 9, 0, 1, 2, 3, 255];
        divide_by_opacity(&mut pixels, 4);
        assert_eq!(pixels, [255, 128, 0, 128, 255, 255, 255, 0, 1, 2, 3, 255]);
    }
}
