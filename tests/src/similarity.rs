//! Similarity of two pictures.

use image::{DynamicImage, GrayImage};

/// The side of the squares that are compared, and the distance of their corners, in pixels.
const SQUARE: u32 = 8;
const STEP: u32 = 4;

/// Returns the structural similarity of the brightness (SSIM; Wang and others, 2004), 1 for the same picture:
/// the mean over squares.
///
/// # Panics
/// Panics if the pictures differ in size, or have no room for a square.
#[must_use]
pub fn ssim(a: &DynamicImage, b: &DynamicImage) -> f64 {
    let (a, b) = (a.to_luma8(), b.to_luma8());
    assert_eq!(a.dimensions(), b.dimensions());
    let corners = (0..=a.height() - SQUARE)
        .step_by(STEP as usize)
        .flat_map(|y| {
            (0..=a.width() - SQUARE)
                .step_by(STEP as usize)
                .map(move |x| (x, y))
        });
    let all: Vec<f64> = corners
        .map(|corner| square_similarity(&a, &b, corner))
        .collect();
    all.iter().sum::<f64>() / all.len() as f64
}

fn square_similarity(a: &GrayImage, b: &GrayImage, (left, top): (u32, u32)) -> f64 {
    const STABLE: [f64; 2] = [6.5025, 58.5225];
    let count = f64::from(SQUARE * SQUARE);
    let [mut of_a, mut of_b, mut squares, mut products] = [0.0; 4];
    for y in top..top + SQUARE {
        for x in left..left + SQUARE {
            let [a, b] = [a, b].map(|image| f64::from(image.get_pixel(x, y).0[0]));
            of_a += a;
            of_b += b;
            squares += a * a + b * b;
            products += a * b;
        }
    }
    let (mean_a, mean_b) = (of_a / count, of_b / count);
    let variances = squares / count - mean_a * mean_a - mean_b * mean_b;
    let covariance = products / count - mean_a * mean_b;
    (2.0 * mean_a * mean_b + STABLE[0]) * (2.0 * covariance + STABLE[1])
        / ((mean_a * mean_a + mean_b * mean_b + STABLE[0]) * (variances + STABLE[1]))
}

#[cfg(test)]
mod tests {
    use image::{Luma, imageops};

    use super::*;

    #[test]
    fn similarity_falls_with_changes() {
        let waves = GrayImage::from_fn(64, 48, |x, y| Luma([((x * y) % 251) as u8]));
        let picture = DynamicImage::from(waves.clone());
        assert!((ssim(&picture, &picture) - 1.0).abs() < 1e-9);
        let blurred = DynamicImage::from(imageops::blur(&waves, 1.0));
        assert!(ssim(&picture, &blurred) < 0.9);
        let turned = DynamicImage::from(imageops::rotate180(&waves));
        assert!(ssim(&picture, &turned) < 0.5);
    }
}
