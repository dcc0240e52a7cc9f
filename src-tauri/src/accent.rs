//! The desktop's accent colour, as the page's colours for links, buttons and marks.
//!
//! A desktop may have any accent, also one in which no text can be read. Only its hue and a part of its saturation are
//! taken: each colour has the luminance of the page's own colour that it replaces. Contrast (WCAG 2.2) depends on luminance
//! alone, so that it stays as it was.

use std::fmt::Write as _;

/// Red, green and blue, linear, from 0 to 1.
type Linear = [f64; 3];

/// A colour of the page, as in `ui/src/styles/tokens.css`, and the part of the accent's saturation that it takes.
struct Token {
    name: &'static str,
    light: [u8; 3],
    dark: [u8; 3],
    saturation: f64,
}

/// The colours that follow the accent.
const TOKENS: [Token; 3] = [
    Token {
        name: "indigo",
        light: [0x27, 0x4f, 0x86],
        dark: [0x9b, 0xbb, 0xe8],
        saturation: 0.85,
    },
    Token {
        name: "indigo-wash",
        light: [0xe6, 0xed, 0xf6],
        dark: [0x23, 0x2d, 0x3d],
        saturation: 0.5,
    },
    Token {
        name: "indigo-deep",
        light: [0x1d, 0x3f, 0x6e],
        dark: [0xb4, 0xcd, 0xf1],
        saturation: 0.85,
    },
];

/// An accent colour: red, green and blue in sRGB, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Accent([f64; 3]);

impl Accent {
    /// Returns the accent with these channels. None if one is out of range, which means that there is none (XDG Desktop
    /// Portal, `org.freedesktop.appearance`).
    pub(crate) fn of_desktop(red: f64, green: f64, blue: f64) -> Option<Self> {
        let channels = [red, green, blue];
        let is_in_range = |channel: &f64| (0.0..=1.0).contains(channel);
        channels.iter().all(is_in_range).then_some(Self(channels))
    }

    /// Returns the style sheet that gives the page these colours, in both themes.
    pub(crate) fn to_css(self) -> String {
        let mut rules = String::new();
        for token in &TOKENS {
            let [light, dark] =
                [token.light, token.dark].map(|own| self.tone(own, token.saturation));
            // Writing into a string never fails.
            let _never = write!(
                rules,
                "--{}:light-dark({},{});",
                token.name,
                hex(light),
                hex(dark)
            );
        }
        // Parts of the page with a theme of their own define the colours again.
        format!(
            "@supports (color:light-dark(#000,#fff)){{:root:root,:root [data-theme]{{{rules}}}}}"
        )
    }

    /// Returns the accent with the luminance of the page's own colour. A darker accent gets brighter before it gets whiter:
    /// white alone would leave next to nothing of its hue.
    fn tone(self, own: [u8; 3], saturation: f64) -> [u8; 3] {
        let wanted = luminance(own.map(|channel| linear(f64::from(channel) / 255.0)));
        let accent = brightened(self.0.map(linear), wanted);
        let grey = luminance(accent);
        let muted = accent.map(|channel| grey + (channel - grey) * saturation);
        let toned = if grey > wanted {
            muted.map(|channel| channel * wanted / grey)
        } else {
            let white = (wanted - grey) / (1.0 - grey);
            muted.map(|channel| channel + (1.0 - channel) * white)
        };
        toned.map(encoded)
    }
}

/// Returns a colour with a greater brightness, up to a luminance or to a full channel. Colours of a greater luminance and
/// black are unchanged.
fn brightened(colour: Linear, wanted: f64) -> Linear {
    let full = colour.into_iter().fold(0.0, f64::max);
    if full <= 0.0 {
        return colour;
    }
    let factor = (wanted / luminance(colour)).min(1.0 / full).max(1.0);
    colour.map(|channel| channel * factor)
}

