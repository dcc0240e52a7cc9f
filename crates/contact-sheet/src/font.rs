//! The font of a sheet: found on the system, and embedded with the glyphs that the sheet uses.

use std::collections::BTreeMap;
use std::env;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use fumikura_base::own_file;
use skrifa::instance::{LocationRef, Size};
use skrifa::raw::TableProvider;
use skrifa::{FontRef, MetadataProvider, Tag};
use subsetter::GlyphRemapper;
use unicode_normalization::UnicodeNormalization;

/// The folders of fonts; those in the user's own folder come first.
const FOLDERS: [&str; 5] = [
    "/usr/local/share/fonts",
    "/usr/share/fonts",
    "/run/host/fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
];
/// The beginnings of the names of files with Japanese fonts, the best first.
const JAPANESE: [&str; 12] = [
    "notosanscjk-regular",
    "notosanscjkjp-regular",
    "notosansjp-regular",
    "sourcehansans-regular",
    "sourcehansansjp-regular",
    "ipaexg",
    "ipag",
    "takaogothic",
    "takaopgothic",
    "vl-gothic",
    "vl-pgothic",
    "droidsansfallback",
];
/// The number of files that are opened, the depth of folders, and the largest file, in bytes.
const MAX_FILES: usize = 400;
const MAX_DEPTH: usize = 6;
const MAX_BYTES: u64 = 128 << 20;
/// A letter that a font for Japanese has, and one that any font has.
const KANA: char = 'あ';
const LATIN: char = 'a';
/// The signs in the place of letters that the font does not have, the best first.
const MISSING: [char; 2] = ['〓', '?'];
/// The end of a text that is too long.
const ELLIPSIS: &str = "…";

/// A font, and the glyphs of it that are used.
pub struct Font {
    data: Vec<u8>,
    index: u32,
    remapper: GlyphRemapper,
    /// The letters of the used glyphs, by their new numbers.
    letters: BTreeMap<u16, char>,
    /// The widths of the used glyphs in thousandths of the font size, by their new numbers.
    widths: BTreeMap<u16, f32>,
}

/// The facts about a font that a PDF states.
pub(crate) struct Embedded {
    /// The subset: a bare CFF table, or a TrueType font.
    pub(crate) file: Vec<u8>,
    pub(crate) is_cff: bool,
    pub(crate) ascent: f32,
    pub(crate) descent: f32,
    /// The smallest box around all glyphs.
    pub(crate) bounds: [f32; 4],
}

impl Font {
    /// Finds a font of the system, for Japanese if there is one. `None` if there are no fonts.
    #[must_use]
    pub fn of_system() -> Option<Self> {
        let mut files = Vec::new();
        let own = env::var_os("XDG_DATA_HOME").map(PathBuf::from).or_else(|| {
            let home = PathBuf::from(env::var_os("HOME")?);
            Some(home.join(".local/share"))
        });
        for folder in own
            .map(|own| own.join("fonts"))
            .into_iter()
            .chain(FOLDERS.map(PathBuf::from))
        {
            collect(&folder, MAX_DEPTH, &mut files);
        }
        Self::best_of(files)
    }

    fn best_of(mut files: Vec<PathBuf>) -> Option<Self> {
        files.sort_by_cached_key(|path| (rank(path), path.clone()));
        let mut latin = None;
        for path in files.iter().take(MAX_FILES) {
            // Any other file may serve.
            let Ok(data) = read(path) else { continue };
            let Some(font) = Self::new(data) else {
                continue;
            };
            if font.has(KANA) {
                return Some(font);
            }
            if latin.is_none() && font.has(LATIN) {
                latin = Some(font);
            }
        }
        latin
    }

    /// Opens the contents of a file; of several fonts in it, the first.
    #[must_use]
    pub fn new(data: Vec<u8>) -> Option<Self> {
        let index = 0;
        let font = FontRef::from_index(&data, index).ok()?;
        let units = font.head().ok()?.units_per_em();
        // Outlines of these kinds can be embedded.
        let has_outlines = font.table_data(Tag::new(b"glyf")).is_some()
            || font.table_data(Tag::new(b"CFF ")).is_some();
        (units > 0 && has_outlines).then(|| Self {
            data,
            index,
            remapper: GlyphRemapper::new(),
            letters: BTreeMap::new(),
            widths: BTreeMap::from([(0, 1000.0)]),
        })
    }

