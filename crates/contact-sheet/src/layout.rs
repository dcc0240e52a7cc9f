//! The layout of a contact sheet: pages, and the boxes of their pictures. Lengths are in points of 1/72 inch, from the
//! lower left corner of a page, as in PDF.

/// The resolution of pictures on paper, in dots per inch.
const RESOLUTION: f32 = 300.0;
/// The greatest longer side of a picture, in pixels.
const MAX_EDGE: f32 = 4096.0;
/// The number of points in a millimetre.
const MILLIMETRE: f32 = 72.0 / 25.4;
/// The smallest side of a picture's box.
const MIN_BOX: f32 = 24.0;
/// The gap between columns, and between rows.
const GAP: f32 = 9.0;
/// The font size of captions and of page numbers, and the distance of their lines.
pub(crate) const CAPTION: f32 = 8.0;
pub(crate) const LINE: f32 = 10.5;
/// The font size of the title, and the height that it takes.
pub(crate) const TITLE: f32 = 15.0;
const TITLE_HEIGHT: f32 = 26.0;
/// The height that page numbers take.
const NUMBER_HEIGHT: f32 = 18.0;
/// The distance between a picture and its caption.
const CAPTION_GAP: f32 = 3.0;

/// The size of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageSize {
    A4,
    A3,
    Letter,
}

impl PageSize {
    /// Returns the width and the height of an upright page.
    fn points(self) -> (f32, f32) {
        match self {
            Self::A4 => (210.0 * MILLIMETRE, 297.0 * MILLIMETRE),
            Self::A3 => (297.0 * MILLIMETRE, 420.0 * MILLIMETRE),
            Self::Letter => (612.0, 792.0),
        }
    }
}

/// The choices from which a layout is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SheetLayout {
    pub size: PageSize,
    pub is_landscape: bool,
    /// The number of pictures beside each other, 1 to 12.
    pub columns: u8,
    /// The number of pictures below each other, 1 to 20.
    pub rows: u8,
    /// The margin on all sides in millimetres, 0 to 50.
    pub margin: u8,
    /// The number of lines below each picture.
    pub lines: u8,
    pub has_title: bool,
    pub has_numbers: bool,
}

/// A layout that leaves no room for pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidLayout {
    #[error("a sheet has 1 to 12 columns, 1 to 20 rows and margins of at most 50 mm")]
    OutOfRange,
    #[error("the pictures would be too small: choose fewer columns or rows, or smaller margins")]
    TooTight,
}

/// A place on a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Area {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) width: f32,
    pub(crate) height: f32,
}

/// The computed layout.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layout {
    choices: SheetLayout,
    pub(crate) page: (f32, f32),
    margin: f32,
    /// The size of the box of a picture, without its caption.
    cell: (f32, f32),
}

impl Layout {
    /// Computes a layout.
    ///
    /// # Errors
    /// [`InvalidLayout`]
    pub fn new(choices: SheetLayout) -> Result<Self, InvalidLayout> {
        let is_valid = (1..=12).contains(&choices.columns)
            && (1..=20).contains(&choices.rows)
            && choices.margin <= 50;
        if !is_valid {
            return Err(InvalidLayout::OutOfRange);
        }
        let (short, long) = choices.size.points();
        let page = if choices.is_landscape {
            (long, short)
        } else {
            (short, long)
        };
        let margin = f32::from(choices.margin) * MILLIMETRE;
        let (columns, rows) = (f32::from(choices.columns), f32::from(choices.rows));
        let mut layout = Self {
            choices,
            page,
            margin,
            cell: (0.0, 0.0),
        };
        let height = page.1 - 2.0 * margin - layout.title_height() - layout.number_height();
        layout.cell = (
            (page.0 - 2.0 * margin - GAP * (columns - 1.0)) / columns,
            (height - GAP * (rows - 1.0)) / rows - layout.caption_height(),
        );
        if layout.cell.0 < MIN_BOX || layout.cell.1 < MIN_BOX {
            return Err(InvalidLayout::TooTight);
        }
        Ok(layout)
    }

    /// Returns the number of pages of some pictures.
    #[must_use]
    pub fn pages(&self, pictures: usize) -> usize {
        pictures.div_ceil(self.per_page())
    }