/// Returns the relative luminance (WCAG 2.2).
fn luminance([red, green, blue]: Linear) -> f64 {
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// Returns the linear value of a channel of sRGB (IEC 61966-2-1).
fn linear(channel: f64) -> f64 {
    if channel <= 0.04045 {
        channel / 12.92
    } else {
        ((channel + 0.055) / 1.055).powf(2.4)
    }
}

/// Returns the channel of sRGB of a linear value.
fn encoded(channel: f64) -> u8 {
    let channel = if channel <= 0.003_130_8 {
        channel * 12.92
    } else {
        1.055 * channel.powf(1.0 / 2.4) - 0.055
    };
    (channel * 255.0).round().clamp(0.0, 255.0) as u8
}

fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLES: &str = include_str!("../../ui/src/styles/tokens.css");
    /// The pairs of `ui/src/styles/contrast.test.ts` with these colours: the text and its ground.
    const PAIRS: [(&str, &str); 9] = [
        ("indigo", "paper"),
        ("indigo", "paper-raised"),
        ("indigo", "paper-sunken"),
        ("indigo", "indigo-wash"),
        ("on-indigo", "indigo"),
        ("on-indigo", "indigo-deep"),
        ("ink", "indigo-wash"),
        ("ink-soft", "indigo-wash"),
        ("ink-faint", "indigo-wash"),
    ];

    /// Returns a colour of a style sheet in the light and in the dark theme.
    fn colours(styles: &str, name: &str) -> Option<[[u8; 3]; 2]> {
        let (_, rest) = styles.split_once(&format!("--{name}:"))?;
        let (_, rest) = rest.split_once("light-dark(")?;
        let (light, rest) = rest.split_once(',')?;
        let (dark, _) = rest.split_once(')')?;
        Some([light, dark].map(|colour| {
            let bytes = hex::decode(colour.trim().trim_start_matches('#')).unwrap();
            bytes.try_into().unwrap()
        }))
    }

    fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
        let [one, other] = [one, other]
            .map(|colour| luminance(colour.map(|channel| linear(f64::from(channel) / 255.0))));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn tokens_are_those_of_the_page() {
        for token in TOKENS {
            let own = colours(STYLES, token.name);
            assert_eq!(own, Some([token.light, token.dark]), "{}", token.name);
        }
    }

    #[test]
    fn every_accent_can_be_read_in_both_themes() {
        let steps = || (0..=5).map(|step| f64::from(step) / 5.0);
        let all = steps().flat_map(|red| {
            steps().flat_map(move |green| steps().map(move |blue| (red, green, blue)))
        });
        for (red, green, blue) in all {
            let css = Accent::of_desktop(red, green, blue).unwrap().to_css();
            let colour = |name| colours(&css, name).or(colours(STYLES, name)).unwrap();
            for (text, ground) in PAIRS {
                let (texts, grounds) = (colour(text), colour(ground));
                for (text_colour, ground_colour) in texts.into_iter().zip(grounds) {
                    let found = contrast(text_colour, ground_colour);
                    assert!(
                        found >= 4.5,
                        "{text} on {ground} for {red} {green} {blue}: {found}"
                    );
                }
            }
        }
    }

    #[test]
    fn colours_keep_the_hue_of_the_accent() {
        let css = Accent::of_desktop(0.9, 0.2, 0.1).unwrap().to_css();
        for colour in TOKENS
            .map(|token| colours(&css, token.name).unwrap())
            .as_flattened()
        {
            let [red, green, blue] = *colour;
            assert!(red > green && green >= blue, "{css}");
        }
        // Accents of GNOME and a very dark one.
        for accent in [[0x3a, 0x94, 0x4a], [0x21, 0x90, 0xa4], [0x1a, 0x00, 0x59]] {
            let [red, green, blue] = accent.map(|channel| f64::from(channel) / 255.0);
            let css = Accent::of_desktop(red, green, blue).unwrap().to_css();
            let [_, dark] = colours(&css, "indigo").unwrap();
            let range = dark.iter().max().unwrap() - dark.iter().min().unwrap();
            assert!(range > 60, "{css}");
        }
        let grey = Accent::of_desktop(0.5, 0.5, 0.5).unwrap().to_css();
        let [light, _] = colours(&grey, "indigo").unwrap();
        assert!(light[0] == light[1] && light[1] == light[2], "{grey}");
    }

    #[test]
    fn accent_out_of_range_is_none() {
        assert_eq!(Accent::of_desktop(-1.0, -1.0, -1.0), None);
        assert_eq!(Accent::of_desktop(0.0, 1.1, 0.0), None);
        assert_eq!(Accent::of_desktop(f64::NAN, 0.0, 0.0), None);
    }
}
