//! The text of the library's error messages.

/// Replaces the placeholders of `format`, in C's syntax (`%d`, `0x%02x`), by `numbers`, as far as there are
/// numbers. Other placeholders stay.
pub(super) fn fill_placeholders(format: &str, numbers: &[i32]) -> String {
    let mut numbers = numbers.iter();
    let mut text = String::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let place = rest[1..]
            .find(|letter: char| !letter.is_ascii_digit() && letter != 'l')
            .map(|length| &rest[..length + 2]);
        let number = place.and_then(|place| match place.as_bytes().last() {
            Some(b'd' | b'u') => numbers.next().map(ToString::to_string),
            Some(b'x') => numbers.next().map(|number| format!("{number:02x}")),
            _ => None,
        });
        match (place, number) {
            (Some(place), Some(number)) => {
                text.push_str(&number);
                rest = &rest[place.len()..];
            }
            _ => {
                text.push('%');
                rest = &rest[1..];
            }
        }
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fill_the_placeholders() {
        assert_eq!(
            fill_placeholders("Unsupported JPEG process: SOF type 0x%02x", &[0xC3]),
            "Unsupported JPEG process: SOF type 0xc3"
        );
        assert_eq!(
            fill_placeholders("%ld by %3u of %d", &[1, 2, 3, 4]),
            "1 by 2 of 3"
        );
    }

    #[test]
    fn other_percent_signs_stay() {
        assert_eq!(fill_placeholders("100 % of %s, %d", &[]), "100 % of %s, %d");
        assert_eq!(fill_placeholders("ends with %", &[1]), "ends with %");
        assert_eq!(fill_placeholders("é %d ü%", &[7]), "é 7 ü%");
    }
}
