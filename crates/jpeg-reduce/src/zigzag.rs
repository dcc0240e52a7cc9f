//! The order of the coefficients of a block.

/// Coefficients along a side of a block.
pub const BLOCK: usize = 8;
/// Coefficients in a block.
pub const COEFFICIENTS: usize = BLOCK * BLOCK;

/// Returns row and column of each coefficient, in the order in which they are stored: along the diagonals,
/// upwards and downwards in turn.
pub fn zigzag() -> impl Iterator<Item = (usize, usize)> {
    (0..2 * BLOCK - 1).flat_map(|diagonal| {
        let first = (diagonal + 1).saturating_sub(BLOCK);
        let last = diagonal.min(BLOCK - 1);
        (first..=last).map(move |step| {
            let (down, up) = (step, first + last - step);
            let row = if diagonal.is_multiple_of(2) { up } else { down };
            (row, diagonal - row)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zigzag_is_that_of_the_standard() {
        let order: Vec<_> = zigzag().collect();
        assert_eq!(order.len(), COEFFICIENTS);
        assert_eq!(
            order[..10],
            [
                (0, 0),
                (0, 1),
                (1, 0),
                (2, 0),
                (1, 1),
                (0, 2),
                (0, 3),
                (1, 2),
                (2, 1),
                (3, 0)
            ]
        );
        assert_eq!(order[62..], [(7, 6), (7, 7)]);
    }
}