    /// Returns the longer side that a picture needs, in pixels.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is at most MAX_EDGE"
    )]
    pub fn edge(&self) -> u32 {
        let longer = self.cell.0.max(self.cell.1);
        (longer / 72.0 * RESOLUTION).ceil().min(MAX_EDGE) as u32
    }

    pub(crate) fn per_page(&self) -> usize {
        usize::from(self.choices.columns) * usize::from(self.choices.rows)
    }

    /// True if the sheet has any text.
    #[must_use]
    pub fn has_text(&self) -> bool {
        self.choices.lines > 0 || self.choices.has_title || self.choices.has_numbers
    }

    pub(crate) fn has_title(&self) -> bool {
        self.choices.has_title
    }

    pub(crate) fn has_numbers(&self) -> bool {
        self.choices.has_numbers
    }

    pub(crate) fn lines(&self) -> usize {
        usize::from(self.choices.lines)
    }

    /// Returns the box of the picture at an index of its page, in reading order.
    pub(crate) fn area(&self, index: usize) -> Area {
        let columns = usize::from(self.choices.columns);
        let (column, row) = (small(index % columns), small(index / columns));
        let top = self.page.1 - self.margin - self.title_height();
        let step = self.cell.1 + self.caption_height() + GAP;
        Area {
            x: self.margin + column * (self.cell.0 + GAP),
            y: top - row * step - self.cell.1,
            width: self.cell.0,
            height: self.cell.1,
        }
    }

    /// Returns the baseline of a line of the caption below a box.
    pub(crate) fn caption_line(area: Area, line: usize) -> f32 {
        area.y - CAPTION_GAP - CAPTION - small(line) * LINE
    }

    /// Returns the place of the title: the left end of its baseline, and its greatest width.
    pub(crate) fn title(&self) -> (f32, f32, f32) {
        let width = self.page.0 - 2.0 * self.margin;
        (self.margin, self.page.1 - self.margin - TITLE, width)
    }

    /// Returns the baseline of the page numbers.
    pub(crate) fn number(&self) -> f32 {
        self.margin + 2.0
    }

    fn title_height(&self) -> f32 {
        if self.choices.has_title {
            TITLE_HEIGHT
        } else {
            0.0
        }
    }

    fn number_height(&self) -> f32 {
        if self.choices.has_numbers {
            NUMBER_HEIGHT
        } else {
            0.0
        }
    }

    fn caption_height(&self) -> f32 {
        match self.choices.lines {
            0 => 0.0,
            lines => CAPTION_GAP + f32::from(lines) * LINE,
        }
    }
}

/// Converts a number of cells or lines.
fn small(number: usize) -> f32 {
    f32::from(u16::try_from(number).expect("BUG: a page has at most 240 pictures"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: SheetLayout = SheetLayout {
        size: PageSize::A4,
        is_landscape: false,
        columns: 4,
        rows: 5,
        margin: 10,
        lines: 2,
        has_title: true,
        has_numbers: true,
    };

    #[test]
    fn boxes_are_inside_the_page_and_apart() {
        for is_landscape in [false, true] {
            let layout = Layout::new(SheetLayout {
                is_landscape,
                ..PLAIN
            })
            .unwrap();
            let areas: Vec<Area> = (0..20).map(|index| layout.area(index)).collect();
            for (index, area) in areas.iter().enumerate() {
                let margin = 10.0 * MILLIMETRE - 0.01;
                assert!(area.x >= margin && area.x + area.width <= layout.page.0 - margin);
                let lowest = Layout::caption_line(*area, 1);
                assert!(
                    lowest > layout.number() + CAPTION && area.y + area.height < layout.title().1
                );
                if index % 4 > 0 {
                    assert!(area.x > areas[index - 1].x + area.width);
                }
                if index >= 4 {
                    assert!(area.y + area.height < Layout::caption_line(areas[index - 4], 1));
                }
            }
        }
    }

    #[test]
    fn pictures_have_the_resolution_of_print() {
        let edge = |columns, rows, size| {
            let layout = Layout::new(SheetLayout {
                columns,
                rows,
                size,
                ..PLAIN
            });
            layout.unwrap().edge()
        };
        assert_eq!(edge(1, 1, PageSize::A4), 2989);
        assert_eq!(edge(1, 1, PageSize::A3), 4096);
        assert!(edge(4, 5, PageSize::A4) < 700);
    }

    #[test]
    fn layouts_without_room_are_refused() {
        let refused = |choices| Layout::new(choices).unwrap_err();
        let none = SheetLayout {
            columns: 0,
            ..PLAIN
        };
        assert_eq!(refused(none), InvalidLayout::OutOfRange);
        let wide = SheetLayout {
            margin: 51,
            ..PLAIN
        };
        assert_eq!(refused(wide), InvalidLayout::OutOfRange);
        let dense = SheetLayout {
            rows: 20,
            lines: 4,
            ..PLAIN
        };
        assert_eq!(refused(dense), InvalidLayout::TooTight);
        assert_eq!(Layout::new(PLAIN).unwrap().pages(41), 3);
    }
}
