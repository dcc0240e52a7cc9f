//! Output of figures and their aims.

/// Prints a figure that should not be greater than its aim.
pub(crate) fn at_most(what: &str, value: f64, aim: f64, unit: &str) {
    print(what, value, aim, unit, value <= aim, "at most");
}

/// Prints a figure that should not be smaller than its aim.
pub(crate) fn at_least(what: &str, value: f64, aim: f64, unit: &str) {
    print(what, value, aim, unit, value >= aim, "at least");
}

fn print(what: &str, value: f64, aim: f64, unit: &str, is_met: bool, bound: &str) {
    let met = if is_met { "met" } else { "not met" };
    println!(
        "  {what}: {value:.2}{unit}, aim {bound} {aim}{unit}: {met} ({:.2} of it)",
        value / aim
    );
}

pub(crate) fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