    fn font(&self) -> FontRef<'_> {
        FontRef::from_index(&self.data, self.index).expect("BUG: it was opened before")
    }

    fn has(&self, letter: char) -> bool {
        self.font()
            .charmap()
            .map(letter)
            .is_some_and(|glyph| glyph.to_u32() != 0)
    }

    /// Returns the codes of a text in the PDF, shortened to a width, and its width. Letters that the font does not have
    /// are replaced, and each is set by itself.
    pub(crate) fn set(&mut self, text: &str, size: f32, max: f32) -> (Vec<u8>, f32) {
        let letters: Vec<char> = text
            .nfc()
            .map(|letter| if letter.is_control() { ' ' } else { letter })
            .collect();
        let glyphs = self.glyphs(&letters);
        let whole: f32 = glyphs.iter().map(|(_, width)| width).sum();
        let scale = size / 1000.0;
        if whole * scale <= max {
            return (codes(&glyphs), whole * scale);
        }
        let end: Vec<char> = ELLIPSIS.chars().collect();
        let end = self.glyphs(&end);
        let mut left = max / scale - end.iter().map(|(_, width)| width).sum::<f32>();
        let mut shown: Vec<(u16, f32)> = Vec::new();
        for glyph in glyphs {
            left -= glyph.1;
            if left < 0.0 {
                break;
            }
            shown.push(glyph);
        }
        shown.extend(end);
        let width: f32 = shown.iter().map(|(_, width)| width).sum();
        (codes(&shown), width * scale)
    }

    /// Returns the new numbers and the widths of the glyphs of letters.
    fn glyphs(&mut self, letters: &[char]) -> Vec<(u16, f32)> {
        let font = FontRef::from_index(&self.data, self.index).expect("BUG: it was opened before");
        let (charmap, metrics) = (
            font.charmap(),
            font.glyph_metrics(Size::new(1000.0), LocationRef::default()),
        );
        let glyph_of = |letter: char| charmap.map(letter).filter(|glyph| glyph.to_u32() != 0);
        let missing = MISSING
            .iter()
            .find_map(|&sign| Some((sign, glyph_of(sign)?)));
        let mut set = Vec::with_capacity(letters.len());
        for &letter in letters {
            let Some((letter, glyph)) = glyph_of(letter).map(|glyph| (letter, glyph)).or(missing)
            else {
                continue;
            };
            let Ok(old) = u16::try_from(glyph.to_u32()) else {
                continue;
            };
            let new = self.remapper.remap(old);
            let width = metrics.advance_width(glyph).unwrap_or(1000.0);
            self.letters.entry(new).or_insert(letter);
            self.widths.insert(new, width);
            set.push((new, width));
        }
        set
    }

    pub(crate) fn letters(&self) -> &BTreeMap<u16, char> {
        &self.letters
    }

    pub(crate) fn widths(&self) -> impl Iterator<Item = f32> {
        self.widths.values().copied()
    }

    /// Returns the subset with the glyphs used so far.
    pub(crate) fn embedded(&self) -> io::Result<Embedded> {
        let subset = subsetter::subset(&self.data, self.index, &self.remapper);
        let subset = subset
            .map_err(|error| io::Error::other(format!("the font can't be embedded: {error:?}")))?;
        let cff = FontRef::new(&subset).ok().and_then(|font| {
            let table = font.table_data(Tag::new(b"CFF "))?;
            Some(table.as_bytes().to_vec())
        });
        let metrics = self
            .font()
            .metrics(Size::new(1000.0), LocationRef::default());
        let bounds = metrics
            .bounds
            .map_or([0.0, -200.0, 1000.0, 900.0], |bounds| {
                [bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max]
            });
        Ok(Embedded {
            is_cff: cff.is_some(),
            file: cff.unwrap_or(subset),
            ascent: metrics.ascent,
            descent: metrics.descent,
            bounds,
        })
    }
}

fn codes(glyphs: &[(u16, f32)]) -> Vec<u8> {
    glyphs
        .iter()
        .flat_map(|(glyph, _)| glyph.to_be_bytes())
        .collect()
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    // Distributions link fonts into their folders.
    let file = own_file::open_users(path)?;
    let mut data = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut data)?;
    Ok(data)
}

/// Returns the position of a file among all: known fonts for Japanese, then regular ones, then the others.
fn rank(path: &Path) -> usize {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    let known = JAPANESE
        .iter()
        .position(|beginning| name.starts_with(beginning));
    known.unwrap_or(JAPANESE.len() + usize::from(!name.contains("regular")))
}

fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    // A folder that can't be read has no fonts for us.
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        if ["ttf", "otf", "ttc", "otc"]
            .iter()
            .any(|font| extension == *font)
        {
            files.push(path);
        } else if depth > 0 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(&path, depth - 1, files);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn japanese_fonts_come_first() {
        let mut files: Vec<PathBuf> = [
            "/f/z-Bold.ttf",
            "/f/DejaVuSans-Regular.ttf",
            "/f/NotoSansCJK-Regular.ttc",
            "/f/ipaexg.ttf",
        ]
        .map(PathBuf::from)
        .to_vec();
        files.sort_by_cached_key(|path| rank(path));
        let names: Vec<_> = files.iter().map(|path| path.file_name().unwrap()).collect();
        assert_eq!(
            names,
            [
                "NotoSansCJK-Regular.ttc",
                "ipaexg.ttf",
                "DejaVuSans-Regular.ttf",
                "z-Bold.ttf"
            ]
        );
    }

    #[test]
    fn files_that_are_no_fonts_are_refused() {
        assert!(Font::new(Vec::new()).is_none());
        assert!(Font::new(b"OTTO and no font".to_vec()).is_none());
    }
}
